/** What stands in the form and what is said of it: a key changes all of it in one step, and what it does not touch stays the very same. */
import type { FormErrors } from '../kernel/forms/form-values.ts'
import type { Proposals } from './apply-reading.ts'
import type { BillValues } from './bill-values.ts'
import { same } from './same.ts'
import { valueAt } from './value-at.ts'

export interface TypedBill {
  readonly values: BillValues
  /** What the form's own rules say. */
  readonly found: FormErrors
  /** What the server refused stands until its field is changed: the form's own rules know nothing of it. */
  readonly refused: FormErrors
  /** What was read from a document and not touched since. */
  readonly proposals: Proposals
  /** The bill that this one repeats; it is saved only with a reason. */
  readonly duplicateOf: number | null
}

export function typedAnew(values: BillValues, proposals: Proposals): TypedBill {
  return { values, found: {}, refused: {}, proposals, duplicateOf: null }
}

/** What is said of a value goes with it. */
export function typedOn(typed: TypedBill, change: (values: BillValues) => BillValues): TypedBill {
  const before = typed.values
  const values = change(before)
  return {
    values,
    found: untouched(typed.found, before, values),
    refused: untouched(typed.refused, before, values),
    proposals: untouched(typed.proposals, before, values),
    duplicateOf: repeatsAsBefore(before, values) ? typed.duplicateOf : null,
  }
}

/** What is said of paths whose values stand as they were. */
function untouched<Said>(said: Readonly<Record<string, Said>>, before: BillValues, after: BillValues): Readonly<Record<string, Said>> {
  const all = Object.entries(said)
  const kept = all.filter(([path]) => same(valueAt(before, path), valueAt(after, path)))
  return kept.length === all.length ? said : Object.fromEntries(kept)
}

/** Whether what makes a bill the same as another one stands as it was. */
function repeatsAsBefore(before: BillValues, after: BillValues): boolean {
  return (['invoice_number', 'date', 'current_charges', 'amount_due'] as const).every((key) => before[key] === after[key])
}
