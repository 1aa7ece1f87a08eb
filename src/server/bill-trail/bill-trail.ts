/** The trail of a bill. A step is read only if the reader may read its records. The front door of the slice. */
import { billTrailCalls, type BillTrail, type TrailStep } from '#contract/bill-trail/bill-trail.ts'
import { sql } from 'kysely'
import { mustSeeBill } from '../bills/bills.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { askedBy } from '../kernel/lists/resource.ts'
import { mayIn } from '../kernel/principal.ts'
import { noSuch } from '../kernel/problem.ts'
import { bookedSteps } from './booked-steps.ts'
import { chargedSteps } from './charged-steps.ts'
import { paidSteps } from './paid-steps.ts'
import { hiddenStep, type TrailedBill } from './trail-step.ts'

export const billTrailHandlers: readonly Handler[] = [
  handle(billTrailCalls.get, async (context, { params }) => {
    await mustSeeBill(context, params.id, askedBy(context, params))
    return { trail: await readTrail(context, params.client_id, params.id) }
  }),
]

async function readTrail(context: Context, clientId: number, id: number): Promise<BillTrail> {
  const { tx, principal } = context
  const bill = await headOf(context, clientId, id)
  const readsBooks = mayIn(principal, 'accounting_batch.read', clientId)
  const readsPayments = mayIn(principal, 'payment_batch.read', clientId)
  const steps: TrailStep[] = [
    ...(await chargedSteps(tx, bill)),
    ...(readsBooks ? await bookedSteps(tx, bill) : [...(['ledger', 'client_batch', 'upload_file', 'invoice'] as const)].map(hiddenStep)),
    ...(readsPayments
      ? await paidSteps(tx, bill, mayIn(principal, 'global_batch.read', clientId))
      : [...(['vendor_payment', 'approval', 'payment_file', 'reversal'] as const)].map(hiddenStep)),
  ]
  return {
    bill_id: bill.id,
    client_id: clientId,
    account_number: bill.account_number,
    vendor_name: bill.vendor_name,
    date: bill.date,
    charged: bill.amount_due,
    booked: steps.find(({ key }) => key === 'ledger')?.booked ?? null,
    paid: steps.find(({ key }) => key === 'vendor_payment')?.paid ?? null,
    breaks_at: steps.find(({ mark }) => mark === 'broken')?.key ?? null,
    steps,
  }
}

async function headOf({ tx }: Context, clientId: number, id: number): Promise<TrailedBill> {
  const { rows } =
    await sql<TrailedBill>`select bills.id, bills.client_id, bills.account_number, vendors.name as vendor_name, bills.date, bills.balance_forward,
      bills.current_charges, bills.late_fee, bills.amount_due, bills.amount_paid, bills.paid or bills.finalized as paid, bills.source, bills.created_at, bills.created_by,
      bills.superseded_by_id, bills.group_bill_id, bills.vendor_payment_id, bills.accounting_batch_id
    from bills left join vendors on vendors.id = bills.vendor_id where bills.client_id = ${clientId} and bills.id = ${id}`.execute(tx)
  const [bill] = rows
  if (!bill) throw noSuch('Bill')
  return bill
}
