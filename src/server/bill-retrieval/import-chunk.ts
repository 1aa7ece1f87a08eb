/** One chunk of an import, in the transaction of its context: accounts, then bills, then the outcome of each statement. */
import { duplicateReason } from '#contract/bills/bill-draft.ts'
import { createBills } from '../bills/bills.ts'
import type { BillDraft, BillOutcome, FieldReasons } from '#contract/bills/bill-draft.ts'
import type { StatementState } from '#contract/bill-retrieval/statement.ts'
import type { Plan } from '#contract/bill-retrieval/statement-history.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { readStatements, storeMatches } from './match-statements.ts'
import { showPdfs } from './statement-pdfs.ts'
import { draftOf } from './statement-drafts.ts'
import { type ImportTerms, preparedMatches, readyOf, planStatements, earlierBills, type Ready } from './plan-statements.ts'

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
  return { id: stored.id, state: 'duplicate', reason: duplicateReason(bill_id), bill_id }
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
