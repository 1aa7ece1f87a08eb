/** The behaviour of the bill form: holds the typed values, checks and audits them, saves the bill, keeps a draft, and resolves conflicts. */
import { useCallback, useMemo, useState, type RefObject } from 'react'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { isFlag } from '#contract/bill-audits/flags.ts'
import { billFormCalls, type BillEntry, type SavedBill } from '#contract/bills/bill-form.ts'
import { callApi } from '../kernel/api.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { useAttempt, type Failure } from '../kernel/attempt.tsx'
import type { FormErrors } from '../kernel/forms/form-values.ts'
import { seconds } from '../kernel/notices/messages.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { queryClient, refresh } from '../kernel/query.ts'
import { useIntent } from '../kernel/forms/use-intent.ts'
import { useUnsavedGuard } from '../kernel/forms/use-unsaved-guard.ts'
import type { Proposals } from './apply-reading.ts'
import type { FormFinding } from './audit-form.ts'
import type { Carried } from './carried.ts'
import { accountOf, beginning, carriedOf, type BillBeginning } from './begin-bill.ts'
import type { BillValues, KeptBill } from './bill-values.ts'
import { correctsNothing } from './corrects-nothing.ts'
import { dropKeptBill, keepBill, useKeptBill } from './kept-bill.ts'
import { checkForm, formErrors } from './read-bill.ts'
import { same } from './same.ts'
import { sendBill } from './send-bill.ts'
import { storedValues } from './starting-values.ts'
import { typedAnew, typedOn, type TypedBill } from './typed-bill.ts'
import { asksForCharges } from './typed-charges.ts'
import { useLiveFindings } from './use-live-findings.ts'

/** Key of the forms' initial data, which is outdated once a bill was saved. */
const entriesKey = ['bills', billFormCalls.entry.name]

export interface BillFormSource extends BillBeginning {
  /** The inbox document that the bill is entered from. */
  readonly scanId?: number | undefined
  readonly onSaved: (bill: BillSaved, next: boolean) => void
}

export interface BillSaved {
  readonly id: number
  /** Count of its open flags. */
  readonly flags: number
}

/** Another person saved the bill while it was open in this form. */
export interface BillConflict {
  readonly theirs: BillDetail
  readonly values: BillValues
}

/** Answers to the questions in the form's foot. */
export interface SaveAnyway {
  readonly overrideReason?: string | undefined
  readonly withoutCharges?: boolean | undefined
  readonly unchanged?: boolean | undefined
}

export interface BillFormState {
  readonly values: BillValues
  /** The values that the form started with. */
  readonly base: BillValues
  readonly entry: BillEntry
  readonly stored: BillDetail | null
  readonly errors: FormErrors
  readonly findings: readonly FormFinding[]
  /** Values that were read from a document and not changed since. */
  readonly proposals: Proposals
  /** Values that nobody has to type, which Enter passes; null in a form that carries nothing. */
  readonly carried: Carried | null
  readonly dirty: boolean
  readonly busy: boolean
  /** The error of the last attempt to save, until the next attempt. */
  readonly failure: Failure | null
  /** Repeats the last attempt to save. */
  readonly again: () => void
  readonly restored: boolean
  readonly conflict: BillConflict | null
  /** Whether another person has saved the bill since it was opened here. */
  readonly outdated: boolean
  /** Id of the bill that this one duplicates; it is saved only with a reason. */
  readonly duplicateOf: number | null
  /** The question before a save: the bill has no charge on its lines, or the correction changes nothing. */
  readonly asked: 'withoutCharges' | 'unchanged' | null
  /** Repeats the last attempt to save, whatever the form asked. */
  readonly saveAsked: () => void
  readonly set: (change: (values: BillValues) => BillValues) => void
  readonly save: (next: boolean, how?: SaveAnyway) => void
  readonly check: () => void
  readonly discard: () => void
  readonly lookAtTheirs: () => void
  /** Continues from the other person's bill, with these values. */
  readonly settle: (values: BillValues) => void
}

export function useBillForm(source: BillFormSource, ref: RefObject<HTMLFormElement | null>): BillFormState {
  const { entry, draftName } = source
  const [stored, setStored] = useState(source.stored)
  const [began] = useState(() => beginning(source))
  const [base, setBase] = useState(began.base)
  const [untyped, setUntyped] = useState(began.untyped)
  const [typed, setTyped] = useState<TypedBill>(() => typedAnew(began.values, began.proposals, began.carried))
  const [restored, setRestored] = useState(began.restored)
  const [lockVersion, setLockVersion] = useState(began.lockVersion)
  const [tried, setTried] = useState(false)
  const [progress, setProgress] = useState<'typing' | 'sending' | 'saved'>('typing')
  const [conflict, setConflict] = useState<BillConflict | null>(null)
  const [asked, setAsked] = useState<{ of: BillValues; what: 'withoutCharges' | 'unchanged' } | null>(null)
  const notes = useCan('bill_notes.read')
  const { values, proposals, carried } = typed
  const audit = useCallback(async () => {
    const [{ auditForm }] = await Promise.all([import('./audit-form.ts'), import('./finding-items.tsx')])
    return auditForm(values, base, entry, stored)
  }, [values, base, entry, stored])
  const findings = useLiveFindings(audit)
  const dirty = !same(untyped.values, values)
  const guard = useUnsavedGuard(dirty, () => dropKeptBill(draftName))
  const intent = useIntent()
  const attempt = useAttempt()
  const [wanted, setWanted] = useState<readonly [next: boolean, how: SaveAnyway]>([false, {}])
  const kept: KeptBill = { values, base, lock_version: lockVersion, account: accountOf(entry), proposals }
  // A saved bill is shown until its page closes, and must not come back as a draft.
  useKeptBill(draftName, dirty && progress !== 'saved' ? kept : null)
  const errors = useMemo(() => ({ ...typed.refused, ...typed.found }), [typed.refused, typed.found])
  const set = useCallback((change: (values: BillValues) => BillValues) => setTyped((before) => typedOn(before, change, entry)), [entry])

  const lookAtTheirs = async () => {
    if (!stored) return
    const { bill } = await callApi(billDetailCalls.get, { params: { client_id: entry.client_id, id: stored.id } })
    setConflict({ theirs: bill, values: storedValues(bill, entry) })
    document.querySelector('main')?.scrollTo({ top: 0 })
  }
  const refuse = async (error: unknown) => {
    setProgress('typing')
    if (error instanceof ApiProblem && error.body?.code === 'stale') return lookAtTheirs().catch(problemNotice)
    const repeated = error instanceof ApiProblem && error.body?.code === 'refused' ? error.body.record_id : undefined
    if (repeated !== undefined) return setTyped((before) => ({ ...before, duplicateOf: repeated }))
    if (error instanceof ApiProblem && error.status === 422)
      setTyped((before) => ({ ...before, refused: formErrors(error.fields, before.values) }))
    attempt.fail(error)
    return jumpToError(ref)
  }
  const save = async (next: boolean, { overrideReason, withoutCharges = false, unchanged = false }: SaveAnyway) => {
    setTried(true)
    attempt.forget()
    setWanted([next, { overrideReason, withoutCharges, unchanged }])
    const found = checkForm(values, base, entry)
    setTyped((before) => ({ ...before, found, refused: {} }))
    if (Object.keys(found).length > 0) return jumpToError(ref)
    if (!unchanged && stored === null && correctsNothing(values, base)) return setAsked({ of: values, what: 'unchanged' })
    if (!withoutCharges && asksForCharges(values, stored && base, entry)) return setAsked({ of: values, what: 'withoutCharges' })
    setProgress('sending')
    // The answer may be that the session has ended; the sign-in page then opens at once.
    if (dirty) keepBill(draftName, kept)
    try {
      const result = await sendBill({
        values,
        entry,
        findings,
        notes,
        scanId: source.scanId,
        stored,
        base,
        lockVersion,
        overrideReason,
        intent,
      })
      setProgress('saved')
      guard.release()
      dropKeptBill(draftName)
      queryClient.removeQueries({ queryKey: entriesKey })
      refresh('bills', 'services', 'service_bills', entry.account_type === 'BillableAccount' ? 'billable_accounts' : 'supply_accounts')
      const id = result.id ?? stored?.id ?? 0
      resultNotice(result, seconds.usual, { href: `/clients/${entry.client_id}/bills/${id}`, label: `Bill ${id}` })
      source.onSaved({ id, flags: flagsOf(result) }, next)
    } catch (error) {
      await refuse(error)
    }
  }
  /** Replaces the values and drops all messages about the old ones. */
  const standOn = (next: BillValues, read: Proposals) => setTyped(typedAnew(next, read, carriedOf(source, next, read)))
  return {
    values,
    base,
    entry,
    stored,
    errors,
    findings,
    proposals,
    carried,
    dirty,
    busy: progress !== 'typing',
    failure: attempt.failure,
    again: () => void save(...wanted),
    restored,
    conflict,
    outdated: conflict === null && progress === 'typing' && (source.stored?.lock_version ?? 0) > (lockVersion ?? 0),
    duplicateOf: typed.duplicateOf,
    asked: asked?.of === values && progress === 'typing' ? asked.what : null,
    saveAsked: () => void save(wanted[0], { ...wanted[1], ...(asked && { [asked.what]: true }) }),
    set,
    save: (next, how = {}) => void (progress === 'typing' ? save(next, how) : undefined),
    check: () => tried && setTyped((before) => checkedAgain(before, base, entry)),
    discard: () => {
      dropKeptBill(draftName)
      standOn(untyped.values, untyped.proposals)
      setRestored(false)
    },
    lookAtTheirs: () => void lookAtTheirs().catch(problemNotice),
    settle: (agreed) => {
      if (!conflict) return
      standOn(agreed, {})
      setBase(conflict.values)
      setUntyped({ values: conflict.values, proposals: {} })
      setStored(conflict.theirs)
      setLockVersion(conflict.theirs.lock_version)
      setConflict(null)
    },
  }
}

function flagsOf({ bill }: SavedBill): number {
  return bill?.findings.filter((finding) => finding.resolved_at === null && isFlag(finding)).length ?? 0
}

function checkedAgain(typed: TypedBill, base: BillValues, entry: BillEntry): TypedBill {
  const found = checkForm(typed.values, base, entry)
  return same(found, typed.found) ? typed : { ...typed, found }
}

/** Focuses the first invalid field once its message is rendered. */
function jumpToError(ref: RefObject<HTMLFormElement | null>): void {
  requestAnimationFrame(() => {
    const field = ref.current?.querySelector('[aria-invalid="true"]')
    if (!(field instanceof HTMLElement)) return
    field.closest('details')?.setAttribute('open', '')
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'center' })
  })
}
