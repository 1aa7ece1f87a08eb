/** A bill as the pages of a vendor batch and of a vendor payment show it. */
import { z } from 'zod'
import { accountTypes } from '../bills/bill.ts'
import { paymentRefusals } from './payment-refusal.ts'

/** A sum of money as text, two decimals. */
export const sum = z.string().regex(/^-?\d+\.\d\d$/)

/** Why something else is paid than the amount due. */
export const differenceReasons = [
  { value: 'credit_taken', label: 'Credit taken' },
  { value: 'prior_balance_unpaid', label: 'Prior balance unpaid' },
  { value: 'partial', label: 'Partial payment' },
  { value: 'other', label: 'Other' },
] as const
const reasonValues = differenceReasons.map(({ value }) => value)
const differenceReason = z.enum(reasonValues, { error: () => `Difference Reason must be one of ${reasonValues.join(', ')}` })

export const paymentBill = z.object({
  id: z.int(),
  client_id: z.int(),
  account_type: z.enum(accountTypes.map(({ value }) => value)),
  account_id: z.int(),
  account_number: z.string(),
  account_name: z.string().nullable(),
  vendor_id: z.int().nullable(),
  vendor_name: z.string().nullable(),
  vendor_is_exclusive: z.boolean(),
  payment_method: z.string().nullable(),
  division_name: z.string().nullable(),
  facility_name: z.string().nullable(),
  invoice_number: z.string().nullable(),
  date: z.string(),
  due_date: z.string(),
  amount_due: sum,
  /** What the batch pays of it; before it is in a batch, what the batch would start with. */
  amount_paid: sum,
  /** Why that is not the amount due; null where it is, or where nobody has said it. */
  difference_reason: differenceReason.nullable(),
  paid: z.boolean(),
  /** The payment of this batch that pays it. */
  vendor_payment_id: z.int().nullable(),
  /** Why the batch may not take or keep it; null where it may. */
  refusal: z.enum(paymentRefusals).nullable(),
  /** The live batch that holds it, where that is another one. */
  other_batch_id: z.int().nullable(),
})
export type PaymentBill = z.infer<typeof paymentBill>

/**
 * What a batch pays of a bill, where that is not what it starts with, and why. Digits only: a credit comes in as it is, and may be set to 0.
 * What is left out stays as it is; a reason goes by itself where nothing differs any more.
 */
export const billAmount = z.strictObject({
  bill_id: z.int('Bill must be an id').positive('Bill must be an id'),
  amount_paid: z
    .string('Amount Paid must be an amount')
    .regex(/^\d{1,8}(\.\d{1,2})?$/, 'Amount Paid must be an amount from 0 to 99,999,999.99')
    .optional(),
  difference_reason: differenceReason.nullable().optional(),
})
