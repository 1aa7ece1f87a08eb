import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeService, makeVendor } from '../../../test/support/estate.ts'
import { keepLastBills } from '../estate/last-bills.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let admin: Person
let staff: Person
let client: number
let facility: number
let vendor: number

beforeAll(async () => {
  client = await makeClient(db, { name: 'Acme' })
  facility = await makeFacility(db, client, await makeDivision(db, client, { name: 'East' }), { name: 'Plant' })
  vendor = await makeVendor(db, { name: 'City Power' })
  admin = await makePerson(db, 'client_admin', { clients: [client] })
  staff = await makePerson(db, 'super_admin')
})

const path = () => `/clients/${client}/billable_accounts`
const address = { street_address_1: '1 Main', city: 'Austin', state: 'TX', zip: '78701' }
const draft = () => ({ facility_id: facility, vendor_id: vendor, name: 'Main', account_number: '100-1', ...address })

describe('billable accounts', () => {
  it('carry their fields and start active with a cycle of 30 days [BACC-FIELD-001] [BACC-FIELD-002] [BACC-FIELD-003] [BACC-FIELD-004] [BACC-FIELD-005] [BACC-TRANS-001] [BACC-TRANS-002] [BACC-CONST-003] [BACC-API-001]', async () => {
    const { rows } = await sql<{ id: number }>`select id from utility_services where name = 'Electric'`.execute(db)
    const sent = {
      ...draft(),
      utility_service_id: rows[0]?.id,
      tax_id: 'T-1',
      street_address_2: 'Dock',
      mailing_address: 'PO 1',
      mailing_city: 'Reno',
      mailing_state: 'NV',
      mailing_zipcode: '89501',
      billing_period: 2,
      notes: 'Gate code 5',
    }
    const made = await ask(admin, 'POST', path(), { billable_account: sent })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const { body } = await ask(admin, 'GET', `${path()}/${String(made.body['id'])}`)
    expect(body['billable_account']).toMatchObject({ ...sent, active: true, is_group_account: false, billing_cycle: 30 })
    const changed = await ask(admin, 'PATCH', `${path()}/${String(made.body['id'])}`, {
      billable_account: { active: false, billing_period: 0 },
    })
    expect(changed.body['billable_account']).toMatchObject({ active: false, billing_period: 0, notes: 'Gate code 5' })
  })

  it('need facility, vendor, name, number and address, and a state of the list [BACC-RULE-002] [BACC-RULE-003] [BACC-FIELD-008]', async () => {
    const answer = await ask(admin, 'POST', path(), { billable_account: {} })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({
      fields: {
        facility_id: ['Facility is required'],
        vendor_id: ['Vendor is required'],
        name: ['Name is required'],
        account_number: ['Account Number is required'],
        street_address_1: ['Street Address 1 is required'],
        city: ['City is required'],
        state: ['State is required'],
        zip: ['Zipcode is required'],
      },
    })
    for (const wrong of [{ state: 'ZZ' }, { mailing_state: 'ZZ' }, { billing_period: 4 }]) {
      expect((await ask(admin, 'POST', path(), { billable_account: { ...draft(), ...wrong } })).status).toBe(422)
    }
    for (const state of ['DC', 'PR', 'ON'])
      expect((await ask(admin, 'POST', path(), { billable_account: { ...draft(), state } })).status).toBe(200)
  })

  it('show what hangs on them: services, last bill, facility, vendor [BACC-FIELD-006] [SVC-RULE-001]', async () => {
    const id = await makeBillableAccount(db, client, facility, vendor)
    await makeService(db, client, { billable_account_id: id }, { utility_service: 'Electric' })
    await makeService(db, client, { billable_account_id: id }, { utility_service: 'Water' })
    await makeService(db, client, { billable_account_id: id }, { utility_service: 'Water' })
    await sql`insert into bills (client_id, billable_account_id, account_number, vendor_id, facility_id, date, due_date) values
      (${client}, ${id}, 'x', ${vendor}, ${facility}, '2026-03-01', '2026-03-20'), (${client}, ${id}, 'x', ${vendor}, ${facility}, '2026-05-02', '2026-05-20')`.execute(
      db,
    )
    await db.transaction().execute((tx) => keepLastBills(tx, client, { billable_account_ids: [id], supply_account_ids: [] }))
    const { body } = await ask(admin, 'GET', `${path()}/${id}`)
    expect(body['billable_account']).toMatchObject({
      services_count: 3,
      service_names: ['Electric', 'Water'],
      service_types: [
        { name: 'Electric', symbol: 'kWh' },
        { name: 'Water', symbol: 'kgal' },
      ],
      last_bills_date: '2026-05-02',
      facility: 'Plant',
      division_name: 'East',
      vendor_name: 'City Power',
    })
  })

  it('are found by number, by vendor, by facility and by their own id [BACC-API-002] [BACC-API-003] [BACC-API-005]', async () => {
    const supplier = await makeVendor(db, { name: 'Other Gas' })
    const place = await makeFacility(db, client, await makeDivision(db, client))
    const id = await makeBillableAccount(db, client, place, supplier, { name: 'Boiler', account_number: '55-GAS-77' })
    for (const query of [
      `vendor_id=${supplier}`,
      `facility_id=${place}`,
      `billable_account_id=${id}`,
      'q[account_number]=gas-77',
      'search_term=boiler',
    ]) {
      expect((await ask(admin, 'GET', `${path()}?${query}`)).body, query).toMatchObject({ total: 1, billable_accounts: [{ id }] })
    }
    expect((await ask(staff, 'GET', `/billable_accounts?vendor_id=${supplier}`)).body).toMatchObject({
      total: 1,
      billable_accounts: [{ id, client: 'Acme' }],
    })
    const option = { id, name: 'Boiler', account_number: '55-GAS-77', client_id: client, vendor_name: 'Other Gas' }
    expect((await ask(admin, 'GET', `${path()}/account_number_search?search_term=GAS-7`)).body['billable_accounts']).toEqual([option])
    expect((await ask(admin, 'GET', `${path()}/account_number_search?search_term=boiler&audit_log=true`)).body).toMatchObject({ total: 0 })
    expect((await ask(admin, 'GET', '/billable_accounts/search?q=boiler&audit_log=true')).body['billable_accounts']).toEqual([option])
    expect((await ask(admin, 'GET', `${path()}/select_options?search_term=boiler`)).body['billable_accounts']).toEqual([option])
  })

  it('stay what they are while services hang on them: a group account or none [BACC-RULE-001]', async () => {
    const id = await makeBillableAccount(db, client, facility, vendor)
    const turn = (is_group_account: boolean) => ask(admin, 'PATCH', `${path()}/${id}`, { billable_account: { is_group_account } })
    expect((await turn(true)).body).toMatchObject({ billable_account: { is_group_account: true } })
    expect((await turn(false)).status).toBe(200)
    await makeService(db, client, { billable_account_id: id })
    const refused = await turn(true)
    expect(refused.status).toBe(422)
    expect(refused.body['errors']).toMatchObject({
      fields: { is_group_account: ['Group Account cannot change once the account has services'] },
    })
    expect((await ask(admin, 'PATCH', `${path()}/${id}`, { billable_account: { is_group_account: false, name: 'Same' } })).status).toBe(200)
  })

  it('keep the copies on their bills right; a bill in a payment keeps its vendor', async () => {
    const id = await makeBillableAccount(db, client, facility, vendor, { account_number: 'OLD' })
    await sql`insert into bills (client_id, billable_account_id, account_number, vendor_id, facility_id, date, due_date, paid) values
      (${client}, ${id}, 'OLD', ${vendor}, ${facility}, '2026-03-01', '2026-03-20', true), (${client}, ${id}, 'OLD', ${vendor}, ${facility}, '2026-04-01', '2026-04-20', false)`.execute(
      db,
    )
    const division = await makeDivision(db, client)
    const [place, supplier] = [await makeFacility(db, client, division), await makeVendor(db)]
    expect(
      (
        await ask(admin, 'PATCH', `${path()}/${id}`, {
          billable_account: { account_number: 'NEW', facility_id: place, vendor_id: supplier },
        })
      ).status,
    ).toBe(200)
    const { rows } =
      await sql`select account_number, facility_id, division_id, vendor_id, paid from bills where billable_account_id = ${id} order by date`.execute(
        db,
      )
    const moved = { account_number: 'NEW', facility_id: place, division_id: division }
    expect(rows).toEqual([
      { ...moved, vendor_id: vendor, paid: true },
      { ...moved, vendor_id: supplier, paid: false },
    ])
  })

  it('take no facility of another client', async () => {
    const other = await makeClient(db)
    const theirs = await makeFacility(db, other, await makeDivision(db, other))
    const answer = await ask(staff, 'POST', path(), { billable_account: { ...draft(), facility_id: theirs } })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({ fields: { facility_id: ['This record cannot be found'] } })
    expect((await ask(staff, 'POST', path(), { billable_account: { ...draft(), vendor_id: 999_999 } })).body['errors']).toMatchObject({
      fields: { vendor_id: ['This record cannot be found'] },
    })
  })

  it('are exported by the server [BACC-EXPORT-001]', async () => {
    expect((await ask(admin, 'GET', `${path()}/export_csv?connection_id=x`)).body).toMatchObject({
      success: true,
      message: 'Billable Accounts export started',
    })
  })

  it('are deleted by who may [PERM-PERM-004]', async () => {
    const id = await makeBillableAccount(db, client, facility, vendor)
    expect((await ask(admin, 'DELETE', `${path()}/${id}`)).status).toBe(403)
    expect((await ask(staff, 'DELETE', `${path()}/${id}`)).body).toEqual({ success: true, message: 'Billable Account deleted' })
  })
})
