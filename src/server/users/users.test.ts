/** Users, by HTTP on a real database: the list, the forms, mails, deletion, and what ends with them. */
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { addRole, makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeClient } from '../../../test/support/estate.ts'

const { ask, database, listen } = await startTestApp()
const { db } = database
const root = await makePerson(db, 'super_admin')
const acme = await makeClient(db, { name: 'Acme Mills' })
const beta = await makeClient(db, { name: 'Beta Works' })

let count = 0
const unique = (word: string) => `${word}${++count}`
const draft = (more: object = {}) => {
  const username = unique('person')
  return { email: `${username}@example.test`, username, ...more }
}

async function made(by: Person, more: object = {}): Promise<{ id: number; email: string }> {
  const user = draft(more)
  const { status, body, text } = await ask(by, 'POST', '/users', { user })
  expect(status, text).toBe(200)
  return { id: Number(body['id']), email: user.email }
}

async function emailsOf(who: Person, path: string): Promise<string[]> {
  const { body } = await ask(who, 'GET', path)
  const rows: unknown[] = Array.isArray(body['users']) ? body['users'] : []
  return rows.flatMap((row) =>
    typeof row === 'object' && row !== null && 'email' in row && typeof row.email === 'string' ? [row.email] : [],
  )
}

async function mailsTo(email: string): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`select subject from mails where to_address = ${email} order by id`.execute(db)
  return rows.map(({ subject }) => subject)
}

async function trailOf(type: string, id: number): Promise<{ event: string; changes: Record<string, unknown>; client_id: number }[]> {
  const { rows } = await sql<{ event: string; changes: Record<string, unknown>; client_id: number }>`
    select event, object_changes as changes, client_id from audit_records where item_type = ${type} and item_id = ${id} order by id`.execute(
    db,
  )
  return rows
}

const signIn = (email: string, password: string) => ask(null, 'POST', '/auth/sign_in', { email, password })
const good = 'a long and unusual pass phrase'

describe('a user', () => {
  it('is made with email and username, and carries its fields, its roles and its clients, never a password [USER-FIELD-001] [USER-FIELD-002] [USER-FIELD-003] [USER-API-002] [USER-API-008] [USER-RULE-002] [USER-API-007]', async () => {
    const user = draft({ password: good, password_confirmation: good })
    const created = await ask(root, 'POST', '/users', { user })
    expect(created.body).toMatchObject({ success: true, message: 'User created', id: expect.any(Number) })
    const id = Number(created.body['id'])
    await addRole(db, id, 'client_manager', { clients: [beta, acme] })
    await addRole(db, id, 'client_user', { clients: [acme] })
    const { body, text } = await ask(root, 'GET', `/users/${id}`)
    expect(body['user']).toEqual({
      id,
      lock_version: expect.any(Number),
      email: user.email,
      username: user.username,
      first_name: null,
      last_name: null,
      title: null,
      status: 'active',
      account_confirmed: true,
      roles: 'Client Manager, Client User',
      clients: 'Acme Mills, Beta Works',
      associated_entries: {
        roles: [
          { id: 5, name: 'client_manager' },
          { id: 6, name: 'client_user' },
        ],
        clients: [
          { id: acme, name: 'Acme Mills' },
          { id: beta, name: 'Beta Works' },
        ],
      },
      second_factor: false,
      manageable: true,
      name: user.username,
    })
    for (const answer of [created.text, text]) expect(answer).not.toMatch(/password/)
    expect(JSON.stringify(await trailOf('user', id))).not.toContain(good)
  })

  it('needs an email that is one and a username, each of its own whatever its case [USER-RULE-001]', async () => {
    const { body } = await ask(root, 'POST', '/users', { user: {} })
    expect(body).toMatchObject({
      code: 'invalid',
      errors: { fields: { email: ['Email is required'], username: ['Username is required'] } },
    })
    const wrong = await ask(root, 'POST', '/users', { user: draft({ email: 'no address' }) })
    expect(wrong.body).toMatchObject({ errors: { fields: { email: ['Email must be an email address'] } } })
    const first = draft()
    await made(root, first)
    const second = await ask(root, 'POST', '/users', { user: { email: first.email.toUpperCase(), username: first.username.toUpperCase() } })
    expect(second.status).toBe(422)
    expect(second.body).toMatchObject({
      errors: { fields: { email: ['Email is taken already'], username: ['Username is taken already'] } },
    })
    const { id } = await made(root)
    for (const key of ['email', 'username'])
      expect((await ask(root, 'PATCH', `/users/${id}`, { user: { [key]: '' } })).status, key).toBe(422)
  })

  it('is changed field by field, with its version and a trail of what differs [USER-API-009]', async () => {
    const { id } = await made(root)
    const patched = await ask(root, 'PATCH', `/users/${id}`, { user: { first_name: 'Ada', title: 'Controller', lock_version: 0 } })
    expect(patched.body).toMatchObject({
      success: true,
      message: 'User updated',
      id,
      user: { first_name: 'Ada', title: 'Controller', manageable: true },
    })
    const stale = await ask(root, 'PATCH', `/users/${id}`, { user: { first_name: 'Eve', lock_version: 0 } })
    expect(stale.body).toMatchObject({ code: 'stale', changed: { first_name: { from: 'Ada', to: 'Eve' } } })
    expect((await trailOf('user', id)).at(-1)).toMatchObject({
      event: 'update',
      changes: { first_name: { from: null, to: 'Ada' }, title: { from: null, to: 'Controller' } },
    })
  })

  it('takes no field that is not in the form', async () => {
    const { id } = await made(root)
    for (const extra of [
      { account_confirmed: true },
      { roles: 'super_admin' },
      { created_by: 1 },
      { password_hash: 'x' },
      { manageable: false },
    ]) {
      expect((await ask(root, 'POST', '/users', { user: draft(extra) })).status, JSON.stringify(extra)).toBe(422)
      expect((await ask(root, 'PATCH', `/users/${id}`, { user: extra })).status, JSON.stringify(extra)).toBe(422)
    }
  })
})

describe('a new user', () => {
  it('without a password is unconfirmed and is mailed the confirmation, and cannot sign in before [USER-FIELD-004]', async () => {
    const { id, email } = await made(root)
    expect((await ask(root, 'GET', `/users/${id}`)).body).toMatchObject({ user: { account_confirmed: false } })
    expect(await mailsTo(email)).toEqual(['Confirm your Meterbook account'])
    expect((await signIn(email, good)).status).toBe(401)
  })

  it('with a password is confirmed by whoever set it, gets no mail and signs in', async () => {
    const { email } = await made(root, { password: good, password_confirmation: good })
    expect(await mailsTo(email)).toEqual([])
    expect((await signIn(email, good)).status).toBe(200)
  })

  it('that is not active yet is mailed nothing', async () => {
    const { email } = await made(root, { status: 'in_active' })
    expect(await mailsTo(email)).toEqual([])
  })
})

describe('resending', () => {
  const resend = (who: Person, id: number) => ask(who, 'GET', `/users/${id}/resend_confirmation_email`)

  it('mails the confirmation to who is unconfirmed, else a link for a password, and is never cached [USER-API-011] [USER-TRANS-003] [USER-TRANS-005]', async () => {
    const { id, email } = await made(root)
    await sql`update one_time_links set created_at = now() - interval '3 seconds' where user_id = ${id}`.execute(db)
    const first = await resend(root, id)
    expect(first.body).toMatchObject({ success: true, message: 'Password reset email sent' })
    expect(first.headers['cache-control']).toBe('no-store')
    expect(await mailsTo(email)).toEqual(['Confirm your Meterbook account', 'Confirm your Meterbook account'])
    const confirmed = await makePerson(db, null)
    expect((await resend(root, confirmed.id)).status).toBe(200)
    expect(await mailsTo(confirmed.email)).toEqual(['Set a new Meterbook password'])
  })

  it('sends one mail for a double click, and none to who is not active', async () => {
    const person = await makePerson(db, null)
    expect((await Promise.all([resend(root, person.id), resend(root, person.id)])).map(({ status }) => status)).toEqual([200, 200])
    expect(await mailsTo(person.email)).toHaveLength(1)
    const gone = await made(root, { status: 'in_active' })
    expect((await resend(root, gone.id)).status).toBe(409)
  })
})

describe('a password that an administrator sets', () => {
  it('needs both fields, alike and long enough [USER-RULE-003]', async () => {
    const { id } = await made(root)
    const set = async (user: object) => (await ask(root, 'PATCH', `/users/${id}`, { user })).body['errors']
    expect(await set({ password: '', password_confirmation: '' })).toMatchObject({
      fields: { password: ['Password is required'], password_confirmation: ['Password Confirmation is required'] },
    })
    expect(await set({ password: good })).toMatchObject({ fields: { password_confirmation: ['Password Confirmation is required'] } })
    expect(await set({ password_confirmation: good })).toMatchObject({ fields: { password: ['Password is required'] } })
    expect(await set({ password: good, password_confirmation: `${good}!` })).toHaveProperty('fields.password_confirmation')
    expect(await set({ password: 'short', password_confirmation: 'short' })).toHaveProperty('fields.password')
  })

  it('confirms the account, ends the user’s sign-ins at the next request, and shows in the trail as a change only', async () => {
    const person = await makePerson(db, 'read_only_user', { clients: [acme] })
    await sql`update users set account_confirmed = false where id = ${person.id}`.execute(db)
    expect((await ask(person, 'GET', '/users/profile')).status).toBe(200)
    const done = await ask(root, 'PATCH', `/users/${person.id}`, { user: { password: good, password_confirmation: good } })
    expect(done.body).toMatchObject({ success: true, user: { account_confirmed: true } })
    expect((await ask(person, 'GET', '/users/profile')).status).toBe(401)
    expect((await signIn(person.email, good)).status).toBe(200)
    const changes = (await trailOf('user', person.id)).filter(({ event }) => event === 'update').map((row) => row.changes)
    expect(changes).toContainEqual({ password: { from: null, to: '[secret]' } })
    expect(JSON.stringify(changes)).not.toContain(good)
  })
})

describe('status', () => {
  it('is active or in_active; whoever is deactivated is out at the next request and cannot sign in [USER-TRANS-001]', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [acme] })
    await ask(root, 'PATCH', `/users/${person.id}`, { user: { password: good, password_confirmation: good } })
    const { headers } = await signIn(person.email, good)
    const signed = { ...person, headers: headersOf(headers) }
    expect((await ask(signed, 'GET', '/users')).status).toBe(200)
    expect((await ask(root, 'PATCH', `/users/${person.id}`, { user: { status: 'in_active' } })).body).toMatchObject({
      user: { status: 'in_active' },
    })
    expect((await ask(signed, 'GET', '/users')).status).toBe(401)
    expect((await signIn(person.email, good)).status).toBe(401)
    await ask(root, 'PATCH', `/users/${person.id}`, { user: { status: 'active' } })
    expect((await ask(signed, 'GET', '/users')).status).toBe(401)
    expect((await signIn(person.email, good)).status).toBe(200)
    expect((await ask(root, 'PATCH', `/users/${person.id}`, { user: { status: 'asleep' } })).status).toBe(422)
  })

  it('is nobody’s own to take away, nor is the account', async () => {
    await makePerson(db, 'super_admin')
    expect((await ask(root, 'PATCH', `/users/${root.id}`, { user: { status: 'in_active' } })).body).toMatchObject({
      code: 'refused',
      message: 'You cannot deactivate yourself.',
    })
    expect((await ask(root, 'DELETE', `/users/${root.id}`)).body).toMatchObject({ code: 'refused', message: 'You cannot delete yourself.' })
    expect((await ask(root, 'GET', '/users/profile')).status).toBe(200)
  })
})

describe('a change of email', () => {
  it('is told to the old mailbox and the new one', async () => {
    const person = await makePerson(db, null)
    const email = `${unique('moved')}@example.test`
    expect((await ask(root, 'PATCH', `/users/${person.id}`, { user: { email } })).status).toBe(200)
    expect(await mailsTo(person.email)).toEqual(['Your Meterbook email was changed'])
    expect(await mailsTo(email)).toEqual(['Your Meterbook email was changed'])
  })

  it('of an unconfirmed account sends the confirmation to the new address, and the old link is dead', async () => {
    const { id, email: old } = await made(root)
    const email = `${unique('moved')}@example.test`
    await ask(root, 'PATCH', `/users/${id}`, { user: { email } })
    expect(await mailsTo(email)).toEqual(['Confirm your Meterbook account'])
    expect(await mailsTo(old)).toHaveLength(1)
    const { rows } = await sql<{ links: number }>`select count(*) as links from one_time_links where user_id = ${id}`.execute(db)
    expect(rows[0]?.links).toBe(1)
  })
})

describe('deleting a user', () => {
  it('ends each of their roles in the trail of the client that it names', async () => {
    const person = await makePerson(db, 'read_only_user', { clients: [acme] })
    await addRole(db, person.id, 'client_manager', { clients: [beta] })
    const { rows: roles } = await sql<{ id: number }>`select id from user_roles where user_id = ${person.id} order by id`.execute(db)
    // A user who sees a person only through their roles may delete them too.
    const keeper = await makePerson(db, 'muc_admin', { clients: [acme, beta] })
    expect((await ask(keeper, 'DELETE', `/users/${person.id}`)).status).toBe(200)
    const { rows } = await sql`select client_id, item_id, object_changes -> 'user' ->> 'from' as email from audit_records
      where event = 'destroy' and item_type = 'user_role' and item_id = any(${roles.map(({ id }) => id)}::bigint[]) order by item_id`.execute(
      db,
    )
    expect(rows).toEqual([
      { client_id: acme, item_id: roles[0]?.id, email: person.email },
      { client_id: beta, item_id: roles[1]?.id, email: person.email },
    ])
  })

  it('takes their roles, sign-ins and views with them, and leaves what they did [USER-API-010] [USER-TRANS-004]', async () => {
    const person = await makePerson(db, 'super_admin')
    const { id: theirs } = await made(person)
    await sql`insert into saved_views (user_id, list, name) values (${person.id}, 'bills', 'Mine')`.execute(db)
    expect((await ask(root, 'DELETE', `/users/${person.id}`)).body).toMatchObject({ success: true, message: 'User deleted' })
    expect((await ask(person, 'GET', '/users/profile')).status).toBe(401)
    expect((await ask(root, 'GET', `/users/${person.id}`)).status).toBe(404)
    const { rows } = await sql<{ left: number }>`select (select count(*) from user_roles where user_id = ${person.id})
      + (select count(*) from sessions where user_id = ${person.id}) + (select count(*) from saved_views where user_id = ${person.id}) as left`.execute(
      db,
    )
    expect(rows[0]?.left).toBe(0)
    expect((await ask(root, 'GET', `/users/${theirs}`)).status).toBe(200)
    expect((await trailOf('user', theirs))[0]).toMatchObject({ event: 'create' })
    expect((await trailOf('user', person.id)).at(-1)).toMatchObject({
      event: 'destroy',
      changes: { email: { from: person.email, to: null } },
    })
  })
})

describe('an open live channel', () => {
  let address = ''
  beforeAll(async () => {
    address = await listen()
  })
  /** Opens a channel and returns a promise of the milliseconds until it ended. */
  const openChannel = async (person: Person): Promise<{ ended: Promise<number> }> => {
    const response = await fetch(`${address}/api/v5/live?connection_id=${unique('window')}`, { headers: person.headers })
    expect(response.status).toBe(200)
    const since = performance.now()
    const untilEnd = async () => {
      await response.text()
      return performance.now() - since
    }
    return { ended: untilEnd() }
  }

  it.for([
    { what: 'deactivated', change: (id: number) => ask(root, 'PATCH', `/users/${id}`, { user: { status: 'in_active' } }) },
    {
      what: 'given another password',
      change: (id: number) => ask(root, 'PATCH', `/users/${id}`, { user: { password: good, password_confirmation: good } }),
    },
    { what: 'deleted', change: (id: number) => ask(root, 'DELETE', `/users/${id}`) },
    {
      what: 'given another role',
      change: (id: number) => ask(root, 'POST', `/users/${id}/user_roles`, { user_role: { role_id: 5, client_ids: [beta] } }),
    },
  ])('of who is $what closes within 5 s', async ({ change }) => {
    const person = await makePerson(db, 'read_only_user', { clients: [acme] })
    const { ended } = await openChannel(person)
    expect((await change(person.id)).status).toBe(200)
    const late = sleep(5_000, Infinity, { ref: false })
    expect(await Promise.race([ended, late])).toBeLessThan(5_000)
  })
})

describe('the list of users', () => {
  it('is sorted by email, pages, sorts by each column and is filtered by what each text holds [USER-API-006] [USER-CONST-001]', async () => {
    const word = unique('zeta')
    const names = ['c', 'a', 'b'].map((letter) => `${letter}-${word}`)
    for (const [at, name] of names.entries())
      await made(root, {
        email: `${name}@example.test`,
        username: `u-${name}`,
        first_name: `f-${name}`,
        last_name: `l-${word}`,
        title: `${9 - at}-${word}`,
      })
    const sorted = ['a', 'b', 'c'].map((letter) => `${letter}-${word}@example.test`)
    for (const key of ['email', 'username', 'first_name', 'last_name', 'title'])
      expect(await emailsOf(root, `/users?q[${key}_cont]=${word.toUpperCase()}`), key).toEqual(sorted)
    expect(await emailsOf(root, `/users?q[email]=${word}&page=2&per=2`)).toEqual(sorted.slice(2))
    expect((await ask(root, 'GET', `/users?q[email]=${word}&per=2`)).body['total']).toBe(3)
    expect(await emailsOf(root, `/users?q[email]=${word}&q[s]=title%20asc`)).toEqual([sorted[1], sorted[0], sorted[2]])
    expect(await emailsOf(root, `/users?q[email]=${word}&q[s]=email%20desc`)).toEqual(sorted.toReversed())
    for (const key of ['email', 'first_name', 'last_name', 'username', 'title', 'status', 'account_confirmed', 'roles', 'clients'])
      for (const direction of ['asc', 'desc'])
        expect((await ask(root, 'GET', `/users?q[s]=${key}%20${direction}`)).status, `${key} ${direction}`).toBe(200)
    expect((await ask(root, 'GET', '/users?q[password_cont]=x')).status).toBe(422)
    expect((await ask(root, 'GET', '/users?q[s]=password_hash%20asc')).status).toBe(422)
  })

  it('is filtered by the names of roles and clients, and counts anew when a client is renamed', async () => {
    const clientId = await makeClient(db, { name: 'Gamma Foundry' })
    const person = await makePerson(db, 'client_manager', { clients: [clientId] })
    expect(await emailsOf(root, '/users?q[clients]=gamma%20f')).toEqual([person.email])
    expect(await emailsOf(root, '/users?q[clients]=gamma%20f&q[roles]=manag')).toEqual([person.email])
    expect(await emailsOf(root, '/users?q[clients]=gamma%20f&q[roles]=super')).toEqual([])
    expect(await emailsOf(root, '/users?q[clients_eq]=Gamma%20Foundry&q[roles_in]=Client%20Manager,Super%20Admin')).toEqual([person.email])
    expect(await emailsOf(root, `/users?q[email]=${person.email}&q[clients_not_eq]=Gamma%20Foundry`)).toEqual([])
    expect(await emailsOf(root, `/users?q[email]=${person.email}&q[roles_not_eq]=Super%20Admin&q[clients_null]=false`)).toEqual([
      person.email,
    ])
    expect(await emailsOf(root, `/users?q[email]=${person.email}&q[roles_null]=true`)).toEqual([])
    expect(await emailsOf(root, `/users?q[email]=${root.email}&q[clients_null]=true`)).toEqual([root.email])
    expect((await ask(root, 'PATCH', `/clients/${clientId}`, { client: { name: 'Delta Foundry' } })).status).toBe(200)
    expect((await ask(root, 'GET', '/users?q[clients]=gamma%20f')).body).toMatchObject({ total: 0, users: [] })
  })

  it('of a client holds those whose roles name it, and whom its administrator has made and not given a role yet [USER-API-005]', async () => {
    const clientId = await makeClient(db, { name: 'Epsilon' })
    const admin = await makePerson(db, 'client_admin', { clients: [clientId] })
    const reader = await makePerson(db, 'read_only_user', { clients: [clientId] })
    await makePerson(db, 'read_only_user', { clients: [acme] })
    const { email } = await made(admin)
    expect((await emailsOf(admin, `/clients/${clientId}/users`)).toSorted()).toEqual([admin.email, reader.email, email].toSorted())
    expect((await emailsOf(root, `/clients/${clientId}/users`)).toSorted()).toEqual([admin.email, reader.email].toSorted())
    expect((await ask(admin, 'GET', `/clients/${clientId}/users`)).body['total']).toBe(3)
  })

  it('is searched by email and name for pickers, for the audit log too [USER-API-004]', async () => {
    const word = unique('kappa')
    const { id, email } = await made(root, { first_name: 'Grace', last_name: word })
    for (const query of [`q=${word}`, `search_term=${email}&audit_log=true`])
      expect((await ask(root, 'GET', `/users/search?${query}`)).body).toEqual({ users: [{ id, name: `Grace ${word}`, email }], total: 1 })
  })

  it('is exported as it is asked for, of whom the asker sees [USER-EXPORT-001] [USER-MSG-002]', async () => {
    const clientId = await makeClient(db, { name: 'Zeta' })
    const admin = await makePerson(db, 'client_admin', { clients: [clientId] })
    const reader = await makePerson(db, 'read_only_user', { clients: [clientId] })
    const started = await ask(admin, 'GET', '/users/export_csv?connection_id=window')
    expect(started.body).toMatchObject({ success: true, message: 'Users export started' })
    const lines = (await fileOf(admin, started.body['task_id'])).trimEnd().split('\n')
    expect(lines[0]).toBe('ID,Email,Username,First Name,Last Name,Title,Status,Confirmed,Roles,Clients')
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual([admin.email, reader.email].toSorted())
    const narrow = await ask(admin, 'GET', `/clients/${clientId}/users/export_csv?q[email]=${reader.email}`)
    expect((await fileOf(admin, narrow.body['task_id'])).trimEnd().split('\n')).toHaveLength(2)
  })
})

async function fileOf(person: Person, taskId: unknown): Promise<string> {
  for (let tries = 0; tries < 400; tries++) {
    const { status, body } = await ask(person, 'GET', `/tasks/${String(taskId)}/file`)
    const url = body['url']
    if (status === 200 && typeof url === 'string')
      return (await ask(null, 'GET', url.slice(url.indexOf('/api/v5') + '/api/v5'.length))).text
    await sleep(50)
  }
  throw new Error('the file does not come')
}

function headersOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(['access-token', 'client', 'uid'].map((name) => [name, String(headers[name])]))
}
