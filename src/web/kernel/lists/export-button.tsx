import { useState } from 'react'
import { Download } from 'lucide-react'
import type { Call, ExportInput, Nothing, Started } from '#contract/kernel/call.ts'
import { Button } from '../../ui/button.tsx'
import { notify } from '../../ui/dialogs/notices.ts'
import type { GridFilters, GridSort } from '../../ui/grid/grid-types.ts'
import { callWith } from '../api.ts'
import { connectionId } from '../connection.ts'
import type { FixedQuery } from './list-data.ts'
import { exportStarted, seconds } from '../notices/messages.ts'
import { problemNotice, resultNotice } from '../notices/notices.ts'
import { wireFilters } from './wire-filters.ts'

export type ExportCall<Params> = Call<Params, ExportInput, Nothing, Started>

export interface ExportButtonProps<Params> {
  call: ExportCall<Params>
  params: Params
  /** For the notice: 'Vendors'. */
  labels: string
  filters: GridFilters
  sort?: GridSort | undefined
  query?: FixedQuery | undefined
}

/** Starts the export of the current list; the file arrives over the live channel in this window. */
export function ExportButton<Params>({ call, params, labels, filters, sort, query }: ExportButtonProps<Params>) {
  const start = () => {
    const q = { ...wireFilters(filters), ...(sort ? { s: `${sort.key} ${sort.direction}` } : {}) }
    return callWith(call, { params, query: { ...query, q, connection_id: connectionId } })
  }
  return <ExportStart labels={labels} plural={call.name.split('.')[0]} start={start} />
}

export interface ExportStartProps {
  readonly label?: string
  readonly labels: string
  /** The wire name of the list, for which the specification may have its own text. */
  readonly plural?: string | undefined
  readonly start: () => Promise<Started>
}

/** The button of any export; reports whether it started, or why not. */
export function ExportStart({ label = 'Export', labels, plural, start }: ExportStartProps) {
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    try {
      const result = await start()
      if (result.success) notify({ kind: 'success', title: exportStarted(labels, plural), duration: seconds.list_export })
      else resultNotice(result)
    } catch (error) {
      problemNotice(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={busy} onClick={() => void act()}>
      <Download size={14} aria-hidden="true" />
      {label}
    </Button>
  )
}
