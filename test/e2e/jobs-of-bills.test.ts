/** The jobs of a day that make and mend bills: each prints what it costs in clicks, keys and seconds, and holds clicks and keys. */
import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeAccount, makeGround, makeService, monthlyDraft, type Ground } from '../support/bills.ts'
import { writeStatements } from '../support/statement-files.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { endJob, startJob } from './job-cost.ts'
import { type } from './keys.ts'

const { folder, statements } = await writeStatements({ utilities: 1, accounts: 1, months: 12 })
const { app, db, open } = await startConsole({ RETRIEVAL_STATEMENTS: folder })
const MINUTE = 60_000
let at: Ground
let admin: Person
/** The last one asks for more than its parts come to. */
let bills: number[]

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  at = await makeGround(db)
  await sql`update clients set name = 'Harvest Lane' where id = ${at.clientId}`.execute(db)
  const outcomes = await acting(app.database, (context) =>
    createBills(context, at.clientId, [
      ...[1, 2, 3, 4, 5].map((month) => monthlyDraft(at, month)),
      monthlyDraft(at, 6, { balance_forward: '5.00', amount_due: '999.00' }),
    ]),
  )
  bills = outcomes.map((outcome) => (outcome.kind === 'created' ? outcome.id : 0))
}, MINUTE)
afterAll(() => rm(folder, { recursive: true, force: true }))

const list = () => `/clients/${at.clientId}/bills`
const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name') ?? null)
const rowOf = (page: Page, text: string | RegExp) => page.getByRole('main').getByRole('row').filter({ hasText: text })

/** Fills the fields of a form by Tab and the keyboard, and saves it. The first field has the focus when the form opens. */
async function fillForm(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  await page.getByRole('heading', { name: /^New / }).waitFor()
  for (const [label, text] of Object.entries(values)) await type(page, field(page, label), text)
  await page.keyboard.press('Control+Enter')
}

async function pickFirst(page: Page, label: string, text: string): Promise<void> {
  const box = page.getByRole('main').getByRole('combobox', { name: new RegExp(`^${label}`) })
  await type(page, box, text)
  await page.getByRole('option', { name: new RegExp(text) }).waitFor()
  await page.keyboard.press('Enter')
}

test('job 2: a client with division, facility, vendor, account and meter, and its first bill', { timeout: 3 * MINUTE }, async () => {
  const page = await open(admin, { at: '/clients' })
  await page.getByRole('link', { name: 'Add New' }).waitFor()
  await startJob(page)
  await page.keyboard.press('n')
  await fillForm(page, { 'Name *': 'Prairie Foods', 'Short Code *': 'PRF', 'Identifier *': 'P-1' })
  await rowOf(page, 'Prairie Foods').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('v')
  await page.getByRole('heading', { name: 'Vendors' }).waitFor()
  await page.keyboard.press('n')
  await fillForm(page, { 'Name *': 'Prairie Power', 'Short Code *': 'PPW' })
  await rowOf(page, 'Prairie Power').waitFor()
  await page.keyboard.press('o')
  await page.keyboard.press('c')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type('Prairie')
  await page.getByRole('option', { name: /^Prairie Foods/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/clients\/\d+\/dashboard$/)
  const goTo = async (letter: string, heading: string) => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: heading, exact: true }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await page.getByRole('main').getByRole('heading', { name: heading, exact: true }).waitFor()
    await page.getByRole('link', { name: 'Add New' }).first().waitFor()
    await page.keyboard.press('n')
  }
  await goTo('d', 'Divisions')
  await fillForm(page, { 'Name *': 'Plains', 'Short Code *': 'PL', 'Code *': '01' })
  await rowOf(page, 'Plains').waitFor()
  await goTo('f', 'Facilities')
  await pickFirst(page, 'Division', 'Plains')
  await fillForm(page, { 'Name *': 'Depot', 'Number *': '1' })
  await rowOf(page, 'Depot').waitFor()
  await goTo('a', 'Billable Accounts')
  await pickFirst(page, 'Facility', 'Depot')
  await pickFirst(page, 'Vendor', 'Prairie Power')
  await fillForm(page, {
    'Name *': 'Depot power',
    'Account Number *': '7001',
    'Street Address 1 *': '1 Main St',
    'City *': 'Austin',
    'State *': 'Texas',
    'Zipcode *': '78701',
  })
  await page.waitForURL(/\/services\/new$/)
  await fillForm(page, { 'Meter Number *': 'M-7', 'Utility Service': 'Electric' })
  await rowOf(page, 'M-7').waitFor()
  await goTo('b', 'Bills')
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  await page.keyboard.type('7001')
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await soon(() => focused(page)).toBe('date')
  for (const [name, text] of [
    ['date', '02052026'],
    ['due_date', '02252026'],
    ['balance_forward', '0'],
    ['current_charges', '120'],
  ] as const)
    await type(page, page.locator(`[name="${name}"]`), text)
  for (const [name, text] of [
    ['previous_read_date', '01012026'],
    ['read_date', '02012026'],
    ['usage', '900'],
    ['Utility Charges', '120'],
  ] as const)
    await type(page, page.locator(`[name$=".${name}"]`).first(), text)
  await page.getByText('Lines and charges add up').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/bills$/)
  await endJob(page, 2, { clicks: 0, keys: 290 })
  const { rows } = await sql`select clients.name as client, divisions.name as division, facilities.name as facility, vendors.name as vendor,
      account.account_number, service.meter_number, bills.current_charges::text, line.usage::text
    from bills join clients on clients.id = bills.client_id
      join billable_accounts account on account.client_id = bills.client_id and account.id = bills.billable_account_id
      join facilities on facilities.client_id = bills.client_id and facilities.id = account.facility_id
      join divisions on divisions.client_id = bills.client_id and divisions.id = facilities.division_id
      join vendors on vendors.id = account.vendor_id
      join service_bills line on line.client_id = bills.client_id and line.bill_id = bills.id
      join services service on service.client_id = line.client_id and service.id = line.service_id
    where clients.short_code = 'PRF'`.execute(db)
  expect(rows).toEqual([
    {
      client: 'Prairie Foods',
      division: 'Plains',
      facility: 'Depot',
      vendor: 'Prairie Power',
      account_number: '7001',
      meter_number: 'M-7',
      current_charges: '120.00',
      usage: '900.000',
    },
  ])
})

test('job 3: statements are fetched, and twelve bills are made of them', { timeout: 2 * MINUTE }, async () => {
  const fresh = await makeGround(db)
  const { account_number: number = '', meters = [] } = statements[0] ?? {}
  await sql`update vendors set name = 'Utility 1' where id = ${fresh.vendorId}`.execute(db)
  const account = await makeAccount(db, fresh, number)
  await makeService(db, fresh.clientId, account, 'electric', meters[0]?.meter_number ?? '')
  const page = await open(admin, { at: `/clients/${fresh.clientId}/bills` })
  await page.getByRole('main').getByRole('link', { name: 'Import', exact: true }).waitFor()
  await startJob(page)
  await page.getByRole('main').getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByRole('button', { name: 'Fetch statements' }).click()
  await page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByText('Matched').first().waitFor({ timeout: MINUTE })
  await page
    .getByRole('checkbox', { name: /select all/i })
    .first()
    .click()
  const all = page.getByRole('button', { name: 'Select all 12 matching' })
  await all.click()
  await page.getByRole('button', { name: /^Create (bills of all matching|selected bills)/ }).click()
  await page
    .getByText(/12 bills created/)
    .first()
    .waitFor({ timeout: MINUTE })
  await endJob(page, 3, { clicks: 5, keys: 0 })
  const { rows } =
    await sql`select count(*)::int as bills, sum(amount_due)::text as due from bills where client_id = ${fresh.clientId}`.execute(db)
  const due = statements.reduce((sum, one) => sum + Number(one.amount_due?.replace('.', '') ?? 0), 0)
  expect(rows).toEqual([{ bills: 12, due: `${Math.floor(due / 100)}.${String(due % 100).padStart(2, '0')}` }])
})

test('job 4: a flagged bill is opened from its list, and its first finding is settled', async () => {
  const flagged = bills[5] ?? 0
  const page = await open(admin, { at: list() })
  const link = page.getByRole('main').locator(`a[href="${list()}/${flagged}"]`).first()
  await link.waitFor()
  await startJob(page)
  await link.click()
  const findings = page.getByRole('region', { name: 'Findings' }).locator('ul').first().locator('> li')
  await findings.first().waitFor()
  const before = await findings.count()
  await page.keyboard.press('r')
  await page.getByRole('group', { name: 'Why it is settled' }).waitFor()
  await page.keyboard.press('1')
  await soon(() => findings.count()).toBe(before - 1)
  await endJob(page, 4, { clicks: 1, keys: 2 })
  const { rows } = await sql`select code, reason from bill_findings where bill_id = ${flagged} and resolved_at is not null`.execute(db)
  expect(rows).toEqual([{ code: 'header_math', reason: 'vendor_confirmed' }])
})

test('job 5: an amount of a bill is corrected, and its amount due follows', async () => {
  const id = bills[0] ?? 0
  const page = await open(admin, { at: `${list()}/${id}` })
  await page
    .getByRole('region', { name: 'Findings' })
    .or(page.getByRole('link', { name: 'Rebill' }))
    .first()
    .waitFor()
  await startJob(page)
  await page.keyboard.press('e')
  await field(page, 'Late Fee').click()
  await page.keyboard.type('7.50')
  await page.keyboard.press('Control+Enter')
  await soon(() => addressOf(page)).not.toContain('/edit')
  await endJob(page, 5, { clicks: 1, keys: 7 })
  const { rows } = await sql`select late_fee::text, amount_due::text from bills where id = ${id}`.execute(db)
  expect(rows).toEqual([{ late_fee: '7.50', amount_due: '158.50' }])
})

test('job 6: two bills of a list are put side by side, the older one on the left', async () => {
  const [, one = 0, two = 0] = bills
  const page = await open(admin, { at: list() })
  const box = (id: number) =>
    page
      .getByRole('main')
      .getByRole('row')
      .filter({ has: page.locator(`a[href="${list()}/${id}"]`) })
      .getByRole('checkbox')
  await box(two).waitFor()
  await startJob(page)
  await box(two).click()
  await box(one).click()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('link', { name: 'Compare the two' }).click()
  const table = page.getByRole('table', { name: 'The two bills' })
  await table.waitFor()
  await endJob(page, 6, { clicks: 3, keys: 0 })
  expect(addressOf(page)).toBe(`${list()}/${one}/compare/${two}`)
  const { body } = await app.ask(admin, 'GET', `/clients/${at.clientId}/bills/${one}`)
  expect(body['bill']).toMatchObject({ invoice_number: 'INV-2' })
  expect(await table.getByRole('row', { name: /^Invoice Number/ }).innerText()).toMatch(/INV-2\s+INV-3/)
  // A third bill leaves nothing to put side by side.
  await page.goBack()
  await box(one).click()
  await box(two).click()
  await box(bills[3] ?? 0).click()
  await page.getByRole('region', { name: 'Selected rows' }).getByText('3 selected', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Compare the two' }).count()).toBe(0)
})
