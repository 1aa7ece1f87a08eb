/**
 * Accounts carry the date of their last bill, because lists and searches sort and filter by it over many accounts. Whoever makes, replaces
 * or deletes bills keeps it right in the same transaction.
 */
import { sql } from 'kysely'
import type { Tx } from './kernel/database.ts'

export interface BilledAccounts {
  readonly billable_account_ids: readonly number[]
  readonly supply_account_ids: readonly number[]
}

/** Reads the accounts' last bills anew. The accounts are locked first, so that two transactions do not overlook each other's bills. */
export async function keepLastBills(tx: Tx, clientId: number, accounts: BilledAccounts): Promise<void> {
  await keepLast(tx, clientId, 'billable_account', accounts.billable_account_ids)
  await keepLast(tx, clientId, 'supply_account', accounts.supply_account_ids)
}

async function keepLast(tx: Tx, clientId: number, kind: 'billable_account' | 'supply_account', ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const table = sql.table(`${kind}s`)
  await sql`select from ${table} where client_id = ${clientId} and id = any(${ids}::bigint[]) order by id for no key update`.execute(tx)
  await sql`update ${table} account set last_bill_date = newest.date
    from (select asked.id, (select max(bills.date) from bills where bills.client_id = ${clientId} and ${sql.ref(`bills.${kind}_id`)} = asked.id
      and bills.superseded_by_id is null) as date from unnest(${ids}::bigint[]) as asked(id)) newest
    where account.client_id = ${clientId} and account.id = newest.id and account.last_bill_date is distinct from newest.date`.execute(tx)
}
