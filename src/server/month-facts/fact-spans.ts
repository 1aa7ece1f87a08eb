/** The facts affected by a write: their services, accounts and months. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { FactSpan } from './fact-rows.ts'

export interface FactAccounts {
  readonly billable_account_ids?: readonly number[]
  readonly supply_account_ids?: readonly number[]
}

/**
 * Returns the months of these bills' lines, and of the bills and lines that count differently because of them: the bills they replace or
 * correct, their group bills (which count only one side), the supply bills that their lines refer to, and the lines that are shown in them or
 * refer to them.
 */
export async function factSpans(tx: Tx, clientId: number, billIds: readonly number[]): Promise<FactSpan[]> {
  if (billIds.length === 0) return []
  const ids = sql`any(${billIds}::bigint[])`
  const covers = sql`previous_read_date < read_date`
  const { rows } = await sql<FactSpan>`
    with replaced as (
        select id, group_bill_id from bills where client_id = ${clientId} and superseded_by_id = ${ids}
        union select id, group_bill_id from bills where client_id = ${clientId} and id in (
          select rebill_of_id from bills where client_id = ${clientId} and id = ${ids} and rebill_of_id is not null)),
      moved as materialized (
        select id from bills where client_id = ${clientId} and id = ${ids}
        union select group_bill_id from bills where client_id = ${clientId} and id = ${ids} and group_bill_id is not null
        union select id from replaced union select group_bill_id from replaced where group_bill_id is not null
        union select supply_bill_id from service_bills where client_id = ${clientId} and bill_id = ${ids} and supply_bill_id is not null),
      dated as (
        select line.service_id, 0::bigint as account_key, line.previous_read_date, line.read_date, bills.date, line.read_date as read
          from moved join bills on bills.client_id = ${clientId} and bills.id = moved.id
          join service_bills line on line.client_id = ${clientId} and line.bill_id = bills.id
        union all select line.service_id, 0, line.previous_read_date, line.read_date, bills.date, line.read_date
          from (select service_bill_id as id from bill_linked_service_bills where client_id = ${clientId} and bill_id = ${ids}
            union select id from service_bills where client_id = ${clientId} and supply_bill_id = ${ids}) shown
          join service_bills line on line.client_id = ${clientId} and line.id = shown.id
          join bills on bills.client_id = ${clientId} and bills.id = line.bill_id
        union all select 0, coalesce(bills.billable_account_id, -bills.supply_account_id), bills.previous_read_date, bills.read_date, bills.date, null
          from moved join bills on bills.client_id = ${clientId} and bills.id = moved.id
          where not exists (select from service_bills line where line.client_id = ${clientId} and line.bill_id = bills.id))
    select service_id, account_key, min(read) as first_read, max(read) as last_read,
      date_trunc('month', min(case when ${covers} then previous_read_date else least(read, date) end))::date as first,
      date_trunc('month', max(case when ${covers} then read_date else greatest(read, date) end))::date as last
    from dated group by 1, 2`.execute(tx)
  return rows
}

/** Returns all months of these services and accounts, and of those whose bills count differently because of theirs. */
export async function wholeSpans(tx: Tx, clientId: number, serviceIds: readonly number[], accounts: FactAccounts): Promise<FactSpan[]> {
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
      where link.client_id = ${clientId} and link.bill_id in (select id from named)
    union select service.id, null, null from supply_account_billable_services supplied
      join services service on service.client_id = supplied.client_id and service.supply_account_id = supplied.supply_account_id
      where supplied.client_id = ${clientId} and supplied.service_id = any(${serviceIds}::bigint[])`.execute(tx)
  const idsOf = (key: 'service_id' | 'billable_account_id' | 'supply_account_id') => [...new Set(rows.flatMap((row) => row[key] ?? []))]
  return [
    ...idsOf('service_id').map((service_id) => ({ ...always, service_id, account_key: 0 })),
    ...idsOf('billable_account_id').map((account_key) => ({ ...always, service_id: 0, account_key })),
    ...idsOf('supply_account_id').map((id) => ({ ...always, service_id: 0, account_key: -id })),
  ]
}

const always = { first: '-infinity', last: 'infinity', first_read: null, last_read: null } as const
