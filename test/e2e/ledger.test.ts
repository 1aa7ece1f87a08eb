/** Ledger fields and ledger accounts: lists, forms, deleting, imports with a column for each field of the client. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeClient } from '../support/estate.ts'
import { soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const { db, open } = await startConsole()
const WORK_MS = 60_000
const longName = 'Electricity of all the warehouses, stores and yards of the East'
let admin: Person
let client: number
let fields: string
let accounts: string

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  client = await makeClient(db, { name: 'Harbor Foods' })
  fields = `/clients/${client}/ledger_fields`
  accounts = `/clients/${client}/ledger_accounts`
})

const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}`) })
async function addField(page: Page, name: string, order: string): Promise<void> {
  await page.goto(`${fields}/new`)
  await field(page, 'Name').fill(name)
  await field(page, 'Description').fill(`What ${name} says`)
  await field(page, 'Order').fill(order)
  await save(page)
  await rowOf(page, name).waitFor()
}
async function remove(page: Page, name: string): Promise<void> {
  await rowOf(page, name)
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('menu').last().getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
}

test('ledger fields are made, changed and listed under the ledger’s tabs [LEDG-ROUTE-001] [LEDG-SCREEN-001] [LEDG-SCREEN-002] [LEDG-FIELD-001] [LEDG-RULE-001] [PERM-PERM-038]', async () => {
  const page = await open(admin, { at: fields })
  await page.getByText('No ledger fields yet').waitFor()
  expect(await page.getByRole('navigation', { name: 'Ledger' }).getByRole('link').allInnerTexts()).toEqual([
    'Ledger Fields',
    'Ledger Accounts',
  ])
  await page.getByRole('link', { name: 'Add New' }).first().click()
  await page.getByRole('heading', { name: 'New Form' }).waitFor()
  await save(page)
  for (const message of ['Name is required', 'Description is required', 'Order is required'])
    await page.getByText(message, { exact: true }).waitFor()
  await lookedAt(page, 'ledger-field-form-dark')
  await addField(page, 'Cost Center', '2')
  await addField(page, 'Company', '1')
  const text = await rowOf(page, 'Cost Center').innerText()
  for (const part of ['What Cost Center says', '2']) expect(text).toContain(part)
  await rowOf(page, 'Company').getByRole('link').click()
  await page.getByRole('heading', { name: 'Edit Form' }).waitFor()
  await field(page, 'Description').fill('Who pays')
  await save(page)
  await rowOf(page, 'Who pays').waitFor()
  const reader = await open(await makePerson(db, 'read_only_user', { clients: [client] }), { at: fields })
  await rowOf(reader, 'Company').waitFor()
  expect(await reader.getByRole('link', { name: 'Add New' }).count()).toBe(0)
  expect(await rowOf(reader, 'Company').getByRole('link').count()).toBe(0)
})

test('ledger accounts have a field on the form and a column in the list for each ledger field [LEDG-ROUTE-002] [LEDG-SCREEN-002] [LEDG-FIELD-002] [LEDG-RULE-002] [LEDG-RULE-003] [PERM-PERM-039]', async () => {
  const page = await open(admin, { at: `${accounts}/new`, theme: 'light' })
  await field(page, 'Company').waitFor()
  await save(page)
  await page.getByText('Name is required', { exact: true }).waitFor()
  expect(await page.getByRole('checkbox', { name: /Active/ }).isChecked()).toBe(true)
  await field(page, 'Name').fill(longName)
  await field(page, 'Company').fill('ACME')
  await field(page, 'Cost Center').fill('4400')
  await lookedAt(page, 'ledger-account-form-light')
  await save(page)
  await rowOf(page, longName).waitFor()
  const headers = (await page.getByRole('grid').getByRole('columnheader').allInnerTexts()).map(
    (text) => text.trim().split(/\s*\n|\s*[↑↓]/)[0] ?? '',
  )
  expect(headers.filter((text) => ['Name', 'Active', 'Company', 'Cost Center'].includes(text))).toEqual([
    'Name',
    'Active',
    'Company',
    'Cost Center',
  ])
  const text = await rowOf(page, longName).innerText()
  for (const part of ['Active', 'ACME', '4400']) expect(text).toContain(part)
  await lookedAt(page, 'ledger-accounts-light')
  await rowOf(page, longName).getByRole('link').click()
  expect(await field(page, 'Cost Center').inputValue()).toBe('4400')
  await field(page, 'Cost Center').fill('')
  await save(page)
  await rowOf(page, longName).waitFor()
  await soon(() => rowOf(page, longName).innerText()).not.toContain('4400')
  const dark = await open(admin, { at: accounts })
  await rowOf(dark, longName).waitFor()
  await lookedAt(dark, 'ledger-accounts-dark')
  const reader = await open(await makePerson(db, 'read_only_user', { clients: [client] }), { at: accounts })
  await rowOf(reader, longName).waitFor()
  expect(await reader.getByRole('link', { name: 'Add New' }).count()).toBe(0)
})

test('a deleted field or account says so and loads its list anew; a field that is used stays [LEDG-TRANS-001] [LIST-TRANS-002]', async () => {
  const page = await open(admin, { at: fields, mayComplain: true })
  await remove(page, 'Company')
  await heard(page, 'Ledger accounts have values of this field')
  await addField(page, 'Passing', '9')
  await page.evaluate(() => Reflect.set(globalThis, 'before', true))
  await remove(page, 'Passing')
  await heard(page, 'Ledger Field deleted')
  await soon(() => page.evaluate(() => Reflect.get(globalThis, 'before') ?? null)).toBe(null)
  await rowOf(page, 'Company').waitFor()
  expect(await rowOf(page, 'Passing').count()).toBe(0)
  await sql`insert into ledger_accounts (client_id, name) values (${client}, 'Passing account')`.execute(db)
  await page.goto(accounts)
  await page.evaluate(() => Reflect.set(globalThis, 'before', true))
  await remove(page, 'Passing account')
  await heard(page, 'Ledger Account deleted')
  await soon(() => page.evaluate(() => Reflect.get(globalThis, 'before') ?? null)).toBe(null)
  await rowOf(page, longName).waitFor()
  expect(await rowOf(page, 'Passing account').count()).toBe(0)
})

test('an answer without ledger fields is said as Ledger Field Error [LEDG-MSG-001]', async () => {
  const page = await open(admin, { mayComplain: true })
  await page.route('**/api/v5/clients/*/ledger_fields?*', (route) => route.fulfill({ json: { success: true, message: 'Ledger Fields' } }))
  await page.goto(`${accounts}/new`)
  await heard(page, 'Ledger Field Error')
  await page.getByText('The ledger fields could not be loaded.').first().waitFor()
})

test('both are imported; the accounts’ template, guide and report have the client’s own columns [IMPORT-SCREEN-003] [IMPORT-SCREEN-004] [LEDG-IMPORT-001] [LEDG-EXPORT-001]', async () => {
  const page = await open(admin, { at: fields })
  await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Import Ledger Fields' }).waitFor()
  await imported(page, 'fields.csv', 'name,description,order\nFund,Whose money,3\n')
  await page.goto(accounts)
  await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Import Ledger Accounts' }).waitFor()
  for (const name of ['Company', 'Cost Center', 'Fund'])
    await page.getByRole('rowheader', { name, exact: false }).filter({ hasText: name }).first().waitFor()
  await lookedAt(page, 'ledger-accounts-import-dark')
  await imported(page, 'accounts.csv', `name,Company,Fund\n"${longName}",Other,G-1\n6110 Gas,ACME,\n`)
  const report = page.getByRole('grid', { name: 'Rows of the file' })
  expect(await report.getByRole('columnheader').allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringContaining('Company'), expect.stringContaining('Fund')]),
  )
  await page.goto(accounts)
  await rowOf(page, '6110 Gas').waitFor()
  expect(await rowOf(page, longName).innerText()).toContain('G-1')
})

test('supply accounts are imported with their services, and the report says what each row does with its service [IMPORT-SCREEN-008]', async () => {
  const at = `/clients/${client}/supply_accounts/import`
  const page = await open(admin, { at, theme: 'light' })
  await page.getByRole('heading', { name: 'Import Supply Accounts' }).waitFor()
  const cells = ',,Supply,1 Main,Albany,NY,12207'
  const csv = `account_number,vendor_short_code,name,street_address_1,city,state,zip,meter_number,service_name_1\nS-1${cells},M-1,First\nS-1,,,,,,,M-2,Second\nS-2${cells},,\n`
  await imported(page, 'supply.csv', csv)
  const report = page.getByRole('grid', { name: 'Rows of the file' })
  expect(await report.getByRole('columnheader').allInnerTexts()).toContainEqual(expect.stringMatching(/^Service/))
  await lookedAt(page, 'supply-import-report-light')
  const { rows: stored } =
    await sql`select account_number, (select count(*)::int from services where services.supply_account_id = supply_accounts.id) as services
    from supply_accounts where client_id = ${client} order by account_number`.execute(db)
  expect(stored).toEqual([
    { account_number: 'S-1', services: 2 },
    { account_number: 'S-2', services: 0 },
  ])
})

async function heard(page: Page, text: string): Promise<void> {
  await soon(async () => (await noticesSaid(page)).map(({ title, message }) => `${title} ${message}`).join('\n')).toContain(text)
}

async function imported(page: Page, name: string, text: string): Promise<void> {
  await page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Check the file' }).click()
  const stands = (state: string) =>
    page.getByRole('region', { name: 'Import', exact: true }).getByText(state, { exact: true }).waitFor({ timeout: WORK_MS })
  await stands('Checked, not stored')
  await page.getByRole('button', { name: /^Import / }).click()
  await stands('Stored')
}
