/**
 * A check of a payment that the desk has requested: its number, once the printer or the bank has given one, and what was reported to the
 * bank. A check without a number is in the list too, because it cannot be reported to the bank.
 */
import { z } from 'zod'
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
    /** The day on which a bank statement shows the check; null while it is outstanding. */
    cleared_on: derived(optional(date('Cleared'))),
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
      'cleared_on',
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
export const plannedCheck = z.object({
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

/** The checks of one account that were not reported to its bank yet. */
export const waitingAccount = z.object({
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
