/** What a save settles of its own findings, and what only somebody else may settle. */
import type { Finding } from '#contract/bill-audits/bill-audits.ts'
import type { CheckedBill, FieldReasons } from '#contract/bills/bill-draft.ts'
import { compareMoney } from '#contract/kernel/money.ts'
import type { Principal } from '../kernel/principal.ts'
import type { ClientTerms } from './account-books.ts'
import type { StoredFinding } from './store-bills.ts'

type Saved = Pick<CheckedBill, 'amount_due' | 'override_reason' | 'resolutions'>
type Saver = Pick<Principal, 'user_id'> | null

/**
 * A finding with the reason that the save gives for it. The reason of a save that repeats a bill settles that finding. Above the client's
 * limit nobody settles the flag of a bill that they make themselves: it stays open, and holds the payment, until somebody else does.
 */
export function settled(finding: Finding, draft: Saved, terms: ClientTerms, saver: Saver): StoredFinding {
  if (finding.severity === 'E!' && !maySettleOwn(draft, terms, saver)) return { ...finding, resolution: null }
  const chosen = draft.resolutions.find((one) => one.code === finding.code && one.line === finding.line)
  if (chosen) return { ...finding, resolution: { reason: chosen.reason, comment: chosen.comment } }
  const isOverridden = finding.code === 'duplicate_exact' && draft.override_reason !== null
  return { ...finding, resolution: isOverridden ? { reason: draft.override_reason ?? '', comment: null } : null }
}

/** The resolutions that their maker may not give, by their place: said before anything is stored, so that nothing is dropped in silence. */
export function refusedResolutions(draft: Saved, findings: readonly Finding[], terms: ClientTerms, saver: Saver): FieldReasons {
  if (maySettleOwn(draft, terms, saver)) return {}
  const held = draft.resolutions.flatMap(({ code, line }, place) =>
    findings.some((finding) => finding.severity === 'E!' && finding.code === code && finding.line === line) ? [place] : [],
  )
  return Object.fromEntries(
    held.map((place) => [`resolutions.${place}`, [`Above $${terms.override_limit} somebody else must settle this`]]),
  )
}

function maySettleOwn(draft: Saved, terms: ClientTerms, saver: Saver): boolean {
  return saver === null || compareMoney(draft.amount_due, terms.override_limit) <= 0
}
