/** Values of the bill as a whole: each label's value is to its right or below it, and several labels may confirm one value. */
import { findLabels, type Label } from './find-labels.ts'
import type { Meaning, SoughtField } from './label-words.ts'
import { placeOf, textOf, type Sheet } from './page-lines.ts'
import type { Kind } from './printed-values.ts'
import { anchorHits, valuesOn, type Hit } from './line-items.ts'
import type { ReadPlace } from '#contract/bill-reading/bill-reading.ts'
import { toTheRight, below, above, before } from './values-beside.ts'

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

const IN_SENTENCE = 0.7

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
