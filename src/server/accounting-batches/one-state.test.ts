/** Tests client batches against edits of their bills on other connections: a close and a file are of one state of the bills. */
import { columnOf } from '#contract/accounting-batches/upload-column.ts'
import { genericLayout } from '#contract/accounting-batches/ready-layouts.ts'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../../test/support/app.ts'
import { door, makeBatchWorld, waitsForLock, whileWriting, type BatchWorld } from '../../../test/support/client-batches.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { brokenInClientBatches, expectNoneBroken } from '../../../test/support/money-invariants.ts'
import { taskOf } from '../../../test/support/retrieval.ts'

const testApp = await startTestApp()
const { ask, database } = testApp
const { db } = database
let world: BatchWorld

beforeEach(async () => {
  world = await makeBatchWorld(testApp)
})

/** Raises the charges of a bill by 9 dollars. */
const raise = (bill: number) =>
  sql`update bills set current_charges = current_charges + 9, amount_due = amount_due + 9 where client_id = ${world.ground.clientId} and id = ${bill}`
const payableOf = async (batch: number) =>
  (
    await sql<{
      amount: string
    }>`select amount from gl_lines where accounting_batch_id = ${batch} and kind = 'payable' order by position`.execute(db)
  ).rows.map(({ amount }) => amount)

describe('a close', () => {
  it('waits for an edit that is under way, and freezes what the edit has stored', async () => {
    const { ground, makeBill, made, save } = world
    const bill = await makeBill(1)
    const id = await made({ batch_code: 'C', bill_ids: [bill] })
    const [stored, leave] = [door(), door()]
    // As a save of a bill does: the account, then the bill.
    const edit = db.transaction().execute(async (tx) => {
      await sql`select id from billable_accounts where client_id = ${ground.clientId} and id = ${ground.accountId} for no key update`.execute(
        tx,
      )
      await raise(bill).execute(tx)
      stored.open()
      await leave.opened
    })
    await stored.opened
    const closing = save(id, { closed: true })
    const waited = await waitsForLock(db, closing)
    leave.open()
    await edit
    expect([waited, (await closing).status]).toEqual([true, 200])
    expect(await payableOf(id)).toEqual(['-160.00'])
    await expectNoneBroken(db, brokenInClientBatches)
  })

  it('beside saves of its bills freezes the bills as they are stored; a save that comes later is refused', async () => {
    const { ground, makeBill, made, save, admin } = world
    // A charge that was changed is far from the usual one, which is an error and no matter here.
    await ask(admin, 'PATCH', `/clients/${ground.clientId}/ledger_settings`, { ledger_setting: { batch_flagged_bills: true } })
    for (let round = 0; round < 8; round += 1) {
      const bills = [await makeBill(1 + round), await makeBill(9 + round)]
      const id = await made({ batch_code: `R${round}`, bill_ids: bills })
      const edits = bills.map((bill, place) =>
        ask(admin, 'PATCH', `/clients/${ground.clientId}/bills/${bill}`, {
          bill: { current_charges: `${170 + place}.00`, amount_due: `${170 + place}.00` },
        }),
      )
      const [close, ...saves] = await Promise.all([save(id, { closed: true }), ...edits])
      expect(close?.status, close?.text).toBe(200)
      for (const { status, text } of saves) expect([200, 422], text).toContain(status)
      await expectNoneBroken(db, brokenInClientBatches)
    }
  })

  it('that takes back lines of a batch, beside the reopening of that batch: one of them gives way with a reason of its own', async () => {
    const { makeBill, made, save } = world
    for (let round = 0; round < 4; round += 1) {
      const first = await makeBill(1 + round)
      const before = await made({ batch_code: `A${round}`, bill_ids: [first], closed: true })
      const second = await makeBill(1 + round, {
        invoice_number: `R-${round}`,
        current_charges: '140.00',
        amount_due: '140.00',
        rebill_adjustment: true,
        rebill_of_id: first,
        rebill_mode: 'replace',
      })
      const next = await made({ batch_code: `B${round}`, bill_ids: [second] })
      const [close, reopen] = await Promise.all([save(next, { closed: true }), save(before, { closed: false })])
      expect([close.status, reopen.status], `${close.text} ${reopen.text}`).toSatisfy(
        ([one, other]: number[]) => one === 200 && (other === 200 || other === 409),
      )
      if (reopen.status === 409)
        expect(reopen.body['message']).toBe('A later batch has taken back lines of this one, so it cannot be opened again.')
      const { rows } = await sql`select sum(amount)::text as left from gl_lines where bill_id = ${first} and kind <> 'payable'`.execute(db)
      expect(rows).toEqual([{ left: reopen.status === 409 ? '0.00' : null }])
    }
  })
})

describe('the files of an open batch', () => {
  it('the upload file is of one state, although a bill is saved while it is written, and the version says of which', async () => {
    const { ground, makeBill, made, at, admin } = world
    const bills = [await makeBill(1), await makeBill(2)]
    const id = await made({ batch_code: 'UP', bill_ids: bills })
    const [held, leave] = [door(), door()]
    // The numbers of vendors are read after the lines and before what a row says of its bill.
    const lock = db.transaction().execute(async (tx) => {
      await sql`lock table client_vendor_numbers in access exclusive mode`.execute(tx)
      held.open()
      await leave.opened
    })
    await held.opened
    const started = await ask(admin, 'GET', `${at}/${id}/generate_upload_file`)
    const ended = taskOf((method, path) => ask(admin, method, path), started.body['task_id'])
    expect(await waitsForLock(db, ended)).toBe(true)
    await raise(bills[0] ?? 0).execute(db)
    leave.open()
    await lock
    await ended
    const rows: Record<string, string>[] = parse(await exportedText({ ask }, admin, started.body['task_id']), { columns: true })
    const first = rows.filter((row) => row['Bill ID'] === String(bills[0]))
    expect(first.map((row) => [row['Invoice Amount'], row['Debit'], row['Credit']])).toEqual([
      ['151.00', '101.00', ''],
      ['151.00', '50.00', ''],
      ['151.00', '', '151.00'],
    ])
    expect((await ask(admin, 'GET', `${at}/${id}/files`)).body).toMatchObject({
      files: [{ version: 1, total: '303.00', bill_count: 2, bills_total: '303.00', read_at: expect.any(String) }],
    })
    expect((await ask(admin, 'GET', `/clients/${ground.clientId}/accounting_batches/${id}`)).body).toMatchObject({
      accounting_batch: { bills_total: '312.00' },
    })
  })

  it('the bills on the invoice add up to its total, although one is saved while it is written', async () => {
    const { makeBill, made, at, admin } = world
    const bills = [await makeBill(1), await makeBill(2)]
    const id = await made({ batch_code: 'INV', bill_ids: bills })
    const gate = whileWriting(testApp)
    const started = await ask(admin, 'GET', `${at}/${id}/generate_invoice_csv`)
    await gate.reached
    await raise(bills[0] ?? 0).execute(db)
    gate.open()
    const rows: Record<string, string>[] = parse(await exportedText({ ask }, admin, started.body['task_id']), { columns: true })
    expect(rows.map((row) => row['Amount Due'])).toEqual(['151.00', '152.00'])
    expect((await ask(admin, 'GET', `${at}/${id}/files`)).body).toMatchObject({
      files: [{ kind: 'invoice_csv', version: 1, total: '303.00', row_count: 2, bills_total: '303.00' }],
    })
  })

  it('an upload file whose batch is closed while it is written is written again from the frozen lines', async () => {
    const { ground, makeBill, made, save, at, admin, expense } = world
    const id = await made({ batch_code: 'SHUT', bill_ids: [await makeBill(1)] })
    const layout = { ...genericLayout, columns: [columnOf('ledger_account_name'), columnOf('amount')] }
    await ask(admin, 'POST', `/clients/${ground.clientId}/export_profiles`, { export_profile: { name: 'P', layout, is_default: true } })
    const gate = whileWriting(testApp)
    const started = await ask(admin, 'GET', `${at}/${id}/generate_upload_file`)
    await gate.reached
    await sql`update ledger_accounts set name = '6200 Power' where id = ${expense}`.execute(db)
    expect((await save(id, { closed: true })).status).toBe(200)
    gate.open()
    const rows: string[][] = parse(await exportedText({ ask }, admin, started.body['task_id']))
    expect(rows[1]).toEqual(['6200 Power', '101.00'])
    expect((await ask(admin, 'GET', `${at}/${id}/files`)).body).toMatchObject({ files: [{ version: 1, total: '151.00' }] })
    expect((await save(id, { closed: false })).body['message']).toMatch(/^Its upload file was made after it was closed/)
  })
})
