/** The life of a finding by keyboard and mouse, the list of findings, bulk changes of bills, and the thresholds, in a browser. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../support/bills.ts'
import { soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { pictureOf } from './pictures.ts'

const { app, db, open } = await startConsole()
let at: Ground
let manager: Person
let other: Person
let reader: Person
let staff: Person
let made: number[]

beforeAll(async () => {
  at = await makeGround(db)
  await sql`update clients set name = 'Harvest Lane', utility_payment_management = true, user_management = true where id = ${at.clientId}`.execute(
    db,
  )
  manager = await makePerson(db, 'client_manager', { clients: [at.clientId] })
  other = await makePerson(db, 'client_admin', { clients: [at.clientId] })
  reader = await makePerson(db, 'read_only_user', { clients: [at.clientId] })
  staff = await makePerson(db, 'super_admin')
  await sql`update users set first_name = 'Alexandra', last_name = 'Montgomery-Featherstonehaugh' where id = ${other.id}`.execute(db)
  const outcomes = await acting(app.database, (context) =>
    createBills(context, at.clientId, [
      ...[1, 2, 3, 4, 5, 6].map((month) => monthlyDraft(at, month)),
      monthlyDraft(at, 7, {
        balance_forward: '5.00',
        amount_due: '999.00',
        service_bills: [
          {
            service_id: at.electricId,
            previous_read_date: '2025-07-01',
            read_date: '2025-08-01',
            previous_reading: '15400.00',
            meter_reading: '17600.00',
            service_bill_entry_fields: [{ name: 'Utility Charges', value: '157.00' }],
          },
        ],
      }),
      monthlyDraft(at, 8),
    ]),
  )
  made = outcomes.map((outcome) => (outcome.kind === 'created' ? outcome.id : 0))
}, 60_000)

const flagged = () => made[6] ?? 0
const billPage = () => `/clients/${at.clientId}/bills/${flagged()}`
const section = (page: Page) => page.getByRole('region', { name: 'Findings' })
const items = (page: Page) => section(page).locator('ul').first().locator('> li')
const state = async (code: string) =>
  (
    await sql<{
      reason: string | null
      assigned_to: number | null
    }>`select reason, assigned_to from bill_findings where bill_id = ${flagged()} and code = ${code}`.execute(db)
  ).rows[0]
const openCodes = async () =>
  (
    await sql<{ code: string }>`select code from bill_findings where bill_id = ${flagged()} and resolved_at is null order by id`.execute(db)
  ).rows.map(({ code }) => code)

describe('a finding on the page of its bill', () => {
  test('shows its arithmetic and its past, and is settled, assigned and talked about by keyboard alone', async () => {
    const page = await open(manager, { at: billPage() })
    await items(page).first().waitFor()
    const count = await items(page).count()
    const first = items(page).first()
    await first.getByText('Holds payment').waitFor()
    await first.getByText(/Expected .* Actual/).waitFor()
    await first.getByRole('img', { name: /^Amount due: / }).waitFor()
    await pictureOf(page, 'finding')
    await lookedAt(page, 'finding')
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Comment' }).fill('Asked the vendor')
    await page.keyboard.press('Enter')
    await first.getByText('Asked the vendor').waitFor()
    await page.keyboard.press('a')
    await page.getByRole('combobox', { name: 'Give it to' }).fill('Alexandra')
    await page.getByRole('option', { name: /Montgomery/ }).waitFor()
    await pictureOf(page, 'finding-assign')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await first.getByText('Assigned to Alexandra Montgomery-Featherstonehaugh').waitFor()
    expect(await state('header_math')).toEqual({ reason: null, assigned_to: other.id })
    await page.keyboard.press('r')
    await page.getByRole('group', { name: 'Why it is settled' }).waitFor()
    await pictureOf(page, 'finding-resolve')
    await page.keyboard.press('1')
    await soon(() => items(page).count()).toBe(count - 1)
    expect((await state('header_math'))?.reason).toBe('vendor_confirmed')
    // The keyboard continues with the next one.
    await page.keyboard.press('r')
    await page.keyboard.press('5')
    await soon(() => items(page).count()).toBe(count - 2)
  })

  test('that was settled stays folded with who, when and why, and can be opened again', async () => {
    const page = await open(manager, { at: billPage() })
    await section(page)
      .getByText(/settled findings?$/)
      .click()
    const settled = section(page).locator('details li').filter({ hasText: 'Vendor confirmed' }).first()
    await settled.getByText(/^Settled .* by|^Settled /).waitFor()
    await settled.getByRole('button', { name: 'Open again' }).click()
    await settled.getByRole('textbox', { name: 'Why it is opened again' }).fill('They were wrong')
    await page.keyboard.press('Enter')
    await items(page).filter({ hasText: 'The amount due' }).waitFor()
    expect(await openCodes()).toContain('header_math')
  })

  test('that was settled or assigned is as before by Undo, from the bell too once the notice has left', async () => {
    const page = await open(manager, { at: billPage() })
    await items(page).first().waitFor()
    const before = await openCodes()
    const assigned = async () =>
      (
        await sql<{
          id: number | null
        }>`select assigned_to as id from bill_findings where bill_id = ${flagged()} and resolved_at is null order by id`.execute(db)
      ).rows.map(({ id }) => id)
    const owners = await assigned()
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Assign to me' }).click()
    await soon(assigned).toContain(manager.id)
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).click()
    await soon(assigned).toEqual(owners)
    await page.keyboard.press('r')
    await page.getByRole('group', { name: 'Why it is settled' }).waitFor()
    await page.keyboard.press('1')
    await soon(async () => (await openCodes()).length).toBe(before.length - 1)
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await lookedAt(page, 'bell-undo')
    const offers = page.getByRole('button', { name: 'Undo: Finding resolved' })
    await offers.click()
    await soon(openCodes).toEqual(before)
    await soon(() => offers.count()).toBe(0)
  })

  test('is not taken back over what somebody else did meanwhile: the notice says who did what', async () => {
    const page = await open(manager, { at: billPage() })
    await items(page).first().waitFor()
    await page.keyboard.press('a')
    // The undo reads the last change of the finding, and compares it later.
    const remembered = page.waitForResponse((response) => /\/bill_findings\/\d+$/.test(new URL(response.url()).pathname))
    await page.getByRole('button', { name: 'Assign to me' }).click()
    const undo = page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' })
    await undo.hover()
    const find = sql<{ id: number }>`select id from bill_findings where bill_id = ${flagged()} and assigned_to = ${manager.id}`
    const [mine] = (await find.execute(db)).rows
    await remembered
    const given = await app.ask(other, 'POST', `/clients/${at.clientId}/bill_findings/${mine?.id}/assign`, { assigned_to: other.id })
    expect(given.status).toBe(200)
    await undo.click()
    await page.getByRole('alert').filter({ hasText: 'Alexandra Montgomery-Featherstonehaugh assigned the finding meanwhile' }).waitFor()
    expect((await find.execute(db)).rows).toEqual([])
  })

  test('is looked at, and not changed, by who only reads', async () => {
    const page = await open(reader, { at: billPage() })
    await items(page).first().waitFor()
    expect(
      await section(page)
        .getByRole('button', { name: /Resolve|Assign|Comment/ })
        .count(),
    ).toBe(0)
    await page.keyboard.press('r')
    expect(await page.getByRole('group', { name: 'Why it is settled' }).count()).toBe(0)
  })
})

describe('the list of findings', () => {
  test('narrows to open and unassigned ones, leads to the bill, and settles the chosen together', async () => {
    const page = await open(manager, { at: `/clients/${at.clientId}/bills` })
    await page.getByRole('navigation', { name: 'Bills' }).getByRole('link', { name: 'Findings' }).click()
    const rows = page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
    await rows.first().waitFor()
    await pictureOf(page, 'findings-list')
    await page.getByRole('navigation', { name: 'Which findings' }).getByRole('link', { name: 'Unassigned' }).click()
    await soon(() => page.url()).toContain('assigned_to_null=true')
    await rows.first().waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    const all = page.getByRole('button', { name: /^Select all \d+ matching$/ })
    if (await all.isVisible()) await all.click()
    await pictureOf(page, 'findings-chosen')
    await page
      .getByRole('region', { name: 'Selected rows' })
      .getByRole('button', { name: /Resolve/ })
      .click()
    const before = await openCodes()
    await page.getByRole('menuitem', { name: 'Seasonal' }).click()
    await soon(async () => (await openCodes()).filter((code) => code !== 'header_math')).toEqual([])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await soon(openCodes).toEqual(before)
    // The list opens with open findings, those that hold payment first.
    await page.goto('/bills/findings')
    await page.getByRole('columnheader', { name: 'Client' }).waitFor()
    await soon(() => page.url()).toContain('state=open')
    const severity = page.getByRole('columnheader', { name: /^Severity/ })
    expect(await severity.getAttribute('aria-sort')).toBe('descending')
    await page.getByRole('navigation', { name: 'Which findings' }).getByRole('link', { name: 'All' }).click()
    await soon(() => page.url()).not.toContain('state=')
    expect(await page.getByRole('link', { name: 'All', exact: true }).getAttribute('aria-current')).toBe('page')
  })
})

describe('many bills at once', () => {
  test('are added up while they are chosen, parked with a preview that says which are locked, and put back by undo', async () => {
    await sql`update bills set paid = true where id = ${made[0] ?? 0}`.execute(db)
    const page = await open(manager, { at: `/clients/${at.clientId}/bills` })
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByText(/Owed \$[\d,]+\.\d\d/).waitFor()
    const { rows } = await sql<{
      sum: string
    }>`select to_char(sum(amount_due), 'FM999,990.00') as sum from bills where client_id = ${at.clientId}`.execute(db)
    expect(await bar.getByRole('status').textContent()).toBe(`Owed $${rows[0]?.sum}`)
    await bar.getByRole('button', { name: 'Change 8 bills' }).click()
    const panel = page.getByRole('dialog', { name: 'Change Bills' })
    await panel.getByRole('combobox', { name: 'Parked' }).selectOption({ label: 'Yes' })
    await panel.getByText('1 refused', { exact: true }).waitFor()
    await panel.getByText('It is paid, and its fields are locked').waitFor()
    await pictureOf(page, 'bills-bulk')
    await panel.getByRole('button', { name: 'Change 7 bills' }).click()
    const parked = async () =>
      (await sql<{ count: number }>`select count(*)::int as count from bills where client_id = ${at.clientId} and parked`.execute(db))
        .rows[0]?.count
    await soon(parked).toBe(7)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await soon(parked).toBe(0)
  })
})

describe('the thresholds', () => {
  test('of the installation and of a client say what they would change before they are saved, and how often each rule was right', async () => {
    const page = await open(staff, { at: `/clients/${at.clientId}/audits` })
    const box = page.getByRole('textbox', { name: 'High usage: warning from' })
    await box.waitFor()
    expect(await box.getAttribute('placeholder')).toBe('30')
    await box.fill('900')
    await page.getByRole('button', { name: 'See what would change' }).click()
    await page.getByText(/findings would come|No finding would come/).waitFor()
    await pictureOf(page, 'client-audits')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await soon(async () => (await sql`select audit_settings from clients where id = ${at.clientId}`.execute(db)).rows).toEqual([
      { audit_settings: { usage_high_warning_percent: 900 } },
    ])
    await page.getByText('bills audited again').first().waitFor()
    await page.goto('/settings/audits')
    const table = page.getByRole('region', { name: 'Precision of the audits' })
    await table.getByRole('rowheader', { name: 'Amount due does not add up' }).waitFor()
    await table.getByRole('button', { name: 'Right' }).click()
    expect(await table.getByRole('columnheader', { name: /Right/ }).getAttribute('aria-sort')).toBe('descending')
    await table.scrollIntoViewIfNeeded()
    await pictureOf(page, 'audit-precision')
  })
})
