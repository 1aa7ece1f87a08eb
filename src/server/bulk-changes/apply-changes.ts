/** Applies `bulk_plan`, with one statement per table; each record gets its row in the trail. */
import { sql, type RawBuilder } from 'kysely'
import { busy } from '../kernel/problem.ts'
import type { BulkTarget } from './bulk-target.ts'
import { columnKeysOf, givenOf, type PlanParts } from './plan-changes.ts'

/**
 * Applies the plan.
 * @returns the id under which the bulk change can be undone.
 */
export async function applyChanges(target: BulkTarget, parts: PlanParts, count: number): Promise<number> {
  const { context, clientId, changes } = parts
  await lockPlanned(target, parts)
  const id = await storeAct(target, parts, count)
  const { table } = target.source
  const sets = columnKeysOf(target, changes).map((key) => sql`${sql.ref(key)} = ${givenOf(target, changes, key)}`)
  await sql`update ${sql.table(table)} set ${sql.join([...sets, sql`lock_version = ${sql.ref(`${table}.lock_version`)} + 1`, sql`updated_at = now()`])}
    from bulk_plan plan where plan.action = 'change' and ${sql.ref(`${table}.client_id`)} = ${clientId} and ${sql.ref(`${table}.id`)} = plan.item_id`.execute(
    context.tx,
  )
  await sql`insert into audit_records (client_id, user_id, event, item_type, item_id, object_changes, ip_address)
    select ${clientId}::bigint, ${context.principal.user_id}::bigint, 'update', ${target.kind.name}, plan.item_id, plan.changes, ${context.ip}::text
    from bulk_plan plan where plan.action = 'change' order by plan.item_id`.execute(context.tx)
  const changed = (...keys: readonly string[]): RawBuilder<unknown> =>
    sql`select item_id from bulk_plan where action = 'change' and changes ?| ${keys}::text[]`
  await target.after?.(context, {
    clientId,
    act: id,
    undone: false,
    given: (key) => changes[key],
    changed,
    isAbout: (...keys) => keys.some((key) => changes[key] !== undefined),
  })
  context.touch(clientId)
  return id
}

/** Locks the records in id order, so that two writers never deadlock. */
async function lockPlanned({ source }: BulkTarget, { context, clientId }: PlanParts): Promise<void> {
  const { rows } = await sql<{ moved: number }>`with locked as materialized (
      select id, lock_version from ${sql.table(source.table)} where client_id = ${clientId} and id in (select item_id from bulk_plan where action = 'change')
      order by id for update)
    select count(*)::int as moved from bulk_plan plan left join locked on locked.id = plan.item_id
    where plan.action = 'change' and locked.lock_version is distinct from plan.lock_version`.execute(context.tx)
  if ((rows[0]?.moved ?? 0) > 0) throw busy()
}

async function storeAct({ kind }: BulkTarget, { context, clientId, changes }: PlanParts, count: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into bulk_changes (client_id, kind, user_id, changes, item_count)
    values (${clientId}, ${kind.name}, ${context.principal.user_id}, ${JSON.stringify(changes)}::jsonb, ${count}) returning id`.execute(
    context.tx,
  )
  const id = rows[0]?.id ?? 0
  await sql`insert into bulk_change_items (client_id, bulk_change_id, item_id, version_before, lock_version, changes)
    select ${clientId}::bigint, ${id}::bigint, item_id, lock_version, lock_version + 1, changes from bulk_plan where action = 'change'`.execute(
    context.tx,
  )
  return id
}
