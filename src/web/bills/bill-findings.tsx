import type { BillDetail, BillFinding } from '#contract/bill-detail.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { UiLink } from '../ui/link.tsx'
import { figureText, StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'
import styles from './bills.module.css'

const severities: Readonly<Record<BillFinding['severity'], { word: string; tone: Tone; shape: StatusShape }>> = {
  'E!': { word: 'Holds payment', tone: 'bad', shape: 'lock' },
  E: { word: 'Error', tone: 'warn', shape: 'triangle' },
  W: { word: 'Warning', tone: 'warn', shape: 'ring' },
  I: { word: 'Information', tone: 'grey', shape: 'ring' },
}

/** What the audits found, with the arithmetic in words; what was settled stays below with its reason. */
export function BillFindings({ bill }: { bill: BillDetail }) {
  const open = bill.findings.filter((finding) => finding.resolved_at === null)
  const settled = bill.findings.filter((finding) => finding.resolved_at !== null)
  const missing = bill.missing_fields.length
  if (bill.findings.length === 0 && missing === 0) return null
  return (
    <section aria-label="Findings">
      <h2 className={styles.heading}>
        Findings <span className={styles.quiet}>{open.length === 0 ? 'none open' : `${open.length} open`}</span>
      </h2>
      {missing > 0 && (
        <p className={styles.draft}>
          This bill is a draft: {missing === 1 ? 'a required field is' : `${missing} required fields are`} empty.
        </p>
      )}
      <ul className={styles.findings}>
        {open.map((finding) => (
          <FindingItem key={finding.id} finding={finding} bill={bill} />
        ))}
      </ul>
      {settled.length > 0 && (
        <details className={styles.settled}>
          <summary>{settled.length === 1 ? '1 settled finding' : `${settled.length} settled findings`}</summary>
          <ul className={styles.findings}>
            {settled.map((finding) => (
              <FindingItem key={finding.id} finding={finding} bill={bill} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function FindingItem({ finding, bill }: { finding: BillFinding; bill: BillDetail }) {
  const { word, tone, shape } = severities[finding.severity]
  const line = bill.service_bills.find((one) => one.id === finding.service_bill_id)
  const figures = [
    ['Expected', finding.expected],
    ['Actual', finding.actual],
    ['Limit', finding.limit],
  ] as const
  const known = figures.filter(([, value]) => value !== null)
  return (
    <li>
      <StatusDot tone={tone} shape={shape}>
        {word}
      </StatusDot>
      <div>
        <p>
          {line && (
            <span className={styles.quiet}>{`${line.service_utility_service_name ?? 'Service'} ${line.service_meter_number}: `}</span>
          )}
          {finding.message}
          {finding.other_bill_id !== null && (
            <>
              {' '}
              <UiLink href={`/clients/${bill.client_id}/bills/${finding.other_bill_id}`}>Open bill {finding.other_bill_id}</UiLink>
            </>
          )}
        </p>
        {known.length > 0 && (
          <p className={`${styles.quiet} num`}>{known.map(([label, value]) => `${label} ${valueText(value ?? '')}`).join(' · ')}</p>
        )}
        {finding.resolved_at !== null && (
          <p className={styles.quiet}>
            Settled {formatDate(todayIn(NEW_YORK, finding.resolved_at))}
            {finding.resolved_by_name ? ` by ${finding.resolved_by_name}` : ''}: {finding.reason ?? 'no reason given'}
          </p>
        )}
      </div>
    </li>
  )
}

/** Findings keep days as on the wire and numbers bare; people read them as everywhere else. */
function valueText(value: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDate(value) : figureText(value)
}
