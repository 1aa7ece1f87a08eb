/** The examples that the Accrual Report must come to. Each has a client of its own. */
import { describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { insert } from '../../../test/every-call/world.ts'
import { startTestApp } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, type Ground } from '../../../test/support/bills.ts'
import { madeReport } from '../../../test/support/made-report.ts'
import { addOwedBill, line } from '../../../test/support/report-bills.ts'

const { database } = await startTestApp()
const { db } = database
const october = { date_range: { from: '2025-10-01', to: '2025-10-31' } }
const methods = ['seasonal', 'last_bill', 'trailing'] as const
const made = (clientId: number, data: object = {}) =>
  madeReport(db, 'Accrual Report', { ...october, ...data }, { clientId, today: '2025-11-15' })

/** A bill of the ground's account with one line of its electric meter. */
const billOf = (ground: Ground, from: string, to: string, charge: string, date = to): Promise<number> =>
  addOwedBill(db, ground.clientId, {
    account: { billable_account_id: ground.accountId },
    date,
    current_charges: charge,
    lines: [line(ground.electricId, from, to, charge, { usage: String(Math.round(Number(charge) * 2)) })],
  })

async function accruedBy(ground: Ground): Promise<(string | null | undefined)[][]> {
  const found: (string | null | undefined)[][] = []
  for (const accrual_method of methods) {
    const { rows } = await made(ground.clientId, { accrual_method })
    const row = rows.find(({ meter }) => meter === 'E-1')
    found.push([row?.['accrual_from'], row?.['accrual_to'], row?.['days'], row?.['accrued_cost']])
  }
  return found
}
const each = (...row: string[]) => methods.map(() => row)

describe('what is accrued', () => {
  it('goes by the bill with its correction: both are one line of the same days', async () => {
    const ground = await makeGround(db)
    await billOf(ground, '2025-09-01', '2025-10-02', '310.00')
    await billOf(ground, '2025-09-01', '2025-10-02', '-31.00', '2025-10-20')
    expect(await accruedBy(ground)).toEqual(each('2025-10-02', '2025-10-31', '30', '270.00'))
  })

  it('counts the days of a vendor that prints first and last days, as the monthly facts do', async () => {
    const ground = await makeGround(db)
    await billOf(ground, '2025-08-01', '2025-08-31', '310.00')
    await billOf(ground, '2025-09-01', '2025-09-30', '300.00')
    expect(await accruedBy(ground)).toEqual(each('2025-10-01', '2025-10-31', '31', '310.00'))
  })

  it('ends when the meter or its account ends, and begins when it begins', async () => {
    const ground = await makeGround(db)
    await billOf(ground, '2025-08-01', '2025-10-01', '610.00')
    await sql`update services set effective_to = '2025-10-15' where client_id = ${ground.clientId}`.execute(db)
    expect(await accruedBy(ground)).toEqual(each('2025-10-01', '2025-10-15', '15', '150.00'))
    await sql`update billable_accounts set effective_to = '2025-10-10' where client_id = ${ground.clientId}`.execute(db)
    expect(await accruedBy(ground)).toEqual(each('2025-10-01', '2025-10-10', '10', '100.00'))
    await sql`update services set effective_from = '2025-10-06' where client_id = ${ground.clientId}`.execute(db)
    expect(await accruedBy(ground)).toEqual(each('2025-10-06', '2025-10-10', '5', '50.00'))
  })
})

describe('billed and not booked', () => {
  const unbooked = async (clientId: number) => (await made(clientId)).totals['unbooked']
  const bookedOn = async (clientId: number, bill: number, closed_at: string): Promise<void> => {
    const batch = await insert(db, 'accounting_batches', {
      client_id: clientId,
      batch_code: closed_at,
      closed: true,
      has_been_closed: true,
      closed_at,
    })
    await sql`update bills set accounting_batch_id = ${batch} where client_id = ${clientId} and id = ${bill}`.execute(db)
  }

  it('is a line without read dates, and a bill without lines in a row of its account', async () => {
    const ground = await makeGround(db)
    const account = { billable_account_id: ground.accountId }
    const { clientId, electricId } = ground
    await addOwedBill(db, clientId, {
      account,
      date: '2025-10-10',
      current_charges: '20.00',
      lines: [{ service_id: electricId, from: null, to: null, utility: '20.00' }],
    })
    await addOwedBill(db, clientId, { account, date: '2025-10-11', current_charges: '3.00', late_fee: '0.50', lines: [] })
    const read = await made(clientId)
    expect(read.rows.filter((row) => row['unbooked'] !== '0.00').map((row) => [row['meter'], row['unbooked'], row['method']])).toEqual([
      ['E-1', '20.00', 'No bill yet'],
      [null, '3.50', 'Bills without a meter'],
    ])
    const journal = await made(clientId, { ledger_details: true })
    expect(journal.totals['debit']).toBe('47.00')
  })

  it('is an earlier bill that no batch took, back to the first bill that the client booked, and no older history', async () => {
    const ground = await makeGround(db)
    const { clientId } = ground
    await billOf(ground, '2025-05-01', '2025-06-01', '1.00')
    await bookedOn(clientId, await billOf(ground, '2025-06-01', '2025-07-01', '2.00'), '2025-07-20T17:00:00Z')
    await billOf(ground, '2025-07-01', '2025-08-01', '4.00')
    expect(await unbooked(clientId)).toBe('4.00')
  })

  it('is a bill whose batch was closed after the period, by the day in New York', async () => {
    const ground = await makeGround(db)
    const { clientId } = ground
    // One in the evening of October 31, and one in the first hour of November 1.
    await bookedOn(clientId, await billOf(ground, '2025-08-01', '2025-09-01', '1.00'), '2025-11-01T03:30:00Z')
    await bookedOn(clientId, await billOf(ground, '2025-09-01', '2025-10-01', '2.00'), '2025-11-01T04:30:00Z')
    expect(await unbooked(clientId)).toBe('2.00')
  })

  it('holds meters that have retired or are left out of accruals, which accrue nothing', async () => {
    const ground = await makeGround(db)
    const { clientId } = ground
    await billOf(ground, '2025-09-01', '2025-10-01', '8.00')
    for (const change of [sql`active = false`, sql`active = true, accruals_off = true`]) {
      await sql`update services set ${change} where client_id = ${clientId} and id = ${ground.electricId}`.execute(db)
      const { rows } = await made(clientId)
      expect(rows.filter(({ meter }) => meter === 'E-1').map((row) => [row['unbooked'], row['accrued_cost'], row['total']])).toEqual([
        ['8.00', '0.00', '8.00'],
      ])
    }
  })

  it('counts a group by the bills of its children, which are what is booked', async () => {
    const ground = await makeGround(db)
    const { clientId } = ground
    const group = await makeAccount(db, ground, 'GROUP', { group: true })
    const meter = await makeService(db, clientId, group, 'electric', 'GM')
    const days = ['2025-09-01', '2025-10-01'] as const
    const parent = await addOwedBill(db, clientId, {
      account: { billable_account_id: group },
      date: days[1],
      current_charges: '10.00',
      lines: [line(meter, ...days, '10.00')],
    })
    await sql`update bills set group_bill_id = ${parent} where client_id = ${clientId} and id = ${await billOf(ground, ...days, '6.00')}`.execute(
      db,
    )
    expect(await unbooked(clientId)).toBe('6.00')
  })
})
