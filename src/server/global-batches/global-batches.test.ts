/** Tests the desk over HTTP on a real PostgreSQL: unswept bills, batches, moves, and rights. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeDeskBill, makeDeskVendor, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { setClock } from '../kernel/clock.ts'

const { ask, database } = await startTestApp()
const { db } = database
let staff: Person
let one: Ground
let two: Ground
let vendor: number

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  staff = await makeLastingPerson(db, 'muc_admin')
  // Each test starts with an empty desk.
  await sql`update bills set parked = true`.execute(db)
  await sql`update payment_batches set finalized = true, finalized_at = now(), created_at = '2020-01-01' where is_global and unbatched_at is null`.execute(
    db,
  )
  one = await makePayer(db)
  two = await makePayer(db)
  vendor = await makeDeskVendor(db, { method: 'Check' })
  await lockValue('50000.00')
})
afterEach(() => setClock())

async function lockValue(value: string, locked = true): Promise<void> {
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', ${value}, ${locked})
    on conflict (day) do update set value = ${value}, locked = ${locked}, attempts = 3`.execute(db)
}

type Known = Record<string, unknown>
interface Batch extends Known {
  readonly id: number
  readonly client_id: number
  readonly batch_total: string
  readonly effective_type: string
  readonly temp_pay_method: string | null
}
interface Bill extends Known {
  readonly id: number
  readonly refusal: string | null
  readonly amount_paid: string
}
interface Listed {
  readonly batches: Batch[]
  readonly counts: Record<string, number>
  readonly totals: Record<string, string>
  readonly all_count: number
  readonly batched_total: string
  readonly remaining: string
  readonly earlier_days: { day: string; count: number }[]
}
interface Unswept extends Known {
  readonly bills: Bill[]
  readonly total: number
}
const bill = (ground: Ground, amount: string, more: object = {}, of = vendor): Promise<number> =>
  makeDeskBill(db, ground, of, { amount, ...more })
const unswept = async (query = '', who = staff): Promise<Unswept> =>
  JSON.parse((await ask(who, 'GET', `/global_batches/bills?per=1000${query}`)).text)
const batches = async (query = 'today=true', who = staff): Promise<Listed> =>
  JSON.parse((await ask(who, 'GET', `/global_batches?per=1000&${query}`)).text)
const detail = async (id: number): Promise<Batch & { bills: Bill[] }> =>
  JSON.parse((await ask(staff, 'GET', `/global_batches/${id}`)).text).global_batch
const head = { batch_date: '2026-11-25', bills_due_date: '2026-12-09' }
const create = (bill_ids: readonly number[], values: object = {}, who = staff) =>
  ask(who, 'POST', '/global_batches', { global_batch: { ...head, bill_ids, ...values } })
const made = async (bill_ids: readonly number[], values: object = {}): Promise<Batch[]> => {
  const answer = await create(bill_ids, values)
  expect(answer.status, answer.text).toBe(200)
  return JSON.parse(answer.text).global_batches
}
const first = async (bill_ids: readonly number[], values: object = {}): Promise<Batch> => {
  const [batch] = await made(bill_ids, values)
  if (!batch) throw new Error('no batch was made')
  return batch
}
const save = (id: number, values: object, who = staff) => ask(who, 'PATCH', `/global_batches/${id}`, { global_batch: values })
const act = (path: string, body: object, who = staff) =>
  ask(who, path === 'temp_pay_method' ? 'PATCH' : 'POST', `/global_batches/${path}`, body)
const fieldsOf = ({ text }: Answer): unknown => JSON.parse(text).errors.fields
const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id).toSorted((a, b) => a - b)

describe('unswept bills', () => {
  it('are bills of all clients that nobody pays yet; what is parked, void, paid or batched is not among them [GB-RULE-001] [GB-API-001] [GB-API-003]', async () => {
    const [a, b, parked, paid, gone, batched] = await Promise.all([
      bill(one, '10.00'),
      bill(two, '20.00'),
      bill(one, '1.00'),
      bill(one, '2.00'),
      bill(one, '3.00'),
      bill(one, '4.00'),
    ])
    await sql`update bills set parked = true where id = ${parked}`.execute(db)
    await sql`update bills set paid = true where id = ${paid}`.execute(db)
    await sql`update bills set superseded_by_id = ${a} where id = ${gone}`.execute(db)
    await made([batched])
    const list = await unswept()
    expect(idsOf(list.bills)).toEqual(idsOf([{ id: a }, { id: b }]))
    expect(list).toMatchObject({
      total: 2,
      amount_due_total: '30.00',
      amount_paid_total: '30.00',
      min_amount_due: '10.00',
      max_amount_due: '20.00',
    })
    expect(await unswept('&unpaid=true')).toEqual(list)
  })

  it('carry every field of a row, the numbers of the bank masked [GB-FIELD-007] [GB-FIELD-008] [GB-FIELD-009] [GB-FIELD-010] [GB-FIELD-011] [GB-FIELD-012]', async () => {
    await sql`update vendors set po_box_last4 = '0025', payment_identifier_last4 = '4321', is_exclusive = true where id = ${vendor}`.execute(
      db,
    )
    const id = await bill(one, '10.00', { due: '2026-11-20' })
    const { bills } = await unswept()
    const names = `id batch_id client_id client_name vendor_id vendor_name vendor_short_code is_exclusive payment_date due_date date current_charges
      balance_forward amount_due amount_paid paid group_bill_id vendor_payment_methods vendor_po_box vendor_payment_identifier account_number
      account_name_with_number account_type account_id days_due bill_id division_name vendor_payment_full_name vendor_payment_vendor_name
      vendor_payment_payment_methods accounting_batch_id accounting_batch_batch_code qc notes file_url flags any_child_flags`
    expect(Object.keys(bills[0] ?? {})).toEqual(expect.arrayContaining(names.split(/\s+/)))
    expect(bills[0]).toMatchObject({
      id,
      bill_id: id,
      client_id: one.clientId,
      vendor_name: 'Desk Vendor',
      is_exclusive: true,
      payment_method: 'Check',
      vendor_payment_methods: 'Check',
      vendor_po_box: '•••••0025',
      vendor_payment_identifier: '•••••4321',
      days_due: -5,
      paid: false,
      refusal: null,
      batch_id: null,
    })
  })

  it('come by due date, and by every column [GB-CONST-003]', async () => {
    const late = await bill(one, '5.00', { due: '2026-12-20' })
    const soon = await bill(two, '9.00', { due: '2026-11-26' })
    expect((await unswept()).bills.map(({ id }) => id)).toEqual([soon, late])
    expect((await unswept('&q[s]=amount_due%20asc')).bills.map(({ id }) => id)).toEqual([late, soon])
    expect((await unswept('&q[s]=days_due%20desc')).bills.map(({ id }) => id)).toEqual([late, soon])
  })

  it('are filtered by clients, types, vendors, due dates and amounts, plain or as q[…]; the bounds of amounts stay those of the rest [GB-FIELD-013] [GB-RULE-011] [GB-RULE-033]', async () => {
    const other = await makeDeskVendor(db, { method: 'ACH', name: 'Wire Works' })
    const [a, b, c] = [
      await bill(one, '10.00', { due: '2026-11-25' }),
      await bill(two, '-20.00', { due: '2026-11-26' }),
      await bill(one, '30.00', { due: '2026-12-30' }, other),
    ]
    const found = async (query: string) => idsOf((await unswept(query)).bills)
    const sorted = (...ids: number[]) => ids.toSorted((x, y) => x - y)
    for (const [plain, grammar, expected] of [
      [`&client_ids=${one.clientId}`, `&q[client_ids]=${one.clientId}`, sorted(a, c)],
      [`&client_ids=${one.clientId},${two.clientId}`, `&q[client_id_in]=${one.clientId},${two.clientId}`, sorted(a, b, c)],
      ['&payment_method_names=ACH', '&q[payment_method_names]=ACH', [c]],
      ['&payment_method_names[]=ACH&payment_method_names[]=Check', '&q[payment_method_in]=ACH,Check', sorted(a, b, c)],
      [`&vendor_ids=${vendor}`, `&q[vendor_ids]=${vendor}`, sorted(a, b)],
      ['&due_date_lteq=2026-11-26', '&q[due_date_lteq]=2026-11-26', sorted(a, b)],
      ['&due_date_gteq=2026-11-26&due_date_lteq=2026-11-26', '&q[due_date_gteq]=2026-11-26&q[due_date_lteq]=2026-11-26', [b]],
      ['&amount_due_gteq=-20.00&amount_due_lteq=10', '&q[amount_due_gteq]=-20&q[amount_due_lteq]=10.00', sorted(a, b)],
    ] as const) {
      expect(await found(plain), plain).toEqual(expected)
      expect(await found(grammar), grammar).toEqual(expected)
    }
    expect(await unswept('&amount_due_gteq=0')).toMatchObject({
      total: 2,
      amount_due_total: '40.00',
      min_amount_due: '-20.00',
      max_amount_due: '30.00',
    })
    for (const query of ['&colour=red', '&q[colour]=red', '&due_date_lteq=soon', '&client_ids=a', '&amount_due_gteq=1,5'])
      expect((await ask(staff, 'GET', `/global_batches/bills?${query}`)).status, query).toBe(422)
  })

  it('say why no batch may take them, and the save says the same of the same bill [GB-RULE-001]', async () => {
    const [broken, quiet, noType] = [
      await bill(one, '1.00'),
      await makeDeskVendor(db, { name: 'Gone' }),
      await makeDeskVendor(db, { method: '', name: 'Nobody' }),
    ]
    await sql`update bills set open_errors = 1 where id = ${broken}`.execute(db)
    const [inactive, untyped, draft] = [await bill(one, '2.00', {}, quiet), await bill(one, '3.00', {}, noType), await bill(one, '4.00')]
    await sql`update vendors set active = false where id = ${quiet}`.execute(db)
    await sql`update bills set missing_fields = '{due_date}' where id = ${draft}`.execute(db)
    const off = await makePayer(db)
    const asleep = await bill(off, '5.00')
    await sql`update clients set active = false where id = ${off.clientId}`.execute(db)
    const parked = await bill(one, '6.00')
    const reasons = new Map((await unswept()).bills.map(({ id, refusal }) => [id, refusal]))
    await sql`update bills set parked = true where id = ${parked}`.execute(db)
    for (const [id, refusal, text] of [
      [broken, 'open_errors', 'Has open errors'],
      [inactive, 'inactive_vendor', 'Its vendor is inactive'],
      [untyped, 'no_pay_type', 'Its vendor has no payment type of the desk'],
      [draft, 'incomplete', 'Draft: required values are empty'],
      [asleep, 'inactive_client', 'Its client is inactive'],
      [parked, null, 'Parked'],
    ] as const) {
      expect(reasons.get(id), text).toBe(refusal)
      const answer = await create([id])
      expect(answer.status, answer.text).toBe(422)
      expect(answer.text).toContain(text)
    }
    expect(idsOf((await unswept('&q[refusal]=open_errors')).bills)).toEqual([broken])
    await sql`insert into client_ledger_settings (client_id, batch_flagged_bills) values (${one.clientId}, true)`.execute(db)
    expect((await unswept()).bills.find(({ id }) => id === broken)?.refusal).toBeNull()
    expect((await create([broken])).status).toBe(200)
  })

  it('are those of the clients that the person reaches [GB-PERM-001] [PERM-PERM-043]', async () => {
    const [mine, other] = [await bill(one, '1.00'), await bill(two, '2.00')]
    const bound = await makeLastingPerson(db, 'muc_admin', { clients: [one.clientId] })
    expect(idsOf((await unswept('', bound)).bills)).toEqual([mine])
    expect((await create([other], {}, bound)).status).toBe(422)
    const [batch] = await made([other])
    expect((await batches('', bound)).batches).toEqual([])
    expect((await ask(bound, 'GET', `/global_batches/${batch?.id}`)).status).toBe(404)
    expect((await act('unbatch', { ids: [batch?.id] }, bound)).status).toBe(404)
    for (const role of ['channel_partner_admin', 'client_admin', 'client_user'] as const) {
      const person = await makeLastingPerson(db, role, { clients: [one.clientId] })
      expect((await ask(person, 'GET', '/global_batches/bills')).status, role).toBe(403)
      expect((await create([mine], {}, person)).status, role).toBe(403)
    }
    const narrowed = await makeLastingPerson(db, 'muc_admin', { clients: [one.clientId], division: [[one.clientId, one.divisionId]] })
    expect((await ask(narrowed, 'GET', '/global_batches/bills')).status).toBe(403)
  })

  it('name the unpaid bill that their balance asks for once more', async () => {
    const prior = await bill(one, '10.00')
    const next = await bill(one, '30.00')
    await sql`update bills set bill_id = ${prior}, balance_forward = 10 where id = ${next}`.execute(db)
    const of = async () => (await unswept()).bills.find(({ id }) => id === next)?.['prior_unpaid_bill_id']
    expect(await of()).toBe(prior)
    await sql`update bills set paid = true where id = ${prior}`.execute(db)
    expect(await of()).toBeNull()
  })
})

describe('creating batches', () => {
  it('makes one batch a client, all or none, with the sums of its bills [GB-RULE-002] [GB-RULE-029] [GB-API-009] [GB-FIELD-002]', async () => {
    const [a, b, c] = [await bill(one, '10.10'), await bill(one, '20.20'), await bill(two, '30.30')]
    const list = await made([a, b, c], { bills_attributes: [{ id: a, amount_paid: '9.99' }], notes: 'Today' })
    expect(
      list.map(({ client_id, batch_total, payer_type, effective_type }) => ({ client_id, batch_total, payer_type, effective_type })),
    ).toEqual([
      { client_id: one.clientId, batch_total: '30.19', payer_type: 'Client', effective_type: 'Check' },
      { client_id: two.clientId, batch_total: '30.30', payer_type: 'Client', effective_type: 'Check' },
    ])
    const { rows } =
      await sql`select payment.vendor_id, sum(member.amount_paid)::text as sum from vendor_payments payment join payment_batch_bills member
      on member.client_id = payment.client_id and member.vendor_payment_id = payment.id where payment.payment_batch_id = ${list[0]?.id} group by 1`.execute(
        db,
      )
    expect(rows).toEqual([{ vendor_id: vendor, sum: '30.19' }])
    const taken = await create([await bill(two, '1.00'), c])
    expect(taken.status).toBe(409)
    expect(taken.text).toContain('In vendor batch')
    expect((await batches()).batches).toHaveLength(2)
  })

  it('needs bills of one payment type and of an exclusive vendor alone [GB-RULE-006] [GB-RULE-007] [GB-RULE-008] [GB-RULE-009]', async () => {
    const ach = await makeDeskVendor(db, { method: 'ACH' })
    const proud = await makeDeskVendor(db, { exclusive: true, name: 'Proud Power' })
    const [check, wire, own, again] = [
      await bill(one, '1.00'),
      await bill(two, '2.00', {}, ach),
      await bill(one, '3.00', {}, proud),
      await bill(two, '4.00', {}, proud),
    ]
    const mixed = await create([check, wire])
    expect(mixed.status).toBe(422)
    expect(mixed.text).toContain('One batch has one payment type')
    const beside = await create([check, own])
    expect(beside.status).toBe(422)
    expect(beside.text).toContain('Proud Power is exclusive')
    expect(await made([own, again])).toHaveLength(2)
    expect((await batches()).batches).toHaveLength(2)
  })

  it('needs bills, dates and one payer where one is named [GB-RULE-026] [GB-RULE-027] [GB-API-010]', async () => {
    const id = await bill(one, '1.00')
    expect(fieldsOf(await create([]))).toEqual({ bill_ids: ['Must select at least one bill to add.'] })
    const bare = await ask(staff, 'POST', '/global_batches', { global_batch: { bill_ids: [id] } })
    expect(fieldsOf(bare)).toEqual({ batch_date: ['Batch Date is required'], bills_due_date: ['Bills Due on or Before is required'] })
    expect(fieldsOf(await create([id], { payer_id: two.clientId }))).toEqual({
      payer_id: ['These bills belong to another client than the payer'],
    })
    expect(fieldsOf(await create([id], { payer_type: 'Division' }))).toMatchObject({ payer_type: [expect.any(String)] })
    expect(fieldsOf(await create([id], { bills_attributes: [{ id: id + 1, amount_paid: '1' }] }))).toMatchObject({
      bills_attributes: [expect.any(String)],
    })
    const batch = await first([id], { payer_id: one.clientId, client_id: one.clientId, payer_type: 'Client', closed: false, notes: 'One' })
    expect(batch).toMatchObject({
      payer_id: one.clientId,
      notes: 'One',
      closed: false,
      global_batch_id: batch.id,
      payment_batch_id: batch.id,
    })
  })

  it('needs a bank value that is typed and locked, also for bills that come later [BANK-RULE-001]', async () => {
    const [a, b] = [await bill(one, '1.00'), await bill(one, '2.00')]
    const batch = await first([a])
    await lockValue('100.00', false)
    for (const answer of [await create([b]), await save(batch.id, { new_bill_ids: [b] })]) {
      expect(answer.status).toBe(409)
      expect(answer.text).toContain('Bank value must be locked to continue batching.')
    }
    await lockValue('0.00', false)
    expect((await create([b])).text).toContain('Must input and lock initial bank value before creating batches.')
    expect((await save(batch.id, { bills_attributes: [{ id: a, amount_paid: '0.50' }] })).status).toBe(200)
    await lockValue('100.00')
    expect((await save(batch.id, { new_bill_ids: [b] })).status).toBe(200)
  })

  it('starts with the amount that was entered, else the amount due; members of a group start with 0, and never both are paid [GB-RULE-025] [GB-RULE-036]', async () => {
    const parent = await bill(one, '100.00')
    const [child, credit, typed] = [await bill(one, '40.00', { group_bill_id: parent }), await bill(one, '-5.00'), await bill(one, '7.00')]
    await sql`update bills set amount_paid = 6.50 where id = ${typed}`.execute(db)
    await sql`update bills set amount_paid = 40 where id = ${child}`.execute(db)
    const offered = new Map((await unswept()).bills.map(({ id, amount_paid }) => [id, amount_paid]))
    expect([parent, child, credit, typed].map((id) => offered.get(id))).toEqual(['100.00', '0.00', '-5.00', '6.50'])
    const batch = await first([parent, child, credit, typed])
    expect(batch.batch_total).toBe('101.50')
    const twice = await save(batch.id, { bills_attributes: [{ id: child, amount_paid: '40.00' }] })
    expect(twice.status).toBe(422)
    expect(twice.text).toContain('of its group')
    const swapped = await save(batch.id, {
      bills_attributes: [
        { id: child, amount_paid: '40.00' },
        { id: parent, amount_paid: '0' },
      ],
    })
    expect(swapped.status, swapped.text).toBe(200)
    expect((await detail(batch.id)).batch_total).toBe('41.50')
    for (const amount_paid of ['-1.00', '1.234', '1,000', 'x'])
      expect((await save(batch.id, { bills_attributes: [{ id: credit, amount_paid }] })).status, amount_paid).toBe(422)
    expect(
      (
        await save(batch.id, {
          bills_attributes: [
            { id: credit, amount_paid: '-5.00' },
            { id: typed, amount_paid: '8' },
          ],
        })
      ).status,
    ).toBe(200)
    expect((await save(batch.id, { bills_attributes: [{ id: credit, amount_paid: '0' }] })).status).toBe(200)
  })
})

describe('a batch', () => {
  it('answers its head and its bills under one number by three names [GB-API-002] [GB-FIELD-001] [GB-FIELD-003] [GB-FIELD-005] [GB-FIELD-006]', async () => {
    const [a, b] = [await bill(one, '1.00'), await bill(one, '2.00')]
    const { id } = await first([a, b])
    const batch = await detail(id)
    expect(batch).toMatchObject({
      id,
      global_batch_id: id,
      payment_batch_id: id,
      client_id: one.clientId,
      payer_id: one.clientId,
      payer_type: 'Client',
      vendor_ids: [vendor],
      vendor_names: ['Desk Vendor'],
      payment_method: 'Check',
      bills_payment_method: 'Check',
      temp_pay_method: null,
      is_paid: false,
      closed: false,
      ...head,
      batch_total: '3.00',
      bill_count: 2,
      notes: null,
    })
    expect(idsOf(batch.bills)).toEqual(idsOf([{ id: a }, { id: b }]))
    expect(batch.bills[0]).toMatchObject({
      batch_id: id,
      refusal: null,
      vendor_payment_vendor_name: 'Desk Vendor',
      vendor_payment_payment_methods: 'Check',
    })
  })

  it('takes more bills, loses some, and always keeps one [GB-RULE-019]', async () => {
    const [a, b, c] = [await bill(one, '1.00'), await bill(one, '2.00'), await bill(two, '3.00')]
    const { id } = await first([a])
    expect((await save(id, { new_bill_ids: [b] })).status).toBe(200)
    expect(idsOf((await detail(id)).bills)).toEqual(idsOf([{ id: a }, { id: b }]))
    expect((await save(id, { bill_ids: [b], bills_attributes: [{ id: b, amount_paid: '1.50', notes: ' confirmed 12 ' }] })).status).toBe(
      200,
    )
    expect((await detail(id)).bills).toMatchObject([{ id: b, amount_paid: '1.50', notes: 'confirmed 12' }])
    expect(idsOf((await unswept()).bills)).toEqual(idsOf([{ id: a }, { id: c }]))
    expect(fieldsOf(await save(id, { bill_ids: [] }))).toEqual({ bill_ids: ['Batch must always be left with at least 1 bill.'] })
    expect((await save(id, { new_bill_ids: [c] })).status).toBe(422)
    expect((await save(id, { client_id: two.clientId })).status).toBe(422)
  })

  it('that is closed keeps its bills, amounts and dates until it is opened [GB-RULE-020] [GB-RULE-030]', async () => {
    const [a, b] = [await bill(one, '1.00'), await bill(one, '2.00')]
    const { id } = await first([a, b])
    expect((await save(id, { closed: true })).status).toBe(200)
    for (const values of [{ bill_ids: [a] }, { bills_attributes: [{ id: a, amount_paid: '0.10' }] }, { batch_date: '2026-11-26' }])
      expect((await save(id, values)).status, JSON.stringify(values)).toBe(422)
    expect((await save(id, { bill_ids: [a, b], bills_attributes: [{ id: a, amount_paid: '1.00' }], notes: 'Kept' })).status).toBe(200)
    expect((await act('unbatch', { ids: [id] })).status).toBe(409)
    expect((await save(id, { payer_id: two.clientId })).status).toBe(422)
    expect((await save(id, { closed: false, bill_ids: [a] })).status).toBe(200)
  })

  it('is saved by who has seen its last version', async () => {
    const { id, lock_version } = await first([await bill(one, '1.00')])
    expect((await save(id, { notes: 'A', lock_version })).status).toBe(200)
    expect((await save(id, { notes: 'B', lock_version })).status).toBe(409)
  })
})

describe('today’s batches', () => {
  it('are counted and summed by type, with what they leave of the bank value [GB-API-004] [GB-RULE-005]', async () => {
    const ach = await makeDeskVendor(db, { method: 'ACH' })
    const wire = await bill(two, '2.50', {}, ach)
    const small = await first([await bill(one, '1.00')])
    await made([await bill(one, '4.00')])
    await made([wire])
    expect(await batches()).toMatchObject({
      all_count: 3,
      all_total: '7.50',
      counts: { Check: 2, ACH: 1, NP: 0 },
      totals: { Check: '5.00', ACH: '2.50', NP: '0.00' },
      bank_value: { value: '50000.00', locked: true, attempts: 3 },
      batched_total: '7.50',
      remaining: '49992.50',
    })
    expect((await batches('today=true&type=ACH')).batches).toHaveLength(1)
    expect((await batches('today=true&type=ACH')).counts).toMatchObject({ Check: 2, ACH: 1 })
    await act('temp_pay_method', { ids: [small.id], temp_method: 'NP' })
    expect(await batches()).toMatchObject({ batched_total: '6.50', remaining: '49993.50', counts: { Check: 1, NP: 1 } })
    await act('unbatch', { ids: [small.id] })
    expect(await batches()).toMatchObject({ batched_total: '6.50', remaining: '49993.50', counts: { Check: 1, NP: 0 } })
    expect((await ask(staff, 'GET', '/global_batches?type=Wire')).status).toBe(422)
  })

  it('are those of the New York day; what is left of earlier days is told [GB-RULE-037] [GB-CONST-001]', async () => {
    setClock('2026-11-25T04:59:59Z')
    await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-24', 9, true)`.execute(db)
    const late = await first([await bill(one, '1.00')])
    setClock('2026-11-25T05:00:00Z')
    const early = await first([await bill(one, '2.00')])
    const list = await batches()
    expect(idsOf(list.batches)).toEqual([early.id])
    expect(list).toMatchObject({ batched_total: '2.00', earlier_days: [{ day: '2026-11-24', count: 1 }] })
    expect(idsOf((await batches('day=2026-11-24')).batches)).toEqual([late.id])
    expect(idsOf((await batches('')).batches)).toEqual([late.id, early.id])
    expect((await ask(staff, 'GET', '/global_batches?day=2026-02-30')).status).toBe(422)
  })

  it('go back to unswept bills with the amounts that were typed [GB-TRANS-006] [GB-API-007]', async () => {
    const [a, b] = [await bill(one, '10.00'), await bill(one, '20.00')]
    const { id } = await first([a, b], { bills_attributes: [{ id: a, amount_paid: '4.00' }] })
    const answer = await act('unbatch', { ids: [id], type: 'Check' })
    expect(answer.body).toMatchObject({ success: true, batches: [] })
    const amounts = new Map((await unswept()).bills.map((row) => [row.id, row.amount_paid]))
    expect([amounts.get(a), amounts.get(b)]).toEqual(['4.00', '20.00'])
    expect((await act('unbatch', { ids: [id] })).status).toBe(404)
    const { rows } =
      await sql`select event, client_id from audit_records where item_type = 'global_batch' and item_id = ${id} order by id`.execute(db)
    expect(rows).toEqual([
      { event: 'create', client_id: one.clientId },
      { event: 'destroy', client_id: one.clientId },
    ])
  })

  it('move to NP with at most 1.00, to Avid from Check alone, and back to their own type [GB-TRANS-007] [GB-TRANS-008] [GB-RULE-016] [GB-CONST-007] [GB-API-008] [GB-FIELD-004]', async () => {
    const ach = await makeDeskVendor(db, { method: 'ACH' })
    const [dollar, more, wire, credit] = [
      await first([await bill(one, '1.00')]),
      await first([await bill(one, '1.01')]),
      await first([await bill(two, '0.50', {}, ach)]),
      await first([await bill(two, '-3.00')]),
    ]
    const move = (ids: number[], temp_method: string | null) => act('temp_pay_method', { ids, temp_method, type: 'NP' })
    const over = await move([dollar.id, more.id], 'NP')
    expect({ status: over.status, fields: fieldsOf(over) }).toMatchObject({
      status: 422,
      fields: { ids: [expect.stringContaining('$1.01')] },
    })
    expect(await batches()).toMatchObject({ counts: { NP: 0 } })
    const moved = await move([dollar.id, credit.id, wire.id], 'NP')
    expect(moved.status, moved.text).toBe(200)
    expect(moved.body['batches']).toHaveLength(3)
    expect(await detail(dollar.id)).toMatchObject({ temp_pay_method: 'NP', payment_method: 'Check', effective_type: 'NP' })
    expect((await move([wire.id], null)).status).toBe(200)
    expect(await detail(wire.id)).toMatchObject({ temp_pay_method: null, effective_type: 'ACH' })
    expect((await move([wire.id], 'Avid')).status).toBe(422)
    expect((await move([more.id], 'Avid')).status).toBe(200)
    expect((await move([more.id, wire.id], 'OP')).status).toBe(200)
    expect((await move([more.id], null)).status).toBe(200)
    expect(await detail(more.id)).toMatchObject({ temp_pay_method: null, effective_type: 'Check' })
    expect((await detail(more.id)).bills).toMatchObject([{ payment_method: 'Check' }])
    expect((await move([more.id], 'Wire')).status).toBe(422)
  })

  it('of an exclusive vendor are managed with batches of that vendor alone [GB-RULE-014]', async () => {
    const proud = await makeDeskVendor(db, { exclusive: true, name: 'Proud Power' })
    const [plain, own, again] = [
      await first([await bill(one, '1.00')]),
      await first([await bill(one, '1.00', {}, proud)]),
      await first([await bill(two, '1.00', {}, proud)]),
    ]
    const mixed = await act('temp_pay_method', { ids: [plain.id, own.id], temp_method: 'OP' })
    expect(fieldsOf(mixed)).toEqual({
      ids: ['Batches with the vendor Proud Power can only be managed with batches with that same vendor.'],
    })
    expect((await act('temp_pay_method', { ids: [own.id, again.id], temp_method: 'OP' })).status).toBe(200)
    expect((await batches()).batches.find(({ id }) => id === own.id)).toMatchObject({ exclusive_vendor_names: ['Proud Power'] })
  })
})

it('a vendor that becomes exclusive leaves batches as they are: such a batch is moved, paid with a warning, and unbatched, alone', async () => {
  const proud = await makeDeskVendor(db, { name: 'Later Power' })
  const mixed = async () => first([await bill(one, '1.00'), await bill(one, '2.00', {}, proud)])
  const [paid, returned] = [await mixed(), await mixed()]
  const own = await first([await bill(one, '3.00', {}, proud)])
  await sql`update vendors set is_exclusive = true where id = ${proud}`.execute(db)
  const together = await act('temp_pay_method', { ids: [paid.id, own.id], temp_method: 'OP' })
  expect(together.status, together.text).toBe(422)
  expect((await act('temp_pay_method', { ids: [paid.id], temp_method: 'OP' })).status).toBe(200)
  expect((await act('temp_pay_method', { ids: [paid.id], temp_method: null })).status).toBe(200)
  const body = { ids: [paid.id], pay_method: 'Check' }
  const preview = await ask(staff, 'POST', '/global_batches/export_preview', body)
  expect(JSON.parse(preview.text)).toMatchObject({
    faults: [],
    warnings: [expect.stringMatching(/pays Later Power together with other vendors: Later Power became exclusive after it was made\.$/)],
  })
  expect((await ask(staff, 'POST', '/global_batches/export', body)).status).toBe(200)
  expect((await act('unbatch', { ids: [returned.id] })).status).toBe(200)
})

it('a reason why not all is paid is kept with the bill in its batch, shown in the trail, and gone once all of it is paid; a member of a group needs none', async () => {
  const [bill, plain] = [await makeDeskBill(db, one, vendor, { amount: '10.00' }), await makeDeskBill(db, one, vendor, { amount: '5.00' })]
  const attributes = [{ id: bill, amount_paid: '7.00', difference_reason: 'credit_taken' }]
  const [batch] = await made([bill, plain], { bills_attributes: attributes })
  const reasons = async () => {
    const { text } = await ask(staff, 'GET', `/global_batches/${batch?.id}`)
    const { bills }: { bills: { id: number; difference_reason: string | null }[] } = JSON.parse(text).global_batch
    return bills.map((row) => [row.id, row.difference_reason]).toSorted()
  }
  const paidStep = async (id: number) => {
    const { text } = await ask(staff, 'GET', `/clients/${one.clientId}/bills/${id}/trail`)
    const { steps }: { steps: { key: string; mark: string | null; why: string | null }[] } = JSON.parse(text).trail
    return steps.find(({ key }) => key === 'vendor_payment')
  }
  expect(await reasons()).toEqual([
    [bill, 'credit_taken'],
    [plain, null],
  ])
  expect(await paidStep(bill)).toMatchObject({ mark: 'explained', why: '$10.00 are due and $7.00 are to be paid: Credit taken' })
  const save = (bills_attributes: object[]) => ask(staff, 'PATCH', `/global_batches/${batch?.id}`, { global_batch: { bills_attributes } })
  expect((await save([{ id: bill, difference_reason: 'moon' }])).status).toBe(422)
  expect((await save([{ id: bill, difference_reason: 'partial' }])).status).toBe(200)
  expect((await reasons())[0]).toEqual([bill, 'partial'])
  expect((await save([{ id: bill, amount_paid: '10.00', difference_reason: 'partial' }])).status).toBe(200)
  expect((await reasons())[0]).toEqual([bill, null])

  const group = await makeDeskBill(db, one, vendor, { amount: '30.00' })
  const member = await makeDeskBill(db, one, vendor, { amount: '30.00', group_bill_id: group })
  await made([group, member])
  expect(await paidStep(member)).toMatchObject({ mark: 'explained', why: 'Paid with the bill of its group' })
})

it('a batch pays what its person was shown: an amount due that has changed refuses the save and names the bill, and the stored amount is paid where none is typed', async () => {
  const [one_, other] = [await bill(one, '100.00'), await bill(one, '7.00')]
  const shown = (amount_due: string) => [
    { id: one_, amount_due },
    { id: other, amount_due: '7.00', amount_paid: '5.00' },
  ]
  await sql`update bills set current_charges = 1000, amount_due = 1000 where client_id = ${one.clientId} and id = ${one_}`.execute(db)
  const refused = await create([one_, other], { bills_attributes: shown('100.00') })
  expect(refused.status).toBe(409)
  expect(refused.text).toMatch(/\$1,000\.00 is due now, not \$100\.00\. Look at it again\./)
  expect((await batches()).batches).toEqual([])
  const batch = await first([one_, other], { bills_attributes: shown('1000.00') })
  expect(batch).toMatchObject({ batch_total: '1005.00' })
  const more = await bill(one, '3.00')
  const added = (amount_due: string) =>
    ask(staff, 'PATCH', `/global_batches/${batch.id}`, {
      global_batch: { new_bill_ids: [more], bills_attributes: [{ id: more, amount_due }] },
    })
  expect((await added('2.99')).status).toBe(409)
  expect((await added('3.00')).status).toBe(200)
})

it('vendors are named by a comma list of ids [GB-API-005]', async () => {
  const other = await makeDeskVendor(db)
  const { text } = await ask(staff, 'GET', `/vendors?ids=${vendor},${other}`)
  expect(idsOf(JSON.parse(text).vendors)).toEqual([vendor, other])
})
