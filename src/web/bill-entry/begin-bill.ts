/** The initial values of the bill form: the kept draft, else the stored bill, else an empty bill with the values that were read for it. */
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { formFields } from '#contract/bills/bill-fields.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import { namesOf, ownOf, someOf } from '#contract/kernel/record.ts'
import type { Proposals, ReadValues } from './apply-reading.ts'
import type { BillValues, KeptBill } from './bill-values.ts'
import { startingCarried, type Carried } from './carried.ts'
import { readKeptBill } from './kept-bill.ts'
import { newValues, storedValues } from './starting-values.ts'

export interface BillBeginning {
  readonly entry: BillEntry
  /** The bill that is edited; null makes a new one. */
  readonly stored: BillDetail | null
  /** The name under which the draft is kept. */
  readonly draftName: string
  /** The initial values of a new bill that does not start empty; a correction starts as the bill that it corrects. */
  readonly start?: BillValues | undefined
  /** Fills the initial values with what was read from a document. */
  readonly propose?: ((base: BillValues, entry: BillEntry) => ReadValues) | undefined
}

export interface Begun {
  /** The values that changes are compared with: the stored bill, or the form before anything was read or typed. */
  readonly base: BillValues
  /** The form's values before anything was typed; while they are unchanged there is no draft to keep. */
  readonly untyped: ReadValues
  readonly values: BillValues
  readonly proposals: Proposals
  readonly carried: Carried | null
  readonly restored: boolean
  readonly lockVersion: number | null
}

export function beginning(source: BillBeginning): Begun {
  const begun = begunValues(source)
  return { ...begun, carried: carriedOf(source, begun.values, begun.proposals) }
}

/** Returns what Enter passes in an empty new bill; a stored bill and a correction carry nothing. */
export function carriedOf({ entry, stored, start }: BillBeginning, values: BillValues, proposals: Proposals): Carried | null {
  if (stored !== null || start !== undefined) return null
  return startingCarried(values, newValues(entry), entry, (path) => path in proposals)
}

function begunValues({ entry, stored, draftName, start, propose }: BillBeginning): Omit<Begun, 'carried'> {
  const base = stored ? storedValues(stored, entry) : (start ?? newValues(entry))
  const untyped = propose?.(base, entry) ?? { values: base, proposals: {} }
  const fresh = { base, untyped, ...untyped, restored: false, lockVersion: stored?.lock_version ?? null }
  const draft = readKeptBill(draftName)
  if (!draft) return fresh
  // Another account was chosen after the head was typed. The values that do not depend on the account are kept.
  if (!isOf(draft.account, entry))
    return { ...fresh, values: { ...fresh.values, ...ownOfBill(draft.values), ...balanceOf(draft, fresh.values) } }
  const { values, proposals } = draft
  const before = stored ? { values: draft.base, proposals: {} } : untyped
  return { base: draft.base, untyped: before, values, proposals, restored: true, lockVersion: draft.lock_version }
}

export function accountOf(entry: BillEntry): KeptBill['account'] {
  return { type: entry.account_type, id: entry.account_id, label: entry.account_number }
}

function isOf(account: KeptBill['account'], entry: BillEntry): boolean {
  return account.id === entry.account_id && account.type === entry.account_type
}

/** A balance that was not typed belongs to the account that the draft was made for. */
function balanceOf({ values, base }: KeptBill, fresh: BillValues) {
  return values.balance_forward === base.balance_forward ? { balance_forward: fresh.balance_forward } : {}
}

/** Values that do not depend on the account: dates, amounts, notes, files. The others are choices for the account's own bills. */
function ownOfBill(values: BillValues): Partial<BillValues> {
  return { ...ownOf(textFields, values), files: values.files, charges: values.charges }
}

const textFields = someOf(
  formFields,
  namesOf(formFields).filter((name) => formFields[name].empty === ''),
)
