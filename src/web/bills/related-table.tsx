/** The table of related bills. */
import type { ReactNode } from 'react'
import type { RelatedBill } from '#contract/bills/bill-compare.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { UiLink } from '../ui/link.tsx'
import { Figure, Missing } from '../ui/status.tsx'
import { BillStatus } from './bill-cells.tsx'
import styles from './bills.module.css'

/** Names a related bill; the open one is not a link. */
export function BillName({ bill, one }: { bill: BillDetail; one: RelatedBill }) {
  const name = `Bill ${one.id} of ${formatDate(one.date)}`
  return one.id === bill.id ? (
    <strong>{name}, this one</strong>
  ) : (
    <UiLink href={`/clients/${bill.client_id}/bills/${one.id}`}>{name}</UiLink>
  )
}

interface RelatedTableProps {
  readonly bill: BillDetail
  readonly title: string
  readonly rows: readonly RelatedBill[]
  readonly sum?: string
  readonly children?: ReactNode
}

export function RelatedTable({ bill, title, rows, sum, children }: RelatedTableProps) {
  return (
    <section aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
      <div className={styles.frame}>
        <table className={styles.table} aria-label={title}>
          <thead>
            <tr>
              <th scope="col">Bill</th>
              <th scope="col">Account</th>
              <th scope="col">Status</th>
              <th scope="col" className={styles.right}>
                Amount Due
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.id}>
                <th scope="row">
                  <BillName bill={bill} one={one} />
                </th>
                <td>
                  {one.account_name ?? <Missing />} <span className="num">({one.account_number})</span>
                </td>
                <td>
                  <BillStatus status={one.full_status} />
                </td>
                <td className={styles.right}>
                  <Figure value={one.amount_due} places={2} />
                </td>
              </tr>
            ))}
          </tbody>
          {sum !== undefined && (
            <tfoot>
              <tr>
                <th scope="row" colSpan={3}>
                  Sum
                </th>
                <td className={styles.right}>
                  <Figure value={sum} places={2} currency />
                </td>
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </section>
  )
}
