/** The rejected values and the findings, by bill, each linking to its field or cell. */
import { Suspense } from 'react'
import { LazyFindingWords } from '../bill-entry/bill-entry.ts'
import { StatusDot } from '../ui/status.tsx'
import type { SummaryFinding } from './audit-summary.ts'
import styles from './summary.module.css'
import type { SummaryFormState } from './use-summary-form.ts'

interface SummaryFindingsProps {
  readonly form: SummaryFormState
  readonly findings: readonly SummaryFinding[]
}

export function SummaryFindings({ form: { entry, clientId, problems, goTo }, findings }: SummaryFindingsProps) {
  const numbers = new Map(entry.rows.map((row) => [row.account_id, row.account_number]))
  const nameOf = (accountId: number | null): string => (accountId === null ? 'Group bill' : (numbers.get(accountId) ?? ''))
  return (
    <div role="status" aria-label="Findings of the summary bill">
      {problems.length + findings.length > 0 && (
        <ul className={styles.found}>
          {problems.map(({ account_id, spot, message }) => (
            <li key={`${account_id} ${spot.name} ${message}`} data-refused={spot.name}>
              <Jump name={nameOf(account_id)} go={() => goTo(spot.name)} />
              <StatusDot tone="bad" shape="triangle">
                Not saved
              </StatusDot>
              <span className={styles.said}>
                {spot.label && `${spot.label}: `}
                {message}
              </span>
            </li>
          ))}
          <Suspense>
            {findings.map(({ account_id, spot, finding }, at) => (
              <li key={`${account_id} ${finding.code} ${at}`} data-finding={finding.code}>
                <Jump name={nameOf(account_id)} go={() => goTo(spot.name)} />
                <LazyFindingWords finding={finding} settled={false} clientId={clientId} />
              </li>
            ))}
          </Suspense>
        </ul>
      )}
    </div>
  )
}

function Jump({ name, go }: { name: string; go: () => void }) {
  return (
    <button type="button" className={styles.jump} title={`Go to ${name}`} onClick={go}>
      {name}
    </button>
  )
}
