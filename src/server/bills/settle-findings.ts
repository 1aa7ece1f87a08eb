/** Findings that a save resolves itself, and those that only another person may resolve. */
import type { Finding } from '#contract/bill-audits/bill-audits.ts'
import type { CheckedBill, FieldReasons } from '#contract/bills/bill-draft.ts'
import { compareMoney } from '#contract/kernel/money.ts'
import type { Principal } from '../kernel/principal.ts'
import type { ClientTerms } from './account-books.ts'
import type { StoredFinding } from './bill-to-store.ts'

type Saved = Pick<CheckedBill, 'amount_due' | 'override_reason' | 'resolutions'>
type Saver = Pick<Principal, 'user_id'> | null

/**
 * Returns a finding with the reason that the save gives for it. The reason for saving a repeated bill resolves that finding. Above the
 * client's limit, users cannot resolve the flag of a bill that they create themselves: it stays open, and holds the payment, until another
 * person does.
 */
export function settled(finding: Finding, draft: Saved, terms: ClientTerms, saver: Saver): StoredFinding {
  if (finding.severity === 'E!' && !maySettleOwn(draft, terms, saver)) return { ...finding, resolution: null }
  const chosen = draft.resolutions.find((one) => one.code === finding.code && one.line === finding.line)
  if (chosen) return { ...finding, resolution: { reason: chosen.reason, comment: chosen.comment } }
  const isOverridden = finding.code === 'duplicate_exact' && draft.override_reason !== null
  return { ...finding, resolution: isOverridden ? { reason: draft.override_reason ?? '', comment: null } : null }
}

/**
 * Returns the resolutions that the creator may not give, by their position: reported before anything is stored, so that none is dropped
 * silently.
 */
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
