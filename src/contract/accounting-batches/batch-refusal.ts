/**
 * Reasons a client batch may not take or keep a bill. The rules are data in display order; the server turns each into one SQL condition
 * (server/accounting-batches/batch-rules.ts), so that a list, a save and a close refuse the same bills for the same reasons.
 */
import { commonRefusals } from '../bills/batch-words.ts'

export const batchRefusals = [
  'other_batch',
  'void',
  'group_bill',
  'group_booked',
  'parked',
  'incomplete',
  'header_math',
  'open_errors',
] as const
export type BatchRefusal = (typeof batchRefusals)[number]

/** Reasons with which an open batch may hold a bill but not close: they can be fixed meanwhile. */
export const refusedAtCloseOnly: readonly BatchRefusal[] = ['header_math']

export interface RefusedBill {
  readonly refusal: BatchRefusal
  /** The code of the batch that holds the bill. */
  readonly other_batch_code: string | null
}

/** Returns the reason as shown beside the bill. */
export function batchRefusalText({ refusal, other_batch_code }: RefusedBill): string {
  switch (refusal) {
    case 'other_batch':
      return `In client batch ${other_batch_code ?? ''}`.trim()
    case 'group_bill':
      return 'Its subaccounts’ bills are batched instead'
    case 'group_booked':
      return 'The bill of its group is booked in a closed client batch'
    default:
      return commonRefusals[refusal]
  }
}
