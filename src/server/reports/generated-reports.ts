/** Generated reports: for the client, a division or one user, and visible to those they are for. */
import {
  generatedReport,
  generatedReportCalls,
  reportDeletedMessage,
  type GeneratedReport,
  type GeneratedReportDraft,
  type Report,
} from '#contract/reports/generated-report.ts'
import { reportFields } from '#contract/reports/report-form.ts'
import { filesKept } from '#contract/reports/report-schedule.ts'
import { noReportFormData, type ReportFormData } from '#contract/reports/report-form-data.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { defineWhereOf } from '../kernel/lists/export.ts'
import { readOne, scopeCondition, type Asked, type ScopeRule } from '../kernel/lists/list.ts'
import { refuseLostRights } from '../kernel/held-rights.ts'
import { mayIn } from '../kernel/principal.ts'
import { forbidden, invalid, notFound } from '../kernel/problem.ts'
import {
  answerOne,
  answerWrite,
  createRow,
  destroyRow,
  exportHandler,
  listAnswer,
  mustReach,
  readRow,
  resource,
  updateRow,
} from '../kernel/lists/resource.ts'
import { declareReachable, sourceOf } from '../kernel/lists/sources.ts'
import { releaseFile } from '../uploads/uploads.ts'
import { checkReaders, checkChoices, reportFor } from './asked-report.ts'
import { filesOf, startReport, stopReport, type ReportFiles } from './write-report.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

declareReachable('reports', { table: 'reports', scope: 'shared' })

const personal = () => sql<SqlBool>`generated_reports.assignable_user_id is not null`

/** A report for the whole client contains bills of all divisions: a narrowed role sees only its divisions' reports and its own. */
const scope: ScopeRule = {
  client: sql.ref('generated_reports.client_id'),
  levels: {
    division: (ids) => sql<SqlBool>`(generated_reports.division_id = any(${ids}::bigint[]) or ${personal()})`,
    facility: personal,
    billable_account: personal,
    supply_account: personal,
  },
}

/** A person's own report is seen by them alone. */
export const isSeenBy = (userId: number) =>
  sql<SqlBool>`(generated_reports.assignable_user_id is null or generated_reports.assignable_user_id = ${userId})`
const seenBy = defineWhereOf('generated_reports_seen_by', z.object({ user_id: z.int() }), ({ user_id }) => isSeenBy(user_id))

const address = (column: string, name: string) =>
  sql`case when generated_reports.${sql.ref(column)} is not null
    then '/api/v5/clients/' || generated_reports.client_id || '/generated_reports/' || generated_reports.id || '/' || ${sql.lit(name)} end`

export const generatedReports = resource({
  entity: generatedReport,
  table: 'generated_reports',
  scope,
  joins: {
    kind: sql`join reports kind on kind.id = generated_reports.report_id`,
    maker: sql`left join users maker on maker.id = generated_reports.user_id`,
    assignee: sql`left join users assignee on assignee.id = generated_reports.assignable_user_id`,
    division: sql`left join divisions division on division.client_id = generated_reports.client_id and division.id = generated_reports.division_id`,
    client: sql`join clients client on client.id = generated_reports.client_id`,
    file: sql`left join files file on file.id = generated_reports.file_id`,
    extra_file: sql`left join files extra_file on extra_file.id = generated_reports.extra_file_id`,
    workbook_file: sql`left join files workbook_file on workbook_file.id = generated_reports.workbook_file_id`,
    task: sql`left join tasks task on task.id = generated_reports.task_id`,
  },
  columns: {
    report: { sql: sql.ref('kind.name'), joins: ['kind'] },
    export_type: { sql: sql.ref('kind.export_type'), joins: ['kind'] },
    assignable_type: {
      sql: sql`case when generated_reports.on_client then 'Client' when generated_reports.division_id is not null then 'Division' else 'User' end`,
    },
    assignable_id: {
      sql: sql`coalesce(generated_reports.division_id, generated_reports.assignable_user_id, generated_reports.client_id)`,
    },
    assignable_name: {
      sql: sql`case when generated_reports.on_client then client.name when generated_reports.division_id is not null then division.name
        else ${nameOfUser('assignee')} end`,
      joins: ['client', 'division', 'assignee'],
    },
    user: {
      sql: sql`case when maker.id is not null then json_build_object('first_name', maker.first_name, 'last_name', maker.last_name) end`,
      joins: ['maker'],
    },
    // A choice that did not exist when the report was made has its default.
    form_data: { sql: sql`${sql.lit(JSON.stringify(noReportFormData))}::jsonb || generated_reports.form_data` },
    file_url: { sql: address('file_id', 'file') },
    extra_file_url: { sql: address('extra_file_id', 'extra_file') },
    workbook_url: { sql: address('workbook_file_id', 'workbook') },
    filename: { sql: sql.ref('file.filename'), joins: ['file'] },
    extra_filename: { sql: sql.ref('extra_file.filename'), joins: ['extra_file'] },
    workbook_filename: { sql: sql.ref('workbook_file.filename'), joins: ['workbook_file'] },
    byte_size: { sql: sql.ref('file.byte_size'), joins: ['file'] },
    state: {
      sql: sql`case when task.state in ('waiting', 'running') then task.state when task.state in ('failed', 'cancelled') or generated_reports.file_id is null then 'failed' else 'done' end`,
      joins: ['task'],
    },
    rows_done: { sql: sql`coalesce(task.rows_done, 0)`, joins: ['task'] },
    rows_total: { sql: sql.ref('task.rows_total'), joins: ['task'] },
    error: { sql: sql`case when task.state = 'cancelled' then 'It was stopped.' else task.error end`, joins: ['task'] },
  },
  search: ['name'],
  check: checkReport,
})

export const generatedReportHandlers: readonly Handler[] = [
  handle(generatedReportCalls.list, (context, { params, query }) =>
    listAnswer(context, generatedReports, query, askedFor(context, params.client_id)),
  ),
  exportHandler(generatedReportCalls.exportCsv, generatedReports, (context, params) => askedFor(context, params.client_id)),
  handle(generatedReportCalls.get, async (context, { params }) =>
    answerOne('generated_report', await readRow(context, generatedReports, params.id, askedFor(context, params.client_id))),
  ),
  handle(generatedReportCalls.create, async (context, { params, body }) => {
    const row = await createRow(context, generatedReports, body.generated_report, params.client_id, { added: storedAs(params.client_id) })
    return answerWrite(generatedReport, 'created', await started(asWindow(context, body.connection_id), row))
  }),
  handle(generatedReportCalls.update, async (context, { params, body }) => {
    const asked = askedFor(context, params.client_id)
    const before = await readRow(context, generatedReports, params.id, asked)
    const row = await updateRow(context, generatedReports, params.id, body.generated_report, asked, { added: storedAs(params.client_id) })
    const isMadeAnew = body.generated_report.regenerate === true || says(before) !== says(row)
    return answerWrite(generatedReport, 'updated', isMadeAnew ? await started(asWindow(context, body.connection_id), row) : row)
  }),
  handle(generatedReportCalls.destroy, async (context, { params }) => {
    const { client_id: clientId, id } = params
    const stored = await readOne<StoredFiles>(context.tx, withFiles, id, askedFor(context, clientId))
    if (!stored) throw notFound('Generated Report not found.')
    mustOwn(context, clientId, stored.user_id)
    await removeReport(context, clientId, id, stored)
    return { success: true, message: reportDeletedMessage }
  }),
  handle(generatedReportCalls.file, (context, { params }) => fileOf(context, params, 'file')),
  handle(generatedReportCalls.extraFile, (context, { params }) => fileOf(context, params, 'extra_file')),
  handle(generatedReportCalls.workbook, (context, { params }) => fileOf(context, params, 'workbook_file')),
]

async function removeReport(context: Context, clientId: number, id: number, files: ReportFiles): Promise<void> {
  await stopReport(context, clientId, id)
  await destroyRow(context, generatedReports, id, askedFor(context, clientId))
  for (const file of filesOf(files)) await releaseFile(context, file)
}

/** The generated report that a run of a scheduled report makes for its reader, the caller. */
export interface ScheduledReport {
  readonly draft: GeneratedReportDraft
  readonly deliveryId: number
  readonly taskId: number
}

/** Creates the report of a run for the caller, with the checks of one that the caller makes. @returns its id. */
export async function createScheduled(context: Context, clientId: number, scheduled: ScheduledReport): Promise<number> {
  const { draft, deliveryId, taskId } = scheduled
  const stored = storedAs(clientId)
  const { id } = await createRow(context, generatedReports, draft, clientId, {
    added: async (...given) => ({ ...(await stored(...given)), report_delivery_id: deliveryId, task_id: taskId }),
  })
  return id
}

/** Deletes the caller's reports of a schedule but the newest ones. */
export async function removeOlder(context: Context, { clientId, scheduleId }: { clientId: number; scheduleId: number }): Promise<void> {
  const { rows } = await sql<ReportFiles & { id: number }>`
    select report.id, report.file_id, report.extra_file_id, report.workbook_file_id from generated_reports report
      join report_deliveries delivery on delivery.client_id = ${clientId} and delivery.id = report.report_delivery_id
    where report.client_id = ${clientId} and delivery.report_schedule_id = ${scheduleId} and report.assignable_user_id = ${context.principal.user_id}
    order by report.id desc offset ${filesKept}`.execute(context.tx)
  for (const { id, ...files } of rows) await removeReport(context, clientId, id, files)
}

interface StoredFiles extends ReportFiles {
  readonly user_id: number | null
}

/** The row with the file columns that only this slice reads. */
const withFiles = {
  ...generatedReports,
  columns: {
    ...generatedReports.columns,
    user_id: { sql: sql.ref('generated_reports.user_id') },
    is_personal: { sql: personal() },
    file_id: { sql: sql.ref('generated_reports.file_id') },
    extra_file_id: { sql: sql.ref('generated_reports.extra_file_id') },
    workbook_file_id: { sql: sql.ref('generated_reports.workbook_file_id') },
  },
}

interface StoredFile {
  readonly key: string
  readonly filename: string
  readonly content_type: string
  readonly rights: unknown
}

type FileColumn = 'file' | 'extra_file' | 'workbook_file'

async function fileOf(
  context: Context,
  params: { client_id: number; id: number },
  which: FileColumn,
): Promise<{ url: string; filename: string }> {
  const source = { ...withFiles, columns: { ...withFiles.columns, file: { sql: sql`to_jsonb(${sql.ref(which)})`, joins: [which] } } }
  const row = await readOne<{ is_personal: boolean; file: StoredFile | null }>(
    context.tx,
    source,
    params.id,
    askedFor(context, params.client_id),
  )
  if (!row?.file) throw notFound('The file is not there yet.')
  // A person's own report is judged by no division, so by what they could read when it was written.
  if (row.is_personal) refuseLostRights(context.principal, row.file.rights)
  const { key, filename, content_type: contentType } = row.file
  return { url: context.machinery.files.downloadUrl({ key, filename, contentType, reader: context.principal }), filename }
}

function askedFor(context: Context, clientId: number): Asked {
  return { reach: context.reach, clientId, ...seenBy(context.principal, { user_id: context.principal.user_id }) }
}

/** Users who may make reports but not change them may delete only their own. */
function mustOwn({ principal }: Context, clientId: number, makerId: number | null): void {
  if (makerId !== principal.user_id && !mayIn(principal, 'generated_report.update', clientId))
    throw forbidden('You may delete the reports only that you have made yourself.')
}

/** Returns the choices of a report without its name. A change of them makes the files anew, so that files and form always agree. */
function says({ report_id, assignable_type, assignable_id, form_data, last_bill_only, workbook }: GeneratedReport): string {
  return JSON.stringify([report_id, assignable_type, assignable_id, form_data, last_bill_only, workbook])
}

/** The window that saves waits for the files. */
function asWindow(context: Context, connectionId: string | undefined): Context {
  return connectionId === undefined ? context : { ...context, connectionId }
}

async function started(context: Context, row: GeneratedReport): Promise<GeneratedReport> {
  await startReport(context, row.client_id, { id: row.id, name: row.name ?? row.report })
  return readRow(context, generatedReports, row.id, askedFor(context, row.client_id))
}

/** By the id of the report: the one that was made last of those that the person sees. */
export async function lastRuns({ tx, reach, principal }: Context, clientId: number): Promise<ReadonlyMap<number, Report['last_run']>> {
  const { rows } = await sql<{ report_id: number; id: number; created_at: string }>`
    select distinct on (generated_reports.report_id) generated_reports.report_id, generated_reports.id, generated_reports.created_at from generated_reports
    where ${scopeCondition({ scope }, { reach, clientId })} and ${isSeenBy(principal.user_id)}
    order by generated_reports.report_id, generated_reports.created_at desc, generated_reports.id desc`.execute(tx)
  return new Map(rows.map(({ report_id, ...run }) => [report_id, run]))
}

type SentDraft = Partial<GeneratedReportDraft>

/** Columns for the assignee and the choices; the maker of a report never changes. */
function storedAs(clientId: number) {
  return async (context: Context, draft: SentDraft, before: GeneratedReport | null): Promise<Readonly<Record<string, unknown>>> => ({
    ...(before ? {} : { user_id: context.principal.user_id, client_id: clientId }),
    ...(draft.form_data === undefined ? {} : { form_data: JSON.stringify(draft.form_data) }),
    ...assignedTo(context, draft, before),
  })
}

function assignedTo(context: Context, draft: SentDraft, before: GeneratedReport | null): Readonly<Record<string, unknown>> {
  if (draft.assignable_type === undefined && draft.assignable_id === undefined) return {}
  const { type, id } = assigneeOf(context, draft, before)
  return {
    on_client: type === 'Client',
    division_id: type === 'Division' ? id : null,
    assignable_user_id: type === 'User' ? id : null,
  }
}

/** An assignee of type User is always the caller, whether named or not. */
function assigneeOf(context: Context, draft: SentDraft, before: GeneratedReport | null) {
  const type = draft.assignable_type ?? before?.assignable_type
  const isSame = type === before?.assignable_type
  const id = draft.assignable_id ?? (isSame ? before?.assignable_id : null) ?? null
  return { type, id: id ?? (type === 'User' ? context.principal.user_id : null) }
}

/** Throws if the user may not make the report, its choices do not fit it, or they name records outside the user's reach. */
async function checkReport(context: Context, draft: SentDraft, before: GeneratedReport | null, clientId: number): Promise<void> {
  if (before && draft.report_id !== undefined && draft.report_id !== before.report_id)
    throw invalid({ report_id: ['The report of what was made cannot be changed'] })
  const known = await reportFor(context.tx, context.principal, clientId, draft.report_id ?? before?.report_id ?? 0)
  const data = draft.form_data ?? before?.form_data ?? noReportFormData
  checkChoices(known, data, draft.last_bill_only ?? before?.last_bill_only ?? false)
  const { type = 'User', id } = assigneeOf(context, draft, before)
  await checkAssignee(context, { type, id }, before, clientId)
  checkReaders(context, known, data, type)
  await checkNamed(context, draft.form_data, before?.form_data, clientId)
}

async function checkAssignee(
  context: Context,
  { type, id }: { type: string; id: number | null },
  before: GeneratedReport | null,
  clientId: number,
): Promise<void> {
  const wrong = (message: string) => invalid({ assignable_id: [message] })
  if (id === null) throw wrong('Assignee is required')
  if (type === before?.assignable_type && id === before.assignable_id) return
  if (type === 'Client' && id !== clientId) throw wrong('This record cannot be found')
  if (type === 'User' && id !== context.principal.user_id) throw wrong('A report can be assigned to yourself only')
  const divisions = sourceOf('divisions')
  if (type === 'Division' && divisions) await mustReach(context, divisions, [id], 'assignable_id', clientId)
}

const namedIds = [
  'utility_service_ids',
  'accounting_batch_ids',
  'payment_batch_ids',
  'vendor_ids',
  'division_ids',
  'facility_ids',
  'billable_account_ids',
  'supply_account_ids',
] as const

/** Throws 422 if choices name records outside the user's reach. Unchanged choices need not be in reach. */
export async function checkNamed(
  context: Context,
  data: ReportFormData | undefined,
  before: ReportFormData | undefined,
  clientId: number,
): Promise<void> {
  if (!data) return
  for (const key of namedIds) {
    const source = sourceOf(reportFields[key].refers ?? '')
    const added = data[key].filter((id) => !before?.[key].includes(id))
    if (source && added.length > 0)
      await mustReach(context, source, added, `form_data.${key}`, source.scope === 'shared' ? undefined : clientId)
  }
}
