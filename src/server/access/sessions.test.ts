import { sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person, type TestApp } from '../../../test/support/app.ts'
import { mailTo } from '../../../test/support/mails.ts'
import { credentialsOf, makeUser, password, signIn } from '../../../test/support/sign-in.ts'
import { now, setClock } from '../kernel/clock.ts'
import { hashOf } from './credentials.ts'
import { makeLink } from './links.ts'

const one = await startTestApp()
const two = await startTestApp({}, one.database)
const { db } = one.database
const hour = 3_600_000
const day = 24 * hour
afterEach(() => setClock())

const profile = (who: Person, at: TestApp = one, headers?: Record<string, string>): Promise<Answer> =>
  at.ask(who, 'GET', '/users/profile', undefined, headers)
const renewing = { 'renew-token': '1' }
/** Notices between processes arrive a moment after the answer. */
const refusedSoon = (who: Person, at: TestApp) =>
  vi.waitFor(async () => expect((await profile(who, at)).status).toBe(401), { timeout: 10_000, interval: 10 })

describe('a sign-in ends', () => {
  it('to the second when it was idle for 12 hours', async () => {
    const person = await makePerson(db, 'super_admin')
    const start = now().getTime() + hour
    setClock(new Date(start))
    expect((await profile(person)).status).toBe(200)
    setClock(new Date(start + 12 * hour))
    expect((await profile(person, two)).status).toBe(200)
    setClock(new Date(start + 24 * hour + 1_000))
    expect((await profile(person)).status).toBe(401)
  })

  it('to the second after 14 days, whatever happens', async () => {
    const person = await makePerson(db, 'super_admin')
    const { rows } = await sql<{ created_at: string }>`select created_at from sessions where user_id = ${person.id}`.execute(db)
    const start = Date.parse(rows[0]?.created_at ?? '')
    for (let at = 10 * hour; at < 14 * day; at += 10 * hour) {
      setClock(new Date(start + at))
      expect((await profile(person)).status).toBe(200)
    }
    setClock(new Date(start + 14 * day))
    expect((await profile(person)).status).toBe(200)
    setClock(new Date(start + 14 * day + 1_000))
    expect((await profile(person)).status).toBe(401)
  })

  it('on every node with sign-out, with a new password and with the account’s deactivation', async () => {
    const id = await makeUser(one, 'nodes@example.test')
    const link = async () => {
      const { searchParams } = new URL(await makeLink(db, { id, email: 'nodes@example.test' }, 'reset', 'http://localhost'))
      return one.ask(null, 'PUT', '/auth/password', { password, password_confirmation: password }, Object.fromEntries(searchParams))
    }
    const deactivate = async () => {
      await sql`update users set status = 'in_active' where id = ${id}`.execute(db)
      one.app.machinery.sessions.forgetUser(id)
    }
    const ways: readonly ((who: Person) => Promise<unknown>)[] = [(who) => one.ask(who, 'DELETE', '/auth/sign_out'), link, deactivate]
    for (const end of ways) {
      const who = credentialsOf(await signIn(two, 'nodes@example.test'))
      expect([(await profile(who, one)).status, (await profile(who, two)).status]).toEqual([200, 200])
      await end(who)
      expect((await profile(who, one)).status).toBe(401)
      await refusedSoon(who, two)
    }
  })
})

describe('a person has at most 20 sign-ins', () => {
  it('and the longest unused one ends as another begins, on every node', async () => {
    const id = await makeUser(one, 'many@example.test')
    const people = await opened(id, 'many@example.test', 20)
    const [oldest, second] = people
    if (!oldest || !second) throw new Error('nobody has signed in')
    expect((await profile(second, two)).status).toBe(200)
    // The oldest is in use: the second is now the one that was unused for longest.
    await sql`update sessions set used_at = case client when ${oldest.headers['client'] ?? ''} then now() else created_at end where user_id = ${id}`.execute(
      db,
    )
    const newest = credentialsOf(await signIn(one, 'many@example.test'))
    await refusedSoon(second, two)
    expect((await profile(second)).status).toBe(401)
    for (const who of [oldest, newest, ...people.slice(2)]) expect((await profile(who)).status).toBe(200)
    expect((await sql`select id from sessions where user_id = ${id}`.execute(db)).rows).toHaveLength(20)
  })

  it('also where several begin at once', async () => {
    const id = await makeUser(one, 'rush@example.test')
    await opened(id, 'rush@example.test', 18)
    const answers = await Promise.all([one, two, one, two, one].map((node) => signIn(node, 'rush@example.test')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await sql`select id from sessions where user_id = ${id}`.execute(db)).rows).toHaveLength(20)
  })
})

/** Sign-ins of the last minutes, the oldest first. */
async function opened(userId: number, email: string, count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let at = 0; at < count; at++) {
    const [client, token] = [`${userId}-client-${at}`, `${userId}-token-${at}`]
    const since = new Date(now().getTime() - (count - at) * 10_000)
    await sql`insert into sessions (user_id, client, token_hash, created_at, used_at, renewed_at)
      values (${userId}, ${client}, ${hashOf(token)}, ${since}, ${since}, ${since})`.execute(db)
    people.push({ id: userId, email, headers: { 'access-token': token, client, uid: email } })
  }
  return people
}

describe('a token', () => {
  it('is renewed after 15 minutes for callers that ask; the old one is good for 30 s more, on every node', async () => {
    const person = await makePerson(db, 'super_admin')
    expect((await profile(person, one, renewing)).headers['access-token']).toBeUndefined()
    expect((await profile(person, two)).status).toBe(200)
    const later = now().getTime() + 16 * 60_000
    setClock(new Date(later))
    expect((await profile(person)).headers['access-token']).toBeUndefined()
    const fresh = credentialsOf(await profile(person, one, renewing))
    expect(fresh.headers['access-token']).not.toBe(person.headers['access-token'])
    // The other node still has the old token in its cache, and must not refuse the new one because of that.
    expect((await profile(fresh, two)).status).toBe(200)
    setClock(new Date(later + 30_000 - 1))
    expect([(await profile(person)).status, (await profile(person, two)).status, (await profile(fresh)).status]).toEqual([200, 200, 200])
  })

  it('that is new is accepted by a node which has not heard of it and remembers the old one', async () => {
    const deaf = await startTestApp({}, one.database)
    await deaf.app.machinery.live.stop()
    const person = await makePerson(db, 'super_admin')
    setClock(new Date(now().getTime() + 16 * 60_000))
    // The first records the use, the second is cached.
    for (let call = 0; call < 2; call++) expect((await profile(person, deaf)).status).toBe(200)
    const fresh = credentialsOf(await profile(person, one, renewing))
    expect((await profile(fresh, deaf)).status).toBe(200)
  })

  it('is renewed once where two calls ask at once', async () => {
    const person = await makePerson(db, 'super_admin')
    setClock(new Date(now().getTime() + 16 * 60_000))
    const answers = await Promise.all([one, two, one, two].map((node) => profile(person, node, renewing)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const given = answers.flatMap(({ headers }) => headers['access-token'] ?? [])
    expect(given).toHaveLength(1)
  })

  it('that comes back after it was retired ends the sign-in at that request, on every node; it is in the trail, and the owner is told', async () => {
    const person = await makePerson(db, 'super_admin')
    let fresh = person
    let at = now().getTime()
    // Far more renewals than a list beside the sign-in would keep.
    for (let renewal = 0; renewal < 30; renewal++) {
      setClock(new Date((at += 16 * 60_000)))
      fresh = { ...fresh, headers: credentialsOf(await profile(fresh, one, renewing)).headers }
    }
    setClock(new Date(at + 31_000))
    expect((await profile(fresh, two)).status).toBe(200)
    expect((await profile(person, two, { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36' })).status).toBe(401)
    expect((await profile(fresh, two)).status).toBe(401)
    await refusedSoon(fresh, one)
    const { rows } =
      await sql`select event, object_changes from audit_records where item_type = 'session' and user_id = ${person.id}`.execute(db)
    expect(rows).toEqual([{ event: 'login', object_changes: { replayed_token: { from: null, to: 'sign-in ended' } } }])
    const { rows: told } =
      await sql`select notification_type, message, description, link from notifications where user_id = ${person.id}`.execute(db)
    expect(told).toEqual([
      {
        notification_type: 'warning',
        message: 'A sign-in was ended',
        description: ['Old credentials of it were used from Chrome on Windows at 127.0.0.1. They may have been copied.'],
        link: '/users/profile',
      },
    ])
    const mail = await mailTo(db, person.email)
    expect(mail.text_body).toContain('Chrome on Windows at 127.0.0.1')
    const { rows: mails } = await sql`select id from mails where to_address = ${person.email}`.execute(db)
    expect(mails).toHaveLength(1)
  })

  it('that is merely wrong ends nothing', async () => {
    const person = await makePerson(db, 'super_admin')
    const wrong = { ...person, headers: { ...person.headers, 'access-token': 'x'.repeat(43) } }
    expect((await profile(wrong)).status).toBe(401)
    expect((await profile(person)).status).toBe(200)
  })

  it('stays good for somebody whose email changes meanwhile', async () => {
    await makeUser(one, 'before@example.test')
    const who = credentialsOf(await signIn(one, 'before@example.test'))
    await sql`update users set email = 'after@example.test' where email = 'before@example.test'`.execute(db)
    one.app.machinery.sessions.forgetAll()
    expect((await profile(who)).body).toMatchObject({ user: { email: 'after@example.test' } })
  })
})

describe('where somebody is signed in', () => {
  const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const phone = {
    'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
  }

  it('is listed with device, address and times; they end one, or all others; nobody touches those of others', async () => {
    await makeUser(one, 'places@example.test')
    await makeUser(one, 'stranger@example.test')
    const stranger = credentialsOf(await signIn(one, 'stranger@example.test'))
    const desk = credentialsOf(await signIn(one, 'places@example.test', undefined, firefox))
    const mobile = credentialsOf(await signIn(two, 'places@example.test', undefined, phone))
    const third = credentialsOf(await signIn(one, 'places@example.test'))
    await sql`update sessions set used_at = now() - interval '13 hours' where client = ${third.headers['client']}`.execute(db)
    const list = await one.ask(desk, 'GET', '/users/profile/sign_ins')
    expect(list.body).toMatchObject({
      total: 2,
      sign_ins: expect.arrayContaining([
        expect.objectContaining({ device: 'Firefox on Linux', current: true, ip_address: '127.0.0.1' }),
        expect.objectContaining({ device: 'Safari on iPhone', current: false }),
      ]),
    })
    const { rows } = await sql<{ id: number }>`select id from sessions where client = ${mobile.headers['client']}`.execute(db)
    const path = `/users/profile/sign_ins/${rows[0]?.id}`
    expect((await one.ask(stranger, 'DELETE', path)).status).toBe(404)
    expect((await profile(mobile, two)).status).toBe(200)
    expect((await one.ask(desk, 'DELETE', path)).body).toMatchObject({ success: true })
    await refusedSoon(mobile, two)
    expect((await one.ask(desk, 'DELETE', path)).status).toBe(404)
    const again = credentialsOf(await signIn(two, 'places@example.test', undefined, phone))
    expect((await one.ask(desk, 'DELETE', '/users/profile/sign_ins')).body).toMatchObject({ success: true })
    await refusedSoon(again, two)
    expect([(await profile(desk)).status, (await profile(stranger)).status]).toEqual([200, 200])
  })
})
