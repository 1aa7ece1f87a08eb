/** The bills that a user has ticked on a batch's page and not saved yet. They survive a reload of the batch that others have changed. */
import { useMemo, useState } from 'react'
import type { PaymentBill } from '#contract/payment-batches/payment-bill.ts'
import { addFault, mixOfBills } from '#contract/payment-batches/payment-mix.ts'
import { dueNowText } from '../batches/batches.ts'
import { refusalOf, type ChoosableBill } from './bill-columns.tsx'

export interface Choice {
  /** Bills that were found and are not in the batch yet. */
  readonly added: readonly PaymentBill[]
  readonly unticked: ReadonlySet<number>
  /** Amounts due, by bill id, that the user was shown when the server refused what they did. */
  readonly shownDue: Readonly<Record<number, string>>
}
export const nothingChosen: Choice = { added: [], unticked: new Set(), shownDue: {} }

export function useBillChoice(held: readonly PaymentBill[]) {
  const [choice, setChoice] = useState(nothingChosen)
  const heldIds = useMemo(() => new Set(held.map((bill) => bill.id)), [held])
  const added = useMemo(() => choice.added.filter((bill) => !heldIds.has(bill.id)), [choice.added, heldIds])
  const all = useMemo(() => [...added, ...held], [added, held])
  // The batch's own bills stay selected. A found bill does as long as it goes with all before it.
  const ticked = useMemo(() => tickedOf(held, added, choice.unticked), [held, added, choice.unticked])
  const choosable = useMemo(() => withReasons(all, ticked, choice.shownDue), [all, ticked, choice.shownDue])
  const isHeld = (bill: PaymentBill) => heldIds.has(bill.id)
  return { choice, setChoice, choosable, ticked, isHeld, dirty: ticked.length !== held.length || ticked.some((bill) => !isHeld(bill)) }
}

function tickedOf(held: readonly PaymentBill[], added: readonly PaymentBill[], unticked: ReadonlySet<number>): PaymentBill[] {
  const ticked = held.filter((bill) => bill.refusal === null && !unticked.has(bill.id))
  let mix = mixOfBills(ticked)
  for (const bill of added) {
    if (bill.refusal !== null || unticked.has(bill.id) || addFault(mix, bill) !== null) continue
    ticked.push(bill)
    if (!mix.some((one) => one.vendor_id === bill.vendor_id && one.payment_method === bill.payment_method)) mix = [...mix, bill]
  }
  return ticked
}

function withReasons(
  bills: readonly PaymentBill[],
  ticked: readonly PaymentBill[],
  shownDue: Readonly<Record<number, string>>,
): ChoosableBill[] {
  const ids = new Set(ticked.map((bill) => bill.id))
  const mix = mixOfBills(ticked)
  return bills.map((bill) => ({
    ...bill,
    reason: refusalOf(bill) ?? (ids.has(bill.id) ? undefined : (addFault(mix, bill) ?? undefined)),
    due_now: dueNowText(shownDue[bill.id], bill.amount_due),
  }))
}
