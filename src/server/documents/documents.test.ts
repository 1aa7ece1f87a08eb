import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { attachables } from '#contract/documents/document.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { formOf, pdfOf, type FormValues, type TestFile } from '../../../test/support/forms.ts'
import { sweepFiles } from '../kernel/work/housekeeping.ts'

const { app, database, ask, dataFolder } = await startTestApp()
const { db } = database

interface Estate {
  readonly clientId: number
  readonly ids: Readonly<Record<(typeof attachables)[number]['value'], number>>
}
let estate: Estate
let other: Estate
let staff: Person
let manager: Person

beforeAll(async () => {
  estate = await makeEstate()
  other = await makeEstate()
  staff = await makePerson(db, 'super_admin')
  manager = await makePerson(db, 'client_manager', { clients: [estate.clientId] })
})

async function makeEstate(): Promise<Estate> {
  const clientId = await makeClient(db)
  const Division = await makeDivision(db, clientId)
  const Facility = await makeFacility(db, clientId, Division)
  const BillableAccount = await makeBillableAccount(db, clientId, Facility, await makeVendor(db))
  const SupplyAccount = await makeSupplyAccount(db, clientId, Facility)
  return { clientId, ids: { Client: clientId, Division, Facility, BillableAccount, SupplyAccount } }
}

const pdf: TestFile = { filename: 'contract.pdf', type: 'application/pdf', bytes: pdfOf('Contract') }
const csv: TestFile = { filename: 'rows.csv', type: 'text/csv', bytes: Buffer.from('a,b\r\n1,2\r\n') }

async function send(who: Person, method: 'POST' | 'PATCH', path: string, values: FormValues, headers: Record<string, string> = {}) {
  const form = formOf(values)
  const response = await app.server.inject({
    method,
    url: `/api/v5${path}`,
    headers: { ...who.headers, ...form.headers, ...headers },
    payload: form.payload,
  })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}
const keep = (who: Person, values: FormValues = {}, path = `/clients/${estate.clientId}/documents`, headers = {}) =>
  send(who, 'POST', path, { 'document[title]': 'Lease', 'document[file]': pdf, ...values }, headers)
const keptAt = async (type: string, id: number, title: string, at = estate): Promise<number> => {
  const { body } = await keep(
    staff,
    { 'document[title]': title, 'document[attachable_type]': type, 'document[attachable_id]': String(id) },
    `/clients/${at.clientId}/documents`,
  )
  return Number(body['id'])
}
const titles = (body: Record<string, unknown>): string[] => {
  const rows: unknown = body['documents']
  return Array.isArray(rows) ? rows.map((row: { title: string }) => row.title).toSorted() : []
}
const fileRows = async (): Promise<{ id: number; state: string }[]> =>
  (await sql<{ id: number; state: string }>`select id, state from files order by id`.execute(db)).rows
const filesOnDisk = (): string[] => {
  const folder = join(dataFolder, 'files')
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    : []
}
const pathsAt = ({ clientId, ids }: Estate) =>
  attachables.map(({ value, plural }) => ({
    type: value,
    id: ids[value],
    path: value === 'Client' ? `/clients/${clientId}/documents` : `/clients/${clientId}/${plural}/${ids[value]}/documents`,
  }))

describe('a document', () => {
  test('[DOC-API-004] [DOC-API-007] [DOC-RULE-003] [DOC-FIELD-001] [DOC-FIELD-002] is made by a form at each of the five levels, and carries its fields', async () => {
    for (const { type, id, path } of pathsAt(estate)) {
      const { status, body } = await keep(
        staff,
        { 'document[title]': `At ${type}`, 'document[attachable_type]': type, 'document[attachable_id]': String(id) },
        path,
      )
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body).toMatchObject({
        success: true,
        message: 'Document created',
        document: {
          id: body['id'],
          title: `At ${type}`,
          file: { filename: 'contract.pdf', content_type: 'application/pdf', byte_size: pdf.bytes.length },
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          attachable_type: type,
          attachable_id: id,
        },
      })
    }
  })

  test('[DOC-API-002] [DOC-API-003] is read by its id, and its file by the address that download answers: the same bytes, as an attachment', async () => {
    const id = await keptAt('Facility', estate.ids.Facility, 'To read')
    expect((await ask(manager, 'GET', `/documents/${id}`)).body).toMatchObject({ document: { id, title: 'To read' } })
    const { body } = await ask(manager, 'GET', `/documents/${id}/download`)
    const file = await app.server.inject({ method: 'GET', url: String(body['url']) })
    expect(file.rawPayload.equals(pdf.bytes)).toBe(true)
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment; filename="contract.pdf"/),
    })
    const shown = await ask(manager, 'GET', `/documents/${id}/download?inline=true`)
    const inline = await app.server.inject({ method: 'GET', url: String(shown.body['url']) })
    expect(inline.headers['content-disposition']).toMatch(/^inline/)
    expect(inline.headers['content-security-policy']).toContain('sandbox')
  })

  test('[DOC-API-005] [DOC-API-007] is changed by the same form at each level: the title alone keeps the file, a file replaces it', async () => {
    for (const { type, id, path } of pathsAt(estate)) {
      const made = await keep(staff, { 'document[attachable_type]': type, 'document[attachable_id]': String(id) }, path)
      const one = `/documents/${String(made.body['id'])}`
      const renamed = await send(staff, 'PATCH', one, {
        'document[title]': 'Renamed',
        'document[attachable_type]': type,
        'document[attachable_id]': String(id),
      })
      expect(renamed.body).toMatchObject({ success: true, document: { title: 'Renamed', file: { filename: 'contract.pdf' } } })
      const replaced = await send(staff, 'PATCH', one, { 'document[file]': csv })
      expect(replaced.body).toMatchObject({
        success: true,
        document: { title: 'Renamed', file: { filename: 'rows.csv', content_type: 'text/csv' } },
      })
    }
  })

  test('[DOC-RULE-001] [DOC-RULE-002] needs a title and one file: none, an empty one and two are refused, and nothing stays', async () => {
    const before = { rows: await fileRows(), disk: filesOnDisk().length }
    const path = `/clients/${estate.clientId}/documents`
    const fields = async (values: FormValues) => {
      const { status, body } = await send(staff, 'POST', path, values)
      const errors: unknown = body['errors']
      return { status, fields: typeof errors === 'object' && errors !== null && 'fields' in errors ? errors.fields : null }
    }
    expect(await fields({ 'document[file]': pdf })).toEqual({ status: 422, fields: { title: ['Title is required'] } })
    expect(await fields({ 'document[title]': '  ', 'document[file]': pdf })).toEqual({
      status: 422,
      fields: { title: ['Title is required'] },
    })
    expect(await fields({ 'document[title]': 'No file' })).toEqual({ status: 422, fields: { file: ['File is required'] } })
    expect(await fields({ 'document[title]': 'Empty', 'document[file]': { ...pdf, bytes: Buffer.alloc(0) } })).toEqual({
      status: 422,
      fields: { file: ['The file is empty.'] },
    })
    expect((await fields({ 'document[title]': 'Two', 'document[file]': [pdf, csv] })).status).toBe(422)
    expect((await fields({ 'document[title]': 'Two', 'document[file]': pdf, 'document[more]': csv })).status).toBe(422)
    expect((await fields({ 'document[title]': 'Words for a file', 'document[file]': 'text' })).status).toBe(422)
    expect({ rows: await fileRows(), disk: filesOnDisk().length }).toEqual(before)
  })

  test('an unknown field, a field said twice, JSON and a broken form are refused', async () => {
    const path = `/clients/${estate.clientId}/documents`
    expect((await keep(staff, { 'document[created_by]': '1' })).status).toBe(422)
    expect((await keep(staff, { 'document[title]': ['One', 'Two'] })).status).toBe(422)
    expect((await keep(staff, { 'document[__proto__]': 'x', '__proto__[title]': 'x' })).status).toBeLessThan(500)
    expect((await ask(staff, 'POST', path, { document: { title: 'JSON' } })).status).toBe(400)
    const headers = { ...staff.headers, 'content-type': 'multipart/form-data; boundary=x' }
    for (const payload of [
      '',
      '--x',
      '--x\r\n\r\n',
      '--x\r\ncontent-disposition: form-data; name="document[file]"; filename="a.pdf"\r\n\r\n%PDF-1.4',
    ])
      expect((await app.server.inject({ method: 'POST', url: `/api/v5${path}`, headers, payload })).statusCode, payload).toBeLessThan(500)
  })

  test('hangs on what its form names, which must lie in the client and be whole; the address decides where it names one', async () => {
    const at = (type: string, id: number | string) =>
      keep(staff, { 'document[attachable_type]': type, 'document[attachable_id]': String(id) })
    for (const { value } of attachables) expect((await at(value, other.ids[value])).status, value).toBe(422)
    expect((await at('Planet', 1)).status).toBe(422)
    expect((await at('Facility', '1; drop table documents')).status).toBe(422)
    expect((await keep(staff, { 'document[attachable_type]': 'Facility' })).status).toBe(422)
    expect((await keep(staff, { 'document[attachable_id]': '1' })).status).toBe(422)
    expect((await at('billable_account', estate.ids.BillableAccount)).body).toMatchObject({
      document: { attachable_type: 'BillableAccount' },
    })
    const path = `/clients/${estate.clientId}/facilities/${estate.ids.Facility}/documents`
    expect(
      (await keep(staff, { 'document[attachable_type]': 'Division', 'document[attachable_id]': String(estate.ids.Division) }, path)).status,
    ).toBe(422)
    expect((await keep(staff, {}, `/clients/${estate.clientId}/facilities/${other.ids.Facility}/documents`)).status).toBe(404)
  })

  test('moves to another record of its client, and its trail says so', async () => {
    const id = await keptAt('Facility', estate.ids.Facility, 'To move')
    const moved = await send(staff, 'PATCH', `/documents/${id}`, {
      'document[attachable_type]': 'Division',
      'document[attachable_id]': String(estate.ids.Division),
    })
    expect(moved.body).toMatchObject({ document: { attachable_type: 'Division', attachable_id: estate.ids.Division } })
    const { rows } = await sql<{ event: string; changes: object }>`select event, object_changes as changes from audit_records
      where item_type = 'document' and item_id = ${id} order by id`.execute(db)
    expect(rows).toMatchObject([
      { event: 'create', changes: { title: { to: 'To move' }, file: { to: { filename: 'contract.pdf' } } } },
      { event: 'update', changes: { attachable_type: { from: 'Facility', to: 'Division' } } },
    ])
    expect(
      (
        await send(staff, 'PATCH', `/documents/${id}`, {
          'document[attachable_type]': 'Division',
          'document[attachable_id]': String(other.ids.Division),
        })
      ).status,
    ).toBe(422)
  })

  test('is not saved over somebody else’s change', async () => {
    const id = await keptAt('Client', estate.clientId, 'Contested')
    expect((await send(staff, 'PATCH', `/documents/${id}`, { 'document[title]': 'First', 'document[lock_version]': '0' })).status).toBe(200)
    const late = await send(staff, 'PATCH', `/documents/${id}`, { 'document[title]': 'Second', 'document[lock_version]': '0' })
    expect(late).toMatchObject({ status: 409, body: { changed: { title: { from: 'First', to: 'Second' } } } })
  })

  test('sent twice with the same key is kept once, with one file; the same key for another file is refused', async () => {
    const headers = { 'idempotency-key': 'twice' }
    const path = `/clients/${estate.clientId}/documents`
    const first = await keep(staff, { 'document[title]': 'Once' }, path, headers)
    const files = filesOnDisk().length
    const second = await keep(staff, { 'document[title]': 'Once' }, path, headers)
    expect(second.body['id']).toBe(first.body['id'])
    expect(filesOnDisk().length).toBe(files)
    expect((await keep(staff, { 'document[title]': 'Once', 'document[file]': csv }, path, headers)).status).toBe(422)
    expect(filesOnDisk().length).toBe(files)
  })

  test('is deleted with a message; its file, and one that was replaced, is swept a day later and not before', async () => {
    const sweepAll = async (): Promise<void> => {
      await sql`update files set created_at = now() - interval '25 hours' where state <> 'attached'`.execute(db)
      await sweepFiles(app.machinery)
    }
    await sweepAll()
    const id = await keptAt('SupplyAccount', estate.ids.SupplyAccount, 'To delete')
    await send(staff, 'PATCH', `/documents/${id}`, { 'document[file]': csv })
    const before = filesOnDisk().length
    expect((await ask(staff, 'DELETE', `/documents/${id}`)).body).toEqual({ success: true, message: 'Document deleted' })
    expect((await ask(staff, 'GET', `/documents/${id}`)).status).toBe(404)
    await sweepFiles(app.machinery)
    expect(filesOnDisk().length).toBe(before)
    await sweepAll()
    expect(filesOnDisk().length).toBe(before - 2)
  })

  test('keeps a facility from being deleted under it, and says so', async () => {
    const facility = await makeFacility(db, estate.clientId, estate.ids.Division)
    await keptAt('Facility', facility, 'Holds')
    expect(await ask(staff, 'DELETE', `/clients/${estate.clientId}/facilities/${facility}`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('still used by 1 document') },
    })
  })
})

describe('the list of documents', () => {
  let listed: Estate
  beforeAll(async () => {
    listed = await makeEstate()
    for (const { type, id } of pathsAt(listed)) for (const number of [1, 2, 3]) await keptAt(type, id, `${type} ${number}`, listed)
  })

  test('[DOC-API-001] [DOC-API-006] answers documents and total, a page at a time, of the client itself, of a type, or of a type and id', async () => {
    const list = (query: string) => ask(staff, 'GET', `/clients/${listed.clientId}/documents?${query}`)
    expect((await list('page=1&per=2')).body).toMatchObject({ total: 3, documents: [{ title: 'Client 3' }, { title: 'Client 2' }] })
    expect(titles((await list('page=2&per=2')).body)).toEqual(['Client 1'])
    for (const { type, id } of pathsAt(listed)) {
      const wanted = [1, 2, 3].map((number) => `${type} ${number}`)
      expect(titles((await list(`type=${type}`)).body)).toEqual(wanted)
      expect((await list(`type=${type}&id=${id}`)).body).toMatchObject({ total: 3 })
    }
    const facility = await makeFacility(db, listed.clientId, listed.ids.Division)
    expect((await list(`type=Facility&id=${facility}`)).body).toEqual({ documents: [], total: 0 })
  })

  test('[DOC-API-006] under each record’s own address answers that record’s documents and no others', async () => {
    for (const { type, path } of pathsAt(listed)) {
      const { body } = await ask(staff, 'GET', `${path}?per=10`)
      expect(titles(body), type).toEqual([1, 2, 3].map((number) => `${type} ${number}`))
    }
  })

  test('filters, sorts and searches; what it does not know is refused by name', async () => {
    const list = (query: string) => ask(staff, 'GET', `/clients/${listed.clientId}/documents?${query}`)
    expect(titles((await list('q[title_cont]=ent%202')).body)).toEqual(['Client 2'])
    expect((await list('q[s]=title%20desc')).body).toMatchObject({ documents: [{ title: 'Client 3' }, {}, {}] })
    expect((await list('search_term=contract.pdf')).body).toMatchObject({ total: 3 })
    expect((await list('q[file_id_eq]=1')).status).toBe(422)
    expect((await list('nonsense=1')).status).toBe(422)
    expect((await list('type=Planet')).status).toBe(422)
    expect((await list('id=1')).status).toBe(422)
    expect((await list(`type=Facility&id=${other.ids.Facility}`)).status).toBe(404)
  })

  test('is exported as it is shown, of one level', async () => {
    const started = await ask(staff, 'GET', `/clients/${listed.clientId}/documents/export_csv?type=Facility&id=${listed.ids.Facility}`)
    expect(started.body).toMatchObject({ success: true, message: 'Documents export started' })
    const text = await exportedText({ ask }, staff, started.body['task_id'])
    expect(text.split('\n')[0]).toContain('Title,File Name,Type,Size')
    expect(text).toContain('Facility 1')
    expect(text).not.toContain('Division 1')
  })
})

describe('a role that is narrowed', () => {
  test('sees and keeps documents of what it reaches, and of nothing else: not of the client, not of the division above', async () => {
    const { clientId, ids } = estate
    const outside = await makeFacility(db, clientId, await makeDivision(db, clientId))
    const [own, above, whole, beside, account] = [
      await keptAt('Facility', ids.Facility, 'Own'),
      await keptAt('Division', ids.Division, 'Above'),
      await keptAt('Client', clientId, 'Whole'),
      await keptAt('Facility', outside, 'Beside'),
      await keptAt('SupplyAccount', ids.SupplyAccount, 'Below'),
    ]
    const narrow = await makePerson(db, 'client_manager', { clients: [clientId], facility: [[clientId, ids.Facility]] })
    const status = async (id: number) => (await ask(narrow, 'GET', `/documents/${id}`)).status
    expect([await status(own), await status(account)]).toEqual([200, 200])
    expect([await status(above), await status(whole), await status(beside)]).toEqual([404, 404, 404])
    for (const id of [above, whole, beside]) {
      expect((await ask(narrow, 'GET', `/documents/${id}/download`)).status).toBe(404)
      expect((await ask(narrow, 'DELETE', `/documents/${id}`)).status).toBe(404)
      expect((await send(narrow, 'PATCH', `/documents/${id}`, { 'document[title]': 'Mine' })).status).toBe(404)
    }
    expect((await ask(narrow, 'GET', `/clients/${clientId}/documents`)).body).toEqual({ documents: [], total: 0 })
    expect((await keep(narrow)).status).toBe(403)
    const at = (type: string, id: number) => keep(narrow, { 'document[attachable_type]': type, 'document[attachable_id]': String(id) })
    expect((await at('Facility', ids.Facility)).status).toBe(200)
    expect((await at('BillableAccount', ids.BillableAccount)).status).toBe(200)
    expect((await at('Facility', outside)).status).toBe(422)
    expect(
      (
        await send(narrow, 'PATCH', `/documents/${own}`, {
          'document[attachable_type]': 'Facility',
          'document[attachable_id]': String(outside),
        })
      ).status,
    ).toBe(422)
  })

  test('of a client’s manager: documents of the records, not of the client itself, since that right lies with the provider', async () => {
    expect((await keep(manager)).status).toBe(403)
    const whole = await keptAt('Client', estate.clientId, 'Of the client')
    expect((await ask(manager, 'GET', `/documents/${whole}`)).status).toBe(200)
    expect((await ask(manager, 'DELETE', `/documents/${whole}`)).status).toBe(403)
    expect((await send(manager, 'PATCH', `/documents/${whole}`, { 'document[title]': 'X' })).status).toBe(403)
  })
})
