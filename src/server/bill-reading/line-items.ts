/** A line as a sentence that keeps only its form: words of every bill, and marks for what differs from bill to bill. */
import { columnHeadings } from './column-phrases.ts'
import { fixedPhrase, isFixedWord } from './fixed-words.ts'
import { plainWord } from './plain-words.ts'
import type { Line, Sheet, Token } from './page-lines.ts'
import { allPrinted, firstPrinted, type Kind } from './printed-values.ts'
import type { Printed } from './printed-dates.ts'

/** A word or a mark, and the words of the line that it represents. */
interface Item {
  readonly text: string
  readonly from: number
  readonly until: number
}

/** A value on the page with its position. */
export interface Hit {
  readonly printed: Printed
  readonly sheet: Sheet
  readonly line: Line
  /** True for the second date of a word that holds two. */
  readonly isSecond: boolean
}

/** Prefix of a learned phrase that precedes its value in a sentence or a row. No label begins with it. */
const BEFORE = '~ '
/** Prefix of a phrase below its value, as below large figures. */
const UNDER = '_ '
/** Prefix of a phrase that heads its value's column; the words that begin its row follow after the mark `@`. */
const HEADING = '| '
export const isAnchor = (phrase: string): boolean => [BEFORE, UNDER, HEADING].some((start) => phrase.startsWith(start))
const LINE_START = '^'
/** One or more words that are not in our list. */
const OTHERS = '<words>'
const ITEMS_MAX = 8
/** Without a word of every bill, this many items are needed to distinguish a line from others. */
const MARKS_MIN = 3

/** Returns phrases that may lead to a value, the most likely first. Of a sentence, each longer phrase begins earlier. */
export function anchorsOf(hit: Hit): string[] {
  const items = itemsBefore(hit)
  const before = Array.from({ length: Math.min(ITEMS_MAX, items.length) }, (_, place) => items.slice(-place - 1))
    .filter((part) => part.some(isWord) || part.length >= MARKS_MIN)
    .map((part) => BEFORE + part.join(' '))
  const under = phraseUnder(hit.sheet, hit.line, hit.printed)
  const headings = headingsAbove(hit).map((heading) => HEADING + heading)
  // A value beside other figures belongs to its column first.
  const isInRow = hit.line.tokens.filter((token) => /\d/.test(token.text)).length > hit.printed.tokens.length + 1
  const all = isInRow ? [...headings, ...before] : [...before, ...headings]
  return under === '' ? all : [...all, UNDER + under]
}

/** Returns values of this kind at such a phrase, in the order of the pages. */
export function anchorHits(phrase: string, kind: Kind, sheets: readonly Sheet[]): Hit[] {
  const words = phrase.slice(BEFORE.length)
  const all = valuesOn(sheets, kind)
  if (phrase.startsWith(UNDER)) return all.filter((hit) => phraseUnder(hit.sheet, hit.line, hit.printed) === words)
  if (phrase.startsWith(HEADING)) return all.filter((hit) => headingsAbove(hit).includes(words))
  return all.filter((hit) => ` ${itemsBefore(hit).join(' ')}`.endsWith(` ${words}`))
}

export function valuesOn(sheets: readonly Sheet[], kind: Kind): Hit[] {
  return sheets.flatMap((sheet) =>
    sheet.lines.flatMap((line) => {
      const found = allPrinted(kind, line.tokens).map((printed) => ({ printed, sheet, line, isSecond: false }))
      return kind === 'date' ? [...found, ...gluedDays(sheet, line)] : found
    }),
  )
}

/** Splits '01/10/24-02/08/24' into its two dates. */
function gluedDays(sheet: Sheet, line: Line): Hit[] {
  return allPrinted('period', line.tokens).flatMap((period) => {
    if (period.tokens.length > 1 || period.until === undefined) return []
    const { value, until, tokens, skipped } = period
    return [
      { printed: { value, tokens, skipped }, sheet, line, isSecond: false },
      { printed: { value: until, tokens, skipped }, sheet, line, isSecond: true },
    ]
  })
}

/** Returns the heading of the value's column, complete and its lowest line, each alone and with the words that begin the row. */
function headingsAbove({ sheet, line, printed }: Hit): string[] {
  const headings = columnHeadings(sheet, line, printed.tokens)
  const [first] = line.cells
  const row =
    first === undefined || first.tokens.some((token) => /\d/.test(token.text)) ? '' : fixedPhrase(first.tokens.map((token) => token.text))
  return row === '' ? headings : [...headings, ...headings.map((heading) => `${heading} @ ${row}`)]
}

const isWord = (text: string): boolean => /^[a-z]{3,}/.test(text)

function itemsBefore({ line, printed, isSecond }: Hit): string[] {
  const [first] = printed.tokens
  const until = first === undefined ? 0 : line.tokens.indexOf(first)
  const before = itemsOf(line).filter((item) => item.until <= until)
  return [LINE_START, ...before.map((item) => item.text), ...(isSecond ? ['<date>'] : [])]
}

const known = new WeakMap<Line, readonly Item[]>()

function itemsOf(line: Line): readonly Item[] {
  const earlier = known.get(line)
  if (earlier !== undefined) return earlier
  const items: Item[] = []
  for (let from = 0; from < line.tokens.length;) {
    const { text, words } = itemAt(line.tokens.slice(from))
    const isMore = text === OTHERS && items.at(-1)?.text === OTHERS
    if (text !== '' && !isMore) items.push({ text, from, until: from + words })
    from += words
  }
  known.set(line, items)
  return items
}

const marked = ['date', 'money', 'number'] as const

function itemAt(tokens: readonly Token[]): { text: string; words: number } {
  for (const kind of marked) {
    const found = firstPrinted(kind, tokens.slice(0, 4))
    if (found !== null && found.skipped === 0) return { text: `<${kind}>`, words: found.tokens.length }
  }
  const [token] = tokens
  if (token?.day?.until !== undefined) return { text: '<date> <date>', words: 1 }
  if (token === undefined || !/[\p{L}\p{N}]/u.test(token.text)) return { text: '', words: 1 }
  if (/\d/.test(token.text)) return { text: '<number>', words: 1 }
  const word = plainWord(token.text)
  return { text: word === '' || word.split(' ').every(isFixedWord) ? word : OTHERS, words: 1 }
}

/** Maximum distance below a value, in heights of it. */
const UNDER_MAX = 3.6

/** Returns the words of every bill in the nearest cell below these words. */
function phraseUnder(sheet: Sheet, line: Line, { tokens }: Printed): string {
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (first === undefined || last === undefined) return ''
  for (const lower of sheet.lines.slice(sheet.lines.indexOf(line) + 1)) {
    if (lower.y - line.y > UNDER_MAX * Math.max(lower.height, Math.min(line.height, 2 * lower.height))) return ''
    const cell = lower.cells.find((one) => Math.min(one.end, last.x + last.width) - Math.max(one.x, first.x) > 0)
    if (cell !== undefined)
      return cell.tokens.some((token) => /\d/.test(token.text)) ? '' : fixedPhrase(cell.tokens.map((token) => token.text))
  }
  return ''
}
