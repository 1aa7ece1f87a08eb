/**
 * The only way to create bills, whatever their origin. Everything is decided per draft and executed for all of them at once: shape,
 * accounts, references, audits against earlier bills (including earlier ones of the same call), then one statement per table.
 *
 * The cost, in statements for any number of drafts up to `chunkSize`: 2 for the client, 1 or 2 for the locked accounts, 4 for their
 * services and vendors, 2 or 3 for their history, 0 to 4 for references, 2 for ids, 3 to 9 to write, 1 for the trail, 4 to 9 for the links
 * of groups, plus the monthly facts. The audits are pure and take most of the time of large calls.
 */
import {
  auditBill,
  historyBill,
  ordinaryContext,
  type AuditContext,
  type Finding,
  type HistoryBill,
} from '#contract/bill-audits/bill-audits.ts'
import { auditedBill, prepareBill, type PreparedBill } from '#contract/bills/bill-prepare.ts'
import { billDraft, reasonsOf, type BillDraft, type BillOutcome, type CheckedBill } from '#contract/bills/bill-draft.ts'
import { refreshFactsOfBills } from '../month-facts/month-facts.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { bookKey, clientTerms, lockBooks, type AccountBook, type ClientTerms } from './account-books.ts'
import { fillHistories, type Span } from './account-history.ts'
import { faultyReferences, findReferences, statementKey, type References } from './bill-references.ts'
import { withGroupOfNew } from './group-choice.ts'
import { groupsBefore, linkGroups } from './link-groups.ts'
import { refusedResolutions, settled } from './settle-findings.ts'
import { storeBills, takeIds, type BillToStore } from './store-bills.ts'

/** Bills that are created together: enough to amortize the fixed statements, few enough to keep their history in memory. */
const chunkSize = 500

/**
 * Creates bills from drafts, in the transaction of the context. Accounts are locked in id order; drafts of an account are processed by
 * date. `facts: 'later'` leaves the monthly facts unchanged, for callers that create years of bills at once and rebuild the facts before
 * the commit.
 * @returns one outcome per draft, in the order of the drafts: created, refused with reasons by field, or the bill that it repeats.
 */
export async function createBills(
  context: Context,
  clientId: number,
  drafts: readonly BillDraft[],
  { facts = 'now' }: { readonly facts?: 'now' | 'later' } = {},
): Promise<BillOutcome[]> {
  const outcomes = new Map<number, BillOutcome>()
  const checked = drafts.flatMap((draft, place) => {
    const parsed = billDraft.safeParse(draft)
    if (!parsed.success) outcomes.set(place, { kind: 'refused', reasons: reasonsOf(parsed.error) })
    return parsed.success ? [{ place, draft: parsed.data }] : []
  })
  const terms = await clientTerms(context, clientId)
  const ordered = checked.toSorted((a, b) => byAccount(a.draft, b.draft) || byDate(a.draft, b.draft) || a.place - b.place)
  for (let start = 0; start < ordered.length; start += chunkSize) {
    const chunk = ordered.slice(start, start + chunkSize)
    const { made, ids } = await createChunk(
      context,
      clientId,
      chunk.map(({ draft }) => draft),
      terms,
    )
    if (facts === 'now') await refreshFactsOfBills(context.tx, clientId, ids)
    for (const [at, { place }] of chunk.entries()) {
      const outcome = made[at]
      if (outcome) outcomes.set(place, outcome)
    }
  }
  return drafts.flatMap((_, place) => outcomes.get(place) ?? [])
}

interface MadeChunk {
  readonly made: readonly BillOutcome[]
  /** Ids of the stored bills, and of the group bills that count differently because of them. */
  readonly ids: readonly number[]
}

async function createChunk(context: Context, clientId: number, drafts: readonly CheckedBill[], terms: ClientTerms): Promise<MadeChunk> {
  const books = await lockBooks(context, clientId, drafts, terms)
  await fillHistories(context.tx, clientId, books, spansOf(drafts))
  const references = await findReferences(context, clientId, drafts)
  const billIds = await takeIds(context.tx, 'bills', drafts.length)
  const desk: Desk = { context, today: today(), terms, references, byStatement: new Map(references.statements) }
  const judged = drafts.map((draft, place) => judge(desk, draft, books.get(bookKey(draft)), billIds[place] ?? 0))
  const bills = judged.flatMap((one) => ('bill' in one ? [one.bill] : []))
  const before = await groupsBefore(
    context.tx,
    clientId,
    bills.flatMap((bill) => bill.draft.rebill_of_id ?? []),
  )
  const stored = await storeBills(context, clientId, await withLineIds(context, bills))
  const ids = bills.map((bill) => bill.id).filter((id) => stored.has(id))
  const groups = await linkGroups(context, clientId, ids, before, new Map(bills.map(({ id, draft }) => [id, draft])))
  return { made: judged.map((one) => ('bill' in one ? outcomeOf(one.bill, stored) : one.outcome)), ids: [...new Set([...ids, ...groups])] }
}

/** Inputs for judging a draft besides its account. Statements that become bills here are added, so that the next draft sees them. */
interface Desk {
  readonly context: Context
  readonly today: string
  readonly terms: ClientTerms
  readonly references: References
  readonly byStatement: Map<string, number>
}

type Judged = { readonly bill: BillToStore } | { readonly outcome: BillOutcome }

function judge(desk: Desk, draft: CheckedBill, book: AccountBook | undefined, id: number): Judged {
  const { references, terms } = desk
  if (!book) return { outcome: { kind: 'refused', reasons: { account_id: ['This account cannot be found'] } } }
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

async function withLineIds(context: Context, bills: readonly BillToStore[]): Promise<BillToStore[]> {
  const ids = await takeIds(
    context.tx,
    'service_bills',
    bills.reduce((sum, bill) => sum + bill.lines.length, 0),
  )
  let taken = 0
  return bills.map((bill) => ({ ...bill, line_ids: ids.slice(taken, (taken += bill.lines.length)) }))
}

/** A bill was not stored if another transaction has just made one from the same statement; its id is not known here. */
function outcomeOf(bill: BillToStore, stored: ReadonlySet<number>): BillOutcome {
  if (!stored.has(bill.id)) return { kind: 'refused', reasons: { statement_id: ['A bill is being made of this statement already'] } }
  const { id, missing_fields, findings } = bill
  return { kind: 'created', id, is_draft: missing_fields.length > 0, missing_fields, findings }
}

function spansOf(drafts: readonly CheckedBill[]): Span[] {
  return [...Map.groupBy(drafts, bookKey).values()].flatMap((ofAccount) => {
    const dates = ofAccount.map((draft) => draft.date).toSorted()
    const [first] = dates
    const last = dates.at(-1)
    const [one] = ofAccount
    return one && first && last ? [{ account_type: one.account_type, account_id: one.account_id, first, last }] : []
  })
}

function byAccount(a: CheckedBill, b: CheckedBill): number {
  if (a.account_type !== b.account_type) return a.account_type < b.account_type ? -1 : 1
  return a.account_id - b.account_id
}

function byDate(a: { readonly date: string }, b: { readonly date: string }): number {
  return a.date < b.date ? -1 : a.date > b.date ? 1 : 0
}
