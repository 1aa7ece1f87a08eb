/**
 * Rules of every form: a failed save stays visible, pickers can be used by keyboard, dates are typed over, notes may be blank, a list sends only
 * its own requests.
 */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../support/bills.ts'
import { makeDivision, makeFacility } from '../support/estate.ts'
import { addressOf, apiRequests, soon, startConsole } from './console.ts'
import { pictureOf } from './pictures.ts'

const { app, db, open } = await startConsole()
let at: Ground
let admin: Person
let facility: number
let bill: number

beforeAll(async () => {
  at = await makeGround(db)
  admin = await makePerson(db, 'super_admin')
  const division = await makeDivision(db, at.clientId, { name: 'Northern California' })
  facility = await makeFacility(db, at.clientId, division, { name: 'Store 1' })
  const outcomes = await acting(app.database, (context) => createBills(context, at.clientId, [monthlyDraft(at, 1)]))
  bill = outcomes[0]?.kind === 'created' ? outcomes[0].id : 0
})

const here = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name') ?? null)
const selected = (page: Page) => page.evaluate(() => getSelection()?.toString() ?? '')
const billField = (page: Page, label: string) =>
  page.getByRole('form', { name: 'Bill form' }).getByRole('textbox', { name: label, exact: true }).first()
/** Makes requests of this kind fail until the returned function is called. */
async function cut(page: Page, method: string): Promise<() => Promise<void>> {
  await page.route('**/api/v5/**', (route) => (route.request().method() === method ? route.abort('connectionreset') : route.fallback()))
  return () => page.unroute('**/api/v5/**')
}

test('a save that failed keeps its reason in the foot of the form, and Retry does it again: an entity, a bill, a form of its own', async () => {
  const page = await open(admin, { at: `/clients/${at.clientId}/facilities/${facility}/edit` })
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Store One')
  const entity = page.getByRole('form', { name: 'Facility form' })
  let end = await cut(page, 'PATCH')
  await entity.getByRole('button', { name: 'Save' }).click()
  await entity.getByRole('alert').getByText('Not saved: The server cannot be reached').waitFor()
  // Long after the toast has gone.
  await page.waitForTimeout(2000)
  expect(await entity.getByRole('alert').innerText()).toContain('The server cannot be reached')
  await pictureOf(page, 'form-failed')
  await end()
  await entity.getByRole('button', { name: 'Retry' }).click()
  await soon(() => addressOf(page)).not.toContain('/edit')

  await page.goto(`/clients/${at.clientId}/bills/${bill}/edit`)
  await billField(page, 'Invoice Number').fill('INV-X')
  end = await cut(page, 'PATCH')
  await page.keyboard.press('Control+Enter')
  const form = page.getByRole('form', { name: 'Bill form' })
  await form.getByText('Not saved: The server cannot be reached').waitFor()
  await page.waitForTimeout(1500)
  await pictureOf(page, 'bill-failed')
  await end()
  await form.getByRole('button', { name: 'Retry' }).click()
  await soon(() => addressOf(page)).not.toContain('/edit')

  await page.goto(`/clients/${at.clientId}/subscriptions`)
  end = await cut(page, 'PUT')
  const plain = page.getByRole('form', { name: 'Subscriptions form' })
  await plain.getByRole('button', { name: 'Save' }).click()
  await plain.getByText('Not saved: The server cannot be reached').waitFor()
  await end()
  await plain.getByRole('button', { name: 'Retry' }).click()
  await plain.getByRole('alert').waitFor({ state: 'detached' })
})

test('what was saved at once is no draft, however long the next page takes to come', async () => {
  const form = `/clients/${at.clientId}/facilities/${facility}/edit`
  const page = await open(admin, { at: form })
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.waitFor()
  await page.route(/\.js$/, async (route) => {
    await page.waitForTimeout(2000)
    await route.fallback()
  })
  await name.fill('Saved At Once')
  await page.keyboard.press('Control+Enter')
  await soon(() => addressOf(page)).not.toContain('/edit')
  await page.getByText('Saved At Once').first().waitFor()
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')))).toEqual([])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(form)
  await soon(() => name.inputValue()).toBe('Saved At Once')
  expect(await page.getByText('What you had typed was restored.').count()).toBe(0)
})

test('a picker’s first match is active while something is typed: Enter takes it and sends nothing, Tab takes it and goes on', async () => {
  const page = await open(admin, { at: `/clients/${at.clientId}/facilities/new` })
  const sent = apiRequests(page)
  const division = page.getByRole('combobox', { name: 'Division' })
  await division.pressSequentially('northern')
  await page.getByRole('option', { name: 'Northern California' }).waitFor()
  expect(await division.getAttribute('aria-activedescendant')).not.toBeNull()
  await division.press('Enter')
  await soon(() => division.inputValue()).toBe('Northern California')
  expect(await page.getByRole('form').getByText('is required').count()).toBe(0)
  // Typing replaces the choice, and Tab accepts the match; Enter before a response waits for it.
  await page.getByRole('textbox', { name: 'Name', exact: true }).focus()
  await division.focus()
  await page.keyboard.type('northern')
  await page.getByRole('option', { name: 'Northern California' }).waitFor()
  await page.keyboard.press('Tab')
  await soon(() => division.inputValue()).toBe('Northern California')
  expect(await division.evaluate((element) => element === document.activeElement)).toBe(false)
  await division.focus()
  await page.keyboard.type('california')
  await page.keyboard.press('Enter')
  await soon(() => division.inputValue()).toBe('Northern California')
  // An open list without a match handles the key too.
  await page.getByRole('textbox', { name: 'Name', exact: true }).focus()
  await division.focus()
  await page.keyboard.type('nowhere')
  await page.getByText('Nothing found for “nowhere”').waitFor()
  await page.keyboard.press('Enter')
  expect(await page.getByRole('form').getByText('is required').count()).toBe(0)
  expect(sent.filter((line) => line.startsWith('POST'))).toEqual([])
})

test('a date on the way of Enter is typed over, a wrong one is told in the form’s own format, and 2/29 without its year is refused', async () => {
  const page = await open(admin, { at: `/clients/${at.clientId}/bills/${bill}/edit` })
  await billField(page, 'Due Date').waitFor()
  await billField(page, 'Bill Date').or(billField(page, 'Date')).first().focus()
  await page.keyboard.press('Enter')
  await soon(() => here(page)).toBe('due_date')
  expect(await selected(page)).toMatch(/^\d\d\/\d\d\/\d{4}$/)
  await page.keyboard.type('2/20/26')
  await page.keyboard.press('Enter')
  expect(await billField(page, 'Due Date').inputValue()).toBe('02/20/2026')
  await billField(page, 'Due Date').fill('soon')
  await page.keyboard.press('Control+Enter')
  const said = page.getByRole('form', { name: 'Bill form' }).getByRole('alert')
  await soon(() => said.allInnerTexts()).toContain('Due Date must be a date, MM/DD/YYYY')
  await billField(page, 'Due Date').fill('2/29')
  await soon(() => said.allInnerTexts().then((texts) => texts.join())).toContain('There is no 02/29 in the year up to')
  await page.keyboard.press('Control+Enter')
  expect(addressOf(page)).toContain('/edit')
})

test('spaces in Notes are no note, and Enter goes on from there', async () => {
  const page = await open(admin, { at: `/clients/${at.clientId}/bills/${bill}/edit` })
  await page.getByText('More bill fields').click()
  const notes = page.getByRole('form', { name: 'Bill form' }).getByRole('textbox', { name: 'Notes' }).first()
  await notes.fill('   ')
  await notes.press('Enter')
  await soon(() => notes.evaluate((element) => element === document.activeElement)).toBe(false)
  await notes.focus()
  await notes.press('Shift+Enter')
  expect(await notes.inputValue()).toContain('\n')
  await page.keyboard.press('Control+Enter')
  await soon(() => addressOf(page)).not.toContain('/edit')
})

test('a list that is left asks nothing with the next page’s address', async () => {
  const page = await open(admin, { at: `/clients/${at.clientId}/billable_accounts/${at.accountId}/bills` })
  await page.getByRole('grid').waitFor()
  const wrong: string[] = []
  page.on('response', (answer) => answer.status() === 422 && wrong.push(answer.url()))
  await page.getByRole('link', { name: 'Add New' }).click()
  await page.getByRole('form', { name: 'Bill form' }).waitFor()
  await page.goto(`/clients/${at.clientId}/bills/import`)
  await page.getByRole('heading').first().waitFor()
  await page.evaluate((href) => history.pushState({}, '', href), `/clients/${at.clientId}/bills/findings?state=open`)
  await page.getByRole('heading', { name: /Findings/ }).waitFor()
  expect(wrong).toEqual([])
})
