/** The group bill that carries a bill, as far as a save determines it: a user's choice, an inherited place, or nothing. */
import type { BillDraft, CheckedBill } from '#contract/bills/bill-draft.ts'
import type { References } from './bill-references.ts'

/** For a new bill: a group bill that it names is a choice; the bill that it replaces leaves it its place in the group, chosen or not. */
export function withGroupOfNew(draft: CheckedBill, references: References): CheckedBill {
  if (draft.group_bill_chosen) return draft
  return draft.group_bill_id === null ? withPlaceOfOriginal(draft, references) : { ...draft, group_bill_chosen: true }
}

/**
 * For an edit: another group bill than the present one is a choice, unless the body says what it is; a bill that moves to another account
 * leaves its group bill.
 */
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
