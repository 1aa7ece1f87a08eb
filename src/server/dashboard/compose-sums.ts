/** Shared sums of a dashboard's metrics, graphs and summary: sums of months, their coverage, their texts. Pure. */
import { isWholeBills, type DashboardBasis } from '#contract/dashboard/basis.ts'
import type { Comparison, WindowPair } from '#contract/dashboard/dashboard.ts'
import { daysInMask } from '#contract/bill-figures/calendarize.ts'
import { type ComparedWindows, daysInWindow, isWithin, type MonthWindow } from '#contract/dashboard/date-range.ts'
import { addDays, type CalendarDate, type CalendarMonth, daysBetween, firstDayOf, formatDate, lastDayOf } from '#contract/kernel/date.ts'
import { compareDecimals, decimalOfUnits } from '#contract/kernel/decimal.ts'
import { comparisonState, coverage, formatCoverage, tonnesOf } from '#contract/dashboard/metrics.ts'
import type { BilledDays } from './read-billed-days.ts'
import type { LinkedSupply } from './read-linked-supply.ts'
import type { Leaders } from './read-leaders.ts'
import type { MeterBook, MeterCount } from './read-meters.ts'
import type { MonthSums, ServiceInfo, Sums } from './read-sums.ts'

/** All input of a dashboard. The months are of both windows and of all services of the scope. */
export interface DashboardFacts {
  readonly basis: DashboardBasis
  readonly windows: ComparedWindows
  readonly months: readonly MonthSums[]
  /** The same months limited to what both windows cover; changes are computed from these. */
  readonly comparable: readonly MonthSums[]
  readonly services: ReadonlyMap<number, ServiceInfo>
  /** The utility service that the dashboard is filtered by. */
  readonly service_id: number | null
  readonly is_client: boolean
  readonly is_supply: boolean
  readonly client_cost: { readonly current: number; readonly previous: number }
  readonly active: readonly MeterCount[]
  readonly book: MeterBook
  readonly leaders: Leaders
  /** Amounts that supply accounts bill for the meters of a delivery account; null for scopes that include their supply accounts. */
  readonly linked: LinkedSupply | null
  /** Days of the lines of bills that count whole; null where months have their own days. */
  readonly billed_days: BilledDays | null
}

/** The sums that coverage and comparison need. */
export type CoveredFacts = Pick<DashboardFacts, 'basis' | 'windows' | 'months' | 'comparable' | 'book' | 'service_id'>

export const NO_SERVICE_NAME = 'No utility service'
const MILLIONTHS = 6

type OfService = { readonly service_id: number | null }
type Months = Pick<MonthWindow, 'first_month' | 'last_month'>

/** True for what belongs to the service that the dashboard is narrowed to, or for all where it is not. */
export function chosen({ service_id }: OfService): (row: OfService) => boolean {
  return (row) => service_id === null || row.service_id === service_id
}

/** Adds up one series in one month or window. */
export function addSums(rows: readonly Sums[]): Sums {
  const used = rows.flatMap((row) => row.usage ?? [])
  return {
    cost: rows.reduce((sum, row) => sum + row.cost, 0),
    utility_cost: rows.reduce((sum, row) => sum + row.utility_cost, 0),
    supply_cost: rows.reduce((sum, row) => sum + row.supply_cost, 0),
    other_cost: rows.reduce((sum, row) => sum + row.other_cost, 0),
    usage: used.length === 0 ? null : used.reduce((sum, usage) => sum + usage, 0n),
    kg: rows.reduce((sum, row) => sum + row.kg, 0n),
    elsewhere: rows.some((row) => row.elsewhere) && rows.every((row) => row.elsewhere || row.usage === null),
  }
}

/** Counts the days that at least one line covers. */
export function coveredDays(rows: readonly MonthSums[]): number {
  const masks = new Map<CalendarMonth, number>()
  for (const row of rows) masks.set(row.month, (masks.get(row.month) ?? 0) | row.days_mask)
  return [...masks.values()].reduce((sum, mask) => sum + daysInMask(mask), 0)
}

export function usageText(usage: bigint | null): string | null {
  return usage === null ? null : decimalOfUnits(usage, MILLIONTHS)
}

/** Returns tonnes; null if all usage counts at a delivery meter, since that is not the same as zero emissions. */
export function tonnesOfSums({ kg, elsewhere }: Pick<Sums, 'kg' | 'elsewhere'>): string | null {
  return elsewhere ? null : tonnesText(kg)
}

export function tonnesText(kg: bigint): string {
  return tonnesOf(decimalOfUnits(kg, MILLIONTHS))
}

export function serviceName(facts: Pick<DashboardFacts, 'services'>, id: number | null): string {
  return (id === null ? undefined : facts.services.get(id)?.name) ?? NO_SERVICE_NAME
}

/** The coverage of both windows, of all that is chosen or of one service. */
export function coverageOfBoth(facts: CoveredFacts, isCounted = chosen(facts)): WindowPair {
  const { current, previous } = facts.windows
  return { current: coverageOf(facts, current, isCounted), previous: coverageOf(facts, previous, isCounted) }
}

/** Covered meter-days over those expected in the window, never above 1; null where none is expected. */
export function coverageOf(facts: CoveredFacts, window: Months, isCounted = chosen(facts)): string | null {
  const expected = expectedDays(facts, window, isCounted)
  const covered = facts.months.filter((row) => isCounted(row) && isWithin(row.month, window)).reduce((sum, row) => sum + row.meter_days, 0)
  return coverage(Math.min(covered, expected), expected)
}

/** Whether the change of what is counted can be told, and in words why not or of what part. */
export function comparisonOf(facts: CoveredFacts, covered: WindowPair, isCounted = chosen(facts)): Comparison {
  const state = comparisonState([covered.current, covered.previous])
  const { current, previous } = facts.windows
  if (state === 'withheld') {
    const [window, share] = isLess(covered.current, covered.previous) ? [current, covered.current] : [previous, covered.previous]
    return { state, reason: `Bills cover only ${formatCoverage(share)} of ${spanText(window)}: too little to compare` }
  }
  if (!facts.comparable.some(isCounted)) return { state: 'withheld', reason: 'Nothing is billed in both periods' }
  if (state === 'complete') return { state, reason: null }
  const common = isWholeBills(facts.basis)
    ? 'the meters and months that both periods bill'
    : 'the meters and days that bills of both periods cover'
  return { state, reason: `Changes compare only ${common}` }
}

function isLess(a: string | null, b: string | null): boolean {
  return a !== null && (b === null || compareDecimals(a, b) <= 0)
}

function spanText({ from, to }: MonthWindow): string {
  return `${formatDate(from)} – ${formatDate(to)}`
}

/** Every configured meter on each day of its effective dates, and what retired ones cover. */
function expectedDays({ book }: CoveredFacts, window: Months, isCounted: (row: OfService) => boolean): number {
  const configured = book.configured
    .filter(isCounted)
    .reduce((sum, group) => sum + group.meters * daysInside(window, group.effective_from, group.effective_to), 0)
  return book.retired.filter((row) => isCounted(row) && isWithin(row.month, window)).reduce((sum, row) => sum + row.meter_days, configured)
}

function daysInside({ first_month, last_month }: Months, from: CalendarDate | null, to: CalendarDate | null): number {
  const first = firstDayOf(first_month)
  const last = lastDayOf(last_month)
  if (from === null && to === null) return daysInWindow({ first_month, last_month, from: first, to: last })
  const start = from !== null && from > first ? from : first
  const end = to !== null && to < last ? to : last
  return Math.max(0, daysBetween(start, addDays(end, 1)))
}
