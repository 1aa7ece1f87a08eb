/** Passkeys in a real Chromium, with its virtual authenticator, on the built console and its headers. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hashPassword } from '../../src/server/access/passwords.ts'
import { addRole } from '../support/app.ts'
import { credentialsOf } from '../support/sign-in.ts'
import { soon, startConsole, storedCredentials } from './console.ts'
import { axeFindings } from './looked-at.ts'

const { app, db, url, open } = await startConsole()
/** Browsers make passkeys for names alone. */
const local = `http://localhost:${new URL(url).port}`
const password = 'a long enough password'

async function makeUser(name: string): Promise<string> {
  const address = `${name}@example.test`
  const { rows } = await sql<{ id: number }>`insert into users (email, username, password_hash, account_confirmed)
    values (${address}, ${name}, ${await hashPassword(password)}, true) returning id`.execute(db)
  await addRole(db, rows[0]?.id ?? 0, 'super_admin', {})
  return address
}

/** A phone with a finger on it. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Whether the finger is the right one. */
    recognize: (isUserVerified: boolean) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const name of ['access-token', 'client', 'uid']) localStorage.removeItem(name)
  })
  await page.goto(`${local}/login`)
}

const entered = (page: Page) => page.getByText('Please select a client from the dropdown').waitFor()

test('a passkey is added in the profile, signs in without a password, answers the step after one, and is removed', async () => {
  const email = await makeUser('pia')
  const who = credentialsOf(await app.ask(null, 'POST', '/auth/sign_in', { email, password }))
  const page = await open(who, { mayComplain: true })
  const phone = await addAuthenticator(page)
  const answer = await page.goto(`${local}/users/profile/second_factor`)
  expect(answer?.headers()['permissions-policy']).toContain('publickey-credentials-create=(self), publickey-credentials-get=(self)')

  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Name is required').waitFor()
  await page.getByRole('dialog').getByLabel('Name').fill('My phone')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have stored them' }).waitFor()
  expect(await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').count()).toBe(10)
  expect(await phone.credentials()).toEqual([expect.objectContaining({ isResidentCredential: true, rpId: 'localhost' })])
  await page.getByRole('button', { name: 'I have stored them' }).click()
  const row = page.getByRole('row', { name: 'My phone' })
  await row.getByText('never').waitFor()
  await page.getByText('10 recovery codes are left.').waitFor()
  expect(await axeFindings(page)).toEqual([])

  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await entered(page)
  await page.goto(`${local}/users/profile/second_factor`)
  await row.waitFor()
  expect(await row.getByText('never').count()).toBe(0)

  await signOut(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByRole('heading', { name: 'Use your passkey' }).waitFor()
  expect(await storedCredentials(page)).toEqual([null, null, null])
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await entered(page)

  await page.goto(`${local}/users/profile/second_factor`)
  await page.getByRole('button', { name: 'Rename My phone' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Red phone')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByRole('button', { name: 'Remove Red phone' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await soon(() => page.getByRole('button', { name: 'Remove Red phone' }).count()).toBe(0)
  expect((await sql`select from passkeys`.execute(db)).rows).toHaveLength(0)
})

test('a finger that is not recognized and a passkey that was removed sign nobody in, and the page says so', async () => {
  const email = await makeUser('ute')
  const who = credentialsOf(await app.ask(null, 'POST', '/auth/sign_in', { email, password }))
  const page = await open(who, { mayComplain: true })
  const phone = await addAuthenticator(page)
  await page.goto(`${local}/users/profile/second_factor`)
  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('My phone')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have stored them' }).waitFor()
  await phone.recognize(false)
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('No passkey was used.', { exact: false }).waitFor()
  await phone.recognize(true)
  await sql`delete from passkeys`.execute(db)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('This passkey does not sign in here.', { exact: false }).waitFor()
  expect(await storedCredentials(page)).toEqual([null, null, null])
})
