/** Meters in a table: a row of headings, of up to three lines, and a row of values for each meter. */
import { compareDecimals } from '#contract/kernel/decimal.ts'
import { plainPhrase } from './label-words.ts'
import { meterColumn, type MeterColumn } from './meter-words.ts'
import { allPrinted } from './printed-values.ts'
import { cellOf, textOf, type Cell, type Line, type Sheet, type Token } from './page-lines.ts'

/** Returns the meaning of a heading in a learned layout. */
export type LearnedColumn = (phrase: string) => MeterColumn | null

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

const HEADING_LINES_MAX = 3
/** Fields that identify a row of headings as that of a table of meters; two are required. */
const telling: ReadonlySet<MeterColumn> = new Set([
  'previous_reading',
  'meter_reading',
  'usage',
  'period',
  'previous_read_date',
  'read_date',
  'meter_number',
])
const TELLING_MIN = 3
/** A gap of more heights than this ends a table. */
const ROW_GAP_MAX = 4.5

export function tableRows(sheets: readonly Sheet[], learned: LearnedColumn): TableRow[] {
  return sheets.flatMap((sheet) => {
    const rows: TableRow[] = []
    for (let place = 0; place < sheet.lines.length;) {
      const head = headAt(sheet, place, learned)
      if (head === null) {
        place += 1
        continue
      }
      const below = rowsBelow(sheet, place + head.lines, head.headings)
      rows.push(...below)
      place += head.lines + below.reduce((sum, row) => sum + 1 + row.notes.length, 0)
    }
    return rows
  })
}

interface Head {
  readonly headings: readonly Heading[]
  readonly lines: number
  readonly score: number
}

function headAt(sheet: Sheet, place: number, learned: LearnedColumn): Head | null {
  let best: Head | null = null
  for (let lines = 1; lines <= HEADING_LINES_MAX; lines += 1) {
    const part = sheet.lines.slice(place, place + lines)
    if (part.length < lines || !areClose(part)) break
    const headings = headingsOf(part, learned)
    const columns = new Set(headings.map((heading) => heading.column).filter((column) => telling.has(column)))
    const score = columns.size + headings.length / 100 - (headings.length - new Set(headings.map((heading) => heading.column)).size) / 2
    if (columns.size >= TELLING_MIN && (best === null || score > best.score)) best = { headings, lines, score }
  }
  return best
}

function areClose(lines: readonly Line[]): boolean {
  return lines.every((line, place) => {
    const before = lines[place - 1]
    return before === undefined || line.y - before.y < 1.9 * Math.max(line.height, before.height)
  })
}

/** The cells of the lowest line are the columns. A text above a column belongs to it, and a heading over two columns to both. */
function headingsOf(lines: readonly Line[], learned: LearnedColumn): Heading[] {
  const base = columnsOf(lines)
  const headings = base.flatMap((cell): Heading[] => {
    const upper = lines.slice(0, -1).flatMap((line) => nearestAbove(line, cell, base))
    const stacked = [...upper, cell]
    const span = { x: Math.min(cell.x, ...stacked.filter((one) => overlaps(one, cell)).map((one) => one.x)), end: cell.end }
    const texts = stacked.map((one) => textOf(one.tokens))
    const phrase = plainPhrase(stacked.flatMap((one) => one.tokens.map((token) => token.text)))
    const own = plainPhrase(cell.tokens.map((token) => token.text))
    const column = learned(phrase) ?? learned(own) ?? meterColumn(phrase, true) ?? (own === phrase ? null : meterColumn(own, true))
    return column === null ? [] : [{ column, phrase, ...span, text: texts.join(' ') }]
  })
  return toldApart(headings)
}

/** If there is a delivery column, "energy" means supply, and any further total is the sum of both. */
function toldApart(headings: readonly Heading[]): Heading[] {
  const has = (column: MeterColumn): boolean => headings.some((heading) => heading.column === column)
  if (!has('delivery') && !has('supply')) return [...headings]
  return headings.map((heading) => {
    if (heading.column !== 'charges') return heading
    const words = heading.phrase.split(' ')
    if (has('delivery') && !has('supply') && words.includes('energy')) return { ...heading, column: 'supply' }
    return has('delivery') || words.includes('total') ? { ...heading, column: 'ignored' } : heading
  })
}

/** Returns the cells of the lowest line, and those of upper lines with nothing below them. */
function columnsOf(lines: readonly Line[]): Cell[] {
  const lowest = [...(lines.at(-1)?.cells ?? [])]
  for (const line of lines.slice(0, -1).toReversed())
    for (const cell of line.cells)
      if (!lowest.some((one) => overlaps(one, cell) || nearestAbove(line, one, lowest).includes(cell))) lowest.push(cell)
  return lowest.toSorted((a, b) => a.x - b.x)
}

const overlaps = (a: Cell, b: Cell): boolean => Math.min(a.end, b.end) - Math.max(a.x, b.x) > 0
/** A heading over two columns extends this many points to each side. */
const SPREAD = 40

function nearestAbove(line: Line, cell: Cell, base: readonly Cell[]): Cell[] {
  if (line.cells.includes(cell)) return []
  const above = line.cells.find((one) => overlaps(one, cell))
  if (above !== undefined) return [above]
  const [nearest] = line.cells.toSorted((a, b) => gapBetween(a, cell) - gapBetween(b, cell))
  if (nearest === undefined || gapBetween(nearest, cell) > SPREAD) return []
  // A heading directly above another column belongs to that column only.
  const isOwned = base.some((one) => one !== cell && Math.abs(one.x - nearest.x) < 4 && overlaps(one, nearest))
  return isOwned ? [] : [nearest]
}

const gapBetween = (a: { x: number; end: number }, b: { x: number; end: number }): number => Math.max(a.x - b.end, b.x - a.end, 0)

/** Lines between two rows of one table: notes on the upper one. */
const NOTES_MAX = 2

function rowsBelow(sheet: Sheet, from: number, headings: readonly Heading[]): TableRow[] {
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
