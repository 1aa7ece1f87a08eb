/** Notes reversed payments that a bank returned. */
import type { ReversalDraft } from '#contract/payment-batches/payment-reversal.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'

/** One payment to take back, or of a payment whose bills were paid one by one, one of them. */
export interface Reversing extends ReversalDraft {
  readonly payment_batch_id: number
  readonly vendor_payment_id: number
  /** Null: all bills that the payment has paid. */
  readonly bill_id: number | null
}

/** The payments themselves say what the bank answered. */
export async function noteReturns(context: Context, clientId: number, returns: readonly Reversing[]): Promise<void> {
  const told = [...new Map(returns.map((one) => [one.vendor_payment_id, one])).values()].map(
    ({ vendor_payment_id: id, return_code = null, reversed_date }) => ({ id, return_code, reversed_date }),
  )
  if (told.length === 0) return
  await sql`update vendor_payments set return_code = told.return_code, returned_date = told.reversed_date, lock_version = lock_version + 1,
      updated_at = ${now()}
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as told(id bigint, return_code text, reversed_date date)
    where vendor_payments.client_id = ${clientId} and vendor_payments.id = told.id`.execute(context.tx)
  await context.audit.many(
    told.map(({ id, return_code, reversed_date }): AuditEntry => ({
      event: 'update',
      item_type: 'vendor_payment',
      item_id: id,
      client_id: clientId,
      changes: {
        ...(return_code === null ? {} : { return_code: { from: null, to: return_code } }),
        returned_date: { from: null, to: reversed_date },
      },
    })),
  )
}
