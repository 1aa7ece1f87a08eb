/**
 * Tests that saving a group account drops nothing that the user does not see, and shows nothing outside their reach. A model computes each
 * user's reach from the roles alone, over many random users, groups and saves of both kinds.
 */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { addRole, makePerson, startTestApp, type Person, type RoleScope } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../../../test/support/estate.ts'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { diceOf, type Dice } from '../demo/dice.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
const PEOPLE = 40
const ACCOUNTS = 60
const GROUPS = 6
const saves = Math.round(propertyRuns / 4)
/** Milliseconds for all saves at four requests each: more than the slowest machine takes. */
const LONG_MS = saves * 2_000

const levels = ['division', 'facility', 'billable_account', 'supply_account'] as const
type Level = (typeof levels)[number]
type Kind = 'billable_account' | 'supply_account'

interface Account {
  readonly id: number
  /** The records that contain it, by level; at its own level, itself. */
  readonly within: Readonly<Partial<Record<Level, number>>>
  readonly isGroup: boolean
}

interface Grant {
  readonly role: 'client_manager' | 'read_only_user'
  readonly ids: Readonly<Partial<Record<Level, readonly number[]>>>
}

interface Someone {
  readonly person: Person
  readonly grants: readonly Grant[]
}

interface World {
  readonly client: number
  readonly accounts: Readonly<Record<Kind, readonly Account[]>>
  readonly people: readonly Someone[]
}

const dice = diceOf('groups and people')
let world: World
beforeAll(async () => {
  world = await makeWorld(dice)
})

describe.for(['billable_account', 'supply_account'] as const)('%s', (kind: Kind) => {
  it(
    `${saves} random saves by ${PEOPLE} people change what each sees and may change, and nothing else`,
    async () => {
      const model = new Map<number, number>()
      const seen = { refused: 0, hidden: 0, saved: 0, absent: 0 }
      for (let run = 0; run < saves; run++) {
        const { person, grants } = one(world.people)
        const groups = world.accounts[kind].filter((account) => account.isGroup)
        const reached = groups.filter((account) => reaches(grants, account, false))
        const group = one(reached.length > 0 && dice.chance(0.8) ? reached : groups)
        const path = `/clients/${world.client}/${kind === 'billable_account' ? 'group_accounts' : 'group_supply_accounts'}/${group.id}`
        const name = kind === 'billable_account' ? 'group_account' : 'group_supply_account'
        const reads = world.accounts[kind].filter((account) => reaches(grants, account, false))
        const changes = new Set(world.accounts[kind].filter((account) => reaches(grants, account, true)).map(({ id }) => id))
        const visible = new Set(reads.map(({ id }) => id))
        const members = [...model].flatMap(([id, of]) => (of === group.id ? [id] : []))
        const shown = members.filter((id) => visible.has(id))

        const got = await ask(person, 'GET', path)
        if (!visible.has(group.id)) {
          expect(got.status).toBe(404)
          seen.absent++
        } else {
          expect(sorted(got.body[name])).toEqual(shown.toSorted(ascending))
          const listed = await ask(person, 'GET', `${path}/subaccounts?per=1000`)
          expect(rowIds(listed.body['subaccounts'])).toEqual(shown.toSorted(ascending))
          const offered = await ask(person, 'GET', `${path}/filter_subaccounts?per=1000`)
          expect(rowIds(offered.body['subaccounts'])).toEqual([...visible].filter((id) => id !== group.id).toSorted(ascending))
          if (shown.length < members.length) seen.hidden++
        }

        const wanted = choice(dice, world.accounts[kind], shown)
        const answer = await ask(person, 'PATCH', path, { [name]: { subaccount_ids: wanted } })
        const come = wanted.filter((id) => !shown.includes(id))
        const go = shown.filter((id) => !wanted.includes(id))
        const mayCome = come.every((id) => changes.has(id) && !model.has(id) && !isGroup(kind, id))
        const mayGo = go.every((id) => changes.has(id))
        if (!changes.has(group.id)) {
          expect([403, 404]).toContain(answer.status)
        } else if (mayCome && mayGo) {
          expect(answer.status, answer.text).toBe(200)
          for (const id of come) model.set(id, group.id)
          for (const id of go) model.delete(id)
          seen.saved++
        } else {
          expect(answer.status, answer.text).toBe(422)
          seen.refused++
        }
        expect(await stored(kind)).toEqual([...model].toSorted(([one], [other]) => one - other))
      }
      console.log(`groups of ${kind}s: ${JSON.stringify(seen)}`)
      // Each of the paths was taken often enough to be meaningful.
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(saves / 50)
    },
    LONG_MS,
  )
})

function one<T>(list: readonly T[]): T {
  const found = list[dice.whole(0, list.length - 1)]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}

function isGroup(kind: Kind, id: number): boolean {
  return world.accounts[kind].some((account) => account.id === id && account.isGroup)
}

/** The meaning of a role, written independently of the product: each row reaches everything in any of its parts. */
function reaches(grants: readonly Grant[], { within }: Account, toChange: boolean): boolean {
  return grants
    .filter(({ role }) => !toChange || role === 'client_manager')
    .some(({ ids }) => levels.some((level) => within[level] !== undefined && (ids[level] ?? []).includes(within[level])))
}

/** Usually returns what a form would send, and sometimes what it could not. */
function choice(from: Dice, accounts: readonly Account[], shown: readonly number[]): number[] {
  const kept = shown.filter(() => from.chance(0.7))
  const added = Array.from({ length: from.whole(0, 2) }, () => one(accounts).id)
  return [...new Set([...kept, ...added])]
}

async function stored(kind: Kind): Promise<[number, number][]> {
  const key = kind === 'billable_account' ? 'group_account_id' : 'group_supply_account_id'
  const { rows } = await sql<{ id: number; of: number }>`select id, ${sql.ref(key)} as "of" from ${sql.table(`${kind}s`)}
    where client_id = ${world.client} and ${sql.ref(key)} is not null order by id`.execute(db)
  return rows.map((row) => [row.id, row.of])
}

function sorted(record: unknown): number[] {
  const ids: unknown = typeof record === 'object' && record !== null && 'subaccount_ids' in record ? record.subaccount_ids : null
  return Array.isArray(ids) ? ids.map(Number).toSorted(ascending) : []
}

function rowIds(rows: unknown): number[] {
  if (!Array.isArray(rows)) throw new Error('no rows were answered')
  return rows.map((row: { id: number }) => row.id).toSorted(ascending)
}

function ascending(a: number, b: number): number {
  return a - b
}

async function makeWorld(from: Dice): Promise<World> {
  const client = await makeClient(db)
  const vendor = await makeVendor(db)
  const facilities: { id: number; division: number }[] = []
  for (let count = 0; count < 4; count++) {
    const division = await makeDivision(db, client)
    for (let place = 0; place < 3; place++) facilities.push({ id: await makeFacility(db, client, division), division })
  }
  const accounts: Record<Kind, Account[]> = { billable_account: [], supply_account: [] }
  for (let count = 0; count < ACCOUNTS; count++) {
    const facility = one(facilities)
    const isTicked = count < GROUPS
    const billable = await makeBillableAccount(db, client, facility.id, vendor, { is_group_account: isTicked })
    accounts.billable_account.push({
      id: billable,
      within: { division: facility.division, facility: facility.id, billable_account: billable },
      isGroup: isTicked,
    })
    const nowhere = !isTicked && from.chance(0.2)
    const supply = await makeSupplyAccount(db, client, nowhere ? null : facility.id)
    await sql`update supply_accounts set is_group_account = ${isTicked} where id = ${supply}`.execute(db)
    const place = nowhere ? {} : { division: facility.division, facility: facility.id }
    accounts.supply_account.push({ id: supply, within: { ...place, supply_account: supply }, isGroup: isTicked })
  }
  const ids: Readonly<Record<Level, readonly number[]>> = {
    division: [...new Set(facilities.map(({ division }) => division))],
    facility: facilities.map(({ id }) => id),
    billable_account: accounts.billable_account.map(({ id }) => id),
    supply_account: accounts.supply_account.map(({ id }) => id),
  }
  const people: Someone[] = []
  for (let count = 0; count < PEOPLE; count++) people.push(await makeSomeone(from, client, ids))
  return { client, accounts, people }
}

async function makeSomeone(from: Dice, client: number, ids: Readonly<Record<Level, readonly number[]>>): Promise<Someone> {
  const person = await makePerson(db, null)
  const grants = Array.from({ length: from.whole(1, 2) }, (_, place): Grant => {
    const level = from.pick<Level>(['division', 'division', 'facility', 'billable_account', 'supply_account'])
    const count = level === 'division' ? from.whole(1, 2) : from.whole(2, level === 'facility' ? 5 : 20)
    const chosen = [...new Set(Array.from({ length: count }, () => one(ids[level])))]
    return { role: place === 0 && from.chance(0.9) ? 'client_manager' : 'read_only_user', ids: { [level]: chosen } }
  })
  for (const { role, ids: narrowed } of grants) {
    const scope: RoleScope = Object.fromEntries(
      Object.entries(narrowed).map(([level, chosen]) => [level, chosen.map((id): [number, number] => [client, id])]),
    )
    await addRole(db, person.id, role, { ...scope, clients: [client] })
  }
  return { person, grants }
}
