/** The children of a dashboard's scope: the sums of both windows by facility, or by account, and the names of what the caller may read. */
import type { ChildKind } from '#contract/dashboard/dashboard-children.ts'
import type { ComparedWindows, MonthWindow } from '#contract/dashboard/date-range.ts'
import type { CalendarMonth } from '#contract/kernel/date.ts'
import { compareDecimals } from '#contract/kernel/decimal.ts'
import { sql, type RawBuilder } from 'kysely'
import { billableAccountScope, divisionScope, facilityScope, supplyAccountScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition, type Condition, type ScopeRule } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { reachOf } from '../kernel/principal.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import type { ScopedPart } from './dashboard-scope.ts'
import { factRows, meterMonths } from './fact-source.ts'
import { comparableSides, sideSums } from './read-comparable.ts'
import { serviceRows, type ConfiguredMeters } from './read-meters.ts'
import { inEither, monthSumsOf, sums, within, type MonthSums, type RawMonth } from './read-sums.ts'

/** Where sums belong. An account is a billable one by its id, a supply account by its negated id; null where the question needs none. */
export interface ChildPlace {
  readonly account: number | null
  readonly facility_id: number | null
  readonly service_id: number | null
}

/** The sums of one window; `month` is its first month and stands for all of it. */
export interface ChildSums extends MonthSums, ChildPlace {
  readonly service_id: number | null
  /** Days that meters no longer in use cover. */
  readonly retired_days: number
}

export type ChildMeters = ConfiguredMeters & ChildPlace

type Raw = RawMonth & { readonly account: number | null; readonly facility_id: number | null; readonly retired_days: number }

export function accountOf(kind: ChildKind, row: string): RawBuilder<unknown> {
  const [billable, supply] = [sql.ref(`${row}.billable_account_id`), sql.ref(`${row}.supply_account_id`)]
  return kind === 'accounts' ? sql`coalesce(${billable}, -${supply})` : sql`null::bigint`
}

/** The earlier window ends before the later one begins. */
export function windowOf(row: string, { current, previous }: ComparedWindows): RawBuilder<unknown> {
  return sql`case when ${sql.ref(`${row}.month`)} >= ${current.from}::date then ${current.first_month}::text else ${previous.first_month}::text end`
}

export async function readChildSums(tx: Tx, part: ScopedPart, windows: ComparedWindows, kind: ChildKind): Promise<ChildSums[]> {
  const { rows } =
    await sql<Raw>`select ${accountOf(kind, 'fact')} as account, fact.facility_id, fact.utility_service_id as service_id, ${windowOf('fact', windows)} as month,
      0 as days_mask, sum(fact.days) as meter_days, coalesce(sum(fact.days) filter (where services.id is not null and not ${serviceRows.isConfigured}), 0) as retired_days,
      ${sums(part.supplied)}
    from ${meterMonths(part.basis, sql`${part.facts} and ${inEither(windows)}`)} left join services on services.client_id = fact.client_id and services.id = fact.service_id ${serviceRows.accounts}
    group by 1, 2, 3, 4`.execute(tx)
  return rows.map(childSumsOf)
}

/** The same over the meters and days that both windows cover. */
export async function readChildComparable(tx: Tx, part: ScopedPart, windows: ComparedWindows, kind: ChildKind): Promise<ChildSums[]> {
  const { rows } =
    await sql<Raw>`select ${accountOf(kind, 'fact')} as account, fact.facility_id, side.service_id, ${windowOf('side', windows)} as month, 0 as retired_days, ${sideSums}
    from ${comparableSides(part, windows)} group by 1, 2, 3, 4`.execute(tx)
  return rows.map(childSumsOf)
}

function childSumsOf(row: Raw): ChildSums {
  const { account, facility_id, retired_days } = row
  return { ...monthSumsOf(row), account, facility_id, retired_days }
}

/** The meters in use, gathered by their place and the days on which they are expected to be billed. */
export async function readChildMeters(tx: Tx, part: ScopedPart, kind: ChildKind): Promise<ChildMeters[]> {
  const { rows } = await sql<ChildMeters>`select ${accountOf(kind, 'services')} as account,
      coalesce(billable.facility_id, supply.facility_id) as facility_id, services.utility_service_id as service_id,
      greatest(services.effective_from, billable.effective_from, supply.effective_from) as effective_from,
      least(services.effective_to, billable.effective_to, supply.effective_to) as effective_to, count(*) as meters
    from services ${serviceRows.accounts} where ${part.services} and ${serviceRows.isConfigured} group by 1, 2, 3, 4, 5`.execute(tx)
  return rows
}

export interface SparkCost extends ChildPlace {
  readonly month: CalendarMonth
  readonly cents: number
}

const ofService = (id: number | null): RawBuilder<unknown> => (id === null ? sql`` : sql`and fact.utility_service_id = ${id}`)

/** Returns the cost of each child by month; the place is only as fine as the kind needs it. */
export async function readSparks(
  tx: Tx,
  part: ScopedPart,
  months: MonthWindow,
  kind: ChildKind,
  serviceId: number | null,
): Promise<SparkCost[]> {
  const isService = kind === 'services'
  const { rows } = await sql<SparkCost>`select ${accountOf(kind, 'fact')} as account,
      ${isService ? sql`null::bigint` : sql`fact.facility_id`} as facility_id, ${isService ? sql`fact.utility_service_id` : sql`null::bigint`} as service_id,
      to_char(fact.month, 'YYYY-MM') as month, (sum(fact.cost) * 100)::bigint as cents
    from ${factRows(part.basis)} where ${part.facts} and ${within(months)} ${ofService(serviceId)} group by 1, 2, 3, 4`.execute(tx)
  return rows
}

/** Cost of the facilities with an area in one month, and the square feet of those that have bills of the month. */
export interface AreaMonth {
  readonly month: CalendarMonth
  readonly cents: number
  readonly area: string
}

/** `facilities` are those whose area the caller may read. */
export async function readAreaMonths(
  tx: Tx,
  part: ScopedPart,
  months: MonthWindow,
  serviceId: number | null,
  facilities: readonly NamedFacility[],
): Promise<AreaMonth[]> {
  const measured = facilities.filter(({ square_footage }) => square_footage !== null && compareDecimals(square_footage, '0') > 0)
  const [ids, areas] = [measured.map(({ id }) => id), measured.map(({ square_footage }) => square_footage)]
  const { rows } = await sql<AreaMonth>`select own.month, (sum(own.cost) * 100)::bigint as cents, sum(measured.area)::text as area
    from (select fact.facility_id, to_char(fact.month, 'YYYY-MM') as month, sum(fact.cost) as cost from ${factRows(part.basis)}
      where ${part.facts} and ${within(months)} ${ofService(serviceId)} and fact.facility_id = any(${ids}::bigint[]) group by 1, 2) own
    join unnest(${ids}::bigint[], ${areas}::numeric[]) as measured(id, area) on measured.id = own.facility_id group by 1`.execute(tx)
  return rows
}

export interface NamedFacility {
  readonly id: number
  readonly name: string
  readonly square_footage: string | null
  readonly division_id: number
  readonly division: string
}

export interface NamedAccount {
  /** Negative for a supply account. */
  readonly id: number
  readonly name: string
  /** Null for a supply account that is not at a facility. */
  readonly facility_id: number | null
}

export interface ChildNames {
  readonly facilities: ReadonlyMap<number, NamedFacility>
  readonly divisions: ReadonlyMap<number, string>
  readonly accounts: ReadonlyMap<number, NamedAccount>
}

/** The names of those that the caller may read, each by the right and the reach of its own model; a facility's area goes with its name. */
export async function readChildNames(
  context: Context,
  clientId: number,
  kind: ChildKind,
  sumsOfAll: readonly ChildSums[],
): Promise<ChildNames> {
  const { tx } = context
  const within = (scope: ScopeRule, may: Permission) => scopeCondition({ scope }, { reach: reachOf(context.principal, may), clientId })
  const distinct = (values: readonly (number | null)[]) => [...new Set(values)].filter((value) => value !== null)
  const facilityIds = distinct(sumsOfAll.map((row) => row.facility_id))
  const accounts = distinct(sumsOfAll.map((row) => row.account))
  const [facilities, divisions, billable, supply] = await Promise.all([
    sql<NamedFacility>`select facilities.id, facilities.name, facilities.square_footage, facilities.division_id, division.name as division
      from facilities join divisions division on division.client_id = facilities.client_id and division.id = facilities.division_id
      where ${within(facilityScope, 'facility.read')} and facilities.client_id = ${clientId} and facilities.id = any(${facilityIds}::bigint[])`.execute(
      tx,
    ),
    kind === 'divisions'
      ? sql<{ id: number; name: string }>`select divisions.id, divisions.name from divisions
          where ${within(divisionScope, 'division.read')} and divisions.client_id = ${clientId}`.execute(tx)
      : { rows: [] },
    accountNames(
      tx,
      'billable_accounts',
      within(billableAccountScope, 'billable_account.read'),
      clientId,
      accounts.filter((id) => id > 0),
    ),
    accountNames(
      tx,
      'supply_accounts',
      within(supplyAccountScope, 'supply_account.read'),
      clientId,
      accounts.filter((id) => id < 0).map((id) => -id),
    ),
  ])
  return {
    facilities: new Map(facilities.rows.map((row) => [row.id, row])),
    divisions: new Map(divisions.rows.map((row) => [row.id, row.name])),
    accounts: new Map([...billable, ...supply.map((row) => ({ ...row, id: -row.id }))].map((row) => [row.id, row])),
  }
}

async function accountNames(
  tx: Tx,
  table: 'billable_accounts' | 'supply_accounts',
  reached: Condition,
  clientId: number,
  ids: readonly number[],
): Promise<readonly NamedAccount[]> {
  if (ids.length === 0) return []
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const { rows } = await sql<NamedAccount>`select ${column('id')} as id, ${column('account_number')} || ' ' || ${column('name')} as name,
      ${column('facility_id')} as facility_id
    from ${sql.table(table)} where ${reached} and ${column('client_id')} = ${clientId} and ${column('id')} = any(${ids}::bigint[])`.execute(
    tx,
  )
  return rows
}
