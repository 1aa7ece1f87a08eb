import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { call, listReply } from '#contract/kernel/call.ts'
import { listInput } from '#contract/kernel/query.ts'
import { ApiProblem } from './api-problem.ts'
import { callApi, pathOf, queryOf } from './api.ts'

const list = call({
  name: 'things.list',
  method: 'GET',
  path: '/clients/:client_id/things',
  may: 'signed_in',
  summary: '',
  query: listInput,
  reply: listReply('things', z.object({ id: z.int() })),
})
const create = call({
  name: 'things.create',
  method: 'POST',
  path: '/things',
  may: 'signed_in',
  summary: '',
  body: z.object({ name: z.string() }),
})

const stores = { localStorage: new Map<string, string>(), sessionStorage: new Map<string, string>() }
let went: string[] = []

beforeEach(() => {
  went = []
  for (const [name, map] of Object.entries(stores)) {
    map.clear()
    vi.stubGlobal(name, {
      getItem: (key: string) => map.get(key) ?? null,
      setItem: (key: string, value: string) => map.set(key, value),
      removeItem: (key: string) => map.delete(key),
    })
  }
  vi.stubGlobal('location', { pathname: '/vendors', search: '?page=2', hash: '', assign: (to: string) => went.push(to) })
  for (const [key, value] of Object.entries({ 'access-token': 'token', client: 'window', uid: 'ann@example.test' }))
    stores.localStorage.set(key, value)
})
afterEach(() => vi.unstubAllGlobals())

function answer(body: string, status = 200, headers: Record<string, string> = {}) {
  const asked: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init })
    return new Response(body, { status, headers })
  })
  return asked
}

function headersOf(asked: { init: RequestInit }[], at = 0): Headers {
  return new Headers(asked[at]?.init.headers)
}

test('a list is asked for with q[key], q[s], page and per, and what is not given is left out', async () => {
  const asked = answer('{"things":[]}')
  await callApi(list, { params: { client_id: 7 }, query: { q: { name: 'a&b', s: 'name asc', gone: undefined }, page: 2, per: 10 } })
  expect(asked[0]?.url).toBe('/api/v5/clients/7/things?q[name]=a%26b&q[s]=name%20asc&page=2&per=10')
})

test('lists travel as key[]', () => {
  expect(queryOf({ division_id: [3, 4], empty: null })).toBe('?division_id[]=3&division_id[]=4')
})

test('an address without its parameter is never asked for', () => {
  expect(() => pathOf('/clients/:client_id', {})).toThrow('client_id')
})

test('every request carries the three credentials, this window’s id and renew-token [AUTH-API-002]', async () => {
  const asked = answer('{"things":[]}')
  await callApi(list, { params: { client_id: 7 } })
  const headers = headersOf(asked)
  expect([headers.get('access-token'), headers.get('client'), headers.get('uid'), headers.get('renew-token')]).toEqual([
    'token',
    'window',
    'ann@example.test',
    '1',
  ])
  expect(headers.get('x-connection-id')).toMatch(/^[0-9a-f]{32}$/)
})

test('a POST, and a GET that writes, has a key for its intent, a new one each time unless it repeats an intent', async () => {
  const asked = answer('{"success":true,"message":"Saved"}')
  await callApi(create, { body: { name: 'a' } })
  await callApi(create, { body: { name: 'a' } })
  await callApi(create, { body: { name: 'a' }, intent: 'mine' })
  const keys = [0, 1, 2].map((at) => headersOf(asked, at).get('idempotency-key'))
  expect(keys[0]).not.toBe(keys[1])
  expect(keys[2]).toBe('mine')
  await callApi(list, { params: { client_id: 7 } })
  expect(headersOf(asked, 3).get('idempotency-key')).toBeNull()
  await callApi({ ...list, effect: 'write' }, { params: { client_id: 7 }, intent: 'made once' })
  expect(headersOf(asked, 4).get('idempotency-key')).toBe('made once')
})

test('renewed credentials of the same sign-in are taken over, those of another one are not', async () => {
  answer('{"things":[]}', 200, { 'access-token': 'newer', client: 'window', uid: 'ann@example.test' })
  await callApi(list, { params: { client_id: 7 } })
  expect(stores.localStorage.get('access-token')).toBe('newer')
  answer('{"things":[]}', 200, { 'access-token': 'foreign', client: 'another', uid: 'bob@example.test' })
  await callApi(list, { params: { client_id: 7 } })
  expect(stores.localStorage.get('access-token')).toBe('newer')
  answer('{"things":[]}', 200, { 'access-token': 'newer', client: 'window', uid: 'ann@new.test' })
  await callApi(list, { params: { client_id: 7 } })
  expect(stores.localStorage.get('uid')).toBe('ann@new.test')
})

test('an answer to a request from before a new email does not bring the old one back', async () => {
  vi.stubGlobal('fetch', async () => {
    // Meanwhile the response that changed the email has arrived.
    stores.localStorage.set('uid', 'ann@new.test')
    return new Response('{"things":[]}', { headers: { 'access-token': 'newer', client: 'window', uid: 'ann@example.test' } })
  })
  await callApi(list, { params: { client_id: 7 } })
  expect(stores.localStorage.get('uid')).toBe('ann@new.test')
})

test('a 401 clears the three credentials, keeps where to come back to, and goes to /login [AUTH-TRANS-003] [AUTH-MSG-002]', async () => {
  answer('{}', 401)
  await expect(callApi(list, { params: { client_id: 7 } })).rejects.toBeInstanceOf(ApiProblem)
  expect([...stores.localStorage.keys()]).toEqual([])
  expect(stores.sessionStorage.get('return_to')).toBe('/vendors?page=2')
  expect(went).toEqual(['/login'])
})

test('an answer that is no JSON is told apart from a refusal, and a lost connection from both', async () => {
  answer('<html>')
  await expect(callApi(list, { params: { client_id: 7 } })).rejects.toMatchObject({ kind: 'unreadable' })
  answer('<html>', 502)
  await expect(callApi(list, { params: { client_id: 7 } })).rejects.toMatchObject({
    kind: 'plain',
    statusText: 'Bad Gateway',
    passing: true,
  })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(callApi(list, { params: { client_id: 7 } })).rejects.toMatchObject({ kind: 'network', passing: true })
})

test('a refusal brings its messages, its fields and its request id', async () => {
  const body = {
    success: false,
    message: 'No',
    errors: { full_messages: ['Name is required'], fields: { name: ['Name is required'] } },
    code: 'invalid',
    request_id: 'r1',
  }
  answer(JSON.stringify(body), 422)
  await expect(callApi(create, { body: { name: '' } })).rejects.toMatchObject({
    kind: 'refused',
    messages: ['Name is required'],
    fields: { name: ['Name is required'] },
    requestId: 'r1',
  })
})
