/** The basis of a dashboard in a browser: its control, its words, its address, its files, and the bills behind its figures. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { copyAccountsToBills } from '../../src/server/estate/estate.ts'
import { rebuildFacts } from '../../src/server/month-facts/refresh-facts.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeGround, type Ground } from '../support/bills.ts'
import { addBill } from '../support/fact-bills.ts'
import { addressOf, apiRequests, startConsole } from './console.ts'
import { axeFindings, wcag } from './looked-at.ts'

const { db, open } = await startConsole()
let admin: Person
let ground: Ground

/** Electricity of each month of 2023 and 2024, dated the first of the next month: 50.00 in 2023 and 100.00 in 2024. The last is booked in December. */
beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  ground = await makeGround(db)
  const { clientId, accountId, electricId } = ground
  await sql`update services set active = false where client_id = ${clientId} and id = ${ground.gasId}`.execute(db)
  const day = (month: number) => new Date(Date.UTC(2023, month, 1)).toISOString().slice(0, 10)
  for (let month = 0; month < 24; month += 1) {
    const days = { from: day(month), to: day(month + 1) }
    const utility = month < 12 ? '50.00' : '100.00'
    await addBill(db, clientId, {
      account: { billable_account_id: accountId },
      date: days.to,
      current_charges: utility,
      ...(month === 23 ? { fiscal_month: '2024-12' } : {}),
      lines: [{ ...days, service_id: electricId, utility, usage: '100' }],
    })
  }
  await rebuildFacts(db, clientId)
  await copyAccountsToBills(db, 'billable_account', clientId, sql`select id from billable_accounts where client_id = ${clientId}`)
})

const at2024 = 'as_of=2025-01-01'
const home = () => `/clients/${ground.clientId}/dashboard`
const cost = (page: Page) => page.locator('[data-metric="total_utility_cost"]')

async function fileOf(page: Page, within: Locator, button: string): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download')
  await within.getByRole('button', { name: button }).click()
  const saved = await download
  return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') }
}

test('the basis is chosen by keyboard beside range and comparison, asked for, said on the page and kept in the address', async () => {
  const page = await open(admin, { at: `${home()}?${at2024}` })
  const periods = page.getByRole('group', { name: 'Periods and coverage' })
  const basis = page.getByLabel('Basis', { exact: true })
  await expect.poll(() => cost(page).innerText()).toContain('$1.20K')
  expect(await basis.locator('option').allInnerTexts()).toEqual(['Calendarized', 'Billed by bill date', 'Billed by fiscal month'])
  expect(addressOf(page)).not.toContain('basis')
  // The graphs load after the figures.
  await page.getByText('Coverage of each month').waitFor()

  const asked = apiRequests(page)
  await page.getByLabel('Comparison').focus()
  await page.keyboard.press('Tab')
  expect(await basis.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowDown')
  // The bill of December 2023 is dated in January, that of December 2024 is not: 50.00 and eleven times 100.00.
  await expect.poll(() => cost(page).innerText()).toContain('$1.15K')
  expect(addressOf(page)).toContain('basis=billed')
  for (const call of ['/dashboard?', '/dashboard/children?'])
    expect(asked.filter((request) => request.includes(call)).at(-1)).toContain('basis=billed')
  await expect.poll(() => periods.innerText()).toContain('Billed by bill date: each bill counts whole in the month of its date.')
  expect(await periods.innerText()).toContain('the meters and months that both periods bill')
  // A bill that counts whole leaves no part of its month open.
  expect(await page.getByText('Coverage of each month').count()).toBe(0)
  expect(await page.getByText('Hatched: bills cover').count()).toBe(0)
  await periods.getByRole('button', { name: 'What a month holds' }).click()
  await page.getByText('that is dated 10/20 counts in October').waitFor()
  await page.keyboard.press('Escape')
  await page.emulateMedia({ media: 'print' })
  expect(await periods.getByText('Billed by bill date').isVisible()).toBe(true)
  await page.emulateMedia({ media: 'screen' })

  await basis.selectOption({ label: 'Billed by fiscal month' })
  await expect.poll(() => cost(page).innerText()).toContain('$1.25K')
  await expect.poll(() => periods.innerText()).toContain('or else in the month of its date')
  await page.reload()
  await expect.poll(() => basis.inputValue()).toBe('fiscal')
  await page.getByLabel('Date range').selectOption({ label: 'Last 3 Months' })
  await expect.poll(() => addressOf(page)).toContain('date_range_type=last_3_months')
  expect(addressOf(page)).toContain('basis=fiscal')
  await basis.selectOption({ label: 'Calendarized' })
  await expect.poll(() => addressOf(page)).not.toContain('basis')
})

test('tiles, graph, table, summary and rows take the basis along, and each file says it', async () => {
  const page = await open(admin, { at: `${home()}?${at2024}&basis=billed` })
  const tiles = page.getByRole('region', { name: 'At a glance' })
  await tiles.getByRole('link', { name: '$1.15K: its bills' }).waitFor()
  expect(
    await page
      .getByRole('region', { name: 'Summary by service' })
      .getByRole('row', { name: /^Electric/ })
      .innerText(),
  ).toContain('$1.15K')
  const ranked = page.getByRole('region', { name: 'Ranked' })
  await ranked
    .getByRole('row', { name: /^Store 1/ })
    .getByRole('link', { name: '$1.15K: its bills' })
    .waitFor()
  const table = await fileOf(page, ranked, 'Export CSV')
  expect(table.name).toMatch(/-facilities-billed\.csv$/)
  const [head = '', row = ''] = table.text.split('\r\n')
  expect([head.endsWith(',Basis'), row.endsWith(',Billed by bill date'), row.includes(',1150.00,550.00,')]).toEqual([true, true, true])

  const chart = page.getByRole('figure', { name: 'Cost by month' })
  await chart.locator('svg').first().waitFor()
  const values = await fileOf(page, chart, 'Save CSV')
  expect(values.name).toMatch(/-cost-2024-01-2024-12-billed\.csv$/)
  const lines = values.text.replace('\uFEFF', '').split('\r\n')
  expect(lines[0]).toBe('Month,Previous Month,Electric Cost ($),Electric Cost ($) Previous,Basis')
  expect(lines[1]).toBe('2024-01,2023-01,50.00,,Billed by bill date')
  const picture = await fileOf(page, chart, 'Save picture')
  expect(picture.text).toContain('>01/2024 – 12/2024, compared with 01/2023 – 12/2023. Billed by bill date. ($)<')
  await chart.getByRole('button', { name: 'Show table' }).click()
  expect(await chart.getByRole('rowheader').first().innerText()).toMatch(/^01\/2024\s*compared with 01\/2023$/)
  // A row leads to its own dashboard on the same basis.
  await ranked
    .getByRole('rowheader', { name: /^Store 1/ })
    .getByRole('link')
    .click()
  await page.getByRole('heading', { level: 1, name: /^Facility Dashboard/ }).waitFor()
  expect(addressOf(page)).toContain('basis=billed')
  expect(await page.getByLabel('Basis', { exact: true }).inputValue()).toBe('billed')
})

test('a month opens the bills that count in it on the basis, and Escape leads back to it', async () => {
  const at = `${home()}?basis=billed&${at2024}`
  const page = await open(admin, { at })
  const rows = page.getByRole('grid', { name: 'Bills' }).getByRole('row', { name: /of \d\d\// })
  await page.getByRole('link', { name: 'Bills of 02/2024' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Bills dated in February 2024; the dashboard counts each of them whole.').waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  expect(addressOf(page)).toContain('counted_basis=billed')
  expect(await page.getByRole('button', { name: /^Remove Counted/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => addressOf(page)).toBe(at)
  // The bill that is dated in January 2025 is booked in December, beside the one that is dated then.
  await page.goto(`${home()}?basis=fiscal&${at2024}`)
  await page.getByRole('link', { name: 'Bills of 12/2024' }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByText('Bills booked in December 2024, by fiscal month or else by date; the dashboard counts whole what is booked then.')
    .waitFor()
  await expect.poll(() => rows.count()).toBe(2)
})

test('an unknown basis in the address is the usual one, and the page has no fault that axe finds on the others, in dark and in light', async () => {
  const page = await open(admin, { at: `${home()}?${at2024}&basis=accrual` })
  await expect.poll(() => cost(page).innerText()).toContain('$1.20K')
  for (const theme of ['dark', 'light'] as const) {
    const own = await open(admin, { at: `${home()}?${at2024}&basis=fiscal`, theme })
    await own.locator('figure svg').first().waitFor()
    expect(await axeFindings(own, { tags: wcag })).toEqual([])
  }
})
