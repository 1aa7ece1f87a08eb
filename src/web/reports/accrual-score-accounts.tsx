/** The accounts behind the score of a method: the largest errors with their comparisons, and those that could not be compared. */
import type { AccrualScores, MethodScore, ScoredAccountName } from '#contract/reports/accrual-score-call.ts'
import { methodName, unscoredReasons } from '#contract/reports/accrual-score.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatAmount } from '#contract/kernel/money.ts'
import { UiLink } from '../ui/link.tsx'
import plain from '../ui/plain-table.module.css'
import styles from './reports.module.css'

const figures = ['accrued', 'actual', 'error'] as const

export function WorstAccounts({ clientId, score }: { clientId: number; score: MethodScore }) {
  if (score.worst.length === 0) return null
  return (
    <>
      <h3 className={styles.cardTitle}>Largest errors of {methodName(score.method)}</h3>
      {score.worst.map((account) => (
        <details key={keyOf(account)}>
          <summary>
            <span className="num">
              {account.account_number}: {formatAmount(account.error)} of {formatAmount(account.actual)}
              {account.error_percent !== null && `, error ${account.error_percent}%`}
            </span>
          </summary>
          <p className={styles.quiet}>
            {[account.vendor, account.facility].flatMap((one) => one ?? []).join(' · ')}{' '}
            <UiLink href={billsHref(clientId, account)}>Bills of {account.account_number}</UiLink>
          </p>
          <div className={plain.scroll}>
            <table className={plain.table} aria-label={`Comparisons of ${account.account_number}`}>
              <thead>
                <tr>
                  <th scope="col">Accrued to</th>
                  {['Accrued', 'Actual', 'Error'].map((label) => (
                    <th key={label} scope="col" className={plain.figure}>
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {account.at.map((one) => (
                  <tr key={one.to}>
                    <th scope="row" className="num">
                      {formatDate(one.to)}
                    </th>
                    {figures.map((key) => (
                      <td key={key} className={`${plain.figure} num`}>
                        {formatAmount(one[key])}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      ))}
    </>
  )
}

export function UnscoredAccounts({
  clientId,
  scores: { unscored, unscored_accounts: named },
}: {
  clientId: number
  scores: AccrualScores
}) {
  const count = unscored.reduce((sum, { accounts }) => sum + accounts, 0)
  if (count === 0) return null
  return (
    <details>
      <summary>{`${count.toLocaleString('en-US')} ${count === 1 ? 'account' : 'accounts'} not compared`}</summary>
      {unscored.map(({ why, accounts }) => (
        <p key={why} className={styles.quiet}>
          {`${labelOf(why)}: ${accounts.toLocaleString('en-US')}. `}
          {named
            .filter((one) => one.why === why)
            .map((one, place) => (
              <span key={keyOf(one)}>
                {place > 0 && ', '}
                <UiLink href={billsHref(clientId, one)}>{one.account_number}</UiLink>
              </span>
            ))}
        </p>
      ))}
      {named.length < count && <p className={styles.quiet}>The first {named.length} are named.</p>}
    </details>
  )
}

function labelOf(why: string): string {
  return unscoredReasons.find(({ value }) => value === why)?.label ?? why
}

function keyOf({ billable_account_id, supply_account_id }: ScoredAccountName): string {
  return `${billable_account_id ?? ''} ${supply_account_id ?? ''}`
}

function billsHref(clientId: number, { billable_account_id, supply_account_id }: ScoredAccountName): string {
  return billable_account_id === null
    ? `/clients/${clientId}/supply_accounts/${supply_account_id ?? 0}/bills`
    : `/clients/${clientId}/billable_accounts/${billable_account_id}/bills`
}
