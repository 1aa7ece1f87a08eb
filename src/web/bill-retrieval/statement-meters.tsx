/** The meters of a statement: state and usage of each, and below it the other printed values. */
import { Fragment, type ReactNode } from 'react'
import type { RetrievedStatement } from '#contract/bill-retrieval/retrieved-statement.ts'
import { formatDate } from '#contract/kernel/date.ts'
import type { Meter } from '#contract/bill-retrieval/statement.ts'
import { Figure } from '../ui/status.tsx'
import styles from './bill-retrieval.module.css'

export function StatementMeters({ meters }: Pick<RetrievedStatement, 'meters'>) {
  if (meters.length === 0) return <p className={styles.quiet}>This statement names no meter.</p>
  return (
    <table className={styles.table}>
      <caption className="sr-only">Meters</caption>
      <thead>
        <tr>
          <th scope="col">Meter</th>
          <th scope="col">Service</th>
          <th scope="col">Read</th>
          <th scope="col" className={styles.right}>
            Usage
          </th>
        </tr>
      </thead>
      <tbody>
        {meters.map((meter, place) => (
          // A meter that was billed for two periods appears twice with one number, so its position is part of the key.
          <Fragment key={`${meter.meter_number} ${meter.commodity} ${place}`}>
            <tr className={styles.meter}>
              <td className="num">{meter.meter_number || '–'}</td>
              <td>{meter.commodity.replaceAll('_', ' ')}</td>
              <td className="num">{formatDate(meter.read_date) || '–'}</td>
              <td className={styles.right}>
                <Figure value={meter.usage} /> {meter.unit ?? ''}
                {meter.estimated && ', estimated'}
              </td>
            </tr>
            <tr>
              <td colSpan={4}>
                <dl className={styles.facts}>
                  {printedOf(meter).map(([label, value]) => (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
              </td>
            </tr>
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

const amounts = [
  ['Utility Charges', 'utility_charges'],
  ['Utility Taxes', 'utility_taxes'],
  ['Supply Charges', 'supply_charges'],
  ['Supply Taxes', 'supply_taxes'],
  ['Other Charge', 'other_charge'],
  ['REC Charge', 'rec_charge'],
] as const
const figures = [
  ['Previous Reading', 'previous_reading'],
  ['Reading', 'meter_reading'],
  ['Multiplier', 'multiplier'],
  ['Therm Factor', 'therm_factor'],
  ['Adjustment Factor', 'adjustment_factor'],
  ['Demand', 'demand'],
  ['KW Actual', 'kw_actual'],
  ['KW Billed', 'kw_billed'],
  ['Power Factor', 'power_factor'],
] as const

/** Returns the printed values of a meter. The utility's own charges are always shown, others if there are any. */
function printedOf(meter: Meter): (readonly [label: string, value: ReactNode])[] {
  return [
    ...(meter.previous_read_date === null ? [] : [['Previous Read', formatDate(meter.previous_read_date)] as const]),
    ...figures.flatMap(([label, key]) => (meter[key] === null ? [] : [[label, <Figure key={key} value={meter[key]} />] as const])),
    ...amounts.flatMap(([label, key]) =>
      key !== 'utility_charges' && /^-?0\.00$/.test(meter[key])
        ? []
        : [[label, <Figure key={key} value={meter[key]} places={2} />] as const],
    ),
  ]
}
