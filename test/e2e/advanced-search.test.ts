/** The advanced search: filters on top, both kinds of accounts below, everything in the address. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { insert } from '../every-call/world.ts'
import { makePerson, type Person } from '../support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../support/estate.ts'
import { addressOf, apiRequests, soon, startConsole } from './console.ts'
import { axeFindings } from './looked-at.ts'
import { heardNotice, noticesSaid } from './notices-said.ts'

const { db, open } = await startConsole()
let admin: Person
let owner: Person
let client = 0
let other = 0
let vendor = 0
let billed = 0

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  client = await makeClient(db, { name: 'Harbor Foods' })
  other = await makeClient(db, { name: 'Lakeside Hospitals and Rehabilitation Centers of the Northwest' })
  owner = await makePerson(db, 'client_admin', { clients: [client] })
  vendor = await makeVendor(db, { name: 'Pacific Gas' })
  const facility = await makeFacility(db, client, await makeDivision(db, client, { name: 'West Coast' }), { name: 'Cold Store' })
  const far = await makeFacility(db, other, await makeDivision(db, other, { name: 'North' }), {
    name: 'Rehabilitation Center with a rather long name, Building 12',
  })
  for (let at = 0; at < 12; at++)
    await makeBillableAccount(db, client, facility, vendor, {
      name: `Freezer ${at}`,
      account_number: `77-10${String(at).padStart(2, '0')}`,
    })
  billed = await makeBillableAccount(db, client, facility, vendor, { name: 'Main meter', account_number: '555 123-9' })
  await makeService(db, client, { billable_account_id: billed }, { meter_number: 'MX-900', utility_service: 'Electric' })
  await makeService(db, client, { billable_account_id: billed }, { meter_number: 'MX-901', utility_service: 'Natural Gas' })
  await makeSupplyAccount(db, client, facility, { name: 'Gas contract', account_number: 'SUP-1' })
  await makeBillableAccount(db, other, far, vendor, {
    name: 'Ward 7 chilled water plant and emergency supply, second feed',
    account_number: '555-0009',
  })
  const bill = { client_id: client, billable_account_id: billed, account_number: '555 123-9', date: '2026-03-02', due_date: '2026-03-20' }
  const billId = await insert(db, 'bills', bill)
  const file = { key: 'search/bill', filename: 'bill.pdf', content_type: 'application/pdf', byte_size: 3, state: 'attached' }
  const fileId = await insert(db, 'files', file)
  await sql`insert into bill_files (client_id, bill_id, position, file_id, filename) values (${client}, ${billId}, 1, ${fileId}, 'bill.pdf')`.execute(
    db,
  )
  await sql`update billable_accounts set last_bill_date = '2026-03-02' where id = ${billed}`.execute(db)
})

const form = (page: Page) => page.getByRole('search', { name: 'Advanced Search' })
const field = (page: Page, label: string) => form(page).getByLabel(label, { exact: true })
const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Results' }).getByRole('link')

test('one page has the filters and both lists of results, over all clients and inside one [ASRCH-ROUTE-001] [ASRCH-ROUTE-002] [ASRCH-SCREEN-001] [ASRCH-FIELD-001]', async () => {
  const page = await open(admin, { at: '/advanced_search' })
  await page.getByRole('heading', { name: 'Advanced Search', exact: true }).waitFor()
  await page.getByText('Search billable and supply accounts').waitFor()
  await soon(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  await page.keyboard.type('555')
  await page.keyboard.press('Enter')
  await soon(() => rows(page).count()).toBe(2)
  expect(addressOf(page)).toBe('/advanced_search?text=555')
  await soon(async () => (await tabs(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
    'Billable Accounts 2',
    'Supply Accounts 0',
  ])
  const row = rows(page).filter({ hasText: 'Main meter' })
  for (const text of [
    '555 123-9',
    'Harbor Foods',
    'Pacific Gas',
    'Cold Store',
    '1 Main, Austin, TX 78701',
    'Active',
    '03/02/2026',
    'Electric',
    'Natural Gas',
  ])
    expect(await row.innerText()).toContain(text)
  expect(await row.locator('svg[data-service]').count()).toBe(2)
  expect(await row.getByRole('link', { name: '03/02/2026' }).getAttribute('href')).toMatch(
    /^\/api\/v5\/clients\/\d+\/bills\/\d+\/files\/1$/,
  )
  await row.getByRole('link', { name: '555 123-9', exact: true }).click()
  await page.waitForURL(`**/clients/${client}/billable_accounts/${billed}/dashboard`)
  await page.goBack()
  await soon(() => rows(page).count()).toBe(2)
  expect(await field(page, 'Number, Name or Meter').inputValue()).toBe('555')

  const inside = await open(owner, { at: `/clients/${client}/advanced_search?text=555` })
  await soon(() => rows(inside).count()).toBe(1)
  expect(await inside.getByRole('columnheader', { name: 'Client' }).count()).toBe(0)
})

test('a search without a filter warns [ASRCH-RULE-001] [ASRCH-MSG-001] [ASRCH-MSG-002]', async () => {
  const page = await open(owner, { at: `/clients/${client}/advanced_search` })
  const asked = apiRequests(page)
  await form(page).getByRole('button', { name: 'Search', exact: true }).click()
  expect(await heardNotice(page)).toMatchObject({
    kind: 'Warning',
    title: 'Search Error',
    message: 'You must provide at least one search filter',
  })
  await field(page, 'Account Name').fill('   ')
  await page.keyboard.press('Enter')
  expect(addressOf(page)).toBe(`/clients/${client}/advanced_search`)
  expect(asked.filter((one) => /advanced_search\?/.test(one))).toEqual([])
})

test('filters are chosen from services, vendors, divisions and facilities; Clear forgets them and Back brings them again [ASRCH-FIELD-002]', async () => {
  const page = await open(admin, { at: '/advanced_search' })
  await field(page, 'Service').selectOption({ label: 'Natural Gas' })
  await page.getByRole('combobox', { name: 'Vendor' }).fill('Pacific')
  await page.getByRole('option', { name: /^Pacific Gas \(/ }).click()
  await page.getByRole('combobox', { name: 'Facility' }).fill('Cold')
  await page.getByRole('option', { name: /Cold Store/ }).click()
  await form(page).getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('combobox', { name: 'Division' }).fill('West')
  await page.getByRole('option', { name: /West Coast/ }).click()
  await field(page, 'Meter Number').fill('mx900')
  await page.keyboard.press('Enter')
  await soon(() => rows(page).count()).toBe(1)
  const address = addressOf(page)
  expect(address).toContain(`vendor_id_in=${vendor}`)
  await form(page).getByRole('button', { name: 'Clear Search' }).click()
  await page.getByText('Search billable and supply accounts').waitFor()
  expect(addressOf(page)).toBe('/advanced_search')
  expect(await field(page, 'Meter Number').inputValue()).toBe('')
  await page.goBack()
  await soon(() => rows(page).count()).toBe(1)
  expect(addressOf(page)).toBe(address)
  await soon(() => form(page).innerText()).toContain('Pacific Gas')
  await field(page, 'Meter Number').fill('nothing like it')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing matches these filters').waitFor()
  await page.getByRole('button', { name: 'Reset Filters' }).click()
  await page.getByText('Search billable and supply accounts').waitFor()
})

test('Ctrl-K leads on with what was typed to the search of the client, or of all clients', async () => {
  const page = await open(admin, { at: '/landing' })
  await page.getByRole('banner').getByRole('link', { name: 'Advanced Search' }).waitFor()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and go' })
  await palette.getByRole('combobox').fill('QX-9')
  await palette.getByRole('option', { name: 'Search accounts for “QX-9”' }).waitFor()
  await palette.getByText('Nothing found').waitFor()
  await page.keyboard.press('Enter')
  await soon(() => addressOf(page)).toBe('/advanced_search?text=QX-9')
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('MX-9')
  await palette.getByRole('option', { name: 'Search accounts for “MX-9”' }).click()
  await soon(() => addressOf(page)).toBe('/advanced_search?text=MX-9')
  await soon(() => rows(page).count()).toBe(1)

  const own = await open(owner, { at: `/clients/${client}/dashboard` })
  await own.getByRole('main').getByRole('heading').first().waitFor()
  await own.keyboard.press('Control+k')
  await own.getByRole('dialog', { name: 'Search and go' }).getByRole('combobox').fill('cold store')
  await own.getByRole('option', { name: 'Search accounts for “cold store”' }).click()
  await soon(() => addressOf(own)).toBe(`/clients/${client}/advanced_search?text=cold+store`)
})

test('each list has its own tab, pages and sorts; a search that fits supply accounts alone shows these', async () => {
  const page = await open(owner, { at: `/clients/${client}/advanced_search?account_number=7710` })
  await page.getByText('1–10 of 12 billable accounts').waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await soon(() => rows(page).count()).toBe(2)
  expect(addressOf(page)).toContain('page=2')
  await page.reload()
  await soon(() => rows(page).count()).toBe(2)
  await page.getByRole('columnheader', { name: 'Account Name' }).click()
  await soon(() => addressOf(page)).toContain('sort=name')
  await tabs(page).nth(1).click()
  await page.getByText('Nothing matches these filters').waitFor()
  await field(page, 'Account Number').fill('sup')
  await page.keyboard.press('Enter')
  await soon(() =>
    rows(page)
      .allInnerTexts()
      .then((all) => all.join()),
  ).toContain('Gas contract')
  expect(await tabs(page).nth(1).getAttribute('aria-current')).toBe('page')
  await rows(page).first().getByRole('link').first().click()
  await page.waitForURL(/supply_accounts\/\d+/)
})

test('the export asks for both lists as they are filtered; its notice comes also to a window whose stream opens later [ASRCH-EXPORT-001]', async () => {
  const page = await open(owner, { at: `/clients/${client}/advanced_search?account_number=7710` })
  const exported = Promise.withResolvers<void>()
  await page.route('**/api/v5/live?*', async (route) => {
    await exported.promise
    await route.continue()
  })
  await page.reload()
  await page.getByText('of 12 billable accounts').waitFor()
  const asked = apiRequests(page)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await soon(() => asked.some((one) => one.includes('export_csv'))).toBe(true)
  const sent = asked.find((one) => one.includes('export_csv')) ?? ''
  expect(sent).toMatch(new RegExp(`^GET /clients/${client}/advanced_search/export_csv\\?.*q\\[account_number\\]=7710`))
  expect(sent).toContain('connection_id=')
  await soon(async () => (await sql`select 1 as one from notifications where type = 'csv_export'`.execute(db)).rows).toHaveLength(1)
  exported.resolve()
  // A small file may be ready before the response to its request is shown.
  await soon(async () => (await noticesSaid(page)).map(({ title }) => title).toSorted()).toEqual([
    'Advanced Search export is ready',
    'Advanced Search export started',
  ])
})

test('the page fits a narrow screen, and axe finds nothing in either theme', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const page = await open(admin, { at: '/advanced_search?text=555&state=TX', theme })
    await soon(() => rows(page).count()).toBe(2)
    expect(await axeFindings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await page.getByRole('link', { name: '555 123-9', exact: true }).waitFor()
  }
})
