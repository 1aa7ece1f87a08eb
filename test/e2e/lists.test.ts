/** Common behaviors of the console's lists, lookups and failures, tested on the hierarchy. */
import type { Locator, Page } from 'playwright-core'
import readExcelFile from 'read-excel-file/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeService, makeVendor } from '../support/estate.ts'
import { addressOf, apiRequests, goInside, soon, startConsole, withRights } from './console.ts'
import { goneNotice, heardNotice, noticesSaid } from './notices-said.ts'

const { db, open } = await startConsole()
/** More than a page of a hundred, so that the list scrolls. */
const DIVISIONS = 60
let admin: Person
let client = 0
let account = 0
let division = 0

beforeAll(async () => {
  client = await makeClient(db, { name: 'Harbor Foods' })
  division = await makeDivision(db, client, { name: 'Aaa West' })
  for (let at = 1; at < DIVISIONS; at++) await makeDivision(db, client, { name: `District ${String(at).padStart(2, '0')}` })
  const facility = await makeFacility(db, client, division, { name: 'Cold Store' })
  account = await makeBillableAccount(db, client, facility, await makeVendor(db, { name: 'Pacific Gas' }), { account_number: '77-1' })
  await makeService(db, client, { billable_account_id: account }, { meter_number: 'M-1' })
  admin = await makePerson(db, 'super_admin')
})

const at = (path: string) => `/clients/${client}/${path}`
const lists = () =>
  [
    ['/clients', 'Name'],
    [at('divisions'), 'Name'],
    [at('facilities'), 'Name'],
    [at('billable_accounts'), 'Name'],
    ['/vendors', 'Name'],
    ['/payment_methods', 'Name'],
    ['/utility_services', 'Name'],
    ['/settings/facility_types', 'Name'],
    ['/settings/production_units', 'Name'],
  ] as const
const column = (page: Page, name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) })
const firstCell = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row').first()

describe('lists', () => {
  test('open sorted by name, with filters by column, sortable headers and a choice of sizes [LIST-CONST-009] [LIST-SCREEN-003] [LIST-CONST-008]', async () => {
    const page = await open(admin, { at: '/landing' })
    for (const [path, key] of lists()) {
      await goInside(page, path)
      await column(page, key).waitFor()
      expect([path, await column(page, key).getAttribute('aria-sort')]).toEqual([path, 'ascending'])
      await page.getByRole('textbox', { name: `Filter ${key}` }).waitFor()
      await column(page, key).getByRole('button').click()
      await soon(() => addressOf(page)).toBe(`${path}?sort=-${key.toLowerCase()}`)
      expect(await page.getByLabel('Per page').locator('option').count()).toBeGreaterThan(2)
    }
  })

  test('of the hierarchy offer filters, sort, paging, import and export; the two are gated by no right [PERM-PERM-024]', async () => {
    const page = await open(admin)
    await withRights(page, () => ({ permissions: everyRead() }))
    await page.goto('/landing')
    for (const path of ['/clients', at('divisions'), at('facilities'), at('billable_accounts'), '/vendors']) {
      await goInside(page, path)
      const importLink = page.getByRole('link', { name: 'Import', exact: true })
      await importLink.waitFor()
      expect(await importLink.getAttribute('href')).toBe(`${path}/import`)
      await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Next page' }).waitFor()
    }
  })

  test('bring back page, filters and place when one returns from a record', async () => {
    const page = await open(admin, { at: at('divisions?name=district&sort=-name&per=50') })
    const row = page.getByRole('main').getByRole('link', { name: 'District 12' })
    await row.scrollIntoViewIfNeeded()
    const place = await row.evaluate((link) => link.getBoundingClientRect().top)
    await row.click()
    await page.waitForURL(/\/divisions\/\d+\/dashboard$/)
    await page.goBack()
    await row.waitFor()
    expect(addressOf(page)).toBe(at('divisions?name=district&sort=-name&per=50'))
    expect(await page.getByRole('textbox', { name: 'Filter Name' }).inputValue()).toBe('district')
    await soon(() => row.evaluate((link) => link.getBoundingClientRect().top).then((top) => Math.abs(top - place) < 40)).toBe(true)
  })

  test('ask the server anew by size, page and sort, and never sort the shown page alone', async () => {
    const page = await open(admin, { at: at('divisions') })
    await page.getByText('1–10 of 60 divisions').waitFor()
    const sent = apiRequests(page)
    await page.getByLabel('Per page').selectOption('20')
    await page.getByText('1–20 of 60 divisions').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('21–40 of 60 divisions').waitFor()
    await column(page, 'Name').getByRole('button').click()
    await page.getByText('1–20 of 60 divisions').waitFor()
    await soon(() => firstCell(page).innerText()).toContain('District 59')
    expect(sent.some((line) => line.includes('q[s]=name desc') && line.includes('page=1') && line.includes('per=20'))).toBe(true)
  })
})

describe('what fails', () => {
  const fail = (page: Page, path: RegExp, method: string, status: number) =>
    page.route(path, (route) => (route.request().method() === method ? route.fulfill({ status, body: 'oops' }) : route.fallback()))

  test('a list says in its place, logs it, and says no notice; another try brings it [LIST-MSG-004] [LIST-API-007]', async () => {
    const page = await open(admin)
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await fail(page, /\/divisions\?/, 'GET', 422)
    await page.goto(at('divisions'))
    const state = page.getByRole('main').getByRole('alert').filter({ hasText: 'This list could not be loaded' })
    await state.waitFor()
    await page.waitForTimeout(500)
    expect(await noticesSaid(page)).toEqual([])
    expect(logged.some((line) => line.includes('could not load') && line.includes('divisions'))).toBe(true)
    await page.unroute(/\/divisions\?/)
    await state.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('1–10 of 60 divisions').waitFor()
  })

  test('a delete says Request error with the status text for 0.8 seconds, and the row stays [LIST-MSG-003] [LIST-MSG-011] [LIST-CONST-011]', async () => {
    const page = await open(admin, { at: at('divisions') })
    await fail(page, /\/divisions\/\d+$/, 'DELETE', 503)
    const row = page.getByRole('row').filter({ hasText: 'District 03' })
    await row.getByRole('button', { name: /^Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Delete Division' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    const said = await goneNotice(page)
    expect(said).toMatchObject({ kind: 'Error', title: 'Request error', message: 'Service Unavailable' })
    expect(said.ms).toBeGreaterThan(700)
    expect(said.ms).toBeLessThan(2_500)
    expect(await row.count()).toBe(1)
  })

  test('any other request says Request error with the status text, too [LIST-MSG-005]', async () => {
    const page = await open(admin, { at: at('divisions') })
    await fail(page, /\/divisions\.csv|\/divisions\/export|export/, 'GET', 502)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    expect(await heardNotice(page)).toMatchObject({ kind: 'Error', title: 'Request error', message: 'Bad Gateway' })
    await fail(page, /\/divisions$/, 'POST', 500)
    await page.goto(at('divisions/new'))
    for (const [label, text] of [
      ['Name', 'Lakes'],
      ['Short Code', 'LK'],
      ['Code', '07'],
    ] as const)
      await page.getByLabel(`${label} *`, { exact: true }).fill(text)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await heardNotice(page, 1)).toMatchObject({ kind: 'Error', title: 'Request error', message: 'Internal Server Error' })
    expect(await page.getByLabel('Name *', { exact: true }).inputValue()).toBe('Lakes')
  })
})

describe('a page of rows', () => {
  const shown = (page: Page) => page.locator('[role=grid] [role=rowgroup]:nth-of-type(2) > [role=row]').count()
  /** Pixels between the end of the list and the end of the window. */
  const roomBelow = (page: Page) =>
    page.evaluate(() => innerHeight - Math.round(document.querySelector('nav[aria-label=Pages]')?.getBoundingClientRect().bottom ?? 0))

  test('has as many rows as the screen where that is chosen, in every list and after a reload, until a number is chosen', async () => {
    const page = await open(admin, { at: at('divisions') })
    await soon(() => shown(page)).toBe(10)
    const size = page.getByLabel('Per page')
    await size.selectOption('fit')
    await soon(() => shown(page)).toBeGreaterThan(12)
    const fitting = await shown(page)
    // The whole list is in sight, and another row would not be.
    expect(await roomBelow(page)).toBeGreaterThanOrEqual(0)
    expect(await roomBelow(page)).toBeLessThan(60)
    expect(await page.getByRole('grid').evaluate((grid) => grid.scrollHeight - grid.clientHeight)).toBeLessThanOrEqual(1)
    expect(await size.inputValue()).toBe('fit')
    // A later page names its number of rows, for whoever gets its address.
    await page.getByRole('button', { name: 'Next page' }).click()
    await soon(() => addressOf(page)).toContain(`page=2&per=${fitting}`)
    await page.getByRole('button', { name: 'Previous page' }).click()
    await soon(() => addressOf(page)).toBe(at('divisions'))
    const asked = page.waitForRequest(/\/divisions\?/)
    await page.reload()
    expect(new URL((await asked).url()).searchParams.get('per')).toBe(String(fitting))
    await page.setViewportSize({ width: 1366, height: 1000 })
    await soon(() => shown(page)).toBeGreaterThan(fitting + 4)
    await goInside(page, '/clients')
    await soon(() => size.inputValue()).toBe('fit')
    await goInside(page, at('divisions'))
    await size.selectOption('20')
    await soon(() => shown(page)).toBe(20)
    expect(addressOf(page)).toContain('per=20')
    await goInside(page, at('facilities'))
    await soon(() => size.inputValue()).toBe('10')
  })
})

describe('an export', () => {
  test('is asked with the keyboard as a workbook of the columns in sight, in their order, and comes with the client in its name', async () => {
    const page = await open(admin, { at: at('divisions') })
    await page.getByRole('textbox', { name: 'Filter Name' }).fill('District 01')
    await soon(() => page.getByRole('row').count()).toBe(3)
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Short Code' }).click()
    await soon(() => column(page, 'Short Code').count()).toBe(0)
    await page.keyboard.press('Escape')
    const shown = await page.getByRole('columnheader').allTextContents()
    await page.getByRole('button', { name: 'Other formats' }).focus()
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Columns shown, Excel' }).waitFor()
    await page.keyboard.press('Enter')
    await page
      .getByRole('link', { name: /Download|Open/ })
      .first()
      .click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^[\w-]+_divisions_\d{8}_\d{4}\.xlsx$/)
    const [sheet] = await readExcelFile(await file.path())
    expect(sheet?.data[0]).toEqual(
      shown.map((label) => label.replace(/[↑↓]/g, '').trim()).filter((label) => label !== '' && label !== 'Actions'),
    )
    expect(sheet?.data[0]).not.toContain('Short Code')
    expect(sheet?.data).toHaveLength(2)
  })
})

describe('lookups', () => {
  test('list all at once, search from three characters, a second after the last one; divisions by the thousand, types by ten [LIST-CONST-006] [LIST-CONST-004] [LIST-CONST-005] [LIST-CONST-011]', async () => {
    const page = await open(admin, { at: at('facilities/new') })
    const box = page.getByRole('combobox', { name: /^Division/ })
    await box.waitFor()
    const options = page.getByRole('listbox').getByRole('option').filter({ hasNotText: 'Add new' })
    const sent = apiRequests(page)
    const asked = () => sent.filter((line) => line.includes('select_options'))
    await box.click()
    await soon(() => options.count()).toBe(DIVISIONS)
    expect(asked()).toEqual([expect.stringMatching(/divisions\/select_options\?.*per=1000/)])
    sent.length = 0
    await box.pressSequentially('di')
    await page.waitForTimeout(1_500)
    expect(asked()).toEqual([])
    await box.pressSequentially('s', { delay: 50 })
    const since = Date.now()
    await page.waitForRequest(/select_options.*search_term=dis/)
    expect(Date.now() - since).toBeGreaterThan(900)
    await soon(() => options.count()).toBe(DIVISIONS - 1)
    expect(asked()).toHaveLength(1)
    sent.length = 0
    await page.getByRole('combobox', { name: /^Facility Type/ }).click()
    await soon(() => asked().length).toBe(1)
    expect(asked()[0]).toMatch(/facility_types\/select_options\?.*per=10(&|$)/)
  })

  test('of facilities load up to a thousand [LIST-CONST-017]', async () => {
    const page = await open(admin, { at: at('billable_accounts/new') })
    const asked = page.waitForRequest(/facilities\/select_options/)
    await page.getByRole('combobox', { name: /^Facility/ }).click()
    expect(new URL((await asked).url()).searchParams.get('per')).toBe('1000')
  })
})

function everyRead(): Record<string, string[]> {
  const models = ['client', 'division', 'facility', 'billable_account', 'supply_account', 'bill', 'vendor', 'service', 'user']
  return Object.fromEntries(models.map((model) => [model, ['read']]))
}

describe('rights', () => {
  const menuOf = async (page: Page, row: Locator): Promise<string[]> => {
    const button = row.getByRole('button', { name: /^Actions/ })
    if ((await button.count()) === 0) return []
    await button.click()
    const texts = await page.getByRole('menuitem').allInnerTexts()
    await page.keyboard.press('Escape')
    return texts
  }

  test.each([
    ['division', (): string => at('divisions'), 'Aaa West', ['View'], 'Edit Division', 'Delete Division'],
    ['facility', (): string => at('facilities'), 'Cold Store', ['View'], 'Edit', 'Delete'],
    ['billable_account', (): string => at('billable_accounts'), '77-1', ['View'], 'Edit', 'Delete'],
    ['service', (): string => at(`billable_accounts/${account}/services`), 'M-1', [], 'Edit Service', 'Delete Service'],
    ['client', (): string => '/clients', 'Harbor Foods', ['Vendor Numbers', 'Scope to Client'], 'Edit Client', null],
  ] as const)(
    'on %s: create offers Add New, update Edit, destroy Delete, and none the others [PERM-PERM-014] [PERM-PERM-017] [PERM-PERM-018] [PERM-PERM-019] [PERM-PERM-020] [PERM-PERM-023]',
    async (model, path, text, always, edit, remove) => {
      const page = await open(admin)
      const given: { permissions: Record<string, string[]> } = { permissions: everyRead() }
      await withRights(page, () => given)
      for (const action of ['create', 'update', 'destroy']) {
        given.permissions = { ...everyRead(), [model]: ['read', action] }
        await page.goto(path())
        const row = page.getByRole('row').filter({ hasText: text })
        await row.waitFor()
        expect([action, await page.getByRole('link', { name: 'Add New', exact: true }).count()]).toEqual([
          action,
          action === 'create' ? 1 : 0,
        ])
        const expected = [...(action === 'update' ? [edit] : []), ...always, ...(action === 'destroy' && remove !== null ? [remove] : [])]
        expect([action, (await menuOf(page, row)).toSorted()]).toEqual([action, expected.toSorted()])
      }
    },
  )

  test('read_subscription shows the tab Subscriptions, update on client its Save [PERM-PERM-015] [PERM-PERM-016]', async () => {
    const page = await open(admin)
    const given = { permissions: everyRead() }
    await withRights(page, () => given)
    const tab = page.getByRole('navigation', { name: 'Client', exact: true }).getByRole('link', { name: 'Subscriptions' })
    const documents = page.getByRole('navigation', { name: 'Client', exact: true }).getByRole('link', { name: 'Documents' })
    await page.goto(at('dashboard'))
    await documents.waitFor()
    expect(await tab.count()).toBe(0)
    given.permissions = { ...everyRead(), client: ['read', 'read_subscription'] }
    await page.goto(at('subscriptions'))
    await tab.waitFor()
    await page.getByLabel('User Management').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    expect(await page.getByLabel('User Management').isEnabled()).toBe(false)
    given.permissions = { ...everyRead(), client: ['read', 'read_subscription', 'update'] }
    await page.reload()
    await page.getByRole('button', { name: 'Save' }).waitFor()
  })
})
