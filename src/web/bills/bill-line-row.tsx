/** One line of a bill, with its charges and usage factors. */
import type { ServiceBill } from '#contract/bills/service-bill.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { UiLink } from '../ui/link.tsx'
import { Figure, Missing, withoutIdleZeros } from '../ui/status.tsx'
import styles from './bills.module.css'

/** Each pair is shown as on a meter card: the new value above, the previous one below. */
export function LineRow({ line, billHref }: { line: ServiceBill; billHref: string | undefined }) {
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

function right(flag: boolean): string {
  return flag ? `${styles.right} ${styles.flagged}` : (styles.right ?? '')
}
