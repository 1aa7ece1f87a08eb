/** Values of meters by learned rules: after a phrase, or at a place. A rule was learned because the general reading failed. */
import type { ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { anchorHits, isAnchor, type Hit } from './line-items.ts'
import { placeOf, textOf, type Sheet } from './page-lines.ts'
import { valueAt, type LearnedPlace } from './read-heads.ts'
import type { MeterValues } from './read-meters.ts'
import { kindOfMeterField, lettersAndDigits } from './same-value.ts'

export interface LearnedMeterRule {
  readonly field: ReadMeterField
  readonly phrase: string
  /** Position of the value; null for a rule about words. */
  readonly spot: Pick<LearnedPlace, 'page' | 'x' | 'y' | 'isEnd'> | null
  readonly weight: number
}

/** Maximum number of meters that a rule may create on a bill on which none was found. */
const METERS_MAX = 50
const BY_WORDS = 0.9
const BY_PLACE = 0.7

/** Sets the values that rules give, in the order of the meters; creates the meters if none was found. */
export function applyLearned(meters: MeterValues[], sheets: readonly Sheet[], rules: readonly LearnedMeterRule[]): void {
  const found = [...Map.groupBy(rules, (rule) => rule.field)].flatMap(([field, same]) => bestHits(field, same, sheets))
  byNumbers(meters, found.find(({ field }) => field === 'meter_number')?.hits ?? [])
  if (meters.length === 0) {
    const count = Math.max(0, ...found.map(({ hits }) => hits.length))
    for (let place = 0; place < Math.min(count, METERS_MAX); place += 1) meters.push(new Map())
  }
  for (const { field, hits, trust } of found) {
    const given = hitsOfMeters(hits, meters.length)
    for (const [place, meter] of meters.entries()) {
      const hit = given[place]
      if (hit !== undefined) put(meter, field, hit, trust)
    }
  }
}

/** The places of meter numbers were learned because meters were missed or invented: there are as many meters as numbers. */
function byNumbers(meters: MeterValues[], hits: readonly Hit[]): void {
  const numbers = [...new Set(hits.map((hit) => lettersAndDigits(hit.printed.value)))]
  if (numbers.length === 0 || numbers.length === meters.length) return
  const numberOf = (meter: MeterValues): string => lettersAndDigits(meter.get('meter_number')?.value ?? '')
  const kept = numbers.slice(0, METERS_MAX).map((number): MeterValues => meters.find((meter) => numberOf(meter) === number) ?? new Map())
  meters.splice(0, meters.length, ...kept)
}

interface Found {
  readonly field: ReadMeterField
  readonly hits: readonly Hit[]
  readonly trust: number
}

/** Returns the hits of word rules before place rules, the most certain first, among those that give anything here. */
function bestHits(field: ReadMeterField, rules: readonly LearnedMeterRule[], sheets: readonly Sheet[]): Found[] {
  const found = rules
    .map((rule) => ({ field, hits: ruleHits(rule, sheets), trust: rule.weight * (rule.spot === null ? BY_WORDS : BY_PLACE) }))
    .filter(({ hits }) => hits.length > 0)
    .toSorted((a, b) => b.trust - a.trust)
  return found.slice(0, 1)
}

export function ruleHits({ field, phrase, spot }: LearnedMeterRule, sheets: readonly Sheet[]): Hit[] {
  const kind = kindOfMeterField(field)
  if (spot === null) return isAnchor(phrase) ? anchorHits(phrase, kind, sheets) : []
  const hit = valueAt(spot, kind, sheets)
  return hit === null ? [] : [hit]
}

/** Returns one value for each meter: as many as there are meters, or one that all share. Empty if the values cannot be assigned. */
export function hitsOfMeters(hits: readonly Hit[], count: number): readonly Hit[] {
  const [first] = hits
  if (first === undefined) return []
  if (hits.every((hit) => hit.printed.value === first.printed.value)) return Array.from({ length: count }, () => first)
  if (hits.length === count || count === 1) return hits.slice(0, count)
  // A summary may print each of them again.
  const once = hits.filter((hit, place) => hits.findIndex((other) => other.printed.value === hit.printed.value) === place)
  return once.length === count ? once : []
}

/** A reading that is printed as a subtrahend has a minus sign. */
export function hitValue(field: ReadMeterField, hit: Hit): string {
  return kindOfMeterField(field) === 'number' ? hit.printed.value.replace(/^-/, '') : hit.printed.value
}

function put(meter: MeterValues, field: ReadMeterField, hit: Hit, trust: number): void {
  const { tokens } = hit.printed
  const confidence = trust * (0.6 + 0.4 * Math.min(1, ...tokens.map((token) => token.confidence)))
  meter.set(field, {
    field,
    value: hitValue(field, hit),
    printed: textOf(tokens),
    confidence,
    place: placeOf(tokens, hit.sheet),
    phrase: '',
  })
}
