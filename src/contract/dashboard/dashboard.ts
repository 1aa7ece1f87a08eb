/**
 * The dashboard: its query, and every metric, graph and row of its response. Amounts are decimal text; null means that there is no such number.
 */
import { z } from 'zod'
import { dashboardBases, type DashboardBasis } from './basis.ts'
import { customRangeFaults, type DateRange, dateRanges } from './date-range.ts'
import { call, type Call } from '../kernel/call.ts'
import { type CalendarDate, isCalendarDate } from '../kernel/date.ts'
import type { Permission } from '../kernel/permission.ts'

export const dashboardScopes = [
  'client',
  'division',
  'facility',
  'billable_accounts',
  'supply_accounts',
  'billable_account',
  'supply_account',
  'group_account',
  'group_supply_account',
] as const
export type DashboardScope = (typeof dashboardScopes)[number]

/** The scopes of a whole client: what it has, or all its accounts of one kind. Their id is the client's. */
const clientWideScopes: readonly DashboardScope[] = ['client', 'billable_accounts', 'supply_accounts']

export function isClientWide(scope: DashboardScope): boolean {
  return clientWideScopes.includes(scope)
}

/** The right that a scope asks for. */
export const dashboardScopeMay: Readonly<Record<DashboardScope, Permission>> = {
  client: 'client.read',
  division: 'division.read',
  facility: 'facility.read',
  billable_accounts: 'billable_account.read',
  supply_accounts: 'supply_account.read',
  billable_account: 'billable_account.read',
  supply_account: 'supply_account.read',
  group_account: 'billable_account.read',
  group_supply_account: 'supply_account.read',
}

export const graphTypes = ['cost', 'usage', 'unit_cost', 'emissions'] as const
export type GraphType = (typeof graphTypes)[number]
export const DEFAULT_GRAPH_TYPE = 'cost' satisfies GraphType
export const graphTypeLabels: Readonly<Record<GraphType, string>> = {
  cost: 'Cost',
  usage: 'Usage',
  unit_cost: 'Unit Cost',
  emissions: 'Emissions',
}

/** The query in the address. Without a scope the dashboard is the client's, without a service it covers all services. */
export interface DashboardQuery {
  readonly scope_type?: string | undefined
  readonly scope_id?: string | undefined
  readonly client_id?: string | undefined
  readonly service?: string | undefined
  readonly compare_to_last_year?: string | undefined
  readonly date_range_type?: DateRange | undefined
  /** A range of one's own, YYYY-MM, both included: it takes the place of date_range_type, as_of and compare_to_last_year. */
  readonly from_month?: string | undefined
  readonly to_month?: string | undefined
  readonly basis?: DashboardBasis | undefined
  readonly graph_data_type?: GraphType | undefined
  readonly summary?: string | undefined
  readonly as_of?: CalendarDate | undefined
}

const id = z.int()
const value = z.string().nullable()
const idText = z.string().regex(/^[1-9]\d{0,15}$/, 'must be an id')
const flag = z.enum(['true', 'false', '1', '0', ''])

/** `BillableAccount` and `billable_account` are the same scope; undefined for an unknown one. */
export function dashboardScopeOf(written: string): DashboardScope | undefined {
  const name = written.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
  return dashboardScopes.find((scope) => scope === name)
}

export function isOn(written: string | undefined): boolean {
  return written === 'true' || written === '1'
}

/** The parameters one by one, for calls that ask for more than these. */
export const dashboardQueryKeys = {
  scope_type: z
    .string()
    .max(40)
    .refine((text) => text === '' || dashboardScopeOf(text) !== undefined, `must be one of ${dashboardScopes.join(', ')}`)
    .optional(),
  scope_id: idText.or(z.literal('')).optional(),
  client_id: idText.or(z.literal('')).optional(),
  service: idText.or(z.literal('')).optional(),
  compare_to_last_year: flag.optional(),
  date_range_type: z.enum(dateRanges).optional(),
  from_month: z.string().max(7).optional(),
  to_month: z.string().max(7).optional(),
  basis: z.enum(dashboardBases).optional(),
  graph_data_type: z.enum(graphTypes).optional(),
  summary: flag.optional(),
  as_of: z
    .string()
    .refine(
      (text) => isCalendarDate(text) && text >= '1990-01-01' && text <= '2199-12-31',
      'must be a date as YYYY-MM-DD from 1990 to 2199',
    )
    .optional(),
}

export function unknownParameter(issue: { readonly code?: string | undefined; readonly keys?: unknown }): string | undefined {
  return issue.code === 'unrecognized_keys' && Array.isArray(issue.keys) ? `Unknown parameter: ${issue.keys.join(', ')}` : undefined
}

/** The months of a range of one's own are checked together. */
export function withRangeChecked<Query extends DashboardQuery>(query: z.ZodType<Query>): z.ZodType<Query> {
  return query.superRefine(({ from_month, to_month }, issues) => {
    for (const { field, message } of customRangeFaults(from_month, to_month)) issues.addIssue({ code: 'custom', path: [field], message })
  })
}

export const dashboardQuery: z.ZodType<DashboardQuery> = withRangeChecked(z.strictObject(dashboardQueryKeys, { error: unknownParameter }))

/** Both windows of one figure. */
export const pair = z.object({ current: value, previous: value })
export type WindowPair = z.infer<typeof pair>

/**
 * Whether a change can be computed: `complete` if bills cover both windows, `partial` if one of them has gaps, `withheld` if too little is
 * covered or nothing is billed in both. The reason is a sentence, or null.
 */
export const comparisonStates = ['complete', 'partial', 'withheld'] as const
export const comparison = z.object({ state: z.enum(comparisonStates), reason: z.string().nullable() })
export type Comparison = z.infer<typeof comparison>

/**
 * `current` and `previous` are the totals of the windows. `like_for_like` is the same figure over the services and days that both windows cover,
 * and `change` is its change in percent with 2 decimals, null if it is withheld. `coverage` and `previous_coverage` are the covered shares of
 * the expected meter-days in each window, 4 decimals. `note` says in words what the figure leaves out or represents.
 */
const metricShape = {
  current: value,
  previous: value,
  change: value,
  like_for_like: pair,
  coverage: value,
  previous_coverage: value,
  note: z.string().nullable(),
}
export const metric = z.object(metricShape)
export type Metric = z.infer<typeof metric>

/** `previous` is the value of the same record in the previous window; `share` is its part of the total in percent. */
export const namedMetric = z.object({ ...metricShape, id: id.nullable(), name: z.string().nullable(), share: value })
export type NamedMetric = z.infer<typeof namedMetric>

export const usageMetric = z.object({ ...metricShape, unit_symbol: z.string().nullable() })

/** Cost per unit. `unit_of` names the utility service whose usage is the divisor if the cost includes other services: sewer by water. */
export const unitMetric = usageMetric.extend({ unit_of: z.string().nullable() })
export type UnitMetric = z.infer<typeof unitMetric>

/** `configured`: active services of active accounts today. `without_bills`: those of them without a line in the window. */
export const meterMetric = z.object({
  current: z.int(),
  previous: z.int(),
  change: value,
  coverage: value,
  previous_coverage: value,
  configured: z.int(),
  without_bills: z.int(),
})

const percentage = z.object({
  ...metricShape,
  /** For the client without a service filter: its services, together exactly 100.00. */
  breakdown: z.array(z.object({ service_id: id.nullable(), name: z.string(), percentage: z.string() })),
})

export const dashboardMetrics = z.object({
  total_utility_cost: metric,
  highest_cost_service: namedMetric,
  service_usage: usageMetric,
  total_unit_cost: unitMetric,
  highest_mtc02e_facility: namedMetric,
  total_mtc02e: metric,
  average_cost_per_day: metric,
  highest_cost_division: namedMetric,
  highest_cost_facility: namedMetric,
  total_active_meters: meterMetric,
  utility_cost_percentage: percentage,
  distribution_unit: unitMetric,
  supply_unit: unitMetric,
  account_total_unit: unitMetric,
})
export type DashboardMetrics = z.infer<typeof dashboardMetrics>

/** A month of a series and the month it is compared with; both YYYY-MM. */
const point = z.object({ month: z.string(), previous_month: z.string(), current: value, previous: value })
export type GraphPoint = z.infer<typeof point>

/** One line or color of a chart: a service, or below a facility an account. `unit_symbol` is the unit of usage and of unit cost. */
const series = z.object({
  kind: z.enum(['service', 'account']),
  id: id.nullable(),
  name: z.string(),
  /** The utility service: each has its own usage chart, and its code determines the color. */
  service_name: z.string(),
  service_code: z.string().nullable(),
  unit_symbol: z.string().nullable(),
  points: z.array(point),
})
export type GraphSeries = z.infer<typeof series>

const graphs = z.object({
  graph_data_type: z.enum(graphTypes),
  series: z.array(series),
  /** A month's covered share of the expected meter-days, 4 decimals; null on the bases that count a bill whole, where no month is partial. */
  coverage: z.array(point),
})
export type DashboardGraphs = z.infer<typeof graphs>

export const compared = z.object({ current: value, previous: value, change: value, like_for_like: pair })
export type Compared = z.infer<typeof compared>

const summaryRow = z.object({
  service_id: id.nullable(),
  name: z.string(),
  service_code: z.string().nullable(),
  unit_symbol: z.string().nullable(),
  cost: compared,
  usage: compared,
  unit_cost: compared,
  mtc02e: compared,
  coverage: pair,
  comparison,
})
export type SummaryRow = z.infer<typeof summaryRow>

export const window = z.object({ from: z.string(), to: z.string() })

/** A dashboard. `service_options` are the filters of the scope, `scope` is its record. */
const dashboardAnswer = z.object({
  dashboard: dashboardMetrics,
  graphs,
  /** One row per service; empty if the query has summary=false. */
  summary: z.array(summaryRow),
  scope: z.object({ scope_type: z.enum(dashboardScopes), id, name: z.string(), partial: z.boolean() }),
  as_of: z.string(),
  basis: z.enum(dashboardBases),
  windows: z.object({ current: window, previous: window }),
  coverage: pair,
  /** Comparability of the changes; each row of the summary has its own. */
  comparison,
  service_options: z.array(z.object({ id, name: z.string(), service_code: z.string() })),
  has_data: z.boolean(),
  /** If the scope has bills but none in the window: the last year with bills, and the day to look back from. */
  last_year_with_data: z.object({ year: z.int(), as_of: z.string() }).nullable(),
})
export type DashboardAnswer = z.infer<typeof dashboardAnswer>

/** Returned if the query has no dashboard, such as for a service that the client does not have. */
const dashboardError = z.object({ error: z.literal(true), message: z.string() })
export type DashboardError = z.infer<typeof dashboardError>

export type DashboardReply = DashboardAnswer | DashboardError

const unbilledMeter = z.object({
  id,
  meter_number: z.string(),
  service_name: z.string().nullable(),
  account_type: z.enum(['BillableAccount', 'SupplyAccount']),
  account_id: id,
  account_number: z.string(),
  facility: z.string().nullable(),
})
export type UnbilledMeter = z.infer<typeof unbilledMeter>

/** Most meters listed in one response; `total` is their number. */
export const unbilledMetersMax = 200

const mayAny: readonly Permission[] = [...new Set(Object.values(dashboardScopeMay))]
const dashboardReply: z.ZodType<DashboardReply> = z.union([dashboardAnswer, dashboardError])

const get: Call<{ client_id: number }, DashboardQuery, Record<never, never>, DashboardReply> = call({
  name: 'dashboard.get',
  method: 'GET',
  path: '/clients/:client_id/dashboard',
  may: mayAny,
  summary: 'Cost, usage and emissions of a client or of a part of it, beside an earlier window',
  query: dashboardQuery,
  reply: dashboardReply,
})

export const dashboardCalls = {
  get,
  unbilledMeters: call({
    name: 'dashboard.unbilled_meters',
    method: 'GET',
    path: '/clients/:client_id/dashboard/unbilled_meters',
    may: mayAny,
    summary: 'Active meters that no bill covers in the window, asked with the query of the dashboard',
    query: dashboardQuery,
    reply: z.object({ meters: z.array(unbilledMeter), total: z.int() }),
  }),
}
