/**
 * Visibility, change and grant of users, for random users and roles, against an oracle that checks everything in plain loops. `ROLE_SEED`
 * draws other users.
 */
import { sql } from 'kysely'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissionsOfRole, roleNames, staffRoles, type RoleName } from '#contract/access/rights.ts'
import { roleScopeOf } from '#contract/users/user-role.ts'
import { addRole, makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../../../test/support/estate.ts'
import { insert } from '../../../test/every-call/world.ts'

const seed = Number(process.env['ROLE_SEED'] ?? 20_261_121)
/** The deep run draws 200. */
const actorsDrawn = Number(process.env['ROLE_ACTORS'] ?? 20)
const targetsDrawn = 60
const draftsDrawn = 25
const { ask, database } = await startTestApp()
const { db } = database
const tally = { seen: 0, hidden: 0, changed: 0, kept: 0, granted: 0, refused: 0 }
afterAll(() => console.log(`user-reach: seed ${seed}, ${JSON.stringify(tally)}`))

const levels = ['division', 'facility', 'billable_account', 'supply_account'] as const
type Level = (typeof levels)[number]
interface Item {
  readonly level: Level
  readonly id: number
  readonly clientId: number
  readonly above: Readonly<Partial<Record<Level, number>>>
}
interface RoleRow {
  readonly role: RoleName
  readonly clients: readonly number[]
  readonly partnerId: number | null
  readonly narrowed: readonly Item[]
}
interface Someone {
  readonly person: Person
  readonly rows: readonly RoleRow[]
  readonly maker: number | null
}

const items: Item[] = []
const clients: { readonly id: number; readonly partnerId: number | null; readonly managesUsers: boolean }[] = []
const people: Someone[] = []
const partners: number[] = []

beforeAll(async () => {
  partners.push(await insert(db, 'channel_partners', { name: 'P1' }), await insert(db, 'channel_partners', { name: 'P2' }))
  const vendor = await makeVendor(db)
  for (const partnerId of [partners[0], partners[0], partners[1], partners[1], undefined]) await makeEstate(partnerId ?? null, vendor)
  await sql`update clients set user_management = false where id = ${clients[1]?.id}`.execute(db)
  const drawn = fc.sample(rolesOfPerson, { numRuns: targetsDrawn, seed: seed + 1 })
  for (const rows of drawn) await makeSomeone(rows.map(roleRow), null)
})

async function makeEstate(partnerId: number | null, vendor: number): Promise<void> {
  const clientId = await makeClient(db, partnerId === null ? {} : { channel_partner_id: partnerId })
  clients.push({ id: clientId, partnerId, managesUsers: clients.length !== 1 })
  for (let at = 0; at < 2; at++) {
    const division = await makeDivision(db, clientId)
    items.push({ level: 'division', id: division, clientId, above: { division } })
    for (let place = 0; place < 2; place++) {
      const facility = await makeFacility(db, clientId, division)
      const above = { division, facility }
      items.push({ level: 'facility', id: facility, clientId, above })
      const billable_account = await makeBillableAccount(db, clientId, facility, vendor)
      items.push({ level: 'billable_account', id: billable_account, clientId, above: { ...above, billable_account } })
      const supply_account = await makeSupplyAccount(db, clientId, facility)
      items.push({ level: 'supply_account', id: supply_account, clientId, above: { ...above, supply_account } })
    }
  }
}

async function makeSomeone(rows: readonly RoleRow[], maker: number | null): Promise<Someone> {
  const person = await makePerson(db, null)
  await sql`update users set created_by = ${maker} where id = ${person.id}`.execute(db)
  for (const { role, clients: ids, partnerId, narrowed } of rows) {
    const parts = Object.fromEntries(
      levels.map((level) => [level, narrowed.filter((item) => item.level === level).map((item) => [item.clientId, item.id] as const)]),
    )
    await addRole(db, person.id, role, { clients: ids, ...(partnerId === null ? {} : { channel_partner_id: partnerId }), ...parts })
  }
  const someone = { person, rows, maker }
  people.push(someone)
  return someone
}

// ---------------------------------------------------------------- the drawn users

const chance = fc.nat({ max: 1_000_000 })
const oneRole = fc.record({ way: fc.nat({ max: 13 }), picks: fc.array(chance, { minLength: 6, maxLength: 6 }) })
const rolesOfPerson = fc.array(oneRole, { minLength: 0, maxLength: 2 })

function roleRow({ way, picks }: { way: number; picks: readonly number[] }): RoleRow {
  const [a = 0, b = 0, c = 0, d = 0] = picks
  const some = clients.filter((_, at) => (a >> at) % 2 === 1).map(({ id }) => id)
  const one = clients[b % clients.length]?.id ?? 0
  const named = some.length === 0 ? [one] : some
  const partnerId = partners[b % 2] ?? 0
  const parts = (within: (item: Item) => boolean): readonly Item[] => {
    const all = items.filter(within)
    const first = all[c % all.length]
    const second = all[d % all.length]
    return first && second ? [...new Set([first, second])] : []
  }
  const bare = { clients: [], partnerId: null, narrowed: [] } as const
  switch (way) {
    case 0:
      return { ...bare, role: 'super_admin', clients: a % 3 === 0 ? named : [] }
    case 1:
      return { ...bare, role: 'muc_admin' }
    case 2:
      return { ...bare, role: 'muc_admin', clients: named }
    case 3:
      return { ...bare, role: 'muc_admin', clients: [one], narrowed: parts((item) => item.clientId === one) }
    case 4:
      return { ...bare, role: 'muc_admin', narrowed: parts(() => true) }
    case 5:
      return { ...bare, role: 'channel_partner_admin', partnerId }
    case 6:
      return {
        ...bare,
        role: 'channel_partner_admin',
        partnerId,
        narrowed: parts((item) => clientsOfPartner(partnerId).includes(item.clientId)),
      }
    case 7:
    case 8:
      return { ...bare, role: 'client_admin', clients: named }
    case 9:
      return { ...bare, role: 'client_manager', clients: named }
    // No longer granted by the product, but the matrix of rights allows it.
    case 10:
      return { ...bare, role: 'client_manager', clients: [one], narrowed: parts((item) => item.clientId === one) }
    case 11:
      return { ...bare, role: 'read_only_user', clients: [one] }
    default:
      return { ...bare, role: 'client_user', clients: [one], narrowed: parts((item) => item.clientId === one) }
  }
}

// ---------------------------------------------------------------- the oracle

const rankOf = (role: RoleName): number => roleNames.indexOf(role)
const isProvider = ({ role }: RoleRow): boolean => role === 'super_admin' || role === 'muc_admin'
const namesNoClient = (row: RoleRow): boolean => isProvider(row) && row.clients.length === 0
const reachesAll = (row: RoleRow): boolean => namesNoClient(row) && row.narrowed.length === 0
const clientsOfPartner = (partnerId: number | null): number[] => clients.filter((one) => one.partnerId === partnerId).map(({ id }) => id)

/** Returns the rows with the right, without the clients that have not subscribed to it. */
function holding({ rows }: Someone, action: 'read' | 'update'): RoleRow[] {
  const clientOnly = !rows.some(({ role }) => staffRoles.includes(role))
  return rows
    .filter(({ role }) => permissionsOfRole(role).user?.includes(action))
    .map((row) => (clientOnly ? { ...row, clients: row.clients.filter((id) => clients.find((one) => one.id === id)?.managesUsers) } : row))
    .filter((row) => staffRoles.includes(row.role) || row.clients.length > 0)
}

/** A narrowed role covers the clients of its parts. */
function coversClient(row: RoleRow, clientId: number): boolean {
  if (row.narrowed.length > 0 && !row.narrowed.some((part) => part.clientId === clientId)) return false
  if (row.role === 'channel_partner_admin') return clientsOfPartner(row.partnerId).includes(clientId)
  return namesNoClient(row) || row.clients.includes(clientId)
}

function isInside(wanted: RoleRow, held: readonly RoleRow[]): boolean {
  const isPart = wanted.narrowed.length > 0
  const wide = held.filter((row) => isPart || row.narrowed.length === 0)
  if (wanted.role === 'channel_partner_admin') {
    if (!wide.some((row) => reachesAll(row) || (row.role === 'channel_partner_admin' && row.partnerId === wanted.partnerId))) return false
  } else if (namesNoClient(wanted)) {
    if (!wide.some(reachesAll)) return false
  }
  for (const clientId of wanted.clients) if (!wide.some((row) => coversClient(row, clientId))) return false
  for (const item of wanted.narrowed) {
    const sees = (row: RoleRow): boolean =>
      coversClient(row, item.clientId) &&
      (row.narrowed.length === 0 || row.narrowed.some((part) => part.clientId === item.clientId && item.above[part.level] === part.id))
    if (!held.some(sees)) return false
  }
  return true
}

function mayGrant(actor: Someone, wanted: RoleRow): boolean {
  const isSuper = holding(actor, 'update').some(({ role }) => role === 'super_admin')
  return isManaged(actor, wanted) && (wanted.role !== 'muc_admin' || isSuper)
}

function isManaged(actor: Someone, wanted: RoleRow): boolean {
  return isInside(
    wanted,
    holding(actor, 'update').filter(({ role }) => rankOf(role) <= rankOf(wanted.role)),
  )
}

function isVisible(actor: Someone, target: Someone): boolean {
  if (actor.person.id === target.person.id) return true
  const held = holding(actor, 'read')
  if (target.rows.length === 0) return target.maker === actor.person.id || held.some(isProvider)
  for (const row of target.rows)
    if (!isInside(row, row.role === 'super_admin' ? held.filter(({ role }) => role === 'super_admin') : held)) return false
  return true
}

function isManageable(actor: Someone, target: Someone): boolean {
  if (target.rows.length === 0) return target.maker === actor.person.id || holding(actor, 'update').some(isProvider)
  for (const row of target.rows) if (!isManaged(actor, row)) return false
  return true
}

// ---------------------------------------------------------------- the questions

async function seenBy(actor: Someone): Promise<{ status: number; ids: number[] }> {
  const { status, body } = await ask(actor.person, 'GET', '/users?per=1000&q[s]=id%20asc')
  const rows: unknown[] = Array.isArray(body['users']) ? body['users'] : []
  const ids = rows.flatMap((row) => (typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'number' ? [row.id] : []))
  if (status === 200) expect(body['total']).toBe(ids.length)
  return { status, ids }
}

async function seenIn(actor: Someone, clientId: number): Promise<{ clientId: number; status: number; ids: number[] }> {
  const { status, body } = await ask(actor.person, 'GET', `/clients/${clientId}/users?per=1000&q[s]=id%20asc`)
  const rows: unknown[] = Array.isArray(body['users']) ? body['users'] : []
  const ids = rows.flatMap((row) => (typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'number' ? [row.id] : []))
  return { clientId, status, ids }
}

/**
 * Among the users visible to the actor, returns those whose roles name the client, and those whom the actor has created and who have no
 * role yet.
 */
function expectedIn(actor: Someone, visible: readonly Someone[], clientId: number): { clientId: number; status: number; ids: number[] } {
  if (!actor.rows.some((row) => coversClient(row, clientId))) return { clientId, status: 404, ids: [] }
  const held = holding(actor, 'read')
  if (!held.some((row) => coversClient(row, clientId))) return { clientId, status: 403, ids: [] }
  const isPending = (target: Someone): boolean =>
    target.rows.length === 0 && target.maker === actor.person.id && !held.some((row) => reachesAll(row) && row.narrowed.length === 0)
  const inClient = visible.filter((target) => target.rows.some((row) => row.clients.includes(clientId)) || isPending(target))
  return { clientId, status: 200, ids: inClient.map(({ person }) => person.id).toSorted((a, b) => a - b) }
}

function bodyOf({ role, clients: ids, partnerId, narrowed }: RoleRow): object {
  const parts = Object.fromEntries(
    levels.map((level) => [`${level}_ids`, narrowed.filter((item) => item.level === level).map(({ id }) => id)]),
  )
  return { user_role: { role_id: rankOf(role) + 1, client_ids: ids, channel_partner_id: partnerId, ...parts } }
}

/** Only roles that the form accepts: the others are refused for another reason. */
function isWellFormed({ role, clients: ids, narrowed }: RoleRow): boolean {
  const { clients: count, narrowable } = roleScopeOf(role)
  return (count !== 'one' || ids.length === 1) && (narrowable || narrowed.length === 0)
}

const drawn = fc.sample(fc.tuple(rolesOfPerson, fc.array(oneRole, { minLength: draftsDrawn, maxLength: draftsDrawn })), {
  numRuns: actorsDrawn,
  seed,
})

describe('what is seen, changed and granted is never above the actor’s rank nor outside their reach, and all that lies inside is', () => {
  test.for(drawn.map(([roles, drafts], at) => ({ at, roles, drafts })))('actor $at', async ({ roles, drafts }) => {
    const actor = await makeSomeone(roles.map(roleRow), null)
    const newcomer = await makeSomeone([], actor.person.id)
    const { status, ids } = await seenBy(actor)
    if (holding(actor, 'read').length === 0) {
      expect(status).toBe(403)
      return
    }
    const visible = people.filter((target) => isVisible(actor, target))
    expect({ rows: actor.rows, ids }).toEqual({ rows: actor.rows, ids: visible.map(({ person }) => person.id).toSorted((a, b) => a - b) })
    tally.seen += visible.length
    tally.hidden += people.length - visible.length
    for (const { id: clientId } of clients) expect(await seenIn(actor, clientId)).toEqual(expectedIn(actor, visible, clientId))

    const mayUpdate = holding(actor, 'update').length > 0
    const hidden = people.filter((target) => !visible.includes(target))
    for (const target of [...visible.slice(0, 20), ...hidden.slice(0, 5)]) {
      const isSeen = visible.includes(target)
      const expected = !mayUpdate ? 403 : !isSeen ? 404 : isManageable(actor, target) ? 200 : 403
      const answer = await ask(actor.person, 'PATCH', `/users/${target.person.id}`, { user: { title: 'Asked' } })
      expect({ actor: actor.rows, target: target.rows, status: answer.status }).toEqual({
        actor: actor.rows,
        target: target.rows,
        status: expected,
      })
      if (expected === 200) tally.changed++
      else tally.kept++
    }

    for (const draft of drafts.map(roleRow).filter(isWellFormed)) {
      const answer = await ask(actor.person, 'POST', `/users/${newcomer.person.id}/user_roles`, bodyOf(draft))
      const allowed = mayUpdate && mayGrant(actor, draft)
      expect({ actor: actor.rows, draft, done: answer.status === 200, text: answer.status < 500 ? '' : answer.text }).toEqual({
        actor: actor.rows,
        draft,
        done: allowed,
        text: '',
      })
      if (allowed) tally.granted++
      else tally.refused++
      await sql`delete from user_roles where user_id = ${newcomer.person.id}`.execute(db)
    }
  })

  test('that was asked often enough to mean something', () => {
    for (const [what, times] of Object.entries(tally)) expect(times, what).toBeGreaterThan(actorsDrawn)
  })
})
