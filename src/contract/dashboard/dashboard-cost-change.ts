/** Why a cost rose or fell against the same months a year before: the part of the usage, the part of the price, and what cannot be split. */
import { z } from 'zod'
import { call, type Call } from '../kernel/call.ts'
import type { Permission } from '../kernel/permission.ts'
import { dashboardBases } from './basis.ts'
import { childKinds, type ChildKind } from './dashboard-children.ts'
import {
  dashboardQueryKeys,
  dashboardScopeMay,
  pair,
  unknownParameter,
  window,
  withRangeChecked,
  type DashboardQuery,
} from './dashboard.ts'

/** Why a part of the change is neither of the usage nor of the price. */
export const unsplitReasons = ['started', 'ended', 'days', 'no_usage', 'unlike'] as const
export type UnsplitReason = (typeof unsplitReasons)[number]
export const unsplitReasonLabels: Readonly<Record<UnsplitReason, string>> = {
  started: 'Not billed the year before',
  ended: 'Not billed any more',
  days: 'Days billed in one year only',
  no_usage: 'No usage on the bills',
  unlike: 'No unit cost to compare',
}

/** Most rows in one answer, those whose cost changed most; `count` says how many there are. */
export const costChangeRowsMax = 1000

/** The comparison is always with the year before, so that compare_to_last_year is no parameter of it. */
export type CostChangeQuery = Omit<DashboardQuery, 'compare_to_last_year' | 'graph_data_type' | 'summary'> & {
  readonly children: ChildKind
}

const id = z.int()
const amount = z.string()

/** change = current − previous = by_usage + by_price + unsplit, to the cent; `reasons` add up to `unsplit`. */
const splitShape = {
  previous: amount,
  current: amount,
  change: amount,
  by_usage: amount,
  by_price: amount,
  unsplit: amount,
  reasons: z.array(z.object({ reason: z.enum(unsplitReasons), amount })),
}
const costSplit = z.object(splitShape)
export type CostSplit = z.infer<typeof costSplit>

/** `usage` and `unit_cost` are of what is split; null where nothing is. */
const serviceSplit = z.object({
  ...splitShape,
  service_id: id.nullable(),
  name: z.string(),
  service_code: z.string().nullable(),
  unit_symbol: z.string().nullable(),
  usage: pair,
  unit_cost: pair,
})
export type ServiceSplit = z.infer<typeof serviceSplit>

/** `id` is null for what the reader may not name: all of it is one row. */
const costChangeRow = z.object({
  ...splitShape,
  id: id.nullable(),
  name: z.string(),
  place: z.string().nullable(),
  account_type: z.enum(['BillableAccount', 'SupplyAccount']).nullable(),
  services: z.array(serviceSplit),
})
export type CostChangeRow = z.infer<typeof costChangeRow>

const costChange = z.object({
  children: z.enum(childKinds),
  basis: z.enum(dashboardBases),
  windows: z.object({ current: window, previous: window }),
  total: costSplit,
  services: z.array(serviceSplit),
  rows: z.array(costChangeRow),
  count: z.int(),
})
export type CostChange = z.infer<typeof costChange>

const { compare_to_last_year: _compare, graph_data_type: _graph, summary: _summary, ...askedKeys } = dashboardQueryKeys
const query: z.ZodType<CostChangeQuery> = withRangeChecked(
  z.strictObject({ ...askedKeys, children: z.enum(childKinds) }, { error: unknownParameter }),
)
const may: readonly Permission[] = [...new Set(Object.values(dashboardScopeMay))]

const costChangeCall: Call<{ client_id: number }, CostChangeQuery, Record<never, never>, CostChange> = call({
  name: 'dashboard.cost_change',
  method: 'GET',
  path: '/clients/:client_id/dashboard/cost_change',
  may,
  summary: 'The change of cost against the year before, split into usage and price, by service and by what the dashboard is made of',
  query,
  reply: costChange,
})

export const dashboardCostChangeCalls = { costChange: costChangeCall }
