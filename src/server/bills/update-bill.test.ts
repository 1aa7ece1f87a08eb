import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { acting, makeAccount, makeGround, makeService, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { rebuildFacts } from '../month-facts/refresh-facts.ts'
import { setClock } from '../kernel/clock.ts'
import { createBills } from './create-bills.ts'

const { database, ask } = await startTestApp()
const { db } = database
lastBillsAgree(db)
setClock('2026-01-20T15:00:00Z')

let staff: Person
beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
})

interface Bill {
  readonly id: number
  readonly lock_version: number
  readonly service_bills: readonly { readonly id: number; readonly usage: string | null }[]
  readonly bill_charges: readonly { readonly id: number; readonly name: string }[]
  readonly findings: readonly { readonly id: number; readonly code: string; readonly resolved_at: string | null }[]
}
const path = (at: Ground, id: number): string => `/clients/${at.clientId}/bills/${id}`
const update = (at: Ground, id: number, bill: object, who = staff): Promise<Answer> => ask(who, 'PATCH', path(at, id), { bill })
const updated = async (at: Ground, id: number, bill: object): Promise<Bill> => billOf(await update(at, id, bill))
const read = async (at: Ground, id: number): Promise<Bill> => billOf(await ask(staff, 'GET', path(at, id)))
const fieldsOf = (answer: Answer): unknown => Reflect.get(Object(answer.body['errors']), 'fields')
function billOf(answer: Answer): Bill {
  expect(answer.status, answer.text).toBe(200)
  const { bill }: { bill: Bill } = JSON.parse(answer.text)
  return bill
}
const lineId = (bill: Bill, place = 0): number => bill.service_bills[place]?.id ?? 0

/** Creates bills of the account for the given months; 12 is December 2025. */
async function months(at: Ground, list: readonly number[], change: Partial<BillDraft> = {}): Promise<number[]> {
  const drafts = list.map((month) => monthlyDraft(at, month, change))
  const outcomes = await acting(database, (context) => createBills(context, at.clientId, drafts))
  return outcomes.map((outcome) => {
    if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome))
    return outcome.id
  })
}
const one = async (at: Ground, change: Partial<BillDraft> = {}): Promise<number> => (await months(at, [12], change))[0] ?? 0

const row = async (id: number): Promise<Record<string, unknown>> =>
  (await sql<Record<string, unknown>>`select * from bills where id = ${id}`.execute(db)).rows[0] ?? {}
const trail = async (id: number): Promise<{ event: string; object_changes: Record<string, unknown> }[]> =>
  (
    await sql<{ event: string; object_changes: Record<string, unknown> }>`select event, object_changes from audit_records
      where item_type = 'bill' and item_id = ${id} order by id`.execute(db)
  ).rows

describe('PATCH /bills/:id', () => {
  test('changes what is sent, keeps the rest and the ids of its lines, and writes each value into the trail [BILL-API-001]', async () => {
    const at = await makeGround(db)
    const id = await one(at, {
      bill_charges: [
        { name: 'Fuel', amount: '1.00' },
        { name: 'Rider', amount: '2.00' },
      ],
    })
    const before = await read(at, id)
    const after = await updated(at, id, {
      lock_version: before.lock_version,
      invoice_number: 'B-2',
      bill_charges_attributes: [
        { id: before.bill_charges[0]?.id, amount: '1.50' },
        { id: before.bill_charges[1]?.id, _destroy: true },
        { name: 'Tax', amount: '3.00' },
      ],
      service_bills_attributes: [{ id: lineId(before), meter_reading: '20900.00', notes: 'read twice' }],
    })
    expect(after).toMatchObject({
      lock_version: before.lock_version + 1,
      invoice_number: 'B-2',
      current_charges: '162.00',
      bill_charges: [{ id: before.bill_charges[0]?.id, name: 'Fuel', amount: '1.50' }, { name: 'Tax' }],
      service_bills: [
        {
          id: lineId(before),
          usage: '1000.000',
          notes: 'read twice',
          service_bill_entry_fields: expect.arrayContaining([expect.objectContaining({ value: '112.00' })]),
        },
        { id: lineId(before, 1), usage: '40.000' },
      ],
    })
    expect((await trail(id)).map(({ event }) => event)).toEqual(['create', 'update'])
    expect((await trail(id))[1]?.object_changes).toEqual({
      invoice_number: { from: 'INV-12', to: 'B-2' },
      bill_charges: { from: ['Fuel 1.00', 'Rider 2.00'], to: ['Fuel 1.50', 'Tax 3.00'] },
      notes: { from: null, to: 'read twice' },
      'Line 1 (E-1) meter reading': { from: '20800.00', to: '20900.00' },
      'Line 1 (E-1) usage': { from: '900.000', to: '1000.000' },
    })
  })
  test('adds and removes lines in the order that is sent; what was found on a removed line stays known', async () => {
    const at = await makeGround(db)
    await months(at, [10, 11])
    const id = await one(at)
    const first = await read(at, id)
    const flagged = await updated(at, id, { service_bills_attributes: [{ id: lineId(first, 1), usage: '900' }] })
    const found = flagged.findings.find((finding) => finding.code === 'usage_math')
    expect(found).toMatchObject({ resolved_at: null })
    const other = await makeService(db, at.clientId, at.accountId, 'electric', 'E-2')
    const changed = await updated(at, id, {
      service_bills_attributes: [
        {
          service_id: other,
          previous_read_date: '2025-12-01',
          read_date: '2026-01-01',
          usage: '5',
          service_bill_entry_fields: [{ name: 'Utility Charges', value: '50.00' }],
        },
        { id: lineId(first, 1), _destroy: true },
        { id: lineId(first) },
      ],
    })
    expect(changed.service_bills).toMatchObject([
      { service_id: other, position: 0 },
      { id: lineId(first), position: 1 },
    ])
    expect(changed.findings).toContainEqual(expect.objectContaining({ id: found?.id, code: 'usage_math', reason: 'No longer found' }))
    expect((await trail(id)).at(-1)?.object_changes).toMatchObject({
      'Line 1 (E-2)': { from: null, to: '2025-12-01 to 2026-01-01, usage 5.000' },
      'Line 2 (G-1) removed': { to: null },
    })
    const gone = await update(at, id, { service_bills_attributes: [{ id: lineId(first, 1), usage: '1' }] })
    expect(fieldsOf(gone)).toEqual({ 'service_bills_attributes.0.id': ['The bill has no such line any more'] })
  })
  test('audits again without counting itself: what was settled stays, what was edited opens again, nothing is lost', async () => {
    const at = await makeGround(db)
    await months(at, [9, 10, 11])
    const id = await one(at, { amount_due: '170.00' })
    const settle = { resolutions: [{ code: 'header_math', line: null, reason: 'vendor_confirmed', comment: 'asked' }] }
    const settled = await updated(at, id, settle)
    const finding = settled.findings.find(({ code }) => code === 'header_math')
    expect(finding).toMatchObject({ reason: 'vendor_confirmed', comment: 'asked', resolved_by: staff.id })
    expect(settled.findings.map(({ code }) => code)).not.toContain('duplicate_exact')
    const noted = await updated(at, id, { notes: 'nothing of the money' })
    expect(noted.findings.find(({ code }) => code === 'header_math')).toMatchObject({ id: finding?.id, reason: 'vendor_confirmed' })
    const edited = await updated(at, id, { amount_due: '171.00' })
    expect(edited.findings.find(({ code }) => code === 'header_math')).toMatchObject({
      id: finding?.id,
      resolved_at: null,
      actual: '171.00',
    })
    const mended = await updated(at, id, { amount_due: '162.00' })
    expect(mended.findings.find(({ code }) => code === 'header_math')).toMatchObject({ id: finding?.id, reason: 'No longer found' })
    expect(mended).toMatchObject({ full_status: 'Unbatched' })
    const { rows } = await sql<{
      event: string
    }>`select event from bill_finding_events where finding_id = ${finding?.id} order by id`.execute(db)
    expect(rows.map(({ event }) => event)).toEqual(['resolved', 'reopened', 'gone'])
  })
  test('makes an imported Draft whole, and leaves it a Draft where only its head changes', async () => {
    const at = await makeGround(db)
    const draft = monthlyDraft(at, 12)
    const id = await one(at, {
      service_bills: draft.service_bills.map((line, place) => (place === 0 ? { ...line, read_date: null } : line)),
    })
    expect(await read(at, id)).toMatchObject({ full_status: 'Draft', missing_fields: ['service_bills.0.read_date'] })
    const noted = await updated(at, id, { notes: 'waits for a date' })
    expect(noted).toMatchObject({ missing_fields: ['service_bills.0.read_date'] })
    const still = await update(at, id, { service_bills_attributes: [{ id: lineId(noted), notes: 'x' }] })
    expect(fieldsOf(still)).toEqual({ 'service_bills_attributes.0.read_date': ['Required'] })
    expect(await updated(at, id, { service_bills_attributes: [{ id: lineId(noted), read_date: '2026-01-01' }] })).toMatchObject({
      missing_fields: [],
      source: 'import',
    })
  })
  test('moves a bill to another account with the copies, the months, the last bills and the bills before and after', async () => {
    const at = await makeGround(db)
    const [first = 0, second = 0, third = 0] = await months(at, [10, 11, 12])
    const other = await makeAccount(db, at, `other-${at.clientId}`)
    const [electric, gas] = [
      await makeService(db, at.clientId, other, 'electric', 'E-9'),
      await makeService(db, at.clientId, other, 'natural_gas', 'G-9'),
    ]
    const before = await read(at, third)
    const refused = await update(at, third, { account_id: other })
    expect(fieldsOf(refused)).toEqual({ service_bills_attributes: ['The account has no such service', 'The account has no such service'] })
    const lines = [
      { id: lineId(before), service_id: electric },
      { id: lineId(before, 1), service_id: gas },
    ]
    expect(await updated(at, third, { account_id: other, service_bills_attributes: lines })).toMatchObject({
      account_id: other,
      account_number: `other-${at.clientId}`,
      bill_id: null,
    })
    expect(await row(third)).toMatchObject({ billable_account_id: other, bill_id: null })
    await updated(at, first, { date: '2026-01-02' })
    expect(await row(second)).toMatchObject({ bill_id: null })
    expect(await row(first)).toMatchObject({ bill_id: second })
    const accounts = await sql<{
      id: number
      last_bill_date: string
    }>`select id, last_bill_date from billable_accounts where id in (${at.accountId}, ${other}) order by id`.execute(db)
    expect(accounts.rows).toEqual([
      { id: at.accountId, last_bill_date: '2026-01-02' },
      { id: other, last_bill_date: '2026-01-05' },
    ])
    await expectFactsRight(at.clientId)
  })
  test('lets a bill replace another and gives that one back, months and all', async () => {
    const at = await makeGround(db)
    const [original = 0] = await months(at, [11])
    const rebill = await one(at)
    await updated(at, rebill, { rebill_of_id: original, rebill_mode: 'replace' })
    expect(await row(original)).toMatchObject({ superseded_by_id: rebill })
    await expectFactsRight(at.clientId)
    await updated(at, rebill, { rebill_of_id: null, rebill_adjustment: false })
    expect(await row(original)).toMatchObject({ superseded_by_id: null })
    expect(await row(rebill)).toMatchObject({ rebill_mode: null })
    await expectFactsRight(at.clientId)
    expect(fieldsOf(await update(at, rebill, { rebill_of_id: rebill }))).toMatchObject({
      rebill_of_id: expect.arrayContaining(['This is the bill itself']),
    })
  })
  test('that makes a bill repeat another is refused with that one’s id, and saved with a reason', async () => {
    const at = await makeGround(db)
    const [november = 0, december = 0] = await months(at, [11, 12])
    const answer = await update(at, december, { invoice_number: 'INV-11' })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ record_id: november })
    const kept = await updated(at, december, { invoice_number: 'INV-11', override_reason: 'The utility repeats its numbers' })
    expect(kept.findings).toContainEqual(expect.objectContaining({ code: 'duplicate_exact', reason: 'The utility repeats its numbers' }))
    expect((await update(at, december, { notes: 'known by now' })).status).toBe(200)
  })
  test('opens what holds the payment again where the amount rises above what one person alone may settle', async () => {
    const at = await makeGround(db)
    await sql`update clients set override_limit = 500 where id = ${at.clientId}`.execute(db)
    const [, december = 0] = await months(at, [11, 12])
    const reason = { invoice_number: 'INV-11', override_reason: 'The utility repeats its numbers' }
    const open = async () => (await row(december))['open_blocking']
    await updated(at, december, reason)
    expect(await open()).toBe(0)
    await updated(at, december, { current_charges: '499.00', amount_due: '499.00' })
    const inside = await open()
    await updated(at, december, { amount_due: '900.00', current_charges: '900.00' })
    const lifted = await read(at, december)
    expect(inside, 'nothing is above the limit yet').toBe(0)
    expect(lifted.findings).toContainEqual(expect.objectContaining({ code: 'duplicate_exact', resolved_at: null }))
    expect(await open()).toBe(1)
  })
  test('keeps groups of bills one level deep, and the bill before it one of its account', async () => {
    const at = await makeGround(db)
    const [parent = 0, child = 0, third = 0] = await months(at, [10, 11, 12])
    await updated(at, child, { group_bill_id: parent })
    expect(fieldsOf(await update(at, third, { group_bill_id: child }))).toEqual({
      group_bill_id: ['This bill belongs to a group’s bill itself'],
    })
    expect(fieldsOf(await update(at, parent, { group_bill_id: third }))).toEqual({ group_bill_id: ['Other bills belong to this one'] })
    const beside = await makeAccount(db, at, `beside-${at.clientId}`)
    const [far = 0] = await months(at, [10], { account_id: beside, service_bills: [], invoice_number: null })
    expect(fieldsOf(await update(at, third, { bill_id: far }))).toEqual({ bill_id: ['The account has no such bill'] })
    expect(await updated(at, third, { bill_id: parent })).toMatchObject({ bill_id: parent })
    await expectFactsRight(at.clientId)
  })
  test('does not reach bills and accounts of other places', async () => {
    const [at, foreign] = [await makeGround(db), await makeGround(db)]
    const id = await one(at)
    const person = await makePerson(db, 'client_admin', { clients: [at.clientId] })
    expect((await update(at, await one(foreign), { notes: 'mine' }, person)).status).toBe(404)
    expect(fieldsOf(await update(at, id, { account_id: foreign.accountId }, person))).toEqual({
      account_id: ['This account cannot be found'],
    })
    const beside = await makeAccount(db, at, `beside-${at.clientId}`)
    const narrow = await makePerson(db, 'client_manager', { clients: [at.clientId], billable_account: [[at.clientId, at.accountId]] })
    expect(fieldsOf(await update(at, id, { account_id: beside }, narrow))).toEqual({ account_id: ['This account cannot be found'] })
    expect((await update(at, id, { notes: 'mine' }, narrow)).status).toBe(200)
  })
})

describe('two people who edit the same bill', () => {
  test('the second is told what changed, on the bill and on its lines, and nothing of theirs is written', async () => {
    const at = await makeGround(db)
    const id = await one(at)
    const start = await read(at, id)
    await updated(at, id, {
      lock_version: start.lock_version,
      invoice_number: 'FIRST',
      service_bills_attributes: [{ id: lineId(start), usage: '901' }],
    })
    const late = await update(at, id, {
      lock_version: start.lock_version,
      invoice_number: 'SECOND',
      notes: 'late',
      service_bills_attributes: [
        { id: lineId(start), usage: '902' },
        { id: lineId(start, 1), usage: '40' },
      ],
    })
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({
      code: 'stale',
      changed: {
        invoice_number: { from: 'FIRST', to: 'SECOND' },
        notes: { from: null, to: 'late' },
        'service_bills_attributes.0.usage': { from: '901.000', to: '902.000' },
      },
    })
    expect(late.body['changed']).not.toHaveProperty('service_bills_attributes.1.usage')
    expect(await read(at, id)).toMatchObject({ invoice_number: 'FIRST', notes: null, lock_version: start.lock_version + 1 })
    await updated(at, id, { service_bills_attributes: [{ id: lineId(start, 1), _destroy: true }] })
    const gone = await update(at, id, {
      lock_version: start.lock_version + 1,
      service_bills_attributes: [{ id: lineId(start, 1), usage: '1' }],
    })
    expect(gone.body).toMatchObject({ code: 'stale', changed: { 'service_bills_attributes.0': { to: 'sent' } } })
  })
  test('at the very same moment one of them wins and no save is lost or doubled', async () => {
    const at = await makeGround(db)
    const id = await one(at)
    const { lock_version } = await read(at, id)
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => update(at, id, { lock_version, notes: `writer ${n}` })))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
    expect(await read(at, id)).toMatchObject({
      lock_version: lock_version + 1,
      notes: `writer ${answers.findIndex((answer) => answer.status === 200)}`,
    })
  })
})

describe('locks', () => {
  const states = {
    paid: { set: (id: number) => sql`update bills set paid = true where id = ${id}`, words: 'Paid' },
    finalized: { set: (id: number) => sql`update bills set paid = true, finalized = true where id = ${id}`, words: 'Finalized and Paid' },
  } as const
  for (const [state, { set, words }] of Object.entries(states)) {
    test(`a ${state} bill keeps open its notes, its files and factors that adjust nothing [BILL-TRANS-001] [SBILL-TRANS-001] [SBILL-TRANS-002]`, async () => {
      const at = await makeGround(db)
      await askForFactors(at)
      const id = await one(at, {
        service_bills: monthlyDraft(at, 12).service_bills.map((line, place) =>
          place === 1 ? { ...line, service_bill_usage_factors: factors('1.0200', '5') } : line,
        ),
      })
      await set(id).execute(db)
      const before = await read(at, id)
      const message = [`This cannot change any more: the bill is ${words}`]
      const heads = {
        date: '2026-01-06',
        due_date: '2026-03-01',
        invoice_number: 'X',
        balance_forward: '1',
        current_charges: '1',
        late_fee: '1',
        amount_due: '1',
        fiscal_month: '2025-11',
        qc: true,
        parked: true,
        rebill_adjustment: true,
      }
      for (const [key, value] of Object.entries(heads))
        expect(fieldsOf(await update(at, id, { [key]: value })), key).toEqual({ [key]: message })
      const lines = {
        read_date: '2026-01-02',
        previous_read_date: '2025-11-30',
        previous_reading: '1',
        meter_reading: '1',
        multiplier: '2',
        usage: '7',
        estimated: true,
      }
      for (const [key, value] of Object.entries(lines)) {
        const answer = await update(at, id, {
          service_bills_attributes: [{ id: lineId(before, 1), [key]: value, ...(key === 'usage' ? {} : { usage: '40' }) }],
        })
        expect(fieldsOf(answer), key).toMatchObject({ [`service_bills_attributes.0.${key}`]: message })
      }
      const adjusted = await update(at, id, {
        service_bills_attributes: [{ id: lineId(before, 1), service_bill_usage_factors: factors('1.05', '5') }],
      })
      expect(fieldsOf(adjusted)).toEqual({ 'service_bills_attributes.0.Therm Factor': message })
      const charged = await update(at, id, {
        service_bills_attributes: [{ id: lineId(before, 1), service_bill_entry_fields: [{ name: 'Utility Charges', value: '51' }] }],
      })
      expect(fieldsOf(charged)).toEqual({ 'service_bills_attributes.0.Utility Charges': message })
      expect(fieldsOf(await update(at, id, { service_bills_attributes: [{ id: lineId(before, 1), _destroy: true }] }))).toEqual({
        'service_bills_attributes.0': message,
      })
      expect(fieldsOf(await update(at, id, { bill_charges_attributes: [{ name: 'More', amount: '1' }] }))).toEqual({
        bill_charges_attributes: message,
      })
      expect((await row(id))['lock_version'], 'nothing was written').toBe(before.lock_version)
      const open = await updated(at, id, {
        notes: 'a late note',
        date: '2026-01-05',
        service_bills_attributes: [{ id: lineId(before, 1), service_bill_usage_factors: factors('1.02', '6') }],
      })
      expect(open).toMatchObject({
        notes: 'a late note',
        service_bills: [
          {},
          { service_bill_usage_factors: expect.arrayContaining([expect.objectContaining({ name: 'Demand', value: '6.0000' })]) },
        ],
      })
    })
  }
  test('a closed client batch locks what its ledger lines stand on, a vendor batch the account and what is paid', async () => {
    const at = await makeGround(db)
    const [closed = 0, batched = 0] = await months(at, [11, 12])
    await sql`with batch as (insert into accounting_batches (client_id, batch_code, closed, has_been_closed) values (${at.clientId}, 'x', true, true) returning id)
      update bills set accounting_batch_id = batch.id from batch where bills.id = ${closed}`.execute(db)
    await sql`with batch as (insert into payment_batches (client_id, batch_date, bills_due_date) values (${at.clientId}, '2026-01-01', '2026-01-15') returning id),
      payment as (insert into vendor_payments (client_id, payment_batch_id, vendor_id) select ${at.clientId}, id, ${at.vendorId} from batch returning id)
      update bills set vendor_payment_id = payment.id from payment where bills.id = ${batched}`.execute(db)
    const byBatch = ['This cannot change any more: the bill is Client Batch Closed']
    expect(
      fieldsOf(await update(at, closed, { amount_due: '1', current_charges: '1', fiscal_month: '2025-10', due_date: '2026-04-01' })),
    ).toEqual({
      amount_due: byBatch,
      current_charges: byBatch,
      fiscal_month: byBatch,
    })
    expect((await update(at, closed, { due_date: '2026-04-01', invoice_number: 'open' })).status).toBe(200)
    const line = {
      service_id: at.gasId,
      usage: '1',
      previous_read_date: '2025-11-01',
      read_date: '2025-12-01',
      service_bill_entry_fields: [{ name: 'Utility Charges', value: '1' }],
    }
    expect(fieldsOf(await update(at, closed, { service_bills_attributes: [line] }))).toEqual({ 'service_bills_attributes.0': byBatch })
    const byPayment = ['This cannot change any more: the bill is Vendor Batched']
    expect(fieldsOf(await update(at, batched, { amount_due: '1', current_charges: '2' }))).toEqual({ amount_due: byPayment })
    expect((await update(at, batched, { current_charges: '161.00' })).status).toBe(200)
  })
})

test('a bill names its client batch, its payment with the vendor and the check, and the bill of its group [BILL-FIELD-010] [BILL-FIELD-011]', async () => {
  const at = await makeGround(db)
  const [group = 0, id = 0] = await months(at, [11, 12])
  await sql`with batch as (insert into accounting_batches (client_id, batch_code) values (${at.clientId}, 'JAN-26') returning id)
    update bills set accounting_batch_id = batch.id from batch where bills.id = ${id}`.execute(db)
  await sql`with batch as (insert into payment_batches (client_id, batch_date, bills_due_date, notes) values (${at.clientId}, '2026-01-01', '2026-01-15', 'pay first') returning id),
    payment as (insert into vendor_payments (client_id, payment_batch_id, vendor_id, check_number) select ${at.clientId}, id, ${at.vendorId}, '1007' from batch returning id)
    update bills set vendor_payment_id = payment.id from payment where bills.id = ${id}`.execute(db)
  const { vendor_payment_id } = await row(id)
  const bill = await updated(at, id, { group_bill_id: group })
  expect(bill).toMatchObject({
    vendor_payment_id,
    vendor_payment_full_name: `VP-${String(vendor_payment_id)} City Power`,
    vendor_payment: {
      id: vendor_payment_id,
      full_name: `VP-${String(vendor_payment_id)} City Power`,
      vendor_name: 'City Power',
      payment_methods: 'Check',
    },
    accounting_batch_batch_code: 'JAN-26',
    payment_batch_notes: 'pay first',
    check_number: '1007',
    group_bill_id: group,
  })
})

const factors = (therm: string, demand: string) => [
  { name: 'Therm Factor', value: therm },
  { name: 'Demand', value: demand },
]
async function askForFactors(at: Ground): Promise<void> {
  await sql`insert into service_usage_factors (client_id, service_id, usage_factor_id) select ${at.clientId}, services.id, usage_factors.id
    from usage_factors join services on services.utility_service_id = usage_factors.utility_service_id
    where services.id = ${at.gasId} and usage_factors.name in ('Therm Factor', 'Demand')`.execute(db)
}

/** Expects the stored months to equal the sum over all bills. */
async function expectFactsRight(clientId: number): Promise<void> {
  const stored = async () =>
    (
      await sql`select to_jsonb(fact) - 'id' - 'updated_at' - 'created_at' as fact from service_month_facts fact where client_id = ${clientId} order by 1`.execute(
        db,
      )
    ).rows
  const kept = await stored()
  expect(kept.length).toBeGreaterThan(0)
  await acting(database, (context) => rebuildFacts(context.tx, clientId))
  expect(kept).toEqual(await stored())
}
