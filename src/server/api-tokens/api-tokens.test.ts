import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { addDays } from '#contract/kernel/date.ts'
import { apiTokenDaysMax, apiTokensPerUserMax } from '#contract/access/api-token.ts'
import { tokenRefusal } from '#contract/access/token-access.ts'
import { addRole, makePerson, startTestApp, type Answer, type Method, type Person } from '../../../test/support/app.ts'
import { makeClient, makeDivision, makeFacility } from '../../../test/support/estate.ts'
import { calls } from '#contract/calls.ts'
import { permissionsOf } from '#contract/kernel/permission.ts'
import { endOfDayIn, NEW_YORK } from '#contract/kernel/zone.ts'
import { setClock, today } from '../kernel/clock.ts'
import { warnOfExpiry } from './expiry-notice.ts'
import { loadTaskPrincipal } from './token-principals.ts'

const started = await startTestApp()
const {
  ask,
  app: { machinery },
  database: { db },
} = started
const [near, far] = [await makeClient(db, { name: 'Near' }), await makeClient(db, { name: 'Far' })]
const anna = await makePerson(db, 'client_manager', { clients: [near, far] })
const boss = await makePerson(db, 'super_admin')

afterEach(() => setClock())

interface Wishes {
  name?: string
  access?: 'read' | 'write'
  models?: string[]
  client_ids?: number[]
  expires_on?: string
}

function make(who: Person, wishes: Wishes = {}): Promise<Answer> {
  return ask(who, 'POST', '/users/profile/api_tokens', {
    api_token: { name: 'Reports', access: 'read', expires_on: addDays(today(), 90), ...wishes },
  })
}

/** Makes a token and returns a function that sends requests with the token alone. */
async function holderOf(who: Person, wishes: Wishes = {}) {
  const answer = await make(who, wishes)
  expect(answer.text).toContain('"success":true')
  const token = String(answer.body['token'])
  const headers = { authorization: `Bearer ${token}` }
  return {
    token,
    id: Number(answer.body['id']),
    ask: (method: Method, path: string, body?: object) => ask(null, method, path, body, headers),
  }
}

describe('an API token', () => {
  test('is shown once, has 256 bits, and lies in the database as a hash only', async () => {
    const { token } = await holderOf(anna, { name: 'Shown once' })
    expect(token).toMatch(/^mb_[\w-]{43}$/)
    const list = await ask(anna, 'GET', '/users/profile/api_tokens')
    expect(list.text).toContain(`mb_…${token.slice(-4)}`)
    expect(await placesOf(token)).toEqual([])
    expect(list.text).not.toContain(token)
  })

  test('a repeat of the request that made it does not find it in what is kept of answers', async () => {
    const body = { api_token: { name: 'Twice', access: 'read', expires_on: today() } }
    const key = { 'idempotency-key': 'same' }
    const one = await ask(anna, 'POST', '/users/profile/api_tokens', body, key)
    const other = await ask(anna, 'POST', '/users/profile/api_tokens', body, key)
    expect([one.status, other.status]).toEqual([200, 200])
    expect(one.body['token']).not.toBe(other.body['token'])
    expect(await placesOf(String(one.body['token']))).toEqual([])
  })

  test('reads and writes as its person, whatever the case of the scheme', async () => {
    const full = await holderOf(anna, { access: 'write' })
    expect((await full.ask('GET', `/clients/${near}/divisions`)).status).toBe(200)
    expect(
      (await full.ask('POST', `/clients/${near}/divisions`, { division: { name: 'By token', short_code: 'D', code: 'D' } })).status,
    ).toBe(200)
    expect((await full.ask('POST', '/vendors', { vendor: { name: 'V', short_code: 'V' } })).status).toBe(403)
    expect((await ask(null, 'GET', '/users/profile', undefined, { authorization: `bearer  ${full.token}` })).status).toBe(200)
    const { rows } = await sql<{
      user_id: number
    }>`select user_id from audit_records where item_type = 'division' order by id desc limit 1`.execute(db)
    expect(rows[0]?.user_id).toBe(anna.id)
  })

  test('for reading only writes nothing, and may export', async () => {
    const reader = await holderOf(anna)
    expect((await reader.ask('GET', `/clients/${near}/divisions`)).status).toBe(200)
    const refused = await reader.ask('POST', `/clients/${near}/divisions`, { division: { name: 'No', short_code: 'D', code: 'D' } })
    expect([refused.status, refused.body['message']]).toEqual([403, 'This API token may only read.'])
    const { rows } = await sql`select id from divisions where name = 'No'`.execute(db)
    expect(rows).toEqual([])
    expect((await reader.ask('GET', `/clients/${near}/divisions/export_csv`)).status).toBe(200)
    expect((await reader.ask('GET', '/direct_upload_url')).status).toBe(403)
    expect(JSON.stringify((await reader.ask('GET', '/user_roles/for_user')).body['permissions'])).not.toMatch(/create|update|destroy/)
  })

  test('narrowed to clients knows of no other, and leaves alone what belongs to none', async () => {
    const narrow = await holderOf(anna, { access: 'write', client_ids: [near] })
    expect((await narrow.ask('GET', `/clients/${near}/divisions`)).status).toBe(200)
    expect((await narrow.ask('GET', `/clients/${far}/divisions`)).status).toBe(404)
    expect((await narrow.ask('GET', '/clients')).body['total']).toBe(1)
    const atOne = await holderOf(boss, { access: 'write', client_ids: [near] })
    expect((await atOne.ask('GET', '/vendors')).status).toBe(200)
    expect((await atOne.ask('POST', '/vendors', { vendor: { name: 'V', short_code: 'V' } })).status).toBe(403)
    expect((await atOne.ask('GET', `/clients/${far}`)).status).toBe(404)
    expect((await atOne.ask('PATCH', `/clients/${near}`, { client: { notes: 'By token' } })).status).toBe(200)
  })

  test('narrowed to records does nothing with others', async () => {
    const narrow = await holderOf(anna, { access: 'write', models: ['division'] })
    expect((await narrow.ask('GET', `/clients/${near}/divisions`)).status).toBe(200)
    expect((await narrow.ask('GET', `/clients/${near}/facilities`)).status).toBe(403)
  })

  test('never reaches more than its person does at that moment', async () => {
    const person = await makePerson(db, 'client_manager', { clients: [near] })
    expect((await make(person, { client_ids: [far] })).body['errors']).toMatchObject({ fields: { client_ids: [expect.any(String)] } })
    const full = await holderOf(person, { access: 'write' })
    expect((await full.ask('GET', `/clients/${near}`)).status).toBe(200)
    await sql`delete from user_roles where user_id = ${person.id}`.execute(db)
    machinery.sessions.forgetUser(person.id)
    expect((await full.ask('GET', `/clients/${near}`)).status).toBe(404)
    await addRole(db, person.id, 'read_only_user', { clients: [near] })
    machinery.sessions.forgetUser(person.id)
    expect((await full.ask('GET', `/clients/${near}`)).status).toBe(200)
    expect((await full.ask('POST', `/clients/${near}/divisions`, { division: { name: 'No', short_code: 'D', code: 'D' } })).status).toBe(
      403,
    )
  })

  test('keeps the narrowing of its person’s role inside a client', async () => {
    const division = await makeDivision(db, near)
    const inside = await makeFacility(db, near, division)
    const outside = await makeFacility(db, near, await makeDivision(db, near))
    const person = await makePerson(db, 'client_user', { clients: [near], division: [[near, division]] })
    const token = await holderOf(person, { client_ids: [near] })
    expect((await token.ask('GET', `/clients/${near}/facilities/${inside}`)).status).toBe(200)
    expect((await token.ask('GET', `/clients/${near}/facilities/${outside}`)).status).toBe(404)
  })

  test('dies with its person’s account, its last day and its revocation', async () => {
    const person = await makePerson(db, 'client_manager', { clients: [near] })
    const { ask: asToken, id } = await holderOf(person, { expires_on: addDays(today(), 10) })
    expect((await asToken('GET', '/users/profile')).status).toBe(200)
    await sql`update users set status = 'in_active' where id = ${person.id}`.execute(db)
    machinery.sessions.forgetUser(person.id)
    expect((await asToken('GET', '/users/profile')).status).toBe(401)
    await sql`update users set status = 'active' where id = ${person.id}`.execute(db)
    expect((await asToken('GET', '/users/profile')).status).toBe(200)
    // The last day counts in New York, cached or not.
    const last = addDays(today(), 10)
    const end = Date.parse(endOfDayIn(NEW_YORK, last))
    setClock(new Date(end - 10_000))
    expect((await asToken('GET', '/users/profile')).status).toBe(200)
    setClock(new Date(end + 10_000))
    expect((await asToken('GET', '/users/profile')).status).toBe(401)
    setClock()
    expect((await asToken('GET', '/users/profile')).status).toBe(200)
    await ask(person, 'DELETE', `/users/profile/api_tokens/${id}`)
    expect((await asToken('GET', '/users/profile')).status).toBe(401)
  })

  test.each([
    ['a wrong one', 'Bearer mb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['one that is too long', `Bearer mb_${'A'.repeat(400)}`],
    ['none of ours', 'Bearer something'],
    ['another scheme', 'Basic bWI6bWI='],
  ])('%s opens nothing', async (_, authorization) => {
    expect((await ask(null, 'GET', '/users/profile', undefined, { authorization })).status).toBe(401)
  })

  test('a header of another scheme does not disturb the three headers', async () => {
    expect((await ask(anna, 'GET', '/users/profile', undefined, { authorization: 'Bearer eyJ0b2tlbiI6MX0=' })).status).toBe(200)
  })

  test('notes its last use', async () => {
    const { id, ask: asToken } = await holderOf(anna)
    await asToken('GET', '/users/profile')
    const { rows } = await sql<{
      used: boolean
      ip: string
    }>`select last_used_at is not null as used, last_used_ip as ip from api_tokens where id = ${id}`.execute(db)
    expect(rows[0]).toEqual({ used: true, ip: '127.0.0.1' })
  })

  test('ends with the deactivation of its person, also when they are made active again', async () => {
    const person = await makePerson(db, 'client_manager', { clients: [near] })
    const { ask: asToken } = await holderOf(person)
    const be = async (status: string) => expect((await ask(boss, 'PATCH', `/users/${person.id}`, { user: { status } })).status).toBe(200)
    await be('in_active')
    await be('active')
    expect((await asToken('GET', '/users/profile')).status).toBe(401)
    expect((await sql`select from api_tokens where user_id = ${person.id}`.execute(db)).rows).toEqual([])
  })

  test('never pays, is never a second person, and makes or changes no webhook', async () => {
    const full = await holderOf(boss, { access: 'write' })
    const asked: [Method, string, object][] = [
      ['POST', '/settings/webhooks', { webhook: { name: 'Ledger', url: 'https://ledger.example.com', all_events: true } }],
      ['PATCH', '/settings/webhooks/1', { webhook: { url: 'https://thief.example.com' } }],
      ['POST', '/settings/webhooks/1/secret', {}],
      ['POST', '/export_releases/1/decide', { act: 'release' }],
      ['POST', `/clients/${near}/payment_batches/1/approve`, { act: 'approve' }],
      ['POST', '/global_batches/export', {}],
      ['POST', '/global_batches/pay', {}],
      ['POST', '/global_batches/finalize', {}],
      ['POST', '/global_batches/1/vendor_payments/1/reverse', {}],
      ['GET', '/global_batches/accounting_export', {}],
      ['POST', `/clients/${near}/payment_batches/1/vendor_payments/1/reverse`, {}],
      ['POST', '/positive_pay', {}],
      ['POST', '/bank_returns', {}],
      ['POST', '/bank_returns/1/apply', {}],
      ['POST', '/bank_statement_lines/1/clear', {}],
      ['POST', '/bank_statement_lines/1/explain', {}],
      ['POST', '/bank_statement_lines/1/undo', {}],
      ['PATCH', `/clients/${near}/payment_settings`, { payment_setting: {} }],
      ['POST', '/originating_profiles', { originating_profile: {} }],
      ['PATCH', '/global_batch_bank_value', {}],
      ['PATCH', '/global_batch_bank_value/lock', {}],
      ['POST', '/vendors/import', {}],
      ['DELETE', '/originating_profiles/1', {}],
      ['POST', '/vendor_bank_changes/1/approve', {}],
      ['POST', '/vendor_bank_changes/1/refuse', {}],
      ['POST', '/vendor_bank_changes/1/withdraw', {}],
    ]
    const open: string[] = []
    for (const [method, path, body] of asked) {
      const { status, text } = await full.ask(method, path, body)
      if (status !== 403 || !text.includes('sign in at the console')) open.push(`${method} ${path} ${status}`)
    }
    expect(open).toEqual([])
    for (const path of ['/settings/webhooks', '/originating_profiles', '/bank_returns', '/bank_statement_lines', '/export_releases'])
      expect([path, (await full.ask('GET', path)).status]).toEqual([path, 200])
  })

  test('that is refused stands in the security log with its person, the token and the call', async () => {
    const person = await makePerson(db, 'super_admin')
    const { id, ask: asToken } = await holderOf(person, { access: 'write' })
    expect((await asToken('GET', '/global_batches/accounting_export')).status).toBe(403)
    const events = async () =>
      (
        await sql<object>`select kind, outcome, api_token_id, route from security_events
          where user_id = ${person.id} and kind = 'denied'`.execute(db)
      ).rows
    await expect
      .poll(events)
      .toEqual([{ kind: 'denied', outcome: 'refused', api_token_id: id, route: 'GET /api/v5/global_batches/accounting_export' }])
  })

  test('closes no vendor batch, which pays it; it changes one that stays open', async () => {
    await sql`update clients set utility_payment_management = true where id = ${near}`.execute(db)
    const { ask: asToken } = await holderOf(boss, { access: 'write' })
    const head = { payer_type: 'Client', payer_id: near, batch_date: today(), bills_due_date: today() }
    const made = await asToken('POST', `/clients/${near}/payment_batches`, { payment_batch: head })
    expect(made.status, made.text).toBe(200)
    const at = `/clients/${near}/payment_batches/${Number(made.body['id'])}`
    expect((await asToken('PATCH', at, { payment_batch: { notes: 'By token' } })).status).toBe(200)
    const closed = await asToken('PATCH', at, { payment_batch: { closed: true } })
    expect([closed.status, closed.text]).toEqual([403, expect.stringContaining('sign in at the console')])
    // A person is refused by the next rule only.
    expect((await ask(boss, 'PATCH', at, { payment_batch: { closed: true } })).status).toBe(409)
  })

  test('has no say in what is a person’s own affair', async () => {
    const full = await holderOf(boss, { access: 'write' })
    const asked: [Method, string, object?][] = [
      ['DELETE', '/auth/sign_out'],
      ['POST', '/users/profile/api_tokens', { api_token: { name: 'Child', access: 'write', expires_on: today() } }],
      ['GET', '/users/profile/api_tokens'],
      ['GET', '/settings/api_tokens'],
      ['PATCH', '/users/preferences', { preferences: {} }],
      ['GET', '/notifications'],
      ['GET', '/live?connection_id=x'],
    ]
    for (const [method, path, body] of asked) expect([path, (await full.ask(method, path, body)).status]).toEqual([path, 403])
    const granting = calls.filter((call) => permissionsOf(call.may).some((one) => /^user\.(create|update|destroy)$/.test(one)))
    expect(granting.length).toBeGreaterThan(0)
    for (const call of granting)
      expect([call.name, tokenRefusal(call, 'write')]).toEqual([call.name, expect.stringContaining('sign in at the console')])
  })

  test('its long work stays within its bounds, and ends with it', async () => {
    const narrow = await holderOf(anna, { client_ids: [near] })
    const { body } = await narrow
      .ask('GET', '/divisions/export_csv')
      .then((answer) => (answer.status === 404 ? narrow.ask('GET', `/clients/${near}/divisions/export_csv`) : answer))
    const { rows } = await sql<{
      user_id: number
      api_token_id: number
    }>`select user_id, api_token_id from tasks where id = ${Number(body['task_id'])}`.execute(db)
    expect(rows[0]).toEqual({ user_id: anna.id, api_token_id: narrow.id })
    const acting = await loadTaskPrincipal(db, anna.id, narrow.id)
    expect(acting?.grants.map((grant) => grant.clients)).toEqual([[near]])
    const { body: own } = await ask(anna, 'GET', `/clients/${far}/divisions/export_csv`)
    expect((await narrow.ask('GET', '/tasks')).body['total']).toBe(1)
    expect((await narrow.ask('GET', `/tasks/${Number(own['task_id'])}/file`)).status).toBe(404)
    await ask(anna, 'DELETE', `/users/profile/api_tokens/${narrow.id}`)
    expect(await loadTaskPrincipal(db, anna.id, narrow.id)).toBeNull()
  })

  test('its expiry is asked for, and lies within a year', async () => {
    const faults = async (wishes: object) => JSON.stringify((await make(anna, wishes)).body['errors'])
    expect(await faults({ expires_on: undefined })).toContain('Expires On is required')
    expect(await faults({ expires_on: addDays(today(), -1) })).toContain('must not lie in the past')
    expect(await faults({ expires_on: addDays(today(), apiTokenDaysMax + 1) })).toContain('within 365 days')
    expect((await make(anna, { expires_on: addDays(today(), apiTokenDaysMax) })).status).toBe(200)
    expect(await faults({ access: 'all' })).toContain('Access must be one of')
    expect((await make(anna, { models: ['secrets'] })).status).toBe(422)
  })

  test('a person holds a bounded number, also where two are made at once', async () => {
    const person = await makePerson(db, 'client_manager', { clients: [near] })
    await sql`insert into api_tokens (user_id, name, token_hash, token_last4, expires_on)
      select ${person.id}, 'T', sha256(n::text::bytea), 'abcd', current_date from generate_series(1, ${apiTokensPerUserMax - 1}) n`.execute(
      db,
    )
    const answers = await Promise.all([make(person), make(person), make(person)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  test('is told of when it is made, days before it expires, and when another ends it', async () => {
    const person = await makePerson(db, 'client_manager', { clients: [near] })
    const { id } = await holderOf(person, { name: 'Soon', expires_on: addDays(today(), 5) })
    await sql`update api_tokens set created_at = now() - interval '80 days' where id = ${id}`.execute(db)
    await warnOfExpiry(machinery)
    await warnOfExpiry(machinery)
    expect((await ask(boss, 'DELETE', `/settings/api_tokens/${id}`)).status).toBe(200)
    const { rows } = await sql<{ message: string }>`select message from notifications where user_id = ${person.id} order by id`.execute(db)
    expect(rows.map(({ message }) => message)).toEqual([
      'A new API token was made for you',
      'An API token of yours is about to expire',
      'An API token of yours was revoked',
    ])
  })

  test('making and ending it stands in the trail, without it', async () => {
    const { id, token } = await holderOf(anna, { name: 'Trailed' })
    await ask(anna, 'DELETE', `/users/profile/api_tokens/${id}`)
    const { rows } = await sql<{
      event: string
      text: string
    }>`select event, object_changes::text as text from audit_records where item_type = 'api_token' and item_id = ${id} order by id`.execute(
      db,
    )
    expect(rows.map(({ event }) => event)).toEqual(['create', 'destroy'])
    expect(rows[0]?.text).toContain('Trailed')
    expect(rows.map(({ text }) => text).join('')).not.toContain(token)
  })
})

describe('the tokens of everybody', () => {
  test('are listed, filtered and ended by who administers every client, and by nobody else', async () => {
    const mine = await holderOf(anna, { name: 'Findable' })
    const list = await ask(boss, 'GET', `/settings/api_tokens?q[user_email_cont]=${encodeURIComponent(anna.email)}&q[name]=Findable`)
    expect(list.body).toMatchObject({ total: 1, api_tokens: [{ id: mine.id, user_email: anna.email }] })
    expect((await ask(boss, 'GET', '/settings/api_tokens?q[token_hash]=x')).status).toBe(422)
    const bound = await makePerson(db, 'muc_admin', { clients: [near] })
    for (const who of [bound, anna]) {
      expect((await ask(who, 'GET', '/settings/api_tokens')).status).toBe(403)
      expect((await ask(who, 'DELETE', `/settings/api_tokens/${mine.id}`)).status).toBe(403)
    }
    expect((await mine.ask('GET', '/users/profile')).status).toBe(200)
  })
})

/** Returns every place in the database that contains the secret as text. */
async function placesOf(secret: string): Promise<string[]> {
  const { rows: tables } = await sql<{
    name: string
  }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(db)
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql`select 1 from ${sql.table(name)} row where row::text like ${`%${secret}%`} limit 1`.execute(db)
      return rows.length > 0 ? [name] : []
    }),
  )
  return found.flat()
}
