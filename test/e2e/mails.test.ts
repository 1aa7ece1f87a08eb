/** The mails of the settings, in a browser. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { heardNotice } from './notices-said.ts'

const { db, open } = await startConsole({ SMTP_URL: 'smtp://127.0.0.1:1' })
let admin: Person

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  // Their next attempt is far in the future, so that the background job leaves them alone.
  await sql`insert into mails (to_address, subject, text_body, state, attempts, last_error, next_attempt_at, sent_at, expires_at) values
    ('ann@example.test', 'Set a new Meterbook password', 'Hello Ann', 'sent', 1, null, now(), now(), null),
    ('a-rather-long-name-of-somebody@department.of-a-company.example.test', 'Confirm your Meterbook account', 'Open this: https://meterbook.example.test/api/v5/auth/confirmation?access-token=0123456789abcdefghijklmnopqrstuvwxyz0123456', 'waiting', 3,
      'Invalid login: 535 5.7.8 Error: authentication failed: the password was refused by the server behind this one, which has said no more than that', now() + interval '1 day', null, now() + interval '2 days'),
    ('bob@example.test', 'A sign-in to Meterbook was ended', 'Hello Bob', 'dead', 31, 'connect ECONNREFUSED 127.0.0.1:587', now() + interval '1 day', null, null),
    ('carl@example.test', 'Set a new Meterbook password', 'Hello Carl', 'dead', 8, 'Its link was over before it could be sent.', now() + interval '1 day', null, now() - interval '1 hour')`.execute(
    db,
  )
})

test('are listed with state, tries and last error; one that was not sent is sent again from its menu, unless its link is over', async () => {
  const page = await open(admin, { at: '/settings/mails' })
  const grid = page.getByRole('grid', { name: 'Mails' })
  const row = (text: string) => grid.getByRole('row').filter({ hasText: text })
  await row('bob@example.test').getByText('Not sent', { exact: true }).waitFor()
  expect(await row('ann@example.test').getByText('Sent', { exact: true }).count()).toBe(1)
  await row('535 5.7.8').getByText('Waiting').waitFor()
  await row('carl@example.test')
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByText('Its link is over; its receiver must ask for a new one.').waitFor()
  await page.keyboard.press('Escape')
  await row('bob@example.test')
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Send again' }).click()
  expect(await heardNotice(page)).toMatchObject({ title: 'Success', message: 'The mail is sent again' })
  await row('bob@example.test').getByText('Waiting').waitFor()
  await soon(
    async () =>
      (await sql<{ attempts: number }>`select attempts from mails where to_address = 'bob@example.test'`.execute(db)).rows[0]?.attempts,
  ).toBe(1)
})

test('show all that is known of one, and its text, outside production', async () => {
  const page = await open(admin, { at: '/settings/mails' })
  await page.getByRole('link', { name: 'Confirm your Meterbook account' }).click()
  await page.getByRole('heading', { name: 'Confirm your Meterbook account', level: 1 }).waitFor()
  expect(addressOf(page)).toMatch(/^\/settings\/mails\/\d+$/)
  await page.getByText('Invalid login: 535 5.7.8').waitFor()
  await page.getByText('Open this: https://meterbook.example.test').waitFor()
})

test('are for the provider’s administrators: a partner’s has neither tab nor page', async () => {
  await sql`insert into channel_partners (id, name) values (77, 'Partner')`.execute(db)
  const partner = await makePerson(db, 'channel_partner_admin', { channel_partner_id: 77 })
  const page = await open(partner, { at: '/settings/mails' })
  await page.getByText(/You have no access/).waitFor()
  await page.goto('/settings/units')
  await page.getByRole('link', { name: 'Production Units' }).waitFor()
  expect(await page.getByRole('link', { name: 'Mails' }).count()).toBe(0)
})
