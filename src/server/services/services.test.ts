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
let account: number
let supply: number

beforeAll(async () => {
  client = await makeClient(db)
  facility = await makeFacility(db, client, await makeDivision(db, client))
  vendor = await makeVendor(db)
  account = await makeBillableAccount(db, client, facility, vendor, { account_number: 'B-1' })
  supply = await makeSupplyAccount(db, client, facility, { account_number: 'S-1' })
  staff = await makePerson(db, 'super_admin')
})

const path = () => `/clients/${client}/billable_accounts/${account}/services`
const post = (service: object, at = path()) => ask(staff, 'POST', at, { service })
const idsOf = async (statement: string): Promise<number[]> =>
  (await sql<{ id: number }>`${sql.raw(statement)}`.execute(db)).rows.map((row) => row.id)

describe('services', () => {
  it('carry their fields under a billable account [SVC-API-001] [SVC-API-003] [SVC-API-004] [SVC-FIELD-001] [SVC-FIELD-002] [SVC-FIELD-003] [SVC-FIELD-004] [SVC-FIELD-005] [SVC-FIELD-006]', async () => {
    const [kind = 0] = await idsOf("select id from utility_services where name = 'Electric'")
    const [usageUnit = 0] = await idsOf(
      `select usage_units.id from usage_units join units on units.id = unit_id where utility_service_id = ${kind} and symbol = 'MWh'`,
    )
    const factors = await idsOf(`select id from usage_factors where utility_service_id = ${kind} order by id limit 2`)
    const fields = await idsOf('select id from entry_fields order by position limit 2')
    const ledger = await makeLedgerAccount(db, client, '6000')
    const sent = {
      meter_number: 'M-1',
      id_number: 'ID',
      tax_code: 'TX',
      service_name_1: 'Lobby',
      service_name_2: 'North',
      meter_multiplier: '1.2345',
      rate_schedule: 'GS-1',
      contract_demand_capacity: '50 kW',
      rank: 4,
      supply: false,
      notes: 'n',
      ledger_account_id: ledger,
      billable_ledgers: true,
      utility_service_id: kind,
      usage_unit_id: usageUnit,
      usage_factor_ids: factors,
      emissions_factor: '0.3497',
      entry_field_ids: fields,
    }
    const made = await post(sent)
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const one = `${path()}/${String(made.body['id'])}`
    const { body } = await ask(staff, 'GET', one)
    expect(body['service']).toMatchObject({
      ...sent,
      active: true,
      account_type: 'BillableAccount',
      account_id: account,
      account_number: 'B-1',
      usage_unit_symbol: 'MWh',
    })
    const changed = await ask(staff, 'PATCH', one, {
      service: { emissions_factor: null, usage_factor_ids: factors.slice(0, 1), meter_multiplier: 2 },
    })
    expect(changed.body['service']).toMatchObject({
      emissions_factor: null,
      usage_factor_ids: factors.slice(0, 1),
      meter_multiplier: '2.0000',
      entry_field_ids: fields,
    })
    expect((await ask(staff, 'DELETE', one)).body).toEqual({ success: true, message: 'Service deleted' })
    expect((await ask(staff, 'GET', one)).status).toBe(404)
  })

  it('live under supply accounts by the same rules [SVC-API-002]', async () => {
    const at = `/clients/${client}/supply_accounts/${supply}/services`
    const made = await post({ meter_number: 'SM-1' }, at)
    expect(made.body['service']).toMatchObject({ account_type: 'SupplyAccount', account_id: supply, account_number: 'S-1', rank: 1 })
    const id = String(made.body['id'])
    expect((await ask(staff, 'GET', `${at}/${id}`)).status).toBe(200)
    expect((await ask(staff, 'GET', `${path()}/${id}`)).status).toBe(404)
    expect((await ask(staff, 'DELETE', `${path()}/${id}`)).status).toBe(404)
    expect((await ask(staff, 'GET', at)).body).toMatchObject({ total: 1 })
  })

  it('need a meter number [SVC-RULE-002]', async () => {
    const answer = await post({ service_name_1: 'x' })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({ fields: { meter_number: ['Meter Number is required'] } })
  })

  it('are listed in sort order; a new one comes last [SVC-RULE-007]', async () => {
    account = await makeBillableAccount(db, client, facility, vendor)
    await post({ meter_number: 'second', rank: 2 })
    await post({ meter_number: 'first', rank: 1 })
    const last = await post({ meter_number: 'last' })
    expect(last.body['service']).toMatchObject({ rank: 3 })
    expect((await ask(staff, 'GET', path())).body).toMatchObject({
      total: 3,
      services: [{ meter_number: 'first' }, { meter_number: 'second' }, { meter_number: 'last' }],
    })
  })

  it('answer 404 under an account that is absent or of another client', async () => {
    const other = await makeClient(db)
    const theirs = await makeBillableAccount(db, other, await makeFacility(db, other, await makeDivision(db, other)), vendor)
    for (const id of [theirs, 999_999]) {
      expect((await ask(staff, 'GET', `/clients/${client}/billable_accounts/${id}/services`)).status).toBe(404)
      expect((await post({ meter_number: 'x' }, `/clients/${client}/billable_accounts/${id}/services`)).status).toBe(404)
    }
  })
})

describe('shared accounts', () => {
  const shares = (...ratios: readonly (string | number)[]) => ratios.map((share_ratio) => ({ ledger_account_id: ledgers[0], share_ratio }))
  let ledgers: number[] = []
  beforeAll(async () => {
    ledgers = [
      await makeLedgerAccount(db, client, '6100'),
      await makeLedgerAccount(db, client, '6200'),
      await makeLedgerAccount(db, client, '6300'),
    ]
  })

  it('must add up to exactly 1, counted in ten-thousandths [SVC-RULE-005] [SVC-MSG-003]', async () => {
    for (const ratios of [
      ['0.5', '0.4999'],
      ['0.3333', '0.3333', '0.3333'],
      ['1', '0.0001'],
      ['0.1', '0.2'],
    ]) {
      const answer = await post({ meter_number: 'x', shared_accounts_attributes: shares(...ratios) })
      expect(answer.status, ratios.join(' ')).toBe(422)
      expect(answer.body['errors']).toMatchObject({ fields: { shared_accounts_attributes: ['Share ratios must add up to 1'] } })
    }
    for (const ratios of [['1'], ['0.3333', '0.3333', '0.3334'], [0.7, 0.2, 0.1]]) {
      expect((await post({ meter_number: 'x', shared_accounts_attributes: shares(...ratios) })).status, ratios.join(' ')).toBe(200)
    }
    expect((await post({ meter_number: 'x', shared_accounts_attributes: [] })).status).toBe(200)
  })

  it('need a ledger account and a ratio between 0 and 1 with 4 decimals [SVC-RULE-003] [SVC-RULE-004] [SVC-MSG-001] [SVC-MSG-002]', async () => {
    const empty = await post({ meter_number: 'x', shared_accounts_attributes: [{}] })
    expect(empty.status).toBe(422)
    expect(empty.body['errors']).toMatchObject({
      fields: {
        'shared_accounts_attributes.0.ledger_account_id': ['Missing Ledger Account'],
        'shared_accounts_attributes.0.share_ratio': ['Missing Share Ratio'],
      },
    })
    for (const share_ratio of ['1.0001', '-0.1', '0.33333']) {
      expect((await post({ meter_number: 'x', shared_accounts_attributes: shares(share_ratio) })).status, share_ratio).toBe(422)
    }
  })

  it('are changed by id and removed by _destroy, which does not count in the sum [SVC-FIELD-007]', async () => {
    const made = await post({
      meter_number: 'x',
      shared_accounts_attributes: [
        { ledger_account_id: ledgers[0], share_ratio: '0.25' },
        { ledger_account_id: ledgers[1], share_ratio: '0.75' },
      ],
    })
    const { service } = made.body
    expect(service).toMatchObject({
      shared_accounts: [
        { ledger_account_name: '6100', share_ratio: '0.2500' },
        { ledger_account_name: '6200', share_ratio: '0.7500' },
      ],
    })
    const { rows } = await sql<{
      id: number
    }>`select id from shared_accounts where service_id = ${Number(made.body['id'])} order by id`.execute(db)
    const one = `${path()}/${String(made.body['id'])}`
    const halfDone = await ask(staff, 'PATCH', one, { service: { shared_accounts_attributes: [{ id: rows[0]?.id, _destroy: true }] } })
    expect(halfDone.status).toBe(422)
    const done = await ask(staff, 'PATCH', one, {
      service: {
        shared_accounts_attributes: [
          { id: rows[0]?.id, _destroy: true },
          { id: rows[1]?.id, share_ratio: '0.6' },
          { ledger_account_id: ledgers[2], share_ratio: '0.4' },
        ],
      },
    })
    expect(done.body['service']).toMatchObject({
      shared_accounts: [
        { id: rows[1]?.id, ledger_account_id: ledgers[1], share_ratio: '0.6000' },
        { ledger_account_id: ledgers[2], share_ratio: '0.4000' },
      ],
    })
    const { rows: trail } = await sql<{ changes: { shared_accounts?: { from: object[]; to: object[] } } }>`
      select object_changes as changes from audit_records where item_type = 'service' and item_id = ${Number(made.body['id'])} and event = 'update'`.execute(
      db,
    )
    expect(trail[0]?.changes.shared_accounts).toMatchObject({
      from: [{ share_ratio: '0.2500' }, { share_ratio: '0.7500' }],
      to: [{ share_ratio: '0.6000' }, { share_ratio: '0.4000' }],
    })
  })

  it('take no ledger account of another client and no row of another service', async () => {
    const other = await makeClient(db)
    const theirs = await makeLedgerAccount(db, other, '9999')
    expect((await post({ meter_number: 'x', shared_accounts_attributes: [{ ledger_account_id: theirs, share_ratio: 1 }] })).status).toBe(
      422,
    )
    expect((await post({ meter_number: 'x', ledger_account_id: theirs })).body['errors']).toMatchObject({
      fields: { ledger_account_id: ['This record cannot be found'] },
    })
    const { rows } = await sql<{ id: number }>`select id from shared_accounts order by id limit 1`.execute(db)
    expect((await post({ meter_number: 'x', shared_accounts_attributes: [{ id: rows[0]?.id, share_ratio: 1 }] })).status).toBe(422)
  })
})

describe('the entry fields of a new service', () => {
  it('are charges and taxes of its kind where nobody names any, and stay as they are said afterwards', async () => {
    const namesOf = async (id: unknown) =>
      (
        await sql<{
          name: string
        }>`select field.name from service_entry_fields asked join entry_fields field on field.id = asked.entry_field_id
          where asked.service_id = ${Number(id)} order by field.position`.execute(db)
      ).rows.map(({ name }) => name)
    const made = await post({ meter_number: 'starts' })
    expect(await namesOf(made.body['id'])).toEqual(['Utility Charges', 'Utility Taxes'])
    const cleared = await ask(staff, 'PATCH', `${path()}/${String(made.body['id'])}`, { service: { entry_field_ids: [] } })
    expect(cleared.status, cleared.text).toBe(200)
    expect(await namesOf(made.body['id'])).toEqual([])
    const own = await post({ meter_number: 'own', additional_entry_fields_attributes: [{ name: 'Peak' }] })
    expect(await namesOf(own.body['id'])).toEqual([])
  })
})

describe('additional entry fields', () => {
  it('need a name, start active, and are changed and removed by id [SVC-RULE-006] [SVC-MSG-004] [SVC-FIELD-008]', async () => {
    const empty = await post({ meter_number: 'x', additional_entry_fields_attributes: [{ name: '' }] })
    expect(empty.body['errors']).toMatchObject({ fields: { 'additional_entry_fields_attributes.0.name': ['Missing Field Name'] } })
    const made = await post({
      meter_number: 'x',
      additional_entry_fields_attributes: [{ name: 'Peak' }, { name: 'Valley', active: false }],
    })
    expect(made.body['service']).toMatchObject({
      additional_entry_fields: [
        { name: 'Peak', active: true },
        { name: 'Valley', active: false },
      ],
    })
    const { rows } = await sql<{
      id: number
    }>`select id from additional_entry_fields where service_id = ${Number(made.body['id'])} order by id`.execute(db)
    const changed = await ask(staff, 'PATCH', `${path()}/${String(made.body['id'])}`, {
      service: {
        additional_entry_fields_attributes: [
          { id: rows[0]?.id, active: false },
          { id: rows[1]?.id, _destroy: '1' },
        ],
      },
    })
    expect(changed.body['service']).toMatchObject({ additional_entry_fields: [{ id: rows[0]?.id, name: 'Peak', active: false }] })
  })
})

describe('what services pick from', () => {
  it('are units and factors of their own utility service only', async () => {
    const [electric = 0] = await idsOf("select id from utility_services where name = 'Electric'")
    const [water = 0] = await idsOf("select id from utility_services where name = 'Water'")
    const [kwh = 0] = await idsOf(`select id from usage_units where utility_service_id = ${electric} and standard`)
    const [factor = 0] = await idsOf(`select id from usage_factors where utility_service_id = ${electric} limit 1`)
    const meter = { meter_number: 'OTHER-KIND', utility_service_id: water }
    expect(await post({ ...meter, usage_unit_id: kwh })).toMatchObject({
      status: 422,
      body: { errors: { fields: { usage_unit_id: [expect.any(String)] } } },
    })
    expect(await post({ ...meter, usage_factor_ids: [factor] })).toMatchObject({
      status: 422,
      body: { errors: { fields: { usage_factor_ids: [expect.any(String)] } } },
    })
    const made = await post({ ...meter, utility_service_id: electric, usage_unit_id: kwh, usage_factor_ids: [factor] })
    const change = await ask(staff, 'PATCH', `${path()}/${String(made.body['id'])}`, { service: { utility_service_id: water } })
    expect(change).toMatchObject({ status: 422, body: { errors: { fields: { usage_unit_id: [expect.any(String)] } } } })
  })

  it('are the entry fields in their order [SVC-API-008]', async () => {
    const { body } = await ask(staff, 'GET', '/entry_fields')
    expect(body).toMatchObject({
      total: 6,
      entry_fields: [{ name: 'Utility Charges' }, { name: 'Utility Taxes' }, { name: 'Supply Charges' }, {}, {}, {}],
    })
  })

  it('are services of billable and of supply accounts, by utility service and account [SVC-API-006] [SVC-API-007]', async () => {
    const home = await makeBillableAccount(db, client, facility, vendor, { account_number: 'HOME' })
    const gas = await makeService(db, client, { billable_account_id: home }, { utility_service: 'Natural Gas' })
    await makeService(db, client, { billable_account_id: home }, { utility_service: 'Electric' })
    const supplied = await makeService(db, client, { supply_account_id: supply }, { utility_service: 'Natural Gas' })
    const [kind = 0] = await idsOf("select id from utility_services where name = 'Natural Gas'")
    const base = `/clients/${client}/services`
    expect(
      (await ask(staff, 'GET', `${base}/billable_account_service_options?utility_service_id=${kind}&account_id=${home}`)).body,
    ).toMatchObject({ total: 1, services: [{ id: gas, account_number: 'HOME', utility_service_name: 'Natural Gas' }] })
    expect((await ask(staff, 'GET', `${base}/billable_account_service_options/?utility_service_id=${kind}`)).status).toBe(200)
    expect((await ask(staff, 'GET', `${base}/supply_account_service_options?utility_service_id=${kind}`)).body).toMatchObject({
      total: 1,
      services: [{ id: supplied, account_id: supply }],
    })
  })
})
