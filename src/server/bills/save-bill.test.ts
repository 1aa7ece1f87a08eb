import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { makeGround, makeService, makeSupplyAccount, type Ground } from '../../../test/support/bills.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'
import { setClock } from '../kernel/clock.ts'

const { app, database, ask } = await startTestApp()
const { db } = database
lastBillsAgree(db)
setClock('2026-01-20T15:00:00Z')

let staff: Person
beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
})

const path = (at: Ground, rest = ''): string => `/clients/${at.clientId}/bills${rest}`
const line = (at: Ground, change: object = {}): object => ({
  service_id: at.electricId,
  previous_read_date: '2025-11-01',
  read_date: '2025-12-01',
  previous_reading: '100',
  meter_reading: '1000.5',
  service_bill_entry_fields: [{ name: 'Utility Charges', value: '90.00' }],
  ...change,
})
const body = (at: Ground, change: object = {}): object => ({
  bill: {
    account_type: 'BillableAccount',
    account_id: at.accountId,
    date: '2025-12-05',
    due_date: '2026-02-25',
    balance_forward: '0',
    current_charges: '90.00',
    amount_due: '90.00',
    service_bills_attributes: [line(at)],
    ...change,
  },
})
const create = (at: Ground, change: object = {}, who = staff): Promise<Answer> => ask(who, 'POST', path(at), body(at, change))
const update = (at: Ground, id: number, bill: object, who = staff): Promise<Answer> => ask(who, 'PATCH', path(at, `/${id}`), { bill })
const made = async (at: Ground, change: object = {}): Promise<Bill> => billOf(await create(at, change))
const fieldsOf = (answer: Answer): unknown => Reflect.get(Object(answer.body['errors']), 'fields')

interface Bill {
  readonly id: number
  readonly lock_version: number
  readonly service_bills: readonly { readonly id: number; readonly usage: string | null }[]
  readonly bill_charges: readonly { readonly id: number }[]
  readonly findings: readonly {
    readonly id: number
    readonly code: string
    readonly resolved_at: string | null
    readonly reason: string | null
  }[]
  readonly files: readonly { readonly signed_id: string; readonly filename: string }[]
}
function billOf(answer: Answer): Bill {
  expect(answer.status, answer.text).toBe(200)
  const bill: Bill = JSON.parse(answer.text).bill
  return bill
}
const trail = async (id: number): Promise<Record<string, unknown>> =>
  (
    await sql<{
      object_changes: Record<string, unknown>
    }>`select object_changes from audit_records where item_type = 'bill' and item_id = ${id} order by id desc limit 1`.execute(db)
  ).rows[0]?.object_changes ?? {}

describe('a bill that is created', () => {
  test('takes the fields, lines, charges and links of the wire, and answers the whole bill [BILL-API-001] [BILL-API-002] [BILL-FIELD-012] [SBILL-FIELD-001]', async () => {
    const at = await makeGround(db)
    const bill = await made(at, {
      invoice_number: 'A-1',
      notes: 'first',
      fiscal_month: '2025-12',
      bill_charges_attributes: [{ name: 'Fuel', amount: '1.50' }],
      current_charges: '91.5',
      amount_due: '91.50',
    })
    expect(bill).toMatchObject({
      invoice_number: 'A-1',
      notes: 'first',
      fiscal_month: '2025-12',
      source: 'typed',
      current_charges: '91.50',
      lock_version: 0,
      bill_charges: [{ name: 'Fuel', amount: '1.50' }],
      service_bills: [{ service_id: at.electricId, previous_read_date: '2025-11-01', usage: '900.500', multiplier: '1.0000' }],
      linked_service_bill_ids: [],
    })
    const read = await ask(staff, 'GET', path(at, `/${bill.id}`))
    expect(read.body['bill']).toMatchObject({ id: bill.id, number_of_days_flag: false, service_bills: [{ number_of_days: 30 }] })
  })
  test('names what is missing of its head; a late fee is optional [BILL-RULE-002] [BILL-RULE-003]', async () => {
    const at = await makeGround(db)
    const answer = await ask(staff, 'POST', path(at), {
      bill: { account_type: 'BillableAccount', account_id: at.accountId, service_bills_attributes: [] },
    })
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer)).toEqual({
      date: ['Date is required'],
      due_date: ['Due Date is required'],
      balance_forward: ['Balance Forward is required'],
      current_charges: ['Current Charges is required'],
      amount_due: ['Amount Due is required'],
    })
    expect(await made(at, { late_fee: '' })).toMatchObject({ late_fee: '0.00' })
  })
  test('names what is missing of a line; next read date and fiscal month are optional [SBILL-RULE-001] [SBILL-RULE-002] [SBILL-MSG-001]', async () => {
    const at = await makeGround(db)
    const empty = { previous_read_date: null, read_date: '', usage: null, previous_reading: null, meter_reading: null }
    const answer = await create(at, { service_bills_attributes: [line(at), line(at, empty)] })
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer)).toEqual({
      'service_bills_attributes.1.previous_read_date': ['Required'],
      'service_bills_attributes.1.read_date': ['Required'],
      'service_bills_attributes.1.usage': ['Required'],
    })
    expect(await made(at, { service_bills_attributes: [line(at, { next_read_date: null, fiscal_month: null })] })).toMatchObject({
      service_bills: [{ next_read_date: null, fiscal_month: null }],
    })
  })
  test('asks for the charges, the factors and the additional fields that the service has [SBILL-RULE-001] [SBILL-RULE-003] [SBILL-RULE-004] [SBILL-RULE-005] [SBILL-MSG-002] [SBILL-MSG-003] [SBILL-FIELD-006] [SBILL-FIELD-007] [SBILL-FIELD-008]', async () => {
    const at = await makeGround(db)
    await askFor(at, at.electricId, ['Supply Charges'], ['Late Adjustment'], 'Demand')
    const bare = await create(at, {
      service_bills_attributes: [
        line(at, { service_bill_entry_fields: [], service_bill_usage_factors: [{ name: 'Demand', value: null }] }),
      ],
    })
    expect(bare.status).toBe(422)
    expect(fieldsOf(bare)).toEqual({
      'service_bills_attributes.0.Utility Charges': ['Utility Charges are required'],
      'service_bills_attributes.0.Supply Charges': ['Supply Charges are required'],
      'service_bills_attributes.0.Demand': ['Required'],
      'service_bills_attributes.0.Late Adjustment': ['Required'],
    })
    const whole = line(at, {
      service_bill_entry_fields: [
        { name: 'Utility Charges', value: '60.00' },
        { name: 'Supply Charges', value: '30' },
      ],
      service_bill_usage_factors: [{ name: 'Demand', value: '12.5' }],
      service_bill_additional_entry_fields: [{ name: 'Late Adjustment', value: '0.1234' }],
    })
    const bill = await made(at, { service_bills_attributes: [whole] })
    expect(bill.service_bills[0]).toMatchObject({
      service_bill_entry_fields: expect.arrayContaining([expect.objectContaining({ name: 'Supply Charges', value: '30.00' })]),
      service_bill_usage_factors: [expect.objectContaining({ name: 'Demand', value: '12.5000', adjustment_factor: false })],
      service_bill_additional_entry_fields: [expect.objectContaining({ name: 'Late Adjustment', value: '0.1234' })],
    })
  })
  test('starts with the reads of the bill before it, which the form is given with its account [BILL-RULE-008]', async () => {
    const at = await makeGround(db)
    const entry = async (more = '') =>
      (await ask(staff, 'GET', path(at, `/entry?account_type=billable_account&account_id=${at.accountId}${more}`))).body['entry']
    expect(await entry()).toMatchObject({ account_id: at.accountId, last_bill: null })
    const first = await made(at, { service_bills_attributes: [line(at, { meter_reading: '900.25' })] })
    const last = await made(at, {
      date: '2026-01-05',
      balance_forward: '12.00',
      service_bills_attributes: [line(at, { previous_read_date: '2025-12-01', read_date: '2026-01-01', meter_reading: '2000.75' })],
    })
    const reads = { service_id: at.electricId, read_date: '2026-01-01', meter_reading: '2000.75' }
    expect(await entry()).toMatchObject({ last_bill: { id: last.id, bill_id: first.id, balance_forward: '12.00', service_bills: [reads] } })
    expect(await entry(`&bill_id=${last.id}`), 'the bill that is edited is not its own past').toMatchObject({
      last_bill: { id: first.id, service_bills: [{ read_date: '2025-12-01', meter_reading: '900.25' }] },
    })
  })
  test('refuses by name what has more decimals than are kept [SBILL-CONST-001] [BILL-CONST-003]', async () => {
    const at = await makeGround(db)
    await askFor(at, at.electricId, [], ['Late Adjustment'], 'Demand')
    const precise = {
      previous_reading: '1.005',
      meter_reading: '2.005',
      multiplier: '1.0005',
      usage: '1.0005',
      service_bill_entry_fields: [{ name: 'Utility Charges', value: '1.005' }],
      service_bill_usage_factors: [{ name: 'Demand', value: '1.00005' }],
      service_bill_additional_entry_fields: [{ name: 'Late Adjustment', value: '1.00005' }],
    }
    const refused = await create(at, { balance_forward: '0.001', amount_due: '90.001', service_bills_attributes: [line(at, precise)] })
    expect(refused.status).toBe(422)
    const at0 = 'service_bills_attributes.0'
    expect(fieldsOf(refused)).toEqual({
      balance_forward: ['Balance Forward must have at most 2 decimals'],
      amount_due: ['Amount Due must have at most 2 decimals'],
      [`${at0}.previous_reading`]: ['Previous Reading must have at most 2 decimals'],
      [`${at0}.meter_reading`]: ['Meter Reading must have at most 2 decimals'],
      [`${at0}.usage`]: ['Usage must have at most 3 decimals'],
      [`${at0}.service_bill_entry_fields.0.value`]: ['Value must have at most 2 decimals'],
      [`${at0}.service_bill_usage_factors.0.value`]: ['Value must have at most 4 decimals'],
      [`${at0}.service_bill_additional_entry_fields.0.value`]: ['Value must have at most 4 decimals'],
    })
    const multiplied = await create(at, { service_bills_attributes: [line(at, { ...precise, ...plainNumbers, multiplier: '1.0005' })] })
    expect(fieldsOf(multiplied)).toEqual({ [`${at0}.multiplier`]: ['Multiplier must have at most 3 decimals'] })
    await sql`update services set meter_multiplier = 1.0005 where id = ${at.electricId}`.execute(db)
    const copied = await made(at, { service_bills_attributes: [line(at, { ...precise, ...plainNumbers, multiplier: '1.0005' })] })
    expect(copied.service_bills[0]).toMatchObject({ multiplier: '1.0005', usage: '1.001' })
  })
  test('takes no day that a bill cannot have', async () => {
    const at = await makeGround(db)
    const refusedBy = async (change: object) => {
      const answer = await create(at, change)
      expect(answer.status, answer.text).toBe(422)
      return fieldsOf(answer)
    }
    const outside = (name: string) => [`${name} must lie between 1900 and 2199`]
    expect(await refusedBy({ date: '0205-12-05', due_date: '2026-02-30', fiscal_month: '0000-05' })).toEqual({
      date: outside('Date'),
      due_date: ['Due Date must be a date, YYYY-MM-DD'],
      fiscal_month: outside('Fiscal Month'),
    })
    expect(await refusedBy({ date: '0000-01-01', due_date: '9999-12-31' })).toEqual({
      date: ['Date must be a date, YYYY-MM-DD'],
      due_date: outside('Due Date'),
    })
    const lines = [line(at, { previous_read_date: '1025-11-01', next_read_date: '2205-01-01', fiscal_month: '2025-13' })]
    expect(await refusedBy({ service_bills_attributes: lines })).toEqual({
      'service_bills_attributes.0.previous_read_date': outside('Previous Read Date'),
      'service_bills_attributes.0.next_read_date': outside('Next Read Date'),
      'service_bills_attributes.0.fiscal_month': ['Fiscal Month must be a month, YYYY-MM'],
    })
    const leap = [line(at, { previous_read_date: '2024-02-28', read_date: '2024-03-01' })]
    expect(await made(at, { date: '2024-02-29', service_bills_attributes: leap })).toMatchObject({ service_bills: [{ number_of_days: 2 }] })
    for (const key of ['q[date_gteq]', 'q[date_lteq]'])
      for (const day of ['0000-01-01', '2025-02-29'])
        expect(fieldsOf(await ask(staff, 'GET', path(at, `?${key}=${day}`))), day).toEqual({ [key]: [`${key} must be a date`] })
    const former = `/clients/${at.clientId}/billable_accounts/${at.accountId}/previous_bills?date=0000-01-01`
    expect((await ask(staff, 'GET', former)).status).toBe(422)
  })
  test('stores the amount due that is sent, and flags what does not add up without blocking it [BILL-RULE-005]', async () => {
    const at = await makeGround(db)
    const bill = await made(at, { balance_forward: '10', late_fee: '1.25', amount_due: '90.00' })
    expect(bill).toMatchObject({ amount_due: '90.00', full_status: 'Flagged' })
    expect(bill.findings).toContainEqual(
      expect.objectContaining({ code: 'header_math', severity: 'E!', expected: '101.25', actual: '90.00' }),
    )
  })
  test('takes the multiplier of the meter, else 1, and derives usage and days [SBILL-FIELD-002] [SBILL-FIELD-004] [SBILL-RULE-006] [SBILL-RULE-007]', async () => {
    const at = await makeGround(db)
    await sql`update services set meter_multiplier = 40 where id = ${at.electricId}`.execute(db)
    await sql`update services set meter_multiplier = null where id = ${at.gasId}`.execute(db)
    const lines = [
      line(at, { previous_reading: '10', meter_reading: '12.5' }),
      line(at, { service_id: at.gasId, previous_reading: '10', meter_reading: '12.5' }),
    ]
    const bill = await made(at, { service_bills_attributes: lines })
    expect(bill.service_bills).toMatchObject([
      { multiplier: '40.0000', usage: '100.000', number_of_days: 30 },
      { multiplier: '1.0000', usage: '2.500', number_of_days: 30 },
    ])
    expect((await create(at, { service_bills_attributes: [line(at, { number_of_days: 3 })] })).status, 'days are derived').toBe(422)
  })
  test('shows lines of supply bills that it names with their bill, and carries the supply bill of a line [SBILL-RULE-008] [SBILL-FIELD-005] [BILL-FIELD-012]', async () => {
    const at = await makeGround(db)
    const supplyId = await makeSupplyAccount(db, at, `S-${at.clientId}`)
    const meter = await makeService(db, at.clientId, supplyId, 'electric', 'S-1', 'supply_account_id')
    const supply = await made(at, {
      account_type: 'supply_account',
      account_id: supplyId,
      service_bills_attributes: [line(at, { service_id: meter }), line(at, { service_id: meter, meter_reading: '200' })],
    })
    const [one, two] = supply.service_bills.map((row) => row.id)
    const wrong = await create(at, { linked_service_bills_attributes: [{ service_bill_id: one, supply_bill_id: supply.id + 999 }] })
    expect(fieldsOf(wrong)).toEqual({ 'linked_service_bills_attributes.0.supply_bill_id': ['The line is none of this bill’s'] })
    const bill = await made(at, {
      linked_service_bill_ids: [one],
      linked_service_bills_attributes: [{ service_bill_id: two, supply_bill_id: supply.id }],
      service_bills_attributes: [line(at, { supply_bill_id: supply.id })],
    })
    expect(bill).toMatchObject({
      linked_service_bill_ids: [one, two],
      linked_service_bills: [
        { id: one, supply_bill_id: supply.id },
        { id: two, supply_bill_id: supply.id },
      ],
      service_bills: [{ supply_bill_id: supply.id }],
    })
    expect(supply).toMatchObject({ service_bills: [{ supply_bill_id: supply.id }, { supply_bill_id: supply.id }] })
    const { text } = await ask(staff, 'GET', `/clients/${at.clientId}/service_bills/${one}`)
    expect(JSON.parse(text).service_bill).toMatchObject({ id: one, supply_bill_id: supply.id })
    const shown = await made(at, { linked_service_bill_ids: [one], date: '2025-12-09', invoice_number: 'S-2' })
    expect(shown).toMatchObject({ service_bills: [{ supply_bill_id: supply.id }] })
    const sentBack = { service_bills_attributes: supply.service_bills.map(({ id }) => ({ id, supply_bill_id: supply.id })) }
    expect((await update(at, supply.id, sentBack)).status).toBe(200)
    const { rows } = await sql`select id from service_bills where bill_id = ${supply.id} and supply_bill_id is not null`.execute(db)
    expect(rows).toEqual([])
    const unlinked = billOf(await update(at, bill.id, { linked_service_bills_attributes: [{ service_bill_id: one, _destroy: true }] }))
    expect(unlinked).toMatchObject({ linked_service_bill_ids: [two] })
    expect(fieldsOf(await create(at, { linked_service_bill_ids: [999_999] }))).toMatchObject({
      linked_service_bill_ids: [expect.stringContaining('999999')],
    })
  })
  test('that repeats a bill is refused with its id, and saved with a reason that the trail keeps', async () => {
    const at = await makeGround(db)
    const first = await made(at, { invoice_number: 'TWICE' })
    const again = { invoice_number: 'TWICE', date: '2025-12-06' }
    const refused = await create(at, again)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'refused', record_id: first.id })
    const kept = await made(at, { ...again, override_reason: 'Sent twice, paid twice' })
    expect(kept.findings).toContainEqual(expect.objectContaining({ code: 'duplicate_exact', reason: 'Sent twice, paid twice' }))
    expect(await trail(kept.id)).toMatchObject({ override_reason: { from: null, to: 'Sent twice, paid twice' } })
  })
  test('settles findings in the same save, but not what holds a payment above the limit of the client', async () => {
    const at = await makeGround(db)
    const off = { amount_due: '95.00', resolutions: [{ code: 'header_math', line: null, reason: 'vendor_confirmed', comment: 'called' }] }
    const bill = await made(at, off)
    expect(bill.findings).toContainEqual(
      expect.objectContaining({ code: 'header_math', reason: 'vendor_confirmed', comment: 'called', resolved_by: staff.id }),
    )
    await sql`update clients set override_limit = 50 where id = ${at.clientId}`.execute(db)
    const above = await create(at, { ...off, date: '2025-12-07', service_bills_attributes: [] })
    expect(above.status).toBe(422)
    expect(fieldsOf(above)).toEqual({ 'resolutions.0': ['Above $50.00 somebody else must settle this'] })
  })
  test('takes two files at most, each an upload of its maker [BILL-RULE-006] [BILL-CONST-004] [BILL-FIELD-008] [BILL-API-005]', async () => {
    const at = await makeGround(db)
    const [one, two, three] = [await upload('one.pdf'), await upload('two.pdf'), await upload('three.pdf')]
    const tooMany = await create(at, { signed_file_ids: [one, two, three] })
    expect(tooMany.status).toBe(422)
    expect(fieldsOf(tooMany)).toEqual({ signed_file_ids: ['A bill has at most 2 files'] })
    expect(fieldsOf(await create(at, { signed_file_ids: ['forged'] }))).toMatchObject({
      signed_file_ids: [expect.stringContaining('not valid')],
    })
    const bill = await made(at, { signed_file_ids: [one, two] })
    expect(bill).toMatchObject({
      filename: 'one.pdf',
      file_url: [1, 2].map((position) => `/api/v5/clients/${at.clientId}/bills/${bill.id}/files/${position}`),
      files: [
        { position: 1, filename: 'one.pdf' },
        { position: 2, filename: 'two.pdf' },
      ],
    })
    const swapped = billOf(await update(at, bill.id, { signed_file_ids: [three, bill.files[0]?.signed_id] }))
    expect(swapped.files.map((file) => file.filename)).toEqual(['three.pdf', 'one.pdf'])
    const other = await makePerson(db, 'super_admin')
    expect(
      (await update(at, bill.id, { signed_file_ids: [swapped.files[0]?.signed_id] }, other)).status,
      'a signed id of somebody else',
    ).toBe(422)
  })
})

const plainNumbers = {
  previous_reading: '1.00',
  meter_reading: '2.00',
  usage: null,
  service_bill_entry_fields: [{ name: 'Utility Charges', value: '1.00' }],
  service_bill_usage_factors: [{ name: 'Demand', value: '1.0000' }],
  service_bill_additional_entry_fields: [{ name: 'Late Adjustment', value: '1.0000' }],
}

/** Adds more fields to a service than its setup has. */
async function askFor(at: Ground, serviceId: number, entries: string[], additional: string[], factor: string): Promise<void> {
  await sql`insert into service_entry_fields (client_id, service_id, entry_field_id) select ${at.clientId}, ${serviceId}, id from entry_fields where name = any(${entries}::text[])`.execute(
    db,
  )
  for (const name of additional)
    await sql`insert into additional_entry_fields (client_id, service_id, name) values (${at.clientId}, ${serviceId}, ${name})`.execute(db)
  await sql`insert into service_usage_factors (client_id, service_id, usage_factor_id) select ${at.clientId}, ${serviceId}, usage_factors.id
    from usage_factors join services on services.utility_service_id = usage_factors.utility_service_id where services.id = ${serviceId} and usage_factors.name = ${factor}`.execute(
    db,
  )
}

/** Uploads a small PDF as the console does, and returns its signed id. */
async function upload(filename: string): Promise<string> {
  const bytes = Buffer.from('%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF')
  const { body: where } = await ask(staff, 'GET', '/direct_upload_url')
  const blob = {
    filename,
    content_type: 'application/pdf',
    byte_size: bytes.length,
    checksum: createHash('md5').update(bytes).digest('base64'),
  }
  const announced = await ask(null, 'POST', String(where['direct_upload_url']).replace('/api/v5', ''), { blob })
  const { signed_id, direct_upload }: { signed_id: string; direct_upload: { url: string; headers: Record<string, string> } } = JSON.parse(
    announced.text,
  )
  const put = await app.server.inject({ method: 'PUT', url: direct_upload.url, headers: direct_upload.headers, payload: bytes })
  expect(put.statusCode, put.body).toBe(204)
  return signed_id
}
