/** Clients with whole estates, and beside each record what the test knows of it: what lies above it, its text, what it cost. */
import { sql } from 'kysely'
import { attachableOf, type AttachableType } from '#contract/documents/document.ts'
import { unitOfWork } from '../../src/server/kernel/context.ts'
import type { Database, Tx } from '../../src/server/kernel/postgres/database.ts'
import { everything } from '../../src/server/kernel/lists/resource.ts'
import { refreshFacts } from '../../src/server/month-facts/refresh-facts.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeLedgerAccount,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../support/estate.ts'
import { addBill } from '../support/fact-bills.ts'
import { quietMachinery } from '../support/toy-server.ts'
import { insert, makeDocument } from '../every-call/world.ts'

export const levels = ['division', 'facility', 'billable_account', 'supply_account'] as const
export type Level = (typeof levels)[number]

export const pluralOf = {
  division: 'divisions',
  facility: 'facilities',
  billable_account: 'billable_accounts',
  supply_account: 'supply_accounts',
} as const

export const kinds = [
  'clients',
  'batch_groups',
  'divisions',
  'facilities',
  'billable_accounts',
  'supply_accounts',
  'group_accounts',
  'group_supply_accounts',
  'services',
  'bills',
  'ledger_accounts',
  'ledger_fields',
  'client_vendor_numbers',
  'documents',
] as const
export type Kind = (typeof kinds)[number]

/** A record, what lies above it, and the text by which it is filtered. */
export interface Item {
  readonly kind: Kind
  readonly id: number
  readonly clientId: number
  readonly above: Readonly<Partial<Record<Level, number>>>
  readonly text: string
  /** The record to which a document is attached. */
  readonly on?: { readonly type: AttachableType; readonly id: number }
  /** Cents that the account's bills cost, where it is an account. */
  readonly cents?: number
  /** The group that the account belongs to. */
  readonly groupId?: number
}

export interface World {
  readonly items: readonly Item[]
  readonly clients: readonly { readonly id: number; readonly partnerId: number | null }[]
}

export const words = ['alder', 'beech', 'cedar', 'elm', 'fir'] as const
/** All bills are of this month, so that a dashboard as of the next one shows them whole. */
export const billedMonth = { from: '2026-01-01', to: '2026-02-01', asOf: '2026-02-15' } as const

type Db = Database['db']

export async function makeWorld(database: Database): Promise<World> {
  const { db } = database
  const partners = [await insert(db, 'channel_partners', { name: 'P1' }), await insert(db, 'channel_partners', { name: 'P2' })]
  const vendor = await makeVendor(db)
  const { rows } = await sql<{
    unit_id: number
  }>`select own.unit_id from usage_units own join utility_services kind on kind.id = own.utility_service_id
    where kind.name = 'Electric' and own.standard`.execute(db)
  const world: Growing = { items: [], clients: [], db, cents: 100, unit: rows[0]?.unit_id ?? 0 }
  for (const partnerId of [partners[0], partners[0], partners[1], partners[1], undefined])
    await makeEstate(world, partnerId ?? null, vendor)
  for (const { id } of world.clients) await makeFacts(database, id)
  return world
}

interface Growing {
  readonly db: Db
  readonly items: Item[]
  readonly clients: { readonly id: number; readonly partnerId: number | null }[]
  /** Cost of the next account. No two sums of accounts are equal by chance. */
  cents: number
  /** The unit of every line. */
  readonly unit: number
}

async function makeEstate(world: Growing, partnerId: number | null, vendor: number): Promise<void> {
  const { db, items, clients } = world
  const name = `Client ${words[clients.length] ?? ''}`
  const clientId = await makeClient(db, { name, ...(partnerId === null ? {} : { channel_partner_id: partnerId }) })
  clients.push({ id: clientId, partnerId })
  const add = (kind: Kind, id: number, text: string): void => void items.push({ kind, id, clientId, above: {}, text })
  for (const word of words) await keep(world, clientId, 'Client', clientId, {}, word)
  add('clients', clientId, name)
  add('batch_groups', await insert(db, 'batch_groups', { client_id: clientId, name: `Group ${name}` }), `Group ${name}`)
  add('ledger_accounts', await makeLedgerAccount(db, clientId, `Ledger ${name}`), `Ledger ${name}`)
  const field = { client_id: clientId, name: `Field ${name}`, description: 'x', order: 1 }
  add('ledger_fields', await insert(db, 'ledger_fields', field), `Field ${name}`)
  const number = await insert(db, 'client_vendor_numbers', { client_id: clientId, vendor_id: vendor, vendor_number: `Number ${name}` })
  add('client_vendor_numbers', number, `Number ${name}`)
  const groups: Groups = { billable_account: 0, supply_account: 0 }
  for (const word of words.slice(0, 3)) {
    const division = await makeDivision(db, clientId, { name: `Division ${word}` })
    items.push({ kind: 'divisions', id: division, clientId, above: { division }, text: `Division ${word}` })
    await keep(world, clientId, 'Division', division, { division }, word)
    for (const place of words.slice(1, 4)) await makeSite(world, { clientId, vendor, division, word, place, groups })
  }
  // It belongs to the client as a whole and has no facility, so a narrowed role reaches it only by its own id.
  await makeAccount(world, 'supply_account', {
    clientId,
    above: {},
    word: 'fir',
    place: 'nowhere',
    make: () => makeSupplyAccount(db, clientId, null, { name: 'Supply fir nowhere', account_number: 'Number-fir' }),
  })
}

type Groups = Record<'billable_account' | 'supply_account', number>

interface Site {
  readonly clientId: number
  readonly vendor: number
  readonly division: number
  readonly word: string
  readonly place: string
  readonly groups: Groups
}

/** A facility with an account of each kind; the client's first ones are groups, which gather every other account after them. */
async function makeSite(world: Growing, { clientId, vendor, division, word, place, groups }: Site): Promise<void> {
  const { db, items } = world
  const facility = await makeFacility(db, clientId, division, { name: `Facility ${place}` })
  const above = { division, facility }
  await sql`update facilities set portfolio_manager_property_id = id::text where client_id = ${clientId} and id = ${facility}`.execute(db)
  items.push({ kind: 'facilities', id: facility, clientId, above, text: `Facility ${place}` })
  await keep(world, clientId, 'Facility', facility, above, place)
  const named = (noun: string) => ({ name: `${noun} ${word} ${place}`, account_number: `Number-${word}` })
  if (groups.billable_account === 0) {
    groups.billable_account = await makeBillableAccount(db, clientId, facility, vendor, { ...named('Group'), is_group_account: true })
    const text = `Group ${word} ${place}`
    const one = { id: groups.billable_account, clientId, above: { ...above, billable_account: groups.billable_account }, text }
    items.push({ kind: 'billable_accounts', ...one, cents: 0 }, { kind: 'group_accounts', ...one })
    groups.supply_account = await makeSupplyAccount(db, clientId, facility, named('Group'))
    await sql`update supply_accounts set is_group_account = true where client_id = ${clientId} and id = ${groups.supply_account}`.execute(
      db,
    )
    const other = { id: groups.supply_account, clientId, above: { ...above, supply_account: groups.supply_account }, text }
    items.push({ kind: 'supply_accounts', ...other, cents: 0 }, { kind: 'group_supply_accounts', ...other })
  }
  const isGrouped = word !== 'alder'
  await makeAccount(world, 'billable_account', {
    clientId,
    above,
    word,
    place,
    ...(isGrouped ? { groupId: groups.billable_account } : {}),
    make: () => makeBillableAccount(db, clientId, facility, vendor, named('Account')),
  })
  await makeAccount(world, 'supply_account', {
    clientId,
    above,
    word,
    place,
    ...(isGrouped ? { groupId: groups.supply_account } : {}),
    make: () => makeSupplyAccount(db, clientId, facility, named('Supply')),
  })
}

interface Account {
  readonly clientId: number
  readonly above: Item['above']
  readonly word: string
  readonly place: string
  readonly groupId?: number
  readonly make: () => Promise<number>
}

/** An account with a document, a meter and a bill. */
async function makeAccount(
  world: Growing,
  level: 'billable_account' | 'supply_account',
  { clientId, above, word, place, groupId, make }: Account,
): Promise<void> {
  const { db, items } = world
  const id = await make()
  const over = { ...above, [level]: id }
  const cents = (world.cents = world.cents + 7 + (world.cents % 1_013))
  const isBillable = level === 'billable_account'
  const text = `${isBillable ? 'Account' : 'Supply'} ${word} ${place}`
  items.push({ kind: pluralOf[level], id, clientId, above: over, text, cents, ...(groupId === undefined ? {} : { groupId }) })
  await sql`update ${sql.table(pluralOf[level])} set ${sql.ref(isBillable ? 'group_account_id' : 'group_supply_account_id')} = ${groupId ?? null}
    where client_id = ${clientId} and id = ${id}`.execute(db)
  await keep(world, clientId, isBillable ? 'BillableAccount' : 'SupplyAccount', id, over, isBillable ? word : place)
  const owner = isBillable ? { billable_account_id: id } : { supply_account_id: id }
  const service = await makeService(db, clientId, owner, { meter_number: `Meter ${place}` })
  items.push({ kind: 'services', id: service, clientId, above: over, text: `Meter ${place}` })
  const amount = (cents / 100).toFixed(2)
  await sql`update services set portfolio_manager_meter_id = id::text where client_id = ${clientId} and id = ${service}`.execute(db)
  if (isBillable) await insert(db, 'budgets', { client_id: clientId, billable_account_id: id, month: billedMonth.from.slice(0, 7), amount })
  const line = {
    service_id: service,
    from: billedMonth.from,
    to: billedMonth.to,
    [isBillable ? 'utility' : 'supply']: amount,
    usage: '1',
    unit_id: world.unit,
  }
  const dates = { date: billedMonth.to, from: billedMonth.from, to: billedMonth.to }
  const bill = await addBill(db, clientId, { account: owner, ...dates, current_charges: amount, lines: [line] })
  await sql`update bills set account_number = ${`Number-${word}`}, division_id = ${above.division ?? null}, facility_id = ${above.facility ?? null}
    where client_id = ${clientId} and id = ${bill.id}`.execute(db)
  items.push({ kind: 'bills', id: bill.id, clientId, above: over, text: `Number-${word}` })
}

async function keep(
  { db, items }: Growing,
  clientId: number,
  type: AttachableType,
  id: number,
  above: Item['above'],
  word: string,
): Promise<void> {
  const place = type === 'Client' ? { on_client: true } : { [`${attachableOf(type)?.model}_id`]: id }
  const documentId = await makeDocument(db, clientId, place, word)
  items.push({ kind: 'documents', id: documentId, clientId, above, text: `Document ${word}`, on: { type, id } })
}

async function makeFacts(database: Database, clientId: number): Promise<void> {
  await database.db.transaction().execute(async (tx: Tx) => {
    const { rows } = await sql<{ id: number }>`select id from services where client_id = ${clientId}`.execute(tx)
    const unit = unitOfWork(
      tx,
      { principal: null, ip: null, requestId: 'oracle', connectionId: null },
      everything,
      quietMachinery(database),
    )
    await refreshFacts(
      tx,
      clientId,
      rows.map(({ id }) => id),
    )
    unit.context.touch(clientId)
    await unit.finish()
  })
}
