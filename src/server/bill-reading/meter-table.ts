/** Meters in a table: a row of headings, of up to three lines, and a row of values for each meter. */
import { plainPhrase } from './plain-words.ts'
import { meterColumn, type MeterColumn } from './meter-words.ts'
import { textOf, type Cell, type Line, type Sheet } from './page-lines.ts'
import { type TableRow, rowsBelow, type Heading, overlaps, SPREAD } from './meter-rows.ts'

/** Returns the meaning of a heading in a learned layout. */
export type LearnedColumn = (phrase: string) => MeterColumn | null

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
