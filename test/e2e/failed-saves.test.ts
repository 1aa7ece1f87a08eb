/**
 * A failed save outside of a form keeps its reason where it was started, with Retry, until the next attempt; what saves and deletions of batches
 * and bills say when they fail; and the meanings of statuses beside them.
 */
import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { fullStatuses, statusMeanings } from '#contract/bills/bill-status.ts'
import { mixedTypes, mixedVendors } from '../../src/web/global-batches/words.ts'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeAccount, makeGround, makeService, monthlyDraft, type Ground } from '../support/bills.ts'
import { makeDeskBill } from '../support/desk.ts'
import { writeStatements } from '../support/statement-files.ts'
import { addressOf, goInside, soon, startConsole } from './console.ts'
import { button, dayOn, rows as rowsOf } from './desk-ground.ts'
import { heardNotice, noticeHistory, noticesSaid } from './notices-said.ts'

const { folder } = await writeStatements({ utilities: 1, accounts: 1, months: 1 })
afterAll(() => rm(folder, { recursive: true, force: true }))
const { app, db, open } = await startConsole({ RETRIEVAL_STATEMENTS: folder })
let at: Ground
let admin: Person
let bill: number
/** Addresses of the forms of batches, payments and bills. */
let forms: string[]

beforeAll(async () => {
  at = await makeGround(db)
  admin = await makePerson(db, 'super_admin')
  const outcomes = await acting(app.database, (context) => createBills(context, at.clientId, [monthlyDraft(at, 1)]))
  bill = outcomes[0]?.kind === 'created' ? outcomes[0].id : 0
  await makeService(db, at.clientId, at.accountId, 'water', 'W-1')
  forms = await makeBatches()
})

/** Cuts the connection, acts, checks the reason after the toast has gone, restores the connection, and checks that Retry works. */
async function failsAndRetries(page: Page, method: string, where: Locator, act: () => Promise<void>, what = 'Not saved'): Promise<void> {
  await page.route('**/api/v5/**', (route) => (route.request().method() === method ? route.abort('connectionreset') : route.fallback()))
  await act()
  const alert = where.getByRole('alert').filter({ hasText: `${what}: The server cannot be reached` })
  await alert.waitFor()
  await page.waitForTimeout(2_000)
  expect(await alert.innerText()).toContain('The server cannot be reached')
  await page.unroute('**/api/v5/**')
  await alert.getByRole('button', { name: 'Retry' }).click()
  await alert.waitFor({ state: 'detached' })
}

test('a view that was not saved keeps its name and the reason in its dialog', async () => {
  const page = await open(admin, { at: `/clients/${at.clientId}/bills` })
  await page.getByRole('button', { name: /^View: All/ }).click()
  await page.getByRole('menuitem', { name: 'Save as…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Mine')
  await failsAndRetries(page, 'POST', dialog, () => dialog.getByRole('button', { name: 'Save view' }).click())
  await page.getByRole('button', { name: 'View: Mine' }).waitFor()
  const { rows } = await sql<{ name: string }>`select name from saved_views`.execute(db)
  expect(rows).toEqual([{ name: 'Mine' }])
})

test('a view that was not deleted says so beside its menu', async () => {
  const page = await open(admin, { at: `/clients/${at.clientId}/bills` })
  await page.getByRole('button', { name: /^View: All/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Mine' }).click()
  await page.getByRole('button', { name: /^View: Mine/ }).click()
  await page.getByRole('menuitem', { name: 'Delete this view' }).click()
  await failsAndRetries(
    page,
    'DELETE',
    page.locator('body'),
    () => page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click(),
    'View not changed',
  )
  await page.getByRole('button', { name: /^View: All/ }).waitFor()
})

test('an order of services that was not saved is said under the list', async () => {
  const page = await open(admin, { at: `/clients/${at.clientId}/billable_accounts/${at.accountId}/services` })
  const row = page.getByRole('row').filter({ hasText: 'W-1' })
  await row.getByRole('button', { name: /Actions/ }).click()
  await failsAndRetries(page, 'PUT', page.locator('body'), () => page.getByRole('menuitem', { name: 'Move up' }).click(), 'Order not saved')
  await soon(async () => {
    const { rows } = await sql<{
      meter_number: string
    }>`select meter_number from services where billable_account_id = ${at.accountId} order by rank, id`.execute(db)
    return rows.map(({ meter_number }) => meter_number)
  }).toEqual(['E-1', 'W-1', 'G-1'])
})

test('a choice of notifications that was not saved is said under the boxes', async () => {
  const page = await open(admin, { at: '/users/profile/notifications' })
  const box = page.getByRole('checkbox').first()
  const before = await box.isChecked()
  await failsAndRetries(page, 'PUT', page.locator('body'), () => box.click())
  await soon(() => box.isChecked()).toBe(!before)
})

test('a summary bill that was not saved says so in the foot of its sheet', async () => {
  const group = await makeAccount(db, at, 'GROUP-9', { group: true })
  await makeAccount(db, at, 'SUB-9', { groupId: group })
  const page = await open(admin, { at: `/clients/${at.clientId}/group_accounts/${group}/bills/new` })
  const form = page.getByRole('form', { name: 'Summary bill' })
  await form.getByLabel('Bill Date').fill('11/12/2026')
  await form.getByLabel('Due Date').fill('12/04/2026')
  await form.getByLabel('Current Charges').fill('100')
  await form.getByLabel('SUB-9 Account charge').fill('100')
  await failsAndRetries(page, 'POST', form, () => form.getByRole('button', { name: 'Save' }).click())
  await page.waitForURL(/\/bills\/\d+$/)
  const { rows } = await sql<{ bills: number }>`select count(*)::int as bills from bills
    where billable_account_id = ${group} or group_bill_id in (select id from bills where billable_account_id = ${group})`.execute(db)
  expect(rows).toEqual([{ bills: 2 }])
})

test('a statement that was not matched with an account says so under the account that was chosen', async () => {
  const page = await open(admin, { at: `/clients/${at.clientId}/bills/import` })
  await page.getByRole('button', { name: 'Fetch statements' }).click()
  await page.getByRole('grid').getByRole('link', { name: '00100001' }).click({ timeout: 60_000 })
  const beside = page.getByRole('complementary', { name: 'Statement' })
  await beside.getByRole('combobox', { name: 'It belongs to the account' }).fill('SUB-9')
  await page.getByRole('option', { name: /SUB-9/ }).click()
  await failsAndRetries(page, 'POST', beside, () => beside.getByRole('button', { name: 'Match this number' }).click(), 'Not matched')
  // The account does not have the statement's meter yet.
  await beside.getByText('Needs meter', { exact: true }).waitFor()
})

test('what each status means stands beside the filter and beside the status of a bill, in the words of the documentation', async () => {
  const page = await open(admin, { at: `/clients/${at.clientId}/bills` })
  for (const address of [`/clients/${at.clientId}/bills`, `/clients/${at.clientId}/bills/${bill}`]) {
    await page.goto(address)
    await page.getByRole('button', { name: 'What the statuses mean' }).first().click()
    const help = page.getByRole('dialog', { name: 'What the statuses mean' })
    await help.waitFor()
    expect(await help.locator('dt').allInnerTexts()).toEqual([...fullStatuses])
    expect(await help.locator('dd').allInnerTexts()).toEqual(fullStatuses.map((status) => statusMeanings[status]))
  }
})

const dates = { batch_date: dayOn(0), bills_due_date: dayOn(14) }

async function made(path: string, body: object): Promise<number> {
  const { body: saved, text } = await app.ask(admin, 'POST', path, body)
  if (typeof saved['id'] !== 'number') throw new Error(text)
  return saved['id']
}

/** Makes a vendor batch with one bill, and so with a payment. */
async function makeVendorBatch(): Promise<number> {
  const paid = await makeDeskBill(db, at, at.vendorId, { amount: '10.00', due: dayOn(9), date: dayOn(-20) })
  const payer = { payer_type: 'Client', payer_id: at.clientId, bill_ids: [paid] }
  return made(`/clients/${at.clientId}/payment_batches`, { payment_batch: { ...dates, ...payer } })
}

/** Makes a batch of the client, of a vendor and of the desk by the console's calls; returns the addresses of the forms that save them. */
async function makeBatches(): Promise<string[]> {
  const client = `/clients/${at.clientId}`
  await sql`update clients set accounting_batch_management = true, utility_payment_management = true where id = ${at.clientId}`.execute(db)
  await sql`insert into global_batch_bank_values (day, value, locked) values (${dayOn(0)}, '50000', true)`.execute(db)
  const swept = await makeDeskBill(db, at, at.vendorId, { amount: '20.00', due: dayOn(9), date: dayOn(-20) })
  const ofClient = await made(`${client}/accounting_batches`, { accounting_batch: { batch_code: 'A-1', bill_ids: [] } })
  const ofVendor = await makeVendorBatch()
  const ofDesk = await made('/global_batches', { global_batch: { ...dates, bill_ids: [swept] } })
  const { rows } = await sql<{ id: number }>`select id from vendor_payments where payment_batch_id = ${ofVendor}`.execute(db)
  return [
    `${client}/accounting_batches/new`,
    `${client}/accounting_batches/${ofClient}/edit`,
    `${client}/payment_batches/new`,
    `${client}/payment_batches/${ofVendor}/edit`,
    `${client}/payment_batches/${ofVendor}/vendor_payments/${rows[0]?.id}/edit`,
    `/global_batch/${ofDesk}/edit`,
    `${client}/bills/${bill}/edit`,
  ]
}

test('a save of a batch, of a payment or of a bill that comes back without the success flag says Request error with the server’s message, and its form stays [LIST-MSG-016]', async () => {
  const page = await open(admin)
  await page.route(/\/(accounting_batches|payment_batches|vendor_payments|global_batches|bills)(\/\d+)?$/, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill({ json: { message: 'Kept for later' } }),
  )
  for (const form of forms) {
    await page.goto(form)
    const save = page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).last()
    await save.waitFor()
    if (form.endsWith('accounting_batches/new')) await page.getByRole('textbox', { name: /^Batch Code/ }).fill('A-2')
    const before = (await noticesSaid(page)).length
    await save.click()
    const { kind, title, message } = await heardNotice(page, before)
    expect([form, kind, title, message]).toEqual([form, 'Error', 'Request error', 'Kept for later'])
    expect(addressOf(page)).toBe(form)
    await page.evaluate(() => sessionStorage.clear())
  }
})

interface SavedForm {
  /** The address of the form, and that of the list at which its person came by. */
  readonly form: string
  readonly list: string
  /** Types something, so that the row can be known again. */
  readonly type: (page: Page) => Promise<void>
  /** The text of the saved row. */
  readonly row: string
  /** The page that the notice links to. */
  readonly link: RegExp
}

const typed = (label: RegExp | string, text: string) => (page: Page) =>
  page.getByRole('main').getByRole('textbox', { name: label }).first().fill(text)

async function typeBill(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'Bill form' })
  const values = {
    'Bill Date': '12/20/2025',
    'Due Date': '01/09/2026',
    'Balance Forward': '0',
    'Current Charges': '77.25',
    'Previous Read Date': '11/20/2025',
    Usage: '1200',
    'Utility Charges': '77.25',
  }
  for (const [label, value] of Object.entries(values)) await form.getByRole('textbox', { name: label }).first().fill(value)
  await form.getByRole('textbox', { name: 'Read Date' }).nth(1).fill('12/18/2025')
}

/** The forms of batches, payments and bills, each with the list that it returns to. */
async function savedForms(): Promise<SavedForm[]> {
  const fresh = await makeAccount(db, at, 'FRESH-1')
  await makeService(db, at.clientId, fresh, 'electric', 'F-1')
  const [newClient = '', ofClient = '', newVendor = '', ofVendor = '', ofPayment = '', ofDesk = '', ofBill = ''] = forms
  const client = `/clients/${at.clientId}`
  const bills = `${client}/billable_accounts/${at.accountId}/bills`
  const lists = { client: `${client}/accounting_batches`, vendor: `${client}/payment_batches` }
  return [
    {
      form: newClient,
      list: `${lists.client}?sort=batch_code`,
      type: typed(/^Batch Code/, 'A-3'),
      row: 'A-3',
      link: /accounting_batches\/\d+\/bills$/,
    },
    {
      form: ofClient,
      list: `${lists.client}?per=20`,
      type: typed(/^Batch Code/, 'A-1b'),
      row: 'A-1b',
      link: /accounting_batches\/\d+\/bills$/,
    },
    {
      form: newVendor,
      list: `${lists.vendor}?closed=false`,
      type: typed('Notes', 'first of two'),
      row: 'first of two',
      link: /payment_batches\/\d+\/bills$/,
    },
    {
      form: ofVendor,
      list: `${lists.vendor}?sort=-batch_total`,
      type: typed('Notes', 'by hand'),
      row: 'by hand',
      link: /payment_batches\/\d+\/bills$/,
    },
    {
      form: ofPayment,
      list: `${ofVendor.replace(/edit$/, 'vendor_payments')}?per=20`,
      type: typed(/^Payment ID/, '10441'),
      row: '10441',
      link: /vendor_payments\/\d+\/bills$/,
    },
    {
      form: ofDesk,
      list: '/global_batch/todays_batches?sort=-batch_total',
      type: typed('Notes', 'for today'),
      row: 'for today',
      link: /view\/\d+\/bills$/,
    },
    {
      form: ofBill,
      list: `${bills}?sort=-date`,
      type: typed('Invoice Number', 'INV-9'),
      row: '$151.00',
      link: new RegExp(`/bills/${bill}$`),
    },
    {
      form: `${client}/bills/new?account_type=billable_account&account_id=${fresh}`,
      list: `${client}/billable_accounts/${fresh}/bills?per=20`,
      type: typeBill,
      row: '$77.25',
      link: /\/bills\/\d+$/,
    },
  ]
}

test('a save of a batch, of a payment or of a bill says the server’s result with a link to the record, and goes back to the very list that one came from, where its row is lit [LIST-MSG-015]', async () => {
  const page = await open(admin)
  for (const { form, list, type, row, link } of await savedForms()) {
    await page.goto(list)
    await page.getByRole('grid').first().waitFor()
    await goInside(page, form)
    await type(page)
    const before = (await noticesSaid(page)).length
    const answer = page.waitForResponse((response) => ['POST', 'PATCH'].includes(response.request().method()) && response.ok())
    await page.keyboard.press('Control+Enter')
    const said = z.object({ success: z.literal(true), message: z.string().min(1) }).parse(await (await answer).json())
    const notice = await heardNotice(page, before)
    expect([form, notice.kind, notice.title, notice.message]).toEqual([form, 'Done', 'Success', said.message])
    expect([form, notice.link]).toEqual([form, expect.stringMatching(link)])
    await soon(() => addressOf(page)).toBe(list)
    const lit = page.getByRole('grid').locator('[role="row"][aria-current="true"]')
    await soon(() => lit.allInnerTexts()).toEqual([expect.stringContaining(row)])
    await page.reload()
    await page.getByRole('grid').getByText(row).first().waitFor()
    expect([form, await lit.count()]).toEqual([form, 0])
  }
})

test('a deletion of a client batch and of a vendor batch says the server’s message, as an error where it was refused; a request that failed says Request error with the status text [LIST-MSG-014]', async () => {
  const page = await open(admin, { mayComplain: true })
  for (const [plural, name] of [
    ['accounting_batches', 'Client Batches'],
    ['payment_batches', 'Vendor Batches'],
  ] as const) {
    await page.goto(`/clients/${at.clientId}/${plural}`)
    const remove = async () => {
      const before = (await noticesSaid(page)).length
      await page
        .getByRole('grid', { name })
        .getByRole('button', { name: /Actions/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      const answer = page.waitForResponse((response) => response.request().method() === 'DELETE')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      const said = z.object({ message: z.string().optional() }).parse(await (await answer).json())
      const { kind, title, message } = await heardNotice(page, before)
      return { kind, title, message, server: said.message }
    }
    await page.route('**/api/v5/**', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 502, json: {} }) : route.fallback(),
    )
    expect(await remove()).toMatchObject({ kind: 'Error', title: 'Request error', message: 'Bad Gateway' })
    await page.unroute('**/api/v5/**')
    await sql`update ${sql.table(plural)} set has_been_closed = true`.execute(db)
    const refused = await remove()
    expect(refused).toMatchObject({ kind: 'Error', title: refused.server })
    await sql`update ${sql.table(plural)} set has_been_closed = false`.execute(db)
    const deleted = await remove()
    expect(deleted).toMatchObject({ kind: 'Done', title: deleted.server })
  }
})

test('notices last 0.8 seconds after a save, 2 where work on a vendor batch failed, and from 0.4 to 5 at the desk [NOTIF-CONST-002]', async () => {
  const page = await open(admin, { mayComplain: true })
  const client = `/clients/${at.clientId}`
  const batch = `${client}/payment_batches/${await makeVendorBatch()}`
  /** Returns the seconds of each notice that the act shows. */
  const secondsOf = async (path: string, act: () => Promise<void>): Promise<number[]> => {
    if (addressOf(page) !== path) await page.goto(path)
    const since = Date.now()
    await act()
    const heard = async () => (await noticeHistory(page)).filter((notice) => notice.at >= since).map(({ duration }) => duration)
    await soon(async () => (await heard()).length).toBeGreaterThan(0)
    return heard()
  }
  const press = (name: string) => () => button(page, name).last().click()
  await page.goto(`${client}/accounting_batches/new`)
  await page.getByRole('textbox', { name: /^Batch Code/ }).fill('A-9')
  expect(await secondsOf(`${client}/accounting_batches/new`, press('Save'))).toEqual([0.8])
  await page.route(/create_missing_vendor_payments|new_bills|export_bills_csv|temp_pay_method/, (route) =>
    route.fulfill({ status: 500, json: {} }),
  )
  expect(await secondsOf(`${batch}/vendor_payments`, press('Sync Vendor Payments'))).toEqual([2])
  expect(await secondsOf(`${batch}/bills`, press('Check for new bills'))).toEqual([2])
  const today = '/global_batch/todays_batches'
  const tick = () => rowsOf(page, 'Global Batches').first().getByRole('checkbox').click()
  await page.goto(today)
  await tick()
  const ofDesk = [
    ...(await secondsOf(today, press('Move to OP'))),
    ...(await secondsOf('/global_batch', press('Add New'))),
    ...(await secondsOf(`${today}/Check`, press('Export as Check'))),
    ...(await secondsOf(today, press('Export paid batches'))),
    mixedTypes('ACH', 'Check').duration ?? 0,
    mixedVendors('Bills', 'Solo Water', true).duration ?? 0,
  ]
  expect(ofDesk.length).toBeGreaterThanOrEqual(6)
  expect(ofDesk.filter((seconds) => seconds < 0.4 || seconds > 5)).toEqual([])
})
