/** Settings of a signed-in user: name, password, the console's appearance, sessions. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/server/access/passwords.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeClient, makeVendor } from '../support/estate.ts'
import { addressOf, apiRequests, soon, startConsole } from './console.ts'
import { goneNotice, heardNotice, noticesSaid } from './notices-said.ts'

const { app, db, open } = await startConsole()
const newPassword = 'meter readings at noon 7'

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const passwords = (page: Page) =>
  [page.getByLabel('Password', { exact: true }), page.getByLabel('Password Confirmation', { exact: true })] as const
const both = 'You must supply both a password and a password confirmation when resetting your password.'
const match = 'Password and password confirmation must match.'
const somebody = async (): Promise<Person> => makePerson(db, 'client_user', { clients: [await makeClient(db)] })
const storedUser = async (who: Person) =>
  (await sql<Record<string, unknown>>`select * from users where id = ${who.id}`.execute(db)).rows[0] ?? {}

/** Makes another session of the same user, as in another browser. */
async function signInElsewhere(who: Person, agent: string): Promise<Person> {
  const password = 'the first of all readings'
  await sql`update users set password_hash = ${await hashPassword(password)} where id = ${who.id}`.execute(db)
  const answer = await app.ask(null, 'POST', '/auth/sign_in', { email: who.email, password }, { 'user-agent': agent })
  expect(answer.status).toBe(200)
  const given = (name: string) => String(answer.headers[name])
  return { ...who, headers: { 'access-token': given('access-token'), client: given('client'), uid: given('uid') } }
}

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

describe('the user profile', () => {
  test('has seven fields and a way back, and saves them [USER-ROUTE-006] [PROF-ROUTE-001] [PROF-SCREEN-001] [PROF-FIELD-001] [PROF-RULE-001] [PROF-API-001]', async () => {
    const me = await somebody()
    const page = await open(me, { at: '/landing' })
    await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
    const sent = apiRequests(page)
    await page.getByRole('link', { name: 'User Profile' }).click()
    await page.waitForURL('**/users/profile')
    await page.getByRole('heading', { name: 'User Profile', level: 1 }).waitFor()
    await page.reload()
    await page.getByRole('form').waitFor()
    expect(sent).toContain('GET /users/profile')
    const labels = await page
      .getByRole('form')
      .getByRole('textbox')
      .or(page.locator('form input[type=password]'))
      .evaluateAll((all) => all.map((one) => (one instanceof HTMLInputElement ? (one.labels?.[0]?.textContent ?? '') : '')))
    expect(labels).toEqual(['Email *', 'Username *', 'First Name', 'Last Name', 'Title', 'Password', 'Password Confirmation'])
    await page.getByLabel('Email *').fill('')
    await page.getByLabel('Username *').fill('')
    await save(page)
    for (const message of ['Email is required', 'Username is required']) await page.getByText(message, { exact: true }).waitFor()
    await page.getByLabel('Email *').fill(me.email)
    await page.getByLabel('Username *').fill('rosa.d')
    await page.getByLabel('First Name').fill('Rosa')
    await page.getByLabel('Title').fill('Buyer')
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await save(page)
    const body: unknown = await (await answered).json()
    expect(body).toMatchObject({ success: true, message: expect.any(String) })
    expect((await heardNotice(page)).title).toBe('Success')
    expect(await storedUser(me)).toMatchObject({ username: 'rosa.d', first_name: 'Rosa', title: 'Buyer', status: 'active' })
    await soon(() => page.getByText('Not saved yet').count()).toBe(0)
    await soon(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Save')
    await page.getByRole('link', { name: 'Go Back' }).click()
    await page.waitForURL((address) => !address.pathname.startsWith('/users/profile'))
  })

  test('asks for the password again where the sign-in is old, and then saves what was typed [PROF-API-001]', async () => {
    const me = await signInElsewhere(await somebody(), windows)
    await sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${me.id}`.execute(db)
    // The browser notes the refusal that the dialog answers.
    const page = await open(me, { at: '/users/profile', mayComplain: true })
    await page.getByLabel('Email *').fill(`moved-${me.email}`)
    await save(page)
    const dialog = page.getByRole('dialog', { name: 'Enter your password' })
    // Without the password nothing is saved or lost, and the form says why.
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await soon(() => dialog.count()).toBe(0)
    await page.getByRole('form').getByText('Not saved: Please enter your password to go on').waitFor()
    expect(await page.getByLabel('Email *').inputValue()).toBe(`moved-${me.email}`)
    await save(page)
    await dialog.getByLabel('Current Password').fill('not the password')
    await page.keyboard.press('Enter')
    await dialog.getByText('This is not your password.', { exact: false }).waitFor()
    expect(await storedUser(me)).toMatchObject({ email: me.email })
    await dialog.getByLabel('Current Password').fill('the first of all readings')
    await page.keyboard.press('Enter')
    await soon(async () => (await noticesSaid(page)).at(-1)?.title).toBe('Success')
    await soon(() => dialog.count()).toBe(0)
    expect(await storedUser(me)).toMatchObject({ email: `moved-${me.email}` })
  })

  test('wants both password fields or none, and both the same [PROF-RULE-002] [PROF-RULE-003] [PROF-MSG-001] [PROF-MSG-002] [PROF-MSG-004]', async () => {
    const me = await somebody()
    const page = await open(me, { at: '/users/profile' })
    const [one, two] = passwords(page)
    const sent = apiRequests(page)
    await one.fill(newPassword)
    await save(page)
    await page.getByRole('alert').getByText(both, { exact: true }).first().waitFor()
    expect(await heardNotice(page)).toMatchObject({ kind: 'Error', message: both })
    expect(await two.getAttribute('aria-invalid')).toBe('true')
    await one.fill('')
    await two.fill(newPassword)
    await save(page)
    expect(await heardNotice(page, 1)).toMatchObject({ kind: 'Error', message: both })
    expect(await one.getAttribute('aria-invalid')).toBe('true')
    await one.fill('meter readings at noon 8')
    await save(page)
    expect(await heardNotice(page, 2)).toMatchObject({ kind: 'Error', message: match })
    expect(sent.filter((request) => request.startsWith('PATCH'))).toEqual([])
    expect((await storedUser(me))['password_hash']).toBeNull()
  })

  test('a new password ends every other sign-in and keeps this one [PROF-API-002]', async () => {
    const me = await somebody()
    const elsewhere = await signInElsewhere(me, windows)
    const page = await open(me, { at: '/users/profile' })
    for (const field of passwords(page)) await field.fill(newPassword)
    await save(page)
    expect((await heardNotice(page)).title).toBe('Success')
    await soon(() => passwords(page)[0].inputValue()).toBe('')
    expect((await app.ask(elsewhere, 'GET', '/users/profile')).status).toBe(401)
    await page.goto('/users/profile/display')
    await page.getByRole('heading', { name: 'Display' }).waitFor()
    const again = await app.ask(null, 'POST', '/auth/sign_in', { email: me.email, password: newPassword })
    expect(again.status).toBe(200)
  })

  test('says what the server refuses, at its field and as a notice [PROF-MSG-003]', async () => {
    const me = await somebody()
    const other = await somebody()
    const page = await open(me, { at: '/users/profile' })
    await page.getByLabel('Email *').fill(other.email)
    await save(page)
    expect(await heardNotice(page)).toMatchObject({ kind: 'Error', message: 'Email is taken already' })
    await page.getByRole('form').getByText('Email is taken already', { exact: true }).waitFor()
    await page.getByLabel('Email *').fill(me.email)
    for (const field of passwords(page)) await field.fill('short')
    await save(page)
    expect(await heardNotice(page, 1)).toMatchObject({ kind: 'Error', message: expect.stringMatching(/at least 12 characters/) })
  })

  test('a new email goes on without signing in anew', async () => {
    const me = await signInElsewhere(await somebody(), windows)
    const page = await open(me, { at: '/users/profile' })
    await page.getByLabel('Email *').fill('moved@example.test')
    await save(page)
    expect((await heardNotice(page)).title).toBe('Success')
    await page.reload()
    await soon(() => page.getByLabel('Email *').inputValue()).toBe('moved@example.test')
    expect(await page.evaluate(() => localStorage.getItem('uid'))).toBe('moved@example.test')
  })

  test('shows what was changed meanwhile, and keeps no password in the browser', async () => {
    const me = await somebody()
    const page = await open(me, { at: '/users/profile' })
    await page.getByLabel('Title').fill('Mine')
    for (const field of passwords(page)) await field.fill(newPassword)
    await page.waitForTimeout(600)
    const kept = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))
    expect(kept).toContain('Mine')
    expect(kept).not.toContain(newPassword)
    await sql`update users set title = 'Theirs', lock_version = lock_version + 1 where id = ${me.id}`.execute(db)
    await save(page)
    const conflict = page.getByRole('alert', { name: 'Changed by somebody else' })
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await conflict.waitFor({ state: 'detached' })
    await save(page)
    await soon(async () => (await noticesSaid(page)).at(-1)?.title).toBe('Success')
    expect(await storedUser(me)).toMatchObject({ title: 'Mine' })
  })
})

describe('how the console looks', () => {
  test('theme, row height and the length of notices are kept as they are chosen', async () => {
    const me = await makePerson(db, 'super_admin')
    await makeVendor(db, { name: 'Tall Row Power' })
    const page = await open(me, { at: '/users/profile/display' })
    await page.getByLabel('Theme').selectOption('light')
    expect(await page.evaluate(() => document.body.dataset['theme'])).toBe('light')
    await page.getByLabel('Theme').selectOption('system')
    expect(await page.evaluate(() => [document.cookie.includes('theme=system'), document.body.dataset['theme']])).toEqual([true, 'system'])
    await page.getByLabel('Row height').selectOption('roomy')
    await soon(async () => (await storedUser(me))['preferences']).toMatchObject({ density: 'roomy' })
    await page.getByLabel('Notices stay at least').selectOption('2')
    await soon(async () => (await storedUser(me))['preferences']).toMatchObject({ density: 'roomy', notice_seconds: 2 })
    await soon(() => page.getByLabel('Notices stay at least').inputValue()).toBe('2')
    await page.getByRole('button', { name: 'Show an example' }).click()
    expect((await goneNotice(page)).ms).toBeGreaterThan(1_800)
    await page.goto('/vendors')
    await page.getByRole('row').filter({ hasText: 'Tall Row Power' }).waitFor()
    await soon(() => page.evaluate(() => document.documentElement.dataset['density'])).toBe('relaxed')
    expect(await page.evaluate(() => document.body.dataset['theme'])).toBe('system')
  })
})

describe('where one is signed in', () => {
  test('is listed; another sign-in is ended alone or with all others, this one stays', async () => {
    const me = await somebody()
    const one = await signInElsewhere(me, windows)
    const two = await signInElsewhere(me, windows)
    const page = await open(me, { at: '/users/profile/sign_ins' })
    const lines = page.getByRole('table', { name: 'Where you are signed in' }).locator('tbody tr')
    await soon(() => lines.count()).toBe(3)
    expect(await lines.filter({ hasText: 'This one' }).count()).toBe(1)
    expect(await lines.filter({ hasText: 'This one' }).getByRole('button').count()).toBe(0)
    await lines
      .filter({ hasText: 'Windows' })
      .first()
      .getByRole('button', { name: /^Sign out/ })
      .click()
    await soon(() => lines.count()).toBe(2)
    const answers = async () =>
      (await Promise.all([one, two].map((who) => app.ask(who, 'GET', '/users/profile')))).map(({ status }) => status)
    expect((await answers()).toSorted()).toEqual([200, 401])
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await soon(() => lines.count()).toBe(1)
    expect(await answers()).toEqual([401, 401])
    expect(addressOf(page)).toBe('/users/profile/sign_ins')
    expect(await page.getByRole('button', { name: 'Sign out everywhere else' }).getAttribute('aria-disabled')).toBe('true')
  })
})

test('the pages of the profile stand side by side, for somebody without any role too', async () => {
  const nobody = await makePerson(db, null)
  const page = await open(nobody, { at: '/users/profile' })
  const tabs = page.getByRole('navigation', { name: 'User Profile' }).getByRole('link')
  await tabs.first().waitFor()
  for (const name of ['Display', 'Notifications', 'Sign-ins', 'User Profile']) {
    await tabs.filter({ hasText: name }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    expect(await tabs.filter({ hasText: name }).getAttribute('aria-current')).toBe('page')
  }
})
