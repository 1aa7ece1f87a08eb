/** Learned rules of a vendor's layout, and how the reader queries them. */
import { printedHeads } from '#contract/bills/bill-fields.ts'
import type { ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import type { SoughtField } from './label-words.ts'
import type { MeterColumn } from './meter-words.ts'
import { isAnchor } from './line-items.ts'
import { PLACE_OF_END, type LearnedPlace } from './read-heads.ts'
import type { Learned } from './read-words.ts'

export interface LayoutRule {
  readonly field: string
  readonly relation: 'label' | 'column' | 'place'
  readonly phrase: string
  readonly page: number
  readonly x: number
  readonly y: number
  readonly confirmed: number
  readonly corrected: number
}

export interface StoredLayout {
  readonly id: number
  readonly vendor_id: number
  readonly signature: readonly string[]
  readonly bills: number
  readonly rules: readonly LayoutRule[]
}

/** A rule applies while more bills confirmed than corrected it. */
export const holds = (rule: LayoutRule): boolean => rule.confirmed > rule.corrected

/** One bill is not enough to reject a label with a general meaning: its value may have been misread. */
const isRefuted = (rule: LayoutRule): boolean => rule.corrected > rule.confirmed + 1

/** Returns the probability that a rule with these confirmations is right: 0.83 after one bill, 0.94 after three. */
export function weightOf({ confirmed, corrected }: Pick<LayoutRule, 'confirmed' | 'corrected'>): number {
  return (confirmed + 0.25) / (confirmed + corrected * 2 + 0.45)
}

export function learnedOf(rules: readonly LayoutRule[]): Learned {
  const labels = rules.filter((rule) => rule.relation === 'label' && !isAnchor(rule.phrase))
  const columns = new Map(
    rules.filter((rule) => rule.relation === 'column' && holds(rule)).map((rule) => [rule.phrase, columnOfField(rule.field)]),
  )
  return {
    meanings: (phrase) =>
      labels.flatMap((rule) => {
        const field = headField(rule.field)
        return rule.phrase === phrase && field !== null && holds(rule) ? [{ field, weight: weightOf(rule) }] : []
      }),
    isRefuted: (phrase, field) => labels.some((rule) => rule.phrase === phrase && rule.field === field && isRefuted(rule)),
    isDoubted: (phrase, field) => labels.some((rule) => rule.phrase === phrase && rule.field === field && !holds(rule)),
    column: (phrase) => columns.get(phrase) ?? null,
    isNoSupply: (phrase) => labels.some((rule) => rule.field === 'supply_charges' && rule.phrase === phrase && !holds(rule)),
    anchors: rules.flatMap((rule) => {
      const field = headField(rule.field)
      return isAnchor(rule.phrase) && field !== null && holds(rule) ? [{ field, phrase: rule.phrase, weight: weightOf(rule) }] : []
    }),
    places: rules.flatMap((rule) => {
      const field = headField(rule.field)
      return rule.relation === 'place' && field !== null && holds(rule) ? [{ field, ...spotOf(rule), weight: weightOf(rule) }] : []
    }),
    meters: rules.flatMap((rule) => {
      const field = taughtMeterFields.find((one) => one === rule.field)
      if (field === undefined || !holds(rule) || rule.relation === 'column') return []
      return [{ field, phrase: rule.phrase, spot: rule.relation === 'place' ? spotOf(rule) : null, weight: weightOf(rule) }]
    }),
  }
}

/** Returns the position at which a place rule expects the value. */
export function spotOf({ page, x, y, phrase }: LayoutRule): Pick<LearnedPlace, 'page' | 'x' | 'y' | 'isEnd'> {
  return { page, x, y, isEnd: phrase === PLACE_OF_END }
}

const heads: readonly SoughtField[] = ['account_number', ...printedHeads]
const headField = (field: string): SoughtField | null => heads.find((one) => one === field) ?? null

const columns: Readonly<Partial<Record<string, MeterColumn>>> = {
  meter_number: 'meter_number',
  previous_read_date: 'previous_read_date',
  read_date: 'read_date',
  previous_reading: 'previous_reading',
  meter_reading: 'meter_reading',
  multiplier: 'multiplier',
  usage: 'usage',
  utility_charges: 'charges',
  supply_charges: 'supply',
}
const columnOfField = (field: string): MeterColumn | null => columns[field] ?? null

/** Fields of a meter that a layout can teach. */
export const taughtMeterFields: readonly ReadMeterField[] = [
  'meter_number',
  'previous_read_date',
  'read_date',
  'previous_reading',
  'meter_reading',
  'multiplier',
  'usage',
  'utility_charges',
  'supply_charges',
]
