import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { staffRoles } from '#contract/access/rights.ts'
import { hashPassword } from '../../src/server/access/passwords.ts'
import { addRole, makePerson } from '../support/app.ts'
import { makeClient } from '../support/estate.ts'
import { linkIn, mailTo } from '../support/mails.ts'
import { codeNow, guard } from '../support/second-factor.ts'
import { credentialsOf } from '../support/sign-in.ts'
import { addressOf, apiRequests, startConsole, soon, storedCredentials } from './console.ts'
import { heardNotice, noticesSaid } from './notices-said.ts'

const { app, db, open } = await startConsole()
const password = 'a long enough password'
let email = ''

beforeAll(async () => {
  email = await makeUser('ann')
})

async function makeUser(name: string, confirmed = true): Promise<string> {
  const address = `${name}@example.test`
  const { rows } = await sql<{ id: number }>`insert into users (email, username, password_hash, account_confirmed)
    values (${address}, ${name}, ${await hashPassword(password)}, ${confirmed}) returning id`.execute(db)
  await addRole(db, rows[0]?.id ?? 0, 'super_admin', {})
  return address
}

/** Returns the path of the newest link mailed to this address after the mail `after`. */
async function mailedLink(to: string, after = 0): Promise<string> {
  const { pathname, search } = linkIn(await mailTo(db, to, after))
  return pathname + search
}

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}
const errorOf = (page: Page, label: string) =>
  page
    .getByLabel(label, { exact: true })
    .evaluate((input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent ?? '')
const signIn = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true }).click()
const faulty = (page: Page, path: string, status: number, body: object) =>
  page.route(`**/api/v5${path}`, (route) => route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }))

describe('a second factor', () => {
  test('is set up in the profile, asked for after the password, replaced by a recovery code, and switched off', async () => {
    const address = await makeUser('ines')
    const who = credentialsOf(await app.ask(null, 'POST', '/auth/sign_in', { email: address, password }))
    const profile = await open(who, { at: '/users/profile/second_factor', mayComplain: true })
    await profile.getByRole('button', { name: 'Set up' }).click()
    const secret = ((await profile.getByLabel('Key', { exact: true }).textContent()) ?? '').replaceAll(' ', '')
    expect(await profile.getByRole('link', { name: 'Open your authenticator app' }).getAttribute('href')).toContain(`secret=${secret}`)
    await profile.getByLabel('6-digit code').fill('000000')
    await profile.getByRole('button', { name: 'Confirm' }).click()
    await profile.getByText('This code is wrong.', { exact: false }).waitFor()
    await profile.getByLabel('6-digit code').fill(codeNow(secret))
    await profile.keyboard.press('Enter')
    await profile.getByRole('button', { name: 'I have stored them' }).waitFor()
    const codes = await profile.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
    expect(codes).toHaveLength(10)
    await profile.getByRole('button', { name: 'I have stored them' }).click()
    await profile.getByText('10 recovery codes are left.', { exact: false }).waitFor()

    const page = await open(null, { at: '/login', mayComplain: true })
    await fill(page, { Email: address, Password: password })
    await signIn(page)
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    const field = page.getByLabel('6-digit code')
    expect(await field.evaluate((input) => [input.getAttribute('autocomplete'), input === document.activeElement])).toEqual([
      'one-time-code',
      true,
    ])
    expect(await storedCredentials(page)).toEqual([null, null, null])
    await field.fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong, or was used already').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await page.getByLabel('Email').inputValue()).toBe(address)
    await fill(page, { Password: password })
    await signIn(page)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await page.getByText('Please select a client from the dropdown').waitFor()

    await profile.reload()
    await profile.getByText('9 recovery codes are left.', { exact: false }).waitFor()
    await profile.getByRole('button', { name: 'Switch off…' }).click()
    await profile.getByLabel('Code of the app, or a recovery code').fill(codeNow(secret, 1))
    await profile.keyboard.press('Enter')
    await profile.getByRole('button', { name: 'Set up' }).waitFor()
  })

  test('of somebody who has lost it is removed by an administrator above them', async () => {
    const person = await makePerson(db, 'read_only_user')
    await guard(db, person.id)
    const page = await open(await makePerson(db, 'super_admin'), { at: `/users/${person.id}/edit` })
    await page.getByRole('button', { name: 'Remove second factor…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('They have no second factor.').waitFor()
    expect((await sql`select from second_factors where user_id = ${person.id}`.execute(db)).rows).toEqual([])
  })
})

describe('the sign-in page', () => {
  test('has a form with email and password, the button, and the way to a new password [AUTH-ROUTE-001] [AUTH-ROUTE-002] [AUTH-ROUTE-003]', async () => {
    const page = await open(null, { at: '/login' })
    expect(await page.getByLabel('Email').getAttribute('type')).toBe('email')
    expect(await page.getByLabel('Password').getAttribute('type')).toBe('password')
    expect(await page.getByRole('button', { name: 'Sign In', exact: true }).getAttribute('type')).toBe('submit')
    await page.locator('a[href="/forgot_password"]').click()
    await page.getByRole('heading', { name: 'Reset Password' }).waitFor()
  })

  test('loads nothing of the console', async () => {
    const page = await open(null)
    const files: string[] = []
    page.on('request', (request) => files.push(new URL(request.url()).pathname))
    await page.goto('/login', { waitUntil: 'networkidle' })
    const scripts = files.filter((file) => file.endsWith('.js')).map((file) => file.replace(/^\/assets\/|-[\w-]{8}\.js$/g, ''))
    expect(scripts.toSorted()).toEqual(['login', 'react', 'rolldown-runtime'])
  })

  test('asks for an email, for its form, and for a password, before it asks the server [AUTH-RULE-002] [AUTH-RULE-003] [AUTH-RULE-004]', async () => {
    const page = await open(null, { at: '/login' })
    const sent = apiRequests(page)
    await signIn(page)
    expect([await errorOf(page, 'Email'), await errorOf(page, 'Password')]).toEqual(['Email is required', 'Password is required'])
    await fill(page, { Email: 'ann.example', Password: 'x' })
    await signIn(page)
    expect(await errorOf(page, 'Email')).toMatch(/^Enter an email address/)
    expect(await errorOf(page, 'Password')).toBe('')
    expect(sent.filter((request) => request.startsWith('POST'))).toEqual([])
  })

  test('is one for the provider’s people, a channel partner’s and a client’s: each comes to the console of the role [SHELL-SCREEN-001]', async () => {
    const client = await makeClient(db, { name: 'Harbor Foods' })
    for (const role of ['muc_admin', 'channel_partner_admin', 'client_user'] as const) {
      const address = `${role}@example.test`
      const person = await makePerson(db, role, { clients: [client] })
      await sql`update users set email = ${address}, password_hash = ${await hashPassword(password)}, account_confirmed = true where id = ${person.id}`.execute(
        db,
      )
      const page = await open(null, { at: '/login' })
      await fill(page, { Email: address, Password: password })
      await signIn(page)
      await page.getByRole('banner').getByRole('link', { name: 'Advanced Search' }).waitFor()
      const isStaff = staffRoles.includes(role)
      await page.goto(isStaff ? '/landing' : `/clients/${client}/divisions`)
      await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: isStaff ? 'Clients' : 'Divisions', exact: true })
        .waitFor()
      const staffEntry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Clients', exact: true })
      expect(await staffEntry.count(), role).toBe(isStaff ? 1 : 0)
      await page.context().close()
    }
  })

  test('keeps the three credentials in local storage, goes to / and fetches the profile; the address never carries one [AUTH-TRANS-001] [AUTH-TRANS-004] [AUTH-CONST-001]', async () => {
    const page = await open(null, { at: '/login' })
    const sent = apiRequests(page)
    const visited: string[] = []
    page.on('request', (request) => visited.push(request.url()))
    await fill(page, { Email: email, Password: password })
    const profile = page.waitForResponse(/\/users\/profile$/)
    await signIn(page)
    await page.getByText('Please select a client from the dropdown').waitFor()
    expect(addressOf(page)).toBe('/')
    expect((await profile).status()).toBe(200)
    expect(sent.indexOf('GET /users/profile')).toBeGreaterThan(sent.indexOf('POST /auth/sign_in'))
    const kept = await storedCredentials(page)
    expect(kept[2]).toBe(email)
    for (const secret of kept) expect(secret).toBeTruthy()
    const { rows } = await sql`select id from sessions where client = ${kept[1]}`.execute(db)
    expect(rows).toHaveLength(1)
    for (const address of visited)
      for (const secret of [kept[0], kept[1], password]) expect(decodeURIComponent(address)).not.toContain(secret)
    const cookies = await page.context().cookies()
    expect(cookies.map((cookie) => cookie.name)).toEqual(['theme'])
  })

  test('says Sign In Error with the server’s errors joined by a comma, and stays [AUTH-MSG-003]', async () => {
    const page = await open(null, { at: '/login' })
    await fill(page, { Email: email, Password: 'not the password' })
    await signIn(page)
    const real = await heardNotice(page)
    expect(real).toMatchObject({ kind: 'Error', title: 'Sign In Error' })
    expect(real.message).not.toBe('')
    await faulty(page, '/auth/sign_in', 401, { success: false, errors: ['The account is locked', 'Call the help desk'] })
    await signIn(page)
    expect(await heardNotice(page, 1)).toMatchObject({ title: 'Sign In Error', message: 'The account is locked, Call the help desk' })
    expect(addressOf(page)).toBe('/login')
    expect(await storedCredentials(page)).toEqual([null, null, null])
  })

  test('shows Sign In Error for 0.8 seconds, neither shorter nor longer [AUTH-MSG-004]', async () => {
    const page = await open(null)
    await page.clock.install()
    await page.goto('/login')
    await fill(page, { Email: email, Password: 'not the password' })
    await page.clock.pauseAt(Date.now() + 60_000)
    await signIn(page)
    const title = page.getByRole('alert').getByText('Sign In Error')
    await title.waitFor()
    await page.clock.runFor(750)
    expect(await title.count()).toBe(1)
    await page.clock.runFor(100)
    await title.waitFor({ state: 'detached' })
  })

  test('leads somebody who is signed in to / [AUTH-ROUTE-004]', async () => {
    const page = await open(await makePerson(db, 'super_admin'), { at: '/login' })
    await page.getByText('Please select a client from the dropdown').waitFor()
    expect(addressOf(page)).toBe('/')
  })

  test('stands before every page for a visitor, but not before the two pages of the password, and leads back afterwards [AUTH-RULE-001]', async () => {
    const page = await open(null)
    for (const path of ['/', '/vendors?name=gas', '/clients/1/bills/new', '/global_batch/files', '/users/profile', '/nowhere']) {
      await page.goto(path)
      await page.waitForURL('**/login')
      expect(await page.getByRole('banner').count()).toBe(0)
    }
    for (const path of ['/forgot_password', '/reset_password?access-token=a&client=b&uid=c']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(addressOf(page)).toBe(path.split('?')[0])
    }
    await page.goto('/vendors?name=gas')
    await page.waitForURL('**/login')
    await fill(page, { Email: email, Password: password })
    await signIn(page)
    await page.waitForURL('**/vendors?name=gas')
  })
})

describe('the end of a sign-in', () => {
  const askToLeave = async (page: Page) => {
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Sign Out' }).click()
    return page.getByRole('alertdialog')
  }

  test('asks first; Cancel stays; then the credentials are gone, here and on the server, and /login shows [AUTH-TRANS-002] [AUTH-MSG-001] [SHELL-SCREEN-014]', async () => {
    const person = await makePerson(db, 'super_admin')
    const page = await open(person, { at: '/vendors' })
    const question = await askToLeave(page)
    expect(await question.innerText()).toContain('Are you sure you want to sign out?')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await storedCredentials(page)).toEqual([person.headers['access-token'], person.headers['client'], person.email])
    await (await askToLeave(page)).getByRole('button', { name: 'Sign Out' }).click()
    // A request that is answered 401 meanwhile goes to the same address, which ends the first way there.
    await soon(() => addressOf(page)).toBe('/login')
    expect(await storedCredentials(page)).toEqual([null, null, null])
    const { rows } = await sql`select id from sessions where client = ${person.headers['client']}`.execute(db)
    expect(rows).toEqual([])
  })

  test('that fails says Sign Out Error with the status text, and keeps the person signed in [AUTH-MSG-005]', async () => {
    const page = await open(await makePerson(db, 'super_admin'), { at: '/vendors' })
    await faulty(page, '/auth/sign_out', 500, { oops: true })
    await (await askToLeave(page)).getByRole('button', { name: 'Sign Out' }).click()
    expect(await heardNotice(page)).toMatchObject({ kind: 'Error', title: 'Sign Out Error', message: 'Internal Server Error' })
    expect(addressOf(page)).toBe('/vendors')
    expect(await storedCredentials(page)).not.toContain(null)
  })

  test('comes with any 401: the credentials are forgotten, /login shows, and it leads back [AUTH-TRANS-003] [AUTH-MSG-002]', async () => {
    const page = await open(await makePerson(db, 'super_admin'), { at: '/vendors' })
    await page.getByRole('grid', { name: 'Vendors' }).waitFor()
    await page.route(/\/api\/v5\/vendors\?/, (route) => route.fulfill({ status: 401, contentType: 'application/json', body: '{}' }))
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.waitForURL('**/login')
    expect(await storedCredentials(page)).toEqual([null, null, null])
    expect(await noticesSaid(page)).toEqual([])
    await fill(page, { Email: email, Password: 'not the password' })
    await signIn(page)
    expect((await heardNotice(page)).title).toBe('Sign In Error')
    expect(addressOf(page)).toBe('/login')
  })
})

describe('a new account', () => {
  test('is confirmed by opening the mailed link, whose page asks for the email to set a password; only then can it sign in [USER-TRANS-002] [AUTH-ROUTE-006]', async () => {
    const address = await makeUser('newcomer', false)
    const page = await open(null, { at: '/login' })
    await fill(page, { Email: address, Password: password })
    await signIn(page)
    expect(await heardNotice(page)).toMatchObject({ title: 'Sign In Error', message: 'Invalid login credentials. Please try again.' })
    await page.goto('/forgot_password')
    await fill(page, { Email: address })
    await page.getByRole('button', { name: 'Send link' }).click()
    const confirmation = await mailTo(db, address)
    expect(confirmation.subject).toBe('Confirm your Meterbook account')
    await page.goto(await mailedLink(address))
    await page.getByText(/account has been confirmed.*email.*new password/).waitFor()
    expect(addressOf(page)).toBe('/forgot_password?account_confirmation_success=true')
    const { rows } = await sql`select account_confirmed from users where email = ${address}`.execute(db)
    expect(rows).toEqual([{ account_confirmed: true }])
    await fill(page, { Email: address })
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.goto(await mailedLink(address, confirmation.id))
    await fill(page, { Password: 'another long password', 'Password confirmation': 'another long password' })
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.waitForURL('**/login')
    await fill(page, { Email: address, Password: 'another long password' })
    await signIn(page)
    await page.getByText('Please select a client from the dropdown').waitFor()
  })

  test('whose link is over is told so, and offered another', async () => {
    const page = await open(null, { at: '/api/v5/auth/confirmation?access-token=a&client=b&uid=c' })
    await page.getByText('This link is not valid any more. Enter your email, and a new one will be sent to it.').waitFor()
    await page.getByLabel('Email').waitFor()
  })
})

describe('a device that was signed in from', () => {
  test('is not braked by others who guess at the account, also after signing out', async () => {
    const address = await makeUser('besieged')
    const page = await open(null, { at: '/login' })
    await fill(page, { Email: address, Password: password })
    await signIn(page)
    await page.getByText('Please select a client from the dropdown').waitFor()
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Sign Out' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out' }).click()
    await page.waitForURL('**/login')
    for (let guess = 0; guess < 11; guess++) await app.ask(null, 'POST', '/auth/sign_in', { email: address, password: 'guess' })
    const stranger = await open(null, { at: '/login' })
    await fill(stranger, { Email: address, Password: password })
    await signIn(stranger)
    expect((await heardNotice(stranger)).message).toMatch(/^Too many failed sign-ins\. Please wait \d+ seconds\.$/)
    await fill(page, { Email: address, Password: password })
    await signIn(page)
    await page.getByText('Please select a client from the dropdown').waitFor()
  })
})

describe('a new password', () => {
  test('/forgot_password asks for an email and for its form [AUTH-ROUTE-005] [AUTH-RULE-005]', async () => {
    const page = await open(null, { at: '/forgot_password' })
    const sent = apiRequests(page)
    await page.getByRole('heading', { name: 'Reset Password', level: 1 }).waitFor()
    const send = page.getByRole('button', { name: 'Send link' })
    await send.click()
    expect(await errorOf(page, 'Email')).toBe('Email is required')
    await fill(page, { Email: 'ann@' })
    await send.click()
    expect(await errorOf(page, 'Email')).toMatch(/^Enter an email address/)
    expect(sent).toEqual([])
  })

  test('the flag account_confirmation_success says that the account is confirmed, and asks for the email [AUTH-ROUTE-006]', async () => {
    const page = await open(null, { at: '/forgot_password?account_confirmation_success=true' })
    const text = page.getByText(/account has been confirmed.*email.*new password/)
    await text.waitFor()
    await page.goto('/forgot_password')
    await page.getByRole('heading', { name: 'Reset Password' }).waitFor()
    expect(await text.count()).toBe(0)
  })

  test('/reset_password without one of its three parameters is /login [AUTH-ROUTE-007] [AUTH-ROUTE-008]', async () => {
    const page = await open(null)
    const all = { 'access-token': 'a', client: 'b', uid: 'c' }
    for (const missing of Object.keys(all)) {
      await page.goto(`/reset_password?${new URLSearchParams(Object.entries(all).filter(([name]) => name !== missing)).toString()}`)
      await page.waitForURL('**/login')
    }
    await page.goto(`/reset_password?${new URLSearchParams(all).toString()}`)
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  })

  test('runs from the request over the mailed link back to /login, with what is said on the way [AUTH-TRANS-005] [AUTH-MSG-006] [AUTH-MSG-008] [AUTH-MSG-009] [AUTH-ROUTE-009] [AUTH-ROUTE-010] [AUTH-RULE-006] [AUTH-RULE-007]', async () => {
    const address = await makeUser('forgetful')
    const page = await open(null, { at: '/forgot_password' })
    await fill(page, { Email: address })
    await page.getByRole('button', { name: 'Send link' }).click()
    const requested = await heardNotice(page)
    expect(requested).toMatchObject({ kind: 'Done', title: 'Password reset request received' })
    expect(requested.message).toMatch(/^If an account exists .*link/)

    await page.goto(await mailedLink(address))
    const save = page.getByRole('button', { name: 'Set password' })
    await save.click()
    expect([await errorOf(page, 'Password'), await errorOf(page, 'Password confirmation')]).toEqual([
      'Password is required',
      'Password confirmation is required',
    ])
    await fill(page, { Password: 'another long password', 'Password confirmation': 'something else' })
    await save.click()
    expect(await heardNotice(page, 1)).toMatchObject({
      kind: 'Error',
      title: 'There was an error updating your password',
      message: 'Password and password confirmation must match.',
    })
    await fill(page, { 'Password confirmation': 'another long password' })
    const put = page.waitForRequest((request) => request.method() === 'PUT')
    await save.click()
    expect((await put).headers()).toMatchObject({ uid: address })
    await page.waitForURL('**/login')
    expect(await heardNotice(page, 2)).toMatchObject({
      kind: 'Done',
      title: 'Your password has been reset',
      message: 'Please login with your new password',
    })
    await fill(page, { Email: address, Password: 'another long password' })
    await signIn(page)
    await page.getByText('Please select a client from the dropdown').waitFor()
  })

  test('takes the link’s credentials out of the address and the history, and sends them to nobody but the server', async () => {
    const page = await open(null, { at: '/login' })
    const referrers: string[] = []
    page.on('request', (request) => referrers.push(request.headers()['referer'] ?? ''))
    const answer = await page.goto('/reset_password?access-token=secret-token&client=secret-client&uid=ann%40example.test')
    expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
    expect(addressOf(page)).toBe('/reset_password')
    const put = page.waitForRequest((request) => request.method() === 'PUT')
    await fill(page, { Password: 'another long password', 'Password confirmation': 'another long password' })
    await page.getByRole('button', { name: 'Set password' }).click()
    expect((await put).headers()).toMatchObject({ 'access-token': 'secret-token', client: 'secret-client', uid: 'ann@example.test' })
    await page.getByText('This link is not valid any more').first().waitFor()
    expect(referrers.filter((referrer) => referrer.includes('secret'))).toEqual([])
    // After going back, the page has nothing left to work with.
    await page.goto('/forgot_password')
    await page.goBack()
    await page.waitForURL('**/login')
  })

  test('joins the server’s messages where it cannot be set [AUTH-MSG-009]', async () => {
    const page = await open(null, { at: '/reset_password?access-token=a&client=b&uid=c' })
    await faulty(page, '/auth/password', 422, { success: false, errors: { full_messages: ['Too short', 'Too plain'] } })
    await fill(page, { Password: 'x', 'Password confirmation': 'y' })
    await page.getByRole('button', { name: 'Set password' }).click()
    expect(await heardNotice(page)).toMatchObject({ title: 'There was an error updating your password', message: 'Too short, Too plain' })
  })

  test('says that the request failed, whether the server refuses it or cannot be reached [AUTH-MSG-007]', async () => {
    const page = await open(null, { at: '/forgot_password' })
    await fill(page, { Email: email })
    await faulty(page, '/auth/password', 500, {})
    await page.getByRole('button', { name: 'Send link' }).click()
    expect(await heardNotice(page)).toMatchObject({ kind: 'Error', title: 'There was an error with the request' })
    await page.unroute('**/api/v5/auth/password')
    await page.route('**/api/v5/auth/password', (route) => route.abort())
    await page.getByRole('button', { name: 'Send link' }).click()
    expect(await heardNotice(page, 1)).toMatchObject({ kind: 'Error', title: 'There was an error with the request' })
  })
})
