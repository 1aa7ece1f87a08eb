/** Returns and notices of change through HTTP on a real PostgreSQL: what they do to payments, bills and vendors, once. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { returnFile, type SentBack } from '../../../test/support/bank-files.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { setClock } from '../kernel/clock.ts'

const { ask, database } = await startTestApp()
const { db } = database
let staff: Person
let ground: Ground
let vendor: number

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  staff = await makeLastingPerson(db, 'muc_admin')
  ground = await makePayer(db)
  vendor = await makeAchVendor(db)
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', 50000, true) on conflict (day) do update set locked = true`.execute(
    db,
  )
  await makeBankProfile(db, ground.clientId)
})
afterEach(() => setClock())

interface Sent {
  readonly batch: number
  readonly payment: number
  readonly bills: readonly number[]
  readonly traces: readonly string[]
}

/** Bills of these amounts that were paid by one payment, or by an entry for each where the vendor wants it so. */
async function paid(amounts: readonly string[], ach_format = 'standard', of = vendor): Promise<Sent> {
  const bills: number[] = []
  for (const amount of amounts) bills.push(await makeDeskBill(db, ground, of, { amount }))
  const made = await ask(staff, 'POST', '/global_batches', {
    global_batch: { batch_date: '2026-11-25', bills_due_date: '2026-12-09', bill_ids: bills },
  })
  const batch: number = JSON.parse(made.text).global_batches[0].id
  const answer = await ask(staff, 'POST', '/global_batches/export', { ids: [batch], pay_method: 'ACH', ach_format })
  expect(answer.status, answer.text).toBe(200)
  const { rows } = await sql<{ payment: number; trace: string }>`select entry.vendor_payment_id as payment, entry.trace_number as trace
    from global_batch_file_payments entry join vendor_payments on vendor_payments.id = entry.vendor_payment_id
    where payment_batch_id = ${batch} order by entry.id`.execute(db)
  return { batch, payment: rows[0]?.payment ?? 0, bills, traces: rows.map(({ trace }) => trace) }
}

let files = 0
const fileOf = (entries: readonly SentBack[]) => ({ file_name: `returns-${++files}.ach`, content: returnFile(entries) })
const preview = (file: object, who = staff) => ask(who, 'POST', '/bank_returns/preview', file)
const read = (file: object, lines: readonly number[], who = staff) => ask(who, 'POST', '/bank_returns', { ...file, lines })
const billsBySql = async (ids: readonly number[]) =>
  (
    await sql`select paid, vendor_payment_id is null as free, (select count(*)::int from payment_batch_bills member where member.bill_id = bills.id and released_at is null) as batched
      from bills where id = any(${ids}::bigint[]) order by id`.execute(db)
  ).rows
const reversals = async (payment: number) =>
  (
    await sql`select bill_id, kind, return_code, amount::text, reversed_date::text as day, reason from payment_reversals where vendor_payment_id = ${payment} order by bill_id`.execute(
      db,
    )
  ).rows
const open = { paid: false, free: true, batched: 0 }
const rowsOf = async (query = ''): Promise<Record<string, unknown>[]> =>
  JSON.parse((await ask(staff, 'GET', `/bank_returns?q[client_id_eq]=${ground.clientId}&q[s]=id${query}`)).text).bank_returns

describe('a return', () => {
  it('reopens the bills of its payment by rows of their own, with code and reason, after a preview that writes nothing', async () => {
    const sent = await paid(['10.00', '2.34'])
    const other = await paid(['55.00'])
    const file = fileOf([{ code: 'R03', original: sent.traces[0] ?? '', cents: 1_234, remark: 'NO SUCH ACCOUNT' }])
    const before = await preview(file)
    expect(before.status, before.text).toBe(200)
    expect(before.body).toMatchObject({
      bank_name: 'FIRST BANK',
      file_day: '2026-11-25',
      read_before: null,
      total: '12.34',
      entries: [
        {
          line: 4,
          kind: 'return',
          code: 'R03',
          code_words: 'No account, or the account cannot be found',
          state: 'left',
          outcome: `Reopens 2 bills of VP-${sent.payment}, $12.34.`,
          amount: '12.34',
          client_id: ground.clientId,
          vendor_name: 'Wire & Water',
          payment_batch_id: sent.batch,
        },
      ],
    })
    expect(await reversals(sent.payment)).toEqual([])
    expect(await rowsOf()).toEqual([])
    const answer = await read(file, [4])
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body['message']).toBe('File read: 1 return applied, $12.34 open again')
    expect(await billsBySql(sent.bills)).toEqual([open, open])
    expect(await billsBySql(other.bills)).toMatchObject([{ paid: true }])
    const reason = 'R03 No account, or the account cannot be found. NO SUCH ACCOUNT'
    expect(await reversals(sent.payment)).toEqual(
      sent.bills.map((bill_id, at) => ({
        bill_id,
        kind: 'ach_return',
        return_code: 'R03',
        amount: ['10.00', '2.34'][at],
        day: '2026-11-25',
        reason,
      })),
    )
    const { rows } = await sql`select return_code, returned_date::text as day from vendor_payments where id = ${sent.payment}`.execute(db)
    expect(rows).toEqual([{ return_code: 'R03', day: '2026-11-25' }])
    expect(await rowsOf()).toMatchObject([
      {
        state: 'applied',
        outcome: `Reopened 2 bills of VP-${sent.payment}, $12.34.`,
        code: 'R03',
        line: 4,
        payment_name: `VP-${sent.payment}`,
      },
    ])
    // The returned bills are offered to the desk again, and another payment pays them.
    const again = await ask(staff, 'POST', '/global_batches', {
      global_batch: { batch_date: '2026-11-25', bills_due_date: '2026-12-09', bill_ids: sent.bills },
    })
    expect(again.status, again.text).toBe(200)
  })

  it('never counts twice: not by the same file, the same entry in another file, the same line twice, nor two people at once', async () => {
    const sent = await paid(['10.00'])
    const entry = { code: 'R02', original: sent.traces[0] ?? '', cents: 1_000 }
    const file = fileOf([entry, entry])
    expect((await preview(file)).body['entries']).toMatchObject([
      { state: 'left' },
      { state: 'repeated', outcome: 'Line 4 of this file says it already.' },
    ])
    const other = (remark: string) => fileOf([{ ...entry, remark }])
    // The heavy work of one person runs one after the other, so only several people can meet.
    const [second, third, fourth] = [
      await makeLastingPerson(db, 'muc_admin'),
      await makeLastingPerson(db, 'muc_admin'),
      await makeLastingPerson(db, 'super_admin'),
    ]
    const race = await Promise.all([
      read(file, [4, 6]),
      read(file, [4, 6], second),
      read(other('A'), [4], third),
      read(other('B'), [4], fourth),
    ])
    const statuses = race.map(({ status }) => status)
    expect(statuses.slice(0, 2).toSorted()).toEqual([200, 409])
    expect(statuses.slice(2)).toEqual([200, 200])
    expect(await reversals(sent.payment)).toHaveLength(1)
    expect(race.find(({ status }) => status === 409)?.body['message']).toMatch(
      /^This file was read already: 11\/25\/2026 .* by .*, as returns-/,
    )
    const { rows } =
      await sql`select state, count(*)::int as count from bank_returns where vendor_payment_id = ${sent.payment} group by state order by state`.execute(
        db,
      )
    expect(rows).toEqual([
      { state: 'applied', count: 1 },
      { state: 'repeated', count: 3 },
    ])
    expect((await preview(file)).body['read_before']).toMatch(/^11\/25\/2026/)
    expect((await preview(other('C'))).body['entries']).toMatchObject([{ state: 'repeated', outcome: 'Applied on 11/25/2026 already.' }])
  })

  it('is laid against the payments once more when it is its turn: two that wait for one batch apply an entry once', async () => {
    const sent = await paid(['10.00'])
    const entry = { code: 'R02', original: sent.traces[0] ?? '', cents: 1_000 }
    const second = await makeLastingPerson(db, 'muc_admin')
    // One process does the heavy work of the provider's staff one after the other, so the second person is at another node.
    const node = await startTestApp({}, database)
    const atNode = (file: object) => node.ask(second, 'POST', '/bank_returns', { ...file, lines: [4] })
    const waiting = await db.transaction().execute(async (tx) => {
      await sql`select id from payment_batches where id = (select payment_batch_id from vendor_payments where id = ${sent.payment}) for update`.execute(
        tx,
      )
      const reads = [read(fileOf([{ ...entry, remark: 'D' }]), [4]), atNode(fileOf([{ ...entry, remark: 'E' }]))]
      await expect
        .poll(async () => {
          const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like 'select id from payment_batches where id = any%'`.execute(
            db,
          )
          return rows[0]?.count
        })
        .toBe(2)
      return reads
    })
    const answers = await Promise.all(waiting)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await reversals(sent.payment)).toHaveLength(1)
    const { rows } = await sql`select state from bank_returns where vendor_payment_id = ${sent.payment} order by state`.execute(db)
    expect(rows).toEqual([{ state: 'applied' }, { state: 'repeated' }])
  })

  it('of an entry that paid one bill of several reopens that bill alone', async () => {
    await sql`update vendors set remittance = 'per_bill' where id = ${vendor}`.execute(db)
    const sent = await paid(['10.00', '20.00'], 'nacha_plus')
    expect(sent.traces).toHaveLength(2)
    await read(fileOf([{ code: 'R04', original: sent.traces[1] ?? '', cents: 2_000 }]), [4])
    expect(await reversals(sent.payment)).toMatchObject([{ bill_id: sent.bills[1], amount: '20.00' }])
    expect(await billsBySql(sent.bills)).toEqual([{ paid: true, free: false, batched: 1 }, open])
    await read(fileOf([{ code: 'R04', original: sent.traces[0] ?? '', cents: 1_000 }]), [4])
    expect(await billsBySql(sent.bills)).toEqual([open, open])
  })

  it('whose amount, trace or code is not ours does nothing, is named with its line, and stays in the list', async () => {
    const sent = await paid(['10.00'])
    const [trace = ''] = sent.traces
    const file = fileOf([
      { code: 'R03', original: trace, cents: 999 },
      { code: 'R03', original: '099999990000001', cents: 1_000 },
      { code: 'R99', original: trace, cents: 1_000 },
      { code: 'R74', original: trace, cents: 1_000 },
      { code: 'C11', original: trace, corrected: '1234567890' },
      { code: 'C02', original: trace, corrected: 'NOT A NUMBER' },
    ])
    const answer = await read(file, [4, 6, 8, 10, 12, 14])
    expect(answer.body['entries']).toMatchObject([
      { line: 4, state: 'by_hand', outcome: `The bank returns $9.99, and VP-${sent.payment} sent $10.00.` },
      { line: 6, state: 'unmatched', outcome: 'No payment file has the trace number 099999990000001.' },
      { line: 8, state: 'by_hand', outcome: 'R99 is in no list of codes. Ask the bank.' },
      { line: 10, state: 'by_hand' },
      { line: 12, state: 'by_hand' },
      { line: 14, state: 'by_hand', outcome: 'The correction is not what C02 announces. Ask the bank.' },
    ])
    expect(answer.body['message']).toBe('File read: 1 matches nothing · 5 to be done by hand')
    expect(await billsBySql(sent.bills)).toMatchObject([{ paid: true }])
    expect((await read(file, [4])).status).toBe(409)
    expect((await ask(staff, 'GET', '/bank_returns?q[state_eq]=unmatched&q[line_eq]=6')).body['total']).toBeGreaterThan(0)
  })

  it('that was left out can be applied later, once, and not where the payment was reversed meanwhile', async () => {
    const [one, two] = [await paid(['10.00']), await paid(['20.00'])]
    const both = [
      { code: 'R01', original: one.traces[0] ?? '', cents: 1_000 },
      { code: 'R01', original: two.traces[0] ?? '', cents: 2_000 },
    ]
    expect((await read(fileOf(both), [])).body['message']).toBe('File read: 2 left out')
    const [first, second] = (await rowsOf()).map(({ id }) => id)
    const race = await Promise.all([1, 2, 3].map(() => ask(staff, 'POST', `/bank_returns/${String(first)}/apply`)))
    expect(race.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await reversals(one.payment)).toHaveLength(1)
    await read(fileOf(both.slice(1)), [4])
    const late = await ask(staff, 'POST', `/bank_returns/${String(second)}/apply`)
    expect([late.status, late.body['message']]).toEqual([409, 'Applied on 11/25/2026 already.'])
    expect(await reversals(two.payment)).toHaveLength(1)
  })

  it('leaves the accounting export with what is still paid, and nothing where all came back', async () => {
    const kept = await paid(['10.00'])
    const back = await paid(['20.00'])
    await read(fileOf([{ code: 'R02', original: back.traces[0] ?? '', cents: 2_000 }]), [4])
    const answer = await ask(staff, 'GET', '/global_batches/accounting_export')
    expect(answer.status, answer.text).toBe(200)
    const { rows } = await sql<{
      id: number
      total: string
    }>`select file.id, file.total::text as total from global_batch_files file join global_batch_file_batches of_file
      on of_file.global_batch_file_id = file.id where of_file.payment_batch_id = ${kept.batch} and file.purpose = 'accounting'`.execute(db)
    const bytes = (await ask(staff, 'GET', `/global_batch_files/${rows[0]?.id ?? 0}/download`)).text
    expect(bytes).toContain(`VP-${kept.payment}`)
    expect(bytes).not.toContain(`VP-${back.payment}`)
    const gone = await paid(['30.00'])
    await read(fileOf([{ code: 'R02', original: gone.traces[0] ?? '', cents: 3_000 }]), [4])
    const empty = await ask(staff, 'GET', '/global_batches/accounting_export')
    expect([empty.status, empty.body['finalized']], empty.text).toEqual([200, 1])
    // A return of what is finalized opens its bills too.
    await read(fileOf([{ code: 'R02', original: kept.traces[0] ?? '', cents: 1_000 }]), [4])
    expect(await billsBySql(kept.bills)).toEqual([open])
  })
})

describe('a notice of change', () => {
  const changes = async () =>
    (
      await sql`select state, changed, payment_identifier_last4 as last4, account_type, requested_by from vendor_bank_changes where vendor_id = ${vendor} order by id`.execute(
        db,
      )
    ).rows

  it('asks a second person to change the vendor, who keeps its details until then, and asks once', async () => {
    const sent = await paid(['10.00'])
    const entry = { code: 'C06', original: sent.traces[0] ?? '', corrected: '987654321           32' }
    const file = fileOf([entry, entry])
    const seen = await preview(file)
    expect(seen.text).not.toContain('987654321')
    expect(seen.body['entries']).toMatchObject([
      { state: 'left', outcome: 'Asks a second person to change the accounting number and the account type of Wire & Water.' },
      { state: 'repeated' },
    ])
    expect((await read(file, [4, 6])).body['message']).toBe('File read: 1 change waits for a second person · 1 known already')
    expect(await changes()).toEqual([
      { state: 'waiting', changed: ['payment_identifier', 'account_type'], last4: '4321', account_type: 'savings', requested_by: staff.id },
    ])
    const { rows } = await sql`select payment_identifier_last4 as last4, account_type from vendors where id = ${vendor}`.execute(db)
    expect(rows).toEqual([{ last4: '6789', account_type: 'checking' }])
    expect((await read(fileOf([entry]), [4])).body['entries']).toMatchObject([{ state: 'repeated' }])
    expect(await changes()).toHaveLength(1)
    // The one who read the file does not approve what it asks for.
    const own = await sql<{ id: number }>`select id from vendor_bank_changes where vendor_id = ${vendor}`.execute(db)
    expect((await ask(staff, 'POST', `/vendor_bank_changes/${own.rows[0]?.id ?? 0}/approve`)).status).toBeGreaterThanOrEqual(400)
    expect(await billsBySql(sent.bills)).toMatchObject([{ paid: true }])
  })

  it('of what the vendor has already, or of two opinions in one file, asks for nothing more', async () => {
    const [one, two] = [await paid(['10.00']), await paid(['20.00'])]
    const answer = await read(
      fileOf([
        { code: 'C01', original: one.traces[0] ?? '', corrected: '123456789' },
        { code: 'C02', original: one.traces[0] ?? '', corrected: '011401533' },
        { code: 'C01', original: two.traces[0] ?? '', corrected: '55554444' },
      ]),
      [4, 6, 8],
    )
    expect(answer.body['entries']).toMatchObject([
      { state: 'repeated', outcome: 'Wire & Water has these details already.' },
      { state: 'applied' },
      { state: 'by_hand', outcome: 'An earlier line of this file asks for other details of Wire & Water.' },
    ])
    expect(await changes()).toMatchObject([{ changed: ['po_box'] }])
  })
})

describe('reading a file', () => {
  it('names what is wrong with it, and writes nothing', async () => {
    const sent = await paid(['10.00'])
    const good = returnFile([{ code: 'R03', original: sent.traces[0] ?? '', cents: 1_000 }])
    const cases = [
      [{ file_name: 'a', content: good.slice(0, 400) }, 'The file has no end'],
      [{ file_name: 'a', content: 'hello' }, 'no NACHA file'],
      [{ file_name: 'a', content: '' }, 'Content is required'],
      [{ file_name: ' ', content: good }, 'File Name is required'],
      [{ file_name: 'a', content: returnFile([]) }, 'holds no return'],
    ] as const
    for (const [file, said] of cases) {
      const answer = await preview(file)
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(said)])
    }
    expect((await read({ file_name: 'a', content: good }, [5])).text).toContain('Line 5 of this file is no return')
    expect(await reversals(sent.payment)).toEqual([])
  })

  it('is for who reaches all payers of the file; a client’s own people have no part of it', async () => {
    const sent = await paid(['10.00'])
    const file = fileOf([{ code: 'R03', original: sent.traces[0] ?? '', cents: 1_000 }])
    const elsewhere = await makeLastingPerson(db, 'muc_admin', { clients: [(await makePayer(db)).clientId] })
    const refusal = await read(file, [4], elsewhere)
    expect([refusal.status, refusal.text]).toEqual([422, expect.stringContaining('clients that you do not reach')])
    const admin = await makePerson(db, 'client_admin', { clients: [ground.clientId] })
    expect((await read(file, [4], admin)).status).toBe(403)
    const own = await makeLastingPerson(db, 'muc_admin', { clients: [ground.clientId] })
    expect((await read(file, [4], own)).status).toBe(200)
    expect((await ask(elsewhere, 'GET', '/bank_returns')).body['total']).toBe(0)
    const [row] = await rowsOf()
    expect((await ask(elsewhere, 'POST', `/bank_returns/${String(row?.['id'])}/apply`)).status).toBe(404)
  })
})
