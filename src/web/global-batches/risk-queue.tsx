/** The risk queue: what is due soonest over all clients and what is expected and not yet here, with what lateness costs and what cash is left. */
import { useQuery } from '@tanstack/react-query'
import type { BankValue } from '#contract/global-batches/bank-value.ts'
import { riskCalls, riskKinds } from '#contract/global-batches/risk.ts'
import { exception, type ExceptionRow } from '#contract/exceptions/exception.ts'
import { centsOf, formatMoney, subtractMoney, sumMoney } from '#contract/kernel/money.ts'
import { accountHref, carriedWords, exceptionLabel, exceptionLooks, reckoningOf, whyOf } from '../exceptions/exceptions.ts'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { UiLink } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useListedShortcuts } from '../ui/shortcuts.ts'
import { EmptyState } from '../ui/states.tsx'
import { StatusDot } from '../ui/status.tsx'
import { BankLine, useBankValue } from './bank-line.tsx'
import { deskKey } from './chosen-bills.ts'
import { DESK_REFRESH_MS, DeskTabs } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { useLiveChoice, type LiveChoice } from './live-choice.ts'
import { chooseRisks, chosenRows, whyNoBill } from './risk-choice.ts'
import { words } from './words.ts'

const riskKeys = [{ keys: 'x', label: 'Add the bill to today’s selection', group: 'Risk Queue' }]

export function RiskQueue() {
  const bank = useBankValue()
  const live = useLiveChoice(deskKey)
  useListedShortcuts(riskKeys)
  return (
    <div className={styles.page}>
      <PageHeader title="Risk Queue" actions={<ButtonLink href="/global_batch">{`Selected Bills (${live.bills.length})`}</ButtonLink>} />
      <DeskTabs tab="risk" />
      <RecordGate asked={bank}>
        {(value) => (
          <>
            <BankLine bank={value} chosen={{ count: live.bills.length, total: live.total }} />
            <Stakes bank={value} />
            <RiskList live={live} isLocked={value.locked} />
          </>
        )}
      </RecordGate>
    </div>
  )
}

/**
 * The sum and the cost of each kind, and the cash that is left if all of it is paid. The selection is a part of these bills, or not at all.
 */
function Stakes({ bank }: { bank: Pick<BankValue, 'remaining'> }) {
  const { data } = useQuery({ ...apiQuery(riskCalls.summary, {}), refetchInterval: DESK_REFRESH_MS })
  if (data === undefined) return null
  const kinds = riskKinds.flatMap((kind) => data.kinds.filter((one) => one.kind === kind))
  const left = subtractMoney(bank.remaining, sumMoney(kinds.map(({ amount }) => amount)))
  return (
    <ul className={styles.payers} aria-label="What is at stake">
      {kinds.map(({ kind, count, amount, cost }) => (
        <li key={kind}>
          <UiLink href={`/global_batch/risk?kind=${kind}`}>{exceptionLabel(kind)}</UiLink>{' '}
          <span className="num">{`${count.toLocaleString('en-US')} · ${formatMoney(amount)} · lateness costs ${formatMoney(cost)}`}</span>
        </li>
      ))}
      <li>
        Cash left if all of it is paid <strong className={centsOf(left) < 0 ? `${styles.over} num` : 'num'}>{formatMoney(left)}</strong>
      </li>
    </ul>
  )
}

function RiskList({ live, isLocked }: { live: LiveChoice; isLocked: boolean }) {
  return (
    <ListPage<'exceptions', ExceptionRow, Nothing>
      entity={exception}
      calls={riskCalls}
      title=""
      columns={columns}
      cells={cells}
      listName="global_risks"
      rowHref={hrefOf}
      rowLabel={({ account_number, kind }) => `${account_number} ${exceptionLabel(kind)}`}
      grid={(rows) => ({
        isSaidElsewhere: true,
        selection: { ids: chosenRows(rows, live.ids), allMatching: false },
        onSelectionChange: ({ ids }) =>
          isLocked ? void chooseRisks(live.choice, rows, ids) : void notify({ kind: 'warning', title: words.bank_value_unlocked }),
        ineligible: whyNoBill,
      })}
      empty={
        <EmptyState title="Nothing is at risk">
          No bill is late or due within a week, and every bill that should be here is here. What a batch holds is not listed.
        </EmptyState>
      }
    />
  )
}

type Nothing = Record<never, never>

const columns: readonly ColumnWish<ExceptionRow>[] = [
  { key: 'kind', label: 'What', width: 176, grow: false },
  { key: 'client_name', width: 130 },
  { key: 'vendor_name', width: 120 },
  { key: 'account_number', label: 'Account', width: 130 },
  { key: 'why', label: 'Why', width: 230, cell: whyOf, tip: whyOf },
  { key: 'due_date', width: 104 },
  { key: 'expected_on', width: 104, hidden: true },
  { key: 'days', width: 90, hidden: true },
  { key: 'amount', width: 112, tip: carriedWords },
  { key: 'cost', label: 'Late Cost', width: 104, tip: reckoningOf },
  { key: 'open_errors', width: 90, hidden: true },
]

const cells: Cells<ExceptionRow> = {
  kind: ({ kind }) => <StatusDot {...exceptionLooks[kind]}>{exceptionLabel(kind)}</StatusDot>,
  account_number: (row) => <UiLink href={accountHref(row)}>{row.account_number}</UiLink>,
  cost: ({ amount, cost }) => (amount === null ? 'not known' : formatMoney(cost)),
}

function hrefOf(row: ExceptionRow): string {
  return row.bill_id === null ? accountHref(row) : `/clients/${row.client_id}/bills/${row.bill_id}`
}
