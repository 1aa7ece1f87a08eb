/**
 * What an audit finds now beside what is stored of the bill. Each rule and place has one finding that goes on: it is renewed while it is
 * open, stays settled as long as the value that was settled is the same, opens again where that value changed or where it had gone and is
 * back, and goes where nothing is found any more. How it was settled stays in its events. Pure: the form shows by it what stays settled.
 */
import type { AccountType } from './bill.ts'
import type { Finding, Severity } from '../bill-audits/input.ts'

/** The reason of findings that went by themselves. */
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

/** Whether a settled finding is open again, since its value is another one, was just edited, or had gone. */
export function opensAgain(stored: StoredFindingState, finding: Finding, isEdited: boolean): boolean {
  return !stored.is_open && (stored.is_gone || isEdited || !isSameValue(stored, finding))
}

/**
 * Each finding with the stored one of its rule and place. A rule may speak twice of one place, as of two bills that look alike: those whose
 * value is the same find each other first, open ones before settled ones; the rest takes what is left.
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

/** What the bill alone cannot tell any more: the statement is gone, and ledger accounts are asked for when a batch closes. */
const keptCodes: readonly string[] = ['unknown_meter', 'gl_incomplete']
/** What compares with today stays as it was for bills that were over when they came in. */
const todayCodes: readonly string[] = ['due_date', 'date_sanity']

/** On a delivery's bill it misses the supply bill, which the nightly audit alone does; on a supplier's it compares what both meter. */
const nightlyCode = 'supply_match'

/** What another audit of a stored bill cannot judge. */
export function isKept(
  code: string,
  bill: { readonly was_over: boolean; readonly account_type: AccountType; readonly is_nightly?: boolean | undefined },
): boolean {
  if (code === nightlyCode && bill.account_type === 'BillableAccount') return bill.was_over || !bill.is_nightly
  return keptCodes.includes(code) || (bill.was_over && todayCodes.includes(code))
}
