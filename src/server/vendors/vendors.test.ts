import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { openSecret } from '../kernel/secret.ts'

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

  it('answers bank numbers masked and stores them encrypted, each bound to its row', async () => {
    const { id, vendor } = await made({ name: 'Secret Gas', short_code: 'SEC', po_box: '021000021', payment_identifier: '998877665544' })
    expect(vendor).toMatchObject({ po_box: '•••••0021', payment_identifier: '•••••5544' })
    const {
      rows: [stored],
    } = await sql<{
      text: string
      po_box_encrypted: Buffer
    }>`select vendors::text as text, po_box_encrypted from vendors where id = ${id}`.execute(db)
    expect(stored?.text).not.toContain('021000021')
    const key = 'a key for tests, long enough to pass'
    const sealed = stored?.po_box_encrypted ?? Buffer.alloc(0)
    expect(openSecret(key, { table: 'vendors', column: 'po_box', id }, sealed)).toBe('021000021')
    expect(() => openSecret(key, { table: 'vendors', column: 'po_box', id: id + 1 }, sealed)).toThrow('unable to authenticate data')
    expect(() => openSecret(key, { table: 'vendors', column: 'payment_identifier', id }, sealed)).toThrow('unable to authenticate data')
    const { rows } = await sql<{
      text: string
    }>`select object_changes::text as text from audit_records where item_type = 'vendor' and item_id = ${id}`.execute(db)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.text).toContain('[secret]')
    expect(rows[0]?.text).not.toContain('0021')
  })

  it('takes a masked number sent back as unchanged, and a new one with its author', async () => {
    const { id } = await made({ name: 'Mask Water', short_code: 'MSK', payment_identifier: '12345678' })
    await sql`update vendors set bank_changed_by = null where id = ${id}`.execute(db)
    const same = await ask(staff, 'PATCH', `/vendors/${id}`, { vendor: { name: 'Mask Water II', payment_identifier: '•••••5678' } })
    expect(same.body['vendor']).toMatchObject({ name: 'Mask Water II', payment_identifier: '•••••5678' })
    const {
      rows: [before],
    } = await sql<{
      bank_changed_by: number | null
      sealed: Buffer
    }>`select bank_changed_by, payment_identifier_encrypted as sealed from vendors where id = ${id}`.execute(db)
    expect(before?.bank_changed_by).toBeNull()
    expect(
      openSecret(
        'a key for tests, long enough to pass',
        { table: 'vendors', column: 'payment_identifier', id },
        before?.sealed ?? Buffer.alloc(0),
      ),
    ).toBe('12345678')
    expect((await ask(staff, 'PATCH', `/vendors/${id}`, { vendor: { payment_identifier: '•••••9999' } })).status).toBe(422)
    await ask(staff, 'PATCH', `/vendors/${id}`, { vendor: { payment_identifier: '87655678' } })
    const {
      rows: [after],
    } = await sql<{ bank_changed_by: number | null }>`select bank_changed_by from vendors where id = ${id}`.execute(db)
    expect(after?.bank_changed_by).toBe(staff.id)
    const { rows: trail } = await sql<{
      changes: object
    }>`select object_changes as changes from audit_records where item_type = 'vendor' and item_id = ${id} order by id desc limit 1`.execute(
      db,
    )
    expect(trail[0]?.changes).toEqual({ payment_identifier: { from: '[secret]', to: '[secret]' } })
    const cleared = await ask(staff, 'PATCH', `/vendors/${id}`, { vendor: { payment_identifier: null } })
    expect(cleared.body['vendor']).toMatchObject({ payment_identifier: null })
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
