import { formatDate } from '#contract/kernel/date.ts'
import { formatTime, NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import { cx } from '../ui/class-names.ts'

/** A point in time as the clocks of New York showed it, by which days are counted; the exact instant is its tip. */
export function NewYorkTime({ at, className }: { at: string; className?: string | undefined }) {
  const { date, time } = wallTimeIn(NEW_YORK, at)
  return (
    <time dateTime={at} title={`${at} · shown in New York time`} className={cx('num', className)}>
      {formatDate(date)} {formatTime(time)}
    </time>
  )
}
