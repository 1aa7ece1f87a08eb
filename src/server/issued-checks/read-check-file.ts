/** Reads a CSV file of check numbers, and lays its rows against the requested checks. A file with a wrong row is refused whole. */
import { checkNumberWords, checkRowsMax, plainCheckNumber, type PlannedCheck } from '#contract/issued-checks/issued-check.ts'
import type { CalendarDate } from '#contract/kernel/date.ts'
import { parseDate } from '#contract/kernel/typed-date.ts'
import { centsOf, parseMoney, type Cents } from '#contract/kernel/money.ts'
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import { judgeNumber, readEntries, readGround, type JudgedNumber } from './check-entries.ts'

/** Faults that a refusal names; all are counted. */
const NAMED_MAX = 20
const rowCharactersMax = 10_000

/** Headings of each column, without spaces and signs. */
const columns = {
  reference: { label: 'Reference', names: ['reference', 'trace', 'traceorreference', 'paymentnumber', 'vendorpayment'] },
  check_number: { label: 'Check Number', names: ['checknumber', 'checkno', 'check'] },
  check_date: { label: 'Date', names: ['date', 'checkdate', 'issuedate'] },
  amount: { label: 'Amount', names: ['amount', 'checkamount'] },
} as const
type ColumnName = keyof typeof columns

interface FileRow {
  readonly line: number
  readonly payment: number
  readonly check_number: string
  readonly check_date: CalendarDate
  readonly amount: Cents | null
}

/** A row that may be recorded. */
export type LaidCheck = JudgedNumber & { readonly line: number }

/** Throws 422 that names each wrong row. */
export async function layFile(context: Context, content: string, lock: boolean): Promise<LaidCheck[]> {
  const { rows, faults } = readRows(content)
  if (faults.length > 0) throw refusal(faults)
  const entries = await readEntries(context, { payments: rows.map(({ payment }) => payment) }, lock)
  const byPayment = new Map(entries.map((entry) => [entry.vendor_payment_id, entry]))
  const ground = await readGround(
    context,
    entries,
    rows.map(({ check_number }) => check_number),
  )
  const seen = new Map<string, string>()
  const paid = new Map<number, number>()
  const laid = rows.map((row): LaidCheck | string => {
    const entry = byPayment.get(row.payment)
    const before = paid.get(row.payment)
    paid.set(row.payment, row.line)
    if (before !== undefined) return `Line ${row.line}: VP-${row.payment} stands in line ${before} already.`
    if (!entry) return `Line ${row.line}: VP-${row.payment} is in no check request.`
    if (entry.check_number !== null && entry.check_number !== row.check_number)
      return `Line ${row.line}: VP-${row.payment} has check ${entry.check_number} already, not ${row.check_number}.`
    if (entry.is_reported && entry.check_date !== row.check_date)
      return `Line ${row.line}: the bank was told of check ${row.check_number} with another date.`
    const judged = judgeNumber(row, entry, ground, seen)
    return 'sentence' in judged ? `Line ${row.line}: ${judged.sentence}` : { ...judged, line: row.line }
  })
  const wrong = laid.filter((one) => typeof one === 'string')
  if (wrong.length > 0) throw refusal(wrong)
  return laid.filter((one) => typeof one !== 'string')
}

export const plannedOf = ({ line, entry, check_number, check_date }: LaidCheck): PlannedCheck => ({
  line,
  payment_name: `VP-${entry.vendor_payment_id}`,
  check_number,
  check_date,
  amount: entry.amount,
  payer_name: entry.payer_name,
  vendor_name: entry.vendor_name,
  known: entry.check_number === check_number && entry.check_date === check_date,
})

function refusal(faults: readonly string[]) {
  const more = faults.length - NAMED_MAX
  const named = faults.slice(0, NAMED_MAX)
  return invalid({ content: more > 0 ? [...named, `And ${more.toLocaleString('en-US')} more.`] : named })
}

function readRows(content: string): { rows: FileRow[]; faults: string[] } {
  const cells = cellsOf(content)
  const [heading, ...body] = cells
  if (!heading || body.length === 0) throw refusal(['The file has no rows below its heading.'])
  if (body.length > checkRowsMax) throw refusal([`The file has more than ${checkRowsMax.toLocaleString('en-US')} rows.`])
  const places = placesOf(heading.record)
  const faults: string[] = []
  const rows = body.flatMap(({ record, line }): FileRow[] => {
    const read = rowOf(record, line, places, heading.record.length)
    if (typeof read !== 'string') return [read]
    faults.push(`Line ${line}: ${read}`)
    return []
  })
  return { rows, faults }
}

interface Cells {
  readonly record: readonly string[]
  readonly line: number
}

function cellsOf(content: string): Cells[] {
  const [first = ''] = content.split(/\r\n|\n|\r/, 1)
  const delimiter = [',', ';', '\t'].find((sign) => first.includes(sign)) ?? ','
  const rows: Cells[] = []
  try {
    parse(content, {
      delimiter,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: rowCharactersMax,
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record: (record: string[], { lines }) => {
        rows.push({ record, line: lines })
        return null
      },
    })
    return rows
  } catch (error) {
    if (error instanceof CsvError) throw refusal([`This is no CSV file: ${error.message}.`])
    throw error
  }
}

type Places = ReadonlyMap<ColumnName, number>

function placesOf(heading: readonly string[]): Places {
  const plain = heading.map((cell) => cell.toLowerCase().replaceAll(/[^a-z]/g, ''))
  const places = new Map<ColumnName, number>()
  for (const name of ['reference', 'check_number', 'check_date', 'amount'] as const) {
    const { label, names } = columns[name]
    const found = plain.flatMap((cell, place) => (names.some((one) => one === cell) ? [place] : []))
    if (found.length > 1) throw refusal([`Line 1: two columns are the ${label}.`])
    const [place] = found
    if (place !== undefined) places.set(name, place)
    else if (name !== 'amount') throw refusal([`Line 1: no column is named ${label}. The file needs Reference, Check Number and Date.`])
  }
  return places
}

/** Returns the row, or the reason why it cannot be read. */
function rowOf(record: readonly string[], line: number, places: Places, width: number): FileRow | string {
  if (record.length !== width) return `It has ${record.length} columns, and the heading has ${width}.`
  const cell = (name: ColumnName) => (record[places.get(name) ?? -1] ?? '').trim()
  const payment = /^(?:VP-)?0*([1-9]\d{0,14})$/i.exec(cell('reference'))?.[1]
  if (payment === undefined) return `“${cell('reference').slice(0, 40)}” is no payment number, as VP-12.`
  const check_number = plainCheckNumber(cell('check_number'))
  if (check_number === null) return `“${cell('check_number').slice(0, 40)}” is no check number: it ${checkNumberWords}.`
  const check_date = parseDate(cell('check_date'), today())
  if (check_date === null) return `“${cell('check_date').slice(0, 40)}” is no date.`
  const amount = cell('amount') === '' ? null : parseMoney(cell('amount'))
  if (amount === null && cell('amount') !== '') return `“${cell('amount').slice(0, 40)}” is no amount.`
  return { line, payment: Number(payment), check_number, check_date, amount: amount === null ? null : centsOf(amount) }
}
