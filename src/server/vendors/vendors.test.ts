import { payeeFields } from '#contract/vendors/payee-fields.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let staff: Person
let reader: Person

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  await sql`insert into clients (id, name, short_code, identifier) values (1, 'Acme', 'ACM', '1')`.execute(db)
  reader = await makePerson(db, 'client_user', { clients: [1] })
})

async function methodIds(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from payment_methods where name in ('Check', 'ACH') order by name desc`.execute(db)
  return rows.map((row) => row.id)
}

async function made(vendor: object): Promise<{ id: number; vendor: Record<string, unknown> }> {
  const { status, body } = await ask(staff, 'POST', '/vendors', { vendor })
  expect(status, JSON.stringify(body)).toBe(200)
  const { vendor: row } = body
  if (typeof row !== 'object' || row === null) throw new Error('no vendor was answered')
  return { id: Number(body['id']), vendor: { ...row } }
}

describe('vendors', () => {
  it('keeps every field, its payment methods in the order given, and a display name [VEND-API-005] [VEND-FIELD-002] [VEND-FIELD-006] [VEND-FIELD-007]', async () => {
    const ids = await methodIds()
    const address = {
      street_address_1: '1 Main',
      street_address_2: 'Floor 2',
      phone: '555',
      city: 'Austin',
      state: 'TX',
      country: 'US',
      zip: '78701',
    }
    const { id, vendor } = await made({ name: 'City Power', short_code: 'CITY', ...address, payment_method_ids: ids })
    expect(vendor).toMatchObject({ id, name: 'City Power', short_code: 'CITY', display_name: 'City Power (CITY)', ...address })
    expect(vendor['payment_methods']).toEqual([
      { id: ids[0], name: 'Check' },
      { id: ids[1], name: 'ACH' },
    ])
    const turned = await ask(staff, 'PATCH', `/vendors/${id}`, { vendor: { payment_method_ids: ids.toReversed() } })
    expect(turned.body['vendor']).toMatchObject({ name: 'City Power', payment_methods: [{ name: 'ACH' }, { name: 'Check' }] })
    const one = await ask(reader, 'GET', `/vendors/${id}`)
    expect(one.body['vendor']).toMatchObject({ payment_methods: [{ name: 'ACH' }, { name: 'Check' }] })
  })

  it('needs name and short code, and a short code that nobody else has [VEND-RULE-001]', async () => {
    const empty = await ask(staff, 'POST', '/vendors', { vendor: { name: '' } })
    expect(empty.status).toBe(422)
    expect(empty.body['errors']).toMatchObject({ fields: { name: ['Name is required'], short_code: ['Short Code is required'] } })
    await made({ name: 'First', short_code: 'TAKEN' })
    const twice = await ask(staff, 'POST', '/vendors', { vendor: { name: 'Second', short_code: 'TAKEN' } })
    expect(twice.status).toBe(422)
    expect(twice.body['errors']).toMatchObject({ fields: { short_code: ['Short Code is taken already'] } })
  })

  it('lists, names by ids, searches and picks [VEND-API-002] [VEND-API-001] [VEND-FIELD-001] [VEND-API-003]', async () => {
    const a = await made({ name: 'Zeta Electric', short_code: 'ZE1' })
    const b = await made({ name: 'Zeta Gas', short_code: 'ZG1' })
    const list = await ask(reader, 'GET', '/vendors?q[name]=zeta&q[s]=name%20desc')
    expect(list.body).toMatchObject({ total: 2, vendors: [{ name: 'Zeta Gas' }, { name: 'Zeta Electric' }] })
    expect((await ask(reader, 'GET', `/vendors?ids=${a.id},${b.id}`)).body['total']).toBe(2)
    const options = await ask(reader, 'GET', '/vendors/select_options?search_term=ZG1')
    expect(options.body['vendors']).toEqual([{ id: b.id, name: 'Zeta Gas', display_name: 'Zeta Gas (ZG1)' }])
  })

  it('has up to five other names, where its payments are remitted to, and is active unless told', async () => {
    const remit = {
      remit_name: 'Lockbox Co',
      remit_street_address_1: 'PO Box 4',
      remit_city: 'Albany',
      remit_state: 'NY',
      remit_zip: '12201',
    }
    const { id, vendor } = await made({ name: 'Many Names', short_code: 'MANY', aliases: [' MN ', 'Names', 'MN', ''], ...remit })
    expect(vendor).toMatchObject({ active: true, aliases: ['MN', 'Names'], remittance: 'ctx', ...remit })
    const more = await ask(staff, 'PATCH', `/vendors/${id}`, { vendor: { aliases: ['Z', 'A'], remittance: 'none' } })
    expect(more.body['vendor']).toMatchObject({ aliases: ['Z', 'A'], remittance: 'none' })
    const prenote = await ask(staff, 'PATCH', `/vendors/${id}`, { vendor: { prenote_state: 'sent', prenote_date: '2026-11-20' } })
    expect(prenote.body['vendor']).toMatchObject({ prenote_state: 'sent', prenote_date: '2026-11-20', remittance: 'none' })
    const six = await ask(staff, 'PATCH', `/vendors/${id}`, { vendor: { aliases: ['1', '2', '3', '4', '5', '6'] } })
    expect(six.body['errors']).toMatchObject({ fields: { aliases: ['Aliases must have at most 5 entries'] } })
    expect((await ask(reader, 'GET', `/vendors/${id}`)).body['vendor']).toMatchObject({ aliases: ['Z', 'A'] })
  })

  it('is no longer offered once it is inactive, and still named where it was chosen', async () => {
    const { id } = await made({ name: 'Sleeping Water', short_code: 'SLEEP' })
    const offered = async (query: string) => (await ask(reader, 'GET', `/vendors/select_options?${query}`)).body
    expect(await offered('search_term=SLEEP')).toMatchObject({ total: 1, vendors: [{ id }] })
    await ask(staff, 'PATCH', `/vendors/${id}`, { vendor: { active: false } })
    expect(await offered('search_term=SLEEP')).toEqual({ total: 0, vendors: [] })
    expect(await offered(`values=[${id}]`)).toMatchObject({ vendors: [{ id, name: 'Sleeping Water' }] })
    expect((await ask(reader, 'GET', '/vendors?q[active_eq]=false')).body).toMatchObject({ total: 1, vendors: [{ id }] })
  })

  it('answers the same list, record and deletion that client vendor numbers pick from [VEND-API-006]', async () => {
    const { id } = await made({ name: 'Picked Gas', short_code: 'PICK' })
    const number = await ask(staff, 'POST', '/clients/1/client_vendor_numbers', {
      client_vendor_number: { vendor_id: id, vendor_number: 'N-1' },
    })
    expect(number.status, number.text).toBe(200)
    expect((await ask(reader, 'GET', '/vendors?q[short_code_eq]=PICK')).body).toMatchObject({ vendors: [{ id }] })
    expect((await ask(reader, 'GET', `/vendors/${id}`)).body['vendor']).toMatchObject({ name: 'Picked Gas' })
    const kept = await ask(staff, 'DELETE', `/vendors/${id}`)
    expect(kept.status).toBe(409)
    expect(kept.body['message']).toBe('This vendor is still used by 1 client vendor number.')
    await ask(staff, 'DELETE', `/clients/1/client_vendor_numbers/${String(number.body['id'])}`)
    expect((await ask(staff, 'DELETE', `/vendors/${id}`)).status).toBe(200)
  })

  it('is deleted with its links, unless accounts use it [VEND-API-004]', async () => {
    const { id } = await made({ name: 'Gone', short_code: 'GONE', payment_method_ids: await methodIds() })
    const gone = await ask(staff, 'DELETE', `/vendors/${id}`)
    expect(gone.body).toEqual({ success: true, message: 'Vendor deleted' })
    expect((await ask(staff, 'GET', `/vendors/${id}`)).status).toBe(404)
    const used = await made({ name: 'Used', short_code: 'USED' })
    await sql`insert into client_vendor_numbers (client_id, vendor_id, vendor_number) values (1, ${used.id}, '7')`.execute(db)
    expect((await ask(staff, 'DELETE', `/vendors/${used.id}`)).status).toBe(409)
  })

  it('is read by client users and written by provider staff alone [LIST-RULE-008]', async () => {
    const { id } = await made({ name: 'Ours', short_code: 'OURS' })
    expect((await ask(reader, 'GET', '/vendors')).status).toBe(200)
    for (const [method, path] of [
      ['POST', '/vendors'],
      ['PATCH', `/vendors/${id}`],
      ['DELETE', `/vendors/${id}`],
    ] as const) {
      expect((await ask(reader, method, path, { vendor: { name: 'Mine', short_code: 'MINE' } })).status).toBe(403)
      expect((await ask(null, method, path, { vendor: { name: 'Mine', short_code: 'MINE' } })).status).toBe(401)
    }
  })

  it('is paid elsewhere or by other means, or its account trusted, only with the password of the last minutes; other changes need none', async () => {
    const [check = 0, ach = 0] = await methodIds()
    const start = { name: 'City Steam', short_code: 'STEAM', city: 'Austin', payment_method_ids: [check] }
    const { id } = await made(start)
    const old = await makePerson(db, 'super_admin')
    await sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${old.id}`.execute(db)
    const change = (vendor: object) => ask(old, 'PATCH', `/vendors/${id}`, { vendor })
    const moves: object[] = [
      ...payeeFields.map((field) => ({ [field]: field === 'country' ? 'CA' : field.endsWith('state') ? 'NV' : 'Elsewhere' })),
      { payment_method_ids: [ach] },
      { prenote_state: 'accepted' },
      { po_box: '021000021' },
      { payment_identifier: '123456789' },
      { account_type: 'savings' },
      { account_holder: 'Somebody' },
    ]
    const open: object[] = []
    for (const move of moves) {
      const { status, body } = await change(move)
      if (status !== 403 || body['code'] !== 'not_proven') open.push({ ...move, status, message: body['message'] })
    }
    expect(open).toEqual([])
    const { rows } = await sql`select from vendor_bank_changes where vendor_id = ${id}`.execute(db)
    expect(rows).toEqual([])
    expect((await change({ ...start, phone: '555', remittance_email: 'ap@steam.test' })).status).toBe(200)
    const bank = { name: 'City Ice', short_code: 'ICE', payment_identifier: '123456789' }
    expect(await ask(old, 'POST', '/vendors', { vendor: bank })).toMatchObject({ status: 403, body: { code: 'not_proven' } })
    expect((await ask(old, 'POST', '/vendors', { vendor: { name: 'City Ice', short_code: 'ICE', city: 'Austin' } })).status).toBe(200)
    await sql`update sessions set proven_at = now() where user_id = ${old.id}`.execute(db)
    expect((await change({ remit_city: 'Elsewhere', po_box: '021000021' })).status).toBe(200)
  })

  it('refuses a payment method that is none, at its field', async () => {
    const answer = await ask(staff, 'POST', '/vendors', { vendor: { name: 'Odd', short_code: 'ODD', payment_method_ids: [999_999] } })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({ fields: { payment_method_ids: ['This record cannot be found'] } })
  })

  it('starts an export with the filters of the list [VEND-EXPORT-001]', async () => {
    const answer = await ask(reader, 'GET', '/vendors/export_csv?q[name]=zeta&connection_id=abc')
    expect(answer.body).toMatchObject({ success: true, message: 'Vendors export started' })
  })
})
