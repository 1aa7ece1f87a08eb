/** Tests the risk queue over HTTP on a real PostgreSQL. */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAccount, type Ground } from '../../../test/support/bills.ts'
import { makeDeskBill, makeDeskVendor, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { setClock } from '../kernel/clock.ts'

const { ask, database } = await startTestApp()
const { db } = database
let staff: Person
let vendor: number
let one: Ground
let two: Ground

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  await sql`update clients set active = false`.execute(db)
  staff = await makeLastingPerson(db, 'muc_admin')
  vendor = await makeDeskVendor(db, { method: 'Check' })
  one = await makePayer(db)
  two = await makePayer(db)
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', 50000, true) on conflict (day) do update set locked = true`.execute(
    db,
  )
})
afterEach(() => setClock())

interface Risk {
  readonly kind: string
  readonly bill_id: number | null
  readonly amount: string | null
  readonly cost: string
  readonly account_number: string
}
const risks = async (query = '', who = staff): Promise<Risk[]> =>
  JSON.parse((await ask(who, 'GET', `/global_batches/risks?per=200${query}`)).text).exceptions
const summary = async (): Promise<{ kinds: { kind: string; count: number; amount: string; cost: string }[] }> =>
  JSON.parse((await ask(staff, 'GET', '/global_batches/risks/summary')).text)
/** An account whose last bill ended so long ago that the next one should be here. */
async function silentAccount(ground: Ground): Promise<string> {
  const number = `S${Math.random().toString().slice(2, 10)}`
  const id = await makeAccount(db, { ...ground, vendorId: vendor }, number)
  await sql`update billable_accounts set last_bill_date = '2026-09-20', billed_until = '2026-09-20', usual_amount = 80, usual_days = 30, usual_wait = 3
    where client_id = ${ground.clientId} and id = ${id}`.execute(db)
  return number
}

it('lists over all clients what is late, then what is due within a week, and what is expected and not yet here, with the cost of lateness', async () => {
  const late = await makeDeskBill(db, one, vendor, { amount: '100.00', due: '2026-11-20' })
  const soon = await makeDeskBill(db, two, vendor, { amount: '40.00', due: '2026-11-30' })
  await makeDeskBill(db, two, vendor, { amount: '70.00', due: '2026-12-20' })
  const silent = await silentAccount(two)
  const all = await risks()
  expect(all.map(({ kind, bill_id, amount }) => [kind, bill_id, amount])).toEqual(
    expect.arrayContaining([
      ['past_due', late, '100.00'],
      ['due_soon', soon, '40.00'],
      ['not_received', null, '80.00'],
    ]),
  )
  expect(all).toHaveLength(3)
  expect(all[0]).toMatchObject({ bill_id: late, cost: '1.50' })
  expect(all.find(({ kind }) => kind === 'not_received')?.account_number).toBe(silent)
  const { kinds } = await summary()
  expect(kinds.filter(({ count }) => count > 0).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['past_due', '100.00'],
    ['due_soon', '40.00'],
    ['not_received', '80.00'],
  ])
  expect((await risks('&q[kind_eq]=due_soon')).map(({ bill_id }) => bill_id)).toEqual([soon])
  expect((await risks('&q[s]=amount asc')).map(({ amount }) => amount)).toEqual(['40.00', '80.00', '100.00'])
  expect((await ask(staff, 'GET', '/global_batches/risks?q[moon]=1')).status).toBe(422)
})

it('leaves out what a live batch holds, lists it again once it is unbatched, and shows each person what they reach', async () => {
  const [mine, other] = [
    await makeDeskBill(db, one, vendor, { amount: '10.00', due: '2026-11-20' }),
    await makeDeskBill(db, two, vendor, { amount: '20.00', due: '2026-11-20' }),
  ]
  const head = { batch_date: '2026-11-25', bills_due_date: '2026-12-09' }
  const created = await ask(staff, 'POST', '/global_batches', { global_batch: { ...head, bill_ids: [mine] } })
  const [batch]: { id: number }[] = JSON.parse(created.text).global_batches
  expect((await risks()).map(({ bill_id }) => bill_id)).toEqual([other])
  expect((await summary()).kinds.find(({ kind }) => kind === 'past_due')).toMatchObject({ count: 1, amount: '20.00' })
  await ask(staff, 'POST', '/global_batches/unbatch', { ids: [batch?.id] })
  expect((await risks()).map(({ bill_id }) => bill_id).toSorted()).toEqual([mine, other].toSorted())
  const bound = await makeLastingPerson(db, 'muc_admin', { clients: [one.clientId] })
  expect((await risks('', bound)).map(({ bill_id }) => bill_id)).toEqual([mine])
  const client = await makeLastingPerson(db, 'client_admin', { clients: [one.clientId] })
  expect((await ask(client, 'GET', '/global_batches/risks')).status).toBe(403)
})
