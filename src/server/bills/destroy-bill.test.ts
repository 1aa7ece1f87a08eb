import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/support/cluster.ts'
import { quietServices, startToyServer } from '../../../test/support/toy-server.ts'
import type { Grant } from '../kernel/principal.ts'
import { billHandlers } from './bills.ts'
import { createBills } from './create-bills.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../../../test/support/bills.ts'

const database = await testDatabase()
const { db } = database
const server = startToyServer(quietServices(database), billHandlers)
const admin: Grant = { role: 'admin', permissions: { bill: ['read', 'destroy'] }, clients: 'all', narrowed: {} }
const reader: Grant = { ...admin, permissions: { bill: ['read'] } }

const create = (at: Ground, months: readonly number[], change = {}): Promise<number[]> =>
  acting(database, async (context) =>
    (
      await createBills(
        context,
        at.clientId,
        months.map((month) => monthlyDraft(at, month, change)),
      )
    ).map((outcome) => (outcome.kind === 'created' ? outcome.id : 0)),
  )
const remove = (at: Ground, id: number | undefined, grant = admin) => server.ask([grant], 'DELETE', `/clients/${at.clientId}/bills/${id}`)
const cost = async (at: Ground): Promise<string> =>
  (await sql<{ cost: string }>`select coalesce(sum(cost), 0) as cost from service_month_facts where client_id = ${at.clientId}`.execute(db))
    .rows[0]?.cost ?? ''

beforeAll(async () => {
  await sql`insert into users (id, email, username) values (7, 'maker@test', 'maker')`.execute(db)
})

describe('deleting a bill', () => {
  it('takes it with its lines, leaves the trail, and its cost leaves the dashboards [BILL-API-007]', async () => {
    const at = await makeGround(db)
    const [first, second, third] = await create(at, [1, 2, 3])
    expect(await cost(at)).toBe('456.00')
    expect((await remove(at, second)).body).toMatchObject({ success: true, message: 'Bill deleted' })
    expect(await cost(at)).toBe('304.00')
    expect((await sql`select from service_bills where bill_id = ${second}`.execute(db)).rows).toEqual([])
    expect((await sql`select bill_id from bills where id = ${third}`.execute(db)).rows).toEqual([{ bill_id: first }])
    expect((await sql`select user_id from audit_records where event = 'destroy' and item_id = ${second}`.execute(db)).rows).toEqual([
      { user_id: 7 },
    ])
    expect((await remove(at, second)).status).toBe(404)
  })

  it('lets the bill count again that it had replaced', async () => {
    const at = await makeGround(db)
    const [first] = await create(at, [1])
    const [rebill] = await create(at, [1], { rebill_of_id: first, invoice_number: 'R', current_charges: '140.00', amount_due: '140.00' })
    expect((await remove(at, first)).status).toBe(409)
    expect((await remove(at, rebill)).status).toBe(200)
    expect((await sql`select superseded_by_id from bills where id = ${first}`.execute(db)).rows).toEqual([{ superseded_by_id: null }])
    expect(await cost(at)).toBe('151.00')
  })

  it('is refused for what is paid or batched, and without the right', async () => {
    const at = await makeGround(db)
    const [paid, batched] = await create(at, [1, 2])
    await sql`update bills set paid = true where id = ${paid}`.execute(db)
    await sql`with batch as (insert into accounting_batches (client_id, batch_code) values (${at.clientId}, 'x') returning id) update bills set accounting_batch_id = batch.id from batch where bills.id = ${batched}`.execute(
      db,
    )
    expect((await remove(at, paid)).status).toBe(409)
    expect((await remove(at, batched)).status).toBe(409)
    expect((await remove(at, paid, reader)).status).toBe(403)
  })
})
