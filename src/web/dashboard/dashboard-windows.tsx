import { lazy, Suspense } from 'react'
import type { DashboardAnswer } from '#contract/dashboard/dashboard.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { comparisonState, formatCoverage } from '#contract/dashboard/metrics.ts'
import { Badge } from '../ui/status.tsx'
import { basisWords } from './basis-words.ts'
import styles from './dashboard.module.css'
import { ABOUT } from './metric-text.ts'

const MonthsHelp = lazy(() => import('./months-help.tsx').then((module) => ({ default: module.MonthsHelp })))

/** The days of both windows, the bills' coverage of each, and how reliable the change between them is. */
export function DashboardWindows({ answer, compared }: { answer: DashboardAnswer; compared: boolean }) {
  const { windows, coverage, comparison } = answer
  return (
    <div className={styles.windows} role="group" aria-label="Periods and coverage">
      <p className="num">
        <WindowText window={windows.current} covered={coverage.current} />
        {compared && (
          <span className={styles.quiet}>
            {' compared with '}
            <WindowText window={windows.previous} covered={coverage.previous} />
          </span>
        )}
      </p>
      <p className={styles.basis}>
        {basisWords[answer.basis].month}
        <Suspense>
          <MonthsHelp basis={answer.basis} />
        </Suspense>
      </p>
      {compared && (
        <p className={styles.note}>
          {comparison.state === 'complete' && basisWords[answer.basis].compared}
          {comparison.state === 'partial' && `${comparison.reason ?? ''}: they are marked ${ABOUT}.`}
          {comparison.state === 'withheld' && `No change is shown. ${comparison.reason ?? ''}.`}
        </p>
      )}
    </div>
  )
}

function WindowText({ window, covered }: { window: DashboardAnswer['windows']['current']; covered: string | null }) {
  const text = `${formatCoverage(covered)} billed`
  return (
    <span className={styles.together}>
      {`${formatDate(window.from)} – ${formatDate(window.to)} `}
      {covered !== null &&
        (comparisonState([covered]) === 'complete' ? <span className={styles.quiet}>{text}</span> : <Badge tone="warn">{text}</Badge>)}
    </span>
  )
}
