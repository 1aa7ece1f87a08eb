import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { hashPassword } from './passwords.ts'

const { ask, database } = await startTestApp()
const { db } = database
const password = 'a long enough password'

beforeAll(async () => {
  await sql`insert into channel_partners (id, name) values (1, 'Partner')`.execute(db)
  await sql`insert into clients (id, name, short_code, identifier, channel_partner_id, active) values (1, 'Zeta', 'Z', 'Z', 1, true), (2, 'Alpha', 'A', 'A', null, true), (3, 'Aardvark', 'AA', 'AA', 1, false)`.execute(
    db,
  )
  await sql`insert into divisions (client_id, id, name, short_code, code) values (1, 1, 'North', 'N', 'N')`.execute(db)
})

const makeUser = async (email: string, status = 'active'): Promise<number> => {
  const { rows } = await sql<{
    id: number
  }>`insert into users (email, username, status, password_hash, account_confirmed) values (${email}, ${email}, ${status}, ${await hashPassword(password)}, true) returning id`.execute(
    db,
  )
  return rows[0]?.id ?? 0
}
const signIn = (email: string, given = password) => ask(null, 'POST', '/auth/sign_in', { email, password: given })
const credentialsOf = (answer: Answer): Person => ({
  id: 0,
  email: '',
  headers: {
    'access-token': String(answer.headers['access-token']),
    client: String(answer.headers['client']),
    uid: String(answer.headers['uid']),
  },
})

describe('signing in', () => {
  it('answers the three credentials in headers, which then are good for a call [AUTH-API-001] [AUTH-API-002] [AUTH-API-004]', async () => {
    await makeUser('one@example.test')
    const answer = await signIn('One@Example.test')
    expect(answer.status).toBe(200)
    const profile = await ask(credentialsOf(answer), 'GET', '/users/profile')
    expect(profile.body).toMatchObject({ user: { email: 'one@example.test' } })
    const { rows } = await sql`select user_id from audit_records where event = 'login'`.execute(db)
    expect(rows).toEqual([{ user_id: profile.body['user'] instanceof Object && Reflect.get(profile.body['user'], 'id') }])
  })

  it('says one thing for a wrong password, an unknown address, an inactive user and one who has not confirmed the account', async () => {
    await makeUser('idle@example.test', 'in_active')
    await sql`update users set account_confirmed = false where id = ${await makeUser('new@example.test')}`.execute(db)
    await makeUser('known@example.test')
    const answers = [
      await signIn('known@example.test', 'wrong'),
      await signIn('nobody@example.test'),
      await signIn('idle@example.test'),
      await signIn('new@example.test'),
    ]
    for (const answer of answers) expect(answer.status).toBe(401)
    const bodies = answers.map((answer) => JSON.stringify({ ...answer.body, request_id: '' }))
    expect(new Set(bodies).size).toBe(1)
  })

  it('names what is missing', async () => {
    const answer = await ask(null, 'POST', '/auth/sign_in', { email: '' })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({ fields: { email: ['Email is required'], password: ['Password is required'] } })
  })
})

describe('a sign-in', () => {
  it('is demanded of every call but the public ones [AUTH-RULE-008]', async () => {
    const { headers } = await makePerson(db, 'super_admin')
    for (const missing of ['access-token', 'client', 'uid']) {
      const { [missing]: _, ...rest } = headers
      expect((await ask({ id: 0, email: '', headers: rest }, 'GET', '/users/profile')).status).toBe(401)
    }
    expect((await ask({ id: 0, email: '', headers: { ...headers, uid: 'other@example.test' } }, 'GET', '/users/profile')).status).toBe(401)
    expect((await ask({ id: 0, email: '', headers: { ...headers, 'access-token': 'x' } }, 'GET', '/users/profile')).status).toBe(401)
    expect((await ask({ id: 0, email: '', headers }, 'GET', '/users/profile')).status).toBe(200)
  })

  it('ends with sign-out, and answers success [AUTH-API-005]', async () => {
    const person = await makePerson(db, 'super_admin')
    const out = await ask(person, 'DELETE', '/auth/sign_out')
    expect(out.body).toMatchObject({ success: true })
    expect((await ask(person, 'GET', '/users/profile')).status).toBe(401)
  })
})

describe('what a user may do', () => {
  it('comes with the flags that lead to the first page [PERM-API-001] [PERM-FIELD-004] [PERM-RULE-004]', async () => {
    const staff = await ask(await makePerson(db, 'muc_admin'), 'GET', '/user_roles/for_user')
    expect(staff.body).toMatchObject({
      redirect_to_home: true,
      client_only_user: false,
      redirect_client_id: null,
      roles: [{ name: 'muc_admin' }],
      permissions: { vendor: expect.arrayContaining(['read', 'update']) },
    })
    const own = await ask(await makePerson(db, 'client_admin', { clients: [1, 2, 3] }), 'GET', '/user_roles/for_user?client_id=')
    expect(own.body).toMatchObject({
      redirect_to_home: false,
      client_only_user: true,
      redirect_client_id: 2,
      roles: [{ name: 'client_admin' }],
      permissions: { vendor: ['read'] },
    })
  })

  it('is masked by the subscriptions of the client that is asked for [PERM-PERM-001]', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [1] })
    const permissions = async () => (await ask(person, 'GET', '/user_roles/for_user?client_id=1')).body['permissions']
    expect(await permissions()).not.toHaveProperty('accounting_batch')
    expect(await permissions()).toHaveProperty('division')
    expect((await ask(person, 'GET', '/user_roles/for_user?client_id=2')).status).toBe(404)
    expect((await ask(person, 'GET', '/user_roles/for_user?client_id=x')).status).toBe(422)
  })

  it('reaches the clients of its partner for a channel partner’s administrator [PERM-RULE-002]', async () => {
    const person = await makePerson(db, 'channel_partner_admin', { channel_partner_id: 1 })
    expect((await ask(person, 'GET', '/user_roles/for_user?client_id=1')).status).toBe(200)
    expect((await ask(person, 'GET', '/user_roles/for_user?client_id=2')).status).toBe(404)
  })

  it('never includes batches and ledgers for a narrowed role, whose clients hold other people’s bills', async () => {
    await sql`update clients set accounting_batch_management = true, ledger_account_management = true where id = 1`.execute(db)
    const whole = await ask(await makePerson(db, 'client_user', { clients: [1] }), 'GET', '/user_roles/for_user?client_id=1')
    const narrowed = await ask(
      await makePerson(db, 'client_user', { clients: [1], division: [[1, 1]] }),
      'GET',
      '/user_roles/for_user?client_id=1',
    )
    expect(whole.body['permissions']).toHaveProperty('accounting_batch')
    for (const model of ['accounting_batch', 'payment_batch', 'ledger_field', 'ledger_account'])
      expect(narrowed.body['permissions']).not.toHaveProperty(model)
    expect(narrowed.body['permissions']).toHaveProperty('bill')
  })
})
