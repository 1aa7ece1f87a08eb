import { useQuery } from '@tanstack/react-query'
import {
  exceptionKinds,
  halfChanceDays,
  lateFeeHistoryDays,
  lateFeePercentDefault,
  lateFeePercentMax,
  lateFeePeriodDays,
  shutOffDays,
  shutOffWeightMax,
} from '#contract/exceptions/exception.ts'
import type { ExceptionCalls } from '#contract/exceptions/exception-calls.ts'
import { callWith } from '../kernel/api.ts'
import { useSearchText } from '../kernel/navigation.tsx'
import { keyOf } from '../kernel/query.ts'
import { UiLink } from '../ui/link.tsx'
import { figureText } from '../ui/status.tsx'
import styles from './exceptions.module.css'

type ExceptionSummaryProps<Params> = { calls: Pick<ExceptionCalls<Params>, 'summary'>; params: Params; at: string }

/** The number and cost of exceptions by kind, each linking to its rows, and an explanation of the cost. */
export function ExceptionSummaryStrip<Params>({ calls, params, at }: ExceptionSummaryProps<Params>) {
  const search = useSearchText()
  const isErrors = search['open_errors_gteq'] !== undefined
  const chosen = search['kind']
  const { data } = useQuery({
    queryKey: keyOf(calls.summary, { params }),
    queryFn: ({ signal }) => callWith(calls.summary, { params, signal }),
  })
  const all = { label: 'All', href: at, count: data?.count, cost: data?.cost, current: chosen === undefined && !isErrors }
  const kinds = exceptionKinds.map(({ value, label }) => {
    const found = data?.kinds.find(({ kind }) => kind === value)
    return { label, href: `${at}?kind=${value}`, count: found?.count, cost: found?.cost, current: chosen === value }
  })
  return (
    <div className={styles.summary}>
      <nav aria-label="Kinds of exceptions" className={styles.kinds}>
        {[all, ...kinds].map(({ label, href, count, cost, current }) => (
          <UiLink key={label} href={href} className={styles.kind} aria-current={current ? 'page' : undefined}>
            <span className={styles.kindLabel}>{label}</span>
            <span className={styles.kindCount}>{count === undefined ? '…' : count.toLocaleString('en-US')}</span>
            <span className={styles.kindCost}>{cost === undefined ? ' ' : `${figureText(cost, 2, true)} at stake`}</span>
          </UiLink>
        ))}
      </nav>
      <p className={styles.formula}>
        Each row is counted once, under its own kind, so that the kinds add up to All.
        {data !== undefined && data.flagged_elsewhere > 0 && (
          <>
            {' '}
            {errorsElsewhere(data.flagged_elsewhere)} <UiLink href={`${at}?open_errors_gteq=1`}>Show all with errors</UiLink>
          </>
        )}
      </p>
      <details className={styles.formula}>
        <summary>How late cost is calculated</summary>
        <p>
          Amount × late fee × number of fees. The fee falls due when the due date passes, and again for each further {lateFeePeriodDays}{' '}
          days. Its percentage is what the account was charged in the last {lateFeeHistoryDays / 365} years, late fees over what they were
          charged on; else what its vendor charged at this client; else {lateFeePercentDefault}%. More than {lateFeePercentMax}% is never
          reckoned. A bill that has not come counts with the average of the last three and the vendor’s payment terms. Nothing here is
          booked: it only decides what comes first.
        </p>
        <p>
          First comes what costs from today: past due, by its fees, which weigh up to {shutOffWeightMax} times as much the longer it is
          late, twice at {shutOffDays} days, since a utility cuts off in the end. Then what is still to fall due, by its fee and how likely
          that is: half as likely {halfChanceDays} days ahead as on the day itself. Then errors, by due date; last, accounts of which no
          bill has come. A balance brought forward is counted with the bill that first asked for it, as long as that one is unpaid.
        </p>
      </details>
    </div>
  )
}

function errorsElsewhere(count: number): string {
  return `${count.toLocaleString('en-US')} of those past or soon due ${count === 1 ? 'has' : 'have'} open errors too.`
}
