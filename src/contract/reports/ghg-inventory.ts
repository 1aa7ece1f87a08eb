/** The emissions of a sum of usage, location-based and market-based, or the reason why they cannot be computed. */
import { compareDecimals, roundTo, times } from '../kernel/decimal.ts'

/** The reasons, in a word each: they stand in the column Note. */
export const inventoryNotes = ['no factor', 'not inventoried', 'unit', 'no usage', 'no bills', 'partial'] as const
export type InventoryNote = (typeof inventoryNotes)[number]

/** Purchased electricity, steam and chilled water: what a market-based figure may differ in. */
const PURCHASED = 2
/** Decimals of kilograms, as in the monthly facts. */
const KILOGRAM_SCALE = 6

export interface InventoriedUsage {
  readonly scope: number | null
  /** Whether the utility service is in the inventory at all. */
  readonly inventoriable: boolean
  readonly usage: string
  /** Kilograms of CO2e for a unit of the usage. */
  readonly factor: string
  /** The meter has a factor of its own, which may be zero; a utility service with the factor zero has none. */
  readonly isOwnFactor: boolean
  /** The emissions in the monthly facts, each month by its factor. */
  readonly kilograms: string
  readonly supplierFactor: string | null
}

export interface Emissions {
  /** Tonnes of CO2e; null where they cannot be computed. */
  readonly location: string | null
  readonly market: string | null
  readonly isSupplied: boolean
  readonly note: Extract<InventoryNote, 'no factor' | 'not inventoried'> | null
}

/**
 * Location-based tonnes are those of the facts, so that they are the ones of the dashboards. Market-based ones take the supplier's factor for
 * purchased energy, and are the location-based ones for everything else.
 */
export function emissionsOf(of: InventoriedUsage): Emissions {
  const hasFactor = of.isOwnFactor || compareDecimals(of.factor, '0') > 0
  const supplied = of.scope === PURCHASED ? of.supplierFactor : null
  if (!of.inventoriable)
    return { location: null, market: null, isSupplied: false, note: hasFactor || supplied !== null ? 'not inventoried' : 'no factor' }
  const location = hasFactor ? tonnes(of.kilograms) : null
  const market = supplied === null ? location : tonnes(roundTo(times(of.usage, supplied), KILOGRAM_SCALE))
  return { location, market, isSupplied: supplied !== null, note: hasFactor ? null : 'no factor' }
}

function tonnes(kilograms: string): string {
  return times(kilograms, '0.001')
}

/** The label of a scope in files and sums. */
export function scopeLabel(scope: number | null): string {
  return scope === null ? 'No scope' : `Scope ${scope}`
}
