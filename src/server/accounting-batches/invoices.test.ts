/**
 * Tests invoices of client batches, written by tasks and read back by another program; codes of new batches; and the confirmation of bills in
 * QC.
 */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { getDocumentProxy } from 'unpdf'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeGround, type Ground } from '../../../test/support/bills.ts'
import { makeLedgerAccount } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { addBill } from '../../../test/support/fact-bills.ts'
import { pngOf } from '../../../test/support/forms.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { sendTask } from '../kernel/work/task.ts'

const { app, ask, database } = await startTestApp()
const { db } = database
const longName = 'Municipal Utility District of the Upper Valley and the Hills'

let ground: Ground
let admin: Person
let at: string
let settingsAt: string

beforeEach(async () => {
  ground = await makeGround(db)
  at = `/clients/${ground.clientId}/accounting_batches`
  settingsAt = `/clients/${ground.clientId}/ledger_settings`
  await sql`update clients set accounting_batch_management = true, ledger_account_management = true, bills_due_on = 'Net 10' where id = ${ground.clientId}`.execute(
    db,
  )
  await sql`update vendors set name = ${longName} where id = ${ground.vendorId}`.execute(db)
  admin = await makePerson(db, 'super_admin')
})

interface MadeBill {
  readonly charges: string
  readonly balance?: string
  readonly facilityId?: number | null
  readonly divisionId?: number | null
}

/** Makes complete bills with a header only, in no batch. */
async function makeBills(made: readonly MadeBill[]): Promise<number[]> {
  const ids: number[] = []
  for (const { charges, balance = '0.00', facilityId = ground.facilityId, divisionId = ground.divisionId } of made) {
    const account = { billable_account_id: ground.accountId }
    const { id } = await addBill(db, ground.clientId, { account, date: '2026-11-02', current_charges: charges, lines: [] })
    await sql`update bills set vendor_id = ${ground.vendorId}, division_id = ${divisionId}, facility_id = ${facilityId}, account_number = 'A-' || id,
      balance_forward = ${balance}, late_fee = 1, amount_due = ${charges}::numeric + ${balance}::numeric + 1 where client_id = ${ground.clientId} and id = ${id}`.execute(
      db,
    )
    ids.push(id)
  }
  return ids
}

async function makeBatch(made: readonly MadeBill[], code = 'HLM-2026-11'): Promise<number> {
  const body = { accounting_batch: { batch_code: code, batch_date: '2026-11-30T05:00:00.000Z', bill_ids: await makeBills(made) } }
  const answer = await ask(admin, 'POST', at, body)
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}

const setSettings = (values: object) => ask(admin, 'PATCH', settingsAt, { ledger_setting: values })

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

describe('the invoice of a client batch', () => {
  it('asks as PDF for the bills by division and facility with their subtotals, and its total is that of the batch [CBATCH-JOB-004] [PERM-PERM-030]', async () => {
    const { rows } = await sql<{
      id: number
    }>`insert into divisions (client_id, name, short_code, code) values (${ground.clientId}, 'East', 'E', 'E1') returning id`.execute(db)
    const { rows: stores } = await sql<{
      id: number
    }>`insert into facilities (client_id, division_id, name, number) values (${ground.clientId}, ${rows[0]?.id}, 'Depot 9', 'D9') returning id`.execute(
      db,
    )
    const id = await makeBatch([
      { charges: '100.00', balance: '25.00' },
      { charges: '-30.50' },
      { charges: '40.00', divisionId: rows[0]?.id ?? null, facilityId: stores[0]?.id ?? null },
      { charges: '7.00', divisionId: null, facilityId: null },
    ])
    await setSettings({ remit_instructions: 'First Bank of Fresno\nAccount 4711' })
    const reader = await makePerson(db, 'read_only_user', { clients: [ground.clientId] })
    const started = await ask(reader, 'GET', `${at}/${id}/generate_invoice_pdf?connection_id=window-1`)
    expect(started.body).toMatchObject({ success: true, message: 'Invoice PDF generation started', task_id: expect.any(Number) })
    const { rows: tasks } = await sql`select connection_id from tasks where id = ${started.body['task_id']}`.execute(db)
    expect(tasks).toEqual([{ connection_id: 'window-1' }])
    await taskOf((method, path) => ask(reader, method, path), started.body['task_id'])
    const again = await ask(admin, 'GET', `${at}/${id}/generate_invoice_pdf`)
    const [page = '', ...more] = await pagesOf(again.body['task_id'])
    expect(more).toEqual([])
    const { accounting_batch: batch }: { accounting_batch: { bills_total: string } } = JSON.parse(
      (await ask(admin, 'GET', `${at}/${id}`)).text,
    )
    expect(batch.bills_total).toBe('145.50')
    for (const text of [
      'Draft invoice',
      'HLM-2026-11: 4 bills, $145.50',
      '11/30/2026',
      'Net 10',
      'Page 1 of 1',
      'Total of 4 bills',
      'East',
      'Depot 9, 1 bill',
      'Total East, 1 bill',
      'Total West, 2 bills',
      'Store 1, 2 bills',
      'Total of no division, 1 bill',
      'First Bank of Fresno',
      'Account 4711',
    ])
      expect(page).toContain(text)
    // West: 100.00 and -30.50 charged, 25.00 from before, late fees of 1.00 each.
    expect(page).toMatch(/Total West, 2 bills\s+69\.50\s+25\.00\s+2\.00\s+96\.50/)
    expect(page.indexOf('East')).toBeLessThan(page.indexOf('West'))
    expect(page).not.toContain('Service fee')
  })

  it('repeats its head, the names of a group that goes on, and page x of y on each page; closed, it is no draft', async () => {
    const id = await makeBatch(Array.from({ length: 40 }, (_, place) => ({ charges: `${place + 10}.00` })))
    // A bill with only a header has no service line to book, so the test closes the batch with SQL.
    await sql`update accounting_batches set closed = true, has_been_closed = true, closed_at = now() where id = ${id}`.execute(db)
    const pages = await pagesOf((await ask(admin, 'GET', `${at}/${id}/generate_invoice_pdf`)).body['task_id'])
    expect(pages).toHaveLength(2)
    for (const [place, page] of pages.entries()) {
      expect(page).toContain(`Page ${place + 1} of 2`)
      expect(page).toContain('HLM-2026-11')
      expect(page).not.toContain('Draft')
    }
    expect(pages[1]).toContain('Store 1 (continued)')
    expect(pages[1]).toContain('Total of 40 bills')
    expect(pages[0]).not.toContain('Total of')
  })

  it('has the service fee of the client’s settings as a line of its own, for each bill or for the batch', async () => {
    const id = await makeBatch([{ charges: '100.00' }, { charges: '50.00' }])
    await setSettings({ service_fee: '1.50', service_fee_by: 'bill' })
    const seen = await ask(admin, 'GET', `${at}/${id}/invoice`)
    expect(seen.body).toMatchObject({
      invoice: { amount_due: '152.00', service_fee: '3.00', service_fee_text: 'Service fee, 2 bills at 1.50', total_due: '155.00' },
    })
    const [page] = await pagesOf((await ask(admin, 'GET', `${at}/${id}/generate_invoice_pdf`)).body['task_id'])
    for (const text of ['Total of 2 bills', '$152.00', 'Service fee, 2 bills at 1.50', '$3.00', 'Total due', '$155.00'])
      expect(page).toContain(text)
    await setSettings({ service_fee: '20.00', service_fee_by: 'batch' })
    expect((await ask(admin, 'GET', `${at}/${id}/invoice`)).body).toMatchObject({
      invoice: { service_fee: '20.00', service_fee_text: 'Service fee', total_due: '172.00' },
    })
    expect((await setSettings({ service_fee: '-1.00' })).body['errors']).toMatchObject({
      fields: { service_fee: ['Service Fee must be at least 0'] },
    })
  })

  it('has the logo of the client, else that of its channel partner; a picture that cannot be drawn is left out', async () => {
    const id = await makeBatch([{ charges: '100.00' }])
    const { rows: partners } = await sql<{
      id: number
    }>`insert into channel_partners (name) values (${`Valley Energy ${id}`}) returning id`.execute(db)
    await sql`update clients set channel_partner_id = ${partners[0]?.id} where id = ${ground.clientId}`.execute(db)
    const setLogo = async (bytes: Buffer) => {
      const key = `uploads/aa/logo-${id}`
      const { sha256 } = await app.machinery.files.put(key, bytes, 'image/png')
      const { rows } = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, sha256, state, attached_at)
        values (${key}, 'logo.png', 'image/png', ${bytes.length}, ${sha256}, 'attached', now()) on conflict (key) do update set byte_size = excluded.byte_size returning id`.execute(
        db,
      )
      await sql`update channel_partners set logo_file_id = ${rows[0]?.id} where id = ${partners[0]?.id}`.execute(db)
    }
    const drawn = async () => {
      const { body } = await ask(admin, 'GET', `${at}/${id}/generate_invoice_pdf`)
      const [page = ''] = await pagesOf(body['task_id'])
      const { rows } = await sql<{
        key: string
      }>`select files.key from tasks join files on files.id = tasks.file_id where tasks.id = ${body['task_id']}`.execute(db)
      const chunks: Uint8Array[] = []
      for await (const chunk of await app.machinery.files.read(rows[0]?.key ?? '')) chunks.push(new Uint8Array(chunk))
      return { page, pictures: Buffer.concat(chunks).toString('latin1').split('/Subtype /Image').length - 1 }
    }
    await setLogo(pngOf(4, 4))
    const good = await drawn()
    expect(good.page).toContain(`Valley Energy ${id}`)
    expect(good.pictures).toBeGreaterThan(0)
    await setLogo(Buffer.from('no picture at all'))
    const bad = await drawn()
    expect([bad.page.includes(`Valley Energy ${id}`), bad.pictures]).toEqual([true, 0])
  })

  it('as CSV it has a row for each bill and adds up to what the invoice asks for; a spreadsheet runs no formula', async () => {
    await sql`update vendors set name = '=1+1' where id = ${ground.vendorId}`.execute(db)
    const id = await makeBatch([{ charges: '100.00', balance: '5.25' }, { charges: '50.00' }])
    await setSettings({ service_fee: '1.50' })
    const started = await ask(admin, 'GET', `${at}/${id}/generate_invoice_csv`)
    expect(started.body).toMatchObject({ message: 'Invoice CSV generation started' })
    const rows: Record<string, string>[] = parse(await exportedText({ ask }, admin, started.body['task_id']), { columns: true })
    expect(rows).toHaveLength(3)
    expect(rows[0]).toMatchObject({
      'Invoice Number': 'HLM-2026-11',
      'Invoice Date': '11/30/2026',
      Terms: 'Net 10',
      Division: 'West',
      Facility: 'Store 1',
      Vendor: "'=1+1",
      'Current Charges': '100.00',
      'Balance Forward': '5.25',
      'Late Fee': '1.00',
      'Amount Due': '106.25',
    })
    expect(rows.reduce((sum, row) => sum + Number(row['Amount Due']), 0).toFixed(2)).toBe('160.25')
    expect((await ask(admin, 'GET', `${at}/${id}/invoice`)).body).toMatchObject({ invoice: { total_due: '160.25' } })
  })

  it('keeps each version as it was made, with who made it and its hash, downloadable by whoever reads the batch', async () => {
    const id = await makeBatch([{ charges: '100.00' }])
    for (const format of ['pdf', 'pdf', 'csv'])
      await taskOf(
        (method, path) => ask(admin, method, path),
        (await ask(admin, 'GET', `${at}/${id}/generate_invoice_${format}`)).body['task_id'],
      )
    const { files }: { files: { id: number; kind: string; version: number; filename: string }[] } = JSON.parse(
      (await ask(admin, 'GET', `${at}/${id}/files`)).text,
    )
    expect(files).toMatchObject([
      { kind: 'invoice_csv', version: 1, filename: 'HLM-2026-11_invoice_v1.csv', total: '101.00', row_count: 1 },
      { kind: 'invoice', version: 2, filename: 'HLM-2026-11_invoice_v2.pdf', total: '101.00' },
      { kind: 'invoice', version: 1, filename: 'HLM-2026-11_invoice_v1.pdf', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    const one = await ask(admin, 'GET', `${at}/${id}/files/${files[1]?.id}`)
    expect(one.body).toMatchObject({ filename: 'HLM-2026-11_invoice_v2.pdf' })
    const other = await makeBatch([{ charges: '1.00' }], 'OTHER')
    expect((await ask(admin, 'GET', `${at}/${other}/files/${files[1]?.id}`)).status).toBe(404)
    // The upload file's own call does not return an invoice.
    expect((await ask(admin, 'GET', `${at}/${id}/upload_file`)).status).toBe(404)
  })

  it('is refused without bills, and is not written for a person who has lost the client', async () => {
    const empty = Number((await ask(admin, 'POST', at, { accounting_batch: { batch_code: 'EMPTY' } })).body['id'])
    const refused = await ask(admin, 'GET', `${at}/${empty}/generate_invoice_pdf`)
    expect([refused.status, refused.body['message']]).toEqual([409, 'This client batch holds no bill.'])
    const id = await makeBatch([{ charges: '100.00' }])
    const { clientId: other } = await makeGround(db)
    await sql`update clients set accounting_batch_management = true where id = ${other}`.execute(db)
    const former = await makePerson(db, 'client_admin', { clients: [other] })
    const input = { accounting_batch_id: id, batch_code: 'HLM-2026-11', format: 'pdf' }
    const { rows } = await sql<{ id: number }>`insert into tasks (client_id, user_id, kind, state, input)
      values (${ground.clientId}, ${former.id}, 'accounting_batch_invoice', 'waiting', ${JSON.stringify(input)}) returning id`.execute(db)
    const task = rows[0]?.id ?? 0
    await db.transaction().execute((tx) => sendTask(app.machinery, tx, task, former.id))
    expect(await taskOf((method, path) => ask(former, method, path), task)).toMatchObject({
      state: 'failed',
      error: 'You may not read client batches of this client any more.',
    })
    expect((await sql`select id from accounting_batch_files where accounting_batch_id = ${id}`.execute(db)).rows).toEqual([])
  })
})

describe('the code of a new batch', () => {
  const next = async (query = '') => (await ask(admin, 'GET', `${at}/next_code${query}`)).body['batch_code']

  it('follows the pattern of the client and takes the first number that is free; without a pattern there is none', async () => {
    expect(await next()).toBeNull()
    await setSettings({ batch_code_pattern: 'HLM-{YYYY}-{MM}-{nn}' })
    expect(await next('?date=2026-11-30')).toBe('HLM-2026-11-01')
    for (const code of ['hlm-2026-11-01', 'HLM-2026-11-02', 'HLM-2026-11-04'])
      expect((await ask(admin, 'POST', at, { accounting_batch: { batch_code: code } })).status).toBe(200)
    expect(await next('?date=2026-11-30')).toBe('HLM-2026-11-03')
    expect(await next('?date=2026-12-31')).toBe('HLM-2026-12-01')
  })

  it('a pattern that does not count gets a number from the second batch on; a group of another client says nothing', async () => {
    const { rows } = await sql<{
      id: number
    }>`insert into batch_groups (client_id, name) values (${ground.clientId}, 'North') returning id`.execute(db)
    await setSettings({ batch_code_pattern: '{group} {YYYY}-{MM}' })
    expect(await next(`?date=2026-11-30&batch_group_id=${rows[0]?.id}`)).toBe('North 2026-11')
    await ask(admin, 'POST', at, { accounting_batch: { batch_code: 'North 2026-11' } })
    expect(await next(`?date=2026-11-30&batch_group_id=${rows[0]?.id}`)).toBe('North 2026-11-2')
    const foreign = await makeGround(db)
    const { rows: theirs } = await sql<{
      id: number
    }>`insert into batch_groups (client_id, name) values (${foreign.clientId}, 'Secret') returning id`.execute(db)
    expect(await next(`?date=2026-11-30&batch_group_id=${theirs[0]?.id}`)).toBe('2026-11')
  })

  it('a pattern with an unknown part is refused by name, and one that makes too long a code makes none', async () => {
    const refused = await setSettings({ batch_code_pattern: '{client}-{month}' })
    expect([refused.status, JSON.stringify(refused.body['errors'])]).toEqual([422, expect.stringContaining('{month} is no part of a name')])
    await setSettings({ batch_code_pattern: `${'x'.repeat(60)}-{n}` })
    expect(await next()).toBeNull()
  })
})

describe('closing a batch with bills in QC', () => {
  it('asks about each by name, closes with those that were confirmed, and the trail keeps which', async () => {
    const expense = await makeLedgerAccount(db, ground.clientId, '6100 Utilities')
    await sql`update services set ledger_account_id = ${expense} where client_id = ${ground.clientId}`.execute(db)
    const bills: number[] = []
    for (const place of [0, 1]) {
      const line = { service_id: ground.electricId, from: '2026-10-01', to: '2026-11-01', utility: '100.00' }
      const { id } = await addBill(db, ground.clientId, {
        account: { billable_account_id: ground.accountId },
        date: `2026-11-0${2 + place}`,
        current_charges: '100.00',
        lines: [line],
      })
      bills.push(id)
    }
    await sql`update bills set qc = true, account_number = '4711', balance_forward = 0, late_fee = 0, amount_due = 100 where client_id = ${ground.clientId}`.execute(
      db,
    )
    const made = await ask(admin, 'POST', at, { accounting_batch: { batch_code: 'QC', bill_ids: bills } })
    const id = Number(made.body['id'])
    const close = (ids: readonly number[]) =>
      ask(admin, 'PATCH', `${at}/${id}`, { accounting_batch: { closed: true, confirmed_qc_ids: ids } })
    const asked = await close([])
    expect([asked.status, asked.body['message']]).toEqual([
      409,
      '2 bills are in QC and must be confirmed before the batch closes: 4711, 11/02/2026; 4711, 11/03/2026.',
    ])
    const still = await close(bills.slice(0, 1))
    expect(still.body['message']).toBe('1 bill is in QC and must be confirmed before the batch closes: 4711, 11/03/2026.')
    expect((await ask(admin, 'GET', `${at}/${id}`)).body).toMatchObject({ accounting_batch: { closed: false } })
    expect((await close(bills)).body).toMatchObject({ success: true, accounting_batch: { closed: true } })
    const { rows } = await sql<{ changes: unknown }>`select object_changes -> 'confirmed_qc_ids' as changes from audit_records
      where client_id = ${ground.clientId} and item_type = 'accounting_batch' and object_changes ? 'confirmed_qc_ids'`.execute(db)
    expect(rows).toEqual([{ changes: { from: null, to: bills } }])
  })
})
