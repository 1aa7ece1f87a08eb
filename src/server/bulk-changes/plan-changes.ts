/**
 * Computes the effect of a bulk change on every record, in one statement. The result is in the temporary table `bulk_plan` and is valid for its
 * transaction.
 */
import { createHash } from 'node:crypto'
import { bulkRecordsMax, type BulkCounts, type BulkValue } from '#contract/bulk-changes/bulk-change.ts'
import type { RowSelection } from '#contract/kernel/query.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { castName } from '../kernel/postgres/column-type.ts'
import type { Context } from '../kernel/context.ts'
import { liesInside, outsideMessage } from '../kernel/lists/inside-reach.ts'
import { matchingIds, scopeCondition } from '../kernel/lists/list.ts'
import { reachesWhole } from '../kernel/principal.ts'
import { notFound, refused } from '../kernel/problem.ts'
import { judge, ruleRow, type RuleRow } from '../kernel/lists/row-rules.ts'
import { checkedQuery, mustReachRefs } from '../kernel/lists/sources.ts'
import type { BulkTarget } from './bulk-target.ts'

type Sql = RawBuilder<unknown>
export type BulkChanges = Readonly<Record<string, BulkValue>>

export interface PlanParts {
  readonly context: Context
  readonly clientId: number
  readonly selection: RowSelection
  readonly changes: BulkChanges
}

/** Fills `bulk_plan`. Throws not-found if a named record is missing or out of reach, without naming it. */
export async function makePlan(target: BulkTarget, parts: PlanParts): Promise<BulkCounts> {
  const { context, clientId, selection } = parts
  await mustReachRefs(context, target.kind.fields, parts.changes, null, clientId)
  await sql`create temp table bulk_selected (id bigint primary key) on commit drop`.execute(context.tx)
  const { numAffectedRows } = await sql`insert into bulk_selected ${selected(target, parts)} limit ${bulkRecordsMax + 1}`.execute(
    context.tx,
  )
  const found = Number(numAffectedRows ?? 0)
  if (selection.ids && found < new Set(selection.ids).size) throw notFound(`${target.kind.label} not found.`)
  if (found > bulkRecordsMax)
    throw refused(`One act changes at most ${bulkRecordsMax.toLocaleString('en-US')} records. Filter the list further.`)
  await sql`analyze bulk_selected`.execute(context.tx)
  await sql`create temp table bulk_plan (item_id bigint primary key, lock_version int not null, title text, detail text, action text not null, changes jsonb,
    reasons jsonb, warnings jsonb) on commit drop`.execute(context.tx)
  await planStatement(target, parts).execute(context.tx)
  await sql`analyze bulk_plan`.execute(context.tx)
  return countPlan(context)
}

function selected(target: BulkTarget, { context, clientId, selection }: PlanParts): Sql {
  const { source } = target
  const asked = { reach: context.reach, clientId }
  const table = sql.ref(source.table)
  if (selection.ids)
    return sql`select ${table}.id from ${table} where ${scopeCondition(source, asked)} and ${table}.id = any(${selection.ids}::bigint[])`
  const query = checkedQuery(source, { ...selection.filter })
  const except = selection.except ?? []
  return sql`select id from (${matchingIds(source, query, asked)}) matching where id <> all(${except}::bigint[])`
}

function planStatement(target: BulkTarget, parts: PlanParts): Sql {
  const row = actRow(target, parts)
  const faults = (severity: 'refuse' | 'warn') => judge(target.source, row, severity, false).map(({ fault }) => fault)
  const reasons = listOf([...faults('refuse'), ...outsideFault(target, parts)])
  const warnings = listOf(faults('warn'))
  // Materialized, so that each record is evaluated once however often its changes and reasons are used.
  return sql`insert into bulk_plan (item_id, lock_version, title, detail, action, changes, reasons, warnings)
    with judged as materialized (
      select item.id, item.lock_version, ${sql.ref(`item.${target.title}`)} as title, ${sql.ref(`item.${target.detail}`)}::text as detail,
        ${changesOf(target, parts.changes)} as changes, ${reasons} as reasons, ${warnings} as warnings
      from bulk_selected join ${sql.table(target.source.table)} item on item.client_id = ${parts.clientId} and item.id = bulk_selected.id)
    select id, lock_version, title, detail, case when changes is null then 'unchanged' when reasons is null then 'change' else 'refused' end, changes,
      case when changes is not null then reasons end, case when changes is not null and reasons is null then warnings end
    from judged`
}

/** The new value of a field, typed as its column. */
export function givenOf({ kind }: BulkTarget, changes: BulkChanges, key: string): Sql | undefined {
  const field = kind.fields[key]
  const value = changes[key]
  return field === undefined || value === undefined ? undefined : sql`${value}::${sql.raw(castName(field))}`
}

/** The columns that the bulk change affects. */
export function columnKeysOf(target: BulkTarget, changes: BulkChanges): string[] {
  return keysOf(target, changes).filter((key) => !(key in (target.beside ?? {})))
}

/** The fields that the bulk change affects. */
export function keysOf({ kind }: BulkTarget, changes: BulkChanges): string[] {
  return Object.keys(kind.fields).filter((key) => changes[key] !== undefined)
}

function changesOf(target: BulkTarget, changes: BulkChanges): Sql {
  const pieces = keysOf(target, changes).map((key) => {
    const given = givenOf(target, changes, key) ?? sql`null`
    const own = target.beside?.[key]?.(given) ?? sql.ref(`item.${key}`)
    return sql`case when ${own} is distinct from ${given} then jsonb_build_object(${sql.lit(key)}::text, jsonb_build_object('from', to_jsonb(${own}), 'to', to_jsonb(${given}))) else '{}' end`
  })
  return sql`nullif(${sql.join(pieces, sql` || `)}, '{}')`
}

/** The rule row of the change: every record gets the same values, and other records of the selection will have them too. */
function actRow(target: BulkTarget, { context, clientId, changes }: PlanParts): RuleRow {
  const given = (key: string): Sql => givenOf(target, changes, key) ?? sql`null`
  return ruleRow({
    context,
    clientId,
    has: (key) => changes[key] !== undefined,
    gives: () => sql<SqlBool>`true`,
    given,
    other: (name, column) => {
      const own = sql.ref(`${name}.${column}`)
      return changes[column] === undefined
        ? own
        : sql`case when ${sql.ref(`${name}.id`)} in (select id from bulk_selected) then ${given(column)} else ${own} end`
    },
  })
}

/** Rejects moving a record out of the user's reach: they would no longer see it, and others would. */
function outsideFault(target: BulkTarget, { context, clientId, changes }: PlanParts): Sql[] {
  if (reachesWhole(context.reach, clientId)) return []
  const given = keysOf(target, changes).map((key) => sql`${sql.lit(key)}::text, to_jsonb(${givenOf(target, changes, key)})`)
  const inside = liesInside(target.source, context.reach, clientId, sql`jsonb_build_object(${sql.join(given)})`)
  return [sql`case when not ${inside} then ${sql.lit(outsideMessage)} end`]
}

function listOf(faults: readonly Sql[]): Sql {
  return faults.length === 0 ? sql`null::jsonb` : sql`nullif(to_jsonb(array_remove(array[${sql.join(faults)}]::text[], null)), '[]')`
}

async function countPlan({ tx }: Context): Promise<BulkCounts> {
  const { rows } = await sql<BulkCounts>`select count(*)::int as selected, count(*) filter (where action = 'change')::int as change,
    count(*) filter (where action = 'unchanged')::int as unchanged, count(*) filter (where action = 'refused')::int as refused,
    count(*) filter (where warnings is not null)::int as warned from bulk_plan`.execute(tx)
  return rows[0] ?? { selected: 0, change: 0, unchanged: 0, refused: 0, warned: 0 }
}

/** Two plans have the same token only if they do the same to the same records. */
export async function tokenOf({ tx }: Context, target: BulkTarget, changes: BulkChanges): Promise<string> {
  const { rows } = await sql<{
    sum: string
  }>`select coalesce(encode(sha256(string_agg(concat_ws(' ', item_id, action, changes, warnings), ' ' order by item_id)::bytea), 'hex'), '') as sum
    from bulk_plan`.execute(tx)
  return createHash('sha256')
    .update(JSON.stringify([target.kind.name, keysOf(target, changes).map((key) => [key, changes[key]]), rows[0]?.sum]))
    .digest('base64url')
}
