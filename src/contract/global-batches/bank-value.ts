/**
 * The bank value: the cash that the provider may spend today for all clients. It is entered and locked before anything is batched. A day is a
 * New York day, and each begins without a value, unlocked, with all its edits left.
 */
import { z } from 'zod'
import { call } from '../kernel/call.ts'
import { sum } from '../payment-batches/payment-bill.ts'

/** Changes of the value allowed per day. Locking and unlocking do not count. */
export const bankEditsPerDay = 3

export const bankValue = z.object({
  /** Null until a value is entered today. */
  id: z.int().nullable(),
  /** The New York day, YYYY-MM-DD. */
  day: z.string(),
  value: sum,
  locked: z.boolean(),
  /** Edits left today. */
  attempts: z.int(),
  /** The total of today's live batches that need cash: all except those with the effective type NP. */
  batched_total: sum,
  /** The value minus batched_total. It may be negative, which warns but blocks nothing. */
  remaining: sum,
})
export type BankValue = z.infer<typeof bankValue>

/** Digits, an optional point and at most two decimals, or empty. */
const typed = z
  .string('Bank value must be an amount')
  .regex(/^(\d{1,12}(\.\d{0,2})?)?$/, 'Bank value must be an amount with at most two decimals')

const change = z.strictObject({
  id: z.int().positive().nullish(),
  /** The value that the user saw. If another one is stored, nothing changes and the response is 409. */
  current_value: typed,
  new_value: typed,
  /** The remaining edits that the user saw. The server has its own count. */
  attempts: z.int().min(0).max(bankEditsPerDay).optional(),
  /** Whether `locked` is stored too. The lock call always stores it. */
  handle_lock: z.boolean().optional(),
  locked: z.boolean(),
  source: z.enum(['input', 'button']).optional(),
})
export type BankValueChange = z.infer<typeof change>

const changed = z.object({ success: z.boolean(), message: z.string(), ...bankValue.shape })

const path = '/global_batch_bank_value'

export const bankValueCalls = {
  get: call({
    name: 'global_batch_bank_value.get',
    method: 'GET',
    path,
    may: 'global_batch.read',
    summary: 'The bank value of the New York day, and what today’s batches leave of it',
    reply: bankValue,
  }),
  update: call({
    name: 'global_batch_bank_value.update',
    method: 'PATCH',
    path,
    may: 'global_batch.update',
    summary: 'Changes the bank value of the day; each change costs one of the day’s edits, and the last one locks it',
    body: change,
    reply: changed,
  }),
  lock: call({
    name: 'global_batch_bank_value.lock',
    method: 'PATCH',
    path: `${path}/lock`,
    may: 'global_batch.update',
    summary: 'Locks or unlocks the bank value of the day, after the value that was typed beside the button',
    body: change,
    reply: changed,
  }),
}
