/** The rows of a bulk change: what it would change, and what it has changed. */
import { bulkRowsPerPageMax, type BulkAction, type BulkDoneRow, type BulkRow } from '#contract/bulk-changes/bulk-change.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { reachOf, reachesWhole } from '../kernel/principal.ts'
import { namesOf, wordedChanges, type StoredChanges } from './change-words.ts'
import type { BulkTarget } from './bulk-target.ts'
import { targetOf } from './targets.ts'
import type { Act } from './read-changes.ts'

const perPage = 100
type Whole = string | number | undefined

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
