import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/server/access/passwords.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeClient } from '../support/estate.ts'
import { startReceiver } from '../support/receiver.ts'
import { soon, startConsole } from './console.ts'
import { pictureOf } from './pictures.ts'

const { app, db, open } = await startConsole()
const receiver = await startReceiver()
let boss: Person
let clientId = 0

beforeAll(async () => {
  clientId = await makeClient(db, { name: 'Harbor Foods' })
  boss = await makePerson(db, 'super_admin')
})

/** Labels of required fields end in a star. */
const field = (page: Page, name: string) => page.locator(`[data-field="${name}"] input`).first()
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const typesReceived = (): string[] => receiver.received.map(({ body }) => String(Object(JSON.parse(body)).type))

test('an administrator makes a webhook, tests it, sees what was sent and how it was answered, and sends it again', async () => {
  const page = await open(boss, { at: '/settings/webhooks' })
  await page.getByText('A webhook tells a program elsewhere').waitFor()
  await page.getByRole('link', { name: 'Add New' }).click()
  await page.getByRole('heading', { name: 'New Form' }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Name is required').waitFor()
  await page.getByText('URL is required').waitFor()
  await field(page, 'name').fill('Ledger of the accounting department in the northern district')
  await field(page, 'url').fill('https://10.0.0.1/hooks')
  await page.getByLabel('Divisions created').press('Space')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The address 10.0.0.1 is not public.').first().waitFor()
  await pictureOf(page, 'webhooks-new')
  await field(page, 'url').fill(`${receiver.url}/hooks`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const secret = await page.getByLabel('Its secret').inputValue()
  expect(secret).toMatch(/^whsec_/)
  await pictureOf(page, 'webhooks-made')
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByText('Nothing was sent yet').waitFor()
  expect(await page.content()).not.toContain(secret)

  receiver.answerBy((response) => void response.writeHead(500).end('the ledger is closed'))
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByRole('heading', { name: 'webhook.test' }).waitFor()
  await page.getByText('The answer was 500.').waitFor()
  await page.getByText('the ledger is closed').waitFor()
  await pictureOf(page, 'webhooks-delivery')
  receiver.answerBy((response) => void response.writeHead(200).end('thanks'))
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Delivered').waitFor()
  expect(typesReceived().every((type) => type === 'webhook.test')).toBe(true)
  expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/)
})

test('what happens is sent by the running application by itself, and stands in the log', async () => {
  receiver.received.length = 0
  const page = await open(boss, { at: '/settings/webhooks' })
  await app.ask(boss, 'POST', `/clients/${clientId}/divisions`, { division: { name: 'North', short_code: 'N', code: 'N' } })
  await app.ask(boss, 'PATCH', `/clients/${clientId}`, { client: { notes: 'No event of this webhook' } })
  await soon(typesReceived).toEqual(['division.created'])
  const row = rowOf(page, 'Ledger of')
  await row.waitFor()
  await pictureOf(page, 'webhooks-list')
  await row.getByRole('link').first().click()
  // The list that is being left also has a row with the event's name.
  await soon(() => rowOf(page, 'division.created').innerText()).toMatch(/Delivered[^]*200/)
  await pictureOf(page, 'webhooks-deliveries')
})

test('its events and secret are changed, and it is deleted', async () => {
  const page = await open(boss, { at: '/settings/webhooks' })
  const act = async (name: string) => {
    await rowOf(page, 'Ledger of')
      .getByRole('button', { name: /Actions/ })
      .click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await act('Renew secret')
  await page.getByRole('button', { name: 'Renew secret' }).click()
  expect(await page.getByLabel('New secret').inputValue()).toMatch(/^whsec_/)
  await pictureOf(page, 'webhooks-renewed')
  await page.getByRole('button', { name: 'Done' }).click()
  await act('Edit')
  expect(await page.getByLabel('Divisions created').isChecked()).toBe(true)
  await page.getByLabel('All events').press('Space')
  await soon(() => page.getByLabel('Divisions created').count()).toBe(0)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await rowOf(page, 'All events').waitFor()
  await act('Delete')
  await page.getByRole('button', { name: 'Delete' }).click()
  await soon(() => rowOf(page, 'Ledger of').count()).toBe(0)
})

test('who does not administer the installation has no such page', async () => {
  const manager = await makePerson(db, 'client_admin', { clients: [clientId] })
  const page = await open(manager, { at: '/settings/webhooks' })
  await page.getByText(/You have no access/).waitFor()
})

test('an old sign-in is asked for the password before a webhook is made', async () => {
  const old = await makePerson(db, 'super_admin')
  await sql`update users set password_hash = ${await hashPassword('the first of all readings')} where id = ${old.id}`.execute(db)
  await sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${old.id}`.execute(db)
  // The browser notes the refusal that the dialog answers.
  const page = await open(old, { at: '/settings/webhooks', mayComplain: true })
  await page.getByRole('link', { name: 'Add New' }).click()
  await field(page, 'name').fill('Made after an hour')
  await field(page, 'url').fill(`${receiver.url}/hooks`)
  await page.getByLabel('Divisions created').press('Space')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter your password' })
  await dialog.getByLabel('Current Password').fill('the first of all readings')
  const made = async () => (await sql`select from webhooks where name = 'Made after an hour'`.execute(db)).rows.length
  expect(await made()).toBe(0)
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('Its secret').inputValue()).toMatch(/^whsec_/)
  expect(await made()).toBe(1)
})
