import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../../../test/support/estate.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let staff: Person
let admin: Person
let acme: number
let other: number

beforeAll(async () => {
  acme = await makeClient(db, { name: 'Acme' })
  other = await makeClient(db, { name: 'Other' })
  staff = await makePerson(db, 'muc_admin')
  admin = await makePerson(db, 'client_admin', { clients: [acme] })
})

const one = async (body: object, path = `/clients/${acme}/divisions`, who = admin): Promise<number> => {
  const answer = await ask(who, 'POST', path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return Number(answer.body['id'])
}

describe('divisions', () => {
  it('are made, read, changed and deleted inside their client [DIV-API-005] [DIV-API-006] [DIV-API-007] [DIV-FIELD-001]', async () => {
    await ask(staff, 'PATCH', `/clients/${acme}`, { client: { batch_groups_attributes: [{ name: 'North' }] } })
    const groups = await ask(admin, 'GET', `/clients/${acme}/batch_groups`)
    expect(groups.body).toMatchObject({ total: 1, batch_groups: [{ name: 'North' }] })
    const { rows } = await sql<{ id: number }>`select id from batch_groups where client_id = ${acme}`.execute(db)
    const id = await one({ division: { name: 'East', short_code: 'E', code: '01', batch_group_id: rows[0]?.id } })
    const read = await ask(admin, 'GET', `/clients/${acme}/divisions/${id}`)
    expect(read.body['division']).toMatchObject({
      id,
      name: 'East',
      short_code: 'E',
      code: '01',
      batch_group_name: 'North',
      client_id: acme,
      client: 'Acme',
    })
    const changed = await ask(admin, 'PATCH', `/clients/${acme}/divisions/${id}`, { division: { code: '02' } })
    expect(changed.body).toMatchObject({ success: true, division: { name: 'East', code: '02', batch_group_name: 'North' } })
    expect((await ask(admin, 'DELETE', `/clients/${acme}/divisions/${id}`)).body).toEqual({ success: true, message: 'Division deleted' })
    expect((await ask(admin, 'GET', `/clients/${acme}/divisions/${id}`)).status).toBe(404)
  })

  it('need name, short code and code [DIV-RULE-001]', async () => {
    const answer = await ask(admin, 'POST', `/clients/${acme}/divisions`, { division: { name: ' ' } })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({
      fields: { name: ['Name is required'], short_code: ['Short Code is required'], code: ['Code is required'] },
    })
  })

  it('are found by search_term, by several ids, and one by one id [DIV-API-001] [DIV-API-003] [DIV-API-004]', async () => {
    const west = await one({ division: { name: 'West Coast', short_code: 'W', code: '10' } })
    const south = await one({ division: { name: 'South Coast', short_code: 'S', code: '11' } })
    expect((await ask(admin, 'GET', `/clients/${acme}/divisions?search_term=west`)).body).toMatchObject({
      total: 1,
      divisions: [{ id: west }],
    })
    const several = await ask(admin, 'GET', `/clients/${acme}/divisions?division_id[]=${west}&division_id[]=${south}&per=1000`)
    expect(several.body).toMatchObject({ total: 2, divisions: [{ id: south }, { id: west }] })
    expect((await ask(staff, 'GET', `/divisions?division_id=${west}`)).body).toMatchObject({ division: { id: west, name: 'West Coast' } })
    expect((await ask(admin, 'GET', '/divisions/search?q=south')).body).toMatchObject({ divisions: [{ id: south, name: 'South Coast' }] })
  })

  it('are listed over all clients within reach, by name, and by client_id [DIV-CONST-001]', async () => {
    await makeDivision(db, other, { name: 'Aaa of other' })
    const all = await ask(staff, 'GET', `/divisions?client_id=${other}`)
    expect(all.body).toMatchObject({ total: 1, divisions: [{ name: 'Aaa of other', client: 'Other' }] })
    const mine = await ask(admin, 'GET', '/divisions?per=100')
    expect(JSON.stringify(mine.body)).not.toContain('Aaa of other')
    const { divisions } = mine.body
    const names = Array.isArray(divisions) ? divisions.map((row: { name: string }) => row.name) : []
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)))
    expect((await ask(admin, 'GET', `/divisions?client_id=${other}`)).body['total']).toBe(0)
  })

  it('take no batch group of another client', async () => {
    const { rows } = await sql<{ id: number }>`insert into batch_groups (client_id, name) values (${other}, 'Theirs') returning id`.execute(
      db,
    )
    const answer = await ask(staff, 'POST', `/clients/${acme}/divisions`, {
      division: { name: 'X', short_code: 'X', code: 'X', batch_group_id: rows[0]?.id },
    })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({ fields: { batch_group_id: ['This record cannot be found'] } })
  })

  it('are written by client from the path: the body cannot name another', async () => {
    const answer = await ask(admin, 'POST', `/clients/${acme}/divisions`, {
      division: { name: 'X', short_code: 'X', code: 'X', client_id: other },
    })
    expect(answer.status).toBe(422)
    expect((await ask(admin, 'POST', `/clients/${other}/divisions`, { division: { name: 'X', short_code: 'X', code: 'X' } })).status).toBe(
      404,
    )
  })

  it('cannot be deleted while facilities stand in them', async () => {
    const id = await makeDivision(db, acme)
    await makeFacility(db, acme, id)
    expect((await ask(admin, 'DELETE', `/clients/${acme}/divisions/${id}`)).status).toBe(409)
  })
})

describe('a role narrowed inside its client', () => {
  it('reaches its division and what lies below, with the names of what lies above', async () => {
    const division = await makeDivision(db, acme, { name: 'Mine' })
    const neighbour = await makeDivision(db, acme, { name: 'Not mine' })
    const facility = await makeFacility(db, acme, division, { name: 'My facility' })
    const strange = await makeFacility(db, acme, neighbour, { name: 'Strange facility' })
    const vendor = await makeVendor(db)
    const account = await makeBillableAccount(db, acme, facility, vendor)
    await makeBillableAccount(db, acme, strange, vendor)
    const manager = await makePerson(db, 'client_manager', { clients: [acme], division: [[acme, division]] })
    expect((await ask(manager, 'GET', `/clients/${acme}/divisions`)).body).toMatchObject({ total: 1, divisions: [{ id: division }] })
    expect((await ask(manager, 'GET', `/clients/${acme}/facilities`)).body).toMatchObject({
      total: 1,
      facilities: [{ id: facility, division_name: 'Mine' }],
    })
    expect((await ask(manager, 'GET', `/clients/${acme}/billable_accounts`)).body).toMatchObject({
      total: 1,
      billable_accounts: [{ id: account, facility: 'My facility', division_name: 'Mine' }],
    })
    expect((await ask(manager, 'GET', `/clients/${acme}/facilities/${strange}`)).status).toBe(404)
    expect((await ask(manager, 'PATCH', `/clients/${acme}/divisions/${neighbour}`, { division: { name: 'Taken' } })).status).toBe(404)
    expect((await ask(manager, 'GET', `/clients/${acme}`)).body).toMatchObject({ client: { name: 'Acme' } })
  })

  it('puts nothing where it does not reach: ids in a body are held against the reach', async () => {
    const division = await makeDivision(db, acme)
    const neighbour = await makeDivision(db, acme)
    const facility = await makeFacility(db, acme, division)
    const manager = await makePerson(db, 'client_manager', { clients: [acme], division: [[acme, division]] })
    const made = await ask(manager, 'POST', `/clients/${acme}/facilities`, {
      facility: { name: 'New', number: '1', division_id: neighbour },
    })
    expect(made.status).toBe(422)
    expect(made.body['errors']).toMatchObject({ fields: { division_id: ['This record cannot be found'] } })
    const moved = await ask(manager, 'PATCH', `/clients/${acme}/facilities/${facility}`, { facility: { division_id: neighbour } })
    expect(moved.status).toBe(422)
    expect(
      (await ask(manager, 'POST', `/clients/${acme}/facilities`, { facility: { name: 'New', number: '1', division_id: division } })).status,
    ).toBe(200)
  })

  it('on a facility may save it without reaching its division', async () => {
    const division = await makeDivision(db, acme)
    const facility = await makeFacility(db, acme, division)
    const manager = await makePerson(db, 'client_manager', { clients: [acme], facility: [[acme, facility]] })
    const saved = await ask(manager, 'PATCH', `/clients/${acme}/facilities/${facility}`, {
      facility: { name: 'Renamed', division_id: division },
    })
    expect(saved.body).toMatchObject({ success: true, facility: { name: 'Renamed' } })
    expect((await ask(manager, 'GET', `/clients/${acme}/divisions`)).body['total']).toBe(0)
  })
})
