/** Tests the limits that protect other users: too much, too often, too large or too many requests at once. Over real sockets. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import { call } from '#contract/kernel/call.ts'
import { makePerson, startTestApp, type Person } from '../../test/support/app.ts'
import { makeClient } from '../../test/support/estate.ts'
import { keeper, quietMachinery, startToyServer } from '../../test/support/toy-server.ts'
import { handle } from './kernel/handler.ts'
import { requestsPerMinute, windowMs } from './kernel/http/rate-limit.ts'
import { createRequestTurns } from './kernel/http/request-turns.ts'

const limited = await startTestApp({ RATE_LIMIT_FACTOR: '1' })
const roomy = await startTestApp({}, limited.database)
const { db } = limited.database
/** Far more than a test of counts takes on a busy machine. */
const COUNTING_MS = 25_000
const limitedUrl = await limited.listen()
const url = await roomy.listen()

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Sends a request without the defaults of `fetch`: no encoding is requested or decoded. */
async function ask(address: string, method: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  const asked = request(address, { method, headers: { ...(body === '' ? {} : { 'content-type': 'application/json' }), ...headers } })
  asked.end(body)
  const [answer] = await once(asked, 'response')
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) }
}
const said = ({ bytes }: Answer): unknown => JSON.parse(bytes.toString())
const statuses = (answers: readonly Answer[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => String(status))].map(([status, same]) => [status, same.length]))
const times = <T>(count: number, one: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => one(at)))

/** The same, a few at a time: fewer than may wait for one of them. */
async function inTurn<T>(count: number, one: (at: number) => Promise<T>): Promise<T[]> {
  const all: T[] = []
  for (let from = 0; from < count; from += 30) all.push(...(await times(Math.min(30, count - from), (at) => one(from + at))))
  return all
}

/** The counts of a minute fade after its end. A test that expects exact counts begins early in a minute; its applications share this process. */
async function inOneMinute(): Promise<void> {
  const left = windowMs - (performance.now() % windowMs)
  if (left < COUNTING_MS) await sleep(left)
}

describe('the limit of requests a minute', () => {
  beforeEach(inOneMinute)

  const seen = (who: Person, more: Record<string, string>) =>
    ask(`${limitedUrl}/api/v5/notifications/seen`, 'POST', { ...who.headers, ...more }, '{}')

  test('counts a person by who they are, whatever else their headers say', async () => {
    const who = await makePerson(db, 'super_admin')
    const varied = (at: number) => ({ authorization: `Basic ${at}`, 'x-forwarded-for': `203.0.113.${at % 250}` })
    const answers = await inTurn(360, (at) => seen(who, at % 3 === 0 ? { uid: who.email.toUpperCase() } : varied(at)))
    expect(statuses(answers)).toEqual({ 200: requestsPerMinute.writes, 429: 60 })
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await seen(await makePerson(db, 'super_admin'), {})).status).toBe(200)
  })

  test('counts all that a network sends without proof as one, reads too, and never health', async () => {
    const network = '198.51.100'
    const from = (at: number) => ({
      'x-forwarded-for': `${network}.${at % 250}`,
      uid: `invented-${at}@example.test`,
      authorization: `Basic ${at}`,
      'accept-encoding': 'br',
    })
    const paths = ['/api/v5/openapi.json', '/api/v5/docs', '/api/v5/auth/oidc', '/api/v5/nothing', '/api/v5/bills']
    const answers = await inTurn(requestsPerMinute.anonymous + 40, (at) => ask(`${limitedUrl}${paths[at % 5]}`, 'GET', from(at)))
    expect(statuses(answers)['429']).toBe(40)
    expect((await ask(`${limitedUrl}/livez`, 'GET', from(1))).status).toBe(200)
    expect((await ask(`${limitedUrl}/readyz`, 'GET', from(1))).status).toBe(200)
    const who = await makePerson(db, 'super_admin')
    expect((await ask(`${limitedUrl}/api/v5/users/profile`, 'GET', { ...from(1), ...who.headers })).status).toBe(200)
  })

  test('counts the credentials of a network that prove nothing, and looks no more of them up', async () => {
    const from = (at: number) => ({ 'x-forwarded-for': '192.0.2.1', 'access-token': 'x', client: `invented-${at}`, uid: 'a@example.test' })
    const answers = await inTurn(requestsPerMinute.refused + 20, (at) => ask(`${limitedUrl}/api/v5/users/profile`, 'GET', from(at)))
    expect(statuses(answers)).toMatchObject({ 401: requestsPerMinute.refused, 429: 20 })
  }, 60_000)
})

describe('a body', () => {
  test('of a call that nobody need sign in for has at most 16 kB', async () => {
    const open = calls.filter(({ may, bodyKind }) => (may === 'public' || may === 'signed_url') && bodyKind === 'json')
    expect(open.length).toBeGreaterThanOrEqual(4)
    for (const { method, path } of open) {
      const address = `${url}/api/v5${path.replace(/:\w+/, 'token')}`
      const large = await ask(address, method, {}, JSON.stringify({ email: 'x'.repeat(16 * 1_024) }))
      expect(said(large), path).toMatchObject({
        success: false,
        code: 'too_large',
        message: 'What was sent is too large: this call takes at most 16 kB.',
      })
      expect(large.status).toBe(413)
      expect((await ask(address, method, {}, JSON.stringify({ email: 'x'.repeat(15_000) }))).status, path).not.toBe(413)
    }
  })

  test('of who is signed in may be large', async () => {
    const who = await makePerson(db, 'super_admin')
    const answer = await ask(`${url}/api/v5/vendors`, 'POST', who.headers, JSON.stringify({ vendor: { name: 'x'.repeat(1_000_000) } }))
    expect(answer.status).toBe(422)
  })

  test('is not waited for where its sender has not proven who they are, or may not do it', async () => {
    const reader = await makePerson(db, 'read_only_user', { clients: [await makeClient(db)] })
    const lines = (headers: Readonly<Record<string, string>>) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    for (const [headers, status] of [
      [{}, 401],
      [{ 'access-token': 'x', client: 'y', uid: 'z@example.test' }, 401],
      [{ authorization: 'Bearer mb_invented' }, 401],
      [reader.headers, 403],
    ] as const) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      // Announces ten megabytes, and sends a first piece that is not JSON.
      const head = ['POST /api/v5/vendors HTTP/1.1', 'host: test', 'content-type: application/json', 'content-length: 10000000']
      socket.write(`${[...head, ...lines(headers)].join('\r\n')}\r\n\r\n{not`)
      const [answer] = await once(socket, 'data')
      expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      socket.destroy()
    }
  })
})

describe('the documentation of the API', () => {
  test.each(['/docs', '/docs.css', '/openapi.json'])('%s is the same bytes plain and compressed, and 304 to who has it', async (path) => {
    const address = `${url}/api/v5${path}`
    const plain = await ask(address, 'GET')
    expect(plain.status).toBe(200)
    expect(plain.headers['cache-control']).toBe('public, max-age=300')
    expect(plain.headers['vary']).toBe('accept-encoding')
    const brotli = await ask(address, 'GET', { 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
    const zipped = await ask(address, 'GET', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true)
    expect(brotli.headers.etag).toBe(plain.headers.etag)
    const again = await ask(address, 'GET', { 'if-none-match': String(plain.headers.etag) })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect((await ask(address, 'GET', { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await ask(address, 'HEAD')).status).toBe(200)
  })

  test('is a tenth of its size on the wire', async () => {
    const address = `${url}/api/v5/docs`
    const [plain, packed] = [await ask(address, 'GET'), await ask(address, 'GET', { 'accept-encoding': 'br' })]
    expect(plain.bytes.length / packed.bytes.length).toBeGreaterThan(10)
  })
})

/** Returns a server with calls that end when the test says so. */
function gatedServer(connections: number) {
  const running: string[] = []
  const ends: (() => void)[] = []
  const gated = (name: string, more: { heavy?: boolean }) =>
    handle(
      call({ name, method: 'POST', path: `/${name.replace('.', '/')}`, effect: 'read', may: 'division.read', summary: name, ...more }),
      async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        running.push(name)
        ends.push(resolve)
        await promise
        return { success: true, message: '' }
      },
    )
  const server = startToyServer(
    quietMachinery(limited.database),
    [gated('gates.usual', {}), gated('gates.heavy', { heavy: true })],
    createRequestTurns(connections),
  )
  const endAll = async (asked: readonly Promise<{ status: number }>[]): Promise<number[]> => {
    const timer = setInterval(() => ends.splice(0).forEach((end) => end()), 1)
    const answers = await Promise.all(asked)
    clearInterval(timer)
    return answers.map(({ status }) => status)
  }
  return { ...server, running, endAll }
}

describe('requests at once', () => {
  const path = '/gates/usual'
  const many = <T>(count: number, one: () => Promise<T>): Promise<T>[] => Array.from({ length: count }, one)

  test('of one person are six; what else they ask waits in order and is answered', async () => {
    const gate = gatedServer(10)
    const asked = many(40, () => gate.ask([keeper([1])], 'POST', path, {}))
    await expect.poll(() => gate.running.length).toBe(6)
    expect(await gate.endAll(asked)).toEqual(Array.from({ length: 40 }, () => 200))
  })

  test('are bounded for the calls that are heavy: those that try audit settings', () => {
    const heavy = calls.filter((one) => one.heavy).map(({ name }) => name)
    expect(heavy).toEqual(expect.arrayContaining(['audit_settings.try', 'audit_settings.try_of_client']))
  })

  test('of a heavy call is one for a person, and does not hold up the rest that they ask', async () => {
    const gate = gatedServer(10)
    const heavy = many(15, () => gate.ask([keeper([1])], 'POST', '/gates/heavy', {}))
    await expect.poll(() => gate.running.length).toBe(1)
    const usual = gate.ask([keeper([1])], 'POST', path, {})
    await expect.poll(() => gate.running).toEqual(['gates.heavy', 'gates.usual'])
    expect(await gate.endAll([...heavy, usual])).toEqual(Array.from({ length: 16 }, () => 200))
  })

  test('beyond what a person may have waiting are refused with 429', async () => {
    const gate = gatedServer(10)
    const asked = many(80, () => gate.ask([keeper([1])], 'POST', path, {}))
    const refused = await Promise.any(asked)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many' }, headers: { 'retry-after': '2' } })
    const answers = await gate.endAll(asked)
    expect(answers.filter((status) => status === 200)).toHaveLength(66)
    expect(answers.filter((status) => status === 429)).toHaveLength(14)
  })
})

describe('a process with more to do than it can', () => {
  test('refuses with 503 before a body is read, goes on answering health, and recovers', async () => {
    const people = await times(8, () => makePerson(db, 'super_admin'))
    const blocker = new pg.Client(limited.database.url)
    await blocker.connect()
    const address = `${limitedUrl}/api/v5/users/preferences`
    const save = (who: Person | undefined) => ask(address, 'PATCH', who?.headers, JSON.stringify({ preferences: { density: 'compact' } }))
    await Promise.all(people.map(save))
    try {
      // A save waits for the locked row of its user, and occupies its slot while it waits.
      await blocker.query('begin')
      await blocker.query('select id from users where id = any($1) for update', [people.map(({ id }) => id)])
      const asked = times(420, (at) => save(people[at % people.length]))
      await expect.poll(waiting).toBe(300)
      const refused = await save(people[0])
      expect(refused.status).toBe(503)
      expect(refused.headers['retry-after']).toBe('2')
      expect(said(refused)).toMatchObject({ success: false, code: 'overloaded' })
      expect((await ask(`${limitedUrl}/livez`, 'GET')).status).toBe(200)
      await blocker.query('rollback')
      const outcome = statuses(await asked)
      expect(outcome['503']).toBeGreaterThan(0)
      expect(outcome['200']).toBeGreaterThan(100)
      expect((await save(people[1])).status).toBe(200)
    } finally {
      await blocker.end()
    }
  }, 60_000)

  async function waiting(): Promise<number> {
    const figures = await limited.app.machinery.metrics.render()
    return Number(/^http_requests_waiting (\d+)$/m.exec(figures)?.[1])
  }
})
