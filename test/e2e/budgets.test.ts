/** Budgets in a browser: a year filled from the last one, compared with what was billed, followed to the bills and back, by keyboard. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { copyAccountsToBills } from '../../src/server/estate/estate.ts'
import { rebuildFacts } from '../../src/server/month-facts/refresh-facts.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeAccount, makeGround, makeService, type Ground } from '../support/bills.ts'
import { addBill } from '../support/fact-bills.ts'
import { addressOf, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { db, open } = await startConsole()
let admin: Person
let ground: Ground
let second: number

/** Electricity of 100.00 a month in 2023 and 120.00 in 2024, where December is billed up to the 16th. */
beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  ground = await makeGround(db)
  const { clientId, accountId, electricId } = ground
  await sql`update services set active = false where client_id = ${clientId} and id = ${ground.gasId}`.execute(db)
  second = await makeAccount(db, ground, 'SECOND')
  const meter = await makeService(db, clientId, second, 'electric', 'S-M')
  const day = (month: number) => new Date(Date.UTC(2023, month, 1)).toISOString().slice(0, 10)
  const bill = (account: number, service_id: number, days: { from: string; to: string }, utility: string) =>
    addBill(db, clientId, {
      account: { billable_account_id: account },
      date: days.to,
      current_charges: utility,
      lines: [{ ...days, service_id, utility, usage: '100' }],
    })
  for (let month = 0; month < 24; month += 1) {
    const to = month === 23 ? '2024-12-17' : day(month + 1)
    await bill(accountId, electricId, { from: day(month), to }, month < 12 ? '100.00' : '120.00')
  }
  await bill(second, meter, { from: day(12), to: day(13) }, '55.00')
  await rebuildFacts(db, clientId)
  await copyAccountsToBills(db, 'billable_account', clientId, sql`select id from billable_accounts where client_id = ${clientId}`)
})

const at = () => `/clients/${ground.clientId}/budgets`

async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('the control is not reached by Tab')
}

const themes = ['light', 'dark'] as const

async function lookedAtInBothThemes(page: Page, name: string): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    await lookedAt(page, `${name}-${colorScheme}`)
  }
}

test('a year is filled from the last one, saved, compared and followed to its bills and back, by keyboard alone', async () => {
  const page = await open(admin, { at: `${at()}/fill` })
  const year = page.getByLabel('First month of the year')
  await tabTo(page, year)
  await page.keyboard.press('Control+A')
  await page.keyboard.type('01/2024')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('5')
  await page.keyboard.press('Tab')
  // Twelve months of 100.00, and 5 %.
  const save = page.getByRole('button', { name: 'Save 12 budgets · $1,260.00' })
  await page.getByText('Without an actual: 1 account in use').waitFor()
  await lookedAtInBothThemes(page, 'budget-fill')
  const count = async () => (await sql`select from budgets where client_id = ${ground.clientId}`.execute(db)).rows.length
  expect(await count()).toBe(0)
  await tabTo(page, save)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /^Budget against Actual/ }).waitFor()
  expect(await count()).toBe(12)

  const months = page.getByRole('region', { name: 'By month' })
  const january = months.locator('[data-month="2024-01"]')
  // The second account has no budget: 120.00 is compared with 105.00, and 55.00 is named.
  await expect.poll(() => january.innerText()).toMatch(/105\.00\s+175\.00\s+100(\.0)?%\s+\+\$15\.00 \(\+14\.29%\) over/)
  const december = months.locator('[data-month="2024-12"]')
  expect(await december.innerText()).toMatch(/105\.00\s+120\.00\s+\d+\.\d%, not complete\s+not compared\s+120\.00/)
  await page.getByText('$55.00 of complete months has no budget.').waitFor()
  await lookedAtInBothThemes(page, 'budget-variance')

  const link = january.getByRole('link', { name: '175.00: the bills of January 2024' })
  await tabTo(page, link)
  await page.keyboard.press('Enter')
  await page.getByRole('note', { name: 'What the figure counts' }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThanOrEqual(3)
  await page.getByRole('link', { name: 'Back to the budgets' }).waitFor()
  await page.keyboard.press('Escape')
  await january.waitFor()
  expect(addressOf(page)).toContain('/budgets/variance?first_month=2024-01')
})

test('the table is divided, sorted, narrowed to an account and saved with all months', async () => {
  await sql`insert into budgets (client_id, billable_account_id, month, amount) values (${ground.clientId}, ${second}, '2024-01', 60)`.execute(
    db,
  )
  const page = await open(admin, { at: `${at()}/variance?first_month=2024-01` })
  const divisions = page.getByRole('region', { name: 'Divisions' })
  await divisions.getByRole('row', { name: /West/ }).waitFor()
  await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Accounts' })
  const accounts = page.getByRole('region', { name: 'Accounts', exact: true })
  const names = () => accounts.getByRole('rowheader').allInnerTexts()
  // The largest overrun comes first.
  await expect.poll(async () => (await names())[1] ?? '').toContain('SECOND')
  await tabTo(page, accounts.getByRole('button', { name: 'Variance', exact: true }))
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await names())[0] ?? '').toContain('SECOND')
  expect(addressOf(page)).toContain('order=variance')

  const download = page.waitForEvent('download')
  await tabTo(page, accounts.getByRole('button', { name: 'Export CSV' }))
  await page.keyboard.press('Enter')
  const saved = await download
  expect(saved.suggestedFilename()).toBe('budgets-accounts-2024-01.csv')
  const lines = (await readFile(await saved.path(), 'utf8')).replace('\uFEFF', '').split('\r\n')
  expect(lines[0]).toContain('Accounts,Place,Month,Budget,Actual')
  expect(lines).toContain('SECOND Account SECOND,Store 1,2024-01,60.00,55.00,1.0000,Yes,60.00,55.00,-5.00,-8.33,55.00,Actual')
  expect(lines.filter((line) => line !== '')).toHaveLength(1 + 24)

  const name = accounts.getByRole('link', { name: 'SECOND Account SECOND', exact: true })
  await tabTo(page, name)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Budget against Actual: SECOND Account SECOND' }).waitFor()
  await page.getByRole('button', { name: 'Remove Only: SECOND Account SECOND' }).click()
  await page.getByRole('heading', { level: 1, name: /Budget against Actual: Client/ }).waitFor()
})

test('the list shows budgets, and the form makes one and says what it lacks', async () => {
  const page = await open(admin, { at: at() })
  await page.getByRole('link', { name: 'Against Actual' }).waitFor()
  await page.getByText(`0001234${ground.clientId}`).first().waitFor()
  await lookedAtInBothThemes(page, 'budget-list')
  await page.getByRole('link', { name: 'Add New' }).click()
  await page.getByLabel('Month').fill('01/2025')
  await page.getByLabel('Amount').fill('12.5')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('Billable Account is required').first().waitFor()
  await page.getByRole('combobox', { name: /Billable Account/ }).click()
  await page.keyboard.type('SECOND')
  await page.getByRole('option', { name: /SECOND/ }).click()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect.poll(() => addressOf(page)).toBe(at())
  const { rows } =
    await sql`select amount from budgets where client_id = ${ground.clientId} and billable_account_id = ${second} and month = '2025-01'`.execute(
      db,
    )
  expect(rows).toEqual([{ amount: '12.50' }])
})
