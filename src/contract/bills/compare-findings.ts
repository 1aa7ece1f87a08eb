/**
 * Compares new findings with the stored ones of the bill. Each rule and position has one continuing finding: it is renewed while it is open,
 * stays resolved as long as the resolved value is the same, reopens if that value changed or if it had gone and is back, and goes if nothing is
 * found any more. Its resolution stays in its events. Pure: the form uses it to show which findings stay resolved.
 */
import type { AccountType } from './bill.ts'
import type { Finding, Severity } from '../bill-audits/input.ts'

/** The reason of findings that are no longer found. */
export const goneReason = 'No longer found'

export interface StoredFindingState {
  readonly id: number
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
/** A stored finding with its current values. */
export interface FoundAgain extends Figures {
  readonly id: number
  readonly was: string
}

export interface FindingChanges {
  /** New ones. */
  readonly raised: readonly Finding[]
  /** Open ones with other values now. */
  readonly renewed: readonly FoundAgain[]
  /** Resolved or gone ones that are found again, with another value. */
  readonly reopened: readonly FoundAgain[]
  readonly gone: readonly StoredFindingState[]
}

/**
 * `lineIds` are the ids of the bill's lines in order; `isKept` returns whether this audit cannot check a rule, `isEdited` whether the field
 * of a finding was just changed.
 */
export function compareFindings(
  lineIds: readonly number[],
  found: readonly Finding[],
  stored: readonly StoredFindingState[],
  isKept: (code: string) => boolean,
  isEdited: (finding: Finding) => boolean = () => false,
): FindingChanges {
  const matches = matchedFindings(lineIds, found, stored)
  const again = new Set(matches.values())
  const raised: Finding[] = []
  const renewed: FoundAgain[] = []
  const reopened: FoundAgain[] = []
  for (const finding of found) {
    const match = matches.get(finding)
    if (!match) {
      raised.push(finding)
      continue
    }
    const now = { ...figuresOf(finding), id: match.id, was: match.message }
    if (opensAgain(match, finding, isEdited(finding))) reopened.push(now)
    else if (match.is_open && (match.message !== finding.message || match.severity !== finding.severity)) renewed.push(now)
  }
  return { raised, renewed, reopened, gone: stored.filter((one) => !again.has(one) && one.is_open && !isKept(one.code)) }
}

/** Whether a resolved finding reopens, because its value changed, was just edited, or had gone. */
export function opensAgain(stored: StoredFindingState, finding: Finding, isEdited: boolean): boolean {
  return !stored.is_open && (stored.is_gone || isEdited || !isSameValue(stored, finding))
}

/**
 * Pairs each finding with the stored one of its rule and position. A rule may have two findings at one position, such as two similar bills:
 * equal values are paired first, open ones before resolved ones; then the rest in order.
 */
export function matchedFindings<Found extends Finding, Stored extends StoredFindingState>(
  lineIds: readonly number[],
  found: readonly Found[],
  stored: readonly Stored[],
): ReadonlyMap<Found, Stored> {
  const left = new Set(stored)
  const matches = new Map<Found, Stored>()
  const isAtPlace = (one: Stored, finding: Found): boolean =>
    one.code === finding.code &&
    one.service_bill_id === (finding.line === null ? null : (lineIds[finding.line] ?? null)) &&
    one.service_id === finding.service_id
  const rounds: readonly ((one: Stored, finding: Found) => boolean)[] = [
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

/** Rules that the bill alone can no longer answer: the statement is gone, and ledger accounts are checked when a batch closes. */
const keptCodes: readonly string[] = ['unknown_meter', 'gl_incomplete']
/** Rules that compare with today keep their result for bills that were already overdue when entered. */
const todayCodes: readonly string[] = ['due_date', 'date_sanity']

/** On a delivery's bill it reports a missing supply bill, which only the nightly audit does; on a supplier's it compares what both meter. */
const nightlyCode = 'supply_match'

/** Rules that another audit of a stored bill cannot check. */
export function isKept(
  code: string,
  bill: { readonly was_over: boolean; readonly account_type: AccountType; readonly is_nightly?: boolean | undefined },
): boolean {
  if (code === nightlyCode && bill.account_type === 'BillableAccount') return bill.was_over || !bill.is_nightly
  return keptCodes.includes(code) || (bill.was_over && todayCodes.includes(code))
}
