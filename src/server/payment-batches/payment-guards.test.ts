/** Tests what guards the money of vendor batches, over HTTP on a real PostgreSQL: what is paid takes no more bills, and nobody is paid twice. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type Answer } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { fieldsOf, makePaymentWorld, type PaymentWorld } from '../../../test/support/payments.ts'

const app = await startTestApp()
const { ask } = app
const { db } = app.database
let world: PaymentWorld
let gas: Ground

beforeEach(async () => {
  world = await makePaymentWorld(app)
  gas = await world.otherVendor('Harbor Gas')
})

const said = ({ body }: Answer) => body['message']
const close = (id: number, more: object = {}) => world.save(id, { closed: true }, world.admin, more)
const numberPayment = (batch: number, payment: number | undefined, values: object = {}) =>
  ask(world.admin, 'PATCH', `${world.at}/${batch}/vendor_payments/${payment}`, {
    vendor_payment: { payment_date: '2026-11-05', check_number: `C-${payment}`, ...values },
  })
const paymentOf = async (batch: number, { vendorId }: Ground) => {
  const payments = await world.paymentsOf(batch)
  return payments.find(({ vendor_id }) => vendor_id === vendorId)?.id
}
const isPaid = async (...ids: number[]) => {
  const { rows } = await sql<{ id: number; paid: boolean }>`select id, paid from bills where id = any(${ids}::bigint[])`.execute(db)
  return ids.map((id) => rows.find((row) => row.id === id)?.paid)
}
const closing = async (id: number) => JSON.parse((await ask(world.admin, 'GET', `${world.at}/${id}`)).text).payment_batch.closing
const newBills = (id: number, query = '') => ask(world.admin, 'GET', `${world.at}/${id}/new_bills${query}`)
const sync = (id: number) => ask(world.admin, 'POST', `${world.at}/${id}/create_missing_vendor_payments`)
const makeExclusive = ({ vendorId }: Ground) => sql`update vendors set is_exclusive = true where id = ${vendorId}`.execute(db)
const payBy = ({ vendorId }: Ground, method: string) =>
  sql`update vendor_payment_methods set payment_method_id = (select id from payment_methods where name = ${method}) where vendor_id = ${vendorId}`.execute(
    db,
  )

/** A batch of a bill of each vendor that was closed when only the payment of City Power was numbered, and opened again. */
async function partlyPaid() {
  const [power, harbor] = [await world.makeBill(1), await world.makeBill(1, gas)]
  const id = await world.made([power, harbor])
  const payment = await paymentOf(id, world.ground)
  await numberPayment(id, payment)
  expect((await close(id)).body).toMatchObject({ payment_batch: { is_paid: false } })
  expect((await world.save(id, { closed: false })).status).toBe(200)
  return { id, power, harbor, payment }
}

describe('a payment that was paid', () => {
  it('takes no more bills: a later bill of its vendor gets a payment of its own, which is not paid before it has a date and an ID', async () => {
    const { id, power, harbor, payment } = await partlyPaid()
    const late = await world.makeBill(2)
    expect((await world.save(id, { bill_ids: [power, harbor, late] })).status).toBe(200)
    const ofPower = (await world.paymentsOf(id)).filter(({ vendor_id }) => vendor_id === world.ground.vendorId)
    expect(ofPower).toMatchObject([
      { id: payment, amount: '151.00' },
      { amount: '152.00', payment_date: null },
    ])
    await numberPayment(id, await paymentOf(id, gas))
    expect((await close(id)).body).toMatchObject({ payment_batch: { is_paid: false } })
    expect(await isPaid(power, harbor, late)).toEqual([true, true, false])
  })

  it('takes none by name either, and is offered none', async () => {
    const { id, power, payment } = await partlyPaid()
    const late = await world.makeBill(2)
    for (const answer of [
      await world.save(id, { bill_ids: [power, late] }, world.admin, { vendor_payment_id: payment }),
      await newBills(id, `?vendor_payment_id=${payment}`),
    ])
      expect([answer.status, said(answer)]).toEqual([409, `VP-${payment} is paid, so it takes no more bills.`])
  })

  it('keeps its bills in a sync, and takes none of a vendor that was changed', async () => {
    const { id, harbor, payment } = await partlyPaid()
    await sql`update bills set vendor_id = ${gas.vendorId} where vendor_payment_id = ${payment}`.execute(db)
    expect((await sync(id)).body).toMatchObject({ made: 0, moved: 0, emptied: 0 })
    await sql`update bills set vendor_id = ${world.ground.vendorId} where id = ${harbor}`.execute(db)
    expect((await sync(id)).body).toMatchObject({ made: 1, moved: 1, emptied: 1 })
    expect(await world.paymentsOf(id)).toMatchObject([{ id: payment }, { amount: '151.00', payment_date: null }])
  })

  it('is not deleted, and keeps its date and its ID, although its batch is open again', async () => {
    const { id, power, payment } = await partlyPaid()
    const one = `${world.at}/${id}/vendor_payments/${payment}`
    const kept = `VP-${payment} City Power is paid, so it stays as it is.`
    for (const answer of [
      await ask(world.admin, 'DELETE', one),
      await numberPayment(id, payment, { check_number: 'other' }),
      await numberPayment(id, payment, { payment_date: '2026-11-06' }),
    ])
      expect([answer.status, said(answer)]).toEqual([409, kept])
    expect((await ask(world.admin, 'GET', one)).body).toMatchObject({
      vendor_payment: { payment_date: '2026-11-05', check_number: `C-${payment}`, amount: '151.00', locked: true },
    })
    expect(await isPaid(power)).toEqual([true])
  })

  it('is not paid for a bill that came to it by other means', async () => {
    const { id, power, harbor, payment } = await partlyPaid()
    await sql`update payment_batch_bills set vendor_payment_id = ${payment} where bill_id = ${harbor}`.execute(db)
    await sql`update bills set vendor_payment_id = ${payment}, vendor_id = ${world.ground.vendorId} where id = ${harbor}`.execute(db)
    const refused = await close(id)
    expect([refused.status, said(refused)]).toEqual([
      409,
      expect.stringContaining(`VP-${payment} City Power was paid before some of its bills`),
    ])
    expect(await isPaid(power, harbor)).toEqual([true, false])
  })
})

describe('a bill of a live batch', () => {
  it('is refused to every other batch, of its client and of the desk, by name; the database refuses it too, until it is released', async () => {
    const bill = await world.makeBill(1)
    const [first, other] = [await world.made([bill]), await world.made([await world.makeBill(2)])]
    const refused = await world.save(other, { bill_ids: [bill] })
    expect([refused.status, said(refused)]).toEqual([409, expect.stringContaining(`(In vendor batch ${first})`)])
    await sql`insert into global_batch_bank_values (day, value, locked)
      values ((now() at time zone 'America/New_York')::date, '50000', true) on conflict do nothing`.execute(db)
    const desk = await ask(world.admin, 'POST', '/global_batches', {
      global_batch: { batch_date: '2026-11-24', bills_due_date: '2026-12-08', bill_ids: [bill] },
    })
    expect([desk.status, said(desk)]).toEqual([409, expect.stringContaining(`vendor batch ${first}`)])
    // Two programs, or a mend by hand, go past the rules of the program.
    const takeTwice = sql`insert into payment_batch_bills (client_id, bill_id, payment_batch_id, vendor_payment_id, amount_paid)
      select client_id, ${bill}::bigint, payment_batch_id, vendor_payment_id, 1 from payment_batch_bills
      where client_id = ${world.ground.clientId} and payment_batch_id = ${other}`
    await expect(takeTwice.execute(db)).rejects.toMatchObject({ code: '23505', constraint: 'payment_batch_bills_one_live' })
    expect((await world.save(first, { bill_ids: [] })).status).toBe(200)
    expect((await takeTwice.execute(db)).numAffectedRows).toBe(1n)
  })
})

describe('a bill of a group and the bill of its group', () => {
  /** Sets the group of a bill by its form, and resolves the findings of the group. */
  const inGroup = async (child: number, parent: number | null) => {
    const answer = await ask(world.admin, 'PATCH', `/clients/${world.ground.clientId}/bills/${child}`, { bill: { group_bill_id: parent } })
    await sql`update bills set open_errors = 0, open_blocking = 0 where client_id = ${world.ground.clientId}`.execute(db)
    return answer
  }
  const both = expect.stringMatching(
    /^Bill \S+, 02\/05\/2025 is paid with bill \S+, 03\/05\/2025 of its group: one of the two must be paid with 0\.00$/,
  )

  it('are not both put into vendor batches, whichever comes first', async () => {
    const [child, parent] = [await world.makeBill(1), await world.makeBill(2, gas)]
    await world.made([child])
    const grouped = await inGroup(child, parent)
    expect(grouped.status, grouped.text).toBe(200)
    const answer = await ask(world.admin, 'POST', world.at, {
      payment_batch: {
        payer_type: 'Client',
        payer_id: world.ground.clientId,
        batch_date: '2026-11-02',
        bills_due_date: '2026-11-16',
        bill_ids: [parent],
      },
    })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, { bill_ids: [both] }])
  })

  it('are not both paid, where the first of them was paid before', async () => {
    const [child, parent] = [await world.makeBill(1), await world.makeBill(2, gas)]
    const other = await world.makeBill(3)
    await inGroup(child, parent)
    await world.paid([parent])
    const batch = await world.made([other])
    expect((await world.save(batch, { bill_ids: [other, child] })).status).toBe(422)
    await inGroup(child, null)
    expect((await world.save(batch, { bill_ids: [other, child] })).status).toBe(200)
    expect(fieldsOf(await inGroup(child, parent))).toEqual({ group_bill_id: [both] })
  })

  it('do not become one group while both are in batches, and neither changes', async () => {
    const [child, parent] = [await world.makeBill(1), await world.makeBill(2, gas)]
    const batch = await world.made([child])
    await world.made([parent])
    const answer = await inGroup(child, parent)
    expect([answer.status, fieldsOf(answer)]).toEqual([422, { group_bill_id: [both] }])
    const { rows } = await sql`select group_bill_id from bills where id = ${child}`.execute(db)
    expect(rows).toEqual([{ group_bill_id: null }])
    await world.save(batch, { bill_amounts: [{ bill_id: child, amount_paid: '0' }] })
    expect((await inGroup(child, parent)).status).toBe(200)
  })

  it('are not both paid by a close, if both stood in batches before', async () => {
    const [child, parent] = [await world.makeBill(1), await world.makeBill(2, gas)]
    const batch = await world.made([child])
    await world.made([parent])
    await world.numberPayments(batch)
    await sql`update bills set group_bill_id = ${parent} where id = ${child}`.execute(db)
    expect(fieldsOf(await close(batch))).toEqual({ closed: [both] })
    expect(await isPaid(child)).toEqual([false])
  })
})

describe('vendors that no longer go together', () => {
  const exclusive = 'Harbor Gas is exclusive: its bills are paid in a batch of their own'
  const types = expect.stringMatching(/One batch has one payment type: \w+ and \w+ are two/)

  it('are not paid together: the close and the sync name the vendor that became exclusive', async () => {
    const bills = [await world.makeBill(1), await world.makeBill(1, gas)]
    const id = await world.made(bills)
    await world.numberPayments(id)
    await makeExclusive(gas)
    const closed = await close(id)
    expect([closed.status, said(closed)]).toEqual([409, `This vendor batch cannot be closed. ${exclusive}.`])
    const synced = await sync(id)
    expect([synced.status, said(synced)]).toEqual([409, `${exclusive}. Take the bills out that go elsewhere.`])
    expect(await isPaid(...bills)).toEqual([false, false])
  })

  it('are not paid together by two payment types, and a batch is paid as the type of that moment', async () => {
    const [power, harbor] = [await world.makeBill(1), await world.makeBill(1, gas)]
    const id = await world.made([power, harbor])
    await world.numberPayments(id)
    await payBy(gas, 'ACH')
    const closed = await close(id)
    expect([closed.status, said(closed)]).toEqual([409, types])
    expect([(await sync(id)).status, said(await sync(id))]).toEqual([409, types])
    expect((await world.save(id, { bill_ids: [harbor] })).status).toBe(200)
    await payBy(gas, 'Check')
    expect((await close(id)).body).toMatchObject({ payment_batch: { is_paid: true, paid_as: 'Check' } })
  })

  it('may be taken out of their batch, and none of them may be added', async () => {
    const [power, harbor, third] = [await world.makeBill(1), await world.makeBill(1, gas), await world.makeBill(2)]
    const late = await world.makeBill(3)
    const id = await world.made([power, harbor, third])
    await makeExclusive(gas)
    const fewer = await world.save(id, { bill_ids: [power, harbor] })
    expect(fewer.status, fewer.text).toBe(200)
    expect(fieldsOf(await world.save(id, { bill_ids: [power, harbor, late] }))).toEqual({ bill_ids: [exclusive] })
    expect(fieldsOf(await world.save(id, { bill_ids: [harbor, late] }))).toEqual({ bill_ids: [exclusive] })
    expect((await world.save(id, { bill_ids: [power, late] })).status).toBe(200)
  })
})

describe('new bills of a vendor batch', () => {
  it('are those due on or before its due date; the later ones are counted [VBATCH-API-007]', async () => {
    const [early, last, late] = [await world.makeBill(1), await world.makeBill(2), await world.makeBill(3)]
    await sql`update bills set due_date = case id when ${early} then '2026-11-01'::date when ${last} then '2026-11-16' else '2026-11-17' end
      where id = any(${[early, last, late]}::bigint[])`.execute(db)
    const id = await world.made([])
    const found = (await newBills(id)).body
    expect(found).toMatchObject({ new_bills: [{ id: early }, { id: last }], new_bills_total: '303.00', waiting: [], later_count: 1 })
    await world.save(id, { bills_due_date: '2026-11-17' })
    expect((await newBills(id)).body).toMatchObject({ new_bills_total: '456.00', later_count: 0 })
  })
})

describe('a closed batch', () => {
  it('keeps its unpaid bills and their amounts until it is opened again', async () => {
    const [power, harbor] = [await world.makeBill(1), await world.makeBill(1, gas)]
    const id = await world.made([power, harbor])
    await numberPayment(id, await paymentOf(id, world.ground))
    expect((await close(id)).status).toBe(200)
    const lowered = { bill_amounts: [{ bill_id: harbor, amount_paid: '1.00' }] }
    expect(fieldsOf(await world.save(id, lowered))).toEqual({
      bill_amounts: ['This vendor batch is closed. Open it again to change its amounts'],
    })
    expect(fieldsOf(await world.save(id, { bill_ids: [power] }))).toEqual({
      bill_ids: ['This vendor batch is closed. Open it again to change its bills'],
    })
    expect((await world.paymentsOf(id)).map(({ amount }) => amount)).toEqual(['151.00', '151.00'])
    expect((await world.save(id, { closed: false })).status).toBe(200)
    expect((await world.save(id, lowered)).status).toBe(200)
    expect(await isPaid(power, harbor)).toEqual([true, false])
  })

  it('keeps its payments: none is made, numbered, deleted or synced until it is opened again [VBATCH-RULE-002] [VPAY-RULE-002]', async () => {
    const [power, harbor] = [await world.makeBill(1), await world.makeBill(1, gas)]
    const id = await world.made([power, harbor])
    await numberPayment(id, await paymentOf(id, world.ground))
    const unpaid = await paymentOf(id, gas)
    expect((await close(id)).status).toBe(200)
    const make = () => ask(world.admin, 'POST', `${world.at}/${id}/vendor_payments`, { vendor_payment: { vendor_id: gas.vendorId } })
    const destroy = () => ask(world.admin, 'DELETE', `${world.at}/${id}/vendor_payments/${unpaid}`)
    const before = await world.paymentsOf(id)
    for (const change of [make, () => numberPayment(id, unpaid), destroy, () => sync(id)]) {
      const answer = await change()
      expect([answer.status, said(answer)]).toEqual([409, expect.stringContaining('is closed. Open it again to change its payments.')])
    }
    expect(await world.paymentsOf(id)).toEqual(before)
    expect((await world.save(id, { closed: false })).status).toBe(200)
    expect((await sync(id)).status).toBe(200)
    expect((await make()).status).toBe(200)
  })
})

describe('what a close pays', () => {
  it('carries both a date and an ID: a payment with a date alone or with an ID alone stays unpaid', async () => {
    const water = await world.otherVendor('City Water')
    const bills = [await world.makeBill(1), await world.makeBill(1, gas), await world.makeBill(1, water)]
    const id = await world.made(bills)
    await numberPayment(id, await paymentOf(id, gas), { check_number: null })
    await numberPayment(id, await paymentOf(id, water), { payment_date: null })
    const refused = await close(id)
    expect([refused.status, said(refused)]).toEqual([409, expect.stringContaining('both a payment date and a payment ID')])
    await numberPayment(id, await paymentOf(id, world.ground))
    expect(await closing(id)).toEqual({ payments: 3, ready: 1, total: '151.00' })
    expect((await close(id)).body).toMatchObject({ payment_batch: { closed: true, is_paid: false } })
    expect(await isPaid(...bills)).toEqual([true, false, false])
  })

  it('is answered with the batch as the close counts it, whatever the payments without bills', async () => {
    const [power, harbor] = [await world.makeBill(1), await world.makeBill(1, gas)]
    const id = await world.made([power, harbor])
    expect(await closing(id)).toEqual({ payments: 2, ready: 0, total: '0.00' })
    await numberPayment(id, await paymentOf(id, world.ground))
    const empty = await ask(world.admin, 'POST', `${world.at}/${id}/vendor_payments`, { vendor_payment: { vendor_id: gas.vendorId } })
    await numberPayment(id, Number(empty.body['id']))
    expect(await closing(id)).toEqual({ payments: 2, ready: 1, total: '151.00' })
    await close(id)
    await world.save(id, { closed: false })
    expect(await closing(id)).toEqual({ payments: 1, ready: 0, total: '0.00' })
  })

  it('is paid only as the person was shown it: a payment that somebody numbered meanwhile stops the close', async () => {
    const [power, harbor] = [await world.makeBill(1), await world.makeBill(1, gas)]
    const id = await world.made([power, harbor])
    await numberPayment(id, await paymentOf(id, world.ground))
    const pays = { ready: 1, total: '151.00' }
    await numberPayment(id, await paymentOf(id, gas))
    const refused = await close(id, { pays })
    expect([refused.status, said(refused)]).toEqual([
      409,
      'Nothing was paid: you were shown 1 payment, $151.00, and it is 2 payments, $302.00 now. Look at it again.',
    ])
    expect(await isPaid(power, harbor)).toEqual([false, false])
    expect((await close(id, { pays: { ready: 2, total: '302.00' } })).status).toBe(200)
  })
})

describe('an amount paid', () => {
  it('is refused where another amount is due than its person was shown, with the bill named, and nothing is stored', async () => {
    const [bill, other] = [await world.makeBill(1), await world.makeBill(2)]
    const id = await world.made([bill, other])
    await sql`update bills set current_charges = 1000, amount_due = 1000 where id = ${bill}`.execute(db)
    const typed = (amount_due: string) =>
      world.save(id, {
        bill_amounts: [
          { bill_id: bill, amount_paid: '151.00', amount_due },
          { bill_id: other, amount_paid: '5.00', amount_due: '152.00' },
        ],
      })
    const refused = await typed('151.00')
    expect([refused.status, said(refused)]).toEqual([
      409,
      expect.stringMatching(/^Bill \S+, 02\/05\/2025: \$1,000\.00 is due now, not \$151\.00\. Look at it again\.$/),
    ])
    expect(await world.batch(id)).toMatchObject({ batch_total: '303.00' })
    expect((await typed('1000.00')).status).toBe(200)
    expect(await world.batch(id)).toMatchObject({ batch_total: '156.00' })
  })

  it('is not taken from a bill of which another amount is due than was shown when it was chosen', async () => {
    const [bill, late] = [await world.makeBill(1), await world.makeBill(2)]
    const id = await world.made([bill])
    const add = (amount_due: string) => world.save(id, { bill_ids: [bill, late], bill_amounts: [{ bill_id: late, amount_due }] })
    expect((await add('151.99')).status).toBe(409)
    expect(await world.batch(id)).toMatchObject({ bill_count: 1 })
    expect((await add('152.00')).body).toMatchObject({ payment_batch: { batch_total: '303.00' } })
  })
})
