/** The main jobs without a mouse: bills from statements, and the money of a month. Only keys are pressed. */
import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, test } from 'vitest'
import { hashPassword } from '../../src/server/access/passwords.ts'
import { addRole, makePerson } from '../support/app.ts'
import { makeClient, makeDivision, makeLedgerAccount } from '../support/estate.ts'
import { makePaymentWorld } from '../support/payments.ts'
import { writeStatements } from '../support/statement-files.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { MOST_STOPS, press, tabTo, type } from './keys.ts'
import { lookedAt } from './looked-at.ts'

const { folder } = await writeStatements({ utilities: 1, accounts: 1, months: 1 })
const { app, db, open } = await startConsole({ RETRIEVAL_STATEMENTS: folder })
/** The month is sixteen pages and dialogs, each looked at by axe. */
const MONTH_MS = 300_000
const password = 'a long enough password'

afterAll(() => rm(folder, { recursive: true, force: true }))

async function makeUser(): Promise<string> {
  const email = 'keys@example.test'
  const { rows } = await sql<{ id: number }>`insert into users (email, username, password_hash, account_confirmed)
    values (${email}, 'keys', ${await hashPassword(password)}, true) returning id`.execute(db)
  await addRole(db, rows[0]?.id ?? 0, 'super_admin', {})
  return email
}

/** Goes to the first row of the grid: the grid is one tab stop, and within it the arrows move. */
async function goToFirstRow(page: Page): Promise<void> {
  const first = page.getByRole('main').getByRole('grid').locator('[data-row="0"]')
  await first.waitFor()
  for (let stops = 0; stops < MOST_STOPS && !(await first.evaluate((row) => row.contains(document.activeElement))); stops++)
    await page.keyboard.press('Tab')
}

async function openFirstRow(page: Page): Promise<void> {
  await goToFirstRow(page)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
}

/** Chooses from the menu of the first row, which is its last cell. */
async function chooseOfFirstRow(page: Page, name: string): Promise<void> {
  await goToFirstRow(page)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name, exact: true })
  await item.waitFor()
  for (let steps = 0; steps < 10 && !(await item.evaluate((element) => element === document.activeElement)); steps++)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
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
  await openFirstRow(page)
  await soon(() => addressOf(page)).toMatch(new RegExp(`^/clients/${client}/bills/\\d+`))
  await page.getByRole('link', { name: 'Bill’s Facilities' }).waitFor()
})

test.each(['dark', 'light'] as const)(
  'closes the month of a client by the keyboard alone, in the %s theme: batch, a missing ledger account, upload file, invoice, vendor batch, approval by a second person, payment, trail',
  { timeout: MONTH_MS },
  async (theme) => {
    const { ground, makeBill } = await makePaymentWorld(app)
    const client = `/clients/${ground.clientId}`
    await sql`update clients set ledger_account_management = true where id = ${ground.clientId}`.execute(db)
    const electricity = await makeLedgerAccount(db, ground.clientId, '6100 Electricity')
    await sql`update services set ledger_account_id = ${electricity} where id = ${ground.electricId}`.execute(db)
    await makeLedgerAccount(db, ground.clientId, '6200 Natural gas')
    await makeBill(1)
    await makeBill(2)
    const treasurer = await makePerson(db, 'client_admin', { clients: [ground.clientId] })
    const page = await open(await makePerson(db, 'super_admin'), { at: `${client}/accounting_batches`, theme })
    const seen = (name: string, who = page): Promise<void> => lookedAt(who, `month-${name}-${theme}`)
    const main = page.getByRole('main')
    const button = (name: string | RegExp) => main.getByRole('button', { name })
    const link = (name: string | RegExp) => main.getByRole('link', { name, exact: true })
    const answer = (name: string) => page.getByRole('alertdialog').getByRole('button', { name, exact: true })

    await press(page, link('Add New').first())
    await type(page, main.getByRole('textbox', { name: /^Batch Code/ }), 'HLM-2026-11')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(`**${client}/accounting_batches`)
    await chooseOfFirstRow(page, 'Bills')
    await press(page, button('Check for new bills'))
    await main.getByText('2 of 2 bills chosen · $303.00').waitFor()
    await seen('client-bills')
    await press(page, button('Save'))
    await soon(() => button('Save').getAttribute('aria-disabled')).toBe('true')

    await press(page, link('Ledger'))
    await main.getByText('1 service keeps this batch from being closed').waitFor()
    await seen('missing-ledger-account')
    await type(page, main.getByRole('combobox', { name: /^Ledger account of G-1/ }), 'Natural')
    await page.getByRole('option', { name: /6200 Natural gas/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await press(page, button('Use'))
    await main.getByText('Debits $303.00 = credits $303.00').waitFor()
    await press(page, button(/^Close batch/))
    await page.getByRole('alertdialog').waitFor()
    await seen('close-question')
    await press(page, answer('Close batch'))
    await main.getByText('Frozen when the batch was closed').waitFor()
    await seen('frozen-lines')

    await press(page, link('Files'))
    await press(page, button('Generate Upload File'))
    await main.getByRole('grid', { name: 'Upload files' }).locator('[data-row="0"]').waitFor()
    await seen('upload-files')
    await press(page, link('Invoice'))
    await press(page, button('Invoice PDF'))
    await main.getByRole('grid', { name: 'Invoices' }).locator('[data-row="0"]').waitFor()
    await press(page, button('Mark as invoiced'))
    await press(page, answer('Mark as invoiced'))
    await soon(() => main.getByRole('listitem').filter({ hasText: 'Invoiced' }).first().getAttribute('aria-current')).toBe('step')
    await seen('invoiced')

    const menu = page.getByRole('navigation', { name: 'Main' })
    await press(page, menu.getByRole('button', { name: 'Financials' }))
    await menu.getByRole('menuitem', { name: 'Vendor Batches' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${client}/payment_batches`)
    await press(page, link('Approval steps'))
    await press(page, button('Add Step'))
    await type(page, main.getByRole('textbox', { name: /^Step/ }), 'Treasurer')
    await type(page, main.getByRole('textbox', { name: /^Above/ }), '100')
    await type(page, main.getByRole('combobox', { name: /^Approvers/ }), treasurer.email.slice(0, 12))
    await page.getByRole('option').filter({ hasText: treasurer.email }).waitFor()
    await seen('approval-steps')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(`**${client}/payment_batches`)

    await press(page, link('Add New').first())
    await main.getByRole('textbox', { name: /^Batch Date/ }).waitFor()
    await tabTo(page, main.getByRole('textbox', { name: /^Batch Date/ }))
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(`**${client}/payment_batches`)
    await chooseOfFirstRow(page, 'Bills')
    await press(page, button('Check for new bills'))
    await main.getByText('2 of 2 bills chosen · $303.00').waitFor()
    await seen('vendor-bills')
    await press(page, button('Save'))
    await soon(() => button('Save').getAttribute('aria-disabled')).toBe('true')
    await press(page, main.getByRole('navigation', { name: 'Vendor Batch' }).getByRole('link', { name: /^Vendor Payments/ }))
    await chooseOfFirstRow(page, 'Edit')
    await type(page, main.getByRole('textbox', { name: /^Payment Date/ }), '11/30/2026')
    await type(page, main.getByRole('textbox', { name: /^Payment ID/ }), '10441')
    await page.keyboard.press('Control+Enter')
    await main.getByRole('grid', { name: 'Vendor Payments' }).getByText('10441').waitFor()
    await seen('vendor-payments')
    await press(page, main.getByRole('navigation', { name: 'Vendor Batch' }).getByRole('link', { name: 'Approval' }))
    await press(page, button('Request approval…'))
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Request approval' }))
    await main.getByText('0 of 1 approvals are given').waitFor()
    await seen('approval-requested')

    const second = await open(treasurer, { at: addressOf(page), theme })
    await press(second, second.getByRole('button', { name: 'Approve $303.00…' }))
    await second.getByRole('dialog').waitFor()
    await seen('approve-dialog', second)
    await press(second, second.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }))
    await second.getByText('This vendor batch is approved already.').waitFor()
    await seen('approved', second)

    await page.reload()
    await press(page, button(/^Close batch · pays 1 of 1 payments/))
    await press(page, answer('Close batch'))
    await soon(() => main.getByRole('listitem').filter({ hasText: 'Paid' }).first().getAttribute('aria-current')).toBe('step')
    await seen('paid')
    await press(page, menu.getByRole('link', { name: 'Bills', exact: true }))
    await page.waitForURL(`**${client}/bills`)
    await openFirstRow(page)
    await press(page, link('Trail'))
    const trail = page.getByRole('table', { name: 'Trail' })
    await soon(() => trail.innerText()).toMatch(/Keyed[\s\S]*Ledger lines[\s\S]*Upload file[\s\S]*Invoice[\s\S]*10441/)
    await page.getByText('No break found').waitFor()
    await seen('trail')
  },
)
