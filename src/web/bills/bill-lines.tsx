import type { BillDetail, ServiceBill } from '#contract/bills/bill-detail.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { subtractMoney, sumMoney } from '#contract/kernel/money.ts'
import { UiLink } from '../ui/link.tsx'
import { Figure, Missing, withoutIdleZeros } from '../ui/status.tsx'
import styles from './bills.module.css'

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

/** Each pair is shown as on a meter card: the new value above, the previous one below. */
function LineRow({ line, billHref }: { line: ServiceBill; billHref: string | undefined }) {
  const names = [line.service_name_1, line.service_name_2].filter((name) => name !== null).join(', ')
  return (
    <tr>
      <th scope="row">
        {line.service_utility_service_name ?? <Missing />}
        <span className={`${styles.under} num`}>{line.service_meter_number}</span>
        {names && <span className={`${styles.under} ${styles.names}`}>{names}</span>}
        {billHref !== undefined && (
          <span className={styles.under}>
            <UiLink href={billHref}>Bill {line.bill_id}</UiLink>
          </span>
        )}
      </th>
      <td className="num">
        {line.read_date === null ? <Missing /> : formatDate(line.read_date)}
        <span className={line.previous_read_date_flag ? `${styles.under} ${styles.flagged}` : styles.under}>
          from {line.previous_read_date === null ? <Missing /> : formatDate(line.previous_read_date)}
        </span>
        <span className={line.number_of_days_flag ? `${styles.under} ${styles.flagged}` : styles.under}>{daysOf(line)}</span>
      </td>
      <td className={styles.right}>
        <Figure value={line.meter_reading} places={2} />
        {(line.previous_reading !== null || line.previous_reading_flag) && (
          <span className={line.previous_reading_flag ? `${styles.under} ${styles.flagged}` : styles.under}>
            from <Figure value={line.previous_reading} places={2} />
          </span>
        )}
        {(line.multiplier_flag || !isOne(line.multiplier)) && (
          <span className={line.multiplier_flag ? `${styles.under} ${styles.flagged}` : styles.under}>
            multiplier <Figure value={line.multiplier} bare />
          </span>
        )}
      </td>
      <td className={right(line.usage_flag)}>
        <Figure value={line.usage} places={3} />
        <span className={styles.under}>
          {line.unit_symbol ?? line.raw_unit ?? 'no unit'}
          {line.estimated && ', estimated'}
        </span>
      </td>
      <td>
        <Values line={line} />
      </td>
      <td className={styles.right}>
        <Figure value={line.charge} places={2} />
      </td>
    </tr>
  )
}

/** Most meters have a multiplier of one, which is not worth a line. */
function isOne(multiplier: string | null): boolean {
  return multiplier === null || withoutIdleZeros(multiplier) === '1'
}

function daysOf({ number_of_days: days }: ServiceBill): string {
  if (days === null) return 'no period'
  return days === 1 ? '1 day' : `${days} days`
}

/** Every filled field of a line by name, money first, then factors. */
function Values({ line }: { line: ServiceBill }) {
  const money = [...line.service_bill_entry_fields, ...line.service_bill_additional_entry_fields].filter(({ value }) => value !== null)
  const factors = line.service_bill_usage_factors.filter(({ value }) => value !== null)
  if (money.length + factors.length === 0) return <Missing word="no charges" />
  return (
    <dl className={styles.values}>
      {money.map((field) => (
        <div key={field.name}>
          <dt>{field.name}</dt>
          <dd>
            <Figure value={field.value} />
          </dd>
        </div>
      ))}
      {factors.map((field) => (
        <div key={field.name}>
          <dt>{field.name}</dt>
          <dd>
            <Figure value={field.value} bare />
          </dd>
        </div>
      ))}
    </dl>
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

function right(flag: boolean): string {
  return flag ? `${styles.right} ${styles.flagged}` : (styles.right ?? '')
}
