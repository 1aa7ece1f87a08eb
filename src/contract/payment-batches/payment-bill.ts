/** A bill on the pages of a vendor batch and of a vendor payment. */
import { z } from 'zod'
import { amount, batchedBillShape } from '../bills/batched-bill.ts'
import { paymentRefusals } from './payment-refusal.ts'

export const amountPaidWords = {
  kind: 'Amount Paid must be an amount',
  range: 'Amount Paid must be an amount from 0 to 99,999,999.99',
} as const

export const sum = amount

/** Reasons for paying a different amount than the amount due. */
export const differenceReasons = [
  { value: 'credit_taken', label: 'Credit taken' },
  { value: 'prior_balance_unpaid', label: 'Prior balance unpaid' },
  { value: 'partial', label: 'Partial payment' },
  { value: 'other', label: 'Other' },
] as const
const reasonValues = differenceReasons.map(({ value }) => value)
export const differenceReason = z.enum(reasonValues, { error: () => `Difference Reason must be one of ${reasonValues.join(', ')}` })

export const paymentBill = z.object({
  ...batchedBillShape,
  vendor_is_exclusive: z.boolean(),
  payment_method: z.string().nullable(),
  /** The amount the batch pays; for an unbatched bill, the initial amount. */
  amount_paid: sum,
  /** The reason it differs from the amount due; null if it does not, or none was given. */
  difference_reason: differenceReason.nullable(),
  paid: z.boolean(),
  /** The payment of this batch that pays it. */
  vendor_payment_id: z.int().nullable(),
  /** The reason the batch may not take or keep it, or null. */
  refusal: z.enum(paymentRefusals).nullable(),
  /** Id of the live batch that holds it, if that is another one. */
  other_batch_id: z.int().nullable(),
})
export type PaymentBill = z.infer<typeof paymentBill>

/** The amount due that the person was shown. If another is due by now, the save is refused with 409 and names the bill. */
export const seenAmountDue = z
  .string('Amount Due must be an amount')
  .regex(/^-?\d{1,8}\.\d\d$/, 'Amount Due must be an amount with two decimals')

/**
 * The amount a batch pays for a bill if it is not the initial one, and the reason. Digits only: a credit keeps its amount or may be set to 0.
 * Missing values stay unchanged; a reason is cleared if the amount no longer differs.
 */
export const billAmount = z.strictObject({
  bill_id: z.int('Bill must be an id').positive('Bill must be an id'),
  amount_paid: z
    .string(amountPaidWords.kind)
    .regex(/^\d{1,8}(\.\d{1,2})?$/, amountPaidWords.range)
    .optional(),
  amount_due: seenAmountDue.optional(),
  difference_reason: differenceReason.nullable().optional(),
})
