/** Tests reversing payments over HTTP on a real PostgreSQL, and reasons for paying a different amount than the amount due. */
import { addDays } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { today } from '../kernel/clock.ts'
import { fieldsOf, makePaymentWorld, type PaymentWorld } from '../../../test/support/payments.ts'

const app = await startTestApp()
const { ask } = app
const { db } = app.database
let world: PaymentWorld

beforeEach(async () => {
  world = await makePaymentWorld(app)
})

const voided = { kind: 'void_check', reversed_date: '2026-11-10', reason: 'The check was lost in the mail' }
const reverse = (batch: number, payment: number, values: object = {}, who: Person = world.admin) =>
  ask(who, 'POST', `${world.at}/${batch}/vendor_payments/${payment}/reverse`, { payment_reversal: { ...voided, ...values } })
const reversalsOf = async (batch: number, payment: number) =>
  (await ask(world.admin, 'GET', `${world.at}/${batch}/vendor_payments/${payment}/reversals`)).body['payment_reversals']
const billOf = async (id: number) => (await ask(world.admin, 'GET', `/clients/${world.ground.clientId}/bills?q[id_eq]=${id}`)).body['bills']

describe('the reversal of a payment', () => {
  it('opens its bills again, leaves the rest of the batch paid, and keeps what was paid as rows of its own', async () => {
    const gas = await world.otherVendor('Harbor Gas')
    const [one, two, harbor] = [await world.makeBill(1), await world.makeBill(2), await world.makeBill(1, gas)]
    const id = await world.paid([one, two, harbor])
    const payments = await world.paymentsOf(id)
    const power = payments.find(({ vendor_id }) => vendor_id === world.ground.vendorId)
    const answer = await reverse(id, power?.id ?? 0)
    expect(answer.body).toMatchObject({
      success: true,
      message: 'Vendor Payment reversed',
      vendor_payment: { paid: false, locked: true, amount: '0.00', reversed_amount: '303.00', bill_count: 0 },
    })
    expect(await world.batch(id)).toMatchObject({ is_paid: true, batch_total: '151.00', reversed_total: '303.00', bill_count: 1 })
    expect(await reversalsOf(id, power?.id ?? 0)).toMatchObject([
      { bill_id: one, amount: '151.00', kind: 'void_check', return_code: null, reason: voided.reason, created_by_name: world.admin.email },
      { bill_id: two, amount: '152.00', reversed_date: '2026-11-10' },
    ])
    expect(await billOf(one)).toMatchObject([
      { full_status: 'Unbatched', vendor_payment_id: null, check_number: null, amount_paid: '151.00' },
    ])
    expect(await billOf(harbor)).toMatchObject([{ full_status: 'Paid' }])
    // The sums again, from the tables alone.
    const { rows } = await sql`select (select sum(amount)::text from payment_reversals where vendor_payment_id = ${power?.id}) as reversed,
      (select sum(amount_paid)::text from bills where client_id = ${world.ground.clientId} and paid) as still_paid`.execute(db)
    expect(rows).toEqual([{ reversed: '303.00', still_paid: '151.00' }])
    // The trail names the user for the payment, each bill and each reversal.
    const { rows: trail } = await sql<{
      item_type: string
      event: string
      changes: unknown
    }>`select item_type, event, object_changes as changes
      from audit_records where client_id = ${world.ground.clientId} and user_id = ${world.admin.id} and item_type in ('bill', 'payment_reversal')
      and (item_id = ${one} or object_changes->'bill_id'->>'to' = ${String(one)}) order by id desc limit 3`.execute(db)
    expect(trail).toEqual([
      { item_type: 'bill', event: 'update', changes: { paid: { from: true, to: false } } },
      { item_type: 'bill', event: 'update', changes: { vendor_payment_id: { from: power?.id, to: null } } },
      { item_type: 'payment_reversal', event: 'create', changes: expect.objectContaining({ amount: { from: null, to: '151.00' } }) },
    ])
  })

  it('lets its bills be paid again by another batch, and a payment that was reversed takes none', async () => {
    const [one, two, three] = [await world.makeBill(1), await world.makeBill(2), await world.makeBill(3)]
    const id = await world.made([one, two])
    await world.numberPayments(id)
    const [first] = await world.paymentsOf(id)
    // A payment without a date keeps the batch from being fully paid, so that it can be reopened.
    const gas = await world.otherVendor('Harbor Gas')
    const harbor = await world.makeBill(1, gas)
    await world.save(id, { bill_ids: [one, two, harbor] })
    await world.save(id, { closed: true })
    await world.save(id, { closed: false })
    expect((await reverse(id, first?.id ?? 0)).status).toBe(200)
    // The vendor's next bill gets its own payment, not that of the voided check.
    expect((await world.save(id, { bill_ids: [one, three, harbor] })).status).toBe(200)
    const after = await world.paymentsOf(id)
    expect(
      after
        .filter(({ vendor_id }) => vendor_id === world.ground.vendorId)
        .map(({ id: payment, amount }) => [payment === first?.id, amount]),
    ).toEqual([
      [true, '0.00'],
      [false, '304.00'],
    ])
    const into = await world.save(id, { bill_ids: [two] }, world.admin, { vendor_payment_id: first?.id })
    expect(into.status).toBe(409)
    expect(into.body['message']).toBe(`VP-${first?.id} was reversed, so it takes no more bills.`)
    expect((await ask(world.admin, 'DELETE', `${world.at}/${id}/vendor_payments/${first?.id}`)).body['message']).toContain('was reversed')
    expect((await ask(world.admin, 'POST', `${world.at}/${id}/create_missing_vendor_payments`)).body).toMatchObject({ emptied: 0 })
    // The bill that was left out is offered to another batch, and paid.
    const again = await world.paid([two])
    expect(await world.batch(again)).toMatchObject({ is_paid: true, batch_total: '152.00' })
    expect(await billOf(two)).toMatchObject([{ full_status: 'Paid' }])
  })

  it('happens once, of what is paid, on a day between the payment and today, with a reason', async () => {
    const id = await world.made([await world.makeBill(1)])
    await world.numberPayments(id)
    const [payment] = await world.paymentsOf(id)
    const of = payment?.id ?? 0
    expect((await reverse(id, of)).body['message']).toBe(`${payment?.full_name} is not paid, so there is nothing to reverse.`)
    await world.save(id, { closed: true })
    expect(fieldsOf(await reverse(id, of, { reason: ' ' }))).toEqual({ reason: ['Reason is required'] })
    expect(fieldsOf(await reverse(id, of, { kind: 'regret' }))).toEqual({ kind: ['Kind must be one of void_check, ach_return, other'] })
    expect(fieldsOf(await reverse(id, of, { return_code: 'R02' }))).toEqual({ return_code: ['Only an ACH return has a return code'] })
    expect(fieldsOf(await reverse(id, of, { kind: 'ach_return', return_code: '2' }))).toEqual({
      return_code: ['Return Code must be R and two digits'],
    })
    expect(fieldsOf(await reverse(id, of, { reversed_date: '2026-11-04' }))).toEqual({
      reversed_date: ['Reversed On must not lie before the payment date, 11/05/2026'],
    })
    expect(fieldsOf(await reverse(id, of, { reversed_date: addDays(today(), 1) }))).toEqual({
      reversed_date: ['Reversed On must not lie after today'],
    })
    const both = await Promise.all([reverse(id, of, { kind: 'ach_return', return_code: 'R02' }), reverse(id, of)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await reversalsOf(id, of)).toHaveLength(1)
  })

  it('is what the provider’s staff may do, and keeps the bank’s answer on the payment', async () => {
    const id = await world.paid([await world.makeBill(1)])
    const [payment] = await world.paymentsOf(id)
    const scope = { clients: [world.ground.clientId] }
    for (const role of ['client_admin', 'channel_partner_admin', 'client_manager'] as const)
      expect((await reverse(id, payment?.id ?? 0, {}, await makePerson(db, role, scope))).status, role).not.toBe(200)
    const muc = await makePerson(db, 'muc_admin')
    expect((await reverse(id, payment?.id ?? 0, { kind: 'ach_return', return_code: 'R03' }, muc)).status).toBe(200)
    const { rows } = await sql`select return_code, returned_date::text from vendor_payments where id = ${payment?.id}`.execute(db)
    expect(rows).toEqual([{ return_code: 'R03', returned_date: '2026-11-10' }])
  })
})

describe('the reason for a difference', () => {
  const reasonIn = async (id: number) => {
    const { text } = await ask(world.admin, 'GET', `${world.at}/${id}/bills`)
    const { bills }: { bills: { amount_paid: string; difference_reason: string | null }[] } = JSON.parse(text)
    return bills.map((bill) => [bill.amount_paid, bill.difference_reason])
  }

  it('is kept with the bill in its batch, by itself or with the amount, and goes where nothing differs', async () => {
    const bill = await world.makeBill(1)
    const id = await world.made([bill])
    const set = (values: object) => world.save(id, { bill_amounts: [{ bill_id: bill, ...values }] })
    expect(await reasonIn(id)).toEqual([['151.00', null]])
    await set({ difference_reason: 'partial' })
    expect(await reasonIn(id)).toEqual([['151.00', null]])
    await set({ amount_paid: '100.00', difference_reason: 'credit_taken' })
    expect(await reasonIn(id)).toEqual([['100.00', 'credit_taken']])
    await set({ amount_paid: '90.00' })
    expect(await reasonIn(id)).toEqual([['90.00', 'credit_taken']])
    await set({ difference_reason: 'prior_balance_unpaid' })
    expect(await reasonIn(id)).toEqual([['90.00', 'prior_balance_unpaid']])
    expect(fieldsOf(await set({ difference_reason: 'mood' }))).toEqual({
      'bill_amounts.0.difference_reason': ['Difference Reason must be one of credit_taken, prior_balance_unpaid, partial, other'],
    })
    await set({ amount_paid: '151.00' })
    expect(await reasonIn(id)).toEqual([['151.00', null]])
    const { rows } = await sql<{ change: unknown }>`select object_changes->'difference_reason' as change from audit_records
      where client_id = ${world.ground.clientId} and object_changes ? 'difference_reason' order by id`.execute(db)
    expect(rows.map(({ change }) => change)).toEqual([
      { from: null, to: 'credit_taken' },
      { from: 'credit_taken', to: 'prior_balance_unpaid' },
      { from: 'prior_balance_unpaid', to: null },
    ])
  })

  it('stays as it is once the bill is paid', async () => {
    const bill = await world.makeBill(1)
    const gas = await world.otherVendor('Harbor Gas')
    const id = await world.made([bill, await world.makeBill(1, gas)])
    await world.save(id, { bill_amounts: [{ bill_id: bill, amount_paid: '100.00', difference_reason: 'partial' }] })
    const [first] = (await world.paymentsOf(id)).filter(({ vendor_id }) => vendor_id === world.ground.vendorId)
    await ask(world.admin, 'PATCH', `${world.at}/${id}/vendor_payments/${first?.id}`, {
      vendor_payment: { payment_date: '2026-11-05', check_number: '7' },
    })
    await world.save(id, { closed: true })
    await world.save(id, { closed: false })
    const late = await world.save(id, { bill_amounts: [{ bill_id: bill, difference_reason: 'other' }] })
    expect(fieldsOf(late)).toEqual({ bill_amounts: [`Bill ${bill} is paid, so its amount and reason stay`] })
    expect(await reasonIn(id)).toContainEqual(['100.00', 'partial'])
  })
})
