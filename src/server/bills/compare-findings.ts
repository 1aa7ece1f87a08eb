/**
 * What an audit finds now beside what is stored of the bill. Each rule and place has one finding that goes on: it is renewed while it is
 * open, stays settled as long as the value that was settled is the same, opens again where that value changed or where it had gone and is
 * back, and goes where nothing is found any more. How it was settled stays in its events.
 */
import type { Finding, Severity } from '#contract/bill-audits.ts'
import { countOpen } from '#contract/bill-audits.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { addFindingEvents } from './finding-events.ts'

/** What made findings go and come: an edit of a bill, a threshold, or another look after something else changed. */
export type AuditCause = 'edit' | 'settings' | 'audit'

export const goneReason = 'No longer found'

export interface StoredFindingState {
  readonly id: number
  readonly bill_id: number
  readonly service_bill_id: number | null
  readonly service_id: number | null
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly actual: string | null
  readonly is_open: boolean
  readonly is_gone: boolean
}

type Figures = Pick<Finding, 'code' | 'severity' | 'message' | 'expected' | 'actual' | 'limit' | 'other_bill_id'>
/** A stored finding with what it says now. */
export interface FoundAgain extends Figures {
  readonly id: number
  readonly was: string
}

export interface FindingChanges {
  /** New ones. */
  readonly raised: readonly Finding[]
  /** Open ones that say something else now. */
  readonly renewed: readonly FoundAgain[]
  /** Settled or gone ones that are found again, with another value. */
  readonly reopened: readonly FoundAgain[]
  readonly gone: readonly StoredFindingState[]
}

/**
 * `lineIds` are the ids of the bill's lines in order; `isKept` says of a rule that this audit cannot judge it, `isEdited` of a finding that
 * somebody has just changed the field that it speaks of.
 */
export function compareFindings(
  lineIds: readonly number[],
  found: readonly Finding[],
  stored: readonly StoredFindingState[],
  isKept: (code: string) => boolean,
  isEdited: (finding: Finding) => boolean = () => false,
): FindingChanges {
  const left = new Set(stored)
  const matches = matched(lineIds, found, left)
  const raised: Finding[] = []
  const renewed: FoundAgain[] = []
  const reopened: FoundAgain[] = []
  for (const finding of found) {
    const match = matches.get(finding)
    if (!match) {
      raised.push(finding)
      continue
    }
    const again = { ...figuresOf(finding), id: match.id, was: match.message }
    if (!match.is_open && (match.is_gone || isEdited(finding) || !isSameValue(match, finding))) reopened.push(again)
    else if (match.is_open && (match.message !== finding.message || match.severity !== finding.severity)) renewed.push(again)
  }
  return { raised, renewed, reopened, gone: [...left].filter((one) => one.is_open && !isKept(one.code)) }
}

/**
 * Each finding with the stored one of its rule and place, which is taken out of `left`. A rule may speak twice of one place, as of two bills
 * that look alike: those whose value is the same find each other first, open ones before settled ones; the rest takes what is left.
 */
function matched(
  lineIds: readonly number[],
  found: readonly Finding[],
  left: Set<StoredFindingState>,
): ReadonlyMap<Finding, StoredFindingState> {
  const matches = new Map<Finding, StoredFindingState>()
  const isAtPlace = (one: StoredFindingState, finding: Finding): boolean =>
    one.code === finding.code &&
    one.service_bill_id === (finding.line === null ? null : (lineIds[finding.line] ?? null)) &&
    one.service_id === finding.service_id
  const rounds: readonly ((one: StoredFindingState, finding: Finding) => boolean)[] = [
    (one, finding) => one.is_open && isSameValue(one, finding),
    (one, finding) => !one.is_gone && isSameValue(one, finding),
    (one) => one.is_open,
    () => true,
  ]
  for (const suits of rounds) {
    for (const finding of found) {
      if (matches.has(finding)) continue
      const match = [...left].toReversed().find((one) => isAtPlace(one, finding) && suits(one, finding))
      if (!match) continue
      matches.set(finding, match)
      left.delete(match)
    }
  }
  return matches
}

function isSameValue(stored: StoredFindingState, finding: Finding): boolean {
  return finding.actual === null ? stored.message === finding.message : stored.actual === finding.actual
}

function figuresOf({ code, severity, message, expected, actual, limit, other_bill_id }: Finding): Figures {
  return { code, severity, message, expected, actual, limit, other_bill_id }
}

/** The findings of these bills by bill, open and closed. */
export async function storedFindings(
  { tx }: Pick<Context, 'tx'>,
  clientId: number,
  billIds: readonly number[],
): Promise<Map<number, StoredFindingState[]>> {
  const { rows } =
    await sql<StoredFindingState>`select id, bill_id, service_bill_id, service_id, code, severity, message, actual, resolved_at is null as is_open,
      coalesce(gone_by is not null or reason = ${goneReason}, false) as is_gone
    from bill_findings where client_id = ${clientId} and bill_id = any(${billIds}::bigint[]) order by id`.execute(tx)
  return Map.groupBy(rows, (row) => row.bill_id)
}

/** Writes what a comparison found of stored findings, with an event each; new ones are the caller's to insert. */
export async function applyFindingChanges(
  context: Context,
  clientId: number,
  changes: readonly FindingChanges[],
  cause: AuditCause,
): Promise<void> {
  const renewed = changes.flatMap((change) => change.renewed)
  const reopened = changes.flatMap((change) => change.reopened)
  const gone = changes.flatMap((change) => change.gone)
  const again = [...renewed, ...reopened]
  if (again.length > 0) {
    await sql`update bill_findings set severity = new.severity, message = new.message, expected = new.expected, actual = new.actual, limit_value = new."limit",
        other_bill_id = new.other_bill_id, resolved_at = null, resolved_by = null, reason = null, comment = null, gone_by = null, bulk_change_id = null
      from jsonb_to_recordset(${JSON.stringify(again)}::jsonb)
        as new(id bigint, severity text, message text, expected text, actual text, "limit" text, other_bill_id bigint)
      where bill_findings.client_id = ${clientId} and bill_findings.id = new.id`.execute(context.tx)
  }
  if (gone.length > 0) {
    await sql`update bill_findings set resolved_at = now(), reason = ${goneReason}, gone_by = ${cause}
      where client_id = ${clientId} and id = any(${gone.map((one) => one.id)}::bigint[]) and resolved_at is null`.execute(context.tx)
  }
  await addFindingEvents(context, clientId, [
    ...renewed.map((one) => ({ finding_id: one.id, event: 'changed' as const, was: one.was, became: one.message })),
    ...reopened.map((one) => ({ finding_id: one.id, event: 'reopened' as const, reason: cause, was: one.was, became: one.message })),
    ...gone.map((one) => ({ finding_id: one.id, event: 'gone' as const, reason: cause, was: one.message })),
  ])
}

/** Brings the counts of open findings on the bills in line with the findings; bills that are right already are not written. */
export async function recountFindings({ tx }: Pick<Context, 'tx'>, clientId: number, billIds: readonly number[]): Promise<void> {
  if (billIds.length === 0) return
  const { rows } = await sql<{ bill_id: number; severity: Severity }>`select bill_id, severity from bill_findings
    where client_id = ${clientId} and bill_id = any(${billIds}::bigint[]) and resolved_at is null`.execute(tx)
  const open = Map.groupBy(rows, (row) => row.bill_id)
  const counts = [...new Set(billIds)].map((id) => ({ id, ...countOpen(open.get(id) ?? []) }))
  await sql`update bills set open_errors = counted.open_errors, open_blocking = counted.open_blocking, open_warnings = counted.open_warnings
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as counted(id bigint, open_errors int, open_blocking int, open_warnings int)
    where bills.client_id = ${clientId} and bills.id = counted.id
      and (bills.open_errors, bills.open_blocking, bills.open_warnings) is distinct from (counted.open_errors, counted.open_blocking, counted.open_warnings)`.execute(
    tx,
  )
}
