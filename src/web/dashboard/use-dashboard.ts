/** The dashboard's choices are in its address; this file reads and changes them, and loads the data. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { childKinds, dashboardChildCalls, type ChildKind } from '#contract/dashboard/dashboard-children.ts'
import { dashboardCostChangeCalls } from '#contract/dashboard/dashboard-cost-change.ts'
import {
  dashboardCalls,
  DEFAULT_GRAPH_TYPE,
  graphTypes,
  type DashboardQuery,
  type DashboardScope,
  type GraphType,
} from '#contract/dashboard/dashboard.ts'
import { dashboardBases, DEFAULT_BASIS, type DashboardBasis } from '#contract/dashboard/basis.ts'
import { customRangeFaults, dateRanges, DEFAULT_DATE_RANGE, isYearLong, windowOf, type DateRange } from '#contract/dashboard/date-range.ts'
import { isCalendarDate, type CalendarDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { useGo, usePath, useSearchText, withSearch } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'

export interface DashboardSubject {
  readonly client_id: number
  readonly scope_type: DashboardScope
  readonly scope_id: number
}

/** The comparison: the months just before, the same months of last year, or none. */
export const comparisons = ['previous', 'last_year', 'none'] as const
export type ComparisonChoice = (typeof comparisons)[number]

export interface DashboardChoices {
  readonly service: string
  readonly date_range_type: DateRange
  /** A range of one's own, YYYY-MM; '' where a fixed range is chosen. */
  readonly from_month: string
  readonly to_month: string
  readonly basis: DashboardBasis
  readonly graph_data_type: GraphType
  readonly compare: ComparisonChoice
  /** '' means today. */
  readonly as_of: string
  /** The kind of parts in the table; '' is the kind that the page lists first. */
  readonly by: ChildKind | ''
  /** The column by which it is sorted, with a minus for the largest first; '' is by cost. */
  readonly order: string
}

/** Returns the choices in the address; unknown values fall back to the defaults. `service` presets the page's own service. */
export function useDashboardChoices(service = ''): DashboardChoices {
  return choicesOf(useSearchText(), service)
}

export function choicesOf(search: Readonly<Record<string, string>>, service = ''): DashboardChoices {
  const asOf = search['as_of'] ?? ''
  const { from_month = '', to_month = '' } = search
  const isOwnRange = customRangeFaults(from_month, to_month).length === 0
  return {
    service: /^[1-9]\d{0,15}$/.test(search['service'] ?? '') ? (search['service'] ?? '') : service,
    date_range_type: dateRanges.find((range) => range === search['date_range_type']) ?? DEFAULT_DATE_RANGE,
    from_month: isOwnRange ? from_month : '',
    to_month: isOwnRange ? to_month : '',
    basis: dashboardBases.find((basis) => basis === search['basis']) ?? DEFAULT_BASIS,
    graph_data_type: graphTypes.find((type) => type === search['graph_data_type']) ?? DEFAULT_GRAPH_TYPE,
    compare: search['compare'] === 'none' ? 'none' : search['compare_to_last_year'] === 'true' ? 'last_year' : 'previous',
    as_of: isCalendarDate(asOf) ? asOf : '',
    by: childKinds.find((kind) => kind === search['by']) ?? '',
    order: /^-?[a-z0-9_]{1,40}$/.test(search['order'] ?? '') ? (search['order'] ?? '') : '',
  }
}

/** Returns a function that writes changed choices to the address; defaults are left out. */
export function useChoose(choices: DashboardChoices): (changed: Partial<DashboardChoices>) => void {
  const go = useGo()
  const path = usePath()
  return (changed) => go(addressOf(path, { ...choices, ...changed }), { replace: true, resetScroll: false })
}

export function addressOf(path: string, choices: DashboardChoices): string {
  return withSearch(path, {
    service: choices.service,
    date_range_type: choices.date_range_type === DEFAULT_DATE_RANGE ? undefined : choices.date_range_type,
    from_month: choices.from_month,
    to_month: choices.to_month,
    basis: choices.basis === DEFAULT_BASIS ? undefined : choices.basis,
    graph_data_type: choices.graph_data_type === DEFAULT_GRAPH_TYPE ? undefined : choices.graph_data_type,
    compare_to_last_year: choices.compare === 'last_year' ? 'true' : undefined,
    compare: choices.compare === 'none' ? 'none' : undefined,
    as_of: choices.as_of,
    by: choices.by,
    order: choices.order,
  })
}

/** Returns the distinct comparisons: for a whole year, the months just before are those of last year; own months are compared with theirs. */
export function comparisonsFor({ date_range_type, from_month, as_of }: DashboardChoices): readonly ComparisonChoice[] {
  const isOfYears = from_month !== '' || isYearLong(date_range_type, dayOf(as_of))
  return comparisons.filter((one) => one !== 'previous' || !isOfYears)
}

/** Returns the first and the last month of the fixed range. */
export function monthsOf({ date_range_type, as_of }: DashboardChoices): Pick<DashboardChoices, 'from_month' | 'to_month'> {
  const { first_month, last_month } = windowOf(date_range_type, dayOf(as_of))
  return { from_month: first_month, to_month: last_month }
}

function dayOf(asOf: string): CalendarDate {
  return asOf || todayIn(NEW_YORK, new Date().toISOString())
}

/** Returns the comparison that the control shows. */
export function shownComparison(choices: DashboardChoices): ComparisonChoice {
  return comparisonsFor(choices).includes(choices.compare) ? choices.compare : 'last_year'
}

/** Returns the query of the call. */
export function queryOf(subject: DashboardSubject, choices: DashboardChoices): DashboardQuery {
  return {
    scope_type: subject.scope_type,
    scope_id: String(subject.scope_id),
    client_id: String(subject.client_id),
    service: choices.service || undefined,
    compare_to_last_year: String(choices.compare === 'last_year'),
    date_range_type: choices.date_range_type,
    from_month: choices.from_month || undefined,
    to_month: choices.to_month || undefined,
    basis: choices.basis,
    graph_data_type: choices.graph_data_type,
    summary: 'true',
    as_of: choices.as_of || undefined,
  }
}

/** The parts of the dashboard, in the same period and of the same service. */
export function useChildren(subject: DashboardSubject, choices: DashboardChoices, children: ChildKind) {
  const query = { ...queryOf(subject, choices), graph_data_type: undefined, summary: undefined, children }
  return useQuery({
    ...apiQuery(dashboardChildCalls.children, { params: { client_id: subject.client_id }, query }),
    placeholderData: keepPreviousData,
  })
}

/** Why the cost changed against the year before, in the same period and of the same service. */
export function useCostChange(subject: DashboardSubject, choices: DashboardChoices, children: ChildKind) {
  const { compare_to_last_year: _compare, graph_data_type: _graph, summary: _summary, ...query } = queryOf(subject, choices)
  return useQuery({
    ...apiQuery(dashboardCostChangeCalls.costChange, { params: { client_id: subject.client_id }, query: { ...query, children } }),
    placeholderData: keepPreviousData,
  })
}

/** The dashboard; the one before stays in sight while the next is on its way. */
export function useDashboard(subject: DashboardSubject, choices: DashboardChoices) {
  return useQuery({
    ...apiQuery(dashboardCalls.get, { params: { client_id: subject.client_id }, query: queryOf(subject, choices) }),
    placeholderData: keepPreviousData,
  })
}
