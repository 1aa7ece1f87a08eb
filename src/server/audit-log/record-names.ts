/** Names of records, many at once: one statement for all kinds. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { reachesEveryClient, type Reach } from '../kernel/principal.ts'
import { sourceOf } from '../kernel/lists/sources.ts'

/** Column that names a record, by plural wire name. */
const nameColumns: Readonly<Record<string, string>> = {
  accounting_batches: 'batch_code',
  batch_groups: 'name',
  billable_accounts: 'account_number',
  channel_partners: 'name',
  clients: 'name',
  divisions: 'name',
  documents: 'title',
  entry_fields: 'name',
  export_profiles: 'name',
  facilities: 'name',
  facility_types: 'name',
  global_batches: 'id',
  group_accounts: 'account_number',
  group_supply_accounts: 'account_number',
  ledger_accounts: 'name',
  ledger_fields: 'name',
  payment_batches: 'id',
  payment_methods: 'name',
  production_units: 'name',
  services: 'meter_number',
  supply_accounts: 'account_number',
  units: 'symbol',
  usage_factors: 'name',
  users: 'email',
  utility_services: 'name',
  vendor_payments: 'id',
  vendors: 'name',
}
/** Names shown only to readers who reach every client: the channel partner of a client, and the provider's own users. */
const forProvider = ['channel_partners', 'users']

export type Wanted = ReadonlyMap<string, ReadonlySet<number>>
export type Names = ReadonlyMap<string, ReadonlyMap<number, string>>

/** Returns the names of the wanted ids by plural, within the reader's reach: the trail does not reveal records that a role does not see. */
export async function namesOf(tx: Tx, wanted: Wanted, clientIds: readonly number[], reach: Reach): Promise<Names> {
  const parts = [...wanted].flatMap(([plural, ids]) => part(plural, [...ids], clientIds, reach))
  if (parts.length === 0) return new Map()
  const { rows } = await sql<{ plural: string; id: number; name: string }>`${sql.join(parts, sql` union all `)}`.execute(tx)
  const names = new Map<string, Map<number, string>>()
  for (const { plural, id, name } of rows) names.set(plural, (names.get(plural) ?? new Map<number, string>()).set(id, name))
  return names
}

function part(plural: string, ids: readonly number[], clientIds: readonly number[], reach: Reach): RawBuilder<unknown>[] {
  const column = nameColumns[plural]
  const source = sourceOf(plural)
  if (column === undefined || !source || ids.length === 0) return []
  if (forProvider.includes(plural) && !reachesEveryClient(reach)) return []
  const table = sql.table(source.table)
  const name = sql.ref(`${source.table}.${column}`)
  // The key of a client's table begins with the client.
  const tenant = source.scope === 'shared' || plural === 'clients' ? sql`true` : sql`${source.scope.client} = any(${clientIds}::bigint[])`
  return [
    sql`select ${plural}::text as plural, ${table}.id, ${name}::text as name from ${table}
      where ${tenant} and ${table}.id = any(${ids}::bigint[]) and ${scopeCondition(source, { reach })} and ${sql<SqlBool>`${name} is not null`}`,
  ]
}
