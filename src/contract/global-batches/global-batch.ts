/**
 * A global batch: bills of one client and one payment type that the provider's desk pays on a day. It is a payment batch with a flag (one table,
 * one code path): `id`, `global_batch_id` and `payment_batch_id` have the same value. Open, then paid by an export, then finalized by the
 * accounting export; NP goes from open to finalized.
 */
import { z } from 'zod'
import { call, exportOf, type Nothing, type Result } from '../kernel/call.ts'
import {
  boolean,
  choice,
  date,
  defaulted,
  derived,
  entity,
  instant,
  integer,
  list,
  longText,
  money,
  optional,
  ref,
  refs,
  text,
  texts,
  writeOnly,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { listInputWith } from '../kernel/query.ts'
import { differenceReason, seenAmountDue, sum, amountPaidWords } from '../payment-batches/payment-bill.ts'
import { paymentAdvice } from '../payment-batches/remittance-advice.ts'
import { bankValue } from './bank-value.ts'
import { bankChangeBefore } from './first-payment.ts'
import { globalBill, globalPageSizes, type GlobalBill } from './global-bill.ts'
import { payTypes, temporaryTypes } from './pay-type.ts'

/** Maximum bills in one save, over all payers. */
export const globalBillsMax = 20_000
/** Maximum batches in one request. */
export const globalBatchesMax = 1_000

const payerTypes = [{ value: 'Client', label: 'Client' }] as const

/** A bill's amount paid, the reason where that is not the amount due, and notes in a batch. Digits only: a credit keeps its amount or may be set to 0. */
const billAttributes = z.strictObject({
  id: z.int('Bill must be an id').positive('Bill must be an id'),
  amount_paid: z
    .string(amountPaidWords.kind)
    .regex(/^-?\d{1,8}(\.\d{1,2})?$/, amountPaidWords.range)
    .optional(),
  amount_due: seenAmountDue.optional(),
  /** Why the amount paid is not the amount due. A reason is cleared if the two are equal. */
  difference_reason: differenceReason.nullable().optional(),
  notes: z.string('Notes must be a text').max(2_000, 'Notes must have at most 2000 characters').nullish(),
})
export type BillAttributes = z.infer<typeof billAttributes>

export const globalBatch = entity(
  'global_batch',
  'global_batches',
  {
    global_batch_id: derived(integer('Global Batch')),
    payment_batch_id: derived(integer('Payment Batch')),
    payer_type: defaulted(choice('Payer Type', payerTypes), 'Client'),
    payer_id: optional(ref('Payer', 'clients')),
    payer_name: derived(text('Payer Name')),
    client_id: optional(ref('Client', 'clients')),
    vendor_ids: derived(refs('Vendors', 'vendors', globalBillsMax)),
    vendor_names: derived(texts('Vendors', { count: globalBillsMax, length: 255 })),
    /** Those of the names that are exclusive vendors. */
    exclusive_vendor_names: derived(texts('Exclusive Vendors', { count: globalBillsMax, length: 255 })),
    /** The payment type of its bills. */
    payment_method: derived(optional(text('Pay Type'))),
    /** The same under its other name. */
    bills_payment_method: derived(optional(text('Pay Type of Bills'))),
    temp_pay_method: derived(optional(text('Moved To'))),
    /** temp_pay_method, or else payment_method. */
    effective_type: derived(optional(text('Effective Type'))),
    batch_date: date('Batch Date'),
    bills_due_date: date('Bills Due on or Before'),
    batch_total: derived(money('Batch Total')),
    bill_count: derived(integer('Bills')),
    payment_count: derived(integer('Vendor Payments')),
    closed: defaulted(boolean('Closed'), false),
    is_paid: derived(boolean('Paid')),
    paid_at: derived(optional(instant('Paid At'))),
    paid_as: derived(optional(text('Paid As'))),
    finalized: derived(boolean('Finalized')),
    /** True if the account of one of its vendors was changed after the batch was created: check before paying. */
    bank_details_changed: derived(boolean('Bank Details Changed')),
    /** The release for which the batch waits; it is not paid meanwhile. */
    release_id: derived(optional(integer('Release'))),
    notes: optional(longText('Notes', 2_000)),
    created_at: derived(instant('Created')),
    /** Complete list: bills that are not in it leave the batch. */
    bill_ids: writeOnly(refs('Bills', 'bills', globalBillsMax)),
    /** Bills added to those of the batch. */
    new_bill_ids: writeOnly(refs('New Bills', 'bills', globalBillsMax)),
    bills_attributes: writeOnly(list('Amounts Paid', z.array(billAttributes).max(globalBillsMax))),
  },
  {
    filter: [
      'id',
      'client_id',
      'payer_name',
      'payment_method',
      'temp_pay_method',
      'effective_type',
      'batch_date',
      'bills_due_date',
      'batch_total',
      'bill_count',
      'closed',
      'is_paid',
      'notes',
      'created_at',
    ],
    sort: ['created_at', 'payer_name', 'effective_type', 'batch_date', 'bills_due_date', 'batch_total', 'closed', 'is_paid', 'notes', 'id'],
    defaultSort: 'created_at desc',
    sizes: globalPageSizes,
  },
  { label: 'Global Batch', labels: 'Global Batches' },
)
export type GlobalBatch = Row<typeof globalBatch>
export type GlobalBatchDraft = Draft<typeof globalBatch>

/** A payment of the batch, with what came back of it: its bills are no longer among those of the batch. */
const globalBatchPayment = z.object({
  id: z.int(),
  /** 'VP-12 Harbor Gas'. */
  full_name: z.string(),
  payment_date: z.string().nullable(),
  check_number: z.string().nullable(),
  trace_number: z.string().nullable(),
  amount: sum,
  bill_count: z.int(),
  paid: z.boolean(),
  reversed_amount: sum,
  /** The day on which a bank statement shows that the payment left; null while it is outstanding. */
  cleared_on: z.string().nullable(),
  /** The change of bank details since which it is, or would be, the first payment to the vendor; null for any other payment. */
  first_since: bankChangeBefore.nullable(),
  /** Its remittance advice by mail; null where the vendor wants none. */
  advice: paymentAdvice.nullable(),
  /** The last reversal; null where there is none. */
  reversal: z.object({ kind: z.string(), return_code: z.string().nullable(), reversed_date: z.string(), reason: z.string() }).nullable(),
})
export type GlobalBatchPayment = z.infer<typeof globalBatchPayment>

/** One batch as its pages show it. Member bills of a group have an amount paid of 0, unless a user typed another one. */
const globalBatchDetail = z.intersection(
  globalBatch.row,
  z.object({ bills: z.array(globalBill.row), payments: z.array(globalBatchPayment) }),
)

const ofTypes = z.record(z.enum(payTypes), z.int())
const sumsOfTypes = z.record(z.enum(payTypes), sum)

/** Figures that lists of batches return besides their rows: over all batches of the day, whatever the page and filters. */
const deskShape = {
  /** Open batches by effective type, for the tabs. */
  counts: ofTypes,
  totals: sumsOfTypes,
  /** Batches that are not finalized, including paid ones. */
  all_count: z.int(),
  all_total: sum,
  /** Batches paid by an export and not finalized yet. */
  paid_count: z.int(),
  paid_total: sum,
  /** Unfinished batches of earlier days; `day` requests theirs. */
  earlier_days: z.array(z.object({ day: z.string(), count: z.int() })),
  /** Exports in reach that wait for a release by somebody else than who asked for it, the reader among them. */
  releases_waiting: z.int(),
  bank_value: bankValue,
  batched_total: sum,
  remaining: sum,
}
/** The list of batches with the figures above it. */
export const batchList = z.object({ batches: z.array(globalBatch.row), total: z.int().optional(), ...deskShape })
export type GlobalBatchList = z.infer<typeof batchList>
/** The response to a change: its message, and the current list of today's batches of the requested type, the first 1,000. */
export const acted = z.object({ success: z.boolean(), message: z.string(), ...batchList.shape })

/** A save returns each batch that it created or changed, with the bills if it changed any. */
interface Saved extends Result {
  global_batch?: GlobalBatch | undefined
  global_batches?: GlobalBatch[] | undefined
  bills?: GlobalBill[] | undefined
}
const saved: z.ZodType<Saved> = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.int().optional(),
  /** The first of them. */
  global_batch: globalBatch.row.optional(),
  global_batches: z.array(globalBatch.row).optional(),
  bills: z.array(globalBill.row).optional(),
})

const path = '/global_batches'
const one = `${path}/:id` as const
interface Body<D> {
  global_batch: D
}
function bodyOf<D>(draft: z.ZodType<D>): z.ZodType<Body<D>> {
  return z.strictObject({ global_batch: draft })
}

export const dayText = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, 'day must be a date, YYYY-MM-DD')
  .optional()
export const typeName = z.enum(payTypes, { error: `type must be one of ${payTypes.join(', ')}` })
export const batchIds = z
  .array(z.int('ids must be a list of ids').positive('ids must be a list of ids'), { error: 'ids must be a list of ids' })
  .min(1, 'Choose at least one batch')
  .max(globalBatchesMax, `At most ${globalBatchesMax} batches at once`)
/** `type` is the tab of the returned list. */
export const chosen = z.strictObject({ ids: batchIds, type: typeName.optional() })

const lists = call({
  name: 'global_batches.list',
  method: 'GET',
  path,
  may: 'global_batch.read',
  summary:
    'Global Batches that are not finalized. `type` leaves those of the effective type that are unpaid, `today` those of this New York day, `day` those of another',
  query: listInputWith({ type: typeName.optional(), today: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(), day: dayText }),
  reply: batchList,
})

export const globalBatchCalls = {
  list: lists,
  exportCsv: exportOf(lists, 'Global Batches'),
  get: call({
    name: 'global_batches.get',
    method: 'GET',
    path: one,
    may: 'global_batch.read',
    summary: 'Reads one Global Batch with its bills',
    reply: z.object({ global_batch: globalBatchDetail }),
  }),
  create: call<typeof path, Nothing, Nothing, Body<GlobalBatchDraft>, Saved>({
    name: 'global_batches.create',
    method: 'POST',
    path,
    may: 'global_batch.create',
    summary: 'Creates a Global Batch for each client of the bills, all or none; the bank value must be locked',
    body: bodyOf(globalBatch.draft),
    reply: saved,
  }),
  update: call<typeof one, { id: number }, Nothing, Body<Partial<GlobalBatchDraft> & { lock_version?: number | undefined }>, Saved>({
    name: 'global_batches.update',
    method: 'PATCH',
    path: one,
    may: 'global_batch.update',
    summary: 'Changes a Global Batch: its head, its bills, what it pays of them, their notes; adds bills to it',
    body: bodyOf(globalBatch.patch),
    reply: saved,
  }),
  unbatch: call({
    name: 'global_batches.unbatch',
    method: 'POST',
    path: `${path}/unbatch`,
    may: 'global_batch.destroy',
    summary: 'Takes Global Batches back: their bills are unswept again and keep the amounts that were typed',
    body: chosen,
    reply: acted,
  }),
  tempPayMethod: call({
    name: 'global_batches.temp_pay_method',
    method: 'PATCH',
    path: `${path}/temp_pay_method`,
    may: 'global_batch.update',
    summary: 'Moves Global Batches to NP, OP or Avid for the day, or back to their own type',
    body: z.strictObject({ ids: batchIds, temp_method: z.enum(temporaryTypes).nullable(), type: typeName.optional() }),
    reply: acted,
  }),
}
