import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, type Ground } from '../../../test/support/bills.ts'
import { makeDivision, makeFacility } from '../../../test/support/estate.ts'
import { billPdf, billPicture, paperBill, uploadFile } from '../../../test/support/scan-files.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'

const testApp = await startTestApp()
const { app, database, ask } = testApp
const { db } = database
lastBillsAgree(db)

let at: Ground
let staff: Person
let accountId: number
let serviceId: number
beforeAll(async () => {
  at = await makeGround(db)
  staff = await makePerson(db, 'super_admin')
  await sql`update vendors set name = ${paperBill.vendor} where id = ${at.vendorId}`.execute(db)
  accountId = await makeAccount(db, at, paperBill.account_number)
  serviceId = await makeService(db, at.clientId, accountId, 'electric', paperBill.meter_number)
  await app.listen()
})

const path = (rest = ''): string => `/clients/${at.clientId}/bill_scans${rest}`
const pdf = { name: 'March.pdf', type: 'application/pdf' }
const take = async (...files: readonly { name: string; type: string; bytes: Buffer }[]): Promise<number[]> => {
  const signed_ids = await Promise.all(files.map((file) => uploadFile(testApp, staff, file)))
  const answer = await ask(staff, 'POST', path(), { signed_ids })
  expect(answer.status, answer.text).toBe(200)
  return idsOf(answer)
}
const idsOf = (answer: Answer): number[] => {
  const found: { ids: number[] } = JSON.parse(answer.text)
  return found.ids
}
const get = async (id: number, who = staff): Promise<Answer> => ask(who, 'GET', path(`/${id}`))
const stateOf = async (id: number): Promise<unknown> => Reflect.get(Object((await get(id)).body['bill_scan']), 'state')
const settled = async (id: number, state = 'read'): Promise<void> => {
  await expect.poll(() => stateOf(id), { timeout: 30_000 }).toBe(state)
}
/** The end of a turn decides who is next, so it is stored with the end of the reading. */
const expectTurnEnded = async (...ids: readonly number[]): Promise<void> => {
  const { rows } = await sql<{
    id: number
  }>`select id from bill_scans where id = any(${ids}::bigint[]) and claimed_at >= updated_at order by id`.execute(db)
  expect(rows.map(({ id }) => id)).toEqual(ids)
}
const trailOf = async (id: number): Promise<string[]> =>
  (
    await sql<{ event: string }>`select event from audit_records where item_type = 'bill_scan' and item_id = ${id} order by id`.execute(db)
  ).rows.map(({ event }) => event)

describe('documents that are uploaded', () => {
  test(
    'become one document each, are read in the background, and propose account, vendor and amount; a picture is read by its letters',
    { timeout: 120_000 },
    async () => {
      const [text = 0, picture = 0] = await take(
        { ...pdf, bytes: await billPdf([paperBill]) },
        { name: 'photo.png', type: 'image/png', bytes: await billPicture(paperBill) },
      )
      await settled(text)
      await settled(picture)
      await expectTurnEnded(text, picture)
      const { bill_scan, reading } = (await get(text)).body
      expect(bill_scan).toMatchObject({
        filename: 'March.pdf',
        pages: 1,
        account_id: accountId,
        account_type: 'BillableAccount',
        vendor_id: at.vendorId,
        amount_due: '128.40',
        bill_date: '2026-03-05',
        due_date: '2026-03-26',
        error: null,
        bill_id: null,
      })
      expect(reading).toMatchObject({ account: { type: 'BillableAccount', id: accountId }, pages: [{ page: 1, source: 'text' }] })
      expect((await get(picture)).body['bill_scan']).toMatchObject({ account_id: accountId, amount_due: '128.40' })
      expect(await trailOf(text)).toEqual(['create'])
      const { body } = await ask(staff, 'GET', path('?q[state_eq]=read&q[s]=amount_due desc&per=1000'))
      expect(body).toMatchObject({ total: 2 })
      expect((await ask(staff, 'GET', path('/summary'))).body).toMatchObject({ open: 2, reading: 0 })
    },
  )

  test('that cannot be read say why, and stay in the inbox to be entered by hand', async () => {
    const [broken = 0] = await take({ ...pdf, bytes: Buffer.from('%PDF-1.7\nthis is no document\n%%EOF') })
    await settled(broken, 'failed')
    await expectTurnEnded(broken)
    const { bill_scan, reading } = (await get(broken)).body
    expect(bill_scan).toMatchObject({ error: expect.stringMatching(/\w/), pages: null })
    expect(reading).toBeNull()
    expect((await ask(staff, 'POST', path(`/${broken}/reread`))).status).toBe(200)
    await settled(broken, 'failed')
  })

  test('are taken all or none, and only by whoever uploaded them', async () => {
    const other = await makePerson(db, 'client_admin', { clients: [at.clientId] })
    const signed = await uploadFile(testApp, staff, { ...pdf, bytes: await billPdf([paperBill]) })
    const before = await sql`select 1 from bill_scans`.execute(db)
    expect((await ask(other, 'POST', path(), { signed_ids: [signed] })).status).toBe(422)
    expect((await ask(staff, 'POST', path(), { signed_ids: [signed, 'forged'] })).status).toBe(422)
    expect((await sql`select 1 from bill_scans`.execute(db)).rows).toHaveLength(before.rows.length)
  })
})

describe('a document of several bills', () => {
  test(
    'proposes where the bills begin, and is divided into PDFs of their own pages, each read by itself',
    { timeout: 60_000 },
    async () => {
      const second = { ...paperBill, invoice_number: 'INV-88214', amount_due: '77.10' }
      const [whole = 0] = await take({ name: 'Stack.pdf', type: 'application/pdf', bytes: await billPdf([paperBill, second], 1) })
      await settled(whole)
      // Its first bill belongs to this division; the owner of the second is unknown.
      const inside = await makePerson(db, 'client_user', { clients: [at.clientId], division: [[at.clientId, at.divisionId]] })
      expect((await get(whole, inside)).status).toBe(404)
      expect((await get(whole)).body['reading']).toMatchObject({ bills_begin_at: [1, 3] })
      for (const starts of [
        [2, 3],
        [1, 5],
        [1, 1],
      ])
        expect((await ask(staff, 'POST', path(`/${whole}/split`), { starts })).status, starts.join()).toBe(422)
      const answer = await ask(staff, 'POST', path(`/${whole}/split`), { starts: [3, 1] })
      expect(answer.status, answer.text).toBe(200)
      const [first = 0, other = 0] = idsOf(answer)
      expect(first).toBe(whole)
      await settled(first)
      await settled(other)
      expect((await get(first)).body['bill_scan']).toMatchObject({
        filename: 'Stack, pages 1-2.pdf',
        pages: 2,
        amount_due: '128.40',
        cut_from: null,
      })
      expect((await get(other)).body['bill_scan']).toMatchObject({
        filename: 'Stack, pages 3-4.pdf',
        pages: 2,
        amount_due: '77.10',
        cut_from: null,
      })
      const { rows } = await sql<{
        file_id: number
        origin_file_id: number
        state: string
      }>`select scan.file_id, scan.origin_file_id, files.state
      from bill_scans scan join files on files.id = scan.origin_file_id where scan.id in (${first}, ${other})`.execute(db)
      // The whole file is kept as long as a part of it exists.
      expect(new Set(rows.map((row) => row.origin_file_id)).size).toBe(1)
      expect(rows.every(({ state, file_id, origin_file_id }) => state === 'attached' && file_id !== origin_file_id)).toBe(true)
    },
  )
})

describe('what a person does with a document', () => {
  test('ignored it leaves the inbox and can be taken back; deleted it is gone with its file; each leaves its line in the trail', async () => {
    const [id = 0] = await take({ ...pdf, bytes: await billPdf([paperBill]) })
    await settled(id)
    const listed = async (show: string) => (await ask(staff, 'GET', path(`?show=${show}&q[id_eq]=${id}`))).body['total']
    expect((await ask(staff, 'POST', path('/ignore'), { ids: [id] })).status).toBe(200)
    expect([await listed('open'), await listed('ignored')]).toEqual([0, 1])
    expect((await ask(staff, 'POST', path('/take_back'), { ids: [id] })).status).toBe(200)
    expect([await listed('open'), await listed('ignored')]).toEqual([1, 0])
    const { rows } = await sql<{ file_id: number }>`select file_id from bill_scans where id = ${id}`.execute(db)
    expect((await ask(staff, 'DELETE', path(`/${id}`))).status).toBe(200)
    expect((await get(id)).status).toBe(404)
    const { rows: files } = await sql<{ state: string }>`select state from files where id = ${rows[0]?.file_id ?? 0}`.execute(db)
    expect(files).toEqual([{ state: 'stored' }])
    expect(await trailOf(id)).toEqual(['create', 'update', 'update', 'destroy'])
  })

  test('a filter or a shelf that nobody knows is refused', async () => {
    expect((await ask(staff, 'GET', path('?show=nowhere'))).status).toBe(422)
    expect((await ask(staff, 'GET', path('?q[colour_eq]=red'))).status).toBe(422)
  })
})

describe('a bill that is entered from a document', () => {
  const billBody = (scan_id: number, change: object = {}): object => ({
    bill: {
      account_type: 'BillableAccount',
      account_id: accountId,
      date: '2026-03-05',
      due_date: '2026-03-26',
      invoice_number: 'INV-88213',
      balance_forward: '0',
      current_charges: '128.40',
      amount_due: '128.40',
      scan_id,
      service_bills_attributes: [
        {
          service_id: serviceId,
          previous_read_date: '2026-02-01',
          read_date: '2026-03-01',
          previous_reading: '1000',
          meter_reading: '1900',
          service_bill_entry_fields: [{ name: 'Utility Charges', value: '128.40' }],
        },
      ],
      ...change,
    },
  })
  /** Number of bills that taught the vendor's layouts. */
  const taught = async (): Promise<number | undefined> =>
    (
      await sql<{ bills: number }>`select coalesce(sum(bills), 0)::int as bills from bill_layouts where vendor_id = ${at.vendorId}`.execute(
        db,
      )
    ).rows[0]?.bills
  const create = (scan: number, change: object = {}) => ask(staff, 'POST', `/clients/${at.clientId}/bills`, billBody(scan, change))

  test('has it as its copy, in one act with the save; it is entered once, kept by its bill, and waits again when the bill is deleted', async () => {
    const [id = 0] = await take({ ...pdf, bytes: await billPdf([paperBill]) })
    await settled(id)
    expect((await create(id, { date: 'soon' })).status).toBe(422)
    expect(await stateOf(id)).toBe('read')
    const saved = await create(id)
    expect(saved.status, saved.text).toBe(200)
    expect(saved.body['bill']).toMatchObject({ files: [{ position: 1, filename: 'March.pdf', content_type: 'application/pdf' }] })
    expect((await get(id)).body['bill_scan']).toMatchObject({ state: 'done', bill_id: saved.body['id'] })
    expect((await create(id, { date: '2026-04-05' })).status).toBe(409)
    expect((await ask(staff, 'DELETE', path(`/${id}`))).status).toBe(409)
    expect((await ask(staff, 'POST', path('/ignore'), { ids: [id] })).status).toBe(409)
    await expect.poll(taught, { timeout: 20_000 }).toBe(1)
    // A job may run twice: the bill counts only once.
    const { rows: jobs } = await sql<{ data: object }>`select data from pgboss.job where name = 'bill_scan_learn'`.execute(db)
    expect(jobs).toHaveLength(1)
    await db.transaction().execute((tx) => app.machinery.jobs.send(tx, 'bill_scan_learn', { ...jobs[0]?.data }))
    const learned = sql<{
      count: number
    }>`select count(*)::int as count from pgboss.job where name = 'bill_scan_learn' and state = 'completed'`
    await expect.poll(async () => (await learned.execute(db)).rows[0]?.count, { timeout: 20_000 }).toBe(2)
    expect(await taught()).toBe(1)
    expect((await ask(staff, 'DELETE', `/clients/${at.clientId}/bills/${String(saved.body['id'])}`)).status).toBe(200)
    expect((await get(id)).body['bill_scan']).toMatchObject({ state: 'read', bill_id: null })
    expect(await trailOf(id)).toEqual(['create', 'update', 'update'])
  })

  test('a part whose pages cannot be taken out gives its bill no file, until somebody who may see all of it takes the whole one', async () => {
    const [id = 0] = await take({ ...pdf, name: 'Stack.pdf', bytes: Buffer.from('%PDF-1.7\nthis is no document\n%%EOF') })
    await settled(id, 'failed')
    // As a division leaves it, for a file that can be shown but not split.
    await sql`update bill_scans set cut_from = 1, cut_to = 2, billable_account_id = ${accountId} where id = ${id}`.execute(db)
    expect((await ask(staff, 'POST', path(`/${id}/reread`))).status).toBe(200)
    await settled(id, 'failed')
    expect((await get(id)).body['bill_scan']).toMatchObject({ cut_from: 1, error: expect.stringContaining('could not be taken out') })
    const late = { date: '2026-06-05', due_date: '2026-06-26', invoice_number: 'INV-1' }
    const refusal = await create(id, late)
    expect([refusal.status, refusal.text]).toEqual([409, expect.stringContaining('may show other bills')])
    expect(await stateOf(id)).toBe('failed')
    const inside = await makePerson(db, 'client_manager', { clients: [at.clientId], division: [[at.clientId, at.divisionId]] })
    expect([(await get(id, inside)).status, (await ask(inside, 'GET', path(`/${id}/file`))).status]).toEqual([404, 404])
    expect((await ask(inside, 'POST', path(`/${id}/keep_whole`))).status).toBe(404)
    const whole = await makePerson(db, 'client_manager', { clients: [at.clientId] })
    expect((await ask(whole, 'POST', path(`/${id}/keep_whole`))).status).toBe(200)
    expect((await ask(whole, 'POST', path(`/${id}/keep_whole`))).status).toBe(409)
    const saved = await create(id, late)
    expect(saved.body['bill'], saved.text).toMatchObject({ files: [{ position: 1, filename: 'Stack.pdf' }] })
    expect(await trailOf(id)).toEqual(['create', 'update', 'update', 'update'])
  })

  test('a document that is not there, or a third copy, is refused at its field', async () => {
    const missing = await create(999_999_999)
    expect([missing.status, Object.keys(fieldsOf(missing))]).toEqual([422, ['scan_id']])
  })
})

describe('who sees a document', () => {
  test('a role for the whole client sees all; a narrowed one those of its accounts, once they are read, and brings none', async () => {
    const division = await makeDivision(db, at.clientId, { name: 'Elsewhere' })
    const facility = await makeFacility(db, at.clientId, division, { name: 'Elsewhere' })
    const [id = 0] = await take({ ...pdf, bytes: await billPdf([paperBill]) })
    await settled(id)
    const inside = await makePerson(db, 'client_user', { clients: [at.clientId], division: [[at.clientId, at.divisionId]] })
    const outside = await makePerson(db, 'client_user', { clients: [at.clientId], facility: [[at.clientId, facility]] })
    const reader = await makePerson(db, 'read_only_user', { clients: [at.clientId] })
    expect((await get(id, inside)).status).toBe(200)
    expect((await get(id, outside)).status).toBe(404)
    expect((await get(id, reader)).status).toBe(403)
    expect((await ask(outside, 'GET', path())).body).toMatchObject({ bill_scans: [], total: 0 })
    expect((await ask(outside, 'POST', path('/ignore'), { ids: [id] })).status).toBe(404)
    expect((await ask(outside, 'GET', path('/summary'))).body).toMatchObject({ open: 0, oldest_at: null })
    const signed = await uploadFile(testApp, inside, { ...pdf, bytes: await billPdf([paperBill]) })
    expect((await ask(inside, 'POST', path(), { signed_ids: [signed] })).status).toBe(403)
  })
})

describe('a reading that dies', () => {
  test('is made again by another process, and given up after three', async () => {
    const [id = 0] = await take({ ...pdf, bytes: await billPdf([paperBill]) })
    await settled(id)
    // As a killed process leaves it: claimed, and without a heartbeat.
    await sql`update bill_scans set state = 'reading', tries = 1, reading = null, heartbeat_at = now() - interval '1 minute' where id = ${id}`.execute(
      db,
    )
    await settled(id)
    await sql`delete from bill_scan_pages where scan_id = ${id}`.execute(db)
    await sql`update bill_scans set state = 'reading', tries = 3, pages_read = 0, reading = null, heartbeat_at = now() - interval '1 minute' where id = ${id}`.execute(
      db,
    )
    await settled(id, 'failed')
  })
})

function fieldsOf(answer: Answer): object {
  return Object(Reflect.get(Object(answer.body['errors']), 'fields'))
}
