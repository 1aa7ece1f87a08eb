/** Tests vendor batches and vendor payments over HTTP on a real PostgreSQL: bills, sums, closing, and rights. */
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { acting, makeAccount, makeGround, makeService, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { createBills } from '../bills/bills.ts'

const { ask, database } = await startTestApp()
const { db } = database

let ground: Ground
let admin: Person
let at: string

beforeEach(async () => {
  ground = await makeGround(db)
  at = `/clients/${ground.clientId}/payment_batches`
  await sql`update clients set utility_payment_management = true where id = ${ground.clientId}`.execute(db)
  admin = await makePerson(db, 'super_admin')
})

const billOf = async (of: Ground, month: number, change: Partial<BillDraft> = {}): Promise<number> => {
  const [made] = await acting(database, (context) => createBills(context, of.clientId, [monthlyDraft(of, month, change)]))
  if (made?.kind !== 'created') throw new Error(`the bill was not made: ${JSON.stringify(made)}`)
  await sql`update bills set open_errors = 0, open_blocking = 0 where client_id = ${of.clientId} and id = ${made.id}`.execute(db)
  return made.id
}
const makeBill = (month: number, change: Partial<BillDraft> = {}): Promise<number> => billOf(ground, month, change)

/** Makes an account of another vendor of the same client, with its own meters. */
async function otherVendor(name: string, { method = 'Check', exclusive = false } = {}): Promise<Ground> {
  const { rows } = await sql<{ id: number }>`insert into vendors (name, short_code, is_exclusive)
    values (${name}, ${`${name}${ground.clientId}`}, ${exclusive}) returning id`.execute(db)
  const vendorId = rows[0]?.id ?? 0
  await sql`insert into vendor_payment_methods (vendor_id, payment_method_id) select ${vendorId}, id from payment_methods where name = ${method}`.execute(
    db,
  )
  const accountId = await makeAccount(db, { ...ground, vendorId }, `77${vendorId}`)
  const electricId = await makeService(db, ground.clientId, accountId, 'electric', `E-${vendorId}`)
  const gasId = await makeService(db, ground.clientId, accountId, 'natural_gas', `G-${vendorId}`)
  return { ...ground, vendorId, accountId, electricId, gasId }
}

const head = () => ({ payer_type: 'Client', payer_id: ground.clientId, batch_date: '2026-11-24', bills_due_date: '2026-12-08' })
const newBatch = (values: object = {}, who = admin, more: object = {}) =>
  ask(who, 'POST', at, { payment_batch: { ...head(), ...values }, ...more })
const save = (id: number, values: object, who = admin, more: object = {}) =>
  ask(who, 'PATCH', `${at}/${id}`, { payment_batch: values, ...more })
const made = async (values: object = {}): Promise<number> => Number((await newBatch(values)).body['id'])
/** Returns the errors by field. */
const fieldsOf = ({ text }: { text: string }): unknown => {
  const answer: { errors: { fields: unknown } } = JSON.parse(text)
  return answer.errors.fields
}
const batch = async (id: number) => (await ask(admin, 'GET', `${at}/${id}`)).body['payment_batch']
interface Payment {
  readonly id: number
  readonly full_name: string
  readonly amount: string
  readonly vendor_id: number
}
const paymentsOf = async (id: number): Promise<Payment[]> => {
  const { text } = await ask(admin, 'GET', `${at}/${id}/vendor_payments`)
  const answer: { vendor_payments: Payment[] } = JSON.parse(text)
  return answer.vendor_payments
}
const setPayment = (id: number, payment: number, values: object) =>
  ask(admin, 'PATCH', `${at}/${id}/vendor_payments/${payment}`, { vendor_payment: values })
const billRow = async (id: number) =>
  (
    await sql<{
      paid: boolean
      amount_paid: string | null
      vendor_payment_id: number | null
    }>`select paid, amount_paid::text, vendor_payment_id
    from bills where id = ${id}`.execute(db)
  ).rows[0]

/** Computes the three sums of a batch by plain SQL over the tables. */
const sumsBySql = async (id: number) =>
  (
    await sql`select (select coalesce(sum(amount_paid), 0)::numeric(14,2)::text from payment_batch_bills where payment_batch_id = ${id} and released_at is null) as members,
      (select count(*)::int from bills where vendor_payment_id in (select id from vendor_payments where payment_batch_id = ${id})) as bills,
      (select count(*)::int from payment_batch_bills member join bills on bills.client_id = member.client_id and bills.id = member.bill_id
        where member.payment_batch_id = ${id} and member.released_at is null and bills.vendor_payment_id is distinct from member.vendor_payment_id) as astray`.execute(
      db,
    )
  ).rows[0]

describe('a vendor batch', () => {
  it('carries its fields, takes bills, makes a payment for each vendor, and sums them [VBATCH-RULE-001] [VBATCH-FIELD-001] [VBATCH-FIELD-002] [VBATCH-FIELD-003] [VBATCH-API-002] [VBATCH-API-004] [VPAY-FIELD-001] [VPAY-FIELD-003]', async () => {
    const gas = await otherVendor('Harbor Gas')
    const ids = [await makeBill(1), await makeBill(2), await billOf(gas, 1)]
    const answer = await newBatch({ bill_ids: ids, notes: 'November' })
    expect(answer.body).toMatchObject({ success: true, message: 'Vendor Batch created' })
    const id = Number(answer.body['id'])
    expect(await batch(id)).toMatchObject({
      id,
      payer_type: 'Client',
      payer_id: ground.clientId,
      payer_name: expect.stringContaining('Client'),
      vendor_ids: [ground.vendorId, gas.vendorId],
      vendor_names: ['City Power', 'Harbor Gas'],
      batch_date: '2026-11-24',
      bills_due_date: '2026-12-08',
      batch_total: '454.00',
      notes: 'November',
      paid_as: null,
      closed: false,
      has_been_closed: false,
      batch_group: null,
      payment_method: 'Check',
      bill_ids: ids.toSorted((a, b) => a - b),
    })
    const payments = await paymentsOf(id)
    expect(payments.map((payment) => [payment.full_name, payment.amount])).toEqual([
      [`VP-${payments[0]?.id} Harbor Gas`, '151.00'],
      [`VP-${payments[1]?.id} City Power`, '303.00'],
    ])
    expect(await sumsBySql(id)).toEqual({ members: '454.00', bills: 3, astray: 0 })
  })

  it('needs its payer, its date and its due date, and its payer is the client or one of its divisions, whose batch group it names [VBATCH-RULE-004] [VBATCH-RULE-009] [VBATCH-FIELD-003]', async () => {
    const nothing = await ask(admin, 'POST', at, { payment_batch: {} })
    expect(nothing.status).toBe(422)
    expect(fieldsOf(nothing)).toMatchObject({
      payer_type: expect.anything(),
      payer_id: expect.anything(),
      batch_date: expect.anything(),
      bills_due_date: expect.anything(),
    })
    expect(fieldsOf(await newBatch({ batch_date: '11/24/2026' }))).toEqual({ batch_date: ['Batch Date must be a date, YYYY-MM-DD'] })
    const other = await makeGround(db)
    expect(fieldsOf(await newBatch({ payer_id: other.clientId }))).toHaveProperty('payer_id')
    expect(fieldsOf(await newBatch({ payer_type: 'Division', payer_id: other.divisionId }))).toEqual({
      payer_id: ['This client has no such division'],
    })
    const id = await made({ payer_type: 'Division', payer_id: ground.divisionId })
    expect(await batch(id)).toMatchObject({ payer_type: 'Division', payer_id: ground.divisionId, payer_name: 'West', batch_group: null })
    const { rows } = await sql<{
      id: number
    }>`with made as (insert into batch_groups (client_id, name) values (${ground.clientId}, 'Weekly') returning id)
      select id from made`.execute(db)
    const group = rows[0]?.id ?? 0
    await sql`update divisions set batch_group_id = ${group} where id = ${ground.divisionId}`.execute(db)
    expect(await batch(id)).toMatchObject({ batch_group: { id: group, name: 'Weekly' } })
    expect(fieldsOf(await save(id, { payer_type: 'Client', payer_id: ground.clientId }))).toHaveProperty('payer_type')
  })

  it('is listed newest first, filtered, searched and exported [LIST-RULE-015] [VBATCH-API-001] [VBATCH-API-008] [VBATCH-CONST-001] [VBATCH-EXPORT-003]', async () => {
    const first = await made({ bill_ids: [await makeBill(1)] })
    const second = await made({ payer_type: 'Division', payer_id: ground.divisionId, notes: 'Second' })
    const ids = async (query: string) => {
      const { text } = await ask(admin, 'GET', `${at}?${query}`)
      const { payment_batches }: { payment_batches: { id: number }[] } = JSON.parse(text)
      return payment_batches.map(({ id }) => id)
    }
    expect(await ids('')).toEqual([second, first])
    expect(await ids('page=2&per=1')).toEqual([first])
    expect(await ids('q[payer_type_eq]=Division')).toEqual([second])
    expect(await ids('q[batch_total_gteq]=151.00&q[bill_count_eq]=1')).toEqual([first])
    expect(await ids('q[bills_due_date_gteq]=2026-12-08&q[batch_date_lteq]=2026-11-24&q[created_at_gteq]=2026-01-01')).toEqual([
      second,
      first,
    ])
    expect(await ids('q[bills_due_date_gteq]=2026-12-09')).toEqual([])
    expect(await ids('q[batch_date_lteq]=2026-11-23')).toEqual([])
    expect(await ids('q[created_at_lteq]=2020-01-01')).toEqual([])
    expect((await ask(admin, 'GET', `${at}?q[color_eq]=red`)).status).toBe(422)
    expect((await ask(admin, 'GET', `${at}/search?q=West`)).body).toMatchObject({ payment_batches: [{ id: second, payer_name: 'West' }] })
    const some = await ask(admin, 'GET', `${at}/export_csv?q[payer_type_eq]=Client&connection_id=3b1f`)
    const narrowed: Record<string, string>[] = parse(await exportedText({ ask }, admin, some.body['task_id']), { columns: true })
    expect(narrowed.map((row) => row['Payer Type'])).toEqual(['Client'])
    expect((await ask(admin, 'GET', `${at}/export_csv?q[color_eq]=red`)).status).toBe(422)
    const started = await ask(admin, 'GET', `${at}/export_csv`)
    expect(started.body).toMatchObject({ success: true, message: 'Vendor batches export started' })
    const rows: Record<string, string>[] = parse(await exportedText({ ask }, admin, started.body['task_id']), { columns: true })
    expect(rows.map((row) => [row['Payer Type'], row['Total']])).toEqual([
      ['Division', '0.00'],
      ['Client', '151.00'],
    ])
  })

  it('refuses bills with their reasons, and stores nothing then', async () => {
    const [taken, parked, free] = [await makeBill(1), await makeBill(2), await makeBill(3)]
    const first = await made({ bill_ids: [taken] })
    await sql`update bills set parked = true where id = ${parked}`.execute(db)
    const both = await newBatch({ bill_ids: [free, taken] })
    expect([both.status, both.body['message']]).toEqual([409, expect.stringContaining(`(In vendor batch ${first})`)])
    const late = await newBatch({ bill_ids: [free, parked] })
    expect([late.status, fieldsOf(late)]).toEqual([422, { bill_ids: [expect.stringContaining('(Parked)')] }])
    const foreign = await billOf(await makeGround(db), 1)
    expect(fieldsOf(await newBatch({ bill_ids: [foreign] }))).toEqual({ bill_ids: ['This record cannot be found'] })
    expect(await billRow(free)).toMatchObject({ vendor_payment_id: null })
    // The group's bill pays the vendor: paying a subaccount's bill too would pay twice.
    const child = await makeBill(4)
    await sql`update bills set group_bill_id = ${free} where id = ${child}`.execute(db)
    expect(fieldsOf(await newBatch({ bill_ids: [child] }))).toEqual({
      bill_ids: [expect.stringContaining('Paid with the bill of its group')],
    })
    const { text } = await ask(admin, 'GET', `${at}/${first}/new_bills`)
    const offered: { new_bills: { id: number }[]; waiting: { id: number }[] } = JSON.parse(text)
    expect([offered.new_bills.map(({ id }) => id), offered.waiting.map(({ id }) => id)]).toEqual([[free], [parked]])
    // A bill that joined a group while in a batch stays there, and can only be paid with zero.
    await sql`update bills set group_bill_id = ${free} where id = ${taken}`.execute(db)
    expect((await ask(admin, 'GET', `${at}/${first}/bills`)).body).toMatchObject({ bills: [{ id: taken, refusal: null }] })
    expect(fieldsOf(await save(first, { bill_amounts: [{ bill_id: taken, amount_paid: '5.00' }] }))).toEqual({
      bill_amounts: [expect.stringContaining('paid with the bill of its group')],
    })
    expect((await save(first, { bill_amounts: [{ bill_id: taken, amount_paid: '0' }] })).status).toBe(200)
  })

  it('has one payment type, and an exclusive vendor shares it with no other', async () => {
    const ach = await billOf(await otherVendor('Ach Water', { method: 'ACH' }), 1)
    const exclusive = await otherVendor('Lone Gas', { exclusive: true })
    const [alone, also] = [await billOf(exclusive, 1), await billOf(exclusive, 2)]
    const check = await makeBill(1)
    expect(fieldsOf(await newBatch({ bill_ids: [check, ach] }))).toEqual({
      bill_ids: [expect.stringMatching(/^One batch has one payment type/)],
    })
    expect(fieldsOf(await newBatch({ bill_ids: [check, alone] }))).toEqual({
      bill_ids: ['Lone Gas is exclusive: its bills are paid in a batch of their own'],
    })
    const id = await made({ bill_ids: [alone] })
    expect((await save(id, { bill_ids: [alone, also] })).status).toBe(200)
    expect((await save(id, { bill_ids: [alone, check] })).status).toBe(422)
    expect(await sumsBySql(id)).toMatchObject({ bills: 2, astray: 0 })
  })

  it('answers its bills, those that it may take and those that wait [VBATCH-API-005] [VBATCH-API-006] [VBATCH-API-007]', async () => {
    const [one, two, parked] = [await makeBill(1), await makeBill(2), await makeBill(3)]
    await sql`update bills set parked = true where id = ${parked}`.execute(db)
    const id = await made({ bill_ids: [one] })
    expect((await ask(admin, 'GET', `${at}/${id}/bills`)).body).toMatchObject({
      bills: [{ id: one, amount_paid: '151.00', refusal: null }],
    })
    const found = await ask(admin, 'GET', `${at}/${id}/new_bills?client_id=${ground.clientId}`)
    expect(found.body).toMatchObject({
      bills: [{ id: one }],
      new_bills: [{ id: two }],
      new_bills_total: '152.00',
      waiting: [{ id: parked, refusal: 'parked' }],
      waiting_count: 1,
    })
    const gas = await billOf(await otherVendor('Harbor Gas'), 1)
    const [payment] = await paymentsOf(id)
    const ofVendor = await ask(admin, 'GET', `${at}/${id}/new_bills?vendor_payment_id=${payment?.id}`)
    expect(ofVendor.body).toMatchObject({ new_bills: [{ id: two }] })
    const saved = await save(id, { bill_ids: [two, gas] })
    expect(saved.body).toMatchObject({ success: true, payment_batch: { id, batch_total: '303.00' } })
    expect(saved.body['bills']).toHaveLength(2)
    expect(await billRow(one)).toMatchObject({ vendor_payment_id: null })
    expect(await sumsBySql(id)).toEqual({ members: '303.00', bills: 2, astray: 0 })
  })

  it('pays what is typed for a bill, and another batch starts from it', async () => {
    const bill = await makeBill(1)
    const id = await made({ bill_ids: [bill] })
    const saved = await save(id, { bill_amounts: [{ bill_id: bill, amount_paid: '100.5' }] })
    expect(saved.body).toMatchObject({ payment_batch: { batch_total: '100.50' }, bills: [{ id: bill, amount_paid: '100.50' }] })
    for (const amount_paid of ['-1.00', '100000000.00', '1.001', 'ten'])
      expect((await save(id, { bill_amounts: [{ bill_id: bill, amount_paid }] })).status).toBe(422)
    const strange = await makeBill(2)
    expect((await save(id, { bill_amounts: [{ bill_id: strange, amount_paid: '1.00' }] })).status).toBe(422)
    expect((await ask(admin, 'DELETE', `${at}/${id}`)).body).toMatchObject({ success: true })
    expect(await billRow(bill)).toMatchObject({ vendor_payment_id: null, amount_paid: '100.50' })
    expect(await batch(await made({ bill_ids: [bill] }))).toMatchObject({ batch_total: '100.50' })
  })

  it('is deleted while it never was closed, and is gone from everywhere [VBATCH-API-003]', async () => {
    const bill = await makeBill(1)
    const id = await made({ bill_ids: [bill] })
    expect((await ask(admin, 'DELETE', `${at}/${id}`)).body).toEqual({ success: true, message: 'Vendor Batch deleted' })
    expect((await ask(admin, 'GET', `${at}/${id}`)).status).toBe(404)
    expect((await ask(admin, 'GET', `${at}/${id}/vendor_payments`)).status).toBe(404)
    expect((await ask(admin, 'GET', at)).body).toMatchObject({ payment_batches: [] })
    expect(await billRow(bill)).toMatchObject({ vendor_payment_id: null, paid: false })
  })

  it('gives a bill to one of two batches that want it at once', async () => {
    const bill = await makeBill(1)
    const answers = await Promise.all(Array.from({ length: 6 }, () => newBatch({ bill_ids: [bill] })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409])
    const { rows } = await sql`select 1 from payment_batch_bills where bill_id = ${bill} and released_at is null`.execute(db)
    expect(rows).toHaveLength(1)
  })

  it('takes the bills of a payment that is to be paid apart [VBATCH-API-004]', async () => {
    const gas = await otherVendor('Harbor Gas')
    const [power, harbor] = [await makeBill(1), await billOf(gas, 1)]
    const id = await made({ bill_ids: [power, harbor] })
    const payment = (await paymentsOf(id)).find(({ vendor_id }) => vendor_id === gas.vendorId)
    const apart = await newBatch({}, admin, { vendor_payment_id: payment?.id })
    expect(apart.body).toMatchObject({ payment_batch: { batch_total: '151.00', vendor_names: ['Harbor Gas'] } })
    expect(await batch(id)).toMatchObject({ batch_total: '151.00', vendor_names: ['City Power'], payment_count: 1 })
  })
})

describe('the payments of a vendor batch', () => {
  it('are listed by amount, carry what they say, and take a date and an ID alone [VPAY-API-003] [VPAY-API-004] [VPAY-FIELD-002] [VPAY-FIELD-004] [VPAY-RULE-006] [VPAY-CONST-001]', async () => {
    const gas = await otherVendor('Harbor Gas')
    const id = await made({ bill_ids: [await makeBill(1), await makeBill(2), await billOf(gas, 1)] })
    const list = await ask(admin, 'GET', `${at}/${id}/vendor_payments?page=1&per=10`)
    expect(list.body).toMatchObject({ total: 2, vendor_payments: [{ amount: '151.00' }, { amount: '303.00' }] })
    const [harbor] = await paymentsOf(id)
    const payment = harbor?.id ?? 0
    expect(
      (await setPayment(id, payment, { payment_date: '2026-11-30', check_number: ' 10441 ', client_id: ground.clientId })).body,
    ).toMatchObject({
      success: true,
      vendor_payment: {
        payment_date: '2026-11-30',
        check_number: '10441',
        vendor_name: 'Harbor Gas',
        utility_company_name: 'Harbor Gas',
        payment_methods: 'Check',
        locked: false,
      },
    })
    const other = await makeGround(db)
    const sents = [{ amount: '1.00' }, { locked: true }, { vendor_id: ground.vendorId }, { client_id: other.clientId }, { client_id: null }]
    for (const sent of sents) expect((await setPayment(id, payment, sent)).status, JSON.stringify(sent)).toBe(422)
    expect((await ask(admin, 'GET', `${at}/${id}/vendor_payments/${payment}`)).body).toMatchObject({ vendor_payment: { amount: '151.00' } })
    const added = await ask(admin, 'POST', `${at}/${id}/vendor_payments`, {
      vendor_payment: { vendor_id: gas.vendorId, check_number: '2' },
    })
    expect(added.body).toMatchObject({ success: true, vendor_payment: { amount: '0.00', payment_batch_id: id } })
    expect(fieldsOf(await ask(admin, 'POST', `${at}/${id}/vendor_payments`, { vendor_payment: {} }))).toEqual({
      vendor_id: ['Vendor is required'],
    })
  })

  it('hold bills of their own vendor, which their page changes [VPAY-API-001] [VBATCH-API-004]', async () => {
    const gas = await otherVendor('Harbor Gas')
    const [one, two, harbor] = [await makeBill(1), await makeBill(2), await billOf(gas, 1)]
    const id = await made({ bill_ids: [one, harbor] })
    const power = (await paymentsOf(id)).find(({ vendor_id }) => vendor_id === ground.vendorId)?.id ?? 0
    const bills = () => ask(admin, 'GET', `${at}/${id}/vendor_payments/${power}/bills`)
    expect((await bills()).body).toMatchObject({ bills: [{ id: one }] })
    const saved = await save(id, { bill_ids: [two] }, admin, { vendor_payment_id: power })
    expect(saved.status, saved.text).toBe(200)
    expect((await bills()).body).toMatchObject({ bills: [{ id: two }] })
    expect(await batch(id)).toMatchObject({ bill_count: 2, batch_total: '303.00' })
    expect(fieldsOf(await save(id, { bill_ids: [two, harbor] }, admin, { vendor_payment_id: power }))).toEqual({
      bill_ids: [expect.stringContaining('another vendor')],
    })
    expect((await save(id, { bill_ids: [] }, admin, { vendor_payment_id: 999_999 })).status).toBe(422)
    expect(await sumsBySql(id)).toMatchObject({ bills: 2, astray: 0 })
  })

  it('are made, moved and emptied by the sync, and a second sync changes nothing [VPAY-API-002]', async () => {
    const id = await made({ bill_ids: [await makeBill(1), await makeBill(2)] })
    const gas = await otherVendor('Harbor Gas')
    await ask(admin, 'POST', `${at}/${id}/vendor_payments`, { vendor_payment: { vendor_id: gas.vendorId } })
    // The utility was sold: its bills belong to another vendor by now.
    await sql`update bills set vendor_id = ${gas.vendorId} where vendor_payment_id in (select id from vendor_payments where payment_batch_id = ${id})`.execute(
      db,
    )
    const sync = () => ask(admin, 'POST', `${at}/${id}/create_missing_vendor_payments?client_id=${ground.clientId}`)
    expect((await sync()).body).toEqual({ success: true, message: 'Vendor Payments are synced', made: 0, emptied: 1, moved: 2 })
    expect(await paymentsOf(id)).toMatchObject([{ vendor_id: gas.vendorId, amount: '303.00' }])
    expect((await sync()).body).toMatchObject({ made: 0, emptied: 0, moved: 0 })
    expect(await sumsBySql(id)).toEqual({ members: '303.00', bills: 2, astray: 0 })
  })

  it('are deleted with their bills set free, unless they are locked [VPAY-RULE-002] [VPAY-API-004]', async () => {
    const bill = await makeBill(1)
    const id = await made({ bill_ids: [bill] })
    const [payment] = await paymentsOf(id)
    const one = `${at}/${id}/vendor_payments/${payment?.id}`
    await setPayment(id, payment?.id ?? 0, { payment_date: '2026-11-30', check_number: '10441' })
    await save(id, { closed: true })
    expect((await ask(admin, 'DELETE', one)).status).toBe(409)
    expect((await setPayment(id, payment?.id ?? 0, { check_number: '7' })).status).toBe(409)
    const other = await makeBill(2)
    const open = await made({ bill_ids: [other] })
    const [free] = await paymentsOf(open)
    expect((await ask(admin, 'DELETE', `${at}/${open}/vendor_payments/${free?.id}`)).body).toEqual({
      success: true,
      message: 'Deleted Vendor Payment',
    })
    expect(await billRow(other)).toMatchObject({ vendor_payment_id: null })
    expect(await batch(open)).toMatchObject({ bill_count: 0, payment_count: 0 })
  })
})

describe('the close of a vendor batch', () => {
  it('pays what carries a date and an ID, once, and keeps what it paid [VBATCH-RULE-002] [VPAY-RULE-001]', async () => {
    const gas = await otherVendor('Harbor Gas')
    const [one, two, harbor] = [await makeBill(1), await makeBill(2), await billOf(gas, 1)]
    const id = await made({ bill_ids: [one, two, harbor] })
    expect((await save(id, { closed: true })).body['message']).toMatch(/neither|both a payment date and a payment ID/)
    const power = (await paymentsOf(id)).find(({ vendor_id }) => vendor_id === ground.vendorId)?.id ?? 0
    await setPayment(id, power, { payment_date: '2026-11-30', check_number: '10441' })
    await save(id, { bill_amounts: [{ bill_id: two, amount_paid: '51.00' }] })
    const closed = await save(id, { closed: true })
    expect(closed.body).toMatchObject({ payment_batch: { closed: true, has_been_closed: true, is_paid: false, paid_as: null } })
    expect(await Promise.all([one, two, harbor].map(billRow))).toMatchObject([
      { paid: true, amount_paid: '151.00' },
      { paid: true, amount_paid: '51.00' },
      { paid: false },
    ])
    expect((await save(id, { bill_ids: [one] })).status).toBe(422)
    expect((await save(id, { bill_amounts: [{ bill_id: one, amount_paid: '1.00' }] })).status).toBe(422)
    expect((await ask(admin, 'GET', `${at}/${id}/new_bills`)).status).toBe(409)
    expect((await ask(admin, 'DELETE', `${at}/${id}`)).status).toBe(409)
    // Unpaid bills can still be paid: the batch reopens, and paid bills stay paid.
    expect((await save(id, { closed: false })).status).toBe(200)
    expect(fieldsOf(await save(id, { bill_amounts: [{ bill_id: one, amount_paid: '1.00' }] }))).toEqual({
      bill_amounts: [`Bill ${one} is paid, so its amount and reason stay`],
    })
    expect(fieldsOf(await save(id, { bill_ids: [two, harbor] }))).toEqual({ bill_ids: [expect.stringContaining('is paid')] })
    expect((await setPayment(id, power, { check_number: '7' })).status).toBe(409)
    const rest = (await paymentsOf(id)).find(({ vendor_id }) => vendor_id === gas.vendorId)?.id ?? 0
    await setPayment(id, rest, { payment_date: '2026-12-01', check_number: '10442' })
    expect((await save(id, { closed: true })).body).toMatchObject({ payment_batch: { is_paid: true, paid_as: 'Check' } })
    expect((await save(id, { closed: false })).status).toBe(409)
    const trail =
      await sql`select count(*)::int as paid from audit_records where item_type = 'bill' and object_changes ? 'paid' and client_id = ${ground.clientId}`.execute(
        db,
      )
    expect(trail.rows).toEqual([{ paid: 3 }])
  })

  it('pays nothing where a bill may not be paid, and no sum below a cent', async () => {
    const bill = await makeBill(1)
    const id = await made({ bill_ids: [bill] })
    const [payment] = await paymentsOf(id)
    await setPayment(id, payment?.id ?? 0, { payment_date: '2026-11-30', check_number: '10441' })
    await sql`update bills set parked = true where id = ${bill}`.execute(db)
    expect((await save(id, { closed: true })).body['message']).toContain('(Parked)')
    await sql`update bills set parked = false where id = ${bill}`.execute(db)
    await save(id, { bill_amounts: [{ bill_id: bill, amount_paid: '0' }] })
    expect((await save(id, { closed: true })).body['message']).toContain('A payment must be above 0')
    expect(await billRow(bill)).toMatchObject({ paid: false })
    expect(await batch(id)).toMatchObject({ closed: false, has_been_closed: false })
  })
})

it('the bills of a vendor batch are exported [VBATCH-EXPORT-001]', async () => {
  const id = await made({ bill_ids: [await makeBill(1), await makeBill(2)] })
  await makeBill(3)
  const started = await ask(admin, 'GET', `${at}/${id}/export_bills_csv`)
  expect(started.body).toMatchObject({ message: 'bills export started' })
  expect(parse(await exportedText({ ask }, admin, started.body['task_id']), { columns: true })).toHaveLength(2)
})

it('who reads, makes, changes and deletes vendor batches follows the rights of the role [PERM-PERM-032] [PERM-PERM-033] [PERM-PERM-034]', async () => {
  const id = await made({ bill_ids: [await makeBill(1)] })
  const [payment] = await paymentsOf(id)
  const asked = async (role: 'client_admin' | 'client_manager' | 'client_user' | 'channel_partner_admin') => {
    const person = await makePerson(db, role, { clients: [ground.clientId] })
    const one = `${at}/${id}`
    const answers = [
      await ask(person, 'GET', at),
      await ask(person, 'GET', `${one}/vendor_payments`),
      await ask(person, 'GET', `${one}/voucher_csv`),
      await newBatch({}, person),
      await ask(person, 'GET', `${one}/bills`),
      await save(id, { notes: role }, person),
      await ask(person, 'PATCH', `${one}/vendor_payments/${payment?.id}`, { vendor_payment: { check_number: role } }),
      await ask(person, 'DELETE', one),
    ]
    return answers.map(({ status }) => status)
  }
  expect(await asked('client_admin')).toEqual([200, 200, 200, 200, 200, 200, 200, 403])
  expect(await asked('client_manager')).toEqual([200, 200, 200, 403, 403, 403, 403, 403])
  expect(await asked('client_user')).toEqual([403, 403, 403, 403, 403, 403, 403, 403])
  await sql`update clients set utility_payment_management = false where id = ${ground.clientId}`.execute(db)
  expect(await asked('client_admin')).toEqual([403, 403, 403, 403, 403, 403, 403, 403])
})
