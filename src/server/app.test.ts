import { createServer } from 'node:http'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { permissionsOf } from '#contract/kernel/permission.ts'
import { makePerson, startTestApp } from '../../test/support/app.ts'

const metricsPort = await freePort()
const withToken = await startTestApp({ METRICS_TOKEN: 'a token for figures' })
const withPort = await startTestApp({ METRICS_PORT: String(metricsPort) })
const { app, ask, database } = withToken

describe('the application', () => {
  it('is alive and ready', async () => {
    expect((await app.server.inject('/livez')).json()).toEqual({ status: 'ok' })
    const ready = await app.server.inject('/readyz')
    expect(ready.statusCode, ready.body).toBe(200)
  })

  it('gives its figures to whoever has the token', async () => {
    expect((await app.server.inject('/metrics')).statusCode).toBe(401)
    expect((await app.server.inject({ url: '/metrics', headers: { authorization: 'Bearer wrong' } })).statusCode).toBe(401)
    const figures = await app.server.inject({ url: '/metrics', headers: { authorization: 'Bearer a token for figures' } })
    expect(figures.body).toContain('http_server_request_duration_seconds')
  })

  it('gives them on a port of their own, and then nowhere else', async () => {
    const figures = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    expect(await figures.text()).toContain('database_up')
    expect((await withPort.app.server.inject('/metrics')).statusCode).toBe(404)
  })

  it('describes every call in OpenAPI 3.1 and on a page without scripts, both from the contract', async () => {
    const document = (await app.server.inject('/api/v5/openapi.json')).json<{
      openapi: string
      paths: Record<string, Record<string, { operationId: string; description: string }>>
    }>()
    expect(document.openapi).toBe('3.1.0')
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(operations.map((operation) => operation.operationId).toSorted()).toEqual(calls.map((call) => call.name).toSorted())
    for (const call of calls)
      for (const permission of permissionsOf(call.may))
        expect(operations.find((one) => one.operationId === call.name)?.description).toContain(permission)
    const page = await app.server.inject('/api/v5/docs')
    expect(page.body).not.toContain('<script')
    for (const call of calls) expect(page.body).toContain(`/api/v5${call.path}`)
  })

  it('has names that are unique and paths that no two calls share', () => {
    expect(new Set(calls.map((call) => call.name)).size).toBe(calls.length)
    expect(new Set(calls.map((call) => `${call.method} ${call.path}`)).size).toBe(calls.length)
  })

  it('answers JSON unless noted, with the headers that keep a browser from guessing [AUTH-API-003]', async () => {
    const answer = await ask(await makePerson(database.db, 'super_admin'), 'GET', '/users/profile')
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(String(answer.headers['content-security-policy'])).toContain("default-src 'none'")
    expect(answer.headers['x-request-id']).toBeTruthy()
  })

  it('refuses in one shape, whatever was asked', async () => {
    for (const [method, url, status] of [
      ['GET', '/api/v5/nothing', 404],
      ['GET', '/api/v5/users/profile', 401],
      ['POST', '/api/v5/auth/sign_in', 422],
    ] as const) {
      const answer = await app.server.inject({ method, url, ...(method === 'POST' ? { payload: {} } : {}) })
      expect(answer.statusCode).toBe(status)
      expect(answer.json()).toMatchObject({
        success: false,
        errors: { full_messages: expect.arrayContaining([expect.any(String)]) },
        request_id: expect.any(String),
      })
    }
    const unreadable = await app.server.inject({
      method: 'POST',
      url: '/api/v5/auth/sign_in',
      headers: { 'content-type': 'application/json' },
      payload: '{"email":',
    })
    expect(unreadable.statusCode).toBe(400)
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
