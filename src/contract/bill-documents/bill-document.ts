/** A bundle of bill copies: selected by filters and written into one ZIP file that others may download. */
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
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { listInput, type ListInput } from '../kernel/query.ts'

/** Maximum bills of one bundle. Their copies, at most two per bill, stay below the limit of a plain ZIP. */
export const bundleBillsMax = 20_000
/** Maximum bytes of all copies: a plain ZIP file ends at 4 GiB. */
export const bundleBytesMax = 4_000_000_000
/** Maximum records named by one filter. */
export const bundleIdsMax = 1_000

/** The kinds of owners of a bundle. A user is always the one filling in the form, so the form says Me. */
export const assignableTypes = [
  { value: 'Client', label: 'Client' },
  { value: 'Division', label: 'Division' },
  { value: 'User', label: 'Me' },
] as const
export type AssignableType = (typeof assignableTypes)[number]['value']

const ids = (label: string) => z.array(z.int().positive(), { error: `${label} must be a list of ids` }).max(bundleIdsMax)
const day = (label: string) =>
  z.preprocess((value) => (value === '' ? null : value), z.iso.date({ error: `${label} must be a date, YYYY-MM-DD` }).nullable())

/** Id filters of a bundle, named as in reports, with the list that each refers to. */
export const bundleIdFilters = [
  { key: 'vendor_ids', label: 'Vendors', refers: 'vendors' },
  { key: 'utility_service_ids', label: 'Utility Services', refers: 'utility_services' },
  { key: 'division_ids', label: 'Divisions', refers: 'divisions' },
  { key: 'facility_ids', label: 'Facilities', refers: 'facilities' },
  { key: 'billable_account_ids', label: 'Billable Accounts', refers: 'billable_accounts' },
  { key: 'supply_account_ids', label: 'Supply Accounts', refers: 'supply_accounts' },
] as const
/** Batches have no picker yet; API callers pass their ids. */
export const bundleBatchFilters = [
  { key: 'accounting_batch_ids', refers: 'accounting_batches' },
  { key: 'payment_batch_ids', refers: 'payment_batches' },
] as const
export type BundleIdFilter = (typeof bundleIdFilters)[number]['key']

/** The filters of the bills; an empty filter restricts nothing. Both days are included. */
export const bundleFilters = z
  .strictObject({
    date_range: z.strictObject({ from: day('From'), to: day('To') }).default({ from: null, to: null }),
    vendor_ids: ids('Vendors').default([]),
    utility_service_ids: ids('Utility Services').default([]),
    /** Client batches and vendor batches. */
    accounting_batch_ids: ids('Client Batches').default([]),
    payment_batch_ids: ids('Vendor Batches').default([]),
    division_ids: ids('Divisions').default([]),
    facility_ids: ids('Facilities').default([]),
    billable_account_ids: ids('Billable Accounts').default([]),
    supply_account_ids: ids('Supply Accounts').default([]),
  })
  .refine(({ date_range: { from, to } }) => from === null || to === null || from <= to, {
    path: ['date_range', 'to'],
    error: 'To must not be before From',
  })
export type BundleFilters = z.infer<typeof bundleFilters>
export const noBundleFilters: BundleFilters = bundleFilters.parse({})

const bundleStates = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'running', label: 'Working' },
  { value: 'done', label: 'Ready' },
  { value: 'failed', label: 'Failed' },
] as const

export const billDocument = entity(
  'bill_document',
  'bill_documents',
  {
    name: text('Title'),
    assignable_type: list<AssignableType>('Assignee Type', z.enum(['Client', 'Division', 'User'], { error: 'Assignee Type is required' })),
    assignable_id: list('Assignee', z.int({ error: 'Assignee is required' }).positive('Assignee is required')),
    form_data: defaulted(list<BundleFilters>('Bills', bundleFilters), noBundleFilters),
    assignable_name: derived(optional(text('Assigned To'))),
    user: derived(optional(list('User', z.object({ first_name: z.string().nullable(), last_name: z.string().nullable() })))),
    created_at: derived(instant('Created')),
    updated_at: derived(instant('Updated')),
    file_url: shownOnly(optional(text('File'))),
    filename: derived(optional(text('File Name'))),
    byte_size: derived(optional(integer('Bytes', { max: bundleBytesMax * 2 }))),
    state: shownOnly(choice('State', bundleStates)),
    rows_done: shownOnly(integer('Done')),
    rows_total: shownOnly(optional(integer('Of'))),
    error: shownOnly(optional(text('Problem', 10_000))),
    task_id: shownOnly(optional(integer('Task', { max: Number.MAX_SAFE_INTEGER }))),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: ['id', 'name', 'assignable_name', 'state', 'created_at', 'updated_at'],
    sort: ['name', 'state', 'created_at', 'updated_at', 'id'],
    defaultSort: 'name asc',
  },
)
export type BillDocument = Row<typeof billDocument>
export type BillDocumentDraft = Draft<typeof billDocument>

/** A save names the window that waits for the file. */
interface Saved<D> {
  readonly bill_document: D
  readonly connection_id?: string | undefined
}
const saved = <D>(draft: z.ZodType<D>): z.ZodType<Saved<D>> =>
  z.strictObject({ bill_document: draft, connection_id: z.string().max(100).optional() })

const path = '/clients/:client_id/bill_documents'
type OfClient = { client_id: number }
type OfOne = { client_id: number; id: number }
type Patch = Partial<BillDocumentDraft> & { lock_version?: number | undefined }

const listBundles = call<string, OfClient, ListInput, Nothing, ListReply<'bill_documents', BillDocument>>({
  name: 'bill_documents.list',
  method: 'GET',
  path,
  may: 'bill_document.read',
  summary: 'Lists bundles of bill copies',
  query: listInput,
  reply: listReply('bill_documents', billDocument.row),
})

export const billDocumentCalls = {
  list: listBundles,
  exportCsv: exportOf(listBundles, 'bill documents'),
  get: call<string, OfOne, Nothing, Nothing, OneReply<'bill_document', BillDocument>>({
    name: 'bill_documents.get',
    method: 'GET',
    path: `${path}/:id`,
    may: 'bill_document.read',
    summary: 'One bundle of bill copies',
    reply: oneReply('bill_document', billDocument.row),
  }),
  create: call<string, OfClient, Nothing, Saved<BillDocumentDraft>, WriteReply<'bill_document', BillDocument>>({
    name: 'bill_documents.create',
    method: 'POST',
    path,
    may: 'bill_document.create',
    summary: 'Makes a bundle and starts to write its file, which the live channel announces',
    body: saved(billDocument.draft),
    reply: writeReply('bill_document', billDocument.row),
  }),
  update: call<string, OfOne, Nothing, Saved<Patch>, WriteReply<'bill_document', BillDocument>>({
    name: 'bill_documents.update',
    method: 'PATCH',
    path: `${path}/:id`,
    may: 'bill_document.update',
    summary: 'Changes a bundle and writes its file anew',
    body: saved(billDocument.patch),
    reply: writeReply('bill_document', billDocument.row),
  }),
  destroy: call<string, OfOne, Nothing, Nothing, Result>({
    name: 'bill_documents.destroy',
    method: 'DELETE',
    path: `${path}/:id`,
    may: 'bill_document.destroy',
    summary: 'Deletes a bundle with its file',
  }),
  file: call<string, OfOne, Nothing, Nothing, { url: string; filename: string }>({
    name: 'bill_documents.file',
    method: 'GET',
    path: `${path}/:id/file`,
    may: 'bill_document.read',
    summary: 'The address under which the bundle’s file can be fetched for five minutes',
    reply: z.object({ url: z.string(), filename: z.string() }),
  }),
}
