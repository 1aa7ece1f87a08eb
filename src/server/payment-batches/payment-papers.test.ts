/** Tests the papers of a vendor batch, written by tasks and read back by another program. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { getDocumentProxy } from 'unpdf'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeGround, type Ground } from '../../../test/support/bills.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { addBill } from '../../../test/support/fact-bills.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { sendTask } from '../kernel/work/task.ts'

const { app, ask, database } = await startTestApp()
const { db } = database
const longName = 'Municipal Utility District of the Upper Valley and the Hills'

let ground: Ground
let admin: Person
let at: string

beforeEach(async () => {
  ground = await makeGround(db)
  at = `/clients/${ground.clientId}/payment_batches`
  await sql`update clients set utility_payment_management = true where id = ${ground.clientId}`.execute(db)
  await sql`update vendors set name = ${longName}, city = 'Fresno', state = 'CA', zip = '93701' where id = ${ground.vendorId}`.execute(db)
  await sql`update billable_accounts set name = '=1+1' where id = ${ground.accountId}`.execute(db)
  admin = await makePerson(db, 'super_admin')
})

/** Makes a batch with this many bills of one vendor, of 10.00, 11.00 and so on. */
async function makeBatch(count: number): Promise<{ id: number; payment: number; bills: number[] }> {
  const bills: number[] = []
  for (let place = 0; place < count; place++) {
    const account = { billable_account_id: ground.accountId }
    const { id } = await addBill(db, ground.clientId, { account, date: '2026-11-02', current_charges: `${10 + place}.00`, lines: [] })
    bills.push(id)
  }
  await sql`update bills set vendor_id = ${ground.vendorId}, division_id = ${ground.divisionId}, facility_id = ${ground.facilityId},
    amount_due = current_charges, account_number = 'A-' || id where client_id = ${ground.clientId}`.execute(db)
  const head = { payer_type: 'Client', payer_id: ground.clientId, batch_date: '2026-11-24', bills_due_date: '2026-12-08', bill_ids: bills }
  const made = await ask(admin, 'POST', at, { payment_batch: head })
  expect(made.status, made.text).toBe(200)
  const { rows } = await sql<{ id: number }>`select id from vendor_payments where payment_batch_id = ${made.body['id']}`.execute(db)
  return { id: Number(made.body['id']), payment: rows[0]?.id ?? 0, bills }
}

/** Returns the words on each page of the task's PDF. */
async function pagesOf(taskId: unknown): Promise<string[]> {
  expect(await taskOf((method, path) => ask(admin, method, path), taskId)).toMatchObject({ state: 'done' })
  const { rows } = await sql<{
    key: string
  }>`select files.key from tasks join files on files.id = tasks.file_id where tasks.id = ${taskId}`.execute(db)
  const chunks: Uint8Array[] = []
  for await (const chunk of await app.machinery.files.read(rows[0]?.key ?? '')) chunks.push(new Uint8Array(chunk))
  const document = await getDocumentProxy(new Uint8Array(Buffer.concat(chunks)))
  return Promise.all(
    Array.from({ length: document.numPages }, async (_, place) => {
      const { items } = await (await document.getPage(place + 1)).getTextContent()
      return items.map((item) => ('str' in item ? item.str : '')).join(' ')
    }),
  )
}

describe('the papers of a vendor batch', () => {
  it('the voucher as CSV has a row for each bill and adds up to the batch [VBATCH-EXPORT-002]', async () => {
    const { id, payment, bills } = await makeBatch(3)
    const started = await ask(admin, 'GET', `${at}/${id}/voucher_csv`)
    expect(started.body).toMatchObject({ success: true, message: 'Vendor Batch Voucher CSV started', task_id: expect.any(Number) })
    const rows: Record<string, string>[] = parse(await exportedText({ ask }, admin, started.body['task_id']), { columns: true })
    expect(rows).toHaveLength(3)
    expect(rows[0]).toMatchObject({
      'Batch No': String(id),
      'Batch Date': '11/24/2026',
      'Vendor Payment ID': `VP-${payment}`,
      'Vendor Name': longName,
      'Remit Address': `${longName}, 1 Main St, Fresno, CA 93701`,
      'Pay Method': 'Check',
      'Account Number': `A-${bills[0]}`,
      Division: 'West',
      'Amount Due': '10.00',
      'Amount Paid': '10.00',
    })
    // A spreadsheet must not take a name for a formula.
    expect(rows[0]?.['Account Name']).toBe("'=1+1")
    const { payment_batch }: { payment_batch: { batch_total: string } } = JSON.parse((await ask(admin, 'GET', `${at}/${id}`)).text)
    expect(rows.reduce((sum, row) => sum + Number(row['Amount Paid']), 0).toFixed(2)).toBe(payment_batch.batch_total)
  })

  it('the voucher as PDF repeats its head on each page, and ends with the sum in words and lines for approval [VBATCH-JOB-001]', async () => {
    const { id, payment } = await makeBatch(31)
    const started = await ask(admin, 'GET', `${at}/${id}/voucher_pdf`)
    expect(started.body).toMatchObject({ message: 'Payments Batch PDF generation started' })
    const pages = await pagesOf(started.body['task_id'])
    expect(pages).toHaveLength(2)
    for (const [place, page] of pages.entries()) {
      expect(page).toContain(`VP-${payment}`)
      expect(page).toContain('Voucher')
      expect(page).toContain(longName)
      expect(page).toContain(`Page ${place + 1} of 2`)
      expect(page).toContain('31 bills, $775.00')
    }
    expect(pages[0]).not.toContain('Approved by')
    expect(pages[1]).toContain('Seven hundred seventy-five and 00/100 dollars')
    expect(pages[1]).toContain('Approved by')
    expect(pages[1]).toContain('$40.00')
    expect(pages[1]).not.toContain('$39.00')
  })

  it('the payments PDF is the remittance advice of one payment, without approval [VPAY-JOB-001]', async () => {
    const { id, payment, bills } = await makeBatch(2)
    await ask(admin, 'PATCH', `${at}/${id}/vendor_payments/${payment}`, {
      vendor_payment: { payment_date: '2026-11-30', check_number: '10441' },
    })
    const started = await ask(admin, 'GET', `${at}/${id}/vendor_payments/${payment}/generate_payments_pdf`)
    expect(started.body).toMatchObject({ message: 'Vendor payments PDF generation started' })
    const [page = '', ...more] = await pagesOf(started.body['task_id'])
    expect(more).toEqual([])
    for (const text of ['Remittance advice', '10441', '11/30/2026', `A-${bills[0]}`, `A-${bills[1]}`, '$21.00', 'Fresno, CA 93701'])
      expect(page).toContain(text)
    expect(page).not.toContain('Approved by')
  })

  it('are refused for a batch without bills, and not written for a person who has lost the client', async () => {
    const head = { payer_type: 'Client', payer_id: ground.clientId, batch_date: '2026-11-24', bills_due_date: '2026-12-08' }
    const empty = Number((await ask(admin, 'POST', at, { payment_batch: head })).body['id'])
    expect((await ask(admin, 'GET', `${at}/${empty}/voucher_csv`)).status).toBe(409)
    const { id } = await makeBatch(1)
    const { clientId: other } = await makeGround(db)
    await sql`update clients set utility_payment_management = true where id = ${other}`.execute(db)
    const former = await makePerson(db, 'client_admin', { clients: [other] })
    const input = { paper: 'voucher_csv', payment_batch_id: id, vendor_payment_id: null }
    const { rows } = await sql<{ id: number }>`insert into tasks (client_id, user_id, kind, state, input)
      values (${ground.clientId}, ${former.id}, 'payment_paper', 'waiting', ${JSON.stringify(input)}) returning id`.execute(db)
    const task = rows[0]?.id ?? 0
    await db.transaction().execute((tx) => sendTask(app.machinery, tx, task, former.id))
    expect(await taskOf((method, path) => ask(former, method, path), task)).toMatchObject({
      state: 'failed',
      error: 'You may not read vendor batches of this client any more.',
    })
  })
})
