/** The alert lists and the exceptions: their content, links and messages. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { alerts } from '#contract/alerts/alert-names.ts'
import { allExceptionCalls } from '#contract/exceptions/exception-calls.ts'
import { addDays } from '#contract/kernel/date.ts'
import { today } from '../../src/server/kernel/clock.ts'
import { makePerson, type Person } from '../support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const { app, db, open } = await startConsole()
let staff: Person
let client: number
let vendor: number
let facility: number
const at = (path: string) => `/clients/${client}/${path}`
const day = (days: number) => addDays(today(), days)

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  client = await makeClient(db, { name: 'Harbor Foods' })
  vendor = await makeVendor(db, { name: 'City Power' })
  facility = await makeFacility(db, client, await makeDivision(db, client), { name: 'Store 1' })
  for (const days of [29, 31]) {
    const own = await addAccount(`B-${days}`)
    await addBill(own, { date: day(-days), paid: true, file: true })
    const supply = await makeSupplyAccount(db, client, facility, { account_number: `S-${days}`, name: `Supply ${days}` })
    await sql`update supply_accounts set vendor_id = ${vendor}, last_bill_date = ${day(-days)} where id = ${supply}`.execute(db)
    await addBill(supply, { date: day(-days), paid: true, file: true, kind: 'supply_account_id' })
    await addBill(own, { date: day(-days), due: day(-days + 1), amount: '125.00', file: true })
  }
  for (const reads of [2, 3]) {
    const account = await addAccount(`E-${reads}`)
    const service = await makeService(db, client, { billable_account_id: account })
    for (let read = 0; read < 3; read += 1) {
      const bill = await addBill(account, { date: day(-5 - read * 30), paid: true, file: true })
      await sql`insert into service_bills (client_id, bill_id, service_id, read_date, estimated) values (${client}, ${bill}, ${service}, ${day(-6 - read * 30)}, ${read < reads})`.execute(
        db,
      )
    }
  }
  const never = await addAccount('N-1')
  await sql`update billable_accounts set created_at = now() - interval '60 days' where id = ${never}`.execute(db)
})

async function addAccount(account_number: string): Promise<number> {
  return makeBillableAccount(db, client, facility, vendor, { account_number, name: `Account ${account_number}` })
}

interface BillParts {
  readonly date: string
  readonly due?: string
  readonly paid?: boolean
  readonly amount?: string
  readonly file?: boolean
  readonly kind?: 'billable_account_id' | 'supply_account_id'
}

async function addBill(account: number, { date, due, paid, amount, file, kind = 'billable_account_id' }: BillParts): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into bills (client_id, ${sql.ref(kind)}, account_number, vendor_id, facility_id, date, due_date, amount_due, paid)
    values (${client}, ${account}, (select account_number from ${sql.table(kind.replace('_id', 's'))} where id = ${account}), ${vendor}, ${facility}, ${date}, ${due ?? addDays(date, 1)}, ${amount ?? '10.00'}, ${paid ?? false}) returning id`.execute(
    db,
  )
  const id = rows[0]?.id ?? 0
  if (kind === 'billable_account_id')
    await sql`update billable_accounts set last_bill_date = greatest(last_bill_date, ${date}::date) where id = ${account}`.execute(db)
  if (file) {
    const stored = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, state)
      values (${`bills/${id}/copy`}, 'copy.pdf', 'application/pdf', 20, 'attached') returning id`.execute(db)
    await app.app.machinery.files.put(`bills/${id}/copy`, Buffer.from('%PDF copy'), 'application/pdf')
    await sql`insert into bill_files (client_id, bill_id, position, file_id, filename) values (${client}, ${id}, 1, ${stored.rows[0]?.id}, 'copy.pdf')`.execute(
      db,
    )
  }
  return id
}

const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const headersOf = async (page: Page) => (await page.getByRole('columnheader').allInnerTexts()).map((one) => one.trim().split('\n')[0])
const tabOf = (page: Page, name: string) => page.getByRole('navigation', { name: 'Alerts' }).getByRole('link', { name })

test('each list has its title, its tab with its count, its rows and links to account, bill and last file [ALERT-ROUTE-001] [ALERT-ROUTE-002] [ALERT-ROUTE-003] [ALERT-ROUTE-004] [ALERT-RULE-001] [ALERT-RULE-002] [ALERT-RULE-003] [ALERT-RULE-004] [ALERT-CONST-001] [ALERT-SCREEN-001] [ALERT-FIELD-001] [ALERT-FIELD-002] [ALERT-FIELD-003]', async () => {
  const page = await open(staff, { at: at('alerts/billable_accounts_missing_bills') })
  const accountColumns = ['Account', 'Account Name', 'Facility', 'Vendor', 'Services', 'Last Bill Date', 'Last Bill File']
  const wanted = [
    { rows: ['B-31', 'N-1'], columns: accountColumns, account: 'billable_accounts', file: true },
    {
      rows: ['S-31'],
      columns: [
        'Account',
        'Account Name',
        'Address',
        'Facility',
        'Vendor',
        'Services',
        'Last Bill Date',
        'Last Due Date',
        'Last Bill File',
      ],
      account: 'supply_accounts',
      file: true,
    },
    { rows: ['E-3'], columns: accountColumns, account: 'billable_accounts', file: true },
    {
      rows: ['B-31'],
      columns: ['Flags', 'Vendor', 'Account', 'Client Batch', 'Bill Date', 'Due Date', 'Created', 'Status', 'File'],
      account: 'billable_accounts',
      file: true,
    },
  ]
  for (const [place, { key, label }] of alerts.entries()) {
    const expected = wanted[place]
    await tabOf(page, label).click()
    await page.waitForURL(`**${at(`alerts/${key}`)}`)
    await soon(() => page.title()).toContain(label)
    await page.getByRole('heading', { name: label, exact: true }).waitFor()
    await soon(() => rows(page).count()).toBe(expected?.rows.length)
    const texts = await rows(page).allInnerTexts()
    for (const number of expected?.rows ?? []) expect(texts.join('\n'), key).toContain(number)
    expect(await headersOf(page), key).toEqual(expect.arrayContaining(expected?.columns ?? []))
    expect(await tabOf(page, label).innerText()).toContain(String(expected?.rows.length))
    const hrefs = await rows(page)
      .first()
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    expect(
      hrefs.some((href) => new RegExp(`^/clients/${client}/${expected?.account}/\\d+/dashboard$`).test(href)),
      hrefs.join(),
    ).toBe(true)
    expect(
      hrefs.some((href) => /\/bills(\/\d+)?$/.test(href)),
      hrefs.join(),
    ).toBe(true)
    expect(
      hrefs.some((href) => /^\/api\/v5\/clients\/\d+\/bills\/\d+\/files\/1$/.test(href)),
      hrefs.join(),
    ).toBe(true)
    await lookedAt(page, `alert-${key}`)
  }
})

test('each list has its export, which says that it started [ALERT-EXPORT-001] [ALERT-MSG-002] [ALERT-SCREEN-001]', async () => {
  const page = await open(staff, { at: at('alerts/past_due_bills'), theme: 'light' })
  for (const { key, label } of alerts) {
    await page.goto(at(`alerts/${key}`))
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await soon(async () => (await noticesSaid(page)).map(({ title }) => title)).toContain(`${label} export started`)
  }
})

test('a list that cannot be loaded says so in its place and logs it, and no notice comes up [ALERT-MSG-001]', async () => {
  const page = await open(staff, { mayComplain: true })
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.route('**/api/v5/clients/*/alerts/past_due_bills?*', (route) => route.fulfill({ status: 500, body: 'none' }))
  await page.goto(at('alerts/past_due_bills'))
  await page.getByText('could not be loaded').first().waitFor()
  await soon(() => logged.filter((text) => text.includes('could not load past_due_bills.list')).length).toBeGreaterThan(0)
  // Long enough for a notice of 0.8 s to have appeared.
  await page.waitForTimeout(1_500)
  expect(await noticesSaid(page)).toEqual([])
})

test('the home of exceptions ranks what waits, tells why and what it costs, and leads to where it is mended', async () => {
  const page = await open(staff, { at: at('alerts') })
  await page.waitForURL(`**${at('alerts/exceptions')}`)
  await rows(page).first().waitFor()
  const kinds = page.getByRole('navigation', { name: 'Kinds of exceptions' })
  await soon(() => kinds.getByRole('link', { name: /^Past due/ }).innerText()).toMatch(/2\s+\$\d+\.\d\d at stake/)
  expect(await rows(page).first().innerText()).toMatch(
    /Past due[\s\S]*Due \d\d\/\d\d\/\d{4}, (28|30) days ago[\s\S]*125\.00[\s\S]*Review payment/,
  )
  await lookedAt(page, 'exceptions')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await soon(async () => (await noticesSaid(page)).map(({ title }) => title)).toContain('Exceptions export started')
  await page.getByText('How late cost is calculated').click()
  await page.getByText(/Amount × late fee × number of fees/).waitFor()
  await kinds.getByRole('link', { name: /^First bill never received/ }).click()
  await page.waitForURL('**kind=never_received')
  await soon(() => rows(page).count()).toBe(1)
  const todo = rows(page).first().getByRole('link', { name: 'Enter bill' })
  expect(await todo.getAttribute('href')).toMatch(new RegExp(`^${at('bills/new')}\\?account_type=billable_account&account_id=\\d+$`))
  await page.goto('/alerts')
  await rows(page).first().waitFor()
  expect(await headersOf(page)).toContain('Client')
  await lookedAt(page, 'exceptions-all')
  const home = await open(staff, { at: '/' })
  // Home begins with what costs most to leave, and with the step to take; the sentence of those without a client stays on top.
  await home.getByRole('heading', { level: 1, name: 'Please select a client from the dropdown' }).waitFor()
  const first = home.getByRole('region', { name: 'What cannot wait' })
  const lines = first.getByRole('table').getByRole('row')
  await soon(async () => (await lines.count()) > 1).toBe(true)
  const { exceptions } = allExceptionCalls.list.schemas.reply.parse(
    await (await home.request.get('/api/v5/exceptions?per=10', { headers: staff.headers })).json(),
  )
  expect(await first.getByRole('rowheader').locator('a').allInnerTexts()).toEqual(exceptions.slice(0, 5).map((row) => row.account_number))
  const step = await lines.nth(1).getByRole('link').last().getAttribute('href')
  expect(await first.getByRole('link', { name: /^Next: / }).getAttribute('href')).toBe(step)
  await home.getByRole('link', { name: 'Exceptions of all clients' }).click()
  await home.waitForURL('**/alerts')
  expect(addressOf(home)).toBe('/alerts')
})

test('without exceptions the home says that nothing waits', async () => {
  const quiet = await makeClient(db, { name: 'Quiet Client' })
  const page = await open(staff, { at: `/clients/${quiet}/alerts/exceptions`, theme: 'light' })
  await page.getByText('Nothing waits').waitFor()
  await lookedAt(page, 'exceptions-none')
})
