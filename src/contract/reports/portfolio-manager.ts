/**
 * What ENERGY STAR Portfolio Manager accepts: the types of its meters, the units of each, and periods that follow on each other. The words are
 * those of its spreadsheets.
 */
import { daysBetween, type CalendarDate } from '../kernel/date.ts'
import { dividedBy } from '../kernel/decimal.ts'

interface MeterType {
  readonly type: string
  /** Its units by our symbols. */
  readonly units: Readonly<Record<string, string>>
  /** The fuel may come by delivery instead of through a meter. */
  readonly isDelivered?: true
}

const million = { MMBtu: 'MBtu/MMBtu (million Btu)' } as const
const cubicFeet = {
  CF: 'cf (cubic feet)',
  CCF: 'ccf (hundred cubic feet)',
  HCF: 'ccf (hundred cubic feet)',
} as const
const thousandFeet = { MCF: 'kcf (thousand cubic feet)' } as const
const gallons = { gal: 'Gallons (US)', L: 'Liters' } as const
const cubicMeters = { 'm³': 'cm (Cubic meters)' } as const

/** By the code of the utility service. What is not here is no meter of Portfolio Manager: sewer is part of the water, gasoline drives vehicles. */
const meterTypes: Readonly<Record<string, MeterType>> = {
  electric: {
    type: 'Electric - Grid',
    units: { kWh: 'kWh (thousand Watt-hours)', MWh: 'MWh (million Watt-hours)', GJ: 'GJ', ...million },
  },
  natural_gas: { type: 'Natural Gas', units: { therm: 'therms', GJ: 'GJ', ...million, ...cubicFeet, ...thousandFeet, ...cubicMeters } },
  propane: { type: 'Propane', units: { ...gallons, ...million, ...cubicFeet }, isDelivered: true },
  diesel: { type: 'Diesel', units: { ...gallons, 'imp gal': 'Gallons (UK)' }, isDelivered: true },
  steam: { type: 'District Steam', units: { therm: 'therms', lb: 'Lbs. (pounds)', klb: 'kLbs. (thousand pounds)', ...million } },
  chilled_water: { type: 'District Chilled Water - Other', units: { 'ton-hr': 'ton hours', ...million } },
  water: {
    type: 'Municipally Supplied Potable Water - Mixed Indoor/Outdoor',
    units: {
      ...gallons,
      ...cubicFeet,
      ...thousandFeet,
      ...cubicMeters,
      kgal: 'KGal (thousand gallons) (US)',
      MG: 'MGal (million gallons) (US)',
    },
  },
}

/** The codes of the utility services that have meters there. */
export const meteredCodes: readonly string[] = Object.keys(meterTypes)

export function meterTypeOf(code: string): MeterType | undefined {
  return Object.hasOwn(meterTypes, code) ? meterTypes[code] : undefined
}

export interface BilledUsage {
  readonly code: string
  /** As billed, in `unit`. */
  readonly usage: string | null
  readonly unit: string | null
  /** In the standard unit of the utility service; null where the unit does not convert. */
  readonly standard_usage: string | null
  readonly standard_unit: string | null
  /** The unit in which the meter is billed as a rule, and how many standard units it has. */
  readonly meter_unit: string | null
  readonly meter_factor: string | null
}

/** Decimals of a converted usage. */
const USAGE_SCALE = 6

/**
 * The usage in a unit that Portfolio Manager accepts: that of the meter, or else the standard one, so that all bills of a meter have one unit.
 * Null where there is none, or the bill's unit does not convert.
 */
export function exchangedUsage(billed: BilledUsage): { readonly usage: string; readonly units: string } | null {
  const units = meterTypeOf(billed.code)?.units ?? {}
  const ofMeter = billed.meter_unit === null ? undefined : units[billed.meter_unit]
  if (ofMeter !== undefined && billed.meter_unit !== billed.standard_unit) {
    if (billed.unit === billed.meter_unit && billed.usage !== null) return { usage: billed.usage, units: ofMeter }
    const converted =
      billed.standard_usage === null || billed.meter_factor === null
        ? null
        : dividedBy(billed.standard_usage, billed.meter_factor, USAGE_SCALE)
    return converted === null ? null : { usage: converted, units: ofMeter }
  }
  const standard = billed.standard_unit === null ? undefined : units[billed.standard_unit]
  return standard === undefined || billed.standard_usage === null ? null : { usage: billed.standard_usage, units: standard }
}

/**
 * How a bill follows the one before it of the same meter. The last day of one may be the first of the next, as meters are read; or the day
 * before it, as some vendors print.
 */
export function followsAs(previousEnd: CalendarDate | null, start: CalendarDate): 'gap' | 'overlap' | null {
  if (previousEnd === null) return null
  const days = daysBetween(previousEnd, start)
  if (days < 0) return 'overlap'
  return days > 1 ? 'gap' : null
}
