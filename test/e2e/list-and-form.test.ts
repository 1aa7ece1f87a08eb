/** Behaviors of every list and every form of the console, tested on vendors. */
import { readFile } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { openPage } from '../support/browser.ts'
import { makeVendor } from '../support/estate.ts'
import { soon, startConsole } from './console.ts'
import { axeFindings, wcag } from './looked-at.ts'
import { heardNotice } from './notices-said.ts'

const { app, db, url, browser, open } = await startConsole()
/** Everything up to the first rows: page, code, styles, font, answers; the budget P16 of docs/performance.md. */
const FIRST_LIST_KIB = 238
/** Files among them: the page, its code and styles, the font. The API requests depend on how soon the browser is idle. */
const FIRST_LIST_FILES = 9
let staff: Person

beforeAll(async () => {
  for (let at = 0; at < 25; at++) await makeVendor(db, { name: `Vendor ${String(at).padStart(2, '0')}` })
  staff = await makePerson(db, 'super_admin')
})

const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const SLOW = { timeout: 15_000 }
const tenRows = async (page: Page) => {
  await expect.poll(() => rows(page).count(), SLOW).toBe(10)
}

test('a list filters and pages on the server; Back and Reset Filters work without a reload [LIST-SCREEN-002] [LIST-SCREEN-004]', async () => {
  const page = await open(staff, { at: '/vendors' })
  await tenRows(page)
  await page.evaluate(() => Object.assign(globalThis, { stays: true }))
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('11–20 of 25 vendors').waitFor()
  await page.goBack()
  await page.getByText('1–10 of 25 vendors').waitFor()
  await page.getByRole('textbox', { name: 'Filter Name' }).fill('vendor 2')
  await page.getByText('1–5 of 5 vendors').waitFor()
  expect(page.url()).toContain('name=vendor+2')
  await page.getByRole('button', { name: 'Reset Filters' }).click()
  await page.getByText('1–10 of 25 vendors').waitFor()
  expect(page.url()).toBe(`${url}/vendors`)
  expect(await page.evaluate(() => 'stays' in globalThis)).toBe(true)
})

test('deleting asks, takes the row out and counts it off without asking the list again [LIST-TRANS-001] [LIST-MSG-009]', async () => {
  const page = await open(staff, { at: '/vendors?sort=-name' })
  await page.getByText('1–10 of 25 vendors').waitFor()
  await page.waitForTimeout(1500)
  const asked: string[] = []
  page.on('request', (request) => /\/vendors\?/.test(request.url()) && asked.push(request.url()))
  await rows(page)
    .first()
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Do you want to delete this record? This action cannot be undone.').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('of 24 vendors').waitFor()
  expect(await rows(page).count()).toBe(9)
  expect(asked).toEqual([])
})

test('an export says that it started, its file arrives by a toast with a link, and the bell counts it and forgets when opened [LIST-CONST-019] [LIVE-RULE-003] [LIVE-RULE-005] [NOTIF-TRANS-001] [NOTIF-TRANS-002]', async () => {
  const page = await open(staff, { at: '/vendors?name=vendor+1' })
  await tenRows(page)
  const bell = page.getByRole('button', { name: /^Notifications/ })
  // The page may have its live channel before the test waits for it: the second time, the test waits first.
  const live = page.waitForResponse(/\/live\?/)
  await page.reload()
  await tenRows(page)
  await live
  await page.getByRole('button', { name: 'Export' }).click()
  const started = await heardNotice(page)
  expect(started).toMatchObject({ kind: 'Done', title: 'Vendors export started' })
  const toast = await heardNotice(page, 1)
  expect(toast.link).toMatch(/^\/api\/v5\//)
  await soon(() => bell.getAttribute('aria-label')).toBe('Notifications, 1 new')
  await bell.click()
  const link = page.getByRole('dialog', { name: /^Notifications/ }).getByRole('link', { name: 'Download' })
  const coming = page.waitForEvent('download')
  await link.first().click()
  const lines = (await readFile(await (await coming).path(), 'utf8')).trim().split(/\r?\n/)
  expect(lines[0]).toMatch(/^\uFEFF?"?(ID|Name)/)
  expect(lines).toHaveLength(1 + 10)
  expect(lines.slice(1).every((line) => /Vendor 1\d/.test(line))).toBe(true)
  expect(await bell.getAttribute('aria-label')).toBe('Notifications')
})

test('columns stay as they were arranged, Reset brings the list’s own back, and a saved view brings its filters', async () => {
  const mine = await makePerson(db, 'super_admin')
  const page = await open(mine, { at: '/vendors' })
  await tenRows(page)
  const header = (name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) })
  await page.getByRole('button', { name: 'Columns' }).click()
  const put = page.waitForResponse((response) => response.request().method() === 'PUT' && response.url().includes('/list_layouts/vendors'))
  await page.getByRole('checkbox', { name: 'Phone' }).click()
  expect((await put).status()).toBe(200)
  await page.reload()
  await tenRows(page)
  expect(await header('Phone').count()).toBe(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect.poll(() => header('Phone').count(), SLOW).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Filter Name' }).fill('vendor 1')
  await expect.poll(() => page.url(), SLOW).toContain('name=vendor+1')
  await page.getByRole('button', { name: /^View: All/ }).click()
  await page.getByRole('menuitem', { name: 'Save as…' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tens')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'View: Tens' }).waitFor()
  await page.goto('/vendors')
  await tenRows(page)
  await page.getByRole('button', { name: /^View: All/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Tens' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Filter Name' }).inputValue(), SLOW).toBe('vendor 1')
})

test('a form says what is missing in place, and keeps what was typed over a lost sign-in', async () => {
  const page = await open(staff, { at: '/vendors/new' })
  await page.getByRole('heading', { name: 'New Form' }).waitFor()
  await page.getByRole('link', { name: 'Go Back' }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Name is required').waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name')
  await page.locator('input[name=name]').fill('Fresh Water Company')
  await page.getByRole('textbox', { name: 'Short Code' }).fill('FRESH')
  // Only the save meets the expired session: any other request would otherwise meet it first.
  const refused = (route: Route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 401, contentType: 'application/json', body: '{}' }) : route.fallback()
  await page.route('**/api/v5/vendors', refused)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/login')
  await page.unroute('**/api/v5/vendors')
  await page.evaluate((headers) => {
    for (const [name, value] of Object.entries(headers)) localStorage.setItem(name, value)
  }, staff.headers)
  await page.goto('/vendors/new')
  await page.getByText('What you had typed was restored.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/vendors')
  const { body } = await app.ask(staff, 'GET', '/vendors?q[short_code_eq]=FRESH')
  expect(body['vendors']).toMatchObject([{ name: 'Fresh Water Company' }])
})

test('of two people who change one record, the second sees what the first changed, and Keep mine loses neither', async () => {
  const id = await makeVendor(db, { name: 'Contested' })
  const page = await open(staff, { at: `/vendors/${id}/edit` })
  await page.getByRole('heading', { name: 'Edit Form' }).waitFor()
  await page.getByRole('textbox', { name: 'City', exact: true }).fill('Austin')
  await app.ask(staff, 'PATCH', `/vendors/${id}`, { vendor: { city: 'Dallas', phone: '555', lock_version: 0 } })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Dallas' }).waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Phone' }).inputValue(), SLOW).toBe('555')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/vendors')
  const after = await app.ask(staff, 'GET', `/vendors/${id}`)
  expect(after.body['vendor']).toMatchObject({ city: 'Austin', phone: '555' })
})

test('leaving a changed form asks first; staying keeps it', async () => {
  const page = await open(staff, { at: '/vendors/new' })
  await page.getByRole('textbox', { name: 'Short Code' }).fill('X')
  await page.getByRole('link', { name: 'Go Back' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  expect(page.url()).toBe(`${url}/vendors/new`)
  await page.getByRole('link', { name: 'Go Back' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/vendors')
})

test.each(['dark', 'light'] as const)('axe finds nothing on list, form and palette in %s', async (theme) => {
  const page = await open(staff, { at: '/vendors', theme })
  const found: string[] = []
  const check = async (where: string) => {
    found.push(...(await axeFindings(page, { tags: wcag })).map((one) => `${where}: ${one}`))
  }
  await tenRows(page)
  await check('list')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
  await check('palette')
  await page.goto('/vendors/new')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Name is required').waitFor()
  await check('form')
  expect(found).toEqual([])
})

test('the first list of a fresh browser comes in few requests and few bytes', async () => {
  const { context, page } = await openPage(browser, url)
  const sizes: Promise<number>[] = []
  const names: string[] = []
  let files = 0
  page.on('response', (response) => {
    if (!response.url().includes('/api/')) files++
    names.push(response.url())
    sizes.push(
      response
        .request()
        .sizes()
        .then(
          (size) => size.responseBodySize,
          () => 0,
        ),
    )
  })
  await page.addInitScript((headers) => {
    for (const [name, value] of Object.entries(headers)) localStorage.setItem(name, value)
  }, staff.headers)
  await page.goto('/vendors')
  await tenRows(page)
  const each = await Promise.all(sizes)
  const bytes = each.reduce((sum, size) => sum + size, 0)
  const said = names.map((name, at) => `${each[at]} ${name}`).join('\n')
  await context.close()
  expect(files, said).toBeLessThanOrEqual(FIRST_LIST_FILES)
  expect(Math.round(bytes / 1024), said).toBeLessThanOrEqual(FIRST_LIST_KIB)
})
