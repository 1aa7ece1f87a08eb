/** The bodies and answers of the calls of vendor batches. */
import { z } from 'zod'
import type { Result } from '../kernel/call.ts'
import { paymentBill, type PaymentBill } from './payment-bill.ts'
import { type PaymentBatch, paymentBatch, type SeenClosing, seenClosing } from './batch-record.ts'

/** A save returns the batch, and its bills if `bill_ids` or `bill_amounts` was sent. */
export interface Saved extends Result {
  payment_batch?: PaymentBatch | undefined
  bills?: PaymentBill[] | undefined
}
export const saved: z.ZodType<Saved> = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.int().optional(),
  payment_batch: paymentBatch.row.optional(),
  bills: z.array(paymentBill).optional(),
})

/**
 * With `vendor_payment_id`, `bill_ids` are the bills of that payment only. `confirmation` is the typed total, if one user works alone. `pays` is
 * what the person was shown that a close pays; if it pays something else by now, the save is refused with 409.
 */
export interface Body<D> {
  payment_batch: D
  pays?: SeenClosing | undefined
  vendor_payment_id?: number | undefined
  confirmation?: string | undefined
}
export function bodyOf<D>(draft: z.ZodType<D>): z.ZodType<Body<D>> {
  return z.strictObject({
    payment_batch: draft,
    vendor_payment_id: z.int().positive().optional(),
    confirmation: z.string().max(30).optional(),
    pays: seenClosing.optional(),
  })
}

/** The calls below a batch accept the client of their path as a parameter too. */
export const clientInput = z.strictObject({ client_id: z.string().max(20).optional() })
export const startInput = z.strictObject({ connection_id: z.string().max(100).optional() })

export const synced = z.object({
  success: z.boolean(),
  message: z.string(),
  /** Counts of created payments, deleted empty payments, and bills moved to another payment. */
  made: z.int(),
  emptied: z.int(),
  moved: z.int(),
})
