/** Stores what a save says of a vendor batch besides its head: its bills, their amounts paid, and its close. */
import type { PaymentBatch, PaymentBatchDraft, SeenClosing } from '#contract/payment-batches/batch-record.ts'
import { mustBeProven } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import { mustBeApproved, takeBackApprovals } from './approve-batch.ts'
import { closePayments } from './close-payments.ts'
import { storeAmounts } from './store-amounts.ts'
import { storePaymentBills } from './store-payments.ts'
import type { MeantPayment } from './refuse-payments.ts'

/** How a person states a close: the typed total, and what it was shown to pay. */
export interface Stated {
  readonly confirmation?: string | undefined
  readonly pays?: SeenClosing | undefined
}

/** Changes the bills, then their amounts paid, then closes: one save may do all three. */
export async function storeState(
  context: Context,
  sent: Partial<PaymentBatchDraft>,
  { id, client_id }: { readonly id: number; readonly client_id: number },
  before: PaymentBatch | null,
  { payment, confirmation, pays }: Stated & { readonly payment: MeantPayment | null },
): Promise<void> {
  const batch = {
    id,
    client_id,
    payer_type: sent.payer_type ?? before?.payer_type ?? 'Client',
    payer_id: sent.payer_id ?? before?.payer_id ?? client_id,
  }
  const staysClosed = before !== null && before.closed && sent.closed !== false
  if (sent.bill_ids !== undefined) {
    const { taken, released, moved, before: count } = await storePaymentBills(context, batch, sent.bill_ids, payment)
    if (staysClosed && taken.length + released.length > 0)
      throw invalid({ bill_ids: ['This vendor batch is closed. Open it again to change its bills'] })
    if (taken.length + released.length > 0)
      await context.audit.updated('payment_batch', id, client_id, {
        bill_count: { from: count, to: count + taken.length - released.length },
      })
    if (taken.length + released.length + moved.length > 0) await takeBackApprovals(context, batch, 'Its bills changed')
  }
  if (sent.bill_amounts !== undefined && sent.bill_amounts.length > 0) {
    if (staysClosed) throw invalid({ bill_amounts: ['This vendor batch is closed. Open it again to change its amounts'] })
    const changed = await storeAmounts(context, batch, sent.bill_amounts)
    if (changed > 0) await takeBackApprovals(context, batch, 'An amount changed')
  }
  if (sent.closed === true && before?.closed !== true) {
    await mustBeProven(context)
    await mustBeApproved(context, batch, confirmation)
    await closePayments(context, batch, pays)
  }
}
