/** What a clerk has at hand in each list: views as tabs, ranges of dates by name, sums in the foot, the next act where nothing is there, and paper. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { addDays, formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeClient, makeGround, monthlyDraft, type Ground } from '../support/bills.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { pictureOf } from './pictures.ts'

const { app, db, open } = await startConsole()
const MONTHS = 12
const long = 'The Consolidated Northern Gas, Light and Power Company of the Greater Bay'
let at: Ground
let admin: Person
let reader: Person
let empty: number

beforeAll(async () => {
  at = await makeGround(db)
  empty = await makeClient(db)
  admin = await makePerson(db, 'super_admin')
  reader = await makePerson(db, 'read_only_user', { clients: [at.clientId, empty] })
  await acting(app.database, (context) =>
    createBills(
      context,
      at.clientId,
      Array.from({ length: MONTHS }, (_, month) => monthlyDraft(at, month + 1)),
    ),
  )
  // The first bill is void: another one has replaced it.
  await sql`update bills set superseded_by_id = (select max(id) from bills where client_id = ${at.clientId})
    where id = (select min(id) from bills where client_id = ${at.clientId})`.execute(db)
  await sql`insert into vendors (name, short_code) select ${long} || ' ' || n, 'LONG' || n from generate_series(1, 60) n`.execute(db)
})

const bills = () => `/clients/${at.clientId}/bills`
const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')

test('saved views stand beside the title as links, each one press away, and a view gets another name', async () => {
  const page = await open(admin, { at: '/vendors' })
  await soon(() => rows(page).count()).toBe(10)
  expect(await page.getByRole('navigation', { name: 'Views' }).count()).toBe(0)
  for (const word of ['Power', 'Nothing']) {
    await page.getByRole('textbox', { name: 'Filter Name' }).fill(word)
    await soon(() => addressOf(page)).toContain(`name=${word}`)
    await page.getByRole('button', { name: /^View: / }).click()
    await page.getByRole('menuitem', { name: 'Save as…' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(word)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `View: ${word}`, exact: true }).waitFor()
  }
  const tabs = page.getByRole('navigation', { name: 'Views' }).getByRole('link')
  await soon(() => tabs.allInnerTexts()).toEqual(['All', 'Nothing', 'Power'])
  await lookedAt(page, 'list-views')
  await pictureOf(page, 'list-views')
  await tabs.filter({ hasText: 'Power' }).click()
  await soon(() => page.getByRole('textbox', { name: 'Filter Name' }).inputValue()).toBe('Power')
  expect(await tabs.filter({ hasText: 'Power' }).getAttribute('aria-current')).toBe('page')
  await page.getByRole('button', { name: 'View: Power', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  const name = page.getByRole('dialog', { name: 'Rename view' }).getByRole('textbox', { name: 'Name' })
  await soon(() => name.inputValue()).toBe('Power')
  await name.fill('Power companies')
  await page.keyboard.press('Enter')
  await soon(() => tabs.allInnerTexts()).toContain('Power companies')
  const { rows: stored } = await sql`select name, query from saved_views where user_id = ${admin.id} order by name`.execute(db)
  expect(stored).toEqual([
    { name: 'Nothing', query: 'name=Nothing' },
    { name: 'Power companies', query: 'name=Power' },
  ])
  await tabs.filter({ hasText: 'All' }).click()
  await soon(() => addressOf(page)).toBe('/vendors')
})

test('a pinned view is the tab of a list, and the list opens in the view that a person has chosen for it', async () => {
  const page = await open(admin, { at: '/vendors' })
  const tabs = page.getByRole('navigation', { name: 'Views' }).getByRole('link')
  await soon(() => tabs.allInnerTexts()).toEqual(['All', 'Nothing', 'Power companies'])
  await tabs.filter({ hasText: 'Power' }).click()
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'View: Power companies', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: item }).click()
  }
  await choose('Pin as a tab')
  await soon(() => tabs.allInnerTexts()).toEqual(['All', 'Power companies'])
  await choose('Open the list in this view')
  const start = sql<{
    start: number
  }>`select layout -> 'start' as start from list_layouts where user_id = ${admin.id} and list = 'vendors-views'`
  await soon(async () => (await start.execute(db)).rows[0]?.start).toEqual(expect.any(Number))
  await page.goto('/vendors')
  await soon(() => addressOf(page)).toMatch(/^\/vendors\?name=Power&view=\d+$/)
  await soon(() => page.getByRole('textbox', { name: 'Filter Name' }).inputValue()).toBe('Power')
  // A person who has chosen the whole list is not led back to the view.
  await tabs.filter({ hasText: 'All' }).click()
  await soon(() => rows(page).count()).toBe(10)
  expect(addressOf(page)).toBe('/vendors')
  // A link with filters shows what it names.
  await page.goto('/vendors?name=LONG')
  await soon(() => rows(page).count()).toBe(0)
  expect(addressOf(page)).toBe('/vendors?name=LONG')
})

test('a filter of dates has ranges by name, each one press', async () => {
  const today = todayIn(NEW_YORK, new Date())
  await sql`update bills set due_date = ${addDays(today, 3)} where id = (select max(id) from bills where client_id = ${at.clientId})`.execute(
    db,
  )
  const page = await open(admin, { at: bills() })
  await soon(() => rows(page).count()).toBe(10)
  await page.getByRole('button', { name: /^Filter Due Date/ }).click()
  await page.getByRole('group', { name: 'Ranges by name' }).getByRole('button', { name: 'Next 7 days' }).waitFor()
  await lookedAt(page, 'date-ranges')
  await pictureOf(page, 'date-ranges')
  await page.getByRole('button', { name: 'Next 7 days' }).click()
  await soon(() => rows(page).count()).toBe(1)
  expect(addressOf(page)).toContain(`due_date_gteq=${today}&due_date_lteq=${addDays(today, 6)}`)
  await page.getByRole('button', { name: `Filter Due Date: ${formatDate(today)} – ${formatDate(addDays(today, 6))}` }).waitFor()
})

test('the foot of a client’s bills says what all that match owe, names those that it leaves out, and follows the filters', async () => {
  const owed = async (from: number) => {
    const { rows: sums } = await sql<{ due: string }>`select to_char(sum(amount_due), 'FM$999,990.00') as due from bills
      where client_id = ${at.clientId} and superseded_by_id is null and current_charges >= ${from}`.execute(db)
    return sums[0]?.due ?? ''
  }
  const page = await open(reader, { at: bills() })
  const foot = page.getByRole('grid').getByRole('row').filter({ hasText: 'Owed by' })
  await soon(() => foot.innerText()).toContain(`Owed by ${MONTHS} bills, 1 void not counted`)
  expect(await foot.innerText()).toContain(await owed(0))
  await lookedAt(page, 'bills-foot')
  await pictureOf(page, 'bills-foot')
  await page.goto(`${bills()}?current_charges_gteq=158`)
  await soon(() => foot.innerText()).toContain(`Owed by ${MONTHS - 7} bills`)
  expect(await foot.innerText()).toContain(await owed(158))
  // One row is its own sum.
  await page.goto(`${bills()}?invoice_number=INV-12`)
  await soon(() => rows(page).count()).toBe(1)
  await page.waitForTimeout(1500)
  expect(await foot.count()).toBe(0)
})

test('a list without a record names the next act, and offers it to those who may do it', async () => {
  const page = await open(admin, { at: `/clients/${empty}/facilities` })
  const state = page.getByRole('main')
  await state.getByRole('heading', { name: 'No facilities yet' }).waitFor()
  await state.getByText('A facility belongs to a division and has the accounts.').waitFor()
  expect(await state.getByRole('link', { name: 'Take them from a file' }).getAttribute('href')).toBe(`/clients/${empty}/facilities/import`)
  await lookedAt(page, 'list-empty')
  await pictureOf(page, 'list-empty')
  await state.getByRole('link', { name: 'Add the first facility' }).click()
  await soon(() => addressOf(page)).toBe(`/clients/${empty}/facilities/new`)
  await page.goto(`/clients/${empty}/bills/new`)
  await page.getByRole('combobox', { name: 'Account' }).fill('7001')
  await page.getByRole('option', { name: 'Add a billable account…' }).click()
  await soon(() => addressOf(page)).toBe(`/clients/${empty}/billable_accounts/new`)
  const theirs = await open(reader, { at: `/clients/${empty}/facilities` })
  await theirs.getByRole('heading', { name: 'No facilities yet' }).waitFor()
  expect(await theirs.getByRole('link', { name: 'Add the first facility' }).count()).toBe(0)
})

test('a printed list has no controls, cuts nothing, is as wide as the paper, and keeps the number of its rows', async () => {
  const page = await open(admin, { at: '/vendors?per=100' })
  await soon(() => rows(page).count()).toBeGreaterThan(10)
  await page.setViewportSize({ width: 720, height: 960 })
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => globalThis.dispatchEvent(new Event('beforeprint')))
  await soon(() => rows(page).count()).toBe(61)
  const print = await page.evaluate(() => ({
    controls: [...document.querySelectorAll('main :is(button, input, select)')].filter((one) => one.checkVisibility()).length,
    cut: [...document.querySelectorAll('main [role=gridcell]')].filter(
      (one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1,
    ).length,
    wide: document.documentElement.scrollWidth > innerWidth,
    overlap: [...document.querySelectorAll('main [role=rowgroup]:nth-of-type(2) [role=row]')].some((row) => {
      const next = row.nextElementSibling
      return next !== null && next.getBoundingClientRect().top < row.getBoundingClientRect().bottom - 1
    }),
  }))
  await pictureOf(page, 'list-print')
  // The sorts in the titles of the columns are what is left of the controls.
  const sorts = await page.getByRole('columnheader').getByRole('button').count()
  expect(print).toEqual({ controls: sorts, cut: 0, wide: false, overlap: false })
  const paper = await page.pdf({ format: 'Letter' })
  expect((paper.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length).toBeGreaterThan(1)
  await page.evaluate(() => globalThis.dispatchEvent(new Event('afterprint')))
})

test('letters act by themselves until a person switches them off in the sheet of shortcuts, and that lasts', async () => {
  const page = await open(admin, { at: bills() })
  await soon(() => rows(page).count()).toBe(10)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByRole('checkbox', { name: /^Letters and signs/ }).click()
  await page.keyboard.press('Escape')
  await page.reload()
  await soon(() => rows(page).count()).toBe(10)
  await page.keyboard.press('n')
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  expect(addressOf(page)).toBe(bills())
  expect(await sheet.count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.evaluate(() => localStorage.removeItem('letters_off'))
  await page.keyboard.press('n')
  await soon(() => addressOf(page)).toBe(`${bills()}/new`)
})

test('the menu of settings leads to the shortcuts and to the glossary, which finds a word by its meaning', async () => {
  const page = await open(reader, { at: bills() })
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Glossary' }).click()
  const glossary = page.getByRole('dialog', { name: 'Glossary' })
  await soon(() => glossary.getByRole('textbox').evaluate((field) => field === document.activeElement)).toBe(true)
  await lookedAt(page, 'glossary')
  await pictureOf(page, 'glossary')
  await page.keyboard.type('corrects')
  await soon(() => glossary.getByRole('term').allInnerTexts()).toEqual(['Rebill'])
  await page.keyboard.type(' nothing')
  await glossary.getByText('No word matches “corrects nothing”.').waitFor()
  await page.keyboard.press('Escape')
  await glossary.waitFor({ state: 'detached' })
})
