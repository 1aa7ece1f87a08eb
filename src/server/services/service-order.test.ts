/** Tests the order of an account's services, which services may be deleted, and the ledger accounts that their charges are booked on. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeLedgerAccount,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../../../test/support/estate.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let staff: Person
let client: number
let facility: number
let vendor: number

beforeAll(async () => {
  client = await makeClient(db)
  facility = await makeFacility(db, client, await makeDivision(db, client))
  vendor = await makeVendor(db)
  staff = await makePerson(db, 'super_admin')
})

interface Meter {
  id: number
  meter_number: string
  rank: number
  lock_version: number
}
const listed = async (at: string, query = ''): Promise<Meter[]> => {
  const { body } = await ask(staff, 'GET', `${at}${query}`)
  const found: unknown = body['services']
  if (!Array.isArray(found)) throw new Error(JSON.stringify(body))
  return found
}
const meters = async (at: string) => (await listed(at)).map(({ meter_number, rank }) => `${rank} ${meter_number}`)

describe.each([
  ['billable_accounts', 'billable_account_id'],
  ['supply_accounts', 'supply_account_id'],
] as const)('the services of %s', (path, key) => {
  const account = async (names: readonly string[]) => {
    const id =
      key === 'billable_account_id'
        ? await makeBillableAccount(db, client, facility, vendor)
        : await makeSupplyAccount(db, client, facility)
    const owner = key === 'billable_account_id' ? { billable_account_id: id } : { supply_account_id: id }
    const ids: number[] = []
    for (const name of names) ids.push(await makeService(db, client, owner, { meter_number: name }))
    return { id, ids, at: `/clients/${client}/${path}/${id}/services` }
  }

  it('take an order as a whole: ranks 1 to n, each move in the trail, and a new version for open forms [SVC-FIELD-003] [SVC-RULE-007]', async () => {
    const { at, ids } = await account(['a', 'b', 'c'])
    const [a = 0, b = 0, c = 0] = ids
    const before = await listed(at)
    expect(await ask(staff, 'PUT', `${at}/order`, { service_ids: [c, a, b] })).toMatchObject({
      status: 200,
      body: { success: true, message: 'Services put in order' },
    })
    expect(await meters(at)).toEqual(['1 c', '2 a', '3 b'])
    expect(await meters(`${at}?q[s]=rank%20desc`)).toEqual(['3 b', '2 a', '1 c'])
    // The first one already had rank 1: it did not move.
    const { rows } = await sql`select item_id, object_changes from audit_records where item_type = 'service' and event = 'update'
      and item_id = any(${ids}::bigint[]) order by item_id`.execute(db)
    expect(rows).toEqual([
      { item_id: a, object_changes: { rank: { from: 1, to: 2 } } },
      { item_id: b, object_changes: { rank: { from: 1, to: 3 } } },
    ])
    const old = before.find((row) => row.id === a)
    const late = await ask(staff, 'PATCH', `${at}/${a}`, { service: { rank: 7, lock_version: old?.lock_version } })
    expect(late.status).toBe(409)
  })

  it('refuse an order of an older list, of a part, of strangers and of doubles, and stay as they were', async () => {
    const { at, ids } = await account(['a', 'b', 'c'])
    const [a = 0, b = 0, c = 0] = ids
    const [stranger = 0] = (await account(['x'])).ids
    const stale = { status: 409, body: { code: 'refused', message: expect.stringContaining('changed meanwhile') } }
    expect(await ask(staff, 'PUT', `${at}/order`, { service_ids: [c, b] })).toMatchObject(stale)
    expect(await ask(staff, 'PUT', `${at}/order`, { service_ids: [c, b, stranger] })).toMatchObject(stale)
    expect(await ask(staff, 'PUT', `${at}/order`, { service_ids: [c, b, a, stranger] })).toMatchObject(stale)
    expect((await ask(staff, 'PUT', `${at}/order`, { service_ids: [c, b, b] })).status).toBe(422)
    expect((await ask(staff, 'PUT', `${at}/order`, { service_ids: [] })).status).toBe(422)
    expect(await meters(at)).toEqual(['1 a', '1 b', '1 c'])
  })

  it('show those that are inactive last', async () => {
    const { at, ids } = await account(['a', 'b', 'c'])
    await ask(staff, 'PUT', `${at}/order`, { service_ids: ids })
    await ask(staff, 'PATCH', `${at}/${ids[0] ?? 0}`, { service: { active: false } })
    expect(await meters(at)).toEqual(['2 b', '3 c', '1 a'])
  })

  it('are put in order by whoever may change them and reaches the account', async () => {
    const { at, ids } = await account(['a', 'b'])
    const reader = await makePerson(db, 'read_only_user', { clients: [client] })
    expect((await ask(reader, 'PUT', `${at}/order`, { service_ids: ids })).status).toBe(403)
    const manager = await makePerson(db, 'client_manager', { clients: [client], facility: [[client, facility]] })
    expect((await ask(manager, 'PUT', `${at}/order`, { service_ids: ids.toReversed() })).status).toBe(200)
    const elsewhere = await makePerson(db, 'client_manager', {
      clients: [client],
      facility: [[client, await makeFacility(db, client, await makeDivision(db, client))]],
    })
    expect((await ask(elsewhere, 'PUT', `${at}/order`, { service_ids: ids })).status).toBe(404)
  })

  it('keep when they are in use, and what audits and accruals do with them', async () => {
    const { at, ids } = await account(['a'])
    const one = `${at}/${ids[0] ?? 0}`
    const sent = {
      effective_from: '2025-01-01',
      effective_to: '2026-06-30',
      audits_off: true,
      accruals_off: true,
      net_metered: true,
      audit_settings: { usage_high_warning_percent: 55 },
    }
    expect((await ask(staff, 'PATCH', one, { service: sent })).body['service']).toMatchObject(sent)
    const { rows } = await sql<{
      changes: object
    }>`select object_changes as changes from audit_records where item_type = 'service' and item_id = ${ids[0]}`.execute(db)
    expect(rows.at(-1)?.changes).toMatchObject({ audit_settings: { from: {}, to: { usage_high_warning_percent: 55 } } })
    expect(await ask(staff, 'PATCH', one, { service: { effective_to: '2024-12-31' } })).toMatchObject({
      status: 422,
      body: { errors: { fields: { effective_to: ['Effective To must not be before Effective From'] } } },
    })
    expect((await ask(staff, 'PATCH', one, { service: { audit_settings: { no_such_audit: 1 } } })).status).toBe(422)
    expect((await ask(staff, 'PATCH', one, { service: { audit_settings: {} } })).body['service']).toMatchObject({ audit_settings: {} })
  })
})

describe('a service', () => {
  it('that bills carry, or that a supply account is linked to, is not deleted: the answer says to deactivate it', async () => {
    const home = await makeBillableAccount(db, client, facility, vendor)
    const at = `/clients/${client}/billable_accounts/${home}/services`
    const billed = await makeService(db, client, { billable_account_id: home })
    const linked = await makeService(db, client, { billable_account_id: home })
    const { rows } = await sql<{ id: number }>`insert into bills (client_id, billable_account_id, account_number, date, due_date)
      values (${client}, ${home}, 'x', '2026-01-31', '2026-02-20') returning id`.execute(db)
    await sql`insert into service_bills (client_id, bill_id, service_id) values (${client}, ${rows[0]?.id}, ${billed})`.execute(db)
    const supplier = await makeSupplyAccount(db, client, facility)
    await link(supplier, linked)
    const answers = await Promise.all([billed, linked].map((id) => ask(staff, 'DELETE', `${at}/${id}`)))
    expect(answers.map(({ status, body }) => [status, body['message']])).toEqual([
      [409, 'Bills carry this service, so it cannot be deleted. Set it to inactive instead.'],
      [409, 'A supply account is linked to this service. Take the link away first, or set the service to inactive.'],
    ])
    expect((await ask(staff, 'PATCH', `${at}/${billed}`, { service: { active: false } })).status).toBe(200)
    const [water] = (await sql<{ id: number }>`select id from utility_services where name = 'Water'`.execute(db)).rows
    expect((await ask(staff, 'PATCH', `${at}/${billed}`, { service: { utility_service_id: water?.id } })).body['errors']).toMatchObject({
      fields: { utility_service_id: ['Utility Service cannot change once bills carry the service'] },
    })
  })
})

describe('billable ledgers', () => {
  it('book a supply service like the service that it supplies; without them it is booked on its own [SVC-FIELD-004]', async () => {
    const [office, plant, own] = [
      await makeLedgerAccount(db, client, 'Office'),
      await makeLedgerAccount(db, client, 'Plant'),
      await makeLedgerAccount(db, client, 'Own'),
    ]
    const home = await makeBillableAccount(db, client, facility, vendor, { account_number: 'HOME-1' })
    const gas = await makeService(db, client, { billable_account_id: home }, { utility_service: 'Natural Gas' })
    const electric = await makeService(db, client, { billable_account_id: home }, { meter_number: 'E-77' })
    const supplier = await makeSupplyAccount(db, client, facility)
    await link(supplier, gas)
    await link(supplier, electric)
    const at = `/clients/${client}/supply_accounts/${supplier}/services`
    const id = await makeService(db, client, { supply_account_id: supplier }, { meter_number: 'S-77' })
    const save = async (path: string, service: object) => (await ask(staff, 'PATCH', path, { service })).body['service']
    const shares = [
      { ledger_account_id: office, share_ratio: '0.6' },
      { ledger_account_id: plant, share_ratio: '0.4' },
    ]
    await save(`/clients/${client}/billable_accounts/${home}/services/${electric}`, { shared_accounts_attributes: shares })
    const booked = (ledger_account_id: number, ledger_account_name: string, share_ratio: string) => ({
      ledger_account_id,
      ledger_account_name,
      share_ratio,
    })
    expect(await save(`${at}/${id}`, { ledger_account_id: own })).toMatchObject({
      // The gas meter is linked too, but this service is electric.
      linked_services: [{ id: electric, meter_number: 'E-77', account_id: home, account_number: 'HOME-1' }],
      effective_ledgers: [booked(own, 'Own', '1.0000')],
    })
    expect(await save(`${at}/${id}`, { billable_ledgers: true })).toMatchObject({
      effective_ledgers: [booked(office, 'Office', '0.6000'), booked(plant, 'Plant', '0.4000')],
    })
    await sql`delete from supply_account_billable_services where supply_account_id = ${supplier}`.execute(db)
    expect((await ask(staff, 'GET', `${at}/${id}`)).body['service']).toMatchObject({ linked_services: [], effective_ledgers: [] })
  })

  it('name no meter of an account outside the reach', async () => {
    const far = await makeFacility(db, client, await makeDivision(db, client))
    const home = await makeBillableAccount(db, client, far, vendor)
    const supplier = await makeSupplyAccount(db, client, facility)
    await link(supplier, await makeService(db, client, { billable_account_id: home }, { meter_number: 'FAR' }))
    const id = await makeService(db, client, { supply_account_id: supplier })
    const near = await makePerson(db, 'client_manager', { clients: [client], facility: [[client, facility]] })
    const one = `/clients/${client}/supply_accounts/${supplier}/services/${id}`
    expect((await ask(near, 'GET', one)).body['service']).toMatchObject({ linked_services: [] })
    expect((await ask(staff, 'GET', one)).body['service']).toMatchObject({ linked_services: [{ meter_number: 'FAR' }] })
  })
})

function link(supplier: number, service: number) {
  return sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) values (${client}, ${supplier}, ${service})`.execute(
    db,
  )
}
