import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { Failure } from './problem.ts'
import { classOf, limitRequests, slidingLimit } from './rate-limit.ts'

describe('the limit of requests', () => {
  test('lets as many through as the window holds, and slides', () => {
    const limit = slidingLimit(10, 60_000)
    for (let at = 0; at < 10; at++) expect(limit.take('a', 1_000)).toBe(0)
    expect(limit.take('a', 1_000)).toBe(59)
    expect(limit.take('b', 1_000)).toBe(0)
    // Half a window later half of the ten still count.
    let through = 0
    for (let at = 0; at < 10; at++) if (limit.take('a', 90_000) === 0) through += 1
    expect(through).toBe(5)
    expect(limit.take('a', 300_000)).toBe(0)
  })

  test('asks for no longer a pause than it takes until the next one fits', () => {
    const limit = slidingLimit(60, 60_000)
    for (let at = 0; at < 60; at++) limit.take('a', 1_000)
    // Right after the turn of the minute nearly all of the last one still counts, and a place is free every second.
    const wait = limit.take('a', 60_000)
    expect(wait).toBe(1)
    expect(limit.take('a', 60_000 + 1_000 * wait + 1)).toBe(0)
  })

  test.each([
    ['GET', '/api/v5/bills', null],
    ['POST', '/api/v5/bills', 'writes'],
    ['DELETE', '/api/v5/bills/:id', 'writes'],
    ['GET', '/api/v5/bills/export_csv', 'exports'],
    ['GET', '/api/v5/search', 'search'],
    ['PUT', '/api/v5/uploads/:token', 'uploads'],
    ['GET', '/api/v5/direct_upload_url', 'uploads'],
  ])('%s %s counts as %s', (method, route, kind) => {
    expect(classOf(method, route)).toBe(kind)
  })

  test('refuses with the seconds to wait, and leaves reading alone', async () => {
    const server = Fastify()
    limitRequests(server, { writes: 2, exports: 1, search: 1, uploads: 1, reads_by_token: 1 })
    server.setErrorHandler((error, _request, reply) =>
      reply
        .code(error instanceof Failure ? error.status : 500)
        .send({ wait: error instanceof Failure ? error.extra.retryAfterSeconds : null }),
    )
    server.post('/things', () => 'ok')
    server.get('/things', () => 'ok')
    const post = (uid: string) => server.inject({ method: 'POST', url: '/things', headers: { uid } })
    expect([
      (await post('a')).statusCode,
      (await post('a')).statusCode,
      (await post('A')).statusCode,
      (await post('b')).statusCode,
    ]).toEqual([200, 200, 429, 200])
    expect((await post('a')).json<{ wait: number }>().wait).toBeGreaterThan(0)
    for (let at = 0; at < 5; at++)
      expect((await server.inject({ method: 'GET', url: '/things', headers: { uid: 'a' } })).statusCode).toBe(200)
    await server.close()
  })
})
