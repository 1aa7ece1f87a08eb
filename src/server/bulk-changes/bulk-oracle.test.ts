/**
 * Random users make random changes of random accounts. The test computes the expected result from its own copy of the tables: which records
 * change, stay or are refused, the trail, and that undoing leaves nothing behind. `BULK_SEED` selects another sequence.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addRole, makePerson, startTestApp, type Person, type RoleScope } from '../../../test/support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../../../test/support/estate.ts'
import { diceOf } from '../../../test/support/dice.ts'
import { rebuildFacts } from '../month-facts/refresh-facts.ts'

const seed = Number(process.env['BULK_SEED'] ?? 20_261_121)
const draws = 90
const {
  ask,
  database: { db },
} = await startTestApp()
const tally = { acts: 0, records: 0, refused: 0, denied: 0, undone: 0, undoRefused: 0 }
afterAll(() => console.log(`bulk-oracle: seed ${seed}, ${draws} draws, ${JSON.stringify(tally)}`))

// ---------------------------------------------------------------- the world

type Kind = 'billable_account' | 'supply_account'
interface Account {
  readonly id: number
  readonly facility_id: number | null
  readonly vendor_id: number | null
  readonly billing_period: number | null
  readonly active: boolean
  readonly account_number: string
}
type Changes = Partial<Pick<Account, 'facility_id' | 'vendor_id' | 'billing_period' | 'active'>>
type Levels = Readonly<Record<'division' | 'facility' | Kind, readonly number[]>>
interface Asker {
  readonly person: Person
  /** The roles that may change accounts of the client, each with its narrowing. */
  readonly updates: readonly Levels[]
  readonly isInside: boolean
}

let client: number
let stranger: number
const divisionOf = new Map<number, number>()
let facilities: number[] = []
let divisions: number[] = []
let vendors: number[] = []
let askers: Asker[] = []
const nothing: Levels = { division: [], facility: [], billable_account: [], supply_account: [] }

const random = diceOf(seed)
const one = <T>(list: readonly T[]): T => {
  const found = list[random(list.length)]
  if (found === undefined) throw new Error('nothing to draw from')
  return found
}
const some = <T>(list: readonly T[], most: number): T[] => [...new Set(Array.from({ length: 1 + random(most) }, () => one(list)))]

beforeAll(async () => {
  client = await makeClient(db)
  stranger = await makeClient(db)
  for (let at = 0; at < 3; at++) divisions.push(await makeDivision(db, client))
  for (const division of divisions)
    for (let at = 0; at < 2; at++) {
      const facility = await makeFacility(db, client, division)
      facilities.push(facility)
      divisionOf.set(facility, division)
    }
  for (let at = 0; at < 3; at++) vendors.push(await makeVendor(db))
  for (let at = 0; at < 60; at++) await billable(at)
  for (let at = 0; at < 40; at++)
    await makeSupplyAccount(db, client, random(4) === 0 ? null : one(facilities), { account_number: `S-${random(20)}` })
  await sql`update billable_accounts set active = id % 3 <> 0, billing_period = case when id % 4 < 3 then id % 4 end where client_id = ${client}`.execute(
    db,
  )
  await sql`update supply_accounts set active = id % 3 <> 0, vendor_id = case when id % 2 = 0 then ${vendors[0] ?? 0}::bigint end where client_id = ${client}`.execute(
    db,
  )
  await db.transaction().execute((tx) => rebuildFacts(tx, client))
  askers = await makeAskers()
})

/** Makes an account; some have a paid and an unpaid bill with a line. */
async function billable(at: number): Promise<void> {
  const [facility, vendor] = [one(facilities), one(vendors)]
  const id = await makeBillableAccount(db, client, facility, vendor, { account_number: `N-${random(30)}` })
  if (at % 3 > 0) return
  const service = await makeService(db, client, { billable_account_id: id })
  for (const paid of [true, false]) {
    const { rows } = await sql<{
      id: number
    }>`insert into bills (client_id, billable_account_id, account_number, vendor_id, facility_id, division_id, date, due_date, paid, current_charges)
      select ${client}::bigint, id, account_number, vendor_id, facility_id, ${divisionOf.get(facility) ?? 0}::bigint, '2026-03-01', '2026-03-20', ${paid}, ${at + 1}
      from billable_accounts where id = ${id} returning id`.execute(db)
    await sql`insert into service_bills (client_id, bill_id, service_id, position, previous_read_date, read_date, usage, standard_usage)
      values (${client}, ${rows[0]?.id ?? 0}, ${service}, 0, ${paid ? '2026-01-01' : '2026-02-01'}, ${paid ? '2026-02-01' : '2026-03-01'}, 10, 10)`.execute(
      db,
    )
  }
}

async function makeAskers(): Promise<Asker[]> {
  const made: Asker[] = []
  const add = async (role: 'client_admin' | 'client_manager' | 'read_only_user', levels: Levels, more?: Levels): Promise<void> => {
    const person = await makePerson(db, role, scopeOf(levels))
    if (more) await addRole(db, person.id, 'client_manager', scopeOf(more))
    const updates = [...(role === 'read_only_user' ? [] : [levels]), ...(more ? [more] : [])]
    made.push({ person, updates, isInside: true })
  }
  const ids = async (kind: Kind) => (await accountsOf(kind)).map(({ id }) => id)
  const [billables, supplies] = [await ids('billable_account'), await ids('supply_account')]
  await add('client_admin', nothing)
  await add('client_manager', nothing)
  await add('read_only_user', nothing)
  for (let at = 0; at < 10; at++) {
    const drawn = (): Levels => ({
      division: random(2) ? some(divisions, 2) : [],
      facility: random(3) === 0 ? some(facilities, 2) : [],
      billable_account: random(3) === 0 ? some(billables, 12) : [],
      supply_account: random(3) === 0 ? some(supplies, 12) : [],
    })
    const levels = drawn()
    await add(
      'client_manager',
      Object.values(levels).every((list) => list.length === 0) ? { ...nothing, facility: some(facilities, 2) } : levels,
    )
    await add('read_only_user', nothing, { ...nothing, division: some(divisions, 2) })
  }
  // A user who reaches single accounts reaches few of the places that they come from.
  for (let at = 0; at < 5; at++)
    await add('client_manager', {
      division: [],
      facility: [one(facilities)],
      billable_account: some(billables, 25),
      supply_account: some(supplies, 25),
    })
  made.push({ person: await makePerson(db, 'client_manager', { clients: [stranger] }), updates: [], isInside: false })
  return made
}

function scopeOf(levels: Levels): RoleScope {
  const of = (ids: readonly number[]) => ids.map((id) => [client, id] as const)
  return {
    clients: [client],
    division: of(levels.division),
    facility: of(levels.facility),
    billable_account: of(levels.billable_account),
    supply_account: of(levels.supply_account),
  }
}

// ---------------------------------------------------------------- what must be

const isWhole = (levels: Levels): boolean => Object.values(levels).every((list) => list.length === 0)
const reachesFacility = ({ updates }: Asker, id: number): boolean =>
  updates.some((levels) => isWhole(levels) || levels.facility.includes(id) || levels.division.includes(divisionOf.get(id) ?? 0))
const reaches = ({ updates }: Asker, kind: Kind, { id, facility_id: facility }: Account): boolean =>
  updates.some(
    (levels) =>
      isWhole(levels) ||
      levels[kind].includes(id) ||
      (facility !== null && (levels.facility.includes(facility) || levels.division.includes(divisionOf.get(facility) ?? 0))),
  )

async function accountsOf(kind: Kind): Promise<Account[]> {
  const { rows } =
    await sql<Account>`select id, facility_id, vendor_id, billing_period, active, account_number from ${sql.table(`${kind}s`)}
    where client_id = ${client} order by id`.execute(db)
  return rows
}

interface Selection {
  readonly body: object
  readonly isMeant: (account: Account) => boolean
  readonly ids?: readonly number[]
}

function drawSelection(asker: Asker, kind: Kind, accounts: readonly Account[]): Selection {
  if (random(2) === 0) {
    const reached = accounts.filter((account) => reaches(asker, kind, account))
    const ids = some(random(4) === 0 || reached.length === 0 ? accounts : reached, 10).map(({ id }) => id)
    return { body: { ids }, ids, isMeant: ({ id }) => ids.includes(id) }
  }
  const except = random(2) === 0 ? some(accounts, 6).map(({ id }) => id) : []
  const [q, fits] = drawFilter()
  return { body: { filter: { q }, except }, isMeant: (account) => fits(account) && !except.includes(account.id) }
}

function drawFilter(): readonly [object, (account: Account) => boolean] {
  const [vendor, active, digit] = [one(vendors), random(2) === 0, String(random(10))]
  const places = some(facilities, 3)
  return one<readonly [object, (account: Account) => boolean]>([
    [{}, () => true],
    [{ vendor_id_eq: vendor }, (account) => account.vendor_id === vendor],
    [{ active }, (account) => account.active === active],
    [{ facility_id_in: places }, (account) => account.facility_id !== null && places.includes(account.facility_id)],
    [{ account_number: digit, active }, (account) => account.account_number.includes(digit) && account.active === active],
  ])
}

function drawChanges(asker: Asker, kind: Kind): Changes {
  const near = facilities.filter((id) => reachesFacility(asker, id))
  const place = near.length > 0 && random(3) > 0 ? one(near) : one(facilities)
  const drawn: Changes = {
    facility_id: kind === 'supply_account' && random(3) === 0 ? null : place,
    vendor_id: kind === 'supply_account' && random(3) === 0 ? null : one(vendors),
    billing_period: kind === 'billable_account' && random(3) === 0 ? null : random(4),
    active: random(2) === 0,
  }
  const kept = some(Object.entries(drawn), 3)
  return Object.fromEntries(kept)
}

const valueOf = (record: object, key: string): unknown => Object.entries(record).find(([name]) => name === key)?.[1]
const changesTo = (account: Account, changes: Changes): Record<string, { from: unknown; to: unknown }> =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([key, to]) =>
      valueOf(account, key) === to ? [] : [[key, { from: valueOf(account, key), to }] as const],
    ),
  )

/** Everything that a bulk change may touch, except versions and times. */
async function everything(): Promise<Record<string, unknown>> {
  const parts: Record<string, unknown> = {}
  for (const [table, without] of [
    ['billable_accounts', ['lock_version', 'updated_at']],
    ['supply_accounts', ['lock_version', 'updated_at']],
    ['bills', ['updated_at']],
    ['bill_line_facts', []],
    ['service_month_facts', []],
    ['facility_month_facts', []],
    ['utility_month_facts', []],
  ] as const) {
    const { rows } = await sql<{ row: object }>`select to_jsonb(item) - ${without}::text[] as row from ${sql.table(table)} item
      where client_id = ${client} order by 1`.execute(db)
    parts[table] = rows.map(({ row }) => JSON.stringify(row))
  }
  return parts
}

const newest = async (): Promise<number> =>
  (await sql<{ id: number }>`select coalesce(max(id), 0) as id from audit_records`.execute(db)).rows[0]?.id ?? 0
const trailAfter = async (id: number) =>
  (
    await sql<{
      item_id: number
      user_id: number
      object_changes: unknown
    }>`select item_id, user_id, object_changes from audit_records where id > ${id} order by item_id`.execute(db)
  ).rows

// ---------------------------------------------------------------- the draws

test('exactly the records that are meant, reached and allowed change, and undoing leaves everything as it was', async () => {
  for (let draw = 0; draw < draws; draw++) await drawOne(draw)
  expect(tally.acts).toBeGreaterThan(draws / 4)
  expect(Math.min(tally.undone, tally.undoRefused, tally.denied, tally.refused)).toBeGreaterThan(0)
  const kept = await everything()
  await db.transaction().execute((tx) => rebuildFacts(tx, client))
  expect(await everything()).toEqual(kept)
}, 240_000)

async function drawOne(draw: number): Promise<void> {
  // Half of the users reach single accounts, where most goes wrong.
  const asker = one(random(2) ? askers.slice(-6) : askers)
  const kind = one<Kind>(['billable_account', 'supply_account'])
  const accounts = await accountsOf(kind)
  const { body, isMeant, ids } = drawSelection(asker, kind, accounts)
  const changes = drawChanges(asker, kind)
  const said = `draw ${draw} of ${asker.person.email}: ${kind} ${JSON.stringify({ ...body, changes })}`
  const send = (more: object) => ask(asker.person, 'POST', `/clients/${client}/${kind}s/bulk_changes`, { ...body, changes, ...more })

  const before = await everything()
  const since = await newest()
  const preview = await send({ dry_run: true })
  const denied = deniedWith(asker, kind, changes, accounts, ids)
  if (denied !== null) {
    tally.denied++
    expect(preview.status, `${said} ${preview.text}`).toBe(denied)
    expect((await send({ dry_run: false, token: 'x' })).status, said).toBe(denied)
    expect(await everything(), said).toEqual(before)
    return
  }
  const selected = accounts.filter((account) => isMeant(account) && reaches(asker, kind, account))
  const differing = selected.filter((account) => Object.keys(changesTo(account, changes)).length > 0)
  const allowed = differing.filter((account) => reaches(asker, kind, { ...account, ...changes }))
  tally.refused += differing.length - allowed.length
  expect(preview.body['counts'], `${said} ${preview.text.slice(0, 300)}`).toMatchObject({
    selected: selected.length,
    change: allowed.length,
    unchanged: selected.length - differing.length,
    refused: differing.length - allowed.length,
  })
  expect(await everything(), `${said}: a preview writes nothing`).toEqual(before)
  const done = await send({ dry_run: false, token: preview.body['token'] })
  expect(done.status, `${said} ${done.text}`).toBe(allowed.length > 0 ? 200 : 409)
  const expected = accounts.map((account) => (allowed.includes(account) ? { ...account, ...changes } : account))
  expect(await accountsOf(kind), said).toEqual(expected)
  const trail = allowed.map((account) => ({ item_id: account.id, user_id: asker.person.id, object_changes: changesTo(account, changes) }))
  expect(await trailAfter(since), said).toEqual(trail)
  if (allowed.length === 0) return
  tally.acts++
  tally.records += allowed.length
  if (random(3) > 0) await undoIt({ asker, id: done.body['id'], allowed, changes, before, said })
}

/** Returns the status that refuses the whole change, or null. */
function deniedWith(
  asker: Asker,
  kind: Kind,
  changes: Changes,
  accounts: readonly Account[],
  ids: readonly number[] | undefined,
): number | null {
  if (!asker.isInside) return 404
  if (asker.updates.length === 0) return 403
  if (typeof changes.facility_id === 'number' && !reachesFacility(asker, changes.facility_id)) return 422
  return ids && accounts.some((account) => ids.includes(account.id) && !reaches(asker, kind, account)) ? 404 : null
}

async function undoIt(parts: {
  asker: Asker
  id: unknown
  allowed: readonly Account[]
  changes: Changes
  before: object
  said: string
}): Promise<void> {
  const { asker, id, allowed, changes, before, said } = parts
  const may = allowed.every(
    (account) =>
      !('facility_id' in changes) ||
      account.facility_id === null ||
      account.facility_id === changes.facility_id ||
      reachesFacility(asker, account.facility_id),
  )
  const undone = await ask(asker.person, 'POST', `/clients/${client}/bulk_changes/${String(id)}/undo`)
  expect(undone.status, `undoing ${said} ${undone.text}`).toBe(may ? 200 : 409)
  if (may) expect(await everything(), `undoing ${said}`).toEqual(before)
  tally[may ? 'undone' : 'undoRefused']++
}
