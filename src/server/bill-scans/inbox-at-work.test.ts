/**
 * The inbox's knowledge of its documents: what was learned, what is still to be entered, what exists already, and what belongs together.
 */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, type Ground } from '../../../test/support/bills.ts'
import { formOf } from '../../../test/support/forms.ts'
import { billPdf, paperBill, sewerPdf } from '../../../test/support/scan-files.ts'

const testApp = await startTestApp()
const { app, database, ask } = testApp
const { db } = database

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
const send = async (bytes: Buffer, name = 'Bill.pdf', key?: string): Promise<Answer> => {
  const form = formOf({ file: { filename: name, type: 'application/pdf', bytes } })
  const response = await app.server.inject({
    method: 'POST',
    url: `/api/v5${path('/upload')}`,
    headers: { ...staff.headers, ...form.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload: form.payload,
  })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>(), headers: response.headers, text: response.body }
}
const upload = async (bytes: Buffer, name?: string): Promise<number> => Number((await send(bytes, name)).body['id'])
const get = async (id: number) => (await ask(staff, 'GET', path(`/${id}`))).body
const scanOf = async (id: number): Promise<Record<string, unknown>> => ({ ...Object((await get(id))['bill_scan']) })
const settled = async (id: number, state = 'read'): Promise<void> => {
  await expect.poll(async () => (await scanOf(id))['state'], { timeout: 30_000 }).toBe(state)
}
const enter = (scan_id: number, change: object = {}): Promise<Answer> =>
  ask(staff, 'POST', `/clients/${at.clientId}/bills`, {
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

test('one request brings one document; the same one sent again, because its answer was lost, brings no second', async () => {
  const bytes = await billPdf([{ ...paperBill, invoice_number: 'INV-1' }])
  const [first, second] = [await send(bytes, 'Once.pdf', 'upload-once'), await send(bytes, 'Once.pdf', 'upload-once')]
  expect([first.status, second.status], first.text).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
  const { rows } = await sql<{ state: string }>`select files.state from files left join bill_scans on bill_scans.file_id = files.id
    where files.filename = 'Once.pdf'`.execute(db)
  expect(rows).toEqual([{ state: 'attached' }])
})

test('what a saved bill teaches reaches the documents of its vendor that wait, from their stored words and without another reading', async () => {
  const first = await upload(await billPdf([{ ...paperBill, invoice_number: 'INV-2' }]), 'First.pdf')
  const waiting = await upload(
    await billPdf([{ ...paperBill, invoice_number: 'INV-3', date: '04/05/2026', due_date: '04/26/2026' }]),
    'Waiting.pdf',
  )
  await settled(first)
  await settled(waiting)
  expect((await get(waiting))['reading']).toMatchObject({ layout: 'general' })
  const kept = sql<{ read_at: string }>`select read_at::text from bill_scan_pages where scan_id = ${waiting}`
  const before = (await kept.execute(db)).rows
  const saved = await enter(first, { invoice_number: 'INV-2' })
  expect(saved.status, saved.text).toBe(200)
  await expect.poll(async () => (await get(waiting))['reading'], { timeout: 30_000 }).toMatchObject({ layout: 'learned' })
  expect((await kept.execute(db)).rows).toEqual(before)
  expect(await scanOf(waiting)).toMatchObject({ state: 'read', bill_date: '2026-04-05' })
})

test('head and lines are told apart: a sure head says nothing of lines that nobody read, and the list sorts by what is to be typed', async () => {
  const account = await makeAccount(db, at, '61-0044-3')
  await makeService(db, at.clientId, account, 'electric', 'E-44001')
  // Nothing of the second service is on the document.
  await makeService(db, at.clientId, account, 'natural_gas', 'G-44002')
  const id = await upload(await billPdf([{ ...paperBill, account_number: '61-0044-3', meter_number: 'E-44001', invoice_number: 'INV-4' }]))
  await settled(id)
  const scan = await scanOf(id)
  expect(Number(scan['confidence'])).toBeGreaterThan(80)
  expect(Number(scan['lines_found']) + Number(scan['lines_missing'])).toBe(16)
  expect(Number(scan['lines_found'])).toBeGreaterThan(4)
  expect(Number(scan['lines_missing'])).toBeGreaterThanOrEqual(8)
  const { body } = await ask(staff, 'GET', path('?q[lines_missing_gteq]=8&q[s]=lines_missing desc&per=1000'))
  expect(JSON.stringify(body)).toContain(`"id":${id}`)
  expect((await ask(staff, 'GET', path(`?q[lines_missing_eq]=0&q[id_eq]=${id}`))).body).toMatchObject({ total: 0 })
})

test('a document that is here already is named when it comes again, by its file and by what was read; whoever keeps it hears no more of it', async () => {
  const bytes = await billPdf([{ ...paperBill, invoice_number: 'INV-5', amount_due: '55.05', date: '05/05/2026', due_date: '05/26/2026' }])
  const first = await upload(bytes, 'May.pdf')
  await settled(first)
  const again = await send(bytes, 'May again.pdf')
  expect(again.body).toMatchObject({ same_scan_id: first, same_bill_id: null })
  const saved = await enter(first, {
    invoice_number: 'INV-5',
    date: '2026-05-05',
    due_date: '2026-05-26',
    current_charges: '55.05',
    amount_due: '55.05',
    service_bills_attributes: [],
  })
  expect(saved.status, saved.text).toBe(200)
  const third = await send(bytes, 'May once more.pdf')
  expect(third.body).toMatchObject({ same_bill_id: saved.body['id'] })
  // A different file of the same bill: account, date and amount identify it once they are read.
  const other = await upload(
    await billPdf([{ ...paperBill, invoice_number: 'INV-5', amount_due: '55.05', date: '05/05/2026', due_date: '05/26/2026' }], 1),
  )
  await settled(other)
  expect(await scanOf(other)).toMatchObject({ same_bill_id: saved.body['id'] })
  expect((await ask(staff, 'POST', path(`/${other}/keep`))).status).toBe(200)
  expect(await scanOf(other)).toMatchObject({ same_bill_id: null, same_scan_id: null })
})

test('a row of sewer without a meter number belongs to the only sewer service of the account; of two it belongs to none', async () => {
  const account = await makeAccount(db, at, '88-1200-7')
  const water = await makeService(db, at.clientId, account, 'water', 'W-5512')
  const sewer = await makeService(db, at.clientId, account, 'sewer', 'S-0001')
  const [id] = [await upload(await sewerPdf('88-1200-7', 'W-5512'), 'Water.pdf')]
  await settled(id)
  const metersOf = async (scan: number) =>
    JSON.parse(JSON.stringify((await get(scan))['reading'])).meters.map((meter: { service_id: number }) => meter.service_id)
  expect(await metersOf(id)).toEqual([water, sewer])
  await makeService(db, at.clientId, account, 'sewer', 'S-0002')
  expect((await ask(staff, 'POST', path(`/${id}/reread`))).status).toBe(200)
  await settled(id)
  expect(await metersOf(id)).toEqual([water, null])
})

test('the bills of one file know each other in their order; a stack that is not divided is entered by nobody, unless it is one bill', async () => {
  const second = { ...paperBill, invoice_number: 'INV-7', amount_due: '77.10', date: '07/05/2026', due_date: '07/26/2026' }
  const third = { ...paperBill, invoice_number: 'INV-8', amount_due: '88.20', date: '08/05/2026', due_date: '08/26/2026' }
  const bytes = await billPdf([{ ...paperBill, invoice_number: 'INV-6', date: '06/05/2026', due_date: '06/26/2026' }, second, third])
  const [id, whole] = [await upload(bytes, 'Stack.pdf'), await upload(bytes, 'Other stack.pdf')]
  await settled(id)
  await settled(whole)
  const june = { invoice_number: 'INV-6', date: '2026-06-05', due_date: '2026-06-26' }
  expect((await enter(id, june)).text).toContain('seems to hold 3 bills')
  const answer = await ask(staff, 'POST', path(`/${id}/split`), { starts: [1, 2, 3] })
  const { ids }: { ids: number[] } = JSON.parse(answer.text)
  for (const one of ids) await settled(one)
  expect((await get(ids[1] ?? 0))['stack']).toMatchObject([
    { id: ids[0], state: 'read', amount_due: '128.40' },
    { id: ids[1], state: 'read', amount_due: '77.10' },
    { id: ids[2], state: 'read', amount_due: '88.20' },
  ])
  const saved = await enter(id, june)
  expect(saved.body['bill'], saved.text).toMatchObject({ files: [{ filename: 'Stack, page 1.pdf' }] })
  expect((await get(ids[1] ?? 0))['stack']).toMatchObject([{ state: 'done', bill_id: saved.body['id'] }, {}, {}])
  expect((await ask(staff, 'POST', path(`/${whole}/split`), { starts: [1] })).status).toBe(200)
  expect(await scanOf(whole)).toMatchObject({ bills_inside: 1 })
  expect((await ask(staff, 'POST', path(`/${whole}/reread`))).status).toBe(200)
  await settled(whole)
  expect(await scanOf(whole)).toMatchObject({ bills_inside: 1 })
})
