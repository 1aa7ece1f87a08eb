/** Statement files as banks send them: BAI2 that counts and sums itself, and CSV with a balance in each row. */

export interface StatementRow {
  /** 475, or another type code of BAI2; it says the direction of the money. */
  readonly code: string
  /** Without sign. */
  readonly cents: number
  readonly bank?: string
  readonly customer?: string
  readonly text?: string
}

export interface StatementOf {
  readonly account: string
  /** YYYY-MM-DD. */
  readonly day: string
  readonly opening: number
  readonly rows: readonly StatementRow[]
}

export const isMoneyIn = (code: string): boolean => Number(code) < 400
const signed = ({ code, cents }: StatementRow): number => (isMoneyIn(code) ? cents : -cents)
export const closingOf = ({ opening, rows }: StatementOf): number => rows.reduce((sum, row) => sum + signed(row), opening)
const shortDay = (day: string): string => day.slice(2).replaceAll('-', '')

/** A group for each day and account. */
export function bai2File(statements: readonly StatementOf[], end = '\n'): string {
  const made =
    statements
      .map(({ day }) => day)
      .toSorted()
      .at(-1) ?? '2026-11-25'
  let total = 0
  let records = 2
  const groups = statements.flatMap((statement) => {
    const { account, day, opening, rows } = statement
    const closing = closingOf(statement)
    const sum = opening + closing + rows.reduce((all, { cents }) => all + cents, 0)
    total += sum
    records += rows.length + 5
    return [
      `02,METERBOOK,FIRSTBANK,1,${shortDay(day)},2359,USD,2/`,
      `03,${account},USD,010,${opening},,/`,
      `88,015,${closing},,/`,
      ...rows.map(({ code, cents, bank = '', customer = '', text = '' }) => `16,${code},${cents},Z,${bank},${customer},${text}`),
      `49,${sum},${rows.length + 3}/`,
      `98,${sum},1,${rows.length + 5}/`,
    ]
  })
  return [`01,FIRSTBANK,METERBOOK,${shortDay(made)},0600,1,,,2/`, ...groups, `99,${total},${statements.length},${records}/`]
    .map((line) => line + end)
    .join('')
}

export interface CsvStatementRow {
  readonly day: string
  /** With sign. */
  readonly cents: number
  readonly text?: string
  readonly check?: string
  readonly reference?: string
}

export const dollars = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`

/** The oldest row first. */
export function csvFile(opening: number, rows: readonly CsvStatementRow[], { newestFirst = false } = {}): string {
  let balance = opening
  const lines = rows.map(({ day, cents, text = '', check = '', reference = '' }) => {
    balance += cents
    return `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)},"${text}",${check},${reference},${dollars(cents)},${dollars(balance)}`
  })
  return ['Date,Description,Check Number,Reference,Amount,Balance', ...(newestFirst ? lines.toReversed() : lines)].join('\n')
}
