/** The main job without a mouse: signs in, opens a client, imports statements, opens the bill. Only keys are pressed. */
import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/server/access/passwords.ts'
import { addRole } from '../support/app.ts'
import { makeClient, makeDivision } from '../support/estate.ts'
import { writeStatements } from '../support/statement-files.ts'
import { addressOf, soon, startConsole } from './console.ts'

const { folder } = await writeStatements({ utilities: 1, accounts: 1, months: 1 })
const { db, open } = await startConsole({ RETRIEVAL_STATEMENTS: folder })
/** More presses of Tab than any page has tab stops. */
const MOST_STOPS = 120
const password = 'a long enough password'

afterAll(() => rm(folder, { recursive: true, force: true }))

async function makeUser(): Promise<string> {
  const email = 'keys@example.test'
  const { rows } = await sql<{ id: number }>`insert into users (email, username, password_hash, account_confirmed)
    values (${email}, 'keys', ${await hashPassword(password)}, true) returning id`.execute(db)
  await addRole(db, rows[0]?.id ?? 0, 'super_admin', {})
  return email
}

/** Presses Tab until the target has the focus; an unreachable target fails. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${target.toString()}`)
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  expect(await target.evaluate((element) => element.matches(':focus-visible'))).toBe(true)
  await page.keyboard.press(key)
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}

test('signs in, opens a client, imports a statement with the account that it needs, and opens its bill by the keyboard alone', async () => {
  const email = await makeUser()
  const client = await makeClient(db, { name: 'Fresh Fields' })
  await makeDivision(db, client, { name: 'North Division' })
  const page = await open(null, { at: '/login' })
  await type(page, page.getByLabel('Email'), email)
  await type(page, page.getByLabel('Password'), password)
  await page.keyboard.press('Enter')
  await page.getByText('Please select a client from the dropdown').waitFor()

  await press(page, page.getByRole('banner').getByRole('button', { name: /^Client:/ }))
  await page.getByRole('dialog').getByRole('option', { name: 'Fresh Fields' }).waitFor()
  await tabTo(page, page.getByRole('dialog').getByRole('combobox', { name: 'Search by Client' }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/clients/${client}/dashboard`)
  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bills', exact: true }))
  await page.waitForURL(`**/clients/${client}/bills`)
  await press(page, page.getByRole('main').getByRole('link', { name: 'Import', exact: true }))
  await press(page, page.getByRole('button', { name: 'Fetch statements' }))
  const panel = page.getByText(/Accounts that are not there yet: /)
  await panel.waitFor({ timeout: 30_000 })
  await press(
    page,
    page
      .locator('summary')
      .filter({ has: panel })
      .or(page.getByRole('button', { name: /Accounts that are not there yet/ })),
  )
  await press(page, page.getByRole('switch', { name: 'Make a new facility' }), 'Space')
  await type(page, page.getByRole('textbox', { name: 'Facility name' }), 'Campus')
  await type(page, page.getByRole('textbox', { name: 'Facility number' }), '1')
  await type(page, page.getByRole('combobox', { name: 'Division' }), 'North')
  await page.getByRole('option', { name: /North Division/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('group', { name: 'Utilities' }).getByRole('checkbox').first(), 'Space')
  await page.getByText('Complete: choose the statements below').waitFor()

  const box = page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('checkbox').first()
  await press(page, box, 'Space')
  await press(page, page.getByRole('button', { name: 'Create selected bills (1)' }))
  await page
    .getByText(/bill created/)
    .first()
    .waitFor({ timeout: 60_000 })

  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bills', exact: true }))
  await page.waitForURL(`**/clients/${client}/bills`)
  // A grid is one tab stop; within it the arrows move, and Enter opens the row.
  const first = page.getByRole('grid').locator('[data-row="0"]')
  await first.waitFor()
  for (let stops = 0; stops < MOST_STOPS && !(await first.evaluate((row) => row.contains(document.activeElement))); stops++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await soon(() => addressOf(page)).toMatch(new RegExp(`^/clients/${client}/bills/\\d+`))
  await page.getByRole('link', { name: 'Bill’s Facilities' }).waitFor()
})
