import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RoleName } from '#contract/access/rights.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../support/estate.ts'
import { addressOf, apiRequests, goInside, soon, startConsole, withRights } from './console.ts'

const { app, db, open } = await startConsole()
let clientId = 0
let west = 0
let admin: Person

beforeAll(async () => {
  clientId = await makeClient(db, { name: 'Harbor Foods' })
  west = await makeDivision(db, clientId, { name: 'West Coast' })
  await makeDivision(db, clientId, { name: 'East Coast' })
  await makeDivision(db, clientId, { name: 'Inland' })
  const facility = await makeFacility(db, clientId, west, { name: 'Cold Store' })
  await makeFacility(db, clientId, west, { name: 'Dry Store' })
  const vendorId = await makeVendor(db)
  // Numbers and names differ in their order, so that filtering by the wrong one finds the wrong one.
  for (const [number, name] of [
    ['4400-1', 'seven'],
    ['4400-2', 'eight'],
    ['7700-1', 'nine 4400'],
  ] as const)
    await makeBillableAccount(db, clientId, facility, vendorId, { account_number: number, name })
  await makeBillableAccount(db, clientId, facility, vendorId, { account_number: 'G-1', name: 'group', is_group_account: true })
  // A client of another name, whose records must never appear in the sidebar of the first.
  await makeDivision(db, await makeClient(db, { name: 'Other' }), { name: 'West of the other' })
  admin = await makePerson(db, 'super_admin')
})

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const labels = async (page: Page) => (await menu(page).locator('> ul > li').allInnerTexts()).map((text) => text.trim())
async function itemsOf(page: Page, label: string) {
  await menu(page).getByRole('button', { name: label, exact: true }).click()
  const panel = menu(page).getByRole('menu', { name: label, exact: true })
  const items = panel.getByRole('menuitem')
  await items.first().waitFor()
  return items.evaluateAll((links) => links.map((link) => [link.textContent.trim(), link.getAttribute('href')]))
}
const at = (path: string) => `/clients/${clientId}/${path}`

describe('the admin menu', () => {
  test('has its entries in order; Global Batch opens its two; Settings the audit log; Home goes to / [NAV-SCREEN-002] [NAV-SCREEN-003] [NAV-SCREEN-015] [NAV-SCREEN-016] [NAV-ROUTE-014] [NAV-ROUTE-019]', async () => {
    const page = await open(admin, { at: '/vendors' })
    await soon(() => labels(page)).toEqual([
      'Home',
      'Clients',
      'Users',
      'Channel Partners',
      'Vendors',
      'Utility Services',
      'Global Batch',
      'Settings',
    ])
    expect(await itemsOf(page, 'Global Batch')).toEqual([
      ['Batch Bills', '/global_batch'],
      ['View File History', '/global_batch/files'],
    ])
    await page.keyboard.press('Escape')
    await menu(page).getByRole('link', { name: 'Settings', exact: true }).click()
    await page.waitForURL('**/settings/audit_log')
    await menu(page).getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByText('Please select a client from the dropdown').waitFor()
    expect(addressOf(page)).toBe('/')
  })

  test.each([
    ['muc_admin', ['Home', 'Clients', 'Users', 'Channel Partners', 'Vendors', 'Utility Services', 'Global Batch', 'Settings']],
    ['channel_partner_admin', ['Home', 'Clients', 'Users', 'Channel Partners', 'Vendors', 'Utility Services', 'Settings']],
    ['client_admin', []],
    ['read_only_user', []],
  ] as const satisfies readonly (readonly [RoleName, readonly string[]])[])(
    'shows %s what the role may read: %j [PERM-PERM-002] [PERM-PERM-005] [PERM-PERM-007]',
    async (role, expected) => {
      const page = await open(await makePerson(db, role, { clients: [clientId] }), { at: '/landing' })
      await page.getByText('Please select a client from the dropdown').waitFor()
      await page.getByRole('banner').getByRole('link', { name: 'Advanced Search' }).waitFor()
      expect(await labels(page)).toEqual(expected)
    },
  )

  test('a staff page that a client’s own person opens by its address says that it may not be seen [PERM-PERM-005]', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [clientId] })
    for (const path of ['/global_batch', '/channel_partners', '/settings/audit_log', '/vendors/new']) {
      const page = await open(person, { at: path })
      await page.getByRole('main').getByText('You have no access to this page').waitFor()
      expect(await page.getByRole('grid').count()).toBe(0)
    }
  })
})

describe('the map of rights', () => {
  const rightsOf = async (role: RoleName) =>
    (await app.ask(await makePerson(db, role, { clients: [clientId] }), 'GET', '/user_roles/for_user')).body

  test('knows the models that menus and screens ask for [PERM-FIELD-003]', async () => {
    const { permissions } = await rightsOf('super_admin')
    expect(Object.keys(permissions ?? {})).toEqual(
      expect.arrayContaining(
        'client division facility billable_account supply_account bill user channel_partner vendor utility_service global_batch setting accounting_batch payment_batch ledger_field ledger_account generated_report advanced_search bill_document bill_notes site_survey service'.split(
          ' ',
        ),
      ),
    )
  })

  test.each([
    ['client_admin', true],
    ['client_manager', true],
    ['client_user', true],
    ['read_only_user', true],
    ['super_admin', false],
    ['muc_admin', false],
  ] as const)('says of %s whether it is a role of a client’s own people: %s [PERM-RULE-003]', async (role, own) => {
    expect((await rightsOf(role))['client_only_user']).toBe(own)
  })
})

describe('the client’s menu', () => {
  test('has its entries in order, each to a page of the client [NAV-SCREEN-004] [NAV-SCREEN-005] [NAV-SCREEN-006] [NAV-SCREEN-007] [NAV-SCREEN-008] [NAV-ROUTE-020] [NAV-ROUTE-022]', async () => {
    const page = await open(admin, { at: at('divisions') })
    await soon(() => labels(page)).toEqual([
      'Home',
      'Divisions',
      'Facilities',
      'Billable Accounts',
      'Supply Accounts',
      'Group Billing Accounts',
      'Bills',
      'Financials',
      'Reporting',
      'Alerts',
    ])
    expect(await itemsOf(page, 'Group Billing Accounts')).toEqual([
      ['Group Billing Accounts', at('group_accounts')],
      ['Group Billing Supply Accounts', at('group_supply_accounts')],
    ])
    await page.keyboard.press('Escape')
    expect(await itemsOf(page, 'Financials')).toEqual([
      ['Client Batches', at('accounting_batches')],
      ['Vendor Batches', at('payment_batches')],
      ['Ledger Fields', at('ledger_fields')],
      ['Ledger Accounts', at('ledger_accounts')],
    ])
    await page.keyboard.press('Escape')
    await itemsOf(page, 'Reporting')
    await menu(page).getByRole('menuitem', { name: 'Reports Dashboard' }).click()
    await page.waitForURL(`**${at('reports/dashboard')}`)
    expect((await itemsOf(page, 'Alerts')).map(([, href]) => href)).toEqual(
      [
        'billable_accounts_missing_bills',
        'supply_accounts_missing_bills',
        'billable_accounts_consecutive_estimations',
        'past_due_bills',
      ].map((name) => at(`alerts/${name}`)),
    )
    await menu(page).getByRole('menuitem', { name: 'Bills 30+ Days Past Due' }).click()
    await page.waitForURL(`**${at('alerts/past_due_bills')}`)
  })

  test.each([
    ['accounting_batch_management', ['Client Batches']],
    ['utility_payment_management', ['Vendor Batches']],
    ['ledger_account_management', ['Ledger Fields', 'Ledger Accounts']],
    [null, null],
  ] as const)(
    'with only %s has under Financials: %j [PERM-PERM-009] [PERM-PERM-010] [PERM-PERM-011] [PERM-PERM-012]',
    async (flag, expected) => {
      const id = await makeClient(db)
      await sql`update clients set accounting_batch_management = ${flag === 'accounting_batch_management'}, utility_payment_management = ${flag === 'utility_payment_management'},
      ledger_account_management = ${flag === 'ledger_account_management'} where id = ${id}`.execute(db)
      const page = await open(admin, { at: `/clients/${id}/divisions` })
      await soon(() => labels(page)).toContain('Divisions')
      await page
        .getByRole('banner')
        .getByRole('button', { name: /^Client: Client / })
        .waitFor()
      if (expected === null) expect(await labels(page)).not.toContain('Financials')
      else expect((await itemsOf(page, 'Financials')).map(([label]) => label)).toEqual(expected)
    },
  )

  test('shows a group while any of its entries may be seen, and no longer [PERM-PERM-003] [PERM-PERM-002]', async () => {
    const page = await open(admin)
    const given = { permissions: {} }
    await withRights(page, () => given)
    for (const [permissions, expected] of [
      [{ supply_account: ['read'] }, ['Home', 'Supply Accounts', 'Group Billing Accounts', 'Alerts']],
      [{ bill: ['read'], ledger_field: ['read'] }, ['Home', 'Bills', 'Financials', 'Alerts']],
      [{ bill: ['update'], division: ['create'] }, ['Home']],
    ] as const) {
      Object.assign(given, { permissions })
      await page.goto(at('bills'))
      await soon(() => labels(page)).toEqual(expected)
    }
  })
})

/** Entries of the menus with the headings of their screens, and whether records are added there. */
const ofProvider = [
  ['Clients', 'Clients', true],
  ['Users', 'Users', true],
  ['Channel Partners', 'Channel Partners', true],
  ['Vendors', 'Vendors', true],
  ['Utility Services', 'Utility Services', true],
  ['Global Batch > Batch Bills', 'Unswept Bills', false],
  ['Global Batch > View File History', 'Global Batch File History', false],
  ['Settings', 'Audit Log', false],
] as const
const ofStructure = [
  ['Divisions', 'Divisions', true],
  ['Facilities', 'Facilities', true],
  ['Billable Accounts', 'Billable Accounts', true],
  ['Supply Accounts', 'Supply Accounts', true],
  ['Group Billing Accounts > Group Billing Accounts', 'Group Accounts', false],
  ['Group Billing Accounts > Group Billing Supply Accounts', 'Group Supply Accounts', false],
] as const
const ofWork = [
  ['Bills', 'Bills', true],
  ['Financials > Client Batches', 'Client Batches', true],
  ['Financials > Vendor Batches', 'Vendor Batches', true],
  ['Financials > Ledger Fields', 'Ledger Fields', true],
  ['Financials > Ledger Accounts', 'Ledger Accounts', true],
  ['Reporting > Reports Dashboard', 'Reports Dashboard', false],
  ['Reporting > Generated Reports', 'Generated Reports', false],
  ['Reporting > Site Surveys', 'Ancillary Services', true],
  ['Reporting > Budgets', 'Budget against Actual', false],
  ['Alerts > Billable Accounts W/O Bills Past 30 Days', 'Billable Accounts W/O Bills Past 30 Days', false],
  ['Alerts > Supply Accounts W/O Bills Past 30 Days', 'Supply Accounts W/O Bills Past 30 Days', false],
  ['Alerts > Billable Accounts With Three Consecutive Estimated Reads', 'Billable Accounts With Three Consecutive Estimated Reads', false],
  ['Alerts > Bills 30+ Days Past Due', 'Bills 30+ Days Past Due', false],
] as const

/** Follows each entry of a menu, and returns it with the heading of its screen and whether records are added there. */
async function screensOf(page: Page, entries: readonly (readonly [string, string, boolean])[]) {
  const screens = []
  for (const [entry, heading] of entries) {
    const [label = '', item] = entry.split(' > ')
    if (item === undefined) await menu(page).getByRole('link', { name: label, exact: true }).click()
    else {
      await menu(page).getByRole('button', { name: label, exact: true }).click()
      await menu(page).getByRole('menuitem', { name: item, exact: true }).click()
    }
    await page.getByRole('main').getByRole('heading', { level: 1, name: heading }).first().waitFor()
    await page.getByRole('main').locator('[aria-busy=true]').waitFor({ state: 'detached' })
    const adds = await page
      .getByRole('main')
      .getByRole('link', { name: /^Add New/ })
      .or(page.getByRole('main').getByRole('button', { name: 'Add New' }))
      .count()
    screens.push([entry, heading, adds > 0])
  }
  return screens
}

describe('every entry of the menus', () => {
  test('leads to the screen where its records are managed; roles are managed with their user [NAV-SCREEN-001]', async () => {
    const page = await open(admin, { at: '/vendors' })
    expect(await screensOf(page, ofProvider)).toEqual(ofProvider)
    await goInside(page, '/users')
    await page
      .getByRole('grid', { name: 'Users' })
      .getByRole('button', { name: /^Actions/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: /Roles/ }).click()
    await page.getByRole('grid', { name: 'Roles' }).waitFor()
    await goInside(page, at('divisions'))
    expect(await screensOf(page, [...ofStructure, ...ofWork])).toEqual([...ofStructure, ...ofWork])
  })

  test('of bills, batches, ledgers, reports, surveys and alerts is there for the provider’s people and for a client’s; the global batch for the first [LIST-RULE-018]', async () => {
    for (const role of ['muc_admin', 'client_admin'] as const) {
      const page = await open(await makePerson(db, role, { clients: [clientId] }), { at: at('divisions') })
      await soon(() => labels(page)).toContain('Financials')
      expect(await screensOf(page, ofWork), role).toEqual(ofWork)
      await goInside(page, '/global_batch')
      const desk = page.getByRole('main').getByRole('heading', { name: 'Unswept Bills' })
      await page.getByRole('main').getByRole('heading').first().waitFor()
      await soon(() => desk.count()).toBe(role === 'muc_admin' ? 1 : 0)
    }
  })
})

describe('the sidebar', () => {
  const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Records of the client' })
  const records = async (page: Page) => (await sidebar(page).getByRole('listitem').allInnerTexts()).map((text) => text.trim())
  const kind = (page: Page) => sidebar(page).getByLabel('What to list')
  const filter = (page: Page) => sidebar(page).getByRole('searchbox')
  const count = (page: Page) => sidebar(page).getByTitle('Results').innerText()

  test('stands beside the pages of a client only [NAV-SCREEN-009]', async () => {
    const page = await open(admin, { at: '/vendors' })
    await page.getByRole('grid', { name: 'Vendors' }).waitFor()
    expect(await sidebar(page).count()).toBe(0)
    await goInside(page, at('divisions'))
    await sidebar(page).waitFor()
  })

  test('serves eight kinds of records, and counts them; those of no other client [NAV-SCREEN-011] [NAV-SCREEN-010] [SHELL-RULE-001]', async () => {
    const page = await open(admin, { at: at('divisions') })
    const sent = apiRequests(page)
    await soon(() => kind(page).locator('option').allInnerTexts()).toEqual([
      'Divisions',
      'Facilities',
      'Billable Accounts',
      'Supply Accounts',
      'Ledger Fields',
      'Ledger Accounts',
      'Group Billing Accounts',
      'Group Billing Supply Accounts',
    ])
    await soon(() => records(page)).toEqual(['East Coast', 'Inland', 'West Coast'])
    expect(await count(page)).toMatch(/3$/)
    for (const [label, plural] of [
      ['Facilities', 'facilities'],
      ['Billable Accounts', 'billable_accounts'],
      ['Supply Accounts', 'supply_accounts'],
      ['Ledger Fields', 'ledger_fields'],
      ['Ledger Accounts', 'ledger_accounts'],
      ['Group Billing Accounts', 'group_accounts/sidebar_records'],
      ['Group Billing Supply Accounts', 'group_supply_accounts/sidebar_records'],
    ] as const) {
      await kind(page).selectOption(label)
      await soon(() => sent.some((line) => line.startsWith(`GET ${at(plural)}?`))).toBe(true)
    }
  })

  test.each([
    ['Divisions', 'divisions', 'west', ['West Coast']],
    ['Facilities', 'facilities', 'cold', ['Cold Store']],
  ])('filters %s by name, over the server, and counts what is left [NAV-SCREEN-010]', async (label, plural, text, expected) => {
    const page = await open(admin, { at: at('divisions') })
    await kind(page).selectOption(label)
    const sent = apiRequests(page)
    await filter(page).fill(text)
    await soon(() => records(page)).toEqual(expected)
    await soon(() => count(page)).toMatch(new RegExp(`${expected.length}$`))
    expect(sent.some((line) => line.startsWith(`GET ${at(plural)}?q[s]=name asc&q[name_cont]=${text}`))).toBe(true)
    await filter(page).fill('')
    await soon(() => records(page).then((shown) => shown.length)).toBeGreaterThan(expected.length)
  })

  test('filters billable accounts by their number, not by their name', async () => {
    const page = await open(admin, { at: at('divisions') })
    await kind(page).selectOption('Billable Accounts')
    await filter(page).fill('4400')
    await soon(() => records(page)).toEqual(['4400-1', '4400-2'])
    expect(await sidebar(page).getByRole('link').first().getAttribute('href')).toMatch(
      new RegExp(`^${at('billable_accounts')}/\\d+/dashboard$`),
    )
  })

  test('marks the record that the page is about, and nothing else [NAV-SCREEN-014]', async () => {
    const page = await open(admin, { at: at(`divisions/${west}/dashboard`) })
    const marked = sidebar(page).locator('a[aria-current="true"]')
    await marked.waitFor()
    expect(await marked.allInnerTexts()).toEqual(['West Coast'])
    const colours = await sidebar(page)
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => getComputedStyle(link).backgroundColor))
    expect(new Set(colours).size).toBe(2)
    await sidebar(page).getByRole('link', { name: 'Inland' }).click()
    await soon(() => marked.allInnerTexts()).toEqual(['Inland'])
    await goInside(page, at('divisions'))
    await soon(() => records(page)).toHaveLength(3)
    expect(await marked.count()).toBe(0)
  })
})
