/**
 * Reasons a vendor batch or a global batch may not take or keep a bill. The rules are data in display order; the server turns each into one SQL
 * condition (server/payment-batches/payment-rules.ts), so that a list, a save and a close refuse the same bills for the same reasons.
 */
import { commonRefusals } from '../bills/batch-words.ts'

export const paymentRefusals = [
  'paid',
  'other_batch',
  'void',
  'group_child',
  'other_payer',
  'no_vendor',
  'inactive_vendor',
  'inactive_client',
  'no_pay_type',
  'parked',
  'incomplete',
  'header_math',
  'open_errors',
] as const
export type PaymentRefusal = (typeof paymentRefusals)[number]

export interface RefusedPaymentBill {
  readonly refusal: PaymentRefusal
  /** The live batch that holds the bill. */
  readonly other_batch_id: number | null
}

/** Returns the reason as shown beside the bill. */
export function paymentRefusalText({ refusal, other_batch_id }: RefusedPaymentBill): string {
  switch (refusal) {
    case 'other_batch':
      return `In vendor batch ${other_batch_id ?? ''}`.trim()
    case 'paid':
      return 'Paid already'
    case 'group_child':
      return 'Paid with the bill of its group'
    case 'other_payer':
      return 'Belongs to another division than the payer'
    case 'no_vendor':
      return 'Its account has no vendor'
    case 'inactive_vendor':
      return 'Its vendor is inactive'
    case 'inactive_client':
      return 'Its client is inactive'
    case 'no_pay_type':
      return 'Its vendor has no payment type of the desk'
    default:
      return commonRefusals[refusal]
  }
}
