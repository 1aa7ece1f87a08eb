/** The rows of what a dashboard is made of, and the figures of the whole beside them. Pure: sums in, decimal text out. */
import {
  childRowsMax,
  SPARK_MONTHS,
  type ChildFigures,
  type ChildKind,
  type ChildRow,
  type ChildrenAnswer,
} from '#contract/dashboard/dashboard-children.ts'
import type { DashboardBasis } from '#contract/dashboard/basis.ts'
import type { Compared } from '#contract/dashboard/dashboard.ts'
import {
  isWithin,
  monthCount,
  monthsOfWindow,
  monthWindow,
  type ComparedWindows,
  type MonthWindow,
} from '#contract/dashboard/date-range.ts'
import { addToMonth } from '#contract/kernel/date.ts'
import { compareDecimals, dividedBy, isZero, roundTo, sumDecimals, times, USAGE_SCALE } from '#contract/kernel/decimal.ts'
import { compareMoney, wireOf } from '#contract/kernel/money.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { changeOf, nothingAlike } from './compose-figure.ts'
import {
  addSums,
  chosen,
  comparisonOf,
  coverageOfBoth,
  NO_SERVICE_NAME,
  tonnesOfSums,
  usageText,
  type CoveredFacts,
} from './compose-sums.ts'
import { benchmarked, type UnrankedRow } from './compose-benchmark.ts'
import type { AreaMonth, ChildMeters, ChildNames, ChildPlace, ChildSums, SparkCost } from './read-children.ts'
import type { MonthSums, ServiceInfo } from './read-sums.ts'

export interface ChildFacts {
  readonly kind: ChildKind
  readonly basis: DashboardBasis
  readonly windows: ComparedWindows
  readonly service_id: number | null
  readonly sums: readonly ChildSums[]
  readonly comparable: readonly ChildSums[]
  readonly meters: readonly ChildMeters[]
  readonly sparks: readonly SparkCost[]
  /** All of the scope, month by month. */
  readonly months: readonly MonthSums[]
  readonly areaMonths: readonly AreaMonth[]
  readonly services: ReadonlyMap<number, ServiceInfo>
  readonly names: ChildNames
}

/** What names the children. */
export type NamingFacts = Pick<ChildFacts, 'kind' | 'names' | 'services'>

/** Usage of a square foot may be small: a store uses a thousandth of a kgal. */
const USAGE_PER_AREA_SCALE = 6
const PER_AREA_SCALE = 4
const MMBTU_SCALE = 6
const KBTU_IN_MMBTU = '1000'
const MMBTU = 'MMBtu'
/** The key of what has no service, or of what the reader may not name. */
const NOT_NAMED = 0
const hiddenNames: Readonly<Record<ChildKind, string>> = {
  divisions: 'Divisions that you may not read',
  facilities: 'Facilities that you may not read',
  accounts: 'Accounts that you may not read',
  services: NO_SERVICE_NAME,
}

/** The months of the sparklines: they end with the window. */
export function sparkWindow({ current }: ComparedWindows): MonthWindow {
  return monthWindow(addToMonth(current.last_month, 1 - SPARK_MONTHS), current.last_month)
}

export function composeChildren(facts: ChildFacts): ChildrenAnswer {
  const isChosen = chosen(facts)
  const keyOf = keyFor(facts)
  const own = {
    sums: Map.groupBy(facts.sums.filter(isChosen), keyOf),
    comparable: Map.groupBy(facts.comparable.filter(isChosen), keyOf),
    meters: Map.groupBy(facts.meters.filter(isChosen), keyOf),
    sparks: Map.groupBy(facts.sparks, keyOf),
  }
  const months = monthsOfWindow(sparkWindow(facts.windows))
  const found = [...own.sums].map(([key, sums]): UnrankedRow => {
    const named = namedChild(facts, key)
    const spark = Map.groupBy(own.sparks.get(key) ?? [], (one) => one.month)
    return {
      ...named,
      ...figuresOf(
        facts,
        { sums, comparable: own.comparable.get(key) ?? [], meters: own.meters.get(key) ?? [] },
        unitServiceOf(facts, key),
      ),
      spark: months.map((month) => {
        const cost = spark.get(month)
        return cost ? wireOf(cost.reduce((sum, one) => sum + one.cents, 0)) : null
      }),
    }
  })
  const { rows, benchmark } = benchmarked(found, { kind: facts.kind, basis: facts.basis, monthsNow: monthCount(facts.windows.current) })
  const ranked = rows.toSorted((a, b) => compareMoney(b.cost.current ?? '0', a.cost.current ?? '0') || naturalOrder(a.name, b.name))
  const all = { sums: facts.sums.filter(isChosen), comparable: facts.comparable.filter(isChosen), meters: facts.meters.filter(isChosen) }
  const byArea = new Map(facts.areaMonths.map((one) => [one.month, dividedBy(wireOf(one.cents), one.area, PER_AREA_SCALE)]))
  return {
    children: facts.kind,
    basis: facts.basis,
    total: figuresOf(facts, all, unitServiceOf(facts, null)),
    months: months.map((month) => {
      const found = facts.months.filter((row) => isChosen(row) && row.month === month)
      if (found.length === 0) return { month, cost: null, usage: null, cost_per_sqft: null, mtc02e: null }
      return {
        month,
        cost: wireOf(addSums(found).cost),
        usage: usageOf(facts, found, unitServiceOf(facts, null)),
        cost_per_sqft: byArea.get(month) ?? null,
        mtc02e: tonnesOfSums(addSums(found)),
      }
    }),
    rows: ranked.slice(0, childRowsMax),
    benchmark,
    count: ranked.length,
  }
}

export function keyFor({ kind, names }: NamingFacts): (place: ChildPlace) => number {
  const named = (id: number | null, known: { readonly has: (id: number) => boolean }) => (id !== null && known.has(id) ? id : NOT_NAMED)
  switch (kind) {
    case 'divisions':
      return ({ facility_id }) =>
        named((facility_id === null ? undefined : names.facilities.get(facility_id))?.division_id ?? null, names.divisions)
    case 'facilities':
      return ({ facility_id }) => named(facility_id, names.facilities)
    case 'accounts':
      return ({ account }) => named(account, names.accounts)
    case 'services':
      return ({ service_id }) => service_id ?? NOT_NAMED
  }
}

export function namedChild(
  { kind, names, services }: NamingFacts,
  key: number,
): Pick<ChildRow, 'id' | 'name' | 'place' | 'account_type' | 'service_code'> {
  const nothing = { id: null, name: hiddenNames[kind], place: null, account_type: null, service_code: null }
  if (key === NOT_NAMED) return nothing
  switch (kind) {
    case 'divisions':
      return { ...nothing, id: key, name: names.divisions.get(key) ?? '' }
    case 'facilities': {
      const facility = names.facilities.get(key)
      return { ...nothing, id: key, name: facility?.name ?? '', place: facility?.division ?? null }
    }
    case 'accounts': {
      const account = names.accounts.get(key)
      const facility = account?.facility_id ?? null
      const place = facility === null ? null : (names.facilities.get(facility)?.name ?? null)
      return {
        ...nothing,
        id: Math.abs(key),
        name: account?.name ?? '',
        place,
        account_type: key > 0 ? 'BillableAccount' : 'SupplyAccount',
      }
    }
    case 'services': {
      const service = services.get(key)
      return { ...nothing, id: key, name: service?.name ?? NO_SERVICE_NAME, service_code: service?.code ?? null }
    }
  }
}

/** The one utility service whose usage is told in its own unit; null where it is energy of several. */
function unitServiceOf({ kind, service_id, services }: ChildFacts, key: number | null): ServiceInfo | null {
  const id = service_id ?? (kind === 'services' ? key : null)
  return id === null ? null : (services.get(id) ?? null)
}

interface OwnFacts {
  readonly sums: readonly ChildSums[]
  readonly comparable: readonly ChildSums[]
  readonly meters: readonly ChildMeters[]
}

function figuresOf(facts: ChildFacts, own: OwnFacts, unitService: ServiceInfo | null): ChildFigures {
  const { current, previous } = facts.windows
  const covered: CoveredFacts = {
    basis: facts.basis,
    windows: facts.windows,
    service_id: null,
    months: own.sums,
    comparable: own.comparable,
    book: {
      configured: own.meters,
      retired: own.sums
        .filter((row) => row.retired_days > 0)
        .map(({ service_id, month, retired_days }) => ({ service_id, month, meter_days: retired_days, first_in_window: 0 })),
    },
  }
  const coverage = coverageOfBoth(covered)
  const comparison = comparisonOf(covered, coverage)
  const rowsIn = (rows: readonly ChildSums[], window: MonthWindow) => rows.filter((row) => isWithin(row.month, window))
  const now = rowsIn(own.sums, current)
  const before = rowsIn(own.sums, previous)
  const [likeNow, likeBefore] = [rowsIn(own.comparable, current), rowsIn(own.comparable, previous)]
  const both = (of: (rows: readonly ChildSums[]) => string | null): Compared => ({
    current: of(now),
    previous: of(before),
    ...changeOf(own.comparable.length === 0 ? nothingAlike : { current: of(likeNow), previous: of(likeBefore) }, comparison),
  })
  const usage = both((rows) => usageOf(facts, rows, unitService))
  const figures = {
    area: areaOf(facts, now),
    cost: both((rows) => wireOf(addSums(rows).cost)),
    usage,
    unit_symbol: unitService === null ? MMBTU : unitService.unit_symbol,
    cost_per_sqft: both((rows) => costPerArea(facts, rows)),
    energy_per_sqft: both((rows) => energyPerArea(facts, rows)),
    usage_per_sqft: both((rows) => usagePerArea(facts, rows, unitService)),
    mtc02e: both((rows) => tonnesOfSums(addSums(rows))),
    coverage,
    comparison,
  }
  return { ...figures, notes: notesOf(facts, now, figures) }
}

/** In a word: why a figure is missing, or that it is of a part only. */
function notesOf(
  facts: ChildFacts,
  now: readonly ChildSums[],
  {
    area,
    usage,
    energy_per_sqft,
    usage_per_sqft,
    mtc02e,
  }: Pick<ChildFigures, 'area' | 'usage' | 'energy_per_sqft' | 'usage_per_sqft' | 'mtc02e'>,
): ChildFigures['notes'] {
  const isPart = now.some((row) => !hasArea(facts, row))
  const used = addSums(now).usage
  return {
    usage: usage.current === null ? (used === null ? 'no usage' : 'no energy') : null,
    cost_per_sqft: area === null ? 'no area' : isPart ? 'partial' : null,
    energy_per_sqft: area === null ? 'no area' : energy_per_sqft.current === null ? 'no energy' : isPart ? 'partial' : null,
    usage_per_sqft: area === null ? 'no area' : usage_per_sqft.current === null ? 'no usage' : isPart ? 'partial' : null,
    mtc02e: mtc02e.current === null ? 'at the delivery meter' : isZero(mtc02e.current) && addSums(now).kg === 0n ? 'no factor' : null,
  }
}

function hasArea({ names }: ChildFacts, { facility_id }: ChildPlace): boolean {
  const area = facility_id === null ? null : (names.facilities.get(facility_id)?.square_footage ?? null)
  return area !== null && compareDecimals(area, '0') > 0
}

/** The square footage of the distinct facilities of these rows; null where none has any. */
function areaOf(facts: ChildFacts, rows: readonly ChildSums[]): string | null {
  const ids = new Set(rows.filter((row) => hasArea(facts, row)).map((row) => row.facility_id ?? NOT_NAMED))
  return ids.size === 0 ? null : sumDecimals([...ids].map((id) => facts.names.facilities.get(id)?.square_footage))
}

function costPerArea(facts: ChildFacts, rows: readonly ChildSums[]): string | null {
  const area = areaOf(facts, rows)
  const own = rows.filter((row) => hasArea(facts, row))
  return area === null ? null : dividedBy(wireOf(addSums(own).cost), area, PER_AREA_SCALE)
}

/** Over the area of the facilities that have energy: one whose energy is not billed here would make the others look thrifty. */
function energyPerArea(facts: ChildFacts, rows: readonly ChildSums[]): string | null {
  const own = rows.filter((row) => hasArea(facts, row) && row.usage !== null && kbtuOf(facts, row) !== null)
  const [area, energy] = [areaOf(facts, own), energyOf(facts, own)]
  return area === null || energy === null ? null : dividedBy(energy, area, PER_AREA_SCALE)
}

/** Over the area of the facilities that have usage of the one service; none of several services, which have no common unit. */
function usagePerArea(facts: ChildFacts, rows: readonly ChildSums[], unitService: ServiceInfo | null): string | null {
  if (unitService === null) return null
  const own = rows.filter((row) => hasArea(facts, row) && row.usage !== null)
  const [area, used] = [areaOf(facts, own), usageText(addSums(own).usage)]
  return area === null || used === null ? null : dividedBy(used, area, USAGE_PER_AREA_SCALE)
}

function usageOf(facts: ChildFacts, rows: readonly MonthSums[], unitService: ServiceInfo | null): string | null {
  if (unitService !== null) {
    const used = usageText(addSums(rows).usage)
    return used === null ? null : roundTo(used, USAGE_SCALE)
  }
  const energy = energyOf(facts, rows)
  return energy === null ? null : roundTo(dividedBy(energy, KBTU_IN_MMBTU, MMBTU_SCALE) ?? '0', USAGE_SCALE)
}

/** kBtu of the services that carry energy; null where none of these rows has any. */
function energyOf(facts: ChildFacts, rows: readonly MonthSums[]): string | null {
  const energies = [...Map.groupBy(rows, (row) => row.service_id).values()].flatMap((own) => {
    const [first] = own
    const factor = first ? kbtuOf(facts, first) : null
    const used = usageText(addSums(own).usage)
    return factor === null || used === null ? [] : [times(used, factor)]
  })
  return energies.length === 0 ? null : sumDecimals(energies)
}

function kbtuOf({ services }: ChildFacts, { service_id }: Pick<MonthSums, 'service_id'>): string | null {
  return (service_id === null ? undefined : services.get(service_id)?.kbtu_factor) ?? null
}
