/** The first ACH payment after a change of bank details, over HTTP on a real PostgreSQL. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { setClock } from '../kernel/clock.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let staff: Person
let maker: Person
let payers: [Ground, Ground]
let vendor: number
const changedAt = '2026-11-20T15:00:00.000Z'
const sentence = /^First payment since the bank details changed on 11\/20\/2026 by .+$/

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  staff = await makeLastingPerson(db, 'muc_admin')
  maker = await makeLastingPerson(db, 'muc_admin')
  payers = [await makePayer(db), await makePayer(db)]
  for (const { clientId } of payers) await makeBankProfile(db, clientId)
  vendor = await makeAchVendor(db, 'Wire & Water')
  await changed()
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', 50000, true) on conflict (day) do update set locked = true`.execute(
    db,
  )
})
afterEach(() => setClock())

/** A change of the vendor's bank details that a second person has approved. */
async function changed(at = changedAt): Promise<void> {
  const approver = await makeLastingPerson(db, 'super_admin')
  await sql`insert into vendor_bank_changes (vendor_id, changed, account_holder, requested_by, state, decided_by, decided_at)
    values (${vendor}, '{account_holder}', 'Wire', ${maker.id}, 'approved', ${approver.id}, ${at})`.execute(db)
  await sql`update vendors set bank_changed_at = ${at}, bank_changed_by = ${maker.id} where id = ${vendor}`.execute(db)
}
async function batchOf(ground: Ground, to = vendor): Promise<number> {
  const bill = await makeDeskBill(db, ground, to, { amount: '10.00' })
  const global_batch = { batch_date: '2026-11-25', bills_due_date: '2026-12-09', bill_ids: [bill] }
  const answer = await ask(staff, 'POST', '/global_batches', { global_batch })
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}
const confirmed = (changed_at = changedAt, vendor_id = vendor) => ({ confirmed_vendors: [{ vendor_id, changed_at }] })
const pay = (id: number, more: object = {}, who = staff) =>
  ask(who, 'POST', '/global_batches/export', { ids: [id], pay_method: 'ACH', ...more })
const preview = async (id: number, who = staff) =>
  (await ask(who, 'POST', '/global_batches/export_preview', { ids: [id], pay_method: 'ACH' })).body
const paymentsOf = async (id: number): Promise<{ id: number; first_since: object | null }[]> =>
  JSON.parse((await ask(staff, 'GET', `/global_batches/${id}`)).text).global_batch.payments
const firstOfNewestFiles = async (count: number): Promise<(string | null)[]> => {
  const answer = await ask(staff, 'GET', '/global_batch_files?per=1000')
  const { global_batch_files }: { global_batch_files: { id: number; first_payments: string | null }[] } = JSON.parse(answer.text)
  const newest = global_batch_files.toSorted((a, b) => b.id - a.id).slice(0, count)
  return newest.map(({ first_payments }) => first_payments)
}
const isMarked = async (id: number) => (await paymentsOf(id)).some(({ first_since }) => first_since !== null)

describe('the first ACH payment since bank details changed', () => {
  it('is marked in the preview, on the batch and in the file history, and is refused by name until it is confirmed', async () => {
    const id = await batchOf(payers[0])
    expect(await preview(id)).toMatchObject({
      faults: [],
      first_payments: [{ vendor_id: vendor, vendor_name: 'Wire & Water', changed_at: changedAt, amount: '10.00' }],
    })
    expect(await isMarked(id)).toBe(true)
    for (const more of [{}, confirmed(changedAt, vendor + 1_000), confirmed('2026-11-20T15:00:00.001Z')]) {
      const refusedAnswer = await pay(id, more)
      expect(refusedAnswer.status).toBe(422)
      expect(refusedAnswer.text).toMatch(/bank details changed on 11\/20\/2026 by [^:]+, to Wire & Water: it must be confirmed/)
    }
    const answer = await pay(id, confirmed())
    expect(answer.status, answer.text).toBe(200)
    expect(await isMarked(id)).toBe(true)
    const [ofFile] = await firstOfNewestFiles(1)
    expect(ofFile?.replace('Wire & Water: f', 'F')).toMatch(sentence)

    const next = await batchOf(payers[1])
    expect(await preview(next)).toMatchObject({ faults: [], first_payments: [] })
    expect(await isMarked(next)).toBe(false)
    expect((await pay(next)).status).toBe(200)
    expect(await firstOfNewestFiles(1)).toEqual([null])
  })

  it('is not exported by whoever asked for the change, approved or not, nor by somebody who counts as one person with them', async () => {
    const id = await batchOf(payers[0])
    const sock = await makeLastingPerson(db, 'super_admin')
    await sql`insert into user_ties (user_id, tied_to, kind, created_at) values (${sock.id}, ${maker.id}, 'granted', '2026-11-24T00:00:00Z')`.execute(
      db,
    )
    for (const who of [maker, sock]) {
      expect(await preview(id, who)).toMatchObject({ faults: [{ vendor_id: vendor, sentence: expect.stringContaining('Somebody else') }] })
      expect((await pay(id, confirmed(), who)).status).toBe(422)
    }
    expect((await pay(id, confirmed())).status).toBe(200)
    expect((await pay(await batchOf(payers[1]), {}, maker)).status).toBe(200)
  })

  it('is asked about again after a further change, and after the payment came back; other payments do not count as one', async () => {
    const online = await batchOf(payers[0])
    await ask(staff, 'PATCH', '/global_batches/temp_pay_method', { ids: [online], temp_method: 'OP' })
    expect(await isMarked(online)).toBe(false)
    expect((await ask(staff, 'POST', '/global_batches/pay', { ids: [online] })).status).toBe(200)
    const id = await batchOf(payers[0])
    expect((await pay(id)).status).toBe(422)
    expect((await pay(id, confirmed())).status).toBe(200)
    const payment_reversal = { kind: 'other', reversed_date: '2026-11-25', reason: 'The transfer failed' }
    const [payment] = await paymentsOf(id)
    const reversed = await ask(staff, 'POST', `/global_batches/${id}/vendor_payments/${payment?.id}/reverse`, { payment_reversal })
    expect(reversed.status, reversed.text).toBe(200)
    const again = await batchOf(payers[1])
    expect((await pay(again)).status).toBe(422)
    await changed('2026-11-25T12:00:00.000Z')
    expect((await pay(again, confirmed())).status).toBe(422)
    expect((await pay(again, confirmed('2026-11-25T12:00:00.000Z'))).status).toBe(200)
  })

  it('is one payment although two people export at once, and a narrowed role confirms only what it reaches', async () => {
    for (let round = 0; round < 3; round++) {
      await changed(`2026-11-2${round + 1}T12:00:00.000Z`)
      const more = confirmed(`2026-11-2${round + 1}T12:00:00.000Z`)
      const ids = [await batchOf(payers[0]), await batchOf(payers[1])]
      const answers = await Promise.all(ids.map((id) => pay(id, more)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect((await Promise.all(ids.map(isMarked))).toSorted()).toEqual([false, true])
      expect((await firstOfNewestFiles(2)).filter((one) => one !== null)).toHaveLength(1)
    }
    await changed('2026-11-25T13:00:00.000Z')
    const id = await batchOf(payers[0])
    const stranger = await makeLastingPerson(db, 'muc_admin', { clients: [payers[1].clientId] })
    expect((await pay(id, confirmed('2026-11-25T13:00:00.000Z'), stranger)).status).toBe(404)
    expect((await ask(stranger, 'POST', '/global_batches/export_preview', { ids: [id], pay_method: 'ACH' })).status).toBe(404)
  })
})
