/** A summary bill in the console: its grid by keyboard only and by a spreadsheet's cells, the draft after a reload, and what is stored. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeService, makeVendor } from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { db, open } = await startConsole()
let staff: Person
let client: number
let group: number

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  client = await makeClient(db, { name: 'Harbor Foods' })
  const facility = await makeFacility(db, client, await makeDivision(db, client), { name: 'Plant One' })
  const vendor = await makeVendor(db, { name: 'City Power' })
  group = await makeBillableAccount(db, client, facility, vendor, { account_number: 'GROUP-1', is_group_account: true })
  for (let place = 1; place <= 12; place += 1) {
    const number = `SUB-${String(place).padStart(2, '0')}`
    const account = await makeBillableAccount(db, client, facility, vendor, { account_number: number, name: number })
    await sql`update billable_accounts set group_account_id = ${group} where id = ${account}`.execute(db)
    if (place === 12) continue
    const service = await makeService(
      db,
      client,
      { billable_account_id: account },
      { meter_number: `M-${place}`, utility_service: 'electric' },
    )
    await sql`insert into service_entry_fields (client_id, service_id, entry_field_id)
      select ${client}, ${service}, id from entry_fields where name in ('Utility Charges', 'Utility Taxes') on conflict do nothing`.execute(
      db,
    )
  }
})

test(
  'twelve subaccounts by keyboard and a spreadsheet’s cells: dates once, sums live, back after a reload, stored and linked by Ctrl+Enter',
  { timeout: 120_000 },
  async () => {
    const page = await open(staff, { at: `/clients/${client}/group_accounts/${group}/bills/new` })
    const cell = (row: number, column: number) => page.locator(`input[data-row="${row}"][data-column="${column}"]`)
    const sums = page.getByRole('status').filter({ hasText: /subaccounts?: \$/ })
    await page.getByLabel('Bill Date').fill('11/12/2026')
    await page.getByLabel('Due Date').fill('12/04/2026')
    await page.getByLabel('Current Charges').fill('1,200.00')
    await cell(0, 0).focus()
    await page.keyboard.type('10/10/2026')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('11/09/2026')
    await page.keyboard.press('Tab')
    expect(await cell(10, 0).inputValue()).toBe('10/10/2026')
    expect(await cell(10, 1).inputValue()).toBe('11/09/2026')
    await page.keyboard.type('1,000')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe('1')
    await cell(0, 2).focus()
    // As a spreadsheet copies it: quoted, with separators, a sign and parentheses; the eleventh row's taxes are empty.
    const rows = Array.from(
      { length: 11 },
      (_, at) => `"${(1_000 + at * 100).toLocaleString('en-US')}"\t$100.00\t${at === 10 ? '' : '(0.00)'}`,
    )
    await page.evaluate((text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, rows.join('\n'))
    expect(await cell(3, 2).inputValue()).toBe('1,300')
    expect(await cell(10, 3).inputValue()).toBe('100.00')
    await soon(() => sums.textContent()).toContain('11 subaccounts: $1,100.00')
    await soon(() => sums.textContent()).toContain('$100.00 are missing')
    await cell(10, 5).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('100')
    await soon(() => sums.textContent()).toContain('Adds up to the current charges')
    await lookedAt(page, 'summary-bill')
    await page.waitForTimeout(600)
    await page.reload()
    await soon(() => cell(11, 5).inputValue()).toContain('100')
    await cell(11, 5).focus()
    await page.keyboard.press('Control+Enter')
    await soon(() => addressOf(page)).toMatch(/\/bills\/\d+$/)
    const { rows: stored } = await sql<{
      of_group: number
      linked: number
      cents: number
    }>`select count(*) filter (where billable_account_id = ${group})::int as of_group,
      count(*) filter (where group_bill_id is not null)::int as linked, (sum(current_charges) filter (where group_bill_id is not null) * 100)::int as cents
    from bills where client_id = ${client}`.execute(db)
    expect(stored).toEqual([{ of_group: 1, linked: 12, cents: 120_000 }])
  },
)
