/**
 * Tests that the search finds exactly the accounts that match all filters and are in the reader's reach. Random people search with random
 * filters; the test computes the expected result from its own copy of the data. `SEARCH_SEED` selects another sequence.
 */
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RoleName } from '#contract/access/rights.ts'
import { addRole, makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { insert } from '../../../test/every-call/world.ts'

const seed = Number(process.env['SEARCH_SEED'] ?? 20_261_121)
const people = 45
const draws = 26
const {
  ask,
  database: { db },
} = await startTestApp()
const tally = { asked: 0, found: 0, empty: 0, refused: 0, pages: 0, exports: 0 }
afterAll(() =>
  console.log(
    `search-oracle: seed ${seed}, ${tally.asked} searches, ${tally.found} accounts found, ${tally.empty} searches found nothing, ${tally.refused} refused, ${tally.pages} pages, ${tally.exports} exports`,
  ),
)

const levels = ['division', 'facility', 'billable_account', 'supply_account'] as const
type Level = (typeof levels)[number]

interface Meter {
  readonly number: string
  readonly kind: string
  readonly name: string | null
  readonly rate: string | null
}
interface Account {
  readonly kind: 'billable_accounts' | 'supply_accounts'
  readonly id: number
  readonly clientId: number
  readonly above: Readonly<Partial<Record<Level, number>>>
  readonly number: string
  readonly name: string
  readonly vendor: number | null
  readonly facilityNumber: string | null
  readonly active: boolean
  readonly group: boolean
  readonly state: string
  readonly taxIds: readonly string[]
  readonly points: readonly string[]
  readonly aliases: readonly string[]
  readonly meters: readonly Meter[]
  readonly lastBill: string | null
}

const accounts: Account[] = []
const clients: { readonly id: number; readonly partnerId: number | null }[] = []
const divisions: { readonly id: number; readonly clientId: number }[] = []
const facilities: { readonly id: number; readonly clientId: number; readonly number: string }[] = []
const vendors: number[] = []
const services = new Map<string, number>()

const numbers = ['100-20 30', '1002030', '77 4-1', 'AB-9', '9%_1', '20']
const names = ['Boiler', 'boiler house', 'Roof 100', 'Depot', '50% share']
const kinds = ['Electric', 'Water', 'Natural Gas']
const dates = [null, '2025-11-30', '2026-01-15', '2026-01-16', '2026-02-28']
const states = ['TX', 'NV', 'ON']

/** Returns the same world for the same number. Each property varies at its own pace. */
const pick = <T>(from: readonly T[], at: number, pace: number): T => {
  const found = from[Math.floor(at / pace) % from.length]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}

beforeAll(async () => {
  const partners = [await insert(db, 'channel_partners', { name: 'P1' }), await insert(db, 'channel_partners', { name: 'P2' })]
  for (const name of ['City Power', 'Gas Works']) vendors.push(await makeVendor(db, { name }))
  const { rows } = await sql<{ id: number; name: string }>`select id, name from utility_services`.execute(db)
  for (const row of rows) services.set(row.name, row.id)
  for (const partnerId of [partners[0], partners[1], undefined]) await makeEstate(partnerId ?? null)
})

async function makeEstate(partnerId: number | null): Promise<void> {
  const clientId = await makeClient(db, partnerId === null ? {} : { channel_partner_id: partnerId })
  clients.push({ id: clientId, partnerId })
  for (let d = 0; d < 2; d++) {
    const division = await makeDivision(db, clientId)
    divisions.push({ id: division, clientId })
    for (let f = 0; f < 2; f++) {
      const facility = await makeFacility(db, clientId, division)
      const number = `F-${f}${d}`
      await sql`update facilities set number = ${number} where id = ${facility}`.execute(db)
      facilities.push({ id: facility, clientId, number })
      for (let a = 0; a < 4; a++) await makeAccount({ clientId, division, facility, facilityNumber: number }, a === 3)
    }
  }
  await makeAccount({ clientId, division: null, facility: null, facilityNumber: null }, true)
}

interface Place {
  readonly clientId: number
  readonly division: number | null
  readonly facility: number | null
  readonly facilityNumber: string | null
}

async function makeAccount(place: Place, isSupply: boolean): Promise<void> {
  const at = accounts.length
  const common = { name: pick(names, at, 2), account_number: pick(numbers, at, 1) }
  const vendor = isSupply && at % 2 === 0 ? null : pick(vendors, at, 3)
  const id =
    isSupply || place.facility === null
      ? await makeSupplyAccount(db, place.clientId, place.facility, common)
      : await makeBillableAccount(db, place.clientId, place.facility, vendor ?? 0, common)
  const table = isSupply ? 'supply_accounts' : 'billable_accounts'
  const key = isSupply ? 'supply_account' : 'billable_account'
  const lastBill = pick(dates, at, 1)
  const account: Account = {
    kind: table,
    id,
    clientId: place.clientId,
    above: {
      [key]: id,
      ...(place.facility === null || place.division === null ? {} : { division: place.division, facility: place.facility }),
    },
    number: common.account_number,
    name: common.name,
    vendor,
    facilityNumber: place.facilityNumber,
    active: at % 4 > 0,
    group: at % 5 === 0,
    state: pick(states, at, 2),
    taxIds: at % 3 === 0 ? [] : isSupply ? [`T-${at % 7}`, 'T-X'] : [`T-${at % 7}`],
    points: isSupply && at % 2 === 1 ? [`POD ${at % 4}`] : [],
    aliases: at % 3 === 1 ? [`OLD ${at % 6}-1`] : [],
    meters: Array.from({ length: at % 3 }, (_, place_) => meterOf(at + place_)),
    lastBill,
  }
  accounts.push(account)
  await store(account, key)
}

function meterOf(at: number): Meter {
  return {
    number: `M ${at % 9}-0${at % 2}`,
    kind: pick(kinds, at, 1),
    name: at % 2 === 0 ? 'Night tariff' : null,
    rate: at % 4 === 0 ? 'GS-2' : null,
  }
}

async function store(account: Account, key: 'billable_account' | 'supply_account'): Promise<void> {
  const { kind, id, clientId } = account
  const own =
    key === 'supply_account'
      ? sql`tax_ids = ${[...account.taxIds]}, service_identifiers = ${[...account.points]}, vendor_id = ${account.vendor}`
      : sql`tax_id = ${account.taxIds[0] ?? null}`
  await sql`update ${sql.table(kind)} set active = ${account.active}, is_group_account = ${account.group}, state = ${account.state},
    last_bill_date = ${account.lastBill}, ${own} where id = ${id}`.execute(db)
  for (const alias of account.aliases) await insert(db, 'account_aliases', { client_id: clientId, [`${key}_id`]: id, alias })
  for (const meter of account.meters) {
    const owner = key === 'supply_account' ? { supply_account_id: id } : { billable_account_id: id }
    const service = await makeService(db, clientId, owner, { meter_number: meter.number, utility_service: meter.kind })
    await sql`update services set service_name_1 = ${meter.name}, rate_schedule = ${meter.rate} where id = ${service}`.execute(db)
  }
}

// ---------------------------------------------------------------- searches

interface Asked {
  readonly query: string
  readonly fits: (account: Account) => boolean
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[ -]/g, '')
/** Compares without spaces and dashes, unless nothing else was typed. */
const holdsPlain = (text: string, typed: string) => (plain(typed) === '' ? text.includes(typed) : plain(text).includes(plain(typed)))
const holds = (text: string | null, typed: string) => text?.toLowerCase().includes(typed.toLowerCase()) ?? false
/** Compares number and name, and from three letters on also meters and aliases. */
const standsSomewhere = (one: Account, typed: string) =>
  holdsPlain(one.number, typed) ||
  holds(one.name, typed) ||
  (plain(typed).length >= 3 &&
    (one.meters.some((meter) => holdsPlain(meter.number, typed)) || one.aliases.some((alias) => holdsPlain(alias, typed))))
const write = (key: string, value: string | number) => `q[${key}]=${encodeURIComponent(String(value))}`
const typedNumbers = ['10', '02', '2030', '100 2-030', '-', '%', '_', '4 1', 'ab9', '2 0', 'zzz']

const filters: readonly ((at: number) => Asked)[] = [
  (at) => from(typedNumbers, at, (typed) => [write('account_number', typed), (one) => holdsPlain(one.number, typed)]),
  (at) =>
    from(['1002030', 'AB9', '20'], at, (typed) => [
      write('account_number_eq', typed),
      (one) => one.number.replaceAll(/[ -]/g, '') === typed,
    ]),
  (at) => from(['boiler', '100', '%', 'o'], at, (typed) => [write('name', typed), (one) => holds(one.name, typed)]),
  (at) =>
    from(['m0', '-0', '01', '3 0'], at, (typed) => [
      write('meter_number', typed),
      (one) => one.meters.some((meter) => holdsPlain(meter.number, typed)),
    ]),
  (at) =>
    from(['old1', '1', '4-1'], at, (typed) => [write('alias', typed), (one) => one.aliases.some((alias) => holdsPlain(alias, typed))]),
  (at) =>
    from(['10', 'old', 'm 40', 'm 30', 'house', '%', 'd', '0-3', 'house 10', '1 house', 'old1 m0', '0 1'], at, (typed) => [
      write('text', typed),
      (one) => standsSomewhere(one, typed) || (plain(typed).length >= 3 && typed.split(' ').every((word) => standsSomewhere(one, word))),
    ]),
  (at) =>
    from(['night', 'zz'], at, (typed) => [write('service_name', typed), (one) => one.meters.some((meter) => holds(meter.name, typed))]),
  (at) =>
    from(['gs', 'GS-2'], at, (typed) => [write('rate_schedule', typed), (one) => one.meters.some((meter) => holds(meter.rate, typed))]),
  () => ({ query: write('rate_schedule_null', 'true'), fits: (one) => one.meters.every((meter) => meter.rate === null) }),
  (at) =>
    from(kinds, at, (kind) => [
      write('utility_service_id', services.get(kind) ?? 0),
      (one) => one.meters.some((meter) => meter.kind === kind),
    ]),
  (at) =>
    from(kinds, at, (kind) => [
      write('utility_service_id_not_eq', services.get(kind) ?? 0),
      (one) => one.meters.every((meter) => meter.kind !== kind),
    ]),
  (at) => from(['t-', 'T-3', 'x'], at, (typed) => [write('tax_id', typed), (one) => one.taxIds.some((tax) => holds(tax, typed))]),
  (at) => from(['pod', '3'], at, (typed) => [write('service_identifier', typed), (one) => one.points.some((point) => holds(point, typed))]),
  (at) => from(vendors, at, (vendor) => [write('vendor_id', vendor), (one) => one.vendor === vendor]),
  () => ({ query: write('vendor_id_null', 'true'), fits: (one) => one.vendor === null }),
  (at) => from(divisions, at, ({ id }) => [write('division_id', id), (one) => one.above.division === id]),
  (at) =>
    from(facilities, at, ({ id }) => {
      const other = pick(facilities, at + 3, 1).id
      return [write('facility_id_in', `${id},${other}`), (one) => one.above.facility === id || one.above.facility === other]
    }),
  (at) => from(['f-0', '1', 'F-11'], at, (typed) => [write('facility_number', typed), (one) => holds(one.facilityNumber, typed)]),
  (at) => from(clients, at, ({ id }) => [write('client_id', id), (one) => one.clientId === id]),
  (at) => from([true, false], at, (active) => [write('active', String(active)), (one) => one.active === active]),
  (at) => from(states, at, (state) => [write('state', state), (one) => one.state === state]),
  () => ({ query: write('account_type', 'GroupAccount'), fits: (one) => one.group }),
  () => ({ query: write('account_type', 'SupplyAccount'), fits: (one) => one.kind === 'supply_accounts' }),
  () => ({ query: write('account_type_in', 'BillableAccount,GroupAccount'), fits: (one) => one.kind === 'billable_accounts' || one.group }),
  (at) => fromDates(at, (day) => [write('last_bill_date_gteq', day), (one) => one.lastBill !== null && one.lastBill >= day]),
  (at) => fromDates(at, (day) => [write('last_bill_date_lteq', day), (one) => one.lastBill !== null && one.lastBill <= day]),
  (at) => fromDates(at, (day) => [write('no_bill_since', day), (one) => one.lastBill === null || one.lastBill < day]),
]

function from<T>(values: readonly T[], at: number, make: (value: T) => readonly [string, (account: Account) => boolean]): Asked {
  const [query, fits] = make(pick(values, at, 1))
  return { query, fits }
}

function fromDates(at: number, make: (day: string) => readonly [string, (account: Account) => boolean]): Asked {
  return from(['2025-11-30', '2026-01-15', '2026-01-16', '2026-03-01'], at, make)
}

// ---------------------------------------------------------------- readers

interface RoleRow {
  readonly role: RoleName
  readonly clients: readonly number[]
  readonly partnerId?: number
  readonly narrowed: Readonly<Partial<Record<Level, readonly number[]>>>
}
const chance = fc.nat({ max: 1_000_000 })
const rolesOfPerson = fc.array(fc.record({ way: fc.nat({ max: 9 }), picks: fc.array(chance, { minLength: 7, maxLength: 7 }) }), {
  minLength: 1,
  maxLength: 3,
})

function roleRow({ way, picks }: { way: number; picks: readonly number[] }): RoleRow {
  const [a = 0, b = 0] = picks
  const some = clients.filter((_, at) => (a >> at) % 2 === 1).map(({ id }) => id)
  const role = pick(['client_admin', 'client_manager', 'client_user', 'read_only_user'] as const, b, 1)
  if (way === 0) return { role: 'super_admin', clients: [], narrowed: {} }
  if (way === 1) return { role: 'muc_admin', clients: some, narrowed: {} }
  if (way === 2) return { role: 'channel_partner_admin', clients: [], partnerId: clients[b % 2]?.partnerId ?? 0, narrowed: {} }
  if (way < 5) return { role, clients: some, narrowed: {} }
  const clientId = pick(clients, b, 1).id
  const narrowed = Object.fromEntries(
    levels.flatMap((level, at) => {
      const within = [...new Set(accounts.filter((one) => one.clientId === clientId).flatMap((one) => one.above[level] ?? []))]
      const chosen = within.filter((_, place) => ((picks[2 + at] ?? 0) >> place) % 4 === 1)
      return (picks[2 + at] ?? 0) % 2 === 0 || chosen.length === 0 ? [] : [[level, chosen] as const]
    }),
  )
  return { role, clients: [clientId], narrowed }
}

async function personOf(rows: readonly RoleRow[]): Promise<Person> {
  const person = await makePerson(db, null)
  for (const { role, clients: ids, partnerId, narrowed } of rows) {
    const clientId = ids[0] ?? 0
    const inside = Object.fromEntries(Object.entries(narrowed).map(([level, list]) => [level, list.map((id) => [clientId, id] as const)]))
    await addRole(db, person.id, role, { clients: ids, ...(partnerId === undefined ? {} : { channel_partner_id: partnerId }), ...inside })
  }
  return person
}

function clientsOf(row: RoleRow): readonly number[] {
  const all = clients.map(({ id }) => id)
  if (row.role === 'super_admin') return all
  if (row.role === 'muc_admin') return row.clients.length === 0 ? all : row.clients
  if (row.role === 'channel_partner_admin') return clients.filter(({ partnerId }) => partnerId === row.partnerId).map(({ id }) => id)
  return row.clients
}

function sees(row: RoleRow, account: Account): boolean {
  if (!clientsOf(row).includes(account.clientId)) return false
  if (Object.keys(row.narrowed).length === 0) return true
  return levels.some((level) => {
    const id = account.above[level]
    return id !== undefined && (row.narrowed[level]?.includes(id) ?? false)
  })
}

// ---------------------------------------------------------------- the comparison

interface Draw {
  readonly clientId: number | undefined
  readonly asked: readonly Asked[]
  readonly sort: string
}

function drawOf([a = 0, b = 0, c = 0, d = 0, e = 0]: readonly number[]): Draw {
  const chosen = [a, b, c].slice(0, 1 + (d % 3)).map((at) => pick(filters, at, 1)(e + at))
  // If a filter is given twice, the last one counts, so each is used once.
  const once = chosen.filter((one, at) => chosen.findLastIndex((other) => other.query.split('=')[0] === one.query.split('=')[0]) === at)
  const sort = pick(
    ['account_number asc', 'name desc', 'last_bill_date desc', 'facility_name asc', 'vendor_name desc', 'client_name asc', 'id desc'],
    e,
    1,
  )
  return { clientId: d % 2 === 0 ? undefined : pick(clients, e, 1).id, asked: once, sort }
}

const ids = (rows: readonly Account[], kind: Account['kind']) =>
  rows
    .filter((one) => one.kind === kind)
    .map(({ id }) => id)
    .toSorted((x, y) => x - y)

function expectedOf(rows: readonly RoleRow[], { clientId, asked }: Draw) {
  const reaching = rows.filter((row) => (clientId === undefined ? clientsOf(row).length > 0 : clientsOf(row).includes(clientId)))
  if (reaching.length === 0) return { status: clientId === undefined ? 403 : 404 }
  const found = accounts.filter(
    (one) =>
      (clientId === undefined || one.clientId === clientId) && asked.every(({ fits }) => fits(one)) && rows.some((row) => sees(row, one)),
  )
  const acc_ids = { billable_accounts: ids(found, 'billable_accounts'), supply_accounts: ids(found, 'supply_accounts') }
  return { status: 200, acc_ids, totals: [acc_ids.billable_accounts.length, acc_ids.supply_accounts.length] }
}

const pathOf = ({ clientId, asked, sort }: Draw) =>
  `${clientId === undefined ? '' : `/clients/${clientId}`}/advanced_search?${asked.map(({ query }) => query).join('&')}&q[s]=${encodeURIComponent(sort)}`

async function answered(person: Person, path: string) {
  const { status, body } = await ask(person, 'GET', path)
  if (status !== 200) return { status }
  return { status, acc_ids: body['acc_ids'], totals: [body['billable_accounts_total'], body['supply_accounts_total']] }
}

/** Reads all pages, which must show each account once. */
async function pagedIds(person: Person, path: string, kind: Account['kind']): Promise<number[]> {
  const all: number[] = []
  for (let page = 1; ; page++) {
    const { body } = await ask(person, 'GET', `${path}&kind=${kind}&page=${page}&per=4&with_total=false&with_ids=false`)
    const rows: readonly { readonly id: number }[] = Array.isArray(body[kind]) ? body[kind] : []
    tally.pages++
    all.push(...rows.map(({ id }) => id))
    if (rows.length < 4) return all.toSorted((x, y) => x - y)
  }
}

/** Checks that the file holds what the search finds, though it is read in one statement without lookups. */
async function exportIsAlike(person: Person, path: string, expected: ReturnType<typeof expectedOf>): Promise<void> {
  const started = await ask(person, 'GET', path.replace('/advanced_search?', '/advanced_search/export_csv?'))
  expect(started.status, path).toBe(expected.status)
  if (!expected.acc_ids) return
  const lines = (await exportedText({ ask }, person, started.body['task_id'])).trimEnd().split('\n').slice(1)
  const found = (type: string) =>
    lines.flatMap((line) => (line.includes(`,${type},`) ? [Number(line.split(',')[0])] : [])).toSorted((x, y) => x - y)
  expect({ path, billable_accounts: found('BillableAccount'), supply_accounts: found('SupplyAccount') }).toEqual({
    path,
    ...expected.acc_ids,
  })
  tally.exports++
}

describe('what random people find', () => {
  const drawn = fc.sample(
    fc.tuple(rolesOfPerson, fc.array(fc.array(chance, { minLength: 5, maxLength: 5 }), { minLength: draws, maxLength: draws })),
    {
      numRuns: people,
      seed,
    },
  )

  test.for(drawn.map(([roles, questions], at) => ({ at, roles, questions })))('person $at', async ({ at, roles, questions }) => {
    const rows = roles.map(roleRow)
    const person = await personOf(rows)
    for (const [turn, draw] of questions.map(drawOf).entries()) {
      const path = pathOf(draw)
      const expected = expectedOf(rows, draw)
      expect({ path, rows, ...(await answered(person, path)) }).toEqual({ path, rows, ...expected })
      tally.asked++
      if (at % 5 === 0 && turn === 0) await exportIsAlike(person, path, expected)
      const { acc_ids } = expected
      if (!acc_ids) tally.refused++
      else if (acc_ids.billable_accounts.length + acc_ids.supply_accounts.length === 0) tally.empty++
      else {
        tally.found += acc_ids.billable_accounts.length + acc_ids.supply_accounts.length
        const kind = turn % 2 === 0 ? 'billable_accounts' : 'supply_accounts'
        if (turn % 4 < 2) expect(await pagedIds(person, path, kind), path).toEqual(acc_ids[kind])
      }
    }
  })

  test('was asked for often enough to mean something', () => {
    expect(tally.asked).toBeGreaterThan(1_000)
    expect(tally.found).toBeGreaterThan(3_000)
    expect(tally.refused).toBeGreaterThan(10)
    expect(tally.exports).toBeGreaterThan(3)
    expect(tally.empty).toBeLessThan(tally.asked * 0.6)
  })
})
