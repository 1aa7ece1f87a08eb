import { describe, beforeAll, expect, it } from 'vitest'
import { writableKeys } from '#contract/kernel/entity.ts'
import { makePerson, startTestApp, type Person } from '../../test/support/app.ts'
import { sql } from 'kysely'
import { makeClient, makeDivision, makeFacility } from '../../test/support/estate.ts'
import { registered, sourceOf } from './kernel/lists/sources.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let staff: Person
let clerk: Person
let reader: Person

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  clerk = await makePerson(db, 'muc_admin')
  reader = await makePerson(db, 'client_user', { clients: [await makeClient(db)] })
})

interface Case {
  readonly path: string
  readonly name: string
  readonly draft: Readonly<Record<string, string>>
  readonly change: Readonly<Record<string, string>>
  readonly missing: Readonly<Record<string, readonly string[]>>
  readonly deleted: string
  readonly rows: string
}

const cases: readonly Case[] = [
  {
    path: 'facility_types',
    name: 'facility_type',
    draft: { name: 'Zoo' },
    change: { name: 'Zoological Garden' },
    missing: { name: ['Name is required'] },
    deleted: 'Facility Type deleted',
    rows: '[SET-FIELD-001] [SET-RULE-001] [SET-API-001] [SET-API-002] [SET-API-003] [SET-API-011]',
  },
  {
    path: 'production_units',
    name: 'production_unit',
    draft: { name: 'Bottles' },
    change: { name: 'Bottles filled' },
    missing: { name: ['Name is required'] },
    deleted: 'Production Unit deleted',
    rows: '[SET-FIELD-002] [SET-API-004] [SET-API-005]',
  },
  {
    path: 'cost_parameters',
    name: 'cost_parameter',
    draft: { name: 'Weather' },
    change: { name: 'Weather of the zoo' },
    missing: { name: ['Name is required'] },
    deleted: 'Cost Parameter deleted',
    rows: '[SET-API-006]',
  },
  {
    path: 'units',
    name: 'unit',
    draft: { symbol: 'bbl', description: 'Barrel' },
    change: { description: 'Barrel of oil' },
    missing: { symbol: ['Symbol is required'], description: ['Description is required'] },
    deleted: 'Unit deleted',
    rows: '[SET-FIELD-004] [SET-RULE-002] [SET-API-007] [SET-API-009] [SET-API-010]',
  },
  {
    path: 'payment_methods',
    name: 'payment_method',
    draft: { name: 'Wire', description: 'By wire' },
    change: { description: 'By bank wire' },
    missing: { name: ['Name is required'], description: ['Description is required'] },
    deleted: 'Payment Method deleted',
    rows: '[PMETH-FIELD-001] [PMETH-RULE-001] [PMETH-API-001] [PMETH-API-002] [PMETH-API-003]',
  },
]

describe.each(cases)('$path', ({ path, name, draft, change, missing, deleted, rows }) => {
  it(`are made, found, changed, listed and deleted by provider staff ${rows}`, async () => {
    const made = await ask(clerk, 'POST', `/${path}`, { [name]: draft })
    expect(made.body).toMatchObject({ success: true, [name]: draft })
    const id = Number(made.body['id'])
    expect((await ask(clerk, 'GET', `/${path}/${id}`)).body).toMatchObject({ [name]: { id, ...draft } })
    expect((await ask(clerk, 'PATCH', `/${path}/${id}`, { [name]: change })).body).toMatchObject({
      success: true,
      [name]: { ...draft, ...change },
    })
    const [term = ''] = Object.values({ ...draft, ...change })
    expect((await ask(reader, 'GET', `/${path}?search_term=${encodeURIComponent(term)}`)).body).toMatchObject({
      total: 1,
      [path]: [{ id, ...draft, ...change }],
    })
    expect((await ask(reader, 'GET', `/${path}/select_options?search_term=${encodeURIComponent(term)}`)).body).toMatchObject({
      [path]: [{ id }],
    })
    expect((await ask(staff, 'DELETE', `/${path}/${id}`)).body).toEqual({ success: true, message: deleted })
    expect((await ask(reader, 'GET', `/${path}?search_term=${encodeURIComponent(term)}`)).body['total']).toBe(0)
  })

  it('say what is missing, and what is taken', async () => {
    const empty = await ask(staff, 'POST', `/${path}`, { [name]: {} })
    expect(empty.status).toBe(422)
    expect(empty.body['errors']).toMatchObject({ fields: missing })
    await ask(staff, 'POST', `/${path}`, { [name]: draft })
    expect((await ask(staff, 'POST', `/${path}`, { [name]: draft })).status).toBe(422)
  })

  it('are listed by anybody who is signed in, read and kept by who holds settings', async () => {
    expect((await ask(null, 'GET', `/${path}`)).status).toBe(401)
    expect((await ask(reader, 'GET', `/${path}`)).status).toBe(200)
    const { body } = await ask(staff, 'GET', `/${path}?per=1`)
    const list = body[path]
    const id = Array.isArray(list) ? Number(list[0]?.id) : 0
    expect((await ask(reader, 'GET', `/${path}/${id}`)).status).toBe(403)
    expect((await ask(reader, 'POST', `/${path}`, { [name]: draft })).status).toBe(403)
    expect((await ask(reader, 'PATCH', `/${path}/${id}`, { [name]: change })).status).toBe(403)
    expect((await ask(clerk, 'DELETE', `/${path}/${id}`)).status).toBe(403)
    expect((await ask(staff, 'GET', `/${path}/999999`)).status).toBe(404)
  })
})

describe('pages of settings', () => {
  it('hold 20 payment methods and 10 units and 10 cost parameters at first, units by symbol [PMETH-CONST-001] [SET-CONST-002] [SET-CONST-001] [SET-CONST-003] [SET-API-008]', async () => {
    for (let n = 0; n < 25; n++) await ask(staff, 'POST', '/payment_methods', { payment_method: { name: `Method ${n}`, description: 'x' } })
    expect((await ask(staff, 'GET', '/payment_methods')).body['payment_methods']).toHaveLength(20)
    const { units } = (await ask(staff, 'GET', '/units')).body
    expect(units).toHaveLength(10)
    for (let n = 0; n < 12; n++) await ask(staff, 'POST', '/cost_parameters', { cost_parameter: { name: `Cost ${n}` } })
    expect((await ask(staff, 'GET', '/cost_parameters')).body['cost_parameters']).toHaveLength(10)
    const all = (await ask(reader, 'GET', '/units/select_options')).body['units']
    const symbols = Array.isArray(all) ? all.map((row: { symbol: string }) => row.symbol) : []
    expect(symbols.length).toBeGreaterThan(30)
    expect(units).toMatchObject(symbols.slice(0, 10).map((symbol) => ({ symbol })))
  })
})

describe('a cost parameter', () => {
  it('is active unless told, and says so on the wire [SET-FIELD-003]', async () => {
    const made = await ask(staff, 'POST', '/cost_parameters', { cost_parameter: { name: 'Daylight' } })
    expect(made.body['cost_parameter']).toMatchObject({ name: 'Daylight', active: true })
    const id = Number(made.body['id'])
    const off = await ask(staff, 'PATCH', `/cost_parameters/${id}`, { cost_parameter: { active: false } })
    expect(off.body['cost_parameter']).toMatchObject({ name: 'Daylight', active: false })
    expect((await ask(staff, 'GET', '/cost_parameters?q[active_eq]=false')).body).toMatchObject({ total: 1, cost_parameters: [{ id }] })
    expect((await ask(staff, 'POST', '/cost_parameters', { cost_parameter: { name: 'Odd', active: 'perhaps' } })).status).toBe(422)
  })
})

describe('a record of the settings that is used', () => {
  it('is not deleted, and the refusal says by how much of what', async () => {
    const client = await makeClient(db)
    const type = Number((await ask(staff, 'POST', '/facility_types', { facility_type: { name: 'Aquarium' } })).body['id'])
    const product = Number((await ask(staff, 'POST', '/production_units', { production_unit: { name: 'Fish' } })).body['id'])
    const division = await makeDivision(db, client)
    for (let n = 0; n < 2; n++) {
      const facility = await makeFacility(db, client, division)
      await sql`update facilities set facility_type_id = ${type} where client_id = ${client} and id = ${facility}`.execute(db)
      if (n === 0)
        await sql`insert into facility_production_units (client_id, facility_id, production_unit_id) values (${client}, ${facility}, ${product})`.execute(
          db,
        )
    }
    const refusal = async (path: string) => {
      const { status, body } = await ask(staff, 'DELETE', path)
      expect(status).toBe(409)
      expect(body).toMatchObject({ success: false })
      return body['message']
    }
    expect(await refusal(`/facility_types/${type}`)).toBe('This facility type is still used by 2 facilities.')
    expect(await refusal(`/production_units/${product}`)).toBe('This production unit is still used by 1 facility.')
    const { rows } = await sql<{ id: number }>`select id from units where symbol = 'kWh'`.execute(db)
    expect(await refusal(`/units/${rows[0]?.id ?? 0}`)).toMatch(/^This unit is still used by \d+ emission factors?, \d+ usage units\.$/)
    await sql`update facilities set facility_type_id = null where client_id = ${client}`.execute(db)
    expect((await ask(staff, 'DELETE', `/facility_types/${type}`)).status).toBe(200)
  })
})

describe('every entity', () => {
  it('refers to what somebody answers for, so that no id in a body goes unchecked', () => {
    const lost = [...registered.values()].flatMap(({ entity }) =>
      writableKeys(entity.fields).flatMap((key) => {
        const refers = entity.fields[key]?.refers
        return refers === undefined || sourceOf(refers) ? [] : [`${entity.name}.${key} -> ${refers}`]
      }),
    )
    expect(lost).toEqual([])
  })
})
