import { useState } from 'react'
import { formatTime } from '#contract/kernel/zone.ts'
import { cx } from '../ui/class-names.ts'

/** The time of today, the day before that, both as the reader's clock has them. */
export function NearTime({ at, timeOnly, className }: { at: string; timeOnly?: boolean | undefined; className?: string | undefined }) {
  const when = new Date(at)
  const [now] = useState(() => new Date())
  const shown = timeOnly || when.toDateString() === now.toDateString() ? clockOf(when) : dayOf(when)
  return (
    <time dateTime={at} title={when.toLocaleString('en-US', { timeZoneName: 'short' })} className={cx('num', className)}>
      {shown}
    </time>
  )
}

/** 'Today', 'Yesterday', else MM/DD/YYYY. */
export function dayWords(at: string, now: Date): string {
  const when = new Date(at)
  if (when.toDateString() === now.toDateString()) return 'Today'
  const before = new Date(now)
  before.setDate(now.getDate() - 1)
  return when.toDateString() === before.toDateString() ? 'Yesterday' : dayOf(when)
}

function clockOf(when: Date): string {
  return formatTime(`${String(when.getHours()).padStart(2, '0')}:${String(when.getMinutes()).padStart(2, '0')}:00`)
}

function dayOf(when: Date): string {
  return when.toLocaleDateString('en-US', { month: '2-digit', day: '2-digit', year: 'numeric' })
}
