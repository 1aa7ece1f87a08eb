/** Finds the words that head or name a meter's value on a page, for a layout to learn. */
import { fixedPhrase } from './fixed-words.ts'
import type { Cell, Line, Sheet, Token } from './page-lines.ts'
import { allPrinted, type Kind } from './printed-values.ts'
import type { Printed } from './printed-dates.ts'
import { isSameValue } from './same-value.ts'

/** A heading is within this many lines above its values. */
const LINES_ABOVE_MAX = 14

/** @param others the meter's other values: a line with one of them is a row of its table. */
export function columnPhrases(sheets: readonly Sheet[], kind: Kind, value: string, others: readonly string[]): string[] {
  const phrases = sheets.flatMap((sheet) =>
    sheet.lines.flatMap((line) => {
      const found = allPrinted(kind, line.tokens).filter((printed) => isSameValue(kind, printed.value, value))
      return found.map((printed) => phraseOf(sheet, line, printed, others))
    }),
  )
  return [...new Set(phrases.filter((phrase) => phrase !== ''))]
}

function phraseOf(sheet: Sheet, line: Line, printed: Printed, others: readonly string[]): string {
  const isRow = line.tokens.some((token) => !printed.tokens.includes(token) && others.includes(token.text.replaceAll(',', '')))
  const beside = wordsBefore(line, printed.tokens)
  if (!isRow && beside !== '') return beside
  const above = headingAbove(sheet, line, printed.tokens)
  return above !== '' ? above : beside
}

function wordsBefore(line: Line, tokens: readonly Token[]): string {
  const [first] = tokens
  if (first === undefined) return ''
  const before = line.tokens.slice(0, line.tokens.indexOf(first))
  const cell = line.cells.findLast((one) => before.some((token) => one.tokens.includes(token) && /[A-Za-z]/.test(token.text)))
  const words = cell?.tokens.filter((token) => before.includes(token)) ?? []
  return words.length === 0 || words.length > 4 || words.some((token) => /\d/.test(token.text))
    ? ''
    : fixedPhrase(words.map((token) => token.text))
}

const headingAbove = (sheet: Sheet, line: Line, tokens: readonly Token[]): string => columnHeadings(sheet, line, tokens).at(-1) ?? ''

/** Lines of one heading are closer than this, in heights. */
const STACKED_MAX = 1.9

/** Returns the words that head the column of these tokens: all stacked lines together, and the lowest line alone. */
export function columnHeadings(sheet: Sheet, line: Line, tokens: readonly Token[]): string[] {
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (first === undefined || last === undefined) return []
  const span = { x: first.x, end: last.x + last.width }
  const place = sheet.lines.indexOf(line)
  const upper = sheet.lines.slice(Math.max(0, place - LINES_ABOVE_MAX), place).toReversed()
  const stack: { line: Line; cell: Cell }[] = []
  for (const one of upper) {
    const lowest = stack.at(-1)
    if (lowest !== undefined && lowest.line.y - one.y > STACKED_MAX * lowest.line.height) break
    const cell = one.cells.find((each) => isAligned(each, lowest === undefined ? span : lowest.cell))
    const isWords = cell !== undefined && !cell.tokens.some((token) => /\d/.test(token.text))
    if (lowest !== undefined && !isWords) break
    if (isWords) stack.push({ line: one, cell })
  }
  const phrases = [stack.toReversed(), stack.slice(0, 1)].map((part) =>
    fixedPhrase(part.flatMap(({ cell }) => cell.tokens.map((token) => token.text))),
  )
  return [...new Set(phrases.filter((phrase) => phrase !== ''))]
}

function isAligned(cell: { x: number; end: number }, span: { x: number; end: number }): boolean {
  return Math.min(cell.end, span.end) - Math.max(cell.x, span.x) > 0
}
