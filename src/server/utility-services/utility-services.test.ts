import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { utilityServiceCalls } from '#contract/reference/utility-service.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeService, makeVendor } from '../../../test/support/estate.ts'
import { emissionsJob } from './utility-services.ts'

const {
  app,
  ask,
  database: { db },
} = await startTestApp()
let staff: Person
let reader: Person
let unitIds: Readonly<Record<string, number>> = {}

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  reader = await makePerson(db, 'read_only_user', { clients: [await makeClient(db)] })
  const { rows } = await sql<{ id: number; symbol: string }>`select id, symbol from units`.execute(db)
  unitIds = Object.fromEntries(rows.map((row) => [row.symbol, row.id]))
})

const post = (utility_service: object) => ask(staff, 'POST', '/utility_services', { utility_service })
let count = 0
const required = () => ({ name: `Kind ${++count}`, code: `kind_${count}`, emissions_factor: '1.5' })
const standard = () => ({ unit_id: unitIds['kWh'], conversion_factor: '1', standard: true })

describe('utility services', () => {
  it('carry their fields with units and factors [USVC-FIELD-001] [USVC-FIELD-002] [USVC-FIELD-003] [USVC-FIELD-004] [USVC-FIELD-005] [USVC-FIELD-010] [USVC-API-004]', async () => {
    const made = await post({
      ...required(),
      usage_units_attributes: [standard(), { unit_id: unitIds['MWh'], conversion_factor: '1000.000000001' }],
      usage_factors_attributes: [
        { name: 'Loss', description: 'Of the transformer', unit_id: unitIds['each'], adjustment_factor: true, default_value: '1.02' },
        { name: 'Peak', description: 'Demand', unit_id: unitIds['kW'], active: false },
      ],
    })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const { body } = await ask(reader, 'GET', `/utility_services/${String(made.body['id'])}`)
    expect(body['utility_service']).toMatchObject({
      emissions_factor: '1.5000',
      inventoriable: true,
      usage_units: [
        { symbol: 'kWh', conversion_factor: '1.000000000', standard: true },
        { symbol: 'MWh', conversion_factor: '1000.000000001', standard: false },
      ],
      usage_factors: [
        {
          active: true,
          name: 'Loss',
          description: 'Of the transformer',
          unit_id: unitIds['each'],
          adjustment_factor: true,
          default_value: '1.0200',
        },
        { active: false, name: 'Peak', adjustment_factor: false, default_value: null },
      ],
    })
  })

  it('need name, code and emissions factor; units and factors name what they lack [USVC-RULE-001] [USVC-RULE-002] [USVC-RULE-003] [USVC-MSG-001] [USVC-MSG-002] [USVC-MSG-003] [USVC-MSG-004] [USVC-MSG-005]', async () => {
    const answer = await post({ usage_units_attributes: [{}], usage_factors_attributes: [{ name: '', unit_id: null }] })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({
      fields: {
        name: ['Name is required'],
        code: ['Code is required'],
        emissions_factor: ['Emissions Factor (CO2) is required'],
        'usage_units_attributes.0.unit_id': ['Missing Unit of Measure'],
        'usage_units_attributes.0.conversion_factor': ['Missing Conversion Factor'],
        'usage_factors_attributes.0.name': ['Missing Name'],
        'usage_factors_attributes.0.description': ['Missing Description'],
        'usage_factors_attributes.0.unit_id': ['Missing Unit of Measure'],
      },
    })
    const wrong = { ...required(), inventoriable: null }
    expect((await post(wrong)).status).toBe(422)
    expect((await post({ ...required(), usage_units_attributes: [{ ...standard(), unit_id: 999_999 }] })).body['errors']).toMatchObject({
      fields: { usage_units_attributes: ['This record cannot be found'] },
    })
  })

  it('have exactly one standard unit, worth 1, and each unit once [USVC-FIELD-008] [USVC-FIELD-009]', async () => {
    const units = (...usage_units_attributes: object[]) => post({ ...required(), usage_units_attributes })
    const other = { unit_id: unitIds['MWh'], conversion_factor: '1000' }
    expect((await units({ ...standard(), standard: false }, { ...other, conversion_factor: '1' })).status).toBe(422)
    expect((await units(standard(), { ...other, conversion_factor: '1', standard: true })).status).toBe(422)
    expect((await units({ ...other, standard: true })).status).toBe(422)
    expect((await units(standard(), { ...other, conversion_factor: '0' })).status).toBe(422)
    expect((await units(standard(), standard())).status).toBe(422)
    expect((await units({ ...standard(), standard: undefined }, other)).body).toMatchObject({
      success: true,
      utility_service: { usage_units: [{ symbol: 'kWh', standard: true }, { symbol: 'MWh' }] },
    })
  })

  it('keep their standard unit: the emissions factor is counted in it', async () => {
    const made = await post({ ...required(), usage_units_attributes: [standard(), { unit_id: unitIds['MWh'], conversion_factor: '1000' }] })
    const { rows } = await sql<{
      id: number
    }>`select id from usage_units where utility_service_id = ${Number(made.body['id'])} order by standard desc`.execute(db)
    const [own, other] = rows.map((row) => row.id)
    const patch = (...usage_units_attributes: object[]) =>
      ask(staff, 'PATCH', `/utility_services/${String(made.body['id'])}`, { utility_service: { usage_units_attributes } })
    expect(
      (await patch({ id: own, standard: false, conversion_factor: '0.001' }, { id: other, standard: true, conversion_factor: '1' })).status,
    ).toBe(422)
    expect((await patch({ id: own, _destroy: true })).status).toBe(422)
    expect((await patch({ id: own, unit_id: unitIds['GJ'] })).status).toBe(422)
    expect((await patch({ id: other, conversion_factor: '999.5' })).body).toMatchObject({
      utility_service: { usage_units: [{ id: own }, { id: other, conversion_factor: '999.500000000' }] },
    })
  })

  it('lose a unit or a factor by _destroy, unless a service uses it [USVC-TRANS-001]', async () => {
    const made = await post({
      ...required(),
      usage_units_attributes: [standard(), { unit_id: unitIds['MWh'], conversion_factor: '1000' }],
      usage_factors_attributes: [{ name: 'Loss', description: 'x', unit_id: unitIds['each'] }],
    })
    const id = Number(made.body['id'])
    const { rows: units } = await sql<{ id: number }>`select id from usage_units where utility_service_id = ${id} and not standard`.execute(
      db,
    )
    const { rows: factors } = await sql<{ id: number }>`select id from usage_factors where utility_service_id = ${id}`.execute(db)
    const gone = await ask(staff, 'PATCH', `/utility_services/${id}`, {
      utility_service: {
        usage_units_attributes: [{ id: units[0]?.id, _destroy: true }],
        usage_factors_attributes: [{ id: factors[0]?.id, _destroy: true }],
      },
    })
    expect(gone.body['utility_service']).toMatchObject({ usage_units: [{ symbol: 'kWh' }], usage_factors: [] })
    const client = await makeClient(db)
    const account = await makeBillableAccount(
      db,
      client,
      await makeFacility(db, client, await makeDivision(db, client)),
      await makeVendor(db),
    )
    const service = await makeService(db, client, { billable_account_id: account }, { utility_service: 'Water' })
    const { rows } = await sql<{
      kind: number
      unit: number
    }>`update services set usage_unit_id = (select id from usage_units where utility_service_id = services.utility_service_id and not standard limit 1)
      where id = ${service} returning utility_service_id as kind, usage_unit_id as unit`.execute(db)
    const kept = await ask(staff, 'PATCH', `/utility_services/${rows[0]?.kind}`, {
      utility_service: { usage_units_attributes: [{ id: rows[0]?.unit, _destroy: true }] },
    })
    expect(kept.status).toBe(409)
    expect((await ask(staff, 'DELETE', `/utility_services/${rows[0]?.kind}`)).status).toBe(409)
    expect((await ask(staff, 'DELETE', `/utility_services/${id}`)).body).toEqual({ success: true, message: 'Utility Service deleted' })
  })

  it('offer their units and active factors [USVC-API-001] [USVC-API-002] [USVC-API-003] [USVC-FIELD-006] [USVC-FIELD-007]', async () => {
    const { rows } = await sql<{ id: number }>`select id from utility_services where code = 'electric'`.execute(db)
    const id = rows[0]?.id
    const { rows: own } = await sql<{ id: number }>`select id from usage_units where utility_service_id = ${id} and standard`.execute(db)
    const units = (await ask(reader, 'GET', `/utility_services/${id}/usage_unit_options`)).body['units']
    expect(units).toMatchObject([{ id: own[0]?.id, symbol: 'kWh', standard: true }, {}, {}, {}, {}])
    await sql`update usage_factors set active = false where utility_service_id = ${id} and name = 'KW Billed'`.execute(db)
    const factors = JSON.stringify((await ask(reader, 'GET', `/utility_services/${id}/usage_factor_options`)).body['usage_factors'])
    expect(factors).toContain('"name":"KW Actual"')
    expect(factors).not.toContain('KW Billed')
    expect((await ask(reader, 'GET', '/utility_services?q[name]=electric')).body).toMatchObject({
      total: 1,
      utility_services: [{ name: 'Electric' }],
    })
  })
})

describe('the units that ship', () => {
  interface Shipped {
    code: string
    symbol: string
    factor: string
    standard: boolean
    kbtu: string | null
  }
  let shipped: Shipped[] = []
  const factor = (code: string, symbol: string): number => {
    const found = shipped.find((row) => row.code === code && row.symbol === symbol)
    if (!found) throw new Error(`${code} has no ${symbol}`)
    return Number(found.factor)
  }
  beforeAll(async () => {
    const { rows } =
      await sql<Shipped>`select utility_services.code, units.symbol, usage_units.conversion_factor as factor, usage_units.standard, utility_services.kbtu_factor as kbtu
      from usage_units join utility_services on utility_services.id = utility_service_id join units on units.id = unit_id where utility_services.code not like 'kind%'`.execute(
        db,
      )
    shipped = rows
  })

  it('have one standard a service, worth exactly 1', () => {
    const codes = [...new Set(shipped.map((row) => row.code))]
    expect(codes).toHaveLength(11)
    for (const code of codes) {
      const standards = shipped.filter((row) => row.code === code && row.standard)
      expect(
        standards.map((row) => row.factor),
        code,
      ).toEqual(['1.000000000'])
    }
  })

  it('come back to themselves over any other unit of the service', () => {
    for (const one of shipped) {
      for (const other of shipped.filter((row) => row.code === one.code)) {
        const there = Number(one.factor) / Number(other.factor)
        expect(Math.abs(there * (Number(other.factor) / Number(one.factor)) - 1)).toBeLessThan(1e-9)
      }
    }
  })

  it('agree with each other: 100 CF a CCF, 10 CCF an MCF, 1000 kgal an MG, and an imperial gallon is the larger one', () => {
    for (const code of ['natural_gas', 'water', 'sewer']) {
      expect(factor(code, 'CCF') / factor(code, 'CF')).toBeCloseTo(100, 9)
      expect(factor(code, 'HCF')).toBe(factor(code, 'CCF'))
      expect(factor(code, 'MCF') / factor(code, 'CCF')).toBeCloseTo(10, 9)
    }
    for (const code of ['water', 'sewer']) expect(factor(code, 'MG') / factor(code, 'kgal')).toBe(1000)
    expect(factor('propane', 'CCF') / factor('propane', 'CF')).toBeCloseTo(100, 9)
    for (const code of ['diesel', 'gasoline']) expect(factor(code, 'imp gal')).toBeGreaterThan(factor(code, 'gal'))
  })

  it('have emission factors counted in the standard unit of their service', async () => {
    const { rows } = await sql<{
      code: string
      symbol: string
      standard: boolean | null
      same: boolean
    }>`select utility_services.code, units.symbol, usage_units.standard, emission_factors.value = utility_services.emissions_factor as same
      from emission_factors join utility_services on utility_services.id = emission_factors.utility_service_id join units on units.id = emission_factors.unit_id
      left join usage_units on usage_units.utility_service_id = utility_services.id and usage_units.unit_id = units.id`.execute(db)
    expect(rows.length).toBeGreaterThan(5)
    for (const row of rows) expect(row, row.code).toMatchObject({ standard: true, same: true })
  })
})

describe('emission factors by month', () => {
  const factorsOf = async (id: number) => {
    const { body } = await ask(staff, 'GET', `/utility_services/${id}`)
    const { utility_service: row } = utilityServiceCalls.get.schemas.reply.parse(body)
    return row
  }
  const save = (id: number, emission_factors_attributes: readonly object[]) =>
    ask(staff, 'PATCH', `/utility_services/${id}`, { utility_service: { emission_factors_attributes } })
  const idOf = async (code: string) =>
    (await sql<{ id: number }>`select id from utility_services where code = ${code}`.execute(db)).rows[0]?.id ?? 0

  it('are shown with their source and year, and a new one holds from its month on: the present one is the service’s own', async () => {
    const id = await idOf('natural_gas')
    const [published] = (await factorsOf(id)).emission_factors
    expect(published).toMatchObject({
      effective_from: '1990-01',
      value: '5.3115',
      symbol: 'therm',
      source: 'EPA Emission Factors Hub',
      year: 2025,
    })
    const later = [
      { effective_from: '2020-07', value: '5.25', source: 'Supplier letter', year: 2020 },
      { effective_from: '2199-01', value: '1', source: 'Plan', year: 2199 },
    ]
    expect((await save(id, later)).status).toBe(200)
    const after = await factorsOf(id)
    expect(after.emission_factors.map(({ effective_from, value, edition }) => [effective_from, value, edition])).toEqual([
      ['2199-01', '1.0000', 'Entered'],
      ['2020-07', '5.2500', 'Entered'],
      ['1990-01', '5.3115', '2025, table 1'],
    ])
    expect(after.emissions_factor).toBe('5.2500')
    const entered = after.emission_factors.find(({ effective_from: from }) => from === '2020-07')?.id ?? 0
    expect((await save(id, [{ id: entered, _destroy: true }])).status).toBe(200)
    expect((await factorsOf(id)).emissions_factor).toBe('5.3115')
  })

  it('stay as they are where they were published, and one month has one', async () => {
    const id = await idOf('propane')
    const published = (await factorsOf(id)).emission_factors[0]?.id ?? 0
    for (const change of [
      { id: published, value: '1' },
      { id: published, _destroy: true },
    ])
      expect((await save(id, [change])).body['message']).toBe('A published factor stays as it is: enter one from a later month')
    const twice = { effective_from: '2021-03', value: '1', source: 'A', year: 2021 }
    expect((await save(id, [twice, twice])).body['message']).toBe('There is a factor from 03/2021 already')
    const empty = await save(id, [{}])
    expect(Object.values(Object(empty.body['errors']).fields).flat()).toEqual(
      expect.arrayContaining(['Missing Month', 'Missing Emissions Factor', 'Missing Source', 'Missing Year']),
    )
  })

  it('of a new service begin with what it had, and its first version leaves earlier months alone', async () => {
    const unit = (await sql<{ id: number }>`select id from units where symbol = 'kWh'`.execute(db)).rows[0]?.id
    const made = await ask(staff, 'POST', '/utility_services', {
      utility_service: {
        name: 'Wind',
        code: 'wind',
        emissions_factor: '0.5',
        usage_units_attributes: [{ unit_id: unit, conversion_factor: '1', standard: true }],
        emission_factors_attributes: [{ effective_from: '2024-01', value: '0.1', source: 'Operator', year: 2024 }],
      },
    })
    expect(made.status, made.text).toBe(200)
    const row = await factorsOf(Number(made.body['id']))
    expect(row.emission_factors.map(({ effective_from, value }) => [effective_from, value])).toEqual([
      ['2024-01', '0.1000'],
      ['1990-01', '0.5000'],
    ])
    expect(row.emissions_factor).toBe('0.1000')
    const bare = await ask(staff, 'POST', '/utility_services', {
      utility_service: {
        name: 'Bare',
        code: 'bare',
        emissions_factor: '0',
        emission_factors_attributes: [{ effective_from: '2024-01', value: '0.1', source: 'Operator', year: 2024 }],
      },
    })
    expect(bare.status).toBe(422)
  })

  it('take over by themselves when their month begins', async () => {
    const id = await idOf('diesel')
    await save(id, [{ effective_from: '2020-01', value: '9', source: 'Test', year: 2020 }])
    await sql`update utility_services set emissions_factor = 10.2427 where id = ${id}`.execute(db)
    const signal = new AbortController().signal
    for (let run = 0; run < 2; run++) await emissionsJob.run({ data: {}, machinery: app.machinery, signal })
    expect((await factorsOf(id)).emissions_factor).toBe('9.0000')
    const { rows } =
      await sql`select user_id, object_changes from audit_records where item_type = 'utility_service' and item_id = ${id} and user_id is null`.execute(
        db,
      )
    expect(rows).toEqual([{ user_id: null, object_changes: { emissions_factor: { from: '10.2427', to: '9.0000' } } }])
  })
})
