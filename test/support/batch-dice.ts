/**
 * Random calls of client batches and vendor batches that mean something to the model in its present state, and the search for their order.
 */
import type { Dice } from './dice.ts'
import { outcomes, type Act } from './batch-acts.ts'
import { told, type Code, type Model, type ModelBill } from './batch-model.ts'
import { bookedIn } from './client-batch-model.ts'
import { heldBy, paidBy, paymentsIn } from './vendor-batch-model.ts'

/** An id that no record has. */
const NO_ID = 900_000_000

const vendorKinds = [
  'fill',
  'fill',
  'type',
  'close',
  'close',
  'close',
  'open',
  'delete',
  'sync',
  'add payment',
  ...Array<'pay'>(7).fill('pay'),
] as const
const clientKinds = ['rebook', 'rebook', 'freeze', 'thaw', 'invoice', 'do not invoice', 'unbook'] as const

/** @param foreign the id of a bill of another client */
export function randomAct(model: Model, dice: Dice, foreign: number): Act {
  return dice(3) === 0 ? clientAct(model, dice, foreign) : vendorAct(model, dice, foreign)
}

function vendorAct(model: Model, dice: Dice, foreign: number): Act {
  const live = [...model.vendorBatches.values()].filter((batch) => batch.isLive || dice(20) === 0)
  const open = live.filter(({ isPaid }) => !isPaid)
  const row = oneOf(dice, open.length > 0 && dice(4) > 0 ? open : live)
  const payment = row === undefined || dice(3) > 0 ? undefined : oneOf(dice, paymentsIn(model, row.id))?.id
  if (row === undefined || dice(open.length === 0 ? 2 : 10) === 0)
    return { kind: 'make', bills: someBills(model, dice, foreign), payment: dice(3) === 0 ? payment : undefined }
  const at = { batch: row.id, version: versionOf(row, dice) }
  const kind = row.isPaid && dice(3) === 0 ? 'open' : (oneOf(dice, vendorKinds) ?? 'sync')
  switch (kind) {
    case 'fill':
      return {
        ...at,
        kind,
        payment,
        bills: [
          ...kept(heldBy(model, row.id), dice),
          ...someBills(model, dice, foreign).filter((id) => !meetsPaid(model, row.id, id)),
        ].filter(isFirst),
      }
    case 'type': {
      const bills = dice(6) === 0 ? someBills(model, dice, foreign) : kept(heldBy(model, row.id), dice)
      return { ...at, kind, amounts: bills.map((bill) => [bill, dice(5) === 0 ? 0 : dice(20_000)]) }
    }
    case 'add payment':
      return { ...at, kind, vendor: oneOf(dice, [...model.vendors.keys()]) ?? 0 }
    case 'pay':
      return payAct(model, dice, row.id)
    default:
      return { ...at, kind }
  }
}

/**
 * True if the batch has paid the vendor of the bill. Such a bill joins the payment that is paid, which is a fault of the product: no call here
 * asks for it.
 */
function meetsPaid(model: Model, batch: number, id: number): boolean {
  const vendor = model.bills.get(id)?.vendor
  return heldBy(model, batch).some((bill) => bill.paid && bill.vendor === vendor && bill.id !== id)
}

/** The acts on a payment: mostly those that lead to its being paid. */
function payAct(model: Model, dice: Dice, batch: number): Act {
  const chosen = oneOf(dice, paymentsIn(model, batch))
  if (chosen === undefined) return { kind: 'sync', batch }
  const payment = dice(30) === 0 ? NO_ID : chosen.id
  if (paidBy(model, payment).some(({ paid }) => paid) && dice(3) > 0) return { kind: 'reverse', batch, payment }
  const roll = dice(10)
  if (roll === 0) return { kind: 'delete payment', batch, payment }
  if (roll === 1) return { kind: 'reverse', batch, payment }
  return { kind: 'number', batch, payment, number: String(10_000 + dice(20)) }
}

function clientAct(model: Model, dice: Dice, foreign: number): Act {
  const batches = [...model.clientBatches.values()]
  const row = oneOf(dice, batches)
  if (row === undefined || (dice(8) === 0 && batches.length < 4)) return { kind: 'book', bills: someBills(model, dice, foreign) }
  const at = { batch: dice(30) === 0 ? NO_ID : row.id, version: versionOf(row, dice) }
  const kind = oneOf(dice, clientKinds) ?? 'rebook'
  if (kind !== 'rebook') return { ...at, kind }
  return { ...at, kind, bills: [...kept(bookedIn(model, row.id), dice), ...someBills(model, dice, foreign)].filter(isFirst) }
}

/** Mostly bills that may be together; now and then one of another kind, a faulty one, one of another client, or none. */
function someBills({ bills, vendors }: Model, dice: Dice, foreign: number): number[] {
  const all = [...bills.values()]
  const method = oneOf(dice, ['Check', 'Check', 'Check', 'ACH', 'alone'])
  const isOfKind = (bill: ModelBill): boolean => {
    const vendor = vendors.get(bill.vendor)
    return vendor !== undefined && (vendor.isExclusive ? 'alone' : vendor.method) === method
  }
  const isFree = ({ batch, isParked, addsUp }: ModelBill): boolean => batch === null && !isParked && addsUp
  const meant = all.filter((bill) => isOfKind(bill) && (isFree(bill) || dice(12) === 0) && dice(2) === 0)
  const strange = dice(10) === 0 ? [oneOf(dice, all)?.id ?? 0] : []
  return [...meant.map(({ id }) => id), ...strange, ...(dice(40) === 0 ? [foreign] : [])].filter(isFirst)
}

const kept = (bills: readonly ModelBill[], dice: Dice): number[] => bills.filter(() => dice(4) > 0).map(({ id }) => id)
const isFirst = (id: number, place: number, all: readonly number[]): boolean => all.indexOf(id) === place

function versionOf({ version }: { readonly version: number }, dice: Dice): number | undefined {
  const roll = dice(12)
  if (roll > 4) return undefined
  return roll === 0 ? version + 1 : version
}

function oneOf<Value>(dice: Dice, values: readonly Value[]): Value | undefined {
  return values[dice(Math.max(values.length, 1))]
}

/** A call and what the product answered. */
export interface Answered {
  readonly act: Act
  readonly code: Code
  /** The id of what it made. */
  readonly id: number
}

/** Returns true if some order of the calls gives each its answer and leaves `after` behind. */
export function someOrderGives(before: Model, answered: readonly Answered[], after: string): boolean {
  const met = new Set<string>()
  return leads(before, answered)

  function leads(model: Model, left: readonly Answered[]): boolean {
    if (left.length === 0) return told(model) === after
    const key = `${left.map(({ act, code, id }) => `${JSON.stringify(act)}${code}${id}`).join()} ${told(model)}`
    if (met.has(key)) return false
    met.add(key)
    return left.some((one) => {
      const rest = left.filter((other) => other !== one)
      return outcomes(model, one.act, one.id).some(({ code, model: next }) => code === one.code && leads(next, rest))
    })
  }
}
