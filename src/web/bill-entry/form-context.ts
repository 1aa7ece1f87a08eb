/**
 * Data shared by the fields of the form, in two contexts: the place, which holds messages and locks by path, and the typed values. A key changes
 * only the values, so only components that show them rerender.
 */
import { createContext, useContext } from 'react'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import { lockedBillFields, lockedLineFields, locksFactor } from '#contract/bills/bill-locks.ts'
import type { FormErrors } from '../kernel/forms/form-values.ts'
import type { Proposals } from './apply-reading.ts'
import { settledKey, type BillValues, type LineValues } from './bill-values.ts'
import type { FormFinding } from './audit-form.ts'
import type { Carried } from './carried.ts'

export interface FormPlace {
  readonly entry: BillEntry
  /** The values that the form started with. */
  readonly base: BillValues
  readonly errors: FormErrors
  readonly findings: readonly FormFinding[]
  readonly proposals: Proposals
  /** Values that nobody has to type, which Enter passes; null in a form that carries nothing. */
  readonly carried: Carried | null
  /** Findings that were resolved in this form. */
  readonly settled: BillValues['settled']
  readonly linked: BillValues['linked']
  readonly locks: Locks
  /** The id of the bill that is edited. */
  readonly storedId: number | null
  /** True once the form is rendered and all its requests are answered; then the parts load that its first view does without. */
  readonly atRest: boolean
  /** Returns a new line for a service of the account. */
  readonly newLineOf: (serviceId: number, key: string) => LineValues
  readonly set: (change: (values: BillValues) => BillValues) => void
}

/** Returns why a path of the form is locked; null where it is not. */
export type Locks = (path: string) => string | null

const FormPlaceContext = createContext<FormPlace | null>(null)
export const FormPlaceProvider = FormPlaceContext.Provider

const FormValuesContext = createContext<BillValues | null>(null)
export const FormValuesProvider = FormValuesContext.Provider

export function useFormPlace(): FormPlace {
  const place = useContext(FormPlaceContext)
  if (!place) throw new Error('a field of the bill form stands outside the form')
  return place
}

/** Returns all typed values, so the caller rerenders at each key. Lines receive their own values as props. */
export function useFormValues(): BillValues {
  const values = useContext(FormValuesContext)
  if (!values) throw new Error('a field of the bill form stands outside the form')
  return values
}

/** Returns the open findings at a path. */
export function openAt({ findings, settled }: FormPlace, path: string): FormFinding[] {
  return findings.filter((finding) => finding.path === path && isOpen(finding, settled))
}

/** Whether the finding is unresolved: resolved neither before nor in this form. */
export function isOpen({ code, lineKey, earlier }: FormFinding, settled: BillValues['settled']): boolean {
  return earlier === null && !(settledKey(code, lineKey) in settled)
}

/** Changes one line by its key. */
export function changeLine(set: FormPlace['set'], key: string, change: (line: LineValues) => LineValues): void {
  set((values) => ({ ...values, lines: values.lines.map((line) => (line.key === key ? change(line) : line)) }))
}

/** Returns the locks of a stored bill, by the server's rules. A new bill has none. */
export function locksOf(bill: BillDetail | null, reason: string | null, entry: BillEntry): Locks {
  if (!bill || reason === null) return () => null
  const locked = new Set(bill.locks)
  const [header, line] = [lockedBillFields(locked), lockedLineFields(locked)]
  const names: Readonly<Record<string, string>> = {
    charges: 'bill_charges_attributes',
    files: 'signed_file_ids',
    linked: 'linked_service_bill_ids',
  }
  const isLocked = (path: string): boolean => {
    const [list = '', , field = '_destroy', ...name] = path.split('.')
    if (list !== 'lines') return header.has(names[list] ?? list)
    if (field === 'service_bill_usage_factors') return locksFactor(locked, { adjustment_factor: adjusts(name.join('.'), entry) })
    return line.has(field)
  }
  return (path) => (isLocked(path) ? reason : null)
}

function adjusts(name: string, entry: BillEntry): boolean {
  return entry.services.some((service) => service.usage_factors.some((factor) => factor.name === name && factor.adjustment_factor))
}
