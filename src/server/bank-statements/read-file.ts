/** Reads a statement file of a bank account. A fault names its line; a file with faults is refused whole. */
import { readBai2 } from '#contract/bank-statements/bai2.ts'
import type { SentStatement } from '#contract/bank-statements/bank-statement.ts'
import { csvColumns, csvMapping, guessMapping, type CsvMapping } from '#contract/bank-statements/csv-mapping.ts'
import { headingRow, readCsvStatement, type CsvRow } from '#contract/bank-statements/csv-statement.ts'
import { formatOfFile, statementLinesMax, type ReadStatement, type StatementFormat } from '#contract/bank-statements/read-statement.ts'
import { centsOf, type Cents } from '#contract/kernel/money.ts'
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { today } from '../kernel/clock.ts'
import type { BankAccount } from './bank-account.ts'

export interface ReadFile {
  readonly format: StatementFormat
  readonly statements: readonly ReadStatement[]
  readonly faults: readonly string[]
  readonly headings: readonly string[]
  readonly mapping: CsvMapping | null
}

const rowCharactersMax = 10_000
/** Banks write a few rows above the headings. */
const rowsAboveMax = 20

interface OfAccount {
  readonly account: BankAccount
  readonly number: string
  /** The closing balance of the account's last statement; null if it has none. */
  readonly closing: Cents | null
}

export function readFile(sent: SentStatement, of: OfAccount): ReadFile {
  return formatOfFile(sent.content) === 'bai2' ? bai2Of(sent, of) : csvOf(sent, of)
}

function bai2Of({ content }: SentStatement, { account, number }: OfAccount): ReadFile {
  const of = { format: 'bai2' as const, headings: [], mapping: null }
  const { statements, faults } = readBai2(content)
  if (!statements) return { ...of, statements: [], faults }
  const own = statements.filter((one) => one.account !== null && plainNumber(one.account) === plainNumber(number))
  if (own.length > 0) return { ...of, statements: own.toSorted((a, b) => (a.to_day < b.to_day ? -1 : 1)), faults: [] }
  const others = new Intl.ListFormat('en-US').format([...new Set(statements.map((one) => `…${(one.account ?? '').slice(-4)}`))])
  return { ...of, statements: [], faults: [`This file is of another bank account: it holds ${others}, and not …${account.last4}.`] }
}

/** Banks fill account numbers with zeros, and people write them with hyphens. */
const plainNumber = (number: string): string =>
  number
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replace(/^0+/, '')

function csvOf(sent: SentStatement, { account, closing }: OfAccount): ReadFile {
  const of = { format: 'csv' as const, statements: [], headings: [], mapping: null }
  const rows = rowsOf(sent.content)
  if (typeof rows === 'string') return { ...of, faults: [rows] }
  const wanted = sent.mapping ?? (account.mapping !== null && holds(rows, account.mapping) ? account.mapping : null)
  const place = wanted === null ? likelyHeadings(rows) : headingRow(rows, namedIn(wanted))
  const headings = (rows[place]?.cells ?? rows[0]?.cells ?? []).map((cell) => cell.trim()).filter((cell) => cell !== '')
  const mapping = csvMapping.safeParse(wanted ?? guessMapping(headings))
  if (!mapping.success) return { ...of, headings, faults: mapping.error.issues.map(({ message }) => `${message}.`) }
  const opening = sent.opening === null ? closing : centsOf(sent.opening)
  const answer = readCsvStatement(rows, {
    mapping: mapping.data,
    opening,
    closing: sent.closing === null ? null : centsOf(sent.closing),
    today: today(),
  })
  return { ...of, headings, mapping: mapping.data, statements: answer.statements ?? [], faults: answer.faults }
}

const namedIn = (mapping: CsvMapping): string[] => csvColumns.flatMap(({ value }) => mapping[value] || [])
const holds = (rows: readonly CsvRow[], mapping: CsvMapping): boolean => headingRow(rows, namedIn(mapping)) >= 0

/** Returns the place of the first row whose cells are usual headings, or 0. */
function likelyHeadings(rows: readonly CsvRow[]): number {
  const place = rows.slice(0, rowsAboveMax).findIndex(({ cells }) => csvMapping.safeParse(guessMapping(cells)).success)
  return Math.max(place, 0)
}

/** Returns the rows, or the reason why the text is no CSV file. */
function rowsOf(content: string): CsvRow[] | string {
  const [first = ''] = content.split(/\r\n|\n|\r/, 1)
  const delimiter = [',', ';', '\t'].find((sign) => first.includes(sign)) ?? ','
  const rows: CsvRow[] = []
  try {
    parse(content, {
      delimiter,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: rowCharactersMax,
      to: statementLinesMax + rowsAboveMax + 2,
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record: (cells: string[], { lines }) => {
        rows.push({ cells, line: lines })
        return null
      },
    })
    return rows.length === 0 ? 'The file has no rows.' : rows
  } catch (error) {
    if (error instanceof CsvError) return `This is no CSV file: ${error.message}.`
    throw error
  }
}
