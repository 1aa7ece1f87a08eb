/** The last five bills of a service. */
import { useQuery } from '@tanstack/react-query'
import type { BillHistoryItem } from '#contract/bills/bill-detail.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import { Figure, Missing } from '../ui/status.tsx'
import billEntry from './bill-entry.module.css'
import styles from './past-bills.module.css'

interface LastFiveBillsProps {
  readonly clientId: number
  readonly serviceId: number
  /** The edited bill, which is left out of its own history. */
  readonly billId: number | null
  readonly name: string
}

export function LastFiveTable({ clientId, serviceId, billId, name }: LastFiveBillsProps) {
  const query = billId === null ? {} : { bill_id: billId }
  const asked = useQuery(apiQuery(billDetailCalls.lastFiveBills, { params: { client_id: clientId, id: serviceId }, query }))
  return (
    <RecordGate asked={asked}>
      {({ last_five_bills: lines, total }) =>
        lines.length === 0 ? (
          <p className={billEntry.quiet}>This service has no bill yet.</p>
        ) : (
          <div className={styles.scroll}>
            <table className={styles.past} aria-label={`Last five bills of ${name}`}>
              <thead>
                <tr>
                  <th scope="col">Bill</th>
                  <th scope="col">Read</th>
                  {['Days', 'Reading', 'Usage', 'Utility', 'Utility Taxes', 'Supply', 'Supply Taxes', 'Other', 'REC'].map((title) => (
                    <th key={title} scope="col" className={styles.right}>
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {lines.map((line) => (
                  <tr key={line.id}>
                    <th scope="row" className="num">
                      <UiLink href={`/clients/${clientId}/bills/${line.bill_id}`}>{formatDate(line.date)}</UiLink>
                    </th>
                    <td className="num">
                      {line.read_date === null ? <Missing /> : formatDate(line.read_date)}
                      {line.estimated && ' est.'}
                    </td>
                    <td className={styles.right}>{line.number_of_days ?? <Missing />}</td>
                    <td className={styles.right}>
                      <Figure value={line.meter_reading} places={2} />
                    </td>
                    <td className={styles.right}>
                      <Figure value={line.usage} places={3} /> {line.unit_symbol}
                    </td>
                    {chargesOf(line).map((amount, at) => (
                      <td key={`${line.id} ${at}`} className={styles.right}>
                        <Figure value={amount} places={2} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            {total > lines.length && <p className={billEntry.quiet}>{total} bills in all</p>}
          </div>
        )
      }
    </RecordGate>
  )
}

function chargesOf(line: BillHistoryItem): string[] {
  return [line.utility_charges, line.utility_taxes, line.supply_charges, line.supply_taxes, line.other_charge, line.rec_charge]
}
