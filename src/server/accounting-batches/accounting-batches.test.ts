/** Tests client batches over HTTP on a real PostgreSQL: their bills, ledger lines, closing, reopening, and rights. */
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { acting, makeAccount, makeGround, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { makeLedgerAccount } from '../../../test/support/estate.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { createBills } from '../bills/bills.ts'
import { sendTask } from '../kernel/work/task.ts'

const { app, ask, database } = await startTestApp()
const { db } = database

let ground: Ground
let admin: Person
let expense: number
let at: string

beforeEach(async () => {
  ground = await makeGround(db)
  at = `/clients/${ground.clientId}/accounting_batches`
  await sql`update clients set accounting_batch_management = true, ledger_account_management = true where id = ${ground.clientId}`.execute(
    db,
  )
  admin = await makePerson(db, 'super_admin')
  expense = await makeLedgerAccount(db, ground.clientId, '6100 Utilities')
  await sql`update services set ledger_account_id = ${expense} where client_id = ${ground.clientId}`.execute(db)
})

const billOf = async (of: Ground, month: number, change: Partial<BillDraft> = {}): Promise<number> => {
  const [made] = await acting(database, (context) => createBills(context, of.clientId, [monthlyDraft(of, month, change)]))
  if (made?.kind !== 'created') throw new Error(`the bill was not made: ${JSON.stringify(made)}`)
  return made.id
}
const makeBill = async (month: number, change: Partial<BillDraft> = {}): Promise<number> => {
  const id = await billOf(ground, month, change)
  await sql`update bills set open_errors = 0, open_blocking = 0 where client_id = ${ground.clientId} and id = ${id}`.execute(db)
  return id
}
const newBatch = async (values: object, who = admin) => ask(who, 'POST', at, { accounting_batch: values })
const save = (id: number, values: object, who = admin) => ask(who, 'PATCH', `${at}/${id}`, { accounting_batch: values })
const batch = async (id: number) => (await ask(admin, 'GET', `${at}/${id}`)).body['accounting_batch']
const frozen = async (id: number) =>
  (
    await sql`select bill_id, kind, ledger_account_name, amount, reverses_id from gl_lines where client_id = ${ground.clientId} and accounting_batch_id = ${id} order by position`.execute(
      db,
    )
  ).rows

describe('a client batch', () => {
  it('carries its fields, takes bills by id, sums them, and is listed newest first [CBATCH-FIELD-001] [CBATCH-FIELD-002] [CBATCH-API-004] [CBATCH-API-006] [CBATCH-CONST-001] [CBATCH-RULE-001]', async () => {
    const [one, two] = [await makeBill(1), await makeBill(2)]
    const { rows: groups } = await sql<{
      id: number
    }>`insert into batch_groups (client_id, name) values (${ground.clientId}, 'North') returning id`.execute(db)
    const group = groups[0]?.id
    const made = await newBatch({
      batch_code: 'HLM-2026-11',
      batch_date: '2026-11-30T05:00:00.000Z',
      batch_group_id: group,
      bill_ids: [two, one],
    })
    expect(made.body).toMatchObject({
      success: true,
      message: 'Client Batch created',
      bills: [
        { id: one, amount_due: '151.00' },
        { id: two, amount_due: '152.00' },
      ],
    })
    // The batch itself is read apart: its ledger lines are not counted by a save of its bills.
    expect(made.body).not.toHaveProperty('accounting_batch')
    const id = Number(made.body['id'])
    expect(await batch(id)).toMatchObject({
      batch_code: 'HLM-2026-11',
      batch_date: '2026-11-30T05:00:00.000Z',
      batch_group_id: group,
      batch_group: { id: group, name: 'North' },
      closed: false,
      invoiced: false,
      has_been_closed: false,
      bill_count: 2,
      bills_total: '303.00',
      bill_ids: [one, two],
      client_id: ground.clientId,
    })
    const second = Number((await newBatch({ batch_code: 'HLM-2026-12' })).body['id'])
    const list = await ask(admin, 'GET', at)
    expect(list.body).toMatchObject({
      accounting_batches: [
        { id: second, bills_total: '0.00' },
        { id, bills_total: '303.00' },
      ],
      total: 2,
    })
  })

  it('needs a code of its own; group, date, closed and invoiced are optional, and no group is null [CBATCH-RULE-004] [CBATCH-RULE-005] [CBATCH-RULE-006] [CBATCH-RULE-008]', async () => {
    expect((await newBatch({})).body['errors']).toMatchObject({ fields: { batch_code: ['Batch Code is required'] } })
    const made = await newBatch({ batch_code: 'A-1', batch_group_id: null })
    expect(made.status).toBe(200)
    const twice = await newBatch({ batch_code: 'a-1' })
    expect([twice.status, twice.body['errors']]).toMatchObject([
      422,
      { fields: { batch_code: ['A client batch of this client is called a-1 already'] } },
    ])
    const summed = await newBatch({ batch_code: 'A-2', bills_total: '12.00' })
    expect([summed.status, JSON.stringify(summed.body['errors'])]).toEqual([422, expect.stringContaining('bills_total')])
  })

  it('is listed by page, by ids, by filters and in the order that is asked for, and the groups to filter by are answered [CBATCH-API-001] [CBATCH-API-002] [CBATCH-API-003] [CBATCH-API-009] [CBATCH-RULE-007]', async () => {
    const { rows: groups } = await sql<{
      id: number
    }>`insert into batch_groups (client_id, name) values (${ground.clientId}, 'North') returning id`.execute(db)
    const group = groups[0]?.id ?? 0
    const made = async (batch_code: string, values: object = {}) => Number((await newBatch({ batch_code, ...values })).body['id'])
    const one = await made('JAN-1', { batch_date: '2026-01-31T05:00:00.000Z', batch_group_id: group })
    const two = await made('JAN-2', { batch_date: '2026-01-15T05:00:00.000Z' })
    const three = await made('FEB-1')
    const listed = async (query: string): Promise<{ ids: number[]; total: number }> => {
      const { text } = await ask(admin, 'GET', `${at}?${query}`)
      const answer: { accounting_batches: { id: number }[]; total: number } = JSON.parse(text)
      return { ids: answer.accounting_batches.map(({ id }) => id), total: answer.total }
    }
    expect(await listed('page=2&per=2')).toEqual({ ids: [one], total: 3 })
    expect((await listed(`values=[${one},${three}]`)).ids.toSorted((a, b) => a - b)).toEqual([one, three])
    expect((await listed('q[batch_code_cont]=jan&q[s]=batch_date asc')).ids).toEqual([two, one])
    expect((await listed('q[batch_group_name_cont]=nor')).ids).toEqual([one])
    expect((await listed('q[batch_date_gteq]=2026-01-20&q[s]=id asc')).ids).toEqual([one])
    expect((await ask(admin, 'GET', `${at}?q[color_eq]=red`)).status).toBe(422)
    // The date is sent as the instant at which its New York day begins; a bare date is refused.
    expect(await batch(one)).toMatchObject({ batch_date: '2026-01-31T05:00:00.000Z' })
    expect((await newBatch({ batch_code: 'BARE', batch_date: '2026-01-31' })).body['errors']).toMatchObject({
      fields: { batch_date: ['Batch Date must be a time'] },
    })
    const options = await ask(admin, 'GET', `/clients/${ground.clientId}/batch_groups/select_options`)
    expect(options.body).toMatchObject({ batch_groups: [{ id: group, name: 'North' }] })
  })

  it('its list and its bills are exported for the window that asks [CBATCH-EXPORT-001] [CBATCH-EXPORT-002]', async () => {
    const made = await newBatch({ batch_code: 'OUT', bill_ids: [await makeBill(1), await makeBill(2)] })
    await makeBill(3)
    const table = async (path: string): Promise<string[][]> => {
      const started = await ask(admin, 'GET', `${path}?connection_id=window-1`)
      const { rows } = await sql<{ connection_id: string }>`select connection_id from tasks where id = ${started.body['task_id']}`.execute(
        db,
      )
      expect(rows).toEqual([{ connection_id: 'window-1' }])
      return parse(await exportedText({ ask }, admin, started.body['task_id']))
    }
    const batches = await table(`${at}/export_csv`)
    expect(batches.map((row) => row[1])).toEqual(['Batch Code', 'OUT'])
    expect(await table(`${at}/${Number(made.body['id'])}/export_bills_csv`)).toHaveLength(3)
  })

  it('a bill is in one batch: the second save names it and the batch that has it, and stores nothing', async () => {
    const [one, two] = [await makeBill(1), await makeBill(2)]
    await newBatch({ batch_code: 'FIRST', bill_ids: [one] })
    const second = Number((await newBatch({ batch_code: 'SECOND' })).body['id'])
    const refused = await save(second, { bill_ids: [two, one] })
    expect([refused.status, refused.body['message'], refused.body['record_id']]).toEqual([
      409,
      `1 bill cannot be batched: 0001234${ground.clientId}, 02/05/2025 (In client batch FIRST).`,
      one,
    ])
    expect(await batch(second)).toMatchObject({ bill_ids: [], bills_total: '0.00' })
  })

  it('of two batches that take a bill at the same moment one gets it', async () => {
    const bill = await makeBill(1)
    const ids = [Number((await newBatch({ batch_code: 'P' })).body['id']), Number((await newBatch({ batch_code: 'Q' })).body['id'])]
    const answers = await Promise.all(ids.map((id) => save(id, { bill_ids: [bill] })))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  })

  it('refuses bills that are parked, void, drafts, of another client or in error, each with its reason', async () => {
    const [parked, draft, faulty, ready] = [await makeBill(1), await makeBill(2), await makeBill(3), await makeBill(4)]
    await sql`update bills set parked = true where id = ${parked}`.execute(db)
    await sql`update bills set missing_fields = '{due_date}' where id = ${draft}`.execute(db)
    await sql`update bills set open_errors = 1 where id = ${faulty}`.execute(db)
    const id = Number((await newBatch({ batch_code: 'R' })).body['id'])
    const refused = await save(id, { bill_ids: [parked, draft, faulty, ready] })
    expect([refused.status, refused.body['message']]).toEqual([
      422,
      expect.stringMatching(/^3 bills cannot be batched: .*\(Parked\); .*\(Draft: required values are empty\); .*\(Has open errors\)\.$/),
    ])
    const foreign = await makeGround(db)
    expect((await save(id, { bill_ids: [await billOf(foreign, 1)] })).body['errors']).toMatchObject({
      fields: { bill_ids: ['This record cannot be found'] },
    })
    await ask(admin, 'PATCH', `/clients/${ground.clientId}/ledger_settings`, { ledger_setting: { batch_flagged_bills: true } })
    expect((await save(id, { bill_ids: [faulty, ready] })).status).toBe(200)
  })

  it('new_bills answers the bills of its group that it may take, their total, and those that wait with their reason [CBATCH-API-007] [CBATCH-API-008] [CBATCH-SCREEN-004]', async () => {
    const { rows: groups } = await sql<{
      id: number
    }>`insert into batch_groups (client_id, name) values (${ground.clientId}, 'West') returning id`.execute(db)
    const group = groups[0]?.id ?? 0
    const [one, parked] = [await makeBill(1), await makeBill(2)]
    await sql`update bills set parked = true where id = ${parked}`.execute(db)
    const id = Number((await newBatch({ batch_code: 'N', batch_group_id: group })).body['id'])
    const none = await ask(admin, 'GET', `${at}/${id}/new_bills?client_id=${ground.clientId}`)
    expect(none.body).toMatchObject({ bills: [], new_bills: [], new_bills_total: '0.00', waiting_count: 0 })
    await sql`update divisions set batch_group_id = ${group} where id = ${ground.divisionId}`.execute(db)
    const found = await ask(admin, 'GET', `${at}/${id}/new_bills?client_id=${ground.clientId}`)
    expect(found.body).toMatchObject({
      new_bills: [{ id: one, amount_due: '151.00' }],
      new_bills_total: '151.00',
      waiting: [{ id: parked, refusal: 'parked' }],
      waiting_count: 1,
    })
  })

  it('two people in one batch: the second save with an old version is stale', async () => {
    const bill = await makeBill(1)
    const id = Number((await newBatch({ batch_code: 'TWO' })).body['id'])
    expect((await save(id, { bill_ids: [bill], lock_version: 0 })).status).toBe(200)
    const late = await save(id, { batch_code: 'TWO-B', lock_version: 0 })
    expect([late.status, late.body['code']]).toEqual([409, 'stale'])
  })

  it('each bill keeps in its trail which batch it came into and left', async () => {
    const bill = await makeBill(1)
    const id = Number((await newBatch({ batch_code: 'T', bill_ids: [bill] })).body['id'])
    await save(id, { bill_ids: [] })
    const { rows } =
      await sql`select object_changes from audit_records where client_id = ${ground.clientId} and item_type = 'bill' and item_id = ${bill}
      and object_changes ? 'accounting_batch_id' order by id`.execute(db)
    expect(rows).toEqual([
      { object_changes: { accounting_batch_id: { from: null, to: id } } },
      { object_changes: { accounting_batch_id: { from: id, to: null } } },
    ])
  })
})

describe('closing', () => {
  it('freezes balanced lines with the names of that day, which a later change of the account does not rewrite [CBATCH-TRANS-001] [CBATCH-FIELD-003]', async () => {
    const bill = await makeBill(1)
    const id = Number((await newBatch({ batch_code: 'C', bill_ids: [bill] })).body['id'])
    expect(await batch(id)).toMatchObject({ line_item_count: 2, can_generate_upload_file: true })
    const closed = await save(id, { closed: true })
    expect(closed.body).toMatchObject({ success: true, accounting_batch: { closed: true, has_been_closed: true, line_item_count: 2 } })
    await sql`update ledger_accounts set name = 'Renamed' where id = ${expense}`.execute(db)
    expect(await frozen(id)).toEqual([
      { bill_id: bill, kind: 'expense', ledger_account_name: '6100 Utilities', amount: '101.00', reverses_id: null },
      { bill_id: bill, kind: 'expense', ledger_account_name: '6100 Utilities', amount: '50.00', reverses_id: null },
      { bill_id: bill, kind: 'payable', ledger_account_name: '', amount: '-151.00', reverses_id: null },
    ])
    const later = await makeBill(2)
    expect((await save(id, { bill_ids: [bill, later] })).status).toBe(422)
    expect((await save(id, { batch_code: 'D' })).status).toBe(422)
    expect((await save(id, { invoiced: true })).body).toMatchObject({ accounting_batch: { invoiced: true } })
  })

  it('a closed or invoiced batch checks for no new bills, and one that has been closed is never deleted [CBATCH-RULE-002] [CBATCH-RULE-003] [CBATCH-API-005]', async () => {
    const bill = await makeBill(1)
    const id = Number((await newBatch({ batch_code: 'D1', bill_ids: [bill] })).body['id'])
    await save(id, { closed: true })
    expect((await ask(admin, 'GET', `${at}/${id}/new_bills`)).status).toBe(409)
    await save(id, { closed: false })
    const kept = await ask(admin, 'DELETE', `${at}/${id}`)
    expect([kept.status, kept.body['message']]).toEqual([409, 'This client batch has been closed, so it is kept. It cannot be deleted.'])
    const open = Number((await newBatch({ batch_code: 'D2' })).body['id'])
    await save(id, { bill_ids: [] })
    await save(open, { bill_ids: [bill] })
    expect((await ask(admin, 'DELETE', `${at}/${open}`)).body).toEqual({ success: true, message: 'Client Batch deleted' })
    const { rows } = await sql`select accounting_batch_id from bills where id = ${bill}`.execute(db)
    expect(rows).toEqual([{ accounting_batch_id: null }])
  })

  it('is refused without bills, with a bill whose header does not add up, and with a service that has no ledger account, which the ledger names', async () => {
    const id = Number((await newBatch({ batch_code: 'E' })).body['id'])
    expect((await save(id, { closed: true })).body['message']).toBe('A batch without bills cannot be closed.')
    const bill = await makeBill(1)
    await save(id, { bill_ids: [bill] })
    await sql`update services set ledger_account_id = null where id = ${ground.gasId}`.execute(db)
    const refused = await save(id, { closed: true })
    expect([refused.status, refused.body['message']]).toEqual([
      409,
      'This batch cannot be closed. A service has no ledger account: City Power Natural Gas G-1 2025-01-01-2025-02-01.',
    ])
    const ledger = await ask(admin, 'GET', `${at}/${id}/ledger`)
    expect(ledger.body).toMatchObject({
      uncoded: [{ service_id: ground.gasId, meter_number: 'G-1', reason: 'No ledger account', amount: '50.00' }],
      debits: '151.00',
      credits: '151.00',
      booked: '151.00',
      bills_total: '151.00',
      frozen: false,
    })
    expect(await batch(id)).toMatchObject({ closed: false, can_generate_upload_file: false })
    await sql`update services set ledger_account_id = ${expense} where id = ${ground.gasId}`.execute(db)
    await sql`insert into bill_findings (client_id, bill_id, code, severity, message) values (${ground.clientId}, ${bill}, 'header_math', 'E!', 'x')`.execute(
      db,
    )
    expect((await save(id, { closed: true })).body['message']).toMatch(/\(Amount due differs from its parts\)\.$/)
  })

  it('opens again until it is invoiced; its lines are then computed anew', async () => {
    const bill = await makeBill(1)
    const id = Number((await newBatch({ batch_code: 'O', bill_ids: [bill], closed: true })).body['id'])
    expect(await frozen(id)).toHaveLength(3)
    expect((await save(id, { closed: false })).body).toMatchObject({ accounting_batch: { closed: false, has_been_closed: true } })
    expect(await frozen(id)).toEqual([])
    await save(id, { closed: true, invoiced: true })
    const refused = await save(id, { closed: false, invoiced: false })
    expect([refused.status, refused.body['message']]).toEqual([409, expect.stringContaining('An invoiced batch cannot be opened again')])
    expect(await frozen(id)).toHaveLength(3)
  })

  it('an earlier balance needs its clearing account, and a bill of a group that has children is left to them', async () => {
    const bill = await makeBill(1, { balance_forward: '25.00', amount_due: '176.00' })
    const id = Number((await newBatch({ batch_code: 'B', bill_ids: [bill] })).body['id'])
    expect((await save(id, { closed: true })).body['message']).toMatch(/The ledger settings name no account for prior balances/)
    const prior = await makeLedgerAccount(db, ground.clientId, '2100 Prior balances')
    await ask(admin, 'PATCH', `/clients/${ground.clientId}/ledger_settings`, { ledger_setting: { prior_balance_ledger_account_id: prior } })
    expect((await save(id, { closed: true })).status).toBe(200)
    expect(await frozen(id)).toContainEqual({
      bill_id: bill,
      kind: 'prior_balance',
      ledger_account_name: '2100 Prior balances',
      amount: '25.00',
      reverses_id: null,
    })
    const group = await makeAccount(db, ground, `G${ground.clientId}`, { group: true })
    const parent = await makeBill(2, { account_id: group, service_bills: [] })
    const child = await makeBill(3)
    await sql`update bills set group_bill_id = ${parent} where id = ${child}`.execute(db)
    const next = Number((await newBatch({ batch_code: 'B2' })).body['id'])
    expect((await save(next, { bill_ids: [parent] })).body['message']).toMatch(/\(Its subaccounts’ bills are batched instead\)/)
  })

  it('books no bill of a subaccount whose group’s bill a closed batch has booked, neither by a save nor by a close', async () => {
    const parent = await makeBill(2)
    const [late, held] = [await makeBill(3), await makeBill(4)]
    const closed = Number((await newBatch({ batch_code: 'M1', bill_ids: [parent], closed: true })).body['id'])
    const open = Number((await newBatch({ batch_code: 'M2', bill_ids: [held] })).body['id'])
    await sql`update bills set group_bill_id = ${parent} where client_id = ${ground.clientId} and id = any(${[late, held]}::bigint[])`.execute(
      db,
    )
    const reason = /\(The bill of its group is booked in a closed client batch\)/
    expect((await save(open, { bill_ids: [held, late] })).body['message']).toMatch(reason)
    expect((await save(open, { closed: true })).body['message']).toMatch(reason)
    const offered = (await ask(admin, 'GET', `${at}/${open}/new_bills`)).body
    expect([offered['new_bills'], offered['waiting_count']]).toEqual([[], 0])
    // A batch that is opened again has booked nothing.
    expect((await save(closed, { closed: false })).status).toBe(200)
    expect((await save(closed, { bill_ids: [] })).status).toBe(200)
    expect((await save(open, { bill_ids: [held, late], closed: true })).status).toBe(200)
  })

  it('a rebill takes back in the next batch what the replaced bill was booked by in a closed one, once', async () => {
    const first = await makeBill(1)
    const closed = Number((await newBatch({ batch_code: 'M1', bill_ids: [first], closed: true })).body['id'])
    const second = await makeBill(1, {
      invoice_number: 'INV-1-R',
      current_charges: '140.00',
      amount_due: '140.00',
      rebill_adjustment: true,
      rebill_of_id: first,
      rebill_mode: 'replace',
    })
    const before = await frozen(closed)
    const id = Number((await newBatch({ batch_code: 'M2', bill_ids: [second] })).body['id'])
    expect((await ask(admin, 'GET', `${at}/${id}/ledger`)).body).toMatchObject({
      booked: '-11.00',
      bills_total: '140.00',
      reversals: '-151.00',
    })
    await save(id, { closed: true })
    expect((await frozen(id)).filter((line) => Reflect.get(Object(line), 'reverses_id') !== null)).toMatchObject([
      { bill_id: first, kind: 'expense', amount: '-101.00' },
      { bill_id: first, kind: 'expense', amount: '-50.00' },
      { bill_id: first, kind: 'payable', amount: '151.00' },
    ])
    expect(await frozen(closed)).toEqual(before)
    const stuck = await save(closed, { closed: false })
    expect([stuck.status, stuck.body['message']]).toEqual([
      409,
      'A later batch has taken back lines of this one, so it cannot be opened again.',
    ])
  })
})

describe('the upload file', () => {
  const start = (id: number, who = admin) => ask(who, 'GET', `${at}/${id}/generate_upload_file`)
  const textOf = async (id: number, version?: number) => {
    const { body } = await ask(admin, 'GET', `${at}/${id}/upload_file${version === undefined ? '' : `?version=${version}`}`)
    const url = String(body['url'])
    return (await ask(null, 'GET', url.slice(url.indexOf('/api/v5') + '/api/v5'.length))).text
  }

  it('is not written for a person who has only another client by the time that the work runs', async () => {
    const made = await newBatch({ batch_code: 'GONE', bill_ids: [await makeBill(2)] })
    const id = Number(made.body['id'])
    const { clientId: other } = await makeGround(db)
    await sql`update clients set accounting_batch_management = true where id = ${other}`.execute(db)
    const former = await makePerson(db, 'client_admin', { clients: [other] })
    const { rows } = await sql<{ id: number }>`insert into tasks (client_id, user_id, kind, state, input)
      values (${ground.clientId}, ${former.id}, 'accounting_batch_upload_file', 'waiting', ${JSON.stringify({ accounting_batch_id: id, batch_code: 'GONE' })})
      returning id`.execute(db)
    const task = rows[0]?.id ?? 0
    await db.transaction().execute((tx) => sendTask(app.machinery, tx, task, former.id))
    expect(await taskOf((method, path) => ask(former, method, path), task)).toMatchObject({
      state: 'failed',
      error: 'You may not read client batches of this client any more.',
    })
    expect((await sql`select id from accounting_batch_files where accounting_batch_id = ${id}`.execute(db)).rows).toEqual([])
  })

  it('is written by a task, reads back with the sums of the batch, and each version stays with its hash [CBATCH-JOB-003] [CBATCH-API-010]', async () => {
    const [one, two] = [await makeBill(1), await makeBill(2)]
    const id = Number((await newBatch({ batch_code: 'UP-1', batch_date: '2026-11-30T05:00:00.000Z', bill_ids: [one] })).body['id'])
    const started = await start(id)
    expect(started.body).toMatchObject({ success: true, message: 'Upload file generation started', task_id: expect.any(Number) })
    await exportedText({ ask }, admin, started.body['task_id'])
    expect(await batch(id)).toMatchObject({
      generating_file: false,
      can_generate_upload_file: true,
      upload_file_url: `/api/v5/clients/${ground.clientId}/accounting_batches/${id}/upload_file`,
    })
    const first: string[][] = parse(await textOf(id))
    const debit = first[0]?.indexOf('Debit') ?? -1
    expect(first.slice(1).map((row) => [row[1], row[3], row[debit], row[debit + 1]])).toEqual([
      ['UP-1', '202611', '101.00', ''],
      ['UP-1', '202611', '50.00', ''],
      ['UP-1', '202611', '', '151.00'],
    ])
    const draft = Number((await newBatch({ batch_code: 'UP-0' })).body['id'])
    await save(draft, { bill_ids: [two] })
    await exportedText({ ask }, admin, (await start(draft)).body['task_id'])
    expect((await ask(admin, 'DELETE', `${at}/${draft}`)).status).toBe(200)
    await save(id, { bill_ids: [one, two], closed: true })
    await exportedText({ ask }, admin, (await start(id)).body['task_id'])
    const files = await ask(admin, 'GET', `${at}/${id}/files`)
    expect(files.body).toMatchObject({
      files: [
        { version: 2, filename: 'UP-1_upload_v2.csv', row_count: 6, total: '303.00', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        { version: 1, filename: 'UP-1_upload_v1.csv', row_count: 3, total: '151.00' },
      ],
    })
    expect(parse(await textOf(id, 1))).toEqual(first)
    const stuck = await save(id, { closed: false })
    expect([stuck.status, stuck.body['message']]).toEqual([409, expect.stringContaining('Its upload file was made after it was closed')])
  })

  it('is refused for a batch without bills and for charges without a ledger account; a batch of another client is not found', async () => {
    const id = Number((await newBatch({ batch_code: 'UP-2' })).body['id'])
    expect((await start(id)).body['message']).toBe('This client batch holds no bill.')
    await save(id, { bill_ids: [await makeBill(1)] })
    await sql`update services set ledger_account_id = null where id = ${ground.gasId}`.execute(db)
    await ask(admin, 'PATCH', `/clients/${ground.clientId}/ledger_settings`, { ledger_setting: { spread_by: 'usage' } })
    expect((await start(id)).body['message']).toMatch(/^Some charges of this client batch have no ledger account yet/)
    const other = await makeGround(db)
    expect((await ask(admin, 'GET', `/clients/${other.clientId}/accounting_batches/${id}/upload_file`)).status).toBe(404)
  })
})

describe('who may', () => {
  it('the rights create, update, read and destroy gate each call, and a narrowed role reaches no batch [PERM-PERM-028] [PERM-PERM-029] [PERM-PERM-031]', async () => {
    const bill = await makeBill(1)
    const id = Number((await newBatch({ batch_code: 'W', bill_ids: [bill] })).body['id'])
    const clients = [ground.clientId]
    const reader = await makePerson(db, 'client_user', { clients })
    const manager = await makePerson(db, 'client_manager', { clients })
    const narrowed = await makePerson(db, 'client_manager', { clients, division: [[ground.clientId, ground.divisionId]] })
    expect((await ask(reader, 'GET', `${at}/${id}`)).status).toBe(200)
    expect((await ask(reader, 'GET', `${at}/${id}/bills`)).status).toBe(403)
    expect((await newBatch({ batch_code: 'X' }, reader)).status).toBe(403)
    expect((await save(id, { batch_code: 'Y' }, reader)).status).toBe(403)
    expect((await save(id, { batch_code: 'Y' }, manager)).status).toBe(200)
    expect((await ask(manager, 'DELETE', `${at}/${id}`)).status).toBe(403)
    for (const path of [at, `${at}/${id}`, `${at}/${id}/ledger`]) expect([403, 404]).toContain((await ask(narrowed, 'GET', path)).status)
  })
})
