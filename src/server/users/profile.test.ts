/** The profile: seven fields that all users may change for themselves, whatever their role, and nothing more. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { hashPassword } from '../access/passwords.ts'
import { signedInAgain } from '../../../test/every-call/principals.ts'

const { ask, database } = await startTestApp()
const { db } = database
const good = 'a long and unusual pass phrase'
const patch = (who: Person, user: object) => ask(who, 'PATCH', '/users/profile', { user })

describe('the profile', () => {
  it('is read and changed by whoever is signed in, a person without any role too [PROF-FIELD-001] [PROF-API-001] [USER-API-001] [USER-API-003]', async () => {
    const person = await makePerson(db, null)
    const fields = { username: `${person.email}!`, first_name: 'Mary', last_name: 'Ward', title: 'Analyst' }
    expect((await patch(person, fields)).body).toEqual({ success: true, message: 'Profile updated', id: person.id })
    for (const path of ['/users/profile', '/users/active_user'])
      expect((await ask(person, 'GET', path)).body).toMatchObject({ user: { id: person.id, email: person.email, ...fields } })
    const read = await ask(person, 'GET', '/users/profile')
    expect(read.body).toMatchObject({ success: true, message: '' })
    expect(read.text).not.toMatch(/password/)
  })

  it('needs its email and its username, each its own [PROF-RULE-001]', async () => {
    const [person, other] = [await makePerson(db, null), await makePerson(db, null)]
    for (const [key, label] of [
      ['email', 'Email'],
      ['username', 'Username'],
    ] as const) {
      expect((await patch(person, { [key]: '' })).body).toMatchObject({ errors: { fields: { [key]: [`${label} is required`] } } })
      expect(
        (await patch(person, { [key]: other.email.replace('@example.test', key === 'email' ? '@example.test' : '').toUpperCase() })).body,
      ).toMatchObject({
        errors: { fields: { [key]: [`${label} is taken already`] } },
      })
    }
  })

  it('takes no other field, and nobody else’s', async () => {
    const [person, other] = [await makePerson(db, null), await makePerson(db, null)]
    for (const extra of [
      { status: 'in_active' },
      { account_confirmed: false },
      { id: other.id },
      { roles: 'super_admin' },
      { preferences: { theme: 'dark' } },
    ])
      expect((await patch(person, extra)).status, JSON.stringify(extra)).toBe(422)
    const { rows } = await sql<{
      versions: number
    }>`select sum(lock_version) as versions from users where id in (${person.id}, ${other.id})`.execute(db)
    expect(Number(rows[0]?.versions)).toBe(0)
  })

  it('says what somebody else changed meanwhile', async () => {
    const person = await makePerson(db, null)
    expect((await patch(person, { title: 'One', lock_version: 0 })).status).toBe(200)
    expect((await patch(person, { title: 'Two', lock_version: 0 })).body).toMatchObject({
      code: 'stale',
      changed: { title: { from: 'One', to: 'Two' } },
    })
  })
})

describe('a new password in the profile', () => {
  it('needs both fields where either is filled, and both alike [PROF-RULE-002] [PROF-RULE-003]', async () => {
    const person = await makePerson(db, null)
    const both = 'You must supply both a password and a password confirmation when resetting your password.'
    expect((await patch(person, { password: good, password_confirmation: '' })).body).toMatchObject({ message: both })
    expect((await patch(person, { password_confirmation: good })).body).toMatchObject({ message: both })
    expect((await patch(person, { password: good, password_confirmation: `${good}.` })).body).toMatchObject({
      message: 'Password and password confirmation must match.',
    })
    expect((await patch(person, { password: 'short', password_confirmation: 'short' })).status).toBe(422)
    expect((await patch(person, { title: 'Same', password: '', password_confirmation: '' })).status).toBe(200)
    const { rows } = await sql<{ hash: string | null }>`select password_hash as hash from users where id = ${person.id}`.execute(db)
    expect(rows[0]?.hash).toBeNull()
  })

  it('ends the other sign-ins and leaves this one valid [PROF-API-002]', async () => {
    const person = await makePerson(db, null)
    const elsewhere = await signedInAgain(db, person)
    expect((await ask(elsewhere, 'GET', '/users/profile')).status).toBe(200)
    expect((await patch(person, { password: good, password_confirmation: good })).status).toBe(200)
    expect((await ask(person, 'GET', '/users/profile')).status).toBe(200)
    expect((await ask(elsewhere, 'GET', '/users/profile')).status).toBe(401)
    expect((await ask(null, 'POST', '/auth/sign_in', { email: person.email, password: good })).status).toBe(200)
  })
})

describe('a new email in the profile', () => {
  it('is answered as the new uid of this sign-in, which goes on with it', async () => {
    const person = await makePerson(db, null)
    const email = `moved-${person.email}`
    const { headers } = await patch(person, { email })
    expect(headers).toMatchObject({ uid: email, 'access-token': person.headers['access-token'], client: person.headers['client'] })
    const moved = { ...person, headers: { ...person.headers, uid: email } }
    expect((await ask(moved, 'GET', '/users/profile')).body).toMatchObject({ user: { email } })
    expect((await ask(person, 'GET', '/users/profile')).status).toBe(401)
  })

  it('ends no sign-in that was opened with the old one: this and the others go on under either [PROF-API-001]', async () => {
    const person = await makePerson(db, null)
    await sql`update users set password_hash = ${await hashPassword(good)} where id = ${person.id}`.execute(db)
    const [here, elsewhere] = [await signIn(person.email), await signIn(person.email)]
    const email = `moved-${person.email}`
    const { status, headers } = await patch(here, { email })
    expect([status, headers['uid']]).toEqual([200, email])
    const renamed = (who: Person, uid: string) => ({ ...who, headers: { ...who.headers, uid } })
    for (const who of [here, elsewhere])
      for (const uid of [email, person.email, email.toUpperCase()])
        expect((await ask(renamed(who, uid), 'GET', '/users/profile')).body, uid).toMatchObject({ user: { email } })
    expect((await ask(renamed(here, 'nobody@example.test'), 'GET', '/users/profile')).status).toBe(401)
    expect((await ask(null, 'POST', '/auth/sign_in', { email, password: good })).status).toBe(200)
  })
})

async function signIn(email: string): Promise<Person> {
  const { headers } = await ask(null, 'POST', '/auth/sign_in', { email, password: good })
  const given = (name: string) => String(headers[name])
  return { id: 0, email, headers: { 'access-token': given('access-token'), client: given('client'), uid: given('uid') } }
}
