import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeClient, makeDivision, makeVendor } from '../support/estate.ts'
import { addressOf, apiRequests, goInside, soon, startConsole, withRights } from './console.ts'
import { heardNotice, noticesSaid } from './notices-said.ts'

const { app, db, open } = await startConsole()
/** Odd, so that half of it is no whole number; three pages of twenty. */
const CLIENTS = 41
let harbor = 0
let closed = 0
let other = 0
let pictured = 0
let admin: Person
let owner: Person

beforeAll(async () => {
  harbor = await makeClient(db, { name: 'Harbor Foods' })
  closed = await makeClient(db, { name: 'Closed Shops', active: false })
  other = await makeClient(db, { name: 'Other Client' })
  for (let number = 4; number < CLIENTS; number++) await makeClient(db, { name: `Town ${String(number).padStart(2, '0')}` })
  await makeDivision(db, harbor, { name: 'West Coast' })
  await makeVendor(db, { name: 'Pacific Gas' })
  admin = await makePerson(db, 'super_admin')
  owner = await makePerson(db, 'client_admin', { clients: [harbor] })
  pictured = await makeClientWithLogo()
})

const pickerButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Client:/ })
const picker = (page: Page) => page.getByRole('dialog', { name: /^Client:/ })
const clientOptions = (page: Page) =>
  picker(page).getByRole('listbox', { name: 'Clients' }).getByRole('option').filter({ hasNotText: 'All clients' })
async function openPicker(page: Page) {
  await pickerButton(page).click()
  // The option of all clients is there before the clients are.
  await clientOptions(page).first().waitFor()
  return picker(page)
}
/** The clients' names; the short code is below each. */
const names = async (page: Page) => (await clientOptions(page).allInnerTexts()).map((text) => text.split('\n')[0] ?? '')
const clientHome = (id: number) => `**/clients/${id}/dashboard`
const select = (page: Page, name: string) =>
  picker(page)
    .getByRole('option', { name: new RegExp(`^${name}( |$)`) })
    .click()
const settings = async (page: Page) => {
  await page.getByRole('banner').getByRole('button', { name: 'Settings', exact: true }).click()
  return page.getByRole('dialog', { name: 'Settings' })
}
const menuLabels = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('listitem').allInnerTexts()

describe('the header', () => {
  test('has the picker, the bell, the settings with profile, dark mode and sign out, Advanced Search and Clear Filters [SHELL-SCREEN-002] [SHELL-SCREEN-010] [SHELL-SCREEN-011] [SHELL-SCREEN-012] [SHELL-SCREEN-013] [SHELL-SCREEN-014] [SHELL-SCREEN-015] [SHELL-SCREEN-016]', async () => {
    const page = await open(admin, { at: '/vendors' })
    const header = page.getByRole('banner')
    await pickerButton(page).waitFor()
    for (const link of ['Advanced Search', 'Clear Filters']) await header.getByRole('link', { name: link }).waitFor()
    const panel = await settings(page)
    expect(await panel.getByRole('link', { name: 'User Profile' }).getAttribute('href')).toBe('/users/profile')
    for (const name of ['Dark Mode']) await panel.getByRole('switch', { name }).waitFor()
    await panel.getByRole('button', { name: 'Sign Out' }).waitFor()
    await page.keyboard.press('Escape')
    await goInside(page, `/clients/${harbor}/divisions`)
    await header.getByRole('button', { name: /^Notifications/ }).click()
    const links = page.getByRole('dialog', { name: /^Notifications/ }).getByRole('link')
    await links.first().waitFor()
    expect(await links.first().getAttribute('href')).toBe(`/clients/${harbor}/alerts/billable_accounts_missing_bills`)
  })

  test('Advanced Search leads to the scope’s own search [SHELL-RULE-008]', async () => {
    const page = await open(admin, { at: '/vendors' })
    const link = page.getByRole('banner').getByRole('link', { name: 'Advanced Search' })
    await link.click()
    await page.waitForURL('**/advanced_search')
    expect(addressOf(page)).toBe('/advanced_search')
    await goInside(page, `/clients/${harbor}/divisions`)
    await link.click()
    await page.waitForURL(`**/clients/${harbor}/advanced_search`)
  })

  test('Advanced Search needs its right [SHELL-RULE-009]', async () => {
    const page = await open(admin)
    await withRights(page, () => ({ permissions: { vendor: ['read'] } }))
    await page.goto('/vendors')
    await page.getByRole('gridcell', { name: 'Pacific Gas', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Advanced Search' }).count()).toBe(0)
  })

  test('Clear Filters loads the page anew, without any filter [SHELL-RULE-007] [SHELL-SCREEN-016]', async () => {
    const page = await open(admin, { at: '/vendors?name=nothing&sort=-name' })
    await page.getByText('Nothing matches these filters').waitFor()
    await page.evaluate(() => Object.assign(globalThis, { wasHere: true }))
    await page.getByRole('link', { name: 'Clear Filters' }).click()
    await page.getByRole('gridcell', { name: 'Pacific Gas', exact: true }).waitFor()
    expect(addressOf(page)).toBe('/vendors')
    expect(await page.evaluate(() => 'wasHere' in globalThis)).toBe(false)
    expect(await page.getByLabel('Filter Name').inputValue()).toBe('')
  })

  test('shows the logo of the scoped client in place of ours [SHELL-RULE-002]', async () => {
    const page = await open(admin, { at: `/clients/${pictured}/divisions` })
    const logo = page.getByRole('banner').getByRole('img', { name: 'Pictured' })
    await logo.waitFor()
    expect(await logo.evaluate((image) => (image instanceof HTMLImageElement ? image.decode().then(() => image.naturalWidth) : 0))).toBe(1)
    expect(await page.getByRole('banner').getByText('Meterbook').count()).toBe(0)
    await goInside(page, `/clients/${harbor}/divisions`)
    await page.getByRole('banner').getByText('Meterbook').waitFor()
  })
})

describe('the client picker', () => {
  test('shows the admin view’s label, the client’s name, or asks a client’s own people to select [SHELL-SCREEN-003] [SHELL-SCREEN-004] [SHELL-SCREEN-005]', async () => {
    const staff = await open(admin, { at: '/vendors' })
    await soon(() => pickerButton(staff).innerText()).toBe('Admin View')
    await goInside(staff, `/clients/${harbor}/divisions`)
    await soon(() => pickerButton(staff).innerText()).toBe('Harbor Foods')
    const person = await open(owner, { at: '/landing' })
    await soon(() => pickerButton(person).innerText()).toBe('Select a Client')
  })

  test('loads twenty a page, and counts half of the total by ten, so that every client is reached [SHELL-CONST-001] [SHELL-CONST-002]', async () => {
    const page = await open(admin, { at: '/vendors' })
    const sent = apiRequests(page)
    const panel = await openPicker(page)
    expect(await names(page)).toHaveLength(20)
    expect(sent).toContain('GET /clients/dropdown_options?page=1&per=20')
    expect(await panel.locator('[data-pager-total]').getAttribute('data-pager-total')).toBe('21')
    const seen = new Set(await names(page))
    for (const number of [2, 3]) {
      await panel.getByRole('button', { name: 'Next clients' }).click()
      await panel.getByText(`${number} of 3`).waitFor()
      await soon(() => names(page).then((shown) => shown.filter((name) => seen.has(name)))).toEqual([])
      for (const name of await names(page)) seen.add(name)
    }
    expect(await panel.getByRole('button', { name: 'Next clients' }).isDisabled()).toBe(true)
    expect(seen.size).toBe(CLIENTS)
  })

  test.each([
    ['super_admin', 1],
    ['muc_admin', 1],
    ['channel_partner_admin', 0],
  ] as const)('has the box Search by Client for %s: %i [SHELL-SCREEN-007] [PERM-PERM-008] [PERM-RULE-001]', async (role, boxes) => {
    const page = await open(await makePerson(db, role, { clients: [harbor, closed] }), { at: '/vendors' })
    await pickerButton(page).click()
    await picker(page)
      .getByRole('option', { name: /Admin View/ })
      .waitFor()
    expect(await picker(page).getByLabel('Search by Client').count()).toBe(boxes)
  })

  test('has neither the admin view nor the box for a client’s own people [PERM-PERM-006] [PERM-PERM-008]', async () => {
    const page = await open(owner, { at: '/landing' })
    await openPicker(page)
    expect(await names(page)).toEqual(['Harbor Foods'])
    expect(await picker(page).getByRole('button').count()).toBe(0)
    // The list itself has the keyboard focus.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(clientHome(harbor))
    expect(await picker(page).getByLabel('Search by Client').count()).toBe(0)
  })

  test('searches from three characters, a second after the last key, and lists all when emptied [SHELL-RULE-010] [LIST-RULE-003] [LIST-RULE-004] [LIST-RULE-005]', async () => {
    const page = await open(admin, { at: '/vendors' })
    const panel = await openPicker(page)
    const box = panel.getByLabel('Search by Client')
    const sent = apiRequests(page)
    const searches = () => sent.filter((line) => line.includes('dropdown_options'))
    await box.pressSequentially('ha')
    await page.waitForTimeout(1_500)
    expect(searches()).toEqual([])
    await box.pressSequentially('rb', { delay: 300 })
    const asked = page.waitForRequest(/dropdown_options/)
    const typed = Date.now()
    await box.press('o')
    const request = await asked
    expect(Date.now() - typed).toBeGreaterThan(950)
    expect(request.url()).toContain('search_term=harbo')
    await soon(() => names(page)).toEqual(['Harbor Foods'])
    expect(searches()).toHaveLength(1)
    await box.fill('')
    await soon(() => names(page).then((shown) => shown.length)).toBe(20)
  })

  test('takes the one match by Enter, and waits for it where it is still on its way; arrows choose among several', async () => {
    const page = await open(admin, { at: '/vendors' })
    const panel = await openPicker(page)
    const box = panel.getByRole('combobox', { name: 'Search by Client' })
    await box.pressSequentially('harbor')
    await box.press('Enter')
    await page.waitForURL(clientHome(harbor))
    await openPicker(page)
    await box.pressSequentially('town')
    await soon(() => names(page).then((shown) => shown.length > 1 && shown.every((name) => name.startsWith('Town')))).toBe(true)
    await box.press('ArrowDown')
    const [, second = ''] = await names(page)
    await box.press('Enter')
    await soon(() => pickerButton(page).innerText()).toBe(second)
  })

  test('loads the chosen client, opens its dashboard, and scopes every list to it [SHELL-TRANS-001] [SHELL-SCREEN-008] [SHELL-RULE-001]', async () => {
    const page = await open(admin, { at: '/vendors' })
    const sent = apiRequests(page)
    await openPicker(page)
    await select(page, 'Harbor Foods')
    await page.waitForURL(clientHome(harbor))
    await soon(() => sent).toContain(`GET /clients/${harbor}`)
    for (const [label, section] of [
      ['Divisions', 'divisions'],
      ['Facilities', 'facilities'],
      ['Bills', 'bills'],
    ] as const)
      expect(
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label, exact: true }).getAttribute('href'),
      ).toBe(`/clients/${harbor}/${section}`)
    const records = () => sent.filter((line) => line.includes('per=100'))
    // The sidebar sends its requests once the page has what it needs.
    await soon(() => records().length).toBeGreaterThan(0)
    for (const line of records()) expect(line).toContain(`/clients/${harbor}/`)
  })

  test('of a client’s own person opens the first section that they may read [SHELL-SCREEN-009]', async () => {
    const page = await open(owner)
    await withRights(page, () => ({ permissions: { client: [], facility: ['read'], supply_account: ['read'] } }))
    await page.goto('/landing')
    await openPicker(page)
    await select(page, 'Harbor Foods')
    await page.waitForURL(`**/clients/${harbor}/facilities`)
  })

  test('leaves the scope by the admin view: to /, with the admin menu and without the client [SHELL-SCREEN-006] [SHELL-TRANS-003] [SHELL-TRANS-005]', async () => {
    const page = await open(admin, { at: `/clients/${harbor}/divisions` })
    await soon(() => menuLabels(page)).toContain('Financials')
    await openPicker(page)
    await picker(page)
      .getByRole('option', { name: /Admin View/ })
      .click()
    await page.getByText('Please select a client from the dropdown').waitFor()
    expect(addressOf(page)).toBe('/')
    await soon(() => menuLabels(page)).toContain('Channel Partners')
    expect(await menuLabels(page)).not.toContain('Financials')
    expect(await pickerButton(page).innerText()).toBe('Admin View')
    await page.reload()
    await soon(() => pickerButton(page).innerText()).toBe('Admin View')
  })

  test('leaves the scope with a page of all clients, and has it again by going back [NAV-SCREEN-009]', async () => {
    const page = await open(admin, { at: `/clients/${harbor}/divisions` })
    const sidebar = page.getByRole('complementary', { name: 'Records of the client' })
    await sidebar.waitFor()
    for (const path of ['/vendors', '/global_batch/statements', '/settings/units']) {
      await goInside(page, path)
      await soon(() => pickerButton(page).innerText()).toBe('Admin View')
      expect([path, await sidebar.count()]).toEqual([path, 0])
      await page.goBack()
      await soon(() => pickerButton(page).innerText()).toBe('Harbor Foods')
      await sidebar.waitFor()
    }
    await goInside(page, '/users/profile')
    await page.getByRole('heading', { name: 'Profile' }).first().waitFor()
    expect(await pickerButton(page).innerText()).toBe('Harbor Foods')
  })

  test('sends everybody who opens a client that is not active to /landing [SHELL-TRANS-002] [NAV-MSG-001] [NAV-ROUTE-016]', async () => {
    const page = await open(admin, { at: '/vendors' })
    await openPicker(page)
    await select(page, 'Closed Shops')
    await page.waitForURL('**/landing')
    await page.getByRole('main').getByText('Please select a client from the dropdown', { exact: true }).waitFor()
    await soon(() => pickerButton(page).innerText()).toBe('Admin View')
  })

  test('stays on its client where another one is edited or numbered [SHELL-TRANS-004]', async () => {
    const page = await open(admin, { at: `/clients/${harbor}/divisions` })
    await soon(() => pickerButton(page).innerText()).toBe('Harbor Foods')
    for (const path of [
      `/clients/${other}/edit`,
      `/clients/${other}/client_vendor_numbers`,
      `/clients/${other}/client_vendor_numbers/new`,
    ]) {
      await page.goto(path)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      await soon(() => pickerButton(page).innerText()).toBe('Harbor Foods')
    }
  })
})

describe('the first page', () => {
  test('of staff asks to select a client [NAV-MSG-002] [NAV-ROUTE-015] [NAV-TRANS-003]', async () => {
    const page = await open(admin, { at: '/' })
    await page.getByRole('main').getByText('Please select a client from the dropdown', { exact: true }).waitFor()
    expect(addressOf(page)).toBe('/')
  })

  test('of a client’s own people is their client; with a scope / is the client’s home [NAV-TRANS-004] [NAV-ROUTE-015] [NAV-SCREEN-016]', async () => {
    const person = await open(owner, { at: '/' })
    await person.waitForURL(clientHome(harbor))
    const staff = await open(admin, { at: `/clients/${harbor}/divisions` })
    await staff.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home', exact: true }).click()
    await staff.waitForURL(clientHome(harbor))
  })

  test.each([
    ['client', '/clients'],
    ['division', '/divisions'],
    ['facility', '/facilities'],
    ['billable_account', '/billable_accounts'],
    ['supply_account', '/supply_accounts'],
  ])('follows the first read right, here %s [NAV-TRANS-001] [NAV-TRANS-002]', async (first, list) => {
    const order = ['client', 'division', 'facility', 'billable_account', 'supply_account']
    const permissions = Object.fromEntries(order.slice(order.indexOf(first)).map((model) => [model, ['read']]))
    const page = await open(admin)
    await withRights(page, () => ({ permissions, redirect_to_home: false }))
    await page.goto('/')
    await page.waitForURL(`**${list}`)
  })

  test('says Request error with the status text where the rights cannot be loaded, and offers to try again [PERM-MSG-001]', async () => {
    const page = await open(admin)
    await page.route('**/api/v5/user_roles/for_user*', (route) => route.fulfill({ status: 500, body: 'oops' }))
    await page.goto('/vendors')
    expect(await heardNotice(page)).toMatchObject({ kind: 'Error', title: 'Request error', message: 'Internal Server Error' })
    await page.getByText('Your rights could not be loaded').waitFor()
    await page.unroute('**/api/v5/user_roles/for_user*')
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('gridcell', { name: 'Pacific Gas', exact: true }).waitFor()
  })

  test.each([
    ['super_admin', 1],
    ['muc_admin', 1],
    ['client_admin', 0],
  ] as const)('tells %s, whose roles are known, of a client that cannot be loaded: %i notices [PERM-RULE-005]', async (role, count) => {
    const page = await open(await makePerson(db, role, { clients: [harbor] }))
    const roles = page.waitForResponse(/user_roles\/for_user/)
    await page.route(`**/api/v5/clients/${harbor}`, async (route) => {
      await roles
      await page.waitForTimeout(500)
      await route.fulfill({ status: 500, body: 'oops' })
    })
    const failed = page.waitForResponse(new RegExp(`/clients/${harbor}$`))
    await page.goto(`/clients/${harbor}/divisions`)
    await failed
    await page.waitForTimeout(1_000)
    expect((await noticesSaid(page)).map(({ title, message }) => `${title}: ${message}`)).toEqual(
      count > 0 ? ['Request error: Internal Server Error'] : [],
    )
  })

  test('tells everybody of it where their roles are not known [PERM-RULE-005]', async () => {
    const page = await open(owner)
    await page.route('**/api/v5/user_roles/for_user*', (route) => route.fulfill({ status: 502, body: 'oops' }))
    await page.route(`**/api/v5/clients/${harbor}`, (route) => route.fulfill({ status: 500, body: 'oops' }))
    await page.goto(`/clients/${harbor}/divisions`)
    await soon(() => noticesSaid(page).then((said) => said.map(({ message }) => message).toSorted())).toEqual([
      'Bad Gateway',
      'Internal Server Error',
    ])
  })
})

describe('the theme', () => {
  const look = (page: Page) =>
    page.evaluate(() => ({
      body: document.body.dataset['theme'],
      class: document.body.className,
      background: getComputedStyle(document.documentElement).backgroundColor,
    }))

  test('is dark unless chosen otherwise, on the body and in its colours, on the sign-in page too [SHELL-RULE-005] [SHELL-RULE-004]', async () => {
    for (const who of [admin, null]) {
      const page = await open(who)
      await page.context().clearCookies()
      await page.goto(who ? '/vendors' : '/login')
      await page.getByRole('main').waitFor()
      expect(await look(page)).toEqual({ body: 'dark', class: 'dark', background: 'rgb(15, 18, 22)' })
    }
  })

  test('changes at once by the switch, lives in the cookie, and survives a reload [SHELL-RULE-006] [SHELL-RULE-004] [AUTH-CONST-001]', async () => {
    const page = await open(admin, { at: '/vendors' })
    const panel = await settings(page)
    const toggle = panel.getByRole('switch', { name: 'Dark Mode' })
    expect(await toggle.isChecked()).toBe(true)
    await toggle.click()
    expect(await look(page)).toEqual({ body: 'light', class: 'light', background: 'rgb(247, 248, 250)' })
    const cookie = (await page.context().cookies()).find((one) => one.name === 'theme')
    expect(cookie).toMatchObject({ value: 'light', path: '/', sameSite: 'Lax' })
    expect((cookie?.expires ?? 0) * 1000 - Date.now()).toBeGreaterThan(364 * 86_400_000)
    await page.reload()
    // Written by the server, so there is no flash of the other theme before the script runs.
    expect(await (await page.request.get('/vendors')).text()).toContain('<body class="light" data-theme="light">')
    await page.getByRole('main').waitFor()
    expect((await look(page)).body).toBe('light')
    await (await settings(page)).getByRole('switch', { name: 'Dark Mode' }).click()
    expect((await look(page)).body).toBe('dark')
  })
})

/** Makes a client with a one-pixel picture, by the calls of its form. */
async function makeClientWithLogo(): Promise<number> {
  const bytes = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const blob = {
    filename: 'logo.png',
    content_type: 'image/png',
    byte_size: bytes.length,
    checksum: createHash('md5').update(bytes).digest('base64'),
  }
  const { direct_upload_url: url } = (await app.ask(admin, 'GET', '/direct_upload_url')).body
  const announced = await app.app.server.inject({ method: 'POST', url: String(url), payload: { blob } })
  const { signed_id: logo, direct_upload: upload } = announced.json<{
    signed_id: string
    direct_upload: { url: string; headers: Record<string, string> }
  }>()
  await app.app.server.inject({ method: 'PUT', url: upload.url, headers: upload.headers, payload: bytes })
  const made = await app.ask(admin, 'POST', '/clients', { client: { name: 'Pictured', short_code: 'PIC', identifier: 'PIC', logo } })
  const { client } = made.body
  if (typeof client !== 'object' || client === null || !('id' in client)) throw new Error(made.text)
  return Number(client.id)
}
