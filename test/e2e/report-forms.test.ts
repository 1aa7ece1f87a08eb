/** The forms of all nine reports in the console, their cards and tabs, and the columns of what was made. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../support/estate.ts'
import { addressOf, apiRequests, soon, startConsole } from './console.ts'
import { noticesSaid } from './notices-said.ts'

const { app, db, open } = await startConsole()
let staff: Person
let base: string
let client: number

/** The labels of the choices in the order of the forms. */
const dates = ['Date Range From', 'Date Range To']
const accounts = ['Vendors', 'Divisions', 'Facilities', 'Billable Accounts', 'Supply Accounts']
const forms: readonly (readonly [name: string, assignees: string, choices: readonly string[]])[] = [
  ['Trial Balance Report', 'Client, Me', [...dates, 'Client Batches', 'Vendors', 'Divisions', 'Ledger Details']],
  [
    'Global Data Export',
    'Client, Division, Me',
    [...dates, 'Client Batches', 'Vendor Batches', 'Utility Services', ...accounts, 'Ledger Details', 'Last Bill Only'],
  ],
  ['Cost & Usage Report', 'Client, Division, Me', [...dates, 'Utility Services', ...accounts, 'Basis']],
  ['Inventory Report', 'Client, Division, Me', [...dates, 'Utility Services', ...accounts]],
  [
    'Universal Data Export',
    'Client, Division, Me',
    [...dates, 'Client Batches', 'Vendor Batches', 'Utility Services', ...accounts, 'All Clients', 'Fields', 'Last Bill Only'],
  ],
  ['Accrual Report', 'Client, Division, Me', [...dates, 'Utility Services', ...accounts, 'Accrual Method', 'Ledger Details']],
  ['Facilities Report', 'Client, Division, Me', [...dates, 'Utility Services', 'Divisions', 'Facilities']],
  ['Client Facilities Report', 'Me', [...dates, 'Utility Services']],
  ['Month End Report', 'Client, Me', dates],
]
const needService = ['Cost & Usage Report', 'Inventory Report', 'Universal Data Export']
const needRange = ['Trial Balance Report', 'Global Data Export']
const every = [...new Set(forms.flatMap(([, , choices]) => choices))]

beforeAll(async () => {
  client = await makeClient(db, { name: 'Harbor Foods' })
  base = `/clients/${client}/reports`
  staff = await makePerson(db, 'super_admin')
  const facility = await makeFacility(db, client, await makeDivision(db, client, { name: 'West' }))
  const vendor = await makeVendor(db, { name: 'City Power' })
  // More than a picker has at once: a list that is whole is not searched.
  for (let place = 1; place <= 12; place += 1) {
    await makeVendor(db, { name: `Abcot Gas ${place}` })
    await makeBillableAccount(db, client, facility, vendor, { account_number: `ABC-${place}` })
    await makeSupplyAccount(db, client, facility, { account_number: `ABC-S-${place}` })
    await sql`insert into accounting_batches (client_id, batch_code) values (${client}, ${`ABC-B-${place}`})`.execute(db)
  }
})

const exactly = (label: string) => new RegExp(`^${label}( \\*)?$`)

async function offered(page: Page): Promise<string[]> {
  const form = page.getByRole('form', { name: / form$/ })
  const found: string[] = []
  for (const label of every) {
    const control = label === 'Fields' ? form.getByRole('group', { name: 'Fields' }) : form.getByLabel(exactly(label))
    if ((await control.count()) > 0) found.push(label)
  }
  return found
}

test('every report has its card, whose link opens its form with a name, an assignee and its own choices [REP-ROUTE-001] [REP-ROUTE-002] [REP-SCREEN-001] [REP-SCREEN-002] [REP-CONST-001] [GREP-RULE-001] [GREP-RULE-002] [GREP-SCREEN-002] [REP-RULE-002] [REP-MSG-001] [REP-MSG-002]', async () => {
  const page = await open(staff, { at: `${base}/dashboard` })
  const tab = page.getByRole('navigation', { name: 'Reporting' }).getByRole('link', { name: 'Reports Dashboard' })
  expect(await tab.getAttribute('aria-current')).toBe('page')
  const cards = page.getByRole('region', { name: 'Reports' }).getByRole('heading', { level: 2 }).getByRole('link')
  // Reports that the specification does not name come after its nine.
  await soon(async () => (await cards.allInnerTexts()).slice(0, forms.length)).toEqual(forms.map(([name]) => name))
  const { rows } = await sql<{ id: number; name: string }>`select id, name from reports`.execute(db)
  const hrefs = await Promise.all((await cards.all()).map((card) => card.getAttribute('href')))
  expect(hrefs.slice(0, forms.length)).toEqual(forms.map(([name]) => `${base}/${rows.find((row) => row.name === name)?.id}/new`))
  for (const [place, [name, assignees, choices]] of forms.entries()) {
    await page.goto(hrefs[place] ?? '')
    const form = page.getByRole('form', { name: `${name} form` })
    await form.getByRole('textbox', { name: 'Name' }).waitFor()
    const type = form.getByRole('combobox', { name: exactly('Assignee Type') })
    expect([name, (await type.locator('option').allInnerTexts()).join(', ')]).toEqual([name, assignees])
    // Me needs no list of assignees.
    expect(await form.getByRole('combobox', { name: exactly('Assignee') }).count()).toBe(0)
    if (choices.includes('Fields')) await form.getByRole('group', { name: 'Fields' }).getByRole('checkbox').first().waitFor()
    expect([name, (await offered(page)).toSorted()]).toEqual([name, choices.toSorted()])
    if (!needService.includes(name) && !needRange.includes(name)) continue
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const message = needRange.includes(name)
      ? 'A date range or Client Batch must be selected for this report.'
      : 'A utility service must be selected for this report.'
    await soon(async () => (await noticesSaid(page)).map(({ title, message: words }) => [title, words])).toContainEqual([
      'Missing Required Fields',
      message,
    ])
  }
})

test('no picker of a report searches before the third character; from there on each does, a second later [REP-RULE-003]', async () => {
  const { rows } = await sql<{ id: number }>`select id from reports where name = 'Global Data Export'`.execute(db)
  const page = await open(staff, { at: `${base}/${rows[0]?.id}/new` })
  const sent = apiRequests(page)
  const isSearch = (term: string) => (request: string) => new RegExp(`=${term}(&|$)`).test(request)
  const long = ['Client Batches', 'Vendors', 'Billable Accounts', 'Supply Accounts']
  for (const label of [...long, 'Utility Services', 'Divisions', 'Facilities']) {
    const picker = page.getByRole('combobox', { name: exactly(label) })
    await picker.click()
    const term = label === 'Vendors' ? 'Abc' : 'ABC'
    await picker.pressSequentially(term.slice(0, 2))
    await page.waitForTimeout(1_300)
    expect([label, sent.filter(isSearch(term.slice(0, 2)))]).toEqual([label, []])
    if (long.includes(label)) {
      const before = sent.filter(isSearch(term)).length
      const began = Date.now()
      await picker.pressSequentially(term.slice(2))
      await soon(() => sent.filter(isSearch(term)).length).toBe(before + 1)
      expect([label, Date.now() - began >= 1_000]).toEqual([label, true])
    }
    await picker.fill('')
    await page.keyboard.press('Escape')
  }
})

test('the list of generated reports has its columns, and its files come by the live channel; an edit goes back to where it was opened [GREP-ROUTE-001] [GREP-ROUTE-003] [GREP-SCREEN-001] [GREP-JOB-001] [GREP-JOB-002] [GREP-TRANS-002] [REP-RULE-005]', async () => {
  const { rows } = await sql<{ id: number }>`select id from reports where name = 'Facilities Report'`.execute(db)
  const page = await open(staff, { at: `${base}/generated-reports` })
  await page.getByText('No reports were made yet').waitFor()
  const tab = page.getByRole('navigation', { name: 'Reporting' }).getByRole('link', { name: 'Generated Reports' })
  expect(await tab.getAttribute('aria-current')).toBe('page')
  // Made in another window: this one hears of it, and is not loaded again.
  const draft = { report_id: rows[0]?.id, name: 'Stores of May', assignable_type: 'User', form_data: {} }
  const other = { ...draft, name: 'Stores of June' }
  for (const generated_report of [draft, other])
    expect((await app.ask(staff, 'POST', `/clients/${client}/generated_reports`, { generated_report })).status).toBe(200)
  const row = page.getByRole('row').filter({ hasText: 'Stores of May' })
  await row.getByRole('link', { name: /Download Stores of May as PDF/ }).waitFor()
  await row.getByRole('link', { name: /Download Stores of May as CSV/ }).waitFor()
  const headings = await page.getByRole('columnheader').allInnerTexts()
  expect(headings.map((text) => text.split('\n')[0]?.trim()).filter((text) => text !== '')).toEqual(
    expect.arrayContaining(['Name', 'Report', 'Assigned To', 'User', 'Created', 'File']),
  )
  await page.getByText(/^1–2 of 2\b/).waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: 'Stores of June' })
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await soon(() => page.getByRole('row').filter({ hasText: 'Stores of June' }).count()).toBe(0)
  await page.getByText(/^1–1 of 1\b/).waitFor()
  await page.getByRole('navigation', { name: 'Reporting' }).getByRole('link', { name: 'Reports Dashboard' }).click()
  await page.getByRole('link', { name: /Open it.*Facilities Report/ }).click()
  await page.waitForURL(`**/generated-reports/*/edit?from=dashboard`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Stores of July')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await soon(() => addressOf(page)).toBe(`${base}/dashboard`)
})
