/**
 * Lists answer what the reader's roles reach: no row less, no row more. Random people with random roles ask every list of the hierarchy,
 * filtered, sorted and paged at random; the test knows from its own copy of the data what each must see. `SCOPE_SEED` draws other people.
 * Who sees which users follows other rules: `src/server/users/user-reach.test.ts` has the oracle of those.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attachableOf, attachables, type AttachableType } from '#contract/document.ts'
import type { RoleName } from '#contract/rights.ts'
import { addRole, makePerson, startTestApp, type Person, type RoleScope } from './support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeLedgerAccount,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from './support/estate.ts'
import { exportedText } from './support/exports.ts'
import { insert, makeBill, makeDocument } from './every-call/world.ts'

const seed = Number(process.env['SCOPE_SEED'] ?? 20_260_202)
const people = 60
const draws = 18
const { ask, database } = await startTestApp()
const { db } = database
const tally = { pages: 0, rows: 0, refused: 0, exports: 0 }
afterAll(() =>
  console.log(
    `scope-oracle: seed ${seed}, ${people} people, ${tally.pages.toLocaleString('en-US')} pages with ${tally.rows.toLocaleString('en-US')} rows, ${tally.refused} refused, ${tally.exports} exports`,
  ),
)

const levels = ['division', 'facility', 'billable_account', 'supply_account'] as const
type Level = (typeof levels)[number]
const kinds = [
  'clients',
  'batch_groups',
  'divisions',
  'facilities',
  'billable_accounts',
  'services',
  'bills',
  'ledger_accounts',
  'client_vendor_numbers',
  'documents',
] as const
type Kind = (typeof kinds)[number]

/** A record, what lies above it, and the text by which it is filtered. */
interface Item {
  readonly kind: Kind | 'supply_accounts'
  readonly id: number
  readonly clientId: number
  readonly above: Readonly<Partial<Record<Level, number>>>
  readonly text: string
  /** What a document hangs on. */
  readonly on?: { readonly type: AttachableType; readonly id: number }
}

const items: Item[] = []
const clients: { readonly id: number; readonly partnerId: number | null }[] = []

beforeAll(async () => {
  const partners = [await insert(db, 'channel_partners', { name: 'P1' }), await insert(db, 'channel_partners', { name: 'P2' })]
  const vendor = await makeVendor(db)
  for (const partnerId of [partners[0], partners[0], partners[1], partners[1], undefined]) await makeEstate(partnerId ?? null, vendor)
})

async function makeEstate(partnerId: number | null, vendor: number): Promise<void> {
  const name = `Client ${words[clients.length] ?? ''}`
  const clientId = await makeClient(db, { name, ...(partnerId === null ? {} : { channel_partner_id: partnerId }) })
  clients.push({ id: clientId, partnerId })
  const add = (kind: Item['kind'], id: number, above: Item['above'], text: string) => void items.push({ kind, id, clientId, above, text })
  const keep = async (type: AttachableType, id: number, above: Item['above'], word: string): Promise<void> => {
    const place = type === 'Client' ? { on_client: true } : { [`${attachableOf(type)?.model}_id`]: id }
    const documentId = await makeDocument(db, clientId, place, word)
    items.push({ kind: 'documents', id: documentId, clientId, above, text: `Document ${word}`, on: { type, id } })
  }
  for (const word of words) await keep('Client', clientId, {}, word)
  add('clients', clientId, {}, name)
  add('batch_groups', await insert(db, 'batch_groups', { client_id: clientId, name: `Group ${name}` }), {}, `Group ${name}`)
  add('ledger_accounts', await makeLedgerAccount(db, clientId, `Ledger ${name}`), {}, `Ledger ${name}`)
  const number = await insert(db, 'client_vendor_numbers', { client_id: clientId, vendor_id: vendor, vendor_number: `Number ${name}` })
  add('client_vendor_numbers', number, {}, `Number ${name}`)
  for (const word of words.slice(0, 3)) {
    const division = await makeDivision(db, clientId, { name: `Division ${word}` })
    add('divisions', division, { division }, `Division ${word}`)
    await keep('Division', division, { division }, word)
    for (const place of words.slice(1, 4)) {
      const facility = await makeFacility(db, clientId, division, { name: `Facility ${place}` })
      const above = { division, facility }
      add('facilities', facility, above, `Facility ${place}`)
      await keep('Facility', facility, above, place)
      const billable_account = await makeBillableAccount(db, clientId, facility, vendor, {
        name: `Account ${word} ${place}`,
        account_number: `Number-${word}`,
      })
      add('billable_accounts', billable_account, { ...above, billable_account }, `Account ${word} ${place}`)
      const supply_account = await makeSupplyAccount(db, clientId, facility, { account_number: `Number-${word}` })
      add('supply_accounts', supply_account, { ...above, supply_account }, '')
      await keep('BillableAccount', billable_account, { ...above, billable_account }, word)
      await keep('SupplyAccount', supply_account, { ...above, supply_account }, place)
      for (const owner of [{ billable_account_id: billable_account }, { supply_account_id: supply_account }] as const) {
        const over = { ...above, ...('billable_account_id' in owner ? { billable_account } : { supply_account }) }
        add('services', await makeService(db, clientId, owner, { meter_number: `Meter ${place}` }), over, `Meter ${place}`)
        const bill = await makeBill(db, { clientId, divisionId: division, facilityId: facility, mark: word }, owner)
        add('bills', bill, over, `Number-${word}`)
      }
    }
  }
}

const words = ['alder', 'beech', 'cedar', 'elm', 'fir'] as const

// ---------------------------------------------------------------- who asks

interface RoleRow {
  readonly role: RoleName
  readonly clients: readonly number[]
  readonly partnerId?: number
  readonly narrowed: Readonly<Partial<Record<Level, readonly number[]>>>
}

const chance = fc.nat({ max: 1_000_000 })
const clientRoles: readonly RoleName[] = ['client_admin', 'client_manager', 'client_user', 'read_only_user']

/** One to three role rows: of a client as a whole, of parts of one client, of a partner, of the provider. */
const rolesOfPerson = fc.array(fc.record({ way: fc.nat({ max: 9 }), picks: fc.array(chance, { minLength: 8, maxLength: 8 }) }), {
  minLength: 1,
  maxLength: 3,
})

function roleRow({ way, picks }: { way: number; picks: readonly number[] }): RoleRow {
  const some = clients.filter((_, at) => ((picks[0] ?? 0) >> at) % 2 === 1).map(({ id }) => id)
  const role = clientRoles[(picks[1] ?? 0) % clientRoles.length] ?? 'client_user'
  if (way === 0) return { role: 'super_admin', clients: [], narrowed: {} }
  if (way === 1) return { role: 'muc_admin', clients: some, narrowed: {} }
  if (way === 2) {
    const partnerId = clients[(picks[1] ?? 0) % 4]?.partnerId
    return { role: 'channel_partner_admin', clients: [], ...(typeof partnerId === 'number' ? { partnerId } : {}), narrowed: {} }
  }
  if (way < 6) return { role, clients: some, narrowed: {} }
  const clientId = clients[(picks[2] ?? 0) % clients.length]?.id ?? 0
  const narrowed = Object.fromEntries(
    levels.flatMap((level, at) => {
      const pick = picks[3 + at] ?? 0
      const within = items.filter((item) => item.clientId === clientId && item.kind === pluralOf[level])
      const chosen = within.filter((_, place) => (pick >> place) % 4 === 1).map(({ id }) => id)
      return pick % 2 === 0 || chosen.length === 0 ? [] : [[level, chosen] as const]
    }),
  )
  return { role, clients: [clientId], narrowed }
}

const pluralOf = {
  division: 'divisions',
  facility: 'facilities',
  billable_account: 'billable_accounts',
  supply_account: 'supply_accounts',
} as const

async function personOf(rows: readonly RoleRow[]): Promise<Person> {
  const person = await makePerson(db, null)
  for (const { role, clients: ids, partnerId, narrowed } of rows) {
    const clientId = ids[0] ?? 0
    const inside = Object.fromEntries(Object.entries(narrowed).map(([level, list]) => [level, list.map((id) => [clientId, id] as const)]))
    const scope: RoleScope = { clients: ids, ...(partnerId === undefined ? {} : { channel_partner_id: partnerId }), ...inside }
    await addRole(db, person.id, role, scope)
  }
  return person
}

// ---------------------------------------------------------------- what they must see

function clientsOf(row: RoleRow): readonly number[] {
  const all = clients.map(({ id }) => id)
  if (row.role === 'super_admin') return all
  if (row.role === 'muc_admin') return row.clients.length === 0 ? all : row.clients
  if (row.role === 'channel_partner_admin') return clients.filter(({ partnerId }) => partnerId === row.partnerId).map(({ id }) => id)
  return row.clients
}

/**
 * The client's own name and its batch groups stand above all its parts; ledger accounts are for those who see the client as a whole, and so
 * are documents that hang on the client itself.
 */
function sees(row: RoleRow, item: Item): boolean {
  if (!clientsOf(row).includes(item.clientId)) return false
  const parts = Object.entries(row.narrowed)
  if (parts.length === 0 || item.kind === 'clients' || item.kind === 'batch_groups') return true
  if (item.kind === 'ledger_accounts' || item.kind === 'client_vendor_numbers') return false
  return levels.some((level) => {
    const id = item.above[level]
    return id !== undefined && (row.narrowed[level]?.includes(id) ?? false)
  })
}

interface Expected {
  readonly status: number
  readonly ids: readonly number[]
}

function expectedOf(rows: readonly RoleRow[], { kind, clientId, owner, type, word }: Draw): Expected {
  const reaching = rows.filter((row) => (clientId === undefined ? clientsOf(row).length > 0 : clientsOf(row).includes(clientId)))
  if (reaching.length === 0) return { status: clientId === undefined ? 403 : 404, ids: [] }
  if (kind === 'ledger_accounts' && reaching.every(({ narrowed }) => Object.keys(narrowed).length > 0)) return { status: 403, ids: [] }
  if (owner && !rows.some((row) => sees(row, owner))) return { status: 404, ids: [] }
  const seen = items.filter(
    (item) =>
      item.kind === kind &&
      (clientId === undefined || item.clientId === clientId) &&
      (!owner || levels.some((level) => owner.kind === pluralOf[level] && item.above[level] === owner.id)) &&
      (type === undefined || (item.on?.type === type && (!owner || item.on.id === owner.id))) &&
      item.text.includes(word) &&
      rows.some((row) => sees(row, item)),
  )
  return { status: 200, ids: seen.map(({ id }) => id).toSorted((a, b) => a - b) }
}

// ---------------------------------------------------------------- what they ask

interface Draw {
  readonly kind: Kind
  readonly path: string
  readonly clientId?: number
  /** The account whose services are asked for, or the record whose documents. */
  readonly owner?: Item
  /** The level of the documents. */
  readonly type?: AttachableType
  readonly word: string
  readonly query: string
}

const filterOf: Readonly<Record<Kind, string>> = {
  clients: 'name_cont',
  batch_groups: 'name_cont',
  divisions: 'name_cont',
  facilities: 'name_cont',
  billable_accounts: 'name_cont',
  services: 'meter_number_cont',
  bills: 'account_number_cont',
  ledger_accounts: '',
  client_vendor_numbers: 'vendor_number_cont',
  documents: 'title_cont',
}
const sortsOf: Readonly<Record<Kind, readonly string[]>> = {
  clients: ['name', 'short_code', 'id'],
  batch_groups: ['name', 'id'],
  divisions: ['name', 'code', 'client', 'id'],
  facilities: ['name', 'number', 'division_name', 'id'],
  billable_accounts: ['name', 'account_number', 'facility', 'city', 'id'],
  services: ['rank', 'meter_number', 'id'],
  bills: ['created_at', 'date', 'account_number', 'amount_due', 'id'],
  ledger_accounts: [],
  client_vendor_numbers: ['vendor_name', 'vendor_number', 'id'],
  documents: ['title', 'filename', 'byte_size', 'created_at', 'id'],
}
const everywhere: readonly Kind[] = ['clients', 'divisions', 'facilities', 'billable_accounts', 'bills']

function drawOf(picks: readonly number[]): Draw {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = picks
  const kind = kinds[a % kinds.length] ?? 'clients'
  const isAll = kind === 'clients' || (b % 3 === 0 && everywhere.includes(kind))
  const clientId = clients[b % clients.length]?.id ?? 0
  const word = kind !== 'ledger_accounts' && c % 3 === 0 ? (words[c % words.length] ?? '') : ''
  const sort = sortsOf[kind][d % sortsOf[kind].length]
  const query = [
    ...(word === '' ? [] : [`q[${filterOf[kind]}]=${word.toUpperCase()}`]),
    ...(sort === undefined ? [] : [`q[s]=${sort}%20${e % 2 === 0 ? 'asc' : 'desc'}`]),
    `per=${[2, 7, 50][e % 3] ?? 7}`,
  ].join('&')
  if (isAll) return { kind, path: `/${kind}`, word, query }
  const base = `/clients/${clientId}`
  if (kind === 'ledger_accounts') return { kind, path: `${base}/ledger_accounts/select_options`, clientId, word, query: 'per=50' }
  if (kind === 'documents') return documentsDraw({ kind, clientId, word }, query, [c, d, e])
  if (kind !== 'services') return { kind, path: `${base}/${kind}`, clientId, word, query }
  const owners = items.filter((item) => item.clientId === clientId && item.kind.endsWith('_accounts') && item.kind !== 'ledger_accounts')
  const owner = owners[d % owners.length]
  return { kind, path: `${base}/${owner?.kind ?? ''}/${owner?.id ?? 0}/services`, clientId, word, query, ...(owner ? { owner } : {}) }
}

/** Documents of a level, or of one record of it. */
function documentsDraw(draw: Pick<Draw, 'kind' | 'clientId' | 'word'>, query: string, [c, d, e]: readonly [number, number, number]): Draw {
  const base = `/clients/${draw.clientId}`
  const { value: type, plural } = attachables[d % attachables.length] ?? attachables[0]
  const records = items.filter((item) => item.clientId === draw.clientId && item.kind === plural)
  const owner = e % 2 === 0 && type !== 'Client' ? records[c % records.length] : undefined
  if (owner) return { ...draw, type, owner, path: `${base}/${plural}/${owner.id}/documents`, query }
  return { ...draw, type, path: `${base}/documents`, query: `${query}&type=${type}` }
}

/** All pages together: each row once, as many as the total says. */
async function pagesOf(person: Person, { kind, path, query }: Draw): Promise<Expected> {
  const ids: number[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await ask(person, 'GET', `${path}?${query}&page=${page}`)
    tally.pages++
    if (status !== 200) return { status, ids }
    const rows = idsIn(body[kind])
    ids.push(...rows)
    tally.rows += rows.length
    if (rows.length === 0 || ids.length >= Number(body['total'])) {
      expect(ids.length, `${path}?${query}: total`).toBe(body['total'])
      return { status, ids: ids.toSorted((a, b) => a - b) }
    }
  }
}

function idsIn(rows: unknown): number[] {
  const list: unknown[] = Array.isArray(rows) ? rows : []
  return list.flatMap((row) => (typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'number' ? [row.id] : []))
}

describe('lists answer exactly what the reader reaches [PERM-PERM-001]', () => {
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
    for (const draw of questions.map(drawOf)) {
      const expected = expectedOf(rows, draw)
      expect({ draw, rows, ...(await pagesOf(person, draw)) }).toEqual({ draw, rows, ...expected })
      if (expected.status !== 200) tally.refused++
    }
    if (at % 6 === 0) await exportIsAlike(rows, person)
  })

  test('that was asked often enough to mean something', () => {
    expect(tally.pages).toBeGreaterThan(1_000)
    expect(tally.rows).toBeGreaterThan(1_000)
    expect(tally.refused).toBeGreaterThan(10)
    expect(tally.exports).toBeGreaterThan(3)
  })
})

/** The file of an export holds the names that its list shows. */
async function exportIsAlike(rows: readonly RoleRow[], person: Person): Promise<void> {
  for (const { id: clientId } of clients) {
    const draw: Draw = { kind: 'facilities', path: '', clientId, word: '', query: '' }
    const expected = expectedOf(rows, draw)
    const started = await ask(person, 'GET', `/clients/${clientId}/facilities/export_csv`)
    expect(started.status).toBe(expected.status)
    if (expected.status !== 200) continue
    const lines = (await exportedText({ ask }, person, started.body['task_id'])).trimEnd().split('\n').slice(1)
    expect(lines).toHaveLength(expected.ids.length)
    const names = items.filter((item) => item.kind === 'facilities' && expected.ids.includes(item.id)).map(({ text }) => text)
    expect(lines.map((line) => /Facility \w+/.exec(line)?.[0]).toSorted()).toEqual(names.toSorted())
    tally.exports++
    return
  }
}
