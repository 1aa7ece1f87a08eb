/** The address of the bills behind a figure: the list of bills, filtered as the figure is. Pure. */
import type { ChildKind, ChildRow } from '#contract/dashboard/dashboard-children.ts'
import type { DashboardScope } from '#contract/dashboard/dashboard.ts'
import { DEFAULT_BASIS, type DashboardBasis } from '#contract/dashboard/basis.ts'
import { isZero } from '#contract/kernel/decimal.ts'
import { withSearch } from '../kernel/navigation.tsx'
import type { DashboardSubject } from './use-dashboard.ts'

export interface FigureOf {
  readonly subject: DashboardSubject
  readonly basis: DashboardBasis
  /** Id of a utility service; '' for all. */
  readonly service: string
  /** First and last day. */
  readonly from: string
  readonly to: string
  /** The subject of the figure, as the list shows it: 'Store 1, Electric'. */
  readonly of: string
  /** The address of the dashboard, to which the list leads back. */
  readonly back: string
}

type NamedRow = Pick<ChildRow, 'id' | 'name' | 'account_type'>
type Filters = Readonly<Record<string, string | number>>

export function billsBehind({ subject, basis, service, from, to, of, back }: FigureOf, further: Filters = {}): string {
  return withSearch(`/clients/${subject.client_id}/bills`, {
    ...filtersOf(subject),
    ...further,
    counted_on_gteq: from,
    counted_on_lteq: to,
    counted_service_id: service,
    counted_basis: basis === DEFAULT_BASIS ? undefined : basis,
    of,
    back,
  })
}

/** The bills of one row of the table; null where the row names no record. A row of a utility service is narrowed by the service alone. */
export function billsOfRow(figure: FigureOf, kind: ChildKind, row: NamedRow): string | null {
  if (row.id === null) return null
  const of = `${figure.of}, ${row.name}`
  if (kind === 'services') return billsBehind({ ...figure, of, service: String(row.id) })
  return billsBehind({ ...figure, of }, filterOf(kind, row, row.id))
}

function filterOf(kind: Exclude<ChildKind, 'services'>, { account_type }: NamedRow, id: number): Filters {
  if (kind === 'divisions') return { division_id_eq: id }
  if (kind === 'facilities') return { facility_id_eq: id }
  return account_type === 'SupplyAccount' ? { supply_account_id_eq: id } : { billable_account_id_eq: id }
}

/** A figure that is missing or zero has no bills to show. */
export function hasBills(value: string | null): boolean {
  return value !== null && !isZero(value)
}

const scopeFilters: Readonly<Record<DashboardScope, (id: number) => Filters>> = {
  client: () => ({}),
  division: (id) => ({ division_id_eq: id }),
  facility: (id) => ({ facility_id_eq: id }),
  billable_accounts: () => ({ account_type_eq: 'BillableAccount' }),
  supply_accounts: () => ({ account_type_eq: 'SupplyAccount' }),
  billable_account: (id) => ({ billable_account_id_eq: id }),
  supply_account: (id) => ({ supply_account_id_eq: id }),
  group_account: (id) => ({ group_account_id_eq: id }),
  group_supply_account: (id) => ({ group_supply_account_id_eq: id }),
}

function filtersOf({ scope_type, scope_id }: DashboardSubject): Filters {
  return scopeFilters[scope_type](scope_id)
}
