/** Values of the bill as a whole: each label's value is to its right or below it, and several labels may confirm one value. */
import { findLabels, type Label } from './find-labels.ts'
import type { Meaning, SoughtField } from './label-words.ts'
import { placeOf, textOf, type Line, type Sheet, type Token } from './page-lines.ts'
import { firstPrinted, type Kind, type Printed } from './printed-values.ts'
import { anchorHits, valuesOn, type Hit } from './line-items.ts'
import type { ReadPlace } from '#contract/bill-reading/bill-reading.ts'

export interface Candidate {
  readonly value: string
  readonly printed: string
  readonly score: number
  readonly place: ReadPlace | null
  /** Words of the label, for learning. */
  readonly phrase: string
}
export type Candidates = ReadonlyMap<SoughtField, readonly Candidate[]>

/** Learned labels of the vendor's layout: labels that confirmations taught, with their weight, and labels that misled. */
export interface LearnedLabels {
  meanings(phrase: string): readonly Meaning[]
  isRefuted(phrase: string, field: SoughtField): boolean
  /** Returns true if a bill already showed that the phrase is misleading: then learned rules take precedence. */
  isDoubted(phrase: string, field: SoughtField): boolean
  /** Phrases in sentences and under values, with their weight. */
  readonly anchors: readonly (Meaning & { readonly phrase: string })[]
  /** Places of values without a label, in fractions of a page; pages count from 0. */
  readonly places: readonly LearnedPlace[]
}

export interface LearnedPlace {
  readonly field: SoughtField
  readonly page: number
  readonly x: number
  readonly y: number
  /** True if `x` is the end of the value: figures of different length are aligned that way. */
  readonly isEnd: boolean
  readonly weight: number
}

export const nothingKnown: LearnedLabels = { meanings: () => [], isRefuted: () => false, isDoubted: () => false, anchors: [], places: [] }

export const kindOfField: Readonly<Record<SoughtField, Kind>> = {
  account_number: 'identifier',
  invoice_number: 'identifier',
  date: 'date',
  due_date: 'date',
  balance_forward: 'money',
  current_charges: 'money',
  late_fee: 'money',
  amount_due: 'money',
  previous_balance: 'money',
  payments: 'money',
}

/** Maximum distance below a label, in heights of its line. */
const BELOW_MAX = 3.6
const RIGHT = 0.95
const BELOW = 0.85
const ABOVE = 0.6
const BEFORE = 0.6
const IN_SENTENCE = 0.7
/** A value farther to the right than this fraction of the page may belong to another column. */
const FAR = 0.6

/** Returns the candidates of each field, the most certain first, each value once. */
export function readHeads(sheets: readonly Sheet[], learned: LearnedLabels): Candidates {
  return new Map([...headCandidates(sheets, learned)].map(([field, candidates]) => [field, united(candidates)]))
}

/** Returns every value that a label or place gives, one entry for each. */
export function headCandidates(sheets: readonly Sheet[], learned: LearnedLabels): Candidates {
  const found = new Map<SoughtField, Candidate[]>()
  for (const sheet of sheets) {
    const labels = findLabels(sheet.lines, learned.meanings)
    for (const label of labels)
      for (const meaning of label.meanings) {
        if (learned.isRefuted(label.phrase, meaning.field)) continue
        for (const candidate of valuesOf(label, meaning, sheet, labels)) {
          const score = candidate.score * (learned.isDoubted(label.phrase, meaning.field) ? DOUBTED : 1)
          found.set(meaning.field, [...(found.get(meaning.field) ?? []), { ...candidate, score }])
        }
      }
  }
  for (const { field, phrase, weight } of learned.anchors) {
    const [hit] = anchorHits(phrase, kindOfField[field], sheets)
    if (hit !== undefined) found.set(field, [...(found.get(field) ?? []), candidateOf(hit, AT_ANCHOR * weight, phrase)])
  }
  for (const place of learned.places) {
    const hit = valueAt(place, kindOfField[place.field], sheets)
    const candidate = hit === null ? null : candidateOf(hit, AT_PLACE * place.weight, place.isEnd ? PLACE_OF_END : '')
    if (candidate !== null) found.set(place.field, [...(found.get(place.field) ?? []), candidate])
  }
  return found
}

/** The position in a scan varies each time by up to this fraction of the page. */
const PLACE_SPREAD = 0.02
const AT_PLACE = 0.8

const AT_ANCHOR = 0.97
const DOUBTED = 0.4
/** Phrase of a rule about the end of a value. */
export const PLACE_OF_END = 'end'

interface Spot extends Pick<LearnedPlace, 'page' | 'x' | 'y' | 'isEnd'> {}

/** Returns how far a value is from its place in the layout; null if it is farther than a scanner moves it. */
function offBy(at: ReadPlace, spot: Spot): number | null {
  const [acrossBy, downBy] = [Math.abs((spot.isEnd ? at.x + at.width : at.x) - spot.x), Math.abs(at.y - spot.y)]
  return acrossBy <= PLACE_SPREAD && downBy <= PLACE_SPREAD ? acrossBy + downBy : null
}

/** Returns the value that is nearest to its place in the layout. */
export function valueAt(spot: Spot, kind: Kind, sheets: readonly Sheet[]): Hit | null {
  const sheet = sheets[spot.page]
  if (sheet === undefined) return null
  const near = valuesOn([sheet], kind).flatMap((hit) => {
    const at = placeOf(hit.printed.tokens, sheet)
    const off = at === null ? null : offBy(at, spot)
    return off === null ? [] : [{ hit, off }]
  })
  return near.toSorted((a, b) => a.off - b.off)[0]?.hit ?? null
}

function candidateOf({ printed, sheet }: Hit, score: number, phrase: string): Candidate {
  const trust = Math.min(1, ...printed.tokens.map((token) => token.confidence))
  return {
    value: printed.value,
    printed: textOf(printed.tokens),
    score: score * (0.6 + 0.4 * trust),
    place: placeOf(printed.tokens, sheet),
    phrase,
  }
}

/** Merges the candidates of one value, the most certain first. */
function united(candidates: readonly Candidate[]): Candidate[] {
  const values = [...Map.groupBy(candidates, (candidate) => candidate.value).values()]
  return values
    .flatMap((same) => {
      const [best] = same.toSorted((a, b) => b.score - a.score)
      return best === undefined ? [] : [{ ...best, score: 1 - same.reduce((doubt, one) => doubt * (1 - one.score * 0.9), 1) }]
    })
    .toSorted((a, b) => b.score - a.score)
}

function valuesOf(label: Label, meaning: Meaning, sheet: Sheet, labels: readonly Label[]): Candidate[] {
  const kind = kindOfField[meaning.field]
  const right = toTheRight(label, kind, sheet, labels)
  const found = right ?? below(label, kind, sheet) ?? above(label, kind, sheet) ?? before(label, kind)
  if (found === null) return []
  const trust = Math.min(...found.printed.tokens.map((token) => token.confidence))
  const score = meaning.weight * found.score * (label.startsCell ? 1 : IN_SENTENCE) * 0.9 ** found.printed.skipped * (0.6 + 0.4 * trust)
  return [
    {
      value: found.printed.value,
      printed: textOf(found.printed.tokens),
      score: Math.min(0.99, score),
      place: placeOf(found.printed.tokens, sheet),
      phrase: label.phrase,
    },
  ]
}

interface Found {
  readonly printed: Printed
  readonly score: number
}

function toTheRight(label: Label, kind: Kind, sheet: Sheet, labels: readonly Label[]): Found | null {
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
function below(label: Label, kind: Kind, sheet: Sheet): Found | null {
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
function above(label: Label, kind: Kind, sheet: Sheet): Found | null {
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
function before(label: Label, kind: Kind): Found | null {
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
