/** The home page: the work of the day by sections, and the walk through a list of work by keys. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '#contract/kernel/date.ts'
import { today } from '../../src/server/kernel/clock.ts'
import { insert, makeFinding, makeScan, makeStatement } from '../every-call/world.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { db, open } = await startConsole()
let staff: Person
let owner: Person
let client: number
const bills: number[] = []
const day = (days: number) => addDays(today(), days)

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  client = await makeClient(db, { name: 'Harbor Foods and Beverage Distribution of the Pacific Northwest' })
  owner = await makePerson(db, 'client_admin', { clients: [client] })
  const vendor = await makeVendor(db, { name: 'City Power' })
  const division = await makeDivision(db, client)
  const facility = await makeFacility(db, client, division, { name: 'Store 1' })
  for (const [place, days] of [-40, -12, -3, 2, 4, 6].entries()) {
    const account = await makeBillableAccount(db, client, facility, vendor, { account_number: `HF-${place}`, name: `Account ${place}` })
    const bill = await insert(db, 'bills', {
      client_id: client,
      billable_account_id: account,
      account_number: `HF-${place}`,
      vendor_id: vendor,
      division_id: division,
      facility_id: facility,
      date: day(days - 20),
      due_date: day(days),
      current_charges: '1250.40',
      amount_due: '1250.40',
    })
    await sql`update billable_accounts set last_bill_date = ${day(days - 20)} where id = ${account}`.execute(db)
    bills.push(bill)
    const mark = `HF-${place}`
    if (place < 3)
      for (const who of [staff, owner])
        await makeFinding(db, { clientId: client, billId: bill, mark }, { assigned_to: who.id, severity: 'E' })
    if (place < 2) await makeScan(db, { clientId: client, accountId: account, mark })
    if (place === 2) await makeStatement(db, { clientId: client, accountId: account, mark }, 'matched')
  }
})

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const walk = (page: Page) => page.getByRole('navigation', { name: 'Work list' })
const addressesOf = (page: Page, name: string) =>
  section(page, name)
    .getByRole('table')
    .getByRole('row')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))

test.each(['dark', 'light'] as const)(
  'shows what waits by sections, without a violation of axe, wide and on a phone, in %s',
  async (theme) => {
    const page = await open(staff, { at: '/', theme })
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.getByRole('heading', { level: 1, name: 'Please select a client from the dropdown' }).waitFor()
    const overview = page.getByRole('navigation', { name: 'Work of the day' })
    await overview.waitFor()
    expect(await overview.getByRole('link').allInnerTexts()).toEqual([
      expect.stringMatching(/^What cannot wait\s+\d+\s+\$[\d,.]+ at stake$/),
      expect.stringMatching(/^My findings\s+3\s/),
      expect.stringMatching(/^Inbox\s+3\s/),
      expect.stringMatching(/^Approvals\s+0\s/),
      expect.stringMatching(/^Releases\s+0\s/),
      expect.stringMatching(/^Reports\s+0\s/),
    ])
    await section(page, 'Approvals').getByText('No vendor batch waits for your approval.').waitFor()
    await lookedAt(page, `home-${theme}`)
    await page.setViewportSize({ width: 390, height: 844 })
    await lookedAt(page, `home-narrow-${theme}`)
    // Nothing is wider than the phone.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  },
)

test('next walks through the items of a section by keys: N begins, ] and [ go on and back, home ends it', async () => {
  const page = await open(staff, { at: '/' })
  await section(page, 'My findings').waitFor()
  const [first = ''] = await addressesOf(page, 'What cannot wait')
  expect(first).not.toBe('')
  await page.keyboard.press('n')
  await soon(() => walk(page).innerText()).toMatch(/What cannot wait\s*1 of \d+/)
  // The page of the item, and not the client's dashboard, although the scope has changed on the way.
  await soon(() => addressOf(page)).toBe(`/clients/${client}/bills/${bills[0]}`)
  const bill = addressOf(page)
  await page.keyboard.press(']')
  await soon(() => walk(page).innerText()).toMatch(/2 of \d+/)
  expect(addressOf(page)).not.toBe(bill)
  await page.keyboard.press('[')
  await soon(() => addressOf(page)).toBe(bill)
  await lookedAt(page, 'home-walk')
  // A detour keeps the place, and so does a reload.
  await page.goto('/vendors')
  await soon(() => walk(page).innerText()).toMatch(/1 of \d+ · away from the list/)
  await page.keyboard.press(']')
  await soon(() => walk(page).innerText()).toMatch(/2 of \d+/)
  await walk(page).getByRole('link', { name: 'What cannot wait' }).click()
  await page.waitForURL('**/landing')
  await section(page, 'My findings').waitFor()
  await soon(() => walk(page).count()).toBe(0)
})

test('my findings are walked bill by bill, to the last one and no further', async () => {
  const page = await open(staff, { at: '/' })
  await section(page, 'My findings')
    .getByRole('link', { name: /^Next: Settle finding/ })
    .click()
  await soon(() => walk(page).innerText()).toMatch(/My findings\s*1 of 3/)
  await walk(page)
    .getByRole('button', { name: /^Next: / })
    .click()
  await walk(page)
    .getByRole('button', { name: /^Next: / })
    .click()
  await soon(() => walk(page).innerText()).toMatch(/3 of 3/)
  expect(await walk(page).getByRole('button', { name: 'No next item' }).getAttribute('aria-disabled')).toBe('true')
  const opened = addressOf(page)
  await page.keyboard.press(']')
  expect(addressOf(page)).toBe(opened)
  await walk(page).getByRole('button', { name: 'End the walk' }).click()
  await soon(() => walk(page).count()).toBe(0)
})

test('people of a client have the same of their client under Today, without what they have no right to', async () => {
  const page = await open(owner, { at: `/clients/${client}/dashboard` })
  await page.getByRole('navigation', { name: 'Client', exact: true }).getByRole('link', { name: 'Today' }).click()
  await page.waitForURL(`**/clients/${client}/home`)
  await section(page, 'My findings').waitFor()
  expect(await section(page, 'Releases').count()).toBe(0)
  expect(await section(page, 'What cannot wait').getByRole('columnheader', { name: 'Client' }).count()).toBe(0)
  const hrefs = await addressesOf(page, 'My findings')
  expect(hrefs.every((href) => href.startsWith(`/clients/${client}/bills/`))).toBe(true)
  await lookedAt(page, 'home-client')
})
