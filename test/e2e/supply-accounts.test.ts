/** Supply accounts in the console, and further fields of both kinds of account forms: aliases, effective dates, audit thresholds. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { keepLastBills } from '../../src/server/estate/last-bills.ts'
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
import { addressOf, goInside, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { heardNotice, noticesSaid } from './notices-said.ts'
import { pictureOf } from './pictures.ts'

const { db, open } = await startConsole()
const longName = 'Consolidated Cold Storage and Distribution of the Lower Coast'
let admin: Person
let client = 0
let division = 0
let facility = 0
let vendor = 0
let meter = 0

beforeAll(async () => {
  client = await makeClient(db, { name: 'Harbor Foods' })
  division = await makeDivision(db, client, { name: 'West Coast' })
  facility = await makeFacility(db, client, division, { name: 'Cold Store' })
  vendor = await makeVendor(db, { name: 'Green Supply' })
  const delivered = await makeBillableAccount(db, client, facility, vendor, { name: 'Freezer', account_number: '77-001' })
  meter = await makeService(db, client, { billable_account_id: delivered }, { utility_service: 'Electric', meter_number: 'METER-55' })
  admin = await makePerson(db, 'super_admin')
})

const at = (path: string) => `/clients/${client}/${path}`
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const headers = async (page: Page) =>
  (await page.getByRole('columnheader').allInnerTexts())
    .map((text) => text.split('\n')[0]?.trim() ?? '')
    .filter((text) => text !== '' && text !== 'Actions')
const menuOf = async (page: Page, text: string) => {
  await rowOf(page, text)
    .getByRole('button', { name: /Actions/ })
    .click()
  return page.getByRole('menu').last()
}
const tabs = async (page: Page, label: string) => {
  const links = page.getByRole('navigation', { name: label, exact: true }).getByRole('link')
  await links.first().waitFor()
  return links.allInnerTexts()
}
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allInnerTexts()
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const stored = async (id: number) => {
  const { rows } = await sql<
    Record<string, unknown>
  >`select name, account_number, active, facility_id, vendor_id, billing_period, billing_cycle, state, service_identifiers, tax_ids,
      effective_from, effective_to, audits_off, audit_settings, array(select alias from account_aliases where supply_account_id = ${id} order by id) as aliases,
      array(select service_id from supply_account_billable_services where supply_account_id = ${id}) as billable_service_ids
    from supply_accounts where client_id = ${client} and id = ${id}`.execute(db)
  return rows[0]
}
/** Moves to a field by keyboard only. */
const tabTo = async (page: Page, label: string | RegExp) => {
  const field = page.getByLabel(label).first()
  for (let tries = 0; tries < 120; tries++) {
    if (await field.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(label)}`)
}

test('a new one is typed without a mouse, starts monthly and leads to its first service; a changed one leads to the list [SACC-ROUTE-002] [SACC-ROUTE-004] [SACC-ROUTE-007] [SACC-TRANS-001] [SACC-TRANS-002] [SACC-RULE-001] [SACC-RULE-002] [SACC-FIELD-001] [SACC-FIELD-002] [SACC-FIELD-003] [SACC-FIELD-005]', async () => {
  const page = await open(admin, { at: at('supply_accounts/new') })
  await page.getByLabel('Name *', { exact: true }).waitFor()
  expect(await page.getByLabel('Active').isChecked()).toBe(true)
  expect(await page.getByLabel('Billing Cycle').inputValue()).toBe('30')
  expect(await page.getByLabel('Billing Period').inputValue()).toBe('2')
  expect(await page.getByLabel('Billing Period').locator('option').allInnerTexts()).toEqual(['Weekly', 'Bi-Weekly', 'Monthly', 'Quarterly'])
  const states = await page.getByLabel('State *', { exact: true }).locator('option').allInnerTexts()
  expect(states).toEqual(expect.arrayContaining(['California', 'District of Columbia', 'Puerto Rico', 'Ontario']))
  expect(await page.getByLabel('Mailing State').locator('option').count()).toBe(states.length)
  await page.keyboard.press('Control+Enter')
  await tabTo(page, 'Name *')
  await page.keyboard.press('Control+Enter')
  for (const message of ['Name', 'Account Number', 'Street Address 1', 'City', 'State', 'Zipcode'])
    await page.getByText(`${message} is required`, { exact: true }).waitFor()
  expect(await page.getByText(/^(Facility|Vendor) is required$/).count()).toBe(0)
  await page.getByLabel('Name *', { exact: true }).focus()
  await page.keyboard.type(longName)
  await tabTo(page, 'Account Number *')
  await page.keyboard.type('S-900')
  await tabTo(page, /^Billable Services/)
  await page.keyboard.type('METER-55')
  await page.getByRole('option', { name: /METER-55/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Remove METER-55/ }).waitFor()
  await page.keyboard.press('Escape')
  await tabTo(page, 'Service Identifiers')
  for (const text of ['POD-1', 'POD-2', 'POD-1']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await tabTo(page, 'Street Address 1 *')
  await page.keyboard.type('1 Main')
  await tabTo(page, 'City *')
  await page.keyboard.type('Austin')
  await tabTo(page, 'State *')
  await page.keyboard.type('Texas')
  await tabTo(page, 'Zipcode *')
  await page.keyboard.type('78701')
  await tabTo(page, /^Aliases/)
  await page.keyboard.type('OLD-900')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/supply_accounts\/\d+\/services\/new$/)
  const id = Number(/supply_accounts\/(\d+)/.exec(addressOf(page))?.[1])
  expect(await stored(id)).toMatchObject({
    name: longName,
    active: true,
    facility_id: null,
    vendor_id: null,
    billing_period: 2,
    billing_cycle: 30,
    state: 'TX',
    service_identifiers: ['POD-1', 'POD-2'],
    tax_ids: [],
    aliases: ['OLD-900'],
    billable_service_ids: [meter],
  })
  await page.goto(at(`supply_accounts/${id}/edit`))
  await page.getByText('METER-55 · 77-001').waitFor()
  await page.getByLabel('Tax IDs').focus()
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text', 'TX-1\nTX-2\n\nTX-1')
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await page.getByRole('button', { name: 'Remove TX-1 from Tax IDs' }).waitFor()
  await page.getByRole('button', { name: 'Remove POD-1 from Service Identifiers' }).click()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('service_identifiers')
  await page.keyboard.press('Backspace')
  await lookedAt(page, 'supply-form')
  await pictureOf(page, 'supply-form')
  await save(page)
  await page.waitForURL(`**${at('supply_accounts')}`)
  await rowOf(page, longName).waitFor()
  expect(await stored(id)).toMatchObject({ service_identifiers: [], tax_ids: ['TX-1', 'TX-2'] })
})

test('are listed for a client, for all and for a facility, with what their rows lead to [SACC-ROUTE-001] [SACC-SCREEN-002] [SACC-CONST-001] [FAC-ROUTE-008] [LIST-SCREEN-001] [NAV-ROUTE-023] [LIST-RULE-001]', async () => {
  const id = await makeSupplyAccount(db, client, facility, { name: 'Iced', account_number: '88-100' })
  await makeService(db, client, { supply_account_id: id }, { utility_service: 'Electric' })
  await makeService(db, client, { supply_account_id: id }, { utility_service: 'Water' })
  await sql`update supply_accounts set active = false, vendor_id = ${vendor} where id = ${id}`.execute(db)
  await sql`insert into bills (client_id, supply_account_id, account_number, facility_id, division_id, date, due_date)
    values (${client}, ${id}, '88-100', ${facility}, ${division}, '2026-05-02', '2026-05-20')`.execute(db)
  await db.transaction().execute((tx) => keepLastBills(tx, client, { billable_account_ids: [], supply_account_ids: [id] }))
  await makeSupplyAccount(db, client, null, { name: longName, account_number: '88-200' })
  const page = await open(admin, { at: at('supply_accounts?account_number=88-') })
  await rowOf(page, 'Iced').waitFor()
  const columns = ['Account Number', 'Name', 'Facility', 'Vendor', 'Services', 'Active', 'Last Bill Date']
  expect(await headers(page)).toEqual(columns)
  expect(await page.getByLabel('Per page').locator('option').allInnerTexts()).toEqual(['Fit', '10', '20', '50', '100', '200'])
  expect(
    await rowOf(page, 'Iced')
      .locator('svg[data-service]')
      .evaluateAll((icons) => icons.map((icon) => icon.getAttribute('data-service'))),
  ).toEqual(['Electric', 'Water'])
  for (const text of ['Cold Store', 'Green Supply', 'Inactive', '05/02/2026']) expect(await rowOf(page, 'Iced').innerText()).toContain(text)
  expect(await (await menuOf(page, 'Iced')).getByRole('menuitem').allInnerTexts()).toEqual(['Edit', 'View', 'Delete'])
  await page.keyboard.press('Escape')
  expect(await page.getByRole('link', { name: 'Import', exact: true }).getAttribute('href')).toBe(at('supply_accounts/import'))
  await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
  await lookedAt(page, 'supply-list')
  await pictureOf(page, 'supply-list')
  await goInside(page, '/supply_accounts?account_number=88-')
  await soon(() => headers(page)).toEqual([...columns, 'Client'])
  await rowOf(page, 'Iced').waitFor()
  expect(await rowOf(page, 'Iced').getByRole('link').first().getAttribute('href')).toBe(at(`supply_accounts/${id}/dashboard`))
  for (const list of ['divisions', 'facilities', 'billable_accounts']) {
    await goInside(page, `/${list}`)
    const first = page.getByRole('grid').getByRole('row').getByRole('link').first()
    await soon(() => first.getAttribute('href')).toMatch(new RegExp(`^/clients/\\d+/${list}/\\d+/dashboard$`))
  }
  // Down the hierarchy by its links: client, division, facility, accounts.
  await goInside(page, at('divisions'))
  // The list beside the page names the divisions too.
  await page.getByRole('grid').getByRole('link', { name: 'West Coast' }).click()
  await page.getByRole('navigation', { name: 'Division', exact: true }).getByRole('link', { name: 'Facilities' }).click()
  await page.getByRole('grid').getByRole('link', { name: 'Cold Store' }).click()
  await page.getByRole('navigation', { name: 'Facility', exact: true }).getByRole('link', { name: "Facility's Billable Accounts" }).click()
  await rowOf(page, 'Freezer').waitFor()
  await page.getByRole('link', { name: "Facility's Supply Accounts" }).click()
  await page.waitForURL(`**${at(`facilities/${facility}/supply_accounts`)}`)
  await rowOf(page, 'Iced').waitFor()
  expect(await rowOf(page, longName).count()).toBe(0)
  expect(await tabs(page, 'Facility')).toEqual(['Dashboard', 'Documents', "Facility's Billable Accounts", "Facility's Supply Accounts"])
  await page.getByRole('link', { name: 'Add New' }).click()
  await soon(() => page.getByRole('combobox', { name: /^Facility/ }).inputValue()).toBe('Cold Store')
})

test('have a head that says where they stand, and pages for dashboard, documents, bills and services [SACC-ROUTE-005] [SACC-ROUTE-006] [SACC-ROUTE-008] [SACC-ROUTE-009] [SACC-ROUTE-010] [SACC-ROUTE-011] [SACC-SCREEN-001] [SACC-ROUTE-003] [FAC-ROUTE-003] [FAC-ROUTE-009] [BACC-ROUTE-003] [BACC-ROUTE-009] [BACC-ROUTE-010] [DIV-ROUTE-003] [DIV-ROUTE-010]', async () => {
  const placed = await makeSupplyAccount(db, client, facility, { account_number: '90-1' })
  const free = await makeSupplyAccount(db, client, null, { account_number: '90-2' })
  const service = await makeService(db, client, { supply_account_id: placed }, { meter_number: 'SUP-METER' })
  const page = await open(admin, { at: at(`supply_accounts/${placed}`) })
  await page.waitForURL(`**${at(`supply_accounts/${placed}/dashboard`)}`)
  expect(await tabs(page, 'Supply Account')).toEqual(['Dashboard', 'Documents', "Supply Account's bills", 'Services'])
  await soon(() => crumbs(page)).toEqual(['West Coast', 'Cold Store', '90-1'])
  const map = page.getByRole('link', { name: /1 Main/ })
  expect(decodeURIComponent((await map.getAttribute('href')) ?? '')).toContain('1 Main, Austin, TX, 78701')
  for (const [tab, end] of [
    ['Documents', 'documents'],
    ["Supply Account's bills", 'bills'],
    ['Services', 'services'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Supply Account', exact: true }).getByRole('link', { name: tab }).click()
    await page.waitForURL(`**${at(`supply_accounts/${placed}/${end}`)}`)
    await page.getByRole('grid').waitFor()
  }
  await rowOf(page, 'SUP-METER').waitFor()
  await lookedAt(page, 'supply-services')
  await goInside(page, at(`supply_accounts/${placed}/services/${service}/edit`))
  await page.getByLabel('Meter Number *', { exact: true }).waitFor()
  await goInside(page, at(`supply_accounts/${free}/documents`))
  await soon(() => crumbs(page)).toEqual(['Supply Accounts', '90-2'])
  const account = await makeBillableAccount(db, client, facility, vendor)
  for (const owner of [`supply_accounts/${placed}`, `billable_accounts/${account}`, `facilities/${facility}`, `divisions/${division}`]) {
    await goInside(page, at(`${owner}/documents`))
    await page.getByRole('grid', { name: 'Documents' }).waitFor()
    await goInside(page, at(`${owner}/documents/new`))
    await page.getByLabel('Title *', { exact: true }).waitFor()
  }
  await goInside(page, at(`billable_accounts/${account}/bills`))
  await page.getByRole('grid', { name: 'Invoices' }).waitFor()
  for (const [list, labels] of [
    ['divisions', 'Divisions'],
    ['facilities', 'Facilities'],
    ['billable_accounts', 'Billable Accounts'],
    ['supply_accounts', 'Supply Accounts'],
  ] as const) {
    await goInside(page, at(`${list}/import`))
    await page.getByRole('heading', { name: `Import ${labels}` }).waitFor()
    await page.locator('input[type=file]').waitFor({ state: 'attached' })
  }
})

test('say why they cannot be deleted, and save by the shared notice [LIST-MSG-012] [FAC-MSG-001] [PERM-PERM-021]', async () => {
  const id = await makeSupplyAccount(db, client, facility, { name: 'Held', account_number: '91-1' })
  await makeService(db, client, { supply_account_id: id })
  const page = await open(admin, { at: at('supply_accounts?account_number=91-1') })
  await (await menuOf(page, 'Held')).getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  expect(await heardNotice(page)).toMatchObject({
    kind: 'Error',
    title: 'This account still has services. Take them away first, or set the account inactive.',
  })
  await page.goto(at(`supply_accounts/${id}/edit`))
  await page.getByLabel('Name *', { exact: true }).fill('Held still')
  await save(page)
  expect(await heardNotice(page, 1)).toMatchObject({ kind: 'Done', title: 'Success', message: 'Supply Account updated' })
  const gone = await makeDivision(db, client, { name: 'Short Lived' })
  await goInside(page, at('facilities/new'))
  await page.getByLabel('Name *', { exact: true }).fill('Annex')
  await page.getByLabel('Number *', { exact: true }).fill('12')
  await page.getByRole('combobox', { name: /^Division/ }).fill('Short')
  await page.getByRole('option', { name: /Short Lived/ }).click()
  await sql`delete from divisions where id = ${gone}`.execute(db)
  await save(page)
  expect(await heardNotice(page, 2)).toMatchObject({ kind: 'Error', message: 'This record cannot be found' })
  const reader = await makePerson(db, 'read_only_user', { clients: [client] })
  const theirs = await open(reader, { at: at('supply_accounts?account_number=91-1') })
  expect(await (await menuOf(theirs, 'Held still')).getByRole('menuitem').allInnerTexts()).toEqual(['View'])
  expect(await theirs.getByRole('link', { name: 'Add New' }).count()).toBe(0)
})

test('carry aliases, effective dates and thresholds beside the inherited ones, and their history says so; billable accounts too [BACC-CONST-002] [LIST-MSG-012]', async () => {
  const id = await makeSupplyAccount(db, client, facility, { account_number: '92-1' })
  await sql`update clients set audit_settings = '{"min_cost": "75.00"}' where id = ${client}`.execute(db)
  const page = await open(admin, { at: at(`supply_accounts/${id}/edit`) })
  await page.getByText('Thresholds').click()
  const smallest = page.getByLabel('Smaller bills give no warnings')
  await soon(() => smallest.getAttribute('placeholder')).toBe('75.00')
  expect(await page.getByLabel('High usage: warning from').getAttribute('placeholder')).toBe('30')
  await smallest.fill('20')
  await page.getByLabel('High usage: warning from').fill('-4')
  await page.getByLabel('Repeated usage').uncheck()
  await page.getByLabel('Audits Off').check()
  await page.getByLabel('Effective From').fill('12/31/2026')
  await page.getByLabel('Effective To').fill('01/01/2026')
  await page.getByText('2 set here').waitFor({ state: 'detached' })
  await save(page)
  await page.getByText('Effective To must not be before Effective From').first().waitFor()
  expect(addressOf(page)).toBe(at(`supply_accounts/${id}/edit`))
  await page.getByLabel('High usage: warning from').fill('')
  await page.getByLabel('Effective To').fill('12/31/2027')
  await page.getByText('Audits that run').scrollIntoViewIfNeeded()
  await lookedAt(page, 'supply-thresholds')
  await pictureOf(page, 'supply-thresholds')
  await save(page)
  await page.waitForURL(`**${at('supply_accounts')}`)
  expect(await stored(id)).toMatchObject({
    effective_from: '2026-12-31',
    effective_to: '2027-12-31',
    audits_off: true,
    audit_settings: { min_cost: '20.00', disabled_codes: ['usage_same'] },
  })
  await goInside(page, at(`supply_accounts/${id}/documents`))
  await page.getByRole('button', { name: 'History' }).click()
  const panel = page.getByRole('dialog')
  await panel.getByText('Smaller bills give no warnings 20.00 · Audits that do not run usage_same').waitFor()
  await pictureOf(page, 'supply-history')
  const billable = await makeBillableAccount(db, client, facility, vendor)
  await goInside(page, at(`billable_accounts/${billable}/edit`))
  await page.getByLabel('Aliases').fill('77-001')
  await page.keyboard.press('Enter')
  await page.getByLabel('Billing Period').selectOption('Quarterly')
  await save(page)
  await page.getByText('77-001 is a number or an alias of another account of the same vendor').first().waitFor()
  await page.getByRole('button', { name: 'Remove 77-001 from Aliases' }).click()
  await page.keyboard.type('OLD-7')
  await save(page)
  await page.waitForURL(`**${at('billable_accounts')}`)
  expect(await noticesSaid(page)).toContainEqual(expect.objectContaining({ title: 'Success', message: 'Billable Account updated' }))
  const { rows } =
    await sql`select billing_period, array(select alias from account_aliases where billable_account_id = ${billable}) as aliases
    from billable_accounts where id = ${billable}`.execute(db)
  expect(rows).toEqual([{ billing_period: 3, aliases: ['OLD-7'] }])
})
