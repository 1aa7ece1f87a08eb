/** The form of a bill: entered by keyboard only, checked and audited while it is typed, drafts, and conflicts between two users. */
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import PDFDocument from 'pdfkit'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/server/access/passwords.ts'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeAccount, makeGround, makeService, makeSupplyAccount, monthlyDraft, type Ground } from '../support/bills.ts'
import { enterBill, paceTable } from '../support/clerk.ts'
import { dayOf, makePapers, paceOf, readDay } from '../support/clerk-papers.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { axeFindings } from './looked-at.ts'
import { pictureOf } from './pictures.ts'

const ui = await startConsole()
const { db, app } = ui
let at: Ground
let admin: Person
/** An account with one meter and a history of twelve months. */
let single: { account: number; service: number }
let bills: number[]

beforeAll(async () => {
  at = await makeGround(db)
  await sql`update clients set name = 'Harvest Lane', utility_payment_management = true where id = ${at.clientId}`.execute(db)
  admin = await makePerson(db, 'super_admin')
  const account = await makeAccount(db, at, '555-0100')
  single = { account, service: await makeService(db, at.clientId, account, 'electric', 'M-77') }
  bills = await acting(app.database, async (context) => {
    const past = Array.from({ length: 12 }, (_, month) => onlyElectric(month + 1))
    const outcomes = await createBills(context, at.clientId, [...past, monthlyDraft(at, 1), monthlyDraft(at, 2)])
    return outcomes.map((outcome) => (outcome.kind === 'created' ? outcome.id : 0))
  })
}, 60_000)

/** A month of the one-meter account. */
function onlyElectric(month: number) {
  const draft = monthlyDraft({ ...at, accountId: single.account, electricId: single.service }, month)
  const lines = draft.service_bills.slice(0, 1)
  const charges = lines[0]?.service_bill_entry_fields?.[0]?.value ?? '0.00'
  return { ...draft, service_bills: lines, current_charges: charges, amount_due: charges }
}

const formAt = (account: number, type = 'billable_account') =>
  `/clients/${at.clientId}/bills/new?account_type=${type}&account_id=${account}`
const field = (page: Page, label: string) => page.getByRole('form', { name: 'Bill form' }).getByRole('textbox', { name: label })
const save = (page: Page) => page.keyboard.press('Control+Enter')

async function pdfNamed(name: string, text: string) {
  const document = new PDFDocument({ size: 'LETTER' })
  document.fontSize(24).text(text)
  document.end()
  return { name, mimeType: 'application/pdf', buffer: await buffer(document) }
}

async function storedBill(id: number) {
  const { rows } = await sql<{
    date: string
    amount_due: string
    usage: string
    number_of_days: number
  }>`select bills.date::text, bills.amount_due::text,
      line.usage::text, line.read_date - line.previous_read_date as number_of_days
    from bills join service_bills line on line.client_id = bills.client_id and line.bill_id = bills.id where bills.id = ${id}`.execute(db)
  return rows
}

test('a bill of one meter is entered without the mouse in at most 12 fields, from the search of its account to Save [BILL-RULE-001] [BILL-ROUTE-002] [BILL-SCREEN-006] [BILL-RULE-008] [SBILL-FIELD-002] [SBILL-RULE-006] [SBILL-RULE-007]', async () => {
  const page = await ui.open(admin, { at: `/clients/${at.clientId}/bills/new` })
  await page.getByRole('link', { name: 'Go Back' }).waitFor()
  await page.evaluate(() => {
    const touched = new Set<EventTarget>()
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement && target.matches('input, select, textarea')) touched.add(target)
      document.body.dataset['touched'] = String(touched.size)
    })
    document.addEventListener('pointerdown', () => (document.body.dataset['mouse'] = 'used'))
  })
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  await page.keyboard.type('M-77')
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('form', { name: 'Bill form' }).waitFor()
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('date')
  await pictureOf(page, 'bill-form-one-line')
  const typed = async (text: string) => {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  const here = () => page.evaluate(() => document.activeElement?.getAttribute('name')?.split('.').at(-1))
  for (const text of ['02052026', '02252026', 'INV-13', '0', '120+35.5', '']) await typed(text)
  expect(await field(page, 'Amount Due').inputValue()).toBe('155.50')
  // The reads of the last bill are filled in as the previous ones; Enter passes them, and Shift+Enter goes back to them.
  expect(await field(page, 'Previous Read Date').inputValue()).toBe('01/01/2026')
  expect(await here()).toBe('read_date')
  await page.keyboard.press('Shift+Enter')
  expect(await here()).toBe('previous_read_date')
  await typed('')
  await typed('2/1/26')
  await soon(() => page.getByLabel('Days', { exact: true }).textContent()).toBe('31 days')
  expect(await field(page, 'Previous Reading').inputValue()).toBe('20,800.00')
  await typed('21650')
  expect(await field(page, 'Usage').inputValue()).toBe('850.000')
  expect(await here()).toBe('Utility Charges')
  await page.keyboard.type('$155.50')
  await page.keyboard.press('Tab')
  expect(await here()).toBe('Utility Taxes')
  await page.getByText('Lines and charges add up').waitFor()
  await save(page)
  await page.waitForURL(`**/clients/${at.clientId}/bills`)
  expect(await page.evaluate(() => document.body.dataset['mouse'])).toBeUndefined()
  const touched = Number(await page.evaluate(() => document.body.dataset['touched']))
  expect(touched).toBeGreaterThan(8)
  expect(touched).toBeLessThanOrEqual(12)
  const { rows } = await sql<{ id: number }>`select id from bills where invoice_number = 'INV-13' and client_id = ${at.clientId}`.execute(
    db,
  )
  expect(await storedBill(rows[0]?.id ?? 0)).toEqual([{ date: '2026-02-05', amount_due: '155.50', usage: '850.000', number_of_days: 31 }])
})

test('bills of seven kinds take at most so many keys and looks at the paper, from the search of the account to the next one, and no mouse', async () => {
  const { at: ground, papers } = await makePapers(app.database)
  const page = await ui.open(admin, { at: `/clients/${ground.clientId}/bills/new` })
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  const rows = []
  for (const { bill, of, most, ...pace } of paceOf(papers)) {
    const now = { keys: 0, looks: 0, waited: 0, seconds: 0 }
    for (const paper of of) {
      const one = await enterBill(page, paper)
      for (const key of ['keys', 'looks', 'waited', 'seconds'] as const) now[key] += one[key]
    }
    rows.push({ bill, now, ...pace })
    expect.soft(now.keys, `keys of ${bill}`).toBeLessThanOrEqual(most.keys)
    expect.soft(now.looks, `looks of ${bill}`).toBeLessThanOrEqual(most.looks)
  }
  console.log(`K 0.2 s, M 1.35 s, R as waited in the browser\n${paceTable(rows)}`)
  expect(await page.evaluate(() => document.body.dataset['mouse'])).toBeUndefined()
  // Carried values are stored as if they had been typed.
  const { rows: stored } = await sql<{ utility: string; read_date: string; usage: string; balance_forward: string }>`select
      utility.name as utility, line.read_date::text, line.usage::text, bills.balance_forward::text
    from bills join service_bills line on line.client_id = bills.client_id and line.bill_id = bills.id
      join services on services.client_id = line.client_id and services.id = line.service_id
      join utility_services utility on utility.id = services.utility_service_id
    where bills.client_id = ${ground.clientId} and bills.source = 'typed' and utility.name in ('Water', 'Sewer') order by line.position`.execute(
    db,
  )
  const same = { read_date: dayOf(readDay), usage: '700.000', balance_forward: '0.00' }
  expect(stored).toEqual([
    { utility: 'Water', ...same },
    { utility: 'Sewer', ...same },
  ])
})

test('a date takes t, +7 and arrows, a row of a spreadsheet spreads over the fields and rows over the lines, = takes what is left, the saved line says what is flagged, and N, Alt+J, E and G I lead on', async () => {
  const account = await makeAccount(db, at, 'QUICK-1-22')
  for (const meter of ['M-Q1', 'M-Q2']) await makeService(db, at.clientId, account, 'electric', meter)
  const page = await ui.open(admin, { at: `/clients/${at.clientId}/bills` })
  await page.getByRole('link', { name: 'Add New' }).waitFor()
  await page.keyboard.press('n')
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  await page.keyboard.type('quick122')
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('date')
  const dayAt = async (label: string) => Date.parse(`${await field(page, label).first().inputValue()} UTC`) / 86_400_000
  await page.keyboard.type('t')
  await page.keyboard.press('Tab')
  const today = await dayAt('Bill Date')
  await field(page, 'Bill Date').press('ArrowDown')
  expect(await dayAt('Bill Date')).toBe(today - 1)
  await field(page, 'Bill Date').press('Enter')
  await page.keyboard.type('+20')
  await page.keyboard.press('Tab')
  expect(await dayAt('Due Date')).toBe(today + 19)
  const paste = (text: string) =>
    page.evaluate((copied) => {
      const data = new DataTransfer()
      data.setData('text/plain', copied)
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, text)
  await paste('INV-Q\t(12.00)\t$300.00\n')
  await soon(() => field(page, 'Current Charges').inputValue()).toBe('300.00')
  expect(await field(page, 'Invoice Number').inputValue()).toBe('INV-Q')
  expect((await field(page, 'Balance Forward').inputValue()).replace('−', '-')).toBe('-12.00')
  await field(page, 'Previous Read Date').first().focus()
  await paste('9/3/2026\t10/3/2026\t\t\t\t1,000\n9/4/2026\t10/4/2026\t\t\t\t1,200')
  await soon(() => field(page, 'Usage').nth(1).inputValue()).toBe('1,200.000')
  expect(await field(page, 'Read Date').nth(3).inputValue()).toBe('10/04/2026')
  expect(await field(page, 'Usage').first().inputValue()).toBe('1,000.000')
  await field(page, 'Utility Charges').first().focus()
  await paste('100.00\n120/4*(2+2)')
  await soon(() => field(page, 'Utility Charges').nth(1).inputValue()).toBe('120.00')
  expect(await field(page, 'Utility Charges').first().inputValue()).toBe('100.00')
  await field(page, 'Utility Taxes').nth(1).press('=')
  await page.getByText('Lines and charges add up').waitFor()
  await page.keyboard.press('Tab')
  expect(await field(page, 'Utility Taxes').nth(1).inputValue()).toBe('80.00')
  await field(page, 'Utility Taxes').nth(1).fill('70')
  await page.keyboard.press('Control+Shift+Enter')
  await page.getByText(/Flagged:/).waitFor()
  await pictureOf(page, 'bill-form-saved-flagged')
  await page.getByRole('link', { name: /^\d+ findings?$/ }).click()
  await page.getByRole('heading', { name: /^Findings/ }).waitFor()
  await page.keyboard.press('Alt+j')
  expect(await page.evaluate(() => document.activeElement?.closest('[data-finding]') !== null)).toBe(true)
  await page.keyboard.press('e')
  await soon(() => addressOf(page)).toMatch(/\/bills\/\d+\/edit$/)
  await page.getByRole('form', { name: 'Bill form' }).waitFor()
  // A stored bill carries nothing: Enter stops at each of its fields.
  expect(await page.locator('[data-passed]').count()).toBe(0)
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await soon(() => addressOf(page)).toBe(`/clients/${at.clientId}/bills/inbox`)
})

test('the address preselects an account of either kind, dates are read in every accepted format, and saving returns to that account’s bills [BILL-SCREEN-004] [BILL-SCREEN-005] [BILL-SCREEN-008] [BILL-RULE-002] [BILL-RULE-003] [BILL-RULE-004] [BILL-RULE-005] [BILL-RULE-007] [BILL-CONST-003] [SBILL-RULE-002]', async () => {
  const supply = await makeSupplyAccount(db, at, 'SUP-1')
  await makeService(db, at.clientId, supply, 'electric', 'S-1', 'supply_account_id')
  const page = await ui.open(admin, { at: formAt(supply, 'supply_account') })
  await page.getByText('Supply account', { exact: false }).first().waitFor()
  await soon(() => page.getByRole('combobox', { name: 'Account' }).inputValue()).toContain('SUP-1')
  await save(page)
  for (const message of ['Date is required', 'Due Date is required', 'Balance Forward is required', 'Current Charges is required'])
    await page.getByText(message, { exact: true }).waitFor()
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('date')
  expect(await page.getByText('Late Fee is required').count()).toBe(0)
  const date = field(page, 'Bill Date')
  const spellings = ['04/12/2026', '04/12/26', '04-12-2026', '04-12-26', '04.12.2026', '04.12.26', '4-12-26', '041226']
  for (const spelling of spellings) {
    await date.fill(spelling)
    await date.press('Tab')
    expect(await date.inputValue(), spelling).toBe('04/12/2026')
  }
  // Without a year the nearest past day is assumed, and a due date follows its bill's date.
  await date.fill('0412')
  await date.press('Tab')
  expect(await date.inputValue()).toMatch(/^04\/12\/\d{4}$/)
  await date.fill('12/20/2025')
  await field(page, 'Due Date').fill('1/9')
  await field(page, 'Due Date').press('Tab')
  expect(await field(page, 'Due Date').inputValue()).toBe('01/09/2026')
  const amounts = { 'Balance Forward': ['(12.00)', '-12.00'], 'Current Charges': ['$1,234.50', '1,234.50'], 'Late Fee': ['1.255', '1.255'] }
  for (const [label, [typed = '', shown]] of Object.entries(amounts)) {
    await field(page, label).fill(typed)
    await field(page, label).press('Tab')
    expect((await field(page, label).inputValue()).replace('−', '-'), label).toBe(shown)
  }
  await save(page)
  await page.getByText(/Late Fee must/).waitFor()
  await field(page, 'Late Fee').fill('5')
  await soon(() => field(page, 'Amount Due').inputValue()).toBe('1,227.50')
  // An overwritten sum has a mark; Alt with = restores the sum, and so does a changed part.
  await field(page, 'Amount Due').fill('1200')
  await page.getByRole('button', { name: 'Typed over. Take back the computed 1,227.50' }).waitFor()
  await field(page, 'Amount Due').press('Alt+=')
  await soon(() => field(page, 'Amount Due').inputValue()).toBe('1,227.50')
  await field(page, 'Amount Due').fill('1200')
  await field(page, 'Late Fee').fill('6')
  await soon(() => field(page, 'Amount Due').inputValue()).toBe('1,228.50')
  await field(page, 'Previous Read Date').fill('11/20/2025')
  await field(page, 'Read Date').nth(1).fill('12/18/2025')
  await field(page, 'Usage').fill('1200')
  await field(page, 'Utility Charges').fill('1234.5')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(`/clients/${at.clientId}/bills`))
  await save(page)
  expect(JSON.parse((await sent).postData() ?? '')).toMatchObject({ bill: { account_type: 'SupplyAccount', account_id: supply } })
  await page.waitForURL(`**/clients/${at.clientId}/supply_accounts/${supply}/bills`)
  await page.getByRole('grid').getByText('12/20/2025').waitFor()
  const { rows } = await sql<{
    amount_due: string
    late_fee: string
  }>`select amount_due::text, late_fee::text from bills where supply_account_id = ${supply}`.execute(db)
  expect(rows).toEqual([{ amount_due: '1228.50', late_fee: '6.00' }])
})

test('a line says what it misses in the words of the specification; missing meter data and an unknown linked line are shown, and stop nothing [SBILL-MSG-001] [SBILL-MSG-002] [SBILL-MSG-003] [SBILL-MSG-004] [SBILL-MSG-006] [SBILL-RULE-001] [SBILL-RULE-003] [SBILL-RULE-004] [SBILL-RULE-005] [SBILL-CONST-001] [BILL-MSG-002]', async () => {
  const account = await makeAccount(db, at, 'MSG-1')
  const service = await makeService(db, at.clientId, account, 'electric', 'M-MSG')
  await sql`insert into service_entry_fields (client_id, service_id, entry_field_id)
    select ${at.clientId}, ${service}, id from entry_fields where name = 'Supply Charges'`.execute(db)
  await sql`insert into additional_entry_fields (client_id, service_id, name) values (${at.clientId}, ${service}, 'Pole Count')`.execute(db)
  const page = await ui.open(admin, { at: formAt(account), mayComplain: true })
  await page.getByText('No Record Of Usage From Previous Bill For This Service', { exact: true }).waitFor()
  await field(page, 'Bill Date').fill('3/5/2026')
  await field(page, 'Due Date').fill('3/25/2026')
  await field(page, 'Balance Forward').fill('0')
  await field(page, 'Current Charges').fill('80')
  await save(page)
  await page.getByText('Utility Charges are required', { exact: true }).waitFor()
  await page.getByText('Supply Charges are required', { exact: true }).waitFor()
  expect(await page.getByText('Required', { exact: true }).count()).toBe(4)
  await page.getByText('6 fields need a look').waitFor()
  // All stored decimals are accepted, one more is refused.
  const scales = { 'Previous Reading': 2, Multiplier: 3, Usage: 3, 'Utility Charges': 2, 'Pole Count': 4 }
  const refused = async () => {
    await save(page)
    await page.getByText(/fields? needs? a look/).waitFor()
    const marked = await Promise.all(
      Object.keys(scales).map(async (label) => [label, await field(page, label).getAttribute('aria-invalid')]),
    )
    return marked.flatMap(([label, invalid]) => (invalid === 'true' ? [label] : []))
  }
  for (const [label, scale] of Object.entries(scales)) await field(page, label).fill(`0.${'1'.repeat(scale + 1)}`)
  expect(await refused()).toEqual(Object.keys(scales))
  for (const [label, scale] of Object.entries(scales)) await field(page, label).fill(`0.${'1'.repeat(scale)}`)
  expect(await refused()).toEqual([])
  await field(page, 'Previous Reading').fill('')
  await field(page, 'Multiplier').fill('1')
  await field(page, 'Previous Read Date').fill('2/1/2026')
  await field(page, 'Read Date').nth(1).fill('3/1/2026')
  await field(page, 'Usage').fill('400')
  await field(page, 'Utility Charges').fill('50')
  await field(page, 'Supply Charges').fill('30')
  await page.getByText('No meter data', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Link supply lines' }).click()
  await page.getByRole('textbox', { name: 'Or the line’s id' }).fill('987654')
  await page.getByRole('button', { name: 'Link this id' }).click()
  await page.getByText('ERROR', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Unlink line 987654' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await save(page)
  await page.waitForURL(`**/billable_accounts/${account}/bills`)
})

test('a stored bill is edited; its past opens in place, and a line whose service is gone says ERROR [BILL-ROUTE-006] [SBILL-MSG-005] [SBILL-SCREEN-001] [SBILL-CONST-002] [SBILL-FIELD-010]', async () => {
  const account = await makeAccount(db, at, 'EDIT-1')
  const other = await makeAccount(db, at, 'EDIT-2')
  const service = await makeService(db, at.clientId, account, 'electric', 'M-EDIT')
  const made = await acting(app.database, async (context) => {
    const draft = monthlyDraft({ ...at, accountId: account, electricId: service }, 14)
    return createBills(context, at.clientId, [{ ...draft, service_bills: draft.service_bills.slice(0, 1) }])
  })
  const id = made[0]?.kind === 'created' ? made[0].id : 0
  const page = await ui.open(admin, { at: `/bills/${bills[11] ?? 0}/edit` })
  await page.waitForURL(`**/clients/${at.clientId}/bills/${bills[11] ?? 0}/edit`)
  await soon(() => field(page, 'Bill Date').inputValue()).toBe('01/05/2026')
  await page.getByText('Last five bills').click()
  await soon(() =>
    page
      .getByRole('table', { name: /Last five bills of Electric M-77/ })
      .getByRole('row')
      .count(),
  ).toBe(6)
  await page.getByText(/1\d bills in all/).waitFor()
  const past = page.getByRole('table', { name: /Last five bills/ })
  const cells = async (row: ReturnType<typeof past.getByRole>) => (await row.innerText()).split(/\s+/).join(' ')
  expect(await cells(past.getByRole('row').first())).toBe(
    'Bill Read Days Reading Usage Utility Utility Taxes Supply Supply Taxes Other REC',
  )
  expect(await cells(past.getByRole('row', { name: /^12\/05\/2025/ }))).toBe(
    '12/05/2025 12/01/2025 30 19,900.00 900.000 kWh 111.00 0.00 0.00 0.00 0.00 0.00',
  )
  await pictureOf(page, 'bill-form-last-five')
  await field(page, 'Invoice Number').fill('INV-12-B')
  await page.getByText('Not saved yet').waitFor()
  await save(page)
  await page.waitForURL(`**/billable_accounts/${single.account}/bills`)
  const { rows } = await sql<{ invoice_number: string }>`select invoice_number from bills where id = ${bills[11] ?? 0}`.execute(db)
  expect(rows).toEqual([{ invoice_number: 'INV-12-B' }])
  await sql`update services set billable_account_id = ${other} where id = ${service}`.execute(db)
  await page.goto(`/clients/${at.clientId}/bills/${id}/edit`)
  await page.getByText('ERROR', { exact: true }).waitFor()
  await page.getByText(/The service of this line is missing/).waitFor()
})

test('the audits speak while a bill is typed, and a finding is settled in place by keyboard; a repeated bill is saved only with a reason', async () => {
  const page = await ui.open(admin, { at: formAt(single.account), mayComplain: true })
  await field(page, 'Bill Date').fill('3/5/2026')
  await field(page, 'Due Date').fill('3/25/2026')
  await field(page, 'Invoice Number').fill('INV-14')
  await field(page, 'Balance Forward').fill('0')
  await field(page, 'Current Charges').fill('4000')
  await field(page, 'Read Date').nth(1).fill('3/1/2026')
  await field(page, 'Reading').nth(1).fill('90000')
  await field(page, 'Utility Charges').fill('4000')
  const high = page.locator('[data-finding="usage_high"]')
  await high.waitFor()
  expect(await high.innerText()).toMatch(/expected/)
  await page.keyboard.press('Alt+j')
  const codes = async () => page.locator('[data-finding] select').count()
  expect(await codes()).toBeGreaterThan(1)
  await high.locator('select').focus()
  await page.keyboard.press('s')
  await soon(() => high.locator('select').inputValue()).toBe('seasonal')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Cold month')
  await pictureOf(page, 'bill-form-findings')
  expect(await axeFindings(page)).toEqual([])
  await save(page)
  await page.waitForURL(`**/billable_accounts/${single.account}/bills`)
  const { rows } = await sql<{
    reason: string
    comment: string
    resolved: boolean
  }>`select finding.reason, finding.comment, finding.resolved_at is not null as resolved
    from bill_findings finding join bills on bills.client_id = finding.client_id and bills.id = finding.bill_id
    where bills.invoice_number = 'INV-14' and bills.client_id = ${at.clientId} and finding.code = 'usage_high'`.execute(db)
  expect(rows).toEqual([{ reason: 'seasonal', comment: 'Cold month', resolved: true }])
  // After reopening it stays resolved and folded, until its value is typed again.
  const made = await sql<{
    id: number
  }>`select id from bills where invoice_number = 'INV-14' and billable_account_id = ${single.account}`.execute(db)
  await page.goto(`/clients/${at.clientId}/bills/${made.rows[0]?.id ?? 0}/edit`)
  await page.getByText(/findings? (was|were) settled before/).click()
  await high.getByText(/^Seasonal/).waitFor()
  expect(await high.locator('select').count()).toBe(0)
  await field(page, 'Usage').fill('69201')
  await soon(() => high.locator('select').count()).toBe(1)
  await field(page, 'Usage').press('Alt+=')
  await soon(() => high.locator('select').count()).toBe(0)
  // The same again.
  await page.goto(formAt(single.account))
  await field(page, 'Bill Date').fill('3/5/2026')
  await field(page, 'Due Date').fill('3/25/2026')
  await field(page, 'Invoice Number').fill('INV-14')
  await field(page, 'Balance Forward').fill('0')
  await field(page, 'Current Charges').fill('4000')
  await field(page, 'Previous Read Date').fill('1/1/2026')
  await field(page, 'Read Date').nth(1).fill('3/1/2026')
  await field(page, 'Previous Reading').fill('20800')
  await field(page, 'Reading').nth(1).fill('90000')
  await field(page, 'Utility Charges').fill('4000')
  await save(page)
  await page.getByText('This bill is on record already').waitFor()
  await soon(() => page.evaluate(() => document.activeElement?.closest('[role=alert]') !== null)).toBe(true)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.type('Second meter book')
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await page.waitForURL(`**/billable_accounts/${single.account}/bills`)
  const twice = await sql<{
    override_reason: string | null
  }>`select override_reason from bills where invoice_number = 'INV-14' and billable_account_id = ${single.account} order by id`.execute(db)
  expect(twice.rows).toEqual([{ override_reason: null }, { override_reason: 'Second meter book' }])
})

test('what was typed comes back after a crash; Save and next leaves a fresh form at its account and names what was saved', async () => {
  const page = await ui.open(admin, { at: `/clients/${at.clientId}/bills/new` })
  await page.getByRole('combobox', { name: 'Account' }).fill('City Power')
  await page
    .getByRole('listbox')
    .getByRole('option', { name: /555-0100/ })
    .click()
  await field(page, 'Bill Date').fill('4/5/2026')
  await field(page, 'Invoice Number').fill('INV-15')
  await field(page, 'Reading').nth(1).fill('91000')
  await page.getByText('Not saved yet').waitFor()
  await page.waitForFunction(() =>
    Object.keys(sessionStorage).some((key) => key.startsWith('draft:') && sessionStorage.getItem(key)?.includes('91000')),
  )
  await page.reload()
  await page.getByText('What you had typed was restored.').waitFor()
  expect(await field(page, 'Bill Date').inputValue()).toBe('04/05/2026')
  expect(await field(page, 'Reading').nth(1).inputValue()).toBe('91,000.00')
  await field(page, 'Due Date').fill('4/25/2026')
  await field(page, 'Balance Forward').fill('0')
  await field(page, 'Current Charges').fill('90')
  await field(page, 'Read Date').nth(1).fill('4/1/2026')
  await field(page, 'Utility Charges').fill('90')
  await page.keyboard.press('Control+Shift+Enter')
  await page.getByText(/^Saved: /).waitFor()
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  expect(await page.getByRole('combobox', { name: 'Account' }).inputValue()).toBe('')
  expect(await page.getByRole('link', { name: /^bill \d+$/ }).getAttribute('href')).toMatch(/\/bills\/\d+$/)
  await page.keyboard.type('555-0100')
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await soon(() => field(page, 'Previous Reading').inputValue()).toBe('91,000.00')
  expect(await field(page, 'Invoice Number').inputValue()).toBe('')
  await page.keyboard.press('Control+/')
  await page.getByText('Save and next: a fresh form at its account').waitFor()
})

test('a session that ends while a bill is typed costs its person no letter, shows nothing of it to the next one, and only signing out forgets it', async () => {
  const account = await makeAccount(db, at, 'OVER-1')
  await makeService(db, at.clientId, account, 'electric', 'M-OVER')
  const password = 'a long enough password'
  const hash = await hashPassword(password)
  const [first, other] = [await makePerson(db, 'super_admin'), await makePerson(db, 'super_admin')]
  await sql`update users set password_hash = ${hash} where id in (${first.id}, ${other.id})`.execute(db)
  const page = await ui.open(null, { mayComplain: true })
  // The live channel ends with its session and would close the page at once, before anything is typed after it.
  await page.route('**/api/v5/live?*', (route) => route.abort())
  await page.goto(formAt(account))
  const signIn = async (who: Person) => {
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await page.getByLabel('Email').fill(who.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
  }
  const signOut = async () => {
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Sign Out' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out' }).click()
    await page.waitForURL('**/login')
  }
  const left = () => page.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]))
  const endSession = async () => {
    const headers = await page.evaluate(() =>
      Object.fromEntries(['access-token', 'client', 'uid'].map((name) => [name, localStorage.getItem(name) ?? ''])),
    )
    expect((await app.ask({ ...first, headers }, 'DELETE', '/auth/sign_out')).status).toBe(200)
  }
  await signIn(first)
  await field(page, 'Invoice Number').fill('OVER-1')
  // The last letters are hardly older than the pause after which a draft is stored. The next request to the server ends the page.
  await field(page, 'Reading').nth(1).fill('4711')
  await endSession()
  const asking = page.getByRole('combobox', { name: 'Account' }).pressSequentially('9', { timeout: 2_000 })
  // A request may already be under way.
  await asking.catch(() => undefined)
  await signIn(other)
  await field(page, 'Invoice Number').waitFor()
  expect(await page.getByText('What you had typed was restored.').count()).toBe(0)
  expect(await field(page, 'Invoice Number').inputValue()).toBe('')
  await field(page, 'Invoice Number').fill('OTHER-1')
  const beside = await page.context().newPage()
  await beside.goto(`${ui.url}/clients/${at.clientId}/bills/new`)
  await beside.getByRole('combobox', { name: 'Account' }).fill('OVER-1')
  await beside.getByRole('listbox').getByRole('option').first().click()
  await field(beside, 'Invoice Number').fill('OTHER-2')
  const isKept = (text: string) => Object.values(localStorage).some((one) => String(one).includes(text))
  await Promise.all([page.waitForFunction(isKept, 'OTHER-1'), beside.waitForFunction(isKept, 'OTHER-2')])
  await signOut()
  expect(await left()).not.toContain('OTHER-')
  expect(await beside.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain('OTHER-')
  await beside.close()
  await signIn(first)
  await page.goto(formAt(account))
  await page.getByText('What you had typed was restored.').waitFor()
  expect(await field(page, 'Invoice Number').inputValue()).toBe('OVER-1')
  expect(await field(page, 'Reading').nth(1).inputValue()).toBe('4,711.00')
  // A session may end with the very request that saves.
  await field(page, 'Bill Date').fill('3/5/2026')
  await field(page, 'Due Date').fill('3/25/2026')
  await field(page, 'Balance Forward').fill('0')
  await field(page, 'Current Charges').fill('80')
  await field(page, 'Previous Read Date').fill('2/1/2026')
  await field(page, 'Read Date').nth(1).fill('3/1/2026')
  await field(page, 'Usage').fill('400')
  await field(page, 'Utility Charges').fill('80')
  await endSession()
  await save(page)
  await signIn(first)
  await page.getByText('What you had typed was restored.').waitFor()
  expect(await field(page, 'Utility Charges').inputValue()).toBe('80.00')
  await field(page, 'Invoice Number').focus()
  await save(page)
  await page.waitForURL(`**/billable_accounts/${account}/bills`)
  const { rows } = await sql<{ invoice_number: string }>`select invoice_number from bills where billable_account_id = ${account}`.execute(
    db,
  )
  expect(rows).toEqual([{ invoice_number: 'OVER-1' }])
  await page.goto(formAt(account))
  await field(page, 'Invoice Number').fill('OVER-2')
  await page.waitForFunction(isKept, 'OVER-2')
  await signOut()
  expect(await left()).not.toContain('OVER-2')
  await signIn(first)
  await page.goto(formAt(account))
  await field(page, 'Invoice Number').waitFor()
  expect(await field(page, 'Invoice Number').inputValue()).toBe('')
})

test('what was typed in a tab that was closed comes back in another one, and not while the first is open', async () => {
  const account = await makeAccount(db, at, 'TAB-1')
  await makeService(db, at.clientId, account, 'electric', 'M-TAB')
  const page = await ui.open(admin, { at: formAt(account) })
  await field(page, 'Invoice Number').fill('LEFT-1')
  await page.waitForFunction(() => Object.values(localStorage).some((text) => String(text).includes('LEFT-1')))
  const beside = await page.context().newPage()
  await beside.goto(`${ui.url}${formAt(account)}`)
  await field(beside, 'Invoice Number').waitFor()
  expect(await field(beside, 'Invoice Number').inputValue(), 'another tab holds it').toBe('')
  // Longer than a form waits before it stores or drops a draft: the second, empty form leaves the other's draft alone.
  await beside.waitForTimeout(900)
  await page.close()
  await beside.waitForFunction(() => Object.values(localStorage).some((text) => String(text).includes('"seen":0')))
  await beside.reload()
  await beside.getByText('What you had typed was restored.').waitFor()
  expect(await field(beside, 'Invoice Number').inputValue()).toBe('LEFT-1')
})

test('Add New on the bills of a group account opens the page of its summary bill, of a group supply account the form of that account', async () => {
  const group = await makeAccount(db, at, 'GROUP-1', { group: true })
  const supply = await makeSupplyAccount(db, at, 'GROUP-2')
  await sql`update supply_accounts set is_group_account = true where id = ${supply}`.execute(db)
  const summary = await ui.open(admin, { at: `/clients/${at.clientId}/group_accounts/${group}/bills` })
  await summary.getByRole('link', { name: 'Add New' }).click()
  await soon(() => addressOf(summary)).toBe(`/clients/${at.clientId}/group_accounts/${group}/bills/new`)
  await summary.getByRole('form', { name: 'Summary bill' }).getByRole('textbox', { name: 'Bill Date' }).waitFor()
  const page = await ui.open(admin, { at: `/clients/${at.clientId}/group_supply_accounts/${supply}/bills` })
  await page.getByRole('link', { name: 'Add New' }).click()
  await page.getByRole('form', { name: 'Bill form' }).waitFor()
  await soon(() => page.getByRole('combobox', { name: 'Account' }).inputValue()).toContain('GROUP-2')
})

test('of two people who edit one bill the second sees what the first changed, line by line, chooses, and loses nothing', async () => {
  const id = bills[12] ?? 0
  const address = `/clients/${at.clientId}/bills/${id}/edit`
  const first = await ui.open(admin, { at: address })
  const second = await ui.open(await makePerson(db, 'super_admin'), { at: address, mayComplain: true })
  await field(second, 'Invoice Number').fill('MINE')
  await field(second, 'Late Fee').fill('2')
  await second.getByRole('region', { name: 'Gas G-1', exact: false }).getByRole('textbox', { name: 'Utility Taxes' }).fill('1.25')
  await field(first, 'Invoice Number').fill('THEIRS')
  await first.getByRole('region', { name: 'Electric E-1' }).getByRole('textbox', { name: 'Utility Taxes' }).fill('7.5')
  await save(first)
  await first.waitForURL('**/bills')
  // The server refuses a save that would undo theirs.
  await field(second, 'Late Fee').focus()
  await save(second)
  const panel = second.getByRole('alert', { name: 'Changed by somebody else' })
  await panel.waitFor()
  const rowOf = (name: string) => panel.getByRole('row').filter({ hasText: name })
  expect(await rowOf('Invoice Number').innerText()).toMatch(/INV-1.*THEIRS.*MINE/s)
  expect(await rowOf('Electric E-1: Utility Taxes').innerText()).toMatch(/7\.5/)
  await pictureOf(second, 'bill-form-conflict')
  await rowOf('Invoice Number').getByRole('radio').first().check()
  await panel.getByRole('button', { name: 'Go on with both' }).click()
  expect(await field(second, 'Invoice Number').inputValue()).toBe('THEIRS')
  // They save again. On returning to the window the user is warned before saving, and chooses for each value that both changed.
  const banner = second.getByText('Somebody has saved this bill since you opened it.')
  expect(await banner.count()).toBe(0)
  const again = { due_date: '2026-02-27', late_fee: '9.00', balance_forward: '10.00', amount_due: '170.00' }
  const answer = await app.ask(admin, 'PATCH', `/clients/${at.clientId}/bills/${id}`, { bill: again })
  expect(answer.status, answer.text).toBe(200)
  await second.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await banner.waitFor()
  await field(second, 'Due Date').fill('2/26/2026')
  await second.getByRole('button', { name: 'See what changed' }).click()
  await panel.waitFor()
  expect(await rowOf('Due Date').innerText()).toMatch(/02\/27\/2026.*02\/26\/2026/s)
  expect(await rowOf('Balance Forward').innerText()).toMatch(/0\.00.*10\.00.*not changed here/s)
  // Neither user typed an amount due: it is computed from both, and there is nothing to choose.
  expect(await rowOf('Amount Due').innerText()).toMatch(/computed from both/)
  expect(await panel.getByRole('radio').count()).toBe(4)
  await rowOf('Due Date').getByRole('radio').first().check()
  await panel.getByRole('button', { name: 'Go on with both' }).click()
  expect(await field(second, 'Due Date').inputValue()).toBe('02/27/2026')
  expect(await field(second, 'Late Fee').inputValue()).toBe('2.00')
  expect(await field(second, 'Balance Forward').inputValue()).toBe('10.00')
  await field(second, 'Late Fee').focus()
  await save(second)
  await second.waitForURL('**/bills')
  const { rows } = await sql<{
    invoice_number: string
    late_fee: string
    amount_due: string
    taxes: string[]
  }>`select bills.invoice_number, bills.late_fee::text, bills.amount_due::text,
      array(select value::text from service_bill_entry_values entry join service_bills line on line.client_id = entry.client_id and line.id = entry.service_bill_id
        join entry_fields field on field.id = entry.entry_field_id where line.bill_id = bills.id and field.name = 'Utility Taxes' order by line.position) as taxes
    from bills where id = ${id}`.execute(db)
  expect(rows).toEqual([{ invoice_number: 'THEIRS', late_fee: '2.00', amount_due: '163.00', taxes: ['7.50', '1.25'] }])
})

test('a paid bill shows its inputs disabled with the reason, but for notes, files and factors that adjust nothing [BILL-TRANS-001] [SBILL-TRANS-001] [SBILL-TRANS-002]', async () => {
  const id = bills[13] ?? 0
  for (const [service, factor] of [
    [at.gasId, 'Therm Factor'],
    [at.electricId, 'KW Billed'],
  ] as const)
    await sql`insert into service_usage_factors (client_id, service_id, usage_factor_id)
      select ${at.clientId}, ${service}, id from usage_factors where name = ${factor} limit 1`.execute(db)
  await sql`update bills set paid = true where id = ${id}`.execute(db)
  const page = await ui.open(admin, { at: `/clients/${at.clientId}/bills/${id}/edit` })
  await page
    .getByRole('note')
    .getByText(/This bill is paid: amounts, dates and lines no longer change/)
    .waitFor()
  for (const label of ['Bill Date', 'Current Charges', 'Amount Due', 'Previous Read Date', 'Usage', 'Utility Charges'])
    expect(await field(page, label).first().isDisabled(), label).toBe(true)
  expect(await page.getByRole('checkbox', { name: 'Estimated' }).first().isDisabled()).toBe(true)
  expect(await field(page, 'Therm Factor').isDisabled()).toBe(true)
  expect(await field(page, 'KW Billed').isEnabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Add line' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Drop the bill PDF here or browse' }).count()).toBe(1)
  await page.getByText('More bill fields').click()
  expect(await field(page, 'Notes').first().isEnabled()).toBe(true)
  await pictureOf(page, 'bill-form-paid')
})

test('who may read bills but not make or change them is shown no form [PERM-PERM-022]', async () => {
  const reader = await makePerson(db, 'read_only_user', { clients: [at.clientId] })
  const page = await ui.open(reader, { at: `/clients/${at.clientId}/bills`, mayComplain: true })
  await page.getByRole('grid').waitFor()
  expect(await page.getByRole('link', { name: 'Add New' }).count()).toBe(0)
  for (const address of [`/clients/${at.clientId}/bills/new`, `/clients/${at.clientId}/bills/${bills[1] ?? 0}/edit`]) {
    await page.goto(address)
    await page.getByText(/You have no access to/).waitFor()
    expect(await page.getByRole('form', { name: 'Bill form' }).count()).toBe(0)
  }
})

test('copies go straight to the store, two at most, and stand beside the form; a stored bill keeps them [BILL-RULE-006] [BILL-CONST-004]', async () => {
  const account = await makeAccount(db, at, 'FILE-1')
  await makeService(db, at.clientId, account, 'electric', 'M-FILE')
  const page = await ui.open(admin, { at: formAt(account) })
  const input = page.getByLabel('Choose copies of the bill')
  await input.setInputFiles([await pdfNamed('august.pdf', 'August statement'), await pdfNamed('meter.pdf', 'Meter sheet')])
  await page.getByRole('button', { name: 'august.pdf', exact: true }).waitFor()
  await page.getByRole('button', { name: 'meter.pdf', exact: true }).waitFor()
  await page.getByRole('complementary', { name: 'Document' }).waitFor()
  await input.setInputFiles([await pdfNamed('third.pdf', 'One too many')])
  await page.getByText('A bill has at most 2 files', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'third.pdf', exact: true }).count()).toBe(0)
  await field(page, 'Bill Date').fill('3/5/2026')
  await field(page, 'Due Date').fill('3/25/2026')
  await field(page, 'Balance Forward').fill('0')
  await field(page, 'Current Charges').fill('80')
  await field(page, 'Previous Read Date').fill('2/1/2026')
  await field(page, 'Read Date').nth(1).fill('3/1/2026')
  await field(page, 'Usage').fill('400')
  await field(page, 'Utility Charges').fill('80')
  await pictureOf(page, 'bill-form-document')
  await save(page)
  await page.waitForURL(`**/billable_accounts/${account}/bills`)
  const { rows } = await sql<{ id: number; files: string[] }>`select bills.id, array(select files.filename from bill_files link
      join files on files.id = link.file_id where link.bill_id = bills.id order by link.position) as files from bills where billable_account_id = ${account}`.execute(
    db,
  )
  expect(rows[0]?.files.toSorted()).toEqual(['august.pdf', 'meter.pdf'])
  await page.goto(`/clients/${at.clientId}/bills/${rows[0]?.id ?? 0}/edit`)
  await page.getByRole('complementary', { name: 'Document' }).waitFor()
  await page.getByRole('button', { name: 'Remove meter.pdf' }).click()
  await field(page, 'Invoice Number').focus()
  await save(page)
  await page.waitForURL(`**/billable_accounts/${account}/bills`)
  const left = await sql<{
    filename: string
  }>`select files.filename from bill_files link join files on files.id = link.file_id where link.bill_id = ${rows[0]?.id ?? 0}`.execute(db)
  expect(left.rows).toEqual([{ filename: 'august.pdf' }])
})

test('ten lines and names of sixty characters fit; head and first line stand on the first screen; axe finds nothing in either theme', async () => {
  const account = await makeAccount(db, at, 'LONG-1')
  const long = 'Distribution center north east refrigerated warehouse no. 12'
  await sql`update billable_accounts set name = ${long} where id = ${account}`.execute(db)
  for (let meter = 0; meter < 10; meter++) {
    const id = await makeService(db, at.clientId, account, meter % 2 ? 'natural_gas' : 'electric', `METER-WITH-A-LONG-NUMBER-${meter}`)
    await sql`update services set service_name_1 = ${long} where id = ${id}`.execute(db)
  }
  for (const theme of ['dark', 'light'] as const) {
    const page = await ui.open(admin, { at: formAt(account), theme })
    const usage = field(page, 'Usage').first()
    await usage.waitFor()
    const charges = await field(page, 'Utility Charges').first().boundingBox()
    expect((charges?.y ?? 1000) + (charges?.height ?? 0)).toBeLessThan(700)
    expect(await page.getByRole('region', { name: /METER-WITH/ }).count()).toBe(10)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await pictureOf(page, `bill-form-ten-lines-${theme}`)
    for (const summary of (await page.locator('form summary').all()).slice(0, 3))
      await summary.evaluate((one) => one.parentElement?.setAttribute('open', ''))
    expect(await axeFindings(page)).toEqual([])
    await pictureOf(page, `bill-form-opened-${theme}`)
  }
})
