/**
 * The reversal of a vendor payment: a voided check, or a returned transfer. It is a separate record, one row for each bill; the bills are unpaid
 * again and leave their batch.
 */
import { z } from 'zod'
import { date, text } from '../kernel/entity.ts'
import { sum } from './payment-bill.ts'

export const reversalKinds = [
  { value: 'void_check', label: 'Void check' },
  { value: 'ach_return', label: 'ACH return' },
  { value: 'other', label: 'Other' },
] as const
export const reversalReasonMax = 500
const kinds = reversalKinds.map(({ value }) => value)
const reversalKind = z.enum(kinds, { error: () => `Kind must be one of ${kinds.join(', ')}` })

/** The body of a reversal. The code is the bank's, R01 to R99, and only for a return. */
export const reversalDraft = z
  .strictObject({
    kind: reversalKind,
    return_code: z
      .string('Return Code must be text')
      .regex(/^R\d\d$/, 'Return Code must be R and two digits')
      .nullable()
      .optional(),
    reversed_date: date('Reversed On').schema,
    reason: text('Reason', reversalReasonMax).schema,
  })
  .refine(({ kind, return_code: code }) => kind === 'ach_return' || code === undefined || code === null, {
    path: ['return_code'],
    error: 'Only an ACH return has a return code',
  })
export type ReversalDraft = z.infer<typeof reversalDraft>

export const paymentReversal = z.object({
  id: z.int(),
  bill_id: z.int(),
  account_number: z.string(),
  bill_date: z.string(),
  kind: reversalKind,
  return_code: z.string().nullable(),
  amount: sum,
  reversed_date: z.string(),
  reason: z.string(),
  created_by_name: z.string().nullable(),
  created_at: z.string(),
})
export type PaymentReversal = z.infer<typeof paymentReversal>
