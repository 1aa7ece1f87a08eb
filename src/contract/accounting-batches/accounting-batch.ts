/**
 * A client batch: bills that a client's ledger loads together. It is open while bills are added and removed, closed when its ledger lines are
 * frozen, and invoiced when the client was asked for the money.
 */
import { fieldWords } from '../kernel/field-words.ts'
import { z } from 'zod'
import { batchLine, lineKinds } from './booked-line.ts'
import { invoice } from './invoice.ts'
import { uploadField, uploadLine } from './upload-file.ts'
import { call, crudCalls, draftBody, started, type DraftBody, type Nothing, type Result } from '../kernel/call.ts'
import {
  boolean,
  defaulted,
  derived,
  entity,
  helped,
  instant,
  integer,
  list,
  money,
  optional,
  ref,
  refs,
  text,
  writeOnly,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { amount } from '../bills/batched-bill.ts'
import { searchCall } from '../kernel/lookup.ts'
import { batchBill, ledgerReply, monthSummary, batchFile } from './batch-contents.ts'

/** Maximum bills of one batch. */
export const batchBillsMax = 20_000
/** Most waiting bills that are listed with a reason; all are counted. */
export const waitingBillsMax = 1_000

export const accountingBatch = entity(
  'accounting_batch',
  'accounting_batches',
  {
    batch_code: text('Batch Code', 50),
    batch_date: optional(instant('Batch Date')),
    batch_group_id: optional(ref('Batch Group', 'batch_groups')),
    batch_group_name: derived(optional(text('Batch Group'))),
    batch_group: derived(optional(list('Batch Group', z.object({ id: z.int(), name: z.string() })))),
    closed: defaulted(boolean('Closed'), false),
    invoiced: defaulted(boolean('Invoiced'), false),
    has_been_closed: derived(boolean('Has Been Closed')),
    bill_count: derived(integer('Bills')),
    bills_total: derived(money('Bills Total')),
    line_item_count: derived(integer('Line Items')),
    upload_file_url: derived(optional(text('Upload File'))),
    can_generate_upload_file: derived(boolean('Can Generate Upload File')),
    generating_file: derived(boolean('Generating File')),
    bill_ids: writeOnly(refs('Bills', 'bills', batchBillsMax)),
    confirmed_qc_ids: writeOnly(
      helped(refs('Confirmed Bills in QC', 'bills', batchBillsMax), 'The bills in QC that whoever closes the batch was asked about'),
    ),
    closed_at: derived(optional(instant('Closed At'))),
    invoiced_at: derived(optional(instant('Invoiced At'))),
    created_at: derived(instant('Created')),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'batch_code',
      'batch_date',
      'batch_group_id',
      'batch_group_name',
      'closed',
      'invoiced',
      'has_been_closed',
      'bills_total',
      'bill_count',
      'created_at',
    ],
    sort: ['created_at', 'batch_code', 'batch_date', 'batch_group_name', 'closed', 'invoiced', 'bills_total', 'id'],
    defaultSort: 'created_at desc',
  },
  { label: 'Client Batch', labels: 'Client Batches' },
)
export type AccountingBatch = Row<typeof accountingBatch>
export type AccountingBatchDraft = Draft<typeof accountingBatch>

/** One batch for its pages: with the ids of its bills, in the order of entry. */
export const batchDetail = z.intersection(accountingBatch.row, z.object({ bill_ids: z.array(z.int()) }))
export type BatchDetail = z.infer<typeof batchDetail>

/** A bill in the answer of a save, in the order of the batch's pages. */
const savedBill = batchBill.pick({ id: true, amount_due: true })
export type SavedBill = z.infer<typeof savedBill>

/**
 * A save returns the batch, or its bills if `bill_ids` was sent: of a batch of 10,000 bills, the ledger lines that the batch counts and all that
 * is known of each bill take longer than the save.
 */
interface Saved extends Result {
  accounting_batch?: AccountingBatch | undefined
  bills?: SavedBill[] | undefined
}
const saved: z.ZodType<Saved> = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.int().optional(),
  accounting_batch: accountingBatch.row.optional(),
  bills: z.array(savedBill).optional(),
})

const path = '/clients/:client_id/accounting_batches'
const one = `${path}/:id` as const
type OfClient = { client_id: number }
type OfBatch = OfClient & { id: number }

const crud = crudCalls(accountingBatch, path, {
  read: 'accounting_batch.read',
  create: 'accounting_batch.create',
  update: 'accounting_batch.update',
  destroy: 'accounting_batch.destroy',
})

const idText = (key: string) => z.string().regex(/^[1-9]\d{0,15}$/, fieldWords.id(key))

/** The call for a batch's bills accepts the client of its path as a parameter too. */
const billsInput = z.strictObject({ client_id: z.string().max(20).optional() })
const startInput = z.strictObject({ connection_id: z.string().max(100).optional() })

const uploadInput = z.strictObject({
  connection_id: z.string().max(100).optional(),
  export_profile_id: idText('export_profile_id').optional(),
})

export const accountingBatchCalls = {
  ...crud,
  get: call({
    name: 'accounting_batches.get',
    method: 'GET',
    path: one,
    may: 'accounting_batch.read',
    summary: 'Reads one Client Batch with the ids of its bills',
    reply: z.object({ accounting_batch: batchDetail }),
  }),
  create: call<string, OfClient, Nothing, DraftBody<'accounting_batch', AccountingBatchDraft>, Saved>({
    name: 'accounting_batches.create',
    method: 'POST',
    path,
    may: 'accounting_batch.create',
    summary: 'Creates a Client Batch',
    body: draftBody('accounting_batch', accountingBatch.draft),
    reply: saved,
  }),
  update: call<
    string,
    OfBatch,
    Nothing,
    DraftBody<'accounting_batch', Partial<AccountingBatchDraft> & { lock_version?: number | undefined }>,
    Saved
  >({
    name: 'accounting_batches.update',
    method: 'PATCH',
    path: one,
    may: 'accounting_batch.update',
    summary: 'Changes a Client Batch: its head, its bills, closed and invoiced',
    body: draftBody('accounting_batch', accountingBatch.patch),
    reply: saved,
  }),
  bills: call({
    name: 'accounting_batches.bills',
    method: 'GET',
    path: `${one}/bills`,
    may: 'accounting_batch.update',
    summary: 'The bills of a Client Batch, with the reason of each that it may not keep',
    query: billsInput,
    reply: z.object({ bills: z.array(batchBill) }),
  }),
  newBills: call({
    name: 'accounting_batches.new_bills',
    method: 'GET',
    path: `${one}/new_bills`,
    may: 'accounting_batch.update',
    summary: 'The bills of a Client Batch, those that it may take, and those that wait with their reasons',
    query: billsInput,
    reply: z.object({
      bills: z.array(batchBill),
      new_bills: z.array(batchBill),
      new_bills_total: amount,
      waiting: z.array(batchBill),
      waiting_count: z.int(),
    }),
  }),
  ledger: call({
    name: 'accounting_batches.ledger',
    method: 'GET',
    path: `${one}/ledger`,
    may: 'accounting_batch.read',
    summary: 'The ledger lines of a Client Batch by ledger account, and the services that have none',
    reply: ledgerReply,
  }),
  ledgerLines: call({
    name: 'accounting_batches.ledger_lines',
    method: 'GET',
    path: `${one}/ledger_lines`,
    may: 'accounting_batch.read',
    summary: 'The lines of a Client Batch on one ledger account, each with its bill; without an account, those that have none',
    query: z.strictObject({ kind: z.enum(lineKinds), ledger_account_id: idText('ledger_account_id').optional() }),
    reply: z.object({ lines: z.array(batchLine), line_count: z.int() }),
  }),
  month: call({
    name: 'accounting_batches.month',
    method: 'GET',
    path: `${path}/month`,
    may: 'accounting_batch.read',
    summary: 'How far the batches of the current month are: batches by state, and bills batched and waiting',
    reply: z.object({ month: monthSummary }),
  }),
  search: searchCall('accounting_batches', `${path}/search`, 'accounting_batch.read', z.object({ id: z.int(), batch_code: z.string() })),
  exportBills: call({
    name: 'accounting_batches.bills_export',
    method: 'GET',
    path: `${one}/export_bills_csv`,
    effect: 'write',
    may: 'accounting_batch.read',
    summary: 'Starts a CSV export of the bills of a Client Batch',
    query: startInput,
    reply: started,
  }),
  generateUploadFile: call({
    name: 'accounting_batches.generate_upload_file',
    method: 'GET',
    path: `${one}/generate_upload_file`,
    effect: 'write',
    may: 'accounting_batch.read',
    summary: 'Starts to write a new version of the upload file of a Client Batch, by the default profile unless another is named',
    query: uploadInput,
    reply: started,
  }),
  files: call({
    name: 'accounting_batches.files',
    method: 'GET',
    path: `${one}/files`,
    may: 'accounting_batch.read',
    summary: 'The versions of the upload file and the invoice of a Client Batch, the newest first',
    reply: z.object({ files: z.array(batchFile) }),
  }),
  uploadLines: call({
    name: 'accounting_batches.upload_lines',
    method: 'GET',
    path: `${one}/upload_lines`,
    may: 'accounting_batch.read',
    summary: 'The first ledger lines of a Client Batch, as an upload file is made of them, for the preview of a profile',
    reply: z.object({ lines: z.array(uploadLine), ledger_fields: z.array(uploadField) }),
  }),
  file: call({
    name: 'accounting_batches.file',
    method: 'GET',
    path: `${one}/files/:file_id`,
    may: 'accounting_batch.read',
    summary: 'The address of one version of a file of a Client Batch, good for five minutes',
    reply: z.object({ url: z.string(), filename: z.string() }),
  }),
  invoice: call({
    name: 'accounting_batches.invoice',
    method: 'GET',
    path: `${one}/invoice`,
    may: 'accounting_batch.read',
    summary: 'What the invoice of a Client Batch would say now: its head and its sums by division',
    reply: z.object({ invoice }),
  }),
  generateInvoicePdf: call({
    name: 'accounting_batches.generate_invoice_pdf',
    method: 'GET',
    path: `${one}/generate_invoice_pdf`,
    effect: 'write',
    may: 'accounting_batch.read',
    summary: 'Starts to write a new version of the invoice of a Client Batch as PDF',
    query: startInput,
    reply: started,
  }),
  generateInvoiceCsv: call({
    name: 'accounting_batches.generate_invoice_csv',
    method: 'GET',
    path: `${one}/generate_invoice_csv`,
    effect: 'write',
    may: 'accounting_batch.read',
    summary: 'Starts to write a new version of the invoice of a Client Batch as CSV',
    query: startInput,
    reply: started,
  }),
  nextCode: call({
    name: 'accounting_batches.next_code',
    method: 'GET',
    path: `${path}/next_code`,
    may: 'accounting_batch.create',
    summary: 'The code that a new Client Batch would get by the pattern of its client; null where there is none or it is too long',
    query: z.strictObject({
      batch_group_id: idText('batch_group_id').optional(),
      date: z.iso.date('date must be a date, YYYY-MM-DD').optional(),
    }),
    reply: z.object({ batch_code: z.string().nullable() }),
  }),
  uploadFile: call({
    name: 'accounting_batches.upload_file',
    method: 'GET',
    path: `${one}/upload_file`,
    may: 'accounting_batch.read',
    summary: 'The address of the upload file, good for five minutes: the newest version, or the one that `version` names',
    query: z.strictObject({
      version: z
        .string()
        .regex(/^[1-9]\d{0,8}$/, 'version must be a positive whole number')
        .optional(),
    }),
    reply: z.object({ url: z.string(), filename: z.string() }),
  }),
}
