/**
 * A model in memory of one client's bills in its client batches and vendor batches. It says of each call whether it is done or why it is
 * refused, and what it changes. It is written from docs/client-batches.md and docs/vendor-batches.md, and reads no code of the product.
 */
type Cents = number

/** The answer to a call: done, or the code of its refusal. */
export type Code = 'done' | 'not_found' | 'stale' | 'refused' | 'invalid' | 'unavailable' | 'overloaded'

export interface ModelVendor {
  readonly id: number
  readonly method: string | null
  readonly isExclusive: boolean
}

export interface ModelBill {
  readonly id: number
  readonly due: Cents
  readonly isParked: boolean
  /** True if the amount due is the sum of its parts. */
  readonly addsUp: boolean
  vendor: number
  /** The amount that was entered for the bill. */
  keyed: Cents | null
  paid: boolean
  /** The client batch, the vendor batch, and the payment that hold it. */
  booked: number | null
  batch: number | null
  payment: number | null
  /** The amount that its vendor batch pays. */
  amount: Cents
}

export interface ModelPayment {
  readonly id: number
  readonly batch: number
  readonly vendor: number
  date: string | null
  number: string | null
  reversed: Cents
}

export interface ModelVendorBatch {
  readonly id: number
  version: number
  closed: boolean
  everClosed: boolean
  isPaid: boolean
  isLive: boolean
}

export interface ModelClientBatch {
  readonly id: number
  version: number
  closed: boolean
  everClosed: boolean
  invoiced: boolean
  /** The amount that its frozen lines owe to vendors; null while it is open. */
  frozen: Cents | null
}

export interface Model {
  readonly vendors: ReadonlyMap<number, ModelVendor>
  readonly bills: Map<number, ModelBill>
  readonly payments: Map<number, ModelPayment>
  readonly vendorBatches: Map<number, ModelVendorBatch>
  readonly clientBatches: Map<number, ModelClientBatch>
  /** The payments with a higher number were made since the model was read. */
  readonly lastPayment: number
  /** True if the model takes the other one of two ways that the documents leave open. */
  readonly takesOtherWay: boolean
  /** True once the model has met such a place. */
  metOpenPlace: boolean
}

export class Refused extends Error {
  readonly code: Code

  constructor(code: Code) {
    super(code)
    this.code = code
  }
}

/** Throws the code if the condition holds. */
export function refuseIf(condition: boolean, code: Code): void {
  if (condition) throw new Refused(code)
}

/** Returns the value; throws the code if there is none. */
export function found<Value>(value: Value | undefined, code: Code = 'not_found'): Value {
  if (value === undefined) throw new Refused(code)
  return value
}

/** Throws stale if a call names another version than the stored one. */
export function refuseOldVersion(row: { readonly version: number }, version: number | undefined): void {
  refuseIf(version !== undefined && version !== row.version, 'stale')
}

/** Returns the bills; throws invalid if one is no bill of the client. */
export const billsNamed = ({ bills }: Model, ids: readonly number[]): ModelBill[] => ids.map((id) => found(bills.get(id), 'invalid'))

export const sumOf = (bills: Iterable<{ readonly amount: Cents }>): Cents => [...bills].reduce((sum, { amount }) => sum + amount, 0)

/**
 * Returns all that the model says as text, for comparison. Payments that were made since the model was read have no number in it: the product
 * gives its own.
 */
export function told(model: Model): string {
  const bills = [...model.bills.values()].map(({ id, vendor, keyed, paid, booked, batch, amount }) => ({
    id,
    vendor,
    keyed,
    paid,
    booked,
    batch,
    amount,
  }))
  const payments = [...model.payments.values()].map(({ id, ...payment }) => ({
    id: id > model.lastPayment ? 'new' : id,
    ...payment,
    bills: [...model.bills.values()]
      .filter((bill) => bill.payment === id)
      .map((bill) => bill.id)
      .toSorted((a, b) => a - b),
  }))
  const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()
  return JSON.stringify({
    bills: sorted(bills),
    payments: sorted(payments),
    vendorBatches: sorted([...model.vendorBatches.values()]),
    clientBatches: sorted([...model.clientBatches.values()]),
  })
}
