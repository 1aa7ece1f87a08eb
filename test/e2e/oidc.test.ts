import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addRole, startTestApp } from '../support/app.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { codeNow } from '../support/second-factor.ts'
import { makeUser as makePasswordUser, password } from '../support/sign-in.ts'
import { addressOf, soon, startConsole, storedCredentials } from './console.ts'
import { pictureOf } from './pictures.ts'

const provider = await startIdentityProvider()
const { app, db, open, url } = await startConsole({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_LABEL: 'Acme Identity',
  SECOND_FACTOR_ROLES: 'muc_admin',
  SECOND_FACTOR_GRACE_DAYS: '1',
})
provider.openFor(url)

async function makeUser(name: string): Promise<void> {
  const email = `${name}@example.test`
  const { rows } = await sql<{
    id: number
  }>`insert into users (email, username, account_confirmed) values (${email}, ${name}, true) returning id`.execute(db)
  await addRole(db, rows[0]?.id ?? 0, 'super_admin', {})
  provider.people.set(name, { email, email_verified: true })
}

/** The provider's own pages: a name, any password, and the consent. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.locator('input[name="login"]').fill(name)
  await page.locator('input[name="password"]').fill('any')
  await page.locator('button[type="submit"]').click()
  await page.locator('input[name="prompt"][value="consent"]').waitFor({ state: 'attached' })
  await page.locator('button[type="submit"]').click()
}

test('a person signs in by the provider and lands where they wanted to go; no credential ever stands in an address', async () => {
  await makeUser('ann')
  const page = await open(null, { at: '/vendors', mayComplain: true })
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  page.on('request', (request) => addresses.push(request.url()))
  const button = page.getByRole('link', { name: 'Sign in with Acme Identity' })
  await button.waitFor()
  await pictureOf(page, 'oidc-login')
  await button.press('Enter')
  await page.waitForURL(`${provider.issuer}/**`)
  await signInThere(page, 'ann')
  await page.getByRole('heading', { name: 'Vendors' }).waitFor()
  const credentials = await storedCredentials(page)
  expect(credentials.every((one) => typeof one === 'string' && one.length > 0)).toBe(true)
  const [token = ''] = credentials
  expect(addresses.filter((address) => address.includes(String(token)))).toEqual([])
  // The one-time code does not stay behind either: going back finds nothing to reuse.
  expect(await page.evaluate(() => location.hash)).toBe('')
})

test('who has no account is told so, and may still sign in by password', async () => {
  provider.people.set('stranger', { email: 'stranger@example.test', email_verified: true })
  const page = await open(null, { at: '/login', mayComplain: true })
  await page.getByRole('link', { name: 'Sign in with Acme Identity' }).click()
  await signInThere(page, 'stranger')
  await page.getByText('There is no active account for you here. Ask an administrator.').waitFor()
  expect(addressOf(page)).toBe('/login')
  await pictureOf(page, 'oidc-unknown')
  expect(await storedCredentials(page)).toEqual([null, null, null])
  expect(await page.getByLabel('Password').isVisible()).toBe(true)
})

test('a code that was used or made up signs nobody in', async () => {
  const page = await open(null, { at: `/login#sign_in_code=${'x'.repeat(43)}`, mayComplain: true })
  await page.getByText(/begun in another window/).waitFor()
  await soon(() => page.evaluate(() => location.hash)).toBe('')
  expect(await storedCredentials(page)).toEqual([null, null, null])
})

test('a role that requires a second factor shows the days of grace, and then its setup before the sign-in', async () => {
  const email = 'rosa@example.test'
  const id = await makePasswordUser(app, email)
  await addRole(db, id, 'muc_admin', {})
  const enter = async () => {
    const page = await open(null, { at: '/login', mayComplain: true })
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    return page
  }
  const before = await enter()
  await before.getByText('You have 1 day left.', { exact: false }).waitFor()
  await before.getByRole('button', { name: 'Set it up now' }).click()
  await before.getByText('Your role requires it', { exact: false }).waitFor()
  await sql`update second_factor_deadlines set due_at = now() where user_id = ${id}`.execute(db)
  const page = await enter()
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  const secret = ((await page.getByLabel('Key').textContent()) ?? '').replaceAll(' ', '')
  expect(await storedCredentials(page)).toEqual([null, null, null])
  await page.getByLabel('6-digit code').fill(codeNow(secret))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByRole('banner').waitFor()
  expect((await storedCredentials(page))[2]).toBe(email)
})

test('where passwords are switched off the page has the provider’s button alone', async () => {
  const only = await startTestApp(
    {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      PASSWORD_SIGN_IN: 'false',
    },
    app.database,
  )
  const page = await open(null)
  await page.goto(`${await only.listen()}/login`)
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).waitFor()
  await soon(() => page.getByLabel('Password').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Forgot your password?' }).count()).toBe(0)
})
