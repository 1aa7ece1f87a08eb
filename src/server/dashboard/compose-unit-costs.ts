/** Unit costs by biller: delivery, supply, and all-in. A part that nobody bills is null, never zero. Pure. */
import type { DashboardMetrics, UnitMetric } from '#contract/dashboard/dashboard.ts'
import { wireOf } from '#contract/kernel/money.ts'
import { unitCost } from '#contract/dashboard/metrics.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import type { Figure, WindowTotals } from './compose-figure.ts'
import { addSums, type DashboardFacts } from './compose-sums.ts'
import type { UsageBasis } from './compose-usage.ts'

type UnitCosts = Pick<DashboardMetrics, 'total_unit_cost' | 'distribution_unit' | 'supply_unit' | 'account_total_unit'>

const NO_DELIVERY = 'No delivery charges on these bills'
const DELIVERY_ELSEWHERE = 'billed by the delivery utility'
const NO_SUPPLY = 'No supply charges on these bills'
const NO_SUPPLY_ACCOUNT = 'No supply charges on these bills, and no supply account is linked'

export function unitCostsOf(facts: DashboardFacts, basis: UsageBasis, metric: Figure, now: WindowTotals): UnitCosts {
  const perUnit = (of: (totals: WindowTotals) => number | null, note: string | null): UnitMetric => ({
    ...metric(
      (totals) => {
        const cents = of(totals)
        return cents === null ? null : unitCost(wireOf(cents), totals.cost_usage)
      },
      basis.cost_unit_symbol === null ? null : note,
    ),
    unit_symbol: basis.cost_unit_symbol,
    unit_of: basis.cost_unit_of,
  })
  const suppliers = suppliersOf(facts)
  const isWhole = facts.linked !== null && now.linked.length > 0
  return {
    total_unit_cost: perUnit((totals) => totals.cost, suppliers && `without the supply billed by ${suppliers}`),
    distribution_unit: perUnit((totals) => billed(totals.utility_cost), now.utility_cost === 0 ? noDelivery(facts) : null),
    supply_unit: perUnit((totals) => billed(totals.supply_cost + supplyOf(totals)), supplyNote(facts, now, suppliers)),
    // Delivery, supply and the rest are rounded once, so that together they equal the total unit cost of the same bills.
    account_total_unit: perUnit(allIn, suppliers && `${isWhole ? 'with' : 'without'} the supply billed by ${suppliers}`),
  }
}

function allIn({ utility_cost, supply_cost, other_cost, linked }: WindowTotals): number {
  return utility_cost + supply_cost + other_cost + addSums(linked).cost
}

/** Returns null for zero charges: without charges, a unit does not cost zero. */
function billed(cents: number): number | null {
  return cents === 0 ? null : cents
}

/** All delivery and supply charges of a supplier count as supply; its other charges count with the rest. */
function supplyOf({ linked }: WindowTotals): number {
  const { utility_cost, supply_cost } = addSums(linked)
  return utility_cost + supply_cost
}

/** Returns 'Direct Energy', 'Direct Energy and Constellation'; null if no other vendor bills the scope's supply. */
function suppliersOf({ linked, service_id }: DashboardFacts): string | null {
  const vendors = linked?.suppliers.filter((one) => service_id === null || one.service_id === service_id).map((one) => one.vendor) ?? []
  return vendors.length === 0 ? null : [...new Set(vendors)].toSorted(naturalOrder).join(' and ')
}

function noDelivery({ is_supply }: DashboardFacts): string {
  return is_supply ? DELIVERY_ELSEWHERE : NO_DELIVERY
}

function supplyNote({ linked }: DashboardFacts, now: WindowTotals, suppliers: string | null): string | null {
  if (suppliers !== null) {
    const isShared = linked?.suppliers.some((one) => one.shared) === true && now.linked.length === 0
    return isShared ? `billed by ${suppliers}, together with other accounts` : `billed by ${suppliers}`
  }
  if (now.supply_cost !== 0) return null
  return linked === null ? NO_SUPPLY : NO_SUPPLY_ACCOUNT
}
