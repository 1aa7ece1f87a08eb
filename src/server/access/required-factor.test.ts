/** Roles that require a second factor: days of grace, then the setup between the password and the sign-in. */
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { challengeTries, setupMinutes } from '#contract/access/second-factor.ts'
import { addRole, startTestApp, type Answer } from '../../../test/support/app.ts'
import { codeNow } from '../../../test/support/second-factor.ts'
import { credentialsOf, makeUser, password, signIn } from '../../../test/support/sign-in.ts'
import { setClock } from '../kernel/clock.ts'

const app = await startTestApp({ SECOND_FACTOR_ROLES: 'super_admin, muc_admin', SECOND_FACTOR_GRACE_DAYS: '3' })
const { ask } = app
const { db } = app.database
const token = { api_token: { name: 'Nightly', access: 'read', expires_on: '2026-12-31' } }
const begins = Date.parse('2026-11-25T15:00:10Z')
const at = (days: number, seconds = 0) => setClock(new Date(begins + days * 86_400_000 + seconds * 1_000))
let count = 0
afterEach(() => setClock())

async function member(role: 'super_admin' | 'muc_admin' | 'client_admin'): Promise<{ id: number; email: string }> {
  const email = `rita${++count}@example.test`
  const id = await makeUser(app, email)
  await addRole(db, id, role, {})
  return { id, email }
}
const challengeIn = ({ body, text }: Answer): string => {
  const asked = body['second_factor_setup']
  if (typeof asked !== 'object' || asked === null || !('challenge' in asked)) throw new Error(text)
  return String(asked.challenge)
}
const begin = (challenge: string) => ask(null, 'POST', '/auth/sign_in/second_factor_setup', { challenge })
const confirm = (challenge: string, code: string) =>
  ask(null, 'POST', '/auth/sign_in/second_factor_setup/confirmation', { challenge, code })

describe('a role that requires a second factor', () => {
  it('leaves the days of grace from the first sign-in on, and says until when; others are asked nothing', async () => {
    at(0)
    const who = await member('muc_admin')
    const due = new Date(begins + 3 * 86_400_000).toISOString()
    for (const day of [0, 1, 2.9]) {
      at(day)
      const entered = await signIn(app, who.email)
      expect(entered.body, entered.text).toMatchObject({ success: true, second_factor_due_at: due })
      const state = await ask(credentialsOf(entered), 'GET', '/users/profile/second_factor')
      expect(state.body).toMatchObject({ second_factor: { active: false, due_at: due } })
    }
    const other = await signIn(app, (await member('client_admin')).email)
    expect(other.body).toMatchObject({ success: true })
    expect(other.body['second_factor_due_at']).toBeUndefined()
  })

  it('then lets nobody in before it is set up, which signs in, with recovery codes, and ends the sign-ins of before', async () => {
    at(0)
    const who = await member('super_admin')
    await signIn(app, who.email)
    at(2.9)
    const before = credentialsOf(await signIn(app, who.email))
    at(3)
    expect((await ask(before, 'GET', '/users/profile')).status).toBe(200)
    const asked = await signIn(app, who.email)
    expect([asked.status, asked.headers['access-token'], asked.body['data']]).toEqual([200, undefined, null])
    const challenge = challengeIn(asked)
    // It opens nothing else: neither a call nor the other second step.
    const bearer = { authorization: `Bearer ${challenge}` }
    expect((await ask(null, 'GET', '/users/profile', undefined, bearer)).status).toBe(401)
    expect((await ask(null, 'POST', '/users/profile/api_tokens', token, bearer)).status).toBe(401)
    // Nor does the sign-in of before make an API token: the password alone proves nobody any more.
    at(3, 600)
    expect((await ask(before, 'POST', '/users/profile/proof', { password })).status).toBe(422)
    expect((await ask(before, 'POST', '/users/profile/api_tokens', token)).status).toBe(403)
    const secret = String((await begin(challenge)).body['secret'])
    expect((await ask(null, 'POST', '/auth/sign_in/second_factor', { challenge, code: codeNow(secret) })).status).toBe(401)
    expect((await confirm(challenge, '000000')).status).toBe(422)
    const done = await confirm(challenge, codeNow(secret))
    expect(done.status, done.text).toBe(200)
    expect(done.body['recovery_codes']).toHaveLength(10)
    expect((await ask(credentialsOf(done), 'GET', '/users/profile')).status).toBe(200)
    expect((await ask(before, 'GET', '/users/profile')).status).toBe(401)
    expect((await confirm(challenge, codeNow(secret))).status).toBe(401)
    expect((await begin(challenge)).status).toBe(401)
    expect((await signIn(app, who.email)).body).toMatchObject({ second_factor: { challenge: expect.any(String) } })
    const { rows } = await sql`select from audit_records where user_id = ${who.id} and item_id = ${who.id} and item_type = 'user'
      and object_changes ? 'second_factor' and event = 'update'`.execute(db)
    expect(rows).toHaveLength(1)
  })

  it(`gives ${setupMinutes} minutes and ${challengeTries} tries, to the person and the password of the challenge alone`, async () => {
    at(0)
    const [who, other] = [await member('muc_admin'), await member('muc_admin')]
    for (const { email } of [who, other]) await signIn(app, email)
    at(3)
    const late = challengeIn(await signIn(app, who.email))
    at(3, setupMinutes * 60)
    expect((await begin(late)).status).toBe(401)
    const challenge = challengeIn(await signIn(app, who.email))
    const theirs = String((await begin(challengeIn(await signIn(app, other.email)))).body['secret'])
    await begin(challenge)
    expect((await confirm(challenge, codeNow(theirs))).status).toBe(422)
    for (let guess = 1; guess < challengeTries; guess++) expect((await confirm(challenge, '000000')).status).toBe(422)
    expect((await confirm(challenge, '000000')).status).toBe(401)
    const next = challengeIn(await signIn(app, who.email))
    await sql`update users set password_hash = (select password_hash || 'x' from users where id = ${other.id}) where id = ${who.id}`.execute(
      db,
    )
    expect((await begin(next)).status).toBe(401)
  })
})
