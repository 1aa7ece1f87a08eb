/** Undoes a stored import as one unit: created records are removed, changed ones are restored. Refused while anything depends on them. */
import { sql } from 'kysely'
import { refusingTable, sqlState } from '../postgres/database.ts'
import { ownClient, untoldKeys } from './audit-planned.ts'
import type { ImportTarget } from './import-target.ts'
import { passVersionsOn } from '../lists/pass-versions-on.ts'
import { refused } from '../problem.ts'
import { type UndoParts, type OneParts, restoreChanged, type Sql, tenantOf } from './restore-changed.ts'

/** Restores the records to their state before the import. Throws a refusal that says what prevents it. */
export async function undoImport(target: ImportTarget, parts: UndoParts): Promise<{ removed: number; restored: number }> {
  const record = { ...parts, outcomes: 'import_outcomes' } as const
  await refuseChanged(target, record)
  if (!target.part) return undoOne(target, record)
  const hanging = { ...parts, outcomes: 'import_part_outcomes' } as const
  await refuseChanged(target.part.target, hanging)
  // The parts of records are removed before the records.
  const part = await undoOne(target.part.target, hanging, target.kind.name)
  const whole = await undoOne(target, record)
  return { removed: part.removed + whole.removed, restored: part.restored + whole.restored }
}

async function undoOne(
  target: ImportTarget,
  parts: OneParts,
  importKind = target.kind.name,
): Promise<{ removed: number; restored: number }> {
  const { context, clientId, importId, outcomes } = parts
  await refuseStaying(target, parts)
  const restored = await restoreChanged(target, parts)
  await target.secrets?.giveBack(context, importId)
  const items = sql`select item_id, version_before, lock_version from ${sql.table(outcomes)} where import_id = ${importId} and action = 'update'`
  const itemType = target.source.entity.name
  await passVersionsOn({ context, clientId: clientId ?? 0, itemType, importKind, outcomes, items })
  await auditUndone(target, parts)
  const removed = await removeCreated(target, parts)
  const written = sql`select item_id from ${sql.table(outcomes)} where import_id = ${importId} and action = 'update'`
  const changed = (...keys: readonly string[]): Sql => sql`${written} and changes ?| ${keys}::text[]`
  await target.after?.(context, {
    clientId: clientId ?? 0,
    changed,
    written,
    made: sql`select item_id from (${written}) put_back where false`,
  })
  context.touch(clientId ?? 0)
  return { removed, restored }
}

/** Locks every record of the import in id order. */
async function refuseChanged({ source }: ImportTarget, { importId, clientId, context, outcomes }: OneParts): Promise<void> {
  const { rows } = await sql<{ changed: number; gone: number; first: number | null }>`with written as materialized (
      select line, item_id, lock_version from ${sql.table(outcomes)} where import_id = ${importId} and action in ('create', 'update')), locked as materialized (
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

async function refuseStaying({ staysBecause }: ImportTarget, { importId, context }: OneParts): Promise<void> {
  if (staysBecause === undefined) return
  const { rows } = await sql`select 1 from import_outcomes where import_id = ${importId} and action = 'create' limit 1`.execute(context.tx)
  if (rows.length > 0) throw refused(staysBecause)
}

/** Runs before the records are removed, since the trail keeps their values. */
async function auditUndone(target: ImportTarget, { context, clientId, importId, outcomes }: OneParts): Promise<void> {
  const client = clientId === undefined ? ownClient(target, sql`undone.item_id`) : sql`${clientId}::bigint`
  const untold = untoldKeys(target)
  const turned = sql`(select jsonb_object_agg(key, jsonb_build_object('from', change -> 'to', 'to', change -> 'from')) from jsonb_each(made.changes) as each(key, change))`
  await sql`insert into audit_records (client_id, user_id, event, item_type, item_id, object_changes, ip_address)
    select ${client}, ${context.principal.user_id}::bigint, case when undone.action = 'create' then 'destroy' else 'update' end, ${target.source.entity.name}, undone.item_id,
      coalesce(${turned}, '{}'), ${context.ip}::text
    from ${sql.table(outcomes)} undone left join lateral (select case when undone.action = 'update' then undone.changes - ${untold}::text[] else (
        select object_changes from audit_records record where record.client_id = ${client} and record.item_type = ${target.source.entity.name}
          and record.item_id = undone.item_id and record.event = 'create' order by record.id desc limit 1) end as changes) made on true
    where undone.import_id = ${importId} and (undone.action = 'create' or (undone.action = 'update' and undone.changes - ${untold}::text[] <> '{}')) order by undone.line`.execute(
    context.tx,
  )
}

async function removeCreated(target: ImportTarget, { context, clientId, importId, outcomes }: OneParts): Promise<number> {
  const { table } = target.source
  const created = sql`select item_id from ${sql.table(outcomes)} where import_id = ${importId} and action = 'create'`
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
