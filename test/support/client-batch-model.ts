/** The effects of the calls of client batches in the model of test/support/batch-model.ts. */
import { billsNamed, found, refuseIf, refuseOldVersion, type Model, type ModelBill, type ModelClientBatch } from './batch-model.ts'

interface OfBatch {
  readonly batch: number
  readonly version?: number | undefined
}

export const bookedIn = ({ bills }: Model, batch: number): ModelBill[] => [...bills.values()].filter((bill) => bill.booked === batch)

export function bookNew(model: Model, { bills }: { readonly bills: readonly number[] }, made: number): void {
  const batch = { id: made, version: 0, closed: false, everClosed: false, invoiced: false, frozen: null }
  model.clientBatches.set(made, batch)
  setBills(model, batch, billsNamed(model, bills))
}

export function rebook(model: Model, act: OfBatch & { readonly bills: readonly number[] }): void {
  const batch = changed(model, act)
  const bills = billsNamed(model, act.bills)
  const before = bookedIn(model, batch.id).map(({ id }) => id)
  setBills(model, batch, bills)
  const after = bookedIn(model, batch.id).map(({ id }) => id)
  refuseIf(batch.closed && before.join() !== after.join(), 'invalid')
}

/** A bill is in one batch: the batch that has it keeps it, and the other call is refused as a whole. */
function setBills(model: Model, batch: ModelClientBatch, wanted: readonly ModelBill[]): void {
  const taken = wanted.filter(({ booked }) => booked !== batch.id)
  refuseIf(
    taken.some(({ booked }) => booked !== null),
    'refused',
  )
  refuseIf(
    taken.some(({ isParked }) => isParked),
    'invalid',
  )
  for (const bill of bookedIn(model, batch.id)) bill.booked = null
  for (const bill of wanted) bill.booked = batch.id
}

/** Closing freezes the lines of the bills, which must be in order by now. */
export function freeze(model: Model, act: OfBatch): void {
  const batch = changed(model, act)
  if (batch.closed) return
  const bills = bookedIn(model, batch.id)
  refuseIf(bills.length === 0 || bills.some(({ isParked, addsUp }) => isParked || !addsUp), 'refused')
  batch.closed = true
  batch.everClosed = true
  batch.frozen = bills.reduce((sum, { due }) => sum + due, 0)
}

export function thaw(model: Model, act: OfBatch): void {
  const batch = changed(model, act)
  refuseIf(batch.invoiced, 'invalid')
  batch.closed = false
  batch.frozen = null
}

export function invoice(model: Model, act: OfBatch, invoiced: boolean): void {
  const batch = changed(model, act)
  refuseIf(invoiced && !batch.closed, 'invalid')
  batch.invoiced = invoiced
}

export function unbook(model: Model, { batch: id }: OfBatch): void {
  const batch = found(model.clientBatches.get(id))
  refuseIf(batch.everClosed, 'refused')
  for (const bill of bookedIn(model, id)) bill.booked = null
  model.clientBatches.delete(id)
}

function changed(model: Model, { batch: id, version }: OfBatch): ModelClientBatch {
  const batch = found(model.clientBatches.get(id))
  refuseOldVersion(batch, version)
  batch.version += 1
  return batch
}
