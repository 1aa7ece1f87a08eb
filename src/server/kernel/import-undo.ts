/** Takes a stored import back as one unit: what it created goes, what it changed is as before. Refused while anything hangs on it. */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Context } from './context.ts'
import { refusingTable, sqlState } from './database.ts'
import { insertLinks, ownClient } from './import-apply.ts'
import { castName, placeOf, type ImportTarget } from './import-target.ts'
import { refused } from './problem.ts'

type Sql = RawBuilder<unknown>

interface UndoParts {
  readonly importId: number
  readonly clientId: number | undefined
  readonly context: Context
}

/** Throws a refusal that says what stands in the way. The records are as before the import then. */
export async function undoImport(target: ImportTarget, parts: UndoParts): Promise<{ removed: number; restored: number }> {
  const { context, clientId } = parts
  await refuseChanged(target, parts)
  await refuseStaying(target, parts)
  const restored = await restoreChanged(target, parts)
  await passOn(target, parts)
  await auditUndone(target, parts)
  const removed = await removeCreated(target, parts)
  const changed = (...keys: readonly string[]): Sql =>
    sql`select item_id from import_outcomes where import_id = ${parts.importId} and action = 'update' and changes ?| ${keys}::text[]`
  await target.after?.(context, { clientId: clientId ?? 0, changed, withSecret: changed })
  context.touch(clientId ?? 0)
  return { removed, restored }
}

/** Locks every record of the import in id order. */
async function refuseChanged({ source }: ImportTarget, { importId, clientId, context }: UndoParts): Promise<void> {
  const { rows } = await sql<{ changed: number; gone: number; first: number | null }>`with written as materialized (
      select line, item_id, lock_version from import_outcomes where import_id = ${importId} and action in ('create', 'update')), locked as materialized (
      select id, lock_version from ${sql.table(source.table)} where ${tenantOf(source.table, clientId)} and id in (select item_id from written) order by id for update)
    select count(*) filter (where locked.id is null)::int as gone, count(*) filter (where locked.lock_version <> written.lock_version)::int as changed, min(written.line) as first
    from written left join locked on locked.id = written.item_id where locked.lock_version is distinct from written.lock_version`.execute(
    context.tx,
  )
  const { changed = 0, gone = 0, first } = rows[0] ?? { first: null }
  const where = `the first is on line ${first} of the file`
  if (changed > 0) throw refused(`${counted(changed, 'record')} ${changed === 1 ? 'was' : 'were'} changed since the import; ${where}.`)
  if (gone > 0) throw refused(`${counted(gone, 'record')} ${gone === 1 ? 'was' : 'were'} deleted since the import; ${where}.`)
}

async function refuseStaying({ staysBecause }: ImportTarget, { importId, context }: UndoParts): Promise<void> {
  if (staysBecause === undefined) return
  const { rows } = await sql`select 1 from import_outcomes where import_id = ${importId} and action = 'create' limit 1`.execute(context.tx)
  if (rows.length > 0) throw refused(staysBecause)
}

async function restoreChanged(target: ImportTarget, parts: UndoParts): Promise<number> {
  const { context, clientId, importId } = parts
  const { table } = target.source
  const own = target.kind.columns.filter((column) => placeOf(column) === 'column' || placeOf(column) === 'reference')
  const sets = own.map((column) => {
    const before = sql`(undone.changes -> ${sql.lit(column.key)} ->> 'from')::${sql.raw(placeOf(column) === 'reference' ? 'bigint' : castName(column.field))}`
    return sql`${sql.ref(column.key)} = case when undone.changes ? ${sql.lit(column.key)} then ${before} else ${sql.ref(`${table}.${column.key}`)} end`
  })
  const { numAffectedRows } =
    await sql`update ${sql.table(table)} set ${sql.join([...sets, sql`lock_version = ${sql.ref(`${table}.lock_version`)} + 1`, sql`updated_at = now()`])}
    from import_outcomes undone where undone.import_id = ${importId} and undone.action = 'update' and ${tenantOf(table, clientId)}
      and ${sql.ref(`${table}.id`)} = undone.item_id`.execute(context.tx)
  for (const column of target.kind.columns) {
    if (placeOf(column) === 'link') await restoreLinks(target, column, parts)
    if (placeOf(column) === 'secret') await restoreSecret(target, column.key, parts)
  }
  return Number(numAffectedRows ?? 0)
}

/** What an earlier import wrote is as it was again, so that import can be taken back next. */
async function passOn({ kind }: ImportTarget, { importId, clientId, context }: UndoParts): Promise<void> {
  await sql`update import_outcomes earlier set lock_version = undone.lock_version + 1
    from import_outcomes undone join imports on imports.kind = ${kind.name} and imports.client_id = ${clientId ?? 0} and imports.id < ${importId} and imports.state in ('committed', 'undoing')
    where undone.import_id = ${importId} and undone.action = 'update' and earlier.import_id = imports.id and earlier.item_id = undone.item_id
      and earlier.action in ('create', 'update') and earlier.lock_version = undone.lock_version - 1`.execute(context.tx)
}

async function restoreLinks(target: ImportTarget, { key }: ImportColumn, { context, clientId, importId }: UndoParts): Promise<void> {
  const link = target.links?.[key]
  if (!link) return
  const undone = sql`plan.import_id = ${importId} and plan.action = 'update' and plan.changes ? ${sql.lit(key)}`
  await sql`delete from ${sql.table(link.table)} using import_outcomes plan where ${undone} and ${tenantOf(link.table, clientId)}
    and ${sql.ref(`${link.table}.${link.parent}`)} = plan.item_id`.execute(context.tx)
  await insertLinks(link, sql`plan.changes -> ${sql.lit(key)} -> 'from'`, sql`import_outcomes plan where ${undone}`, { context, clientId })
}

async function restoreSecret({ source }: ImportTarget, key: string, { context, importId }: UndoParts): Promise<void> {
  const from = sql`(select item_id as id, secrets_before -> ${sql.lit(key)} as kept from import_outcomes
    where import_id = ${importId} and action = 'update' and changes ? ${sql.lit(key)}) before, lateral jsonb_to_record(before.kept)`
  await sql`update ${sql.table(source.table)} set ${sql.ref(`${key}_encrypted`)} = given.encrypted, ${sql.ref(`${key}_last4`)} = given.last4, ${sql.ref(`${key}_fingerprint`)} = given.fingerprint
    from (select before.id, decode(kept.encrypted, 'base64') as encrypted, kept.last4, decode(kept.fingerprint, 'base64') as fingerprint
      from ${from} as kept(encrypted text, last4 text, fingerprint text)) given where ${sql.ref(`${source.table}.id`)} = given.id`.execute(
    context.tx,
  )
}

/** Before the records go, since the trail says what they held. */
async function auditUndone(target: ImportTarget, { context, clientId, importId }: UndoParts): Promise<void> {
  const client = clientId === undefined ? ownClient(target, sql`undone.item_id`) : sql`${clientId}::bigint`
  const turned = sql`(select jsonb_object_agg(key, jsonb_build_object('from', change -> 'to', 'to', change -> 'from')) from jsonb_each(made.changes) as each(key, change))`
  await sql`insert into audit_records (client_id, user_id, event, item_type, item_id, object_changes, ip_address)
    select ${client}, ${context.principal.user_id}::bigint, case when undone.action = 'create' then 'destroy' else 'update' end, ${target.source.entity.name}, undone.item_id,
      coalesce(${turned}, '{}'), ${context.ip}::text
    from import_outcomes undone left join lateral (select case when undone.action = 'update' then undone.changes else (
        select object_changes from audit_records record where record.client_id = ${client} and record.item_type = ${target.source.entity.name}
          and record.item_id = undone.item_id and record.event = 'create' order by record.id desc limit 1) end as changes) made on true
    where undone.import_id = ${importId} and undone.action in ('create', 'update') order by undone.line`.execute(context.tx)
}

async function removeCreated(target: ImportTarget, { context, clientId, importId }: UndoParts): Promise<number> {
  const { table } = target.source
  const created = sql`select item_id from import_outcomes where import_id = ${importId} and action = 'create'`
  try {
    for (const link of Object.values(target.links ?? {}))
      await sql`delete from ${sql.table(link.table)} where ${tenantOf(link.table, clientId)} and ${sql.ref(link.parent)} in (${created})`.execute(
        context.tx,
      )
    const { numAffectedRows } =
      await sql`delete from ${sql.table(table)} where ${tenantOf(table, clientId)} and id in (${created})`.execute(context.tx)
    return Number(numAffectedRows ?? 0)
  } catch (error) {
    if (sqlState(error) !== '23503') throw error
    const user = refusingTable(error)?.replaceAll('_', ' ') ?? 'other records'
    throw refused(`Records that the import created are in use: ${user} depend on them.`)
  }
}

function counted(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`
}

function tenantOf(table: string, clientId: number | undefined): Sql {
  return clientId === undefined ? sql`true` : sql`${sql.ref(`${table}.client_id`)} = ${clientId}`
}
