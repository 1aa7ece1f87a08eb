/**
 * The totals of a bill, the same in the form, on the server and in every report. Amounts come in as wire text and are added as whole cents.
 * Nothing here decides whether a total is right: the audits do.
 */
import { type CalendarDate, daysBetween, isCalendarDate } from '../kernel/date.ts'
import { compareDecimals, isDecimal, isZero, roundTo, sumDecimals, times, USAGE_SCALE, usageOf } from '../kernel/decimal.ts'
import { type Cents, centsOf, centsOrZero, sumCents, sumMoney, wireOf } from '../kernel/money.ts'

export interface BillParts {
  readonly balance_forward: string | null
  readonly current_charges: string | null
  readonly late_fee: string | null
}

/** The category of an entry field: delivery by the utility, energy from a supplier, or anything else. */
export type ChargeCategory = 'utility' | 'supply' | 'other'

export interface EntryValue {
  readonly name: string
  readonly value: string | null
  /** Given by the entry field; otherwise the six known names decide and any other name is `other`. */
  readonly category?: ChargeCategory
  readonly is_tax?: boolean
}

export interface FactorValue {
  readonly name: string
  readonly value: string | null
  readonly adjustment_factor: boolean
}

export interface LineCharges {
  readonly service_bill_entry_fields: readonly EntryValue[]
  /** Keyed with four decimals; each counts as money, rounded half away from zero to the cent. */
  readonly service_bill_additional_entry_fields: readonly { readonly name: string; readonly value: string | null }[]
}

export interface LineUsage {
  readonly usage: string | null
  readonly service_bill_usage_factors: readonly FactorValue[]
}

export interface BillCharges extends BillParts {
  readonly service_bills: readonly LineCharges[]
  /** Account-level charge lines that belong to no meter. */
  readonly bill_charges: readonly { readonly amount: string | null }[]
}

export interface ChargeSplit {
  readonly utility: Cents
  readonly supply: Cents
  readonly other: Cents
}

export const THERM_FACTOR = 'Therm Factor'
/** Decimal places of usage in the standard unit. */
export const STANDARD_USAGE_SCALE = 6
const NO_ADJUSTMENT = '1'

const KNOWN_FIELDS: ReadonlyMap<string, { category: ChargeCategory; is_tax: boolean }> = new Map([
  ['Utility Charges', { category: 'utility', is_tax: false }],
  ['Utility Taxes', { category: 'utility', is_tax: true }],
  ['Supply Charges', { category: 'supply', is_tax: false }],
  ['Supply Taxes', { category: 'supply', is_tax: true }],
])

/** Returns balance forward plus current charges plus late fee; an empty part counts as zero. */
export function amountDue(bill: BillParts): string {
  return sumMoney([bill.balance_forward, bill.current_charges, bill.late_fee])
}

/** Returns the cents by which the stated amount due exceeds the sum of its parts; 0 if the header adds up. */
export function headerDifference(bill: BillParts & { readonly amount_due: string }): Cents {
  return centsOf(bill.amount_due) - centsOf(amountDue(bill))
}

/** Returns the total of a line: its entry fields and its additional entry fields. */
export function lineCharge(line: LineCharges): Cents {
  const { utility, supply, other } = chargeSplit(line)
  return utility + supply + other
}

/** Returns the amounts of a line by category. Additional entry fields are `other`, as are fields with an unknown name. */
export function chargeSplit(line: LineCharges): ChargeSplit {
  const sums = { utility: 0, supply: 0, other: 0 }
  for (const field of line.service_bill_entry_fields) sums[categoryOf(field)] += centsOrZero(field.value)
  for (const field of line.service_bill_additional_entry_fields) sums.other += field.value ? centsOf(roundTo(field.value, 2)) : 0
  return sums
}

/** Returns the taxes among a line's entry fields. */
export function lineTaxes(line: LineCharges): Cents {
  return sumCents(line.service_bill_entry_fields.filter(isTax).map((field) => centsOrZero(field.value)))
}

/** True if at least one charge of the bill is filled, on a line or on the account. */
export function hasCharges(bill: BillCharges): boolean {
  const values = bill.service_bills.flatMap((line) =>
    [...line.service_bill_entry_fields, ...line.service_bill_additional_entry_fields].map((field) => field.value),
  )
  return [...values, ...bill.bill_charges.map((charge) => charge.amount)].some((value) => value !== null && value !== '')
}

/** True if the bill has charges, but neither a line nor an account-level charge has an amount. */
export function lacksCharges(bill: BillCharges): boolean {
  if (centsOrZero(bill.current_charges) === 0) return false
  const amounts = bill.service_bills.flatMap((line) =>
    [...line.service_bill_entry_fields, ...line.service_bill_additional_entry_fields].map(({ value }) => value),
  )
  return [...amounts, ...bill.bill_charges.map(({ amount }) => amount)].every((value) => value === null || value === '' || isZero(value))
}

/** Returns the sum of all lines, without account-level charges. */
export function linesTotal(bill: BillCharges): Cents {
  return sumCents(bill.service_bills.map(lineCharge))
}

/** Returns the cents by which lines and account-level charges together exceed the current charges; 0 if they add up. */
export function linesDifference(bill: BillCharges): Cents {
  return linesTotal(bill) + sumCents(bill.bill_charges.map((charge) => centsOrZero(charge.amount))) - centsOrZero(bill.current_charges)
}

/** Returns the account's charges outside its lines: current charges plus late fee minus the lines. They are spread over the lines as cost. */
export function residualCharge(bill: BillCharges): Cents {
  return centsOrZero(bill.current_charges) + centsOrZero(bill.late_fee) - linesTotal(bill)
}

/** Returns the cost of the bill: current charges plus late fee. An earlier balance was the cost of an earlier bill. */
export function billCost(bill: BillParts): string {
  return wireOf(centsOrZero(bill.current_charges) + centsOrZero(bill.late_fee))
}

export interface UsageTotal {
  /** The utility service; null for lines of services without one. */
  readonly service: string | null
  /** The billed unit; null if the lines have none. */
  readonly unit: string | null
  /** 3 decimals. */
  readonly usage: string
}

/**
 * Returns the usage of a bill by utility service and billed unit. Sewer measured by the water meter is no second use of water, and energy and
 * demand of one meter cannot be added. Lines without usage give a separate total only if their service has no other.
 */
export function usageTotals(
  lines: readonly {
    readonly usage: string | null
    readonly unit_symbol: string | null
    readonly raw_unit: string | null
    readonly service_utility_service_name: string | null
  }[],
): UsageTotal[] {
  const used = lines.flatMap((line) =>
    line.usage === null || line.usage === ''
      ? []
      : [{ service: line.service_utility_service_name, unit: line.unit_symbol ?? line.raw_unit, usage: line.usage }],
  )
  const told = used.filter(
    (line) => !isZero(line.usage) || used.find((other) => other.service === line.service && !isZero(other.usage)) === undefined,
  )
  return [...Map.groupBy(told, ({ service, unit }) => JSON.stringify([service, unit])).values()].flatMap((own) => {
    const [first] = own
    return first ? [{ ...first, usage: roundTo(sumDecimals(own.map((line) => line.usage)), USAGE_SCALE) }] : []
  })
}

/** Returns the usage of the whole bill with 3 decimals; null if it has none, or several totals that cannot be added. */
export function totalUsage(totals: readonly UsageTotal[]): string | null {
  const [only] = totals
  return only && totals.length === 1 ? only.usage : null
}

/** Returns the days of a line: read date minus previous read date, without the end day. Null if a date is missing or invalid. */
export function numberOfDays(line: {
  readonly previous_read_date: CalendarDate | null
  readonly read_date: CalendarDate | null
}): number | null {
  const { previous_read_date, read_date } = line
  if (!previous_read_date || !read_date || !isCalendarDate(previous_read_date) || !isCalendarDate(read_date)) return null
  return daysBetween(previous_read_date, read_date)
}

/** Returns (reading − previous reading) × multiplier with 3 decimals; null if a reading is missing. A missing multiplier is 1. */
export function derivedUsage(line: {
  readonly previous_reading: string | null
  readonly meter_reading: string | null
  readonly multiplier: string | null
}): string | null {
  const { previous_reading, meter_reading, multiplier } = line
  if (!previous_reading || !meter_reading || !isDecimal(previous_reading) || !isDecimal(meter_reading)) return null
  return usageOf(meter_reading, previous_reading, multiplier)
}

/**
 * Returns usage in the standard unit of the utility service with 6 decimals: usage × the adjustment factors × the conversion factor of its unit.
 * A billed therm factor is the therms of one unit in that month and replaces the conversion; at 1, its default, none was billed. Null if there
 * is no usage or no conversion (demand, reactive power, an unknown unit).
 */
export function adjustedStandardUsage(line: LineUsage, conversionFactor: string | null): string | null {
  if (!line.usage || conversionFactor === null) return null
  const factors = line.service_bill_usage_factors.filter((factor) => factor.adjustment_factor && factor.value)
  const isBilledTherm = (factor: FactorValue): boolean =>
    factor.name === THERM_FACTOR && compareDecimals(factor.value ?? NO_ADJUSTMENT, NO_ADJUSTMENT) !== 0
  const conversion = factors.some(isBilledTherm) ? NO_ADJUSTMENT : conversionFactor
  const adjusted = factors.reduce((usage, factor) => times(usage, factor.value ?? NO_ADJUSTMENT), line.usage)
  return roundTo(times(adjusted, conversion), STANDARD_USAGE_SCALE)
}

function categoryOf(field: EntryValue): ChargeCategory {
  return field.category ?? KNOWN_FIELDS.get(field.name)?.category ?? 'other'
}

function isTax(field: EntryValue): boolean {
  return field.is_tax ?? KNOWN_FIELDS.get(field.name)?.is_tax ?? false
}
