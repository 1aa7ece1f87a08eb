import { lazy, Suspense } from 'react'
import { ListChecks } from 'lucide-react'
import { cx } from '../ui/class-names.ts'
import { Popover } from '../ui/popover.tsx'
import { Skeleton } from '../ui/states.tsx'
import styles from './shell.module.css'
import { useJobs } from './use-jobs.ts'

const JobsPanel = lazy(() => import('./jobs-panel.tsx').then((module) => ({ default: module.JobsPanel })))

/** The jobs tray: the user's exports, imports and other tasks with their progress and results. */
export function Jobs() {
  const jobs = useJobs()
  return (
    <Popover
      align="end"
      label={jobs.running > 0 ? `Jobs, ${jobs.running} running` : 'Jobs'}
      trigger={
        <span className={styles.bell}>
          <ListChecks size={18} aria-hidden="true" />
          {jobs.running > 0 && <span className={cx(styles.badge, 'num')}>{jobs.running}</span>}
        </span>
      }
    >
      <Suspense fallback={<Skeleton width={220} />}>
        <JobsPanel jobs={jobs} />
      </Suspense>
    </Popover>
  )
}
