/** The numbers of a client's vendors: table, form, deleting, export. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeClient, makeVendor } from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { heardNotice } from './notices-said.ts'

const { db, open } = await startConsole()
let admin: Person
let client: number
let list: string

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  client = await makeClient(db, { name: 'Harbor Foods' })
  list = `/clients/${client}/client_vendor_numbers`
  for (let at = 0; at < 12; at++) await addNumber(client, `Utility ${String(at).padStart(2, '0')}`, `N-${at}`)
})

async function addNumber(clientId: number, vendor: string, number: string): Promise<void> {
  await sql`insert into client_vendor_numbers (client_id, vendor_id, vendor_number) values (${clientId}, ${await makeVendor(db, { name: vendor })}, ${number})`.execute(
    db,
  )
}

const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const actionsOf = async (page: Page, text: string) => {
  await rowOf(page, text)
    .getByRole('button', { name: /Actions/ })
    .click()
  return page.getByRole('menu').last()
}
const numberOf = async (vendor: string) => {
  const { rows: found } = await sql<{ vendor_number: string }>`select vendor_number from client_vendor_numbers
    join vendors on vendors.id = vendor_id where client_id = ${client} and vendors.name = ${vendor}`.execute(db)
  return found[0]?.vendor_number
}

test('the table has ten rows a page without a size changer, Add New, Import and Export, and edit and delete on each row [CVN-ROUTE-001] [CVN-SCREEN-001] [CVN-SCREEN-002] [CVN-SCREEN-003] [CVN-CONST-001] [CVN-FIELD-001]', async () => {
  const page = await open(admin, { at: '/clients?name=Harbor' })
  const menu = await actionsOf(page, 'Harbor Foods')
  expect(await page.getByLabel('Per page').count()).toBe(1)
  await menu.getByRole('menuitem', { name: 'Vendor Numbers' }).click()
  await page.getByText('1–10 of 12 client vendor numbers').waitFor()
  expect(addressOf(page)).toBe(list)
  expect(await rows(page).count()).toBe(10)
  expect(await rowOf(page, 'Utility 03').innerText()).toContain('N-3')
  expect(await page.getByLabel('Per page').count()).toBe(0)
  expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).innerText()).toContain('Harbor Foods')
  expect(await page.getByRole('link', { name: 'Add New' }).getAttribute('href')).toBe(`${list}/new`)
  expect(await page.getByRole('link', { name: 'Import', exact: true }).getAttribute('href')).toBe(`${list}/import`)
  await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
  const items = (await actionsOf(page, 'Utility 03')).getByRole('menuitem')
  expect(await items.allInnerTexts()).toEqual(['Edit', 'Delete'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Next page' }).click()
  await soon(() => rows(page).count()).toBe(2)
  const widened = await open(admin, { at: `${list}?per=50` })
  await widened.getByText('1–10 of 12 client vendor numbers').waitFor()
  expect(await rows(widened).count()).toBe(10)
})

test('a number is made and changed by a form that needs vendor and number [CVN-ROUTE-002] [CVN-ROUTE-004] [CVN-RULE-001]', async () => {
  await makeVendor(db, { name: 'Lakes Power' })
  const page = await open(admin, { at: `${list}/new` })
  await page.getByRole('heading', { name: 'New Form' }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  for (const message of ['Vendor is required', 'Vendor Number is required']) await page.getByText(message, { exact: true }).waitFor()
  await page.getByRole('combobox', { name: /^Vendor/ }).fill('Lakes')
  await page.getByRole('option', { name: /Lakes Power/ }).click()
  await page.getByRole('textbox', { name: 'Vendor Number' }).fill('LP-1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(`**${list}`)
  expect(await numberOf('Lakes Power')).toBe('LP-1')
  await rowOf(page, 'Lakes Power').getByRole('link').click()
  await page.getByRole('heading', { name: 'Edit Form' }).waitFor()
  expect(addressOf(page)).toMatch(new RegExp(`^${list}/\\d+/edit$`))
  await soon(() => page.getByRole('combobox', { name: /^Vendor/ }).inputValue()).toContain('Lakes Power')
  await page.getByRole('textbox', { name: 'Vendor Number' }).fill('LP-2')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(`**${list}`)
  expect(await numberOf('Lakes Power')).toBe('LP-2')
})

test('deleting asks in its own words, and says what came of it [CVN-MSG-001] [CVN-MSG-003] [CVN-MSG-004]', async () => {
  await addNumber(client, 'Aardvark Gas', 'A-1')
  const page = await open(admin, { at: list })
  const erase = async () => {
    await (await actionsOf(page, 'Aardvark Gas')).getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Are you sure you want to delete this Client Vendor Number?', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
  }
  await page.route('**/client_vendor_numbers/*', (route) => (route.request().method() === 'DELETE' ? route.abort() : route.fallback()))
  await erase()
  expect(await heardNotice(page)).toMatchObject({ kind: 'Error', title: 'There was an error deleting the Client Vendor Number' })
  expect(await numberOf('Aardvark Gas')).toBe('A-1')
  await page.unroute('**/client_vendor_numbers/*')
  await erase()
  expect(await heardNotice(page, 1)).toMatchObject({ kind: 'Done', title: 'Deleted Client Vendor Number' })
  await rowOf(page, 'Aardvark Gas').waitFor({ state: 'detached' })
  expect(await numberOf('Aardvark Gas')).toBeUndefined()
})

test('Import leads to the import of numbers, which takes a file [CVN-ROUTE-003]', async () => {
  const page = await open(admin, { at: list })
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.waitForURL(`**${list}/import`)
  await page.getByRole('heading', { name: 'Import Client Vendor Numbers' }).waitFor()
  await page.locator('input[type=file]').waitFor({ state: 'attached' })
})

test('the export says that it started and its file holds every number [CVN-MSG-002] [CVN-EXPORT-001]', async () => {
  const page = await open(admin, { at: list })
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  expect(await heardNotice(page)).toMatchObject({ kind: 'Done', title: 'Client Vendor Numbers export started' })
  await soon(async () => {
    const { rows: done } = await sql`select id from tasks where kind = 'csv_export' and state = 'done' and user_id = ${admin.id}`.execute(
      db,
    )
    return done.length
  }).toBe(1)
})

test('who only reads the client sees the numbers and nothing to change them with', async () => {
  const reader = await makePerson(db, 'client_manager', { clients: [client] })
  const page = await open(reader, { at: list })
  await rowOf(page, 'Utility 00').waitFor()
  expect(await page.getByRole('link', { name: 'Add New' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /Actions/ }).count()).toBe(0)
  await page.goto(`${list}/new`)
  await page.getByText('You have no access to this page').waitFor()
})
