/** Tests that the audit log shows exactly the versions in the reader's reach: random people and filters against plain loops. */
import { sql } from 'kysely'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RoleName } from '#contract/access/rights.ts'
import { addRole, makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../../../test/support/estate.ts'
import { insert } from '../../../test/every-call/world.ts'

const seed = Number(process.env['SCOPE_SEED'] ?? 20_261_121)
const people = 40
const draws = 12
const { ask, database } = await startTestApp()
const { db } = database
const tally = { versions: 0, refused: 0 }

interface Item {
  readonly kind: 'client' | 'division' | 'facility' | 'billable_account' | 'vendor'
  readonly id: number
  /** 0 if the record belongs to no client. */
  readonly clientId: number
  readonly above: readonly string[]
}
interface Version {
  readonly id: number
  readonly item: Item
  readonly event: string
}
const clients: { readonly id: number; readonly partnerId: number | null }[] = []
const items: Item[] = []
const versions: Version[] = []

beforeAll(async () => {
  const partners = [await insert(db, 'channel_partners', { name: 'P1' }), await insert(db, 'channel_partners', { name: 'P2' })]
  const vendor = await makeVendor(db)
  items.push({ kind: 'vendor', id: vendor, clientId: 0, above: [] })
  for (const partnerId of [partners[0], partners[0], partners[1], undefined]) {
    const clientId = await makeClient(db, partnerId === undefined ? {} : { channel_partner_id: partnerId })
    clients.push({ id: clientId, partnerId: partnerId ?? null })
    items.push({ kind: 'client', id: clientId, clientId, above: [] })
    for (const _ of [1, 2]) {
      const division = await makeDivision(db, clientId)
      const facility = await makeFacility(db, clientId, division)
      const account = await makeBillableAccount(db, clientId, facility, vendor)
      const above = [`division ${division}`, `facility ${facility}`, `billable_account ${account}`]
      items.push({ kind: 'division', id: division, clientId, above: above.slice(0, 1) })
      items.push({ kind: 'facility', id: facility, clientId, above: above.slice(0, 2) })
      items.push({ kind: 'billable_account', id: account, clientId, above })
    }
  }
  await sql`truncate audit_records, audit_seals`.execute(db)
  for (const event of ['create', 'update', 'update'])
    for (const item of items) {
      const id = await insert(db, 'audit_records', { client_id: item.clientId, event, item_type: item.kind, item_id: item.id })
      versions.push({ id, item, event })
    }
})

interface RoleRow {
  readonly role: RoleName
  readonly clients: readonly number[]
  readonly partnerId: number | null
}
const chance = fc.nat({ max: 1_000_000 })
const drawn = fc.sample(
  fc.record({
    roles: fc.array(fc.record({ way: fc.nat({ max: 5 }), pick: chance }), { minLength: 1, maxLength: 2 }),
    asks: fc.array(fc.record({ way: fc.nat({ max: 7 }), pick: chance }), { minLength: draws, maxLength: draws }),
  }),
  { numRuns: people, seed },
)

function roleRow({ way, pick }: { way: number; pick: number }): RoleRow {
  const some = clients.filter((_, at) => (pick >> at) % 2 === 1).map(({ id }) => id)
  if (way === 0) return { role: 'super_admin', clients: [], partnerId: null }
  if (way === 1) return { role: 'muc_admin', clients: some, partnerId: null }
  if (way < 4) return { role: 'channel_partner_admin', clients: [], partnerId: clients[pick % 3]?.partnerId ?? null }
  return { role: pick % 2 === 0 ? 'client_admin' : 'client_manager', clients: some, partnerId: null }
}

/** 'all' includes records that belong to no client. */
function reachOf(rows: readonly RoleRow[]): 'all' | number[] | null {
  const readers = rows.filter(({ role }) => ['super_admin', 'muc_admin', 'channel_partner_admin'].includes(role))
  if (readers.some(({ role, clients: own }) => role === 'super_admin' || (role === 'muc_admin' && own.length === 0))) return 'all'
  const ids = readers.flatMap((row) =>
    row.role === 'muc_admin'
      ? row.clients
      : clients.filter(({ partnerId }) => partnerId !== null && partnerId === row.partnerId).map(({ id }) => id),
  )
  return ids.length === 0 ? null : ids
}

/** Returns a filter as a query string and as a predicate for the loops. */
function filterOf({ way, pick }: { way: number; pick: number }): { query: string; holds: (version: Version) => boolean } {
  const item = items[pick % items.length]
  const places = items.filter(({ kind }) => kind !== 'client' && kind !== 'vendor')
  const place = places[pick % places.length]
  const client = clients[pick % clients.length]?.id ?? 0
  if (way === 0) return { query: '', holds: () => true }
  if (way === 1) return { query: `client_id=${client}`, holds: (one) => one.item.clientId === client }
  if (way === 2) return { query: 'event=create', holds: (one) => one.event === 'create' }
  if (way === 3) return { query: `item_type=${item?.kind}`, holds: (one) => one.item.kind === item?.kind }
  const within = (one: Version) => one.item.clientId === place?.clientId && one.item.above.includes(`${place.kind} ${place.id}`)
  if (way === 4)
    return { query: `client_id=${client}&${place?.kind}_id=${place?.id}`, holds: (one) => one.item.clientId === client && within(one) }
  return { query: `${place?.kind}_id=${place?.id}`, holds: within }
}

async function personOf(rows: readonly RoleRow[]): Promise<Person> {
  const person = await makePerson(db, null)
  for (const { role, clients: own, partnerId } of rows)
    await addRole(db, person.id, role, { clients: own, ...(partnerId === null ? {} : { channel_partner_id: partnerId }) })
  return person
}

async function allPages(person: Person, query: string): Promise<{ status: number; ids: number[] }> {
  const ids: number[] = []
  for (let page = 1; ; page++) {
    const { status, body, text } = await ask(person, 'GET', `/audit_log?${query}&per=7&page=${page}`)
    if (status !== 200) return { status, ids }
    const rows: { id: number }[] = JSON.parse(text).audit_log
    ids.push(...rows.map(({ id }) => id))
    if (rows.length === 0 || ids.length >= Number(body['total'])) {
      expect(ids.length, query).toBe(body['total'])
      return { status, ids }
    }
  }
}

describe('the audit log answers exactly what the reader reaches', () => {
  test.for(drawn.map((one, at) => ({ at, ...one })))('person $at', async ({ roles, asks }) => {
    const rows = roles.map(roleRow)
    const person = await personOf(rows)
    const reach = reachOf(rows)
    for (const { query, holds } of asks.map(filterOf)) {
      const answer = await allPages(person, query)
      if (reach === null) {
        expect(answer.status, JSON.stringify({ rows, query })).toBe(403)
        tally.refused++
        continue
      }
      const seen = versions.filter((one) => (reach === 'all' || reach.includes(one.item.clientId)) && holds(one)).map(({ id }) => id)
      expect({ rows, query, ids: answer.ids }).toEqual({ rows, query, ids: seen.toSorted((one, other) => other - one) })
      tally.versions += seen.length
    }
  })

  test('that was asked often enough to mean something', () => {
    expect(tally.versions).toBeGreaterThan(500)
    expect(tally.refused).toBeGreaterThan(20)
  })
})
