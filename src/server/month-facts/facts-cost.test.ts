/**
 * Tests how many rows facts read: a number proportional to the changed bills, even if a first import has filled tables that have no statistics
 * yet.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount, makeGround, makeService } from '../../../test/support/bills.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { addBill } from '../../../test/support/fact-bills.ts'
import { refreshFactsOfBills } from './refresh-facts.ts'

const { db } = await testDatabase()
const accounts = 150
const filled = ['bills', 'service_bills', 'service_bill_entry_values', 'service_month_facts']
/** Rows that the statistics know of: the database counts tables once a minute. */
const counted = 5
/** Its line and neighboring lines, its bill and the amounts of both, a few times over. */
const rowsOfBillMost = 40

test('the facts of changed bills read a fixed number of rows for each, and not each bill once for each changed service', async () => {
  const ground = await makeGround(db)
  // Autovacuum in between would see no row of this transaction.
  for (const table of filled) await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db)
  const read = await db.transaction().execute(async (tx) => {
    const ids: number[] = []
    for (let place = 0; place < accounts; place += 1) {
      if (place === counted) await sql`analyze ${sql.join(filled.map((table) => sql.table(table)))}`.execute(tx)
      const billable_account_id = await makeAccount(tx, ground, `COST-${place}`)
      const service_id = await makeService(tx, ground.clientId, billable_account_id, 'electric', `E-${place}`)
      const lines = [{ service_id, from: '2026-01-05', to: '2026-02-04', utility: '10.00', usage: '100' }]
      ids.push(
        (await addBill(tx, ground.clientId, { account: { billable_account_id }, date: '2026-02-08', current_charges: '10.00', lines })).id,
      )
    }
    const before = await rowsRead(tx)
    await refreshFactsOfBills(tx, ground.clientId, ids)
    return (await rowsRead(tx)) - before
  })
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from service_month_facts where client_id = ${ground.clientId}`.execute(db)
  expect(rows).toEqual([{ count: accounts * 2 }])
  expect(read / accounts).toBeLessThan(rowsOfBillMost)
})

test('the facts of one bill are planned once a connection: to plan them takes three times what they take', async () => {
  const ground = await makeGround(db)
  const lines = [{ service_id: ground.electricId, from: '2026-01-05', to: '2026-02-04', utility: '10.00', usage: '100' }]
  const { id } = await addBill(db, ground.clientId, {
    account: { billable_account_id: ground.accountId },
    date: '2026-02-08',
    current_charges: '10.00',
    lines,
  })
  const plans = await db.transaction().execute(async (tx) => {
    // A statement is prepared the second time it is used.
    for (let time = 1; time <= 4; time += 1) await refreshFactsOfBills(tx, ground.clientId, [id])
    const { rows } = await sql<{
      generic_plans: number
      custom_plans: number
    }>`select generic_plans::int, custom_plans::int from pg_prepared_statements
      where statement like 'with given as materialized%insert into service_month_facts%'`.execute(tx)
    return rows
  })
  expect(plans).toHaveLength(1)
  expect(plans[0]?.generic_plans).toBeGreaterThanOrEqual(3)
  expect(plans[0]?.custom_plans).toBe(0)
})

/** Returns the rows of bills and lines that this transaction has read so far. */
async function rowsRead(tx: typeof db): Promise<number> {
  const { rows } = await sql<{ read: number }>`select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
    where schemaname = current_schema() and relname in ('bills', 'service_bills')`.execute(tx)
  return rows[0]?.read ?? 0
}
