import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeClient, makeDivision, makeVendor } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let staff: Person
let client: number

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  client = await makeClient(db)
})

const at = (id: number = client) => `/clients/${id}/client_vendor_numbers`
const made = async (clientId: number, vendor_id: number, vendor_number: string): Promise<number> => {
  const answer = await ask(staff, 'POST', at(clientId), { client_vendor_number: { vendor_id, vendor_number } })
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}

it('are made, read, changed and deleted, with the vendor by name [CVN-FIELD-001] [CVN-API-002] [CVN-API-003] [CVN-API-004] [CVN-API-005]', async () => {
  const vendor = await makeVendor(db, { name: 'City Water' })
  const id = await made(client, vendor, ' 0042 ')
  const row = { id, vendor_id: vendor, vendor_name: 'City Water', vendor_number: '0042', client_id: client }
  expect((await ask(staff, 'GET', `${at()}/${id}`)).body['client_vendor_number']).toMatchObject(row)
  const changed = await ask(staff, 'PATCH', `${at()}/${id}`, { client_vendor_number: { vendor_number: '0043' } })
  expect(changed.body).toMatchObject({ success: true, client_vendor_number: { ...row, vendor_number: '0043' } })
  expect((await ask(staff, 'DELETE', `${at()}/${id}`)).body).toMatchObject({ success: true })
  expect((await ask(staff, 'GET', `${at()}/${id}`)).status).toBe(404)
  const { rows } = await sql<{ event: string; client_id: number }>`select event, client_id from audit_records
    where item_type = 'client_vendor_number' and item_id = ${id} order by id`.execute(db)
  expect(rows).toEqual(['create', 'update', 'destroy'].map((event) => ({ event, client_id: client })))
})

it('need a vendor and a number, and a vendor has one [CVN-RULE-001]', async () => {
  const empty = await ask(staff, 'POST', at(), { client_vendor_number: { vendor_number: '  ' } })
  expect(empty.status).toBe(422)
  expect(empty.body['errors']).toMatchObject({
    fields: { vendor_id: ['Vendor is required'], vendor_number: ['Vendor Number is required'] },
  })
  const [one, two] = [await makeVendor(db), await makeVendor(db)]
  await made(client, one, 'A-1')
  const other = await made(client, two, 'B-1')
  const twice = await ask(staff, 'POST', at(), { client_vendor_number: { vendor_id: one, vendor_number: 'A-2' } })
  expect(twice.body['errors']).toMatchObject({ fields: { vendor_id: ['This vendor has the number A-1 already'] } })
  expect((await ask(staff, 'PATCH', `${at()}/${other}`, { client_vendor_number: { vendor_id: one } })).status).toBe(422)
  expect((await ask(staff, 'PATCH', `${at()}/${other}`, { client_vendor_number: { vendor_id: two, vendor_number: 'B-2' } })).status).toBe(
    200,
  )
  await made(await makeClient(db), one, 'A-1')
  await expect(
    sql`insert into client_vendor_numbers (client_id, vendor_id, vendor_number) values (${client}, ${one}, 'X')`.execute(db),
  ).rejects.toThrow('client_vendor_numbers_vendor')
})

it('page by vendor, are filtered by both texts and counted [CVN-API-001]', async () => {
  const id = await makeClient(db)
  for (const [name, number] of [
    ['Zeta Gas', '1'],
    ['Alpha Power', '77'],
    ['Mid Water', '78'],
  ] as const)
    await made(id, await makeVendor(db, { name }), number)
  expect((await ask(staff, 'GET', `${at(id)}?page=1&per=2`)).body).toMatchObject({
    total: 3,
    client_vendor_numbers: [{ vendor_name: 'Alpha Power' }, { vendor_name: 'Mid Water' }],
  })
  expect((await ask(staff, 'GET', `${at(id)}?q[vendor_number]=7&q[vendor_name]=wat`)).body).toMatchObject({
    total: 1,
    client_vendor_numbers: [{ vendor_number: '78' }],
  })
  expect((await ask(staff, 'GET', `${at(id)}?q[notes]=7`)).status).toBe(422)
})

it('start an export whose file holds them [CVN-EXPORT-001] [CVN-MSG-002]', async () => {
  const id = await makeClient(db)
  await made(id, await makeVendor(db, { name: 'Delta Sewer' }), '=1+1')
  const started = await ask(staff, 'GET', `${at(id)}/export_csv?connection_id=window`)
  expect(started.body).toMatchObject({ success: true, message: 'Client Vendor Numbers export started' })
  const text = await exportedText({ ask }, staff, Number(started.body['task_id']))
  expect(text.split(/\r?\n/)[0]).toBe('ID,Vendor ID,Vendor Name,Vendor Number,Client ID,vendor_short_code')
  expect(text).toContain(`Delta Sewer,'=1+1,${id}`)
})

it('belong to the client as a whole: its people read them, who may change the client changes them, a narrowed role sees none', async () => {
  const own = await makeClient(db)
  const id = await made(own, await makeVendor(db), '5')
  const reader = await makePerson(db, 'read_only_user', { clients: [own] })
  const admin = await makePerson(db, 'client_admin', { clients: [own] })
  const division = await makeDivision(db, own)
  const narrowed = await makePerson(db, 'client_user', { clients: [own], division: [[own, division]] })
  const narrowedStaff = await makePerson(db, 'muc_admin', { clients: [own], division: [[own, division]] })
  expect((await ask(reader, 'GET', at(own))).body['total']).toBe(1)
  expect((await ask(admin, 'PATCH', `${at(own)}/${id}`, { client_vendor_number: { vendor_number: '6' } })).status).toBe(403)
  expect((await ask(narrowed, 'GET', at(own))).body).toMatchObject({ total: 0, client_vendor_numbers: [] })
  expect((await ask(narrowedStaff, 'PATCH', `${at(own)}/${id}`, { client_vendor_number: { vendor_number: '6' } })).status).toBe(403)
  const draft = { client_vendor_number: { vendor_id: await makeVendor(db), vendor_number: '6' } }
  expect((await ask(narrowedStaff, 'POST', at(own), draft)).status).toBe(403)
})
