const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Returns how long ago something was by this machine's clock, at the time of rendering. */
export function ageNow(at: string): string {
  return ageWords(at, Date.now())
}

/** Returns how long ago something was, in the largest unit that fits: 'under a minute', '5 minutes', '3 hours', '12 days'. */
export function ageWords(at: string, now: number): string {
  const past = Math.max(0, now - Date.parse(at))
  if (past < MINUTE_MS) return 'under a minute'
  if (past < HOUR_MS) return counted(Math.floor(past / MINUTE_MS), 'minute')
  if (past < DAY_MS) return counted(Math.floor(past / HOUR_MS), 'hour')
  return counted(Math.floor(past / DAY_MS), 'day')
}

function counted(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`
}
