/**
 * A summary bill in the console while it is typed: findings of the audits in all of its bills at once, refusals, and duplicates of stored bills.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { createBills } from '../../src/server/bills/bills.ts'
import { setClock } from '../../src/server/kernel/clock.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeAccount, makeGround, makeService } from '../support/bills.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { pictureOf } from './pictures.ts'

const { app, db, open } = await startConsole()
let staff: Person

beforeAll(async () => {
  // The bills below are relative to this day, whenever the test runs.
  setClock('2026-11-23T15:00:00Z')
  staff = await makePerson(db, 'super_admin')
})

interface Sheet {
  readonly clientId: number
  readonly at: string
  readonly groupId: number
  readonly members: readonly { readonly account_id: number; readonly number: string; readonly service_id: number }[]
}

/** Makes a group whose subaccounts have a history of eleven months: about 1,000 kWh and $100.00 each. */
async function makeSheet(subaccounts: number): Promise<Sheet> {
  const ground = await makeGround(db)
  const { clientId } = ground
  await sql`update clients set utility_payment_management = true where id = ${clientId}`.execute(db)
  const groupId = await makeAccount(db, ground, `GROUP-${clientId}`, { group: true })
  const members: { account_id: number; number: string; service_id: number }[] = []
  for (let place = 1; place <= subaccounts; place += 1) {
    const number = `SUB-${String(place).padStart(2, '0')}`
    const account_id = await makeAccount(db, ground, number, { groupId })
    members.push({ account_id, number, service_id: await makeService(db, clientId, account_id, 'electric', `M-${place}`) })
  }
  const drafts = members.flatMap((member) => Array.from({ length: 11 }, (_, month) => pastDraft(member, month)))
  const outcomes = await acting(app.database, (context) => createBills(context, clientId, drafts))
  expect(outcomes.filter((outcome) => outcome.kind !== 'created')).toEqual([])
  return { clientId, groupId, members, at: `/clients/${clientId}/group_accounts/${groupId}/bills/new` }
}

/** Returns the bill of December 2025, or of this many months after it. */
function pastDraft({ account_id, service_id }: Sheet['members'][number], month: number): BillDraft {
  const day = (months: number, of: string) => `${new Date(Date.UTC(2025, 11 + months, 1)).toISOString().slice(0, 8)}${of}`
  const charges = `${100 + (month % 4)}.00`
  return {
    account_type: 'BillableAccount',
    account_id,
    date: day(month, '12'),
    due_date: day(month + 1, '04'),
    invoice_number: `PAST-${month}`,
    balance_forward: '0.00',
    current_charges: charges,
    amount_due: charges,
    source: 'import',
    service_bills: [
      {
        service_id,
        previous_read_date: day(month - 1, '09'),
        read_date: day(month, '09'),
        usage: String(1_000 + (month % 4) * 10),
        service_bill_entry_fields: [
          { name: 'Utility Charges', value: charges },
          { name: 'Utility Taxes', value: '0.00' },
        ],
      },
    ],
  }
}

const cell = (page: Page, row: number, column: number) => page.locator(`input[data-row="${row}"][data-column="${column}"]`)
const found = (page: Page, code: string) =>
  page.getByRole('status', { name: 'Findings of the summary bill' }).locator(`[data-finding="${code}"]`)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

async function typeHead(page: Page, charges: string, invoice = 'S-11'): Promise<void> {
  await page.getByLabel('Bill Date').fill('11/12/2026')
  await page.getByLabel('Due Date').fill('12/04/2026')
  await page.getByLabel('Invoice Number').fill(invoice)
  await page.getByLabel('Current Charges').fill(charges)
}

/** Pastes a table as a spreadsheet copies it, from the usage of the first row on: usage, charges, taxes. */
async function paste(page: Page, rows: readonly (readonly string[])[]): Promise<void> {
  await cell(page, 0, 2).focus()
  await page.evaluate(
    (text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    },
    rows.map((texts) => texts.join('\t')).join('\n'),
  )
}

async function openCodes(clientId: number, date: string): Promise<string[]> {
  const { rows } = await sql<{ said: string }>`select account_number || ' ' || code as said from bill_findings found
    join bills on bills.client_id = found.client_id and bills.id = found.bill_id
    where bills.client_id = ${clientId} and bills.date = ${date} and found.resolved_at is null order by 1`.execute(db)
  return rows.map((row) => row.said)
}

test(
  'the audits speak of all bills of the sheet while it is typed, after one request for all of them, and say what the save then stores',
  { timeout: 120_000 },
  async () => {
    const sheet = await makeSheet(3)
    const page = await open(staff, { at: sheet.at })
    const asked: string[] = []
    page.on(
      'request',
      (request) => void (request.url().includes('/api/') && asked.push(`${request.method()} ${new URL(request.url()).pathname}`)),
    )
    await cell(page, 0, 0).waitFor()
    await pictureOf(page, 'summary-empty')
    await typeHead(page, '400.00')
    await cell(page, 0, 1).fill('11/09/2026')
    await paste(page, [
      ['1,010', '$101.00', '0'],
      ['9,900', '$102.00', '0'],
    ])
    // Two of three bills, and less than the group's.
    const sum = found(page, 'group_sum')
    await soon(() => sum.innerText()).toMatch(
      /^Group bill\s+Warning\s+Current Charges: The 2 bills .*\$203\.00, this bill \$400\.00: \$197\.00 are missing; 1 active subaccount has no bill yet/s,
    )
    const high = found(page, 'usage_high')
    await soon(() => high.innerText()).toMatch(/^SUB-02\s+Error\s+Usage: 319 kWh\/day against /s)
    // The marks are at the field of the head, and in the cell.
    expect(await page.locator('label', { hasText: 'Current Charges' }).locator('..').innerText()).toContain('△')
    expect(await page.locator('td', { has: cell(page, 1, 2) }).innerText()).toContain('▲')
    expect(await page.locator('td', { has: cell(page, 0, 2) }).innerText()).toBe('')
    await pictureOf(page, 'summary-findings')
    await high.getByRole('button', { name: 'SUB-02' }).click()
    expect(await focused(page)).toBe('SUB-02 M-2 Usage')
    // The third bill turns the missing amount into an error; correct values are silent.
    await cell(page, 2, 2).fill('1,020')
    await cell(page, 2, 3).fill('97')
    await soon(() => sum.innerText()).toMatch(/Holds payment.*3 bills.*\$100\.00 are missing/s)
    await page.getByLabel('Current Charges').fill('300.00')
    await soon(() => sum.count()).toBe(0)
    await cell(page, 1, 2).fill('1,015')
    await soon(() => high.count()).toBe(0)
    await page.getByLabel('Current Charges').fill('310.00')
    await soon(() => sum.count()).toBe(1)
    const shown = await page
      .getByRole('status', { name: 'Findings of the summary bill' })
      .locator('[data-finding]')
      .evaluateAll((items) => items.map((item) => `${item.querySelector('button')?.textContent} ${item.getAttribute('data-finding')}`))
    await lookedAt(page, 'summary-audits')
    expect(asked.filter((call) => call.endsWith('/bill_books'))).toHaveLength(1)
    expect(asked.filter((call) => /bills\/entry$|^POST .*\/bills$/.test(call))).toEqual([])
    await page.keyboard.press('Control+Enter')
    await soon(() => addressOf(page)).toMatch(/\/bills\/\d+$/)
    expect(shown.map((said) => said.replace('Group bill', `GROUP-${sheet.clientId}`)).toSorted()).toEqual(
      await openCodes(sheet.clientId, '2026-11-12'),
    )
  },
)

test(
  'rows that are on record already are saved with a reason each, like a bill in its own form, and only they',
  { timeout: 120_000 },
  async () => {
    const sheet = await makeSheet(3)
    const [first, second, third] = sheet.members
    if (!first || !second || !third) throw new Error('no subaccounts')
    const twin = (member: typeof first): BillDraft => ({ ...pastDraft(member, 11), invoice_number: 'S-11', group_bill_chosen: true })
    const made = await acting(app.database, (context) => createBills(context, sheet.clientId, [twin(second), twin(third)]))
    const [one] = made
    const page = await open(staff, { at: sheet.at })
    await typeHead(page, '309.00')
    await cell(page, 0, 1).fill('11/09/2026')
    await paste(page, [
      ['1,030', '103', '0'],
      ['1,030', '103', '0'],
      ['1,030', '103', '0'],
    ])
    await soon(() => found(page, 'duplicate_exact').count()).toBe(2)
    await page.keyboard.press('Control+Enter')
    const reason = (member: typeof first) => page.getByLabel(`Reason for duplicate of ${member.number}`)
    await reason(second).waitFor()
    expect(await reason(first).count()).toBe(0)
    await soon(() => focused(page).then(() => reason(second).evaluate((field) => field === document.activeElement))).toBe(true)
    if (one?.kind !== 'created') throw new Error('no bill')
    await page
      .getByRole('link', { name: `Open bill ${one.id}` })
      .first()
      .waitFor()
    const anyway = page.getByRole('button', { name: 'Save anyway' })
    await reason(second).fill('Vendor printed it twice')
    expect(await anyway.isDisabled()).toBe(true)
    await reason(third).fill('Corrected by hand')
    await lookedAt(page, 'summary-repeats')
    await pictureOf(page, 'summary-repeats')
    // When the duplicated value changes, the question disappears with it; the other one stays.
    await cell(page, 2, 2).fill('1,031')
    await soon(() => reason(third).count()).toBe(0)
    await cell(page, 2, 2).fill('1,030')
    await anyway.click()
    await reason(third).waitFor()
    expect(await reason(third).inputValue()).toBe('Corrected by hand')
    await anyway.click()
    await soon(() => addressOf(page)).toMatch(/\/bills\/\d+$/)
    const { rows } = await sql<{ account: number; bills: number }>`select billable_account_id as account, count(*)::int as bills from bills
    where client_id = ${sheet.clientId} and date = '2026-11-12' group by 1 order by 1`.execute(db)
    expect(rows).toEqual([
      { account: sheet.groupId, bills: 1 },
      { account: first.account_id, bills: 1 },
      { account: second.account_id, bills: 2 },
      { account: third.account_id, bills: 2 },
    ])
  },
)

test('a refused save says subaccount and field, goes to the first one, and says so in the foot until it is mended', async () => {
  const sheet = await makeSheet(2)
  const page = await open(staff, { at: sheet.at })
  await typeHead(page, '206.00')
  await paste(page, [
    ['1,030', '103', '0'],
    ['', '103', '0'],
  ])
  await page.keyboard.press('Control+Enter')
  const foot = page.getByRole('alert').filter({ hasText: 'Not saved: 3 fields need a look' })
  await foot.waitFor()
  const refused = page.getByRole('status', { name: 'Findings of the summary bill' }).locator('[data-refused]')
  expect(await refused.allInnerTexts()).toEqual([
    expect.stringMatching(/^SUB-01\s+Not saved\s+To: Required$/),
    expect.stringMatching(/^SUB-02\s+Not saved\s+To: Required$/),
    expect.stringMatching(/^SUB-02\s+Not saved\s+Usage: Required$/),
  ])
  await soon(() => focused(page)).toBe('SUB-01 M-1 To')
  expect(await cell(page, 1, 2).getAttribute('aria-invalid')).toBe('true')
  await page.waitForTimeout(2_000)
  expect(await foot.isVisible()).toBe(true)
  await lookedAt(page, 'summary-refused')
  await pictureOf(page, 'summary-refused')
  // The date is filled down to both rows.
  await cell(page, 0, 1).fill('11/09/2026')
  await cell(page, 1, 2).fill('1,030')
  await soon(() => foot.count()).toBe(0)
  await page.keyboard.press('Control+Enter')
  await soon(() => addressOf(page)).toMatch(/\/bills\/\d+$/)
})

test('the form of a group’s bill foresees which stored bills the save links to it, and whether they add up', async () => {
  const sheet = await makeSheet(3)
  const children = sheet.members.slice(0, 2).map((member) => ({ ...pastDraft(member, 11), invoice_number: 'S-11' }))
  await acting(app.database, (context) => createBills(context, sheet.clientId, children))
  const page = await open(staff, {
    at: `/clients/${sheet.clientId}/bills/new?account_type=billable_account&account_id=${sheet.groupId}`,
  })
  const form = page.getByRole('form', { name: 'Bill form' })
  const typed = (label: string, text: string) => form.getByRole('textbox', { name: label, exact: true }).fill(text)
  await typed('Bill Date', '11/12/2026')
  await typed('Due Date', '12/04/2026')
  await typed('Balance Forward', '0')
  await typed('Current Charges', '400')
  const sum = form.locator('[data-finding="group_sum"]')
  await soon(() => sum.innerText()).toMatch(
    /Warning.*The 2 bills .*\$206\.00, this bill \$400\.00: \$194\.00 are missing; 1 active subaccount/s,
  )
  await typed('Current Charges', '206')
  await soon(() => sum.count()).toBe(0)
  // With another date the bill includes none of them.
  await typed('Current Charges', '400')
  await soon(() => sum.count()).toBe(1)
  await typed('Bill Date', '10/20/2026')
  await soon(() => sum.count()).toBe(0)
  await typed('Bill Date', '11/12/2026')
  await soon(() => sum.count()).toBe(1)
  await page.keyboard.press('Control+Enter')
  await soon(() => addressOf(page)).not.toContain('/new')
  expect(await openCodes(sheet.clientId, '2026-11-12')).toEqual([`GROUP-${sheet.clientId} group_sum`])
})

test('twenty subaccounts and names of sixty characters fit: the sheet scrolls by itself, and the page never sideways', async () => {
  const sheet = await makeSheet(20)
  const long = 'Northwest Regional Distribution and Cold Storage Center No. 7'
  await sql`update facilities set name = ${long} where client_id = ${sheet.clientId}`.execute(db)
  await sql`update billable_accounts set name = ${long} where id = ${sheet.groupId}`.execute(db)
  const page = await open(staff, { at: sheet.at })
  await typeHead(page, '2,060.00')
  await cell(page, 0, 1).fill('11/09/2026')
  await paste(
    page,
    sheet.members.map((_, at) => [at % 7 === 3 ? '4,100' : '1,030', at % 9 === 4 ? '310' : '103', '0']),
  )
  await soon(() => found(page, 'usage_high').count()).toBe(3)
  for (const [name, width, height] of [
    ['wide', 1366, 768],
    ['narrow', 390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await pictureOf(page, `summary-twenty-${name}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    // Save and the head of the sheet stay visible while the last row is typed.
    await cell(page, 19, 5).focus()
    await pictureOf(page, `summary-twenty-${name}-end`)
    expect(await page.getByRole('button', { name: 'Save' }).isVisible()).toBe(true)
    const heading = await page.getByRole('columnheader', { name: 'Account charge' }).boundingBox()
    const last = await cell(page, 19, 5).boundingBox()
    const account = await page.getByRole('rowheader').last().boundingBox()
    expect(heading?.y ?? 0).toBeLessThan(last?.y ?? 0)
    expect(heading?.y ?? -1).toBeGreaterThan(0)
    expect((account?.x ?? 0) + (account?.width ?? 0)).toBeLessThanOrEqual((last?.x ?? 0) + 1)
    await lookedAt(page, `summary-twenty-${name}`)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await found(page, 'usage_high').first().scrollIntoViewIfNeeded()
  await pictureOf(page, 'summary-twenty-narrow-findings')
})
