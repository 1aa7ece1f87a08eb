/**
 * Relations between delivery and supply meters: an account names the meters that it supplies, a delivery's bill shows a supplier's line, or
 * a line names the bill of the other side. Two meters belong together only within one utility service.
 */
import type { AuditService } from '#contract/bill-audits/bill-audits.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

/** Lines of a linked meter that are read: more than an audit looks back. */
const linkedLinesMax = 60

export type SupplySide = Pick<AuditService, 'expects_supply_bill' | 'lacks_delivery' | 'linked_lines'>

interface ServiceOfSide {
  readonly id: number
  readonly is_supply: boolean
  readonly supply: boolean
}

/** By service id; a meter without a supplier is absent. */
export async function supplySides(tx: Tx, clientId: number, services: readonly ServiceOfSide[]): Promise<Map<number, SupplySide>> {
  const ids = services.map(({ id }) => id)
  const supplyIds = services.filter(({ is_supply }) => is_supply).map(({ id }) => id)
  const expecting = services.filter(({ supply, is_supply }) => supply && !is_supply).map(({ id }) => id)
  const { rows } = await sql<{ id: number; linked_ids: number[] }>`
    select id, array_agg(distinct linked_id) as linked_ids from (
      select supplied.service_id as id, supply.id as linked_id from supply_account_billable_services supplied
        join services supply on supply.client_id = supplied.client_id and supply.supply_account_id = supplied.supply_account_id
        where supplied.client_id = ${clientId} and supplied.service_id = any(${ids}::bigint[])
      union all select supply.id, supplied.service_id from services supply
        join supply_account_billable_services supplied on supplied.client_id = supply.client_id and supplied.supply_account_id = supply.supply_account_id
        where supply.client_id = ${clientId} and supply.id = any(${supplyIds}::bigint[])
      union all select supply.service_id, delivery.service_id from service_bills supply
        join bill_linked_service_bills link on link.client_id = supply.client_id and link.service_bill_id = supply.id
        join service_bills delivery on delivery.client_id = link.client_id and delivery.bill_id = link.bill_id
        where supply.client_id = ${clientId} and supply.service_id = any(${supplyIds}::bigint[])
      union all select delivery.service_id, supply.service_id from service_bills delivery
        join bill_linked_service_bills link on link.client_id = delivery.client_id and link.bill_id = delivery.bill_id
        join service_bills supply on supply.client_id = link.client_id and supply.id = link.service_bill_id
        where delivery.client_id = ${clientId} and delivery.service_id = any(${expecting}::bigint[])
      union all select own.service_id, other.service_id from service_bills own
        join service_bills other on other.client_id = own.client_id and other.bill_id = own.supply_bill_id
        where own.client_id = ${clientId} and own.service_id = any(${[...supplyIds, ...expecting]}::bigint[])
      union all select own.service_id, other.service_id from service_bills own
        join service_bills other on other.client_id = own.client_id and other.supply_bill_id = own.bill_id
        where own.client_id = ${clientId} and own.service_id = any(${[...supplyIds, ...expecting]}::bigint[])) pair
    where (select utility_service_id from services where client_id = ${clientId} and id = pair.id)
      is not distinct from (select utility_service_id from services where client_id = ${clientId} and id = pair.linked_id)
    group by id`.execute(tx)
  const linked = new Map(rows.map(({ id, linked_ids }) => [id, linked_ids]))
  const lines = await linesOf(tx, clientId, [...new Set(rows.flatMap(({ linked_ids }) => linked_ids))])
  const lacking = await withoutDelivery(
    tx,
    clientId,
    supplyIds.filter((id) => !linked.has(id)),
  )
  return new Map(
    services.map(({ id, is_supply, supply }) => [
      id,
      {
        expects_supply_bill: !is_supply && (supply || linked.has(id)),
        lacks_delivery: lacking.has(id),
        linked_lines: (linked.get(id) ?? []).flatMap((one) => lines.get(one) ?? []),
      },
    ]),
  )
}

async function linesOf(tx: Tx, clientId: number, serviceIds: readonly number[]): Promise<Map<number, AuditService['linked_lines']>> {
  if (serviceIds.length === 0) return new Map()
  const { rows } = await sql<AuditService['linked_lines'][number] & { service_id: number }>`
    select line.service_id, line.previous_read_date, line.read_date, line.standard_usage from unnest(${serviceIds}::bigint[]) as wanted(id)
    cross join lateral (select service_bills.service_id, service_bills.previous_read_date, service_bills.read_date, service_bills.standard_usage from service_bills
      join bills on bills.client_id = service_bills.client_id and bills.id = service_bills.bill_id and bills.superseded_by_id is null
      where service_bills.client_id = ${clientId} and service_bills.service_id = wanted.id
      order by service_bills.read_date desc nulls last, service_bills.id desc limit ${linkedLinesMax}) line`.execute(tx)
  const byService = Map.groupBy(rows, ({ service_id }) => service_id)
  return new Map([...byService].map(([id, own]) => [id, own.map(({ service_id: _id, ...line }) => line)]))
}

/** Returns suppliers' meters whose facility has a delivery meter of the same utility service. */
async function withoutDelivery(tx: Tx, clientId: number, supplyIds: readonly number[]): Promise<Set<number>> {
  if (supplyIds.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`select supply.id from services supply
    join supply_accounts account on account.client_id = supply.client_id and account.id = supply.supply_account_id
    where supply.client_id = ${clientId} and supply.id = any(${supplyIds}::bigint[])
      and exists (select 1 from billable_accounts billable
        join services delivery on delivery.client_id = billable.client_id and delivery.billable_account_id = billable.id
        where billable.client_id = ${clientId} and billable.facility_id = account.facility_id and delivery.active
          and delivery.utility_service_id = supply.utility_service_id)`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
