/** Exports of every list as CSV or as a workbook: asked for with the list's own query, written by a job under the rights that its owner has then. */
import { exportFormats, type ExportInput, type Started } from '#contract/kernel/call.ts'
import { readableKeys, titleCase } from '#contract/kernel/entity.ts'
import { csvLine } from '#contract/kernel/import.ts'
import type { May } from '#contract/kernel/permission.ts'
import { predicates, type ListQuery } from '#contract/kernel/query.ts'
import { formatInstant } from '#contract/kernel/zone.ts'
import { exportStartedMessage } from '#contract/tasks/task.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { now } from '../clock.ts'
import type { Context } from '../context.ts'
import { exportStatement, type Asked, type Source } from './list.ts'
import { conditionOf, isNamed, madeOf } from './named-rows.ts'
import type { Reach } from '../principal.ts'
import { forbidden, invalid, tooMuch } from '../problem.ts'
import { checkedQuery } from './sources.ts'
import { asLiterals } from '../postgres/sql-literal.ts'
import type { Tx } from '../postgres/database.ts'
import { workbookType } from '../files/workbook.ts'
import { defineTask, startTask, tasksRunningPerUser, type TaskRun } from '../work/task.ts'
import { copyToStore } from '../work/copy-to-store.ts'
import { copyToWorkbook } from '../work/copy-to-workbook.ts'
import { keepTaskFile } from '../work/task-file.ts'
import { presentReach } from './export-reach.ts'
import { exportKey, exportFileName } from './export-file.ts'

export { defineRows, defineWhere, defineWhereOf } from './named-rows.ts'

/** Exports of one person that may wait in addition to those that run. */
const waitingPerUserMax = 10
/** A second click within this time returns the task of the first one. */
const doubleClickSeconds = 2

const idsByLevel = z.record(z.string(), z.array(z.number()))
export const reachSchema: z.ZodType<Reach> = z.array(
  z.object({ clients: z.union([z.literal('all'), z.array(z.number())]), narrowed: idsByLevel }),
)
const querySchema: z.ZodType<ListQuery> = z.object({
  filters: z.array(
    z.object({
      key: z.string(),
      predicate: z.enum(predicates),
      value: z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))]),
    }),
  ),
  sort: z.object({ key: z.string(), direction: z.enum(['asc', 'desc']) }),
  page: z.number(),
  per: z.number(),
  values: z.array(z.number()).nullable(),
  searchTerm: z.string(),
  withTotal: z.boolean(),
  withRows: z.boolean(),
})
/** Input of the task: a description of the rows, never their condition as SQL. */
const exportTask = z.object({
  list: z.string(),
  labels: z.string(),
  query: querySchema,
  reach: reachSchema,
  client_id: z.int().nullable(),
  where: z.array(z.string()),
  made: z.string().nullable().default(null),
  call: z.string().nullable().default(null),
  format: z.enum(exportFormats).default('csv'),
  /** Keys in their order; null for every column. */
  columns: z.array(z.string()).nullable().default(null),
})
type ExportTask = z.infer<typeof exportTask>

/**
 * Starts the export of a list in the caller's transaction. The file is announced over the live channel and the bell. Throws 422 naming
 * unknown parts of the query, and too-many if ten exports wait already. `asked.where` must come from `defineWhere`. `call` names the export
 * if it requires other rights than the call with the list's plural name.
 */
export async function startExport(context: Context, source: Source, input: ExportInput, asked: Asked, call?: string): Promise<Started> {
  const query = checkedQuery(source, input)
  const { plural } = source.entity
  const labels = 'labels' in source.entity && typeof source.entity.labels === 'string' ? source.entity.labels : titleCase(plural)
  const remembered = exportTask.parse({
    list: plural,
    labels,
    query,
    reach: asked.reach,
    client_id: asked.clientId ?? null,
    where: whereTexts(asked),
    made: asked.madeKey ?? null,
    call: call ?? null,
    format: input.format,
    columns: chosenColumns(source, input.columns),
  })
  const message = exportStartedMessage(plural, labels)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`csv-export ${context.principal.user_id}`}, 0))`.execute(context.tx)
  const { same, open } = await openExports(context, remembered)
  if (same !== null) return { success: true, message, task_id: same }
  if (open >= waitingPerUserMax + tasksRunningPerUser)
    throw tooMuch('too_many', 'Too many of your exports are waiting. Please let them finish first.', 30)
  const task = await startTask(context, { kind: 'csv_export', clientId: asked.clientId, input: remembered })
  return { success: true, message, task_id: task.id }
}

/** Returns the chosen keys that fit in a file. Throws 422 for a key that the list does not have. */
function chosenColumns(source: Source, text: string | undefined): string[] | null {
  if (text === undefined) return null
  const asked = [...new Set(text.split(','))]
  const unknown = asked.filter((key) => key !== 'id' && !(key in source.entity.fields))
  if (unknown.length > 0) throw invalid({ columns: unknown.map((key) => `${key} is no column of this list`) })
  const all = exportedKeys(source)
  const keys = asked.filter((key) => all.includes(key))
  if (keys.length === 0) throw invalid({ columns: ['name no column that a file can hold'] })
  return keys
}

function whereTexts({ where = [], whereKey = '' }: Asked): string[] {
  const texts = whereKey === '' ? [] : whereKey.split('\n')
  if (texts.length !== where.length || !texts.every(isNamed))
    throw new Error('an export needs conditions made by defineWhere, or its job could not build them again')
  return texts
}

async function openExports(context: Context, remembered: ExportTask): Promise<{ same: number | null; open: number }> {
  const { rows } = await sql<{ same: number | null; open: number }>`
    select max(id) filter (where connection_id is not distinct from ${context.connectionId}::text and input = ${JSON.stringify(remembered)}::jsonb
        and created_at > clock_timestamp() - make_interval(secs => ${doubleClickSeconds}::int)) as same,
      count(*) filter (where state in ('waiting', 'running')) as open
    from tasks where user_id = ${context.principal.user_id} and kind = 'csv_export'
      and (state in ('waiting', 'running') or created_at > clock_timestamp() - interval '1 minute')`.execute(context.tx)
  return rows[0] ?? { same: null, open: 0 }
}

export interface ExportParts {
  /** Returns a list by its plural name. */
  readonly sourceOf: (plural: string) => Source | undefined
  /**
   * Returns the rights that the export requires. Without any, the person's whole reach bounds the rows. `call` is the name that was stored
   * with the task.
   */
  readonly mayOf: (plural: string, call: string | null) => May | undefined
}

/** Defines exports as a kind of task. Called once, where the lists and the calls are known. */
export function defineExports(parts: ExportParts): void {
  defineTask({
    kind: 'csv_export',
    moves: null,
    title: (input) => `${exportTask.parse(input).labels} export`,
    run: async (run) => {
      await writeExport(run, parts)
      return null
    },
  })
}

async function writeExport(run: TaskRun, { sourceOf, mayOf }: ExportParts): Promise<void> {
  const asked = exportTask.parse(run.input)
  const source = sourceOf(asked.list)
  if (!source) throw new Error(`no list is called ${asked.list}`)
  const reach = presentReach(asked.reach, run.principal, mayOf(asked.list, asked.call))
  if (reach.length === 0) throw forbidden('You may not export this any more.')
  const where = asked.where.map((text) => conditionOf(text, run.principal))
  const inside = { reach, clientId: asked.client_id ?? undefined }
  const present = { ...inside, where, ...(asked.made === null ? {} : { made: madeOf(asked.made, run.principal, inside) }) }
  const isWorkbook = asked.format === 'xlsx'
  // Columns for the import of the list are of no use to who has chosen columns.
  const { further = [], client } = await run.step(async ({ tx }) => ({
    further: asked.columns === null ? await source.further?.(tx, present) : undefined,
    client: await clientOf(tx, asked.client_id),
  }))
  const withheld = source.withheld?.(run.principal, present) ?? []
  const keys = (asked.columns ?? exportedKeys(source)).filter((key) => !withheld.includes(key))
  const { columns, statement } = exportStatement(source, asked.query, present, { keys, further, isPlain: isWorkbook })
  const key = exportKey(run.id)
  const text = asLiterals(statement.compile(run.machinery.jobsDatabase.db))
  const written = isWorkbook
    ? await copyToWorkbook(run, { key, sheet: asked.labels, about: aboutRows(asked.labels, client?.name), columns, statement: text })
    : await copyToStore(run, { key, header: csvLine(columns.map(({ label }) => label)), statement: text })
  const filename = exportFileName(asked.list, { ending: asked.format, code: client?.code })
  await run.step(async ({ tx }) => {
    const fileId = await keepTaskFile(tx, run, { key, filename, contentType: isWorkbook ? workbookType : 'text/csv', ...written })
    await run.finish(tx, {
      fileId,
      rowsDone: written.rows,
      result: { rows: written.rows, bytes: written.bytes, filename },
      message: {
        type: 'csv_export',
        notification_type: 'success',
        message: `${asked.labels} export is ready`,
        description: [`${filename}, ${written.rows} ${written.rows === 1 ? 'row' : 'rows'}`],
        link: `/api/v5/tasks/${run.id}/file`,
        payload: { list: asked.list, rows: written.rows, filename },
      },
    })
  })
}

/** Returns the client whose code heads the file's name; undefined if the rows are not of one client. */
async function clientOf(tx: Tx, clientId: number | null): Promise<{ code: string; name: string } | undefined> {
  if (clientId === null) return undefined
  const { rows } = await sql<{ code: string; name: string }>`select short_code as code, name from clients where id = ${clientId}`.execute(
    tx,
  )
  return rows[0]
}

/** The last sheet of a workbook: what its rows are, of whom, and when they were read. */
function aboutRows(labels: string, client: string | undefined): (readonly [string, string])[] {
  return [['List', labels], ...(client === undefined ? [] : [['Client', client] as const]), ['Made', formatInstant(now())]]
}

/** Returns the id, then every field that fits in one cell: no secrets, and no lists except those that the source turns into text. */
function exportedKeys({ entity: { fields }, cells: worded = {}, exported }: Source): readonly string[] {
  if (exported) return exported
  const cells = readableKeys(fields).filter(
    (key) => key in worded || (!['secret', 'list', 'refs'].includes(fields[key]?.kind ?? '') && !fields[key]?.shown_only),
  )
  return ['id', ...cells]
}
