/**
 * The only way to create bills, whatever their origin. Everything is decided per draft and executed for all of them at once: shape,
 * accounts, references, audits against earlier bills (including earlier ones of the same call), then one statement per table.
 *
 * The cost, in statements for any number of drafts up to `chunkSize`: 2 for the client, 1 or 2 for the locked accounts, 4 for their
 * services and vendors, 2 or 3 for their history, 0 to 4 for references, 2 for ids, 3 to 9 to write, 1 for the trail, 4 to 9 for the links
 * of groups, plus the monthly facts. The audits are pure and take most of the time of large calls.
 */
import { billDraft, reasonsOf, type BillDraft, type BillOutcome, type CheckedBill } from '#contract/bills/bill-draft.ts'
import { refreshFactsOfBills } from '../month-facts/month-facts.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { bookKey, clientTerms, lockBooks, type ClientTerms } from './account-books.ts'
import { fillHistories, spansOf } from './account-history.ts'
import { findReferences } from './bill-references.ts'
import { groupsBefore, linkGroups } from './link-groups.ts'
import { storeBills, takeIds } from './store-bills.ts'
import type { BillToStore } from './bill-to-store.ts'
import { byDate, type Desk, judge } from './judge-bills.ts'

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

function byAccount(a: CheckedBill, b: CheckedBill): number {
  if (a.account_type !== b.account_type) return a.account_type < b.account_type ? -1 : 1
  return a.account_id - b.account_id
}
