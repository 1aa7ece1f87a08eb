import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { BillReading, ConfirmedReading, DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import { billReading, documentWords } from '#contract/bill-reading/bill-reading.ts'
import { statement as statementSchema } from '#contract/bill-retrieval/statement.ts'
import { makeAccount, makeClient, makeGround, makeService } from '../../../test/support/bills.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { paper, type Paper } from '../../../test/reading/paper.ts'
import { drawStatement } from '../bill-retrieval/statement-pdf.ts'
import { learnLayout, proposeBill, readDocument, stopReading } from './bill-reading.ts'

const { db } = await testDatabase()
afterAll(stopReading)

const valueOf = (reading: BillReading, field: string): string | undefined => reading.fields.find((one) => one.field === field)?.value

describe('a bill as the sandbox draws it', () => {
  test('is proposed whole, with its account, vendor, services, and a place for each printed value', { timeout: 180_000 }, async () => {
    const ground = await makeGround(db)
    const accountId = await makeAccount(db, ground, '88-4190 7')
    const electricId = await makeService(db, ground.clientId, accountId, 'electric', 'E-7710042')
    const words = await readDocument(await drawStatement(sandboxStatement))
    const reading = await proposeBill(db, ground.clientId, words)
    expect(Object.fromEntries(reading.fields.map((field) => [field.field, field.value]))).toEqual({
      account_number: '88-4190 7',
      vendor: 'City Power',
      invoice_number: 'INV-20918',
      date: '2025-03-02',
      due_date: '2025-03-21',
      balance_forward: '10.00',
      current_charges: '240.30',
      late_fee: '1.50',
      amount_due: '251.80',
    })
    expect(reading).toMatchObject({
      vendor_id: ground.vendorId,
      account: { type: 'BillableAccount', id: accountId },
      bills_begin_at: [1],
      layout: 'general',
    })
    const [meter] = reading.meters
    expect(meter?.service_id).toBe(electricId)
    expect(Object.fromEntries((meter?.fields ?? []).map((field) => [field.field, field.value]))).toMatchObject({
      meter_number: 'E-7710042',
      previous_read_date: '2025-01-29',
      read_date: '2025-02-27',
      previous_reading: '10450',
      meter_reading: '10487',
      multiplier: '40',
      usage: '1480',
      unit: 'kWh',
      utility_charges: '240.30',
    })
    const all = [...reading.fields, ...reading.meters.flatMap((one) => one.fields)]
    expect(
      all.filter((field) => field.place !== null && (field.place.x + field.place.width > 1 || field.place.y + field.place.height > 1)),
    ).toEqual([])
    expect(all.filter((field) => field.place === null && field.printed !== '')).toEqual([])
    expect(all.filter((field) => field.confidence < 0.7)).toEqual([])
    // The answer that is stored has the shape that both sides know.
    expect(billReading.parse(JSON.parse(JSON.stringify(reading)))).toEqual(reading)
    expect(documentWords.parse(JSON.parse(JSON.stringify(words)))).toEqual(words)
  })

  test('belongs to nobody in a client that has no such account, and follows an alias', { timeout: 180_000 }, async () => {
    const words = await readDocument(await drawStatement({ ...sandboxStatement, account_number: '5550-1234-99' }))
    const other = await makeClient(db)
    expect(await proposeBill(db, other, words)).toMatchObject({ account: null, meters: [{ service_id: null }] })
    const ground = await makeGround(db)
    await sql`insert into account_aliases (client_id, billable_account_id, alias) values (${ground.clientId}, ${ground.accountId}, '5550 1234 99')`.execute(
      db,
    )
    expect((await proposeBill(db, ground.clientId, words)).account).toEqual({ type: 'BillableAccount', id: ground.accountId })
    expect((await proposeBill(db, other, words)).account).toBeNull()
  })

  test('is found by a number that looks like an amount', { timeout: 180_000 }, async () => {
    const ground = await makeGround(db)
    const accountId = await makeAccount(db, ground, '911036.40')
    const words = await readDocument(await drawStatement({ ...sandboxStatement, account_number: '911036.40' }))
    const reading = await proposeBill(db, ground.clientId, words)
    expect([reading.account?.id, valueOf(reading, 'account_number')]).toEqual([accountId, '911036.40'])
  })
})

test('a new bill begins where the account changes, or where pages count from 1 again; only the first is read', async () => {
  const sheet = paper()
  drawHead(sheet, '1111-2222', '02/15/2025', '10.00')
  sheet.nextPage()
  sheet.text(40, 60, 'How to read your bill. Rates are on our site.')
  sheet.text(40, 90, 'Bills are due twenty days after they were sent to you.')
  sheet.nextPage()
  drawHead(sheet, '3333-4444', '02/16/2025', '20.00')
  const reading = await proposeBill(db, 0, await readDocument(await sheet.finish()))
  expect(reading.bills_begin_at).toEqual([1, 3])
  expect(valueOf(reading, 'account_number')).toBe('1111-2222')
  const counted = paper()
  for (const page of [1, 2, 1, 2]) {
    counted.text(500, 30, `Page ${page} of 2`)
    drawHead(counted, '1111-2222', '02/15/2025', '10.00')
    counted.nextPage()
  }
  expect((await proposeBill(db, 0, await readDocument(await counted.finish()))).bills_begin_at).toEqual([1, 3])
})

describe('learning', () => {
  test('reads after one confirmed bill what no label of ours explains, for every client', { timeout: 180_000 }, async () => {
    const vendorId = await makeVendor('Quarry Hill Power Cooperative')
    const before = await proposeBill(db, 0, await oddBill('7001-55', '131.20', 'Old Mill Church'))
    expect([before.layout, valueOf(before, 'amount_due'), valueOf(before, 'account_number')]).toEqual(['general', undefined, undefined])
    await learnLayout(db, await oddBill('7001-55', '131.20', 'Old Mill Church'), confirmed(vendorId, '7001-55', '131.20'))
    const after = await proposeBill(db, 0, await oddBill('9944-10', '88.05', 'Sunrise Foods'))
    expect([after.layout, valueOf(after, 'amount_due'), valueOf(after, 'account_number')]).toEqual(['learned', '88.05', '9944-10'])
  })

  test('keeps words of bills only: no name, no number of the client that taught', async () => {
    const { rows } = await sql<{ text: string }>`select coalesce(string_agg(phrase, ' '), '') as text from bill_layout_rules
      union all select coalesce(string_agg(array_to_string(signature, ' '), ' '), '') from bill_layouts`.execute(db)
    expect(rows.map((row) => row.text).join(' ')).toContain('plan')
    expect(rows.map((row) => row.text).join(' ')).not.toMatch(/\d|church|mill|sunrise|quarry/i)
  })

  test('finds the vendor of a misread name by its layout, also when another vendor has taught the same one', async () => {
    const vendorId = await makeVendor('Larkspur Valley Electric')
    const otherId = await makeVendor('Tamarack County Electric')
    await learnLayout(db, await commonBill('Larkspur Valley Electric'), confirmed(vendorId, '7001-55', '131.20'))
    const misread = await commonBill('Larkspvr Va11ey E1ectric')
    expect((await proposeBill(db, 0, misread)).vendor_id).toBe(vendorId)
    await learnLayout(db, await commonBill('Tamarack County Electric'), confirmed(otherId, '7001-55', '131.20'))
    expect((await proposeBill(db, 0, misread)).vendor_id).toBe(vendorId)
    expect((await proposeBill(db, 0, await commonBill('Tamarack Countv Electrlc'))).vendor_id).toBe(otherId)
    expect((await proposeBill(db, 0, await commonBill('Oakfield Municipal Light'))).vendor_id).toBeNull()
    // Two records of one utility, as happens: the older one is chosen, as by its full name.
    const twinId = await makeVendor('Larkspur Valley Electric', 'LVE 2')
    await learnLayout(db, await commonBill('Larkspur Valley Electric'), confirmed(twinId, '7001-55', '131.20'))
    expect((await proposeBill(db, 0, misread)).vendor_id).toBe(vendorId)
  })

  test('a wrong lesson is outvoted by two right ones', { timeout: 180_000 }, async () => {
    const vendorId = await makeVendor('Wrongway Light Company')
    const words = (amount: string): Promise<DocumentWords> => oddBill('7001-55', amount, 'Old Mill Church', 'Wrongway Light Company')
    // The user typed last month's amount, which is printed beside other words.
    await learnLayout(db, await words('131.20'), confirmed(vendorId, '7001-55', '77.77'))
    expect(valueOf(await proposeBill(db, 0, await words('140.00')), 'amount_due')).toBe('77.77')
    for (const amount of ['150.10', '151.10']) await learnLayout(db, await words(amount), confirmed(vendorId, '7001-55', amount))
    expect(valueOf(await proposeBill(db, 0, await words('160.30')), 'amount_due')).toBe('160.30')
  })

  test('says who taught a rule, and goes with its vendor', async () => {
    const vendorId = await makeVendor('Passing Gas Company')
    await learnLayout(db, await oddBill('7001-55', '131.20', 'Old Mill Church'), confirmed(vendorId, '7001-55', '131.20'), 42)
    const count = sql<{
      rules: number
    }>`select count(*)::int as rules from bill_layout_rules rule join bill_layouts layout on layout.id = rule.layout_id
      where layout.vendor_id = ${vendorId} and rule.taught_by = 42 and rule.confirmed = 1`
    expect((await count.execute(db)).rows[0]?.rules).toBeGreaterThan(1)
    await sql`delete from vendors where id = ${vendorId}`.execute(db)
    expect((await count.execute(db)).rows[0]?.rules).toBe(0)
  })
})

async function makeVendor(name: string, code = name): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into vendors (name, short_code) values (${name}, ${code}) returning id`.execute(db)
  return rows[0]?.id ?? 0
}

function confirmed(vendor_id: number, account_number: string, amount_due: string): ConfirmedReading {
  return { vendor_id, values: { account_number, amount_due }, meters: [] }
}

/** A bill on a form that many utilities use. */
async function commonBill(vendor: string): Promise<DocumentWords> {
  const sheet = paper()
  sheet.text(40, 40, vendor, { size: 16, bold: true })
  const labels = ['Account Number', 'Statement Date', 'Due Date', 'Previous Balance', 'Payments Received', 'Balance Forward']
  const values = ['7001-55', '02/15/2025', '03/05/2025', '80.00', '80.00', '0.00', '131.20', '131.20', 'all day', 'see back']
  for (const [place, label] of [...labels, 'Current Charges', 'Total Amount Due', 'Customer Service', 'Rate Information'].entries()) {
    sheet.text(40, 120 + place * 16, label)
    sheet.text(300, 120 + place * 16, values[place] ?? '', { align: 'right' })
  }
  return readDocument(await sheet.finish())
}

/** A bill whose labels have no general meaning. */
async function oddBill(
  account: string,
  amount: string,
  customer: string,
  vendor = 'Quarry Hill Power Cooperative',
): Promise<DocumentWords> {
  const sheet = paper()
  sheet.text(40, 40, vendor, { size: 16, bold: true })
  sheet.text(40, 80, customer)
  const rows = [
    ['Premise reference', account],
    ['Plan payment', '77.77'],
    ['Budget plan sum', amount],
    ['Service information', 'see back'],
    ['Customer service', 'all day'],
  ] as const
  for (const [place, [label, value]] of rows.entries()) {
    sheet.text(40, 120 + place * 16, label)
    sheet.text(300, 120 + place * 16, value, { align: 'right' })
  }
  return readDocument(await sheet.finish())
}

function drawHead(sheet: Paper, account: string, date: string, amount: string): void {
  sheet.text(40, 40, 'Northern Electric', { size: 16 })
  for (const [place, [label, value]] of [
    ['Account Number', account],
    ['Bill Date', date],
    ['Amount Due', `$${amount}`],
  ].entries()) {
    sheet.text(40, 80 + place * 16, label ?? '')
    sheet.text(200, 80 + place * 16, value ?? '')
  }
}

const sandboxStatement = statementSchema.parse({
  statement_id: 's1',
  file_id: 's1',
  kind: 'bill',
  provider_name: 'City Power',
  account_number: '88-41907',
  invoice_number: 'INV-20918',
  bill_date: '2025-03-02',
  due_date: '2025-03-21',
  interval_start: '2025-01-29',
  interval_end: '2025-02-27',
  balance_forward: '10.00',
  current_charges: '240.30',
  late_fee: '1.50',
  amount_due: '251.80',
  meters: [
    {
      meter_number: 'E-7710042',
      commodity: 'electric',
      previous_read_date: '2025-01-29',
      read_date: '2025-02-27',
      previous_reading: '10450',
      meter_reading: '10487',
      multiplier: '40',
      usage: '1480',
      unit: 'kWh',
      utility_charges: '240.30',
    },
  ],
  printed_lines: [
    { meter_number: 'E-7710042', commodity: 'electric', name: 'Customer charge', amount: '19.20' },
    { meter_number: 'E-7710042', commodity: 'electric', name: 'Energy', amount: '221.10' },
  ],
})
