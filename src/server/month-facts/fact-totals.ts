/** The sums of the monthly facts, by utility service and by facility. Changes are added to them; they are never summed anew. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

/** The id of the row in `facility_month_facts` that sums all utility services. */
export const ALL_SERVICES = -1

/** The change of one facility, utility service and month: added facts minus removed ones. */
export interface Change {
  readonly facility_id: number
  readonly utility_service_id: number
  readonly month: string
  readonly added_mask: number
  readonly removed_mask: number
  readonly facts: number
  readonly meters: number
  readonly meter_days: number
  readonly first_meters: number
  readonly cost: string
  readonly utility_cost: string
  readonly supply_cost: string
  readonly other_cost: string
  readonly usage: string
  readonly usage_facts: number
  readonly kg_co2e: string
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
export const summedOfFacility = ['facts', 'cost', 'kg_co2e'] as const
export const utilityColumns = sql.join(summed.map((column) => sql.ref(column)))
export const facilityColumns = sql.join(summedOfFacility.map((column) => sql.ref(column)))
export const utilitySums = sql`sum(sign) as facts, sum(sign * (days > 0)::int) as meters, sum(sign * days) as meter_days,
  sum(sign * (starts and previous_month is null)::int) as first_meters, sum(sign * cost) as cost, sum(sign * utility_cost) as utility_cost,
  sum(sign * supply_cost) as supply_cost, sum(sign * other_cost) as other_cost, sum(sign * coalesce(usage, 0)) as usage, sum(sign * (usage is not null)::int) as usage_facts,
  sum(sign * kg_co2e) as kg_co2e`
export const facilitySums = sql`sum(sign) as facts, sum(sign * cost) as cost, sum(sign * kg_co2e) as kg_co2e`

/** Adds the changes to the sums in the order of their keys, so that two transactions never deadlock. */
export async function moveTotals(tx: Tx, clientId: number, changes: readonly Change[]): Promise<void> {
  const moved = sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as change(facility_id bigint, utility_service_id bigint, month date, added_mask int, removed_mask int, facts int,
    meters int, meter_days int, first_meters int, cost numeric, utility_cost numeric, supply_cost numeric, other_cost numeric, usage numeric, usage_facts int, kg_co2e numeric)`
  await sql`with services as (
      insert into utility_month_facts as total (client_id, utility_service_id, month, days_mask, ${utilityColumns})
      select ${clientId}::bigint, utility_service_id, month, bit_or(added_mask), ${sumsOf(summed)} from ${moved} group by utility_service_id, month order by utility_service_id, month
      on conflict (client_id, utility_service_id, month) do update set days_mask = total.days_mask | excluded.days_mask, ${additions(summed)})
    insert into facility_month_facts as total (client_id, facility_id, utility_service_id, month, ${facilityColumns})
    select ${clientId}::bigint, facility_id, level.service_id, month, ${sumsOf(summedOfFacility)}
    from ${moved} cross join lateral (values (change.utility_service_id), (${ALL_SERVICES}::bigint)) level (service_id) group by 2, 3, 4 order by 2, 3, 4
    on conflict (client_id, facility_id, utility_service_id, month) do update set ${additions(summedOfFacility)}`.execute(tx)
  // Only sums that lost facts can become empty.
  if (changes.some((change) => change.facts < 0)) await dropEmpty(tx, clientId, moved)
  // Days can be removed from a union only by computing it anew. The row is locked by now, so earlier additions are visible.
  if (changes.some((change) => (change.removed_mask & ~change.added_mask) !== 0)) await uniteDays(tx, clientId, moved)
}

async function dropEmpty(tx: Tx, clientId: number, moved: RawBuilder<unknown>): Promise<void> {
  await sql`delete from utility_month_facts total using ${moved}
    where total.client_id = ${clientId} and total.utility_service_id = change.utility_service_id and total.month = change.month and total.facts = 0`.execute(
    tx,
  )
  await sql`delete from facility_month_facts total using ${moved}
    where total.client_id = ${clientId} and total.facility_id = change.facility_id and total.utility_service_id in (change.utility_service_id, ${ALL_SERVICES})
      and total.month = change.month and total.facts = 0`.execute(tx)
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

export function additions(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`total.${column}`)} + ${sql.ref(`excluded.${column}`)}`))
}
