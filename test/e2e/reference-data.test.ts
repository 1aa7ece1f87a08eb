import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeService, makeVendor } from '../support/estate.ts'
import { startConsole } from './console.ts'
import { heardNotice } from './notices-said.ts'

const { db, open } = await startConsole()
let admin: Person
let reader: Person

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  reader = await makePerson(db, 'client_user', { clients: [await makeClient(db)] })
})

const headers = async (page: Page) =>
  (await page.getByRole('columnheader').allInnerTexts())
    .map((text) => text.split('\n')[0]?.trim() ?? '')
    .filter((text) => text !== '' && text !== 'Actions')
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const tabs = async (page: Page, label: string) => {
  const links = page.getByRole('navigation', { name: label, exact: true }).getByRole('link')
  await links.first().waitFor()
  return links.allInnerTexts()
}

interface Setting {
  readonly at: string
  readonly columns: readonly string[]
  readonly missing: readonly string[]
  readonly typed: Readonly<Record<string, string>>
  readonly tabs: string
  readonly deleted: string
  readonly rows: string
}

const settings: readonly Setting[] = [
  {
    at: '/settings/facility_types',
    columns: ['Name'],
    missing: ['Name is required'],
    typed: { Name: 'Zoo' },
    tabs: 'Settings',
    deleted: 'Facility Type deleted',
    rows: '[SET-ROUTE-001] [SET-SCREEN-001]',
  },
  {
    at: '/settings/units',
    columns: ['Symbol', 'Description'],
    missing: ['Symbol is required', 'Description is required'],
    typed: { Symbol: 'bbl', Description: 'Zoo barrel' },
    tabs: 'Settings',
    deleted: 'Unit deleted',
    rows: '[SET-ROUTE-002] [SET-RULE-002]',
  },
  {
    at: '/settings/production_units',
    columns: ['Name'],
    missing: ['Name is required'],
    typed: { Name: 'Zoo visitors' },
    tabs: 'Settings',
    deleted: 'Production Unit deleted',
    rows: '[SET-ROUTE-003]',
  },
  {
    at: '/settings/cost_parameters',
    columns: ['Name', 'Active'],
    missing: ['Name is required'],
    typed: { Name: 'Zoo weather' },
    tabs: 'Settings',
    deleted: 'Cost Parameter deleted',
    rows: '[SET-ROUTE-004] [SET-FIELD-003]',
  },
  {
    at: '/payment_methods',
    columns: ['Name', 'Description'],
    missing: ['Name is required', 'Description is required'],
    typed: { Name: 'Zoo wire', Description: 'By wire' },
    tabs: 'Vendors',
    deleted: 'Payment Method deleted',
    rows: '[PMETH-ROUTE-001] [PMETH-ROUTE-002] [PMETH-ROUTE-003] [PMETH-SCREEN-001] [PMETH-RULE-001]',
  },
]

describe.each(settings)('$at', (setting) => {
  test(`lists, adds, changes and deletes ${setting.rows}`, async () => {
    const page = await open(admin, { at: `${setting.at}/new` })
    await page.getByRole('heading', { name: 'New Form' }).waitFor()
    await save(page)
    for (const message of setting.missing) await page.getByText(message, { exact: true }).waitFor()
    for (const [label, text] of Object.entries(setting.typed)) await page.getByLabel(`${label} *`, { exact: true }).fill(text)
    await save(page)
    await page.waitForURL(`**${setting.at}`)
    const [first = ''] = setting.columns
    await page.goto(`${setting.at}?${first.toLowerCase()}=${encodeURIComponent(Object.values(setting.typed)[0] ?? '')}`)
    await rowOf(page, 'Zoo').waitFor()
    expect(await headers(page)).toEqual(setting.columns)
    expect((await tabs(page, setting.tabs)).length).toBeGreaterThan(1)
    await rowOf(page, 'Zoo').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit Form' }).waitFor()
    const last = Object.keys(setting.typed).at(-1) ?? ''
    await page.getByLabel(`${last} *`, { exact: true }).fill('Changed zoo')
    await save(page)
    await page.waitForURL(`**${setting.at}?*`)
    await page.goto(`${setting.at}?${last.toLowerCase()}=changed`)
    await rowOf(page, 'Changed zoo').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await rowOf(page, 'Changed zoo').waitFor({ state: 'detached' })
    expect(await heardNotice(page, 2)).toMatchObject({ title: setting.deleted })
  })
})

describe('the settings', () => {
  test('stand beside each other, and are not for client users', async () => {
    const page = await open(admin, { at: '/settings/units' })
    await rowOf(page, 'Hundred cubic feet').first().waitFor()
    expect(await tabs(page, 'Settings')).toEqual([
      'Audit Log',
      'Security Log',
      'Facility Types',
      'Units',
      'Production Units',
      'Cost Parameters',
      'Weather Stations',
      'Degree Days',
      'Payment Methods',
      'Bank Profiles',
      'Audits',
      'Mails',
      'Webhooks',
      'API Tokens',
    ])
    const theirs = await open(reader, { at: '/settings/units' })
    await theirs.getByText('You have no access to this page').waitFor()
  })

  test('page by 20 payment methods, 10 cost parameters and 10 units, these sorted by symbol [PMETH-CONST-001] [SET-CONST-002] [SET-CONST-001] [SET-CONST-003]', async () => {
    const page = await open(admin, { at: '/payment_methods' })
    await page.getByLabel('Per page').waitFor()
    expect(await page.getByLabel('Per page').inputValue()).toBe('20')
    await page.goto('/settings/units')
    await page.getByText('1–10 of 36 units').waitFor()
    expect(await page.getByRole('columnheader', { name: /Symbol/ }).getAttribute('aria-sort')).toBe('ascending')
    await page.goto('/settings/cost_parameters')
    await page.getByLabel('Per page').waitFor()
    expect(await page.getByLabel('Per page').inputValue()).toBe('10')
  })
})

describe('vendors', () => {
  test('are listed and made with the labels of the specification; numbers are masked once saved [VEND-ROUTE-001] [VEND-ROUTE-002] [VEND-ROUTE-004] [VEND-FIELD-003] [VEND-FIELD-004] [VEND-FIELD-005] [VEND-SCREEN-001] [VEND-RULE-001]', async () => {
    const page = await open(admin, { at: '/vendors/new' })
    await save(page)
    for (const message of ['Name is required', 'Short Code is required']) await page.getByText(message, { exact: true }).waitFor()
    await page.getByLabel('Name *', { exact: true }).fill('Zoo Power')
    await page.getByLabel('Short Code *', { exact: true }).fill('ZOO')
    await page.getByLabel('W-9 Name').fill('Zoo Power LLC')
    await page.getByLabel('Routing Number').fill('021000021')
    await page.getByLabel('Accounting Number').fill('998877665544')
    await page.getByRole('combobox', { name: 'Payment Methods' }).fill('Check')
    await page.getByRole('option', { name: 'Check', exact: true }).click()
    await save(page)
    await page.waitForURL('**/vendors')
    await page.goto('/vendors?short_code=ZOO')
    await rowOf(page, 'Zoo Power').waitFor()
    expect((await headers(page)).slice(0, 6)).toEqual(['Name', 'Short Code', 'Phone', 'City', 'State', 'Payment Methods'])
    expect(await rowOf(page, 'Zoo Power').innerText()).toContain('Check')
    await rowOf(page, 'Zoo Power').getByRole('link', { name: 'Zoo Power' }).click()
    await page.waitForURL(/\/vendors\/\d+\/edit$/)
    await page.getByRole('heading', { name: 'Edit Form' }).waitFor()
    expect(await page.content()).not.toContain('998877665544')
    // They wait for a second user, who sees their last four digits.
    await page.getByRole('link', { name: 'Review the change' }).click()
    await page.getByText('•••••5544', { exact: true }).waitFor()
    await page.getByText('•••••0021', { exact: true }).waitFor()
    const { rows } = await sql`select tariffs_link, change.po_box_last4, change.payment_identifier_last4 from vendors
      join vendor_bank_changes change on change.vendor_id = vendors.id where short_code = 'ZOO'`.execute(db)
    expect(rows).toEqual([{ tariffs_link: 'Zoo Power LLC', po_box_last4: '0021', payment_identifier_last4: '5544' }])
  })

  test('can be read, not changed, by client users [LIST-RULE-008]', async () => {
    await makeVendor(db, { name: 'Read Only Gas' })
    const page = await open(reader, { at: '/vendors?name=read+only' })
    await rowOf(page, 'Read Only Gas').waitFor()
    expect(await page.getByRole('link', { name: 'Add New' }).count()).toBe(0)
    expect(await rowOf(page, 'Read Only Gas').getByRole('link').count()).toBe(0)
  })
})

describe('utility services', () => {
  test('are listed, and made with units and factors that say what they lack [USVC-ROUTE-001] [USVC-ROUTE-002] [USVC-ROUTE-003] [USVC-SCREEN-001] [USVC-RULE-001] [USVC-RULE-002] [USVC-RULE-003] [USVC-MSG-001] [USVC-MSG-002] [USVC-MSG-003] [USVC-MSG-004] [USVC-MSG-005] [USVC-TRANS-001]', async () => {
    const page = await open(admin, { at: '/utility_services/new' })
    expect(await page.getByLabel('Inventoriable').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Add Usage Unit' }).click()
    await page.getByRole('button', { name: 'Add Usage Factor' }).click()
    await save(page)
    for (const message of [
      'Name is required',
      'Code is required',
      'Emissions Factor (CO2) is required',
      'Missing Conversion Factor',
      'Missing Name',
      'Missing Description',
    ])
      await page.getByText(message, { exact: true }).waitFor()
    expect(await page.getByText('Missing Unit of Measure', { exact: true }).count()).toBe(2)
    const fields = page.getByRole('form', { name: 'Utility Service form' })
    await fields.getByLabel('Name *', { exact: true }).first().fill('Zoo Feed')
    await fields.getByLabel('Code *', { exact: true }).fill('zoo_feed')
    await fields.getByLabel('Emissions Factor (CO2) *', { exact: true }).fill('1.5')
    const [units, factors] = [
      page.getByRole('group', { name: 'Usage Units' }).last(),
      page.getByRole('group', { name: 'Usage Factors' }).last(),
    ]
    await units.getByRole('combobox').fill('lb')
    await page.getByRole('option', { name: /^lb/ }).first().click()
    await units.getByLabel('Standard').check()
    await factors.getByLabel('Name *', { exact: true }).fill('Moisture')
    await factors.getByLabel('Description *', { exact: true }).fill('Share of water')
    await factors.getByRole('combobox').fill('each')
    await page.getByRole('option', { name: /^each/ }).first().click()
    await save(page)
    await page.waitForURL('**/utility_services')
    await page.goto('/utility_services?code=zoo')
    await rowOf(page, 'Zoo Feed').waitFor()
    expect(await headers(page)).toEqual(['Name', 'Code', 'Emissions Factor (CO2)', 'Inventoriable'])
    await rowOf(page, 'Zoo Feed').getByRole('link', { name: 'Zoo Feed' }).click()
    await page.getByRole('button', { name: 'Remove Usage Factors 1' }).click()
    await save(page)
    await page.waitForURL('**/utility_services?code=zoo')
    const { rows } =
      await sql`select emissions_factor, (select count(*) from usage_units where utility_service_id = utility_services.id and standard) as units,
      (select count(*) from usage_factors where utility_service_id = utility_services.id) as factors from utility_services where code = 'zoo_feed'`.execute(
        db,
      )
    expect(rows).toEqual([{ emissions_factor: '1.5000', units: 1, factors: 0 }])
  })

  test('have an icon of their own, and a common one where none is drawn [SVC-CONST-001] [SVC-CONST-002]', async () => {
    const page = await open(admin, { at: '/utility_services?per=20' })
    await rowOf(page, 'Telecom').waitFor()
    const icons = await page
      .locator('svg[data-service]')
      .evaluateAll((all) => all.map((icon) => [icon.getAttribute('data-service'), icon.parentElement?.textContent]))
    for (const name of ['Electric', 'Waste', 'Telecom', 'Natural Gas', 'Water', 'Diesel', 'Gasoline', 'Sewer', 'Propane'])
      expect(icons).toContainEqual([name, name])
    expect(icons).toContainEqual(['other', 'Steam'])
  })

  test('lead to the scoped client’s dashboard, and nowhere without a scope [USVC-ROUTE-004] [PERM-PERM-042]', async () => {
    const client = await makeClient(db)
    const account = await makeBillableAccount(
      db,
      client,
      await makeFacility(db, client, await makeDivision(db, client)),
      await makeVendor(db),
    )
    await makeService(db, client, { billable_account_id: account })
    const unscoped = await open(admin, { at: '/utility_services?code=electric' })
    await rowOf(unscoped, 'Electric').getByRole('button').last().click()
    await unscoped.getByRole('menuitem', { name: 'Edit' }).waitFor()
    expect(await unscoped.getByRole('menuitem', { name: 'View' }).count()).toBe(0)
    const page = await open(admin, { at: `/clients/${client}/divisions` })
    await page.getByRole('navigation', { name: 'Main' }).getByText('Divisions').waitFor()
    await page.goto('/utility_services?code=electric')
    await rowOf(page, 'Electric').getByRole('button').last().click()
    expect(await page.getByRole('menuitem', { name: 'View' }).getAttribute('href')).toMatch(
      new RegExp(`^/clients/${client}/utility_services/\\d+/dashboard$`),
    )
  })
})
