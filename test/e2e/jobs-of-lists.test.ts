/** The jobs of a day in lists and dashboards: each prints what it costs in clicks, keys and seconds, and holds clicks and keys. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../support/estate.ts'
import { makeRankedStores } from '../support/ranked-stores.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { endJob, startJob } from './job-cost.ts'

const { db, open } = await startConsole()
const ACCOUNTS = 20
let manager: Person
let client: number
let depot: number
let wanted: number

beforeAll(async () => {
  client = await makeClient(db, { name: 'Harbor Foods' })
  const division = await makeDivision(db, client, { name: 'West' })
  const hall = await makeFacility(db, client, division, { name: 'Hall' })
  depot = await makeFacility(db, client, division, { name: 'Depot' })
  const power = await makeVendor(db, { name: 'City Power' })
  for (let place = 1; place < ACCOUNTS; place++)
    await makeBillableAccount(db, client, hall, power, {
      name: `Account ${String(place).padStart(2, '0')}`,
      account_number: `A-${String(place).padStart(2, '0')}`,
    })
  wanted = await makeBillableAccount(db, client, hall, power, { name: 'Main meter', account_number: '555 123-9' })
  await sql`update vendors set short_code = 'CITY' where id = ${power}`.execute(db)
  manager = await makePerson(db, 'super_admin')
})

const list = () => `/clients/${client}/billable_accounts`

test('job 7: a list is exported, and its file is opened from the bell', async () => {
  const page = await open(manager, { at: list() })
  const live = page.waitForResponse(/\/live\?/)
  await page.reload()
  await page.getByText('1–10 of 20 billable accounts').waitFor()
  await live
  await startJob(page)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await soon(() => bell.getAttribute('aria-label')).toBe('Notifications, 1 new')
  await bell.click()
  const coming = page.waitForEvent('download')
  await page
    .getByRole('dialog', { name: /^Notifications/ })
    .getByRole('link', { name: 'Download' })
    .first()
    .click()
  const lines = (await readFile(await (await coming).path(), 'utf8')).trim().split(/\r?\n/)
  await endJob(page, 7, { clicks: 3, keys: 0 })
  expect(lines).toHaveLength(1 + ACCOUNTS)
  const { rows } = await sql`select state from tasks where client_id = ${client} order by id desc limit 1`.execute(db)
  expect(rows).toEqual([{ state: 'done' }])
})

test('job 8: a list is narrowed, and kept as a view that is one click away', async () => {
  const page = await open(manager, { at: list() })
  await page.getByText('1–10 of 20 billable accounts').waitFor()
  await startJob(page)
  await page.getByRole('textbox', { name: 'Filter Name' }).click()
  await page.keyboard.type('main')
  await page.getByText('1–1 of 1 billable accounts').waitFor()
  await page.getByRole('button', { name: /^View: All/ }).click()
  await page.getByRole('menuitem', { name: 'Save as…' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.type('Main meters')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'View: Main meters' }).waitFor()
  await endJob(page, 8, { clicks: 3, keys: 16 })
  const { rows } = await sql`select name, query from saved_views where user_id = ${manager.id}`.execute(db)
  expect(rows).toEqual([{ name: 'Main meters', query: 'name=main' }])
})

test('job 9: an account of any client is found by the digits of its number, and opened', async () => {
  const page = await open(manager, { at: '/landing' })
  await page.getByRole('banner').getByRole('link', { name: 'Advanced Search' }).waitFor()
  await startJob(page)
  await page.getByRole('banner').getByRole('link', { name: 'Advanced Search' }).click()
  await soon(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  await page.keyboard.type('5551239')
  await page.keyboard.press('Enter')
  await page.getByRole('grid').getByRole('link', { name: '555 123-9', exact: true }).click()
  await page.waitForURL(/\/dashboard$/)
  await endJob(page, 9, { clicks: 2, keys: 8 })
  expect(addressOf(page)).toBe(`/clients/${client}/billable_accounts/${wanted}/dashboard`)
})

test('job 14: twenty accounts move to another facility, and back by one key', async () => {
  const stored = async () =>
    (await sql`select count(*)::int as moved from billable_accounts where client_id = ${client} and facility_id = ${depot}`.execute(db))
      .rows
  const page = await open(manager, { at: `${list()}?per=20` })
  await page.getByText('1–20 of 20 billable accounts').waitFor()
  await startJob(page)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Change 20 billable accounts' }).click()
  const panel = page.getByRole('dialog', { name: 'Change Billable Accounts' })
  await panel.getByText('What it would do to each record is shown here before anything happens.').waitFor()
  await page.keyboard.type('Dep')
  await page.getByRole('option', { name: /Depot/ }).waitFor()
  await page.keyboard.press('Enter')
  await soon(() => panel.getByText('Depot', { exact: true }).count()).toBeGreaterThan(0)
  await panel.getByRole('button', { name: 'Change 20 billable accounts' }).click()
  await page.getByText('20 billable accounts changed').first().waitFor()
  expect(await stored()).toEqual([{ moved: 20 }])
  await page.keyboard.press('Control+z')
  await page.getByText('20 billable accounts as before').first().waitFor()
  await endJob(page, 14, { clicks: 3, keys: 6 })
  expect(await stored()).toEqual([{ moved: 0 }])
})

test('job 15: the facility whose cost per square foot rose most is one click on a dashboard', async () => {
  const { clientId } = await makeRankedStores(db)
  const page = await open(manager, { at: `/clients/${clientId}/dashboard?as_of=2025-01-01` })
  const table = page.getByRole('table', { name: 'Facilities, ranked' })
  const names = async () => (await table.getByRole('rowheader').allInnerTexts()).map((text) => text.split('\n')[0])
  await soon(names).toEqual(['Store 2', 'Store 1'])
  await startJob(page)
  await table.getByRole('button', { name: 'Change of $/sq ft' }).click()
  await soon(names).toEqual(['Store 1', 'Store 2'])
  await endJob(page, 15, { clicks: 1, keys: 0 })
  // From the bills alone: what each facility's square foot cost in the year of the dashboard, less the year before.
  const { rows } = await sql<{ name: string }>`select facilities.name from bills
      join billable_accounts account on account.client_id = bills.client_id and account.id = bills.billable_account_id
      join facilities on facilities.client_id = account.client_id and facilities.id = account.facility_id
    where bills.client_id = ${clientId} group by facilities.name, facilities.square_footage
    order by sum(case when bills.date > '2024-01-01' then bills.current_charges else -bills.current_charges end) / facilities.square_footage desc`.execute(
    db,
  )
  expect(rows.map(({ name }) => name)).toEqual(await names())
})
