/** Reads bulk changes, planned and done, for their previews, their list and their pages. */
import {
  bulkChange,
  bulkChangeCalls,
  bulkKindNames,
  bulkRowsPerPageMax,
  bulkUndoDays,
  type BulkAction,
  type BulkChange,
  type BulkDoneRow,
  type BulkRow,
} from '#contract/bulk-changes/bulk-change.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { clientScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhereOf } from '../kernel/lists/export.ts'
import { or, scopeCondition, type Condition } from '../kernel/lists/list.ts'
import { mayIn, reachOf, reachesWhole, type Principal } from '../kernel/principal.ts'
import { notFound } from '../kernel/problem.ts'
import { exportHandler, listAnswer, resource } from '../kernel/lists/resource.ts'
import { namesOf, worded, wordedChanges, type StoredChanges } from './change-words.ts'
import type { BulkTarget } from './bulk-target.ts'
import { targetOf } from './targets.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

const perPage = 100
type Whole = string | number | undefined

const personName = (alias: string) => sql`coalesce(${nameOfUser(alias)}, 'A former user')`
const isKept = sql`bulk_changes.rows_removed_at is null and bulk_changes.created_at > now() - make_interval(days => ${sql.lit(bulkUndoDays)})`

/** Visibility depends on more than the scope: see `visibleActs`. */
const bulkChanges = resource({
  entity: bulkChange,
  table: 'bulk_changes',
  scope: { client: sql.ref('bulk_changes.client_id'), levels: clientScope.levels },
  joins: {
    person: sql`left join users person on person.id = bulk_changes.user_id`,
    undoer: sql`left join users undoer on undoer.id = bulk_changes.undone_by`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    user_name: { sql: personName('person'), joins: ['person'] },
    undone_by_name: { sql: sql`case when bulk_changes.undone_at is not null then ${personName('undoer')} end`, joins: ['undoer'] },
    changed: { sql: sql.ref('bulk_changes.changes') },
    may_undo: { sql: sql`(bulk_changes.undone_at is null and ${isKept})` },
  },
  present: presentActs,
})

const seenBy = defineWhereOf('bulk_changes_seen_by', z.object({ client_id: z.int(), user_id: z.int() }), (principal, { client_id }) =>
  visibleActs(principal, client_id),
)

export function listActs(context: Context, clientId: number, query: ListInput) {
  return listAnswer(context, bulkChanges, query, {
    reach: context.reach,
    clientId,
    ...seenBy(context.principal, { client_id: clientId, user_id: context.principal.user_id }),
  })
}

export const actExport = exportHandler(bulkChangeCalls.exportCsv, bulkChanges, ({ reach, principal }, { client_id: clientId }) => ({
  reach,
  clientId,
  ...seenBy(principal, { client_id: clientId, user_id: principal.user_id }),
}))

/** Users who may change all records of a kind see all bulk changes of them; users who may change some see their own. */
function visibleActs(principal: Principal, clientId: number): Condition {
  return or(
    bulkKindNames.flatMap((name) => {
      const { may } = targetOf(name)
      if (!mayIn(principal, may, clientId)) return []
      const own = reachesWhole(reachOf(principal, may), clientId) ? sql`true` : sql`bulk_changes.user_id = ${principal.user_id}`
      return [sql<SqlBool>`(bulk_changes.kind = ${name} and ${own})`]
    }),
  )
}

export interface Act {
  readonly id: number
  readonly kind: string
  readonly item_count: number
  readonly undone_at: string | null
  readonly kept: boolean
}

/** Throws not-found for a missing or hidden bulk change. `lock` locks it for the transaction. */
export async function readAct(context: Context, clientId: number, id: number, lock = false): Promise<Act> {
  const { rows } = await sql<Act>`select id, kind, item_count, undone_at, ${isKept} as kept from bulk_changes
    where ${scopeCondition(bulkChanges, { reach: context.reach, clientId })} and ${visibleActs(context.principal, clientId)} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(
    context.tx,
  )
  if (!rows[0]) throw notFound('Bulk Change not found.')
  return rows[0]
}

/** Puts each bulk change into words, with the current names of the records that it refers to. */
async function presentActs(context: Context, acts: readonly BulkChange[]): Promise<BulkChange[]> {
  const presented = new Map<number, BulkChange['changed']>()
  for (const [kind, ofKind] of Map.groupBy(acts, (act) => act.kind)) {
    const { kind: described } = targetOf(kind)
    const [first] = ofKind
    if (!first) continue
    const names = await namesOf(context, described, first.client_id, (key) => ofKind.map((act) => storedOf(act)[key]))
    for (const act of ofKind) {
      const stored = storedOf(act)
      const changed = Object.entries(described.fields).filter(([key]) => key in stored)
      presented.set(
        act.id,
        changed.map(([key, field]) => ({ key, label: field.label, to: worded(field, key, stored[key], names) })),
      )
    }
  }
  return acts.map((act) => ({ ...act, changed: presented.get(act.id) ?? [] }))
}

/** The stored column `changes`, before it is put into words. */
function storedOf({ changed }: BulkChange): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(changed))
}

// ---------------------------------------------------------------- rows

interface PlannedRow {
  readonly id: number
  readonly title: string | null
  readonly detail: string | null
  readonly action: BulkAction
  readonly changes: StoredChanges | null
  readonly reasons: string[] | null
  readonly warnings: string[] | null
}

/** Returns a page of `bulk_plan`: refused records first, then those with a warning, then those that change. */
export async function plannedRows(
  context: Context,
  { kind }: BulkTarget,
  clientId: number,
  { page, per, action }: { page?: Whole; per?: Whole; action?: BulkAction | undefined },
): Promise<BulkRow[]> {
  const only = action === undefined ? sql`true` : sql`action = ${action}`
  const { rows } =
    await sql<PlannedRow>`select item_id as id, title, detail, action, changes, reasons, warnings from bulk_plan where ${only}
    order by action = 'unchanged', action = 'change', warnings is null, title, item_id ${paged(page, per)}`.execute(context.tx)
  const names = await namesOf(context, kind, clientId, (key) => valuesIn(rows, key))
  return rows.map((row) => ({
    id: row.id,
    title: row.title ?? '',
    detail: row.detail ?? '',
    action: row.action,
    changes: wordedChanges(kind, row.changes, names),
    reasons: row.reasons ?? [],
    warnings: row.warnings ?? [],
  }))
}

interface DoneRow {
  readonly id: number
  readonly title: string | null
  readonly detail: string | null
  readonly changes: StoredChanges
  readonly in_the_way: BulkDoneRow['in_the_way']
}

/** Returns the changed records that the reader reaches. A deleted record is shown to users who reach the whole client. */
export async function doneRows(
  context: Context,
  clientId: number,
  act: Act,
  { page, per }: { page?: Whole; per?: Whole },
): Promise<{ bulk_rows: BulkDoneRow[]; total: number }> {
  const target = targetOf(act.kind)
  const { table } = target.source
  const reach = reachOf(context.principal, target.may)
  const from = sql`bulk_change_items done left join ${sql.table(table)} on ${sql.ref(`${table}.client_id`)} = done.client_id and ${sql.ref(`${table}.id`)} = done.item_id
    where done.client_id = ${clientId} and done.bulk_change_id = ${act.id}
      and (${scopeCondition(target.source, { reach, clientId })} or (${sql.ref(`${table}.id`)} is null and ${reachesWhole(reach, clientId)}))`
  const way = sql`case when ${act.undone_at !== null} then null when ${sql.ref(`${table}.id`)} is null then 'deleted'
    when ${sql.ref(`${table}.lock_version`)} <> done.lock_version then 'changed' end`
  const { rows } =
    await sql<DoneRow>`select done.item_id as id, ${sql.ref(`${table}.${target.title}`)} as title, ${sql.ref(`${table}.${target.detail}`)}::text as detail,
      done.changes, ${way} as in_the_way from ${from} order by ${way} is null, title, id ${paged(page, per)}`.execute(context.tx)
  const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(context.tx)
  const names = await namesOf(context, target.kind, clientId, (key) => valuesIn(rows, key))
  return {
    bulk_rows: rows.map((row) => ({ ...row, changes: wordedChanges(target.kind, row.changes, names) })),
    total: counted[0]?.total ?? 0,
  }
}

function valuesIn(rows: readonly { readonly changes: StoredChanges | null }[], key: string): unknown[] {
  return rows.flatMap(({ changes }) => [changes?.[key]?.from, changes?.[key]?.to])
}

function paged(page: Whole, per: Whole) {
  const limit = Math.min(Number(per ?? perPage), bulkRowsPerPageMax)
  return sql`limit ${limit} offset ${(Number(page ?? 1) - 1) * limit}`
}
