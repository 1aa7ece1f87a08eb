/** The second factor of a sign-in by password, and the ways round it. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { challengeMinutes, challengeTries, codeSeconds, recoveryCodeCount } from '#contract/access/second-factor.ts'
import { addRole, makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'
import { codeNow } from '../../../test/support/second-factor.ts'
import { credentialsOf, makeUser, password, signIn } from '../../../test/support/sign-in.ts'
import { createLog } from '../kernel/log.ts'
import { now, setClock } from '../kernel/clock.ts'
import { makeLink } from './links.ts'
import { base32, codeOf, stepAt } from './totp.ts'

const lines: { event?: string; user_id?: number }[] = []
const log = createLog({ human: false, write: (line) => lines.push(JSON.parse(line)) })
const app = await startTestApp({}, undefined, log)
const { ask } = app
const { db } = app.database
let count = 0
let clock = Date.parse('2026-11-25T15:00:10Z')
const later = (seconds: number) => {
  clock += seconds * 1_000
  setClock(new Date(clock))
}
beforeEach(() => {
  lines.splice(0)
  later(3_600)
})
afterEach(() => setClock())

interface Guarded extends Person {
  readonly secret: string
  readonly codes: readonly string[]
}
const own = '/users/profile/second_factor'
const secondStep = (challenge: string, code: string, headers = {}): Promise<Answer> =>
  ask(null, 'POST', '/auth/sign_in/second_factor', { challenge, code }, headers)
const told = (event: string) => lines.filter((line) => line.event === event)
const subjectsTo = async (to: string) =>
  (await sql<{ subject: string }>`select subject from mails where to_address = ${to} order by id`.execute(db)).rows.map(
    (row) => row.subject,
  )

async function signedIn(): Promise<Person> {
  const email = `ines${++count}@example.test`
  const id = await makeUser(app, email)
  const entered = await signIn(app, email)
  expect(entered.status, entered.text).toBe(200)
  return { ...credentialsOf(entered), id, email }
}

/** Somebody with a second factor in force, one step after the code that set it up. */
async function guarded(): Promise<Guarded> {
  const who = await signedIn()
  const begun = await ask(who, 'POST', own)
  const secret = String(begun.body['secret'])
  const confirmed = await ask(who, 'POST', `${own}/confirmation`, { code: codeNow(secret) })
  expect(confirmed.status, confirmed.text).toBe(200)
  later(codeSeconds)
  return { ...who, secret, codes: codesOf(confirmed) }
}

function codesOf({ body }: Answer): string[] {
  return Array.isArray(body['recovery_codes']) ? body['recovery_codes'].map(String) : []
}

/** The first step of a sign-in. */
async function challengeOf(who: Person, typed = password): Promise<string> {
  const { body, headers, text } = await signIn(app, who.email, typed)
  expect(headers['access-token'], text).toBeUndefined()
  const asked = body['second_factor']
  if (typeof asked !== 'object' || asked === null || !('challenge' in asked)) throw new Error(text)
  return String(asked.challenge)
}

describe('codes of an app', () => {
  it('are those of RFC 6238, appendix B', () => {
    const secret = base32(Buffer.from('12345678901234567890'))
    const at = (seconds: number) => codeOf(secret, stepAt(new Date(seconds * 1_000)))
    expect([59, 1_111_111_109, 1_234_567_890, 2_000_000_000, 20_000_000_000].map(at)).toEqual([
      '287082',
      '081804',
      '005924',
      '279037',
      '353130',
    ])
  })
})

describe('a second factor', () => {
  it('is set up by a first code and a recent password, told to its owner, and ends the sign-ins of before', async () => {
    const who = await signedIn()
    const elsewhere = credentialsOf(await signIn(app, who.email))
    await sql`update sessions set proven_at = ${now()}::timestamptz - interval '1 day' where user_id = ${who.id}`.execute(db)
    expect((await ask(who, 'POST', own)).body['code']).toBe('not_proven')
    await ask(who, 'POST', '/users/profile/proof', { password })
    const { body } = await ask(who, 'POST', own)
    const secret = String(body['secret'])
    expect(body['uri']).toMatch(
      new RegExp(`^otpauth://totp/Meterbook%3A${who.email.replace('@', '%40')}\\?secret=${secret}&issuer=Meterbook`),
    )
    // A secret that nobody has confirmed guards nothing.
    expect((await signIn(app, who.email)).body).toMatchObject({ success: true })
    expect((await ask(who, 'POST', `${own}/confirmation`, { code: '000000' })).status).toBe(422)
    const confirmed = await ask(who, 'POST', `${own}/confirmation`, { code: codeNow(secret) })
    expect(new Set(codesOf(confirmed)).size).toBe(recoveryCodeCount)
    expect((await ask(who, 'GET', own)).body).toMatchObject({ second_factor: { active: true, recovery_codes_left: recoveryCodeCount } })
    expect((await ask(elsewhere, 'GET', '/users/profile')).status).toBe(401)
    expect((await ask(who, 'POST', own)).status).toBe(409)
    expect(await subjectsTo(who.email)).toContain('A second factor was set up for your Meterbook account')
    expect(told('second_factor_set')).toEqual([expect.objectContaining({ user_id: who.id })])
  })

  it('lies sealed in the database, and its recovery codes hashed; the trail says that it changed and not what it is', async () => {
    const { id, secret, codes } = await guarded()
    const { rows } = await sql<{
      text: string
    }>`select concat(second_factors::text, encode(secret_encrypted, 'escape')) as text from second_factors
      union all select recovery_codes::text from recovery_codes
      union all select object_changes::text from audit_records where item_type = 'user' and item_id = ${id}`.execute(db)
    const stored = rows.map(({ text }) => text).join('\n')
    expect(stored).toContain('"second_factor": {"to": "on", "from": "off"}')
    for (const part of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) expect(stored).not.toContain(part)
    // A person's secret opens in their row alone.
    const other = await guarded()
    await sql`update second_factors set secret_encrypted = (select secret_encrypted from second_factors where user_id = ${id}) where user_id = ${other.id}`.execute(
      db,
    )
    expect((await secondStep(await challengeOf(other), codeNow(secret))).status).toBe(500)
  })

  it('is not for an account without a password, whose provider asks for one', async () => {
    expect((await ask(await makePerson(db, null), 'POST', own)).status).toBe(409)
  })
})

describe('a sign-in with a second factor', () => {
  it('is asked for the code after a right password, and has no session before; one without a factor goes as ever [AUTH-API-004]', async () => {
    const who = await guarded()
    const wrong = await signIn(app, who.email, 'not the password')
    expect([wrong.status, wrong.body['second_factor']]).toEqual([401, undefined])
    const challenge = await challengeOf(who)
    expect(told('sign_in')).toHaveLength(1)
    for (const headers of [{ 'access-token': challenge, client: challenge, uid: who.email }, { authorization: `Bearer ${challenge}` }])
      expect((await ask(null, 'GET', '/users/profile', undefined, headers)).status).toBe(401)
    const done = await secondStep(challenge, codeNow(who.secret))
    expect(done.body).toEqual({ success: true, message: 'Signed in', data: { id: who.id, email: who.email } })
    expect((await ask(credentialsOf(done), 'GET', '/users/profile')).status).toBe(200)
    expect(told('sign_in')).toHaveLength(2)
  })

  it('takes a code once, in two tabs at once as well as later, and no older one after a newer', async () => {
    const who = await guarded()
    const code = codeNow(who.secret)
    const tabs = await Promise.all([await challengeOf(who), await challengeOf(who)].map((challenge) => secondStep(challenge, code)))
    expect(tabs.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect((await secondStep(await challengeOf(who), code)).status).toBe(422)
    later(codeSeconds)
    expect((await secondStep(await challengeOf(who), codeNow(who.secret, 1))).status).toBe(200)
    expect((await secondStep(await challengeOf(who), codeNow(who.secret))).status).toBe(422)
  })

  it('takes the codes of the steps before and after, and of none further', async () => {
    const who = await guarded()
    later(codeSeconds * 3)
    expect((await secondStep(await challengeOf(who), codeNow(who.secret, -2))).status).toBe(422)
    expect((await secondStep(await challengeOf(who), codeNow(who.secret, 2))).status).toBe(422)
    expect((await secondStep(await challengeOf(who), codeNow(who.secret, -1))).status).toBe(200)
    expect((await secondStep(await challengeOf(who), codeNow(who.secret, 1))).status).toBe(200)
  })

  it('takes no code of somebody else, no changed challenge, none after five minutes, and each challenge once', async () => {
    const [who, other] = [await guarded(), await guarded()]
    const challenge = await challengeOf(who)
    expect((await secondStep(challenge, codeNow(other.secret))).status).toBe(422)
    expect((await secondStep(challenge, other.codes[0] ?? '')).status).toBe(422)
    const [body = '', signature = ''] = (await challengeOf(other)).split('.')
    const swapped = Buffer.from(Buffer.from(body, 'base64url').toString().replace(`"user":${other.id}`, `"user":${who.id}`)).toString(
      'base64url',
    )
    expect((await secondStep(`${swapped}.${signature}`, codeNow(who.secret))).status).toBe(401)
    expect((await secondStep(challenge, codeNow(who.secret))).status).toBe(200)
    later(codeSeconds)
    expect((await secondStep(challenge, codeNow(who.secret))).status).toBe(401)
    const late = await challengeOf(who)
    later(challengeMinutes * 60)
    expect((await secondStep(late, codeNow(who.secret))).status).toBe(401)
  })

  it('goes nowhere with a challenge of the password before, nor once the account is inactive', async () => {
    const who = await guarded()
    const before = await challengeOf(who)
    const next = 'seven quiet harbour lamps'
    const user = { password: next, password_confirmation: next }
    const changed = await ask(who, 'PATCH', '/users/profile', { user })
    expect(changed.status, changed.text).toBe(200)
    expect((await secondStep(before, codeNow(who.secret))).status).toBe(401)
    const challenge = await challengeOf(who, next)
    await sql`update users set status = 'in_active' where id = ${who.id}`.execute(db)
    expect((await secondStep(challenge, codeNow(who.secret))).status).toBe(401)
  })

  it('stays needed after a recovery by mail, which sets the password alone', async () => {
    const who = await guarded()
    const link = new URL(await makeLink(db, who, 'reset', 'http://x'))
    const reset = { password: 'seven quiet harbour lamps', password_confirmation: 'seven quiet harbour lamps' }
    const answer = await ask(null, 'PUT', '/auth/password', reset, Object.fromEntries(link.searchParams))
    expect([answer.status, answer.headers['access-token']]).toEqual([200, undefined])
    expect((await secondStep(await challengeOf(who, reset.password), codeNow(who.secret))).status).toBe(200)
  })

  it(`has ${challengeTries} tries a challenge, and those of a person are counted over all their challenges and devices`, async () => {
    const who = await guarded()
    const first = await challengeOf(who)
    for (let guess = 0; guess < challengeTries; guess++) expect((await secondStep(first, '000000')).status).toBe(422)
    expect((await secondStep(first, codeNow(who.secret))).status).toBe(401)
    expect(told('second_factor_refused')).toHaveLength(challengeTries)
    expect(await subjectsTo(who.email)).toContain('Wrong codes at a sign-in to your Meterbook account')
    const statuses: number[] = []
    for (let round = 0; round < 6; round++) {
      const mark = (await signIn(app, (await signedIn()).email)).headers['device-mark']
      statuses.push((await secondStep(await challengeOf(who), '000000', { 'device-mark': String(mark) })).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    expect((await secondStep(await challengeOf(who), codeNow(who.secret))).status).toBe(429)
    later(31)
    expect((await secondStep(await challengeOf(who), codeNow(who.secret))).status).toBe(200)
  })

  it('takes each recovery code once, in any case and spacing, and tells its owner', async () => {
    const who = await guarded()
    const [code = '', second = ''] = who.codes
    expect((await secondStep(await challengeOf(who), code.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await secondStep(await challengeOf(who), code)).status).toBe(422)
    const both = await Promise.all([await challengeOf(who), await challengeOf(who)].map((challenge) => secondStep(challenge, second)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect((await ask(who, 'GET', own)).body).toMatchObject({ second_factor: { recovery_codes_left: recoveryCodeCount - 2 } })
    expect(await subjectsTo(who.email)).toContain('A recovery code of your Meterbook account was used')
    expect(told('recovery_code_used')).toHaveLength(2)
  })
})

describe('one’s own second factor', () => {
  it('is switched off, and gets new recovery codes, by a recent password and a code only', async () => {
    const who = await guarded()
    for (const path of [`${own}/removal`, `${own}/recovery_codes`]) {
      expect((await ask(who, 'POST', path, { code: '000000' })).status).toBe(422)
      await sql`update sessions set proven_at = ${now()}::timestamptz - interval '1 day' where user_id = ${who.id}`.execute(db)
      expect((await ask(who, 'POST', path, { code: codeNow(who.secret) })).body['code']).toBe('not_proven')
      await ask(who, 'POST', '/users/profile/proof', { password })
    }
    const renewed = await ask(who, 'POST', `${own}/recovery_codes`, { code: codeNow(who.secret) })
    expect(renewed.status, renewed.text).toBe(200)
    expect((await secondStep(await challengeOf(who), who.codes[0] ?? '')).status).toBe(422)
    expect((await ask(who, 'POST', `${own}/removal`, { code: codesOf(renewed)[0] })).status).toBe(200)
    expect((await signIn(app, who.email)).body).toMatchObject({ success: true })
    expect(await subjectsTo(who.email)).toEqual(
      expect.arrayContaining([
        'New recovery codes were made for your Meterbook account',
        'The second factor of your Meterbook account was removed',
      ]),
    )
    expect(
      [told('recovery_codes_renewed'), told('second_factor_removed'), told('second_factor_refused')].map(({ length }) => length),
    ).toEqual([1, 1, 3])
    const begun = await ask(who, 'POST', own)
    expect((await ask(who, 'POST', `${own}/confirmation`, { code: codeNow(who.secret) })).status).toBe(422)
    expect(begun.body['secret']).not.toBe(who.secret)
  })

  it('guesses at its code are braked, whoever has the sign-in and the password', async () => {
    const who = await guarded()
    const statuses: number[] = []
    for (let guess = 0; guess < 11; guess++) statuses.push((await ask(who, 'POST', `${own}/removal`, { code: '111111' })).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await secondStep(await challengeOf(who), codeNow(who.secret))).status).toBe(429)
  })
})

describe('the second factor of somebody else', () => {
  it('is removed by who ranks above them, within the reach; a narrowed administrator removes no peer’s; all of it is told', async () => {
    const clients = [await makeClient(db)]
    const [who, peer] = [await guarded(), await guarded()]
    const division = [[clients[0] ?? 0, await makeDivision(db, clients[0] ?? 0)]] as const
    await addRole(db, who.id, 'client_user', { clients, division })
    await addRole(db, peer.id, 'client_admin', { clients, division })
    const narrowed = await makePerson(db, 'client_admin', { clients, division })
    const stranger = await makePerson(db, 'client_admin', { clients: [await makeClient(db)] })
    const remove = (by: Person, of: Person) => ask(by, 'DELETE', `/users/${of.id}/second_factor`)
    expect((await remove(stranger, who)).status).toBe(404)
    expect((await remove(narrowed, peer)).status).toBe(403)
    expect((await remove(narrowed, narrowed)).status).toBe(409)
    await sql`update sessions set proven_at = ${now()}::timestamptz - interval '1 day' where user_id = ${narrowed.id}`.execute(db)
    expect((await remove(narrowed, who)).body['code']).toBe('not_proven')
    await sql`update sessions set proven_at = ${now()} where user_id = ${narrowed.id}`.execute(db)
    const shown = await ask(narrowed, 'GET', `/users/${who.id}`)
    expect(shown.body).toMatchObject({ user: { second_factor: true } })
    const done = await remove(narrowed, who)
    expect(done.status, done.text).toBe(200)
    expect((await remove(narrowed, who)).status).toBe(409)
    expect((await signIn(app, who.email)).body).toMatchObject({ success: true })
    expect(await subjectsTo(who.email)).toContain('The second factor of your Meterbook account was removed')
    expect(told('second_factor_removed')).toEqual([expect.objectContaining({ user_id: narrowed.id })])
    const { rows } = await sql`select from audit_records where user_id = ${narrowed.id} and item_type = 'user' and item_id = ${who.id}
      and object_changes ? 'second_factor'`.execute(db)
    expect(rows).toHaveLength(1)
    const tied = await sql`select from user_ties where user_id = ${who.id} and tied_to = ${narrowed.id} and kind = 'factor'`.execute(db)
    expect(tied.rows).toHaveLength(1)
  })

  it('is not removed by who set their password or address within seven days, nor the other way round; a super_admin helps another', async () => {
    const clients = [await makeClient(db)]
    const [one, other] = [await guarded(), await guarded()]
    for (const { id } of [one, other]) await addRole(db, id, 'client_user', { clients })
    const boss = await makePerson(db, 'client_admin', { clients })
    await sql`update sessions set proven_at = ${now()} where user_id = ${boss.id}`.execute(db)
    const user = { password: 'eleven green parcels', password_confirmation: 'eleven green parcels' }
    const setPassword = (of: Person) => ask(boss, 'PATCH', `/users/${of.id}`, { user })
    const remove = (of: Person) => ask(boss, 'DELETE', `/users/${of.id}/second_factor`)
    expect((await setPassword(one)).status).toBe(200)
    expect((await remove(one)).status).toBe(409)
    expect((await remove(other)).status).toBe(200)
    expect((await setPassword(other)).status).toBe(409)
    expect((await ask(boss, 'PATCH', `/users/${other.id}`, { user: { email: `x${other.email}` } })).status).toBe(409)
    expect((await ask(boss, 'PATCH', `/users/${other.id}`, { user: { title: 'Clerk' } })).status).toBe(200)
    const [root, lost] = [await makePerson(db, 'super_admin'), await guarded()]
    await addRole(db, lost.id, 'super_admin', {})
    await sql`update sessions set proven_at = ${now()} where user_id = ${root.id}`.execute(db)
    expect((await ask(root, 'DELETE', `/users/${lost.id}/second_factor`)).status).toBe(200)
  })
})
