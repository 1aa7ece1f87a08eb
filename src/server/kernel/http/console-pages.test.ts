import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { addressesFile, serveConsole } from './console-pages.ts'

const folder = await mkdtemp(join(tmpdir(), 'meterbook-console-'))
await mkdir(join(folder, 'assets'))
await writeFile(join(folder, 'index.html'), '<p>the console</p>')
await writeFile(join(folder, 'login.html'), '<p>sign in</p>')
await writeFile(join(folder, addressesFile), JSON.stringify(['/', '/vendors', '/clients/:client_id/bills']))
const server = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
await serveConsole(server, { folder, signInPaths: ['/login'], storeOrigin: 'https://bills.s3.example.com' })
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})
const asked = async (url: string, accept = 'text/html,*/*') => {
  const { statusCode, body } = await server.inject({ url, headers: { accept } })
  return [statusCode, body.includes('the console') ? 'console' : body.includes('sign in') ? 'sign in' : 'none']
}

test.each(['/', '/vendors', '/vendors/', '/vendors?q=1', '/clients/7/bills'])('%s is a page of the console', async (url) => {
  expect(await asked(url)).toEqual([200, 'console'])
  expect(await asked(url, '*/*')).toEqual([200, 'console'])
})

test('the sign-in page has its own addresses', async () => {
  expect(await asked('/login?next=/vendors')).toEqual([200, 'sign in'])
})

test.each([
  '/.git/HEAD',
  '/.env.example',
  '/.env',
  '/vendors/.git/config',
  '/%2egit/HEAD',
  '/api/v5/nothing',
  '/metrics',
  '/backup.tar.gz',
  '/clients/../vendors.bak',
])('%s is not there, whoever asks', async (url) => {
  expect(await asked(url)).toEqual([404, 'none'])
})

test('an address that is none of the console’s is not there; to a browser the console says so itself', async () => {
  for (const url of ['/admin', '/vendors/x/y', '/clients', '/wp-login', '/clients/7/bills/more']) {
    expect(await asked(url, '*/*'), url).toEqual([404, 'none'])
    expect(await asked(url), url).toEqual([404, 'console'])
  }
})

test('the policy of a page of the console names the store that takes uploads, as a place to send to alone; that of the sign-in page does not', async () => {
  const policyOf = async (url: string) => {
    const { headers } = await server.inject({ url, headers: { accept: 'text/html' } })
    return String(headers['content-security-policy']).split('; ')
  }
  expect((await policyOf('/vendors')).filter((rule) => rule.includes('s3.example.com'))).toEqual([
    "connect-src 'self' https://bills.s3.example.com",
  ])
  expect(await policyOf('/login')).toContain("connect-src 'self'")
})

test('every page states its type and a policy: nothing by default, scripts of this server alone, no base, no frame, and a nonce of its own each time', async () => {
  const policies = await Promise.all(
    ['/', '/vendors', '/nothing', '/login'].map(async (url) => {
      const { headers } = await server.inject({ url, headers: { accept: 'text/html' } })
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' })
      return String(headers['content-security-policy'])
    }),
  )
  for (const policy of policies)
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      expect.stringMatching(/^style-src 'self' 'nonce-[\w+/]{22}=='$/),
      "style-src-attr 'none'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      expect.stringMatching(/^connect-src 'self'/),
      "worker-src 'self' blob:",
      "frame-src 'self' blob:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
  expect(new Set(policies).size).toBe(policies.length)
})
