/** The contents of a client batch: its bills, its ledger, its months and its files. */
import { accountTypes } from '../bills/bill.ts'
import { z } from 'zod'
import { batchRefusals } from './batch-refusal.ts'
import { lineKinds } from './booked-line.ts'
import { amount, batchedBillShape } from '../bills/batched-bill.ts'

/** A bill on the pages of a batch. */
export const batchBill = z.object({
  ...batchedBillShape,
  previous_read_date: z.string().nullable(),
  read_date: z.string().nullable(),
  balance_forward: amount,
  current_charges: amount,
  late_fee: amount,
  qc: z.boolean(),
  estimated: z.boolean(),
  open_errors: z.int(),
  /** The reason the batch may not take or keep it, or null. */
  refusal: z.enum(batchRefusals).nullable(),
  /** The code of the batch that holds it, if that is another one. */
  other_batch_code: z.string().nullable(),
})
export type BatchBill = z.infer<typeof batchBill>

/** One ledger account of a batch: its debits and credits, and its amount in the previous batch. */
export const batchLedgerRow = z.object({
  /** Null if services have no ledger account yet. */
  ledger_account_id: z.int().nullable(),
  ledger_account_name: z.string(),
  kind: z.enum(lineKinds),
  debit: amount,
  credit: amount,
  line_count: z.int(),
  /** Net amount in the last closed batch of the same group, or null. */
  before: amount.nullable(),
})
export type BatchLedgerRow = z.infer<typeof batchLedgerRow>

/** A service whose charges have no ledger account, an inactive one, or shares that are not 1. */
export const uncodedService = z.object({
  service_id: z.int(),
  account_type: z.enum(accountTypes.map(({ value }) => value)),
  account_id: z.int(),
  account_number: z.string(),
  meter_number: z.string().nullable(),
  utility_service_id: z.int().nullable(),
  utility_service_name: z.string().nullable(),
  lock_version: z.int(),
  reason: z.string(),
  amount,
})
export type UncodedService = z.infer<typeof uncodedService>

export const ledgerReply = z.object({
  rows: z.array(batchLedgerRow),
  uncoded: z.array(uncodedService),
  /** Other faults that keep the batch from being closed. */
  faults: z.array(z.string()),
  debits: amount,
  credits: amount,
  /** All lines except the payable; equals `bills_total` plus the reversals. */
  booked: amount,
  bills_total: amount,
  /** Reversals of closed batches' bills that were replaced, negative for charges. */
  reversals: amount,
  frozen: z.boolean(),
})
export type BatchLedger = z.infer<typeof ledgerReply>

export const monthSummary = z.object({
  month: z.string(),
  open: z.int(),
  closed: z.int(),
  invoiced: z.int(),
  bills: z.int(),
  batched: z.int(),
  waiting: z.int(),
})
export type BatchMonth = z.infer<typeof monthSummary>

/** Lines used for a preview of the upload file. */
export const previewLinesMax = 200

export const batchFileKinds = ['upload', 'invoice', 'invoice_csv'] as const
export type BatchFileKind = (typeof batchFileKinds)[number]

/** A version of a file that was made for a batch. */
export const batchFile = z.object({
  id: z.int(),
  kind: z.enum(batchFileKinds),
  version: z.int(),
  filename: z.string(),
  created_at: z.string(),
  created_by: z.string().nullable(),
  row_count: z.int(),
  /** For an upload file, the sum of debits read back from the written file; for an invoice, the amount due. */
  total: amount,
  /** The state of the batch that the file was written from; null for versions of before the state was kept. */
  read_at: z.string().nullable(),
  bill_count: z.int().nullable(),
  bills_total: amount.nullable(),
  /** SHA-256 in hexadecimal. */
  sha256: z.string(),
  /** The name of its export profile at that time; null for invoices. */
  profile_name: z.string().nullable(),
  /** Differences from the previous version; null for the first version and for invoices. */
  changes: z.object({ bills_added: z.int(), bills_removed: z.int(), amounts_changed: z.int() }).nullable(),
})
export type BatchFile = z.infer<typeof batchFile>
