import { useState } from 'react'
import { formatDate } from '#contract/kernel/date.ts'
import { formatClock, formatInstant, NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { cx } from '../ui/class-names.ts'

export interface NewYorkTimeProps {
  at: string
  /** `day`: only the day. `time`: only the time, where the day is shown nearby. `near`: the time for today and the day for earlier. Day and time by default. */
  show?: 'day' | 'time' | 'near' | undefined
  className?: string | undefined
}

/** An instant in New York time, by which days are counted. Every instant of the console is rendered with it. */
export function NewYorkTime({ at, show, className }: NewYorkTimeProps) {
  const [today] = useState(() => dayOf(new Date().toISOString()))
  const isClock = show === 'time' || (show === 'near' && dayOf(at) === today)
  const isDay = show === 'day' || show === 'near'
  const shown = isClock ? formatClock(at) : isDay ? formatDate(dayOf(at)) : formatInstant(at)
  return (
    <time dateTime={at} title={`${formatInstant(at)}, New York time`} className={cx('num', className)}>
      {shown}
    </time>
  )
}

function dayOf(at: string): string {
  return todayIn(NEW_YORK, at)
}
