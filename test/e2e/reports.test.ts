/** Reports in the console: the dashboard, the form with its preview, the list of generated reports and their files. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeService } from '../support/bills.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../support/estate.ts'
import { addBill } from '../support/fact-bills.ts'
import { addressOf, apiRequests, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const { db, open } = await startConsole()
let admin: Person
let base: string
let exportId: number
let accountId: number

beforeAll(async () => {
  const client = await makeClient(db, { name: 'Harbor Foods' })
  base = `/clients/${client}/reports`
  admin = await makePerson(db, 'client_admin', { clients: [client] })
  const division = await makeDivision(db, client, { name: 'West' })
  const facility = await makeFacility(db, client, division)
  const vendor = await makeVendor(db, { name: 'City Power' })
  // More than a picker has at once: a list that is whole is not searched.
  for (let place = 1; place <= 12; place += 1) await makeVendor(db, { name: `Citadel Gas ${place}` })
  const account = await makeBillableAccount(db, client, facility, vendor, { account_number: 'C-1' })
  accountId = account
  await sql`insert into bills (client_id, billable_account_id, account_number, vendor_id, division_id, facility_id, date, due_date, current_charges, amount_due)
    values (${client}, ${account}, 'C-1', ${vendor}, ${division}, ${facility}, '2026-02-05', '2026-03-05', 12.5, 12.5)`.execute(db)
  const { rows } = await sql<{ id: number }>`select id from reports where name = 'Global Data Export'`.execute(db)
  exportId = rows[0]?.id ?? 0
})

test('a report is chosen by its card, refused without what it needs, looked at, made, changed and deleted [REP-ROUTE-001] [REP-ROUTE-002] [REP-SCREEN-001] [REP-SCREEN-002] [GREP-ROUTE-001] [GREP-ROUTE-002] [GREP-ROUTE-003] [GREP-SCREEN-001] [GREP-SCREEN-002] [GREP-MSG-001] [GREP-MSG-002]', async () => {
  const page = await open(admin, { at: `${base}/dashboard` })
  const card = page.getByRole('link', { name: 'Global Data Export', exact: true })
  await card.waitFor()
  expect(await card.getAttribute('href')).toBe(`${base}/${exportId}/new`)
  await soon(() => page.getByText('Not made yet').count()).toBe(12)
  await lookedAt(page, 'reports-dashboard')
  await card.click()
  await page.waitForURL(`**${base}/${exportId}/new`)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await soon(async () => (await noticesSaid(page)).map(({ title, message }) => [title, message])).toContainEqual([
    'Missing Required Fields',
    'A date range or Client Batch must be selected for this report.',
  ])
  await page.getByRole('textbox', { name: 'Name' }).fill('February')
  await page.getByRole('switch', { name: 'Excel Workbook' }).check()
  await page.getByRole('textbox', { name: 'Date Range From' }).fill('02/01/2026')
  await page.getByRole('combobox', { name: /^Assignee Type/ }).selectOption('Client')
  await soon(() =>
    page
      .getByRole('combobox', { name: /^Assignee( \*)?$/ })
      .locator('option:checked')
      .innerText(),
  ).toBe('Harbor Foods')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.getByText(/^1 row · 1 bill, amount due 12\.50/).waitFor()
  // The bill of the row, and the bills of the whole, in a window beside the form, which keeps its choices and its preview.
  const opened = page.getByRole('grid', { name: 'Preview of the report' }).getByRole('link')
  expect(await opened.first().getAttribute('href')).toMatch(/^\/clients\/\d+\/bills\/\d+$/)
  const beside = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'See these bills' }).click()
  const bills = await beside
  await bills.getByText('1 bill: charges and late fees $12.50, amount due $12.50.').waitFor()
  await bills.getByRole('gridcell', { name: 'C-1' }).first().waitFor()
  await lookedAt(bills, 'report-bills')
  await bills.close()
  await lookedAt(page, 'report-form')
  await page.setViewportSize({ width: 390, height: 844 })
  await lookedAt(page, 'report-form-narrow')
  await page.setViewportSize({ width: 1366, height: 768 })
  await save.click()
  await page.waitForURL(`**${base}/generated-reports`)
  const row = page.getByRole('row').filter({ hasText: 'February' })
  await row.getByText('Ready').waitFor()
  await row.getByRole('link', { name: /Download February as CSV/ }).waitFor()
  await row.getByRole('link', { name: /Download February as XLSX/ }).waitFor()
  await lookedAt(page, 'generated-reports')
  await row.getByRole('link', { name: 'February', exact: true }).click()
  await page.waitForURL(`**${base}/${exportId}/generated-reports/*/edit`)
  await page.getByRole('switch', { name: 'Regenerate Report' }).check()
  await save.click()
  await page.waitForURL(`**${base}/generated-reports`)
  const remove = async () => {
    await row.getByRole('button', { name: /Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
  }
  const said = async () => (await noticesSaid(page)).map(({ title }) => title)
  await page.route('**/generated_reports/*', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 500 }) : route.fallback(),
  )
  await remove()
  await soon(said).toContain('There was an error')
  await page.unroute('**/generated_reports/*')
  await remove()
  await soon(async () => (await noticesSaid(page)).map(({ title, message }) => [title, message])).toContainEqual([
    'Report Deleted',
    'The selected report has been deleted',
  ])
  await page.getByText('No reports were made yet').waitFor()
  expect(addressOf(page)).toBe(`${base}/generated-reports`)
})

test('pickers of a report search from the third character on, a second after it, those of vendor batches from the first; all fits a phone, in light too [REP-RULE-003] [REP-RULE-004]', async () => {
  const page = await open(admin, { at: `${base}/${exportId}/new`, theme: 'light' })
  const sent = apiRequests(page)
  const term = (text: string) => sent.some((request) => request.endsWith(`=${text}`) || request.includes(`=${text}&`))
  const type = async (picker: string, text: string) => page.getByRole('combobox', { name: picker }).pressSequentially(text)
  await page.getByRole('combobox', { name: 'Vendors' }).click()
  await type('Vendors', 'Ci')
  await page.getByText('Type 1 more character to search').waitFor()
  const asked = page.waitForRequest((request) => request.url().includes('search_term=Cit'))
  const before = Date.now()
  await type('Vendors', 't')
  await asked
  expect(Date.now() - before).toBeGreaterThanOrEqual(1000)
  expect(['C', 'Ci', 'Cit'].map(term)).toEqual([false, false, true])
  await page.getByRole('option', { name: /Citadel Gas 1\b/ }).click()
  await page.getByRole('combobox', { name: 'Vendor Batches' }).click()
  await type('Vendor Batches', '7')
  await soon(() => sent.some((request) => request.includes('/payment_batches/search') && request.includes('q=7'))).toBe(true)
  await page.getByRole('textbox', { name: 'Date Range From' }).fill('02/01/2026')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.getByText('Nothing fits these choices.').waitFor()
  await lookedAt(page, 'report-form-light')
  await page.setViewportSize({ width: 390, height: 844 })
  const leftOf = async (name: string) => (await page.getByRole('textbox', { name }).boundingBox())?.x
  await soon(async () => (await leftOf('Date Range From')) === (await leftOf('Date Range To'))).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await lookedAt(page, 'report-form-light-narrow')
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.goto(`${base}/dashboard`)
  await page.getByRole('link', { name: 'Global Data Export', exact: true }).waitFor()
  await lookedAt(page, 'reports-dashboard-light')
})

test('the methods of accrual are compared on the bills of the client, the best one is marked with its reason and put into the form, and an account leads to its bills', async () => {
  const client = Number(base.split('/')[2])
  const { rows } = await sql<{ id: number }>`select id from reports where name = 'Accrual Report'`.execute(db)
  const service = await makeService(db, client, accountId, 'electric', 'M-1')
  // The cost of a day rises by a tenth with each bill, and April of the year before used half as much: the last bill is nearest.
  for (const [from, to, cost, usage] of [
    ['2024-04-01', '2024-05-01', '100.00', '150'],
    ['2025-01-01', '2025-02-01', '310.00', '310'],
    ['2025-02-01', '2025-03-01', '308.00', '280'],
    ['2025-03-01', '2025-04-01', '375.10', '310'],
    ['2025-04-01', '2025-05-01', '399.30', '300'],
  ] as const) {
    const line = { service_id: service, from, to, utility: cost, usage }
    await addBill(db, client, { account: { billable_account_id: accountId }, date: to, current_charges: cost, lines: [line] })
  }
  const page = await open(admin, { at: `${base}/${rows[0]?.id ?? 0}/new` })
  await page.getByRole('combobox', { name: 'Hide and accrue' }).selectOption('The last bill of each meter')
  await page.getByRole('button', { name: 'Compare methods' }).click()
  const table = page.getByRole('table', { name: 'Methods of accrual' })
  const best = table.getByRole('row').filter({ hasText: 'Best' })
  // 375.10 for 31 days leaves 363.00 for 30 days; the average of 120 days, 273.28; half the usage at the last unit cost, 181.50.
  await soon(() => best.innerText()).toMatch(/^Last bill.*9\.1.*-36\.30.*-9\.1.*363\.00.*399\.30/s)
  await soon(() => table.getByRole('row').filter({ hasText: 'Trailing' }).innerText()).toMatch(/273\.28/)
  await soon(() => table.getByRole('row').filter({ hasText: 'Seasonal' }).innerText()).toMatch(/181\.50/)
  await page.getByText(/^Last bill came nearest\. Smallest/).waitFor()
  await page.getByRole('button', { name: 'Use Last bill' }).focus()
  await page.keyboard.press('Enter')
  await soon(() => page.getByRole('combobox', { name: 'Accrual Method' }).inputValue()).toBe('last_bill')
  await best.getByText('In the form').waitFor()
  expect(await page.getByText('The choices have changed since').count()).toBe(0)
  await page.getByText(/^C-1: -36\.30 of 399\.30, error 9\.1%/).click()
  await lookedAt(page, 'accrual-scores')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await lookedAt(page, 'accrual-scores-narrow')
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.getByRole('link', { name: 'Bills of C-1' }).click()
  // The chosen method is an unsaved choice of the form.
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL(`**/clients/${client}/billable_accounts/${accountId}/bills`)
})

test('a report is scheduled from its card, shows when it is due, is sent now, paused and deleted, without a mouse where it is typed', async () => {
  const page = await open(admin, { at: `${base}/dashboard`, theme: 'light' })
  await page.getByRole('link', { name: /^Schedule it.*Global Data Export/ }).click()
  await page.waitForURL(`**${base}/${exportId}/schedule`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Lines of a week')
  await page.getByRole('combobox', { name: 'Repeats' }).selectOption('weekly')
  await page.getByRole('combobox', { name: 'Weekday' }).selectOption('Friday')
  expect(await page.getByRole('combobox', { name: 'Day', exact: true }).count()).toBe(0)
  await page.getByRole('combobox', { name: 'Dates' }).selectOption('Last 12 months')
  await page.getByText(/^Due next: .* 6:00 AM/).waitFor()
  await lookedAt(page, 'report-schedule-form')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(`**${base}/scheduled/*`)
  await page.getByText(/^Every week on Friday, 6:00 AM America\/New_York/).waitFor()
  await page.getByRole('button', { name: 'Send now · 1 person' }).click()
  const delivery = page.getByRole('row').filter({ hasText: admin.email })
  await delivery.getByText('Sent', { exact: true }).first().waitFor()
  await lookedAt(page, 'report-deliveries')
  await page.setViewportSize({ width: 390, height: 844 })
  await lookedAt(page, 'report-deliveries-narrow')
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  await page.getByRole('link', { name: 'Scheduled Reports' }).first().click()
  const row = page.getByRole('row').filter({ hasText: 'Lines of a week' })
  await row.getByText('Paused').waitFor()
  await lookedAt(page, 'scheduled-reports')
  await row.getByRole('button', { name: /Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No report is scheduled yet').waitFor()
})
