import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { makeClient } from '../../../../test/support/estate.ts'
import { makePerson, startTestApp } from '../../../../test/support/app.ts'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { hashPassword } from '../../access/access.ts'
import { createLog } from '../log.ts'
import { Failure } from '../problem.ts'
import { noteRefusal } from './security-facts.ts'
import { tellOfSecurity } from './security-log.ts'
import { alikePerMinute, linesPerMinute } from './security-sampler.ts'

interface Line {
  readonly msg: string
  readonly event?: string
  readonly [field: string]: unknown
}
const lines: Line[] = []
const log = createLog({ human: false, write: (line) => lines.push(JSON.parse(line)) })
const { app, ask, database } = await startTestApp({ ACCESS_LOG: 'true' }, undefined, log)
const { db } = database
const told = (event: string) => lines.filter((line) => line.msg === 'security' && line.event === event)
beforeEach(() => void lines.splice(0))

test('a refused sign-in is one line: which address, from where, why; and no password, also where it was typed into the wrong field', async () => {
  await ask(null, 'POST', '/auth/sign_in', { email: 'thief@example.test', password: 'guess number one' })
  expect(told('sign_in_refused')).toEqual([
    expect.objectContaining({
      account: 'thief@example.test',
      ip: '127.0.0.1',
      status: 401,
      reason: 'signed_out',
      user_id: null,
      request_id: expect.any(String),
    }),
  ])
  await ask(null, 'POST', '/auth/sign_in', { email: 'correct horse battery', password: 'x' })
  expect(told('sign_in_refused')[1]).toMatchObject({ account: '[no address]' })
  expect(JSON.stringify(lines)).not.toMatch(/guess number one|correct horse/)
})

test('a sign-in that is let in, and credentials that prove nothing, are told', async () => {
  const who = await makePerson(db, 'read_only_user')
  await sql`update users set password_hash = ${await hashPassword('a password of their own')} where id = ${who.id}`.execute(db)
  expect((await ask(null, 'POST', '/auth/sign_in', { email: who.email, password: 'a password of their own' })).status).toBe(200)
  expect(told('sign_in')).toEqual([expect.objectContaining({ account: who.email, status: 200 })])
  await ask(null, 'GET', '/users/profile', undefined, { ...who.headers, 'access-token': 'stolen' })
  expect(told('credentials_refused')).toEqual([expect.objectContaining({ status: 401, route: '/api/v5/users/profile' })])
  await ask(null, 'GET', '/users/profile')
  expect(told('credentials_refused')).toHaveLength(1)
})

test('what somebody may not do is told with who they are, and never with what they sent', async () => {
  const reader = await makePerson(db, 'read_only_user', { clients: [await makeClient(db)] })
  await ask(reader, 'POST', '/vendors', { vendor: { name: 'A secret name' } })
  expect(told('denied')).toEqual([
    expect.objectContaining({ user_id: reader.id, status: 403, method: 'POST', route: '/api/v5/vendors', reason: 'forbidden' }),
  ])
  expect(JSON.stringify(lines)).not.toContain('A secret name')
})

test('an export and the use of a token are told, the use once a minute', async () => {
  const boss = await makePerson(db, 'super_admin')
  await ask(boss, 'GET', '/vendors/export_csv')
  expect(told('export')).toEqual([expect.objectContaining({ user_id: boss.id })])
  await sql`insert into api_tokens (user_id, name, token_hash, token_last4, expires_on) values (${boss.id}, 'T', sha256('mb_one'), 'xone', '2099-01-01')`.execute(
    db,
  )
  for (let use = 0; use < 3; use += 1)
    expect((await ask(null, 'GET', '/vendors', undefined, { authorization: 'Bearer mb_one' })).status).toBe(200)
  expect(told('api_key_used')).toEqual([expect.objectContaining({ user_id: boss.id, key_id: expect.any(Number) })])
})

test('each kind of change and read that an auditor asks for is told by its route; all others are not', async () => {
  const events = [
    ['GET', '/vendors/:id/bank_details', ['secret_read']],
    ['GET', '/vendor_bank_changes/:id/bank_details', ['secret_read']],
    ['PATCH', '/users/profile', ['credentials_changed']],
    ['PATCH', '/auth/password', ['credentials_changed']],
    ['DELETE', '/auth/sign_out', []],
    ['POST', '/users/profile/api_tokens', ['credentials_changed']],
    ['PATCH', '/users/:id', ['people_changed']],
    ['POST', '/users', ['people_changed']],
    ['POST', '/users/:user_id/user_roles', ['people_changed']],
    ['PUT', '/clients/:client_id/audit_settings', ['settings_changed']],
    ['PUT', '/settings/webhooks/:id', ['settings_changed']],
    ['GET', '/settings/webhooks', []],
    ['GET', '/tasks/:id/file', ['file_downloaded']],
    ['GET', '/generated_reports/:id/workbook', ['file_downloaded']],
    ['GET', '/global_batch_files/:id/download', ['payment_file_downloaded']],
    ['GET', '/clients/:client_id/bills/export_csv', ['export']],
    ['GET', '/clients/:client_id/export_profiles', []],
    ['POST', '/clients/:client_id/export_preview', []],
    ['POST', '/vendors', []],
    ['GET', '/vendors', []],
  ] as const
  const seen: Line[] = []
  const server = Fastify()
  tellOfSecurity(server, { log: createLog({ human: false, write: (line) => seen.push(JSON.parse(line)) }), everyRequest: false })
  for (const [method, url] of events) server.route({ method, url, handler: () => ({}) })
  for (const [method, url, expected] of events) {
    seen.splice(0)
    await server.inject({ method, url: url.replaceAll(/:\w+/g, '1') })
    expect(
      seen.map(({ event }) => event),
      `${method} ${url}`,
    ).toEqual(expected)
  }
  await server.close()
})

/** What a call changes, by the first part of its name. A call of a new kind fails here until somebody has decided what it is. */
const changes: Readonly<Record<string, readonly string[]>> = {
  settings_changed: [
    'audit_settings',
    'payment_settings',
    'ledger_settings',
    'export_profiles',
    'originating_profiles',
    'profile_layouts',
    'global_batch_bank_value',
    'cost_parameters',
    'weather_stations',
    'degree_days',
    'facility_types',
    'payment_methods',
    'production_units',
    'units',
    'webhooks',
    'webhook_deliveries',
  ],
  credentials_changed: ['api_tokens'],
  people_changed: ['user_roles'],
  // Calls of several kinds: each is named below.
  several: ['auth', 'users', 'clients'],
  none: [
    'accounting_batches',
    'bank_returns',
    'bank_statement_lines',
    'bank_statements',
    'budgets',
    'bank_statement_lines',
    'bank_statements',
    'bill_documents',
    'bill_findings',
    'bill_retrieval',
    'bill_scans',
    'billable_accounts',
    'bills',
    'bulk_changes',
    'channel_partners',
    'client_vendor_numbers',
    'divisions',
    'documents',
    'export_releases',
    'facilities',
    'generated_reports',
    'global_batch_files',
    'global_batches',
    'group_accounts',
    'group_supply_accounts',
    'imports',
    'issued_checks',
    'ledger_accounts',
    'ledger_fields',
    'list_layouts',
    'mails',
    'notifications',
    'payment_batches',
    'positive_pay',
    'remittance_advices',
    'report_schedules',
    'saved_views',
    'services',
    'site_surveys',
    'supply_account_services',
    'supply_accounts',
    'tasks',
    'uploads',
    'utility_services',
    'vendor_bank_changes',
    'vendor_payments',
    'vendors',
  ],
}
const changesOfCalls: Readonly<Record<string, string>> = {
  'webhooks.renew_secret': 'credentials_changed',
  'clients.subscriptions': 'settings_changed',
  'clients.subscriptions_post': 'settings_changed',
  'auth.request_password': 'credentials_changed',
  'auth.set_password': 'credentials_changed',
  'users.update_profile': 'credentials_changed',
  'users.create': 'people_changed',
  'users.update': 'people_changed',
  'users.destroy': 'people_changed',
}

test('every call that writes is classed, and each that writes settings is told as a change of settings', async () => {
  const writes = calls.filter(({ effect, method }) => effect === 'write' && method !== 'GET')
  const tries = calls.filter(({ path, method }) => path.endsWith('/try') && method === 'POST')
  for (const { name, method, path } of [...writes, ...tries]) {
    const kind = Object.keys(changes).find((one) => changes[one]?.includes(name.split('.')[0] ?? ''))
    expect(kind, `${name} is not classed`).toBeDefined()
    const isTry = tries.some((one) => one.name === name)
    const expected = changesOfCalls[name] ?? (isTry || kind === 'several' ? 'none' : kind)
    expect([name, ...(await changesTold(method, path))]).toEqual([name, ...(expected === 'none' ? [] : [expected])])
  }
})

/** Each call has a server of its own, because many events of one visitor are counted and no longer told. */
async function changesTold(method: Call['method'], path: string): Promise<string[]> {
  const seen: Line[] = []
  const server = Fastify()
  tellOfSecurity(server, { log: createLog({ human: false, write: (line) => seen.push(JSON.parse(line)) }), everyRequest: false })
  server.route({ method, url: path, handler: () => ({}) })
  await server.inject({ method, url: path.replaceAll(/:\w+/g, '1') })
  await server.close()
  return seen.map(({ event }) => String(event)).filter((event) => event.endsWith('_changed'))
}

test('with ACCESS_LOG each request of the API is a line with its id, person, route and duration', async () => {
  const boss = await makePerson(db, 'super_admin')
  const answer = await ask(boss, 'GET', '/vendors?q[name_cont]=secret')
  expect(lines.filter(({ msg }) => msg === 'request')).toEqual([
    expect.objectContaining({
      request_id: answer.headers['x-request-id'],
      user_id: boss.id,
      route: '/api/v5/vendors',
      status: 200,
      duration_ms: expect.any(Number),
    }),
  ])
  expect(JSON.stringify(lines)).not.toContain('name_cont')
  await app.server.inject('/livez')
  expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(1)
})

test('a flood is told a few times a minute and then counted', async () => {
  const flood: Line[] = []
  let at = 0
  const server = Fastify({ trustProxy: true })
  afterAll(() => server.close())
  const flush = tellOfSecurity(server, {
    log: createLog({ human: false, write: (line) => flood.push(JSON.parse(line)) }),
    everyRequest: false,
    clock: () => at,
  })
  server.setErrorHandler((error, request, reply) => {
    noteRefusal(request, error instanceof Failure ? error.code : 'unknown')
    return reply.code(403).send({})
  })
  server.get('/denied', () => {
    throw new Failure('forbidden', 'No.')
  })
  const from = async (ip: string) => server.inject({ url: '/denied', headers: { 'x-forwarded-for': ip } })
  for (let one = 0; one < alikePerMinute + 25; one += 1) await from('192.0.2.1')
  expect(flood).toHaveLength(alikePerMinute)
  // Many networks at once are bounded together.
  for (let one = 0; one < linesPerMinute; one += 1) await from(`10.${one >> 8}.${one & 255}.1`)
  expect(flood).toHaveLength(linesPerMinute)
  at = 60_000
  await from('192.0.2.1')
  expect(flood.slice(linesPerMinute)).toEqual([
    expect.objectContaining({ level: 'warn', msg: 'security events were left out', events: { denied: 25 + alikePerMinute } }),
    expect.objectContaining({ msg: 'security', event: 'denied' }),
  ])
  flush()
  expect(flood).toHaveLength(linesPerMinute + 2)
})
