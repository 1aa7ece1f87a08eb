/**
 * Reads the rows of a bank's CSV file by the mapping of its account. A file with a balance in each row is checked row by row; one without is
 * checked against the closing balance that a person types from the paper. Either way it must add up from the opening balance.
 */
import { plainCheckNumber } from '../issued-checks/issued-check.ts'
import { type CalendarDate } from '../kernel/date.ts'
import { parseDate } from '../kernel/typed-date.ts'
import { centsOf, formatMoney, parseMoney, sumCents, wireOf, type Cents } from '../kernel/money.ts'
import { csvColumns, type CsvColumn, type CsvMapping } from './csv-mapping.ts'
import { amountDigitsMax, faultsMax, plainText, statementLinesMax, sumFault, type ReadAnswer, type ReadLine } from './read-statement.ts'

/** A row of the file: its cells, and the line of the file in which it ends. */
export interface CsvRow {
  readonly cells: readonly string[]
  readonly line: number
}

interface CsvInput {
  readonly mapping: CsvMapping
  /** The closing balance of the earlier statement, or the balance that a person typed; null if there is neither. The file cannot prove its first row. */
  readonly opening: Cents | null
  /** The closing balance that a person typed; null if they typed none. */
  readonly closing: Cents | null
  /** A row of a later day is refused. */
  readonly today: CalendarDate
}

/** Banks write the name of the account into rows above the headings. At most so many rows are looked through. */
const rowsAboveMax = 20
const codeMax = 40

/** @returns the place of the row that holds these headings; −1 if none does. */
export function headingRow(rows: readonly CsvRow[], headings: readonly string[]): number {
  return rows.slice(0, rowsAboveMax).findIndex(({ cells }) => headings.every((one) => cells.some((cell) => cell.trim() === one)))
}

/** @returns the one statement of the file, or sentences that name the line, the column and what is wrong with it. */
export function readCsvStatement(rows: readonly CsvRow[], input: CsvInput): ReadAnswer {
  const { mapping } = input
  const named = csvColumns.flatMap(({ value }) => mapping[value] || [])
  const place = headingRow(rows, named)
  if (place < 0) return { faults: [`No row of the file holds the headings ${new Intl.ListFormat('en-US').format(named)}.`] }
  const cells = placesOf(rows[place]?.cells ?? [], mapping)
  if ('faults' in cells) return { faults: cells.faults }
  const body = rows.slice(place + 1).filter((row) => row.cells.some((cell) => cell.trim() !== ''))
  if (body.length === 0) return { faults: ['The file has no rows below its headings.'] }
  if (body.length > statementLinesMax) return { faults: [`The file has more than ${statementLinesMax.toLocaleString('en-US')} rows.`] }
  const read = body.map((row) => rowOf(row, cells, input.today))
  const faults = read.flatMap((one) => (typeof one === 'string' ? [one] : []))
  if (faults.length > 0) return { faults: faults.slice(0, faultsMax) }
  return statementOf(
    read.flatMap((one) => (typeof one === 'string' ? [] : [one])),
    input,
  )
}

interface Places {
  readonly width: number
  readonly at: ReadonlyMap<CsvColumn, number>
}

function placesOf(headings: readonly string[], mapping: CsvMapping): Places | { readonly faults: string[] } {
  const at = new Map<CsvColumn, number>()
  const faults: string[] = []
  for (const { value, label } of csvColumns) {
    const heading = mapping[value]
    if (!heading) continue
    const found = headings.flatMap((cell, place) => (cell.trim() === heading ? [place] : []))
    if (found.length > 1) faults.push(`${label}: two columns are headed ${heading}.`)
    else if (found[0] !== undefined) at.set(value, found[0])
  }
  return faults.length > 0 ? { faults } : { width: headings.length, at }
}

type Row = ReadLine & { readonly balance: Cents | null }

/** Returns the row, or the reason why it cannot be read. */
function rowOf({ cells, line }: CsvRow, { width, at }: Places, today: CalendarDate): Row | string {
  const no = (label: string, cell: string, is: string): string => `Line ${line}, ${label}: “${cell.slice(0, 40)}” ${is}`
  if (cells.length !== width) return `Line ${line}: it has ${cells.length} columns, and the headings are ${width}.`
  const cell = (name: CsvColumn): string => (cells[at.get(name) ?? -1] ?? '').trim()
  const day = dayOf(cell('day'), today)
  if (day === null) return no('Date', cell('day'), 'is no date with its year.')
  if (day > today) return no('Date', cell('day'), 'lies after today.')
  const amount = amountOf(cell, at)
  if (typeof amount === 'string')
    return no(amount, cell(amount === 'Amount' ? 'amount' : amount === 'Money Out' ? 'debit' : 'credit'), 'is no amount.')
  const balance = cell('balance') === '' ? null : centsIn(cell('balance'))
  if (at.has('balance') && balance === null) return no('Balance', cell('balance'), 'is no amount.')
  const number = cell('check_number')
  const check_number = /^0*$/.test(number) ? null : plainCheckNumber(number)
  if (check_number === null && !/^0*$/.test(number)) return no('Check Number', number, 'is no check number.')
  return {
    line,
    day,
    amount,
    code: plainText(cell('code')).slice(0, codeMax),
    description: plainText(cell('description')),
    check_number,
    reference: plainText(cell('reference')),
    balance,
  }
}

/** A day without its year could be one of two. */
function dayOf(cell: string, today: CalendarDate): CalendarDate | null {
  return /^\d{4}$|^\d{1,2}[/.-]\d{1,2}$/.test(cell) ? null : parseDate(cell, today)
}

type AmountColumn = 'Amount' | 'Money Out' | 'Money In'

/** Returns the amount, or the label of the column that holds none. Banks write money out with a sign or without. */
function amountOf(cell: (name: CsvColumn) => string, at: Places['at']): Cents | AmountColumn {
  if (at.has('amount')) return centsIn(cell('amount')) ?? 'Amount'
  const [out, into] = [cell('debit'), cell('credit')].map((text) => (text === '' ? 0 : centsIn(text)))
  if (out === null || out === undefined) return 'Money Out'
  if (into === null || into === undefined || (out !== 0 && into !== 0)) return 'Money In'
  if (cell('debit') === '' && cell('credit') === '') return 'Money In'
  return out === 0 ? Math.abs(into) : -Math.abs(out)
}

function centsIn(text: string): Cents | null {
  const wire = parseMoney(text)
  if (wire === null || wire.replaceAll(/\D|^0+/g, '').length > amountDigitsMax) return null
  return centsOf(wire)
}

function statementOf(rows: readonly Row[], { opening, closing: typedClosing }: CsvInput): ReadAnswer {
  if (opening === null) return { faults: ['Type the opening balance: no earlier statement of this account says it.'] }
  const hasBalances = rows.every(({ balance }) => balance !== null)
  const fault = hasBalances ? balanceFault(rows, opening) : null
  if (fault !== null) return { faults: [fault] }
  const closing = typedClosing ?? (hasBalances ? opening + sumCents(rows.map(({ amount }) => amount)) : null)
  if (closing === null) return { faults: ['Type the closing balance: the file has no column of balances.'] }
  const days = rows.map(({ day }) => day).toSorted()
  const lines = rows.map(lineOf)
  const off = sumFault({ opening, closing, lines })
  if (off !== null) return { faults: [`The file does not add up. ${off}`] }
  return { statements: [{ account: null, from_day: days[0] ?? '', to_day: days.at(-1) ?? '', opening, closing, lines }], faults: [] }
}

const lineOf = ({ line, day, amount, code, description, check_number, reference }: Row): ReadLine => ({
  line,
  day,
  amount,
  code,
  description,
  check_number,
  reference,
})

/** Names the first row whose balance does not follow from the one before it. Banks write the newest row first or last. */
function balanceFault(rows: readonly Row[], opening: Cents): string | null {
  const wrongIn = (ordered: readonly Row[]): Row | undefined =>
    ordered.find(({ amount, balance }, at) => (at === 0 ? opening : (ordered[at - 1]?.balance ?? 0)) + amount !== balance)
  const [oldest, newest] = [rows[0]?.day ?? '', rows.at(-1)?.day ?? '']
  const orders = oldest > newest ? [rows.toReversed()] : oldest < newest ? [rows] : [rows, rows.toReversed()]
  const wrong = orders.map(wrongIn)
  const [first] = wrong
  if (!first || wrong.includes(undefined)) return null
  return `Line ${first.line}, Balance: ${formatMoney(wireOf(first.balance ?? 0))} does not follow from ${formatMoney(wireOf(opening))} and the rows before it.`
}
