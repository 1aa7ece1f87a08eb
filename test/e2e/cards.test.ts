/** Lists on a phone: rows are cards that a thumb opens, ticks and unfolds, a keyboard walks through, and a screen reader reads as a table. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../support/bills.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { pictureOf } from './pictures.ts'

const { app, db, open } = await startConsole()
const phone = { width: 390, height: 844 }
const MONTHS = 12
let at: Ground
let admin: Person

beforeAll(async () => {
  at = await makeGround(db)
  await sql`update clients set utility_payment_management = true, user_management = true where id = ${at.clientId}`.execute(db)
  admin = await makePerson(db, 'super_admin')
  await acting(app.database, (context) =>
    createBills(
      context,
      at.clientId,
      Array.from({ length: MONTHS }, (_, month) => monthlyDraft(at, month + 1)),
    ),
  )
}, 60_000)

async function openList(path: string): Promise<Page> {
  const page = await open(admin)
  await page.setViewportSize(phone)
  await page.goto(path)
  await cards(page).first().waitFor()
  return page
}

const bills = () => `/clients/${at.clientId}/bills`
const cards = (page: Page) => page.getByRole('main').getByRole('grid').locator('[data-part=card]')
const rest = (page: Page) => cards(page).first().locator('[data-card=rest]').filter({ visible: true })

test('a press on a card opens its record, and one on its box, its menu or More does not', async () => {
  const page = await openList(bills())
  await lookedAt(page, 'cards')
  await pictureOf(page, 'cards')
  const first = cards(page).first()
  await first.getByRole('checkbox').click()
  await soon(() => first.getAttribute('aria-selected')).toBe('true')
  await page.getByRole('region', { name: 'Selected rows' }).getByText('1 selected').waitFor()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await first.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await rest(page).count()).toBe(0)
  await first.getByRole('button', { name: /^More of/ }).click()
  await soon(() => rest(page).count()).toBeGreaterThan(2)
  expect(await rest(page).evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-label')))).toContain('Bill Date')
  await lookedAt(page, 'cards-open')
  await first.getByRole('button', { name: /^Less of/ }).click()
  await soon(() => rest(page).count()).toBe(0)
  expect(addressOf(page)).toBe(bills())
  const box = await first.boundingBox()
  // Between the texts, where nothing but the card is.
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * 0.7, (box?.y ?? 0) + 6)
  await soon(() => addressOf(page)).toMatch(/\/bills\/\d+$/)
})

test('the bar over the cards sorts, filters and selects the page; the sums stay in the foot', async () => {
  const page = await openList(bills())
  await page.getByRole('checkbox', { name: 'Select all cards on this page' }).click()
  await page.getByText('10 selected').waitFor()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption({ label: 'Due Date' })
  await soon(() => addressOf(page)).toContain('sort=due_date')
  await page.getByRole('button', { name: 'Ascending: sort descending' }).click()
  await soon(() => addressOf(page)).toContain('sort=-due_date')
  await page
    .getByRole('row')
    .filter({ hasText: 'Owed by' })
    .getByText('Amount Due')
    .or(page.getByText(/^Owed by/))
    .first()
    .waitFor()
  const vendor = page.getByRole('textbox', { name: 'Filter Vendor' })
  expect(await vendor.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await vendor.fill('nobody of this name')
  await soon(() => cards(page).count()).toBe(0)
  await lookedAt(page, 'cards-filters')
  await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
})

test('the arrows go through the cards and open what they enter; the titles of the table are read and never focused', async () => {
  const page = await openList(bills())
  await cards(page).first().getByRole('checkbox').focus()
  await page.keyboard.press('ArrowUp')
  expect(await page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-row'))).toBe('0')
  await page.keyboard.press('ArrowDown')
  expect(await page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-row'))).toBe('1')
  await page.keyboard.press('x')
  await soon(() => cards(page).nth(1).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('data-card'))).toBe('rest')
  expect(await page.evaluate(() => document.activeElement?.checkVisibility())).toBe(true)
  const grid = page.getByRole('main').getByRole('grid')
  expect(await grid.getByRole('columnheader', { name: 'Vendor' }).count()).toBe(1)
  const [titles, cells] = await Promise.all([
    grid.getByRole('columnheader').count(),
    cards(page).first().locator('[role=gridcell][data-col]').count(),
  ])
  expect(cells).toBe(titles)
})

test('the card of a saved record is marked, and a wide window has the table again', async () => {
  const page = await openList(`/clients/${at.clientId}/facilities`)
  await cards(page)
    .first()
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed on a phone')
  await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click()
  await cards(page).filter({ hasText: 'Renamed on a phone' }).waitFor()
  await soon(() => cards(page).and(page.locator('[aria-current=true]')).count()).toBe(1)
  await page.setViewportSize({ width: 1366, height: 768 })
  await soon(() => cards(page).count()).toBe(0)
  await page.getByRole('grid').getByRole('button', { name: 'Name', exact: true }).waitFor()
})
