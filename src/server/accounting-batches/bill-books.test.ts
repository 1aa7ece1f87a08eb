/** Tests how a bill is booked over HTTP: its lines on its page, the lines behind an account of a batch, and how a void bill is taken back. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { makeBatchWorld, type BatchWorld } from '../../../test/support/client-batches.ts'
import { exportedText } from '../../../test/support/exports.ts'

const testApp = await startTestApp()
const { ask, database } = testApp
const { db } = database
let world: BatchWorld

beforeEach(async () => {
  world = await makeBatchWorld(testApp)
})

const booksOf = async (bill: number) =>
  (await ask(world.admin, 'GET', `/clients/${world.ground.clientId}/bills/${bill}/ledger_lines`)).body['ledger']
const ledgerOf = async (batch: number) => (await ask(world.admin, 'GET', `${world.at}/${batch}/ledger`)).body
const reversalsIn = async (batch: number) =>
  (
    await sql`select bill_id, sum(amount) filter (where kind <> 'payable')::text as booked, sum(amount)::text as sum from gl_lines
      where accounting_batch_id = ${batch} and reverses_id is not null group by bill_id order by bill_id`.execute(db)
  ).rows
/** Makes the bill that replaces this one. */
const rebill = (of: number, month: number, amount: string) =>
  world.makeBill(month, {
    invoice_number: `R-${of}`,
    current_charges: amount,
    amount_due: amount,
    rebill_adjustment: true,
    rebill_of_id: of,
    rebill_mode: 'replace',
  })

describe('a void bill that a closed batch has booked', () => {
  it('waits for the bill that replaced it while that one can come into a batch, and is taken back with it', async () => {
    const { makeBill, made, save } = world
    const first = await makeBill(1)
    await made({ batch_code: 'M1', bill_ids: [first], closed: true })
    const second = await rebill(first, 1, '140.00')
    const other = await made({ batch_code: 'M2', bill_ids: [await makeBill(2)] })
    expect(await ledgerOf(other)).toMatchObject({ booked: '152.00', bills_total: '152.00', reversals: '0.00' })
    expect(await booksOf(first)).toMatchObject({ standing: 'frozen', reversals: [], owed: { batch: null } })
    const own = await made({ batch_code: 'M3', bill_ids: [second] })
    expect(await booksOf(first)).toMatchObject({ owed: { batch: { id: own, batch_code: 'M3' } } })
    expect(await ledgerOf(own)).toMatchObject({ booked: '-11.00', bills_total: '140.00', reversals: '-151.00' })
    expect((await save(own, { closed: true })).status).toBe(200)
    expect(await reversalsIn(own)).toEqual([{ bill_id: first, booked: '-151.00', sum: '0.00' }])
  })

  it('whose replacement cannot come into a batch is taken back by the next batch of the group that closes, once', async () => {
    const { ground, makeBill, made, save } = world
    const first = await makeBill(1)
    const before = await made({ batch_code: 'M1', bill_ids: [first], closed: true })
    const second = await rebill(first, 1, '140.00')
    await sql`update bills set parked = true where id = ${second}`.execute(db)
    const { rows } = await sql<{
      id: number
    }>`insert into batch_groups (client_id, name) values (${ground.clientId}, 'North') returning id`.execute(db)
    const empty = await made({ batch_code: 'EMPTY' })
    const ofGroup = await made({ batch_code: 'NORTH', batch_group_id: rows[0]?.id, bill_ids: [await makeBill(2)] })
    const next = await made({ batch_code: 'M2', bill_ids: [await makeBill(3)] })
    const later = await made({ batch_code: 'M3', bill_ids: [await makeBill(4)] })
    expect(await booksOf(first)).toMatchObject({ owed: { batch: { id: next } } })
    for (const other of [empty, ofGroup, later]) expect(await ledgerOf(other)).toMatchObject({ reversals: '0.00' })
    expect(await ledgerOf(next)).toMatchObject({
      booked: '2.00',
      bills_total: '153.00',
      reversals: '-151.00',
      debits: '304.00',
      credits: '304.00',
    })
    const closed = await sql`select * from gl_lines where accounting_batch_id = ${before} order by id`.execute(db)
    for (const id of [next, later]) expect((await save(id, { closed: true })).status).toBe(200)
    expect(await reversalsIn(next)).toEqual([{ bill_id: first, booked: '-151.00', sum: '0.00' }])
    expect(await reversalsIn(later)).toEqual([])
    expect((await sql`select * from gl_lines where accounting_batch_id = ${before} order by id`.execute(db)).rows).toEqual(closed.rows)
    // The replacement comes later with its own charges alone.
    await sql`update bills set parked = false where id = ${second}`.execute(db)
    const last = await made({ batch_code: 'M4', bill_ids: [second], closed: true })
    expect(await ledgerOf(last)).toMatchObject({ booked: '140.00', reversals: '0.00' })
  })

  it('whose replacement is the bill of a group, left to its subaccounts, is taken back too', async () => {
    const { makeBill, made } = world
    const first = await makeBill(1)
    await made({ batch_code: 'G1', bill_ids: [first], closed: true })
    const parent = await rebill(first, 1, '140.00')
    const child = await makeBill(2)
    await sql`update bills set group_bill_id = ${parent} where id = ${child}`.execute(db)
    const next = await made({ batch_code: 'G2', bill_ids: [child], closed: true })
    expect(await reversalsIn(next)).toEqual([{ bill_id: first, booked: '-151.00', sum: '0.00' }])
  })

  it('stays replaced: the replacement is frozen with the reversal, so a closed batch keeps what it replaces', async () => {
    const { ground, makeBill, made, admin } = world
    const first = await makeBill(1)
    await made({ batch_code: 'K1', bill_ids: [first], closed: true })
    const second = await rebill(first, 1, '140.00')
    await made({ batch_code: 'K2', bill_ids: [second], closed: true })
    const refused = await ask(admin, 'PATCH', `/clients/${ground.clientId}/bills/${second}`, { bill: { rebill_mode: 'add' } })
    expect([refused.status, JSON.stringify(refused.body['errors'])]).toEqual([422, expect.stringContaining('rebill_mode')])
    const { rows } = await sql`select superseded_by_id from bills where id = ${first}`.execute(db)
    expect(rows).toEqual([{ superseded_by_id: second }])
  })
})

describe('the ledger lines of a bill', () => {
  it('are computed until its batch closes, then frozen with their names; a reader of client batches alone sees them', async () => {
    const { ground, makeBill, made, save, expense, admin } = world
    const bill = await makeBill(1)
    expect(await booksOf(bill)).toMatchObject({ standing: 'computed', batch: null, reversals: [], owed: null })
    const id = await made({ batch_code: 'L', bill_ids: [bill] })
    await save(id, { closed: true })
    await sql`update ledger_accounts set name = 'Renamed' where id = ${expense}`.execute(db)
    expect(await booksOf(bill)).toMatchObject({
      standing: 'frozen',
      batch: { id, batch_code: 'L' },
      lines: [
        { kind: 'expense', ledger_account_name: '6100 Utilities', amount: '101.00' },
        { kind: 'expense', ledger_account_name: '6100 Utilities', amount: '50.00' },
        { kind: 'payable', ledger_account_name: '', amount: '-151.00' },
      ],
    })
    const at = `/clients/${ground.clientId}/bills/${bill}/ledger_lines`
    const narrowed = await makePerson(db, 'client_manager', {
      clients: [ground.clientId],
      division: [[ground.clientId, ground.divisionId]],
    })
    expect([403, 404]).toContain((await ask(narrowed, 'GET', at)).status)
    expect((await ask(admin, 'GET', `/clients/${ground.clientId}/bills/999999999/ledger_lines`)).status).toBe(404)
  })

  it('behind one ledger account of a batch each name their bill', async () => {
    const { ground, makeBill, made, at, admin, expense } = world
    const bills = [await makeBill(1), await makeBill(2)]
    const id = await made({ batch_code: 'ROWS', bill_ids: bills })
    await sql`update services set ledger_account_id = null where id = ${ground.gasId}`.execute(db)
    const lines = async (query: string) => (await ask(admin, 'GET', `${at}/${id}/ledger_lines?${query}`)).body
    expect(await lines(`kind=expense&ledger_account_id=${expense}`)).toMatchObject({
      lines: [
        { bill_id: bills[0], amount: '101.00', vendor_name: 'City Power', bill_date: '2025-02-05' },
        { bill_id: bills[1], amount: '102.00' },
      ],
      line_count: 2,
    })
    expect(await lines('kind=expense')).toMatchObject({ lines: [{ amount: '50.00' }, { amount: '50.00' }], line_count: 2 })
    expect(await lines('kind=payable')).toMatchObject({ lines: [{ amount: '-151.00' }, { amount: '-152.00' }] })
    expect((await ask(admin, 'GET', `${at}/${id}/ledger_lines?kind=other`)).status).toBe(422)
  })
})

it('a voucher names the ledger accounts by which a closed client batch has booked the bill', async () => {
  const { ground, makeBill, made, expense, admin } = world
  await sql`update clients set utility_payment_management = true where id = ${ground.clientId}`.execute(db)
  const [booked, open] = [await makeBill(1), await makeBill(2)]
  await made({ batch_code: 'V', bill_ids: [booked], closed: true })
  await sql`update ledger_accounts set name = 'Renamed' where id = ${expense}`.execute(db)
  const head = { payer_type: 'Client', payer_id: ground.clientId, batch_date: '2026-11-24', bills_due_date: '2026-12-08' }
  const vendorBatches = `/clients/${ground.clientId}/payment_batches`
  const paid = await ask(admin, 'POST', vendorBatches, { payment_batch: { ...head, bill_ids: [booked, open] } })
  expect(paid.status, paid.text).toBe(200)
  const started = await ask(admin, 'GET', `${vendorBatches}/${String(paid.body['id'])}/voucher_csv`)
  const rows: Record<string, string>[] = parse(await exportedText({ ask }, admin, started.body['task_id']), { columns: true })
  expect(rows.map((row) => row['GL Accounts'])).toEqual(['6100 Utilities', 'Renamed'])
})
