/** Everything that the specification names exists in the database, in the specified order. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from './support/cluster.ts'
import { makeClient, makeDivision, makeFacility } from './support/estate.ts'

const { db } = await testDatabase()

test('every entity that is named without fields is kept in a table of its own [LIST-RULE-002]', async () => {
  const named = [
    'bills',
    'services',
    'payment_methods',
    'accounting_batches',
    'payment_batches',
    'vendor_payments',
    'global_batch_bank_values',
    'global_batch_files',
    'site_surveys',
    'facility_types',
    'units',
    'production_units',
    'cost_parameters',
    'entry_fields',
    'reports',
    'generated_reports',
    'bill_documents',
    'audit_records',
  ]
  const { rows } = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  const there = new Set(rows.map(({ name }) => name))
  expect(named.filter((name) => !there.has(name))).toEqual([])
  // A global batch is a payment batch across vendors, and is marked as one.
  await sql`select is_global from payment_batches limit 0`.execute(db)
})

test('a client owns its divisions, these facilities, these billable accounts; none stands under what another client owns [LIST-RULE-007]', async () => {
  const [one, other] = [await makeClient(db), await makeClient(db)]
  const division = await makeDivision(db, one)
  const facility = await makeFacility(db, one, division)
  await expect(makeDivision(db, 999_999)).rejects.toMatchObject({ code: '23503' })
  await expect(makeFacility(db, other, division)).rejects.toMatchObject({ code: '23503' })
  await sql`insert into vendors (name, short_code) values ('Gas', 'GAS')`.execute(db)
  const addAccount = (table: 'billable_accounts' | 'supply_accounts', clientId: number) =>
    sql`insert into ${sql.table(table)} (client_id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip)
      select ${clientId}, ${facility}, id, 'Account', '1', '1 Main', 'Austin', 'TX', '78701' from vendors`.execute(db)
  for (const table of ['billable_accounts', 'supply_accounts'] as const) {
    await expect(addAccount(table, other)).rejects.toMatchObject({ code: '23503' })
    await addAccount(table, one)
  }
})
