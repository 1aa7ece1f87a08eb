/**
 * Reads the file in which a bank returns payments (addenda 99) and asks for changes of bank details (addenda 98). The file counts itself: where
 * its counts or sums do not agree with its records, it was cut or changed on its way, and nothing of it is believed.
 */
import { isCalendarDate } from '../kernel/date.ts'

export interface ReadReturn {
  /** The number of the addenda record in the file, from 1. */
  readonly line: number
  readonly kind: 'return' | 'notice'
  /** R01 or C01. */
  readonly code: string
  /** Trace number of the payment as it was sent: 15 digits. */
  readonly original_trace: string
  /** Trace number of the bank's own entry. */
  readonly trace: string
  /** In cents; 0 in a notice. */
  readonly amount: number
  readonly receiver: string
  /** The bank's text about a return. */
  readonly remark: string
  /** The corrected details of a notice; '' in a return. */
  readonly corrected: string
}

export interface ReadReturns {
  /** Day on which the bank has made the file. */
  readonly day: string
  readonly bank: string
  readonly returns: readonly ReadReturn[]
}

/** Longest text that is read, in characters: about 10,000 records. */
export const returnFileMax = 1_000_000
const width = 94
const faultsMax = 20

/** @returns the entries, or sentences that name the line and what is wrong with it. */
export function readReturns(
  text: string,
): { readonly read: ReadReturns; readonly faults: readonly [] } | { readonly faults: readonly string[] } {
  const lines = linesOf(text)
  const [header] = lines
  if (!header?.text.startsWith('1')) return { faults: ['This is no NACHA file: its first line must begin with 1.'] }
  const read = readRecords(lines)
  const faults = [...read.faults, ...controlFaults(read)]
  const day = dayOf(header.text.slice(23, 29))
  if (day === null) faults.unshift(`Line ${header.line}: the day of the file is no date.`)
  if (faults.length > 0 || day === null) return { faults: faults.slice(0, faultsMax) }
  return { read: { day, bank: header.text.slice(63, 86).trim(), returns: read.returns }, faults: [] }
}

interface Line {
  readonly line: number
  readonly text: string
}

/** Banks end records with LF, with CRLF or with nothing, and some cut the spaces at their end. */
function linesOf(text: string): Line[] {
  const parts = /[\r\n]/.test(text.trim())
    ? text.split(/\r\n|\n|\r/)
    : Array.from({ length: Math.ceil(text.trim().length / width) }, (_, at) => text.trim().slice(at * width, (at + 1) * width))
  return parts.flatMap((part, at) => (part.trim() === '' ? [] : [{ line: at + 1, text: part.padEnd(width) }]))
}

interface Records {
  readonly returns: ReadReturn[]
  readonly faults: string[]
  count: number
  cents: number
  control: Line | null
}

function readRecords(lines: readonly Line[]): Records {
  const read: Records = { returns: [], faults: [], count: 0, cents: 0, control: null }
  let entry: Line | null = null
  for (const one of lines) {
    const { line, text } = one
    if (text.length !== width || /[^\x20-\x7e]/.test(text)) read.faults.push(`Line ${line}: a record has ${width} plain characters.`)
    else if (read.control !== null && !/^9+$/.test(text)) read.faults.push(`Line ${line}: a record after the end of the file.`)
    else if (text.startsWith('6')) {
      if (entry !== null) read.faults.push(`Line ${entry.line}: the entry has no addenda that says why it came back.`)
      entry = one
      read.count += 1
      read.cents += centsIn(text.slice(29, 39), line, read.faults)
    } else if (text.startsWith('7')) {
      read.count += 1
      const found = returnOf(one, entry, read.faults)
      if (found) read.returns.push(found)
      if (/^79[89]/.test(text)) entry = null
    } else if (text.startsWith('9') && read.control === null) read.control = one
    else if (!/^[158]/.test(text) && read.control === null) read.faults.push(`Line ${line}: no record of this file begins with ${text[0]}.`)
  }
  if (entry !== null) read.faults.push(`Line ${entry.line}: the entry has no addenda that says why it came back.`)
  return read
}

/** Null for addenda that say something else, and where the record is faulty. */
function returnOf({ line, text }: Line, entry: Line | null, faults: string[]): ReadReturn | null {
  const type = text.slice(1, 3)
  if (type !== '98' && type !== '99') return null
  const code = text.slice(3, 6)
  const original_trace = text.slice(6, 21)
  const wrong =
    entry === null
      ? 'the addenda belongs to no entry'
      : !(type === '99' ? /^R\d\d$/ : /^C\d\d$/).test(code)
        ? `${code.trim() || 'nothing'} is no code`
        : /^\d{15}$/.test(original_trace)
          ? null
          : 'the trace number of the payment has 15 digits'
  if (wrong !== null || entry === null) {
    faults.push(`Line ${line}: ${wrong ?? ''}.`)
    return null
  }
  const isReturn = type === '99'
  return {
    line,
    kind: isReturn ? 'return' : 'notice',
    code,
    original_trace,
    trace: text.slice(79, 94).trim(),
    amount: Number(entry.text.slice(29, 39)),
    receiver: entry.text.slice(54, 76).trim(),
    remark: isReturn ? text.slice(35, 79).trim() : '',
    corrected: isReturn ? '' : text.slice(35, 64).trimEnd(),
  }
}

function centsIn(text: string, line: number, faults: string[]): number {
  if (/^\d{10}$/.test(text)) return Number(text)
  faults.push(`Line ${line}: the amount has 10 digits.`)
  return 0
}

function controlFaults({ control, count, cents, faults }: Records): string[] {
  if (faults.length > 0) return []
  if (control === null) return ['The file has no end: its record that begins with 9 is missing.']
  const { text } = control
  const [counted, debit, credit] = [text.slice(13, 21), text.slice(31, 43), text.slice(43, 55)].map(Number)
  if (counted !== count) return [`Line ${control.line}: the file counts ${counted} entries and addenda, and holds ${count}.`]
  if ((debit ?? 0) + (credit ?? 0) !== cents) return [`Line ${control.line}: the file’s totals are not the sum of its entries.`]
  return []
}

/** YYMMDD as a day. */
function dayOf(text: string): string | null {
  const day = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`
  return isCalendarDate(day) ? day : null
}
