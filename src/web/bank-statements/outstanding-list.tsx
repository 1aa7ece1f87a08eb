import { useQuery } from '@tanstack/react-query'
import { outstandingPayment, outstandingPaymentCalls, type OutstandingPayment } from '#contract/bank-statements/outstanding-payment.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import type { Cells } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { withSearch } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { ButtonLink } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import styles from './bank-statements.module.css'
import { outstandingHref, statementsHref } from './refresh-statements.ts'

/** Payments that no statement shows yet, the oldest first, with their sum by age. */
export function OutstandingList() {
  return (
    <ListPage
      entity={outstandingPayment}
      calls={outstandingPaymentCalls}
      columns={columns}
      cells={cells}
      rowLabel={(row) => `${row.payment_name} ${row.vendor_name}`}
      actions={(row) => <MenuItem href={`/global_batch/view/${row.payment_batch_id}/bills`}>Open Batch</MenuItem>}
      headerActions={<ButtonLink href={statementsHref}>Bank Statements</ButtonLink>}
      above={() => <Ages />}
      empty={
        <EmptyState title="Nothing is outstanding">
          Each payment and check that was sent is on a statement, or none was sent yet.
        </EmptyState>
      }
    />
  )
}

function Ages() {
  const { data } = useQuery(apiQuery(outstandingPaymentCalls.total, {}))
  if (!data || data.count === 0) return null
  return (
    <dl className={styles.figures} aria-label="Outstanding by age">
      <div>
        <dt>
          <UiLink href={outstandingHref}>All outstanding</UiLink>
        </dt>
        <dd className="num">{`${formatMoney(data.total)} · ${data.count.toLocaleString('en-US')}`}</dd>
      </div>
      {data.ages.map(({ days_max, count, total }, at) => (
        <div key={days_max ?? 'older'}>
          <dt>
            <UiLink href={ageHref(data.ages[at - 1]?.days_max ?? null, days_max)}>
              {ageWords(data.ages[at - 1]?.days_max ?? null, days_max)}
            </UiLink>
          </dt>
          <dd className="num">{`${formatMoney(total)} · ${count.toLocaleString('en-US')}`}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The list of the payments of one age: each sum opens its rows. */
const ageHref = (after: number | null, end: number | null): string =>
  withSearch(outstandingHref, { age_gteq: after === null ? undefined : after + 1, age_lteq: end ?? undefined })

function ageWords(after: number | null, end: number | null): string {
  if (end === null) return `Over ${after ?? 0} days`
  return after === null ? `Up to ${end} days` : `${after + 1} to ${end} days`
}

const columns = [
  { key: 'payment_name', width: 120 },
  { key: 'amount', width: 120 },
  { key: 'age', width: 110 },
  { key: 'due_day', width: 110 },
  { key: 'payer_name', width: 190 },
  { key: 'vendor_name', width: 190 },
  { key: 'way', width: 130 },
  { key: 'check_number', width: 130 },
  { key: 'trace_number', width: 150 },
  { key: 'file_name', width: 240 },
] as const

const cells: Cells<OutstandingPayment> = {
  payment_name: (row) => <UiLink href={`/global_batch/view/${row.payment_batch_id}/bills`}>{row.payment_name}</UiLink>,
}
