/** The rows of the audit log, and its filters. */
import { auditVersion, systemUser, type AuditFilters } from '#contract/audit-log/audit-log.ts'
import { isCalendarDate } from '#contract/kernel/date.ts'
import { endOfDayIn, NEW_YORK, startOfDayIn } from '#contract/kernel/zone.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../kernel/postgres/database.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { and, containing, or, type Condition, type ScopeRule } from '../kernel/lists/list.ts'
import { resource } from '../kernel/lists/resource.ts'
import { clientOfPlace, idsBelow, placeLevels, type PlaceFilter } from './below-item.ts'

/** A role that is narrowed inside a client reads no trail, because the trail mixes records of other people. */
export const auditScope: ScopeRule = { client: sql.ref('audit_records.client_id'), levels: {} }

/** The acting user, also if the user was deleted since. */
export const actorJoin = sql`left join users actor on actor.id = audit_records.user_id`
export const actorEmail = sql<string>`coalesce(actor.email,
  (select gone.object_changes -> 'email' ->> 'from' from audit_records gone
    where gone.client_id = 0 and gone.event = 'destroy' and gone.item_type = 'user' and gone.item_id = audit_records.user_id limit 1),
  case when audit_records.user_id is null then ${sql.lit(systemUser)} else 'User #' || audit_records.user_id end)`

/** One line per field: `name: North → South`. Line breaks inside a value would split it, so they are replaced. */
const changesText = sql`(select string_agg(changed.key || ': ' || regexp_replace(coalesce(changed.value ->> 'from', '–'), '\\s+', ' ', 'g')
    || ' → ' || regexp_replace(coalesce(changed.value ->> 'to', '–'), '\\s+', ' ', 'g'), E'\\n' order by changed.key)
  from jsonb_each(audit_records.object_changes) changed)`

/** Used by the export, which writes each version in one row. */
export const auditLog = resource({
  entity: auditVersion,
  table: 'audit_records',
  scope: auditScope,
  joins: { actor: actorJoin, client: sql`left join clients on clients.id = audit_records.client_id` },
  columns: {
    lock_version: { sql: sql`0` },
    client_name: { sql: sql.ref('clients.name'), joins: ['client'] },
    user: { sql: actorEmail, joins: ['actor'] },
    object_changes: { sql: changesText },
  },
})

/** Filters in the form a task stores: places include their client. */
const settled = z.object({
  users: z.array(z.int()).nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  client_id: z.int().nullable(),
  places: z.array(z.object({ level: z.enum(placeLevels), id: z.int(), client_id: z.int() })),
  key: z.string().nullable(),
  value: z.string().nullable(),
  event: z.string().nullable(),
  item_type: z.string().nullable(),
})
export type SettledFilters = z.infer<typeof settled>

/** The export computes what lies below a place while it reads, since it reads each row once. */
export const auditWhere = defineWhere('audit_log_filters', settled, (filters) =>
  and([
    ...plainConditions(filters),
    ...filters.places.map((place) =>
      or(Object.entries(idsBelow(place)).map(([kind, ids]) => ofItems(kind, sql`audit_records.item_id in (${ids})`))),
    ),
  ]),
)

/**
 * A page of ten must not read the whole trail: the records below a place are looked up first, then their versions are found by the index of
 * items.
 */
export async function pageConditions(tx: Tx, filters: SettledFilters): Promise<Condition[]> {
  const conditions = plainConditions(filters)
  for (const place of filters.places) conditions.push(await placeCondition(tx, place))
  return conditions
}

async function placeCondition(tx: Tx, place: PlaceFilter): Promise<Condition> {
  const kinds = Object.entries(idsBelow(place)).map(
    ([kind, ids]) => sql`select ${kind}::text as kind, array_agg(distinct below.id) as ids from (${ids}) as below(id)`,
  )
  const { rows } = await sql<{ kind: string; ids: number[] | null }>`${sql.join(kinds, sql` union all `)}`.execute(tx)
  const inside = or(
    rows.flatMap(({ kind, ids }) =>
      ids === null || ids.length === 0 ? [] : [ofItems(kind, sql`audit_records.item_id = any(${ids}::bigint[])`)],
    ),
  )
  return sql<SqlBool>`(audit_records.client_id = ${place.client_id} and ${inside})`
}

function ofItems(kind: string, condition: ReturnType<typeof sql>): Condition {
  return sql<SqlBool>`(audit_records.item_type = ${kind} and ${condition})`
}

/** Turns days into New York instants, texts into ids, and adds the clients of places. Null if a place has no client: then nothing is found. */
export async function settledFilters(tx: Tx, filters: AuditFilters): Promise<SettledFilters | null> {
  const places: PlaceFilter[] = []
  for (const level of placeLevels) {
    const id = filters[`${level}_id`]
    if (id === undefined) continue
    const clientId = await clientOfPlace(tx, level, Number(id))
    if (clientId === undefined) return null
    places.push({ level, id: Number(id), client_id: clientId })
  }
  const { from, to, users } = filters
  return {
    users: users === undefined ? null : (Array.isArray(users) ? users : String(users).split(',')).map(Number),
    from: from === undefined ? null : isCalendarDate(from) ? startOfDayIn(NEW_YORK, from) : from,
    to: to === undefined ? null : isCalendarDate(to) ? endOfDayIn(NEW_YORK, to) : to,
    client_id: filters.client_id === undefined ? null : Number(filters.client_id),
    places,
    key: filters.key ?? null,
    value: filters.value ?? null,
    event: filters.event ?? null,
    item_type: filters.item_type ?? null,
  }
}

function plainConditions(filters: SettledFilters): Condition[] {
  const { users, from, to, client_id, key, value, event, item_type } = filters
  const conditions: Condition[] = []
  if (users) conditions.push(actedBy(users))
  if (from !== null) conditions.push(sql<SqlBool>`audit_records.created_at >= ${from}::timestamptz`)
  if (to !== null) conditions.push(sql<SqlBool>`audit_records.created_at < ${to}::timestamptz`)
  if (client_id !== null) conditions.push(sql<SqlBool>`audit_records.client_id = ${client_id}`)
  if (event !== null) conditions.push(sql<SqlBool>`audit_records.event = ${event}`)
  if (item_type !== null) conditions.push(sql<SqlBool>`audit_records.item_type = ${item_type}`)
  if (key !== null) conditions.push(sql<SqlBool>`audit_records.object_changes ? ${key}`)
  if (value !== null) conditions.push(...mayHold(value), hasValue(key, containing(value)))
  return conditions
}

function actedBy(users: readonly number[]): Condition {
  const people = users.filter((user) => user !== 0)
  const system = users.length > people.length ? [sql<SqlBool>`audit_records.user_id is null`] : []
  return or([...system, ...(people.length > 0 ? [sql<SqlBool>`audit_records.user_id = any(${people}::bigint[])`] : [])])
}

/**
 * Most rows are skipped by searching their whole text, which is ten times quicker than opening each. That is not possible for a text that JSON
 * escapes.
 */
function mayHold(value: string): Condition[] {
  const isPlain = JSON.stringify(value) === `"${value}"`
  return isPlain ? [sql<SqlBool>`audit_records.object_changes::text ilike ${containing(value)}`] : []
}

function hasValue(key: string | null, pattern: string): Condition {
  const either = (changed: ReturnType<typeof sql>) => sql`(${changed} ->> 'from' ilike ${pattern} or ${changed} ->> 'to' ilike ${pattern})`
  if (key !== null) return sql<SqlBool>`${either(sql`audit_records.object_changes -> ${key}`)}`
  return sql<SqlBool>`exists (select from jsonb_each(audit_records.object_changes) changed where ${either(sql`changed.value`)})`
}
