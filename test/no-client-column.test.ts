/**
 * Tables without a client column: each is named here with the users who change its rows, and every call that writes one is asked by twenty
 * people, those of one client and those of a part of it among them. What belongs to nobody needs a reach over every client, what concerns a
 * whole client needs the whole client.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiTokenPrefix } from '#contract/access/api-token.ts'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { modelsOfNoClient, partsOf, permissionsOf } from '#contract/kernel/permission.ts'
import { hashOf } from '../src/server/access/credentials.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { makePeople, makeStrangers } from './every-call/principals.ts'
import { readTable, type Row } from './every-call/rows.ts'
import { workIsOver } from './every-call/trace.ts'
import { askOnce, type Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { makePerson, startTestApp, type Person } from './support/app.ts'

const started = await startTestApp()
const { db } = started.database
let walk: Walk
const people = new Map<string, Person>()
const printed: string[] = []

/** Why a table without a client needs no row of calls: it is one person's, the program's own, or follows another table. */
const person = 'a person’s own: every statement names the person who asks'
const program = 'the program’s own: no call names its rows'
const held = 'held by src/server/bank-statements/bank-statements.test.ts: for who reaches all payers of the account'
const child = (parent: string): string => `rows of ${parent}, written with it`
const tables: Readonly<Record<string, string>> = {
  // Reference data and settings.
  vendors: 'calls',
  vendor_aliases: child('vendors'),
  vendor_payment_methods: child('vendors'),
  vendor_bank_changes: 'calls',
  utility_services: 'calls',
  usage_units: child('utility_services'),
  usage_factors: child('utility_services'),
  entry_fields: program,
  emission_factors: program,
  facility_types: 'calls',
  units: 'calls',
  production_units: 'calls',
  cost_parameters: 'calls',
  weather_stations: 'calls',
  degree_days: 'calls',
  payment_methods: 'calls',
  channel_partners: 'calls',
  installation_settings: 'calls',
  mails: 'calls',
  clients: 'calls',
  // The provider's desk.
  global_batch_bank_values: 'calls',
  global_batch_files: 'written for batches that all lie in reach, or for a bank profile in reach (src/server/global-batches)',
  bank_return_files: 'held by src/server/bank-returns/bank-returns.test.ts: for who reaches all payers of the file',
  bank_returns: 'held by src/server/bank-returns/bank-returns.test.ts: for who reaches all payers of the file',
  bank_accounts: held,
  bank_statement_files: held,
  bank_statements: held,
  bank_statement_lines: held,
  bank_clearings: held,
  export_releases: 'held by src/server/global-batches/export-releases.test.ts: for who reaches all payers of the export',
  export_day_totals: program,
  issued_checks: 'held by src/server/issued-checks/issued-checks.test.ts: for who reaches the payers of the checks',
  payment_file_counters: program,
  payment_trace_counters: program,
  // People: who changes whom is held by src/server/users/user-reach.test.ts.
  users: 'held by the tests of users: all roles of a person lie within the reach',
  user_roles: 'held by the tests of users: all roles of a person lie within the reach',
  user_identities: person,
  former_emails: program,
  user_ties: program,
  saved_views: 'held by src/server/list-layouts/list-layouts.test.ts: shared with a client, a partner or the staff',
  list_layouts: person,
  notifications: person,
  known_devices: person,
  sessions: person,
  api_tokens: `${person}; those of everybody are listed and revoked by calls below`,
  one_time_links: person,
  second_factors: person,
  passkeys: person,
  recovery_codes: person,
  second_factor_deadlines: program,
  idempotency_keys: person,
  // The rows of an imported file are read through the import, which has a client.
  import_rows: child('imports'),
  import_outcomes: child('imports'),
  import_part_outcomes: child('imports'),
  // Files are read through the record that holds them.
  files: 'read through the record that holds them, and by signed addresses',
  bill_layouts: 'where numbers stand on a vendor’s paper; taught by work on bills, read by no call',
  bill_layout_rules: child('bill_layouts'),
  webhook_attempts: child('webhook_deliveries'),
  webhook_feed: program,
  audit_anchors: program,
  reports: program,
  roles: program,
  oidc_attempts: program,
  password_requests: program,
  retired_tokens: program,
  sign_in_failures: program,
  sign_in_windows: program,
}

const everyClient = ['super', 'muc'] as const
/** Settings and utility services are deleted, and partners are, by super_admins alone (the matrix). */
const superOnly = ['super'] as const
const wholeClient = [
  'super',
  'muc',
  'super of client',
  'muc of client',
  'muc of two',
  'partner',
  'token of super for client',
  'token of partner for client',
] as const
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'utility_services.destroy': superOnly,
  'facility_types.destroy': superOnly,
  'units.destroy': superOnly,
  'production_units.destroy': superOnly,
  'cost_parameters.destroy': superOnly,
  'weather_stations.destroy': superOnly,
  'degree_days.destroy': superOnly,
  'payment_methods.destroy': superOnly,
  'channel_partners.destroy': superOnly,
  'channel_partners.update': ['super', 'muc', 'partner'],
  // A new client lies in reach of who reaches all, or all of its partner.
  'clients.create': ['super', 'muc', 'partner', 'foreign partner'],
  'clients.import': ['super', 'muc', 'partner', 'foreign partner'],
  'clients.update': wholeClient,
  'clients.subscriptions': wholeClient,
  'clients.subscriptions_post': wholeClient,
  'audit_settings.save_of_client': wholeClient,
}
const further = new Set([...Object.keys(exceptions), 'global_batch_bank_value.update', 'global_batch_bank_value.lock'])
/** Reads that are as much as a change: everybody's mails, full bank numbers, what waits for a second person. */
const guarded = /^(mails|vendor_bank_changes)\.|\.bank_details$/

const known = new Map(calls.map((call) => [call.name, call]))
const asked = readTable().flatMap((row) => {
  const call = known.get(row.callName)
  return call && isAsked(call) && row.name === row.callName ? [{ ...row, call }] : []
})

function isAsked({ name, may, effect }: Call): boolean {
  if (further.has(name) || guarded.test(name)) return true
  const changes = permissionsOf(may).some((permission) => {
    const { model, action } = partsOf(permission)
    return modelsOfNoClient.includes(model) && action !== 'read'
  })
  return changes && effect === 'write'
}

beforeAll(async () => {
  setProviders(started.app.machinery, [quietProvider])
  const world = await makeWorld(db)
  const made = await makePeople(world)
  walk = { app: started.app, world, people: made, strangers: await makeStrangers(db, started.app), address: await started.listen() }
  const { own, foreign } = world.places
  const clients = [own.clientId]
  const division = [[own.clientId, own.divisionId]] as const
  const facility = [[own.clientId, own.facilityId]] as const
  const { rows } = await sql<{ id: number }>`insert into channel_partners (name) values ('Somebody Else') returning id`.execute(db)
  const partner = { channel_partner_id: world.partnerId }
  const entries: readonly (readonly [string, Person])[] = [
    ...Object.entries(made),
    ['super of client', await makePerson(db, 'super_admin', { clients })],
    ['muc of client', await makePerson(db, 'muc_admin', { clients })],
    ['muc of two', await makePerson(db, 'muc_admin', { clients: [own.clientId, foreign.clientId] })],
    ['muc of division', await makePerson(db, 'muc_admin', { clients, division })],
    ['muc of division alone', await makePerson(db, 'muc_admin', { division })],
    ['muc of facility', await makePerson(db, 'muc_admin', { facility })],
    ['muc of account', await makePerson(db, 'muc_admin', { billable_account: [[own.clientId, own.accountId]] })],
    ['muc of supply', await makePerson(db, 'muc_admin', { supply_account: [[own.clientId, own.supplyAccountId]] })],
    ['partner of division', await makePerson(db, 'channel_partner_admin', { ...partner, division })],
    ['partner of facility', await makePerson(db, 'channel_partner_admin', { ...partner, facility })],
    ['foreign partner', await makePerson(db, 'channel_partner_admin', { channel_partner_id: rows[0]?.id ?? 0 })],
    ['reader of account', await makePerson(db, 'read_only_user', { clients, billable_account: [[own.clientId, own.accountId]] })],
    ['token of super for client', await tokenOf(made.super, own.clientId)],
    ['token of partner for client', await tokenOf(made.partner, own.clientId)],
  ]
  for (const [name, who] of entries) people.set(name, who)
})
afterAll(() => console.log(`no-client-column: ${people.size} people x ${asked.length} calls; who is let in:\n${printed.join('\n')}`))

/** A token that writes, narrowed to one client. */
async function tokenOf({ id, email }: Person, clientId: number): Promise<Person> {
  const token = `${apiTokenPrefix}${randomBytes(32).toString('base64url')}`
  await sql`insert into api_tokens (user_id, name, access, client_ids, token_hash, token_last4, expires_on)
    values (${id}, 'Narrow', 'write', ${[clientId]}::bigint[], ${hashOf(token)}, ${token.slice(-4)}, current_date + 30)`.execute(db)
  return { id, email, headers: { authorization: `Bearer ${token}` } }
}

describe('what has no client column [PERM-RULE-006] [PERM-RULE-007]', () => {
  test('each cell is tried by at least eighteen people, narrowed ones among them', () => {
    expect(people.size).toBeGreaterThanOrEqual(18)
    expect([...people.keys()].filter((name) => name.startsWith('muc of ') || name.startsWith('partner of ')).length).toBeGreaterThan(5)
  })

  test('every table without one is named, with who changes its rows', async () => {
    const { rows } = await sql<{
      name: string
    }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'client_id' and not attisdropped)`.execute(db)
    const kept = rows.map(({ name }) => name).filter((name) => !/^(schema_)?migrations$|^raised_versions$/.test(name))
    expect(kept.toSorted()).toEqual(Object.keys(tables).toSorted())
  })

  test.for(asked)('$name', async (row: Row & { call: Call }) => {
    const allowed: string[] = []
    const odd: string[] = []
    await workIsOver(db, sql`true`)
    for (const [name, who] of people) {
      await sql`delete from global_batch_bank_values`.execute(db)
      const answer = await askOnce({ ...walk, people: { ...walk.people, super: who } }, row, row.call)
      const status = answer?.status ?? 0
      if (status === 403 || status === 404) continue
      allowed.push(name)
      if (status >= 500 || status === 401 || status === 0) odd.push(`${name}: ${status} ${answer?.text.slice(0, 200)}`)
    }
    printed.push(`  ${row.name.padEnd(40)} ${allowed.join(', ')}`)
    expect(odd).toEqual([])
    expect(allowed.toSorted()).toEqual([...(exceptions[row.name] ?? everyClient)].toSorted())
  })

  test('a webhook of a client is made by who reaches all of it, and one of all clients by who reaches them all', async () => {
    const { clientId } = walk.world.places.own
    const make = async (who: Person, client_id: number | null) => {
      const webhook = { name: 'Hook', url: 'https://hooks.example.com/x', all_events: true, active: false, client_id }
      return (await started.ask(who, 'POST', '/settings/webhooks', { webhook })).status
    }
    const letIn: Record<string, string[]> = { client: [], all: [] }
    for (const [name, who] of people) {
      if ((await make(who, clientId)) === 200) letIn['client']?.push(name)
      if ((await make(who, null)) === 200) letIn['all']?.push(name)
    }
    expect(letIn).toEqual({ client: ['super', 'muc', 'super of client', 'muc of client', 'muc of two'], all: ['super', 'muc'] })
  })

  test('a narrowed role of a partner reads the client of its part alone', async () => {
    for (const name of ['partner of division', 'partner of facility', 'muc of division alone', 'muc of account', 'muc of supply']) {
      const { body } = await started.ask(people.get(name) ?? null, 'GET', '/clients')
      expect(body, name).toMatchObject({ total: 1, clients: [{ id: walk.world.places.own.clientId }] })
    }
  })
})
