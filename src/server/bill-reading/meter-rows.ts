/** The rows below the headings of a table of meters. */
import { compareDecimals } from '#contract/kernel/decimal.ts'
import type { MeterColumn } from './meter-words.ts'
import { allPrinted } from './printed-values.ts'
import { cellOf, type Cell, type Line, type Sheet, type Token } from './page-lines.ts'

export interface Heading {
  readonly column: MeterColumn
  readonly phrase: string
  readonly x: number
  readonly end: number
  /** As printed, for a unit inside: 'Usage (CCF)'. */
  readonly text: string
}

export interface TableRow {
  readonly sheet: Sheet
  readonly line: Line
  readonly cells: ReadonlyMap<MeterColumn, readonly Token[]>
  readonly headings: readonly Heading[]
  /** Lines below the row that belong to it: 'Multiplier: 40'. */
  readonly notes: Line[]
}

/** A gap of more heights than this ends a table. */
const ROW_GAP_MAX = 4.5

export const overlaps = (a: Cell, b: Cell): boolean => Math.min(a.end, b.end) - Math.max(a.x, b.x) > 0
/** A heading over two columns extends this many points to each side. */
export const SPREAD = 40

/** Lines between two rows of one table: notes on the upper one. */
const NOTES_MAX = 2

export function rowsBelow(sheet: Sheet, from: number, headings: readonly Heading[]): TableRow[] {
  const rows: TableRow[] = []
  let last = sheet.lines[from - 1]
  for (const line of sheet.lines.slice(from)) {
    if (last === undefined || line.y - last.y > ROW_GAP_MAX * Math.max(line.height, last.height)) break
    const cells = cellsUnder(line, headings)
    const above = rows.at(-1)
    if (isRow(cells)) rows.push({ sheet, line, cells, headings, notes: [] })
    else if (above !== undefined && above.notes.length < NOTES_MAX) above.notes.push(line)
    else if (above !== undefined || !isUncounted(cells)) break
    last = line
  }
  return rows
}

/** A service with dates and no meter appears in the table of the meters. */
const isUncounted = (cells: ReadonlyMap<MeterColumn, readonly Token[]>): boolean =>
  [...cells.values()].some((tokens) => allPrinted('date', tokens).length > 0)

/** A row has a meter number or a date and at least one more value, or it counts on. */
function isRow(cells: ReadonlyMap<MeterColumn, readonly Token[]>): boolean {
  const filled = [...cells].filter(([, tokens]) => tokens.some((token) => /\d/.test(token.text)))
  if (countsOn(cells)) return true
  const isOf = filled.some(([column, tokens]) => allPrinted(column === 'meter_number' ? 'identifier' : 'date', tokens).length > 0)
  return filled.length >= 2 && isOf
}

/** Two readings, of which the present one is not the smaller, and the usage: a row of a meter that is named elsewhere. */
function countsOn(cells: ReadonlyMap<MeterColumn, readonly Token[]>): boolean {
  const [before, after, usage] = (['previous_reading', 'meter_reading', 'usage'] as const).map(
    (column) => allPrinted('number', cells.get(column) ?? [])[0]?.value,
  )
  return before !== undefined && after !== undefined && usage !== undefined && compareDecimals(after, before.replace(/^-/, '')) >= 0
}

function cellsUnder(line: Line, headings: readonly Heading[]): Map<MeterColumn, readonly Token[]> {
  const found = new Map<MeterColumn, readonly Token[]>()
  for (const cell of line.cells.flatMap((one) => splitByHeadings(one, headings))) {
    const [nearest] = headings.toSorted((a, b) => alignment(a, cell) - alignment(b, cell))
    if (nearest === undefined || alignment(nearest, cell) > SPREAD) continue
    found.set(nearest.column, [...(found.get(nearest.column) ?? []), ...cell.tokens])
  }
  return found
}

/** Values of two columns may be so close that they look like one cell: then each word goes to its own column. */
function splitByHeadings(cell: Cell, headings: readonly Heading[]): Cell[] {
  const under = headings.filter((heading) => overlaps(cell, { ...heading, tokens: [] }))
  const isPeriod = cell.tokens.some((token) => /^(-|–|to|thru)$/i.test(token.text)) || cell.tokens.every((token) => !/\d/.test(token.text))
  if (under.length < 2 || isPeriod) return [cell]
  const parts = Map.groupBy(cell.tokens, (token) => {
    const word = cellOf([token])
    return under.toSorted((a, b) => alignment(a, word) - alignment(b, word))[0]
  })
  return [...parts.values()].map(cellOf)
}

function alignment(heading: { x: number; end: number }, cell: { x: number; end: number }): number {
  return Math.min(
    Math.abs(heading.x - cell.x),
    Math.abs(heading.end - cell.end),
    Math.abs((heading.x + heading.end - cell.x - cell.end) / 2),
  )
}
