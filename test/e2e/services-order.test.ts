/** The order of an account's services by pointer, menu and keyboard; the form of a service; the expected-bill calendar. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, formatDate, lastDayOf, monthOf } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { makePerson, type Person } from '../support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeLedgerAccount,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { heardNotice } from './notices-said.ts'
import { pictureOf } from './pictures.ts'

const { db, open } = await startConsole()
const longName = 'Northern Distribution Warehouse and Cold Storage of Harbor'
let admin: Person
let client: number
let facility: number
let vendor: number

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  client = await makeClient(db, { name: 'Harbor Foods' })
  facility = await makeFacility(db, client, await makeDivision(db, client), { name: longName })
  vendor = await makeVendor(db, { name: 'City Power' })
})

const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const at = (path: string) => `/clients/${client}/${path}`
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
/** The meters in their order on the screen. */
const shownMeters = async (page: Page) => (await rows(page).allInnerTexts()).map((text) => /M-\d/.exec(text)?.[0] ?? '')
const storedRanks = async (account: number) => {
  const { rows: found } = await sql<{ line: string }>`select rank || ' ' || meter_number as line from services
    where coalesce(billable_account_id, supply_account_id) = ${account} order by rank, id`.execute(db)
  return found.map(({ line }) => line)
}
const menuOf = async (page: Page, text: string) => {
  await rowOf(page, text)
    .getByRole('button', { name: /Actions/ })
    .click()
  return page.getByRole('menu').last()
}

async function accountWithMeters(count: number): Promise<number> {
  const account = await makeBillableAccount(db, client, facility, vendor, { name: longName })
  for (let n = 1; n <= count; n++) await makeService(db, client, { billable_account_id: account }, { meter_number: `M-${n}` })
  return account
}

test('services are put in order by the pointer, by the menu and by the keyboard, and a screen reader hears where they are [SVC-SCREEN-001] [SVC-SCREEN-002] [SVC-RULE-007]', async () => {
  const account = await accountWithMeters(4)
  await sql`update services set active = false where billable_account_id = ${account} and meter_number = 'M-4'`.execute(db)
  const page = await open(admin, { at: at(`billable_accounts/${account}/services`) })
  await rowOf(page, 'M-1').waitFor()
  const said = page.locator('.sr-only[role=status]')

  // By pointer: moves the third one above the first.
  const handle = rowOf(page, 'M-3').locator('[data-drag]')
  await handle.hover()
  await page.mouse.down()
  const first = await rowOf(page, 'M-1').boundingBox()
  await page.mouse.move((first?.x ?? 0) + 30, (first?.y ?? 0) + 12, { steps: 6 })
  await page.mouse.move((first?.x ?? 0) + 30, (first?.y ?? 0) + 4)
  await pictureOf(page, 'services-drag')
  await page.mouse.up()
  await soon(() => shownMeters(page)).toEqual(['M-3', 'M-1', 'M-2', 'M-4'])
  await soon(() => storedRanks(account)).toEqual(['1 M-3', '2 M-1', '3 M-2', '4 M-4'])
  await soon(() => said.allInnerTexts()).toContain('M-3 is number 1 of 4 now')

  // Escape cancels.
  await rowOf(page, 'M-2').locator('[data-drag]').hover()
  await page.mouse.down()
  await page.mouse.move((first?.x ?? 0) + 30, (first?.y ?? 0) + 4, { steps: 4 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  expect(await shownMeters(page)).toEqual(['M-3', 'M-1', 'M-2', 'M-4'])

  // By menu; the last active one stays above the inactive one.
  const menu = await menuOf(page, 'M-3')
  expect((await menu.getByRole('menuitem').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    'Edit Service',
    'Delete Service',
    'Move up',
    'Move down',
    'Move to the top',
    'Move to the bottom',
  ])
  expect(await menu.getByRole('menuitem', { name: /Move up/ }).getAttribute('aria-disabled')).toBe('true')
  await menu.getByText('It is the first of those that are active already.').first().waitFor()
  await pictureOf(page, 'services-menu')
  await menu.getByRole('menuitem', { name: 'Move to the bottom' }).click()
  await soon(() => shownMeters(page)).toEqual(['M-1', 'M-2', 'M-3', 'M-4'])
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Actions for M-3')

  // By keyboard, twice in a row, without waiting; the focus follows.
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await soon(() => shownMeters(page)).toEqual(['M-3', 'M-1', 'M-2', 'M-4'])
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Actions for M-3')
  await soon(() => storedRanks(account)).toEqual(['1 M-3', '2 M-1', '3 M-2', '4 M-4'])
  await page.reload()
  await soon(() => shownMeters(page)).toEqual(['M-3', 'M-1', 'M-2', 'M-4'])
  await lookedAt(page, 'services')
  await pictureOf(page, 'services')

  // In another sort order nothing can be dragged, and the menu says why.
  await page.goto(`${at(`billable_accounts/${account}/services`)}?sort=-meter_number`)
  await soon(() => shownMeters(page)).toEqual(['M-4', 'M-3', 'M-2', 'M-1'])
  expect(await page.locator('[data-drag]').count()).toBe(0)
  await (await menuOf(page, 'M-2')).getByText('Reset the filters and the sort to move services.').first().waitFor()
})

test('an order of services that somebody else has changed meanwhile is refused, and the list shown as it is', async () => {
  const account = await accountWithMeters(3)
  const page = await open(admin, { at: at(`billable_accounts/${account}/services`) })
  await rowOf(page, 'M-3').waitFor()
  await page.locator('[data-drag]').first().waitFor()
  await makeService(db, client, { billable_account_id: account }, { meter_number: 'M-9' })
  await (await menuOf(page, 'M-3')).getByRole('menuitem', { name: 'Move to the top' }).click()
  expect(await heardNotice(page)).toMatchObject({ kind: 'Error' })
  await soon(() => shownMeters(page)).toEqual(['M-1', 'M-2', 'M-3', 'M-9'])
})

test('who may only read sees the order and cannot change it; an account without services says what to do', async () => {
  const account = await accountWithMeters(2)
  const reader = await makePerson(db, 'read_only_user', { clients: [client] })
  const page = await open(reader, { at: at(`billable_accounts/${account}/services`) })
  await rowOf(page, 'M-2').waitFor()
  expect(await page.locator('[data-drag]').count()).toBe(0)
  const empty = await open(admin, { at: at(`billable_accounts/${await makeBillableAccount(db, client, facility, vendor)}/services`) })
  await empty.getByText('This account has no services yet').waitFor()
  await empty.getByRole('link', { name: 'Add New' }).last().click()
  await empty.getByRole('heading', { name: 'New Form' }).waitFor()
})

test('the form says what an empty emissions factor uses, steps ratios by a hundredth, and shows what a supply service is booked on [SVC-FIELD-004] [SVC-FIELD-006] [SVC-RULE-004] [LIST-CONST-010]', async () => {
  const home = await makeBillableAccount(db, client, facility, vendor, { account_number: 'HOME-1' })
  const electric = await makeService(db, client, { billable_account_id: home }, { meter_number: 'E-77' })
  const office = await makeLedgerAccount(db, client, '6100 Office Power')
  await sql`update services set ledger_account_id = ${office} where id = ${electric}`.execute(db)
  const supplier = await makeSupplyAccount(db, client, facility)
  await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) values (${client}, ${supplier}, ${electric})`.execute(
    db,
  )
  const id = await makeService(db, client, { supply_account_id: supplier }, { meter_number: 'S-77' })
  await sql`update services set billable_ledgers = true where id = ${id}`.execute(db)
  const page = await open(admin, { at: at(`supply_accounts/${supplier}/services/${id}/edit`) })
  await page.getByText('E-77 of account HOME-1').waitFor()
  await page.getByText('6100 Office Power 1', { exact: true }).waitFor()
  const { rows: found } = await sql<{
    factor: string
  }>`select emissions_factor::text as factor from utility_services where name = 'Electric'`.execute(db)
  const factor = found[0]?.factor ?? ''
  await page.getByText(`Empty uses ${factor} kg CO₂e/kWh of Electric.`).waitFor()
  expect(await page.getByLabel('Emissions Factor').getAttribute('placeholder')).toBe(factor)

  await page.getByLabel('Emissions Factor').fill('0.34567')
  await page.getByLabel('Meter Multiplier').fill('1.2345')
  await page.getByRole('button', { name: 'Add Shared Account' }).click()
  const ratio = page.getByLabel(/^Share Ratio/)
  await ratio.fill('0.98755')
  await save(page)
  await page.getByText('Share Ratio must have at most 4 decimals').waitFor()
  await ratio.fill('0.9875')
  await ratio.press('ArrowUp')
  expect(await ratio.inputValue()).toBe('0.9975')
  await ratio.press('ArrowUp')
  await ratio.press('ArrowUp')
  expect(await ratio.inputValue()).toBe('1')
  await ratio.press('ArrowDown')
  expect(await ratio.inputValue()).toBe('0.99')
  await page.getByLabel('Effective From').fill('06/30/2026')
  await page.getByLabel('Effective To').fill('01/31/2026')
  await save(page)
  await page.getByText('Emissions Factor must have at most 4 decimals').waitFor()
  await page.getByLabel('Emissions Factor').fill('0.3456')
  await page.getByRole('button', { name: /^Remove Shared Accounts/ }).click()
  await save(page)
  await page.getByText('Effective To must not be before Effective From').waitFor()
  await page.getByLabel('Effective To').fill('12/31/2026')
  await page.getByLabel('Net Metered').check()
  await page.getByText('Booked on').scrollIntoViewIfNeeded()
  await pictureOf(page, 'supply-service-form')
  await lookedAt(page, 'supply-service-form')
  await save(page)
  await page.waitForURL(`**${at(`supply_accounts/${supplier}/services`)}`)
  const { rows: stored } =
    await sql`select emissions_factor::text, meter_multiplier::text, net_metered, effective_from::text, effective_to::text from services where id = ${id}`.execute(
      db,
    )
  expect(stored).toEqual([
    { emissions_factor: '0.3456', meter_multiplier: '1.2345', net_metered: true, effective_from: '2026-06-30', effective_to: '2026-12-31' },
  ])

  // The same four decimals for a facility's size, on the screen and in the table.
  const site = await open(admin, { at: at(`facilities/${facility}/edit`) })
  await site.getByLabel('Square Footage').fill('1200.12345')
  await save(site)
  await site.getByText('Square Footage must have at most 4 decimals').waitFor()
  await site.getByLabel('Square Footage').fill('1200.1234')
  await save(site)
  await site.waitForURL(/facilities$/)
  const { rows: sizes } = await sql`select square_footage::text from facilities where id = ${facility}`.execute(db)
  expect(sizes).toEqual([{ square_footage: '1200.1234' }])

  // A service of a billable account has no such choice.
  const billable = await open(admin, { at: at(`billable_accounts/${home}/services/${electric}/edit`) })
  await billable.getByLabel('Meter Number *', { exact: true }).waitFor()
  expect(await billable.getByLabel('Billable Ledgers').count()).toBe(0)
})

const today = todayIn(NEW_YORK, new Date())

async function addBills(clientId: number, account: number, months: readonly number[]): Promise<number[]> {
  const ids: number[] = []
  for (const back of months) {
    const from = addMonths(`${monthOf(today)}-01`, -back)
    const { rows: made } = await sql<{
      id: number
    }>`insert into bills (client_id, billable_account_id, account_number, date, due_date, previous_read_date, read_date, amount_due, created_at)
      values (${clientId}, ${account}, 'x', ${addDays(lastDayOf(monthOf(from)), 3)}, ${addDays(lastDayOf(monthOf(from)), 23)}, ${from}, ${addMonths(from, 1)}, '1234.50',
        ${addDays(lastDayOf(monthOf(from)), 5)}::timestamp) returning id`.execute(db)
    ids.push(made[0]?.id ?? 0)
  }
  return ids
}

test('the calendar shows for each account which bills are there, due, late and missing, in shapes and words, and leads to them', async () => {
  const own = await makeClient(db, { name: 'Calendar Stores' })
  const place = await makeFacility(db, own, await makeDivision(db, own), { name: longName })
  const whole = await makeBillableAccount(db, own, place, vendor, { account_number: 'A-WHOLE', name: longName })
  const gap = await makeBillableAccount(db, own, place, vendor, { account_number: 'B-GAP-4417-0098821-0000-1' })
  await makeBillableAccount(db, own, place, vendor, { account_number: 'C-CLOSED' })
  await sql`update billable_accounts set active = false where account_number = 'C-CLOSED'`.execute(db)
  const all = [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
  const ids = await addBills(own, whole, all)
  await addBills(
    own,
    gap,
    all.filter((back) => back !== 5),
  )
  const path = `/clients/${own}/billable_accounts`
  const page = await open(admin, { at: path })
  await rowOf(page, 'A-WHOLE').waitFor()
  await page.getByRole('button', { name: 'Export services' }).waitFor()
  await pictureOf(page, 'account-list')
  await page.getByRole('link', { name: 'Bill Calendar' }).click()
  await rowOf(page, 'B-GAP').waitFor()
  expect(addressOf(page)).toBe(`${path}/bill_calendar`)
  await page.getByText('1 month missing at 1 account').waitFor()
  await page.getByText('No month late').waitFor()
  const cellsOf = async (text: string) =>
    (await rowOf(page, text).getByRole('gridcell').allInnerTexts()).slice(2).map((cell) => cell.trim())
  expect(await cellsOf('A-WHOLE')).toEqual([...Array.from({ length: 12 }, () => 'Billed'), 'Due'])
  expect((await cellsOf('B-GAP')).map((word, place) => (word === 'Billed' ? '' : `${place} ${word}`)).filter(Boolean)).toEqual([
    '7 Missing',
    '12 Due',
  ])
  expect(new Set(await cellsOf('C-CLOSED'))).toEqual(new Set(['–\nno bill expected']))

  // By keyboard: the text of a month, and its bill.
  await rowOf(page, 'A-WHOLE').getByRole('gridcell').first().focus()
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
  const december = addMonths(`${monthOf(today)}-01`, -11)
  await page
    .getByRole('tooltip')
    .getByText(`Bill of ${formatDate(addDays(lastDayOf(monthOf(december)), 3))}, $1,234.50`)
    .waitFor()
  await pictureOf(page, 'bill-calendar')
  await lookedAt(page, 'bill-calendar')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/clients/${own}/bills/${ids[3]}/dashboard`)

  await page.goto(`${path}/bill_calendar`)
  await page.getByRole('link', { name: '1 month missing at 1 account' }).click()
  await rowOf(page, 'A-WHOLE').waitFor({ state: 'detached' })
  expect(await rows(page).count()).toBe(1)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  expect(await heardNotice(page)).toMatchObject({ kind: 'Done' })
  const light = await open(admin, { at: `/clients/${own}/bill_calendar`, theme: 'light' })
  await rowOf(light, 'B-GAP').waitFor()
  await lookedAt(light, 'bill-calendar-light')
  await light.goto(`/clients/${own}/supply_accounts/bill_calendar`)
  await light.getByText(/^No .* yet$/).waitFor()
})
