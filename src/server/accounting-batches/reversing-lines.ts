/**
 * Lines that reverse how a closed batch booked a bill that is void now. A closed month is never changed, so they come into an open batch: into
 * that of the bill that replaced the void one, or, if that bill cannot come into a batch now, into the next batch of the group that closes.
 */
import { centsOf } from '#contract/kernel/money.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { termsOf } from './batch-bills.ts'
import { refusalColumn } from './batch-rules.ts'
import type { LedgerBatch, LedgerLine } from './ledger-line.ts'

/** Maximum length of a chain of replacements; a longer one is a fault in the data. */
const CHAIN_MAX = 50

/** Condition on `bills`: the bill is void, a closed batch booked it, and no batch has taken that back. Lines exist in closed batches only. */
const isOwedReversal = (clientId: number): RawBuilder<boolean> =>
  sql<boolean>`bills.superseded_by_id is not null and bills.accounting_batch_id is not null and exists (select 1 from gl_lines line
    where line.client_id = ${clientId} and line.bill_id = bills.id and line.reverses_id is null
      and not exists (select 1 from gl_lines taken where taken.client_id = ${clientId} and taken.reverses_id = line.id))`

/** Returns the void bills of the client that an open batch has still to take back. */
export async function voidBookedBills(tx: Tx, clientId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select bills.id from bills where bills.client_id = ${clientId} and ${isOwedReversal(clientId)}
    order by bills.id`.execute(tx)
  return rows.map((row) => row.id)
}

/** A void bill whose lines are to be reversed. */
export interface OwedReversal {
  readonly void_id: number
  /** The bill that counts in its place. */
  readonly successor_id: number
  /** The open batch that takes the lines back; null if the successor can come into a batch and waits for one, or if no batch is open. */
  readonly home_id: number | null
}

/**
 * Returns the reversals that are owed, or only that of one void bill. The batch with the id `closing` counts as open, although the save that
 * closes it has marked it already.
 */
export async function owedReversals(
  tx: Tx,
  clientId: number,
  { closing, voidId }: { readonly closing?: number; readonly voidId?: number } = {},
): Promise<OwedReversal[]> {
  const terms = await termsOf(tx, { client_id: clientId, id: null })
  const isOpen = (batch: string) =>
    sql<boolean>`(not ${sql.ref(`${batch}.closed`)} or ${sql.ref(`${batch}.id`)} = ${closing ?? null}::bigint)`
  const { rows } = await sql<OwedReversal>`
    with recursive chain as (
      select bills.id as void_id, bills.accounting_batch_id as booked_id, bills.superseded_by_id as next_id, 1 as step from bills
        where bills.client_id = ${clientId} and ${voidId === undefined ? sql`true` : sql`bills.id = ${voidId}`} and ${isOwedReversal(clientId)}
      union all select chain.void_id, chain.booked_id, next.superseded_by_id, chain.step + 1 from chain
        join bills next on next.client_id = ${clientId} and next.id = chain.next_id
        where next.superseded_by_id is not null and chain.step < ${CHAIN_MAX})
    select chain.void_id, bills.id as successor_id, case when own.id is not null and ${isOpen('own')} then own.id
        when bills.accounting_batch_id is null and ${refusalColumn(terms)} is null then null
        else (select min(batch.id) from accounting_batches batch where batch.client_id = ${clientId} and ${isOpen('batch')}
          and batch.batch_group_id is not distinct from booked.batch_group_id
          and exists (select 1 from bills held where held.client_id = ${clientId} and held.accounting_batch_id = batch.id)) end as home_id
    from chain join bills on bills.client_id = ${clientId} and bills.id = chain.next_id and bills.superseded_by_id is null
    join accounting_batches booked on booked.client_id = ${clientId} and booked.id = chain.booked_id
    left join accounting_batches own on own.client_id = ${clientId} and own.id = bills.accounting_batch_id
    order by chain.void_id`.execute(tx)
  return rows
}

/**
 * Returns the reversing lines that belong to an open batch, by the bill of the batch that they follow; those whose successor is in no open
 * batch have the key null. Each line is reversed once.
 */
export async function reversingLines(tx: Tx, { client_id: clientId, id }: LedgerBatch): Promise<Map<number | null, LedgerLine[]>> {
  const owed = (await owedReversals(tx, clientId, { closing: id })).filter(({ home_id }) => home_id === id)
  if (owed.length === 0) return new Map()
  const { rows } =
    await sql<FrozenLine>`select line.id, line.bill_id, line.service_bill_id, line.kind, line.ledger_account_id, line.ledger_account_name,
      line.ledger_values, line.division_id, line.amount, line.description
    from gl_lines line where line.client_id = ${clientId} and line.bill_id = any(${owed.map(({ void_id }) => void_id)}::bigint[])
      and line.reverses_id is null and not exists (select 1 from gl_lines taken where taken.client_id = ${clientId} and taken.reverses_id = line.id)
    order by line.bill_id, line.position, line.id`.execute(tx)
  const held = await billsHeld(tx, { client_id: clientId, id }, owed)
  const placeOf = new Map(owed.map(({ void_id, successor_id }) => [void_id, held.has(successor_id) ? successor_id : null]))
  return new Map([...Map.groupBy(rows, (row) => placeOf.get(row.bill_id) ?? null)].map(([place, own]) => [place, own.map(takenBack)]))
}

async function billsHeld(tx: Tx, { client_id: clientId, id }: LedgerBatch, owed: readonly OwedReversal[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select id from bills where client_id = ${clientId} and accounting_batch_id = ${id}
    and id = any(${owed.map(({ successor_id }) => successor_id)}::bigint[])`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

interface FrozenLine {
  readonly id: number
  readonly bill_id: number
  readonly service_bill_id: number | null
  readonly kind: LedgerLine['kind']
  readonly ledger_account_id: number | null
  readonly ledger_account_name: string
  readonly ledger_values: LedgerLine['ledger_values']
  readonly division_id: number | null
  readonly amount: string
  readonly description: string
}

function takenBack(line: FrozenLine): LedgerLine {
  const cents = centsOf(line.amount)
  return {
    bill_id: line.bill_id,
    service_bill_id: line.service_bill_id,
    service_id: null,
    kind: line.kind,
    ledger_account_id: line.ledger_account_id,
    ledger_account_name: line.ledger_account_name,
    ledger_values: line.ledger_values,
    division_id: line.division_id,
    amount: cents === 0 ? 0 : -cents,
    description: `Reversal: ${line.description}`,
    reverses_id: line.id,
  }
}
