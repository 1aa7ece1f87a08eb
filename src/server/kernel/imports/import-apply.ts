/** Stores the plan in `import_plan`, in as many statements as there are tables, each record with its row in the trail. */
import { writableKeys } from '#contract/kernel/entity.ts'
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql } from 'kysely'
import { partParts, type PlanParts } from './import-plan.ts'
import { placeOf, type ImportLink, type ImportTarget } from './import-target.ts'
import { storePlannedSecrets, type Sql } from './planned-secrets.ts'
import { auditPlanned, type Defaults, givenValue } from './audit-planned.ts'

/** The records were changed between planning and writing: the whole step is repeated. */
export class PlanIsStale extends Error {
  override name = 'PlanIsStale'
}

/** Stores the plan's rows to create and to update: first the records, then their children. */
export async function applyPlan(target: ImportTarget, parts: PlanParts): Promise<void> {
  await applyOne(target, { ...parts, columns: parts.columns.filter((column) => !column.part) })
  if (target.part) await applyOne(target.part.target, partParts(target.part, parts), target.part.parent)
}

async function applyOne(target: ImportTarget, parts: PlanParts, parent?: string): Promise<void> {
  const { context, clientId } = parts
  const plan = sql.table(parts.plan)
  const initial = { ...defaultsOf(target, parts), ...(await target.initial?.(context)) }
  await lockPlanned(target, parts)
  await insertPlanned(target, parts, initial, parent)
  await updatePlanned(target, parts)
  for (const [key, link] of Object.entries(target.links ?? {}))
    if (parts.columns.some((column) => column.key === key)) await storeLinks(link, key, parts)
  await storeOwn(target, parts)
  await storePlannedSecrets(target, parts)
  await auditPlanned(target, parts, initial)
  const changed = (...keys: readonly string[]): Sql =>
    sql`select item_id from ${plan} where action = 'update' and changes ?| ${keys}::text[]`
  const written = sql`select item_id from ${plan} where action in ('create', 'update')`
  const made = sql`select item_id from ${plan} where action = 'create'`
  await target.after?.(context, { clientId: clientId ?? 0, changed, written, made })
}

/** Returns the values that a form would fill in for a new record: defaults of fields that the file lacks or leaves empty. */
function defaultsOf(target: ImportTarget, { columns }: PlanParts): Record<string, string | number | boolean | null> {
  const { fields } = target.source.entity
  const defaults: Record<string, string | number | boolean | null> = {}
  for (const key of writableKeys(fields)) {
    const { initial, kind } = fields[key] ?? {}
    if (kind === 'refs' || kind === 'list' || columns.some((column) => column.key === key && placeOf(column) === 'link')) continue
    if (typeof initial === 'string' || typeof initial === 'number' || typeof initial === 'boolean') defaults[key] = initial
  }
  return defaults
}

/** Locks in id order, so that two writers never deadlock. */
async function lockPlanned({ source }: ImportTarget, { context, clientId, plan: name }: PlanParts): Promise<void> {
  const plan = sql.table(name)
  const { rows } = await sql<{ moved: number }>`with locked as materialized (
      select id, lock_version from ${sql.table(source.table)} where ${tenantOf(source.table, clientId)} and id in (select item_id from ${plan} where action = 'update')
      order by id for update)
    select count(*)::int as moved from ${plan} plan left join locked on locked.id = plan.item_id
    where plan.action = 'update' and locked.lock_version is distinct from plan.lock_version`.execute(context.tx)
  if ((rows[0]?.moved ?? 0) > 0) throw new PlanIsStale()
}

async function insertPlanned(target: ImportTarget, parts: PlanParts, initial: Defaults, parent: string | undefined): Promise<void> {
  const own = parts.columns.filter((column) => isStored(column, target))
  const values = new Map<string, Sql>(Object.entries(initial).map(([key, value]) => [key, literal(value)]))
  for (const column of own) {
    const given = givenValue(column, parts, target)
    const standard = values.get(column.key)
    values.set(column.key, standard ? sql`coalesce(${given}, ${standard})` : given)
  }
  const { clientId } = parts
  const tenant = clientId === undefined ? [] : [['client_id', sql`${clientId}::bigint`] as const]
  const hanging = parent === undefined ? [] : [[parent, sql`plan.parent_id`] as const]
  const all = [['id', sql`plan.item_id`] as const, ...tenant, ...hanging, ...values]
  await sql`insert into ${sql.table(target.source.table)} (${sql.join(all.map(([key]) => sql.ref(key)))})
    select ${sql.join(all.map(([, value]) => value))} from ${sql.table(parts.plan)} plan where plan.action = 'create'`.execute(
    parts.context.tx,
  )
}

async function updatePlanned(target: ImportTarget, parts: PlanParts): Promise<void> {
  const { table } = target.source
  const changing = parts.columns.filter((column) => !target.kind.key.includes(column.name) && isStored(column, target))
  const sets = changing.map(
    (column) =>
      sql`${sql.ref(column.key)} = case when plan.draft ? ${sql.lit(column.key)} then ${givenValue(column, parts, target)} else ${sql.ref(`${table}.${column.key}`)} end`,
  )
  await sql`update ${sql.table(table)} set ${sql.join([...sets, sql`lock_version = ${sql.ref(`${table}.lock_version`)} + 1`, sql`updated_at = now()`])}
    from ${sql.table(parts.plan)} plan where plan.action = 'update' and ${tenantOf(table, parts.clientId)} and ${sql.ref(`${table}.id`)} = plan.item_id`.execute(
    parts.context.tx,
  )
}

/** Returns true if a column of the record's own table stores it. */
export function isStored(column: ImportColumn, { own = {} }: ImportTarget): boolean {
  const place = placeOf(column)
  return place === 'column' || place === 'reference' || (place === 'own' && own[column.key]?.column !== undefined)
}

/** Sets the links of a row to exactly those that its cell names. */
async function storeLinks(link: ImportLink, key: string, { context, clientId, plan: name }: PlanParts): Promise<void> {
  const written = sql`plan.action in ('create', 'update') and plan.links ? ${sql.lit(key)}`
  await sql`delete from ${sql.table(link.table)} using ${sql.table(name)} plan where ${written} and plan.action = 'update'
    and ${tenantOf(link.table, clientId)} and ${sql.ref(`${link.table}.${link.parent}`)} = plan.item_id`.execute(context.tx)
  await insertLinks(link, sql`plan.links -> ${sql.lit(key)}`, sql`${sql.table(name)} plan where ${written}`, { context, clientId })
}

/** Stores the columns that the slice keeps itself: for new records all values of their rows, for others the changes. */
async function storeOwn({ own = {} }: ImportTarget, { context, clientId, columns, plan }: PlanParts): Promise<void> {
  for (const [key, { store }] of Object.entries(own)) {
    if (!store || !columns.some((column) => column.key === key)) continue
    const isWritten = sql`plan.own ? ${sql.lit(key)} and (plan.action = 'create' or (plan.action = 'update' and plan.changes ? ${sql.lit(key)}))`
    await store(
      context,
      clientId ?? 0,
      sql`select plan.item_id, nullif(plan.own -> ${sql.lit(key)}, 'null') as value from ${sql.table(plan)} plan where ${isWritten}`,
    )
  }
}

/** Writes the values of a list in `values` for each `item_id` of the rows `from`. */
export async function insertLinks(
  link: ImportLink,
  values: Sql,
  from: Sql,
  { context, clientId }: Pick<PlanParts, 'context' | 'clientId'>,
): Promise<void> {
  const tenant = clientId === undefined ? [] : [['client_id', sql`${clientId}::bigint`] as const]
  const value = link.column.endsWith('_id') ? sql`(value #>> '{}')::bigint` : sql`value #>> '{}'`
  const all = [
    ...tenant,
    [link.parent, sql`item_id`] as const,
    [link.column, value] as const,
    ...(link.ordered ? [['position', sql`place`] as const] : []),
  ]
  await sql`insert into ${sql.table(link.table)} (${sql.join(all.map(([column]) => sql.ref(column)))})
    select ${sql.join(all.map(([, one]) => one))} from (select plan.item_id, listed.value, listed.place
      from (select plan.item_id, ${values} as list from ${from}) plan, jsonb_array_elements(plan.list) with ordinality listed(value, place)) written`.execute(
    context.tx,
  )
}

function tenantOf(table: string, clientId: number | undefined): Sql {
  return clientId === undefined ? sql`true` : sql`${sql.ref(`${table}.client_id`)} = ${clientId}`
}

function literal(value: string | number | boolean | null): Sql {
  return value === null ? sql`null` : sql.lit(value)
}
