/** The combobox: pickers, client picker and palette by keyboard, recent choices, adding inline, and why nothing is found. */
import AxeBuilder from '@axe-core/playwright'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../support/estate.ts'
import { chunkAt } from './built-chunks.ts'
import { addressOf, apiRequests, soon, startConsole } from './console.ts'
import { pictureOf } from './pictures.ts'

const { db, open } = await startConsole()
/** As many as a picker of divisions loads at once. */
const DIVISIONS = 1000
const LONG_NAME = 'North-East Regional Distribution Centre for Refrigerated Goods'
const PHONE = { width: 390, height: 844 }
let admin: Person
let client: number
let other: number

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  client = await makeClient(db, { name: 'Harbor Foods' })
  other = await makeClient(db, { name: 'Saint Louis Mills' })
  const division = await makeDivision(db, client, { name: LONG_NAME })
  await sql`insert into divisions (client_id, name, short_code, code)
    select ${client}, 'Region ' || lpad(n::text, 4, '0'), 'R' || n, n::text from generate_series(1, ${DIVISIONS - 1}::int) n`.execute(db)
  const facility = await makeFacility(db, client, division, { name: 'Dock Four' })
  const vendor = await makeVendor(db, { name: 'AEP Ohio' })
  await makeBillableAccount(db, client, facility, vendor, { name: 'Boiler', account_number: '435-641-859-6-5' })
  await makeBillableAccount(db, client, facility, vendor, { name: 'Chiller', account_number: '972 652 663' })
})

const field = (page: Page, label: string) => page.getByRole('combobox', { name: new RegExp(`^${label}`) })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
/** Options of comboboxes; the options of native selects have the role too. */
const listed = (page: Page) => page.locator('[role=option]')
const activeText = (page: Page) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant')
    return id ? (document.getElementById(id)?.querySelector('span span')?.textContent ?? null) : null
  })
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** Types one letter, then presses Escape before the browser turns to anything else. */
async function typeAndEscape(element: Element) {
  if (!(element instanceof HTMLInputElement)) throw new Error('not a field')
  element.focus()
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, 'P')
  element.dispatchEvent(new Event('input', { bubbles: true }))
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
}

test('a list of 1,000 is whole: it is filtered at each letter without a request, and only what is in sight is drawn', async () => {
  const page = await open(admin, { at: `/clients/${client}/facilities/new` })
  const division = field(page, 'Division')
  await division.click()
  await option(page, /Region 0001/).waitFor()
  expect(await listed(page).count()).toBeLessThan(60)
  expect(await option(page, /Region 0001/).getAttribute('aria-setsize')).toBe(String(DIVISIONS + 1))
  await pictureOf(page, 'picker-long')
  const sent = apiRequests(page)
  await page.keyboard.type('99')
  await soon(() => activeText(page)).toBe('Region 0099')
  await page.keyboard.type('9')
  expect(await activeText(page)).toBe('Region 0999')
  expect(sent.filter((line) => line.includes('select_options'))).toEqual([])
  await press(page, 'Enter')
  expect(await division.inputValue()).toBe('Region 0999')
})

test('arrows, Home, End, PageUp and PageDown walk the list, Escape closes it and then clears, Backspace takes the last of several', async () => {
  const page = await open(admin, { at: `/clients/${client}/facilities/new` })
  const division = field(page, 'Division')
  await division.focus()
  await press(page, 'ArrowDown')
  await soon(() => activeText(page)).toBe(LONG_NAME)
  await press(page, 'PageDown')
  expect(await activeText(page)).toBe('Region 0008')
  await press(page, 'PageUp', 'ArrowDown')
  expect(await activeText(page)).toBe('Region 0001')
  await press(page, 'End', 'ArrowUp')
  expect(await activeText(page)).toBe('Region 0999')
  await press(page, 'Home')
  expect(await activeText(page)).toBe(LONG_NAME)
  await press(page, 'Tab')
  expect(await division.inputValue()).toBe(LONG_NAME)
  expect(await division.evaluate((element) => element === document.activeElement)).toBe(false)
  await division.focus()
  await page.keyboard.type('region')
  await press(page, 'Escape')
  expect(await division.getAttribute('aria-expanded')).toBe('false')
  expect(await division.inputValue()).toBe(LONG_NAME)
  await press(page, 'Escape')
  expect(await division.inputValue()).toBe('')
})

test('a pointer that rests where the list opens does not take the active row', async () => {
  const page = await open(admin, { at: `/clients/${client}/facilities/new` })
  const division = field(page, 'Division')
  const box = await division.boundingBox()
  if (!box) throw new Error('the field is not there')
  await page.mouse.move(box.x + 40, box.y + 150)
  await division.focus()
  await page.keyboard.type('region 00')
  await option(page, /Region 0001/).waitFor()
  await page.keyboard.type('1')
  await soon(() => activeText(page)).toBe('Region 0010')
  await page.mouse.move(box.x + 44, box.y + 154)
  await page.mouse.move(box.x + 46, box.y + 156)
  await soon(() => activeText(page)).not.toBe('Region 0010')
})

test('account numbers are found without their signs, and two lines tell accounts apart', async () => {
  const page = await open(admin, { at: `/clients/${client}/bills/new` })
  const account = field(page, 'Account')
  await account.click()
  await option(page, /Boiler/).waitFor()
  await page.keyboard.type('4356418596')
  await soon(() => listed(page).count()).toBe(1)
  expect(await listed(page).innerText()).toContain('AEP Ohio · 1 Main')
})

test('what was chosen lately stands first the next time, and the chosen one is marked', async () => {
  const page = await open(admin, { at: `/clients/${client}/facilities/new` })
  const division = field(page, 'Division')
  await division.click()
  await page.keyboard.type('region 0500')
  await press(page, 'Enter')
  await soon(() => division.inputValue()).toBe('Region 0500')
  await page.goto(`/clients/${client}/divisions`)
  await page.goto(`/clients/${client}/facilities/new`)
  await division.waitFor()
  const leave = page.getByRole('button', { name: 'Discard it' })
  if (await leave.isVisible()) await leave.click()
  await division.click()
  await page.getByText('Recent', { exact: true }).waitFor()
  await soon(() => listed(page).first().innerText()).toContain('Region 0500')
  expect(await option(page, /Region 0500/).count()).toBe(1)
  await page.keyboard.type('region 0500')
  await press(page, 'Enter')
  await division.click()
  await soon(() => page.locator('[role=option][aria-selected=true]').first().innerText()).toContain('Region 0500')
  await pictureOf(page, 'picker-recent')
})

test('a missing division is added inside the form of a facility, whose texts stay, and comes back chosen', async () => {
  const page = await open(admin, { at: `/clients/${client}/facilities/new` })
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Dock Five')
  const division = field(page, 'Division')
  await division.click()
  await page.keyboard.type('Wharves')
  await page.getByText('Nothing found for “Wharves”').waitFor()
  await pictureOf(page, 'picker-nothing-found')
  await press(page, 'ArrowDown', 'Enter')
  const dialog = page.getByRole('dialog', { name: 'New division' })
  await soon(() => dialog.getByLabel('Name *', { exact: true }).inputValue()).toBe('Wharves')
  await dialog.getByLabel('Short Code *', { exact: true }).focus()
  await page.keyboard.type('WH')
  await pictureOf(page, 'picker-add-new')
  // The browser itself would close the dialog unasked at the third Escape.
  for (let round = 0; round < 3; round++) {
    await press(page, 'Escape')
    await page.getByRole('button', { name: 'Stay' }).waitFor()
    await press(page, 'Escape')
    await page.getByRole('button', { name: 'Stay' }).waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Short Code *', { exact: true }).inputValue()).toBe('WH')
  }
  await dialog.getByLabel('Code *', { exact: true }).fill('77')
  await press(page, 'Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await soon(() => division.inputValue()).toBe('Wharves')
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Dock Five')
  expect(addressOf(page)).toBe(`/clients/${client}/facilities/new`)
  expect(await division.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('Escape right after the first letter asks before the dialog closes, on a browser that is too busy to have drawn it', async () => {
  const page = await open(admin, { at: `/clients/${client}/facilities/new` })
  await field(page, 'Division').click()
  await page.keyboard.type('Piers')
  await page.getByText('Nothing found for “Piers”').waitFor()
  await press(page, 'ArrowDown', 'Enter')
  const code = page.getByRole('dialog', { name: 'New division' }).getByLabel('Short Code *', { exact: true })
  await code.waitFor()
  await code.evaluate(typeAndEscape)
  await page.getByRole('button', { name: 'Stay' }).click()
  expect(await code.inputValue()).toBe('P')
})

test('nobody is offered to add what they may not', async () => {
  const reader = await makePerson(db, 'client_user', { clients: [client] })
  const page = await open(reader, { at: `/clients/${client}/bills` })
  await page.getByRole('main').waitFor()
  await page.goto(`/clients/${client}/advanced_search`)
  await field(page, 'Vendor').click()
  await option(page, /AEP Ohio/).waitFor()
  expect(await option(page, /Add new/).count()).toBe(0)
})

test('a list that failed says so and comes by Retry; one that may not be read says that', async () => {
  const page = await open(admin, { at: `/clients/${client}/facilities/new`, mayComplain: true })
  await page.route('**/select_options*', (route) => route.abort('connectionreset'))
  await field(page, 'Division').click()
  await page.getByText('The list could not be loaded.').waitFor()
  await pictureOf(page, 'picker-failed')
  await page.unroute('**/select_options*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await option(page, /Region 0001/).waitFor()
  await press(page, 'Escape')
  await page.route('**/facility_types/select_options*', (route) => route.fulfill({ status: 403, json: {} }))
  await field(page, 'Facility Type').click()
  await page.getByText(/You have no right to read them/).waitFor()
})

test('the client picker opens by its key, shows short codes and all clients, and the help names the key', async () => {
  const page = await open(admin, { at: `/clients/${client}/divisions` })
  await page.getByRole('grid').waitFor()
  await press(page, 'o', 'c')
  const panel = page.getByRole('dialog', { name: /^Client:/ })
  await panel.getByRole('option', { name: /All clients/ }).waitFor()
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  expect(await panel.getByRole('option', { name: /^Saint Louis Mills/ }).innerText()).toMatch(/\nC\d+$/)
  await pictureOf(page, 'client-picker')
  await page.keyboard.type('sai')
  await soon(() => activeText(page)).toBe('Saint Louis Mills')
  await press(page, 'Enter')
  await page.waitForURL(`**/clients/${other}/dashboard`)
  await press(page, 'o', 'c')
  await panel.getByRole('option', { name: /All clients/ }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await press(page, '?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Choose a client').waitFor()
})

test('the palette keeps its upper edge while its list changes, and goes by Enter', async () => {
  const page = await open(admin, { at: `/clients/${client}/divisions` })
  await page.getByRole('grid').waitFor()
  await press(page, 'Control+k')
  const input = page.getByRole('dialog', { name: 'Search and go' }).getByRole('combobox')
  await listed(page).first().waitFor()
  const top = async () => (await input.boundingBox())?.y
  const before = await top()
  await pictureOf(page, 'palette')
  await input.fill('new fac')
  await soon(() => activeText(page)).toBe('New facility')
  expect(await top()).toBe(before)
  await pictureOf(page, 'palette-typed')
  await press(page, 'Enter')
  await page.waitForURL(`**/clients/${client}/facilities/new`)
})

test('an open list fits a phone, and axe finds nothing in pickers, client picker and palette in either theme', async () => {
  for (const theme of ['dark', 'light'] as const) {
    const page = await open(admin, { at: `/clients/${client}/facilities/new`, theme })
    const check = async (where: string) => {
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([])
    }
    await field(page, 'Division').click()
    await option(page, /Region 0001/).waitFor()
    await check('picker')
    await page.setViewportSize(PHONE)
    const list = page.getByRole('listbox')
    await soon(async () => (await list.boundingBox())?.x ?? -1).toBeGreaterThan(0)
    const edges = await list.boundingBox()
    expect((edges?.x ?? 0) + (edges?.width ?? 0)).toBeLessThanOrEqual(PHONE.width)
    await pictureOf(page, `phone-picker-${theme}`)
    await press(page, 'Escape')
    await page.getByRole('heading').first().click()
    await press(page, 'o', 'c')
    await page.getByRole('option', { name: /All clients/ }).waitFor()
    await check('client picker')
    await pictureOf(page, `phone-client-picker-${theme}`)
    await press(page, 'Escape', 'Control+k')
    await page.getByRole('dialog', { name: 'Search and go' }).getByRole('option').first().waitFor()
    await check('palette')
    await pictureOf(page, `phone-palette-${theme}`)
  }
})

test('the filter of a column with many choices is typed into, and is not exchanged while it has the focus', async () => {
  const page = await open(admin)
  const { file } = chunkAt('src/web/ui/grid/choice-filter.tsx')
  let letCome = (): void => undefined
  const asked = new Promise<void>((resolve) => (letCome = resolve))
  await page.route(`**/${file}`, async (route) => {
    await asked
    await route.continue()
  })
  await page.goto(`/clients/${client}/bills/findings`)
  const filter = page.getByRole('combobox', { name: 'Filter Rule' })
  const tag = () => filter.evaluate((element) => element.tagName)
  await filter.focus()
  const come = page.waitForEvent('requestfinished', (request) => request.url().endsWith(file))
  letCome()
  await come
  const rule = await filter.locator('option').nth(3).innerText()
  await filter.selectOption({ label: rule })
  await soon(() => addressOf(page)).toContain('code=')
  expect(await tag()).toBe('SELECT')
  await filter.blur()
  await soon(tag).toBe('INPUT')
  expect(await filter.inputValue()).toBe(rule)
})

test('lookups of divisions, clients, facility types, production units, of the audit log and of a partner’s clients ask from the third character on, a second after it [LIST-RULE-011]', async () => {
  const lookups = [
    [`/clients/${client}/facilities/new`, ['Division', 'Facility Type', 'Production Units']],
    [`/users/${admin.id}/roles/new`, ['Client']],
    [`/settings/audit_log?client_id=${client}`, ['Division', 'Facility', 'Billable Account', 'Supply Account']],
    ['/channel_partners/new', ['Clients']],
  ] as const
  const ofPage = async (at: string, labels: readonly string[]) => {
    const page = await open(admin, { at })
    if (at.includes('/roles/')) await page.getByLabel('Role *', { exact: true }).selectOption({ label: 'Client Admin' })
    const asked: string[] = []
    page.on('request', (request) => {
      const term = [...new URL(request.url()).searchParams.values()].find((value) => value.startsWith('zz'))
      if (term !== undefined) asked.push(term)
    })
    for (const label of labels) {
      asked.length = 0
      await field(page, label).click()
      await page.keyboard.type('zz')
      await page.waitForTimeout(1_100)
      expect([label, asked]).toEqual([label, []])
      const since = Date.now()
      await page.keyboard.type('z')
      await soon(() => asked).toEqual(['zzz'])
      expect(Date.now() - since, label).toBeGreaterThanOrEqual(1_000)
      await press(page, 'Escape', 'Escape')
    }
  }
  // Two windows at a time: most of the time is waited.
  const inTurn = async (of: readonly (typeof lookups)[number][]) => {
    for (const [at, labels] of of) await ofPage(at, labels)
  }
  await Promise.all([inTurn(lookups.slice(0, 2)), inTurn(lookups.slice(2))])
})
