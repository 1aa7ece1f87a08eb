/** Passkeys: a sign-in without a password, the second step after one, and what is refused. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { passkeyMinutes, passkeysPerUserMax } from '#contract/access/passkey.ts'
import type { RoleName } from '#contract/access/rights.ts'
import { challengeTries, recoveryCodeCount } from '#contract/access/second-factor.ts'
import { addRole, makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { makePasskey, usePasskey, type Otherwise, type RequestOptions, type SoftPasskey } from '../../../test/support/authenticator.ts'
import { codeNow, guard } from '../../../test/support/second-factor.ts'
import { credentialsOf, makeUser, password, signIn } from '../../../test/support/sign-in.ts'
import { now, setClock } from '../kernel/clock.ts'
import { createLog } from '../kernel/log.ts'
import { makeLink } from './links.ts'

const origin = 'https://meterbook.example.test'
const lines: { event?: string; user_id?: number; status?: number; msg?: string; reason?: string }[] = []
const log = createLog({ human: false, write: (line) => lines.push(JSON.parse(line)) })
const environment = { PUBLIC_URL: `${origin}/`, SECOND_FACTOR_ROLES: 'muc_admin', SECOND_FACTOR_GRACE_DAYS: '3' }
const app = await startTestApp(environment, undefined, log)
const { ask } = app
const { db } = app.database
const own = '/users/profile/passkeys'
let count = 0
let clock = Date.parse('2026-11-25T15:00:10Z')
const later = (seconds: number) => {
  clock += seconds * 1_000
  setClock(new Date(clock))
}
beforeEach(() => {
  lines.splice(0)
  later(7_200)
})
afterEach(() => setClock())

const creation = z.object({
  options: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string() }),
    user: z.object({ id: z.string() }),
    excludeCredentials: z.array(z.object({ id: z.string() })),
  }),
})
const request = z.object({ challenge: z.string(), rpId: z.string(), allowCredentials: z.array(z.object({ id: z.string() })) })
const told = (event: string) => lines.filter((line) => line.event === event)
const subjectsTo = async (to: string) =>
  (await sql<{ subject: string }>`select subject from mails where to_address = ${to} order by id`.execute(db)).rows.map(
    (row) => row.subject,
  )
const changesOf = async (userId: number) =>
  (
    await sql<{ changes: unknown }>`select object_changes->'passkey' as changes from audit_records
      where item_type = 'user' and item_id = ${userId} and event = 'update' and object_changes ? 'passkey' order by id`.execute(db)
  ).rows.map(({ changes }) => changes)

async function signedIn(): Promise<Person> {
  const email = `pia${++count}@example.test`
  const id = await makeUser(app, email)
  const entered = await signIn(app, email)
  expect(entered.status, entered.text).toBe(200)
  return { ...credentialsOf(entered), id, email }
}

/** Somebody without a password, signed in by the clock of this file. */
async function newcomer(role: RoleName): Promise<Person> {
  const person = await makePerson(db, role)
  await sql`update sessions set proven_at = ${now()}, created_at = ${now()}, used_at = ${now()}, renewed_at = ${now()}
    where user_id = ${person.id}`.execute(db)
  return person
}

const optionsFor = async (who: Person) => creation.parse((await ask(who, 'POST', `${own}/options`)).body).options

interface Holder extends Person {
  readonly passkey: SoftPasskey
  readonly passkeyId: number
  readonly codes: readonly string[]
}

/** Adds a passkey to a person. */
async function add(who: Person, name = 'My phone', code?: string): Promise<Holder> {
  const { passkey, credential } = makePasskey(await optionsFor(who), origin)
  const added = await ask(who, 'POST', own, { name, credential, ...(code === undefined ? {} : { code }) })
  expect(added.status, added.text).toBe(200)
  const codes = z.array(z.string()).catch([]).parse(added.body['recovery_codes'])
  return { ...who, passkey, passkeyId: Number(added.body['id']), codes }
}
const holder = async () => add(await signedIn())

const signInOptions = async (headers: Record<string, string> = {}): Promise<RequestOptions> =>
  request.parse((await ask(null, 'POST', '/auth/sign_in/passkey_options', undefined, headers)).body['options'])
const enterWith = (credential: object, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(null, 'POST', '/auth/sign_in/passkey', { credential }, headers)
const enter = async ({ passkey }: Holder, otherwise: Otherwise = {}) =>
  enterWith(usePasskey(passkey, await signInOptions(), origin, otherwise))

/** The first step of a sign-in by password. */
async function secondStepOf(who: Person) {
  const answer = await signIn(app, who.email)
  expect(answer.headers['access-token'], answer.text).toBeUndefined()
  return z.object({ challenge: z.string(), app: z.boolean(), passkey: request.nullable() }).parse(answer.body['second_factor'])
}
const answerStep = (challenge: string, credential: object, headers: Record<string, string> = {}) =>
  ask(null, 'POST', '/auth/sign_in/second_factor/passkey', { challenge, credential }, headers)

function refused({ status, headers, text }: Answer, expected = 401): void {
  expect([status, headers['access-token']], text).toEqual([expected, undefined])
}

describe('a passkey', () => {
  it('is added with a recent password, ends the sign-ins of before, answers recovery codes, and is told by mail, log and trail', async () => {
    const who = await signedIn()
    const elsewhere = credentialsOf(await signIn(app, who.email))
    await sql`update sessions set proven_at = ${now()}::timestamptz - interval '1 day' where user_id = ${who.id}`.execute(db)
    expect((await ask(who, 'POST', `${own}/options`)).body['code']).toBe('not_proven')
    await ask(who, 'POST', '/users/profile/proof', { password })
    const options = await optionsFor(who)
    expect(options.rp.id).toBe('meterbook.example.test')
    const held = await add(who, 'My phone')
    expect(new Set(held.codes).size).toBe(recoveryCodeCount)
    expect((await ask(elsewhere, 'GET', '/users/profile')).status).toBe(401)
    const second = await add(who, 'Key in the safe')
    expect(second.codes).toEqual([])
    expect((await optionsFor(who)).excludeCredentials.map(({ id }) => id)).toEqual([held.passkey.id, second.passkey.id])
    expect((await ask(who, 'GET', own)).body).toMatchObject({
      total: 2,
      passkeys: [
        { name: 'My phone', last_used_at: null, backed_up: false, signs_in: true },
        { name: 'Key in the safe', last_used_at: null },
      ],
    })
    expect(await subjectsTo(who.email)).toEqual(expect.arrayContaining(['A passkey was added to your Meterbook account']))
    expect(told('passkey_added')).toEqual([expect.objectContaining({ user_id: who.id }), expect.objectContaining({ user_id: who.id })])
    expect(await changesOf(who.id)).toEqual([
      { from: null, to: 'My phone' },
      { from: null, to: 'Key in the safe' },
    ])
  })

  it('is not added from a wrong address, without a PIN or a body, twice, late, in another sign-in, nor by another kind of answer', async () => {
    const who = await signedIn()
    const tryWith = async (otherwise: Otherwise) => {
      const made = makePasskey(await optionsFor(who), origin, otherwise)
      return ask(who, 'POST', own, { name: 'Bad', credential: made.credential })
    }
    refused(await tryWith({ origin: 'https://meterbook.example.evil' }), 422)
    refused(await tryWith({ rpId: 'example.evil' }), 422)
    refused(await tryWith({ verified: false }), 422)
    refused(await tryWith({ type: 'webauthn.get' }), 422)
    const options = await optionsFor(who)
    const made = makePasskey(options, origin)
    later(passkeyMinutes * 60)
    refused(await ask(who, 'POST', own, { name: 'Late', credential: made.credential }), 422)
    const other = credentialsOf(await signIn(app, who.email))
    refused(await ask(other, 'POST', own, { name: 'Other', credential: makePasskey(await optionsFor(who), origin).credential }), 422)
    const fresh = makePasskey(await optionsFor(who), origin)
    expect((await ask(who, 'POST', own, { name: 'Good', credential: fresh.credential })).status).toBe(200)
    refused(await ask(who, 'POST', own, { name: 'Again', credential: fresh.credential }), 422)
    const same = makePasskey(await optionsFor(who), origin)
    await sql`insert into passkeys (user_id, name, credential_id, public_key, backed_up)
      values (${who.id}, 'Same', ${same.passkey.id}, '', false)`.execute(db)
    refused(await ask(who, 'POST', own, { name: 'Same', credential: same.credential }), 409)
  })

  it('needs a code where an app is in force, and a limit ends their number', async () => {
    const who = await signedIn()
    const secret = await guard(db, who.id)
    const { credential } = makePasskey(await optionsFor(who), origin)
    expect((await ask(who, 'POST', own, { name: 'No code', credential })).text).toContain('Code is required')
    const again = makePasskey(await optionsFor(who), origin)
    refused(await ask(who, 'POST', own, { name: 'Wrong code', credential: again.credential, code: '000000' }), 422)
    expect(told('second_factor_refused')).toHaveLength(1)
    await add(who, 'With code', codeNow(secret))
    await sql`insert into passkeys (user_id, name, credential_id, public_key, backed_up)
      select ${who.id}, 'Many', 'many' || one || ${who.id}::text, '', false from generate_series(2, ${passkeysPerUserMax}::int) as one`.execute(
      db,
    )
    later(30)
    const more = makePasskey(await optionsFor(who), origin)
    refused(await ask(who, 'POST', own, { name: 'One more', credential: more.credential, code: codeNow(secret) }), 409)
  })

  it('is renamed and removed by its owner alone, removed with a recent password only, and the last takes the recovery codes along', async () => {
    const [who, other] = [await holder(), await holder()]
    const path = `${own}/${who.passkeyId}`
    for (const method of ['PATCH', 'DELETE'] as const)
      expect((await ask(other, method, path, method === 'PATCH' ? { name: 'Mine' } : undefined)).status).toBe(404)
    expect((await ask(who, 'PATCH', path, { name: 'Red phone' })).status).toBe(200)
    await sql`update sessions set proven_at = ${now()}::timestamptz - interval '1 day' where user_id = ${who.id}`.execute(db)
    expect((await ask(who, 'DELETE', path)).body['code']).toBe('not_proven')
    await ask(who, 'POST', '/users/profile/proof', { password })
    expect((await ask(who, 'DELETE', path)).status).toBe(200)
    expect((await ask(who, 'DELETE', path)).status).toBe(404)
    refused(await enter(who))
    expect((await signIn(app, who.email)).body).toMatchObject({ success: true })
    const left = await sql`select from recovery_codes where user_id = ${who.id}`.execute(db)
    expect(left.rows).toHaveLength(0)
    expect(await subjectsTo(who.email)).toContain('A passkey of your Meterbook account was removed')
    expect(told('passkey_removed')).toEqual([expect.objectContaining({ user_id: who.id })])
    expect((await changesOf(who.id)).slice(1)).toEqual([
      { from: 'My phone', to: 'Red phone' },
      { from: 'Red phone', to: null },
    ])
  })
})

describe('a sign-in by a passkey', () => {
  it('needs no password and no code, opens an ordinary sign-in, and is in the trail', async () => {
    const who = await holder()
    await guard(db, who.id)
    const entered = await enter(who)
    expect(entered.status, entered.text).toBe(200)
    expect(entered.body).toMatchObject({ success: true, data: { id: who.id, email: who.email } })
    const session = credentialsOf(entered)
    expect((await ask(session, 'GET', '/users/profile')).body).toMatchObject({ user: { id: who.id } })
    expect((await ask(session, 'GET', own)).body).toMatchObject({ passkeys: [{ last_used_at: now().toISOString() }] })
    const { rows } = await sql`select from audit_records where event = 'login' and item_type = 'user' and item_id = ${who.id}
      and object_changes->'passkey'->>'to' = 'My phone'`.execute(db)
    expect(rows).toHaveLength(1)
    expect(told('sign_in')).toHaveLength(2)
  })

  it('is refused with a wrong address, party, signature, kind, handle, without PIN or body; each refusal is in the security log with the person', async () => {
    const [who, other] = [await holder(), await holder()]
    refused(await enter(who, { origin: 'https://meterbook.example.evil' }))
    refused(await enter(who, { rpId: 'example.evil' }))
    refused(await enter(who, { type: 'webauthn.create' }))
    refused(await enter(who, { verified: false }))
    refused(await enter(who, { userHandle: other.passkey.userHandle }))
    refused(await enter(who, { userHandle: undefined }))
    // The id of one passkey, signed by another.
    const signed = usePasskey(other.passkey, await signInOptions(), origin, { userHandle: who.passkey.userHandle })
    refused(await enterWith({ ...signed, id: who.passkey.id, rawId: who.passkey.id }))
    expect(told('sign_in_refused')).toEqual(Array.from({ length: 7 }, () => expect.objectContaining({ user_id: who.id, status: 401 })))
    expect(lines.filter(({ msg }) => msg === 'passkey refused').map(({ reason }) => reason)).toEqual([
      expect.stringContaining('origin'),
      expect.stringContaining('RP ID'),
      expect.stringContaining('type'),
      expect.stringContaining('User verification required'),
      'the passkey names somebody else',
      'the passkey names nobody',
      'the signature is wrong',
    ])
    expect((await enter(who)).status).toBe(200)
  })

  it('is refused with a challenge that is forged, late, used, of another device or purpose', async () => {
    const who = await holder()
    const challenge = Buffer.from('x.y').toString('base64url')
    refused(await enterWith(usePasskey(who.passkey, { challenge, rpId: 'meterbook.example.test' }, origin)))
    const late = await signInOptions()
    later(passkeyMinutes * 60)
    refused(await enterWith(usePasskey(who.passkey, late, origin)))
    const options = await signInOptions()
    const answer = usePasskey(who.passkey, options, origin)
    expect((await enterWith(answer)).status).toBe(200)
    refused(await enterWith(answer))
    // A used challenge under a new signature.
    refused(await enterWith(usePasskey(who.passkey, options, origin)))
    // A wrong answer spends it too.
    const spent = await signInOptions()
    refused(await enterWith(usePasskey(who.passkey, spent, origin, { verified: false })))
    refused(await enterWith(usePasskey(who.passkey, spent, origin)))
    const ofDevice = await signInOptions({ 'device-mark': 'one' })
    refused(await enterWith(usePasskey(who.passkey, ofDevice, origin), { 'device-mark': 'other' }))
    const { challenge: ofCreation } = await optionsFor(who)
    refused(await enterWith(usePasskey(who.passkey, { challenge: ofCreation, rpId: 'meterbook.example.test' }, origin)))
    const step = await secondStepOf(who)
    refused(await enterWith(usePasskey(who.passkey, step.passkey ?? options, origin)))
    const pair = await signInOptions({ 'device-mark': 'one' })
    expect((await enterWith(usePasskey(who.passkey, pair, origin), { 'device-mark': 'one' })).status).toBe(200)
  })

  it('is refused with a counter that does not rise: the passkey was copied', async () => {
    const who = await holder()
    expect((await enter(who)).status).toBe(200)
    expect((await enter(who)).status).toBe(200)
    const counter = who.passkey.counter
    who.passkey.counter = counter - 1
    refused(await enter(who))
    who.passkey.counter = counter - 2
    refused(await enter(who))
    expect(lines.filter(({ reason }) => reason?.includes('counter'))).toHaveLength(2)
    who.passkey.counter = counter
    expect((await enter(who)).status).toBe(200)
  })

  it('does not open the account of somebody inactive, not confirmed or unknown, and says the same to each', async () => {
    const [inactive, unconfirmed, gone] = [await holder(), await holder(), await holder()]
    await sql`update users set status = 'in_active' where id = ${inactive.id}`.execute(db)
    await sql`update users set account_confirmed = false where id = ${unconfirmed.id}`.execute(db)
    await sql`delete from passkeys where user_id = ${gone.id}`.execute(db)
    const answers = [await enter(inactive), await enter(unconfirmed), await enter(gone)]
    for (const answer of answers) refused(answer)
    expect(new Set(answers.map(({ text }) => text.replaceAll(/"request_id":"[^"]*"/g, ''))).size).toBe(1)
    expect(told('sign_in_refused').map(({ user_id }) => user_id)).toEqual([inactive.id, unconfirmed.id, null])
  })

  it('is braked after many refusals, for this passkey and not for the password; a known device goes on', async () => {
    const who = await holder()
    const mark = String((await enter(who)).headers['device-mark'])
    const statuses: number[] = []
    for (let round = 0; round < 11; round++) statuses.push((await enter(who, { verified: false })).status)
    expect(statuses.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 401))
    expect(statuses.at(-1)).toBe(429)
    expect(told('sign_in_braked').length).toBeGreaterThan(0)
    refused(await enter(who), 429)
    await secondStepOf(who)
    const known = { 'device-mark': mark }
    expect((await enterWith(usePasskey(who.passkey, await signInOptions(known), origin), known)).status).toBe(200)
    later(31)
    expect((await enter(who)).status).toBe(200)
  })

  it('of one answer that is sent twice at once, one enters', async () => {
    const who = await holder()
    const answer = usePasskey(who.passkey, await signInOptions(), origin)
    const both = await Promise.all([enterWith(answer), enterWith(answer)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })
})

describe('the step after the password', () => {
  it('is answered by a passkey that signs its challenge, once, and offers no others than the person’s', async () => {
    const who = await holder()
    const step = await secondStepOf(who)
    expect(step).toMatchObject({ app: false, passkey: { rpId: 'meterbook.example.test', allowCredentials: [{ id: who.passkey.id }] } })
    if (!step.passkey) throw new Error('no options')
    const answer = usePasskey(who.passkey, step.passkey, origin)
    const entered = await answerStep(step.challenge, answer)
    expect(entered.status, entered.text).toBe(200)
    expect((await ask(credentialsOf(entered), 'GET', '/users/profile')).status).toBe(200)
    refused(await answerStep(step.challenge, answer))
    // Somebody without passkeys is offered none.
    const other = await signedIn()
    await guard(db, other.id)
    expect(await secondStepOf(other)).toMatchObject({ app: true, passkey: null })
  })

  it('takes no passkey of somebody else, no other challenge, wrong address or counter of before, counts each try, and tells the owner', async () => {
    const [who, other] = [await holder(), await holder()]
    const step = await secondStepOf(who)
    const options = step.passkey ?? (await signInOptions())
    refused(await answerStep(step.challenge, usePasskey(other.passkey, options, origin)), 422)
    refused(await answerStep(step.challenge, usePasskey(who.passkey, await signInOptions(), origin)), 422)
    refused(await answerStep(step.challenge, usePasskey(who.passkey, options, 'https://example.evil')), 422)
    refused(await answerStep(step.challenge, usePasskey(who.passkey, options, origin, { verified: false })), 422)
    const stolen = (await secondStepOf(who)).passkey ?? options
    refused(await answerStep(step.challenge, usePasskey(who.passkey, stolen, origin)), 422)
    expect(told('second_factor_refused')).toHaveLength(challengeTries)
    expect(told('second_factor_refused')[0]).toMatchObject({ user_id: who.id })
    refused(await answerStep(step.challenge, usePasskey(who.passkey, options, origin)))
    expect(await subjectsTo(who.email)).toContain('Wrong codes at a sign-in to your Meterbook account')
    const next = await secondStepOf(who)
    expect((await answerStep(next.challenge, usePasskey(who.passkey, next.passkey ?? options, origin))).status).toBe(200)
  })

  it('takes a recovery code of somebody who has passkeys only', async () => {
    const who = await holder()
    const { challenge } = await secondStepOf(who)
    const entered = await ask(null, 'POST', '/auth/sign_in/second_factor', { challenge, code: who.codes[0] ?? '' })
    expect(entered.status, entered.text).toBe(200)
  })
})

describe('a role that requires a second factor', () => {
  it('is satisfied by a passkey, and keeps the last factor whichever it is', async () => {
    const person = await signedIn()
    await addRole(db, person.id, 'muc_admin', {})
    expect((await signIn(app, person.email)).body).toMatchObject({ success: true, second_factor_due_at: expect.any(String) })
    const who = await add(person)
    later(5 * 86_400)
    const entered = await enter(who)
    expect(entered.status, entered.text).toBe(200)
    const session = credentialsOf(entered)
    expect(await secondStepOf(who)).toMatchObject({ app: false })
    expect((await ask(session, 'GET', '/users/profile/second_factor')).body).toMatchObject({
      second_factor: { active: true, app: false, due_at: null, recovery_codes_left: recoveryCodeCount },
    })
    expect((await ask(session, 'DELETE', `${own}/${who.passkeyId}`)).status).toBe(409)
    expect((await ask(session, 'GET', own)).body['total']).toBe(1)
    const secret = await guard(db, who.id)
    expect((await ask(session, 'DELETE', `${own}/${who.passkeyId}`)).status).toBe(200)
    expect((await ask(session, 'POST', '/users/profile/second_factor/removal', { code: codeNow(secret) })).status).toBe(409)
    expect((await ask(session, 'GET', '/users/profile/second_factor')).body).toMatchObject({ second_factor: { active: true, app: true } })
  })

  it('lets nobody set an app up by the password alone once there is a passkey', async () => {
    const person = await signedIn()
    await addRole(db, person.id, 'muc_admin', {})
    await signIn(app, person.email)
    await sql`update second_factor_deadlines set due_at = ${now()} where user_id = ${person.id}`.execute(db)
    const asked = await signIn(app, person.email)
    const { challenge } = z.object({ challenge: z.string() }).parse(asked.body['second_factor_setup'])
    const begun = await ask(null, 'POST', '/auth/sign_in/second_factor_setup', { challenge })
    await add(person)
    const code = codeNow(String(begun.body['secret']))
    refused(await ask(null, 'POST', '/auth/sign_in/second_factor_setup/confirmation', { challenge, code }))
    refused(await ask(null, 'POST', '/auth/sign_in/second_factor_setup', { challenge }))
  })
})

describe('passkeys of an account that was recovered', () => {
  it('sign in no more without the new password, stay the second factor, and are themselves again after both together', async () => {
    const who = await holder()
    const link = new URL(await makeLink(db, { id: who.id, email: who.email }, 'reset', origin))
    const words = 'eleven green parcels'
    const body = { password: words, password_confirmation: words }
    const recovered = await ask(null, 'PUT', '/auth/password', body, Object.fromEntries(link.searchParams))
    expect(recovered.status, recovered.text).toBe(200)
    refused(await enter(who))
    const answer = await signIn(app, who.email, words)
    const step = z.object({ challenge: z.string(), passkey: request }).parse(answer.body['second_factor'])
    expect((await answerStep(step.challenge, usePasskey(who.passkey, step.passkey, origin))).status).toBe(200)
    expect((await enter(who)).status).toBe(200)
  })

  it('are removed with the app by an administrator above their owner', async () => {
    const who = await holder()
    await addRole(db, who.id, 'super_admin', {})
    const root = await newcomer('super_admin')
    expect((await ask(root, 'GET', `/users/${who.id}`)).body).toMatchObject({ user: { second_factor: true } })
    expect((await ask(root, 'DELETE', `/users/${who.id}/second_factor`)).status).toBe(200)
    refused(await enter(who))
    expect((await signIn(app, who.email)).body).toMatchObject({ success: true })
  })
})

describe('where passwords are off', () => {
  it('passkeys follow their rule: none signs in, none is added', async () => {
    const who = await holder()
    const provider = { OIDC_ISSUER: 'https://id.example.test', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b'.repeat(32) }
    const closed = await startTestApp({ ...environment, ...provider, PASSWORD_SIGN_IN: 'false' }, app.database)
    expect((await closed.ask(null, 'POST', '/auth/sign_in/passkey_options')).status).toBe(403)
    const credential = usePasskey(who.passkey, await signInOptions(), origin)
    refused(await closed.ask(null, 'POST', '/auth/sign_in/passkey', { credential }), 403)
    expect((await closed.ask(who, 'POST', `${own}/options`)).text).toContain('switched off')
    const { credential: made } = makePasskey(await optionsFor(who), origin)
    expect((await closed.ask(who, 'POST', own, { name: 'New', credential: made })).text).toContain('switched off')
  })

  it('a person of a provider, without a password, adds none', async () => {
    const person = await newcomer('read_only_user')
    expect((await ask(person, 'POST', `${own}/options`)).status).toBe(409)
  })
})

describe('the address of passkeys', () => {
  it('is that of PUBLIC_URL whatever the request says, and without it the request’s own in development alone', async () => {
    const host = { host: 'localhost:4711' }
    expect((await signInOptions(host)).rpId).toBe('meterbook.example.test')
    const free = await startTestApp({}, app.database)
    const options = await free.ask(null, 'POST', '/auth/sign_in/passkey_options', undefined, host)
    expect(options.body).toMatchObject({ options: { rpId: 'localhost' } })
  })
})
