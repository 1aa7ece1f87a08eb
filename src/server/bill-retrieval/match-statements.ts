/**
 * Decides the state of statements: the account of each, whether the account has its meters, and whether it repeats another one. Any number
 * of statements takes the same handful of queries.
 *
 * An account is found by its number as it is printed, then without spaces and dashes, then by an alias; of several, the one of the
 * utility's vendor wins. A statement that names a known vendor never matches another vendor's account, except by an alias that a user set.
 */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { republications } from './republications.ts'
import { storedStatement } from './read-statement.ts'
import { type StoredStatement, vendorsOfUtilities, vendorsSaid, findAccounts, servicesOf, siblingsOf } from './find-accounts.ts'
import { type Match, matchOne } from './match-one.ts'

/** Statements that are decided together; each may have dozens of kilobytes. */
const MATCH_TOGETHER = 500

/** Decides all open statements of the client, and stores the decisions. `step` opens a transaction for some of them. */
export async function matchOpenStatements(clientId: number, step: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>): Promise<void> {
  for (let after = 0; ;) {
    const last = await step(async (tx) => {
      const { rows } = await sql<{
        id: number
      }>`select id from retrieval_statements where client_id = ${clientId} and id > ${after} and ${isOpen} order by id limit ${MATCH_TOGETHER}`.execute(
        tx,
      )
      await decideStatements(
        tx,
        clientId,
        rows.map((row) => row.id),
      )
      return rows.length < MATCH_TOGETHER ? null : (rows.at(-1)?.id ?? null)
    })
    if (last === null) return
    after = last
  }
}

/** A decision by a user or a bill is kept. */
const isOpen = sql<boolean>`(state in ('new', 'matched', 'needs_account', 'needs_meter') or (state = 'duplicate' and bill_id is null))`

/** Reads complete statements. `lock` locks them for the transaction. */
export async function readStatements(tx: Tx, clientId: number, ids: readonly number[], lock = false): Promise<StoredStatement[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<
    Omit<StoredStatement, 'statement'> & { raw: unknown }
  >`select id, provider, provider_name, statement_id, file_id, account_number, statement_date, state, bill_id, raw
    from retrieval_statements where client_id = ${clientId} and id = any(${ids}::bigint[]) order by id ${lock ? sql`for update` : sql``}`.execute(
    tx,
  )
  return rows.map(({ raw, ...row }) => ({ ...row, statement: storedStatement(raw) }))
}

/** Decides these statements; stores nothing. */
export async function matchStatements(tx: Tx, clientId: number, stored: readonly StoredStatement[]): Promise<Match[]> {
  if (stored.length === 0) return []
  const vendors = await vendorsOfUtilities(tx, clientId, stored)
  const mappedVendors = await vendorsSaid(tx, clientId)
  const found = await findAccounts(tx, clientId, stored)
  const services = await servicesOf(tx, clientId, found)
  const repeated = republications(await siblingsOf(tx, clientId, stored))
  return stored.map((one) => {
    const match = matchOne(one, { vendors, mappedVendors, found, services })
    const reason = repeated.get(one.id)
    return reason === undefined || match.state === 'ignored' ? match : { ...match, state: 'duplicate', reason }
  })
}

/** Decides these statements and stores the decisions. */
export async function decideStatements(tx: Tx, clientId: number, ids: readonly number[]): Promise<Match[]> {
  const matches = await matchStatements(tx, clientId, await readStatements(tx, clientId, ids))
  await storeMatches(tx, clientId, matches)
  return matches
}

export async function storeMatches(tx: Tx, clientId: number, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return
  const rows = matches.map(({ stored, state, reason, vendor_id, account, bill }) => ({
    id: stored.id,
    state,
    reason,
    vendor_id,
    due_date: bill?.due_date ?? null,
    billable_account_id: account?.account_type === 'BillableAccount' ? account.account_id : null,
    supply_account_id: account?.account_type === 'SupplyAccount' ? account.account_id : null,
  }))
  await sql`update retrieval_statements stored set state = decided.state, reason = decided.reason, vendor_id = decided.vendor_id, due_date = decided.due_date,
      billable_account_id = decided.billable_account_id, supply_account_id = decided.supply_account_id, lock_version = stored.lock_version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as decided(id bigint, state text, reason text, vendor_id bigint, due_date date, billable_account_id bigint, supply_account_id bigint)
    where stored.client_id = ${clientId} and stored.id = decided.id
      and (stored.state, stored.reason, stored.vendor_id, stored.due_date, stored.billable_account_id, stored.supply_account_id)
        is distinct from (decided.state, decided.reason, decided.vendor_id, decided.due_date, decided.billable_account_id, decided.supply_account_id)`.execute(
    tx,
  )
}
