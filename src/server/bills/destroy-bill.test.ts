import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/support/cluster.ts'
import { quietMachinery, startToyServer } from '../../../test/support/toy-server.ts'
import type { Grant } from '../kernel/principal.ts'
import { billHandlers } from './bills.ts'
import { createBills } from './create-bills.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'

const database = await testDatabase()
const { db } = database
lastBillsAgree(db)
const server = startToyServer(quietMachinery(database), billHandlers)
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

  it('is refused while another bill shows a line of it, batched or not, and names that one', async () => {
    const at = await makeGround(db)
    const [supply, client] = await create(at, [1, 2])
    await sql`insert into bill_linked_service_bills (client_id, bill_id, service_bill_id)
      select ${at.clientId}, ${client}, id from service_bills where bill_id = ${supply}`.execute(db)
    for (const batch of [false, true]) {
      if (batch)
        await sql`with batch as (insert into accounting_batches (client_id, batch_code) values (${at.clientId}, 'linked') returning id)
          update bills set accounting_batch_id = batch.id from batch where bills.id = ${client}`.execute(db)
      const { status, body } = await remove(at, supply)
      expect([status, body]).toMatchObject([
        409,
        { message: expect.stringMatching(/^The bill is held by the bill of .+, which shows a line of it\.$/), record_id: client },
      ])
    }
    expect((await sql`select from bill_linked_service_bills where bill_id = ${client}`.execute(db)).rows).toHaveLength(2)
  })

  it('is refused while a line of another bill names it as its supply bill', async () => {
    const at = await makeGround(db)
    const [supply, client] = await create(at, [1, 2])
    await sql`update service_bills set supply_bill_id = ${supply} where client_id = ${at.clientId} and bill_id = ${client}`.execute(db)
    const { status, body } = await remove(at, supply)
    expect([status, body]).toMatchObject([
      409,
      { message: expect.stringContaining('which names it as its supply bill.'), record_id: client },
    ])
    expect((await remove(at, client)).status).toBe(200)
    expect((await remove(at, supply)).status).toBe(200)
  })

  it('says in the trail of the bills beside it what they name now, and raises their version', async () => {
    const at = await makeGround(db)
    const [first, second, third] = await create(at, [1, 2, 3])
    const [rebill] = await create(at, [3], { rebill_of_id: third, invoice_number: 'R', current_charges: '140.00', amount_due: '140.00' })
    const version = async (id: number | undefined) =>
      (await sql<{ version: number }>`select lock_version as version from bills where id = ${id}`.execute(db)).rows[0]?.version ?? 0
    const before = [await version(third)]
    const { rows: replaced } =
      await sql`select object_changes as changes from audit_records where event = 'update' and item_type = 'bill' and item_id = ${third}`.execute(
        db,
      )
    expect(replaced).toEqual([{ changes: { superseded_by_id: { from: null, to: rebill } } }])
    await sql`truncate audit_records, audit_seals`.execute(db)
    expect((await remove(at, rebill)).status).toBe(200)
    expect((await remove(at, second)).status).toBe(200)
    const { rows } =
      await sql`select item_id as id, object_changes as changes from audit_records where event = 'update' and item_type = 'bill' order by id`.execute(
        db,
      )
    expect(rows).toEqual([
      { id: third, changes: { superseded_by_id: { from: rebill, to: null } } },
      { id: third, changes: { bill_id: { from: second, to: first } } },
    ])
    expect(await version(third)).toBe((before[0] ?? 0) + 2)
  })

  it('audits the bills that stay again: a gap opens after it, and what was its duplicate is none any more', async () => {
    const at = await makeGround(db)
    const [first, second, third] = await create(at, [1, 2, 3])
    const codesOf = async (id: number | undefined): Promise<string[]> => {
      const { rows } = await sql<{
        code: string
      }>`select distinct code from bill_findings where bill_id = ${id} and resolved_at is null order by code`.execute(db)
      return rows.map(({ code }) => code)
    }
    expect(await codesOf(third)).not.toContain('reading_break')
    expect((await remove(at, second)).status).toBe(200)
    expect(await codesOf(third)).toContain('reading_break')
    const { rows: trail } = await sql<{
      item_id: number
      changes: Record<string, { from: unknown; to: unknown }>
    }>`select item_id, object_changes as changes
      from audit_records where item_type = 'bill' and client_id = ${at.clientId} and event in ('update', 'destroy') order by id`.execute(db)
    expect(trail).toMatchObject([
      { item_id: third, changes: { bill_id: { from: second, to: first } } },
      { item_id: second, changes: { next_bill_ids: { from: [third], to: null } } },
    ])

    const [twin] = await create(at, [3], { invoice_number: 'TWIN', date: '2025-04-07', current_charges: '99.00', amount_due: '99.00' })
    expect(await codesOf(twin)).toContain('read_overlap')
    expect((await remove(at, third)).status).toBe(200)
    expect(await codesOf(twin)).not.toContain('read_overlap')
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
