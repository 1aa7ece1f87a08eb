/**
 * An entry of a bank's return file: a return reopens the bills of a payment, a notice of change asks a second person to change the bank
 * details of a vendor. Each entry is stored once and is never altered.
 */
import { z } from 'zod'
import { call, crudCalls } from '../kernel/call.ts'
import { choice, date, derived, entity, instant, integer, money, optional, ref, text, type Row } from '../kernel/entity.ts'
import { returnFileMax } from '../payment-files/nacha-returns.ts'
import { sum } from '../payment-batches/payment-bill.ts'

export const bankReturnKinds = [
  { value: 'return', label: 'Return' },
  { value: 'notice', label: 'Notice of change' },
] as const
/** The outcome of an entry. Only an entry that was left out can still be applied. */
export const bankReturnStates = [
  { value: 'applied', label: 'Applied' },
  { value: 'left', label: 'Left out' },
  { value: 'unmatched', label: 'Matches nothing' },
  { value: 'repeated', label: 'Known already' },
  { value: 'by_hand', label: 'By hand' },
] as const
const kinds = bankReturnKinds.map(({ value }) => value)
const states = bankReturnStates.map(({ value }) => value)

export const bankReturn = entity(
  'bank_return',
  'bank_returns',
  {
    kind: derived(choice('Kind', bankReturnKinds)),
    code: derived(text('Code', 3)),
    code_words: derived(text('Meaning')),
    state: derived(choice('State', bankReturnStates)),
    /** The act that the entry led to, or the reason for none. */
    outcome: derived(text('Outcome', 500)),
    amount: derived(money('Amount')),
    client_id: derived(optional(ref('Client', 'clients'))),
    payer_name: derived(optional(text('Payer'))),
    vendor_id: derived(optional(ref('Vendor Id', 'vendors'))),
    vendor_name: derived(optional(text('Vendor'))),
    /** VP- and its number. */
    payment_name: derived(optional(text('Vendor Payment'))),
    payment_batch_id: derived(optional(integer('Batch'))),
    original_trace: derived(text('Trace Number')),
    receiver: derived(text('Receiver', 22)),
    remark: derived(text('Remark of the Bank', 44)),
    bank_name: derived(text('Bank')),
    file_day: derived(date('File Day')),
    file_name: derived(text('File')),
    line: derived(integer('Line')),
    created_at: derived(instant('Read')),
    created_by_name: derived(optional(text('Read By'))),
  },
  {
    filter: [
      'id',
      'kind',
      'code',
      'code_words',
      'state',
      'outcome',
      'amount',
      'client_id',
      'payer_name',
      'vendor_id',
      'vendor_name',
      'payment_name',
      'payment_batch_id',
      'original_trace',
      'receiver',
      'remark',
      'bank_name',
      'file_day',
      'file_name',
      'line',
      'created_at',
      'created_by_name',
    ],
    sort: ['created_at', 'file_day', 'file_name', 'payer_name', 'vendor_name', 'amount', 'code', 'state', 'id'],
    defaultSort: 'created_at desc',
  },
  { label: 'Bank Return', labels: 'Bank Returns' },
)
export type BankReturn = Row<typeof bankReturn>

/** An entry of a file, with what applying it would do. Nothing of it is stored yet. */
const plannedReturn = z.object({
  line: z.int(),
  kind: z.enum(kinds),
  code: z.string(),
  code_words: z.string(),
  /** 'left' is what can be applied. */
  state: z.enum(states),
  /** The act that would follow, or the reason why none can. */
  outcome: z.string(),
  amount: sum,
  client_id: z.int().nullable(),
  payer_name: z.string().nullable(),
  vendor_id: z.int().nullable(),
  vendor_name: z.string().nullable(),
  payment_name: z.string().nullable(),
  payment_batch_id: z.int().nullable(),
  original_trace: z.string(),
  receiver: z.string(),
  remark: z.string(),
})
export type PlannedReturn = z.infer<typeof plannedReturn>

const sentFile = {
  file_name: z
    .string('File Name must be text')
    .trim()
    .min(1, 'File Name is required')
    .max(255, 'File Name must have at most 255 characters'),
  /** The file as it is: at most 1,000,000 plain characters. */
  content: z
    .string('Content must be text')
    .min(1, 'Content is required')
    .max(returnFileMax, 'Content must have at most 1000000 characters'),
}
const lines = z.array(z.int('Lines must be a list of line numbers').positive('Lines must be a list of line numbers')).max(10_000)

const path = '/bank_returns'
const { list, exportCsv } = crudCalls(bankReturn, path, {
  read: 'global_batch.read',
  create: 'global_batch.create',
  update: 'global_batch.update',
  destroy: 'global_batch.destroy',
})

export const bankReturnCalls = {
  list,
  exportCsv,
  preview: call({
    name: 'bank_returns.preview',
    method: 'POST',
    path: `${path}/preview`,
    effect: 'read',
    may: 'global_batch.update',
    summary: 'What each entry of a bank’s return file would do; nothing is stored',
    heavy: true,
    body: z.strictObject(sentFile),
    reply: z.object({
      bank_name: z.string(),
      file_day: z.string(),
      /** Where this very file was read before: when, and by whom. */
      read_before: z.string().nullable(),
      entries: z.array(plannedReturn),
      /** Bills and amount that applying all entries would reopen. */
      total: sum,
    }),
  }),
  read: call({
    name: 'bank_returns.read',
    method: 'POST',
    path,
    may: 'global_batch.update',
    summary: 'Reads a bank’s return file once: applies the entries of the named lines, and keeps the others as left out',
    heavy: true,
    body: z.strictObject({ ...sentFile, lines }),
    reply: z.object({ success: z.boolean(), message: z.string(), entries: z.array(plannedReturn) }),
  }),
  apply: call({
    name: 'bank_returns.apply',
    method: 'POST',
    path: `${path}/:id/apply`,
    may: 'global_batch.update',
    summary: 'Applies an entry that was left out when its file was read',
    reply: z.object({ success: z.boolean(), message: z.string(), id: z.int().optional() }),
  }),
}
