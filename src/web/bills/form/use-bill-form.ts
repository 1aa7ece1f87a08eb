/** What the form of a bill does: holds what is typed, checks and audits it, saves it, keeps a draft, and settles a conflict. */
import { useState, type RefObject } from 'react'
import type { BillDetail } from '#contract/bill-detail.ts'
import { billDetailCalls } from '#contract/bill-detail.ts'
import { billFormCalls, type BillEntry } from '#contract/bill-form.ts'
import { callApi } from '../../kernel/api.ts'
import { ApiProblem } from '../../kernel/api-problem.ts'
import type { FormErrors } from '../../kernel/form-values.ts'
import { problemNotice, resultNotice } from '../../kernel/notices.ts'
import { useCan } from '../../kernel/permissions.tsx'
import { queryClient, refresh } from '../../kernel/query.ts'
import { useIntent } from '../../kernel/use-intent.ts'
import { useUnsavedGuard } from '../../kernel/use-unsaved-guard.ts'
import type { Proposals, ReadValues } from './apply-reading.ts'
import { changedBody, newBody, type Sending } from './bill-body.ts'
import { newValues, storedValues, type BillValues, type KeptBill } from './bill-values.ts'
import { dropKeptBill, keepBill, readKeptBill, useKeptBill } from './kept-bill.ts'
import type { FormFinding } from './audit-form.ts'
import { checkForm, formErrors } from './read-bill.ts'
import { same } from './same.ts'
import { useLiveFindings } from './use-live-findings.ts'
import { valueAt } from './value-at.ts'

/** What forms start with is old once a bill was saved. */
const entriesKey = ['bills', billFormCalls.entry.name]

export interface BillFormSource {
  readonly entry: BillEntry
  /** The bill that is edited; null makes a new one. */
  readonly stored: BillDetail | null
  /** Under which name what is typed is kept. */
  readonly draftName: string
  /** What a new bill starts with, where it is not an empty form: a correction starts as what it corrects. */
  readonly start?: BillValues | undefined
  /** Lays what was read from a document over what the form starts with. */
  readonly propose?: ((base: BillValues, entry: BillEntry) => ReadValues) | undefined
  /** The document of the inbox that the bill is entered from. */
  readonly scanId?: number | undefined
  readonly onSaved: (bill: { readonly id: number }, next: boolean) => void
}

/** Somebody saved the bill while it stood in this form. */
export interface BillConflict {
  readonly theirs: BillDetail
  readonly values: BillValues
}

export interface BillFormState {
  readonly values: BillValues
  /** What the form started from. */
  readonly base: BillValues
  readonly entry: BillEntry
  readonly stored: BillDetail | null
  readonly errors: FormErrors
  readonly findings: readonly FormFinding[]
  /** What was read from a document and not touched since. */
  readonly proposals: Proposals
  readonly dirty: boolean
  readonly busy: boolean
  readonly restored: boolean
  readonly conflict: BillConflict | null
  /** Somebody has saved the bill since it was opened here. */
  readonly outdated: boolean
  /** The bill that this one repeats; it is saved only with a reason. */
  readonly duplicateOf: number | null
  readonly set: (change: (values: BillValues) => BillValues) => void
  readonly save: (next: boolean, overrideReason?: string) => void
  readonly check: () => void
  readonly discard: () => void
  readonly lookAtTheirs: () => void
  /** Goes on from what they saved, with these values. */
  readonly settle: (values: BillValues) => void
}

export function useBillForm(source: BillFormSource, ref: RefObject<HTMLFormElement | null>): BillFormState {
  const { entry, draftName } = source
  const [stored, setStored] = useState(source.stored)
  const [began] = useState(() => beginning(source))
  const [proposals, setProposals] = useState(began.proposals)
  const [base, setBase] = useState(began.base)
  const [values, setValues] = useState(began.values)
  const [restored, setRestored] = useState(began.restored)
  const [lockVersion, setLockVersion] = useState(began.lockVersion)
  const [errors, setErrors] = useState<FormErrors>({})
  // What the server refused stands until its field is changed: the form's own rules know nothing of it.
  const [refused, setRefused] = useState<FormErrors>({})
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<BillConflict | null>(null)
  const [duplicateOf, setDuplicateOf] = useState<number | null>(null)
  const notes = useCan('bill_notes.read')
  const findings = useLiveFindings(values, base, entry, stored)
  const dirty = !same(base, values)
  const guard = useUnsavedGuard(dirty, () => dropKeptBill(draftName))
  const intent = useIntent()
  const kept: KeptBill = { values, base, lock_version: lockVersion, account: accountOf(entry), proposals }
  useKeptBill(draftName, dirty, kept)

  const lookAtTheirs = async () => {
    if (!stored) return
    const { bill } = await callApi(billDetailCalls.get, { params: { client_id: entry.client_id, id: stored.id } })
    setConflict({ theirs: bill, values: storedValues(bill, entry) })
    document.querySelector('main')?.scrollTo({ top: 0 })
  }
  const refuse = async (error: unknown) => {
    if (error instanceof ApiProblem && error.body?.code === 'stale') return lookAtTheirs().catch(problemNotice)
    if (error instanceof ApiProblem && error.body?.code === 'refused' && error.body.record_id !== undefined) {
      setDuplicateOf(error.body.record_id)
      return undefined
    }
    if (error instanceof ApiProblem && error.status === 422) setRefused(formErrors(error.fields, values))
    problemNotice(error)
    jumpToError(ref)
    return undefined
  }
  const save = async (next: boolean, overrideReason?: string) => {
    setTried(true)
    const found = checkForm(values, base, entry)
    setErrors(found)
    setRefused({})
    if (Object.keys(found).length > 0) return jumpToError(ref)
    setBusy(true)
    // The answer may be that the session has ended, and then the sign-in page takes over at once.
    if (dirty) keepBill(draftName, kept)
    try {
      const result = await send(
        { values, entry, findings, notes, scanId: source.scanId },
        stored,
        base,
        lockVersion,
        overrideReason,
        intent,
      )
      guard.release()
      dropKeptBill(draftName)
      queryClient.removeQueries({ queryKey: entriesKey })
      refresh('bills', 'services', 'service_bills', entry.account_type === 'BillableAccount' ? 'billable_accounts' : 'supply_accounts')
      resultNotice(result)
      source.onSaved({ id: result.id ?? stored?.id ?? 0 }, next)
    } catch (error) {
      await refuse(error)
    } finally {
      setBusy(false)
    }
  }
  return {
    values,
    base,
    entry,
    stored,
    errors: { ...refused, ...errors },
    findings,
    proposals,
    dirty,
    busy,
    restored,
    conflict,
    outdated: source.stored !== null && conflict === null && !busy && source.stored.lock_version !== lockVersion,
    duplicateOf,
    set: (change) => {
      const after = change(values)
      setValues(change)
      setErrors((before) => untouched(before, values, after))
      setRefused((before) => untouched(before, values, after))
      setProposals((before) => untouched(before, values, after))
      if (!same(headerThatRepeats(values), headerThatRepeats(after))) setDuplicateOf(null)
    },
    save: (next, overrideReason) => void (busy ? undefined : save(next, overrideReason)),
    check: () => tried && setErrors(checkForm(values, base, entry)),
    discard: () => {
      dropKeptBill(draftName)
      setValues(base)
      setProposals({})
      setErrors({})
      setRefused({})
      setRestored(false)
    },
    lookAtTheirs: () => void lookAtTheirs().catch(problemNotice),
    settle: (agreed) => {
      if (!conflict) return
      setValues(agreed)
      setBase(conflict.values)
      setStored(conflict.theirs)
      setLockVersion(conflict.theirs.lock_version)
      setConflict(null)
      setErrors({})
      setRefused({})
    },
  }
}

/** What the form shows first: what was kept of it, else the stored bill, else an empty one. */
function beginning({ entry, stored, draftName, start, propose }: BillFormSource) {
  const base = stored ? storedValues(stored, entry) : (start ?? newValues(entry))
  const read = propose?.(base, entry) ?? { values: base, proposals: {} }
  const fresh = { base, ...read, restored: false, lockVersion: stored?.lock_version ?? null }
  const draft = readKeptBill(draftName)
  if (!draft) return fresh
  // Another account was chosen after the head was typed: what the bill says of itself stays.
  if (draft.account.id !== entry.account_id || draft.account.type !== entry.account_type)
    return { ...fresh, values: { ...fresh.values, ...ownOfBill(draft.values) } }
  return { base: draft.base, values: draft.values, proposals: draft.proposals, restored: true, lockVersion: draft.lock_version }
}

/** What hangs on no account: dates, amounts, files. */
function ownOfBill(values: BillValues) {
  const { date, due_date, invoice_number, balance_forward, current_charges, late_fee, amount_due, fiscal_month, next_read_date } = values
  const { notes, files, charges } = values
  const amounts = { balance_forward, current_charges, late_fee, amount_due }
  return { date, due_date, invoice_number, ...amounts, fiscal_month, next_read_date, notes, files, charges }
}

function accountOf(entry: BillEntry): KeptBill['account'] {
  return { type: entry.account_type, id: entry.account_id, label: entry.account_number }
}

async function send(
  sending: Sending,
  stored: BillDetail | null,
  base: BillValues,
  lockVersion: number | null,
  overrideReason: string | undefined,
  intent: (body: object) => string,
) {
  const client_id = sending.entry.client_id
  const override = overrideReason ? { override_reason: overrideReason } : {}
  if (stored) {
    const body = { bill: { ...changedBody(sending, base, lockVersion ?? stored.lock_version), ...override } }
    return callApi(billFormCalls.update, { params: { client_id, id: stored.id }, body })
  }
  const body = { bill: { ...newBody(sending), ...override } }
  return callApi(billFormCalls.create, { params: { client_id }, body, intent: intent(body) })
}

/** What is said of paths whose values stand as they were. */
function untouched<Said>(said: Readonly<Record<string, Said>>, before: BillValues, after: BillValues): Readonly<Record<string, Said>> {
  return Object.fromEntries(Object.entries(said).filter(([path]) => same(valueAt(before, path), valueAt(after, path))))
}

/** What makes a bill the same as another one. */
function headerThatRepeats({ invoice_number, date, current_charges, amount_due }: BillValues) {
  return [invoice_number, date, current_charges, amount_due]
}

/** The focus goes to the first field that something is wrong with, once its message is drawn. */
function jumpToError(ref: RefObject<HTMLFormElement | null>): void {
  requestAnimationFrame(() => {
    const field = ref.current?.querySelector('[aria-invalid="true"]')
    if (!(field instanceof HTMLElement)) return
    field.closest('details')?.setAttribute('open', '')
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'center' })
  })
}
