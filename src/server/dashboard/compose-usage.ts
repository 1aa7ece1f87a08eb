/**
 * Decides which usage of a dashboard is added up, and which usage its costs are divided by. Only usage of one utility service is added up. Pure.
 */
import { dividedBy, sumDecimals, times } from '#contract/kernel/decimal.ts'
import { addSums, chosen, usageText, type DashboardFacts } from './compose-sums.ts'
import type { MonthSums, ServiceInfo } from './read-sums.ts'

const MMBTU = 'MMBtu'
const KBTU_IN_MMBTU = '1000'
const MMBTU_SCALE = 6
const WATER = 'water'
const SEWER = 'sewer'

export interface UsageBasis {
  /** The unit of the usage sum; null if there is no such sum. */
  readonly unit_symbol: string | null
  /** The unit of unit costs. Water with sewer has one although their usage has no sum. */
  readonly cost_unit_symbol: string | null
  /** The utility service of that unit, if the costs include other services. */
  readonly cost_unit_of: string | null
  readonly usage: (rows: readonly MonthSums[]) => string | null
  readonly cost_usage: (rows: readonly MonthSums[]) => string | null
}

/**
 * The services with cost or usage in either window decide, so that both windows have the same unit. Usage of one service is in its standard
 * unit. Usage of several is in MMBtu if all of them carry energy. Sewer is measured by the water meter: the cost of both is divided by the
 * water. Everything else has no sum.
 */
export function usageBasisOf(facts: DashboardFacts): UsageBasis {
  const services = usedServices(facts)
  const [only] = services
  const water = services.find((service) => service.code === WATER)
  if (only && services.length === 1) return ofService(only, null)
  if (services.length > 1 && services.every((service) => service.kbtu_factor !== null)) return ofEnergy(services)
  if (water && services.every((service) => service === water || service.code === SEWER))
    return { ...ofService(water, water.name), unit_symbol: null, usage: () => null }
  return { unit_symbol: null, cost_unit_symbol: null, cost_unit_of: null, usage: () => null, cost_usage: () => null }
}

/** Charges without a utility service, such as a bill without a meter, do not affect the unit. */
function usedServices(facts: DashboardFacts): ServiceInfo[] {
  if (facts.service_id !== null) return [facts.services.get(facts.service_id)].filter((service) => service !== undefined)
  const ids = new Set(facts.months.filter(chosen(facts)).flatMap((row) => (row.usage === null && row.cost === 0 ? [] : [row.service_id])))
  return [...ids].flatMap((id) => (id === null ? [] : (facts.services.get(id) ?? [])))
}

function ofService({ id, unit_symbol }: ServiceInfo, cost_unit_of: string | null): UsageBasis {
  const usage = (rows: readonly MonthSums[]) => usageText(addSums(rows.filter((row) => row.service_id === id)).usage)
  return { unit_symbol, cost_unit_symbol: unit_symbol, cost_unit_of, usage, cost_usage: usage }
}

function ofEnergy(services: readonly ServiceInfo[]): UsageBasis {
  const usage = (rows: readonly MonthSums[]) => {
    const energies = services.flatMap(({ id, kbtu_factor }) => {
      const used = usageText(addSums(rows.filter((row) => row.service_id === id)).usage)
      return used === null ? [] : [times(used, kbtu_factor ?? '0')]
    })
    return energies.length === 0 ? null : dividedBy(sumDecimals(energies), KBTU_IN_MMBTU, MMBTU_SCALE)
  }
  return { unit_symbol: MMBTU, cost_unit_symbol: MMBTU, cost_unit_of: null, usage, cost_usage: usage }
}
