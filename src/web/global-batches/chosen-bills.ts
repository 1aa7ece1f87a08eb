/**
 * The bills that a clerk has selected at the desk, with the amount to pay of each. The selection is kept by id in this tab, over pages, filters,
 * another sort, a reload and a new sign-in. Amounts of deselected bills are kept too, until the selection is reset.
 */
import { useMemo, useSyncExternalStore } from 'react'
import { z } from 'zod'
import type { BillAttributes } from '#contract/global-batches/global-batch.ts'
import { globalBill, type GlobalBill } from '#contract/global-batches/global-bill.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { differenceReason } from '#contract/payment-batches/payment-bill.ts'
import { mixConflict, type MixedBill } from '#contract/payment-batches/payment-mix.ts'
import type { DifferenceReason } from '../payment-batches/payment-batches.ts'
import { keepInTab, readInTab } from '../kernel/forms/form-draft.ts'
import { seconds } from '../kernel/notices/messages.ts'
import { notify, type NoticeInput } from '../ui/dialogs/notices.ts'
import { counted, mixedTypes, mixedVendors, ownWords } from './words.ts'

export interface Choice {
  readonly bills: readonly GlobalBill[]
  /** Typed amounts to pay in wire format, by bill id. */
  readonly amounts: Readonly<Record<string, string>>
  /** Why a typed amount is not the amount due, by bill id. */
  readonly reasons: Readonly<Record<string, DifferenceReason>>
}

export const nothingChosen: Choice = { bills: [], amounts: {}, reasons: {} }

/** Returns the fields of a bill that decide with which others it may be paid. */
export function mixOf(bill: Pick<GlobalBill, 'vendor_id' | 'vendor_name' | 'is_exclusive' | 'payment_method'>): MixedBill {
  const { vendor_id, vendor_name, payment_method } = bill
  return { vendor_id, vendor_name, payment_method, vendor_is_exclusive: bill.is_exclusive }
}

/** Returns the amount to pay of a bill: the typed one, else its initial one. */
export function amountOf(choice: Choice, bill: Pick<GlobalBill, 'id' | 'amount_paid'>): string {
  return choice.amounts[bill.id] ?? bill.amount_paid
}

/** Returns the bill with the amount to pay of it, and with the reason where that is not the amount due. */
export function asChosen(choice: Choice, bill: GlobalBill): GlobalBill {
  return { ...bill, amount_paid: amountOf(choice, bill), difference_reason: choice.reasons[bill.id] ?? null }
}

/** Returns the bills whose amount paid differs from the amount due without a reason. A member of a group is paid by its group's bill. */
export function unexplained(choice: Choice, bills: readonly GlobalBill[]): GlobalBill[] {
  return bills
    .map((bill) => asChosen(choice, bill))
    .filter((bill) => bill.amount_paid !== bill.amount_due && bill.difference_reason === null && !isPaidByGroup(bill))
}

/** True for the member of a group of which nothing is paid, because the bill of its group is. */
export const isPaidByGroup = ({ group_bill_id, amount_paid }: Pick<GlobalBill, 'group_bill_id' | 'amount_paid'>): boolean =>
  group_bill_id !== null && amount_paid === '0.00'

/**
 * Returns what a save says of each bill: the typed amount to pay, if any, its reason, and the amount due that is shown. The server pays its own amount where
 * none was typed, and refuses the save if another amount is due by now.
 */
export function attributesOf(choice: Choice, bills: readonly GlobalBill[]): BillAttributes[] {
  return bills.map(({ id, amount_due }) => {
    const typed = choice.amounts[id]
    const difference_reason = choice.reasons[id] ?? null
    return {
      id,
      amount_due,
      ...(typed === undefined ? {} : { amount_paid: typed }),
      ...(difference_reason === null ? {} : { difference_reason }),
    }
  })
}

export function totalOf(choice: Choice, bills: readonly GlobalBill[] = choice.bills): string {
  return sumMoney(bills.map((bill) => amountOf(choice, bill)))
}

/** Returns the notice why these bills may not be added to the selected ones; null if they may. */
export function refusedMix(chosen: readonly GlobalBill[], added: readonly GlobalBill[]): NoticeInput | null {
  const conflict = mixConflict([...chosen, ...added].map(mixOf))
  if (conflict === null) return null
  if (conflict.kind === 'exclusive') return mixedVendors('Bills', conflict.vendor, added.length > 1)
  const [others, type] = conflict.types
  return mixedTypes(type, others)
}

/**
 * Applies a click on the list's checkboxes; `ids` are all ids checked after it. `held` are the bills that a batch already has. Returns the new
 * selection, or why it is unchanged.
 */
export function ticked(
  choice: Choice,
  ids: ReadonlySet<number>,
  offered: readonly GlobalBill[],
  held: readonly GlobalBill[] = [],
): Choice | NoticeInput {
  const before = new Set(choice.bills.map(({ id }) => id))
  const kept = choice.bills.filter(({ id }) => ids.has(id))
  const added = offered.filter(({ id }) => ids.has(id) && !before.has(id))
  const refused = added.length > 0 ? refusedMix([...held, ...kept], added) : null
  return refused ?? { ...choice, bills: [...kept, ...added] }
}

export const isChoice = (answer: Choice | NoticeInput): answer is Choice => 'bills' in answer

const kept = z.object({
  bills: z.array(globalBill.row),
  amounts: z.record(z.string(), z.string()),
  reasons: z.record(z.string(), differenceReason.nullable()),
})
const choices = new Map<string, Choice>()
const listeners = new Set<() => void>()

/** Returns the selection of the desk, or of the batch to which bills are added. */
function choiceOf(key: string): Choice {
  const known = choices.get(key)
  if (known) return known
  const read = kept.safeParse(readInTab(key))
  const choice = read.success ? read.data : nothingChosen
  choices.set(key, choice)
  return choice
}

export function setChoice(key: string, choice: Choice): void {
  choices.set(key, choice)
  keepInTab(key, choice.bills.length === 0 && Object.keys(choice.amounts).length === 0 ? null : choice)
  for (const listener of listeners) listener()
}

/** Clears the selection. A notice offers an undo. */
export function resetChoice(key: string, choice: Choice): void {
  setChoice(key, nothingChosen)
  notify({
    kind: 'info',
    title: ownWords.selection_cleared,
    message: `${counted(choice.bills.length, 'bill')}, ${formatMoney(totalOf(choice))}`,
    duration: seconds.undo,
    action: { label: 'Undo', keys: 'mod+z', run: () => setChoice(key, choice) },
  })
}

export function useChoice(key: string) {
  const choice = useSyncExternalStore(subscribe, () => choiceOf(key))
  const ids = useMemo(() => new Set(choice.bills.map(({ id }) => id)), [choice])
  return { choice, ids, total: totalOf(choice) }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Keys of selections: of the desk, and of a batch to which bills are added. */
export const deskKey = 'global_batch'
export const addKey = (batchId: number): string => `global_batch ${batchId}`
