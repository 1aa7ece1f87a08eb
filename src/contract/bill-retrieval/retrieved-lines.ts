/** Turns the meters of a statement into the service lines of a bill, and into the services that the account needs for them. */
import { roundTo, USAGE_SCALE } from '../kernel/decimal.ts'
import { centsOf } from '../kernel/money.ts'
import type { Meter } from './statement.ts'
import { numberedMeter, mergedMeters, entryFields, type NumberedMeter, usageFactors } from './merged-meters.ts'

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

/** Returns all amounts of a meter, as wire text. */
export function chargesOf(meter: Meter): string[] {
  return entryFields.map(([, key]) => meter[key])
}

/** Returns the meter with its usage only, for amounts that are charged elsewhere. */
export function withoutCharges(meter: Meter): Meter {
  return { ...meter, ...Object.fromEntries(entryFields.map(([, key]) => [key, '0.00'])) }
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
