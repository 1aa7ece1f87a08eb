/** Lines that reverse how a closed batch booked a bill that was replaced since. They belong to the replacing bill. */
import { centsOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { LedgerLine } from './ledger-line.ts'

/** Maximum length of a chain of replacements; a longer one is a fault in the data. */
const CHAIN_MAX = 50

/** Returns the reversing lines by the id of the replacing bill. Each line is reversed once. */
export async function reversingLines(tx: Tx, clientId: number, billIds: readonly number[]): Promise<Map<number, LedgerLine[]>> {
  const replacedBy = await replacedBills(tx, clientId, billIds)
  if (replacedBy.size === 0) return new Map()
  const { rows } =
    await sql<FrozenLine>`select line.id, line.bill_id, line.service_bill_id, line.kind, line.ledger_account_id, line.ledger_account_name,
      line.ledger_values, line.division_id, line.amount, line.description
    from gl_lines line where line.client_id = ${clientId} and line.bill_id = any(${[...replacedBy.keys()]}::bigint[]) and line.reverses_id is null
      and not exists (select 1 from gl_lines taken where taken.client_id = ${clientId} and taken.reverses_id = line.id)
    order by line.bill_id, line.position, line.id`.execute(tx)
  const lines = rows.map((row) => ({ successor: replacedBy.get(row.bill_id) ?? 0, line: takenBack(row) }))
  return new Map([...Map.groupBy(lines, (one) => one.successor)].map(([id, own]) => [id, own.map(({ line }) => line)]))
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

/** Returns the void bills that these bills replaced, directly or in a chain, each with the bill of `billIds` that replaces it now. */
async function replacedBills(tx: Tx, clientId: number, billIds: readonly number[]): Promise<Map<number, number>> {
  const replacedBy = new Map<number, number>()
  let successors = new Map(billIds.map((id) => [id, id]))
  for (let step = 0; step < CHAIN_MAX && successors.size > 0; step += 1) {
    const { rows } = await sql<{ id: number; superseded_by_id: number }>`select id, superseded_by_id from bills
      where client_id = ${clientId} and superseded_by_id = any(${[...successors.keys()]}::bigint[])`.execute(tx)
    const found = rows.flatMap(({ id, superseded_by_id }): [number, number][] => {
      const last = successors.get(superseded_by_id)
      return last === undefined || replacedBy.has(id) ? [] : [[id, last]]
    })
    for (const [id, last] of found) replacedBy.set(id, last)
    successors = new Map(found)
  }
  return replacedBy
}
