/**
 * Unexpected content of bodies: ids of records outside the writer's reach, forbidden fields, versions that never existed. None of it may be
 * written. And rights that end while a user is signed in.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { signToken } from '../src/server/kernel/http/signed-token.ts'
import { makePeople, makeStrangers, type People } from './every-call/principals.ts'
import { ownershipOf, readyCall, withValue } from './every-call/questions.ts'
import { shapeOf, type InputShape } from './every-call/shape-of.ts'
import { makeSwaps, nameOfSwap, swappedBody, takenBody, type Swap } from './every-call/swaps.ts'
import { traceOf } from './every-call/trace.ts'
import type { Walk } from './every-call/walker.ts'
import { insert, makeWorld, markOf, missingId, quietProvider, unique } from './every-call/world.ts'
import { makePerson, startTestApp, type Person } from './support/app.ts'
import { makeClient } from './support/estate.ts'

const {
  app,
  ask,
  database: { db },
} = await startTestApp()
let walk: Walk
let people: People
let swaps: ReadonlyMap<string, Swap>

beforeAll(async () => {
  setProviders(app.machinery, [quietProvider])
  const world = await makeWorld(db)
  people = await makePeople(world)
  walk = { app, world, people, strangers: await makeStrangers(db), address: '' }
  swaps = new Map([...(await makeSwaps(world)), ...(await uploadSwaps()), ...(await profileSwaps())])
})
afterAll(() => console.log(`every-body: ${swapped.ids} ids swapped, ${swapped.questions.toLocaleString('en-US')} spoilt bodies`))

/** Signed ids of uploads: the writer's own is accepted once, another user's never. */
async function uploadSwaps(): Promise<[string, Swap][]> {
  const signed = async (user: number) => {
    const blob = { filename: 'logo.png', content_type: 'image/png', byte_size: 68, user_id: user, state: 'stored' }
    const file = await insert(db, 'files', { key: unique('uploads/swap').replace(' ', '-'), ...blob })
    return signToken(app.machinery.settings.secretKey, 'upload', { file, user }, 3_600)
  }
  const swap = async (): Promise<Swap> => ({ good: await signed(people.super.id), bad: await signed(people.admin.id) })
  return [
    ['channel_partners.create: signed_file_id', await swap()],
    ['channel_partners.update: signed_file_id', await swap()],
    // Every user who may write bills is tested, so the upload belongs to one who may not.
    ['bills.create: signed_file_ids', { good: await signed(people.super.id), bad: await signed(people.reader.id) }],
    ['bills.create_summary: signed_file_ids', { good: await signed(people.super.id), bad: await signed(people.reader.id) }],
    ['bill_scans.create: signed_ids', { good: await signed(people.super.id), bad: await signed(people.reader.id) }],
    ['bills.update: signed_file_ids', { good: await signed(people.super.id), bad: await signed(people.reader.id) }],
  ]
}

/** Bank profiles that the recipes complete: a file can be made of them, or a statement read for their account. */
async function profileSwaps(): Promise<[string, Swap][]> {
  const named = z.object({ originating_profile_id: z.int() })
  const given = z.union([named, z.object({ test_file: named }).transform(({ test_file }) => test_file)])
  const complete = ['positive_pay.export_file', 'global_batch_files.make_test', 'bank_statements.read']
  const swapsOf = calls
    .filter(({ name }) => complete.includes(name))
    .map(async (call): Promise<[string, Swap]> => {
      const { body } = await readyCall(walk, call, people.super)
      return [`${call.name}: originating_profile_id`, { good: given.parse(body).originating_profile_id, bad: missingId }]
    })
  return Promise.all(swapsOf)
}

/** Parameters of the import's own window and texts of other registers: they name none of our records. `statement_id` is ignored. */
const noRecords = [
  'connection_id',
  'tax_id',
  'tax_ids',
  'statement_id',
  'up_to_id',
  // Ids by which a bank and a payment service know a payer.
  'company_id',
  'avid_payer_id',
  'avid_bank_account_id',
  // Ids by which ENERGY STAR Portfolio Manager knows a property and a meter.
  'portfolio_manager_property_id',
  'portfolio_manager_meter_id',
]
const writes = calls.filter((call) => call.effect === 'write' && call.bodyKind === 'json')

/** Returns the paths of every id in a body: `client.batch_groups_attributes.[].id`. */
function idPaths(shape: InputShape, path: readonly string[] = []): (readonly string[])[] {
  if (shape.kind === 'list') return idPaths(shape.item, [...path, '[]'])
  if (shape.kind !== 'object') return isId(path) ? [path] : []
  return Object.entries(shape.keys).flatMap(([key, inner]) => idPaths(inner, [...path, key]))
}

function isId(path: readonly string[]): boolean {
  const name = path.findLast((part) => part !== '[]') ?? ''
  // The vendors that an exporter confirms are compared with those of the payments, and lead to no record.
  if (path.includes('confirmed_vendors')) return false
  return (name === 'id' || name.endsWith('_id') || name.endsWith('_ids')) && !noRecords.includes(name)
}

const fields = writes.flatMap((call) =>
  idPaths(shapeOf(call.schemas.body)).map((path) => ({ name: `${call.name}: ${path.join('.')}`, call, path })),
)
const shared =
  /^(global_batches|global_batch_files|global_batch_bank_value|positive_pay|bank_statements|originating_profiles|channel_partners|vendors|utility_services|units|facility_types|weather_stations|degree_days|payment_methods|production_units)\./
const swapped = { ids: 0, questions: 0 }

/**
 * Returns the users who may write this at all. A user who reaches all clients may assign a client to any partner, so only the partner is
 * tested there.
 */
function writersOf(call: Call, path: readonly string[]): readonly Person[] {
  if (path.at(-1) === 'channel_partner_id') return [people.partner]
  if (shared.test(call.name)) return [people.super, people.muc]
  if (call.name.startsWith('webhooks.')) return [people.super]
  // All users have tokens of their own; a super_admin reaches everything.
  if (call.name === 'api_tokens.create') return [people.partner, people.admin, people.manager, people.narrow]
  // A super_admin may name any client in a role; a part must lie in the role's client, whoever grants it.
  if (call.name.startsWith('user_roles.'))
    return [...(/client_ids?$/.test(path[1] ?? '') ? [] : [people.super]), people.partner, people.admin]
  const staff = [people.super, people.partner]
  // A narrowed role has no part of the ledger and its batches, and uploads no scans, because the bills in them are not known yet.
  if (/^(payment_batches|vendor_payments)\./.test(call.name)) return [...staff, people.admin]
  if (/^(ledger_|accounting_batches\.|export_profiles\.)/.test(call.name) || call.name === 'bill_scans.create')
    return [...staff, people.admin, people.manager]
  return /^(clients|client_vendor_numbers|payment_settings)\./.test(call.name) || path.includes('new_facility')
    ? staff
    : [...staff, people.admin, people.manager, people.narrow]
}

describe('an id in a body that names what its writer does not reach', () => {
  test('there are such ids to swap', () => expect(fields.length).toBeGreaterThan(50))

  test.for(fields)(
    '$name is taken where it is reached, and otherwise refused to whoever may write at all, with nothing written',
    async ({ call, path }: { call: Call; path: readonly string[] }) => {
      const swap = swaps.get(`${call.name}: ${nameOfSwap(path)}`) ?? swaps.get(nameOfSwap(path))
      if (!swap) throw new Error(`say in test/every-call/swaps.ts what ${nameOfSwap(path)} must not name`)
      const writers = writersOf(call, path)
      const [first = people.super] = writers
      // A body that is refused anyway would prove nothing.
      const control = await readyCall(walk, call, first)
      const taken = takenBody(control.body, path, swap)
      const done = await app.server.inject({ method: call.method, url: control.url, headers: first.headers, payload: taken })
      expect(done.statusCode, done.body).toBe(200)

      const ready = await Promise.all(writers.map(async (who) => ({ who, ...(await readyCall(walk, call, who)) })))
      const before = await traceOf(walk, call)
      for (const { who, url, body } of ready) {
        const payload = swappedBody(body, path, swap, swap.bad)
        const response = await app.server.inject({ method: call.method, url, headers: who.headers, payload })
        expect([422, 404, 409], `${response.statusCode} ${response.body}`).toContain(response.statusCode)
        // The sent values may be returned; nothing else of the other client may.
        expect(response.body.replaceAll(String(swap.bad), '')).not.toContain(markOf('foreign'))
        swapped.questions++
      }
      expect(await traceOf(walk, call)).toBe(before)
      swapped.ids++
    },
  )

  test('a narrowed role names nothing outside its part either', async () => {
    const { own, outside } = walk.world.places
    const moved = await ask(people.narrow, 'PATCH', `/clients/${own.clientId}/facilities/${own.facilityId}`, {
      facility: { division_id: outside.divisionId },
    })
    const made = await ask(people.narrow, 'POST', `/clients/${own.clientId}/facilities`, {
      facility: { name: 'X', number: 'X', division_id: outside.divisionId },
    })
    const account = await ask(people.narrow, 'PATCH', `/clients/${own.clientId}/billable_accounts/${own.accountId}`, {
      billable_account: { facility_id: outside.facilityId },
    })
    expect([moved.status, made.status, account.status]).toEqual([422, 422, 422])
  })

  test('a record of one account is not reached through another', async () => {
    const { own, outside } = walk.world.places
    const crossed = `/clients/${own.clientId}/billable_accounts/${own.accountId}/services/${outside.serviceId}`
    const missing = `/clients/${own.clientId}/billable_accounts/${own.accountId}/services/${missingId}`
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { service: { notes: 'x' } } : undefined
      const [one, other] = [await ask(people.super, method, crossed, body), await ask(people.super, method, missing, body)]
      expect([one.status, one.body['message']]).toEqual([404, other.body['message']])
    }
  })
})

/** Fields that no one may send, with values that would matter. */
const planted: Readonly<Record<string, unknown>> = {
  client_id: 3,
  // Not the record's own id, which would be unchanged.
  id: 999_999_999,
  user_id: 1,
  paid: true,
  finalized: true,
  locked: true,
  role: 'super_admin',
  roles_attributes: [{ role: 'super_admin' }],
  status: 'in_active',
  created_at: '2000-01-01T00:00:00Z',
  created_by: 1,
  is_group: true,
  password_hash: 'x',
  constructor: { prototype: { paid: true } },
}
/** Their envelopes accept unknown keys and ignore them. */
const lenient = [
  'auth.sign_in',
  'auth.request_password',
  'auth.set_password',
  'uploads.announce',
  'clients.subscriptions',
  'clients.subscriptions_post',
]

describe('fields that nobody may send', () => {
  test.for(writes)('$name refuses them, or reads none of them', async (call: Call) => {
    const isLenient = lenient.includes(call.name)
    const shape = shapeOf(call.schemas.body)
    const known = shape.kind === 'object' ? shape.keys : {}
    const [envelope] = Object.keys(known)
    const spoilt = Object.entries(planted).flatMap(([key, value]) =>
      [[key], ...(envelope === undefined ? [] : [[envelope, key]])]
        .filter((path) => (path.length === 1 ? !(key in known) : !isKnown(known[envelope ?? ''], key)))
        .map((path) => ({ path, value })),
    )
    const relation = /token/.test(call.path) ? 'valid' : 'own'
    const ready = await readyCall(walk, call, people.super, relation)
    const [owned, trace] = [await ownershipOf(walk), isLenient ? '' : await traceOf(walk, call)]
    for (const { path, value } of spoilt) {
      const { url, body } = isLenient ? await readyCall(walk, call, people.super, relation) : ready
      const { method } = call
      const response = await app.server.inject({ method, url, headers: people.super.headers, payload: withValue(body, path, value) })
      expect(response.statusCode, `${path.join('.')}: ${response.body}`).toBeLessThan(500)
      if (!isLenient) expect([path.join('.'), response.statusCode]).toEqual([path.join('.'), 422])
      swapped.questions++
    }
    if (!isLenient) expect(await traceOf(walk, call)).toBe(trace)
    expect(await ownershipOf(walk)).toBe(owned)
  })
})

/** Returns true if the draft accepts this key, or any key (a layout stores whatever the console puts into it). */
function isKnown(shape: InputShape | undefined, key: string): boolean {
  return shape?.kind !== 'object' || key in shape.keys
}

const versioned = writes.flatMap((call) => {
  const shape = shapeOf(call.schemas.body)
  const keys = shape.kind === 'object' ? Object.entries(shape.keys) : []
  const envelope = keys.find(([, inner]) => inner.kind === 'object' && 'lock_version' in inner.keys)?.[0]
  return envelope === undefined ? [] : [{ name: call.name, call, envelope }]
})

describe('a version that never was', () => {
  test.for(versioned)(
    '$name is 409 where it is another number, 422 where it is none, and nothing is written',
    async ({ call, envelope }: { call: Call; envelope: string }) => {
      const { url, body } = await readyCall(walk, call, people.super, call.path.startsWith('/saved_views') ? 'mine' : 'own')
      const before = await traceOf(walk, call)
      for (const [value, status] of [
        [999_999, 409],
        [-1, 422],
        ['1; drop table bills', 422],
        [1.5, 422],
        [null, 422],
        [{}, 422],
        [1e300, 422],
      ] as const) {
        const payload = withValue(body, [envelope, 'lock_version'], value)
        const response = await app.server.inject({ method: call.method, url, headers: people.super.headers, payload })
        expect([value, response.statusCode], response.body).toEqual([value, status])
        swapped.questions++
      }
      expect(await traceOf(walk, call)).toBe(before)
    },
  )
})

describe('rights that end while somebody is signed in [PERM-PERM-001]', () => {
  const asAdmin = async (): Promise<{ person: Person; path: string }> => {
    const { own } = walk.world.places
    const person = await makePerson(db, 'client_admin', { clients: [own.clientId] })
    const path = `/clients/${own.clientId}/divisions/${own.divisionId}`
    expect((await ask(person, 'GET', path)).status).toBe(200)
    return { person, path }
  }
  const after = async (person: Person, change: ReturnType<typeof sql>): Promise<void> => {
    await change.execute(db)
    app.machinery.sessions.forgetUser(person.id)
  }

  test('a role that is taken away counts for the next request', async () => {
    const { person, path } = await asAdmin()
    await after(person, sql`delete from user_roles where user_id = ${person.id}`)
    expect((await ask(person, 'GET', path)).status).toBe(404)
    expect((await ask(person, 'GET', '/divisions')).status).toBe(403)
  })

  test('so does a client, a lower role and a narrowing', async () => {
    const { own, outside, sibling } = walk.world.places
    const { person, path } = await asAdmin()
    const role = sql`(select id from user_roles where user_id = ${person.id})`
    await after(
      person,
      sql`update user_roles set role_id = (select id from roles where name = 'read_only_user') where user_id = ${person.id}`,
    )
    expect((await ask(person, 'PATCH', path, { division: { code: 'X' } })).status).toBe(403)
    expect((await ask(person, 'GET', path)).status).toBe(200)
    await after(
      person,
      sql`insert into user_role_divisions (client_id, user_role_id, division_id) values (${own.clientId}, ${role}, ${outside.divisionId})`,
    )
    expect((await ask(person, 'GET', path)).status).toBe(404)
    await after(person, sql`update user_role_clients set client_id = ${sibling.clientId} where user_role_id = ${role}`)
    expect((await ask(person, 'GET', `/clients/${own.clientId}/divisions`)).status).toBe(404)
  })

  test('so does a client that is moved to another channel partner, and a subscription that ends', async () => {
    const { sibling } = walk.world.places
    const partner = await insert(db, 'channel_partners', { name: unique('Partner') })
    const clientId = await makeClient(db, { channel_partner_id: partner })
    const [person, admin] = [
      await makePerson(db, 'channel_partner_admin', { channel_partner_id: partner }),
      await makePerson(db, 'client_admin', { clients: [clientId] }),
    ]
    expect((await ask(person, 'GET', `/clients/${clientId}`)).status).toBe(200)
    expect((await ask(admin, 'GET', `/clients/${clientId}/users`)).status).toBe(200)
    const change = { channel_partner_id: walk.world.partnerId, user_management: false }
    expect((await ask(people.super, 'PATCH', `/clients/${clientId}`, { client: change })).status).toBe(200)
    for (const path of ['', '/divisions', '/bills', '/users', '/dashboard'])
      expect((await ask(person, 'GET', `/clients/${clientId}${path}`)).status, path).toBe(404)
    expect((await ask(person, 'GET', '/users')).body).not.toHaveProperty('users.1')
    expect((await ask(person, 'GET', `/clients/${sibling.clientId}`)).status).toBe(404)
    for (const path of [`/clients/${clientId}/users`, '/users']) expect((await ask(admin, 'GET', path)).status, path).toBe(403)
  })

  test('a deactivated user is out at the next request, with every sign-in', async () => {
    const { person, path } = await asAdmin()
    await after(person, sql`update users set status = 'in_active' where id = ${person.id}`)
    expect((await ask(person, 'GET', path)).status).toBe(401)
    expect((await ask(person, 'GET', '/users/profile')).status).toBe(401)
  })

  test('a sign-in that was ended is over', async () => {
    const { person, path } = await asAdmin()
    expect((await ask(person, 'DELETE', '/auth/sign_out')).status).toBe(200)
    expect((await ask(person, 'GET', path)).status).toBe(401)
  })
})
