import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
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
import { addBill } from '../../../test/support/fact-bills.ts'
import { refreshFacts } from '../month-facts/refresh-facts.ts'
import { keepLastBills } from '../estate/last-bills.ts'

const app = await startTestApp()
const {
  ask,
  database: { db },
} = app
let admin: Person
let staff: Person
let client: number
let division: number
let facility: number
let vendor: number
let delivered: number
let meter: number

beforeAll(async () => {
  client = await makeClient(db, { name: 'Acme' })
  division = await makeDivision(db, client, { name: 'East' })
  facility = await makeFacility(db, client, division, { name: 'Plant' })
  vendor = await makeVendor(db, { name: 'Green Supply' })
  delivered = await makeBillableAccount(db, client, facility, vendor, { account_number: 'B-1' })
  meter = await makeService(db, client, { billable_account_id: delivered }, { utility_service: 'Electric' })
  admin = await makePerson(db, 'client_admin', { clients: [client] })
  staff = await makePerson(db, 'super_admin')
})

const path = () => `/clients/${client}/supply_accounts`
const address = { street_address_1: '1 Main', city: 'Austin', state: 'TX', zip: '78701' }
const draft = (account_number = 'S-100') => ({ name: 'Main supply', account_number, ...address })
const post = (supply_account: object, who = admin) => ask(who, 'POST', path(), { supply_account })
const patch = (id: number, supply_account: object, who = admin) => ask(who, 'PATCH', `${path()}/${id}`, { supply_account })
const made = async (supply_account: object): Promise<number> => {
  const answer = await post(supply_account)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return Number(answer.body['id'])
}

describe('supply accounts', () => {
  it('carry their fields and start active, monthly, with a cycle of 30 days, at no facility and of no vendor [SACC-FIELD-001] [SACC-FIELD-002] [SACC-FIELD-003] [SACC-FIELD-004] [SACC-FIELD-005] [SACC-TRANS-001] [SACC-API-001]', async () => {
    const bare = await made(draft('S-BARE'))
    expect((await ask(admin, 'GET', `${path()}/${bare}`)).body['supply_account']).toMatchObject({
      active: true,
      is_group_account: false,
      billing_period: 2,
      billing_cycle: 30,
      facility_id: null,
      vendor_id: null,
      facility: null,
      division_name: null,
      vendor_name: null,
      billable_service_ids: [],
      service_identifiers: [],
      tax_ids: [],
      aliases: [],
      audit_settings: {},
      last_bill_date: null,
    })
    const sent = {
      ...draft('S-FULL'),
      facility_id: facility,
      vendor_id: vendor,
      street_address_2: 'Dock',
      mailing_address: 'PO 1',
      mailing_city: 'Reno',
      mailing_state: 'NV',
      mailing_zipcode: '89501',
      billing_period: 3,
      billing_cycle: 90,
      notes: 'Through the broker',
      billable_service_ids: [meter],
    }
    const id = await made({ ...sent, service_identifiers: [' POD-1 ', 'POD-2', '', 'POD-1'], tax_ids: ['T-1'] })
    const stored = await ask(admin, 'GET', `${path()}/${id}`)
    expect(stored.body['supply_account']).toMatchObject({
      ...sent,
      service_identifiers: ['POD-1', 'POD-2'],
      tax_ids: ['T-1'],
      facility: 'Plant',
      division_name: 'East',
      vendor_name: 'Green Supply',
      services_count: 0,
    })
    const changed = await patch(id, { tax_ids: [], billable_service_ids: [], facility_id: null })
    expect(changed.body['supply_account']).toMatchObject({
      tax_ids: [],
      billable_service_ids: [],
      facility_id: null,
      service_identifiers: ['POD-1', 'POD-2'],
    })
    const { rows } = await sql<{ changes: object }>`select object_changes as changes from audit_records
      where item_type = 'supply_account' and item_id = ${id} and event = 'update'`.execute(db)
    expect(rows).toEqual([
      {
        changes: {
          tax_ids: { from: ['T-1'], to: [] },
          billable_service_ids: { from: [meter], to: [] },
          facility_id: { from: facility, to: null },
        },
      },
    ])
  })

  it('need name, number and address, and states of the list [SACC-RULE-001] [SACC-RULE-002]', async () => {
    const answer = await post({})
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({
      fields: {
        name: ['Name is required'],
        account_number: ['Account Number is required'],
        street_address_1: ['Street Address 1 is required'],
        city: ['City is required'],
        state: ['State is required'],
        zip: ['Zipcode is required'],
      },
    })
    for (const wrong of [
      { state: 'ZZ' },
      { mailing_state: 'ZZ' },
      { billing_period: 4 },
      { tax_ids: Array.from({ length: 21 }, (_, at) => `T${at}`) },
    ])
      expect((await post({ ...draft(), ...wrong })).status, JSON.stringify(wrong)).toBe(422)
    for (const state of ['DC', 'PR', 'ON']) expect((await post({ ...draft(`S-${state}`), state })).status).toBe(200)
  })

  it('link to services of billable accounts of their client that the writer reaches, and to nothing else [SACC-FIELD-002]', async () => {
    const elsewhere = await makeFacility(db, client, await makeDivision(db, client))
    const far = await makeService(db, client, { billable_account_id: await makeBillableAccount(db, client, elsewhere, vendor) })
    const own = await makeService(db, client, { supply_account_id: await makeSupplyAccount(db, client, facility) })
    const other = await makeClient(db)
    const theirs = await makeService(db, other, {
      billable_account_id: await makeBillableAccount(db, other, await makeFacility(db, other, await makeDivision(db, other)), vendor),
    })
    const narrow = await makePerson(db, 'client_manager', { clients: [client], division: [[client, division]] })
    const fieldErrors = async (ids: number[], who: Person) => {
      const answer = await post({ ...draft('S-LINK'), facility_id: facility, billable_service_ids: ids }, who)
      return { status: answer.status, errors: answer.body['errors'] }
    }
    const unknown = { fields: { billable_service_ids: ['This record cannot be found'] } }
    expect(await fieldErrors([theirs], staff)).toMatchObject({ status: 422, errors: unknown })
    expect(await fieldErrors([far], narrow)).toMatchObject({ status: 422, errors: unknown })
    expect(await fieldErrors([own], staff)).toMatchObject({
      status: 422,
      errors: { fields: { billable_service_ids: ['Billable Services must be services of billable accounts'] } },
    })
    // A link made by a user with more reach stays when the narrowed user saves the whole list.
    const id = await made({ ...draft('S-KEPT'), facility_id: facility, billable_service_ids: [far] })
    expect((await patch(id, { billable_service_ids: [far, meter] }, narrow)).body['supply_account']).toMatchObject({
      billable_service_ids: [meter, far].toSorted((a, b) => a - b),
    })
  })

  it('show their services and the date of their last bill [SACC-FIELD-004]', async () => {
    const id = await makeSupplyAccount(db, client, facility)
    await makeService(db, client, { supply_account_id: id }, { utility_service: 'Natural Gas' })
    await sql`insert into bills (client_id, supply_account_id, account_number, facility_id, date, due_date) values
      (${client}, ${id}, 'x', ${facility}, '2026-03-01', '2026-03-20'), (${client}, ${id}, 'x', ${facility}, '2026-05-02', '2026-05-20')`.execute(
      db,
    )
    await db.transaction().execute((tx) => keepLastBills(tx, client, { billable_account_ids: [], supply_account_ids: [id] }))
    expect((await ask(admin, 'GET', `${path()}/${id}`)).body['supply_account']).toMatchObject({
      services_count: 1,
      service_names: ['Natural Gas'],
      service_types: [{ name: 'Natural Gas' }],
      last_bill_date: '2026-05-02',
    })
  })

  it('are found by number, alias, vendor, facility and their own id, in one client and over all [SACC-API-002] [SACC-API-003]', async () => {
    const supplier = await makeVendor(db, { name: 'Broker' })
    const place = await makeFacility(db, client, await makeDivision(db, client))
    const id = await made({ ...draft('55-SUP-77'), name: 'Boiler', facility_id: place, vendor_id: supplier, aliases: ['OLD-9'] })
    for (const query of [
      `vendor_id=${supplier}`,
      `facility_id=${place}`,
      `supply_account_id=${id}`,
      'q[account_number]=sup-77',
      'search_term=boiler',
      'search_term=old-9',
    ])
      expect((await ask(admin, 'GET', `${path()}?${query}`)).body, query).toMatchObject({ total: 1, supply_accounts: [{ id }] })
    expect((await ask(staff, 'GET', `/supply_accounts?vendor_id=${supplier}`)).body).toMatchObject({
      total: 1,
      supply_accounts: [{ id, client: 'Acme' }],
    })
    const option = { id, name: 'Boiler', account_number: '55-SUP-77', client_id: client, vendor_name: 'Broker' }
    for (const asked of [
      `${path()}/account_number_search?search_term=SUP-7`,
      `${path()}/account_number_search?search_term=old-`,
      `${path()}/select_options?search_term=boiler`,
      '/supply_accounts/search?q=old-9',
    ])
      expect((await ask(admin, 'GET', asked)).body['supply_accounts'], asked).toEqual([option])
    // A user with a bill at hand may know only the street or the vendor of its account.
    await sql`update supply_accounts set street_address_1 = '77 Quay Road' where id = ${id}`.execute(db)
    for (const known of ['q=boiler&audit_log=true', 'search_term=quay road', 'search_term=broker', 'search_term=sup-77'])
      expect((await ask(admin, 'GET', `${path()}/search?${known}`)).body['supply_accounts'], known).toEqual([
        { ...option, street_address_1: '77 Quay Road' },
      ])
    expect((await ask(admin, 'GET', `${path()}/account_number_search?search_term=boiler`)).body).toMatchObject({ total: 0 })
  })

  it('of no facility are reached from the level of the client alone', async () => {
    const free = await makeSupplyAccount(db, client, null)
    const placed = await makeSupplyAccount(db, client, facility)
    const narrow = await makePerson(db, 'client_manager', { clients: [client], division: [[client, division]] })
    const one = await makePerson(db, 'client_manager', { clients: [client], supply_account: [[client, free]] })
    expect((await ask(narrow, 'GET', `${path()}/${placed}`)).status).toBe(200)
    expect((await ask(narrow, 'GET', `${path()}/${free}`)).status).toBe(404)
    const local = await makePerson(db, 'client_manager', { clients: [client], facility: [[client, facility]] })
    expect((await ask(local, 'GET', `${path()}/${placed}`)).status).toBe(200)
    expect((await ask(local, 'GET', `${path()}/${free}`)).status).toBe(404)
    expect((await ask(one, 'GET', path())).body).toMatchObject({ total: 1, supply_accounts: [{ id: free }] })
    expect((await post(draft('S-OUT'), narrow)).status).toBe(403)
    expect((await ask(admin, 'GET', `${path()}/${free}`)).status).toBe(200)
  })

  it('keep the copies on their bills right', async () => {
    const id = await makeSupplyAccount(db, client, null, { account_number: 'OLD' })
    await sql`insert into bills (client_id, supply_account_id, account_number, date, due_date) values (${client}, ${id}, 'OLD', '2026-03-01', '2026-03-20')`.execute(
      db,
    )
    expect((await patch(id, { account_number: 'NEW', facility_id: facility, vendor_id: vendor })).status).toBe(200)
    const { rows } =
      await sql`select account_number, facility_id, division_id, vendor_id from bills where supply_account_id = ${id}`.execute(db)
    expect(rows).toEqual([{ account_number: 'NEW', facility_id: facility, division_id: division, vendor_id: vendor }])
  })

  it('count the usage that a linked service meters already once, from the moment they are linked', async () => {
    const id = await makeSupplyAccount(db, client, facility)
    const own = await makeService(db, client, { supply_account_id: id }, { utility_service: 'Electric' })
    const lines = [{ service_id: own, from: '2025-11-01', to: '2025-12-01', supply: '25.00', usage: '500' }]
    await addBill(db, client, { account: { supply_account_id: id }, date: '2025-12-02', current_charges: '25.00', lines })
    await refreshFacts(db, client, [own])
    const supplied = async () => {
      const { rows } = await sql<
        Record<string, unknown>
      >`select usage, supply_usage, cost from service_month_facts where service_id = ${own}`.execute(db)
      return rows
    }
    expect(await supplied()).toEqual([{ usage: '500.000000', supply_usage: null, cost: '25.00' }])
    expect((await patch(id, { billable_service_ids: [meter] })).status).toBe(200)
    expect(await supplied()).toEqual([{ usage: null, supply_usage: '500.000000', cost: '25.00' }])
    expect((await patch(id, { billable_service_ids: [] })).status).toBe(200)
    expect(await supplied()).toEqual([{ usage: '500.000000', supply_usage: null, cost: '25.00' }])
  })

  it('say what still hangs on them when they are to be deleted, and go when nothing does [PERM-PERM-021]', async () => {
    const id = await makeSupplyAccount(db, client, facility)
    const service = await makeService(db, client, { supply_account_id: id })
    await sql`insert into bills (client_id, supply_account_id, account_number, date, due_date) values (${client}, ${id}, 'x', '2026-03-01', '2026-03-20')`.execute(
      db,
    )
    expect((await ask(admin, 'DELETE', `${path()}/${id}`)).status).toBe(403)
    const refused = await ask(staff, 'DELETE', `${path()}/${id}`)
    expect(refused).toMatchObject({
      status: 409,
      body: { success: false, message: 'This account still has services and bills. Take them away first, or set the account inactive.' },
    })
    await sql`delete from bills where supply_account_id = ${id}`.execute(db)
    await sql`delete from services where id = ${service}`.execute(db)
    expect((await ask(staff, 'DELETE', `${path()}/${id}`)).body).toEqual({ success: true, message: 'Supply Account deleted' })
    expect((await ask(staff, 'GET', `${path()}/${id}`)).status).toBe(404)
    const reader = await makePerson(db, 'read_only_user', { clients: [client] })
    expect((await post(draft('S-READ'), reader)).status).toBe(403)
    expect((await patch(await makeSupplyAccount(db, client, facility), { name: 'x' }, reader)).status).toBe(403)
  })

  it('are exported by the server, lists in one cell each [SACC-EXPORT-001]', async () => {
    await made({ ...draft('S-EXPORT'), service_identifiers: ['POD-8', '=POD-9'], tax_ids: ['=1+1'], aliases: ['A-1', 'A-2'] })
    const started = await ask(admin, 'GET', `${path()}/export_csv?q[account_number]=S-EXPORT&connection_id=x`)
    expect(started.body).toMatchObject({ success: true, message: 'Supply Accounts export started' })
    const [head = '', row = ''] = (await exportedText(app, admin, started.body['task_id'])).trim().split('\n')
    const cells = Object.fromEntries(head.split(',').map((name, at) => [name, row.split(',')[at]]))
    expect(cells).toMatchObject({ 'Service Identifiers': 'POD-8; =POD-9', 'Tax IDs': "'=1+1", Aliases: 'A-1; A-2' })
  })
})

describe('what both kinds of accounts carry beyond', () => {
  const kinds = [
    { model: 'billable_account', plural: 'billable_accounts', more: () => ({ facility_id: facility, vendor_id: vendor }) },
    { model: 'supply_account', plural: 'supply_accounts', more: () => ({ vendor_id: vendor }) },
  ] as const

  it.each(kinds)(
    '$plural: effective dates in their order, settings of audits, a history that names both',
    async ({ model, plural, more }) => {
      const at = `/clients/${client}/${plural}`
      const send = (values: object, id?: number) =>
        ask(admin, id === undefined ? 'POST' : 'PATCH', id === undefined ? at : `${at}/${id}`, { [model]: values })
      const sent = {
        effective_from: '2026-01-01',
        effective_to: '2026-12-31',
        audits_off: true,
        accruals_off: true,
        audit_settings: { usage_high_warning_percent: 45, min_cost: '10.00', disabled_codes: ['usage_same'] },
      }
      const answer = await send({ ...draft(`E-${model}`), ...more(), ...sent })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      const id = Number(answer.body['id'])
      expect((await ask(admin, 'GET', `${at}/${id}`)).body[model]).toMatchObject(sent)
      expect((await send({ effective_to: '2025-12-31' }, id)).body['errors']).toMatchObject({
        fields: { effective_to: ['Effective To must not be before Effective From'] },
      })
      for (const audit_settings of [{ usage_high_warning_percent: -1 }, { unheard_of: 1 }, { min_cost: 'ten' }, 5])
        expect((await send({ audit_settings }, id)).status, JSON.stringify(audit_settings)).toBe(422)
      expect((await send({ effective_to: null, audit_settings: { min_cost: '20.00' } }, id)).body[model]).toMatchObject({
        effective_to: null,
        audit_settings: { min_cost: '20.00' },
      })
      const history = await ask(admin, 'GET', `/clients/${client}/history/${model}/${id}`)
      expect(history.body).toMatchObject({
        history: [
          {
            event: 'update',
            changes: [
              { label: 'Effective To', from: '12/31/2026', to: null },
              {
                label: 'Audit Settings',
                from: 'Smaller bills give no warnings 10.00 · Audits that do not run usage_same · High usage: warning from 45',
                to: 'Smaller bills give no warnings 20.00',
              },
            ],
          },
          {},
        ],
      })
    },
  )

  it.each(kinds)(
    '$plural: up to five aliases, none of them the number or an alias of another account of the vendor',
    async ({ model, plural, more }) => {
      const at = `/clients/${client}/${plural}`
      const create = (values: object) => ask(admin, 'POST', at, { [model]: { ...draft(`A-${model}`), ...more(), ...values } })
      const supplier = await makeVendor(db)
      const taken = await create({ account_number: `TAKEN-${model}`, vendor_id: supplier, aliases: [`ALSO-${model}`] })
      expect(taken.status, JSON.stringify(taken.body)).toBe(200)
      for (const alias of [`TAKEN ${model}`, `ALSO${model}`])
        expect((await create({ vendor_id: supplier, aliases: ['FREE', alias] })).body['errors'], alias).toMatchObject({
          fields: { aliases: [`${alias} is a number or an alias of another account of the same vendor`] },
        })
      expect((await create({ vendor_id: supplier, aliases: ['1', '2', '3', '4', '5', '6'] })).status).toBe(422)
      const other = await create({ account_number: `OTHER-${model}`, vendor_id: await makeVendor(db), aliases: [`TAKEN-${model}`] })
      expect(other.status, JSON.stringify(other.body)).toBe(200)
      const id = Number(other.body['id'])
      const moved = await ask(admin, 'PATCH', `${at}/${id}`, { [model]: { vendor_id: supplier } })
      expect(moved).toMatchObject({ status: 422, body: { errors: { fields: { aliases: [expect.any(String)] } } } })
      const kept = await ask(admin, 'PATCH', `${at}/${id}`, { [model]: { aliases: [`TAKEN-${model}`, 'SECOND'] } })
      expect(kept.body[model]).toMatchObject({ aliases: [`TAKEN-${model}`, 'SECOND'] })
      const { rows } = await sql<{ changes: object }>`select object_changes as changes from audit_records
      where item_type = ${model} and item_id = ${id} and event = 'update'`.execute(db)
      expect(rows).toEqual([{ changes: { aliases: { from: [`TAKEN-${model}`], to: [`TAKEN-${model}`, 'SECOND'] } } }])
      expect((await ask(admin, 'PATCH', `${at}/${id}`, { [model]: { aliases: ['SECOND'] } })).body[model]).toMatchObject({
        aliases: ['SECOND'],
      })
      expect((await ask(admin, 'GET', `${at}/account_number_search?search_term=second`)).body[plural]).toMatchObject([{ id }])
    },
  )

  it('show the thresholds that they would overwrite: the installation’s and the client’s over the product’s', async () => {
    await sql`update clients set audit_settings = '{"min_cost": "75.00"}' where id = ${client}`.execute(db)
    const { body } = await ask(admin, 'GET', `/clients/${client}/audit_settings`)
    expect(body['audit_settings']).toMatchObject({ min_cost: '75.00', usage_high_warning_percent: 30, disabled_codes: [] })
  })
})
