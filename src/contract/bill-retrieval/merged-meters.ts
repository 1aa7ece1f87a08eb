/** Meters that a statement prints more than once, merged into one line each. */
import { compareDecimals, sumDecimals } from '../kernel/decimal.ts'
import { sumMoney } from '../kernel/money.ts'
import type { Commodity, Meter } from './statement.ts'

/** The utility services of the reference data, by name. */
export const serviceOfCommodity: Readonly<Record<Commodity, string>> = {
  electric: 'Electric',
  natural_gas: 'Natural Gas',
  water: 'Water',
  irrigation: 'Water',
  sewer: 'Sewer',
  sanitation: 'Waste',
}

export const entryFields = [
  ['Utility Charges', 'utility_charges'],
  ['Utility Taxes', 'utility_taxes'],
  ['Supply Charges', 'supply_charges'],
  ['Supply Taxes', 'supply_taxes'],
  ['Other Charge', 'other_charge'],
  ['REC Charge', 'rec_charge'],
] as const

export const usageFactors = [
  ['Therm Factor', 'therm_factor'],
  ['Adjustment Factor', 'adjustment_factor'],
  ['Demand', 'demand'],
  ['KW Actual', 'kw_actual'],
  ['KW Billed', 'kw_billed'],
  ['Power Factor', 'power_factor'],
] as const

export interface NumberedMeter extends Meter {
  utility_service: string
  metered: boolean
}

/** A meter without a number is identified by its account and commodity. Without a number and a usage it is not metered. */
export function numberedMeter(meter: Meter, accountNumber: string): NumberedMeter {
  const isNumbered = meter.meter_number !== ''
  const metered = isNumbered || meter.usage !== null
  return {
    ...meter,
    meter_number: isNumbered ? meter.meter_number : `${accountNumber}-${meter.commodity}`,
    utility_service: serviceOfCommodity[meter.commodity],
    metered,
    usage: metered ? meter.usage : '0',
  }
}

/** Registers of one meter in one period and one unit become one line: two lines of one period would look like double billing. */
export function mergedMeters(meters: readonly NumberedMeter[]): NumberedMeter[] {
  const lines: NumberedMeter[] = []
  for (const meter of meters) {
    const place = lines.findIndex((line) => isSameLine(line, meter))
    const known = lines[place]
    if (known) lines[place] = mergeOf(known, meter)
    else lines.push(meter)
  }
  return lines
}

/** Usages in two units, or in an unknown one, are never added; a meter without usage joins any line of its meter and period. */
function isSameLine(a: NumberedMeter, b: NumberedMeter): boolean {
  const isSameMeter = a.utility_service === b.utility_service && a.meter_number === b.meter_number
  const isSamePeriod = a.previous_read_date === b.previous_read_date && a.read_date === b.read_date
  if (!isSameMeter || !isSamePeriod) return false
  return measured(a) === null || measured(b) === null || (a.unit !== null && a.unit === b.unit)
}

function measured(meter: NumberedMeter): string | null {
  return meter.metered ? meter.usage : null
}

/** Charges and usages add up, and the higher peak counts; readings of two registers do not fit in one line, so they are dropped. */
function mergeOf(a: NumberedMeter, b: NumberedMeter): NumberedMeter {
  const usages = [measured(a), measured(b)].filter((usage) => usage !== null)
  return {
    ...a,
    ...Object.fromEntries(entryFields.map(([, key]) => [key, sumMoney([a[key], b[key]])])),
    ...Object.fromEntries(usageFactors.map(([, key]) => [key, a[key] ?? b[key]])),
    demand: higherOf(a.demand, b.demand),
    previous_reading: null,
    meter_reading: null,
    usage: usages.length > 0 ? sumDecimals(usages) : a.metered || b.metered ? null : '0',
    unit: a.unit ?? b.unit,
    metered: a.metered || b.metered,
    estimated: a.estimated || b.estimated,
    rate_schedule: a.rate_schedule ?? b.rate_schedule,
    notes:
      [a.notes, b.notes, usages.length > 1 ? 'Usage of more than one register, added up.' : null]
        .filter((note) => note !== null)
        .join(' ') || null,
  }
}

function higherOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return compareDecimals(a, b) >= 0 ? a : b
}
