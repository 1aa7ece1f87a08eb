import type { BillDetail } from '#contract/bills/bill-detail.ts'
import type { ServiceBill } from '#contract/bills/service-bill.ts'
import { subtractMoney, sumMoney } from '#contract/kernel/money.ts'
import { Figure } from '../ui/status.tsx'
import styles from './bills.module.css'
import { LineRow } from './bill-line-row.tsx'

/** The service lines with readings and charges, the charges of the account as a whole, and whether the sums agree. */
export function BillLines({ bill }: { bill: BillDetail }) {
  return (
    <>
      {bill.service_bills.length > 0 && (
        <LineTable title="Lines" lines={bill.service_bills} total={sumMoney(bill.service_bills.map((line) => line.charge))} />
      )}
      {bill.linked_service_bills.length > 0 && (
        <LineTable
          title="Linked supply lines"
          lines={bill.linked_service_bills}
          billHref={(line) => `/clients/${bill.client_id}/bills/${line.bill_id}`}
          total={sumMoney(bill.linked_service_bills.map((line) => line.charge))}
        />
      )}
      {bill.bill_charges.length > 0 && <AccountCharges bill={bill} />}
      <Difference bill={bill} />
    </>
  )
}

interface LineTableProps {
  readonly title: string
  readonly lines: readonly ServiceBill[]
  readonly total: string
  /** Returns the path of a line's bill, for lines of other bills. */
  readonly billHref?: ((line: ServiceBill) => string) | undefined
}

function LineTable({ title, lines, total, billHref }: LineTableProps) {
  return (
    <section aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {/* Beside the document or enlarged, the many columns scroll in their own frame. */}
      <div className={styles.frame}>
        <table className={`${styles.table} ${styles.lines}`} aria-label={title}>
          <thead>
            <tr>
              <th scope="col">Service and meter</th>
              <th scope="col">Read dates</th>
              <th scope="col" className={styles.right}>
                Readings
              </th>
              <th scope="col" className={styles.right}>
                Usage
              </th>
              <th scope="col">Charges</th>
              <th scope="col" className={styles.right}>
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <LineRow key={line.id} line={line} billHref={billHref?.(line)} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={4}>
                Sum
              </th>
              {/* The bold total with its dollar sign is wider than the column it sums. */}
              <td className={styles.right} colSpan={2}>
                <Figure value={total} places={2} currency />
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  )
}

function AccountCharges({ bill }: { bill: BillDetail }) {
  return (
    <section aria-label="Account charges">
      <h2 className={styles.heading}>Account charges</h2>
      <table className={styles.table} aria-label="Account charges">
        <thead>
          <tr>
            <th scope="col">Charge</th>
            <th scope="col" className={styles.right}>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {bill.bill_charges.map((charge) => (
            <tr key={charge.id}>
              <th scope="row">{charge.name}</th>
              <td className={styles.right}>
                <Figure value={charge.amount} places={2} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The difference between the lines with account charges and the head's current charges, if there is one. */
function Difference({ bill }: { bill: BillDetail }) {
  const charged = sumMoney([...bill.service_bills.map((line) => line.charge), ...bill.bill_charges.map((charge) => charge.amount)])
  const difference = subtractMoney(bill.current_charges, charged)
  if (difference === '0.00' || (bill.service_bills.length === 0 && bill.bill_charges.length === 0)) return null
  return (
    <p className={styles.quiet}>
      Lines and account charges add up to <Figure value={charged} places={2} currency />; the current charges are{' '}
      <Figure value={bill.current_charges} places={2} currency />, which leaves <Figure value={difference} places={2} currency /> for the
      account as a whole.
    </p>
  )
}
