import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { acting, makeGround, makeSupplyAccount, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'
import { createBills } from './bills.ts'
import { destroyBills } from './destroy-bill.ts'
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { keepLastBills } from '../estate/last-bills.ts'

const database = await testDatabase()
const { db } = database
lastBillsAgree(db)

const create = (at: Ground, drafts: readonly BillDraft[]) =>
  acting(database, async (context) =>
    (await createBills(context, at.clientId, drafts)).map((outcome) => {
      if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome))
      return outcome.id
    }),
  )
const destroy = (at: Ground, id: number | undefined) => acting(database, (context) => destroyBills(context, at.clientId, [id ?? 0]))
const lastOf = async (table: string, id: number) =>
  (await sql<{ last_bill_date: string | null }>`select last_bill_date from ${sql.table(table)} where id = ${id}`.execute(db)).rows[0]
    ?.last_bill_date

describe('an account knows the date of its last bill', () => {
  it('whatever the order in which bills are made, replaced and deleted', async () => {
    const at = await makeGround(db)
    const last = () => lastOf('billable_accounts', at.accountId)
    expect(await last()).toBeNull()
    const [march] = await create(at, [monthlyDraft(at, 3)])
    expect(await last()).toBe('2025-04-05')
    await create(at, [monthlyDraft(at, 1), monthlyDraft(at, 2)])
    expect(await last()).toBe('2025-04-05')
    const rebill = { rebill_of_id: march ?? 0, invoice_number: 'R-1', current_charges: '140.00', amount_due: '140.00', date: '2025-03-30' }
    const [replacing] = await create(at, [monthlyDraft(at, 3, rebill)])
    expect(await last()).toBe('2025-03-30')
    await destroy(at, replacing)
    expect(await last()).toBe('2025-04-05')
    await destroy(at, march)
    expect(await last()).toBe('2025-03-05')
  })

  it('also a supply account, and one of another client stays as it is', async () => {
    const [at, other] = [await makeGround(db), await makeGround(db)]
    const supply = await makeSupplyAccount(db, at, 'S-1')
    await create(other, [monthlyDraft(other, 1)])
    await create(at, [monthlyDraft(at, 5, { account_type: 'SupplyAccount', account_id: supply, service_bills: [] })])
    expect(await lastOf('supply_accounts', supply)).toBe('2025-06-05')
    expect(await lastOf('billable_accounts', at.accountId)).toBeNull()
    expect(await lastOf('billable_accounts', other.accountId)).toBe('2025-02-05')
  })

  it('also where two transactions delete and make bills of it at the same time', async () => {
    const at = await makeGround(db)
    const [first] = await create(at, [monthlyDraft(at, 1)])
    const { promise: made, resolve: tellMade } = Promise.withResolvers<void>()
    const { promise: deleting, resolve: tellDeleting } = Promise.withResolvers<void>()
    const making = db.transaction().execute(async (tx) => {
      await sql`select from billable_accounts where id = ${at.accountId} for no key update`.execute(tx)
      await sql`insert into bills (client_id, billable_account_id, account_number, date, due_date)
        values (${at.clientId}, ${at.accountId}, 'x', '2025-07-05', '2025-07-25')`.execute(tx)
      await keepLastBills(tx, at.clientId, { billable_account_ids: [at.accountId], supply_account_ids: [] })
      tellMade()
      await deleting
      // Saves lock accounts before bills: a delete must not hold the bill while it waits for the account.
      await sql`select from bills where client_id = ${at.clientId} and id = ${first ?? 0} for no key update`.execute(tx)
    })
    await made
    const gone = destroy(at, first)
    // The other one waits for the account by now, or will: either way it must see the bill that this one creates.
    await waitingForLock()
    tellDeleting()
    await Promise.all([making, gone])
    expect(await lastOf('billable_accounts', at.accountId)).toBe('2025-07-05')
  })
})

describe('an account knows when its next bill should come, and what it will ask for', () => {
  const keptOf = async (id: number) =>
    (
      await sql`select last_bill_date, billed_until, usual_days, usual_wait, usual_amount from billable_accounts where id = ${id}`.execute(
        db,
      )
    ).rows[0]

  it('from the reads of its bills, the days until they came, and the last three amounts', async () => {
    const at = await makeGround(db)
    await create(
      at,
      [1, 2].map((month) => monthlyDraft(at, month, { created_at: `2025-0${month + 1}-09T12:00:00Z` })),
    )
    // Two bills do not establish a rhythm yet.
    expect(await keptOf(at.accountId)).toEqual({
      last_bill_date: '2025-03-05',
      billed_until: '2025-03-01',
      usual_days: null,
      usual_wait: 8,
      usual_amount: '151.50',
    })
    await create(
      at,
      [3, 4].map((month) => monthlyDraft(at, month, { created_at: `2025-0${month + 1}-04T12:00:00Z` })),
    )
    expect(await keptOf(at.accountId)).toEqual({
      last_bill_date: '2025-05-05',
      billed_until: '2025-05-01',
      usual_days: 30,
      usual_wait: 3,
      usual_amount: '153.00',
    })
  })

  it('as the migration has told it of the bills that were there before', async () => {
    const at = await makeGround(db)
    await create(
      at,
      [1, 2, 3, 4, 5].map((month) => monthlyDraft(at, month)),
    )
    const kept = await keptOf(at.accountId)
    await sql`update billable_accounts set billed_until = null, usual_days = null, usual_wait = null, usual_amount = null`.execute(db)
    const migration = await readFile(join(import.meta.dirname, '../../../migrations/0032-next-bills.sql'), 'utf8')
    const told = migration.split(/;\n/).filter((statement) => /^\s*update /m.test(statement))
    expect(told).toHaveLength(2)
    for (const statement of told) await sql.raw(statement).execute(db)
    expect(await keptOf(at.accountId)).toEqual(kept)
    expect(kept).toMatchObject({ usual_days: 31 })
  })
})

async function waitingForLock(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length > 0) return
  }
}
