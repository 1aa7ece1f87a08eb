import { useState } from 'react'
import { ChevronDown, Download } from 'lucide-react'
import type { Call, ExportFormat, ExportInput, Nothing, Started } from '#contract/kernel/call.ts'
import { Button } from '../../ui/button.tsx'
import { notify } from '../../ui/dialogs/notices.ts'
import type { GridFilters, GridSort } from '../../ui/grid/grid-types.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { callWith } from '../api.ts'
import { connectionId } from '../connection.ts'
import type { FixedQuery } from './list-data.ts'
import { exportStarted, seconds } from '../notices/messages.ts'
import { problemNotice, resultNotice } from '../notices/notices.ts'
import { wireFilters } from './wire-filters.ts'
import styles from '../kernel.module.css'

export type ExportCall<Params> = Call<Params, ExportInput, Nothing, Started>

export interface ExportButtonProps<Params> {
  call: ExportCall<Params>
  params: Params
  /** For the notice: 'Vendors'. */
  labels: string
  filters: GridFilters
  sort?: GridSort | undefined
  query?: FixedQuery | undefined
  /** Keys of the columns that the grid shows, in its order. */
  shown: readonly string[]
}

interface Wish {
  readonly format: ExportFormat
  /** True for the columns that the grid shows, false for all of them. */
  readonly asShown: boolean
}
const whole: Wish = { format: 'csv', asShown: false }

/** Starts the export of the current list; the file arrives over the live channel in this window. Other columns and formats are in the menu. */
export function ExportButton<Params>({ call, params, labels, filters, sort, query, shown }: ExportButtonProps<Params>) {
  const start = ({ format, asShown }: Wish) => {
    const q = { ...wireFilters(filters), ...(sort ? { s: `${sort.key} ${sort.direction}` } : {}) }
    const file = { ...(format === 'csv' ? {} : { format }), ...(asShown ? { columns: shown.join(',') } : {}) }
    return callWith(call, { params, query: { ...query, ...file, q, connection_id: connectionId } })
  }
  const plural = call.name.split('.')[0]
  const choose = (wish: Wish) => () => void startExport({ labels, plural, start: () => start(wish) })
  return (
    <span className={styles.split}>
      <ExportStart labels={labels} plural={plural} start={() => start(whole)} />
      <Menu label="Other formats" trigger={<ChevronDown size={14} aria-hidden="true" />} align="end" kind="default">
        <MenuItem onSelect={choose({ format: 'xlsx', asShown: true })}>Columns shown, Excel</MenuItem>
        <MenuItem onSelect={choose({ format: 'csv', asShown: true })}>Columns shown, CSV</MenuItem>
        <MenuItem onSelect={choose({ format: 'xlsx', asShown: false })}>All columns, Excel</MenuItem>
        <MenuItem onSelect={choose(whole)}>All columns, CSV</MenuItem>
      </Menu>
    </span>
  )
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
    await startExport({ labels, plural, start })
    setBusy(false)
  }
  return (
    <Button busy={busy} onClick={() => void act()}>
      <Download size={14} aria-hidden="true" />
      {label}
    </Button>
  )
}

async function startExport({ labels, plural, start }: Omit<ExportStartProps, 'label'>): Promise<void> {
  try {
    const result = await start()
    if (result.success) notify({ kind: 'success', title: exportStarted(labels, plural), duration: seconds.list_export })
    else resultNotice(result)
  } catch (error) {
    problemNotice(error)
  }
}
