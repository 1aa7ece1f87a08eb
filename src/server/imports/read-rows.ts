/** Reads the rows of an import for its report: content, errors and changes, in the words of the file. */
import { importRowsPerPageMax, type ImportAction, type ImportRow } from '#contract/imports/import.ts'
import type { ImportColumn, ImportKind } from '#contract/kernel/import.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { placeOf } from '../kernel/imports/import-target.ts'
import { sourceOf } from '../kernel/lists/sources.ts'
import type { ImportRecord } from './import-record.ts'
import { kindOf } from './kind-of.ts'
import { targetOf } from './targets.ts'

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
  readonly errors: readonly { c: string | null; m: string; n?: string; b?: number }[] | null
  readonly changes: Changes | null
  readonly notes: readonly { c: string; m: string }[] | null
  readonly part_action: ImportAction | null
  readonly part_changes: Changes | null
}
type Changes = Readonly<Record<string, { from: unknown; to: unknown }>>

/** Returns refused rows first, each group by line. */
export async function readRows(
  context: Context,
  record: ImportRecord,
  query: RowsQuery,
): Promise<{ import_rows: ImportRow[]; total: number }> {
  const per = Math.min(Number(query.per ?? perPage), importRowsPerPageMax)
  const offset = (Number(query.page ?? 1) - 1) * per
  const order = query.action === undefined ? sql`outcome.row_action <> 'refused', outcome.line` : sql`outcome.line`
  const rows = await storedRows(context, record.id, query.action, sql`order by ${order} limit ${per} offset ${offset}`)
  const total = query.action === undefined ? record.row_count : record[`${query.action}_count`]
  const kind = await kindOf(context, record.kind, record.client_id)
  const names = await namesOf(context, record, kind, rows)
  return { import_rows: rows.map((row) => shownRow(record, kind, row, names)), total: record.rows_removed_at === null ? total : 0 }
}

/** Finds the rows of a page by their outcomes, which are narrow, and joins the rest afterwards. */
async function storedRows(
  { tx }: Context,
  importId: number,
  action: ImportAction | undefined,
  rest: RawBuilder<unknown>,
): Promise<StoredRow[]> {
  const only = action === undefined ? sql`` : sql`and outcome.row_action = ${action}`
  const { rows } =
    await sql<StoredRow>`with page as materialized (select outcome.* from import_outcomes outcome where outcome.import_id = ${importId} ${only} ${rest})
    select outcome.line, rows.cells, outcome.row_action as action, outcome.item_id, outcome.errors, outcome.changes, outcome.notes, part.action as part_action, part.changes as part_changes
    from page outcome join import_rows rows on rows.import_id = ${importId} and rows.line = outcome.line
      left join import_part_outcomes part on part.import_id = ${importId} and part.line = outcome.line
    order by ${action === undefined ? sql`outcome.row_action <> 'refused', outcome.line` : sql`outcome.line`}`.execute(tx)
  return rows
}

function shownRow(record: ImportRecord, kind: ImportKind, row: StoredRow, names: Names): ImportRow {
  const cells: Record<string, string> = {}
  for (const [place, { column }] of record.headers.entries()) if (column !== null) cells[column] = row.cells[place] ?? ''
  const changes = kind.columns.flatMap((column) => {
    const change = changeOf(column, row)
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
    part_action: row.part_action,
    cells,
    errors: (row.errors ?? []).map(({ c, m, n }) => ({ column: c, message: m, suggestions: suggestionsOf(record, c, n) })),
    changes: Object.fromEntries(changes),
    notes: (row.notes ?? []).map(({ m }) => m),
    repeats_id: row.errors?.find(({ b }) => b !== undefined)?.b ?? null,
  }
}

/** Columns that are defined by the client's records share one value. */
function changeOf(column: ImportColumn, { changes, part_changes }: StoredRow): Changes[string] | undefined {
  const change = (column.part ? part_changes : changes)?.[column.key]
  if (!change || column.of === undefined) return change
  const [from, to] = [change.from, change.to].map((value) => valueUnder(value, column.of))
  return from === to ? undefined : { from, to }
}

function valueUnder(values: unknown, id: number | undefined): unknown {
  if (!Array.isArray(values)) return null
  const found: unknown = values.find((one: unknown) => isObject(one) && Object.values(one).includes(id))
  return isObject(found) ? Reflect.get(found, 'value') : null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export function suggestionsOf({ suggestions }: ImportRecord, column: string | null, name: string | undefined): string[] {
  return column === null || name === undefined ? [] : (suggestions[column]?.[name] ?? [])
}

/** Names of records, for each column that refers to records. */
type Names = ReadonlyMap<string, ReadonlyMap<number, string>>

async function namesOf({ tx }: Context, record: ImportRecord, kind: ImportKind, rows: readonly StoredRow[]): Promise<Names> {
  const names = new Map<string, ReadonlyMap<number, string>>()
  for (const column of kind.columns) {
    const known = namesIn(record, column)
    const ids = rows.map((row) => changeOf(column, row)).flatMap((change) => idsOf(change?.from).concat(idsOf(change?.to)))
    if (!known || ids.length === 0) continue
    const { rows: found } = await sql<{
      id: number
      name: string
    }>`select id, name from (${known}) known where id = any(${[...new Set(ids)]}::bigint[])`.execute(tx)
    names.set(column.name, new Map(found.map(({ id, name }) => [id, name])))
  }
  return names
}

/** Returns the source of the names for a column whose values are ids. */
function namesIn(record: ImportRecord, { key, part, reference }: ImportColumn): RawBuilder<unknown> | undefined {
  const target = targetOf(record.kind)
  if ('work' in target) return undefined
  const own = (part ? target.part?.target : target)?.own?.[key]?.names
  const source = reference && sourceOf(reference.refers)
  if (own || !source) return own
  const where = source.scope === 'shared' ? sql`true` : sql`client_id = ${record.client_id}`
  return sql`select id, ${sql.ref(reference.by)}::text as name from ${sql.table(source.table)} where ${where}`
}

function idsOf(value: unknown): number[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one) => typeof one === 'number')
}

function shownValue(column: ImportColumn, value: unknown, names: Names): string | null {
  if (value === null || value === undefined) return null
  if (placeOf(column) === 'secret') return '•••••'
  if (Array.isArray(value)) return value.map((one: unknown) => shownValue({ ...column, many: false }, one, names) ?? '').join('; ')
  if (typeof value === 'number' && names.has(column.name)) return names.get(column.name)?.get(value) ?? String(value)
  if (typeof value === 'boolean') return value ? 'Y' : 'N'
  const choice = column.field.choices?.find((one) => one.value === value)
  if (choice) return choice.label
  if (isObject(value)) return wordsOf(value)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** Writes an object as its cell does: a name, and the value after the colon. */
function wordsOf(value: object): string {
  const named = Object.entries(value).filter(([key]) => !key.endsWith('_id'))
  const inOrder = named.toSorted(([one], [other]) => Number(other.endsWith('name')) - Number(one.endsWith('name')))
  const texts = inOrder.map(([, one]) => (one === true ? 'Y' : one === false ? 'N' : String(one)))
  return texts.join(':')
}
