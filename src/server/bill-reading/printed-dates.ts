/** Dates and periods as bills print them. */
import { isCalendarDate } from '#contract/kernel/date.ts'
import { parseDate } from '#contract/kernel/typed-date.ts'
import type { Token } from './page-lines.ts'

/** A value and the words that form it. */
export interface Printed {
  readonly value: string
  /** End of a period. */
  readonly until?: string
  /** Number of words before it that have no meaning for it. */
  readonly skipped: number
  readonly tokens: readonly Token[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Bills print no dates after this year. */
const LATEST_YEAR = 2100

export function dateAt(tokens: readonly Token[]): Printed | null {
  for (const count of [1, 3, 2, 4]) {
    const part = tokens.slice(0, count)
    if (part.length < count || !isTight(part)) continue
    const value = dateOf(part.map((token) => token.text).join(' '))
    if (value !== null) return { value, tokens: part, skipped: 0 }
  }
  const day = tokens[0]?.day
  const part = tokens.slice(0, day?.words)
  return day === undefined || day.until !== undefined || !isTight(part) ? null : { value: day.value, tokens: part, skipped: 0 }
}

/**
 * '02/15/2024', '2/15/24', '2024-02-15', 'Feb 15, 2024', '15-Feb-24', '15 February 2024', '15th of February 2024'; a date without a year is
 * not accepted.
 */
export function dateOf(printed: string): string | null {
  const text = printed
    .replace(/[,;:)|]+$/, '')
    .replace(/^[(|]/, '')
    .replace(/\s*([/-])\s*/g, '$1')
    .trim()
  if (isCalendarDate(text)) return text
  if (/^\d{1,2}([/.-])\d{1,2}\1(\d{4}|\d{2})$/.test(text)) return reasonable(parseDate(text, '2000-01-01'))
  const named = /^([A-Za-z]{3,9})\.? ?(\d{1,2})(?:st|nd|rd|th)?(?:, ?| )(\d{4}|\d{2})$/.exec(text)
  if (named) return namedDate(named[2], named[1], named[3])
  const dayFirst = /^(\d{1,2})[- ]?([A-Za-z]{3,9})\.?,?[- ]?(\d{4}|\d{2})$/.exec(text)
  const ofMonth = /^(\d{1,2})(?:st|nd|rd|th)? (?:day )?of ([A-Za-z]{3,9}),? (\d{4})$/.exec(text)
  const ordered = dayFirst ?? ofMonth
  return ordered ? namedDate(ordered[1], ordered[2], ordered[3]) : null
}

function namedDate(day = '', month = '', year = ''): string | null {
  const place = months.indexOf(month.slice(0, 3).toLowerCase())
  return place < 0 ? null : reasonable(parseDate(`${place + 1}/${Number(day)}/${year}`, '2000-01-01'))
}

function reasonable(date: string | null): string | null {
  return date !== null && date >= '1990-01-01' && Number(date.slice(0, 4)) < LATEST_YEAR ? date : null
}

/** '01/15/24 - 02/14/24', 'Jan 15, 2024 to Feb 14, 2024', 'From 1/15/24 to 2/14/24'. */
export function periodAt(tokens: readonly Token[]): Printed | null {
  const first = dateAt(tokens)
  if (first === null) return gluedPeriod(tokens[0])
  const rest = tokens.slice(first.tokens.length)
  const joins = rest.findIndex((token) => !/^(-|–|to|thru|through|and)$/i.test(token.text))
  const second = joins < 0 || joins > 2 ? null : dateAt(rest.slice(joins))
  if (second === null || second.value <= first.value) return null
  const used = tokens.slice(0, first.tokens.length + joins + second.tokens.length)
  return { value: first.value, until: second.value, tokens: used, skipped: 0 }
}

function gluedPeriod(token: Token | undefined): Printed | null {
  if (token?.day?.until !== undefined) return { value: token.day.value, until: token.day.until, tokens: [token], skipped: 0 }
  const match = /^(\d{1,2}\/\d{1,2}\/\d{2,4})[-–](\d{1,2}\/\d{1,2}\/\d{2,4})$/.exec(token?.text ?? '')
  const [from, until] = [dateOf(match?.[1] ?? ''), dateOf(match?.[2] ?? '')]
  return token === undefined || from === null || until === null || until <= from
    ? null
    : { value: from, until, tokens: [token], skipped: 0 }
}

/** Words of one value are close together. */
export function isTight(tokens: readonly Token[]): boolean {
  return tokens.every((token, place) => {
    const before = tokens[place - 1]
    return before === undefined || token.x - (before.x + before.width) < Math.max(token.height, before.height) * 1.2
  })
}
