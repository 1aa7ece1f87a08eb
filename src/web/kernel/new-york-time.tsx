import { useState } from 'react'
import { formatDate } from '#contract/kernel/date.ts'
import { formatClock, formatInstant, NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { cx } from '../ui/class-names.ts'

export interface NewYorkTimeProps {
  at: string
  /** `time` where the day is said beside it; `near` is the time of today and the day before that; both unless told. */
  show?: 'time' | 'near' | undefined
  className?: string | undefined
}

/** A point in time as the clocks of New York showed it, by which days are counted. Every instant of the console is drawn by it. */
export function NewYorkTime({ at, show, className }: NewYorkTimeProps) {
  const [today] = useState(() => dayOf(new Date().toISOString()))
  const isClock = show === 'time' || (show === 'near' && dayOf(at) === today)
  const shown = isClock ? formatClock(at) : show === 'near' ? formatDate(dayOf(at)) : formatInstant(at)
  return (
    <time dateTime={at} title={`${formatInstant(at)}, New York time`} className={cx('num', className)}>
      {shown}
    </time>
  )
}

function dayOf(at: string): string {
  return todayIn(NEW_YORK, at)
}
