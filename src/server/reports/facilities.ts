/**
 * Facilities with their cost, usage and emissions from the monthly facts: of one client, or of all clients in the reach of provider staff.
 * Amounts without a facility have their own row, so that the sums match the dashboards.
 */
import { coverage, percentChange } from '#contract/dashboard/metrics.ts'
import { monthWindow, type MonthWindow } from '#contract/dashboard/date-range.ts'
import { addDays, addToMonth, daysBetween } from '#contract/kernel/date.ts'
import { dividedBy, isZero, plus, times } from '#contract/kernel/decimal.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import type { FigureBills } from '#contract/reports/figure-bills.ts'
import type { ReportColumn } from '#contract/reports/report-form.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { facilityScope, serviceScope } from '../estate/estate.ts'
import { and, scopeCondition, type Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { rowsByCursor } from '../kernel/postgres/rows-by-cursor.ts'
import { costFigures, inWindow, placeFilters, rowsBehind } from './bills-behind.ts'
import { factsAsked, factScope, inMonths, monthsAsked } from './day-rows.ts'
import type { AskedReport, Cell, ReportRow, ReportTable } from './report-table.ts'
import { withoutZeros } from './report-sums.ts'
import { coveredDays, isConfigured } from './service-choice.ts'

/** Facilities whose sums are read at once; more would hold too much in memory. */
const FACILITIES_AT_ONCE = 500

export function facilities(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  return facilityTable(tx, asked, asked.clientId)
}

/** The same for every client in the maker's reach. */
export function clientFacilities(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  return facilityTable(tx, asked, null)
}

interface FacilityRow {
  readonly client_id: number
  readonly client: string
  readonly client_code: string
  /** 0 for amounts without a facility. */
  readonly id: number
  readonly number: string
  readonly name: string
  readonly division: string
  readonly facility_type: string | null
  readonly square_footage: string | null
  readonly production_units: string | null
  readonly address: string
  readonly active_accounts: number
  readonly active_meters: number
}

interface FacilitySums {
  readonly client_id: number
  readonly facility_id: number
  readonly utility_service_id: number
  readonly cost: string
  readonly previous_cost: string
  readonly usage: string | null
  readonly kg: string
  /** Usage of the twelve months up to the last one, for the annual energy. */
  readonly year_usage: string | null
  readonly meter_days: number
  readonly retired_days: number
}

interface Kind {
  readonly id: number
  readonly name: string
  readonly unit: string | null
  readonly kbtu_factor: string | null
}

async function facilityTable(tx: Tx, asked: AskedReport, clientId: number | null): Promise<ReportTable> {
  const window = monthsAsked(asked)
  const { rows: kinds } = await sql<Kind>`select kind.id, kind.name, unit.symbol as unit, kind.kbtu_factor from utility_services kind
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard left join units unit on unit.id = standard.unit_id
    order by kind.name, kind.id`.execute(tx)
  const usedIds = await usedKinds(tx, asked, clientId)
  const used = kinds.filter(({ id }) => usedIds.has(id))
  const behind = rowsBehind()
  const made = async (places: readonly FacilityRow[]): Promise<ReportRow[]> => {
    const ids = places.flatMap(({ id }) => (id === 0 ? [] : [id]))
    const sets: FacilityIds[] = ids.length < places.length ? [ids, null] : [ids]
    const sums: FacilitySums[] = []
    const expected = new Map<string, number>()
    for (const set of sets) {
      sums.push(...(await sumsOf(tx, asked, clientId, set)))
      for (const [place, days] of await expectedDays(tx, asked, clientId, set)) expected.set(place, days)
    }
    const byPlace = Map.groupBy(sums, placeOf)
    return places.map((row) => {
      const place = placeOf({ client_id: row.client_id, facility_id: row.id })
      const cells = rowOf(row, { own: byPlace.get(place) ?? [], due: expected.get(place) ?? 0, kinds, used, columns: asked.columns })
      return behind.note(cells, figuresOf(row, asked))
    })
  }
  async function* rows(): AsyncGenerator<ReportRow[]> {
    // The row 'No facility' precedes a client's facilities. Clients without facilities have it too.
    let elsewhere = await placesElsewhere(tx, asked, clientId)
    const upTo = (row: FacilityRow): FacilityRow[] => {
      const some = elsewhere.filter((one) => naturalOrder(one.client, row.client) < 0 || one.client_id === row.client_id)
      if (some.length > 0) elsewhere = elsewhere.filter((one) => !some.includes(one))
      return some
    }
    for await (const some of rowsByCursor(tx, placesOf(asked, clientId), { name: 'facility_places', atOnce: FACILITIES_AT_ONCE }))
      yield made(some.flatMap((row) => [...upTo(row), row]))
    if (elsewhere.length > 0) yield made(elsewhere)
  }
  return {
    columns: withKinds(asked.columns, used),
    rows: rows(),
    control: null,
    behind: behind.of,
    remarks: () => [
      `Months ${window.first_month} to ${window.last_month}, whole ones. Energy for each square foot is of the twelve months that end with ${window.last_month}.`,
    ],
  }
}

/** The bills of a facility's cost and of that of the year before, or of what belongs to no facility. */
function figuresOf({ client_id, id }: FacilityRow, asked: AskedReport): FigureBills[] {
  const window = monthsAsked(asked)
  const place = { ...placeFilters(asked), ...(id === 0 ? { facility_id_null: 'true' } : { facility_id_eq: String(id) }) }
  const of = { now: window, before: monthWindow(addToMonth(window.first_month, -12), addToMonth(window.last_month, -12)) }
  return costFigures(client_id, of, (one) => ({ ...place, ...inWindow(one, asked.data.utility_service_ids) }))
}

/** The ids of facilities; null for what belongs to none. */
type FacilityIds = readonly number[] | null

const placeOf = ({ client_id, facility_id }: { client_id: number; facility_id: number }): string => `${client_id} ${facility_id}`

/** Returns the client of a table: a constant, or that of the joined rows. */
function clientIn(clientId: number | null, of: string): RawBuilder<unknown> {
  return clientId === null ? sql.ref(`${of}.client_id`) : sql`${clientId}::bigint`
}

/** Returns the conditions of a report's choices on `facilities`. */
export function facilitiesAsked({ data, divisionId, reach }: AskedReport, clientId: number | null): Condition[] {
  return [
    scopeCondition({ scope: facilityScope }, clientId === null ? { reach } : { reach, clientId }),
    ...(data.facility_ids.length === 0 ? [] : [sql<SqlBool>`facilities.id = any(${data.facility_ids}::bigint[])`]),
    ...(data.division_ids.length === 0 ? [] : [sql<SqlBool>`facilities.division_id = any(${data.division_ids}::bigint[])`]),
    ...(divisionId === null ? [] : [sql<SqlBool>`facilities.division_id = ${divisionId}`]),
  ]
}

function placesOf(asked: AskedReport, clientId: number | null): RawBuilder<FacilityRow> {
  const client = clientIn(clientId, 'facilities')
  const accountsOf = (table: string) =>
    sql`(select count(*) from ${sql.table(table)} account where account.client_id = ${client} and account.facility_id = facilities.id and account.active)`
  const metersOf = (
    table: string,
    key: string,
  ) => sql`(select count(*) from services meter join ${sql.table(table)} account on account.client_id = ${client}
      and account.id = ${sql.ref(`meter.${key}`)} where meter.client_id = ${client} and account.facility_id = facilities.id and account.active and meter.active)`
  return sql<FacilityRow>`select facilities.client_id, client.name as client, client.short_code as client_code, facilities.id, facilities.number, facilities.name,
      division.name as division, kind.name as facility_type, facilities.square_footage,
      (select string_agg(unit.name, '; ' order by unit.name) from facility_production_units own join production_units unit on unit.id = own.production_unit_id
        where own.client_id = ${client} and own.facility_id = facilities.id) as production_units,
      concat_ws(', ', facilities.street_address_1, facilities.street_address_2, facilities.city, facilities.state, facilities.zip) as address,
      (${accountsOf('billable_accounts')} + ${accountsOf('supply_accounts')})::int as active_accounts,
      (${metersOf('billable_accounts', 'billable_account_id')} + ${metersOf('supply_accounts', 'supply_account_id')})::int as active_meters
    from facilities join clients client on client.id = facilities.client_id
    join divisions division on division.client_id = ${client} and division.id = facilities.division_id
    left join facility_types kind on kind.id = facilities.facility_type_id
    where ${and(facilitiesAsked(asked, clientId))} order by client.name, facilities.client_id, division.name, facilities.name, facilities.id`
}

/** A place for each client that has facts of no facility, by the clients' names. */
async function placesElsewhere(tx: Tx, asked: AskedReport, clientId: number | null): Promise<FacilityRow[]> {
  const { rows } = await sql<Pick<FacilityRow, 'client_id' | 'client' | 'client_code'>>`
    select client.id as client_id, client.name as client, client.short_code as client_code from clients client
    where ${clientId === null ? sql`true` : sql`client.id = ${clientId}`} and client.id in (select fact.client_id from service_month_facts fact
      where ${and([...factConditions(asked, clientId), inMonths(monthsOfSums(asked)), ofFacilities('fact.facility_id', null)])})
    order by client.name, client.id`.execute(tx)
  return rows.map((row) => ({ ...nowhere, ...row }))
}

const nowhere = {
  id: 0,
  number: '',
  name: 'No facility',
  division: '',
  facility_type: null,
  square_footage: null,
  production_units: null,
  address: '',
  active_accounts: 0,
  active_meters: 0,
} as const

function ofFacilities(column: string, ids: FacilityIds): Condition {
  return ids === null ? sql<SqlBool>`${sql.ref(column)} is null` : sql<SqlBool>`${sql.ref(column)} = any(${ids}::bigint[])`
}

/** The utility services whose usage the months have. */
async function usedKinds(tx: Tx, asked: AskedReport, clientId: number | null): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`select fact.utility_service_id as id from service_month_facts fact
    where ${and([...factConditions(asked, clientId), inMonths(monthsAsked(asked))])} and fact.usage is not null
      and fact.utility_service_id is not null group by 1`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

function factConditions(asked: AskedReport, clientId: number | null): Condition[] {
  if (clientId !== null) return factsAsked(asked)
  const { utility_service_ids: kinds } = asked.data
  return [
    scopeCondition({ scope: factScope(sql`fact.client_id`) }, { reach: asked.reach }),
    ...(kinds.length === 0 ? [] : [sql<SqlBool>`fact.utility_service_id = any(${kinds}::bigint[])`]),
  ]
}

/** The months asked for, those of the year before, and the twelve that end with the last one. */
function monthsOfSums(asked: AskedReport): MonthWindow {
  const { first_month, last_month } = monthsAsked(asked)
  const [before, year] = [addToMonth(first_month, -12), addToMonth(last_month, -11)]
  return monthWindow(before < year ? before : year, last_month)
}

async function sumsOf(tx: Tx, asked: AskedReport, clientId: number | null, ids: FacilityIds): Promise<FacilitySums[]> {
  const window = monthsAsked(asked)
  const before = monthWindow(addToMonth(window.first_month, -12), addToMonth(window.last_month, -12))
  const year = monthWindow(addToMonth(window.last_month, -11), window.last_month)
  const client = clientIn(clientId, 'fact')
  const now = inMonths(window)
  const { rows } =
    await sql<FacilitySums>`select fact.client_id, coalesce(fact.facility_id, 0) as facility_id, coalesce(fact.utility_service_id, 0) as utility_service_id,
      coalesce(sum(fact.cost) filter (where ${now}), 0)::numeric(16,2) as cost, coalesce(sum(fact.cost) filter (where ${inMonths(before)}), 0)::numeric(16,2) as previous_cost,
      sum(fact.usage) filter (where ${now}) as usage, coalesce(sum(fact.kg_co2e) filter (where ${now}), 0) as kg,
      sum(fact.usage) filter (where ${inMonths(year)}) as year_usage, coalesce(sum(${coveredDays}) filter (where ${now}), 0)::int as meter_days,
      coalesce(sum(fact.days) filter (where ${now} and not ${isConfigured}), 0)::int as retired_days
    from service_month_facts fact left join services on services.client_id = ${client} and services.id = fact.service_id
    left join billable_accounts billable on billable.client_id = ${client} and billable.id = fact.billable_account_id
    left join supply_accounts supply on supply.client_id = ${client} and supply.id = fact.supply_account_id
    where ${and([...factConditions(asked, clientId), inMonths(monthsOfSums(asked)), ofFacilities('fact.facility_id', ids)])} group by 1, 2, 3`.execute(
      tx,
    )
  return rows
}

/** Days on which meters are expected to be covered: each on the days of the window on which it is in use. */
async function expectedDays(tx: Tx, asked: AskedReport, clientId: number | null, ids: FacilityIds): Promise<Map<string, number>> {
  const window = monthsAsked(asked)
  const client = clientIn(clientId, 'services')
  const { utility_service_ids: kinds } = asked.data
  const conditions: Condition[] = [
    scopeCondition({ scope: serviceScope }, clientId === null ? { reach: asked.reach } : { reach: asked.reach, clientId }),
    ...(clientId === null ? [] : [sql<SqlBool>`services.client_id = ${clientId}`]),
    isConfigured,
    ...(kinds.length === 0 ? [] : [sql<SqlBool>`services.utility_service_id = any(${kinds}::bigint[])`]),
  ]
  const { rows } = await sql<{ client_id: number; facility_id: number; from: string | null; to: string | null; meters: number }>`
    select services.client_id, coalesce(billable.facility_id, supply.facility_id, 0) as facility_id,
      greatest(services.effective_from, billable.effective_from, supply.effective_from) as from,
      least(services.effective_to, billable.effective_to, supply.effective_to) as to, count(*)::int as meters
    from services left join billable_accounts billable on billable.client_id = ${client} and billable.id = services.billable_account_id
    left join supply_accounts supply on supply.client_id = ${client} and supply.id = services.supply_account_id
    where ${and(conditions)} and coalesce(billable.facility_id, supply.facility_id)${ids === null ? sql` is null` : sql` = any(${ids}::bigint[])`}
    group by 1, 2, 3, 4`.execute(tx)
  const days = new Map<string, number>()
  for (const { from, to, meters, ...place } of rows) {
    const start = from !== null && from > window.from ? from : window.from
    const end = to !== null && to < window.to ? to : window.to
    days.set(placeOf(place), (days.get(placeOf(place)) ?? 0) + meters * Math.max(0, daysBetween(start, addDays(end, 1))))
  }
  return days
}

/** Adds a column of usage for each utility service with usage, after the cost. */
function withKinds(columns: readonly ReportColumn[], used: readonly Kind[]): ReportColumn[] {
  const usages = used.map(({ id, name, unit }): ReportColumn => ({
    key: `usage_${id}`,
    label: unit === null ? name : `${name} (${unit})`,
    kind: 'decimal',
    total: true,
    fileOnly: true,
  }))
  return columns.flatMap((column) => (column.key === 'cost' ? [column, ...usages] : [column]))
}

interface Beside {
  readonly own: readonly FacilitySums[]
  readonly due: number
  readonly kinds: readonly Kind[]
  readonly used: readonly Kind[]
  readonly columns: readonly ReportColumn[]
}

function rowOf(row: FacilityRow, { own, due, kinds, used, columns }: Beside): ReportRow {
  const area = row.square_footage === null || isZero(row.square_footage) ? null : row.square_footage
  const cost = own.reduce((sum, one) => plus(sum, one.cost), '0.00')
  const previous = own.reduce((sum, one) => plus(sum, one.previous_cost), '0.00')
  const kg = own.reduce((sum, one) => plus(sum, one.kg), '0')
  const days = own.reduce((sum, one) => sum + one.meter_days, 0)
  const expected = due + own.reduce((sum, one) => sum + one.retired_days, 0)
  const share = coverage(days, expected)
  const energy = kbtuOf(own, kinds, 'usage')
  const yearly = kbtuOf(own, kinds, 'year_usage')
  const over = (value: string | null, scale: number): Cell => (value === null || area === null ? null : dividedBy(value, area, scale))
  const cells: Readonly<Record<string, Cell>> = {
    client: row.client,
    client_code: row.client_code,
    number: row.number,
    name: row.name,
    division: row.division,
    facility_type: row.facility_type,
    square_footage: row.square_footage === null ? null : withoutZeros(row.square_footage),
    production_units: row.production_units,
    address: row.address,
    active_accounts: String(row.active_accounts),
    active_meters: String(row.active_meters),
    cost: fixed(cost),
    mmbtu: energy === null ? null : withoutZeros(dividedBy(energy, '1000', 6) ?? '0'),
    eui: over(yearly, 2),
    cost_per_square_foot: over(cost, 4),
    tonnes: withoutZeros(times(kg, '0.001')),
    tonnes_per_thousand: over(kg, 4),
    previous_cost: fixed(previous),
    change: percentChange(cost, previous),
    coverage: share === null ? null : dividedBy(times(share, '100'), '1', 2),
  }
  const usageOf = (id: number): Cell => {
    const found = own.find((one) => one.utility_service_id === id)?.usage ?? null
    return found === null ? null : withoutZeros(found)
  }
  return columns.flatMap(({ key }): Cell[] =>
    key === 'cost' ? [cells['cost'] ?? null, ...used.map(({ id }) => usageOf(id))] : [cells[key] ?? null],
  )
}

/** Returns the energy of energy services; null if none of them is used. */
function kbtuOf(own: readonly FacilitySums[], kinds: readonly Kind[], of: 'usage' | 'year_usage'): string | null {
  const parts = own.flatMap((one) => {
    const factor = kinds.find(({ id }) => id === one.utility_service_id)?.kbtu_factor ?? null
    const usage = one[of]
    return factor === null || usage === null ? [] : [times(usage, factor)]
  })
  return parts.length === 0 ? null : parts.reduce((sum, part) => plus(sum, part), '0')
}

function fixed(amount: string): string {
  return dividedBy(amount, '1', 2) ?? amount
}
