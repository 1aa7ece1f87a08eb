/**
 * A check of a payment that the desk has requested: its number, once the printer or the bank has given one, and what the bank was told of it.
 * A check without a number is in the list too, because the bank cannot be told of it.
 */
import { z } from 'zod'
import { call, crudCalls, result } from '../kernel/call.ts'
import { isCalendarDate } from '../kernel/date.ts'
import { choice, date, derived, entity, instant, integer, money, optional, ref, text, type Row } from '../kernel/entity.ts'
import { sum } from '../payment-batches/payment-bill.ts'

/** Digits of a check number in the files of banks. */
export const checkNumberDigitsMax = 10
/** Characters and rows of a file of check numbers. */
export const checkFileMax = 1_000_000
export const checkRowsMax = 5_000

export const checkStates = [
  { value: 'waiting', label: 'Number missing' },
  { value: 'issued', label: 'Issued, not reported' },
  { value: 'reported', label: 'Issued, reported' },
  { value: 'void', label: 'Void, not reported' },
  { value: 'void_reported', label: 'Void, reported' },
] as const

export const issuedCheck = entity(
  'issued_check',
  'issued_checks',
  {
    check_number: derived(optional(text('Check Number'))),
    check_date: derived(optional(date('Check Date'))),
    state: derived(choice('State', checkStates)),
    amount: derived(money('Amount')),
    client_id: derived(ref('Client', 'clients')),
    payer_name: derived(text('Payer')),
    vendor_id: derived(ref('Vendor Id', 'vendors')),
    vendor_name: derived(text('Vendor')),
    /** The name on the check. */
    payee: derived(text('Payee')),
    /** VP- and its number. */
    payment_name: derived(text('Vendor Payment')),
    payment_batch_id: derived(integer('Batch')),
    account_last4: derived(optional(text('Account, Last 4'))),
    requested_at: derived(instant('Requested')),
    request_file: derived(text('Check Request')),
    issue_file: derived(optional(text('Reported As Issued'))),
    void_file: derived(optional(text('Reported As Void'))),
  },
  {
    filter: [
      'id',
      'check_number',
      'check_date',
      'state',
      'amount',
      'client_id',
      'payer_name',
      'vendor_id',
      'vendor_name',
      'payee',
      'payment_name',
      'payment_batch_id',
      'account_last4',
      'requested_at',
      'request_file',
      'issue_file',
      'void_file',
    ],
    sort: ['requested_at', 'check_number', 'check_date', 'state', 'amount', 'payer_name', 'vendor_name', 'id'],
    defaultSort: 'requested_at desc',
  },
  { label: 'Check', labels: 'Checks' },
)
export type IssuedCheck = Row<typeof issuedCheck>

/** Returns the number without leading zeros: banks fill it with zeros, so 0042 and 42 are one check. Null if it is none. */
export function plainCheckNumber(typed: string): string | null {
  const digits = /^\d+$/.test(typed.trim()) ? typed.trim().replace(/^0+/, '') : ''
  return digits === '' || digits.length > checkNumberDigitsMax ? null : digits
}

export const checkNumberWords = `has 1 to ${checkNumberDigitsMax} digits and is not 0`

export const checkNumberDraft = z.strictObject({
  check_number: z
    .string('Check Number must be text')
    .refine((typed) => plainCheckNumber(typed) !== null, `Check Number ${checkNumberWords}`),
  check_date: z.string('Check Date must be a date').refine(isCalendarDate, 'Check Date must be a date'),
  /** The number that the person saw; null if there was none. If another one is stored by now, the response is 409. */
  seen_check_number: z.string().nullable(),
})
export type CheckNumberDraft = z.infer<typeof checkNumberDraft>

/** A row of a file of check numbers, with what reading the file does. */
const plannedCheck = z.object({
  line: z.int(),
  payment_name: z.string(),
  check_number: z.string(),
  check_date: z.string(),
  amount: sum,
  payer_name: z.string(),
  vendor_name: z.string(),
  /** True if this number is recorded for the payment already. */
  known: z.boolean(),
})
export type PlannedCheck = z.infer<typeof plannedCheck>

const sentFile = z.strictObject({
  content: z
    .string('Content must be text')
    .min(1, 'The file is empty')
    .max(checkFileMax, `The file must have at most ${checkFileMax.toLocaleString('en-US')} characters`),
})

/** The checks of one account that its bank was not told of yet. */
const waitingAccount = z.object({
  account_last4: z.string(),
  /** Null if no bank profile in reach has this account. */
  originating_profile_id: z.int().nullable(),
  profile_name: z.string().nullable(),
  bank_name: z.string().nullable(),
  client_name: z.string().nullable(),
  layout: z.string().nullable(),
  issued: z.int(),
  issued_total: sum,
  void: z.int(),
  void_total: sum,
})
export type WaitingAccount = z.infer<typeof waitingAccount>

const path = '/issued_checks'
const { list, exportCsv } = crudCalls(issuedCheck, path, {
  read: 'global_batch.read',
  create: 'global_batch.create',
  update: 'global_batch.update',
  destroy: 'global_batch.destroy',
})

export const issuedCheckCalls = {
  list,
  exportCsv,
  record: call({
    name: 'issued_checks.record',
    method: 'PATCH',
    path: `${path}/:id`,
    may: 'global_batch.update',
    summary: 'Records the number and the day of a check, or corrects them while the bank was not told of it',
    body: z.strictObject({ issued_check: checkNumberDraft }),
    reply: result,
  }),
  preview: call({
    name: 'issued_checks.preview',
    method: 'POST',
    path: `${path}/preview`,
    effect: 'read',
    may: 'global_batch.update',
    summary: 'What reading a CSV file of check numbers would record; nothing is stored',
    heavy: true,
    body: sentFile,
    reply: z.object({ checks: z.array(plannedCheck), recorded: z.int(), total: sum }),
  }),
  read: call({
    name: 'issued_checks.read',
    method: 'POST',
    path,
    may: 'global_batch.update',
    summary: 'Reads a CSV file of check numbers: records all of them or, if a row is wrong, none',
    heavy: true,
    body: sentFile,
    reply: z.object({ success: z.boolean(), message: z.string(), recorded: z.int() }),
  }),
  waiting: call({
    name: 'positive_pay.waiting',
    method: 'GET',
    path: '/positive_pay',
    may: 'global_batch.read',
    summary: 'The issued and void checks that their banks were not told of yet, by account',
    reply: z.object({ accounts: z.array(waitingAccount), numbers_missing: z.int() }),
  }),
  exportPositivePay: call({
    name: 'positive_pay.export_file',
    method: 'POST',
    path: '/positive_pay',
    may: 'global_batch.update',
    summary: 'Writes the positive pay file of a bank profile: each check once as issued and once as void',
    heavy: true,
    body: z.strictObject({ originating_profile_id: z.int().positive() }),
    reply: z.object({
      success: z.boolean(),
      message: z.string(),
      id: z.int(),
      file_name: z.string(),
      batch_file_url: z.string(),
      issued: z.int(),
      issued_total: sum,
      void: z.int(),
      void_total: sum,
    }),
  }),
}
