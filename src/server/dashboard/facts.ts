/**
 * The monthly facts behind dashboards: calendarized cost, usage and emissions of each service and month, and their sums by utility service
 * and by facility. They change in the transaction that changes a bill, so that a dashboard is never behind the bills.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/database.ts'
import { factColumns, freshFacts, type FactOwners } from './fact-rows.ts'

/** In `facility_month_facts`, the row that sums all utility services. */
export const ALL_SERVICES = -1

export interface FactAccounts {
  readonly billable_account_ids?: readonly number[]
  readonly supply_account_ids?: readonly number[]
}

/**
 * Recomputes the facts of these services inside the transaction; call it after every write to bills, lines, services or accounts. Name every
 * service that a bill has or had a line of, and in `accounts` the accounts of bills that have (or had) no line. What hangs on them is found
 * here: the accounts of the services, the bill that a rebill replaces, the parent of a group bill, the supply lines that a bill shows.
 */
export async function refreshFacts(tx: Tx, clientId: number, serviceIds: readonly number[], accounts: FactAccounts = {}): Promise<void> {
  if (serviceIds.length === 0 && !accounts.billable_account_ids?.length && !accounts.supply_account_ids?.length) return
  // These statements cost more to plan than to run: planned once a connection, they save most of their time.
  await sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx)
  const owners = await relatedOwners(tx, clientId, serviceIds, accounts)
  await lockOwners(tx, clientId, owners)
  const changes = await replaceFacts(tx, clientId, owners)
  if (changes.length > 0) await moveTotals(tx, clientId, changes)
  await sql`select set_config('plan_cache_mode', 'auto', true)`.execute(tx)
}

/** Recomputes the facts of everything under one record, for changes that move or re-classify it (a facility's division, a service's factor). */
export async function refreshFactsUnder(
  tx: Tx,
  clientId: number,
  level: 'facility' | 'billable_account' | 'supply_account' | 'utility_service',
  id: number,
): Promise<void> {
  const within =
    level === 'facility'
      ? sql`(billable.facility_id = ${id} or supply.facility_id = ${id})`
      : sql`service.${sql.ref(`${level}_id`)} = ${id}`
  const { rows } = await sql<{ id: number }>`select service.id from services service
    left join billable_accounts billable on billable.client_id = service.client_id and billable.id = service.billable_account_id
    left join supply_accounts supply on supply.client_id = service.client_id and supply.id = service.supply_account_id
    where service.client_id = ${clientId} and ${within}`.execute(tx)
  await refreshFacts(
    tx,
    clientId,
    rows.map((row) => row.id),
    await accountsUnder(tx, clientId, level, id),
  )
}

/** Makes all facts of a client anew from its bills, as repair and as check. */
export async function rebuildFacts(tx: Tx, clientId: number): Promise<void> {
  await sql`select 1 from services where client_id = ${clientId} order by id for no key update`.execute(tx)
  for (const table of ['service_month_facts', 'utility_month_facts', 'facility_month_facts'])
    await sql`delete from ${sql.table(table)} where client_id = ${clientId}`.execute(tx)
  const columns = sql.join(factColumns.map((column) => sql.ref(column)))
  await sql`with ${freshFacts(clientId, 'all')} insert into service_month_facts (${columns}) select ${columns} from fresh`.execute(tx)
  const own = sql`select 1 as sign, * from service_month_facts where client_id = ${clientId}`
  await sql`insert into utility_month_facts (client_id, utility_service_id, month, days_mask, ${utilityColumns})
    select client_id, coalesce(utility_service_id, 0), month, bit_or(days_mask), ${utilitySums} from (${own}) fact group by 1, 2, 3`.execute(
    tx,
  )
  await sql`insert into facility_month_facts (client_id, facility_id, utility_service_id, month, ${facilityColumns})
    select client_id, coalesce(facility_id, 0), level.service_id, month, ${facilitySums}
    from (${own}) fact cross join lateral (values (coalesce(utility_service_id, 0)), (${ALL_SERVICES}::bigint)) level (service_id) group by 1, 2, 3, 4`.execute(
    tx,
  )
}

/**
 * Gives the facts of many accounts, named by a select of their ids, the facility that each account has now. Nothing else of a fact hangs
 * on where it is, so that a move of ten thousand accounts makes none of them anew.
 */
export async function moveFacts(
  tx: Tx,
  clientId: number,
  kind: 'billable_account' | 'supply_account',
  ids: RawBuilder<unknown>,
): Promise<void> {
  const key = sql.ref(`${kind}_id`)
  // Whoever makes facts of these services anew waits, and then reads where they are.
  await sql`select 1 from services where client_id = ${clientId} and ${key} in (${ids}) order by id for no key update`.execute(tx)
  await sql`with moved as (
      update service_month_facts fact set facility_id = account.facility_id from ${sql.table(`${kind}s`)} account
      where fact.client_id = ${clientId} and account.client_id = ${clientId} and account.id = ${sql.ref(`fact.${kind}_id`)} and account.id in (${ids})
        and fact.facility_id is distinct from account.facility_id
      returning old.facility_id as left_id, new.facility_id as come_id, new.utility_service_id, new.month, new.cost, new.kg_co2e)
    insert into facility_month_facts as total (client_id, facility_id, utility_service_id, month, ${facilityColumns})
    select ${clientId}::bigint, coalesce(place.facility_id, 0), level.service_id, month, sum(sign) as facts, sum(sign * cost) as cost, sum(sign * kg_co2e) as kg_co2e
    from moved cross join lateral (values (-1, left_id), (1, come_id)) place (sign, facility_id)
      cross join lateral (values (coalesce(utility_service_id, 0)), (${ALL_SERVICES}::bigint)) level (service_id)
    group by 2, 3, 4 order by 2, 3, 4
    on conflict (client_id, facility_id, utility_service_id, month) do update set ${additions(summedOfFacility)}`.execute(tx)
  await sql`delete from facility_month_facts where client_id = ${clientId} and facts = 0`.execute(tx)
}

async function accountsUnder(
  tx: Tx,
  clientId: number,
  level: 'facility' | 'billable_account' | 'supply_account' | 'utility_service',
  id: number,
): Promise<FactAccounts> {
  if (level === 'billable_account') return { billable_account_ids: [id] }
  if (level === 'supply_account') return { supply_account_ids: [id] }
  const column = level === 'facility' ? sql.ref('facility_id') : sql.ref('utility_service_id')
  const billable = await sql<{ id: number }>`select id from billable_accounts where client_id = ${clientId} and ${column} = ${id}`.execute(
    tx,
  )
  const supply =
    level === 'facility'
      ? await sql<{ id: number }>`select id from supply_accounts where client_id = ${clientId} and facility_id = ${id}`.execute(tx)
      : { rows: [] }
  return { billable_account_ids: billable.rows.map((row) => row.id), supply_account_ids: supply.rows.map((row) => row.id) }
}

/** The services and accounts themselves, and those whose bills count otherwise because of theirs. */
async function relatedOwners(tx: Tx, clientId: number, serviceIds: readonly number[], accounts: FactAccounts): Promise<FactOwners> {
  const { billable_account_ids = [], supply_account_ids = [] } = accounts
  const { rows } = await sql<{ service_id: number | null; billable_account_id: number | null; supply_account_id: number | null }>`
    with named as materialized (
      select id, rebill_of_id, group_bill_id from bills
        where client_id = ${clientId} and id in (select bill_id from service_bills where client_id = ${clientId} and service_id = any(${serviceIds}::bigint[]))
      union select id, rebill_of_id, group_bill_id from bills where client_id = ${clientId} and billable_account_id = any(${billable_account_ids}::bigint[])
      union select id, rebill_of_id, group_bill_id from bills where client_id = ${clientId} and supply_account_id = any(${supply_account_ids}::bigint[])),
    related as (
      select id, billable_account_id, supply_account_id from bills where client_id = ${clientId} and id in (
        select rebill_of_id from named where rebill_of_id is not null union select group_bill_id from named where group_bill_id is not null
        union select line.supply_bill_id from service_bills line where line.client_id = ${clientId} and line.supply_bill_id is not null and line.bill_id in (select id from named)))
    select id as service_id, billable_account_id, supply_account_id from services where client_id = ${clientId} and id = any(${serviceIds}::bigint[])
    union select null, unnest(${billable_account_ids}::bigint[]), null
    union select null, null, unnest(${supply_account_ids}::bigint[])
    union select line.service_id, related.billable_account_id, related.supply_account_id
      from related left join service_bills line on line.client_id = ${clientId} and line.bill_id = related.id
    union select line.service_id, null, null from bill_linked_service_bills link
      join service_bills line on line.client_id = link.client_id and line.id = link.service_bill_id
      where link.client_id = ${clientId} and link.bill_id in (select id from named)`.execute(tx)
  const idsOf = (key: 'service_id' | 'billable_account_id' | 'supply_account_id') =>
    [...new Set(rows.flatMap((row) => row[key] ?? []))].toSorted((a, b) => a - b)
  return {
    service_ids: idsOf('service_id'),
    billable_account_ids: idsOf('billable_account_id'),
    supply_account_ids: idsOf('supply_account_id'),
  }
}

/** In id order, accounts first: two bills of one service never compute from each other's past, and never wait crosswise. */
async function lockOwners(tx: Tx, clientId: number, owners: FactOwners): Promise<void> {
  const locks = [
    { table: 'billable_accounts', ids: owners.billable_account_ids },
    { table: 'supply_accounts', ids: owners.supply_account_ids },
    { table: 'services', ids: owners.service_ids },
  ]
  for (const { table, ids } of locks) {
    if (ids.length > 0)
      await sql`select 1 from ${sql.table(table)} where client_id = ${clientId} and id = any(${ids}::bigint[]) order by id for no key update`.execute(
        tx,
      )
  }
}

/** How the facts of one facility, utility service and month have changed: sums of what came less what went. */
interface Change {
  readonly facility_id: number
  readonly utility_service_id: number
  readonly month: string
  readonly added_mask: number
  readonly removed_mask: number
}

/** The primary key within a client. */
const keyColumns = ['service_id', 'month', 'account_key'] as const

/** Writes what differs and nothing else: a new bill touches its own months, not the history of its service. */
async function replaceFacts(tx: Tx, clientId: number, owners: FactOwners): Promise<Change[]> {
  const columns = (alias: string) => sql.join(factColumns.map((column) => sql.ref(`${alias}.${column}`)))
  const sameKey = (one: string, other: string) =>
    sql.join(
      keyColumns.map((column) => sql`${sql.ref(`${one}.${column}`)} = ${sql.ref(`${other}.${column}`)}`),
      sql` and `,
    )
  const same = sql`${sameKey('stored', 'fresh')} and (${columns('stored')}) is not distinct from (${columns('fresh')})`
  const keys = [...owners.billable_account_ids, ...owners.supply_account_ids.map((id) => -id)]
  // What is stored is read once by its key: compared with the table itself, the planner reads all of it.
  const { rows } = await sql<Change>`with ${freshFacts(clientId, owners)},
    stored as materialized (select ${columns('fact')} from service_month_facts fact where fact.client_id = ${clientId}
      and (fact.service_id = any(${owners.service_ids}::bigint[]) or (fact.service_id = 0 and fact.account_key = any(${keys}::bigint[])))),
    stale as materialized (select * from stored where not exists (select 1 from fresh where ${same})),
    gone as (delete from service_month_facts fact using stale where fact.client_id = ${clientId} and ${sameKey('fact', 'stale')} returning ${columns('fact')}),
    come as (insert into service_month_facts (${sql.join(factColumns.map((column) => sql.ref(column)))}) select ${columns('fresh')} from fresh
      where (select count(*) from gone) >= 0 and not exists (select 1 from stored where ${same}) returning *)
    select coalesce(facility_id, 0) as facility_id, coalesce(utility_service_id, 0) as utility_service_id, month, ${utilitySums},
      coalesce(bit_or(days_mask) filter (where sign = 1), 0) as added_mask, coalesce(bit_or(days_mask) filter (where sign = -1), 0) as removed_mask
    from (select 1 as sign, ${columns('come')} from come union all select -1, ${columns('gone')} from gone) fact group by 1, 2, 3`.execute(
    tx,
  )
  return rows
}

const summed = [
  'facts',
  'meters',
  'meter_days',
  'first_meters',
  'cost',
  'utility_cost',
  'supply_cost',
  'other_cost',
  'usage',
  'usage_facts',
  'kg_co2e',
] as const
const summedOfFacility = ['facts', 'cost', 'kg_co2e'] as const
const utilityColumns = sql.join(summed.map((column) => sql.ref(column)))
const facilityColumns = sql.join(summedOfFacility.map((column) => sql.ref(column)))
const utilitySums = sql`sum(sign) as facts, sum(sign * (days > 0)::int) as meters, sum(sign * days) as meter_days,
  sum(sign * (starts and previous_month is null)::int) as first_meters, sum(sign * cost) as cost, sum(sign * utility_cost) as utility_cost,
  sum(sign * supply_cost) as supply_cost, sum(sign * other_cost) as other_cost, sum(sign * coalesce(usage, 0)) as usage, sum(sign * (usage is not null)::int) as usage_facts,
  sum(sign * kg_co2e) as kg_co2e`
const facilitySums = sql`sum(sign) as facts, sum(sign * cost) as cost, sum(sign * kg_co2e) as kg_co2e`

/** Adds the changes to the sums, in the order of their keys, so that two transactions never wait for each other crosswise. */
async function moveTotals(tx: Tx, clientId: number, changes: readonly Change[]): Promise<void> {
  const moved = sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as change(facility_id bigint, utility_service_id bigint, month date, added_mask int, removed_mask int, facts int,
    meters int, meter_days int, first_meters int, cost numeric, utility_cost numeric, supply_cost numeric, other_cost numeric, usage numeric, usage_facts int, kg_co2e numeric)`
  await sql`insert into utility_month_facts as total (client_id, utility_service_id, month, days_mask, ${utilityColumns})
    select ${clientId}::bigint, utility_service_id, month, bit_or(added_mask), ${sumsOf(summed)} from ${moved} group by utility_service_id, month order by utility_service_id, month
    on conflict (client_id, utility_service_id, month) do update set days_mask = total.days_mask | excluded.days_mask, ${additions(summed)}`.execute(
    tx,
  )
  await sql`insert into facility_month_facts as total (client_id, facility_id, utility_service_id, month, ${facilityColumns})
    select ${clientId}::bigint, facility_id, level.service_id, month, ${sumsOf(summedOfFacility)}
    from ${moved} cross join lateral (values (change.utility_service_id), (${ALL_SERVICES}::bigint)) level (service_id) group by 2, 3, 4 order by 2, 3, 4
    on conflict (client_id, facility_id, utility_service_id, month) do update set ${additions(summedOfFacility)}`.execute(tx)
  await sql`delete from utility_month_facts total using ${moved}
    where total.client_id = ${clientId} and total.utility_service_id = change.utility_service_id and total.month = change.month and total.facts = 0`.execute(
    tx,
  )
  await sql`delete from facility_month_facts total using ${moved}
    where total.client_id = ${clientId} and total.facility_id = change.facility_id and total.utility_service_id in (change.utility_service_id, ${ALL_SERVICES})
      and total.month = change.month and total.facts = 0`.execute(tx)
  // Days can be taken from a union only by making it anew. The row is locked by now, so that what others added before is seen.
  if (changes.some((change) => (change.removed_mask & ~change.added_mask) !== 0)) await uniteDays(tx, clientId, moved)
}

async function uniteDays(tx: Tx, clientId: number, moved: RawBuilder<unknown>): Promise<void> {
  await sql`update utility_month_facts total set days_mask = coalesce((select bit_or(fact.days_mask) from service_month_facts fact
      where fact.client_id = ${clientId} and fact.month = total.month and coalesce(fact.utility_service_id, 0) = total.utility_service_id), 0)
    where total.client_id = ${clientId} and (total.utility_service_id, total.month) in (select utility_service_id, month from ${moved} where removed_mask & ~added_mask <> 0)`.execute(
    tx,
  )
}

function sumsOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`sum(${sql.ref(`change.${column}`)})`))
}

function additions(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`total.${column}`)} + ${sql.ref(`excluded.${column}`)}`))
}
