/** The values beside, below and above a label. */
import type { Label } from './find-labels.ts'
import type { Line, Sheet, Token } from './page-lines.ts'
import { firstPrinted, type Kind } from './printed-values.ts'
import type { Printed } from './printed-dates.ts'

/** Maximum distance below a label, in heights of its line. */
const BELOW_MAX = 3.6
const RIGHT = 0.95
const BELOW = 0.85
const ABOVE = 0.6
const BEFORE = 0.6

/** A value farther to the right than this fraction of the page may belong to another column. */
const FAR = 0.6

interface Found {
  readonly printed: Printed
  readonly score: number
}

export function toTheRight(label: Label, kind: Kind, sheet: Sheet, labels: readonly Label[]): Found | null {
  const nextLabel = labels.filter((other) => other.line === label.line && other.from >= label.until).map((other) => other.from)
  const words = label.line.tokens.slice(label.until, Math.min(...nextLabel, label.line.tokens.length))
  const printed = firstPrinted(
    kind,
    words.filter((token) => !/^[:.\-–]+$/.test(token.text)),
  )
  const [first] = printed?.tokens ?? []
  const last = label.line.tokens[label.until - 1]
  if (printed === null || first === undefined || last === undefined) return null
  const gap = first.x - (last.x + last.width)
  return { printed, score: gap > sheet.width * FAR ? RIGHT * 0.6 : RIGHT }
}

/** Returns the nearest value below the label, aligned with it on the left, on the right or in the middle. */
export function below(label: Label, kind: Kind, sheet: Sheet): Found | null {
  const { line } = label
  const words = line.tokens.slice(label.from, label.until)
  const [first, last] = [words[0], words.at(-1)]
  if (first === undefined || last === undefined) return null
  const span = { from: first.x, until: last.x + last.width }
  const start = sheet.lines.indexOf(line)
  for (const lower of sheet.lines.slice(start + 1)) {
    if (lower.y - line.y > BELOW_MAX * Math.max(line.height, Math.min(lower.height, 2 * line.height))) return null
    const under = wordsUnder(lower, span)
    if (under.length === 0) continue
    const printed = firstPrinted(kind, under)
    return printed === null ? null : { printed, score: BELOW }
  }
  return null
}

/** Large figures have their words below them: the value is everything directly above the label. */
export function above(label: Label, kind: Kind, sheet: Sheet): Found | null {
  const { line } = label
  const cell = line.cells.find((one) => one.tokens[0] === line.tokens[label.from])
  if (cell === undefined || !label.startsCell || cell.tokens.at(-1) !== line.tokens[label.until - 1]) return null
  const upper = sheet.lines
    .slice(0, sheet.lines.indexOf(line))
    .findLast((one) => wordsUnder(one, { from: cell.x, until: cell.end }).length > 0)
  if (upper === undefined || line.y - upper.y > BELOW_MAX * Math.max(line.height, Math.min(upper.height, 2 * line.height))) return null
  const words = wordsUnder(upper, { from: cell.x, until: cell.end })
  const printed = firstPrinted(kind, words)
  return printed === null || printed.tokens.length < words.length ? null : { printed, score: ABOVE }
}

/** Some bills print the value first: the cell directly before the label contains only the value. */
export function before(label: Label, kind: Kind): Found | null {
  const { line } = label
  const place = line.cells.findIndex((cell) => cell.tokens[0] === line.tokens[label.from])
  const cell = line.cells[place - 1]
  const printed = cell === undefined ? null : firstPrinted(kind, cell.tokens)
  return cell === undefined || printed === null || printed.tokens.length < cell.tokens.length ? null : { printed, score: BEFORE }
}

function wordsUnder(line: Line, span: { from: number; until: number }): readonly Token[] {
  const cells = line.cells.filter((cell) => Math.min(cell.end, span.until) - Math.max(cell.x, span.from) > -2)
  const [best] = cells.toSorted((a, b) => distance(a, span) - distance(b, span))
  return best?.tokens ?? []
}

function distance(cell: { x: number; end: number }, span: { from: number; until: number }): number {
  const middles = Math.abs((cell.x + cell.end) / 2 - (span.from + span.until) / 2)
  return Math.min(Math.abs(cell.x - span.from), Math.abs(cell.end - span.until), middles)
}
