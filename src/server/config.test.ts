import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig, type Environment } from './config.ts'
import { isWeakKey } from './key-strength.ts'

const folder = mkdtempSync(join(tmpdir(), 'meterbook-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

function config(environment: Environment = {}) {
  return readConfig({ DATA_DIR: folder, ...environment })
}

const LONG_KEY = 'k'.repeat(32)

describe('defaults', () => {
  test('without any setting it listens on loopback, with demo data, a 12-hour sign-in and 12-character passwords', () => {
    expect(config()).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      demoData: true,
      production: false,
      sessionIdleHours: 12,
      sessionMaxDays: 14,
      passwordMinLength: 12,
    })
    expect(config().databaseUrl).toBeUndefined()
  })

  test('in production there is no demo data, and the documentation of the API is closed unless it is opened', () => {
    expect(config({ NODE_ENV: 'production' })).toMatchObject({ demoData: false, docsPublic: false })
    expect(config({ NODE_ENV: 'production', DOCS_PUBLIC: 'true' }).docsPublic).toBe(true)
    expect(config().docsPublic).toBe(true)
    expect(config({ DEMO_DATA: 'false' }).demoData).toBe(false)
  })

  test('an empty variable counts as not set', () => {
    expect(config({ SMTP_URL: '', PORT: ' ' })).toMatchObject({ port: 3000, smtpUrl: undefined })
  })
})

describe('a wrong setting is one line that names it and what is expected', () => {
  test.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be an address like postgres://'],
    [{ PASSWORD_MIN_LENGTH: '7' }, 'PASSWORD_MIN_LENGTH must be a whole number from 8 to 128'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be development, test or production'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be debug, info, warn, error'],
    [{ PUBLIC_URL: 'example.com' }, 'PUBLIC_URL must be an address that begins with http'],
    [{ ADMIN_EMAIL: 'nobody' }, 'ADMIN_EMAIL must be an email address'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must be at least 32 characters'],
    [{ DEMO_DATA: 'perhaps' }, 'DEMO_DATA must be true or false'],
    [{ CLAMAV_ADDRESS: 'clamav' }, 'CLAMAV_ADDRESS must be host:port, or the path of a socket'],
    [{ CLAMAV_ADDRESS: 'clamav:0' }, 'CLAMAV_ADDRESS must be host:port, or the path of a socket'],
    [{ S3_BUCKET: 'b' }, 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY is not set'],
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT must differ from PORT'],
    [{ SECRET_KEY_FILE: '/nowhere/at/all' }, 'SECRET_KEY_FILE names /nowhere/at/all, which cannot be read'],
    [{ NODE_ENV: 'production', DATABASE_URL: 'postgres://db/x' }, 'SECRET_KEY (or SECRET_KEY_FILE) must be set'],
    [{ NODE_ENV: 'production', DEMO_DATA: 'true' }, 'DEMO_DATA must not be true in production'],
    [{ NODE_ENV: 'production', SECRET_KEY: 'a'.repeat(36) }, 'SECRET_KEY is too easily guessed for production: make one by `openssl rand'],
    [{ NODE_ENV: 'production', SECRET_KEY: 'changeme-changeme-changeme-changeme' }, 'SECRET_KEY is too easily guessed'],
    [{ NODE_ENV: 'production', SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz012345' }, 'SECRET_KEY is too easily guessed'],
    [{ NODE_ENV: 'production', SECRET_KEY: '12345678901234567890123456789012' }, 'SECRET_KEY is too easily guessed'],
  ])('%o', (environment, message) => {
    expect(() => config(environment)).toThrow(message)
    expect(() => config(environment)).toThrow(/^[^\n]+$/)
  })

  test('all wrong settings are told at once, and no value is repeated', () => {
    expect(() => config({ PORT: 'x', SECRET_KEY: 'hunter2' })).toThrow(/^PORT .*; SECRET_KEY .*\.env\.example\.$/)
    expect(() => config({ PORT: 'x', SECRET_KEY: 'hunter2' })).not.toThrow(/hunter2/)
  })
})

describe('secrets', () => {
  test('come from a file when the variable ends in _FILE, without its line end', () => {
    const file = join(folder, 'key')
    writeFileSync(file, `${LONG_KEY}\n`)
    expect(config({ SECRET_KEY_FILE: file }).secretKey).toBe(LONG_KEY)
    expect(() => config({ SECRET_KEY_FILE: file, SECRET_KEY: LONG_KEY })).toThrow('Both SECRET_KEY and SECRET_KEY_FILE are set')
  })

  test('a key of chance is never taken for one that is easily guessed', () => {
    for (const form of ['hex', 'base64', 'base64url'] as const)
      for (let round = 0; round < 2_000; round += 1) {
        const key = randomBytes(form === 'hex' ? 16 : 24).toString(form)
        if (isWeakKey(key)) throw new Error(`refused: ${key}`)
      }
    expect(config({ NODE_ENV: 'production', SECRET_KEY: randomBytes(48).toString('base64') }).production).toBe(true)
  })

  test('a missing signing key is made once, kept for its owner alone, and found again', () => {
    const made = config().secretKey
    expect(made.length).toBeGreaterThanOrEqual(32)
    expect(config().secretKey).toBe(made)
    expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600)
  })
})

test('the service for bill retrieval may only be called on its own host unless hosts are listed', () => {
  const service = { RETRIEVAL_HTTP_URL: 'https://bills.example.com/api', RETRIEVAL_HTTP_CLIENT_ID: 'a', RETRIEVAL_HTTP_CLIENT_SECRET: 'b' }
  expect(config(service).retrieval.http?.allowedHosts).toEqual(['bills.example.com'])
  expect(config({ ...service, RETRIEVAL_HTTP_ALLOWED_HOSTS: 'a.example, b.example' }).retrieval.http?.allowedHosts).toEqual([
    'a.example',
    'b.example',
  ])
})

test.each([
  ['clamav.internal:3310', { host: 'clamav.internal', port: 3310 }],
  ['[::1]:3310', { host: '::1', port: 3310 }],
  ['/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
])('the virus scanner is found at %s', (address, place) => {
  expect(config({ CLAMAV_ADDRESS: address }).scannerAddress).toEqual(place)
  expect(config().scannerAddress).toBeUndefined()
})

test('.env.example names every setting that is read, and no other', () => {
  const root = join(import.meta.dirname, '../..')
  const source = readFileSync(join(root, 'src/server/config-settings.ts'), 'utf8')
  const read = [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map((match) => match[1])
  const explained = [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1])
  expect(explained.toSorted()).toEqual(read.toSorted())
})
