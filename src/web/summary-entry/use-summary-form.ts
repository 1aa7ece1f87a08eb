/**
 * The behaviour of the summary bill's form: holds the typed values, audits them, saves all or nothing, keeps a draft, and reports why a save
 * failed.
 */
import { useCallback, useEffect, useEffectEvent, useMemo, useState, type RefObject } from 'react'
import { useQuery } from '@tanstack/react-query'
import { summaryBillCalls, type SummaryBooks, type SummaryEntry } from '#contract/bills/summary-bill.ts'
import { accepted, ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { useAttempt, type Failure } from '../kernel/attempt.tsx'
import { beforeSignIn } from '../kernel/credentials.ts'
import { dropLasting, keepLasting, readLasting, signLasting, SIGN_EVERY_MS } from '../kernel/forms/lasting-draft.ts'
import { useGo } from '../kernel/navigation.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery, refresh } from '../kernel/query.ts'
import { useIntent } from '../kernel/forms/use-intent.ts'
import { useUnsavedGuard } from '../kernel/forms/use-unsaved-guard.ts'
import { useLiveFindings } from '../bill-entry/bill-entry.ts'
import type { SummaryFinding } from './audit-summary.ts'
import { goToSpot } from './summary-bills.ts'
import { faultsOf, problemsOf, repeatsOf, stillRepeats, stillSaid, type Repeat, type SummaryProblem } from './summary-problems.ts'
import { columnsOf, startingValues, summaryValues, type SummaryColumn, type SummaryValues } from './summary-values.ts'
import { bodyOf, type OverrideReasons } from './summary-body.ts'

/** A draft is kept after this pause (ms). */
const DRAFT_PAUSE_MS = 400

export interface SummaryFormState {
  readonly entry: SummaryEntry
  readonly clientId: number
  readonly columns: readonly SummaryColumn[]
  readonly values: SummaryValues
  readonly set: (change: (values: SummaryValues) => SummaryValues) => void
  readonly findings: readonly SummaryFinding[]
  /** Rejected values, until they are typed again. */
  readonly problems: readonly SummaryProblem[]
  /** The bills that are stored already; each is saved only with a reason. */
  readonly repeats: readonly Repeat[]
  readonly reasons: OverrideReasons
  readonly setReason: (accountId: number | null, reason: string) => void
  readonly dirty: boolean
  readonly busy: boolean
  /** The error of the last attempt to save, until the next attempt. */
  readonly failure: Failure | null
  readonly save: () => void
  readonly goTo: (spot: string) => void
}

interface Typed {
  readonly values: SummaryValues
  readonly problems: readonly SummaryProblem[]
  readonly repeats: readonly Repeat[]
}

export function useSummaryForm(
  { entry, clientId, groupId }: { entry: SummaryEntry; clientId: number; groupId: number },
  ref: RefObject<HTMLElement | null>,
): SummaryFormState {
  const draft = `summary ${clientId} ${groupId}`
  const [start] = useState(() => startingValues(entry))
  const [typed, setTyped] = useState<Typed>(() => ({ values: keptValues(draft) ?? start, problems: [], repeats: [] }))
  const [reasons, setReasons] = useState<OverrideReasons>(new Map())
  const [busy, setBusy] = useState(false)
  const [saved, setSaved] = useState(false)
  const { values, problems, repeats } = typed
  const dirty = JSON.stringify(values) !== JSON.stringify(start)
  const columns = useMemo(() => columnsOf(entry), [entry])
  const intent = useIntent()
  const go = useGo()
  const attempt = useAttempt()
  const guard = useUnsavedGuard(dirty, () => dropLasting(draft))
  // The page stays until the next one has loaded, and would keep the saved values as a draft.
  useKept(draft, dirty && !saved ? values : null)
  const findings = useSummaryFindings(values, entry, clientId, groupId)
  const goTo = (spot: string) => goToSpot(ref.current, spot)
  const refuse = (error: unknown) => {
    const found = error instanceof ApiProblem ? problemsOf(error, values, entry) : []
    const repeated = repeatsOf(error, values, entry)
    // Bills that already have a reason are not reported again.
    if (repeated.length > 0)
      return setTyped((before) => ({ ...before, repeats: [...before.repeats.filter((one) => !isAmong(one, repeated)), ...repeated] }))
    if (found.length === 0) return attempt.fail(error)
    return sayProblems(found)
  }
  const sayProblems = (found: readonly SummaryProblem[]) => {
    setTyped((before) => ({ ...before, problems: found }))
    const [first] = found
    // Runs after the message is rendered.
    if (first) requestAnimationFrame(() => goTo(first.spot.name))
  }
  const save = async () => {
    if (busy) return
    attempt.forget()
    setTyped((before) => ({ ...before, problems: [] }))
    const missing = faultsOf(values, entry)
    if (missing.length > 0) return sayProblems(missing)
    setBusy(true)
    try {
      const body = bodyOf(values, entry, columns, givenReasons(repeats, reasons))
      const sent = { params: { client_id: clientId, id: groupId }, body, intent: intent(body) }
      const reply = accepted(await callApi(summaryBillCalls.create, sent))
      guard.release()
      setSaved(true)
      dropLasting(draft)
      refresh('bills')
      resultNotice(reply)
      go(`/clients/${clientId}/bills/${reply.id}`)
    } catch (error) {
      refuse(error)
    } finally {
      setBusy(false)
    }
  }
  return {
    entry,
    clientId,
    columns,
    values,
    set: useCallback((change) => setTyped((before) => typedOn(before, change(before.values), entry)), [entry]),
    findings,
    problems,
    repeats,
    reasons,
    setReason: (accountId, reason) => setReasons((before) => new Map(before).set(accountId, reason)),
    dirty,
    busy,
    failure: attempt.failure ?? failureBy(problems),
    save: () => void save(),
    goTo,
  }
}

/** Applies a change and drops the errors of changed values. Reasons stay, because the row may become a duplicate again. */
function typedOn({ values: before, problems, repeats }: Typed, values: SummaryValues, entry: SummaryEntry): Typed {
  return {
    values,
    problems: problems.filter((problem) => stillSaid(problem, before, values, entry)),
    repeats: repeats.filter((repeat) => stillRepeats(repeat, before, values, entry)),
  }
}

const isAmong = ({ account_id }: Repeat, repeats: readonly Repeat[]): boolean => repeats.some((one) => one.account_id === account_id)

/** Returns the reasons of those bills that are known duplicates; only these are sent. */
function givenReasons(repeats: readonly Repeat[], reasons: OverrideReasons): OverrideReasons {
  const given = repeats.map(({ account_id }): [number | null, string] => [account_id, reasons.get(account_id)?.trim() ?? ''])
  return new Map(given.filter(([, reason]) => reason !== ''))
}

function failureBy(problems: readonly SummaryProblem[]): Failure | null {
  if (problems.length === 0) return null
  return { reason: problems.length === 1 ? '1 field needs a look' : `${problems.length} fields need a look`, passing: false, fields: {} }
}

/** Loads the data for auditing all rows in one request; the audits then run here while the user types. */
function useSummaryFindings(values: SummaryValues, entry: SummaryEntry, clientId: number, groupId: number): readonly SummaryFinding[] {
  const asked = useQuery({ ...apiQuery(summaryBillCalls.books, { params: { client_id: clientId, id: groupId } }), staleTime: Infinity })
  const books = asked.data?.books ?? null
  const auditor = useMemo(() => (books === null ? null : lazyAuditor(entry, books)), [entry, books])
  return useLiveFindings(useCallback(async () => (auditor === null ? [] : (await auditor())(values)), [auditor, values]))
}

/** Loads the rules when the first findings are requested, and again after a failure. */
function lazyAuditor(entry: SummaryEntry, books: SummaryBooks): () => Promise<(values: SummaryValues) => readonly SummaryFinding[]> {
  let loaded: ((values: SummaryValues) => readonly SummaryFinding[]) | null = null
  return async () => (loaded ??= (await import('./audit-summary.ts')).summaryAuditor(entry, books))
}

function keptValues(name: string): SummaryValues | null {
  const read = summaryValues.safeParse(readLasting(name))
  return read.success ? read.data : null
}

/** Keeps the draft after a pause and when the page goes away. Null keeps nothing. */
function useKept(name: string, values: SummaryValues | null): void {
  const keep = useEffectEvent(() => {
    if (values !== null) keepLasting(name, values)
  })
  useEffect(() => {
    const timer = setTimeout(() => {
      if (values !== null) keepLasting(name, values)
    }, DRAFT_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [name, values])
  useEffect(() => {
    const timer = setInterval(() => signLasting(name, true), SIGN_EVERY_MS)
    const goAway = () => {
      keep()
      signLasting(name, false)
    }
    globalThis.addEventListener('pagehide', goAway)
    const giveUp = beforeSignIn(() => keep())
    return () => {
      giveUp()
      clearInterval(timer)
      signLasting(name, false)
      globalThis.removeEventListener('pagehide', goAway)
    }
  }, [name])
}
