/**
 * Secrets and data that move money are stored where they are needed and nowhere else: known values are set, every call of the product is
 * made once, and none of them may be in a log line, a database row or a file. The one exception is the mail that delivers a link.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { calls } from '#contract/calls.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { createLog } from '../src/server/kernel/log.ts'
import { makePeople, makeStrangers } from './every-call/principals.ts'
import { readTable } from './every-call/rows.ts'
import { workIsOver } from './every-call/trace.ts'
import { askOnce } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { makePerson, startTestApp, type Answer, type Method, type Person } from './support/app.ts'
import { exportedText } from './support/exports.ts'
import { importsOf } from './support/import-files.ts'
import { linkIn, mailTo } from './support/mails.ts'
import { codeNow } from './support/second-factor.ts'

const lines: string[] = []
const app = await startTestApp({}, undefined, createLog({ level: 'debug', human: false, write: (line) => lines.push(line) }))
const { db } = app.database
/** Secrets by their kind. */
const secrets: Record<string, string> = {
  password: 'Canary of the first 81 words',
  'mistyped password': 'Canary of the wrong 82 words',
  'next password': 'Canary of the later 83 words',
  'routing number': '021000089',
  'accounting number': '883377229911',
  'routing number that waits': '011401533',
  'accounting number that waits': '772266881100',
  'routing number of a file': '121000248',
  'accounting number of a file': '669944220011',
}
let staff: Person
let vendorId: number

async function done(who: Person | null, method: Method, path: string, body?: object, headers?: Record<string, string>): Promise<Answer> {
  const answer = await app.ask(who, method, path, body, headers)
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(400)
  return answer
}

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  await setUpAccount()
  await setUpProgram()
  const vendor = {
    name: 'Canary Power',
    short_code: 'CNRY',
    po_box: secrets['routing number'],
    payment_identifier: secrets['accounting number'],
  }
  const made = await done(staff, 'POST', '/vendors', { vendor }, { 'idempotency-key': 'a-vendor-once' })
  vendorId = Number(made.body['id'])
  await moveMoney()
  await everyCallOnce()
  for (const path of ['/vendors', '/vendor_bank_changes', '/users', '/audit_log']) {
    const { body } = await done(staff, 'GET', `${path}/export_csv`)
    secretsIn(await exportedText(app, staff, body['task_id']), `the export of ${path}`)
  }
}, 240_000)

/** The first numbers take effect by a second user's approval, others wait as changes, and further ones come by a file. */
async function moveMoney(): Promise<void> {
  const second = await makePerson(db, 'muc_admin')
  const waiting = async () =>
    (await sql<{ id: number }>`select id from vendor_bank_changes where state = 'waiting' order by id desc limit 1`.execute(db)).rows[0]
      ?.id ?? 0
  await done(second, 'POST', `/vendor_bank_changes/${await waiting()}/approve`)
  const refused = { po_box: secrets['routing number that waits'], payment_identifier: secrets['accounting number that waits'] }
  await done(staff, 'PATCH', `/vendors/${vendorId}`, { vendor: refused })
  await done(second, 'POST', `/vendor_bank_changes/${await waiting()}/refuse`, { reason: 'Unknown' })
  await done(staff, 'PATCH', `/vendors/${vendorId}`, { vendor: refused })
  const file = `short_code,name,po_box,payment_identifier\nCNRF,Canary of a file,${secrets['routing number of a file']},${secrets['accounting number of a file']}\n`
  expect((await importsOf(app).send(staff, '/vendors/import', file)).counts).toMatchObject({ create: 1 })
}

/** Sets up an account with two mailed links: one confirms it, the other sets its password. */
async function setUpAccount(): Promise<void> {
  const email = 'canary@example.test'
  const { password = '' } = secrets
  await done(staff, 'POST', '/users', { user: { email, username: 'canary', status: 'active' } })
  const first = await mailTo(db, email)
  const confirm = linkIn(first)
  secrets['mailed confirmation'] = tokenOf(confirm)
  await done(null, 'GET', `${confirm.pathname.replace('/api/v5', '')}${confirm.search}`)
  await done(null, 'POST', '/auth/password', { email, redirect_url: '/reset_password' })
  const link = linkIn(await mailTo(db, email, first.id)).searchParams
  secrets['mailed link'] = link.get('access-token') ?? ''
  await done(null, 'PUT', '/auth/password', { password, password_confirmation: password }, Object.fromEntries(link))
  expect((await app.ask(null, 'POST', '/auth/sign_in', { email, password: secrets['mistyped password'] })).status).toBe(401)
  const { headers } = await done(null, 'POST', '/auth/sign_in', { email, password })
  secrets['sign-in token'] = String(headers['access-token'])
  secrets['device mark'] = String(headers['device-mark'])
  const who: Person = {
    id: 0,
    email,
    headers: { 'access-token': String(headers['access-token']), client: String(headers['client']), uid: String(headers['uid']) },
  }
  const begun = await done(who, 'POST', '/users/profile/second_factor')
  secrets['second factor'] = String(begun.body['secret'])
  const confirmed = await done(who, 'POST', '/users/profile/second_factor/confirmation', { code: codeNow(secrets['second factor']) })
  const [code = '', unused = ''] = z.object({ recovery_codes: z.array(z.string()) }).parse(confirmed.body).recovery_codes
  secrets['recovery code'] = code
  secrets['unused recovery code'] = unused
  secrets['recovery code without its groups'] = code.replaceAll('-', '').toUpperCase()
  const challenge = await challengeOf(email, password)
  secrets['challenge of a sign-in'] = challenge
  await done(null, 'POST', '/auth/sign_in/second_factor', { challenge, code })
  const next = secrets['next password'] ?? ''
  await done(who, 'PATCH', '/users/profile', { user: { password: next, password_confirmation: next } })
}

async function challengeOf(email: string, password: string): Promise<string> {
  const { body } = await done(null, 'POST', '/auth/sign_in', { email, password })
  return z.object({ second_factor: z.object({ challenge: z.string() }) }).parse(body).second_factor.challenge
}

/** A program with a token of its own, and an external one that receives all webhooks. */
async function setUpProgram(): Promise<void> {
  const expires_on = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const token = await done(
    staff,
    'POST',
    '/users/profile/api_tokens',
    { api_token: { name: 'Canary', access: 'write', expires_on } },
    { 'idempotency-key': 'a-token-once' },
  )
  secrets['API token'] = String(token.body['token'])
  await done({ id: 0, email: '', headers: { authorization: `Bearer ${secrets['API token']}` } }, 'GET', '/vendors')
  const hook = { name: 'Canary', url: 'https://hooks.invalid/canary', all_events: true, active: true }
  const made = await done(staff, 'POST', '/settings/webhooks', { webhook: hook }, { 'idempotency-key': 'a-hook-once' })
  secrets['webhook secret'] = String(made.body['secret']).replace('whsec_', '')
}

/** Makes each call as the provider's administrator, in the form of the table of every call. */
async function everyCallOnce(): Promise<void> {
  setProviders(app.app.machinery, [quietProvider])
  const world = await makeWorld(db)
  const walk = {
    app: app.app,
    world,
    people: await makePeople(world),
    strangers: await makeStrangers(db, app.app),
    address: await app.listen(),
  }
  const known = new Map(calls.map((call) => [call.name, call]))
  let asked = 0
  for (const row of readTable()) {
    const call = known.get(row.callName)
    if (call && (await askOnce(walk, row, call))) asked++
  }
  expect(asked).toBeGreaterThan(200)
  await workIsOver(db, sql`true`)
}

function tokenOf(link: URL): string {
  return link.searchParams.get('access-token') ?? ''
}

/** Returns the secrets that a text contains, unchanged or URL-encoded. */
function found(text: string): string[] {
  return Object.entries(secrets).flatMap(([name, value]) =>
    [value, encodeURIComponent(value), Buffer.from(value).toString('base64')].some((form) => text.includes(form)) ? [name] : [],
  )
}

function secretsIn(text: string, where: string): void {
  expect(found(text), where).toEqual([])
}

test('each of them was made, and is found where it stands', () => {
  for (const [name, value] of Object.entries(secrets)) {
    expect(value.length, name).toBeGreaterThan(8)
    expect(found(`a line with ${value} in it`)).toContain(name)
  }
  expect(Object.keys(secrets)).toHaveLength(20)
})

test('no line of the log holds one, down to the finest level and where the database refuses what they came with', async () => {
  const { password, 'next password': next = '' } = secrets
  const challenge = await challengeOf('canary@example.test', next)
  const both = { password, password_confirmation: password }
  const vendor = { name: 'Broken', short_code: 'BRKN', po_box: secrets['routing number'], payment_identifier: secrets['accounting number'] }
  const faults: readonly (readonly [table: string, who: Person | null, path: string, body: object])[] = [
    ['vendors', staff, '/vendors', { vendor }],
    ['vendor_bank_changes', staff, '/vendors', { vendor: { ...vendor, short_code: 'BRKM' } }],
    ['users', staff, '/users', { user: { email: 'broken@example.test', username: 'broken', ...both } }],
    ['sessions', null, '/auth/sign_in/second_factor', { challenge, code: secrets['unused recovery code'] }],
  ]
  // The refusal contains the whole row, and the log prints the refusal.
  await sql`create function broken() returns trigger language plpgsql as 'begin raise exception ''broken %'', new using detail = new::text; end'`.execute(
    db,
  )
  for (const [table, who, path, body] of faults) {
    await sql`create trigger broken before insert on ${sql.table(table)} for each row execute function broken()`.execute(db)
    expect((await app.ask(who, 'POST', path, body)).status, path).toBe(500)
    await sql`drop trigger broken on ${sql.table(table)}`.execute(db)
  }
  expect(lines.filter((line) => line.includes('request failed'))).toHaveLength(faults.length)
  expect(lines.join('')).toContain('Broken')
  secretsIn(lines.join(''), 'the log')
})

test('no row of the database holds one but the mail of a link: not the trail, no notice, no task, no job, no remembered answer', async () => {
  const { rows: tables } = await sql<{ schema: string; name: string }>`select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2`.execute(db)
  const holders: string[] = []
  const filled: string[] = []
  let rowCount = 0
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ text: string }>`select kept::text as text from ${sql.id(schema, name)} kept`.execute(db)
    rowCount += rows.length
    if (rows.length > 0) filled.push(name)
    const held = found(rows.map(({ text }) => text).join('\n'))
    if (held.length > 0) holders.push(`${schema}.${name}: ${held.join(', ')}`)
  }
  expect(rowCount).toBeGreaterThan(500)
  expect(filled).toEqual(
    expect.arrayContaining([
      'audit_records',
      'notifications',
      'tasks',
      'mails',
      'vendors',
      'vendor_bank_changes',
      'import_rows',
      'webhooks',
      'webhook_deliveries',
      'api_tokens',
    ]),
  )
  expect(holders).toEqual(['public.mails: mailed confirmation, mailed link'])
})

test('no answer holds a number of a bank but the one that shows it, which says so in the trail; and no refusal repeats it', async () => {
  const { body } = await done(staff, 'GET', '/vendor_bank_changes?per=1000&q[state_eq]=waiting')
  const changes = Array.isArray(body['vendor_bank_changes']) ? body['vendor_bank_changes'].map(({ id }) => Number(id)) : []
  for (const path of [
    '/vendors?per=1000',
    `/vendors/${vendorId}`,
    `/vendors/${vendorId}/bank_changes`,
    '/vendors/select_options',
    '/vendor_bank_changes?per=1000',
    ...changes.map((id) => `/vendor_bank_changes/${id}`),
    ...changes.map((id) => `/history/vendor_bank_change/${id}`),
    `/history/vendor/${vendorId}`,
    '/audit_log?per=1000&item_type=vendor_bank_change',
    '/imports?per=1000',
    '/notifications?per=100',
    '/mails?per=1000',
  ]) {
    const { status, text } = await app.ask(staff, 'GET', path)
    expect(status, `${path}: ${text}`).toBe(200)
    secretsIn(text, path)
  }
  const long = { payment_identifier: `${secrets['accounting number'] ?? ''}${'9'.repeat(60)}` }
  const refusal = await app.ask(staff, 'PATCH', `/vendors/${vendorId}`, { vendor: long })
  expect(refusal.status).toBe(422)
  secretsIn(refusal.text, 'a refusal')
  const shown = await done(staff, 'GET', `/vendors/${vendorId}/bank_details`)
  expect(found(shown.text)).toEqual(['routing number', 'accounting number'])
  const waiting = await Promise.all(changes.map((id) => app.ask(staff, 'GET', `/vendor_bank_changes/${id}/bank_details`)))
  expect(waiting.flatMap(({ text }) => found(text)).toSorted()).toEqual([
    'accounting number of a file',
    'accounting number that waits',
    'routing number of a file',
    'routing number that waits',
  ])
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from audit_records where event = 'access' and item_type in ('vendor', 'vendor_bank_change')
    and user_id = ${staff.id}`.execute(db)
  expect(rows[0]?.count).toBe(1 + changes.length)
  // The trail of showing a secret contains none either.
  const trail = await sql<{ text: string }>`select string_agg(audit_records::text, ' ') as text from audit_records`.execute(db)
  secretsIn(trail.rows[0]?.text ?? '', 'the trail')
})

test('no file holds one: no export, no report, no upload', async () => {
  const entries = await readdir(app.dataFolder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  expect(files.length).toBeGreaterThan(10)
  // A mail that is written to a folder is the mail itself.
  for (const file of files.filter((path) => !path.includes('outbox'))) secretsIn(await readFile(file, 'latin1'), file)
})
