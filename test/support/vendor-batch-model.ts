/** The effects of the calls of vendor batches in the model of test/support/batch-model.ts. */
import {
  billsNamed,
  found,
  refuseIf,
  refuseOldVersion,
  sumOf,
  type Model,
  type ModelBill,
  type ModelPayment,
  type ModelVendorBatch,
} from './batch-model.ts'

interface OfBatch {
  readonly batch: number
  readonly version?: number | undefined
}
/** With `payment`, the bills are those of that payment alone. */
interface Filling {
  readonly bills: readonly number[]
  readonly payment?: number | undefined
}

export const heldBy = ({ bills }: Model, batch: number): ModelBill[] => [...bills.values()].filter((bill) => bill.batch === batch)
export const paidBy = ({ bills }: Model, payment: number): ModelBill[] => [...bills.values()].filter((bill) => bill.payment === payment)
export const paymentsIn = ({ payments }: Model, batch: number): ModelPayment[] =>
  [...payments.values()].filter((payment) => payment.batch === batch)

/** A new batch that names a payment of an open batch takes over its bills. */
export function makeBatch(model: Model, { bills, payment: id }: Filling, made: number): void {
  const own = id === undefined ? [] : leavePayment(model, found(model.payments.get(id), 'invalid'))
  const batch = { id: made, version: 0, closed: false, everClosed: false, isPaid: false, isLive: true }
  model.vendorBatches.set(made, batch)
  const wanted = billsNamed(model, bills)
  setBills(model, batch, [...new Set([...wanted, ...own])], null)
}

function leavePayment(model: Model, payment: ModelPayment): ModelBill[] {
  const batch = found(model.vendorBatches.get(payment.batch))
  refuseIf(!batch.isLive, 'invalid')
  refuseIf(batch.closed, 'refused')
  const bills = paidBy(model, payment.id)
  refuseIf(
    bills.some(({ paid }) => paid),
    'invalid',
  )
  for (const bill of bills) leave(bill)
  homeBills(model, batch.id)
  return bills
}

export function fillBatch(model: Model, act: OfBatch & Filling): void {
  const batch = changed(model, act)
  const wanted = billsNamed(model, act.bills)
  const payment = act.payment === undefined ? null : found(model.payments.get(act.payment), 'invalid')
  refuseIf(payment !== null && payment.batch !== act.batch, 'invalid')
  refuseIf(payment !== null && !takesBills(model, payment), 'refused')
  setBills(model, batch, wanted, payment)
}

function setBills(model: Model, batch: ModelVendorBatch, wanted: readonly ModelBill[], payment: ModelPayment | null): void {
  const held = heldBy(model, batch.id)
  const taken = wanted.filter((bill) => bill.batch !== batch.id)
  refuseIf(
    taken.some((bill) => bill.paid || bill.batch !== null),
    'refused',
  )
  const released = held.filter((bill) => !wanted.includes(bill) && (payment === null || bill.payment === payment.id))
  const moved = payment === null ? [] : wanted.filter((bill) => bill.batch === batch.id && bill.payment !== payment.id)
  const isFaulty = taken.some((bill) => bill.isParked || !bill.addsUp)
  const ofAnother = payment !== null && wanted.some((bill) => bill.vendor !== payment.vendor)
  refuseIf(isFaulty || ofAnother || [...released, ...moved].some(({ paid }) => paid), 'invalid')
  refuseIf(batch.closed && taken.length + released.length > 0, 'invalid')
  if (batch.closed && moved.length > 0) openPlace(model, () => refuseIf(true, 'invalid'))
  const left = [...released, ...moved].map((bill) => bill.payment)
  for (const bill of released) leave(bill)
  for (const bill of taken) take(model, batch.id, bill, payment)
  for (const bill of moved) bill.payment = payment?.id ?? null
  for (const id of left) dropIfEmpty(model, id)
  refuseIf(!mayBeTogether(model, heldBy(model, batch.id)), 'invalid')
}

/** One batch has one payment type, and an exclusive vendor shares it with no other. */
function mayBeTogether({ vendors }: Model, bills: readonly ModelBill[]): boolean {
  const all = [...new Set(bills.map(({ vendor }) => vendor))].map((id) => found(vendors.get(id)))
  return new Set(all.map(({ method }) => method)).size <= 1 && (all.length <= 1 || all.every(({ isExclusive }) => !isExclusive))
}

function take(model: Model, batch: number, bill: ModelBill, payment: ModelPayment | null): void {
  bill.amount = bill.keyed ?? bill.due
  bill.batch = batch
  bill.payment = (payment ?? paymentFor(model, batch, bill.vendor)).id
}

/** A payment that was paid or reversed takes no more bills. */
const takesBills = (model: Model, { id, reversed }: ModelPayment): boolean => reversed === 0 && paidBy(model, id).every(({ paid }) => !paid)

/** Returns the first payment of the vendor in the batch that takes bills, made if there is none. */
function paymentFor(model: Model, batch: number, vendor: number): ModelPayment {
  const own = paymentsIn(model, batch).filter((payment) => payment.vendor === vendor && takesBills(model, payment))
  const [first] = own.toSorted((a, b) => a.id - b.id)
  if (first) return first
  const id = Math.max(0, model.lastPayment, ...model.payments.keys()) + 1
  const made = { id, batch, vendor, date: null, number: null, reversed: 0 }
  model.payments.set(id, made)
  return made
}

export function leave(bill: ModelBill): void {
  bill.batch = null
  bill.payment = null
  bill.amount = 0
}

function dropIfEmpty(model: Model, id: number | null): void {
  const payment = model.payments.get(id ?? 0)
  if (payment && payment.reversed === 0 && paidBy(model, payment.id).length === 0) model.payments.delete(payment.id)
}

/** Amounts are typed while the batch is open and the bill unpaid, and are kept with the bill. */
export function typeAmounts(model: Model, act: OfBatch & { readonly amounts: readonly (readonly [number, number])[] }): void {
  const batch = changed(model, act)
  refuseIf(batch.closed && act.amounts.length > 0, 'invalid')
  for (const [id, cents] of act.amounts) {
    const bill = found(model.bills.get(id), 'invalid')
    refuseIf(bill.batch !== batch.id, 'invalid')
    if (bill.amount === cents) continue
    refuseIf(bill.paid, 'invalid')
    bill.amount = cents
    bill.keyed = cents
  }
}

/** Closing pays the payments that have a date and an ID. */
export function closeBatch(model: Model, act: OfBatch): void {
  const batch = changed(model, act)
  if (batch.closed) return
  const unpaid = paymentsIn(model, batch.id)
    .map((payment) => ({ ...payment, bills: paidBy(model, payment.id) }))
    .filter(({ bills }) => bills.some(({ paid }) => !paid))
  const ready = unpaid.filter(({ date, number }) => date !== null && number !== null)
  refuseIf(ready.length === 0 || ready.some(({ bills }) => sumOf(bills) <= 0), 'refused')
  for (const bill of ready.flatMap(({ bills }) => bills)) {
    bill.paid = true
    bill.keyed = bill.amount
  }
  batch.closed = true
  batch.everClosed = true
  batch.isPaid = ready.length === unpaid.length
}

export function openBatch(model: Model, act: OfBatch): void {
  const batch = changed(model, act)
  refuseIf(batch.isPaid, 'refused')
  batch.closed = false
}

export function deleteBatch(model: Model, { batch: id }: OfBatch): void {
  const batch = liveBatch(model, id)
  refuseIf(batch.everClosed, 'refused')
  for (const bill of heldBy(model, id)) leave(bill)
  batch.isLive = false
  batch.version += 1
}

export function syncBatch(model: Model, { batch: id }: OfBatch): void {
  refuseIf(liveBatch(model, id).closed, 'refused')
  homeBills(model, id)
}

/** Moves each bill to a payment of its own vendor, and deletes payments without a bill. */
function homeBills(model: Model, batch: number): void {
  const homeless = heldBy(model, batch).filter((bill) => model.payments.get(bill.payment ?? 0)?.vendor !== bill.vendor)
  for (const bill of homeless) bill.payment = paymentFor(model, batch, bill.vendor).id
  for (const { id } of paymentsIn(model, batch)) dropIfEmpty(model, id)
}

export function liveBatch(model: Model, id: number): ModelVendorBatch {
  const batch = found(model.vendorBatches.get(id))
  refuseIf(!batch.isLive, 'not_found')
  return batch
}

function changed(model: Model, { batch: id, version }: OfBatch): ModelVendorBatch {
  const batch = liveBatch(model, id)
  refuseOldVersion(batch, version)
  batch.version += 1
  return batch
}

/** Takes the one way, or the other one if the model is asked for it. */
function openPlace(model: Model, otherWay: () => void): void {
  model.metOpenPlace = true
  if (model.takesOtherWay) otherWay()
}
