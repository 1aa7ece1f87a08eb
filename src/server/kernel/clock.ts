/** Time zone of business days: "today", daily counters and file names. */
export const BUSINESS_ZONE = 'America/New_York'

type Source = () => Date

const systemClock: Source = () => new Date()
let source: Source = systemClock

const businessDay = new Intl.DateTimeFormat('en-US', { timeZone: BUSINESS_ZONE, year: 'numeric', month: '2-digit', day: '2-digit' })

/** Returns the present instant. All server code reads the time here, so that a test can set it. */
export function now(): Date {
  return new Date(source())
}

/** Returns the present calendar day in New York as `YYYY-MM-DD`. */
export function today(): string {
  return dayOf(now())
}

/** Returns the New York calendar day of an instant as `YYYY-MM-DD`, with the zone's own rules for daylight saving time. */
export function dayOf(instant: Date): string {
  const part = new Map(businessDay.formatToParts(instant).map(({ type, value }) => [type, value]))
  return `${part.get('year')?.padStart(4, '0')}-${part.get('month')}-${part.get('day')}`
}

/**
 * Sets the clock for a test: either a fixed instant (ISO text or Date) or a function that is called each time. Without an argument the
 * system clock is restored.
 */
export function setClock(to?: string | Date | Source): void {
  if (to === undefined) source = systemClock
  else source = typeof to === 'function' ? to : () => new Date(to)
}

/** Runs the work as of an instant, for demo data of an earlier day. The clock before it is restored. */
export async function asOf<Result>(instant: string, work: () => Promise<Result>): Promise<Result> {
  const before = source
  source = () => new Date(instant)
  try {
    return await work()
  } finally {
    source = before
  }
}
