import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { addRole, makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'

const {
  app,
  ask,
  database: { db },
} = await startTestApp()
let staff: Person

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
})

const made = async (channel_partner: object): Promise<number> => {
  const answer = await ask(staff, 'POST', '/channel_partners', { channel_partner })
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}
const read = async (id: number, who = staff) => (await ask(who, 'GET', `/channel_partners/${id}`)).body['channel_partner']
const change = (id: number, channel_partner: object, who = staff) => ask(who, 'PATCH', `/channel_partners/${id}`, { channel_partner })
const idsOf = async (who: Person, path = '/channel_partners?per=1000') => {
  const { body } = await ask(who, 'GET', path)
  const rows: unknown = body['channel_partners']
  return Array.isArray(rows) ? rows.map((row: { id: number }) => row.id) : []
}

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
/** Uploads a picture as a browser does. Returns its signed id. */
async function uploaded(who: Person, filename: string): Promise<string> {
  const { direct_upload_url: url } = (await ask(who, 'GET', '/direct_upload_url')).body
  const checksum = createHash('md5').update(png).digest('base64')
  const blob = { filename, content_type: 'image/png', byte_size: png.length, checksum }
  const announced = await app.server.inject({ method: 'POST', url: String(url), payload: { blob } })
  const { signed_id, direct_upload } = announced.json<{
    signed_id: string
    direct_upload: { url: string; headers: Record<string, string> }
  }>()
  const put = { method: 'PUT', url: direct_upload.url, headers: direct_upload.headers, payload: png } as const
  expect((await app.server.inject(put)).statusCode).toBe(204)
  return signed_id
}

describe('channel partners', () => {
  it('are made, read, changed and deleted with their clients by name [CPART-FIELD-002] [CPART-API-002]', async () => {
    const [zeta, alpha] = [await makeClient(db, { name: 'Zeta Stores' }), await makeClient(db, { name: 'Alpha Foods' })]
    const id = await made({ name: ' Gulf Energy ', client_ids: [zeta, alpha, zeta] })
    expect(await read(id)).toMatchObject({
      id,
      name: 'Gulf Energy',
      client_ids: [alpha, zeta],
      client_names: ['Alpha Foods', 'Zeta Stores'],
      file_url: null,
      filename: null,
    })
    const changed = await change(id, { name: 'Gulf', client_ids: [zeta] })
    expect(changed.body).toMatchObject({
      success: true,
      message: 'Channel Partner updated',
      channel_partner: { name: 'Gulf', client_ids: [zeta] },
    })
    expect((await change(id, { name: 'Gulf 2' })).body['channel_partner']).toMatchObject({ client_ids: [zeta] })
    await change(id, { client_ids: [] })
    expect((await ask(staff, 'DELETE', `/channel_partners/${id}`)).body).toEqual({ success: true, message: 'Channel Partner deleted' })
    expect((await ask(staff, 'GET', `/channel_partners/${id}`)).status).toBe(404)
  })

  it('need a name, and clients that there are [CPART-RULE-001]', async () => {
    const nameless = await ask(staff, 'POST', '/channel_partners', { channel_partner: { name: ' ' } })
    expect(nameless.status).toBe(422)
    expect(nameless.body['errors']).toMatchObject({ fields: { name: ['Name is required'] } })
    const nobody = await ask(staff, 'POST', '/channel_partners', { channel_partner: { name: 'X', client_ids: [999_999] } })
    expect(nobody.body['errors']).toMatchObject({ fields: { client_ids: ['This record cannot be found'] } })
    const id = await made({ name: 'Checked' })
    expect((await change(id, { client_ids: [999_999] })).status).toBe(422)
  })

  it('take a client from another partner, and say so in the trail of the client', async () => {
    const client = await makeClient(db)
    const [first, second] = [await made({ name: 'First', client_ids: [client] }), await made({ name: 'Second' })]
    await change(second, { client_ids: [client] })
    expect(await read(first)).toMatchObject({ client_ids: [] })
    expect(await read(second)).toMatchObject({ client_ids: [client] })
    const { rows } = await sql<{ changes: object }>`select object_changes as changes from audit_records
      where item_type = 'client' and item_id = ${client} and client_id = ${client} order by id`.execute(db)
    expect(rows.map(({ changes }) => changes)).toEqual([
      { channel_partner_id: { from: null, to: first } },
      { channel_partner_id: { from: first, to: second } },
    ])
    expect((await ask(staff, 'GET', `/clients/${client}`)).body['client']).toMatchObject({ channel_partner_id: second, lock_version: 2 })
  })

  it('take a logo by the signed id of a direct upload, under either name, and give it back [CPART-FIELD-001] [CPART-API-006]', async () => {
    const id = await made({ name: 'Pictured', signed_file_id: await uploaded(staff, 'first.png') })
    expect(await read(id)).toMatchObject({ filename: 'first.png', file_url: expect.stringContaining('/api/v5/files/') })
    await change(id, { logo: await uploaded(staff, 'second.png') })
    const row = await read(id)
    expect(row).toMatchObject({ filename: 'second.png' })
    expect(JSON.stringify(row)).not.toContain('logo_key')
    const refused = await change(id, { signed_file_id: 'made up' })
    expect(refused.body['errors']).toMatchObject({ fields: { signed_file_id: [expect.any(String)] } })
    await change(id, { signed_file_id: null })
    expect(await read(id)).toMatchObject({ filename: null, file_url: null })
    const { rows } = await sql<{ changes: object }>`select object_changes as changes from audit_records
      where item_type = 'channel_partner' and item_id = ${id} and object_changes ? 'logo' order by id`.execute(db)
    expect(rows.map(({ changes }) => changes)).toEqual([
      { logo: { from: null, to: 'first.png' } },
      { logo: { from: 'first.png', to: 'second.png' } },
      { logo: { from: 'second.png', to: null } },
    ])
  })

  it('are not deleted while clients or users hang on them, and say who does', async () => {
    const client = await makeClient(db)
    const id = await made({ name: 'Busy', client_ids: [client] })
    const person = await makePerson(db, 'channel_partner_admin', { channel_partner_id: id })
    await addRole(db, person.id, 'channel_partner_admin', { channel_partner_id: id })
    const refused = await ask(staff, 'DELETE', `/channel_partners/${id}`)
    expect(refused.status).toBe(409)
    expect(refused.body['message']).toBe('This channel partner still has 1 client and 1 user. Move them first, then delete it.')
    await change(id, { client_ids: [] })
    expect((await ask(staff, 'DELETE', `/channel_partners/${id}`)).body['message']).toContain('still has 1 user.')
    await sql`delete from user_roles where channel_partner_id = ${id}`.execute(db)
    expect((await ask(staff, 'DELETE', `/channel_partners/${id}`)).status).toBe(200)
  })

  it('are listed by name, searched, offered to pick, and exported [CPART-API-001] [CPART-API-003] [CPART-API-004] [CPART-API-005] [CPART-EXPORT-001]', async () => {
    const named = [await makeClient(db, { name: 'Zinc; Works' }), await makeClient(db, { name: '=Ash' })]
    const ids = [await made({ name: 'Lookup Beta', client_ids: named }), await made({ name: 'Lookup Alpha' })].toReversed()
    const [alpha = 0, beta = 0] = ids
    const both = [
      { id: alpha, name: 'Lookup Alpha' },
      { id: beta, name: 'Lookup Beta' },
    ]
    expect((await ask(staff, 'GET', '/channel_partners?q[name]=lookup&per=1')).body).toMatchObject({
      total: 2,
      channel_partners: [{ id: alpha }],
    })
    expect(await idsOf(staff, `/channel_partners?q[name]=lookup&q[s]=${encodeURIComponent('name desc')}`)).toEqual([beta, alpha])
    expect((await ask(staff, 'GET', '/channel_partners/search?q=lookup')).body).toEqual({ channel_partners: both, total: 2 })
    expect((await ask(staff, 'GET', '/channel_partners/select_options?search_term=lookup')).body).toEqual({
      channel_partners: both,
      total: 2,
    })
    expect((await ask(staff, 'GET', '/channel_partners/flat')).body['channel_partners']).toEqual(expect.arrayContaining(both))
    expect((await ask(staff, 'GET', '/channel_partners?q[notes]=x')).status).toBe(422)
    const started = await ask(staff, 'GET', '/channel_partners/export_csv?q[name]=lookup&connection_id=window')
    expect(started.body).toMatchObject({ success: true, message: 'Channel Partners export started' })
    expect((await exportedText({ ask }, staff, started.body['task_id'])).trim().split(/\r?\n/)).toEqual([
      'ID,Name,Clients,Logo File',
      `${alpha},Lookup Alpha,,`,
      `${beta},Lookup Beta,'=Ash; Zinc; Works,`,
    ])
  })
})

describe('a partner’s administrator', () => {
  it('sees that partner and its clients alone, in every list and in the export [PERM-RULE-002]', async () => {
    const mine = await made({ name: 'Mine', client_ids: [await makeClient(db, { name: 'Own Client' })] })
    const theirs = await made({ name: 'Theirs', client_ids: [await makeClient(db, { name: 'Foreign Client' })] })
    const admin = await makePerson(db, 'channel_partner_admin', { channel_partner_id: mine })
    for (const path of ['', '/select_options', '/search?q=i', '/flat'])
      expect(await idsOf(admin, `/channel_partners${path}`), path).toEqual([mine])
    expect((await ask(admin, 'GET', `/channel_partners/${theirs}`)).status).toBe(404)
    expect((await ask(admin, 'GET', '/clients')).body).toMatchObject({ total: 1, clients: [{ name: 'Own Client' }] })
    const started = await ask(admin, 'GET', '/channel_partners/export_csv')
    const text = await exportedText({ ask }, admin, started.body['task_id'])
    expect(text).toContain('Mine')
    expect(text).not.toContain('Theirs')
  })

  it('changes its name and logo and nothing else [PERM-PERM-025]', async () => {
    const [client, other] = [await makeClient(db), await makeClient(db)]
    const id = await made({ name: 'Own', client_ids: [client] })
    const foreign = await made({ name: 'Foreign', client_ids: [other] })
    const admin = await makePerson(db, 'channel_partner_admin', { channel_partner_id: id })
    expect((await change(id, { name: 'Own, renamed', client_ids: [client] }, admin)).status).toBe(200)
    expect((await change(id, { signed_file_id: await uploaded(admin, 'own.png') }, admin)).status).toBe(200)
    expect(await read(id)).toMatchObject({ name: 'Own, renamed', filename: 'own.png' })
    for (const client_ids of [[client, other], [], [other]]) expect((await change(id, { client_ids }, admin)).status).toBe(422)
    expect((await change(foreign, { name: 'Taken' }, admin)).status).toBe(404)
    expect((await ask(admin, 'POST', '/channel_partners', { channel_partner: { name: 'New' } })).status).toBe(403)
    expect((await ask(admin, 'DELETE', `/channel_partners/${id}`)).status).toBe(403)
    expect(await read(foreign)).toMatchObject({ name: 'Foreign', client_ids: [other] })
  })

  it('of a partner without clients makes its first one', async () => {
    const id = await made({ name: 'Fresh' })
    const admin = await makePerson(db, 'channel_partner_admin', { channel_partner_id: id })
    expect(await idsOf(admin)).toEqual([id])
    expect((await ask(admin, 'GET', '/clients')).body).toMatchObject({ total: 0 })
    const started = await ask(admin, 'GET', '/channel_partners/export_csv')
    expect(await exportedText({ ask }, admin, started.body['task_id'])).toContain('Fresh')
    const first = await ask(admin, 'POST', '/clients', { client: { name: 'First', short_code: 'FIRST', identifier: '1' } })
    expect(first.body).toMatchObject({ success: true, client: { channel_partner_id: id } })
    expect((await ask(admin, 'GET', '/clients')).body).toMatchObject({ total: 1 })
  })

  it('loses a client with the next request once it belongs to another partner', async () => {
    const client = await makeClient(db)
    const [id, other] = [await made({ name: 'Loser', client_ids: [client] }), await made({ name: 'Winner' })]
    const admin = await makePerson(db, 'channel_partner_admin', { channel_partner_id: id })
    expect((await ask(admin, 'GET', `/clients/${client}`)).status).toBe(200)
    await change(other, { client_ids: [client] })
    expect((await ask(admin, 'GET', `/clients/${client}`)).status).toBe(404)
  })
})

describe('staff of some clients', () => {
  it('sees the partners of these with no other client’s name, and changes none', async () => {
    const [near, far] = [await makeClient(db, { name: 'Near' }), await makeClient(db, { name: 'Far' })]
    const id = await made({ name: 'Shared', client_ids: [near, far] })
    const staffOfOne = await makePerson(db, 'muc_admin', { clients: [near] })
    expect(await idsOf(staffOfOne)).toEqual([id])
    expect(await read(id, staffOfOne)).toMatchObject({ client_ids: [near], client_names: ['Near'] })
    const started = await ask(staffOfOne, 'GET', '/channel_partners/export_csv')
    const text = await exportedText({ ask }, staffOfOne, started.body['task_id'])
    expect(text.trim().split(/\r?\n/)).toEqual(['ID,Name,Clients,Logo File', `${id},Shared,Near,`])
    expect((await change(id, { name: 'X' }, staffOfOne)).status).toBe(403)
    expect((await ask(staffOfOne, 'POST', '/channel_partners', { channel_partner: { name: 'X' } })).status).toBe(403)
    await change(id, { client_ids: [far] })
    expect((await ask(staffOfOne, 'GET', '/channel_partners')).body).toMatchObject({ total: 0 })
  })
})

describe('the partner’s logo for the header', () => {
  it('is that of the administrator’s partner or of the client’s; the provider’s staff has none [SHELL-RULE-003]', async () => {
    const [client, bare] = [await makeClient(db), await makeClient(db)]
    const id = await made({ name: 'Branded', client_ids: [client], signed_file_id: await uploaded(staff, 'brand.png') })
    const logoOf = async (who: Person, scope?: number) =>
      (await ask(who, 'GET', `/user_roles/for_user${scope === undefined ? '' : `?client_id=${scope}`}`)).body['partner_logo_url']
    const admin = await makePerson(db, 'channel_partner_admin', { channel_partner_id: id })
    const reader = await makePerson(db, 'read_only_user', { clients: [client] })
    const other = await makePerson(db, 'read_only_user', { clients: [bare] })
    const address = expect.stringContaining('/api/v5/files/')
    expect([await logoOf(admin), await logoOf(admin, client), await logoOf(reader), await logoOf(reader, client)]).toEqual([
      address,
      address,
      address,
      address,
    ])
    expect([await logoOf(staff), await logoOf(staff, client), await logoOf(other)]).toEqual([null, null, null])
    const url = String(await logoOf(reader))
    expect((await app.server.inject({ method: 'GET', url })).rawPayload.equals(png)).toBe(true)
  })

  it('is none where somebody’s clients have several partners, and the client’s own inside one', async () => {
    const [one, two] = [await makeClient(db), await makeClient(db)]
    await made({ name: 'Left', client_ids: [one], signed_file_id: await uploaded(staff, 'left.png') })
    await made({ name: 'Right', client_ids: [two] })
    const reader = await makePerson(db, 'read_only_user', { clients: [one, two] })
    const logoOf = async (path: string) => (await ask(reader, 'GET', `/user_roles/for_user${path}`)).body['partner_logo_url']
    expect(await logoOf('')).toBeNull()
    expect(await logoOf(`?client_id=${one}`)).toContain('/api/v5/files/')
    expect(await logoOf(`?client_id=${two}`)).toBeNull()
  })
})
