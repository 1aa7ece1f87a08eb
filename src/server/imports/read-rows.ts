/** The rows of an import as its report shows them: what the file says, what is wrong, what changes, in the words of the file. */
import { importKinds, importRowsPerPageMax, type ImportAction, type ImportRow } from '#contract/import.ts'
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { placeOf } from '../kernel/import-target.ts'
import { sourceOf } from '../kernel/sources.ts'
import type { ImportRecord } from './import-record.ts'

const perPage = 100

interface RowsQuery {
  readonly page?: string | number | undefined
  readonly per?: string | number | undefined
  readonly action?: ImportAction | undefined
}

interface StoredRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly action: ImportAction
  readonly item_id: number | null
  readonly errors: readonly { c: string | null; m: string; n?: string }[] | null
  readonly changes: Readonly<Record<string, { from: unknown; to: unknown }>> | null
}

/** Refused rows first, each group by line. */
export async function readRows(
  context: Context,
  record: ImportRecord,
  query: RowsQuery,
): Promise<{ import_rows: ImportRow[]; total: number }> {
  const per = Math.min(Number(query.per ?? perPage), importRowsPerPageMax)
  const offset = (Number(query.page ?? 1) - 1) * per
  const order = query.action === undefined ? sql`outcome.action <> 'refused', outcome.line` : sql`outcome.line`
  const rows = await storedRows(context, record.id, query.action, sql`order by ${order} limit ${per} offset ${offset}`)
  const total = query.action === undefined ? record.row_count : record[`${query.action}_count`]
  const names = await namesOf(context, record, rows)
  return { import_rows: rows.map((row) => shownRow(record, row, names)), total: record.rows_removed_at === null ? total : 0 }
}

/** The rows of a page are found by their outcomes, which are narrow, and joined afterwards. */
async function storedRows(
  { tx }: Context,
  importId: number,
  action: ImportAction | undefined,
  rest: RawBuilder<unknown>,
): Promise<StoredRow[]> {
  const only = action === undefined ? sql`` : sql`and outcome.action = ${action}`
  const { rows } =
    await sql<StoredRow>`with page as materialized (select outcome.* from import_outcomes outcome where outcome.import_id = ${importId} ${only} ${rest})
    select outcome.line, rows.cells, outcome.action, outcome.item_id, outcome.errors, outcome.changes
    from page outcome join import_rows rows on rows.import_id = ${importId} and rows.line = outcome.line
    order by ${action === undefined ? sql`outcome.action <> 'refused', outcome.line` : sql`outcome.line`}`.execute(tx)
  return rows
}

function shownRow(record: ImportRecord, row: StoredRow, names: Names): ImportRow {
  const kind = importKinds[record.kind]
  const cells: Record<string, string> = {}
  for (const [place, { column }] of record.headers.entries()) if (column !== null) cells[column] = row.cells[place] ?? ''
  const changes = kind.columns.flatMap((column) => {
    const change = row.changes?.[column.key]
    return change
      ? [[column.name, { from: shownValue(column, change.from, names), to: shownValue(column, change.to, names) }] as const]
      : []
  })
  return {
    line: row.line,
    label: kind.key
      .map((name) => cells[name] ?? '')
      .filter((text) => text !== '')
      .join(' · '),
    action: row.action,
    item_id: row.item_id,
    cells,
    errors: (row.errors ?? []).map(({ c, m, n }) => ({ column: c, message: m, suggestions: suggestionsOf(record, c, n) })),
    changes: Object.fromEntries(changes),
  }
}

export function suggestionsOf({ suggestions }: ImportRecord, column: string | null, name: string | undefined): string[] {
  return column === null || name === undefined ? [] : (suggestions[column]?.[name] ?? [])
}

/** What people know a record by, for each column that names records. */
type Names = ReadonlyMap<string, ReadonlyMap<number, string>>

async function namesOf({ tx }: Context, record: ImportRecord, rows: readonly StoredRow[]): Promise<Names> {
  const names = new Map<string, ReadonlyMap<number, string>>()
  for (const column of importKinds[record.kind].columns.filter((one) => one.reference)) {
    const ids = rows.flatMap(({ changes }) => idsOf(changes?.[column.key]?.from).concat(idsOf(changes?.[column.key]?.to)))
    const source = sourceOf(column.reference?.refers ?? '')
    if (ids.length === 0 || !source) continue
    const { rows: found } = await sql<{
      id: number
      name: string
    }>`select id, ${sql.ref(column.reference?.by ?? 'id')}::text as name from ${sql.table(source.table)}
      where ${source.scope === 'shared' ? sql`true` : sql`client_id = ${record.client_id}`} and id = any(${[...new Set(ids)]}::bigint[])`.execute(
      tx,
    )
    names.set(column.key, new Map(found.map(({ id, name }) => [id, name])))
  }
  return names
}

function idsOf(value: unknown): number[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one) => typeof one === 'number')
}

function shownValue(column: ImportColumn, value: unknown, names: Names): string | null {
  if (value === null || value === undefined) return null
  if (placeOf(column) === 'secret') return '•••••'
  if (Array.isArray(value)) return value.map((one: unknown) => shownValue({ ...column, many: false }, one, names) ?? '').join('; ')
  if (column.reference && typeof value === 'number') return names.get(column.key)?.get(value) ?? String(value)
  if (typeof value === 'boolean') return value ? 'Y' : 'N'
  const choice = column.field.choices?.find((one) => one.value === value)
  if (choice) return choice.label
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
