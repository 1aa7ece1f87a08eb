/**
 * Documents waiting to become bills: the inbox. Each is read in the background; the reading is a proposal, which the bill's form shows next to
 * the document. Nothing of it is saved unseen.
 */
import { z } from 'zod'
import { accountTypes } from '../bills/bill.ts'
import { billReading } from '../bill-reading/bill-reading.ts'
import { call, exportInput, listReply, started, type ExportInput } from '../kernel/call.ts'
import {
  choice,
  date,
  derived,
  entity,
  instant,
  integer,
  money,
  optional,
  ref,
  shownOnly,
  text,
  type Row,
  numberText,
} from '../kernel/entity.ts'
import { listInputWith } from '../kernel/query.ts'
import type { UploadKind } from '../uploads/upload-kinds.ts'
import { formFile } from '../uploads/upload.ts'

export const scanStates = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'reading', label: 'Reading' },
  { value: 'read', label: 'Ready' },
  { value: 'failed', label: 'Not read' },
  { value: 'done', label: 'Entered' },
  { value: 'ignored', label: 'Ignored' },
] as const

/** File kinds of a bill document. TIFF is excluded: no browser can show it next to the form. */
export const scanKinds: readonly UploadKind[] = ['pdf', 'png', 'jpeg', 'webp', 'gif']
/** Maximum documents per upload, and ids per call. */
export const scansPerCallMax = 100

export const billScan = entity(
  'bill_scan',
  'bill_scans',
  {
    filename: derived(text('Document')),
    content_type: shownOnly(text('Kind')),
    pages: derived(optional(integer('Pages'))),
    /** Pages read so far, and pages that could not be read. */
    pages_read: shownOnly(integer('Pages Read')),
    pages_failed: derived(integer('Pages Not Read')),
    bills_inside: derived(integer('Bills Inside')),
    state: derived(choice('State', scanStates)),
    error: derived(optional(text('Error'))),
    vendor_id: derived(optional(ref('Vendor', 'vendors'))),
    vendor_name: derived(optional(text('Vendor'))),
    account_type: derived(optional(choice('Account Type', accountTypes))),
    account_id: derived(optional(ref('Account', 'billable_accounts'))),
    account_number: derived(optional(numberText('Account Number'))),
    bill_date: derived(optional(date('Bill Date'))),
    due_date: derived(optional(date('Due Date'))),
    amount_due: derived(optional(money('Amount Due'))),
    /** Confidence of the fields needed for a payment: account, both dates and amount, in percent. */
    confidence: derived(optional(integer('Head'))),
    /** Values of the account's service lines that were read, and those still to be keyed. */
    lines_found: shownOnly(optional(integer('Values of Lines'))),
    lines_missing: derived(optional(integer('Lines'))),
    created_at: derived(instant('Received')),
    created_by_name: derived(optional(text('Uploaded By'))),
    read_at: derived(optional(instant('Read'))),
    bill_id: derived(optional(ref('Bill', 'bills'))),
    /** The bill or the earlier document that this seems to repeat: the same file, or the same account, date and amount. */
    same_bill_id: shownOnly(optional(ref('Entered Before As', 'bills'))),
    same_scan_id: shownOnly(optional(ref('Same Document', 'bill_scans'))),
    /** Pages of the whole document that belong to this bill, until they are split off. */
    cut_from: shownOnly(optional(integer('From Page'))),
    cut_to: shownOnly(optional(integer('To Page'))),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'filename',
      'state',
      'pages',
      'vendor_id',
      'vendor_name',
      'account_number',
      'bill_date',
      'due_date',
      'amount_due',
      'confidence',
      'lines_missing',
      'created_at',
      'created_by_name',
      'bill_id',
    ],
    sort: [
      'created_at',
      'filename',
      'state',
      'pages',
      'vendor_name',
      'account_number',
      'bill_date',
      'due_date',
      'amount_due',
      'confidence',
      'lines_missing',
      'id',
    ],
    defaultSort: 'created_at asc',
    sizes: [10, 20, 50, 100, 200, 1000],
  },
  { label: 'Document', labels: 'Documents' },
)
export type BillScan = Row<typeof billScan>

/** The shelves of the list: documents that wait for a user, ignored ones, and those that became bills. */
export const scanShelves = ['open', 'ignored', 'done', 'all'] as const
export type ScanShelf = (typeof scanShelves)[number]

const shelf = z.enum(scanShelves, { error: `must be one of ${scanShelves.join(', ')}` }).optional()
const base = '/clients/:client_id/bill_scans'
const may = 'bill.create'
const ids = z
  .array(z.int().positive())
  .min(1, 'Choose at least one document')
  .max(scansPerCallMax, `At most ${scansPerCallMax} documents at once`)

/** `changed_at`: the time of the last change to any of them, so that a viewer notices that the list changed. */
const summary = z.object({ open: z.int(), reading: z.int(), oldest_at: z.string().nullable(), changed_at: z.string().nullable() })
export type ScanSummary = z.infer<typeof summary>

/** One of the bills of a file. */
const stackPart = z.object({ id: z.int(), state: z.string(), bill_id: z.int().nullable(), amount_due: z.string().nullable() })
export type StackPart = z.infer<typeof stackPart>

const received = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.int(),
  same_bill_id: z.int().nullable(),
  same_scan_id: z.int().nullable(),
})
export type ReceivedScan = z.infer<typeof received>

const exported: z.ZodType<ExportInput & { show?: ScanShelf | undefined }> = z.intersection(exportInput, z.looseObject({ show: shelf }))

export const billScanCalls = {
  list: call({
    name: 'bill_scans.list',
    method: 'GET',
    path: base,
    may,
    summary: 'Documents that wait to become bills; show=open (unless told), ignored, done or all',
    query: listInputWith({ show: shelf }),
    reply: listReply('bill_scans', billScan.row),
  }),
  exportCsv: call({
    name: 'bill_scans.export',
    method: 'GET',
    path: `${base}/export`,
    may,
    summary: 'Starts an export of the documents',
    effect: 'write',
    query: exported,
    reply: started,
  }),
  summary: call({
    name: 'bill_scans.summary',
    method: 'GET',
    path: `${base}/summary`,
    may,
    summary: 'How many documents wait, and since when',
    reply: summary,
  }),
  get: call({
    name: 'bill_scans.get',
    method: 'GET',
    path: `${base}/:id`,
    may,
    summary: 'One document with what was read on it',
    reply: z.object({
      bill_scan: billScan.row,
      reading: billReading.nullable(),
      page_faults: z.array(z.string()),
      /** All bills of the file that it was split from, in their order; empty if it was not split. */
      stack: z.array(stackPart),
    }),
  }),
  file: call({
    name: 'bill_scans.file',
    method: 'GET',
    path: `${base}/:id/file`,
    may,
    summary: 'The address of the document, good for five minutes',
    query: z.strictObject({ inline: z.enum(['true', 'false']).optional() }),
    reply: z.object({ url: z.string(), filename: z.string() }),
  }),
  create: call({
    name: 'bill_scans.create',
    method: 'POST',
    path: base,
    may,
    summary: 'Takes uploaded documents (signed ids of direct uploads) into the inbox; each is read in the background',
    body: z.strictObject({
      signed_ids: z
        .array(z.string().min(1).max(2_000))
        .min(1, 'Choose at least one document')
        .max(scansPerCallMax, `At most ${scansPerCallMax} documents at once`),
    }),
    reply: z.object({ success: z.boolean(), message: z.string(), ids: z.array(z.int()) }),
  }),
  upload: call({
    name: 'bill_scans.upload',
    method: 'POST',
    path: `${base}/upload`,
    may,
    summary: 'Takes one document into the inbox (multipart: file), and names the bill or the document that it repeats',
    bodyKind: 'multipart',
    body: z.object({ file: formFile('File') }),
    reply: received,
  }),
  keep: call({
    name: 'bill_scans.keep',
    method: 'POST',
    path: `${base}/:id/keep`,
    may,
    summary: 'Keeps a document that seems to repeat another: it is said no more',
  }),
  split: call({
    name: 'bill_scans.split',
    method: 'POST',
    path: `${base}/:id/split`,
    may,
    summary: 'Divides a document: a bill begins on each of these pages, the first page among them, which alone says that it is one bill',
    body: z.strictObject({ starts: z.array(z.int().positive()).min(1, 'Choose where the next bill begins').max(200) }),
    reply: z.object({ success: z.boolean(), message: z.string(), ids: z.array(z.int()) }),
  }),
  keepWhole: call({
    name: 'bill_scans.keep_whole',
    method: 'POST',
    path: `${base}/:id/keep_whole`,
    may,
    summary: 'Gives the whole file to a part whose pages could not be taken out of it; needs a role for the whole client',
  }),
  reread: call({
    name: 'bill_scans.reread',
    method: 'POST',
    path: `${base}/:id/reread`,
    may,
    summary: 'Reads a document again, with what was learned since',
  }),
  ignore: call({
    name: 'bill_scans.ignore',
    method: 'POST',
    path: `${base}/ignore`,
    may,
    summary: 'Puts documents aside that shall not become bills',
    body: z.strictObject({ ids }),
  }),
  takeBack: call({
    name: 'bill_scans.take_back',
    method: 'POST',
    path: `${base}/take_back`,
    may,
    summary: 'Takes documents back that were put aside',
    body: z.strictObject({ ids }),
  }),
  destroy: call({
    name: 'bill_scans.destroy',
    method: 'DELETE',
    path: `${base}/:id`,
    may,
    summary: 'Deletes a document that did not become a bill',
  }),
}
