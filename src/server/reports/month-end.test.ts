/** The examples that the Month End Report must come to. Each has a client of its own. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { insert } from '../../../test/every-call/world.ts'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { makeAccount, makeGround } from '../../../test/support/bills.ts'
import { madeReport } from '../../../test/support/made-report.ts'
import { addOwedBill } from '../../../test/support/report-bills.ts'

const { database } = await startTestApp()
const { db } = database
const rolled = 'Roll-forward of unpaid bills'

async function made(clientId: number) {
  const range = { date_range: { from: '2025-10-01', to: '2025-11-30' } }
  const { rows } = await madeReport(db, 'Month End Report', range, { clientId, today: '2025-12-15' })
  const found = rows.map((row) => [row['month'], row['section'], row['item'], row['count'], row['amount']] as const)
  return {
    of: (month: string, section: string, item: string) =>
      found.find((row) => row[0] === month && row[1] === section && row[2] === item)?.slice(3),
    payments: (month: string) => found.filter((row) => row[0] === month && row[1] === 'Payments').map((row) => [row[2], row[4]]),
  }
}

interface More {
  readonly balance_forward?: string
  readonly group_bill_id?: number
}

const billOf = (clientId: number, account: number, date: string, current_charges: string, more: More = {}) =>
  addOwedBill(db, clientId, { account: { billable_account_id: account }, date, current_charges, lines: [], ...more })

async function paidBy(
  { clientId: client_id, vendorId: vendor_id }: { clientId: number; vendorId: number },
  bill: number,
  payment_date: string,
) {
  const payment_batch_id = await insert(db, 'payment_batches', { client_id, batch_date: payment_date, bills_due_date: payment_date })
  const payment = await insert(db, 'vendor_payments', { client_id, vendor_id, payment_batch_id, payment_method: 'Check', payment_date })
  await sql`update bills set paid = true, vendor_payment_id = ${payment} where client_id = ${client_id} and id = ${bill}`.execute(db)
  return payment
}

it('an unpaid bill that the next one carries forward is owed once, and what is paid of it is told apart', async () => {
  const ground = await makeGround(db)
  const { clientId, accountId } = ground
  await billOf(clientId, accountId, '2025-09-10', '100.00')
  const second = await billOf(clientId, accountId, '2025-10-10', '100.00', { balance_forward: '100.00' })
  const unpaid = await made(clientId)
  expect(unpaid.of('2025-10', rolled, 'Closing unpaid')).toEqual(['2', '200.00'])
  expect(unpaid.of('2025-10', 'Bills', 'Entered')).toEqual(['1', '100.00'])
  await paidBy(ground, second, '2025-10-20')
  const paid = await made(clientId)
  expect(paid.payments('2025-10')).toEqual([
    ['Check', '200.00'],
    ['Less earlier balances', '-100.00'],
  ])
  expect(paid.of('2025-10', rolled, 'Paid')).toEqual(['1', '100.00'])
  expect(paid.of('2025-10', rolled, 'Closing unpaid')).toEqual(['1', '100.00'])
})

it('a group owes by its own bill, and is booked by the bills of its children', async () => {
  const ground = await makeGround(db)
  const { clientId } = ground
  const group = await makeAccount(db, ground, 'GROUP', { group: true })
  const child = await makeAccount(db, ground, 'CHILD', { groupId: group })
  const parent = await billOf(clientId, group, '2025-10-10', '100.00')
  const part = await billOf(clientId, child, '2025-10-10', '100.00', { group_bill_id: parent })
  const open = await made(clientId)
  expect(open.of('2025-10', rolled, 'Closing unpaid')).toEqual(['1', '100.00'])
  expect(open.of('2025-10', 'Open items', 'In no client batch')).toEqual(['1', '100.00'])
  const batch = await insert(db, 'accounting_batches', {
    client_id: clientId,
    batch_code: 'B',
    closed: true,
    has_been_closed: true,
    closed_at: '2025-10-20T17:00:00Z',
  })
  await sql`update bills set accounting_batch_id = ${batch} where client_id = ${clientId} and id = ${part}`.execute(db)
  const booked = await made(clientId)
  expect(booked.of('2025-10', 'Open items', 'In no client batch')).toEqual(['0', '0.00'])
  expect(booked.of('2025-10', 'Bills', 'In client batches that were closed')).toEqual(['1', '100.00'])
  expect(booked.of('2025-10', 'Client batches', 'Closed')).toEqual(['1', '100.00'])
})

it('a bill that was replaced is dated in no month, also when it was paid before', async () => {
  const ground = await makeGround(db)
  const { clientId, accountId } = ground
  const old = await billOf(clientId, accountId, '2025-10-10', '70.00')
  await paidBy(ground, old, '2025-10-15')
  const fresh = await billOf(clientId, accountId, '2025-11-10', '80.00')
  await sql`update bills set superseded_by_id = ${fresh} where client_id = ${clientId} and id = ${old}`.execute(db)
  const read = await made(clientId)
  expect(read.of('2025-10', 'Bills', 'Dated in the month')).toEqual(['0', '0.00'])
  expect(read.of('2025-11', 'Bills', 'Dated in the month')).toEqual(['1', '80.00'])
})

it('a payment that is taken back later leaves the month in which it was made as it was, and is owed again from its day', async () => {
  const ground = await makeGround(db)
  const { clientId, accountId } = ground
  const bill = await billOf(clientId, accountId, '2025-10-10', '50.00')
  const payment = await paidBy(ground, bill, '2025-10-20')
  const before = await made(clientId)
  await insert(db, 'payment_reversals', {
    client_id: clientId,
    vendor_payment_id: payment,
    bill_id: bill,
    kind: 'void_check',
    amount: '50.00',
    reversed_date: '2025-11-05',
    reason: 'lost',
    created_by: (await makePerson(db, 'super_admin')).id,
  })
  await sql`update bills set paid = false where client_id = ${clientId} and id = ${bill}`.execute(db)
  const after = await made(clientId)
  for (const item of ['Paid', 'Closing unpaid']) expect(after.of('2025-10', rolled, item)).toEqual(before.of('2025-10', rolled, item))
  expect(after.payments('2025-10')).toEqual([['Check', '50.00']])
  expect(after.of('2025-11', rolled, 'Opening unpaid')).toEqual(['0', '0.00'])
  expect(after.of('2025-11', rolled, 'Payments taken back')).toEqual(['1', '50.00'])
  expect(after.of('2025-11', rolled, 'Closing unpaid')).toEqual(['1', '50.00'])
  await paidBy(ground, bill, '2025-11-20')
  const again = await made(clientId)
  expect(again.payments('2025-11')).toEqual([['Check', '50.00']])
  expect(again.of('2025-11', rolled, 'Closing unpaid')).toEqual(['0', '0.00'])
})
