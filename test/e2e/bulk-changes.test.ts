/** Bulk changes of accounts: choosing rows, preview, applying, undo, and the list of bulk changes. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { pictureOf } from './pictures.ts'

const { db, open } = await startConsole()
const longName = 'The Consolidated Northern Distribution and Cold Storage Hall'
let manager: Person
let reader: Person
let client: number
let hall: number
let depot: number
let power: number
let gas: number

beforeAll(async () => {
  client = await makeClient(db, { name: 'Harbor Foods' })
  const division = await makeDivision(db, client, { name: 'West' })
  hall = await makeFacility(db, client, division, { name: longName })
  depot = await makeFacility(db, client, division, { name: 'Depot' })
  power = await makeVendor(db, { name: 'City Power' })
  gas = await makeVendor(db, { name: 'Pacific Gas and Light of the Greater Bay and Valley District' })
  manager = await makePerson(db, 'client_manager', { clients: [client] })
  reader = await makePerson(db, 'read_only_user', { clients: [client] })
})

beforeEach(async () => {
  for (const table of ['bulk_changes', 'billable_accounts', 'supply_accounts'])
    await sql`delete from ${sql.table(table)} where client_id = ${client}`.execute(db)
  for (let at = 1; at <= 24; at++)
    await makeBillableAccount(db, client, hall, power, { name: `Account ${String(at).padStart(2, '0')}`, account_number: `A-${at}` })
})

const list = () => `/clients/${client}/billable_accounts`
const rows = (page: Page) => page.getByRole('grid').first().locator('[role=rowgroup]').nth(1).getByRole('row')
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: new RegExp(`^Select A-\\d+ ${name}$`) })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' })
const panel = (page: Page) => page.getByRole('dialog', { name: /^Change (Billable|Supply) Accounts$/ })
const stored = async (column: 'facility_id' | 'vendor_id' | 'active', table = 'billable_accounts') =>
  (
    await sql<{ value: unknown; count: number }>`select ${sql.ref(column)} as value, count(*)::int as count from ${sql.table(table)}
      where client_id = ${client} group by 1 order by 2`.execute(db)
  ).rows
const change = (page: Page, words: string) => bar(page).getByRole('button', { name: `Change ${words}` })
const pick = async (page: Page, field: string, text: string) => {
  await panel(page).getByRole('combobox', { name: field }).fill(text)
  await page.getByRole('option', { name: new RegExp(text) }).click()
}

describe('choosing rows', () => {
  test('one, a range, a page, all that match but some; kept over pages, ended by another filter and by Escape', async () => {
    const page = await open(manager, { at: `${list()}?per=10` })
    await box(page, 'Account 02').click()
    await box(page, 'Account 05').click({ modifiers: ['Shift'] })
    await bar(page).getByText('4 selected', { exact: true }).waitFor()
    await page.getByRole('status').getByText('4 rows selected', { exact: true }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Next page' }).click()
    await box(page, 'Account 11').click()
    await bar(page).getByText('5 selected', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await bar(page).getByText('14 selected', { exact: true }).waitFor()
    await bar(page).getByRole('button', { name: 'Select all 24 matching' }).click()
    await bar(page).getByText('24 selected', { exact: true }).waitFor()
    await box(page, 'Account 12').click()
    await bar(page).getByText('23 selected', { exact: true }).waitFor()
    expect(
      await page.getByRole('checkbox', { name: 'Select all on this page' }).evaluate((element) => element.matches(':indeterminate')),
    ).toBe(true)
    await page.getByRole('columnheader', { name: /^Name/ }).getByRole('button').click()
    await bar(page).getByText('23 selected', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Filter Name' }).fill('Account 1')
    await bar(page).waitFor({ state: 'detached' })
    await rows(page).nth(9).waitFor()
    await box(page, 'Account 12').click()
    await bar(page).waitFor()
    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })
    expect(await box(page, 'Account 12').isChecked()).toBe(false)
  })

  test('is offered to nobody who may change none', async () => {
    const page = await open(reader, { at: list() })
    await rows(page).first().waitFor()
    expect(await page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0)
    await page.goto(`/clients/${client}/bulk_changes`)
    await page.getByText('You have no access to this page').waitFor()
  })
})

describe('changing many accounts', () => {
  test('goes by keyboard alone: x and arrows, the panel, its preview, the act, and Ctrl-Z while the notice is there', async () => {
    const page = await open(manager, { at: list() })
    await rows(page).first().waitFor()
    await box(page, 'Account 01').focus()
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+X')
    await bar(page).getByText('3 selected', { exact: true }).waitFor()
    await lookedAt(page, 'bulk-bar')
    await pictureOf(page, 'bulk-bar')
    await change(page, '3 billable accounts').focus()
    await page.keyboard.press('Enter')
    await panel(page).getByText('What it would do to each record is shown here before anything happens.').waitFor()
    await lookedAt(page, 'bulk-panel-empty')
    await pictureOf(page, 'bulk-panel-empty')
    await page.keyboard.type('Dep')
    await page.getByRole('option', { name: /Depot/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const preview = panel(page).getByRole('grid', { name: 'What would change' })
    await soon(() => preview.getByText('Depot', { exact: true }).count()).toBe(3)
    expect(await stored('facility_id')).toEqual([{ value: hall, count: 24 }])
    const apply = panel(page).getByRole('button', { name: 'Change 3 billable accounts' })
    for (let at = 0; at < 40 && !(await apply.evaluate((element) => element === document.activeElement)); at++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await panel(page).waitFor({ state: 'detached' })
    await page.getByText('3 billable accounts changed').first().waitFor()
    await bar(page).waitFor({ state: 'detached' })
    expect(await stored('facility_id')).toEqual([
      { value: depot, count: 3 },
      { value: hall, count: 21 },
    ])
    await soon(() => rows(page).filter({ hasText: 'Depot' }).count()).toBe(3)
    await pictureOf(page, 'bulk-notice')
    await page.keyboard.press('Control+z')
    await page.getByText('3 billable accounts as before').first().waitFor()
    expect(await stored('facility_id')).toEqual([{ value: hall, count: 24 }])
    await soon(() => rows(page).filter({ hasText: 'Depot' }).count()).toBe(0)
  })

  test('all that match but one, by several fields; says who stays and what to know, and does nothing where the set has changed meanwhile', async () => {
    await sql`update billable_accounts set vendor_id = ${gas} where client_id = ${client} and account_number = 'A-3'`.execute(db)
    await makeBillableAccount(db, client, hall, gas, { name: 'Twin', account_number: 'A-4' })
    const page = await open(manager, { at: `${list()}?name=Account&per=10` })
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await bar(page).getByRole('button', { name: 'Select all 24 matching' }).click()
    await box(page, 'Account 02').click()
    await change(page, '23 billable accounts').click()
    await pick(page, 'Vendor', 'Pacific')
    await panel(page).getByRole('button', { name: '22 would change' }).waitFor()
    await panel(page).getByText('1 with a warning').waitFor()
    await panel(page).getByText('The vendor has an account with this number already').waitFor()
    await panel(page).getByLabel('Active').selectOption('No')
    await panel(page).getByRole('button', { name: '23 would change' }).waitFor()
    await lookedAt(page, 'bulk-panel')
    await pictureOf(page, 'bulk-panel')
    await panel(page).getByLabel('Active').selectOption('No change')
    await panel(page).getByRole('button', { name: '1 stay as they are' }).click()
    await soon(() => panel(page).getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row').count()).toBe(1)
    await makeBillableAccount(db, client, hall, power, { name: 'Account 25', account_number: 'A-25' })
    await panel(page).getByRole('button', { name: 'Change 22 billable accounts' }).click()
    await panel(page).getByText('The records have changed since the preview, so nothing was done. Please look at them again').waitFor()
    expect(await stored('vendor_id')).toEqual([
      { value: gas, count: 2 },
      { value: power, count: 24 },
    ])
    await pictureOf(page, 'bulk-panel-refused')
    await panel(page).getByRole('button', { name: 'Change 23 billable accounts' }).click()
    await panel(page).waitFor({ state: 'detached' })
    await soon(() => stored('vendor_id')).toEqual([
      { value: power, count: 1 },
      { value: gas, count: 25 },
    ])
  })

  test('of supply accounts takes a facility away, and brings it back by the notice', async () => {
    for (const number of ['S-1', 'S-2']) await makeSupplyAccount(db, client, hall, { account_number: number })
    const page = await open(manager, { at: `/clients/${client}/supply_accounts` })
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await change(page, '2 supply accounts').click()
    await panel(page).getByLabel('Take the facility away').check()
    await panel(page).getByRole('button', { name: 'Change 2 supply accounts' }).click()
    await panel(page).waitFor({ state: 'detached' })
    expect(await stored('facility_id', 'supply_accounts')).toEqual([{ value: null, count: 2 }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await soon(() => stored('facility_id', 'supply_accounts')).toEqual([{ value: hall, count: 2 }])
  })
})

describe('the list of changes', () => {
  test('says who did what to how many, shows the records and what stands in the way, and undoes the whole', async () => {
    const page = await open(manager, { at: list() })
    for (const name of ['Account 01', 'Account 02']) await box(page, name).click()
    await change(page, '2 billable accounts').click()
    await pick(page, 'Facility', 'Depot')
    await panel(page).getByLabel('Billing Period').selectOption('Quarterly')
    await panel(page).getByRole('button', { name: 'Change 2 billable accounts' }).click()
    await panel(page).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Show' }).click()
    await soon(() => addressOf(page)).toBe(`/clients/${client}/bulk_changes`)
    const row = rows(page).filter({ hasText: 'Facility: Depot, Billing Period: Quarterly' })
    await row.waitFor()
    expect(await row.innerText()).toContain(manager.email)
    await lookedAt(page, 'bulk-changes')
    await pictureOf(page, 'bulk-changes')
    await sql`update billable_accounts set notes = 'x', lock_version = lock_version + 1 where client_id = ${client} and account_number = 'A-2'`.execute(
      db,
    )
    const menuItem = async (name: string) => {
      await row.getByRole('button', { name: /Actions/ }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await menuItem('Show records')
    const drawer = page.getByRole('dialog', { name: 'Changed records' })
    await drawer.getByText('Changed since', { exact: true }).waitFor()
    await lookedAt(page, 'bulk-records')
    await pictureOf(page, 'bulk-records')
    await page.keyboard.press('Escape')
    const undo = async () => {
      await menuItem('Undo')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Undo on 2 billable accounts' }).click()
    }
    await undo()
    await page.getByText('Nothing was undone. 1 billable account was changed since: A-2').first().waitFor()
    await sql`update billable_accounts set lock_version = lock_version - 1 where client_id = ${client} and account_number = 'A-2'`.execute(
      db,
    )
    await undo()
    await page.getByText('2 billable accounts as before').first().waitFor()
    expect(await stored('facility_id')).toEqual([{ value: hall, count: 24 }])
    await soon(() => row.getByText('In force').count()).toBe(0)
  })
})
