/** Turns the meters of a statement into the service lines of a bill, and into the services that the account needs for them. */
import { compareDecimals, roundTo, sumDecimals, USAGE_SCALE } from '../kernel/decimal.ts'
import { centsOf, sumMoney } from '../kernel/money.ts'
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

export interface NamedValue {
  readonly name: string
  readonly value: string
}

/** A service line of the draft. The service is found by `utility_service` and `meter_number` together: water and sewer share meters. */
export interface RetrievedLine {
  readonly utility_service: string
  readonly meter_number: string
  readonly metered: boolean
  readonly previous_read_date: string | null
  readonly read_date: string | null
  readonly previous_reading: string | null
  readonly meter_reading: string | null
  readonly multiplier: string | null
  /** Three decimals; null if a numbered meter shows none, which makes the bill a draft. */
  readonly usage: string | null
  /** Null for `Undefined`: kept on the line, never added to others. */
  readonly unit: string | null
  readonly estimated: boolean
  readonly notes: string | null
  /** Always Utility Charges; the others if they are not zero. */
  readonly entry_fields: readonly NamedValue[]
  readonly usage_factors: readonly NamedValue[]
}

/** A service that the account must have before the bill can be saved. */
export interface NeededService {
  readonly utility_service: string
  readonly meter_number: string
  readonly metered: boolean
  readonly unit: string | null
  readonly rate_schedule: string | null
  /** The utility's name for it, if our service is the wider one: irrigation is Water. */
  readonly service_name_1: string | null
  readonly entry_fields: readonly string[]
  readonly usage_factors: readonly string[]
  readonly supply: boolean
}

/** Returns one line for each meter, period and unit, and the distinct services behind them. */
export function retrievedLines(meters: readonly Meter[], accountNumber: string): { lines: RetrievedLine[]; services: NeededService[] } {
  const numbered = meters.map((meter) => numberedMeter(meter, accountNumber))
  return { lines: mergedMeters(numbered).map(lineOf), services: neededServices(numbered) }
}

const entryFields = [
  ['Utility Charges', 'utility_charges'],
  ['Utility Taxes', 'utility_taxes'],
  ['Supply Charges', 'supply_charges'],
  ['Supply Taxes', 'supply_taxes'],
  ['Other Charge', 'other_charge'],
  ['REC Charge', 'rec_charge'],
] as const

const usageFactors = [
  ['Therm Factor', 'therm_factor'],
  ['Adjustment Factor', 'adjustment_factor'],
  ['Demand', 'demand'],
  ['KW Actual', 'kw_actual'],
  ['KW Billed', 'kw_billed'],
  ['Power Factor', 'power_factor'],
] as const

/** Returns all amounts of a meter, as wire text. */
export function chargesOf(meter: Meter): string[] {
  return entryFields.map(([, key]) => meter[key])
}

/** Returns the meter with its usage only, for amounts that are charged elsewhere. */
export function withoutCharges(meter: Meter): Meter {
  return { ...meter, ...Object.fromEntries(entryFields.map(([, key]) => [key, '0.00'])) }
}

interface NumberedMeter extends Meter {
  utility_service: string
  metered: boolean
}

/** A meter without a number is identified by its account and commodity. Without a number and a usage it is not metered. */
function numberedMeter(meter: Meter, accountNumber: string): NumberedMeter {
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
function mergedMeters(meters: readonly NumberedMeter[]): NumberedMeter[] {
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

function lineOf(meter: NumberedMeter): RetrievedLine {
  return {
    utility_service: meter.utility_service,
    meter_number: meter.meter_number,
    metered: meter.metered,
    previous_read_date: meter.previous_read_date,
    read_date: meter.read_date,
    previous_reading: meter.previous_reading,
    meter_reading: meter.meter_reading,
    multiplier: meter.multiplier,
    usage: meter.usage === null ? null : roundTo(meter.usage, USAGE_SCALE),
    unit: meter.unit,
    estimated: meter.estimated,
    notes: meter.notes,
    entry_fields: entryFields.flatMap(([name, key]) =>
      key === 'utility_charges' || centsOf(meter[key]) !== 0 ? [{ name, value: meter[key] }] : [],
    ),
    usage_factors: factorsOf(meter),
  }
}

function factorsOf(meter: NumberedMeter): NamedValue[] {
  return usageFactors.flatMap(([name, key]) => {
    const value = meter[key]
    return value === null ? [] : [{ name, value: roundTo(value, 4) }]
  })
}

/** Returns the distinct services behind the lines, each with every field that any of its lines has. */
function neededServices(meters: readonly NumberedMeter[]): NeededService[] {
  const byService = Map.groupBy(meters, (meter) => `${meter.utility_service}\n${meter.meter_number}`)
  return [...byService.values()].flatMap((ofService) => {
    const [first] = ofService
    if (first === undefined) return []
    const lines = ofService.map(lineOf)
    return [
      {
        utility_service: first.utility_service,
        meter_number: first.meter_number,
        metered: ofService.some((meter) => meter.metered),
        unit: ofService.find((meter) => meter.unit !== null)?.unit ?? null,
        rate_schedule: ofService.find((meter) => meter.rate_schedule !== null)?.rate_schedule ?? null,
        service_name_1: first.commodity === 'irrigation' ? 'Irrigation' : first.commodity === 'sanitation' ? 'Sanitation' : null,
        entry_fields: unique(lines.flatMap((line) => line.entry_fields)),
        usage_factors: unique(lines.flatMap((line) => line.usage_factors)),
        supply: ofService.some((meter) => centsOf(meter.supply_charges) !== 0),
      },
    ]
  })
}

function unique(values: readonly NamedValue[]): string[] {
  return [...new Set(values.map((value) => value.name))]
}
