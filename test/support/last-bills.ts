/** Accounts store the date of their newest bill, and lists sort by it: after any write, the two must agree. */
import { sql } from 'kysely'
import { afterEach, expect } from 'vitest'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'

/** Runs after each test of the file, over all accounts of its database. */
export function lastBillsAgree(db: Tx): void {
  afterEach(async () => {
    expect(await wrongLastBills(db), 'accounts whose last bill is another than they keep').toEqual([])
  })
}

/** Returns accounts of either kind that store another date than that of their newest bill that is not replaced. */
export async function wrongLastBills(db: Tx): Promise<object[]> {
  const of = (
    kind: 'billable_account' | 'supply_account',
  ) => sql`select ${sql.lit(kind)} as kind, account.id, account.last_bill_date as kept, newest.date
    from ${sql.table(`${kind}s`)} account cross join lateral (select max(bills.date) as date from bills
      where bills.client_id = account.client_id and ${sql.ref(`bills.${kind}_id`)} = account.id and bills.superseded_by_id is null) newest
    where account.last_bill_date is distinct from newest.date`
  const { rows } = await sql<object>`${of('billable_account')} union all ${of('supply_account')}`.execute(db)
  return rows
}
