/**
 * A client's whole estate, set up as in an office: files for what is known in advance, statements for the rest, details by hand; then everything
 * is exported and imported into an empty client, which must end up equal. Uses all 24 utilities of the real statements if they are next to the
 * project, else generated ones.
 */
import { readFile, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeClient } from '../support/estate.ts'
import { realFiles, realFolder } from '../support/real-statements.ts'
import { estateFiles, ledgerOf } from '../support/statement-estate.ts'
import { writeStatements } from '../support/statement-files.ts'
import { soon, startConsole } from './console.ts'
import { estateOf } from './estate-of.ts'
import { tinyPng } from './tiny-png.ts'

const isReal = realFiles('made ones are set up instead').length > 0
const folder = isReal ? realFolder : (await writeStatements({ utilities: 24, accounts: 6, months: 2, meters: 2 })).folder
const files = estateFiles(folder)
/** All statements of all utilities take 15 s on a dedicated machine. */
const WORK_MS = 240_000

const { db, open } = await startConsole({ RETRIEVAL_STATEMENTS: folder })
let person: Person
const ids = { client: 0, copy: 0 }

beforeAll(async () => {
  person = await makePerson(db, 'super_admin')
  ids.client = await makeClient(db, { name: 'Wide Estate' })
  ids.copy = await makeClient(db, { name: 'Empty Estate' })
})
afterAll(async () => {
  if (!isReal) await rm(folder, { recursive: true, force: true })
})

test(
  'the estate of 24 utilities is set up by files and statements, put in order by hand, and comes out of its exports again [LIST-RULE-001]',
  { timeout: WORK_MS * 3 },
  async () => {
    const page = await open(person)
    const at = `/clients/${ids.client}`
    await importFile(page, '/vendors/import', files.csv.vendors)
    for (const kind of ['divisions', 'facilities', 'ledger_fields', 'ledger_accounts', 'billable_accounts', 'supply_accounts'] as const)
      await importFile(page, `${at}/${kind}/import`, files.csv[kind])
    await importStatements(page)
    expect(await utilitiesWithBills()).toEqual(files.utilities.filter((utility) => !files.supplied.includes(utility)))
    expect(await utilitiesWithAccounts()).toEqual(files.utilities)

    const account = await accountWithServices()
    await moveLastServiceUp(page, `${at}/billable_accounts/${account}/services`)
    await shareEvenly(page, `${at}/billable_accounts/${account}/services`)
    await gather(page)
    await attach(page)

    const exported = {
      divisions: await exportOf(page, `${at}/divisions`),
      facilities: await exportOf(page, `${at}/facilities`),
      ledger_fields: await exportOf(page, `${at}/ledger_fields`),
      ledger_accounts: await exportOf(page, `${at}/ledger_accounts`),
      billable_accounts: await exportOf(page, `${at}/billable_accounts`),
      supply_accounts: await exportOf(page, `${at}/supply_accounts`),
    }
    const services = {
      billable_accounts: await exportOf(page, `${at}/billable_accounts`, 'Export services'),
      supply_accounts: await exportOf(page, `${at}/supply_accounts`, 'Export services'),
    }
    const to = `/clients/${ids.copy}`
    for (const [kind, text] of Object.entries(exported)) await importFile(page, `${to}/${kind}/import`, text)
    for (const [kind, text] of Object.entries(services)) await importFile(page, `${to}/${kind}/import`, text)
    const [before, after] = [await estateOf(db, ids.client), await estateOf(db, ids.copy)]
    expect(before.services.length).toBeGreaterThan(files.utilities.length)
    expect(after).toEqual(before)
  },
)

/** Chooses a file, checks its preview, and stores it: every row or none. */
async function importFile(page: Page, at: string, text: string): Promise<void> {
  const rows = text.trim().split('\n').length - 1
  await page.goto(at)
  await page.getByLabel('CSV file').setInputFiles({ name: 'estate.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Check the file' }).click()
  const state = page.getByRole('region', { name: 'Import', exact: true })
  await state.getByText(/^(Checked, not stored|Failed)$/).waitFor({ timeout: WORK_MS })
  expect(await page.getByRole('alert').allInnerTexts(), at).toEqual([])
  expect(await page.getByRole('link', { name: /^Refused/ }).innerText(), `${at}, ${rows} rows`).toMatch(/\s0$/)
  await page.getByRole('button', { name: /^Import [\d,]+ rows?/ }).click()
  await state.getByText('Stored', { exact: true }).waitFor({ timeout: WORK_MS })
}

/** Fetches all statements; accounts that no file has imported are created with them, at the campus. */
async function importStatements(page: Page): Promise<void> {
  await page.goto(`/clients/${ids.client}/bills/import`)
  await page.getByRole('button', { name: 'Fetch statements' }).click()
  const needed = page.getByText(/Accounts that are not there yet: [\d,]+ of \d+ utilities/)
  await needed.waitFor({ timeout: WORK_MS })
  await needed.click()
  const place = page.getByRole('group', { name: 'Facility of the new accounts' })
  await place.getByRole('combobox', { name: /^Facility/ }).fill('Campus')
  await page
    .getByRole('option', { name: /Campus/ })
    .first()
    .click()
  await page.getByRole('button', { name: /Choose all \d+ utilities/ }).click()
  await page.getByText('Complete: choose the statements below').waitFor()
  await page
    .getByRole('checkbox', { name: /select all/i })
    .first()
    .click()
  await page.getByRole('button', { name: /Select all [\d,]+ matching/ }).click()
  await page.getByRole('button', { name: 'Create bills of all matching' }).click()
  await page
    .getByText(/bills created/)
    .first()
    .waitFor({ timeout: WORK_MS })
}

async function utilitiesWithBills(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select distinct vendors.name from bills join vendors on vendors.id = bills.vendor_id
    where bills.client_id = ${ids.client}`.execute(db)
  return rows.map(({ name }) => name).toSorted()
}

async function utilitiesWithAccounts(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select distinct vendors.name from vendors join
    (select vendor_id from billable_accounts where client_id = ${ids.client} union select vendor_id from supply_accounts where client_id = ${ids.client}) account
    on account.vendor_id = vendors.id`.execute(db)
  return rows.map(({ name }) => name).toSorted()
}

/** The account with the most meters. */
async function accountWithServices(): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`select billable_account_id as id from services where client_id = ${ids.client} and billable_account_id is not null
    group by 1 order by count(*) desc, 1 limit 1`.execute(db)
  return rows[0]?.id ?? 0
}

async function moveLastServiceUp(page: Page, at: string): Promise<void> {
  await page.goto(at)
  const rows = page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
  await rows.first().waitFor()
  const ranks = () =>
    sql<{
      id: number
    }>`select id from services where client_id = ${ids.client} and billable_account_id = ${Number(at.split('/').at(-2))} order by rank, id`
      .execute(db)
      .then(({ rows: some }) => some.map(({ id }) => id))
  const before = await ranks()
  await rows.last().getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  const last = Math.min(before.length, 10) - 1
  await soon(async () => (await ranks())[last]).toBe(before[last - 1])
}

async function shareEvenly(page: Page, at: string): Promise<void> {
  await page.goto(at)
  await page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row').first().getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Edit Service' }).click()
  for (const [place, name] of [ledgerOf.electric, ledgerOf.natural_gas, ledgerOf.water].entries()) {
    await page.getByRole('button', { name: 'Add Shared Account' }).click()
    await page
      .getByRole('combobox', { name: 'Ledger Account', exact: true })
      .nth(place + 1)
      .fill(name)
    await page.getByRole('option', { name }).first().click()
  }
  await page.getByRole('button', { name: 'Spread evenly' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(new RegExp(`${at}$`))
}

/** Makes a group account by its checkbox on the form, with the first three accounts of the campus as subaccounts. */
async function gather(page: Page): Promise<void> {
  const at = `/clients/${ids.client}`
  await page.goto(`${at}/billable_accounts/new`)
  for (const [label, word] of [
    ['Facility', 'Campus'],
    ['Vendor', files.utilities[0] ?? ''],
  ] as const) {
    await page.getByRole('combobox', { name: new RegExp(`^${label}`) }).fill(word)
    await page
      .getByRole('option', { name: new RegExp(word) })
      .first()
      .click()
  }
  for (const [label, text] of [
    ['Name', 'All of the campus'],
    ['Account Number', 'GROUP-1'],
    ['Street Address 1', '1 Campus Way'],
    ['City', 'Austin'],
    ['Zipcode', '78701'],
  ] as const)
    await page.getByLabel(`${label} *`, { exact: true }).fill(text)
  await page.getByRole('combobox', { name: /^State/ }).selectOption('TX')
  await page.getByLabel('Group Account', { exact: true }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/\/services\/new$/)
  const group = Number(/billable_accounts\/(\d+)/.exec(page.url())?.[1])
  await page.goto(`${at}/group_accounts/${group}/edit`)
  const candidates = page.getByRole('grid', { name: 'Billable Accounts' })
  await candidates.getByRole('textbox', { name: 'Filter Facility' }).fill('Campus')
  await page
    .getByText(/of [\d,]+ accounts/)
    .first()
    .waitFor()
  for (const place of [1, 2, 3])
    await candidates.locator('[role=rowgroup]').nth(1).getByRole('row').nth(place).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/\/subaccounts$/)
  const { rows } = await sql`select id from billable_accounts where client_id = ${ids.client} and group_account_id = ${group}`.execute(db)
  expect(rows).toHaveLength(3)
}

/** Attaches a document to the campus, which stays there: files do not contain documents. */
async function attach(page: Page): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from facilities where client_id = ${ids.client} and number = 'CAMPUS'`.execute(db)
  await page.goto(`/clients/${ids.client}/facilities/${rows[0]?.id ?? 0}/documents/new`)
  await page.getByLabel('Title').fill('Lease of the campus')
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'lease.png', mimeType: 'image/png', buffer: tinyPng })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('grid', { name: 'Documents' }).getByRole('row').filter({ hasText: 'Lease of the campus' }).waitFor()
}

/**
 * Returns the file of a list's export, taken from the jobs tray, where the last one is first. The tray is notified of an export's end after the
 * database has it, so the file is taken only once there is one more than before.
 */
async function exportOf(page: Page, at: string, button = 'Export'): Promise<string> {
  await page.goto(at)
  await page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row').first().waitFor()
  const done = (): Promise<number> =>
    sql<{ count: number }>`select count(*)::int as count from tasks where kind = 'csv_export' and state = 'done'`
      .execute(db)
      .then(({ rows }) => rows[0]?.count ?? 0)
  const before = await done()
  await page.getByRole('button', { name: button, exact: true }).click()
  await expect.poll(done, { timeout: WORK_MS }).toBe(before + 1)
  await page.getByRole('button', { name: /^Jobs/ }).click()
  const offered = page.getByRole('button', { name: /^Download .* export/ })
  await soon(() => offered.count()).toBe(before + 1)
  const coming = page.waitForEvent('download')
  await offered.first().click()
  return readFile(await (await coming).path(), 'utf8')
}
