/** The records of a BAI2 file: physical lines, continued by records 88, split into fields. */

import { isCalendarDate, type CalendarDate } from '../kernel/date.ts'

export interface Bai2Record {
  /** The first line of the record in the file, from 1. */
  readonly line: number
  readonly code: string
  /** The fields after the code. */
  readonly fields: readonly string[]
  /** The number of its physical records: one, and one more for each continuation. */
  readonly count: number
}

/** The fields before the text of a transaction may be continued, and so may its text. */
interface Open {
  readonly line: number
  readonly code: string
  body: string
  /** The last physical record ended with a slash, so a continuation begins a new field. */
  ended: boolean
  count: number
}

const codes: ReadonlySet<string> = new Set(['01', '02', '03', '16', '49', '98', '99'])

/** @returns the records in the order of the file, or sentences that name the line. */
export function bai2Records(text: string): { readonly records: readonly Bai2Record[]; readonly faults: readonly string[] } {
  const open: Open[] = []
  const faults: string[] = []
  for (const [at, physical] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const one = physical.trim()
    if (one === '') continue
    const fault = add(open, one, at + 1)
    if (fault !== null) faults.push(`Line ${at + 1}: ${fault}`)
  }
  return { records: open.map(({ line, code, body, count }) => ({ line, code, fields: body.split(','), count })), faults }
}

function add(open: Open[], physical: string, line: number): string | null {
  const code = physical.slice(0, 2)
  if (/[^\x20-\x7e]/.test(physical)) return 'a record has plain characters only.'
  if (physical[2] !== ',') return 'a record begins with two digits and a comma.'
  const ended = physical.endsWith('/')
  const body = ended ? physical.slice(3, -1) : physical.slice(3)
  if (code !== '88') {
    if (!codes.has(code)) return `no record of BAI2 begins with ${code}.`
    open.push({ line, code, body, ended, count: 1 })
    return null
  }
  const last = open.at(-1)
  if (!last) return 'it continues no record.'
  last.body += `${last.ended ? ',' : ' '}${body}`
  last.ended = ended
  last.count += 1
  return null
}

export const isDollar = (currency: string): boolean => currency.trim() === '' || currency.trim() === 'USD'

/** Returns how many fields follow a funds type; null for a type that is none. */
export function fundsFields(funds: string, next: string | undefined): number | null {
  if (funds === 'S') return 3
  if (funds === 'V') return 2
  if (funds === 'D') return /^\d{1,2}$/.test(next ?? '') ? 1 + 2 * Number(next) : null
  return ['', '0', '1', '2', 'Z'].includes(funds) ? 0 : null
}

/** Returns the day that the text writes as YYMMDD; null if there is no such day. */
export function shortDay(text: string): CalendarDate | null {
  const day = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`
  return text.length === 6 && isCalendarDate(day) ? day : null
}
