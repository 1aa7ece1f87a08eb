/** The typed values and their messages. A key changes all of them in one step, and untouched parts keep their identity. */
import type { FormErrors } from '../kernel/forms/form-values.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import type { Proposals } from './apply-reading.ts'
import type { BillValues } from './bill-values.ts'
import { carryOn, type Carried } from './carried.ts'
import { same } from './same.ts'
import { valueAt } from './value-at.ts'

export interface TypedBill {
  readonly values: BillValues
  /** Errors that the form's own rules found. */
  readonly found: FormErrors
  /** Errors that the server returned. They stay until their field changes, because the form's rules do not know them. */
  readonly refused: FormErrors
  /** Values that were read from a document and not changed since. */
  readonly proposals: Proposals
  /** Values that nobody has to type; null in a form that carries nothing. */
  readonly carried: Carried | null
  /** Id of the bill that this one duplicates; it is saved only with a reason. */
  readonly duplicateOf: number | null
}

export function typedAnew(values: BillValues, proposals: Proposals, carried: Carried | null): TypedBill {
  return { values, found: {}, refused: {}, proposals, carried, duplicateOf: null }
}

/** Applies a change, carries it to the lines that follow it, and drops the messages of changed values. */
export function typedOn(typed: TypedBill, change: (values: BillValues) => BillValues, entry: BillEntry): TypedBill {
  const before = typed.values
  const now = change(before)
  const { values, carried } = typed.carried
    ? carryOn(before, now, untouched(typed.carried, before, now), entry)
    : { values: now, carried: null }
  return {
    values,
    carried,
    found: untouched(typed.found, before, values),
    refused: untouched(typed.refused, before, values),
    proposals: untouched(typed.proposals, before, values),
    duplicateOf: repeatsAsBefore(before, values) ? typed.duplicateOf : null,
  }
}

/** Returns the messages of those paths whose values did not change. */
function untouched<Said>(said: Readonly<Record<string, Said>>, before: BillValues, after: BillValues): Readonly<Record<string, Said>> {
  const all = Object.entries(said)
  const kept = all.filter(([path]) => same(valueAt(before, path), valueAt(after, path)))
  return kept.length === all.length ? said : Object.fromEntries(kept)
}

/** Whether the fields that make a bill a duplicate are unchanged. */
function repeatsAsBefore(before: BillValues, after: BillValues): boolean {
  return (['invoice_number', 'date', 'current_charges', 'amount_due'] as const).every((key) => before[key] === after[key])
}
