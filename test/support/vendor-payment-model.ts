/** The effects of the calls of vendor payments in the model of test/support/batch-model.ts. */
import { found, refuseIf, sumOf, type Model, type ModelPayment, type ModelVendorBatch } from './batch-model.ts'
import { leave, liveBatch, paidBy } from './vendor-batch-model.ts'

interface OfPayment {
  readonly batch: number
  readonly payment: number
}

export function addPayment(model: Model, { batch: id, vendor }: { readonly batch: number; readonly vendor: number }): void {
  refuseIf(liveBatch(model, id).closed, 'refused')
  const next = Math.max(0, model.lastPayment, ...model.payments.keys()) + 1
  model.payments.set(next, { id: next, batch: id, vendor, date: null, number: null, reversed: 0 })
}

export function numberPayment(model: Model, act: OfPayment & { readonly date: string; readonly number: string }): void {
  const { batch, payment } = reached(model, act)
  const isSame = payment.date === act.date && payment.number === act.number
  refuseIf(isLocked(model, batch, payment) && !isSame, 'refused')
  payment.date = act.date
  payment.number = act.number
}

export function deletePayment(model: Model, act: OfPayment): void {
  refuseIf(liveBatch(model, act.batch).closed, 'refused')
  const { batch, payment } = reached(model, act)
  refuseIf(isLocked(model, batch, payment), 'refused')
  for (const bill of paidBy(model, payment.id)) leave(bill)
  model.payments.delete(payment.id)
}

/** The bills of a reversed payment are unpaid again and leave the batch; what was paid of them stays entered. */
export function reverse(model: Model, act: OfPayment): void {
  const { payment } = reached(model, act)
  const bills = paidBy(model, payment.id).filter(({ paid }) => paid)
  refuseIf(bills.length === 0, 'refused')
  payment.reversed += sumOf(bills)
  for (const bill of bills) {
    bill.paid = false
    leave(bill)
  }
}

function isLocked(model: Model, batch: ModelVendorBatch, payment: ModelPayment): boolean {
  return batch.closed || payment.reversed > 0 || paidBy(model, payment.id).some(({ paid }) => paid)
}

function reached(model: Model, { batch: id, payment: of }: OfPayment): { batch: ModelVendorBatch; payment: ModelPayment } {
  const batch = liveBatch(model, id)
  const payment = found(model.payments.get(of))
  refuseIf(payment.batch !== id, 'not_found')
  return { batch, payment }
}
