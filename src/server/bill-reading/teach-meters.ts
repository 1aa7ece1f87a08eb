/** Lessons of one confirmed bill about its meters: headings, words in sentences, and places. */
import type { ConfirmedReading, ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { columnPhrases } from './column-phrases.ts'
import { fixedPhrase } from './fixed-words.ts'
import { hitsOfMeters, hitValue, ruleHits } from './learned-meters.ts'
import { spotOf, taughtMeterFields, type LayoutRule } from './layout-rules.ts'
import { anchorHits, anchorsOf, isAnchor, valuesOn, type Hit } from './line-items.ts'
import type { Sheet } from './page-lines.ts'
import type { MeterValues } from './read-meters.ts'
import { isSameValue, kindOfMeterField } from './same-value.ts'
import { none, placeVotes, type Vote } from './vote.ts'

type ConfirmedMeters = ConfirmedReading['meters']

/** @param meters as they are read with the rules */
export function meterVotes(
  meters: readonly MeterValues[],
  sheets: readonly Sheet[],
  confirmed: ConfirmedReading,
  rules: readonly LayoutRule[],
): Vote[] {
  // If meters were missed or invented, the order of the others is unreliable too: all is taught.
  const isCounted = meters.length === confirmed.meters.length
  const missing = new Set<ReadMeterField>(isCounted ? [] : taughtMeterFields)
  const votes: Vote[] = []
  for (const [place, meter] of confirmed.meters.entries()) {
    const read =
      meters.find((one) => isSameValue('identifier', one.get('meter_number')?.value ?? '', meter.meter_number ?? '-')) ??
      (isCounted ? meters[place] : undefined)
    votes.push(...noSupply(read, meter.supply_charges))
    for (const field of taughtMeterFields) {
      const value = meter[field]
      if (value === null || value === undefined || value === '') continue
      const got = read?.get(field)
      const isRight = got !== undefined && isSameValue(kindOfMeterField(field), got.value, value)
      const isOurs = got !== undefined && rules.some((rule) => rule.relation === 'column' && rule.phrase === got.phrase)
      if (isOurs) votes.push({ field, relation: 'column', phrase: got.phrase, ...none, isRight })
      if (isRight && got.place !== null) continue
      missing.add(field)
      const others = taughtMeterFields.flatMap((other) => (other === field ? [] : (meter[other] ?? [])))
      for (const phrase of columnPhrases(sheets, kindOfMeterField(field), value, others))
        votes.push({ field, relation: 'column', phrase, ...none, isRight: true })
    }
  }
  const taught = [...missing].flatMap((field) => anchorVotes(sheets, confirmed.meters, field))
  return [...votes, ...taught, ...rules.flatMap((rule) => knownVote(sheets, confirmed.meters, rule))]
}

/** If the bill was saved without a supply, a line that was taken for the supply's is one of the utility's own. */
function noSupply(read: MeterValues | undefined, confirmed: string | null | undefined): Vote[] {
  const phrase = read?.get('supply_charges')?.phrase ?? ''
  const isNone = confirmed === null || confirmed === undefined || confirmed === '' || confirmed === '0.00'
  return isNone && phrase !== '' && fixedPhrase(phrase.split(' ')) !== ''
    ? [{ field: 'supply_charges', relation: 'label', phrase, ...none, isRight: false }]
    : []
}

/** Returns the confirmed values of a field, one per meter; null if a meter has none. */
function wantedOf(meters: ConfirmedMeters, field: ReadMeterField): readonly string[] | null {
  const wanted = meters.flatMap((meter) => meter[field] ?? [])
  return wanted.length === meters.length && wanted.length > 0 ? wanted : null
}

function areRight(hits: readonly Hit[], field: ReadMeterField, wanted: readonly string[]): boolean {
  const given = hitsOfMeters(hits, wanted.length)
  return given.length > 0 && wanted.every((value, place) => given[place] !== undefined && isSame(field, given[place], value))
}

const isSame = (field: ReadMeterField, hit: Hit, value: string): boolean =>
  isSameValue(kindOfMeterField(field), hitValue(field, hit), value)

/**
 * Returns the words that lead to this field's values and to nothing else; without such words, and for a single meter, the places of its
 * value.
 */
function anchorVotes(sheets: readonly Sheet[], meters: ConfirmedMeters, field: ReadMeterField): Vote[] {
  const wanted = wantedOf(meters, field)
  const [first] = wanted ?? []
  if (wanted === null || first === undefined) return []
  const kind = kindOfMeterField(field)
  const stands = valuesOn(sheets, kind).filter((hit) => isSame(field, hit, first))
  const leads = (phrase: string): boolean => {
    const hits = anchorHits(phrase, kind, sheets)
    const isOnly = hits.every((hit) => wanted.some((value) => isSame(field, hit, value)))
    return isOnly && areRight(hits, field, wanted)
  }
  const phrases = new Set(stands.flatMap((hit) => anchorsOf(hit).find(leads) ?? []))
  const words = [...phrases].map((phrase): Vote => ({ field, relation: 'label', phrase, ...none, isRight: true }))
  return words.length > 0 || wanted.length > 1 ? words : placeVotes(stands.slice(0, STANDS_MAX), field, sheets)
}

/** A small figure occurs in many places by chance. */
const STANDS_MAX = 2

/** Returns the vote of this bill on a rule about words or a place. */
function knownVote(sheets: readonly Sheet[], meters: ConfirmedMeters, rule: LayoutRule): Vote[] {
  const field = taughtMeterFields.find((one) => one === rule.field)
  const wanted = field === undefined ? null : wantedOf(meters, field)
  if (field === undefined || wanted === null || rule.relation === 'column') return []
  const { relation, phrase, page, x, y } = rule
  if (relation === 'label' && !isAnchor(phrase)) return []
  const hits = ruleHits({ field, phrase, spot: relation === 'place' ? spotOf(rule) : null, weight: 1 }, sheets)
  return hits.length === 0 ? [] : [{ field, relation, phrase, page, x, y, isRight: areRight(hits, field, wanted) }]
}
