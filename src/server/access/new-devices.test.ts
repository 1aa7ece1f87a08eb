import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { startTestApp } from '../../../test/support/app.ts'
import { mailTo } from '../../../test/support/mails.ts'
import { credentialsOf, makeUser, password, signIn } from '../../../test/support/sign-in.ts'
import { setClock } from '../kernel/clock.ts'

const app = await startTestApp()
const { ask, database } = app
const { db } = database
const chrome = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
}
afterEach(() => setClock())

async function alerts(userId: number): Promise<object[]> {
  const { rows } = await sql<object>`select message, description, link, notification_type from notifications
    where user_id = ${userId} and type = 'sign_in_alert' order by id`.execute(db)
  return rows
}
const mails = async (to: string) => (await sql`select id from mails where to_address = ${to}`.execute(db)).rows.length

it('a sign-in from a device unknown to the account tells its owner when, where and by what browser, in the bell and by mail', async () => {
  const email = 'owner@example.test'
  const id = await makeUser(app, email)
  const mark = { 'device-mark': String((await signIn(app, email)).headers['device-mark']) }
  expect(await alerts(id), 'the very first').toEqual([])
  await signIn(app, email, password, mark)
  expect(await alerts(id), 'the same device').toEqual([])
  setClock(new Date('2026-11-21T19:05:00Z'))
  const there = credentialsOf(await signIn(app, email, password, chrome))
  const description = [
    'Chrome on Windows at 127.0.0.1, 11/21/2026 2:05 PM ET.',
    'If it was not you, end it among your sign-ins and set a new password.',
  ]
  const link = '/users/profile/sign_ins'
  expect(await alerts(id)).toEqual([{ message: 'New sign-in to your account', description, link, notification_type: 'warning' }])
  const mail = await mailTo(db, email)
  expect(mail.subject).toBe('New sign-in to your account')
  for (const text of [...description, `Open it: ${app.app.machinery.settings.publicUrl}${link}`]) expect(mail.text_body).toContain(text)
  expect((await ask(there, 'GET', '/users/profile/sign_ins')).body['total']).toBe(3)
})

it('tells nobody of a failed sign-in, and mails nobody who has chosen the bell alone', async () => {
  const email = 'quiet@example.test'
  const id = await makeUser(app, email)
  const who = credentialsOf(await signIn(app, email))
  expect((await signIn(app, email, 'wrong')).status).toBe(401)
  expect(await alerts(id)).toEqual([])
  await ask(who, 'PUT', '/notifications/preferences', { preferences: { sign_in: { in_app: true, mail: false } } })
  await signIn(app, email)
  expect(await alerts(id)).toHaveLength(1)
  expect(await mails(email)).toBe(0)
})

it('a device whose mark belongs to somebody else is new; an address that takes no mail keeps nobody out', async () => {
  const foreign = String((await signIn(app, await named('first@example.test'))).headers['device-mark'])
  const id = await makeUser(app, 'no address')
  await sql`update users set last_sign_in_at = now() where id = ${id}`.execute(db)
  expect((await signIn(app, 'no address', password, { 'device-mark': foreign })).status).toBe(200)
  expect(await alerts(id)).toHaveLength(1)
})

async function named(email: string): Promise<string> {
  await makeUser(app, email)
  return email
}
