import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeLedgerAccount,
  makeService,
  makeVendor,
} from '../support/estate.ts'
import { addressOf, startConsole } from './console.ts'
import { heardNotice } from './notices-said.ts'

const { db, open } = await startConsole()
let admin: Person
let client = 0
let division = 0
let facility = 0
let vendor = 0

beforeAll(async () => {
  client = await makeClient(db, { name: 'Harbor Foods' })
  division = await makeDivision(db, client, { name: 'West Coast' })
  facility = await makeFacility(db, client, division, { name: 'Cold Store' })
  vendor = await makeVendor(db, { name: 'Pacific Gas' })
  admin = await makePerson(db, 'super_admin')
})

const at = (path: string) => `/clients/${client}/${path}`
const headers = async (page: Page) =>
  (await page.getByRole('columnheader').allInnerTexts())
    .map((text) => text.split('\n')[0]?.trim() ?? '')
    .filter((text) => text !== '' && text !== 'Actions')
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const menuOf = async (page: Page, text: string): Promise<Locator> => {
  await rowOf(page, text).getByRole('button').last().click()
  return page.getByRole('menu').last()
}
const menuTexts = async (page: Page, text: string) => (await menuOf(page, text)).getByRole('menuitem').allInnerTexts()
const tabs = async (page: Page, label: string) => {
  const links = page.getByRole('navigation', { name: label, exact: true }).getByRole('link')
  await links.first().waitFor()
  return links.allInnerTexts()
}
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const pick = async (page: Page | Locator, label: string, text: string) => {
  const box = page.getByRole('combobox', { name: new RegExp(`^${label}`) })
  await box.fill(text)
  await ('page' in page ? page.page() : page)
    .getByRole('option', { name: new RegExp(text) })
    .first()
    .click()
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

describe('clients', () => {
  test('are listed under All Clients with their state, and lead on by their menu [CLIENT-ROUTE-001] [CLIENT-SCREEN-005] [CLIENT-SCREEN-006] [CLIENT-SCREEN-008] [CLIENT-SCREEN-009] [CLIENT-TRANS-002]', async () => {
    await makeClient(db, { name: 'Closed Shops', active: false })
    const page = await open(admin, { at: '/clients' })
    await rowOf(page, 'Harbor Foods').waitFor()
    expect(await tabs(page, 'Clients')).toEqual(['All Clients'])
    expect(await headers(page)).toEqual(['Name', 'Active', 'Short Code', 'Logo'])
    expect(await rowOf(page, 'Harbor Foods').innerText()).toContain('Active')
    expect(await rowOf(page, 'Closed Shops').innerText()).toContain('Deactivated')
    for (const name of ['Add New', 'Import']) await page.getByRole('link', { name, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
    expect(await menuTexts(page, 'Harbor Foods')).toEqual(['Edit Client', 'Vendor Numbers', 'Scope to Client'])
    const items = page.getByRole('menuitem')
    expect(await items.nth(0).getAttribute('href')).toBe(`/clients/${client}/edit`)
    expect(await items.nth(1).getAttribute('href')).toBe(`/clients/${client}/client_vendor_numbers`)
    await items.nth(2).click()
    await page.waitForURL(`**/clients/${client}/dashboard`)
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Client: Harbor Foods/ })
      .waitFor()
  })

  test('are made by a form that names what is missing, batch groups among it [CLIENT-ROUTE-002] [CLIENT-ROUTE-003] [CLIENT-SCREEN-011] [CLIENT-SCREEN-014] [CLIENT-RULE-002] [CLIENT-MSG-001]', async () => {
    const page = await open(admin, { at: '/clients/new' })
    await page.getByRole('heading', { name: 'New Form' }).waitFor()
    expect(await page.getByRole('link', { name: 'Go Back' }).getAttribute('href')).toBe('/clients')
    expect(await page.getByLabel('Bills Due On').inputValue()).toBe('Upon Receipt')
    for (const label of ['Channel Partner', 'Notes', 'Logo'])
      await page.getByLabel(label, { exact: true }).first().waitFor({ state: 'attached' })
    expect(await page.getByLabel('Active').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Add Batch Group' }).click()
    await save(page)
    for (const message of ['Name is required', 'Short Code is required', 'Identifier is required', 'Missing Batch Group Name'])
      await page.getByText(message, { exact: true }).waitFor()
    await page.getByLabel('Name *', { exact: true }).fill('New Grocer')
    await page.getByLabel('Short Code').fill('NGR')
    await page.getByLabel('Identifier').fill('77')
    await page.getByLabel(/^Batch Group Name/).fill('North')
    await save(page)
    await page.waitForURL('**/clients')
    const { rows } = await sql<{
      id: number
      groups: string[]
    }>`select id, array(select name from batch_groups where client_id = clients.id) as groups from clients where short_code = 'NGR'`.execute(
      db,
    )
    expect(rows[0]?.groups).toEqual(['North'])
    await page.goto(`/clients/${rows[0]?.id}/edit`)
    await page.getByRole('heading', { name: 'Edit Form' }).waitFor()
    await page.getByRole('button', { name: 'Remove Batch Groups 1' }).click()
    await save(page)
    await page.waitForURL('**/clients')
    const after = await sql<{ n: number }>`select count(*) as n from batch_groups where client_id = ${rows[0]?.id}`.execute(db)
    expect(after.rows).toEqual([{ n: 0 }])
  })

  test('give their logo for download [CLIENT-SCREEN-007]', async () => {
    const id = await makeClient(db, { name: 'Pictured' })
    await sql`update clients set logo_file_id = (select id from files limit 1) where id = ${id}`.execute(db)
    const { rows } = await sql<{
      id: number
    }>`insert into files (key, filename, content_type, byte_size, state) values ('logos/pictured.png', 'pictured.png', 'image/png', 1, 'attached') returning id`.execute(
      db,
    )
    await sql`update clients set logo_file_id = ${rows[0]?.id} where id = ${id}`.execute(db)
    const page = await open(admin, { at: '/clients?name=Pictured' })
    const link = rowOf(page, 'Pictured').getByRole('link', { name: 'pictured.png' })
    await link.waitFor()
    expect(await link.getAttribute('download')).toBe('pictured.png')
    expect(await link.getAttribute('href')).toContain('/api/v5/files/')
  })

  test('show and save what they have subscribed to, and the menu follows [CLIENT-ROUTE-010] [CLIENT-SCREEN-003] [CLIENT-SCREEN-012] [CLIENT-SCREEN-013] [CLIENT-FIELD-007] [CLIENT-FIELD-008]', async () => {
    const id = await makeClient(db, { name: 'Subscriber' })
    const page = await open(admin, { at: `/clients/${id}/subscriptions` })
    expect(await tabs(page, 'Client')).toEqual(['Dashboard', 'Users', 'Subscriptions', 'Documents', 'Audits', 'Today'])
    const main = page.getByRole('navigation', { name: 'Main' })
    await main.getByText('Financials').waitFor()
    for (const label of ['Utility Payment Management', 'Client Batch Management', 'Ledger Account Management'])
      await page.getByLabel(label).uncheck()
    await save(page)
    expect(await heardNotice(page)).toMatchObject({ title: 'Success', message: 'Subscriptions updated' })
    await main.getByText('Financials').waitFor({ state: 'detached' })
    const { rows } =
      await sql`select user_management, utility_payment_management, accounting_batch_management, ledger_account_management from clients where id = ${id}`.execute(
        db,
      )
    expect(rows).toEqual([
      { user_management: true, utility_payment_management: false, accounting_batch_management: false, ledger_account_management: false },
    ])
    const reader = await makePerson(db, 'client_manager', { clients: [id] })
    const theirs = await open(reader, { at: `/clients/${id}/dashboard` })
    await theirs.getByRole('navigation', { name: 'Main' }).getByText('Divisions').waitFor()
    await theirs.goto(`/clients/${id}/subscriptions`)
    await theirs.getByText('You have no access to this page').waitFor()
  })

  test('show the tab Users with the subscription and the right, each alone not [CLIENT-SCREEN-002]', async () => {
    const [on, off] = [await makeClient(db), await makeClient(db)]
    await sql`update clients set user_management = false where id = ${off}`.execute(db)
    const staff = await open(admin, { at: `/clients/${on}/subscriptions` })
    await staff.getByLabel('User Management').waitFor()
    expect(await tabs(staff, 'Client')).toContain('Users')
    const without = await open(admin, { at: `/clients/${off}/subscriptions` })
    await without.getByLabel('User Management').waitFor()
    expect(await tabs(without, 'Client')).not.toContain('Users')
  })
})

describe('divisions', () => {
  test('are made, listed and deleted by the words of the specification [DIV-ROUTE-001] [DIV-ROUTE-002] [DIV-ROUTE-005] [DIV-SCREEN-001] [DIV-SCREEN-002] [DIV-SCREEN-003] [DIV-SCREEN-004] [DIV-SCREEN-005] [DIV-TRANS-001] [LIST-TRANS-003]', async () => {
    const page = await open(admin, { at: at('divisions') })
    await rowOf(page, 'West Coast').waitFor()
    expect(await headers(page)).toEqual(['Name', 'Short Code', 'Code', 'Client'])
    await page.getByRole('link', { name: 'Add New' }).click()
    await page.getByRole('heading', { name: 'New Form' }).waitFor()
    await page.getByRole('link', { name: 'Go Back' }).waitFor()
    await save(page)
    for (const message of ['Name is required', 'Short Code is required', 'Code is required'])
      await page.getByText(message, { exact: true }).waitFor()
    await page.getByLabel('Name *', { exact: true }).fill('Lakes')
    await page.getByLabel('Short Code *', { exact: true }).fill('LK')
    await page.getByLabel('Code *', { exact: true }).fill('07')
    await page.getByRole('combobox', { name: 'Batch Group' }).waitFor()
    await save(page)
    await page.waitForURL(`**${at('divisions')}`)
    await rowOf(page, 'Lakes').waitFor()
    expect(await menuTexts(page, 'Lakes')).toEqual(['Edit Division', 'View', 'Delete Division'])
    expect(await page.getByRole('menuitem', { name: 'View' }).getAttribute('href')).toMatch(/\/divisions\/\d+\/dashboard$/)
    await page.getByRole('menuitem', { name: 'Edit Division' }).click()
    await page.getByRole('heading', { name: 'Edit Form' }).waitFor()
    expect(await page.getByLabel('Short Code *', { exact: true }).inputValue()).toBe('LK')
    await page.goto(at('divisions'))
    await (await menuOf(page, 'Lakes')).getByRole('menuitem', { name: 'Delete Division' }).click()
    await page.getByText('Do you want to delete this record? This action cannot be undone.').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await rowOf(page, 'Lakes').waitFor({ state: 'detached' })
    expect(await heardNotice(page, 1)).toMatchObject({ title: 'Division deleted' })
    await page.getByText('1–1 of 1 divisions').waitFor()
  })

  test('list their facilities and take new ones [DIV-ROUTE-007] [DIV-ROUTE-008] [DIV-ROUTE-009]', async () => {
    const elsewhere = await makeDivision(db, client)
    await makeFacility(db, client, elsewhere, { name: 'Elsewhere' })
    const page = await open(admin, { at: at(`divisions/${division}/facilities`) })
    await rowOf(page, 'Cold Store').waitFor()
    expect(await rowOf(page, 'Elsewhere').count()).toBe(0)
    expect(await tabs(page, 'Division')).toEqual(['Dashboard', 'Facilities', 'Documents'])
    await page.getByRole('link', { name: 'Add New' }).click()
    await page.waitForURL(`**${at(`divisions/${division}/facilities/new`)}`)
    await expect.poll(() => page.getByRole('combobox', { name: /^Division/ }).inputValue()).toBe('West Coast')
    await page.getByLabel('Name *', { exact: true }).fill('Dock')
    await page.getByLabel('Number *', { exact: true }).fill('12')
    await save(page)
    await page.waitForURL(`**${at(`divisions/${division}/facilities`)}`)
    await (await menuOf(page, 'Dock')).getByRole('menuitem', { name: 'Edit' }).click()
    await page.waitForURL(/\/divisions\/\d+\/facilities\/\d+\/edit$/)
    await page.getByRole('heading', { name: 'Edit Form' }).waitFor()
  })
})

describe('facilities', () => {
  test('are listed for a client and for all, with their tabs [FAC-ROUTE-001] [FAC-ROUTE-002] [FAC-ROUTE-005] [FAC-SCREEN-003] [FAC-SCREEN-004] [LIST-SCREEN-005]', async () => {
    const page = await open(admin, { at: at('facilities') })
    await rowOf(page, 'Cold Store').waitFor()
    expect(await headers(page)).toEqual(['Number', 'Name', 'Division', 'Facility Type', 'Square Footage', 'Client'])
    expect(await tabs(page, 'Facilities')).toEqual(['Facilities Dashboard', 'Facility List'])
    expect(await menuTexts(page, 'Cold Store')).toEqual(['Edit', 'View', 'Delete'])
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel(/^Square Footage/).fill('1250.5')
    await save(page)
    await page.waitForURL(`**${at('facilities')}`)
    await rowOf(page, '1,250.5').waitFor()
    await page.goto('/facilities')
    await rowOf(page, 'Cold Store').waitFor()
    expect(await tabs(page, 'Facilities')).toEqual(['All Facilities'])
    expect(await rowOf(page, 'Cold Store').getByRole('link').first().getAttribute('href')).toBe(at(`facilities/${facility}/dashboard`))
  })

  test('show where they stand and their accounts [FAC-ROUTE-007] [FAC-SCREEN-001] [FAC-SCREEN-002]', async () => {
    const other = await makeFacility(db, client, division)
    await makeBillableAccount(db, client, facility, vendor, { name: 'Here' })
    await makeBillableAccount(db, client, other, vendor, { name: 'There' })
    const page = await open(admin, { at: at(`facilities/${facility}/billable_accounts`) })
    await rowOf(page, 'Here').waitFor()
    expect(await rowOf(page, 'There').count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allInnerTexts()).toEqual([
      'West Coast',
      'Cold Store',
    ])
    expect(await tabs(page, 'Facility')).toEqual(['Dashboard', 'Documents', "Facility's Billable Accounts", "Facility's Supply Accounts"])
  })
})

describe('billable accounts', () => {
  test('lead from a new one to its first service, from a changed one to the list [BACC-ROUTE-001] [BACC-ROUTE-002] [BACC-ROUTE-004] [BACC-TRANS-001] [BACC-TRANS-002] [BACC-TRANS-003] [BACC-TRANS-004] [BACC-RULE-003] [BACC-FIELD-007] [BACC-FIELD-008]', async () => {
    const page = await open(admin, { at: at('billable_accounts/new') })
    expect(await page.getByLabel('Active').isChecked()).toBe(true)
    expect(await page.getByLabel('Billing Cycle').inputValue()).toBe('30')
    expect(await page.getByLabel('Billing Period').locator('option').allInnerTexts()).toEqual([
      '',
      'Weekly',
      'Bi-Weekly',
      'Monthly',
      'Quarterly',
    ])
    const states = await page.getByLabel('State *', { exact: true }).locator('option').allInnerTexts()
    expect(states).toEqual(expect.arrayContaining(['California', 'District of Columbia', 'Puerto Rico', 'Ontario']))
    expect(await page.getByLabel('Mailing State').locator('option').count()).toBe(states.length)
    await pick(page, 'Facility', 'Cold Store')
    await pick(page, 'Vendor', 'Pacific')
    for (const [label, text] of [
      ['Name *', 'Freezer'],
      ['Account Number *', '77-001'],
      ['Street Address 1 *', '1 Main'],
      ['City *', 'Austin'],
      ['Zipcode *', '78701'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(text)
    }
    await page.getByLabel('State *', { exact: true }).selectOption('Texas')
    await page.getByLabel('Billing Period').selectOption('Monthly')
    await save(page)
    await page.waitForURL(/\/billable_accounts\/\d+\/services\/new$/)
    const id = /billable_accounts\/(\d+)/.exec(addressOf(page))?.[1]
    const { rows } = await sql`select billing_period, billing_cycle, active, state from billable_accounts where id = ${Number(id)}`.execute(
      db,
    )
    expect(rows).toEqual([{ billing_period: 2, billing_cycle: 30, active: true, state: 'TX' }])
    await page.goto(at(`billable_accounts/${id}/edit`))
    await page.getByLabel('Name *', { exact: true }).fill('Freezer Two')
    await save(page)
    await page.waitForURL(`**${at('billable_accounts')}`)
    await rowOf(page, 'Freezer Two').waitFor()
  })

  test('are listed with their services and state, and show where they are [BACC-SCREEN-001] [BACC-SCREEN-002] [BACC-SCREEN-003] [BACC-SCREEN-004] [BACC-ROUTE-006] [SVC-FIELD-009] [SVC-CONST-001] [LIST-FIELD-001]', async () => {
    const id = await makeBillableAccount(db, client, facility, vendor, { name: 'Iced', account_number: '88-100' })
    await makeService(db, client, { billable_account_id: id }, { utility_service: 'Electric' })
    await makeService(db, client, { billable_account_id: id }, { utility_service: 'Water' })
    await sql`update billable_accounts set active = false where id = ${id}`.execute(db)
    const page = await open(admin, { at: at('billable_accounts?account_number=88-100') })
    await rowOf(page, 'Iced').waitFor()
    expect(await headers(page)).toEqual(['Account Number', 'Name', 'Facility', 'Vendor', 'Services', 'Active', 'Last Bill Date'])
    expect(
      await rowOf(page, 'Iced')
        .locator('svg[data-service]')
        .evaluateAll((icons) => icons.map((icon) => icon.getAttribute('data-service'))),
    ).toEqual(['Electric', 'Water'])
    expect(await rowOf(page, 'Iced').innerText()).toContain('Inactive')
    expect(await menuTexts(page, 'Iced')).toEqual(['Edit', 'View', 'Delete'])
    await page.goto(at(`billable_accounts/${id}/services`))
    await rowOf(page, 'Water').waitFor()
    expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allInnerTexts()).toEqual([
      'West Coast',
      'Cold Store',
      '88-100',
    ])
    expect(await tabs(page, 'Billable Account')).toEqual(['Dashboard', 'Documents', 'Services', 'Invoices'])
    const map = page.getByRole('link', { name: /1 Main/ })
    expect(decodeURIComponent((await map.getAttribute('href')) ?? '')).toContain('1 Main, Austin, TX, 78701')
    expect(await map.getAttribute('rel')).toContain('noreferrer')
  })

  test('cannot turn into a group account once they have services [BACC-RULE-001]', async () => {
    const id = await makeBillableAccount(db, client, facility, vendor)
    const page = await open(admin, { at: at(`billable_accounts/${id}/edit`) })
    expect(await page.getByLabel('Group Account').isEnabled()).toBe(true)
    await makeService(db, client, { billable_account_id: id })
    await page.reload()
    expect(await page.getByLabel('Group Account').isEnabled()).toBe(false)
  })

  test('offer 10, 20, 50, 100 and 200 rows a page, clients 1000 [BACC-CONST-001] [CLIENT-CONST-001]', async () => {
    const page = await open(admin, { at: at('billable_accounts') })
    const sizes = async () => {
      await page.getByLabel('Per page').waitFor()
      return page.getByLabel('Per page').locator('option').allInnerTexts()
    }
    expect(await sizes()).toEqual(['Fit', '10', '20', '50', '100', '200'])
    await page.goto('/clients')
    expect(await sizes()).toEqual(['Fit', '10', '20', '50', '100', '1000'])
  })
})

describe('services', () => {
  test('are added, changed and deleted under their account [BACC-ROUTE-007] [BACC-ROUTE-008] [SVC-SCREEN-001] [SVC-SCREEN-002] [SVC-RULE-002]', async () => {
    const id = await makeBillableAccount(db, client, facility, vendor)
    const list = at(`billable_accounts/${id}/services`)
    const page = await open(admin, { at: `${list}/new` })
    await save(page)
    await page.getByText('Meter Number is required').waitFor()
    await page.getByLabel('Meter Number *', { exact: true }).fill('M-900')
    await page.getByLabel('Utility Service').selectOption('Natural Gas')
    await page.getByLabel('Usage Unit').selectOption({ label: 'CCF – Hundred cubic feet' })
    await page.getByLabel('Therm Factor').check()
    await page.getByLabel('Utility Charges').check()
    await save(page)
    await page.waitForURL(`**${list}`)
    await rowOf(page, 'M-900').waitFor()
    expect((await headers(page)).slice(0, 4)).toEqual(['Sort Order', 'Service Name 1', 'Service Name 2', 'Meter Number'])
    expect(await menuTexts(page, 'M-900')).toEqual(['Edit Service', 'Delete Service'])
    await page.getByRole('menuitem', { name: 'Edit Service' }).click()
    await page.waitForURL(/services\/\d+\/edit$/)
    expect(await page.getByLabel('Therm Factor').isChecked()).toBe(true)
    await page.getByLabel('Service Name 1').fill('Kitchen')
    await save(page)
    await page.waitForURL(`**${list}`)
    await (await menuOf(page, 'Kitchen')).getByRole('menuitem', { name: 'Delete Service' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await rowOf(page, 'Kitchen').waitFor({ state: 'detached' })
  })

  test('do not leave the form while their shares are not whole [SVC-RULE-003] [SVC-RULE-004] [SVC-RULE-005] [SVC-RULE-006] [SVC-MSG-001] [SVC-MSG-002] [SVC-MSG-003] [SVC-MSG-004] [SVC-MSG-005]', async () => {
    const id = await makeBillableAccount(db, client, facility, vendor)
    for (const name of ['6100 Power', '6200 Cooling', '6300 Light']) await makeLedgerAccount(db, client, name)
    const list = at(`billable_accounts/${id}/services`)
    const page = await open(admin, { at: `${list}/new` })
    await page.getByLabel('Meter Number *', { exact: true }).fill('M-901')
    await page.getByRole('button', { name: 'Add Entry Field' }).click()
    const shares = page.getByRole('group', { name: 'Shared Accounts', exact: true }).last()
    for (let n = 0; n < 3; n++) await shares.getByRole('button', { name: 'Add Shared Account' }).click()
    await save(page)
    for (const message of ['Missing Field Name', 'Missing Ledger Account', 'Missing Share Ratio'])
      await page.getByText(message, { exact: true }).first().waitFor()
    await page.getByLabel(/^Field Name/).fill('Peak')
    for (const [n, name] of ['6100', '6200', '6300'].entries()) {
      await shares.getByRole('combobox').nth(n).fill(name)
      await page.getByRole('option', { name: new RegExp(name) }).click()
      await shares
        .getByLabel(/^Share Ratio/)
        .nth(n)
        .fill('0.33')
    }
    await save(page)
    await page.getByText('Share Ratio Error: Share ratios must add up to 1').waitFor()
    expect(addressOf(page)).toBe(`${list}/new`)
    await shares.getByRole('button', { name: 'Spread evenly' }).click()
    await save(page)
    await page.waitForURL(`**${list}`)
    const { rows } = await sql<{
      share_ratio: string
    }>`select share_ratio from shared_accounts where client_id = ${client} and service_id = (select id from services where meter_number = 'M-901') order by id`.execute(
      db,
    )
    expect(rows.map((row) => row.share_ratio)).toEqual(['0.3333', '0.3333', '0.3334'])
  })
})

describe('who may only read', () => {
  test('sees no way to change anything [PERM-PERM-002]', async () => {
    const reader = await makePerson(db, 'read_only_user', { clients: [client] })
    const page = await open(reader, { at: at('divisions') })
    await rowOf(page, 'West Coast').waitFor()
    expect(await page.getByRole('link', { name: 'Add New' }).count()).toBe(0)
    expect(await menuTexts(page, 'West Coast')).toEqual(['View'])
    await page.goto(at('divisions/new'))
    await page.getByText('You have no access to this page').waitFor()
    expect(await field(page, 'Name *').count()).toBe(0)
  })
})

describe('who may read', () => {
  test.each([
    'super_admin',
    'muc_admin',
    'channel_partner_admin',
    'client_admin',
    'client_manager',
    'client_user',
    'read_only_user',
  ] as const)(
    'is staff, a partner and a client’s own people alike, here %s: hierarchy and reference data are there [LIST-RULE-017]',
    async (role) => {
      const partner = await sql<{ id: number }>`insert into channel_partners (name) values (${`Partner of ${role}`}) returning id`.execute(
        db,
      )
      const partnerId = partner.rows[0]?.id ?? 0
      await sql`update clients set channel_partner_id = ${partnerId} where id = ${client}`.execute(db)
      const who = await makePerson(db, role, role === 'channel_partner_admin' ? { channel_partner_id: partnerId } : { clients: [client] })
      const page = await open(who, { at: at('divisions') })
      await rowOf(page, 'West Coast').waitFor()
      await page.goto('/vendors')
      await rowOf(page, 'Pacific Gas').waitFor()
    },
  )
})
