import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isPrivateAddress } from '../kernel/http/outside-request.ts'
import { guardedRequest } from './guarded-request.ts'
import { httpProvider } from './http-provider.ts'
import type { HttpProviderSettings } from './http-exchange.ts'
import type { BillRetrievalProvider } from './provider.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Requests that the fake service received, and its answers. */
let asked: string[] = []
let answers: Record<string, Answer> = {}
let tokens = 0
let accepted = /^Bearer token-/
let now = 0
const server = createServer((request, response) => {
  const path = request.url ?? ''
  asked.push(`${request.method} ${path}`)
  if (path === '/token') return answerToken(request, response)
  if (!accepted.test(request.headers.authorization ?? '')) return json(response, 401, { message: 'no' })
  const answer = answers[path.split('?')[0] ?? '']
  return answer ? answer(request, response) : json(response, 404, {})
})
let origin = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${portOf(server.address())}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
afterEach(() => {
  asked = []
  answers = {}
  tokens = 0
  accepted = /^Bearer token-/
  now = 0
})

describe('signing in', () => {
  test('one token serves all calls until shortly before its end', async () => {
    answers = { '/v1/status': (_, response) => json(response, 200, status) }
    const provider = connect()
    await Promise.all([provider.status(), provider.status()])
    await provider.status()
    expect(tokens).toBe(1)
    now = 3_600_000 - 59_000
    await provider.status()
    expect(tokens).toBe(2)
  })

  test('a token that is refused before its time is renewed once', async () => {
    answers = { '/v1/status': (_, response) => json(response, 200, status) }
    accepted = /^Bearer token-2$/
    expect(await connect().status()).toMatchObject({ ok: true })
    accepted = /^never$/
    await expect(connect().status()).rejects.toMatchObject({ fault: 'signed_out' })
  })

  test('wrong credentials are said and not tried again', async () => {
    await expect(connect({ clientSecret: 'wrong' }).status()).rejects.toMatchObject({ fault: 'signed_out' })
    expect(asked.filter((one) => one === 'POST /token').length).toBeLessThanOrEqual(2)
  })
})

describe('reading', () => {
  test('lists with every part of the query, and reads a statement', async () => {
    answers = {
      '/v1/statements': (_, response) => json(response, 200, { items: [summary], next: 'more' }),
      '/v1/statements/s%2F1': (_, response) =>
        json(response, 200, {
          ...summary,
          statement_id: 's/1',
          current_charges: '10.00',
          meters: [{ meter_number: 'M', commodity: 'water', usage: '3' }],
        }),
    }
    const provider = connect()
    const page = await provider.listStatements({
      clientCode: 'ACME',
      since: '2026-01-01',
      until: '2026-02-01',
      accountNumbers: ['1', '2'],
      cursor: 'c',
      limit: 5,
    })
    expect(page).toEqual({ items: [summary], next: 'more' })
    expect(asked.at(-1)).toBe(
      'GET /v1/statements?client_code=ACME&limit=5&since=2026-01-01&until=2026-02-01&cursor=c&account_number=1&account_number=2',
    )
    expect(await provider.getStatement('s/1')).toMatchObject({
      current_charges: '10.00',
      late_fee: '0.00',
      meters: [{ usage: '3', utility_charges: '0.00', unit: null }],
    })
  })

  test('a PDF comes with its name and hash; a cut one is refused', async () => {
    let pdf = '%PDF-1.4 body %%EOF'
    answers = {
      '/v1/statements/s1': (_, response) => json(response, 200, summary),
      '/v1/statements/s1/pdf': (_, response) => response.end(pdf),
    }
    const provider = connect()
    expect(await provider.getPdf('s1', 'ACME')).toMatchObject({
      filename: 'ACME_20260105_000042.pdf',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    pdf = '%PDF-1.4 bo'
    await expect(provider.getPdf('s1', 'ACME')).rejects.toMatchObject({ fault: 'bad_answer' })
  })

  test.each([
    ['no JSON', '<html>', 'not JSON'],
    ['another shape', '{"items":[{"statement_id":5}]}', 'items.0.statement_id'],
    [
      'money as a number',
      `{"items":[${JSON.stringify({ statement_id: 's', file_id: 'f', kind: 'bill', provider_name: 'P', account_number: '1', amount_due: 10.5 })}]}`,
      'items.0.amount_due',
    ],
  ])('%s is said clearly', async (_, body, words) => {
    answers = { '/v1/statements': (_request, response) => response.end(body) }
    await expect(connect().listStatements({ clientCode: 'ACME' })).rejects.toMatchObject({
      fault: 'bad_answer',
      message: expect.stringContaining(words),
    })
  })

  test('another statement than the one that was asked for is refused', async () => {
    answers = { '/v1/statements/s2': (_, response) => json(response, 200, summary) }
    await expect(connect().getStatement('s2')).rejects.toMatchObject({ fault: 'bad_answer' })
  })
})

describe('trying again', () => {
  test.each([429, 500, 503])('%i is tried three times more, then it works or fails', async (code) => {
    let failures = 3
    answers = { '/v1/status': (_, response) => (failures-- > 0 ? json(response, code, {}) : json(response, 200, status)) }
    expect(await connect().status()).toMatchObject({ ok: true })
    expect(asked.filter((one) => one === 'GET /v1/status')).toHaveLength(4)
    failures = 9
    await expect(connect().status()).rejects.toMatchObject({ fault: code === 429 ? 'rate_limited' : 'unavailable' })
    expect(failures).toBe(5)
  })

  test.each([
    [400, 'bad_answer'],
    [403, 'needs_action'],
    [404, 'not_found'],
    [422, 'bad_answer'],
  ])('%i is never tried again', async (code, fault) => {
    answers = { '/v1/status': (_, response) => json(response, code, { message: 'in its own words' }) }
    await expect(connect().status()).rejects.toMatchObject({ fault, message: expect.stringContaining('in its own words') })
    expect(asked.filter((one) => one === 'GET /v1/status')).toHaveLength(1)
  })

  test('silence is tried again and ends', async () => {
    answers = { '/v1/status': () => undefined }
    await expect(connect({ limits: { connectMs: 1_000, totalMs: 60, maxBytes: 1_000 }, backoffMs: [1] }).status()).rejects.toMatchObject({
      fault: 'unavailable',
    })
    expect(asked.filter((one) => one === 'GET /v1/status')).toHaveLength(2)
  })

  test('nobody there is unavailable', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const port = portOf(closed.address())
    await new Promise((resolve) => closed.close(resolve))
    await expect(connect({ tokenUrl: `http://127.0.0.1:${port}/token` }).status()).rejects.toMatchObject({ fault: 'unavailable' })
  })
})

describe('not led astray', () => {
  test('a redirect is refused and not followed', async () => {
    answers = { '/v1/status': (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end() }
    await expect(connect().status()).rejects.toMatchObject({ fault: 'refused', message: expect.stringContaining('redirect') })
    expect(asked.filter((one) => one === 'GET /v1/status')).toHaveLength(1)
  })

  test('an answer that is too large is cut off, announced or not', async () => {
    const limits = { connectMs: 1_000, totalMs: 5_000, maxBytes: 1_000_000 }
    let sent = 0
    answers = {
      '/v1/status': (_, response) => void response.writeHead(200, { 'content-length': '10000000000' }).write('x'),
      '/v1/statements': (_, response) => {
        const more = (): void => {
          while (!response.destroyed && sent < 100_000_000) {
            sent += 65_536
            if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more)
          }
        }
        more()
      },
    }
    await expect(connect({ limits }).status()).rejects.toMatchObject({ fault: 'bad_answer', message: expect.stringContaining('larger') })
    await expect(connect({ limits }).listStatements({ clientCode: 'ACME' })).rejects.toMatchObject({ fault: 'bad_answer' })
    expect(sent).toBeLessThan(50_000_000)
  })

  test('only listed hosts are asked, over TLS, and private ones only where they are listed as such', async () => {
    const get = (url: string, hosts: string[], privateHosts: string[] = []) =>
      guardedRequest({ method: 'GET', url: new URL(url), headers: {} }, { hosts, privateHosts })
    await expect(get(`${origin}/x`, ['example.com'])).rejects.toMatchObject({
      fault: 'refused',
      message: expect.stringContaining('not on the list'),
    })
    await expect(get('http://example.com/', ['example.com'])).rejects.toMatchObject({
      fault: 'refused',
      message: expect.stringContaining('https'),
    })
    await expect(get('https://127.0.0.1/', ['127.0.0.1'])).rejects.toMatchObject({
      fault: 'refused',
      message: expect.stringContaining('not public'),
    })
    await expect(get('https://[::1]/', ['::1'])).rejects.toMatchObject({ fault: 'refused', message: expect.stringContaining('not public') })
    // The name is public, its address is not.
    await expect(get('https://localhost/', ['localhost'])).rejects.toMatchObject({
      fault: 'refused',
      message: 'localhost has no public address.',
    })
    // A name that does not exist cannot be distinguished from one that exists inside only.
    await expect(get('https://nothing.invalid/', ['nothing.invalid'])).rejects.toMatchObject({
      message: 'nothing.invalid has no public address.',
    })
    expect(asked).toEqual([])
  })

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::7f00:1',
    'fec0::1',
    'feff::1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '192.88.99.1',
    'nonsense',
  ])('%s is not public', (address) => {
    expect(isPrivateAddress(address)).toBe(true)
  })

  test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '192.88.98.1', '2606:4700:4700::1111', '2001:4860:4860::8888'])(
    '%s is public',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false)
    },
  )
})

const status = { ok: true, credentials: { ok: 1, failed: 0, needs_action: 0 } }
const summary = {
  statement_id: 's1',
  file_id: 'f1',
  kind: 'bill',
  provider_name: 'City',
  account_number: '00000042',
  bill_date: '2026-01-05',
  amount_due: '10.00',
}

function connect(change: Partial<HttpProviderSettings> = {}): BillRetrievalProvider {
  return httpProvider({
    baseUrl: `${origin}/v1`,
    tokenUrl: `${origin}/token`,
    clientId: 'meterbook',
    clientSecret: 'right',
    allowed: { hosts: ['127.0.0.1'], privateHosts: ['127.0.0.1'] },
    backoffMs: [1, 2, 3],
    now: () => now,
    ...change,
  })
}

function answerToken(request: IncomingMessage, response: ServerResponse): void {
  const expected = `Basic ${Buffer.from('meterbook:right').toString('base64')}`
  if (request.headers.authorization !== expected) return json(response, 401, { message: 'unknown client' })
  tokens += 1
  json(response, 200, { access_token: `token-${tokens}`, token_type: 'Bearer', expires_in: 3_600 })
}

function json(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}
