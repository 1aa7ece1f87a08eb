/** One chunk of an import, in the transaction of its context: accounts, then bills, then the outcome of each statement. */
import { createBills } from '../bills/bills.ts'
import type { BillDraft, BillOutcome, FieldReasons } from '#contract/bills/bill-draft.ts'
import type { ChosenRecord, MissingMeters } from '#contract/bill-retrieval/bill-retrieval.ts'
import type { RetrievedBill } from '#contract/bill-retrieval/map-statement.ts'
import type { StatementState } from '#contract/bill-retrieval/statement.ts'
import { planRelations, type EarlierBill, type Plan } from '#contract/bill-retrieval/statement-history.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { addServices, makeAccounts, type AccountPlan } from './make-accounts.ts'
import { matchStatements, readStatements, storeMatches, type Match, type MatchedAccount, type StoredStatement } from './match-statements.ts'
import { showPdfs } from './statement-pdfs.ts'
import { chosenBill, draftOf, type DraftTerms } from './statement-drafts.ts'

export interface ImportTerms extends DraftTerms {
  /** Owner of the new accounts, by utility. */
  readonly plans: ReadonlyMap<string, AccountPlan>
  /** A user's changes of a record, by the statement's row id. */
  readonly changes: ReadonlyMap<number, ChosenRecord>
  readonly missingMeters: MissingMeters
}

/**
 * Imports these statements; those that have a bill by now are skipped. Imports of a client run one after the other, so that each sees the
 * accounts of the other.
 */
export async function importChunk(context: Context, clientId: number, ids: readonly number[], terms: ImportTerms): Promise<void> {
  const { tx } = context
  await sql`select pg_advisory_xact_lock(hashtextextended('retrieval_import', ${clientId}))`.execute(tx)
  const stored = (await readStatements(tx, clientId, ids, true)).filter((one) => one.state !== 'created' && one.state !== 'ignored')
  const matches = await preparedMatches(context, clientId, stored, terms)
  await storeMatches(tx, clientId, matches)
  const ready = matches.flatMap((match) => readyOf(match, terms))
  const planned = planStatements(ready, await earlierBills(tx, clientId, ready), terms)
  await makeBills(context, clientId, planned, terms)
}

/** Matches the statements as far as the import allows: with new accounts and new services if requested. */
async function preparedMatches(
  context: Context,
  clientId: number,
  stored: readonly StoredStatement[],
  terms: ImportTerms,
): Promise<Match[]> {
  let matches = await matchStatements(context.tx, clientId, stored)
  const homeless = matches.filter((match) => match.accountAbsent).map((match) => match.stored)
  const made = await makeAccounts(context, clientId, homeless, terms.plans)
  if (made.accounts > 0) matches = await matchStatements(context.tx, clientId, stored)
  if (terms.missingMeters !== 'add') return matches
  const lacking = matches.flatMap(({ state, account, stored: one, missing }) =>
    state === 'needs_meter' && account ? [{ account, stored: one, missing }] : [],
  )
  const added = await addServices(context, clientId, lacking)
  return added > 0 ? matchStatements(context.tx, clientId, stored) : matches
}

interface Ready {
  readonly stored: StoredStatement
  readonly account: MatchedAccount
  readonly bill: RetrievedBill
}

function readyOf({ stored, state, account }: Match, terms: ImportTerms): Ready[] {
  const isReady = state === 'matched' || (state === 'needs_meter' && terms.missingMeters === 'flag')
  if (!isReady || account === null) return []
  const bill = chosenBill(stored, account, terms.changes.get(stored.id))
  return 'cannot' in bill ? [] : [{ stored, account, bill }]
}

interface Earlier extends EarlierBill {
  readonly account_key: string
}

async function earlierBills(tx: Tx, clientId: number, ready: readonly Ready[]): Promise<Earlier[]> {
  const idsOf = (type: MatchedAccount['account_type']) =>
    ready.filter(({ account }) => account.account_type === type).map(({ account }) => account.account_id)
  if (ready.length === 0) return []
  const { rows } =
    await sql<Earlier>`select id, date, previous_read_date, read_date, current_charges::text as current_charges, amount_due::text as amount_due,
      case when billable_account_id is null then 'SupplyAccount ' || supply_account_id else 'BillableAccount ' || billable_account_id end as account_key
    from bills where client_id = ${clientId} and superseded_by_id is null
      and (billable_account_id = any(${idsOf('BillableAccount')}::bigint[]) or supply_account_id = any(${idsOf('SupplyAccount')}::bigint[])) order by date, id`.execute(
      tx,
    )
  return rows
}

/** Corrections of bills that the same chunk creates are deferred to a later round, when those bills have ids. */
function planStatements(ready: readonly Ready[], earlier: readonly Earlier[], terms: ImportTerms): Plan<Ready>[] {
  return [...Map.groupBy(ready, keyOf)].flatMap(([key, ofAccount]) =>
    planRelations(
      ofAccount.toSorted(byDate).map((one) => {
        const changes = terms.changes.get(one.stored.id)
        return {
          item: one,
          number: one.stored.id,
          bill: one.bill,
          insists: Boolean(changes?.override_reason),
          mode: changes?.rebill_mode ?? undefined,
        }
      }),
      earlier.filter((one) => one.account_key === key),
    ),
  )
}

async function makeBills(context: Context, clientId: number, plans: readonly Plan<Ready>[], terms: ImportTerms): Promise<void> {
  const made = new Map<number, number>()
  const outcomes: Settled[] = []
  const last = plans.reduce((most, plan) => (plan.kind === 'make' ? Math.max(most, plan.round) : most), -1)
  for (let round = 0; round <= last; round += 1) {
    const now = plans.flatMap((plan) => (plan.kind === 'make' && plan.round === round ? [plan] : []))
    const bills = await createBills(
      context,
      clientId,
      now.map((plan) => draftOfPlan(plan, made, terms)),
    )
    for (const [place, outcome] of bills.entries()) {
      const ready = now[place]?.item
      if (!ready) continue
      if (outcome.kind === 'created') made.set(-ready.stored.id, outcome.id)
      outcomes.push(settledBy(ready, outcome))
    }
  }
  for (const plan of plans) if (plan.kind === 'repeats') outcomes.push(repeatedBy(plan.item, plan.id, made))
  await storeOutcomes(context.tx, clientId, outcomes)
  // A PDF that a user opened before is stored already; the others are fetched after the import.
  await showPdfs(
    context.tx,
    clientId,
    outcomes.map(({ id }) => id),
  )
}

function draftOfPlan(
  { item: ready, corrects }: Extract<Plan<Ready>, { kind: 'make' }>,
  made: ReadonlyMap<number, number>,
  terms: ImportTerms,
): BillDraft {
  const { stored, account, bill } = ready
  const draft = draftOf(stored, account, bill, terms.changes.get(stored.id), terms)
  const original = corrects === null ? undefined : corrects.id > 0 ? corrects.id : made.get(corrects.id)
  // If the bill to be corrected was refused, its correction is simply the first bill of the period.
  return original === undefined || corrects === null
    ? draft
    : { ...draft, rebill_adjustment: true, rebill_of_id: original, rebill_mode: corrects.mode }
}

interface Settled {
  readonly id: number
  readonly state: StatementState | null
  readonly reason: string | null
  readonly bill_id: number | null
}

function settledBy({ stored }: Ready, outcome: BillOutcome): Settled {
  switch (outcome.kind) {
    case 'created':
      return {
        id: stored.id,
        state: 'created',
        reason: outcome.is_draft ? 'The bill is a draft: something that it needs is not on the statement.' : null,
        bill_id: outcome.id,
      }
    case 'duplicate':
      return { id: stored.id, state: 'duplicate', reason: `Bill ${outcome.bill_id}: ${outcome.reason}`, bill_id: outcome.bill_id }
    case 'refused':
      return { id: stored.id, state: null, reason: `Not created: ${wordsOf(outcome.reasons)}`, bill_id: null }
  }
}

function repeatedBy({ stored }: Ready, id: number, made: ReadonlyMap<number, number>): Settled {
  const bill_id = id > 0 ? id : (made.get(id) ?? null)
  if (bill_id === null)
    return { id: stored.id, state: null, reason: 'Not created: the statement that it repeats could not be created either', bill_id: null }
  return { id: stored.id, state: 'duplicate', reason: `Bill ${bill_id} has the same date and the same amounts`, bill_id }
}

function wordsOf(reasons: FieldReasons): string {
  return Object.entries(reasons)
    .flatMap(([field, messages]) => messages.map((message) => `${field}: ${message}`))
    .join('; ')
}

/** A statement that already has its own bill, whatever its origin, counts as created. */
async function storeOutcomes(tx: Tx, clientId: number, outcomes: readonly Settled[]): Promise<void> {
  if (outcomes.length === 0) return
  await sql`update retrieval_statements stored set bill_id = coalesce(own.id, settled.bill_id), lock_version = stored.lock_version + 1, updated_at = now(),
      state = case when own.id is not null then 'created' else coalesce(settled.state, stored.state) end, reason = case when own.id is not null and settled.state <> 'created' then null else settled.reason end
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as settled(id bigint, state text, reason text, bill_id bigint)
    join retrieval_statements self on self.client_id = ${clientId} and self.id = settled.id
    left join bills own on own.client_id = ${clientId} and own.retrieval_provider = self.provider and own.statement_id = self.statement_id and own.source = 'retrieval'
    where stored.client_id = ${clientId} and stored.id = settled.id`.execute(tx)
}

function keyOf(ready: Pick<Ready, 'account'> | undefined): string {
  return ready ? `${ready.account.account_type} ${ready.account.account_id}` : ''
}

function byDate(a: Ready, b: Ready): number {
  if (a.bill.date !== b.bill.date) return a.bill.date < b.bill.date ? -1 : 1
  return a.stored.id - b.stored.id
}
