/**
 * The records below a division, a facility or an account, kind by kind: existing ones and deleted ones, which only the trail remembers. Queries
 * name the client, because records and trail are both indexed by it.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

export const placeLevels = ['division', 'facility', 'billable_account', 'supply_account'] as const
export type PlaceLevel = (typeof placeLevels)[number]

export interface PlaceFilter {
  readonly level: PlaceLevel
  readonly id: number
  readonly client_id: number
}

type Ids = RawBuilder<unknown>
const tables: Readonly<Record<PlaceLevel, string>> = {
  division: 'divisions',
  facility: 'facilities',
  billable_account: 'billable_accounts',
  supply_account: 'supply_accounts',
}

/** Returns the client of the record, also of a deleted one; undefined if the record is unknown. */
export async function clientOfPlace(tx: Tx, level: PlaceLevel, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ client_id: number }>`select client_id from ${sql.table(tables[level])} where id = ${id}
    union all select client_id from audit_records where event = 'destroy' and item_type = ${level} and item_id = ${id} limit 1`.execute(tx)
  return rows[0]?.client_id
}

/** Returns the statement of the ids for each kind of record. */
export function idsBelow({ level, id, client_id: clientId }: PlaceFilter): Readonly<Record<string, Ids>> {
  const under = (kind: string, table: string, key: string, parents: Ids): Ids =>
    sql`select id from ${sql.table(table)} where client_id = ${clientId} and ${sql.ref(key)} in (${parents})
      union all select item_id from audit_records where client_id = ${clientId} and event = 'destroy' and item_type = ${kind}
        and object_changes -> ${sql.lit(key)} ->> 'from' in (select parent.id::text from (${parents}) as parent(id))`
  const itself = sql`select ${id}::bigint as id`
  const nothing = sql`select null::bigint as id where false`
  const facilities = level === 'division' ? under('facility', 'facilities', 'division_id', itself) : level === 'facility' ? itself : nothing
  const isAccount = level === 'billable_account' || level === 'supply_account'
  const accounts = (kind: 'billable_account' | 'supply_account') =>
    isAccount ? (level === kind ? itself : nothing) : under(kind, `${kind}s`, 'facility_id', facilities)
  const [billable, supply] = [accounts('billable_account'), accounts('supply_account')]
  const onAccounts = (kind: string, table: string) =>
    sql`${under(kind, table, 'billable_account_id', billable)} union all ${under(kind, table, 'supply_account_id', supply)}`
  const documents = sql`${under('document', 'documents', 'division_id', level === 'division' ? itself : nothing)}
    union all ${under('document', 'documents', 'facility_id', facilities)} union all ${onAccounts('document', 'documents')}`
  return {
    ...(level === 'division' ? { division: itself } : {}),
    facility: facilities,
    billable_account: billable,
    supply_account: supply,
    // A group account is an account: the same ids under their own name.
    group_account: billable,
    group_supply_account: supply,
    service: onAccounts('service', 'services'),
    bill: onAccounts('bill', 'bills'),
    document: documents,
    site_survey: under('site_survey', 'site_surveys', 'facility_id', facilities),
  }
}
