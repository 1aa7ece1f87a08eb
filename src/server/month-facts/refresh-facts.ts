/**
 * The monthly facts behind dashboards: calendarized cost, usage and emissions of each service and month, and their sums by utility service and
 * by facility. They change in the transaction that changes a bill, so a dashboard is never behind the bills.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { freshFacts, type FactSpan } from './fact-rows.ts'
import { factSpans, wholeSpans, type FactAccounts } from './fact-spans.ts'
import { additions, ALL_SERVICES, facilityColumns, facilitySums, summedOfFacility, utilityColumns, utilitySums } from './fact-totals.ts'
import { refreshSpans, lineColumns, columns } from './replace-facts.ts'

export { factSpans } from './fact-spans.ts'

/**
 * Recomputes the facts of these bills inside the transaction; call it after every write to them. `before` is the result of `factSpans` for the
 * same bills before the write, which covers removed months; for new bills there is none.
 */
export async function refreshFactsOfBills(
  tx: Tx,
  clientId: number,
  billIds: readonly number[],
  before: readonly FactSpan[] = [],
): Promise<void> {
  await planned(tx, billIds.length + before.length, async () => {
    await refreshSpans(tx, clientId, [...before, ...(await factSpans(tx, clientId, billIds))])
  })
}

/**
 * Recomputes the facts of these services and accounts over all months, after a change of how their bills count. Dependent records are found
 * here: the accounts of the services, the bill that a rebill replaces, the parent of a group bill, the supply lines that a bill shows.
 */
export async function refreshFacts(tx: Tx, clientId: number, serviceIds: readonly number[], accounts: FactAccounts = {}): Promise<void> {
  if (serviceIds.length === 0 && !accounts.billable_account_ids?.length && !accounts.supply_account_ids?.length) return
  const spans = await wholeSpans(tx, clientId, serviceIds, accounts)
  await planned(tx, spans.length, () => refreshSpans(tx, clientId, spans))
}

/** Up to this many bills or spans a generic plan for a few is good enough; beyond it, nested loops cost more than planning. */
const genericMost = 50

/**
 * The statements for one bill cost more to plan than to run: planned once per connection, they save most of their time. They read only by key:
 * tables without current statistics look small enough to be scanned once per changed bill.
 */
async function planned(tx: Tx, size: number, work: () => Promise<void>): Promise<void> {
  const mode = size > genericMost ? 'force_custom_plan' : 'force_generic_plan'
  await sql`select set_config('plan_cache_mode', ${mode}, true), set_config('enable_seqscan', 'off', true)`.execute(tx)
  await work()
  await sql`select set_config('plan_cache_mode', 'auto', true), set_config('enable_seqscan', 'on', true)`.execute(tx)
}

/** Recomputes the facts of everything below one record, after changes that move or reclassify it (a facility's division, a service's factor). */
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

/** Recomputes all facts of a client from its bills, for repair and for checks. */
export async function rebuildFacts(tx: Tx, clientId: number): Promise<void> {
  await sql`select 1 from services where client_id = ${clientId} order by id for no key update`.execute(tx)
  for (const table of ['bill_line_facts', 'service_month_facts', 'utility_month_facts', 'facility_month_facts'])
    await sql`delete from ${sql.table(table)} where client_id = ${clientId}`.execute(tx)
  await sql`with ${freshFacts(clientId, 'all')}, lines_come as (insert into bill_line_facts (${lineColumns}) select ${lineColumns} from fresh_lines)
    insert into service_month_facts (${columns}) select ${columns} from fresh`.execute(tx)
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
 * Moves the facts of many accounts, given as a select of their ids, to each account's current facility. Nothing else of a fact depends on the
 * facility, so moving ten thousand accounts recomputes none.
 */
export async function moveFacts(
  tx: Tx,
  clientId: number,
  kind: 'billable_account' | 'supply_account',
  ids: RawBuilder<unknown>,
): Promise<void> {
  const key = sql.ref(`${kind}_id`)
  // A concurrent recomputation of these services waits, and then reads their new facility.
  await sql`select 1 from services where client_id = ${clientId} and ${key} in (${ids}) order by id for no key update`.execute(tx)
  await sql`update bill_line_facts fact set facility_id = account.facility_id from ${sql.table(`${kind}s`)} account
    where fact.client_id = ${clientId} and account.client_id = ${clientId} and account.id = ${sql.ref(`fact.${kind}_id`)} and account.id in (${ids})
      and fact.facility_id is distinct from account.facility_id`.execute(tx)
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
