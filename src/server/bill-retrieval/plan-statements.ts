/** The statements of a chunk that can become bills, in the order of their dates. */
import type { MissingMeters } from '#contract/bill-retrieval/bill-retrieval.ts'
import type { ChosenRecord } from '#contract/bill-retrieval/retrieval-choice.ts'
import type { RetrievedBill } from '#contract/bill-retrieval/map-statement.ts'
import { planRelations, type EarlierBill, type Plan } from '#contract/bill-retrieval/statement-history.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { makeAccounts, type AccountPlan } from './make-accounts.ts'
import { addServices } from './add-services.ts'
import { matchStatements } from './match-statements.ts'
import type { Match } from './match-one.ts'
import type { MatchedAccount, StoredStatement } from './find-accounts.ts'
import { chosenBill, type DraftTerms } from './statement-drafts.ts'

export interface ImportTerms extends DraftTerms {
  /** Owner of the new accounts, by utility. */
  readonly plans: ReadonlyMap<string, AccountPlan>
  /** A user's changes of a record, by the statement's row id. */
  readonly changes: ReadonlyMap<number, ChosenRecord>
  readonly missingMeters: MissingMeters
}

/** Matches the statements as far as the import allows: with new accounts and new services if requested. */
export async function preparedMatches(
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

export interface Ready {
  readonly stored: StoredStatement
  readonly account: MatchedAccount
  readonly bill: RetrievedBill
}

export function readyOf({ stored, state, account }: Match, terms: ImportTerms): Ready[] {
  const isReady = state === 'matched' || (state === 'needs_meter' && terms.missingMeters === 'flag')
  if (!isReady || account === null) return []
  const bill = chosenBill(stored, account, terms.changes.get(stored.id))
  return 'cannot' in bill ? [] : [{ stored, account, bill }]
}

interface Earlier extends EarlierBill {
  readonly account_key: string
}

export async function earlierBills(tx: Tx, clientId: number, ready: readonly Ready[]): Promise<Earlier[]> {
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
export function planStatements(ready: readonly Ready[], earlier: readonly Earlier[], terms: ImportTerms): Plan<Ready>[] {
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

function keyOf(ready: Pick<Ready, 'account'> | undefined): string {
  return ready ? `${ready.account.account_type} ${ready.account.account_id}` : ''
}

function byDate(a: Ready, b: Ready): number {
  if (a.bill.date !== b.bill.date) return a.bill.date < b.bill.date ? -1 : 1
  return a.stored.id - b.stored.id
}
