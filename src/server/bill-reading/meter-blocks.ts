/** Meters as blocks of labels: 'Present reading 12,345' on a line of its own, each block beginning with the meter's number. */
import { plainPhrase } from './plain-words.ts'
import type { LearnedColumn } from './meter-table.ts'
import { meterColumn, type MeterColumn } from './meter-words.ts'
import type { Line, Sheet, Token } from './page-lines.ts'
import { firstPrinted } from './printed-values.ts'

/** The words after a label of a meter. */
export interface BlockEntry {
  readonly column: MeterColumn
  readonly phrase: string
  readonly sheet: Sheet
  readonly line: Line
  readonly tokens: readonly Token[]
  /** Position at which the label begins. */
  readonly x: number
}

const LABEL_WORDS_MAX = 4
const LABEL_GAP_MAX = 1.3

/** Returns one list of entries per meter, in the order of the pages. */
export function meterBlocks(sheets: readonly Sheet[], learned: LearnedColumn): (readonly BlockEntry[])[] {
  const entries = sheets.flatMap((sheet) => sheet.lines.flatMap((line) => entriesOf(sheet, line, learned)))
  const blocks: BlockEntry[][] = []
  for (const entry of entries) {
    const open = blockOf(entry, blocks)
    const isNext =
      open === undefined ||
      (entry.column === 'meter_number' && open.some((one) => one.column === 'meter_number' && number(one) !== number(entry)))
    if (isNext) blocks.push([entry])
    else open.push(entry)
  }
  return blocks.map(orderedByDay).filter((block) => new Set(block.map((entry) => entry.column)).size >= 2)
}

/** Returns the block that began last; if several begin side by side on one line, the one under whose start the label is. */
function blockOf(entry: BlockEntry, blocks: readonly BlockEntry[][]): BlockEntry[] | undefined {
  const last = blocks.at(-1)
  const beside = blocks.filter((block) => last !== undefined && block[0]?.line === last[0]?.line && block[0]?.column === 'meter_number')
  return beside.findLast((block) => (block[0]?.x ?? 0) <= entry.x + LEFT_SPREAD) ?? last
}

/** Labels of one block begin at the same position within this many points. */
const LEFT_SPREAD = 6

function number(entry: BlockEntry): string | undefined {
  return firstPrinted('identifier', entry.tokens)?.value
}

/** Returns true for a date with the reading of that day right after it. */
function isDated(tokens: readonly Token[]): boolean {
  const day = firstPrinted('date', tokens)
  return day !== null && firstPrinted('number', tokens.slice(day.skipped + day.tokens.length)) !== null
}

/** Two readings with only their dates to distinguish them: the later is the present one. A third belongs to another register. */
function orderedByDay(block: readonly BlockEntry[]): readonly BlockEntry[] {
  const dated = block.filter((entry) => entry.column === 'dated_reading').slice(0, 2)
  const has = (column: MeterColumn): boolean => block.some((entry) => entry.column === column)
  const [earlier, later] = dated.toSorted((a, b) => dayOf(a).localeCompare(dayOf(b)))
  const named = new Map<BlockEntry | undefined, MeterColumn>()
  if (dated.length === 2) named.set(earlier, 'previous_reading').set(later, 'meter_reading')
  else if (has('meter_reading') !== has('previous_reading')) named.set(earlier, has('meter_reading') ? 'previous_reading' : 'meter_reading')
  return block.flatMap((entry) => {
    const column = entry.column === 'dated_reading' ? named.get(entry) : entry.column
    return column === undefined ? [] : [{ ...entry, column }]
  })
}

const dayOf = (entry: BlockEntry): string => firstPrinted('date', entry.tokens)?.value ?? ''

/** Returns the fields that the labels of one line name. */
export function entriesOf(sheet: Sheet, line: Line, learned: LearnedColumn): BlockEntry[] {
  const found: { column: MeterColumn; phrase: string; from: number; until: number }[] = []
  for (let from = 0; from < line.tokens.length;) {
    const one = labelAt(line, from, learned)
    if (one === null) {
      from += 1
      continue
    }
    found.push(one)
    from = one.until
  }
  return found.flatMap((label, place) => {
    const behind = ownWords(line, label.until, found[place + 1]?.from ?? line.tokens.length, sheet.width)
    const tokens = hasDigit(behind) ? behind : aroundLabel(sheet, line, label)
    const isWhole = label.column !== 'dated_reading' || isDated(tokens)
    return hasDigit(tokens) && label.column !== 'ignored' && isWhole
      ? [{ ...label, sheet, line, tokens, x: line.tokens[label.from]?.x ?? 0 }]
      : []
  })
}

const hasDigit = (tokens: readonly Token[]): boolean => tokens.some((token) => /\d/.test(token.text))

/** A card has its value below its label, others above it: in a cell that contains only a value. */
function aroundLabel(sheet: Sheet, line: Line, label: { readonly from: number; readonly until: number }): readonly Token[] {
  const place = line.cells.findIndex(
    (cell) => cell.tokens[0] === line.tokens[label.from] && cell.tokens.at(-1) === line.tokens[label.until - 1],
  )
  const cell = line.cells[place]
  if (cell === undefined) return []
  const before = line.cells[place - 1]
  if (before !== undefined && isValue(before.tokens)) return before.tokens
  const at = sheet.lines.indexOf(line)
  const under = sheet.lines
    .slice(at + 1)
    .filter((lower) => lower.y - line.y < UNDER_MAX * Math.max(line.height, Math.min(lower.height, 2 * line.height)))
    .flatMap((lower) => lower.cells.filter((one) => Math.min(one.end, cell.end) - Math.max(one.x, cell.x) > 0))
  const [first, second] = under
  // Values below each other are a column of a table, and each row has its own.
  return first !== undefined && isValue(first.tokens) && (second === undefined || !isValue(second.tokens)) ? first.tokens : []
}

/** Maximum distance below a label, in heights of it. */
const UNDER_MAX = 3.6
const isValue = (tokens: readonly Token[]): boolean => /\d/.test(tokens[0]?.text ?? '') || (tokens.length <= 4 && hasDigit(tokens))

/**
 * Words that begin farther away than this fraction of the page belong to another column. Figures do not, because bills align them at the
 * right edge.
 */
const COLUMN_APART = 0.25

function ownWords(line: Line, from: number, until: number, width: number): Token[] {
  const tokens = line.tokens.slice(from, until)
  const last = line.tokens[from - 1]
  const isOther = (token: Token, place: number): boolean => {
    const before = tokens[place - 1] ?? last
    return before !== undefined && /^\p{L}/u.test(token.text) && token.x - (before.x + before.width) > width * COLUMN_APART
  }
  const end = tokens.findIndex(isOther)
  return end < 0 ? tokens : tokens.slice(0, end)
}

function labelAt(
  line: Line,
  from: number,
  learned: LearnedColumn,
): { column: MeterColumn; phrase: string; from: number; until: number } | null {
  const startsCell = line.cells.some((cell) => cell.tokens[0] === line.tokens[from])
  for (let count = Math.min(LABEL_WORDS_MAX, line.tokens.length - from); count > 0; count -= 1) {
    const part = line.tokens.slice(from, from + count)
    if (part.some((token, place) => isApart(part[place - 1], token)) || part.slice(0, -1).some((token) => token.text.endsWith(':')))
      continue
    if (part.some((token) => /\d/.test(token.text))) continue
    const phrase = plainPhrase(part.map((token) => token.text))
    const column =
      learned(phrase) ?? (startsCell || line.tokens[from - 1]?.text.endsWith(',') ? columnOf(phrase, line, from + count) : null)
    if (column !== null) return { column, phrase, from, until: from + count }
  }
  return null
}

/** 'Meter' alone is a label if a meter number follows. */
function columnOf(phrase: string, line: Line, until: number): MeterColumn | null {
  if (phrase !== 'meter') return meterColumn(phrase, false)
  const next = line.tokens[until]
  return next !== undefined && (next.text.match(/\d/g)?.length ?? 0) >= 4 ? 'meter_number' : null
}

function isApart(before: Token | undefined, token: Token): boolean {
  return before !== undefined && token.x - (before.x + before.width) > Math.max(before.height, token.height) * LABEL_GAP_MAX
}
