/**
 * Converts instants to the calendar of a zone. The product uses New York days: "today", daily counters and file names. UTC is four hours ahead
 * of New York in summer and five in winter, and the runtime's zone rules decide, so nothing here counts hours.
 */
import { addDays, formatDate, type CalendarDate } from './date.ts'

/** ISO text with zone, milliseconds since 1970, or a Date. */
export type Instant = string | number | Date

export interface WallTime {
  date: CalendarDate
  /** HH:MM:SS, 24 hours. */
  time: string
}

export const NEW_YORK = 'America/New_York'
/** The zone's name for people, in summer and in winter. */
const NEW_YORK_NAME = 'ET'

const MILLISECONDS_A_MINUTE = 60_000
const MILLISECONDS_A_DAY = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the local time in a zone at an instant. Throws a RangeError for an unknown zone or an invalid instant. */
export function wallTimeIn(zone: string, instant: Instant): WallTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(new Date(instant))
      .map((part) => [part.type, part.value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
  }
}

/** Returns the calendar day in a zone at an instant. */
export function todayIn(zone: string, instant: Instant): CalendarDate {
  return wallTimeIn(zone, instant).date
}

/** Returns the instant at which a calendar day begins in a zone, as ISO text in UTC: the lower bound of "created on that day". */
export function startOfDayIn(zone: string, date: CalendarDate): string {
  const midnightInUtc = Date.parse(`${date}T00:00:00Z`)
  // The guess may use the offset from before a clock change that night; the second round corrects it.
  const guess = midnightInUtc - offsetAt(zone, midnightInUtc)
  return new Date(midnightInUtc - offsetAt(zone, guess)).toISOString()
}

/** Returns the instant at which the next day begins: the exclusive upper bound. */
export function endOfDayIn(zone: string, date: CalendarDate): string {
  return startOfDayIn(zone, addDays(date, 1))
}

/**
 * Returns the first instant at which the clocks of a zone show this full hour on this day, as ISO text in UTC. Where the clocks skip the
 * hour, it is the first full hour after it that they show; where they show it twice, it is the first of the two.
 */
export function instantOfHour(zone: string, date: CalendarDate, hour: number): string {
  const shown = `${String(hour).padStart(2, '0')}:00:00`
  const inUtc = Date.parse(`${date}T${shown}Z`)
  const offsets = [inUtc - MILLISECONDS_A_DAY, inUtc + MILLISECONDS_A_DAY].map((near) => offsetAt(zone, near))
  const found = offsets
    .map((offset) => inUtc - offset)
    .filter((at) => {
      const wall = wallTimeIn(zone, at)
      return wall.date === date && wall.time === shown
    })
  if (found.length > 0) return new Date(Math.min(...found)).toISOString()
  return hour === 23 ? instantOfHour(zone, addDays(date, 1), 0) : instantOfHour(zone, date, hour + 1)
}

/** Returns the IANA name of a zone in its usual spelling, or null for text that names none. */
export function zoneNamed(text: string): string | null {
  if (!/^[a-z]+([/_+-][a-z0-9_+-]+)*$/i.test(text)) return null
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Formats as 12-hour clock: '3:05 PM'. */
export function formatTime(time: string): string {
  const [hours = '', minutes = ''] = time.split(':')
  const hour = Number(hours)
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`
}

/** Formats an instant: '11/22/2026 5:37 AM ET'. The product uses this format in screens, mails and histories. */
export function formatInstant(instant: Instant): string {
  const { date, time } = wallTimeIn(NEW_YORK, instant)
  return `${formatDate(date)} ${formatTime(time)} ${NEW_YORK_NAME}`
}

/** Formats the time only, next to a day: '5:37 AM ET'. */
export function formatClock(instant: Instant): string {
  return `${formatTime(wallTimeIn(NEW_YORK, instant).time)} ${NEW_YORK_NAME}`
}

/** Returns the milliseconds by which local time is ahead of UTC; negative west of Greenwich. */
function offsetAt(zone: string, milliseconds: number): number {
  const wall = wallTimeIn(zone, milliseconds)
  const wholeMinute = Math.floor(milliseconds / MILLISECONDS_A_MINUTE) * MILLISECONDS_A_MINUTE
  return Date.parse(`${wall.date}T${wall.time.slice(0, 5)}:00Z`) - wholeMinute
}

/** Creating a format costs far more than using it. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, format)
  return format
}
