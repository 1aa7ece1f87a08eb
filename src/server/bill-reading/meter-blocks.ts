/** Meters as blocks of labels: 'Present reading 12,345' on a line of its own, each block beginning with the meter's number. */
import { plainPhrase } from './label-words.ts'
import type { LearnedColumn } from './meter-table.ts'
import { meterColumn, type MeterColumn } from './meter-words.ts'
import type { Line, Sheet, Token } from './page-lines.ts'
import { firstPrinted } from './printed-values.ts'

/** The words behind a label of a meter. */
export interface BlockEntry {
  readonly column: MeterColumn
  readonly phrase: string
  readonly sheet: Sheet
  readonly line: Line
  readonly tokens: readonly Token[]
}

const LABEL_WORDS_MAX = 4
const LABEL_GAP_MAX = 1.3

/** One list of entries a meter, in the order of the pages. */
export function meterBlocks(sheets: readonly Sheet[], learned: LearnedColumn): BlockEntry[][] {
  const entries = sheets.flatMap((sheet) => sheet.lines.flatMap((line) => entriesOf(sheet, line, learned)))
  const blocks: BlockEntry[][] = []
  for (const entry of entries) {
    const open = blocks.at(-1)
    const isNext =
      open === undefined ||
      (entry.column === 'meter_number' && open.some((one) => one.column === 'meter_number' && number(one) !== number(entry)))
    if (isNext) blocks.push([entry])
    else open.push(entry)
  }
  return blocks.filter((block) => new Set(block.map((entry) => entry.column)).size >= 2)
}

function number(entry: BlockEntry): string | undefined {
  return firstPrinted('identifier', entry.tokens)?.value
}

/** What the labels of one line name. */
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
    const tokens = line.tokens.slice(label.until, found[place + 1]?.from ?? line.tokens.length)
    return tokens.some((token) => /\d/.test(token.text)) && label.column !== 'ignored' ? [{ ...label, sheet, line, tokens }] : []
  })
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

/** 'Meter' alone is a label where a number of a meter follows. */
function columnOf(phrase: string, line: Line, until: number): MeterColumn | null {
  if (phrase !== 'meter') return meterColumn(phrase, false)
  const next = line.tokens[until]
  return next !== undefined && (next.text.match(/\d/g)?.length ?? 0) >= 4 ? 'meter_number' : null
}

function isApart(before: Token | undefined, token: Token): boolean {
  return before !== undefined && token.x - (before.x + before.width) > Math.max(before.height, token.height) * LABEL_GAP_MAX
}
