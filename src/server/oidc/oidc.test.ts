import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { startIdentityProvider, walkSignIn } from '../../../test/support/identity-provider.ts'
import { hashPassword } from '../access/access.ts'
import { readConfig } from '../config.ts'
import { setClock } from '../kernel/clock.ts'

const provider = await startIdentityProvider()
const started = await startTestApp({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_LABEL: 'Acme',
})
const {
  ask,
  app: { server },
  database: { db },
} = started
const url = await started.listen()
provider.openFor(url)

afterEach(() => setClock())

/** State of the browser between the steps. */
interface Browser {
  readonly cookie: string
  readonly to: URL
}

async function begin(): Promise<Browser> {
  const answer = await server.inject({ method: 'GET', url: '/api/v5/auth/oidc/start' })
  expect(answer.statusCode).toBe(302)
  return { cookie: String(answer.headers['set-cookie']), to: new URL(String(answer.headers.location)) }
}

/**
 * Follows the return.
 * @returns the address that the console is redirected to.
 */
async function comeBack({ cookie }: Pick<Browser, 'cookie'>, returned: URL): Promise<string> {
  const [pair = ''] = cookie.split(';')
  const answer = await server.inject({
    method: 'GET',
    url: `${returned.pathname}${returned.search}`,
    headers: { cookie: `other=1; ${pair}` },
  })
  expect(answer.statusCode).toBe(302)
  return String(answer.headers.location)
}

function exchange({ cookie }: Pick<Browser, 'cookie'>, code: string) {
  const [pair = ''] = cookie.split(';')
  return ask(null, 'POST', '/auth/oidc/session', { code }, { cookie: pair })
}

const codeIn = (location: string): string => /^\/login#sign_in_code=([\w-]{43})$/.exec(location)?.[1] ?? `no code in ${location}`

async function newUser(status = 'active', confirmed = true): Promise<{ id: number; email: string; name: string }> {
  const name = `p${randomBytes(4).toString('hex')}`
  const email = `${name}@example.test`
  const { rows } = await sql<{
    id: number
  }>`insert into users (email, username, status, account_confirmed) values (${email}, ${name}, ${status}, ${confirmed}) returning id`.execute(
    db,
  )
  provider.people.set(name, { email, email_verified: true })
  return { id: rows[0]?.id ?? 0, email, name }
}

/** Runs a complete, successful sign-in. */
async function signIn(name: string): Promise<{ location: string; browser: Browser }> {
  const browser = await begin()
  return { location: await comeBack(browser, await walkSignIn(browser.to, name)), browser }
}

describe('signing in by a provider', () => {
  test('gives the three credentials to a user of the same verified address, by a code that is good once', async () => {
    const user = await newUser()
    expect((await ask(null, 'GET', '/auth/oidc')).body).toEqual({ label: 'Acme', password: true })
    const { location, browser } = await signIn(user.name)
    const answer = await exchange(browser, codeIn(location))
    expect(answer.status).toBe(200)
    const headers = Object.fromEntries(['access-token', 'client', 'uid'].map((name) => [name, String(answer.headers[name])]))
    expect((await ask({ id: user.id, email: user.email, headers }, 'GET', '/users/profile')).body).toMatchObject({ user: { id: user.id } })
    expect((await exchange(browser, codeIn(location))).status).toBe(401)
    const { rows } = await sql<{
      event: string
      text: string
    }>`select event, object_changes::text as text from audit_records where item_type = 'user' and item_id = ${user.id} order by id`.execute(
      db,
    )
    expect(rows.map(({ event }) => event)).toEqual(['update', 'login'])
    expect(rows[1]?.text).toContain(provider.issuer)
  })

  test('asks with a code challenge, a state and a nonce, each of 256 bits, and marks the browser where no script reads', async () => {
    const { to, cookie } = await begin()
    expect(to.origin).toBe(provider.issuer)
    expect(to.searchParams.get('code_challenge_method')).toBe('S256')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(to.searchParams.get(name)).toMatch(/^[\w-]{43}$/)
    expect(cookie).toMatch(/^meterbook_sign_in=[\w-]{43}; Path=\/api\/v5\/auth\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/)
  })

  test('takes the address from the id token too, where it stands there', async () => {
    provider.openFor(url, { inToken: true })
    const user = await newUser()
    const { location } = await signIn(user.name)
    expect(codeIn(location)).toHaveLength(43)
    provider.openFor(url)
  })

  test('knows the person by subject from then on, whatever becomes of the address', async () => {
    const user = await newUser()
    await signIn(user.name)
    provider.people.set(user.name, { email: 'changed@example.test', email_verified: false })
    expect(codeIn((await signIn(user.name)).location)).toHaveLength(43)
    // Another user who inherits the address does not get the account.
    provider.people.set('heir', { email: user.email, email_verified: true })
    expect((await signIn('heir')).location).toBe('/login?sign_in_problem=unknown')
  })

  test('confirms an account, since the provider has seen that the address is theirs', async () => {
    const user = await newUser('active', false)
    expect(codeIn((await signIn(user.name)).location)).toHaveLength(43)
    const { rows } = await sql<{ account_confirmed: boolean }>`select account_confirmed from users where id = ${user.id}`.execute(db)
    expect(rows[0]?.account_confirmed).toBe(true)
  })

  test('makes no user, and says the same of one who is not active', async () => {
    provider.people.set('stranger', { email: 'stranger@example.test', email_verified: true })
    expect((await signIn('stranger')).location).toBe('/login?sign_in_problem=unknown')
    const { rows } = await sql`select id from users where email = 'stranger@example.test'`.execute(db)
    expect(rows).toEqual([])
    const inactive = await newUser('in_active')
    expect((await signIn(inactive.name)).location).toBe('/login?sign_in_problem=unknown')
    const later = await newUser()
    await signIn(later.name)
    await sql`update users set status = 'in_active' where id = ${later.id}`.execute(db)
    expect((await signIn(later.name)).location).toBe('/login?sign_in_problem=unknown')
  })

  test.each([
    ['unverified', { email_verified: false }],
    ['not said to be verified', { email_verified: undefined }],
  ])('does not believe an address that is %s', async (_, claim) => {
    const user = await newUser()
    provider.people.set(user.name, { email: user.email, ...claim })
    expect((await signIn(user.name)).location).toBe('/login?sign_in_problem=unverified')
    const { rows } = await sql`select id from user_identities where user_id = ${user.id}`.execute(db)
    expect(rows).toEqual([])
  })

  test('a user who was deactivated between code and exchange gets nothing', async () => {
    const user = await newUser()
    const { location, browser } = await signIn(user.name)
    await sql`update users set status = 'in_active' where id = ${user.id}`.execute(db)
    expect((await exchange(browser, codeIn(location))).status).toBe(401)
  })
})

describe('misuse', () => {
  test('a wrong state, none, and one of another browser lead nowhere', async () => {
    const user = await newUser()
    const browser = await begin()
    const returned = await walkSignIn(browser.to, user.name)
    const wrong = new URL(returned)
    wrong.searchParams.set('state', 'A'.repeat(43))
    expect(await comeBack(browser, wrong)).toBe('/login?sign_in_problem=expired')
    wrong.searchParams.delete('state')
    expect(await comeBack(browser, wrong)).toBe('/login?sign_in_problem=expired')
    // Another user's browser opens this address: it must not be signed in as this user.
    expect(await comeBack(await begin(), returned)).toBe('/login?sign_in_problem=expired')
    expect(await comeBack({ cookie: '' }, returned)).toBe('/login?sign_in_problem=expired')
    expect(codeIn(await comeBack(browser, returned))).toHaveLength(43)
  })

  test('what was brought back once is not taken again, nor after ten minutes', async () => {
    const user = await newUser()
    const browser = await begin()
    const returned = await walkSignIn(browser.to, user.name)
    await comeBack(browser, returned)
    expect(await comeBack(browser, returned)).toBe('/login?sign_in_problem=expired')
    const slow = await begin()
    const late = await walkSignIn(slow.to, user.name)
    setClock(new Date(Date.now() + 601_000))
    expect(await comeBack(slow, late)).toBe('/login?sign_in_problem=expired')
  })

  test.each([
    ['nonce', 'nonce'],
    ['code challenge', 'code_challenge'],
  ])('another %s than was asked for is refused', async (_, name) => {
    const user = await newUser()
    const browser = await begin()
    browser.to.searchParams.set(name, 'B'.repeat(43))
    const returned = await walkSignIn(browser.to, user.name)
    expect(await comeBack(browser, returned)).toBe('/login?sign_in_problem=failed')
  })

  test('a code of the provider that was used, or of another sign-in, is refused', async () => {
    const user = await newUser()
    const one = await begin()
    const first = await walkSignIn(one.to, user.name)
    const other = await begin()
    const mixed = await walkSignIn(other.to, user.name)
    mixed.searchParams.set('code', first.searchParams.get('code') ?? '')
    expect(await comeBack(other, mixed)).toBe('/login?sign_in_problem=failed')
  })

  test('an answer in the name of another issuer is refused', async () => {
    const user = await newUser()
    const browser = await begin()
    const returned = await walkSignIn(browser.to, user.name)
    expect(returned.searchParams.get('iss')).toBe(provider.issuer)
    returned.searchParams.set('iss', 'https://evil.example.com')
    expect(await comeBack(browser, returned)).toBe('/login?sign_in_problem=failed')
  })

  test('a person who cancels is told so', async () => {
    const browser = await begin()
    const returned = new URL(`${url}/api/v5/auth/oidc/callback`)
    for (const [key, value] of Object.entries({
      error: 'access_denied',
      state: browser.to.searchParams.get('state') ?? '',
      iss: provider.issuer,
    }))
      returned.searchParams.set(key, value)
    expect(await comeBack(browser, returned)).toBe('/login?sign_in_problem=cancelled')
  })

  test('the one-time code is good for a minute, in the browser that began', async () => {
    const user = await newUser()
    const { location, browser } = await signIn(user.name)
    expect((await exchange(await begin(), codeIn(location))).status).toBe(401)
    expect((await exchange({ cookie: '' }, codeIn(location))).status).toBe(401)
    setClock(new Date(Date.now() + 61_000))
    expect((await exchange(browser, codeIn(location))).status).toBe(401)
    setClock()
    expect((await exchange(browser, 'x'.repeat(43))).status).toBe(401)
    expect((await exchange(browser, codeIn(location))).status).toBe(200)
  })

  test('state and code lie in the database as hashes', async () => {
    const user = await newUser()
    const { location, browser } = await signIn(user.name)
    const secrets = [codeIn(location), browser.to.searchParams.get('state') ?? '', browser.cookie.slice(18, 61)]
    const { rows } = await sql<{ text: string }>`select attempt::text as text from oidc_attempts attempt`.execute(db)
    for (const secret of secrets) expect(rows.map(({ text }) => text).join()).not.toContain(secret)
  })
})

describe('a provider that is ill', () => {
  const settings = (issuer: string) => ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' })

  test('is said to be out of reach, and is asked again the next time', async () => {
    const ill = await startIdentityProvider()
    const app = await startTestApp(settings(ill.issuer))
    const at = await app.listen()
    const go = () => app.app.server.inject({ method: 'GET', url: '/api/v5/auth/oidc/start' })
    expect((await go()).headers.location).toBe('/login?sign_in_problem=failed')
    ill.openFor(at)
    expect((await go()).headers.location).toContain(ill.issuer)
    const down = await startTestApp(settings('http://127.0.0.1:9'))
    const answer = await down.app.server.inject({ method: 'GET', url: '/api/v5/auth/oidc/start' })
    expect(answer.headers.location).toBe('/login?sign_in_problem=unavailable')
  })

  test.each([
    ['redirects', (issuer: string) => ({ status: 302, headers: { location: `${issuer}/elsewhere` }, body: '' })],
    [
      'names an address inside the network',
      (issuer: string) => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          issuer,
          authorization_endpoint: 'http://169.254.169.254/auth',
          token_endpoint: 'http://10.0.0.1/token',
          jwks_uri: 'http://10.0.0.1/keys',
        }),
      }),
    ],
    [
      'calls itself by another name',
      () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ issuer: 'https://evil.example.com', authorization_endpoint: 'https://evil.example.com/auth' }),
      }),
    ],
  ])('that %s is not followed', async (_, answerOf) => {
    const ill = await startIdentityProvider()
    const asked: string[] = []
    ill.replaceBy((request, response) => {
      asked.push(request.url ?? '')
      const { status, headers, body } = answerOf(ill.issuer)
      response.writeHead(status, { ...headers }).end(body)
    })
    const app = await startTestApp(settings(ill.issuer))
    const answer = await app.app.server.inject({ method: 'GET', url: '/api/v5/auth/oidc/start' })
    expect(answer.headers.location).toBe('/login?sign_in_problem=failed')
    expect(asked).toEqual(['/.well-known/openid-configuration'])
  })
})

test('where no provider is set up there is no such call, and the page is told so', async () => {
  const plain = await startTestApp()
  expect((await plain.ask(null, 'GET', '/auth/oidc')).body).toEqual({ label: null, password: true })
  expect((await plain.ask(null, 'GET', '/auth/oidc/start')).status).toBe(404)
  expect((await plain.ask(null, 'GET', '/auth/oidc/callback?state=x')).status).toBe(404)
  expect((await plain.ask(null, 'POST', '/auth/oidc/session', { code: 'x' })).status).toBe(404)
  const person = await makePerson(plain.database.db, null)
  expect((await plain.ask(person, 'GET', '/users/profile')).status).toBe(200)
})

describe('with passwords switched off', () => {
  test('nobody signs in, asks for or proves anything by a password; the provider goes on; and it needs a provider', async () => {
    const only = await startTestApp(
      {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: provider.clientId,
        OIDC_CLIENT_SECRET: provider.clientSecret,
        PASSWORD_SIGN_IN: 'false',
      },
      started.database,
    )
    const user = await newUser()
    await sql`update users set password_hash = ${await hashPassword('a long enough password')} where id = ${user.id}`.execute(db)
    const typed = { email: user.email, password: 'a long enough password' }
    expect((await ask(null, 'POST', '/auth/sign_in', typed)).status).toBe(200)
    expect((await only.ask(null, 'GET', '/auth/oidc')).body).toEqual({ label: 'single sign-on', password: false })
    expect((await only.ask(null, 'POST', '/auth/sign_in', typed)).status).toBe(403)
    expect((await only.ask(null, 'POST', '/auth/password', { email: user.email })).status).toBe(403)
    const both = { password: 'seven quiet harbour lamps', password_confirmation: 'seven quiet harbour lamps' }
    const headers = { 'access-token': 'a', client: 'b', uid: user.email }
    expect((await only.ask(null, 'PUT', '/auth/password', both, headers)).status).toBe(403)
    const { location, browser } = await signIn(user.name)
    const [pair = ''] = browser.cookie.split(';')
    const entered = await only.ask(null, 'POST', '/auth/oidc/session', { code: codeIn(location) }, { cookie: pair })
    expect(entered.status, entered.text).toBe(200)
    const named = (name: string) => String(entered.headers[name])
    const who = {
      id: user.id,
      email: user.email,
      headers: { 'access-token': named('access-token'), client: named('client'), uid: named('uid') },
    }
    expect((await only.ask(who, 'GET', '/users/profile')).status).toBe(200)
    expect((await only.ask(who, 'POST', '/users/profile/proof', { password: typed.password })).status).toBe(422)
    expect(() => readConfig({ NODE_ENV: 'test', DATA_DIR: started.dataFolder, PASSWORD_SIGN_IN: 'false' })).toThrow(
      'PASSWORD_SIGN_IN must not be false',
    )
  })
})
