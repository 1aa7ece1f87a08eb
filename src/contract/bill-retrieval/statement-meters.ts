/** The meters of a statement's file. */
import { z } from 'zod'
import { allocate, centsOf, sumCents, wireOf } from '../kernel/money.ts'
import { dividedBy, unitsOf } from '../kernel/decimal.ts'
import { daysBetween } from '../kernel/date.ts'
import { highestDemand, usagePeriods, type UsagePeriod } from './printed-usage.ts'
import { CHARGE_LINES_MAX, commodities, type Meter } from './statement.ts'

export const money = z.string().regex(/^-?\d{1,12}\.\d{2}$/)
const quantity = z.string().regex(/^-?\d{1,15}(\.\d{1,9})?$/)

/** Values that are compared but never used in arithmetic: some rates went through a binary float and have fifty decimals. */
const evidence = z
  .string()
  .max(100)
  .regex(/^-?\d+(\.\d+)?$/)

export const fileCharge = z.object({
  name: z.string(),
  amount: money,
  adjustment: z.boolean(),
  supplier: z.string().nullable(),
  units: evidence.nullable(),
  unit: z.string().nullable(),
  rate: evidence.nullable(),
})
export type FileCharge = z.infer<typeof fileCharge>

const fileUsage = z.object({
  kind: z.string().nullable(),
  component: z.string().nullable(),
  unit: z.string().nullable(),
  amount: quantity,
  start: z.iso.date().nullable(),
  end: z.iso.date().nullable(),
})

export const fileMeter = z.object({
  meter_number: z.string(),
  service: z.enum(commodities),
  tariff: z.string().nullable(),
  interval_start: z.iso.date().nullable(),
  interval_end: z.iso.date().nullable(),
  usages: z.array(fileUsage).max(CHARGE_LINES_MAX),
  charges: z.array(fileCharge).max(CHARGE_LINES_MAX),
})
export type FileMeter = z.infer<typeof fileMeter>

/** Recognises a tax by its name. "Deferred federal income tax" and the tax-reform credits are tariff riders that only mention one. */
export function isTaxName(name: string): boolean {
  const mentionsTax = /\btax(es)?\b|\bsurtax\b|\butility users?\b/i.test(name)
  return mentionsTax && !/\bdeferred\b|\btax (act|cuts?|reform)\b/i.test(name)
}

/** One entry of the file is one meter in one period, or in several if the utility caught up. */
export function metersOf(file: FileMeter, ofAccount: { start: string | null; end: string | null }): Meter[] {
  const interval = { start: file.interval_start ?? ofAccount.start, end: file.interval_end ?? ofAccount.end }
  const quantities = file.charges.flatMap((charge) => (charge.units === null ? [] : [charge.units]))
  const periods = usagePeriods(file.usages, interval, quantities)
  const weights = spreadWeights(periods)
  const shares = chargeFields.map((field) =>
    allocate(sumCents(file.charges.filter((charge) => fieldOf(charge) === field).map((charge) => centsOf(charge.amount))), weights),
  )
  return periods.map((period, place) => ({
    ...emptyMeter,
    ...period,
    meter_number: file.meter_number.trim(),
    commodity: file.service,
    rate_schedule: file.tariff === 'unknown_tariff' ? null : file.tariff,
    ...Object.fromEntries(chargeFields.map((field, column) => [field, wireOf(shares[column]?.[place] ?? 0)])),
    demand: highestDemand(file.usages.filter((usage) => isWithin(usage, period))) ?? highestDemand(file.usages),
    power_factor: powerFactorOf(file.charges),
    notes:
      periods.length > 1 ? `One of ${periods.length} periods that the statement bills together; its charges are spread by usage.` : null,
  }))
}

const chargeFields = ['utility_charges', 'utility_taxes', 'supply_charges', 'supply_taxes'] as const

const emptyMeter = {
  previous_reading: null,
  meter_reading: null,
  multiplier: null,
  estimated: false,
  utility_charges: '0.00',
  utility_taxes: '0.00',
  supply_charges: '0.00',
  supply_taxes: '0.00',
  other_charge: '0.00',
  rec_charge: '0.00',
  therm_factor: null,
  adjustment_factor: null,
  kw_actual: null,
  kw_billed: null,
} as const

function fieldOf(charge: FileCharge): (typeof chargeFields)[number] {
  if (charge.supplier === null) return isTaxName(charge.name) ? 'utility_taxes' : 'utility_charges'
  return isTaxName(charge.name) ? 'supply_taxes' : 'supply_charges'
}

/** Returns weights by usage in thousandths; by days if a usage is missing or negative, since weights must not be. */
function spreadWeights(periods: readonly UsagePeriod[]): bigint[] {
  const usages = periods.map((period) => (period.usage === null ? -1n : unitsOf(period.usage, 3)))
  if (usages.every((usage) => usage >= 0n)) return usages
  return periods.map(({ previous_read_date: start, read_date: end }) =>
    start === null || end === null ? 1n : BigInt(Math.max(1, daysBetween(start, end))),
  )
}

function isWithin(usage: { start: string | null; end: string | null }, period: UsagePeriod): boolean {
  if (usage.start === null || usage.end === null || period.previous_read_date === null || period.read_date === null) return false
  return usage.start >= period.previous_read_date && usage.end <= period.read_date
}

/** Utilities print it only inside a charge's name: "Power Factor Adjustment (@ 97.00% Power Factor)". The lowest one counts. */
function powerFactorOf(charges: readonly FileCharge[]): string | null {
  const percents = charges.flatMap((charge) => /(\d{1,3}(?:\.\d{1,4})?)% power factor/i.exec(charge.name)?.[1] ?? [])
  const lowest = percents.toSorted((a, b) => Number(a) - Number(b))[0]
  return lowest === undefined ? null : dividedBy(lowest, '100', 4)
}
