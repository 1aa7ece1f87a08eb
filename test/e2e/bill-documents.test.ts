/** The repository of bundles: making one, its file over the live channel, changing, deleting, rights. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { goneNotice, noticesSaid } from './notices-said.ts'

const { app, db, open } = await startConsole()
let admin: Person
let client: number
let list: string

beforeAll(async () => {
  client = await makeClient(db, { name: 'Harbor Foods' })
  list = `/clients/${client}/bills/bill_document_repository`
  admin = await makePerson(db, 'client_admin', { clients: [client] })
  await sql`update users set first_name = 'Ada', last_name = 'Byron' where id = ${admin.id}`.execute(db)
  const division = await makeDivision(db, client, { name: 'West' })
  const facility = await makeFacility(db, client, division)
  for (const name of ['City Power', 'Lakes Gas']) {
    const vendor = await makeVendor(db, { name })
    const account = await makeBillableAccount(db, client, facility, vendor, { account_number: `${name.slice(0, 1)}-1` })
    for (const month of ['01', '02'])
      await addBill(account, vendor, { division, facility, date: `2026-${month}-05`, number: `${name.slice(0, 1)}-1` })
  }
})

interface Made {
  readonly division: number
  readonly facility: number
  readonly date: string
  readonly number: string
}

async function addBill(account: number, vendor: number, { division, facility, date, number }: Made): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`insert into bills (client_id, billable_account_id, account_number, vendor_id, division_id, facility_id, date, due_date, amount_due)
    values (${client}, ${account}, ${number}, ${vendor}, ${division}, ${facility}, ${date}, ${date}, 12.5) returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  await app.app.machinery.files.put(`bills/${id}/copy`, Buffer.from(`%PDF of ${date}`), 'application/pdf')
  const file = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, state)
    values (${`bills/${id}/copy`}, 'copy.pdf', 'application/pdf', 20, 'attached') returning id`.execute(db)
  await sql`insert into bill_files (client_id, bill_id, position, file_id, filename) values (${client}, ${id}, 1, ${file.rows[0]?.id}, 'copy.pdf')`.execute(
    db,
  )
}

const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const saveOf = (page: Page) => page.getByRole('button', { name: /^Save and make/ })

test('a bundle is made by a form with title, assignee and filters, and its file comes without a reload [BDOC-ROUTE-001] [BDOC-ROUTE-002] [BDOC-RULE-001] [BDOC-FIELD-001] [BDOC-FIELD-002] [BDOC-JOB-001] [BDOC-SCREEN-001] [BILL-SCREEN-002] [LIVE-FIELD-002] [PERM-PERM-036]', async () => {
  const page = await open(admin, { at: `/clients/${client}/bills` })
  await page.getByRole('link', { name: 'Bill Document Repository' }).click()
  await page.waitForURL(`**${list}`)
  await page.getByText('No bundles yet').waitFor()
  await lookedAt(page, 'bill-documents-empty')
  await page.getByRole('link', { name: 'Add New' }).click()
  await page.waitForURL(`**${list}/new`)
  await saveOf(page).click()
  for (const message of ['Title is required', 'Assignee Type is required', 'Assignee is required'])
    await page.getByText(message, { exact: true }).waitFor()
  await lookedAt(page, 'bill-document-form-refused')
  await page.getByRole('textbox', { name: 'Title' }).fill('Bills of City Power')
  const types = page.getByRole('combobox', { name: /^Assignee Type/ })
  expect((await types.locator('option').allInnerTexts()).filter(Boolean)).toEqual(['Client', 'Division', 'Me'])
  await types.selectOption('Me')
  await soon(() => page.getByRole('textbox', { name: /^Assignee/ }).inputValue()).toBe('Me')
  await page.getByRole('combobox', { name: 'Vendors' }).fill('City')
  await page.getByRole('option', { name: /City Power/ }).click()
  await page.getByRole('textbox', { name: 'Bill Date From' }).fill('02/01/2026')
  await lookedAt(page, 'bill-document-form')
  await saveOf(page).click()
  await page.waitForURL(`**${list}`)
  const row = rowOf(page, 'Bills of City Power')
  await row.getByText('Ready').waitFor()
  const text = await row.innerText()
  for (const part of ['Ada Byron', new Date().getFullYear().toString()]) expect(text).toContain(part)
  expect(
    await page
      .getByRole('columnheader')
      .allInnerTexts()
      .then((all) => all.map((one) => one.trim().split('\n')[0]).filter(Boolean)),
  ).toEqual(['Title', 'Assigned To', 'User', 'Created', 'Updated', 'State', 'File', 'Actions'])
  await soon(async () => (await noticesSaid(page)).map(({ title, message, link }) => [title, message, link !== null])).toContainEqual([
    'Bills of City Power is ready',
    '1 file',
    true,
  ])
  await lookedAt(page, 'bill-documents')
  const folder = mkdtempSync(join(tmpdir(), 'meterbook-bundle-'))
  try {
    const [download] = await Promise.all([page.waitForEvent('download'), row.getByRole('link', { name: /Download/ }).click()])
    const path = join(folder, 'bundle.zip')
    await download.saveAs(path)
    expect(download.suggestedFilename()).toMatch(/^Bills of City Power \d{4}-\d\d-\d\d\.zip$/)
    const names = namesIn(path)
    expect(names).toEqual(['City-Power_C-1_2026-02-05.pdf', 'bills.csv'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Reads the archive by the program that people would open it with, if there is one. */
function namesIn(path: string): string[] {
  const script = 'import zipfile,sys;z=zipfile.ZipFile(sys.argv[1]);assert z.testzip() is None;print("\\n".join(z.namelist()))'
  return execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }).trim().split('\n')
}

test('editing makes the file anew, also for whoever only looks at the list in another window [BDOC-ROUTE-003] [LIVE-RULE-004]', async () => {
  const page = await open(admin, { at: list, theme: 'light' })
  const other = await open(admin, { at: list })
  const size = async (of: Page) => /\(([\d.]+ K?B)\)/.exec(await rowOf(of, 'City Power').innerText())?.[1]
  await rowOf(other, 'City Power').waitFor()
  const before = await size(other)
  expect(before).toBeDefined()
  await rowOf(page, 'City Power')
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.waitForURL(`**${list}/*/edit`)
  await page.getByRole('button', { name: 'History' }).waitFor()
  await soon(() => page.getByRole('textbox', { name: 'Bill Date From' }).inputValue()).toBe('02/01/2026')
  await page.getByRole('textbox', { name: 'Bill Date From' }).fill('')
  await lookedAt(page, 'bill-document-edit')
  await saveOf(page).click()
  await page.waitForURL(`**${list}`)
  await soon(() => size(other)).not.toBe(before)
  await rowOf(page, 'City Power').getByText('Ready').waitFor()
})

test('a bundle that nothing fits says so in its row', async () => {
  const page = await open(admin, { at: `${list}/new` })
  await page.getByRole('textbox', { name: 'Title' }).fill('Nothing of 1999')
  await page.getByRole('combobox', { name: /^Assignee Type/ }).selectOption('Client')
  await page.getByRole('textbox', { name: 'Bill Date To' }).fill('01/01/1999')
  await saveOf(page).click()
  await page.waitForURL(`**${list}`)
  await rowOf(page, 'Nothing of 1999').getByText('No bill with a file copy matches these filters.').waitFor()
})

test('deleting asks in its own words, says the answer, and takes the row from the total [BDOC-MSG-002] [BDOC-TRANS-001] [BDOC-API-005]', async () => {
  const page = await open(admin, { at: list })
  await page.getByText('1–2 of 2 bill documents').waitFor()
  await rowOf(page, 'Nothing of 1999')
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog
    .getByText('Are you sure you want to delete this bill document repository? This action cannot be undone.', { exact: true })
    .waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await rowOf(page, 'Nothing of 1999').waitFor({ state: 'detached' })
  expect((await noticesSaid(page)).map(({ title }) => title)).toContain('Bill Document deleted')
  await page.getByText('1–1 of 1 bill document').waitFor()
})

test("a request that fails says 'Request error' with the status text for 0.8 s, beside the place of the list [BDOC-MSG-001]", async () => {
  const page = await open(admin, { mayComplain: true })
  await page.route('**/api/v5/clients/*/bill_documents?*', (route) => route.fulfill({ status: 500, body: 'none' }))
  await page.goto(list)
  const notice = await goneNotice(page)
  expect(notice).toMatchObject({ kind: 'Error', title: 'Request error', message: 'Internal Server Error' })
  expect(notice.ms).toBeGreaterThan(700)
  expect(notice.ms).toBeLessThan(2_500)
  await page.getByText('could not be loaded').first().waitFor()
})

test('the tab and the actions hang on the four rights [BILL-SCREEN-002] [PERM-PERM-035] [PERM-PERM-036]', async () => {
  const reader = await makePerson(db, 'read_only_user', { clients: [client] })
  await sql`insert into bill_documents (client_id, name, on_client, user_id) values (${client}, 'For everybody', true, ${admin.id})`.execute(
    db,
  )
  const page = await open(reader, { at: list })
  await rowOf(page, 'For everybody').waitFor()
  expect(await page.getByRole('link', { name: 'Add New' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /Actions/ }).count()).toBe(0)
  await page.goto(`${list}/new`)
  await page.getByText('You have no access to this page').waitFor()
  await page.route('**/api/v5/user_roles/for_user*', async (route) => {
    const answer = await route.fetch()
    const given = await answer.json()
    await route.fulfill({ json: { ...given, permissions: { ...given.permissions, bill_document: [] } } })
  })
  await page.goto(`/clients/${client}/bills`)
  await page.getByRole('link', { name: 'Bill List' }).waitFor()
  expect(await page.getByRole('link', { name: 'Bill Document Repository' }).count()).toBe(0)
  expect(addressOf(page)).toBe(`/clients/${client}/bills`)
})
