/** Fields of a service that inventories read: supplier factors by year, the source of its own factor, and its ID in Portfolio Manager. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { makeGround, type Ground } from '../../../test/support/bills.ts'
import { importsOf } from '../../../test/support/import-files.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, rows: rowsOf } = importsOf(testApp)
let staff: Person
let ground: Ground
beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  ground = await makeGround(db)
})

const patch = (id: number, service: object): Promise<Answer> =>
  ask(staff, 'PATCH', `/clients/${ground.clientId}/billable_accounts/${ground.accountId}/services/${id}`, { service })
const factor = (year: number, value = '0.1234', source = 'Green Power Co') => ({ year, value, source })

describe('supplier factors', () => {
  it('are kept by year with their source, changed by id and removed by _destroy, and are in the trail', async () => {
    const made = await patch(ground.electricId, { supplier_factors_attributes: [factor(2024), factor(2025, '0')] })
    expect(made.status, made.text).toBe(200)
    expect(made.body['service']).toMatchObject({
      supplier_factors: [
        { year: 2025, value: '0.0000', source: 'Green Power Co' },
        { year: 2024, value: '0.1234' },
      ],
    })
    const { rows: stored } = await sql<{
      id: number
    }>`select id from service_supplier_factors where client_id = ${ground.clientId} order by year`.execute(db)
    const changed = await patch(ground.electricId, {
      supplier_factors_attributes: [
        { id: stored[0]?.id, _destroy: true },
        { id: stored[1]?.id, value: '0.2' },
      ],
    })
    expect(changed.body['service']).toMatchObject({ supplier_factors: [{ id: stored[1]?.id, year: 2025, value: '0.2000' }] })
    const { rows: trail } = await sql<{
      changes: { supplier_factors?: { from: object[]; to: object[] } }
    }>`select object_changes as changes from audit_records
      where item_type = 'service' and item_id = ${ground.electricId} and event = 'update' order by id desc limit 1`.execute(db)
    expect(trail[0]?.changes.supplier_factors).toMatchObject({
      from: [{ year: 2025 }, { year: 2024 }],
      to: [{ year: 2025, value: '0.2000' }],
    })
  })

  it('are one a year, whole, and of purchased energy alone', async () => {
    const twice = await patch(ground.electricId, { supplier_factors_attributes: [factor(2023), factor(2023)] })
    expect([twice.status, twice.text]).toEqual([422, expect.stringContaining('There is a supplier factor of 2023 already')])
    const empty = await patch(ground.electricId, { supplier_factors_attributes: [{}] })
    expect(empty.body['errors']).toMatchObject({
      fields: {
        'supplier_factors_attributes.0.year': ['Missing Year'],
        'supplier_factors_attributes.0.value': ['Missing Supplier Factor'],
        'supplier_factors_attributes.0.source': ['Missing Source'],
      },
    })
    const gas = await patch(ground.gasId, { supplier_factors_attributes: [factor(2025)] })
    expect([gas.status, gas.text]).toEqual([422, expect.stringContaining('Supplier factors are for purchased energy, which is scope 2')])
  })

  it('come from a file as year:factor:source, and what is none is refused with its row', async () => {
    const header = 'account_number,vendor_short_code,meter_number,service_utility_code,supplier_factors'
    const { rows: accounts } = await sql<{ number: string; vendor: string }>`select account_number as number, vendors.short_code as vendor
      from billable_accounts join vendors on vendors.id = vendor_id where client_id = ${ground.clientId} and billable_accounts.id = ${ground.accountId}`.execute(
      db,
    )
    const [{ number, vendor } = { number: '', vendor: '' }] = accounts
    const file = (meter: string, code: string, cell: string) =>
      send(staff, `/clients/${ground.clientId}/billable_accounts/import`, `${header}\n${number},${vendor},${meter},${code},${cell}\n`)
    expect(await file('E-1', 'electric', '2022:0.5:Wind: North; 2021:0.25:Sun')).toMatchObject({ counts: { refused: 0 } })
    const { rows: stored } = await sql`select year, value::text, source from service_supplier_factors
      where client_id = ${ground.clientId} and service_id = ${ground.electricId} order by year`.execute(db)
    expect(stored).toEqual([
      { year: 2021, value: '0.2500', source: 'Sun' },
      { year: 2022, value: '0.5000', source: 'Wind: North' },
    ])
    const faults = async (meter: string, code: string, cell: string) =>
      (await rowsOf(staff, (await file(meter, code, cell)).id)).flatMap(({ line, errors }) => errors.map(({ message }) => [line, message]))
    expect(await faults('E-1', 'electric', '2022')).toEqual([[2, expect.stringContaining('must be year:factor:source')]])
    expect(await faults('E-1', 'electric', '2022:1:a; 2022:2:b')).toEqual([[2, 'Supplier Factors must have different years']])
    expect(await faults('E-1', 'electric', '1066:1:a')).toEqual([[2, 'Year must be between 1990 and 2200']])
    expect(await faults('G-1', 'natural_gas', '2022:1:a')).toEqual([[2, 'Supplier factors are for purchased energy, which is scope 2']])
  })
})

it('IDs of Portfolio Manager are numbers, and lists find a facility and a service by them', async () => {
  const facility = (portfolio_manager_property_id: string | null) =>
    ask(staff, 'PATCH', `/clients/${ground.clientId}/facilities/${ground.facilityId}`, { facility: { portfolio_manager_property_id } })
  const bad = await facility('12-34')
  expect(bad.body['errors']).toMatchObject({
    fields: { portfolio_manager_property_id: ['Portfolio Manager Property ID must be a number without spaces'] },
  })
  expect((await facility('900001')).status).toBe(200)
  expect((await patch(ground.gasId, { portfolio_manager_meter_id: 'abc' })).status).toBe(422)
  const kept = { portfolio_manager_meter_id: '500123', emissions_factor_source: 'eGRID RFCW', emissions_factor_year: 2022 }
  expect((await patch(ground.gasId, kept)).body['service']).toMatchObject(kept)
  const found = async (path: string) => (await ask(staff, 'GET', `/clients/${ground.clientId}/${path}`)).body['total']
  expect(await found('facilities?q[portfolio_manager_property_id]=900001')).toBe(1)
  expect(await found('facilities?q[portfolio_manager_property_id]=77')).toBe(0)
  expect(await found(`billable_accounts/${ground.accountId}/services?q[portfolio_manager_meter_id]=500123`)).toBe(1)
  expect((await facility(null)).body['facility']).toMatchObject({ portfolio_manager_property_id: null })
})
