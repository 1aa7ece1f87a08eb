/** Undoes a bulk change as one unit: every record is restored, or none. */
import { sql, type RawBuilder } from 'kysely'
import { castName } from '../kernel/postgres/column-type.ts'
import type { Context } from '../kernel/context.ts'
import { liesInside } from '../kernel/lists/inside-reach.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { passVersionsOn } from '../kernel/lists/pass-versions-on.ts'
import { reachesWhole } from '../kernel/principal.ts'
import { refused } from '../kernel/problem.ts'
import { sourceOf } from '../kernel/lists/sources.ts'
import type { BulkTarget } from './bulk-target.ts'

interface UndoParts {
  readonly context: Context
  readonly clientId: number
  readonly id: number
}

/** Most records that a refusal names. */
const namedMax = 5

/** Throws a refusal that names the obstacles. `context.reach` is that of the right to change such records. */
export async function undoChange(target: BulkTarget, parts: UndoParts): Promise<number> {
  const { context, clientId, id } = parts
  await takeItems(parts)
  await refuseChanged(target, parts)
  await refuseUnreached(target, parts)
  const keys = await keysIn(parts)
  const count = await restore(target, parts, keys)
  const items = sql`select done.item_id, done.version_before, done.lock_version from bulk_undone done`
  const { kind, importKind } = target
  await passVersionsOn({ context, clientId, itemType: kind.name, importKind, outcomes: 'import_outcomes', items })
  const turned = sql`(select jsonb_object_agg(key, jsonb_build_object('from', change -> 'to', 'to', change -> 'from')) from jsonb_each(done.changes) as each(key, change))`
  await sql`insert into audit_records (client_id, user_id, event, item_type, item_id, object_changes, ip_address)
    select ${clientId}::bigint, ${context.principal.user_id}::bigint, 'update', ${target.kind.name}, done.item_id, ${turned}, ${context.ip}::text
    from bulk_undone done order by done.item_id`.execute(context.tx)
  const changed = (...wanted: readonly string[]): RawBuilder<unknown> =>
    sql`select done.item_id from bulk_undone done where done.changes ?| ${wanted}::text[]`
  await target.after?.(context, {
    clientId,
    act: id,
    undone: true,
    given: () => undefined,
    changed,
    isAbout: (...wanted) => wanted.some((key) => keys.includes(key)),
  })
  await sql`update bulk_changes set undone_at = now(), undone_by = ${context.principal.user_id} where client_id = ${clientId} and id = ${id}`.execute(
    context.tx,
  )
  context.touch(clientId)
  return count
}

/** Items inserted a moment ago have no statistics. In a table of their own, analyzed, the planner knows their number. */
async function takeItems({ context, clientId, id }: UndoParts): Promise<void> {
  await sql`create temp table bulk_undone (item_id bigint primary key, version_before int not null, lock_version int not null, changes jsonb not null) on commit drop`.execute(
    context.tx,
  )
  await sql`insert into bulk_undone select item_id, version_before, lock_version, changes from bulk_change_items
    where client_id = ${clientId} and bulk_change_id = ${id}`.execute(context.tx)
  await sql`analyze bulk_undone`.execute(context.tx)
}

/** Locks every record of the bulk change in id order. */
async function refuseChanged({ source, kind, title }: BulkTarget, parts: UndoParts): Promise<void> {
  const { context, clientId } = parts
  const { rows } = await sql<{ count: number; names: string[] | null; gone: number }>`with locked as materialized (
      select id, lock_version, ${sql.ref(title)} as title from ${sql.table(source.table)}
      where client_id = ${clientId} and id in (select done.item_id from bulk_undone done) order by id for update)
    select count(*)::int as count, count(*) filter (where locked.id is null)::int as gone,
      (array_agg(locked.title order by locked.id) filter (where locked.id is not null))[1:${sql.lit(namedMax)}] as names
    from bulk_undone done left join locked on locked.id = done.item_id
    where locked.lock_version is distinct from done.lock_version`.execute(context.tx)
  const { count = 0, gone = 0, names } = rows[0] ?? { names: null }
  if (count === 0) return
  const more = count - gone - (names?.length ?? 0)
  const said = [...(names ?? []), ...(more > 0 ? [`${more.toLocaleString('en-US')} more`] : [])].join(', ')
  const changed = count > gone ? `${counted(count - gone, kind)} changed since: ${said}.` : ''
  const deleted = gone > 0 ? `${counted(gone, kind)} deleted since.` : ''
  throw refused(['Nothing was undone.', changed, deleted].filter(Boolean).join(' '))
}

function counted(count: number, { label, labels }: BulkTarget['kind']): string {
  return `${count.toLocaleString('en-US')} ${(count === 1 ? label : labels).toLowerCase()} ${count === 1 ? 'was' : 'were'}`
}

/**
 * Undoing requires the right to make the opposite change: the user must reach each record as it is and as it was, and the records it referred
 * to.
 */
async function refuseUnreached(target: BulkTarget, parts: UndoParts): Promise<void> {
  const { context, clientId } = parts
  const { source, kind } = target
  const outside = `Nothing was undone: your role does not reach all that it would change.`
  if (!reachesWhole(context.reach, clientId)) {
    const before = sql`(select jsonb_object_agg(key, change -> 'from') from jsonb_each(done.changes) as each(key, change))`
    const { rows } =
      await sql`select from bulk_undone done join ${sql.table(source.table)} item on item.client_id = ${clientId} and item.id = done.item_id
      where not (${liesInside(source, context.reach, clientId, sql`'{}'::jsonb`)} and ${liesInside(source, context.reach, clientId, before)}) limit 1`.execute(
        context.tx,
      )
    if (rows.length > 0) throw refused(outside)
  }
  for (const [key, field] of Object.entries(kind.fields)) {
    const named = sourceOf(field.refers ?? '')
    if (!named) continue
    const reached = sql`select ${sql.ref(`${named.table}.id`)} from ${sql.table(named.table)} where ${scopeCondition(named, { reach: context.reach, clientId })}`
    const { rows } = await sql`select from bulk_undone done where done.changes -> ${sql.lit(key)} ->> 'from' is not null
      and (done.changes -> ${sql.lit(key)} ->> 'from')::bigint not in (${reached}) limit 1`.execute(context.tx)
    if (rows.length > 0)
      throw refused(`Nothing was undone: a ${field.label.toLowerCase()} that a record had before is gone, or out of your reach.`)
  }
}

async function keysIn(parts: UndoParts): Promise<string[]> {
  const { rows } = await sql<{
    key: string
  }>`select distinct each.key from bulk_undone done, jsonb_object_keys(done.changes) as each(key)`.execute(parts.context.tx)
  return rows.map(({ key }) => key)
}

async function restore({ source: { table }, kind, beside = {} }: BulkTarget, parts: UndoParts, keys: readonly string[]): Promise<number> {
  const sets = keys.flatMap((key) => {
    const field = kind.fields[key]
    if (!field || key in beside) return []
    const before = sql`(done.changes -> ${sql.lit(key)} ->> 'from')::${sql.raw(castName(field))}`
    return [sql`${sql.ref(key)} = case when done.changes ? ${sql.lit(key)} then ${before} else ${sql.ref(`${table}.${key}`)} end`]
  })
  const { numAffectedRows } =
    await sql`update ${sql.table(table)} set ${sql.join([...sets, sql`lock_version = ${sql.ref(`${table}.lock_version`)} + 1`, sql`updated_at = now()`])}
    from bulk_undone done where ${sql.ref(`${table}.client_id`)} = ${parts.clientId} and ${sql.ref(`${table}.id`)} = done.item_id`.execute(
      parts.context.tx,
    )
  return Number(numAffectedRows ?? 0)
}
