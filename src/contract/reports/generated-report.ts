/** Reports: the available ones, and generated reports with their assignees and files. */
import { z } from 'zod'
import {
  call,
  exportOf,
  listReply,
  oneReply,
  writeReply,
  type ListReply,
  type Nothing,
  type OneReply,
  type Result,
  type WriteReply,
} from '../kernel/call.ts'
import {
  boolean,
  choice,
  defaulted,
  derived,
  entity,
  instant,
  integer,
  list,
  optional,
  ref,
  shownOnly,
  text,
  writeOnly,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { listInput, type ListInput } from '../kernel/query.ts'
import { controlBills, figureBills } from './figure-bills.ts'
import { noReportFormData, reportFormData, type ReportFormData } from './report-form-data.ts'
import { reportColumnKinds } from './report-form.ts'

/** Rows of a preview. */
export const previewRowsMax = 30
/** Bytes of a file. */
const fileBytesMax = Number.MAX_SAFE_INTEGER

/** The reader of a report. A user is always the person who fills in the form, so the form says Me. */
export const reportAssignees = [
  { value: 'Client', label: 'Client' },
  { value: 'Division', label: 'Division' },
  { value: 'User', label: 'Me' },
] as const
export type ReportAssignee = (typeof reportAssignees)[number]['value']
export const assigneeType = z.enum(['Client', 'Division', 'User'], { error: 'Assignee Type is required' })

const exportTypes = [
  { value: 'pdf', label: 'PDF' },
  { value: 'csv_and_pdf', label: 'CSV and PDF' },
  { value: 'csv', label: 'CSV' },
] as const
export type ReportExportType = (typeof exportTypes)[number]['value']

export const reportDeletedTitle = 'Report Deleted'
export const reportDeletedMessage = 'The selected report has been deleted'
export const reportDeleteFailedTitle = 'There was an error'

const column = z.object({
  key: z.string(),
  label: z.string(),
  kind: z.enum(reportColumnKinds),
  total: z.boolean().optional(),
  needs: z.enum(['ledger', 'notes']).optional(),
  fileOnly: z.boolean().optional(),
  short: z.boolean().optional(),
})

const report = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  key_items: z.array(z.string()),
  export_type: z.enum(['pdf', 'csv_and_pdf', 'csv']),
  /** The choices of its form, in their order. */
  fields: z.array(z.object({ key: z.string(), label: z.string(), refers: z.string().nullable() })),
  requires: z.enum(['date_range_or_client_batch', 'utility_service']).nullable(),
  reach: z.enum(['scope', 'client', 'staff']),
  columns: z.array(column),
  /** The one that was made last of those that the person sees; null where there is none. */
  last_run: z.object({ id: z.int(), created_at: z.string() }).nullable(),
})
export type Report = z.infer<typeof report>

const states = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'running', label: 'Working' },
  { value: 'done', label: 'Ready' },
  { value: 'failed', label: 'Failed' },
] as const

export const generatedReport = entity(
  'generated_report',
  'generated_reports',
  {
    report_id: ref('Report', 'reports'),
    report: derived(text('Report')),
    name: optional(text('Name')),
    assignable_type: list<ReportAssignee>('Assignee Type', assigneeType),
    /** Optional for a User, who is always the caller. */
    assignable_id: optional(list('Assignee', z.int({ error: 'Assignee is required' }).positive('Assignee is required'))),
    assignable_name: derived(optional(text('Assigned To'))),
    user: derived(optional(list('User', z.object({ first_name: z.string().nullable(), last_name: z.string().nullable() })))),
    created_at: derived(instant('Created')),
    updated_at: derived(instant('Updated')),
    /** The PDF, or the only file. */
    file_url: shownOnly(optional(text('File'))),
    /** The CSV in addition to a PDF. */
    extra_file_url: shownOnly(optional(text('Extra File'))),
    /** The workbook, where one is wanted. */
    workbook_url: shownOnly(optional(text('Workbook File'))),
    last_bill_only: defaulted(boolean('Last Bill Only'), false),
    workbook: defaulted(boolean('Excel Workbook'), false),
    /** Makes the files anew with the same choices; changed choices always do. */
    regenerate: writeOnly(boolean('Regenerate Report')),
    form_data: defaulted(list<ReportFormData>('Choices', reportFormData), noReportFormData),
    export_type: derived(choice('Export Type', exportTypes)),
    filename: derived(optional(text('File Name'))),
    extra_filename: derived(optional(text('Extra File Name'))),
    workbook_filename: derived(optional(text('Workbook File Name'))),
    byte_size: derived(optional(integer('Bytes', { max: fileBytesMax }))),
    state: shownOnly(choice('State', states)),
    rows_done: shownOnly(integer('Rows')),
    rows_total: shownOnly(optional(integer('Of'))),
    error: shownOnly(optional(text('Problem', 10_000))),
    task_id: shownOnly(optional(integer('Task', { max: Number.MAX_SAFE_INTEGER }))),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: ['id', 'report_id', 'report', 'name', 'assignable_name', 'state', 'created_at', 'updated_at'],
    sort: ['report', 'name', 'state', 'created_at', 'updated_at', 'id'],
    defaultSort: 'name asc',
  },
)
export type GeneratedReport = Row<typeof generatedReport>
export type GeneratedReportDraft = Draft<typeof generatedReport>

const cell = z.string().nullable()
const control = z.object({ bill_count: z.int(), amount_due: z.string(), current_charges: z.string() })
export type ReportControl = z.infer<typeof control>

const preview = z.object({
  columns: z.array(column),
  rows: z.array(z.array(cell)),
  /** Totals of the columns that have one, over all rows. */
  totals: z.array(cell),
  /** Rows of the whole report. */
  row_count: z.int(),
  /** The bills behind the rows; null if the report is not about bills. */
  control: control.nullable(),
  /** The filters of the list of the bills that `control` counts; null where no list shows exactly these. */
  control_bills: controlBills.nullable(),
  /** The bills behind the figures of each row. */
  behind: z.array(z.array(figureBills)),
  /** The choices in words, as in the head of the PDF. */
  filters: z.array(z.object({ label: z.string(), text: z.string() })),
  /** Remarks that a reader needs to interpret the figures. */
  remarks: z.array(z.string()),
})
export type ReportPreview = z.infer<typeof preview>

/** A save names the window that waits for the files. */
interface Saved<D> {
  readonly generated_report: D
  readonly connection_id?: string | undefined
}
const saved = <D>(draft: z.ZodType<D>): z.ZodType<Saved<D>> =>
  z.strictObject({ generated_report: draft, connection_id: z.string().max(100).optional() })

/** Input of a preview: the current choices of a form. */
export interface PreviewAsked {
  readonly form_data: ReportFormData
  readonly last_bill_only: boolean
  readonly assignable_type: ReportAssignee
  readonly assignable_id: number | null
}
const previewAsked: z.ZodType<PreviewAsked> = z.strictObject({
  form_data: reportFormData.default(noReportFormData),
  last_bill_only: z.boolean().default(false),
  assignable_type: assigneeType.default('User'),
  assignable_id: z.int().positive().nullable().default(null),
})

const reportsPath = '/clients/:client_id/reports'
const path = '/clients/:client_id/generated_reports'
type OfClient = { client_id: number }
type OfOne = { client_id: number; id: number }
type Patch = Partial<GeneratedReportDraft> & { lock_version?: number | undefined }

const assignable = z.object({ id: z.int(), name: z.string() })
export type ReportAssignable = z.infer<typeof assignable>

const field = z.object({ name: z.string(), label: z.string(), checked: z.boolean() })
export type UtilityServiceField = z.infer<typeof field>

export const reportCalls = {
  list: call<string, OfClient, Nothing, Nothing, { reports: Report[]; total: number }>({
    name: 'reports.list',
    method: 'GET',
    path: reportsPath,
    may: 'generated_report.read',
    summary: 'The reports that the person may make or be given',
    reply: z.object({ reports: z.array(report), total: z.int() }),
  }),
  get: call<string, OfOne, Nothing, Nothing, { report: Report }>({
    name: 'reports.get',
    method: 'GET',
    path: `${reportsPath}/:id`,
    may: 'generated_report.read',
    summary: 'One report with its form and its columns',
    reply: z.object({ report }),
  }),
  assignables: call<string, OfClient, { type: ReportAssignee }, Nothing, { assignables: ReportAssignable[] }>({
    name: 'reports.assignables',
    method: 'GET',
    path: `${reportsPath}/assignables`,
    may: 'generated_report.create',
    summary: 'Whom a report can be assigned to, by type',
    query: z.strictObject({ type: assigneeType }),
    reply: z.object({ assignables: z.array(assignable) }),
  }),
  utilityServiceFields: call<string, OfOne, Nothing, Nothing, { utility_service_fields: UtilityServiceField[] }>({
    name: 'reports.utility_service_fields',
    method: 'GET',
    path: `${reportsPath}/:id/utility_service_fields`,
    may: 'generated_report.create',
    summary: 'The columns that a report lets choose, all checked',
    reply: z.object({ utility_service_fields: z.array(field) }),
  }),
  preview: call<string, OfOne, Nothing, PreviewAsked, ReportPreview>({
    name: 'reports.preview',
    method: 'POST',
    path: `${reportsPath}/:id/preview`,
    effect: 'read',
    may: 'generated_report.create',
    summary: 'The first rows and the totals of a report, before anything is made',
    heavy: true,
    body: previewAsked,
    reply: preview,
  }),
}

const listReports = call<string, OfClient, ListInput, Nothing, ListReply<'generated_reports', GeneratedReport>>({
  name: 'generated_reports.list',
  method: 'GET',
  path,
  may: 'generated_report.read',
  summary: 'Lists generated reports',
  query: listInput,
  reply: listReply('generated_reports', generatedReport.row),
})

const fileReply = z.object({ url: z.string(), filename: z.string() })

export const generatedReportCalls = {
  list: listReports,
  exportCsv: exportOf(listReports, 'generated reports'),
  get: call<string, OfOne, Nothing, Nothing, OneReply<'generated_report', GeneratedReport>>({
    name: 'generated_reports.get',
    method: 'GET',
    path: `${path}/:id`,
    may: 'generated_report.read',
    summary: 'One generated report',
    reply: oneReply('generated_report', generatedReport.row),
  }),
  create: call<string, OfClient, Nothing, Saved<GeneratedReportDraft>, WriteReply<'generated_report', GeneratedReport>>({
    name: 'generated_reports.create',
    method: 'POST',
    path,
    may: 'generated_report.create',
    summary: 'Starts to make a report, which the live channel announces',
    body: saved(generatedReport.draft),
    reply: writeReply('generated_report', generatedReport.row),
  }),
  update: call<string, OfOne, Nothing, Saved<Patch>, WriteReply<'generated_report', GeneratedReport>>({
    name: 'generated_reports.update',
    method: 'PATCH',
    path: `${path}/:id`,
    may: 'generated_report.update',
    summary: 'Changes a generated report, and makes its files anew where its choices change or it is asked to',
    body: saved(generatedReport.patch),
    reply: writeReply('generated_report', generatedReport.row),
  }),
  destroy: call<string, OfOne, Nothing, Nothing, Result>({
    name: 'generated_reports.destroy',
    method: 'DELETE',
    path: `${path}/:id`,
    may: 'generated_report.destroy',
    summary: 'Deletes a generated report with its files',
  }),
  file: call<string, OfOne, Nothing, Nothing, { url: string; filename: string }>({
    name: 'generated_reports.file',
    method: 'GET',
    path: `${path}/:id/file`,
    may: 'generated_report.read',
    summary: 'The address under which the report can be fetched for five minutes',
    reply: fileReply,
  }),
  extraFile: call<string, OfOne, Nothing, Nothing, { url: string; filename: string }>({
    name: 'generated_reports.extra_file',
    method: 'GET',
    path: `${path}/:id/extra_file`,
    may: 'generated_report.read',
    summary: 'The same of the CSV beside a PDF',
    reply: fileReply,
  }),
  workbook: call<string, OfOne, Nothing, Nothing, { url: string; filename: string }>({
    name: 'generated_reports.workbook',
    method: 'GET',
    path: `${path}/:id/workbook`,
    may: 'generated_report.read',
    summary: 'The same of the Excel workbook',
    reply: fileReply,
  }),
}
