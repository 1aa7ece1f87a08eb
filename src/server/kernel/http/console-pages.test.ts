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
await serveConsole(server, { folder, signInPaths: ['/login'] })
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
