import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { linkIn, mailTo, requestsAreDone } from '../../../test/support/mails.ts'
import { credentialsOf, makeUser, password, signIn } from '../../../test/support/sign-in.ts'
import { now, setClock } from '../kernel/clock.ts'
import { makeLink } from './links.ts'

const app = await startTestApp()
const { ask, database } = app
const { db } = database
afterEach(() => setClock())

const request = (email: string, redirect_url?: string) =>
  ask(null, 'POST', '/auth/password', { email, ...(redirect_url ? { redirect_url } : {}) })
const both = (typed: string, confirmation = typed) => ({ password: typed, password_confirmation: confirmation })
const setWith = (query: URLSearchParams, body: object) => ask(null, 'PUT', '/auth/password', body, Object.fromEntries(query))
const open = (link: URL) => app.app.server.inject({ method: 'GET', url: link.pathname + link.search })

/** Returns the credentials of the link that is mailed on request. */
async function askedFor(email: string, after = 0): Promise<URLSearchParams> {
  expect((await request(email)).status).toBe(200)
  return linkIn(await mailTo(db, email, after)).searchParams
}
const changed = (query: URLSearchParams, name: string, value: string) =>
  new URLSearchParams([...query].map(([key, old]) => [key, key === name ? value : old]))
const isConfirmed = async (email: string) =>
  (await sql<{ account_confirmed: boolean }>`select account_confirmed from users where email = ${email}`.execute(db)).rows[0]
    ?.account_confirmed

describe('the password link', () => {
  it('is asked for with the same answer for known and unknown addresses, and mailed to the known one [AUTH-RULE-009] [AUTH-API-006]', async () => {
    await makeUser(app, 'reset@example.test')
    const [known, unknown] = [await request('reset@example.test'), await request('unknown@example.test')]
    expect(known.status).toBe(200)
    expect(known.body).toEqual(unknown.body)
    const link = linkIn(await mailTo(db, 'reset@example.test'))
    expect([link.pathname, [...link.searchParams.keys()]]).toEqual(['/reset_password', ['access-token', 'client', 'uid']])
    await requestsAreDone(db)
    const { rows } = await sql`select id from mails where to_address = 'unknown@example.test'`.execute(db)
    expect(rows).toEqual([])
  })

  it('sets a password once, ends every sign-in, and is dead afterwards and after an hour [AUTH-RULE-010] [AUTH-API-007] [AUTH-RULE-007]', async () => {
    await makeUser(app, 'renew@example.test')
    const old = credentialsOf(await signIn(app, 'renew@example.test'))
    const link = await askedFor('renew@example.test')
    const mismatch = await setWith(link, both('another password', 'another passwort'))
    expect(mismatch.status).toBe(422)
    expect(mismatch.body['errors']).toMatchObject({ full_messages: ['Password and password confirmation must match.'] })
    expect((await setWith(link, both('short'))).status).toBe(422)
    const done = await setWith(link, both('another password'))
    expect(done.body).toMatchObject({ success: true })
    expect(done.headers['access-token']).toBeUndefined()
    expect((await ask(old, 'GET', '/users/profile')).status).toBe(401)
    expect((await signIn(app, 'renew@example.test')).status).toBe(401)
    expect((await signIn(app, 'renew@example.test', 'another password')).status).toBe(200)
    expect((await setWith(link, both('a third password'))).status).toBe(422)
    const late = new URL(
      await makeLink(db, { id: await makeUser(app, 'late@example.test'), email: 'late@example.test' }, 'reset', 'http://x'),
    )
    setClock(new Date(now().getTime() + 3_600_000 - 2_000))
    expect((await setWith(late.searchParams, both('short'))).body['errors']).not.toMatchObject({ fields: { base: expect.anything() } })
    setClock(new Date(now().getTime() + 4_000))
    expect((await setWith(late.searchParams, both('a third password'))).body['errors']).toMatchObject({
      full_messages: ['This link is not valid any more. Please ask for a new one.'],
    })
  })

  it('is of 256 bits, kept hashed, and fails with another user’s uid, another client or another token', async () => {
    await makeUser(app, 'misuse@example.test')
    await makeUser(app, 'neighbour@example.test')
    const link = await askedFor('misuse@example.test')
    expect(Buffer.from(link.get('access-token') ?? '', 'base64url')).toHaveLength(32)
    const { rows } = await sql<{ row: string }>`select one_time_links::text as row from one_time_links`.execute(db)
    for (const { row } of rows) expect(row).not.toContain(link.get('access-token'))
    const other = await askedFor('neighbour@example.test')
    for (const wrong of [
      changed(link, 'uid', 'neighbour@example.test'),
      changed(link, 'client', other.get('client') ?? ''),
      changed(link, 'client', 'x'),
      changed(link, 'access-token', other.get('access-token') ?? ''),
    ])
      expect((await setWith(wrong, both('another password'))).status).toBe(422)
    expect((await setWith(link, both('another password'))).status).toBe(200)
  })

  it('dies when a newer one is asked for, and when the password is set otherwise', async () => {
    await makeUser(app, 'twice@example.test')
    const older = await askedFor('twice@example.test')
    const mailed = (await mailTo(db, 'twice@example.test')).id
    const newer = await askedFor('twice@example.test', mailed)
    expect((await setWith(older, both('another password'))).status).toBe(422)
    expect((await setWith(newer, both('another password'))).status).toBe(200)
  })

  it('ends when the account moves to another address, whoever moves it, and when the link says the new one', async () => {
    const root = await makePerson(db, 'super_admin')
    for (const [email, mover] of [
      ['moved-by-me@example.test', null],
      ['moved-by-root@example.test', root],
    ] as const) {
      const id = await makeUser(app, email)
      const link = await askedFor(email)
      const own = credentialsOf(await signIn(app, email))
      const to = `new-${email}`
      const path = mover ? `/users/${id}` : '/users/profile'
      expect((await ask(mover ?? own, 'PATCH', path, { user: { email: to } })).status).toBe(200)
      expect((await sql`select from one_time_links where user_id = ${id} and used_at is null`.execute(db)).rows).toEqual([])
      for (const query of [link, changed(link, 'uid', to)]) expect((await setWith(query, both('another password'))).status).toBe(422)
    }
  })

  it('is bound to its address even where it was not ended', async () => {
    const id = await makeUser(app, 'bound@example.test')
    const link = await askedFor('bound@example.test')
    await sql`update users set email = 'unbound@example.test' where id = ${id}`.execute(db)
    for (const uid of ['bound@example.test', 'unbound@example.test'])
      expect((await setWith(changed(link, 'uid', uid), both('another password'))).status).toBe(422)
  })

  it('is good for nothing but setting a password: it signs in nobody and confirms nothing', async () => {
    await makeUser(app, 'only@example.test')
    const link = await askedFor('only@example.test')
    expect((await ask({ id: 0, email: '', headers: Object.fromEntries(link) }, 'GET', '/users/profile')).status).toBe(401)
    expect((await app.app.server.inject({ method: 'GET', url: `/api/v5/users/profile?${link.toString()}` })).statusCode).toBe(401)
    expect((await ask(null, 'GET', `/auth/confirmation?${link.toString()}`)).headers['location']).toContain('account_confirmation_failed')
  })

  it('lets the owner in who is braked: the device that sets the password is known from then on', async () => {
    await makeUser(app, 'besieged@example.test')
    for (let failure = 0; failure < 10; failure++) await signIn(app, 'besieged@example.test', 'wrong')
    const done = await setWith(await askedFor('besieged@example.test'), both('another password'))
    expect((await signIn(app, 'besieged@example.test', 'another password')).status).toBe(429)
    const mark = { 'device-mark': String(done.headers['device-mark']) }
    expect((await signIn(app, 'besieged@example.test', 'another password', mark)).status).toBe(200)
  })

  it('refuses a password of the list that is tried first, in the words of the form', async () => {
    await makeUser(app, 'common@example.test')
    const link = await askedFor('common@example.test')
    const refused = await setWith(link, both('Q1w2e3r4t5y6'))
    expect(refused.status).toBe(422)
    expect(refused.body['errors']).toMatchObject({
      fields: { password: ['Password is too common. Choose one that others would not think of'] },
    })
    expect((await setWith(link, both('a quite uncommon one'))).status).toBe(200)
  })

  it('leads to this console alone: any other redirect_url is refused, for known and unknown addresses', async () => {
    const own = new URL(app.app.machinery.settings.publicUrl)
    for (const good of ['/reset_password', `${own.origin}/reset_password`])
      expect((await request('nobody@example.test', good)).status).toBe(200)
    const bad = [
      'https://evil.example/reset_password',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      `${own.origin}.evil.example/`,
      'http://x@evil.example',
    ]
    for (const one of bad) {
      expect([one, (await request('nobody@example.test', one)).status]).toEqual([one, 422])
      const put = await ask(
        null,
        'PUT',
        '/auth/password',
        { ...both('another password'), redirect_url: one },
        { 'access-token': 'a', client: 'b', uid: 'c' },
      )
      expect(put.body['errors']).toMatchObject({ fields: { redirect_url: ['redirect_url must lead to this console'] } })
    }
  })

  it('goes to one mailbox ten times an hour at most, while the answer stays the same; one network asks a hundred times', async () => {
    await makeUser(app, 'flooded@example.test')
    await sql`delete from sign_in_windows`.execute(db)
    const bodies = new Set<string>()
    for (let asked = 0; asked < 25; asked++) bodies.add(JSON.stringify((await request('flooded@example.test')).body))
    await requestsAreDone(db)
    const { rows } = await sql`select id from mails where to_address = 'flooded@example.test'`.execute(db)
    expect([bodies.size, rows.length]).toEqual([1, 10])
    const statuses: number[] = []
    for (let asked = 0; asked < 80; asked++) statuses.push((await request(`x${asked}@example.test`)).status)
    expect([statuses.filter((one) => one === 200).length, statuses.at(-1)]).toEqual([75, 429])
    await sql`delete from sign_in_windows`.execute(db)
  })
})

describe('the confirmation', () => {
  it('is mailed to an unconfirmed user who asks for a password; its link confirms, and leads to the page that asks for the email [USER-TRANS-002]', async () => {
    await makeUser(app, 'fresh@example.test', { confirmed: false })
    expect((await signIn(app, 'fresh@example.test')).status).toBe(401)
    await request('fresh@example.test')
    const link = linkIn(await mailTo(db, 'fresh@example.test'))
    // Programs that probe a link without opening it change nothing.
    await app.app.server.inject({ method: 'HEAD', url: link.pathname + link.search })
    expect(await isConfirmed('fresh@example.test')).toBe(false)
    const opened = await open(link)
    expect([opened.statusCode, opened.headers['location']]).toEqual([302, '/forgot_password?account_confirmation_success=true'])
    expect(opened.headers['referrer-policy']).toBe('no-referrer')
    expect(opened.headers['access-token']).toBeUndefined()
    expect(await isConfirmed('fresh@example.test')).toBe(true)
    expect((await signIn(app, 'fresh@example.test')).status).toBe(200)
    const { rows } = await sql`select object_changes from audit_records where item_type = 'user' and event = 'update'
      and object_changes ? 'account_confirmed'`.execute(db)
    expect(rows).toEqual([{ object_changes: { account_confirmed: { from: false, to: true } } }])
    // A scanner may have opened it before its reader.
    expect((await open(link)).headers['location']).toBe('/forgot_password?account_confirmation_success=true')
  })

  it('fails with a wrong part, after three days, and for somebody inactive; the page says so; it sets no password', async () => {
    const id = await makeUser(app, 'wrong@example.test', { confirmed: false })
    const link = new URL(await makeLink(db, { id, email: 'wrong@example.test' }, 'confirm', 'http://localhost'))
    const failed = '/forgot_password?account_confirmation_failed=true'
    for (const name of ['access-token', 'client', 'uid']) {
      const wrong = new URL(link)
      wrong.search = changed(link.searchParams, name, 'x').toString()
      expect((await open(wrong)).headers['location']).toBe(failed)
      wrong.searchParams.delete(name)
      expect((await open(wrong)).headers['location']).toBe(failed)
    }
    expect((await setWith(link.searchParams, both('another password'))).status).toBe(422)
    setClock(new Date(now().getTime() + 72 * 3_600_000 + 1_000))
    expect((await open(link)).headers['location']).toBe(failed)
    setClock()
    await sql`update users set status = 'in_active' where id = ${id}`.execute(db)
    expect((await open(link)).headers['location']).toBe(failed)
    expect(await isConfirmed('wrong@example.test')).toBe(false)
    await sql`update users set status = 'active' where id = ${id}`.execute(db)
    expect((await open(link)).headers['location']).toMatch('account_confirmation_success=true')
  })

  it('is also given by setting a password through a mailed link', async () => {
    const id = await makeUser(app, 'both@example.test', { confirmed: false })
    const link = new URL(await makeLink(db, { id, email: 'both@example.test' }, 'first_password', 'http://localhost'))
    expect((await signIn(app, 'both@example.test', password)).status).toBe(401)
    expect((await setWith(link.searchParams, both('another password'))).status).toBe(200)
    expect(await isConfirmed('both@example.test')).toBe(true)
  })
})
