/** What a save says of the group's bill that carries the bill: a choice of somebody, a place that it takes over, or nothing. */
import type { BillDraft, CheckedBill } from '#contract/bills/bill-draft.ts'
import type { References } from './bill-references.ts'

/** A new bill. What it names is a choice; what it replaces leaves it its place in the group, chosen or not. */
export function withGroupOfNew(draft: CheckedBill, references: References): CheckedBill {
  if (draft.group_bill_chosen) return draft
  return draft.group_bill_id === null ? withPlaceOfOriginal(draft, references) : { ...draft, group_bill_chosen: true }
}

/** An edit: another group's bill than the one that stands is a choice, unless it says what it is; a bill that moves leaves its group's bill. */
export function withGroupOfEdit(draft: CheckedBill, before: BillDraft, isSaid: boolean, references: References): CheckedBill {
  const stood = before.group_bill_id ?? null
  if (isSaid) return draft.group_bill_chosen || draft.group_bill_id === stood ? draft : { ...draft, group_bill_id: null }
  if (draft.group_bill_id !== stood) return { ...draft, group_bill_chosen: true }
  const hasMoved = draft.account_type !== before.account_type || draft.account_id !== before.account_id
  if (hasMoved && !draft.group_bill_chosen) return { ...draft, group_bill_id: null }
  const isNewRebill = draft.rebill_of_id !== null && draft.rebill_of_id !== (before.rebill_of_id ?? null)
  return isNewRebill && !draft.group_bill_chosen && stood === null ? withPlaceOfOriginal(draft, references) : draft
}

function withPlaceOfOriginal(draft: CheckedBill, references: References): CheckedBill {
  const original = draft.rebill_of_id === null || draft.rebill_mode !== 'replace' ? undefined : references.bills.get(draft.rebill_of_id)
  if (!original || (original.group_bill_id === null && !original.group_bill_chosen)) return draft
  return { ...draft, group_bill_id: original.group_bill_id, group_bill_chosen: true }
}
