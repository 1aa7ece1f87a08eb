/** The children of a dashboard's scope (divisions, facilities, accounts or services), each with the figures that rank it. */
import { z } from 'zod'
import { call, type Call } from '../kernel/call.ts'
import { dashboardBases } from './basis.ts'
import { bands } from './benchmark.ts'
import type { Permission } from '../kernel/permission.ts'
import {
  compared,
  comparison,
  dashboardQueryKeys,
  dashboardScopeMay,
  pair,
  unknownParameter,
  withRangeChecked,
  type DashboardQuery,
  type DashboardScope,
} from './dashboard.ts'

export const childKinds = ['divisions', 'facilities', 'accounts', 'services'] as const
export type ChildKind = (typeof childKinds)[number]
export const childKindLabels: Readonly<Record<ChildKind, string>> = {
  divisions: 'Divisions',
  facilities: 'Facilities',
  accounts: 'Accounts',
  services: 'Services',
}

const ofClient: readonly ChildKind[] = childKinds
const ofFacility: readonly ChildKind[] = ['accounts', 'services']
/** The kinds of children by which the figures of a scope can be divided. */
export const childKindsOf: Readonly<Record<DashboardScope, readonly ChildKind[]>> = {
  client: ofClient,
  billable_accounts: ofClient,
  supply_accounts: ofClient,
  division: ['facilities', ...ofFacility],
  facility: ofFacility,
  group_account: ofFacility,
  group_supply_account: ofFacility,
  billable_account: ['services'],
  supply_account: ['services'],
}

/** Rows in one answer at most, the dearest; `count` says how many there are. */
export const childRowsMax = 1000
/** Months of a sparkline, up to the last one of the period. */
export const SPARK_MONTHS = 24

export interface ChildQuery extends DashboardQuery {
  readonly children: ChildKind
}

const id = z.int()
const value = z.string().nullable()

/** Why a figure is missing or is of a part only, in a word or two: 'no area', 'no energy', 'no factor'. */
const notes = z.object({ usage: value, cost_per_sqft: value, energy_per_sqft: value, usage_per_sqft: value, mtc02e: value })

/**
 * Figures of one child, or of the whole scope. `area` is the square footage of the facilities with bills in the period; what has no area
 * is left out above and below the line of both figures per square foot. `usage` is of one utility service in its unit, else MMBtu of the
 * services that carry energy. `energy_per_sqft` is kBtu; `usage_per_sqft` is in the unit of the usage, and of one utility service only. All are of the
 * period, not of a year.
 */
const childFigures = z.object({
  area: value,
  cost: compared,
  usage: compared,
  unit_symbol: value,
  cost_per_sqft: compared,
  energy_per_sqft: compared,
  usage_per_sqft: compared,
  mtc02e: compared,
  coverage: pair,
  comparison,
  notes,
})
export type ChildFigures = z.infer<typeof childFigures>

/** The figures by which facilities are compared with each other. */
export const benchmarkMeasures = ['cost_per_sqft', 'energy_per_sqft', 'usage_per_sqft'] as const
export type BenchmarkMeasure = (typeof benchmarkMeasures)[number]

const quartiles = z
  .object({ count: z.int(), q1: z.string(), median: z.string(), q3: z.string(), low: z.string(), high: z.string() })
  .nullable()
const standing = z.object({ rank: z.int(), band: z.enum(bands) }).nullable()

/** `unranked` is why a facility is not compared, in a few words; then it has no standing. */
const rowBenchmark = z.object({ unranked: value, cost_per_sqft: standing, energy_per_sqft: standing, usage_per_sqft: standing })
export type RowBenchmark = z.infer<typeof rowBenchmark>

/** Quartiles over all facilities that are compared, those beyond the last row among them; null below five. `unranked` counts the others. */
const benchmark = z.object({ cost_per_sqft: quartiles, energy_per_sqft: quartiles, usage_per_sqft: quartiles, unranked: z.int() })
export type Benchmark = z.infer<typeof benchmark>

/** `id` is null for what the reader may not name: all of it is one row. `place` is the division of a facility, the facility of an account. */
const childRow = childFigures.extend({
  id: id.nullable(),
  name: z.string(),
  place: value,
  account_type: z.enum(['BillableAccount', 'SupplyAccount']).nullable(),
  service_code: value,
  /** Cost by month, as many as `months` of the answer. */
  spark: z.array(value),
  /** Null where the rows are no facilities. */
  benchmark: rowBenchmark.nullable(),
})
export type ChildRow = z.infer<typeof childRow>

/** `cost_per_sqft` is what the facilities with an area cost in the month, over the area of those that have bills of it. */
const month = z.object({ month: z.string(), cost: value, usage: value, cost_per_sqft: value, mtc02e: value })

const childrenAnswer = z.object({
  children: z.enum(childKinds),
  basis: z.enum(dashboardBases),
  total: childFigures,
  months: z.array(month),
  rows: z.array(childRow),
  benchmark: benchmark.nullable(),
  count: z.int(),
})
export type ChildrenAnswer = z.infer<typeof childrenAnswer>

const query: z.ZodType<ChildQuery> = withRangeChecked(
  z.strictObject({ ...dashboardQueryKeys, children: z.enum(childKinds) }, { error: unknownParameter }),
)
const may: readonly Permission[] = [...new Set(Object.values(dashboardScopeMay))]

const children: Call<{ client_id: number }, ChildQuery, Record<never, never>, ChildrenAnswer> = call({
  name: 'dashboard.children',
  method: 'GET',
  path: '/clients/:client_id/dashboard/children',
  may,
  summary: 'The divisions, facilities, accounts or services of a dashboard, with cost, usage, figures per square foot and emissions',
  query,
  reply: childrenAnswer,
})

export const dashboardChildCalls = { children }
