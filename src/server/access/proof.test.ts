/** A stolen session stays small: what would outlive it needs the password, and its owner hears of it at the address that they had. */
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { provenMinutes } from '#contract/access/auth.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { credentialsOf, makeUser, password, signIn } from '../../../test/support/sign-in.ts'
import { now, setClock } from '../kernel/clock.ts'
import { addRole } from '../../../test/support/app.ts'
import { formerEmailDays } from './former-emails.ts'
import { makeLink } from './links.ts'

const app = await startTestApp()
const { ask } = app
const { db } = app.database
let count = 0
afterEach(() => setClock())

/** Somebody who signed in too long ago to be asked nothing. */
async function staleUser(role: 'super_admin' | null = null): Promise<Person & { id: number }> {
  const email = `olga${++count}@example.test`
  const id = await makeUser(app, email)
  if (role) await addRole(db, id, role, {})
  const person = credentialsOf(await signIn(app, email))
  await sql`update sessions set proven_at = now() - make_interval(mins => ${provenMinutes + 1}::int) where user_id = ${id}`.execute(db)
  return { ...person, id, email }
}

const token = { api_token: { name: 'Door', access: 'write', expires_on: '2026-12-01' } }
const change = (who: Person, user: object) => ask(who, 'PATCH', '/users/profile', { user })
const prove = (who: Person, typed: string) => ask(who, 'POST', '/users/profile/proof', { password: typed })
const strong = 'seven quiet harbour lamps'
const subjectsTo = async (to: string) =>
  (await sql<{ subject: string }>`select subject from mails where to_address = ${to} order by id`.execute(db)).rows.map(
    ({ subject }) => subject,
  )

describe('what would outlive a stolen sign-in', () => {
  it('needs the password of the last minutes: address, password, token, full bank numbers; what stays small needs none [PROF-API-001]', async () => {
    const who = await staleUser('super_admin')
    const { rows } = await sql<{ id: number }>`insert into vendors (name, short_code) values ('Water', 'WATER') returning id`.execute(db)
    const other = await makePerson(db, null)
    const attempts = [
      () => change(who, { email: `thief${count}@example.test` }),
      () => change(who, { password: strong, password_confirmation: strong }),
      () => ask(who, 'POST', '/users/profile/api_tokens', token),
      () => ask(who, 'GET', `/vendors/${rows[0]?.id}/bank_details`),
      () => ask(who, 'PATCH', `/users/${other.id}`, { user: { email: `stolen-${other.email}` } }),
      () => ask(who, 'PATCH', `/users/${other.id}`, { user: { password: strong, password_confirmation: strong } }),
    ]
    for (const attempt of attempts) {
      const { status, body } = await attempt()
      expect([status, body['code']]).toEqual([403, 'not_proven'])
    }
    expect((await change(who, { title: 'Clerk', email: who.email })).status).toBe(200)
    expect((await sql`select id from api_tokens where user_id = ${who.id}`.execute(db)).rows).toEqual([])
    expect((await prove(who, 'not the password')).body).toMatchObject({ errors: { fields: { password: [expect.any(String)] } } })
    expect((await attempts[2]?.())?.status).toBe(403)
    expect((await prove(who, password)).status).toBe(200)
    const done = await Promise.all(attempts.slice(2, 4).map((attempt) => attempt()))
    expect(done.map(({ status }) => status)).toEqual([200, 200])
    expect((await attempts[0]?.())?.status).toBe(200)
  })

  it('needs it for people, roles and webhooks too', async () => {
    const who = await staleUser('super_admin')
    const other = await makePerson(db, 'super_admin')
    const { rows } = await sql<{ id: number }>`select id from roles where name = 'muc_admin'`.execute(db)
    const role = { role_id: rows[0]?.id }
    const grants = `/users/${other.id}/user_roles`
    const held = await sql<{ id: number }>`select id from user_roles where user_id = ${other.id}`.execute(db)
    const draft = { name: 'Ledger', url: 'https://ledger.example.com/hooks', all_events: true }
    const made = await ask(other, 'POST', '/settings/webhooks', { webhook: { ...draft, active: false } })
    const hook = `/settings/webhooks/${String(made.body['id'])}`
    const change = (webhook: object) => ask(who, 'PATCH', hook, { webhook })
    const attempts = [
      () => ask(who, 'POST', '/users', { user: { email: `sock${count}@example.test`, username: `sock${count}` } }),
      () => ask(who, 'POST', grants, { user_role: role }),
      () => ask(who, 'PATCH', `${grants}/${held.rows[0]?.id}`, { user_role: role }),
      () => ask(who, 'POST', '/settings/webhooks', { webhook: draft }),
      () => change({ url: 'https://thief.example.com/hooks' }),
      () => change({ active: true }),
      () => ask(who, 'POST', `${hook}/secret`),
    ]
    for (const attempt of attempts) {
      const { status, body } = await attempt()
      expect([status, body['code']]).toEqual([403, 'not_proven'])
    }
    expect((await change({ name: 'Another name', url: draft.url })).status).toBe(200)
    expect((await prove(who, password)).status).toBe(200)
    for (const attempt of attempts) {
      const answer = await attempt()
      expect(answer.status, answer.text).toBe(200)
    }
  })

  it('is proven for one sign-in and for minutes, and guessing is braked', async () => {
    const who = await staleUser()
    const elsewhere = credentialsOf(await signIn(app, who.email))
    await sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${who.id}`.execute(db)
    expect((await prove(who, password)).status).toBe(200)
    expect((await ask(elsewhere, 'POST', '/users/profile/api_tokens', token)).status).toBe(403)
    setClock(new Date(now().getTime() + (provenMinutes + 1) * 60_000))
    expect((await ask(who, 'POST', '/users/profile/api_tokens', token)).status).toBe(403)
    setClock()
    const guesses = []
    for (let guess = 0; guess < 11; guess++) guesses.push((await prove(elsewhere, `guess ${guess}`)).status)
    expect(guesses.filter((status) => status === 422).length).toBeLessThanOrEqual(10)
    expect(guesses.at(-1)).toBe(429)
    expect((await ask(elsewhere, 'GET', '/users/profile')).status).toBe(200)
  })
})

describe('a recovered account', () => {
  it('loses its API tokens with a mailed link and with an administrator’s new password, and keeps them with one’s own', async () => {
    const who = await staleUser()
    await prove(who, password)
    const tokens = async () => (await sql`select id from api_tokens where user_id = ${who.id}`.execute(db)).rows.length
    await ask(who, 'POST', '/users/profile/api_tokens', token)
    expect((await change(who, { password: strong, password_confirmation: strong })).status).toBe(200)
    expect(await tokens()).toBe(1)
    const boss = await makePerson(db, 'super_admin')
    const given = { password: 'eleven green parcels', password_confirmation: 'eleven green parcels' }
    const set = await ask(boss, 'PATCH', `/users/${who.id}`, { user: given })
    expect([set.status, await tokens()], set.text).toEqual([200, 0])
    const again = credentialsOf(await signIn(app, who.email, given.password))
    const made = await ask(again, 'POST', '/users/profile/api_tokens', token)
    const authorization = `Bearer ${String(made.body['token'])}`
    expect((await ask(null, 'GET', '/users/profile', undefined, { authorization })).status).toBe(200)
    const link = new URL(await makeLink(db, who, 'reset', 'http://x'))
    const reset = { password: strong, password_confirmation: strong }
    expect((await ask(null, 'PUT', '/auth/password', reset, Object.fromEntries(link.searchParams))).status).toBe(200)
    expect((await ask(null, 'GET', '/users/profile', undefined, { authorization })).status).toBe(401)
    const { rows } = await sql`select id from audit_records where item_type = 'api_token' and event = 'destroy'`.execute(db)
    expect(rows).toHaveLength(2)
  })
})

describe('the address that an account has left', () => {
  it(`hears of new addresses, passwords and tokens for ${formerEmailDays} days`, async () => {
    const who = await staleUser()
    await prove(who, password)
    const email = `moved-${who.email}`
    expect((await change(who, { email })).status).toBe(200)
    await change(who, { password: strong, password_confirmation: strong })
    await ask(who, 'POST', '/users/profile/api_tokens', token)
    await change(who, { email: `again-${who.email}` })
    const heard = await subjectsTo(who.email)
    expect(heard).toEqual([
      'Your Meterbook email was changed',
      'Your Meterbook password was changed',
      'A new API token was made for your Meterbook account',
      'Your Meterbook email was changed',
    ])
    await sql`update former_emails set left_at = now() - make_interval(days => ${formerEmailDays}::int, secs => 1) where user_id = ${who.id}`.execute(
      db,
    )
    await ask(who, 'POST', '/users/profile/api_tokens', token)
    expect(await subjectsTo(who.email)).toEqual(heard)
  })
})

describe('a password', () => {
  it('ends by no time: years later it still signs in', async () => {
    const who = await staleUser()
    setClock(new Date(now().getTime() + 5 * 366 * 86_400_000))
    expect((await signIn(app, who.email)).status).toBe(200)
  })
})

describe('a new password', () => {
  it('holds neither one’s own address nor the name of the program', async () => {
    const who = await staleUser()
    await prove(who, password)
    for (const typed of ['meterbook-demo-1', 'MeterBook123!', `${who.email}!`, `${who.email.split('@')[0]}-2026-77`]) {
      const { status, body } = await change(who, { password: typed, password_confirmation: typed })
      expect(status, typed).toBe(422)
      expect(body).toMatchObject({ errors: { fields: { password: [expect.stringMatching(/^Password must not hold /)] } } })
    }
    expect((await change(who, { password: strong, password_confirmation: strong })).status).toBe(200)
  })
})
