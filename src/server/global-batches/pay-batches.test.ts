/** Tests paying over HTTP on a real PostgreSQL: files, OP, NP, the accounting export and the history. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, testSecretKey, type Answer, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeDeskBill, makeDeskVendor, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { checkNacha } from '#contract/payment-files/nacha-check.ts'
import { setClock } from '../kernel/clock.ts'
import { secretColumns } from '../kernel/secret.ts'

const { ask, database } = await startTestApp()
const { db } = database
let staff: Person
let one: Ground
let two: Ground

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  staff = await makeLastingPerson(db, 'muc_admin')
  await sql`update payment_batches set finalized = true, finalized_at = now(), created_at = '2020-01-01' where is_global and unbatched_at is null and not finalized`.execute(
    db,
  )
  await sql`update payment_batches set created_at = '2020-01-01' where is_global`.execute(db)
  one = await makePayer(db)
  two = await makePayer(db)
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', 50000, true) on conflict (day) do update set locked = true`.execute(
    db,
  )
})
afterEach(() => setClock())

/** Makes a vendor with an account at a bank that tests may pay to, and a profile of the provider that pays. */
async function achVendor(account = '123456789'): Promise<number> {
  const id = await makeDeskVendor(db, { method: 'ACH', name: 'Wire & Water' })
  const columns = {
    ...secretColumns(testSecretKey, { table: 'vendors', column: 'po_box', id }, '021000021'),
    ...secretColumns(testSecretKey, { table: 'vendors', column: 'payment_identifier', id }, account),
  }
  await sql`update vendors set ${sql.join(Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))} where id = ${id}`.execute(
    db,
  )
  return id
}
async function profileOf(clientId: number, bank: string, destination: string): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`insert into originating_profiles (client_id, name, is_default, bank_name, routing_number, immediate_destination,
      immediate_destination_name, immediate_origin, immediate_origin_name, company_name, company_id, account_type, character_set)
    values (${clientId}, ${bank}, true, ${bank}, ${destination}, ${destination}, ${bank}, '1234567890', 'METERBOOK', 'PAYER', '1234567890', 'checking', 'standard')
    on conflict do nothing returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  const { account_number_encrypted, account_number_last4 } = secretColumns(
    testSecretKey,
    { table: 'originating_profiles', column: 'account_number', id },
    '99887766',
  )
  await sql`update originating_profiles set account_number_encrypted = ${account_number_encrypted}, account_number_last4 = ${account_number_last4} where id = ${id}`.execute(
    db,
  )
}

const head = { batch_date: '2026-11-25', bills_due_date: '2026-12-09' }
interface Batch {
  readonly id: number
  readonly client_id: number
}
async function batchOf(ground: Ground, vendor: number, ...amounts: string[]): Promise<{ id: number; bills: number[] }> {
  const bills: number[] = []
  for (const amount of amounts) bills.push(await makeDeskBill(db, ground, vendor, { amount }))
  const answer = await ask(staff, 'POST', '/global_batches', { global_batch: { ...head, bill_ids: bills } })
  expect(answer.status, answer.text).toBe(200)
  const { global_batches }: { global_batches: Batch[] } = JSON.parse(answer.text)
  return { id: global_batches[0]?.id ?? 0, bills }
}
interface Made extends Record<string, unknown> {
  readonly id: number
  readonly file_name: string
  readonly total: string
}
const pay = (ids: readonly number[], pay_method: string, more: object = {}, who = staff, headers: Record<string, string> = {}) =>
  ask(who, 'POST', '/global_batches/export', { ids, pay_method, ...more }, headers)
const filesOf = ({ text }: Answer): Made[] => JSON.parse(text).files
const history = async (): Promise<Made[]> => JSON.parse((await ask(staff, 'GET', '/global_batch_files?per=1000')).text).global_batch_files
const download = (id: number, who = staff) => ask(who, 'GET', `/global_batch_files/${id}/download`)
const today = async (
  query = '',
): Promise<{ batches: Record<string, unknown>[]; counts: Record<string, number>; batched_total: string; paid_count: number }> =>
  JSON.parse((await ask(staff, 'GET', `/global_batches?today=true&per=1000${query}`)).text)
const billsBySql = async (ids: readonly number[]) =>
  (await sql`select paid, finalized, amount_paid::text as amount from bills where id = any(${ids}::bigint[]) order by id`.execute(db)).rows
const accounting = (query = '') => ask(staff, 'GET', `/global_batches/accounting_export${query}`)

describe('an export', () => {
  it('writes a file, marks batch and bills paid, and leaves the tab of its type [GB-RULE-003] [GB-RULE-015] [GB-TRANS-009] [GB-TRANS-010] [FHIST-JOB-001]', async () => {
    const vendor = await makeDeskVendor(db, { method: 'Check' })
    const { id, bills } = await batchOf(one, vendor, '10.00', '20.50')
    const answer = await pay([id], 'Check')
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ success: true, message: 'Export was created' })
    expect(filesOf(answer)).toMatchObject([{ total: '30.50', payment_count: 1 }])
    expect(await billsBySql(bills)).toEqual([
      { paid: true, finalized: false, amount: '10.00' },
      { paid: true, finalized: false, amount: '20.50' },
    ])
    expect((await today('&type=Check')).batches).toEqual([])
    expect(await today()).toMatchObject({
      counts: { Check: 0 },
      paid_count: 1,
      batched_total: '30.50',
      batches: [{ id, is_paid: true, paid_as: 'Check', closed: true }],
    })
    expect(await history()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ export_type: 'Check', format: 'check_request', total: '30.50', payment_count: 1, bill_count: 2 }),
      ]),
    )
    for (const refusedAct of [
      await pay([id], 'Check'),
      await ask(staff, 'POST', '/global_batches/unbatch', { ids: [id] }),
      await ask(staff, 'PATCH', '/global_batches/temp_pay_method', { ids: [id], temp_method: 'OP' }),
      await ask(staff, 'PATCH', `/global_batches/${id}`, { global_batch: { closed: false } }),
      await ask(staff, 'PATCH', `/global_batches/${id}`, { global_batch: { bills_attributes: [{ id: bills[0], amount_paid: '1.00' }] } }),
    ])
      expect(refusedAct.status, refusedAct.text).toBe(409)
  })

  it('writes one NACHA file a bank, which the checker takes, with traces of its own and modifiers that follow [GB-RULE-003] [GB-EXPORT-002] [GB-EXPORT-003]', async () => {
    await profileOf(one.clientId, 'First Bank', '021000021')
    await profileOf(two.clientId, 'Second Bank', '011401533')
    const vendor = await achVendor()
    const [a, b] = [await batchOf(one, vendor, '10.00', '2.34'), await batchOf(two, vendor, '30.00')]
    const answer = await pay([a.id, b.id], 'ACH', { ach_format: 'standard', vendor_name: 'Wire & Water' })
    expect(answer.status, answer.text).toBe(200)
    const files = filesOf(answer)
    expect(files.map(({ total }) => total).toSorted()).toEqual(['12.34', '30.00'])
    for (const { id, file_name, total } of files) {
      expect(file_name).toMatch(/^ACH_standard_20261125_1000_A-\d_Wire-and-Water\.ach$/)
      const { text, headers } = await download(id)
      const { read, faults } = checkNacha(new TextEncoder().encode(text), { line_end: 'lf', marks: `.-/&',()#` })
      expect(faults).toEqual([])
      expect(read?.credit).toBe(Math.round(Number(total) * 100))
      expect(headers['content-disposition']).toContain(file_name)
    }
    const { rows } = await sql<{
      trace: string
      amount: string
      last4: string
    }>`select trace_number as trace, amount::text, account_last4 as last4 from global_batch_file_payments
      where global_batch_file_id = any(${files.map(({ id }) => id)}::bigint[]) order by amount`.execute(db)
    expect(new Set(rows.map(({ trace }) => trace)).size).toBe(2)
    expect(rows.map(({ amount, last4 }) => ({ amount, last4 }))).toEqual([
      { amount: '12.34', last4: '6789' },
      { amount: '30.00', last4: '6789' },
    ])
    const later = filesOf(await pay([(await batchOf(one, vendor, '1.00')).id], 'ACH'))
    expect(later[0]?.file_name).toContain('_B')
  })

  it('lists everything that is wrong before anything is written, and then writes nothing', async () => {
    const bare = await makeDeskVendor(db, { method: 'ACH', name: 'No Account' })
    const [a, b] = [
      await batchOf(one, bare, '10.00'),
      await batchOf(two, await makeDeskVendor(db, { method: 'ACH', name: 'None Either' }), '0.00'),
    ]
    await sql`update bills set open_blocking = 1 where id = ${a.bills[0]}`.execute(db)
    const answer = await pay([a.id, b.id], 'ACH')
    expect(answer.status).toBe(422)
    for (const part of ['Has open errors', 'no active default bank profile', 'None Either', 'must be more than zero'])
      expect(answer.text).toContain(part)
    const wrong = await pay([a.id], 'Check')
    expect(wrong.text).toContain('is of type ACH, not Check')
    expect((await today()).batches).toHaveLength(2)
    expect((await history()).filter(({ total }) => total === '10.00')).toEqual([])
    const preview = await ask(staff, 'POST', '/global_batches/export_preview', { ids: [a.id, b.id], pay_method: 'ACH' })
    const { faults }: { faults: { sentence: string; link: string | null }[] } = JSON.parse(preview.text)
    expect(faults.some(({ sentence, link }) => sentence.includes('no active default bank profile') && link !== null)).toBe(true)
    expect((await pay([], 'ACH')).status).toBe(422)
    expect((await ask(staff, 'POST', '/global_batches/export', { pay_method: 'ACH' })).text).toContain(
      'Must have one or more batches to export',
    )
  })

  it('says before what it would write, without writing it', async () => {
    const { id } = await batchOf(one, await makeDeskVendor(db, { method: 'Check' }), '10.00', '5.00')
    const { body } = await ask(staff, 'POST', '/global_batches/export_preview', { ids: [id], pay_method: 'Check' })
    expect(body).toMatchObject({ faults: [], files: [{ payers: 1, payments: 1, bills: 2, total: '15.00' }], payments: 1, total: '15.00' })
    expect((await today('&type=Check')).batches).toHaveLength(1)
  })

  it('of the same request again answers the same file, and of another request is refused [GB-RULE-015]', async () => {
    const { id } = await batchOf(one, await makeDeskVendor(db, { method: 'Check' }), '10.00')
    const answers = await Promise.all([1, 2, 3].map(() => pay([id], 'Check', {}, staff, { 'idempotency-key': `same-${id}` })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map((answer) => filesOf(answer)[0]?.id)).size).toBe(1)
    const other = await batchOf(one, await makeDeskVendor(db, { method: 'Check' }), '20.00')
    const race = await Promise.all([1, 2, 3, 4].map(() => pay([other.id], 'Check')))
    expect(race.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    const { rows } = await sql`select count(*)::int as count from global_batch_file_batches where payment_batch_id = ${other.id}`.execute(
      db,
    )
    expect(rows).toEqual([{ count: 1 }])
  })

  it('named by bills pays whole batches, as they are now [GB-EXPORT-002]', async () => {
    const vendor = await makeDeskVendor(db, { method: 'Check' })
    const { id, bills } = await batchOf(one, vendor, '10.00', '20.00')
    const byBills = (bill_ids: readonly number[]) => ask(staff, 'POST', '/global_batches/export', { bill_ids, pay_method: 'Check' })
    expect((await byBills(bills.slice(1))).status).toBe(409)
    expect((await byBills(bills)).status).toBe(200)
    expect(await today()).toMatchObject({ batches: [{ id, is_paid: true }] })
  })

  it('is taken back payment by payment, once, with a reason, also by two people at once', async () => {
    const lost = await makeDeskVendor(db, { method: 'Check', name: 'Lost Gas' })
    const kept = await makeDeskVendor(db, { method: 'Check', name: 'Kept Water' })
    const mixed = [await makeDeskBill(db, one, lost, { amount: '10.00' }), await makeDeskBill(db, one, kept, { amount: '20.50' })]
    const made = await ask(staff, 'POST', '/global_batches', { global_batch: { ...head, bill_ids: mixed } })
    const id = Number(made.body['id'])
    interface Payment {
      readonly id: number
      readonly full_name: string
    }
    const payments = async (): Promise<Payment[]> =>
      JSON.parse((await ask(staff, 'GET', `/global_batches/${id}`)).text).global_batch.payments
    const of = (await payments()).find(({ full_name }) => full_name.endsWith('Lost Gas'))?.id ?? 0
    const voided = { kind: 'void_check', reversed_date: '2026-11-25', reason: 'Lost in the mail' }
    const reverse = (values: object = {}, who = staff, batch = id) =>
      ask(who, 'POST', `/global_batches/${batch}/vendor_payments/${of}/reverse`, { payment_reversal: { ...voided, ...values } })
    expect((await reverse()).body['message']).toBe(`VP-${of} Lost Gas is not paid, so there is nothing to reverse.`)
    await pay([id], 'Check')
    expect((await reverse({ reason: ' ' })).text).toContain('Reason is required')
    expect((await reverse({ reversed_date: '2026-11-26' })).text).toContain('must not lie after today')
    const elsewhere = await batchOf(one, kept, '1.00')
    expect((await reverse({}, staff, elsewhere.id)).status).toBe(404)
    const stranger = await makeLastingPerson(db, 'muc_admin', { clients: [two.clientId] })
    expect((await reverse({}, stranger)).status).toBe(404)
    const race = await Promise.all([reverse(), reverse(), reverse()])
    expect(race.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await payments()).toMatchObject([
      {
        full_name: expect.stringContaining('Kept Water'),
        amount: '20.50',
        bill_count: 1,
        paid: true,
        reversed_amount: '0.00',
        reversal: null,
      },
      { amount: '0.00', bill_count: 0, paid: false, reversed_amount: '10.00', reversal: { ...voided, return_code: null } },
    ])
    expect(await billsBySql(mixed)).toMatchObject([{ paid: false }, { paid: true }])
    const { rows } =
      await sql`select count(*)::int as count, sum(amount)::text as amount from payment_reversals where vendor_payment_id = ${of}`.execute(
        db,
      )
    expect(rows).toEqual([{ count: 1, amount: '10.00' }])
    // The bank value has the money again, and the accounting export only what is still paid.
    expect((await today()).batched_total).toBe('21.50')
    expect((await accounting()).status).toBe(200)
    const file = (await history()).find(({ file_name }) => file_name.startsWith('Accounting'))
    expect(file?.total).toBe('20.50')
  })

  it('is not made by whoever changed the vendor’s account, while nobody has confirmed that', async () => {
    const vendor = await makeDeskVendor(db, { method: 'Check', name: 'New Account' })
    const { id } = await batchOf(one, vendor, '10.00')
    expect((await ask(staff, 'PATCH', `/vendors/${vendor}`, { vendor: { payment_identifier: '555666777' } })).status).toBe(200)
    const own = await pay([id], 'Check')
    expect(own.status).toBe(422)
    expect(own.text).toContain('You changed the bank details of New Account')
    expect((await pay([id], 'Check', {}, await makeLastingPerson(db, 'super_admin'))).status).toBe(200)
  })
})

describe('OP and NP', () => {
  it('Pay OP marks batches and bills paid and keeps a worklist with their notes [GB-TRANS-018]', async () => {
    const vendor = await makeDeskVendor(db, { method: 'OP' })
    const { id, bills } = await batchOf(one, vendor, '10.00')
    await ask(staff, 'PATCH', `/global_batches/${id}`, { global_batch: { bills_attributes: [{ id: bills[0], notes: 'Confirmed 4711' }] } })
    const answer = await ask(staff, 'POST', '/global_batches/pay', { ids: [id], type: 'OP' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ success: true, batches: [] })
    expect(await billsBySql(bills)).toEqual([{ paid: true, finalized: false, amount: '10.00' }])
    const [file] = await history()
    expect(file).toMatchObject({ export_type: 'OP', total: '10.00' })
    expect((await download(file?.id ?? 0)).text).toContain('Confirmed 4711')
    const check = await batchOf(one, await makeDeskVendor(db, { method: 'Check' }), '1.00')
    expect((await ask(staff, 'POST', '/global_batches/pay', { ids: [check.id] })).status).toBe(422)
  })

  it('Finalize NP closes batches of at most 1.00 without paying out, judged again by their amounts of now [GB-TRANS-019] [GB-TRANS-011] [GB-CONST-007]', async () => {
    const { id, bills } = await batchOf(one, await makeDeskVendor(db, { method: 'Check' }), '0.60')
    await ask(staff, 'PATCH', '/global_batches/temp_pay_method', { ids: [id], temp_method: 'NP' })
    const finalize = () => ask(staff, 'POST', '/global_batches/finalize', { ids: [id], type: 'NP' })
    const amount = (amount_paid: string) =>
      ask(staff, 'PATCH', `/global_batches/${id}`, { global_batch: { bills_attributes: [{ id: bills[0], amount_paid }] } })
    await amount('1.01')
    expect((await finalize()).status).toBe(422)
    await amount('1.00')
    const answer = await finalize()
    expect(answer.status, answer.text).toBe(200)
    expect(await billsBySql(bills)).toEqual([{ paid: true, finalized: true, amount: '1.00' }])
    expect((await today()).batches).toEqual([])
    expect((await history())[0]).toMatchObject({ export_type: 'NP' })
    expect((await pay([id], 'NP')).status).toBe(422)
    expect((await ask(staff, 'GET', '/global_batches/paid_count')).body).toEqual({ count: 0 })
    expect((await accounting()).status).toBe(409)
  })
})

describe('what a person was shown', () => {
  it('is what is paid: an export is refused with both figures if an amount was edited, a bill joined or its day moved since the preview', async () => {
    await profileOf(one.clientId, 'First Bank', '021000021')
    const { id, bills } = await batchOf(one, await achVendor(), '10.00', '2.34')
    const body = { ids: [id], pay_method: 'ACH' }
    const shown = async () => JSON.parse((await ask(staff, 'POST', '/global_batches/export_preview', body)).text).seen
    const seen = await shown()
    expect(seen).toEqual({ payments: 1, total: '12.34', effective_dates: ['2026-11-27'] })
    const edit = { bills_attributes: [{ id: bills[0], amount_paid: '11.00' }] }
    expect((await ask(staff, 'PATCH', `/global_batches/${id}`, { global_batch: edit })).status).toBe(200)
    const refusedExport = await pay([id], 'ACH', { seen })
    expect([refusedExport.status, refusedExport.body['message']]).toEqual([
      409,
      'You were shown 1 payment, $12.34, effective 11/27/2026, and it is 1 payment, $13.34, effective 11/27/2026 now. Look at it again.',
    ])
    const now = await shown()
    expect((await pay([id], 'ACH', { seen: { ...now, effective_dates: ['2026-11-26'] } })).status).toBe(409)
    expect((await pay([id], 'ACH', { seen: { ...now, payments: 2 } })).status).toBe(409)
    expect(await billsBySql(bills)).toMatchObject([{ paid: false }, { paid: false }])
    expect((await pay([id], 'ACH', { seen: now })).status).toBe(200)
  })

  it('is what OP pays and NP finalizes', async () => {
    const op = await batchOf(one, await makeDeskVendor(db, { method: 'OP' }), '10.00')
    const np = await batchOf(one, await makeDeskVendor(db, { method: 'Check' }), '0.60')
    await ask(staff, 'PATCH', '/global_batches/temp_pay_method', { ids: [np.id], temp_method: 'NP' })
    for (const [act, batch, total] of [
      ['pay', op, '10.00'],
      ['finalize', np, '0.60'],
    ] as const) {
      const settle = (seen_total: string) => ask(staff, 'POST', `/global_batches/${act}`, { ids: [batch.id], seen_total })
      const other = await settle('0.59')
      expect([other.status, other.body['message']]).toEqual([409, `You were shown $0.59, and it is $${total} now. Look at it again.`])
      expect((await settle(total)).status).toBe(200)
    }
  })

  it('is the number of batches that the accounting export finalizes, and its repetition under one key gives the same file', async () => {
    const vendor = await makeDeskVendor(db, { method: 'Check' })
    await pay([(await batchOf(one, vendor, '10.00')).id, (await batchOf(two, vendor, '5.00')).id], 'Check')
    const other = await accounting('?seen_count=1')
    expect([other.status, other.body['message']]).toEqual([409, 'You were shown 1 paid batch, and there are 2 now. Look at them again.'])
    const keyed = () => ask(staff, 'GET', '/global_batches/accounting_export?seen_count=2', undefined, { 'idempotency-key': 'lost answer' })
    const first = await keyed()
    expect(first.status, first.text).toBe(200)
    expect((await keyed()).body).toEqual(first.body)
    expect((await accounting()).status).toBe(409)
  })
})

describe('the accounting export', () => {
  it('finalizes the paid batches of today alone, once, also when two ask at once [GB-RULE-004] [GB-TRANS-012] [GB-TRANS-013] [GB-API-006] [GB-EXPORT-001]', async () => {
    const vendor = await makeDeskVendor(db, { method: 'Check' })
    const [paid, also, open] = [await batchOf(one, vendor, '10.00'), await batchOf(two, vendor, '5.00'), await batchOf(one, vendor, '3.00')]
    await pay([paid.id, also.id], 'Check')
    expect((await ask(staff, 'GET', '/global_batches/paid_count')).body).toEqual({ count: 2 })
    const answers = await Promise.all([accounting('?connection_id=one'), accounting('?connection_id=two')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [done] = answers.filter(({ status }) => status === 200)
    expect(done?.body).toMatchObject({ success: true, finalized: 2 })
    expect(answers.find(({ status }) => status === 409)?.text).toContain(
      'There are no batches which are paid that have not already been finalized today.',
    )
    expect(await billsBySql([...paid.bills, ...open.bills])).toEqual([
      { paid: true, finalized: true, amount: '10.00' },
      { paid: false, finalized: false, amount: null },
    ])
    expect((await today()).batches.map(({ id }) => id)).toEqual([open.id])
    expect(await today()).toMatchObject({ batched_total: '18.00' })
    const [file] = await history()
    expect(file).toMatchObject({ export_type: 'Accounting', total: '15.00', payment_count: 2 })
    const { rows } =
      await sql`select payment_batch_id as id from global_batch_file_batches where purpose = 'accounting' and global_batch_file_id = ${file?.id} order by 1`.execute(
        db,
      )
    expect(rows).toEqual([{ id: paid.id }, { id: also.id }])
  })

  it('leaves what was paid on another day to that day', async () => {
    const { id } = await batchOf(one, await makeDeskVendor(db, { method: 'Check' }), '10.00')
    await pay([id], 'Check')
    setClock('2026-11-26T15:00:00Z')
    expect((await accounting()).status).toBe(409)
    expect((await ask(staff, 'GET', '/global_batches/paid_count?day=2026-11-25')).body).toEqual({ count: 1 })
    expect((await accounting('?day=2026-11-25')).body).toMatchObject({ finalized: 1 })
  })
})

describe('the history of files', () => {
  it('is newest first, is filtered and sorted by the same call, and is of New York days [FHIST-API-001] [FHIST-API-002] [FHIST-FIELD-001] [FHIST-FIELD-002]', async () => {
    const vendor = await makeDeskVendor(db, { method: 'Check' })
    for (const amount of ['1.00', '2.00']) await pay([(await batchOf(one, vendor, amount)).id], 'Check')
    const { body } = await ask(staff, 'GET', '/global_batch_files?page=1&per=1&q[created_at_lteq]=2026-11-25')
    expect(body).toMatchObject({ global_batch_files: [{ total: '2.00', export_type: 'Check' }], total: expect.any(Number) })
    const [file] = await history()
    expect(Object.keys(file ?? {})).toEqual(expect.arrayContaining(['id', 'file_name', 'created_at', 'export_type', 'batch_file_url']))
    const oldest = await ask(staff, 'GET', '/global_batch_files?q[s]=created_at%20asc&per=1000')
    const { global_batch_files: rows }: { global_batch_files: Made[] } = JSON.parse(oldest.text)
    expect(rows.map(({ id }) => id)).toEqual((await history()).map(({ id }) => id).toReversed())
    expect((await ask(staff, 'GET', '/global_batch_files?q[export_type]=Avid')).body).toMatchObject({ total: 0 })
    expect((await ask(staff, 'GET', '/global_batch_files?q[created_at_lteq]=2026-11-24')).body).toMatchObject({ total: 0 })
  })

  it('gives the bytes of the first export, whatever was edited since, and writes down who took them', async () => {
    const vendor = await makeDeskVendor(db, { method: 'Check', name: 'Before' })
    const [file] = filesOf(await pay([(await batchOf(one, vendor, '1.00')).id], 'Check'))
    const id = file?.id ?? 0
    const first = await download(id)
    await sql`update vendors set name = 'After' where id = ${vendor}`.execute(db)
    const second = await download(id)
    expect(second.text).toBe(first.text)
    expect(first.text).toContain('Before')
    const row = (await history()).find((one) => one.id === id)
    expect(row).toMatchObject({ downloads: 2, sha256: createHash('sha256').update(first.text).digest('hex') })
    const { rows } =
      await sql`select user_id from audit_records where item_type = 'global_batch_file' and item_id = ${id} and event = 'access'`.execute(
        db,
      )
    expect(rows).toEqual([{ user_id: staff.id }, { user_id: staff.id }])
    const { rows: stored } = await sql<{
      sealed: Buffer
    }>`select content_encrypted as sealed from global_batch_files where id = ${id}`.execute(db)
    expect(stored[0]?.sealed.includes('Before')).toBe(false)
  })

  it('shows a file to who reaches all clients that it pays for', async () => {
    const vendor = await makeDeskVendor(db, { method: 'Check' })
    const [a, b] = [await batchOf(one, vendor, '1.00'), await batchOf(two, vendor, '2.00')]
    const [both] = filesOf(await pay([a.id, b.id], 'Check'))
    const [single] = filesOf(await pay([(await batchOf(one, vendor, '3.00')).id], 'Check'))
    const bound = await makeLastingPerson(db, 'muc_admin', { clients: [one.clientId] })
    const { text } = await ask(bound, 'GET', '/global_batch_files?per=1000')
    const { global_batch_files: seen }: { global_batch_files: Made[] } = JSON.parse(text)
    expect(seen.map(({ id }) => id)).toEqual([single?.id])
    expect((await download(both?.id ?? 0, bound)).status).toBe(404)
    expect((await download(single?.id ?? 0, bound)).status).toBe(200)
    const client = await makeLastingPerson(db, 'client_admin', { clients: [one.clientId] })
    expect((await download(single?.id ?? 0, client)).status).toBe(403)
  })
})
