import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { makeAccount, makeGround, makeService } from '../../../test/support/bills.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { pageOf, type Text } from '../../../test/reading/page-words.ts'
import { proposeBill, stopReading } from './bill-reading.ts'

const { db } = await testDatabase()
afterAll(stopReading)

const page = (texts: readonly Text[]): ReturnType<typeof pageOf> =>
  pageOf([
    ...texts,
    [40, 100, 'Meter Number: E-7710042'],
    [40, 114, 'Present Reading: 10487'],
    [40, 128, 'Previous Reading: 10450'],
    [40, 142, 'Usage: 37 kWh'],
  ])

test('a known meter number leads to its account only where no other account and no other vendor is printed', async () => {
  const ground = await makeGround(db)
  const accountId = await makeAccount(db, ground, '88-4190 7')
  await makeService(db, ground.clientId, accountId, 'electric', 'E-7710042')
  await sql`insert into vendors (name, short_code) values ('Harbor Point Municipal', 'HPM')`.execute(db)
  const byMeter = await proposeBill(db, ground.clientId, page([[40, 40, 'Your bill']]))
  expect(byMeter.account).toEqual({ type: 'BillableAccount', id: accountId })
  expect(byMeter.fields.find(({ field }) => field === 'account_number')?.confidence).toBeLessThan(0.8)
  const otherAccount = await proposeBill(db, ground.clientId, page([[40, 40, 'Account Number: 5550-1234-99']]))
  expect(otherAccount.account).toBeNull()
  expect(otherAccount.fields.find(({ field }) => field === 'account_number')?.value).toBe('5550-1234-99')
  const otherVendor = await proposeBill(db, ground.clientId, page([[40, 40, 'Harbor Point Municipal']]))
  expect(otherVendor.account).toBeNull()
  expect(otherVendor.fields.find(({ field }) => field === 'vendor')?.value).toBe('Harbor Point Municipal')
})

test('a stack is divided where another vendor begins, and where a page looks like the first of the last bill', async () => {
  await sql`insert into vendors (name, short_code) values ('Quartz Hill Electric', 'QHE'), ('Silver Lake Water', 'SLW')`.execute(db)
  const bill = (vendor: string, amount: string): Text[] => [
    [40, 40, vendor],
    [40, 60, 'Service Address'],
    [40, 80, 'Rate Schedule'],
    [40, 100, 'Current Charges'],
    [300, 100, amount],
    [40, 120, 'Amount Due'],
    [300, 120, amount],
  ]
  const rear: Text[] = [[40, 40, 'How to read what we send you']]
  const pages = [
    bill('Quartz Hill Electric', '12.10'),
    rear,
    bill('Quartz Hill Electric', '99.20'),
    bill('Silver Lake Water', '45.00'),
    rear,
  ].map((texts, place) => ({ ...pageOf(texts).pages[0], page: place + 1 }))
  const whole = pages.map(({ page: number, width = 612, height = 792, source = 'text', words = [] }) => ({
    page: number,
    width,
    height,
    source,
    words,
  }))
  expect((await proposeBill(db, 0, { pages: whole })).bills_begin_at).toEqual([1, 3, 4])
})
