/** Audits the form's current values with the server's functions and the server's rule for which findings stay resolved. */
import { auditBill, ordinaryContext, type AuditBill, type Finding, type GroupAudit } from '#contract/bill-audits/bill-audits.ts'
import type { BillDetail, BillFinding } from '#contract/bills/bill-detail.ts'
import type { AuditedEntry } from '#contract/bills/bill-form.ts'
import { auditedBill, prepareBill } from '#contract/bills/bill-prepare.ts'
import type { CheckedBill } from '#contract/bills/bill-draft.ts'
import { groupOfSave, type TypedChild } from '#contract/bills/group-bill.ts'
import { goneReason, isKept, matchedFindings, opensAgain } from '#contract/bills/compare-findings.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { isHistory } from '#contract/bill-retrieval/statement-history.ts'
import { dueOfBill, usageOfLine, type BillValues } from './bill-values.ts'
import { placedLines, readable, termsOf } from './read-bill.ts'
import { same } from './same.ts'
import { valueAt } from './value-at.ts'

export interface FormFinding extends Finding {
  /** The key of the line that the finding is about; null for the bill itself. */
  readonly lineKey: string | null
  /** The path of the audited value in the form, as in `checkForm`. */
  readonly path: string | null
  /** The earlier resolution of the finding; null where it is open, or was reopened by what was typed. */
  readonly earlier: Pick<BillFinding, 'reason' | 'comment' | 'resolved_by_name'> | null
}

/** Required amounts and dates of a bill. One that cannot be read yet is passed to the audits as missing. */
const headerOfAudits = ['date', 'due_date', 'balance_forward', 'current_charges', 'late_fee', 'amount_due'] as const

/**
 * Returns the findings for the form's current values; values that cannot be read yet count as missing. `base` holds the values that the form
 * started with, `typed` the bills of subaccounts that are entered together with the bill of their group.
 */
export function auditForm(
  values: BillValues,
  base: BillValues,
  entry: AuditedEntry,
  stored: BillDetail | null,
  typed: readonly TypedChild[] = [],
): FormFinding[] {
  const placed = placedLines(values)
  const findings = findingsOf(values, entry, stored, typed).map((finding) => {
    const lineKey = finding.line === null ? null : (placed[finding.line]?.key ?? null)
    const prefix = lineKey === null ? '' : `lines.${lineKey}.`
    return { ...finding, lineKey, path: finding.field === null ? null : `${prefix}${finding.field}`, earlier: null }
  })
  return stored ? withEarlier(findings, values, base, entry, stored) : findings
}

function findingsOf(values: BillValues, entry: AuditedEntry, stored: BillDetail | null, typed: readonly TypedChild[]): Finding[] {
  const { draft, reasons } = readable(values, entry)
  const prepared = prepareBill({ ...draft, source: 'import' }, entry, termsOf(entry))
  if ('reasons' in prepared) return []
  const unread = headerOfAudits.filter((key) => reasons[key] !== undefined || (key === 'amount_due' && dueOfBill(values) === ''))
  const bill: AuditBill = {
    ...auditedBill(prepared, stored?.id ?? 0),
    ...Object.fromEntries(unread.map((key) => [key, null])),
    id: stored?.id ?? null,
    paid: stored?.paid ?? false,
    finalized: stored?.finalized ?? false,
  }
  const context = {
    ...ordinaryContext,
    history_import_on: stored ? historyImportOn(stored) : null,
    payments_managed: entry.payments_managed,
  }
  const { account, services, vendor, history, settings, today } = entry
  const group = groupOf(prepared.draft, bill, entry, typed)
  return auditBill({ bill, account, services, vendor, history, settings, today, context, group })
}

/** Returns the bill's group as the save will find it. A correction that adds to another bill has no group. */
function groupOf(draft: CheckedBill, bill: AuditBill, { group }: AuditedEntry, typed: readonly TypedChild[]): GroupAudit | undefined {
  if (group === null || bill.date === null || draft.rebill_mode === 'add') return undefined
  const parent = {
    id: bill.id ?? 0,
    date: bill.date,
    invoice_number: bill.invoice_number,
    previous_read_date: draft.service_bills.flatMap((line) => line.previous_read_date ?? []).toSorted()[0] ?? null,
    read_date:
      draft.service_bills
        .flatMap((line) => line.read_date ?? [])
        .toSorted()
        .at(-1) ?? null,
  }
  return groupOfSave(parent, group, typed)
}

const cameOn = ({ created_at }: BillDetail): string => todayIn(NEW_YORK, created_at)

/** Returns the day on which the bill was imported as history, or null if it was not. The server's counterpart is bill-came-in.ts. */
function historyImportOn(stored: BillDetail): string | null {
  return stored.source !== 'typed' && isHistory(stored.date, cameOn(stored)) ? cameOn(stored) : null
}

/** A resolved finding stays resolved until its value changes or is typed again, by the same rule as in the save. */
function withEarlier(
  findings: readonly FormFinding[],
  values: BillValues,
  base: BillValues,
  entry: AuditedEntry,
  stored: BillDetail,
): FormFinding[] {
  const was_over = stored.source !== 'typed' && stored.due_date < cameOn(stored)
  const judged = findings.filter((finding) => !isKept(finding.code, { was_over, account_type: stored.account_type }))
  // A line that is not stored yet has no stored findings.
  const lineIds = placedLines(values).map((line) => line.id ?? 0)
  const known = stored.findings.map((one) => ({ ...one, is_open: one.resolved_at === null, is_gone: one.reason === goneReason }))
  const matches = matchedFindings(lineIds, judged, known)
  return judged.map((finding) => {
    const match = matches.get(finding)
    const isEdited = finding.path !== null && !same(shownAt(values, finding.path, entry), shownAt(base, finding.path, entry))
    return match && !match.is_open && !opensAgain(match, finding, isEdited) ? { ...finding, earlier: match } : finding
  })
}

/** Returns the value at a path; where nothing was typed, the computed value. */
function shownAt(values: BillValues, path: string, entry: AuditedEntry): unknown {
  if (path === 'amount_due') return dueOfBill(values)
  const [, key] = /^lines\.([^.]+)\.usage$/.exec(path) ?? []
  const line = key === undefined ? undefined : values.lines.find((one) => one.key === key)
  if (!line) return valueAt(values, path)
  return usageOfLine(
    line,
    entry.services.find((one) => one.id === line.service_id),
  )
}
