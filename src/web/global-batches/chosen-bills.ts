/**
 * The bills that a clerk has chosen at the desk, with what is to be paid of each. The choice is kept by id in this tab: it outlives pages,
 * filters, another sort, a reload and a new sign-in. Amounts of bills that are not chosen are kept too, until the choice is reset.
 */
import { useMemo, useSyncExternalStore } from 'react'
import { z } from 'zod'
import { globalBill, type GlobalBill } from '#contract/global-batches/global-bill.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { mixConflict, type MixedBill } from '#contract/payment-batches/payment-mix.ts'
import { keepInTab, readInTab } from '../kernel/forms/form-draft.ts'
import { seconds } from '../kernel/notices/messages.ts'
import { notify, type NoticeInput } from '../ui/dialogs/notices.ts'
import { counted, mixedTypes, mixedVendors, ownWords } from './words.ts'

export interface Choice {
  readonly bills: readonly GlobalBill[]
  /** What was typed to be paid, by the id of the bill, as money on the wire. */
  readonly amounts: Readonly<Record<string, string>>
}

export const nothingChosen: Choice = { bills: [], amounts: {} }

/** The part of a bill that decides beside which others it may be paid. */
export function mixOf(bill: Pick<GlobalBill, 'vendor_id' | 'vendor_name' | 'is_exclusive' | 'payment_method'>): MixedBill {
  const { vendor_id, vendor_name, payment_method } = bill
  return { vendor_id, vendor_name, payment_method, vendor_is_exclusive: bill.is_exclusive }
}

/** What is to be paid of a bill: what was typed, else what it starts with. */
export function amountOf(choice: Choice, bill: Pick<GlobalBill, 'id' | 'amount_paid'>): string {
  return choice.amounts[bill.id] ?? bill.amount_paid
}

export function totalOf(choice: Choice, bills: readonly GlobalBill[] = choice.bills): string {
  return sumMoney(bills.map((bill) => amountOf(choice, bill)))
}

/** Why these bills may not come to the chosen ones, as it is said; null where they may. */
export function refusedMix(chosen: readonly GlobalBill[], added: readonly GlobalBill[]): NoticeInput | null {
  const conflict = mixConflict([...chosen, ...added].map(mixOf))
  if (conflict === null) return null
  if (conflict.kind === 'exclusive') return mixedVendors('Bills', conflict.vendor, added.length > 1)
  const [others, type] = conflict.types
  return mixedTypes(type, others)
}

/** Chosen by hand: the whole list of ticks after a click. `held` are the bills that a batch has already. Answers the new choice, or why it stays as it was. */
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

const kept = z.object({ bills: z.array(globalBill.row), amounts: z.record(z.string(), z.string()) })
const choices = new Map<string, Choice>()
const listeners = new Set<() => void>()

/** The choice of the desk, or of the batch to which bills are added. */
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

/** Ends the choice. A notice brings it back. */
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

/** Keys of choices: of the desk, and of the batch that takes more bills. */
export const deskKey = 'global_batch'
export const addKey = (batchId: number): string => `global_batch ${batchId}`
