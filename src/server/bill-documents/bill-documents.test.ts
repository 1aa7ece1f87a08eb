/** Tests bundles of bill copies over HTTP: their filters, the file, who sees it, and its later changes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { inflateRawSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { insert } from '../../../test/every-call/world.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../../../test/support/estate.ts'

const testApp = await startTestApp()
const {
  app,
  ask,
  database: { db },
} = testApp
let staff: Person
let client: number
let divisions: number[]
let facilities: number[]
let vendors: number[]
let accounts: number[]

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  await sql`update users set first_name = 'Ada', last_name = 'Byron' where id = ${staff.id}`.execute(db)
  client = await makeClient(db)
  divisions = [await makeDivision(db, client, { name: 'West' }), await makeDivision(db, client, { name: 'East' })]
  facilities = await Promise.all(divisions.map((division) => makeFacility(db, client, division)))
  vendors = [await makeVendor(db, { name: 'City Power' }), await makeVendor(db, { name: 'Gas & Co.' })]
  accounts = [
    await makeBillableAccount(db, client, facilities[0] ?? 0, vendors[0] ?? 0, { account_number: 'A-1' }),
    await makeBillableAccount(db, client, facilities[1] ?? 0, vendors[1] ?? 0, { account_number: 'A-2' }),
  ]
  // Two bills at the first account. At the second, in the other division, one bill with a copy and one without.
  await addBill(0, '2026-01-05', 1)
  await addBill(0, '2026-02-05', 2)
  await addBill(1, '2026-03-05', 1)
  await addBill(1, '2026-04-05', 0)
})

async function addBill(at: number, date: string, copies: number): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into bills (client_id, billable_account_id, account_number, vendor_id, division_id, facility_id, date, due_date, amount_due)
    values (${client}, ${accounts[at]}, ${`A-${at + 1}`}, ${vendors[at]}, ${divisions[at]}, ${facilities[at]}, ${date}, ${date}, 12.5) returning id`.execute(
    db,
  )
  const id = rows[0]?.id ?? 0
  for (let position = 1; position <= copies; position += 1) {
    const key = `bills/${id}/copy-${position}`
    await app.machinery.files.put(key, Buffer.from(`%PDF copy ${position} of ${date}`), 'application/pdf')
    const file = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, state)
      values (${key}, 'copy.pdf', 'application/pdf', 20, 'attached') returning id`.execute(db)
    await sql`insert into bill_files (client_id, bill_id, position, file_id, filename) values (${client}, ${id}, ${position}, ${file.rows[0]?.id}, 'copy.pdf')`.execute(
      db,
    )
  }
  return id
}

const bundle = z.object({
  id: z.int(),
  name: z.string(),
  state: z.string(),
  file_url: z.string().nullable(),
  error: z.string().nullable(),
  task_id: z.int().nullable(),
  rows_done: z.int(),
  rows_total: z.int().nullable(),
})
type Bundle = z.infer<typeof bundle>
const path = () => `/clients/${client}/bill_documents`
const mine = (who = staff) => ({ assignable_type: 'User', assignable_id: who.id })

async function make(draft: object = {}, who = staff): Promise<Answer> {
  return ask(who, 'POST', path(), { bill_document: { name: 'January', ...mine(who), ...draft }, connection_id: 'window' })
}

/** Waits until the bundle's task has ended. */
async function ended(answer: Answer, who = staff): Promise<Bundle> {
  expect(answer.status, answer.text).toBe(200)
  for (let tries = 0; tries < 600; tries += 1) {
    const { body } = await ask(who, 'GET', `${path()}/${String(answer.body['id'])}`)
    const found = bundle.parse(body['bill_document'])
    if (found.state !== 'waiting' && found.state !== 'running') return found
    await sleep(50)
  }
  throw new Error('the bundle does not end')
}

async function filesIn({ file_url }: Bundle, who = staff): Promise<Map<string, string>> {
  const { body } = await ask(who, 'GET', (file_url ?? '').replace('/api/v5', ''))
  const response = await app.server.inject({ method: 'GET', url: String(body['url']) })
  expect(response.headers['content-type']).toBe('application/zip')
  const zip = response.rawPayload
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const found = new Map<string, string>()
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const length = zip.readUInt16LE(at + 28)
    const start = zip.readUInt32LE(at + 42)
    const from = start + 30 + zip.readUInt16LE(start + 26)
    found.set(
      zip.toString('utf8', at + 46, at + 46 + length),
      inflateRawSync(zip.subarray(from, from + zip.readUInt32LE(at + 20))).toString('utf8'),
    )
    at += 46 + length
  }
  return found
}

const copies = async (one: Bundle, who = staff) => [...(await filesIn(one, who)).keys()].filter((name) => name.endsWith('.pdf')).toSorted()
const januaryCopy = 'City-Power_A-1_2026-01-05.pdf'
const februaryCopies = ['City-Power_A-1_2026-02-05.pdf', 'City-Power_A-1_2026-02-05_2.pdf']
const marchCopy = 'Gas-Co_A-2_2026-03-05.pdf'

describe('a new bundle', () => {
  it('starts to be written, holds the copies of all bills that its filters mean, and says on the live channel that it is ready [BDOC-API-003] [BDOC-JOB-001] [LIVE-FIELD-002]', async () => {
    const made = await make()
    expect(made.body).toMatchObject({
      success: true,
      message: 'Bill Document created',
      bill_document: { state: 'waiting', file_url: null },
    })
    const done = await ended(made)
    expect(done).toMatchObject({ state: 'done', error: null, rows_done: 4, rows_total: 4 })
    const files = await filesIn(done)
    expect([...files.keys()]).toEqual([januaryCopy, ...februaryCopies, marchCopy, 'bills.csv'])
    expect(files.get(februaryCopies[1] ?? '')).toBe('%PDF copy 2 of 2026-02-05')
    expect(parse(files.get('bills.csv') ?? '', { columns: true })).toEqual([
      expect.objectContaining({
        Files: januaryCopy,
        Division: 'West',
        Vendor: 'City Power',
        'Account Number': 'A-1',
        'Amount Due': '12.50',
      }),
      expect.objectContaining({ Files: februaryCopies.join('; '), 'Bill Date': '2026-02-05' }),
      expect.objectContaining({ Files: marchCopy, Division: 'East' }),
      expect.objectContaining({ Files: 'no file copy', 'Bill Date': '2026-04-05' }),
    ])
    const { rows } = await sql<{ connection_id: string | null }>`select type, message, description, link, connection_id from notifications
      where user_id = ${staff.id} and type = 'bill_documents' order by id desc limit 1`.execute(db)
    expect(rows).toEqual([
      expect.objectContaining({
        type: 'bill_documents',
        message: 'January is ready',
        description: ['4 files, 1 bill has no file copy'],
        link: `/api/v5${path()}/${done.id}/file`,
        connection_id: 'window',
      }),
    ])
  })

  it.each([
    ['dates', () => ({ date_range: { from: '2026-02-05', to: '2026-03-04' } }), februaryCopies],
    ['vendors', () => ({ vendor_ids: [vendors[1]] }), [marchCopy]],
    ['divisions', () => ({ division_ids: [divisions[1]] }), [marchCopy]],
    ['facilities', () => ({ facility_ids: [facilities[0]] }), [januaryCopy, ...februaryCopies]],
    ['accounts', () => ({ billable_account_ids: [accounts[1]] }), [marchCopy]],
  ])('is chosen by %s [BDOC-FIELD-002]', async (_name, form_data, wanted) => {
    expect(await copies(await ended(await make({ form_data: form_data() })))).toEqual(wanted)
  })

  it('is chosen by utility service, by client batch and by vendor batch', async () => {
    const { rows } = await sql<{ id: number }>`select id from bills where date = '2026-03-05'`.execute(db)
    const march = rows[0]?.id ?? 0
    const utility = await insert(db, 'utility_services', { name: 'Bundled', code: 'BUNDLED', emissions_factor: 1 })
    const service = await insert(db, 'services', {
      client_id: client,
      billable_account_id: accounts[1],
      meter_number: 'B-1',
      utility_service_id: utility,
    })
    await insert(db, 'service_bills', { client_id: client, bill_id: march, service_id: service, position: 0 })
    const clientBatch = await insert(db, 'accounting_batches', { client_id: client, batch_code: 'bundled' })
    await sql`update bills set accounting_batch_id = ${clientBatch} where id = ${march}`.execute(db)
    for (const form_data of [{ utility_service_ids: [utility] }, { accounting_batch_ids: [clientBatch] }])
      expect(await copies(await ended(await make({ form_data }))), JSON.stringify(form_data)).toEqual([marchCopy])
    const vendorBatch = await insert(db, 'payment_batches', { client_id: client, batch_date: '2026-03-01', bills_due_date: '2026-03-20' })
    expect(await ended(await make({ form_data: { payment_batch_ids: [vendorBatch] } }))).toMatchObject({ state: 'failed' })
    await sql`update bills set accounting_batch_id = null where id = ${march}`.execute(db)
    await sql`delete from service_bills where bill_id = ${march}`.execute(db)
  })

  it('needs a title, an assignee type and an assignee [BDOC-RULE-001]', async () => {
    const answer = await ask(staff, 'POST', path(), { bill_document: {} })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({
      fields: { name: ['Title is required'], assignable_type: ['Assignee Type is required'], assignable_id: ['Assignee is required'] },
    })
  })

  it('is refused with what nobody may name: other people, other clients, what is out of reach, dates the wrong way round', async () => {
    const foreign = await makeClient(db)
    const elsewhere = await makeDivision(db, foreign)
    const refusedAt = async (draft: object) => {
      const { status, body } = await make(draft)
      expect(status, JSON.stringify(draft)).toBe(422)
      return Object.keys(z.object({ fields: z.record(z.string(), z.unknown()) }).parse(body['errors']).fields)
    }
    const other = await makePerson(db, 'client_admin', { clients: [client] })
    expect(await refusedAt(mine(other))).toEqual(['assignable_id'])
    expect(await refusedAt({ assignable_type: 'Client', assignable_id: foreign })).toEqual(['assignable_id'])
    expect(await refusedAt({ assignable_type: 'Division', assignable_id: elsewhere })).toEqual(['assignable_id'])
    expect(await refusedAt({ form_data: { division_ids: [elsewhere] } })).toEqual(['form_data.division_ids'])
    expect(await refusedAt({ form_data: { date_range: { from: '2026-02-02', to: '2026-02-01' } } })).toEqual(['form_data.date_range.to'])
    expect(await refusedAt({ form_data: { nonsense: [] } })).toHaveLength(1)
  })

  it('fails with the reason where no copy matches, and works after a change', async () => {
    const failed = await ended(await make({ form_data: { date_range: { from: '2031-01-01', to: null } } }))
    expect(failed).toMatchObject({ state: 'failed', file_url: null, error: 'No bill with a file copy matches these filters.' })
    const again = await ask(staff, 'PATCH', `${path()}/${failed.id}`, { bill_document: { form_data: { vendor_ids: [vendors[1]] } } })
    expect(await copies(await ended(again))).toEqual([marchCopy])
  })

  it('says which copies the store has lost, and holds the others', async () => {
    const lost = await addBill(1, '2026-05-05', 1)
    await app.machinery.files.remove(`bills/${lost}/copy-1`)
    const done = await ended(await make({ form_data: { date_range: { from: '2026-03-01', to: '2026-05-31' } } }))
    expect(await copies(done)).toEqual([marchCopy])
    const { rows } = await sql<{
      description: string[]
    }>`select description from notifications where type = 'bill_documents' order by id desc limit 1`.execute(db)
    expect(rows[0]?.description).toEqual(['1 file, 1 bill has no file copy, 1 file is lost'])
    await sql`delete from bill_files where bill_id = ${lost}`.execute(db)
    await sql`delete from bills where id = ${lost}`.execute(db)
  })
})

describe('a bundle that is there', () => {
  it('is listed page by page and answered alone, with who made it [BDOC-API-001] [BDOC-API-002] [BDOC-FIELD-001]', async () => {
    const done = await ended(await make({ name: 'Z last' }))
    const { body } = await ask(staff, 'GET', `${path()}?page=1&per=1&q[s]=name desc`)
    const all = await ask(staff, 'GET', `${path()}?per=1000`)
    expect(body['total']).toBe(z.array(z.unknown()).parse(all.body['bill_documents']).length)
    const wanted = {
      id: done.id,
      name: 'Z last',
      user: { first_name: 'Ada', last_name: 'Byron' },
      created_at: expect.stringContaining('T'),
      updated_at: expect.stringContaining('T'),
      file_url: `/api/v5${path()}/${done.id}/file`,
      assignable_type: 'User',
      assignable_id: staff.id,
      assignable_name: 'Ada Byron',
    }
    expect(body['bill_documents']).toEqual([expect.objectContaining(wanted)])
    expect((await ask(staff, 'GET', `${path()}/${done.id}`)).body['bill_document']).toMatchObject(wanted)
    for (const query of ['q[nonsense]=1', 'q[s]=user asc', 'page=0'])
      expect((await ask(staff, 'GET', `${path()}?${query}`)).status, query).toBe(422)
  })

  it('is written anew by every save, keeps its file meanwhile and lets go of the old one then [BDOC-API-004]', async () => {
    const first = await ended(await make({ form_data: { vendor_ids: [vendors[0]] } }))
    const before = await fileOf(first.id)
    const saved = await ask(staff, 'PATCH', `${path()}/${first.id}`, {
      bill_document: { name: 'Gas', form_data: { vendor_ids: [vendors[1]] } },
      connection_id: 'window',
    })
    expect(saved.body).toMatchObject({
      success: true,
      message: 'Bill Document updated',
      bill_document: { state: 'waiting', file_url: first.file_url },
    })
    const second = await ended(saved)
    expect(await copies(second)).toEqual([marchCopy])
    expect(await fileOf(first.id)).not.toBe(before)
    const { rows } = await sql<{ state: string }>`select state from files where id = ${before}`.execute(db)
    expect(rows).toEqual([{ state: 'stored' }])
  })

  it('is deleted with its file, and one that is still written stays away [BDOC-API-005]', async () => {
    const done = await ended(await make())
    const file = await fileOf(done.id)
    const gone = await ask(staff, 'DELETE', `${path()}/${done.id}`)
    expect([gone.status, gone.body]).toEqual([200, { success: true, message: 'Bill Document deleted' }])
    expect((await ask(staff, 'GET', `${path()}/${done.id}`)).status).toBe(404)
    const { rows } = await sql<{ state: string }>`select state from files where id = ${file}`.execute(db)
    expect(rows).toEqual([{ state: 'stored' }])
    const made = await make()
    await ask(staff, 'DELETE', `${path()}/${String(made.body['id'])}`)
    const task = z.object({ task_id: z.int() }).parse(made.body['bill_document'])
    const { rows: tasks } = await sql<{ state: string }>`select state from tasks where id = ${task.task_id}`.execute(db)
    expect(tasks).toEqual([{ state: 'cancelled' }])
  })

  it('is finished by another process where the first one was killed', { timeout: 60_000 }, async () => {
    const made = await make()
    const { task_id } = z.object({ task_id: z.int() }).parse(made.body['bill_document'])
    await ended(made)
    // The state after a kill -9 in the middle: claimed, without a heartbeat, and no end stored.
    await sql`update bill_documents set file_id = null where id = ${made.body['id']}`.execute(db)
    await sql`update tasks set state = 'running', file_id = null, finished_at = null, heartbeat_at = clock_timestamp() - interval '1 minute' where id = ${task_id}`.execute(
      db,
    )
    const done = await ended(made)
    expect(done.state).toBe('done')
    expect(await copies(done)).toEqual([januaryCopy, ...februaryCopies, marchCopy])
  })

  async function fileOf(id: number): Promise<number | null> {
    const { rows } = await sql<{ file_id: number | null }>`select file_id from bill_documents where id = ${id}`.execute(db)
    return rows[0]?.file_id ?? null
  }
})

describe('who sees and holds what', () => {
  const has = async (who: Person, id: unknown) => (await ask(who, 'GET', `${path()}/${String(id)}`)).status

  it('what is for one person is seen by them alone, what is for a division by its people, what is for the client by unbounded roles', async () => {
    const admin = await makePerson(db, 'client_admin', { clients: [client] })
    const west = await makePerson(db, 'client_user', { clients: [client], division: [[client, divisions[0] ?? 0]] })
    const east = await makePerson(db, 'client_user', { clients: [client], division: [[client, divisions[1] ?? 0]] })
    const own = await make({}, west)
    const ofWest = await make({ assignable_type: 'Division', assignable_id: divisions[0] }, admin)
    const ofClient = await make({ assignable_type: 'Client', assignable_id: client }, admin)
    const seen = async (who: Person) => Promise.all([own, ofWest, ofClient].map(({ body }) => has(who, body['id'])))
    expect(await seen(west)).toEqual([200, 200, 404])
    expect(await seen(east)).toEqual([404, 404, 404])
    expect(await seen(admin)).toEqual([404, 200, 200])
    expect(await seen(staff)).toEqual([404, 200, 200])
    const listed = z.array(z.object({ id: z.int() })).parse((await ask(west, 'GET', `${path()}?per=1000`)).body['bill_documents'])
    expect(listed.map(({ id }) => id).toSorted()).toEqual([own.body['id'], ofWest.body['id']].toSorted())
    expect((await make({ assignable_type: 'Client', assignable_id: client }, west)).status).toBe(403)
  })

  it('one’s own is given no longer to who was narrowed since it was written, until it is written anew', async () => {
    const person = await makePerson(db, 'client_manager', { clients: [client] })
    const one = await ended(await make({}, person), person)
    const address = (one.file_url ?? '').replace('/api/v5', '')
    expect((await ask(person, 'GET', address)).status).toBe(200)
    await sql`insert into user_role_divisions (client_id, user_role_id, division_id) select ${client}, id, ${divisions[0]} from user_roles where user_id = ${person.id}`.execute(
      db,
    )
    app.machinery.sessions.forgetUser(person.id)
    expect((await ask(person, 'GET', address)).status).toBe(403)
    const again = await ended(await ask(person, 'PATCH', `${path()}/${one.id}`, { bill_document: { name: 'Again' } }), person)
    expect(again.state, again.error ?? '').toBe('done')
    expect((await ask(person, 'GET', address)).status).toBe(200)
  })

  it('a bundle holds only bills that its maker reaches, and one for a division only that division’s', async () => {
    const west = await makePerson(db, 'client_user', { clients: [client], division: [[client, divisions[0] ?? 0]] })
    expect(await copies(await ended(await make({}, west), west), west)).toEqual([januaryCopy, ...februaryCopies])
    const ofEast = await ended(await make({ assignable_type: 'Division', assignable_id: divisions[1] }))
    expect(await copies(ofEast)).toEqual([marchCopy])
  })

  it('reading, making, changing and deleting are four rights [PERM-PERM-035] [PERM-PERM-036]', async () => {
    const made = await make({ assignable_type: 'Client', assignable_id: client })
    await ended(made)
    const allowed = async (role: 'client_admin' | 'client_manager' | 'client_user' | 'read_only_user') => {
      const who = await makePerson(db, role, { clients: [client] })
      const one = `${path()}/${String(made.body['id'])}`
      const statuses = [
        await ask(who, 'GET', path()),
        await make({}, who),
        await ask(who, 'PATCH', one, { bill_document: { name: 'Other' } }),
        await ask(who, 'DELETE', `${path()}/${String((await make({ assignable_type: 'Client', assignable_id: client })).body['id'])}`),
      ]
      return statuses.map(({ status }) => status === 200)
    }
    expect(await allowed('client_admin')).toEqual([true, true, true, true])
    expect(await allowed('client_manager')).toEqual([true, true, true, false])
    expect(await allowed('client_user')).toEqual([true, true, false, false])
    expect(await allowed('read_only_user')).toEqual([true, false, false, false])
    const nobody = await makePerson(db, null)
    expect((await ask(nobody, 'GET', path())).status).toBe(404)
  })
})
