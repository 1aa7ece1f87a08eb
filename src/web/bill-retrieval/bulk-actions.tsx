/** The actions on selected statements: create bills, ignore them, or take ignored ones back. */
import { useState } from 'react'
import type { ImportBody, MissingMeters } from '#contract/bill-retrieval/bill-retrieval.ts'
import type { RetrievedStatement } from '#contract/bill-retrieval/retrieved-statement.ts'
import { missingMeters } from '#contract/bill-retrieval/retrieval-choice.ts'
import { billRetrievalCalls } from '#contract/bill-retrieval/retrieval-calls.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { callApi } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { refresh } from '../kernel/query.ts'
import { importFailed } from '../imports/imports.ts'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import type { GridSelection } from '../ui/grid/data-grid.tsx'
import { lackOfPlans, newAccountsOf, type AccountPlans } from './account-plans.ts'
import styles from './bill-retrieval.module.css'

export interface Chosen {
  readonly grid: GridSelection<number>
  readonly rows: readonly RetrievedStatement[]
  /** The list's filters, for everything that matches them. */
  readonly filters: Readonly<Record<string, string>>
}

interface BulkProps {
  readonly clientId: number
  readonly chosen: Chosen
  readonly plans: AccountPlans
  /** Whether an import is running; another one would only wait behind it. */
  readonly busy: boolean
  readonly onStarted: () => void
  readonly onDone: () => void
}

export function BulkActions({ clientId, chosen, plans, busy, onStarted, onDone }: BulkProps) {
  const [asking, setAsking] = useState(false)
  const [meters, setMeters] = useState<MissingMeters>('leave')
  const params = { client_id: clientId }
  const run = async (work: () => Promise<void>) => {
    setAsking(true)
    await work().finally(() => setAsking(false))
  }
  const create = async () => {
    notify({ kind: 'info', title: messages.import_started, duration: seconds.import })
    try {
      await callApi(billRetrievalCalls.retrievalImport, { params, body: importBody(chosen, plans, meters) })
      onStarted()
      refresh('tasks', 'bill_retrieval', 'vendors', 'facilities')
    } catch (error) {
      importFailed(error)
    }
  }
  const putAside = async (verb: 'ignore' | 'unignore') => {
    try {
      resultNotice(await callApi(billRetrievalCalls[verb], { params, body: meant(chosen) }))
      onDone()
    } catch (error) {
      problemNotice(error)
    }
    refresh('bill_retrieval')
  }
  const { isAll, some } = shapeOf(chosen)
  return (
    <div className={styles.bulk}>
      {!isAll && <span className="num">{formatMoney(sumMoney(chosen.rows.map((row) => row.amount_due)))}</span>}
      <MissingMeterField value={meters} onChange={setMeters} shown={isAll || some('needs_meter')} />
      {(isAll || some('ignored')) && (
        <Button small onClick={() => void run(() => putAside('unignore'))} disabled={asking}>
          Take back
        </Button>
      )}
      <Button small onClick={() => void run(() => putAside('ignore'))} disabled={asking}>
        Ignore
      </Button>
      <Button small kind="primary" busy={asking} disabledReason={whyNot(chosen, plans, busy)} onClick={() => void run(create)}>
        {isAll ? 'Create bills of all matching' : `Create selected bills (${chosen.rows.length.toLocaleString('en-US')})`}
      </Button>
    </div>
  )
}

function whyNot(chosen: Chosen, plans: AccountPlans, busy: boolean): string | undefined {
  if (busy) return 'An import is running'
  const { isAll, only } = shapeOf(chosen)
  if (!isAll && only('ignored')) return 'They were put aside; take them back first'
  return lackOfPlans(plans) ?? undefined
}

function shapeOf({ grid, rows }: Chosen) {
  return {
    isAll: grid.allMatching,
    some: (state: RetrievedStatement['state']) => rows.some((row) => row.state === state),
    only: (state: RetrievedStatement['state']) => rows.length > 0 && rows.every((row) => row.state === state),
  }
}

const meterWords: Readonly<Record<MissingMeters, string>> = {
  leave: 'Leave the statement',
  add: 'Add the meter to the account',
  flag: 'Make the bill without it, flagged',
}

/** Only users with the right to create services may add meters. */
function MissingMeterField({ value, onChange, shown }: { value: MissingMeters; onChange: (value: MissingMeters) => void; shown: boolean }) {
  const adds = useCan('service.create')
  if (!shown) return null
  const offered = missingMeters.filter((one) => adds || one !== 'add')
  return (
    <SelectField
      label="Where a meter is missing"
      value={value}
      options={offered.map((one) => ({ value: one, label: meterWords[one] }))}
      onChange={(text) => onChange(offered.find((one) => one === text) ?? 'leave')}
    />
  )
}

function meant({ grid, rows, filters }: Chosen) {
  return grid.allMatching ? { all_matching: true, filter: { q: { ...filters } } } : { file_ids: rows.map((row) => row.file_id) }
}

/** Only the file id of a record is sent, so that it is imported as the server has it. */
function importBody(chosen: Chosen, plans: AccountPlans, missing_meters: MissingMeters): ImportBody {
  const { grid, rows, filters } = chosen
  const which = grid.allMatching
    ? { all_matching: true, filter: { q: { ...filters } } }
    : { data: rows.map(({ file_id, statement_id }) => ({ file_id, statement_id })) }
  const new_accounts = newAccountsOf(plans)
  return { ...which, ...(new_accounts.length > 0 ? { new_accounts } : {}), missing_meters, connection_id: connectionId }
}
