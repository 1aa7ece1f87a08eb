import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { addDays, formatDate } from '#contract/kernel/date.ts'
import { today } from '../../src/server/kernel/clock.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeClient } from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { pictureOf } from './pictures.ts'

const { app, db, open } = await startConsole()
let anna: Person
let boss: Person

beforeAll(async () => {
  const clients = [await makeClient(db, { name: 'Harbor Foods' }), await makeClient(db, { name: 'Northgate Schools' })]
  anna = await makePerson(db, 'client_manager', { clients })
  boss = await makePerson(db, 'super_admin')
})

const status = async (token: string, path = '/users/profile'): Promise<number> =>
  (await app.ask(null, 'GET', path, undefined, { authorization: `Bearer ${token}` })).status
/** Labels of required fields end in a star. */
const field = (page: Page, name: string) => page.locator(`[data-field="${name}"] input`).first()
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('a person makes a token by the keyboard, sees it once, and revokes it', async () => {
  const page = await open(anna, { at: '/users/profile/api_tokens' })
  await page.getByRole('heading', { name: 'You have no API token' }).waitFor()
  await pictureOf(page, 'api-tokens-empty')
  await page.getByRole('link', { name: 'New token' }).press('Enter')
  const last = addDays(today(), 90)
  await soon(() => field(page, 'expires_on').inputValue()).toBe(formatDate(last))
  await field(page, 'name').fill('Monthly reports of the accounting department in the east, two')
  await field(page, 'client_ids').fill('Harbor')
  await page.getByRole('option', { name: /Harbor Foods/ }).click()
  await page.getByLabel('Bill', { exact: true }).press('Space')
  await page.getByLabel('Client', { exact: true }).press('Space')
  await pictureOf(page, 'api-tokens-new')
  await field(page, 'name').press('Control+Enter')
  const shown = page.getByLabel('Your new API token')
  await shown.waitFor()
  const token = await shown.inputValue()
  expect(token).toMatch(/^mb_[\w-]{43}$/)
  await pictureOf(page, 'api-tokens-made')
  expect(await status(token)).toBe(200)
  expect((await app.ask(null, 'GET', '/clients', undefined, { authorization: `Bearer ${token}` })).body['total']).toBe(1)

  await page.getByRole('link', { name: 'Done' }).click()
  const row = rowOf(page, 'Monthly reports')
  await row.waitFor()
  expect(await row.innerText()).toContain(`mb_…${token.slice(-4)}`)
  expect(await row.innerText()).toContain('Read only · 1 client · Client, Bill')
  expect(await page.content()).not.toContain(token)
  expect(await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]))).not.toContain(token)
  await page.goBack()
  await page.getByRole('heading', { name: 'New API Token' }).waitFor()
  expect(await page.content()).not.toContain(token)
  await page.goForward()
  await pictureOf(page, 'api-tokens-list')

  await row.getByRole('button', { name: /^Revoke / }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
  await page.getByRole('heading', { name: 'You have no API token' }).waitFor()
  expect(await status(token)).toBe(401)
})

test('what the form refuses stands at its fields', async () => {
  const page = await open(anna, { at: '/users/profile/api_tokens/new' })
  await field(page, 'expires_on').fill('01/01/2020')
  await page.getByRole('button', { name: 'Make token' }).click()
  await page.getByText('Name is required').waitFor()
  await field(page, 'name').fill('Late')
  await page.getByRole('button', { name: 'Make token' }).click()
  await page.getByText('Expires On must not lie in the past').first().waitFor()
  expect(addressOf(page)).toBe('/users/profile/api_tokens/new')
})

test('an administrator finds and revokes the tokens of others; who is none has no such page', async () => {
  const { body } = await app.ask(anna, 'POST', '/users/profile/api_tokens', {
    api_token: { name: 'Old export', access: 'write', expires_on: addDays(today(), 3) },
  })
  await sql`update api_tokens set last_used_at = now(), last_used_ip = '10.1.2.3' where id = ${Number(body['id'])}`.execute(db)
  const page = await open(boss, { at: '/settings/api_tokens' })
  const row = rowOf(page, anna.email)
  await row.waitFor()
  expect(await row.innerText()).toMatch(/Old export[^]*Read and write[^]*Soon/)
  await pictureOf(page, 'api-tokens-all')
  await row.getByRole('button', { name: /Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await soon(() => rowOf(page, anna.email).count()).toBe(0)
  expect(await status(String(body['token']))).toBe(401)
  const other = await open(anna, { at: '/settings/api_tokens' })
  await other.getByText(/You have no access/).waitFor()
})
