import type { TaskProgress } from '#contract/notifications/notification.ts'
import styles from '../kernel.module.css'

/** Progress of a task: a bar if the total is known, and the figures as text. */
export function TaskProgressLine({
  task,
  label,
  noun,
}: {
  task: Pick<TaskProgress, 'rows_done' | 'rows_total'>
  label: string
  noun: string
}) {
  const { rows_done: done, rows_total: total } = task
  const words = total === null ? `${done.toLocaleString('en-US')} ${noun}` : `${figure(done)} of ${figure(total)} ${noun}`
  return (
    <div className={styles.progress}>
      <progress className={styles.bar} aria-label={label} {...(total === null ? {} : { value: done, max: Math.max(total, 1) })} />
      <span className="num">
        {label}: {words}
      </span>
    </div>
  )
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}
