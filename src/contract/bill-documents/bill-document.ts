/** A bundle of bill copies: selected by filters and written into one ZIP file that others may download. */
import { fieldWords } from '../kernel/field-words.ts'
import { z } from 'zod'
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

const ids = (label: string) => z.array(z.int().positive(), { error: fieldWords.ids(label) }).max(bundleIdsMax)
const day = (label: string) =>
  z.preprocess((value) => (value === '' ? null : value), z.iso.date({ error: fieldWords.date(label) }).nullable())

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
