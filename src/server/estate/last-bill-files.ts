/** The first file of the last bill of many accounts, for the lists that link to it. */
import { sql } from 'kysely'
import { accountTables, type AccountKind } from './estate-accounts.ts'
import { billScope } from './estate-scope.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import type { Reach } from '../kernel/principal.ts'

/** Returns URLs by account id, as far as the bills are inside the reach. */
export async function lastBillFiles(
  tx: Tx,
  kind: AccountKind,
  accounts: readonly { readonly id: number; readonly client_id: number }[],
  reach: Reach,
): Promise<ReadonlyMap<number, string>> {
  if (accounts.length === 0 || reach.length === 0) return new Map()
  const key = sql.ref(`bills.${accountTables[kind].key}`)
  const found = await sql<{ account_id: number; client_id: number; bill_id: number; position: number }>`
    select asked.id as account_id, asked.client_id, last.id as bill_id, file.position
    from unnest(${accounts.map((row) => row.client_id)}::bigint[], ${accounts.map((row) => row.id)}::bigint[]) as asked(client_id, id)
    cross join lateral (select bills.id from bills where bills.client_id = asked.client_id and ${key} = asked.id and bills.superseded_by_id is null
      and ${scopeCondition({ scope: billScope }, { reach })} order by bills.date desc, bills.id desc limit 1) last
    cross join lateral (select min(position) as position from bill_files where bill_files.client_id = asked.client_id and bill_files.bill_id = last.id) file
    where file.position is not null`.execute(tx)
  return new Map(found.rows.map((row) => [row.account_id, `/api/v5/clients/${row.client_id}/bills/${row.bill_id}/files/${row.position}`]))
}
