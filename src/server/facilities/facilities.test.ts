import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../../../test/support/estate.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let admin: Person
let client: number
let division: number

beforeAll(async () => {
  client = await makeClient(db, { name: 'Acme' })
  division = await makeDivision(db, client, { name: 'East' })
  admin = await makePerson(db, 'client_admin', { clients: [client] })
})

const facilitiesPath = () => `/clients/${client}/facilities`

describe('facilities', () => {
  it('carry their fields, four decimals of area and several production units [FAC-FIELD-001] [FAC-FIELD-002] [FAC-FIELD-003] [FAC-API-001] [FAC-API-002] [FAC-API-003] [FAC-CONST-001]', async () => {
    const { rows: types } = await sql<{ id: number; name: string }>`select id, name from facility_types order by id limit 1`.execute(db)
    const { rows: units } = await sql<{ id: number }>`insert into production_units (name) values ('Tons'), ('Beds') returning id`.execute(
      db,
    )
    const ids = units.map((row) => row.id)
    const made = await ask(admin, 'POST', facilitiesPath(), {
      facility: {
        name: 'Plant',
        number: '007',
        square_footage: '1250.5',
        division_id: division,
        facility_type_id: types[0]?.id,
        production_unit_ids: ids,
      },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const id = Number(made.body['id'])
    const read = await ask(admin, 'GET', `${facilitiesPath()}/${id}`)
    expect(read.body['facility']).toMatchObject({
      id,
      name: 'Plant',
      number: '007',
      square_footage: '1250.5000',
      division_id: division,
      division_name: 'East',
      facility_type_id: types[0]?.id,
      facility_type_name: types[0]?.name,
      production_unit_ids: ids,
    })
    const changed = await ask(admin, 'PATCH', `${facilitiesPath()}/${id}`, {
      facility: { square_footage: 99.1234, production_unit_ids: ids.slice(1) },
    })
    expect(changed.body['facility']).toMatchObject({ name: 'Plant', square_footage: '99.1234', production_unit_ids: ids.slice(1) })
    const { rows: trail } = await sql<{
      changes: object
    }>`select object_changes as changes from audit_records where item_type = 'facility' and item_id = ${id} and event = 'update'`.execute(
      db,
    )
    expect(trail[0]?.changes).toEqual({
      square_footage: { from: '1250.5000', to: '99.1234' },
      production_unit_ids: { from: ids, to: ids.slice(1) },
    })
  })

  it('need name, number and division, and an area of at least 0 [FAC-RULE-001] [FAC-RULE-002]', async () => {
    const answer = await ask(admin, 'POST', facilitiesPath(), { facility: { square_footage: '-1' } })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({
      fields: {
        name: ['Name is required'],
        number: ['Number is required'],
        division_id: ['Division is required'],
        square_footage: ['Square Footage must be at least 0'],
      },
    })
    expect(
      (await ask(admin, 'POST', facilitiesPath(), { facility: { name: 'Z', number: '0', division_id: division, square_footage: '0' } }))
        .status,
    ).toBe(200)
    expect(
      (
        await ask(admin, 'POST', facilitiesPath(), {
          facility: { name: 'Z', number: '0', division_id: division, square_footage: '0.12345' },
        })
      ).status,
    ).toBe(422)
  })

  it('are listed with their total, by division and by filter, and deleted [FAC-API-004] [FAC-API-005] [FAC-API-006] [FAC-API-007]', async () => {
    const home = await makeDivision(db, client)
    const one = await makeFacility(db, client, home, { name: 'Depot One' })
    await makeFacility(db, client, home, { name: 'Depot Two' })
    const list = await ask(admin, 'GET', `${facilitiesPath()}?division_id=${home}`)
    expect(list.body).toMatchObject({ total: 2, facilities: [{ name: 'Depot One' }, { name: 'Depot Two' }] })
    expect((await ask(admin, 'GET', `/facilities?division_id[]=${home}&q[name]=two`)).body).toMatchObject({
      total: 1,
      facilities: [{ name: 'Depot Two', client: 'Acme' }],
    })
    expect((await ask(admin, 'GET', '/facilities/search?q=one%20depot')).body).toMatchObject({ facilities: [{ id: one }] })
    expect((await ask(admin, 'DELETE', `${facilitiesPath()}/${one}`)).body).toEqual({ success: true, message: 'Facility deleted' })
    expect((await ask(admin, 'GET', `${facilitiesPath()}?division_id=${home}`)).body['total']).toBe(1)
  })

  it('take no division of another client', async () => {
    const other = await makeClient(db)
    const theirs = await makeDivision(db, other)
    const staff = await makePerson(db, 'super_admin')
    const answer = await ask(staff, 'POST', facilitiesPath(), { facility: { name: 'F', number: '1', division_id: theirs } })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({ fields: { division_id: ['This record cannot be found'] } })
  })

  it('take the bills of their accounts along when they move to another division', async () => {
    const [from, to] = [await makeDivision(db, client), await makeDivision(db, client)]
    const id = await makeFacility(db, client, from)
    const account = await makeBillableAccount(db, client, id, await makeVendor(db))
    await sql`insert into bills (client_id, billable_account_id, account_number, facility_id, division_id, date, due_date) values (${client}, ${account}, 'x', ${id}, ${from}, '2026-03-01', '2026-03-20')`.execute(
      db,
    )
    expect((await ask(admin, 'PATCH', `${facilitiesPath()}/${id}`, { facility: { division_id: to } })).status).toBe(200)
    const { rows } = await sql<{ division_id: number }>`select division_id from bills where billable_account_id = ${account}`.execute(db)
    expect(rows).toEqual([{ division_id: to }])
  })

  it('can be exported [FAC-EXPORT-001]', async () => {
    expect((await ask(admin, 'GET', `${facilitiesPath()}/export_csv?connection_id=x`)).body).toMatchObject({
      success: true,
      message: 'Facilities export started',
    })
    expect((await ask(admin, 'GET', `/clients/${client}/divisions/export_csv?connection_id=x`)).body).toMatchObject({
      success: true,
      message: 'Divisions export started',
    })
    expect((await ask(admin, 'GET', '/utility_services/export_csv?connection_id=x')).body).toMatchObject({
      success: true,
      message: 'Utility Services export started',
    })
  })
})
