/** Judges bills one after the other, each by those before it. */
import { unknownAccount } from './account-books.ts'
import {
  auditBill,
  historyBill,
  ordinaryContext,
  type AuditContext,
  type Finding,
  type HistoryBill,
} from '#contract/bill-audits/bill-audits.ts'
import { auditedBill, prepareBill, type PreparedBill } from '#contract/bills/bill-prepare.ts'
import type { BillOutcome, CheckedBill } from '#contract/bills/bill-draft.ts'
import type { Context } from '../kernel/context.ts'
import type { AccountBook, ClientTerms } from './account-books.ts'
import { faultyReferences, statementKey, type References } from './bill-references.ts'
import { withGroupOfNew } from './group-choice.ts'
import { refusedResolutions, settled } from './settle-findings.ts'
import type { BillToStore } from './bill-to-store.ts'

/** Inputs for judging a draft besides its account. Statements that become bills here are added, so that the next draft sees them. */
export interface Desk {
  readonly context: Context
  readonly today: string
  readonly terms: ClientTerms
  readonly references: References
  readonly byStatement: Map<string, number>
}

type Judged = { readonly bill: BillToStore } | { readonly outcome: BillOutcome }

export function judge(desk: Desk, draft: CheckedBill, book: AccountBook | undefined, id: number): Judged {
  const { references, terms } = desk
  if (!book) return { outcome: { kind: 'refused', reasons: { account_id: [unknownAccount] } } }
  const statement = statementKey(draft)
  const made = statement === null ? undefined : desk.byStatement.get(statement)
  if (made !== undefined) return { outcome: { kind: 'duplicate', bill_id: made, reason: 'A bill was made of this statement before' } }
  const faults = faultyReferences(draft, references)
  if (Object.keys(faults).length > 0) return { outcome: { kind: 'refused', reasons: faults } }
  const prepared = prepareBill(withGroupOfNew(withRebillMode(draft, references), references), book, terms)
  if ('reasons' in prepared) return { outcome: { kind: 'refused', reasons: prepared.reasons } }
  const findings = audited(prepared, id, desk)
  const unsettled = refusedResolutions(draft, findings, terms, desk.context.visitor)
  if (Object.keys(unsettled).length > 0) return { outcome: { kind: 'refused', reasons: unsettled } }
  const twin = findings.find((finding) => finding.code === 'duplicate_exact')
  if (twin && twin.other_bill_id !== null && draft.override_reason === null)
    return { outcome: { kind: 'duplicate', bill_id: twin.other_bill_id, reason: twin.message } }
  const bill = billToStore(desk, prepared, id, findings)
  if (statement !== null) desk.byStatement.set(statement, id)
  remember(book, prepared, id, desk.today)
  return { bill }
}

function audited(prepared: PreparedBill<AccountBook>, id: number, { terms, today }: Desk): Finding[] {
  const { draft, book } = prepared
  const context: AuditContext = {
    ...ordinaryContext,
    unknown_meters: draft.unknown_meters,
    history_import_on: draft.imported_history ? today : null,
    payments_managed: terms.payments_managed,
  }
  return auditBill({ ...book, bill: auditedBill(prepared, id), today, context })
}

function billToStore(
  { context, terms, references }: Desk,
  prepared: PreparedBill<AccountBook>,
  id: number,
  findings: readonly Finding[],
): BillToStore {
  const { draft, book } = prepared
  const stored = findings.map((finding) => settled(finding, draft, terms, context.visitor))
  const isHeld = stored.some((finding) => finding.severity === 'E!' && finding.resolution === null)
  return {
    ...prepared,
    id,
    line_ids: [],
    previous_bill_id: previousBill(book, draft)?.id ?? null,
    rebill_mode: draft.rebill_of_id === null ? null : draft.rebill_mode,
    qc: draft.qc || (terms.qc_on_error && isHeld),
    findings: stored,
    file_names: references.files,
  }
}

/** A correction for exactly the same days replaces the bill, any other one adds to it, unless the draft says which. */
export function withRebillMode(draft: CheckedBill, references: References): CheckedBill {
  if (draft.rebill_of_id === null || draft.rebill_mode !== null) return draft
  const original = references.bills.get(draft.rebill_of_id)
  const starts = draft.service_bills.flatMap((line) => line.previous_read_date ?? []).toSorted()
  const ends = draft.service_bills.flatMap((line) => line.read_date ?? []).toSorted()
  const isSamePeriod =
    original !== undefined && original.previous_read_date === (starts[0] ?? null) && original.read_date === (ends.at(-1) ?? null)
  return { ...draft, rebill_mode: isSamePeriod ? 'replace' : 'add', rebill_adjustment: true }
}

export function previousBill(book: AccountBook, draft: CheckedBill): HistoryBill | undefined {
  return book.history
    .filter((bill) => bill.date <= draft.date && bill.id !== draft.rebill_of_id)
    .toSorted((a, b) => byDate(b, a) || b.id - a.id)[0]
}

/** Later drafts of the call are audited against this one as if it were stored; the bill that it replaces is void from now on. */
function remember(book: AccountBook, prepared: PreparedBill<AccountBook>, id: number, today: string): void {
  const { draft } = prepared
  if (draft.rebill_of_id !== null && draft.rebill_mode === 'replace') {
    const replaced = book.history.findIndex((bill) => bill.id === draft.rebill_of_id)
    if (replaced >= 0) book.history.splice(replaced, 1)
  }
  const past = historyBill(auditedBill(prepared, id), book.services, {
    amount_paid: null,
    received_on: draft.created_at?.slice(0, 10) ?? today,
    batched_on: null,
    paid_on: null,
  })
  if (past) book.history.unshift(past)
}

export function byDate(a: { readonly date: string }, b: { readonly date: string }): number {
  return a.date < b.date ? -1 : a.date > b.date ? 1 : 0
}
