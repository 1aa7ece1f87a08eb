/**
 * Rates the confidence of meter values. A heading alone proves nothing: readings and usage confirm each other if they add up, a sum of
 * charges confirms its parts, and a value in a row that adds up is in its own column.
 */
import { compareMoney, sumMoney } from '#contract/kernel/money.ts'
import type { ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { compareDecimals, dividedBy, isZero, minus, usageOf } from '#contract/kernel/decimal.ts'
import { UNSURE } from './judge-dates.ts'
import type { Sheet } from './page-lines.ts'
import { areLettersSure, lettersAt } from './letters-at.ts'
import type { ChosenField } from './choose-values.ts'
import type { MeterValue, MeterValues } from './read-meters.ts'
import { fitsSeparators } from './separators.ts'

const SURE = 0.97
const IN_ROW = 0.9
/** A figure that words or its column name, though its letters are poorly recognised. */
const LIKELY = 0.6
/** A value that words name, in contrast to one that is only nearby. */
const NAMED = 0.71
const counted = ['previous_reading', 'meter_reading', 'usage'] as const
/** A value that follows from other values, but is not printed. */
const COMPUTED = 0.6

/** Changes the meters in place. */
export function judgeMeters(meters: readonly MeterValues[], fields: readonly ChosenField[], sheets: readonly Sheet[]): void {
  for (const meter of meters) judgeMeter(meter, sheets)
  judgeCharges(meters, fields)
}

function judgeMeter(meter: MeterValues, sheets: readonly Sheet[]): void {
  addFactor(meter)
  const adds = addsUp(meter)
  const isSure = adds && fitsSeparators(meter) && counted.every((field) => (meter.get(field)?.confidence ?? 0) >= LIKELY)
  const put = (field: ReadMeterField, confidence: (value: MeterValue) => number): void => {
    const value = meter.get(field)
    if (value !== undefined) meter.set(field, { ...value, confidence: confidence(value) })
  }
  for (const field of ['previous_reading', 'meter_reading', 'usage', 'multiplier'] as const)
    put(field, ({ confidence, place }) => (isSure && place !== null ? SURE : Math.min(confidence, adds ? UNSURE : UNSURE * confidence)))
  const inRow = ({ confidence, place }: MeterValue): number =>
    isSure && confidence >= NAMED && areLettersSure(lettersAt(sheets, place)) ? Math.max(confidence, IN_ROW) : Math.min(confidence, UNSURE)
  for (const field of ['unit', 'estimated', 'meter_number'] as const) put(field, inRow)
  for (const field of ['previous_read_date', 'read_date'] as const)
    put(field, ({ confidence, place }) =>
      confidence >= NAMED && areLettersSure(lettersAt(sheets, place)) ? Math.max(confidence, IN_ROW) : Math.min(confidence, UNSURE),
    )
}

/** Returns true if both readings and the usage are printed and add up. */
export function addsUp(meter: MeterValues): boolean {
  const [before, after, usage] = [meter.get('previous_reading'), meter.get('meter_reading'), meter.get('usage')]
  if (before === undefined || after === undefined || usage === undefined) return false
  const factor = meter.get('multiplier')
  if (factor !== undefined && factor.place === null) return false
  return (
    [before, after, usage].every((one) => one.place !== null) &&
    compareDecimals(usageOf(after.value, before.value, factor?.value ?? '1'), usage.value) === 0
  )
}

/** Largest integer multiplier of a meter; a multiplier of 1 is not stated. */
const FACTOR_MAX = 20_000

/** Adds the multiplier that yields the usage from the readings, if no printed one was found. */
function addFactor(meter: MeterValues): void {
  const [before, after, usage] = [meter.get('previous_reading'), meter.get('meter_reading'), meter.get('usage')]
  if (before === undefined || after === undefined || usage === undefined || meter.has('multiplier')) return
  const factor = impliedFactor(before, after, usage)
  if (factor !== null) meter.set('multiplier', factor)
}

function impliedFactor(before: MeterValue, after: MeterValue, usage: MeterValue): MeterValue | null {
  const difference = minus(after.value, before.value)
  const factor = isZero(difference) ? null : dividedBy(usage.value, difference, 4)
  if (factor === null || !/^\d+(\.0+)?$/.test(factor)) return null
  const whole = factor.replace(/\.0+$/, '')
  if (Number(whole) < 2 || Number(whole) > FACTOR_MAX) return null
  return { field: 'multiplier', value: whole, printed: '', confidence: COMPUTED, place: null, phrase: '' }
}

/** Charges are certain if those of all meters add up to the current charges, and every meter is confirmed to be one. */
function judgeCharges(meters: readonly MeterValues[], fields: readonly ChosenField[]): void {
  const current = fields.find(({ field }) => field === 'current_charges')
  const charges = meters
    .flatMap((meter) => [meter.get('utility_charges'), meter.get('supply_charges')])
    .filter((part) => part !== undefined)
  const isWhole =
    current !== undefined &&
    current.confidence >= IN_ROW &&
    // A charge that was computed as the remainder always completes the sum.
    charges.every((part) => part.place !== null) &&
    meters.every((meter) => meter.has('utility_charges') && (meter.get('usage')?.confidence ?? 0) >= IN_ROW) &&
    compareMoney(sumMoney(charges.map((part) => part.value)), current.value) === 0
  for (const meter of meters)
    for (const field of ['utility_charges', 'supply_charges'] as const) {
      const value = meter.get(field)
      if (value === undefined) continue
      const isSure = isWhole && value.place !== null
      meter.set(field, { ...value, confidence: isSure ? IN_ROW : Math.min(value.confidence, UNSURE) })
    }
}
