/**
 * The ledger accounts that a service's charges are booked on: its shares, or else its one ledger account. A supply service with
 * `billable_ledgers` takes those of the service that it supplies: the first, in the order of its account, among the linked ones of the same
 * utility service.
 */
import type { Service } from '#contract/services/service.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { scopeCondition, type Column } from '../kernel/lists/list.ts'
import { serviceScope } from '../estate/estate.ts'

/** The billable services that this supply service may supply, in their order. */
const supplied = sql`supply_account_billable_services link
  join services delivery on delivery.client_id = link.client_id and delivery.id = link.service_id
  join billable_accounts home on home.client_id = delivery.client_id and home.id = delivery.billable_account_id
  where link.client_id = services.client_id and link.supply_account_id = services.supply_account_id
    and delivery.utility_service_id is not distinct from services.utility_service_id`

const inOrder = sql`home.account_number, home.id, delivery.rank nulls last, delivery.id`

/** The id of the service whose ledger accounts apply. */
const bookedBy = sql`(case when not services.billable_ledgers or services.supply_account_id is null then services.id
  else (select delivery.id from ${supplied} order by ${inOrder} limit 1) end)`

/** The ledger accounts of a row of `services` with their share ratios, as JSON: `[{ledger_account_id, ledger_account_name, share_ratio}]`. */
export const effectiveLedgers = sql`(select coalesce(json_agg(json_build_object('ledger_account_id', booked.id, 'ledger_account_name', booked.name, 'share_ratio', booked.ratio::text)
        order by booked.position, booked.share_id), '[]')
      from (
        select account.id, account.name, share.share_ratio as ratio, share.position, share.id as share_id from shared_accounts share
        join ledger_accounts account on account.client_id = share.client_id and account.id = share.ledger_account_id
        where share.client_id = services.client_id and share.service_id = ${bookedBy}
        union all
        select account.id, account.name, 1.0000, 0, 0 from services booking
        join ledger_accounts account on account.client_id = booking.client_id and account.id = booking.ledger_account_id
        where booking.client_id = services.client_id and booking.id = ${bookedBy}
          and not exists (select from shared_accounts share where share.client_id = booking.client_id and share.service_id = booking.id)) booked)`

export const ledgerColumns: Readonly<Record<'linked_services' | 'effective_ledgers', Column>> = {
  linked_services: {
    sql: sql`(select coalesce(json_agg(json_build_object('id', delivery.id, 'meter_number', delivery.meter_number, 'service_name_1', delivery.service_name_1,
      'account_id', home.id, 'account_number', home.account_number) order by ${inOrder}), '[]') from ${supplied})`,
  },
  effective_ledgers: { sql: effectiveLedgers, ofWholeClient: true },
}

/** Removes the names of linked meters whose accounts are outside the caller's reach. */
export async function withReachedLinks(context: Context, rows: readonly Service[]): Promise<Service[]> {
  const linked = [...new Set(rows.flatMap((row) => row.linked_services.map(({ id }) => id)))]
  if (linked.length === 0) return [...rows]
  const clientIds = [...new Set(rows.map((row) => row.client_id))]
  const { rows: reached } = await sql<{ id: number }>`select services.id from services
    where ${scopeCondition({ scope: serviceScope }, { reach: context.reach })} and services.client_id = any(${clientIds}::bigint[])
      and services.id = any(${linked}::bigint[])`.execute(context.tx)
  const known = new Set(reached.map(({ id }) => id))
  return rows.map((row) => ({ ...row, linked_services: row.linked_services.filter(({ id }) => known.has(id)) }))
}
