/**
 * Foreign keys that a delete cascades through or is blocked by, from the database's catalog. A row belongs to the record that the first
 * column of its key names or, if it has an id of its own, to the one that it must name, or to one of several alternatives. It is deleted
 * with that record, and the trail keeps it. Every other reference blocks the delete.
 */
import { sql, type RawBuilder } from 'kysely'
import { changesBetween, type AuditEntry } from '../audit.ts'
import type { Tx } from '../postgres/database.ts'
import { registered } from './sources.ts'

/** Tables that serve the sign-in, the bell, a sum or a log, and hold no records. */
const workings = [
  'sessions',
  'one_time_links',
  'idempotency_keys',
  'notifications',
  'list_layouts',
  'oidc_attempts',
  'service_month_facts',
  'webhook_deliveries',
  'report_deliveries',
]

export interface Reference {
  readonly from: string
  readonly column: string
  /** True if the rows belong to the client alone: the key and the reference begin with `client_id`. */
  readonly is_of_client: boolean
  /** True if the rows are links, which have no id. */
  readonly is_link: boolean
  /** True if the rows are deleted with the record. */
  readonly goes_along: boolean
}

/** Returns the foreign keys that refer to this table. */
export async function referencesTo(tx: Tx, table: string): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    with keys as (
      select conrelid, confrelid, confdeltype = 'c' as cascades, cardinality(conkey) = 2 as is_of_client, conkey[cardinality(conkey)] as attnum
      from pg_constraint where contype = 'f' and cardinality(conkey) <= 2),
    owned as (
      select keys.*, named.attname, named.attnotnull,
        exists (select from pg_attribute own where own.attrelid = keys.conrelid and own.attname = 'id' and not own.attisdropped) as has_id,
        (select member.attname from pg_index held, unnest(held.indkey) with ordinality as part(attnum, place)
          join pg_attribute member on member.attnum = part.attnum
          where held.indrelid = keys.conrelid and held.indisprimary and member.attrelid = keys.conrelid and member.attname <> 'client_id'
          order by part.place limit 1) as first_key
      from keys join pg_attribute named on named.attrelid = keys.conrelid and named.attnum = keys.attnum)
    select conrelid::regclass::text as "from", attname as "column", is_of_client, not has_id as is_link,
      cascades and (conrelid::regclass::text = any(${workings}::text[]) or case when not has_id then attname = first_key else attnotnull
        or exists (select from owned other where other.conrelid = owned.conrelid and other.attnum <> owned.attnum and other.cascades)
        and not exists (select from owned other where other.conrelid = owned.conrelid and other.cascades and other.attnotnull) end) as goes_along
    from owned where confrelid = ${table}::regclass order by 1, 2`.execute(tx)
  return rows
}

/** Returns the condition that a row of `from` names one of the records. */
export function namesRecord({ from, column, is_of_client }: Reference, ids: readonly number[], clientId: number): RawBuilder<boolean> {
  const named = sql`${sql.ref(`${from}.${column}`)} = any(${ids}::bigint[])`
  return sql<boolean>`${is_of_client ? sql`${sql.ref(`${from}.client_id`)} = ${clientId} and ${named}` : named}`
}

/** Rows of one kind that the trail keeps for one deleted record. */
const keptMax = 200

export type GoneAlong = Readonly<Record<string, readonly object[]>>

/** Returns the rows that are deleted with each of the records, by table, as the trail keeps them: without keys, times and secrets. */
export async function goesAlong(tx: Tx, table: string, ids: readonly number[], clientId: number): Promise<ReadonlyMap<number, GoneAlong>> {
  const references = (await referencesTo(tx, table)).filter((one) => one.goes_along && !workings.includes(one.from))
  if (references.length === 0) return new Map()
  const read = references.map((one) => {
    const place = sql`row_number() over (partition by ${sql.ref(`${one.from}.${one.column}`)})`
    const unsaid = ['client_id', one.column, 'created_at', 'updated_at', 'lock_version', 'place_of_row']
    return sql`select ${one.from}::text as name, ${sql.ref(`gone.${one.column}`)} as parent, to_jsonb(gone) - ${unsaid}::text[] as row
      from (select *, ${place} as place_of_row from ${sql.table(one.from)} where ${namesRecord(one, ids, clientId)}) gone where place_of_row <= ${keptMax}`
  })
  const { rows } = await sql<Gone>`${sql.join(read, sql` union all `)}`.execute(tx)
  return new Map([...Map.groupBy(rows, ({ parent }) => parent)].map(([id, gone]) => [id, byTable(gone)]))
}

interface Gone {
  readonly name: string
  readonly parent: number
  readonly row: Readonly<Record<string, unknown>>
}

function byTable(gone: readonly Gone[]): GoneAlong {
  return Object.fromEntries([...Map.groupBy(gone, ({ name }) => name)].map(([name, rows]) => [name, rows.map(({ row }) => tellable(row))]))
}

function tellable(row: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(row).filter(([key, value]) => value !== null && !/_(encrypted|hash|last4)$/.test(key)))
}

/** Records with a trail of their own also get their last entry there. */
export function goneEntries(table: string, rows: readonly object[], clientId: number): AuditEntry[] {
  const source = [...registered.values()].find((one) => one.table === table)
  if (!source || !('name' in source.entity)) return []
  const { name, fields } = source.entity
  return rows.map((row) => {
    const values: Record<string, unknown> = { ...row }
    const changes = changesBetween(
      values,
      {},
      Object.keys(values).filter((key) => key in fields),
    )
    return { event: 'destroy', item_type: name, item_id: Number(values['id']), client_id: clientId, changes }
  })
}
