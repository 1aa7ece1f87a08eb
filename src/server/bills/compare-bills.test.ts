/** Relations between bills, through the API, each as far as the reader sees it. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { acting, makeAccount, makeGround, makeService, makeSupplyAccount, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { createBills } from './bills.ts'

const app = await startTestApp()
const { db } = app.database
let at: Ground
let admin: Person

beforeAll(async () => {
  at = await db.transaction().execute((tx) => makeGround(tx))
  admin = await makePerson(db, 'super_admin')
})

type Drafts = Parameters<typeof createBills>[2]
async function made(...drafts: Drafts): Promise<number[]> {
  const outcomes = await acting(app.database, (context) => createBills(context, at.clientId, drafts))
  return outcomes.map((outcome) => (outcome.kind === 'created' ? outcome.id : 0))
}
const one = z.object({ id: z.number(), full_status: z.string(), rebill_mode: z.string().nullable() })
const relations = z.object({
  chain: z.array(one),
  children: z.array(one),
  children_sums: z.object({ count: z.number(), unseen: z.number(), current_charges: z.string(), amount_due: z.string() }),
  shown_in: z.array(one),
})
async function relationsOf(id: number | undefined, who = admin) {
  const { body } = await app.ask(who, 'GET', `/clients/${at.clientId}/bills/${id}/relations`)
  return relations.parse(body['relations'])
}

describe('relations of a bill', () => {
  test('a chain of corrections is one list, in the order in which it was made, from whichever of them it is asked', async () => {
    const [original] = await made(monthlyDraft(at, 1))
    const [replaced] = await made(
      monthlyDraft(at, 1, { invoice_number: 'R-1', rebill_of_id: original ?? null, current_charges: '160.00', amount_due: '160.00' }),
    )
    const [added] = await made(monthlyDraft(at, 2, { invoice_number: 'R-2', rebill_of_id: replaced ?? null, rebill_mode: 'add' }))
    const expected = [
      { id: original, full_status: 'Void', rebill_mode: null },
      { id: replaced, full_status: expect.any(String), rebill_mode: 'replace' },
      { id: added, full_status: expect.any(String), rebill_mode: 'add' },
    ]
    for (const id of [original, replaced, added]) expect((await relationsOf(id)).chain).toEqual(expected)
  })

  test('a bill that nothing corrects has no chain', async () => {
    const [alone] = await made(monthlyDraft(at, 4))
    expect(await relationsOf(alone)).toEqual({
      chain: [],
      children: [],
      children_sums: { count: 0, unseen: 0, current_charges: '0.00', amount_due: '0.00' },
      shown_in: [],
    })
  })

  test('the bills of a group are listed with their sum; who sees only some of them is told how many are left out', async () => {
    const elsewhere = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{
        id: number
      }>`with division as (insert into divisions (client_id, name, short_code, code) values (${at.clientId}, 'East', 'E', 'E-1') returning id)
        insert into facilities (client_id, division_id, name, number) select ${at.clientId}, id, 'Store 2', 'F-2' from division returning id`.execute(
        tx,
      )
      return rows[0]?.id ?? 0
    })
    const { group, far } = await db.transaction().execute(async (tx) => {
      const groupId = await makeAccount(tx, at, 'GROUP-1', { group: true })
      return { group: groupId, far: await makeAccount(tx, { ...at, facilityId: elsewhere }, 'FAR-1', { groupId }) }
    })
    const head = { service_bills: [], current_charges: '60.00', amount_due: '60.00' }
    const [parent] = await made({ ...monthlyDraft(at, 6), ...head, account_id: group, invoice_number: 'P' })
    const [near, other] = await made(
      {
        ...monthlyDraft(at, 6),
        ...head,
        current_charges: '40.00',
        amount_due: '40.00',
        invoice_number: 'C-1',
        group_bill_id: parent ?? null,
      },
      {
        ...monthlyDraft(at, 6),
        ...head,
        account_id: far,
        current_charges: '20.00',
        amount_due: '20.00',
        invoice_number: 'C-2',
        group_bill_id: parent ?? null,
      },
    )
    const all = await relationsOf(parent)
    expect(all.children.map(({ id }) => id)).toEqual([near, other])
    expect(all.children_sums).toEqual({ count: 2, unseen: 0, current_charges: '60.00', amount_due: '60.00' })
    const manager = await makePerson(db, 'client_manager', { clients: [at.clientId], division: [[at.clientId, at.divisionId]] })
    const some = await relationsOf(parent, manager)
    expect(some.children.map(({ id }) => id)).toEqual([near])
    expect(some.children_sums).toEqual({ count: 2, unseen: 1, current_charges: '40.00', amount_due: '40.00' })
  })

  test('a supply bill names the bills that show its lines', async () => {
    const { supply, meter } = await db.transaction().execute(async (tx) => {
      const id = await makeSupplyAccount(tx, at, 'SUPPLY-1')
      return { supply: id, meter: await makeService(tx, at.clientId, id, 'electric', 'S-1', 'supply_account_id') }
    })
    const line = {
      service_id: meter,
      previous_read_date: '2025-08-01',
      read_date: '2025-09-01',
      usage: '900',
      service_bill_entry_fields: [],
    }
    const [supplied] = await made({
      ...monthlyDraft(at, 8),
      account_type: 'SupplyAccount',
      account_id: supply,
      invoice_number: 'S',
      service_bills: [line],
    })
    const { rows } = await sql<{ id: number }>`select id from service_bills where bill_id = ${supplied}`.execute(db)
    const [shown] = await made(monthlyDraft(at, 8, { linked_service_bill_ids: [rows[0]?.id ?? 0] }))
    expect((await relationsOf(supplied)).shown_in.map(({ id }) => id)).toEqual([shown])
    expect((await relationsOf(shown)).shown_in).toEqual([])
  })
})
