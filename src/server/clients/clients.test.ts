import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeService, makeVendor } from '../../../test/support/estate.ts'

const {
  app,
  ask,
  database: { db },
} = await startTestApp()
let staff: Person

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
})

const required = (short_code: string) => ({ name: `Client ${short_code}`, short_code, identifier: `I-${short_code}` })
const made = async (client: object): Promise<number> => {
  const answer = await ask(staff, 'POST', '/clients', { client })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return Number(answer.body['id'])
}
const read = async (id: number) => (await ask(staff, 'GET', `/clients/${id}`)).body['client']

describe('clients', () => {
  it('carry their fields; bills are due upon receipt unless said otherwise [CLIENT-API-004] [CLIENT-API-005] [CLIENT-API-006] [CLIENT-FIELD-001] [CLIENT-FIELD-002] [CLIENT-CONST-003]', async () => {
    const { rows } = await sql<{ id: number }>`insert into channel_partners (name) values ('Partner') returning id`.execute(db)
    const id = await made({ ...required('ONE'), channel_partner_id: rows[0]?.id, notes: 'VIP' })
    expect(await read(id)).toMatchObject({
      id,
      ...required('ONE'),
      active: true,
      channel_partner_id: rows[0]?.id,
      bills_due_on: 'Upon Receipt',
      notes: 'VIP',
      file_url: null,
      filename: null,
      batch_groups: [],
    })
    const changed = await ask(staff, 'PATCH', `/clients/${id}`, { client: { bills_due_on: 'Net 30' } })
    expect(changed.body).toMatchObject({ success: true, message: 'Client updated', client: { bills_due_on: 'Net 30', notes: 'VIP' } })
  })

  it('need name, short code and identifier, and a short code of their own [CLIENT-RULE-001]', async () => {
    const empty = await ask(staff, 'POST', '/clients', { client: {} })
    expect(empty.status).toBe(422)
    expect(empty.body['errors']).toMatchObject({
      fields: { name: ['Name is required'], short_code: ['Short Code is required'], identifier: ['Identifier is required'] },
    })
    await made(required('TWICE'))
    expect((await ask(staff, 'POST', '/clients', { client: required('TWICE') })).body['errors']).toMatchObject({
      fields: { short_code: ['Short Code is taken already'] },
    })
  })

  it('turn inactive and active again [CLIENT-TRANS-001]', async () => {
    const id = await made(required('ACT'))
    expect((await ask(staff, 'PATCH', `/clients/${id}`, { client: { active: false } })).body['client']).toMatchObject({ active: false })
    expect((await ask(staff, 'PATCH', `/clients/${id}`, { client: { active: true } })).body['client']).toMatchObject({ active: true })
  })

  it('keep batch groups: named, renamed by id, removed by _destroy [CLIENT-FIELD-004] [CLIENT-FIELD-005] [CLIENT-RULE-002] [CLIENT-MSG-001] [DIV-FIELD-002] [DIV-API-002]', async () => {
    const nameless = await ask(staff, 'POST', '/clients', {
      client: { ...required('BG'), batch_groups_attributes: [{ name: 'North' }, { name: ' ' }] },
    })
    expect(nameless.status).toBe(422)
    expect(nameless.body['errors']).toMatchObject({ fields: { 'batch_groups_attributes.1.name': ['Missing Batch Group Name'] } })
    const id = await made({ ...required('BG'), batch_groups_attributes: [{ name: 'North' }, { name: 'South' }] })
    const { rows } = await sql<{ id: number }>`select id from batch_groups where client_id = ${id} order by name`.execute(db)
    expect(await read(id)).toMatchObject({
      batch_groups: [
        { id: rows[0]?.id, name: 'North' },
        { id: rows[1]?.id, name: 'South' },
      ],
    })
    const changed = await ask(staff, 'PATCH', `/clients/${id}`, {
      client: {
        batch_groups_attributes: [
          { id: rows[0]?.id, _destroy: true },
          { id: rows[1]?.id, name: 'West' },
        ],
      },
    })
    expect(changed.body['client']).toMatchObject({ batch_groups: [{ id: rows[1]?.id, name: 'West' }] })
    const { rows: trail } = await sql<{
      changes: object
      client_id: number
    }>`select object_changes as changes, client_id from audit_records where item_type = 'client' and item_id = ${id} and event = 'update'`.execute(
      db,
    )
    expect(trail).toEqual([
      {
        client_id: id,
        changes: {
          batch_groups: {
            from: [
              { id: rows[0]?.id, name: 'North' },
              { id: rows[1]?.id, name: 'South' },
            ],
            to: [{ id: rows[1]?.id, name: 'West' }],
          },
        },
      },
    ])
    expect((await ask(staff, 'GET', `/clients/${id}/batch_groups`)).body).toMatchObject({ total: 1, batch_groups: [{ name: 'West' }] })
  })

  it('change no batch group of another client', async () => {
    const id = await made(required('MINE'))
    const other = await made({ ...required('THEIRS'), batch_groups_attributes: [{ name: 'Theirs' }] })
    const { rows } = await sql<{ id: number }>`select id from batch_groups where client_id = ${other}`.execute(db)
    expect(
      (await ask(staff, 'PATCH', `/clients/${id}`, { client: { batch_groups_attributes: [{ id: rows[0]?.id, name: 'Taken' }] } })).status,
    ).toBe(422)
    expect(await read(other)).toMatchObject({ batch_groups: [{ name: 'Theirs' }] })
  })

  it('take a logo by the signed id of a direct upload and give it back [CLIENT-FIELD-003] [CLIENT-RULE-003] [CLIENT-API-012] [CLIENT-API-013]', async () => {
    const bytes = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
    const checksum = createHash('md5').update(bytes).digest('base64')
    const { direct_upload_url: url } = (await ask(staff, 'GET', '/direct_upload_url')).body
    const announced = await app.server.inject({
      method: 'POST',
      url: String(url),
      payload: { blob: { filename: 'logo.png', content_type: 'image/png', byte_size: bytes.length, checksum } },
    })
    const upload = announced.json<{ signed_id: string; direct_upload: { url: string; headers: Record<string, string> } }>()
    const stored = await app.server.inject({
      method: 'PUT',
      url: new URL(upload.direct_upload.url, 'http://localhost').pathname,
      headers: upload.direct_upload.headers,
      payload: bytes,
    })
    expect(stored.statusCode).toBe(204)
    const id = await made({ ...required('LOGO'), logo: upload.signed_id })
    const client = (await ask(staff, 'GET', `/clients/${id}`)).body['client']
    expect(client).toMatchObject({ filename: 'logo.png', file_url: expect.stringContaining('/api/v5/files/') })
    const address = new URL(
      String(typeof client === 'object' && client !== null && 'file_url' in client ? client.file_url : ''),
      'http://localhost',
    )
    const fetched = await app.server.inject({ method: 'GET', url: address.pathname + address.search })
    expect(fetched.rawPayload.equals(bytes)).toBe(true)
    expect(JSON.stringify(client)).not.toContain('logo_key')
    expect((await ask(staff, 'PATCH', `/clients/${id}`, { client: { logo: null } })).body['client']).toMatchObject({
      filename: null,
      file_url: null,
    })
    expect((await ask(staff, 'PATCH', `/clients/${id}`, { client: { logo: 'made up' } })).status).toBe(422)
  })
})

describe('the retrieval service of a client', () => {
  it('is one of those that are set up, and none is the default', async () => {
    const { body } = await ask(staff, 'GET', '/clients/retrieval_services')
    expect(body).toEqual({ retrieval_services: [{ id: 'sandbox', label: expect.any(String) }] })
    const id = await made({ ...required('RETR'), retrieval_provider: 'sandbox' })
    expect(await read(id)).toMatchObject({ retrieval_provider: 'sandbox' })
    const unknown = await ask(staff, 'PATCH', `/clients/${id}`, { client: { retrieval_provider: 'nowhere' } })
    expect(unknown.body['errors']).toMatchObject({ fields: { retrieval_provider: ['This retrieval service is not set up here'] } })
    await ask(staff, 'PATCH', `/clients/${id}`, { client: { retrieval_provider: null } })
    expect(await read(id)).toMatchObject({ retrieval_provider: null })
  })

  it('is chosen by the provider’s staff; others save the rest of the client', async () => {
    const { rows } = await sql<{ id: number }>`insert into channel_partners (name) values ('Chooser') returning id`.execute(db)
    const partnerId = rows[0]?.id ?? 0
    const id = await made({ ...required('CHOSE'), channel_partner_id: partnerId })
    const partner = await makePerson(db, 'channel_partner_admin', { channel_partner_id: partnerId })
    expect((await ask(partner, 'PATCH', `/clients/${id}`, { client: { retrieval_provider: 'sandbox' } })).status).toBe(422)
    expect((await ask(partner, 'PATCH', `/clients/${id}`, { client: { notes: 'x', retrieval_provider: null } })).status).toBe(200)
    expect((await ask(partner, 'GET', '/clients/retrieval_services')).status).toBe(403)
  })
})

describe('subscriptions', () => {
  it('are saved by PUT and by POST alike [CLIENT-API-014] [CLIENT-FIELD-006]', async () => {
    const id = await made(required('SUB'))
    expect(await read(id)).toMatchObject({
      user_management: false,
      utility_payment_management: false,
      accounting_batch_management: false,
      ledger_account_management: false,
    })
    expect(
      (await ask(staff, 'PUT', `/clients/${id}/subscriptions`, { client: { user_management: true, ledger_account_management: true } }))
        .body,
    ).toMatchObject({ success: true, message: 'Subscriptions updated' })
    expect(
      (
        await ask(staff, 'POST', `/clients/${id}/subscriptions`, {
          client: { utility_payment_management: true, accounting_batch_management: true },
        })
      ).body,
    ).toMatchObject({ success: true })
    expect(await read(id)).toMatchObject({
      user_management: true,
      utility_payment_management: true,
      accounting_batch_management: true,
      ledger_account_management: true,
    })
  })

  it('cannot be switched on by the client itself', async () => {
    const id = await made(required('SELF'))
    const own = await makePerson(db, 'client_admin', { clients: [id] })
    expect((await ask(own, 'PUT', `/clients/${id}/subscriptions`, { client: { utility_payment_management: true } })).status).toBe(403)
    expect((await ask(own, 'PATCH', `/clients/${id}`, { client: { utility_payment_management: true } })).status).toBe(403)
  })

  it('change what the client may do at the next request', async () => {
    const id = await made(required('MASK'))
    const own = await makePerson(db, 'client_admin', { clients: [id] })
    const rights = async () => JSON.stringify((await ask(own, 'GET', `/user_roles/for_user?client_id=${id}`)).body['permissions'])
    expect(await rights()).not.toContain('accounting_batch')
    await ask(staff, 'PUT', `/clients/${id}/subscriptions`, { client: { accounting_batch_management: true } })
    expect(await rights()).toContain('accounting_batch')
  })
})

describe('finding clients', () => {
  it('pages, filters, sorts, names by values and searches, by name first [CLIENT-API-001] [CLIENT-API-002] [CLIENT-API-003] [CLIENT-API-011] [CLIENT-API-016] [CLIENT-CONST-002]', async () => {
    const ids = [
      await made({ ...required('F3'), name: 'Find Gamma' }),
      await made({ ...required('F1'), name: 'Find Alpha' }),
      await made({ ...required('F2'), name: 'Find Beta', active: false }),
    ]
    expect((await ask(staff, 'GET', '/clients?search_term=find')).body).toMatchObject({
      total: 3,
      clients: [{ name: 'Find Alpha' }, { name: 'Find Beta' }, { name: 'Find Gamma' }],
    })
    expect((await ask(staff, 'GET', '/clients?search_term=find&page=2&per=2')).body).toMatchObject({
      total: 3,
      clients: [{ name: 'Find Gamma' }],
    })
    expect(
      (await ask(staff, 'GET', `/clients?q[name]=find&q[active]=true&q[s]=${encodeURIComponent('short_code desc')}`)).body,
    ).toMatchObject({ total: 2, clients: [{ short_code: 'F3' }, { short_code: 'F1' }] })
    expect((await ask(staff, 'GET', `/clients?values=[${ids[0]},${ids[1]}]`)).body).toMatchObject({
      total: 2,
      clients: [{ id: ids[1] }, { id: ids[0] }],
    })
  })

  it('offers them to pick: options, one by id, the dropdown, by what is typed [CLIENT-API-007] [CLIENT-API-008] [CLIENT-API-009] [CLIENT-API-010]', async () => {
    const id = await made({ ...required('PICK'), name: 'Pick me' })
    const option = { id, name: 'Pick me', short_code: 'PICK', active: true }
    expect((await ask(staff, 'GET', '/clients/select_options?search_term=pick%20me')).body['clients']).toEqual([option])
    expect((await ask(staff, 'GET', `/clients/select_option_by_id?client_id=${id}`)).body).toEqual({ client: option })
    expect((await ask(staff, 'GET', '/clients/search?q=pick%20me')).body['clients']).toEqual([option])
    expect((await ask(staff, 'GET', '/clients/dropdown_options?search_term=pick%20me&page=1&per=20')).body).toEqual({
      clients: [option],
      total: 1,
    })
    for (let n = 0; n < 25; n++) await makeClient(db)
    const dropdown = (await ask(staff, 'GET', '/clients/dropdown_options')).body
    expect(dropdown['clients']).toHaveLength(20)
    expect(Number(dropdown['total'])).toBeGreaterThan(25)
  })

  it('shows only clients within reach, everywhere', async () => {
    const [mine, theirs] = [await made(required('REACH1')), await made(required('REACH2'))]
    const own = await makePerson(db, 'read_only_user', { clients: [mine] })
    for (const path of ['/clients', '/clients/select_options', '/clients/dropdown_options', '/clients/search?q=REACH']) {
      expect((await ask(own, 'GET', path)).body, path).toMatchObject({ total: 1, clients: [{ id: mine }] })
    }
    expect((await ask(own, 'GET', `/clients/${theirs}`)).status).toBe(404)
    expect((await ask(own, 'GET', `/clients/select_option_by_id?client_id=${theirs}`)).status).toBe(404)
    expect((await ask(own, 'GET', `/clients?values=[${theirs}]`)).body['total']).toBe(0)
    const nobody = await makePerson(db, null)
    expect((await ask(nobody, 'GET', '/clients/dropdown_options')).body).toMatchObject({ total: 0 })
  })

  it('lists the utility services that its accounts have, as far as they are seen [CLIENT-API-015]', async () => {
    const id = await makeClient(db)
    const [one, two] = [await makeFacility(db, id, await makeDivision(db, id)), await makeFacility(db, id, await makeDivision(db, id))]
    const vendor = await makeVendor(db)
    await makeService(db, id, { billable_account_id: await makeBillableAccount(db, id, one, vendor) }, { utility_service: 'Water' })
    await makeService(db, id, { billable_account_id: await makeBillableAccount(db, id, two, vendor) }, { utility_service: 'Electric' })
    expect((await ask(staff, 'GET', `/clients/${id}/client_utility_services`)).body).toMatchObject({
      total: 2,
      client_utility_services: [{ name: 'Electric' }, { name: 'Water' }],
    })
    const narrowed = await makePerson(db, 'client_user', { clients: [id], facility: [[id, one]] })
    expect((await ask(narrowed, 'GET', `/clients/${id}/client_utility_services`)).body).toMatchObject({
      total: 1,
      client_utility_services: [{ name: 'Water' }],
    })
  })
})

describe('who makes and changes clients', () => {
  it('is who may create them, and nobody deletes one [CLIENT-PERM-001]', async () => {
    const own = await makePerson(db, 'client_admin', { clients: [await made(required('OWN'))] })
    expect((await ask(own, 'POST', '/clients', { client: required('NEW') })).status).toBe(403)
    expect((await ask(staff, 'DELETE', `/clients/${await made(required('KEEP'))}`)).status).toBe(404)
  })

  it('among partner administrators only for their own partner', async () => {
    const { rows } = await sql<{ id: number }>`insert into channel_partners (name) values ('Mine'), ('Theirs') returning id`.execute(db)
    const [mine = 0, theirs = 0] = rows.map((row) => row.id)
    const foreign = await makeClient(db, { channel_partner_id: theirs })
    await makeClient(db, { channel_partner_id: mine })
    const partner = await makePerson(db, 'channel_partner_admin', { channel_partner_id: mine })
    const fresh = await ask(partner, 'POST', '/clients', { client: required('PART') })
    expect(fresh.body).toMatchObject({ success: true, client: { channel_partner_id: mine } })
    expect((await ask(partner, 'GET', `/clients/${String(fresh.body['id'])}`)).status).toBe(200)
    expect((await ask(partner, 'POST', '/clients', { client: { ...required('PART2'), channel_partner_id: theirs } })).status).toBe(422)
    expect((await ask(partner, 'PATCH', `/clients/${String(fresh.body['id'])}`, { client: { channel_partner_id: theirs } })).status).toBe(
      422,
    )
    expect((await ask(partner, 'GET', `/clients/${foreign}`)).status).toBe(404)
    expect((await ask(partner, 'GET', '/channel_partners/flat')).body).toEqual({ channel_partners: [{ id: mine, name: 'Mine' }] })
    expect((await ask(staff, 'GET', '/channel_partners/flat')).body).toMatchObject({
      channel_partners: expect.arrayContaining([
        { id: mine, name: 'Mine' },
        { id: theirs, name: 'Theirs' },
      ]),
    })
  })

  it('is nobody whose role is narrowed inside the client', async () => {
    const id = await made(required('NARROW'))
    const division = await makeDivision(db, id)
    const narrowed = await makePerson(db, 'muc_admin', { clients: [id], division: [[id, division]] })
    expect((await ask(narrowed, 'GET', `/clients/${id}`)).status).toBe(200)
    expect((await ask(narrowed, 'PATCH', `/clients/${id}`, { client: { name: 'Mine now' } })).status).toBe(403)
    expect((await ask(narrowed, 'PUT', `/clients/${id}/subscriptions`, { client: { user_management: true } })).status).toBe(403)
  })
})
