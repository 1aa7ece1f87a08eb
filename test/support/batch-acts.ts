/** The calls of client batches and vendor batches as data: what each does in the model, and its request. */
import { wireOf } from '#contract/kernel/money.ts'
import type { Asked } from './requests.ts'
import { Refused, type Code, type Model } from './batch-model.ts'
import { bookNew, freeze, invoice, rebook, thaw, unbook } from './client-batch-model.ts'
import { closeBatch, deleteBatch, fillBatch, makeBatch, openBatch, syncBatch, typeAmounts } from './vendor-batch-model.ts'
import { addPayment, deletePayment, numberPayment, reverse } from './vendor-payment-model.ts'

interface OfBatch {
  readonly batch: number
  /** The version that the caller has seen; a call without one is accepted. */
  readonly version?: number | undefined
}
interface OfPayment {
  readonly batch: number
  readonly payment: number
}

export type Act =
  | { readonly kind: 'make'; readonly bills: readonly number[]; readonly payment?: number | undefined }
  | (OfBatch & { readonly kind: 'fill'; readonly bills: readonly number[]; readonly payment?: number | undefined })
  | (OfBatch & { readonly kind: 'type'; readonly amounts: readonly (readonly [bill: number, cents: number])[] })
  | (OfBatch & { readonly kind: 'close' | 'open' | 'delete' | 'sync' })
  | (OfBatch & { readonly kind: 'add payment'; readonly vendor: number })
  | (OfPayment & { readonly kind: 'number'; readonly number: string })
  | (OfPayment & { readonly kind: 'delete payment' | 'reverse' })
  | { readonly kind: 'book'; readonly bills: readonly number[] }
  | (OfBatch & { readonly kind: 'rebook'; readonly bills: readonly number[] })
  | (OfBatch & { readonly kind: 'freeze' | 'thaw' | 'invoice' | 'do not invoice' | 'unbook' })

interface Outcome {
  readonly code: Code
  /** The model afterwards; the same one if the call is refused. */
  readonly model: Model
}

/** The day of every payment. A reversal lies after it. */
const PAID_ON = '2026-11-02'
const REVERSED_ON = '2026-11-03'

/**
 * Returns what the call may answer and leave behind: one outcome, or two where the documents leave the way open.
 * @param made the id of the batch that the call makes
 */
export function outcomes(before: Model, act: Act, made: number): Outcome[] {
  const one = outcome(before, act, made, false)
  return one.model.metOpenPlace ? [one, outcome(before, act, made, true)].map(settled) : [settled(one)]

  function settled({ code, model }: Outcome): Outcome {
    return { code, model: code === 'done' ? { ...model, metOpenPlace: false } : before }
  }
}

function outcome(before: Model, act: Act, made: number, takesOtherWay: boolean): Outcome {
  const model: Model = { ...structuredClone(before), takesOtherWay, metOpenPlace: false }
  try {
    carryOut(model, act, made)
    return { code: 'done', model }
  } catch (error) {
    if (error instanceof Refused) return { code: error.code, model }
    throw error
  }
}

function carryOut(model: Model, act: Act, made: number): void {
  switch (act.kind) {
    case 'make':
      return makeBatch(model, act, made)
    case 'fill':
      return fillBatch(model, act)
    case 'type':
      return typeAmounts(model, act)
    case 'close':
      return closeBatch(model, act)
    case 'open':
      return openBatch(model, act)
    case 'delete':
      return deleteBatch(model, act)
    case 'sync':
      return syncBatch(model, act)
    case 'add payment':
      return addPayment(model, act)
    case 'number':
      return numberPayment(model, { ...act, date: PAID_ON })
    case 'delete payment':
      return deletePayment(model, act)
    case 'reverse':
      return reverse(model, act)
    case 'book':
      return bookNew(model, act, made)
    case 'rebook':
      return rebook(model, act)
    case 'freeze':
      return freeze(model, act)
    case 'thaw':
      return thaw(model, act)
    case 'invoice':
    case 'do not invoice':
      return invoice(model, act, act.kind === 'invoice')
    case 'unbook':
      return unbook(model, act)
  }
}

interface ActRequest extends Asked {
  readonly path: string
}

/** Returns the request of a call about one client. `code` is the code of a new client batch. */
export function requestOfAct(clientId: number, act: Act, code: string): ActRequest {
  const vendorBatches = `/clients/${clientId}/payment_batches`
  const clientBatches = `/clients/${clientId}/accounting_batches`
  const change = ({ batch, version }: OfBatch, values: object, more: object = {}): ActRequest => ({
    method: 'PATCH',
    path: `${vendorBatches}/${batch}`,
    body: { payment_batch: { ...values, ...(version === undefined ? {} : { lock_version: version }) }, ...more },
  })
  const changeBooked = ({ batch, version }: OfBatch, values: object): ActRequest => ({
    method: 'PATCH',
    path: `${clientBatches}/${batch}`,
    body: { accounting_batch: { ...values, ...(version === undefined ? {} : { lock_version: version }) } },
  })
  const ofPayment = ({ batch, payment }: OfPayment): string => `${vendorBatches}/${batch}/vendor_payments/${payment}`
  const meant = (payment: number | undefined): object => (payment === undefined ? {} : { vendor_payment_id: payment })
  switch (act.kind) {
    case 'make': {
      const head = { payer_type: 'Client', payer_id: clientId, batch_date: '2026-11-02', bills_due_date: '2026-11-16' }
      return { path: vendorBatches, body: { payment_batch: { ...head, bill_ids: act.bills }, ...meant(act.payment) } }
    }
    case 'fill':
      return change(act, { bill_ids: act.bills }, meant(act.payment))
    case 'type':
      return change(act, { bill_amounts: act.amounts.map(([bill_id, cents]) => ({ bill_id, amount_paid: wireOf(cents) })) })
    case 'close':
    case 'open':
      return change(act, { closed: act.kind === 'close' })
    case 'delete':
      return { method: 'DELETE', path: `${vendorBatches}/${act.batch}` }
    case 'sync':
      return { path: `${vendorBatches}/${act.batch}/create_missing_vendor_payments` }
    case 'add payment':
      return { path: `${vendorBatches}/${act.batch}/vendor_payments`, body: { vendor_payment: { vendor_id: act.vendor } } }
    case 'number':
      return { method: 'PATCH', path: ofPayment(act), body: { vendor_payment: { payment_date: PAID_ON, check_number: act.number } } }
    case 'delete payment':
      return { method: 'DELETE', path: ofPayment(act) }
    case 'reverse':
      return {
        path: `${ofPayment(act)}/reverse`,
        body: { payment_reversal: { kind: 'void_check', reversed_date: REVERSED_ON, reason: 'Lost in the mail' } },
      }
    case 'book':
      return { path: clientBatches, body: { accounting_batch: { batch_code: code, bill_ids: act.bills } } }
    case 'rebook':
      return changeBooked(act, { bill_ids: act.bills })
    case 'freeze':
    case 'thaw':
      return changeBooked(act, { closed: act.kind === 'freeze' })
    case 'invoice':
    case 'do not invoice':
      return changeBooked(act, { invoiced: act.kind === 'invoice' })
    case 'unbook':
      return { method: 'DELETE', path: `${clientBatches}/${act.batch}` }
  }
}
