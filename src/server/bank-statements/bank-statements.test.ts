/** Bank statements through HTTP on a real PostgreSQL: what a file clears, what it proposes, and what is refused. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type Person } from '../../../test/support/app.ts'
import { bai2File, csvFile, type StatementOf, type StatementRow } from '../../../test/support/bank-statements.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeBankProfile, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { exportedTable } from '../../../test/support/exports.ts'
import { giveAccount, sendPayments } from '../../../test/support/sent-payments.ts'
import { setClock } from '../kernel/clock.ts'

const app = await startTestApp()
const { ask } = app
const { db } = app.database
let staff: Person
let ground: Ground
let profile: number
let number: string
let accounts = 40_000_000

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  staff = await makeLastingPerson(db, 'muc_admin')
  ground = await makePayer(db)
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', 500000, true)
    on conflict (day) do update set locked = true`.execute(db)
  profile = await makeBankProfile(db, ground.clientId)
  number = String(++accounts)
  // Every test has an account of its own, because the days of an account are read once.
  await giveAccount(db, profile, number)
})
afterEach(() => setClock())

const paid = (amounts: readonly string[], type: 'ACH' | 'Check', of: Ground = ground) => sendPayments(app, staff, { amounts, type, of })

const giveNumber = async (id: number, check_number: string) =>
  expect(
    (
      await ask(staff, 'PATCH', `/issued_checks/${id}`, {
        issued_check: { check_number, check_date: '2026-11-25', seen_check_number: null },
      })
    ).status,
  ).toBe(200)

const day = (rows: readonly StatementRow[], own: Partial<StatementOf> = {}): StatementOf => ({
  account: number,
  day: '2026-11-27',
  opening: 1_000_000,
  rows,
  ...own,
})
const bodyOf = (content: string, own: object = {}) => ({ originating_profile_id: profile, file_name: 'day.bai', content, ...own })
const later = () => setClock('2026-11-28T15:00:00Z')
const preview = (content: string, own = {}, who = staff) => ask(who, 'POST', '/bank_statements/preview', bodyOf(content, own))
const read = (content: string, own = {}, who = staff) => ask(who, 'POST', '/bank_statements', bodyOf(content, own))
async function readId(content: string, own = {}): Promise<number> {
  const answer = await read(content, own)
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}
type Line = Record<'id' | 'line', number> &
  Record<'state' | 'amount' | 'reason', string> &
  Record<'clearable_name' | 'clearable_key', string | null>
const linesOf = async (statement: number): Promise<Line[]> => {
  const answer = await ask(staff, 'GET', `/bank_statement_lines?q[bank_statement_id_eq]=${statement}`)
  expect(answer.status, answer.text).toBe(200)
  return JSON.parse(answer.text).bank_statement_lines
}
const statementOf = async (id: number) => (await ask(staff, 'GET', `/bank_statements/${id}`)).body
const outstanding = async (): Promise<Record<string, unknown>[]> =>
  JSON.parse((await ask(staff, 'GET', `/outstanding_payments?q[client_id_eq]=${ground.clientId}&q[s]=amount`)).text).outstanding_payments
const versionOf = async (id: number): Promise<number> =>
  (await sql<{ lock_version: number }>`select lock_version from bank_statement_lines where id = ${id}`.execute(db)).rows[0]?.lock_version ??
  0
const act = async (id: number, what: 'clear' | 'explain' | 'undo', body: object) =>
  ask(staff, 'POST', `/bank_statement_lines/${id}/${what}`, { lock_version: await versionOf(id), ...body })
const stored = async () =>
  (
    await sql<Record<string, number>>`select (select count(*)::int from bank_statements where payer_id = ${ground.clientId}) as statements,
      (select count(*)::int from bank_statement_lines where payer_id = ${ground.clientId}) as lines,
      (select count(*)::int from bank_clearings where payer_id = ${ground.clientId}) as clearings`.execute(db)
  ).rows[0]

describe('a statement', () => {
  it('clears checks by number and amount and a file by its sum and day, leaves the rest open, and its figures agree to the cent', async () => {
    const checks = await paid(['12.34', '20.00', '30.00'], 'Check')
    await giveNumber(checks.entries[0]?.id ?? 0, '20001')
    await giveNumber(checks.entries[1]?.id ?? 0, '20002')
    await paid(['100.00', '200.00'], 'ACH')
    expect((await outstanding()).map(({ amount, way, due_day }) => [amount, way, due_day])).toEqual([
      ['12.34', 'check', '2026-11-25'],
      ['20.00', 'check', '2026-11-25'],
      ['30.00', 'check', '2026-11-25'],
      ['100.00', 'file', '2026-11-27'],
      ['200.00', 'file', '2026-11-27'],
    ])
    later()
    const file = bai2File([
      day([
        { code: '475', cents: 1_234, customer: '0000020001' },
        { code: '475', cents: 2_100, customer: '0000020002' },
        { code: '455', cents: 30_000, text: 'ACH SETTLEMENT' },
        { code: '699', cents: 1_500, text: 'MONTHLY FEE' },
        { code: '475', cents: 3_000, customer: '777' },
      ]),
    ])
    const shown = await preview(file)
    expect(shown.status, shown.text).toBe(200)
    expect(await stored()).toEqual({ statements: 0, lines: 0, clearings: 0 })
    const id = await readId(file)
    const lines = await linesOf(id)
    expect(shown.body['statements']).toMatchObject([{ lines: lines.map(({ line, state, reason }) => ({ line, state, reason })) }])
    expect(lines.map(({ amount, state, reason }) => [amount, state, reason])).toEqual([
      ['-12.34', 'matched', 'Same check number and amount'],
      ['-21.00', 'open', 'The bank paid $21.00, and check 20002 is $20.00.'],
      ['-300.00', 'matched', 'Same amount on the day on which the file settles'],
      ['-15.00', 'open', 'Nothing outstanding has this amount within 5 days.'],
      ['-30.00', 'proposed', 'Same amount, 2 days later than ours.'],
    ])
    expect(await statementOf(id)).toMatchObject({
      bank_statement: {
        opening: '10000.00',
        cleared: '-312.34',
        explained: '0.00',
        difference: '-66.00',
        closing: '9621.66',
        line_count: 5,
        open_count: 3,
        proposed_count: 1,
        payer_name: expect.any(String),
      },
      outstanding: { count: 2, total: '50.00' },
      balance_after: '9571.66',
    })
    expect((await outstanding()).map(({ amount }) => amount)).toEqual(['20.00', '30.00'])
    // The check list, the batch and the trail of the bill say the same.
    const listed = JSON.parse((await ask(staff, 'GET', `/issued_checks?q[client_id_eq]=${ground.clientId}&q[s]=amount`)).text).issued_checks
    expect(listed.map(({ cleared_on }: { cleared_on: string | null }) => cleared_on)).toEqual(['2026-11-27', null, null])
    const { body: batch } = await ask(staff, 'GET', `/global_batches/${checks.batch}`)
    expect(batch['global_batch']).toMatchObject({
      payments: expect.arrayContaining([
        expect.objectContaining({ amount: '12.34', cleared_on: '2026-11-27' }),
        expect.objectContaining({ amount: '20.00', cleared_on: null }),
      ]),
    })
    const { text } = await ask(staff, 'GET', `/clients/${ground.clientId}/bills/${checks.bills[0]}/trail`)
    expect(text).toContain('whole payment · cleared 11/27/2026')
  })

  it('is closed by a person: a proposal is confirmed, a fee explained, and nothing is cleared that differs by a cent', async () => {
    const { entries } = await paid(['30.00', '30.01'], 'Check')
    later()
    const id = await readId(
      bai2File([
        day([
          { code: '475', cents: 3_000, customer: '777' },
          { code: '699', cents: 1_500 },
        ]),
      ]),
    )
    const [first, fee] = await linesOf(id)
    if (!first || !fee) throw new Error('no lines')
    expect(first).toMatchObject({ state: 'proposed', clearable_key: `check:${entries[0]?.id}` })
    const wrong = await act(first.id, 'clear', { clearable_key: `check:${entries[1]?.id}` })
    expect([wrong.status, wrong.body['message']]).toEqual([
      409,
      expect.stringMatching(/^The line is -\$30\.00, and VP-\d+, Desk Vendor is -\$30\.01\.$/),
    ])
    const { body: offered } = await ask(staff, 'GET', `/bank_statement_lines/${first.id}/candidates`)
    expect(offered['candidates']).toMatchObject([{ key: first.clearable_key, kind: 'check', amount: '-30.00' }])
    const done = await act(first.id, 'clear', { clearable_key: first.clearable_key ?? '' })
    expect(done.status, done.text).toBe(200)
    expect((await act(first.id, 'clear', { clearable_key: first.clearable_key ?? '' })).body['message']).toMatch(
      /^This line is cleared already by /,
    )
    expect((await act(fee.id, 'explain', { reason: ' ' })).status).toBe(422)
    expect((await act(fee.id, 'explain', { reason: 'Monthly fee' })).status).toBe(200)
    expect(await statementOf(id)).toMatchObject({
      bank_statement: { cleared: '-30.00', explained: '-15.00', difference: '0.00', open_count: 0 },
      outstanding: { count: 1, total: '30.01' },
    })
    const { rows } = await sql`select object_changes->'state' as state, object_changes->'reason'->>'to' as reason from audit_records
      where item_type = 'bank_statement_line' and item_id in (${first.id}, ${fee.id}) order by id`.execute(db)
    expect(rows).toEqual([
      { state: { from: 'proposed', to: 'matched' }, reason: 'Confirmed: Same amount, 2 days later than ours.' },
      { state: { from: 'open', to: 'explained' }, reason: 'Monthly fee' },
    ])
  })

  it('opens a line again with a reason, and what a person has opened is only proposed when it is looked for again', async () => {
    await paid(['100.00'], 'ACH')
    later()
    const id = await readId(bai2File([day([{ code: '455', cents: 10_000 }])]))
    const [line] = await linesOf(id)
    expect(line?.state).toBe('matched')
    expect((await act(line?.id ?? 0, 'undo', {})).status).toBe(422)
    expect((await act(line?.id ?? 0, 'undo', { reason: 'Another payment' })).status).toBe(200)
    expect((await outstanding()).map(({ amount }) => amount)).toEqual(['100.00'])
    expect((await act(line?.id ?? 0, 'undo', { reason: 'Again' })).body['message']).toBe(
      'Only a cleared or explained line can be opened again.',
    )
    const again = await ask(staff, 'POST', `/bank_statements/${id}/match`)
    expect(again.body['message']).toBe('Nothing new is certain')
    expect(await linesOf(id)).toMatchObject([{ state: 'proposed', reason: 'Same amount on the day on which the file settles' }])
  })

  it('is looked at again once a check has its number, and clears it', async () => {
    const { entries } = await paid(['30.00'], 'Check')
    later()
    const id = await readId(bai2File([day([{ code: '475', cents: 3_000, customer: '20005' }])]))
    expect(await linesOf(id)).toMatchObject([{ state: 'proposed' }])
    await giveNumber(entries[0]?.id ?? 0, '20005')
    expect((await ask(staff, 'POST', `/bank_statements/${id}/match`)).body['message']).toBe('1 line cleared')
    expect(await linesOf(id)).toMatchObject([{ state: 'matched', reason: 'Same check number and amount' }])
    expect(await outstanding()).toEqual([])
  })

  it('shows a payment that came back as money in, once it was reversed, by its trace number', async () => {
    const { batch, entries } = await paid(['100.00', '200.00'], 'ACH')
    later()
    await readId(bai2File([day([{ code: '455', cents: 30_000 }])]))
    const reversed = await ask(staff, 'POST', `/global_batches/${batch}/vendor_payments/${entries[0]?.payment}/reverse`, {
      payment_reversal: { kind: 'other', reversed_date: '2026-11-28', reason: 'Came back' },
    })
    expect(reversed.status, reversed.text).toBe(200)
    const back = { day: '2026-11-28', opening: 970_000 }
    const id = await readId(bai2File([day([{ code: '257', cents: 10_000, bank: entries[0]?.trace ?? '' }], back)]))
    expect(await linesOf(id)).toMatchObject([
      { state: 'matched', clearable_key: `return:${entries[0]?.id}`, reason: 'Same reference and amount' },
    ])
    expect(await stored()).toMatchObject({ clearings: 3 })
  })
})

it('a check that a statement shows as paid is not void; its money that came back is recorded as another kind', async () => {
  const { batch, entries } = await paid(['30.00'], 'Check')
  await giveNumber(entries[0]?.id ?? 0, '20007')
  later()
  await readId(bai2File([day([{ code: '475', cents: 3_000, customer: '20007' }])]))
  const reverse = (kind: string) =>
    ask(staff, 'POST', `/global_batches/${batch}/vendor_payments/${entries[0]?.payment}/reverse`, {
      payment_reversal: { kind, reversed_date: '2026-11-28', reason: 'Lost in the mail' },
    })
  const refusal = await reverse('void_check')
  expect([refusal.status, refusal.body['message']]).toEqual([
    409,
    expect.stringMatching(/^A bank statement shows that VP-\d+.* was paid on 11\/27\/2026\. Choose another kind if the money came back\.$/),
  ])
  const { rows } = await sql<{ paid: boolean }>`select paid from bills where client_id = ${ground.clientId}`.execute(db)
  expect(rows).toEqual([{ paid: true }])
  expect((await reverse('other')).status).toBe(200)
})

describe('a line', () => {
  it('is settled as it was seen: one that has changed since, or whose proposal has, is 409 and stays as it is', async () => {
    const { entries } = await paid(['30.00', '30.00'], 'Check')
    later()
    const id = await readId(
      bai2File([
        day([
          { code: '699', cents: 3_000 },
          { code: '699', cents: 3_000, text: 'AGAIN' },
        ]),
      ]),
    )
    const [first, second] = await linesOf(id)
    if (!first || !second) throw new Error('no lines')
    expect([first.clearable_key, second.clearable_key]).toEqual(entries.map((entry) => `check:${entry.id}`))
    const seen = await versionOf(second.id)
    // The first line takes the payment that was proposed for the second one.
    expect((await act(first.id, 'clear', { clearable_key: second.clearable_key ?? '' })).status).toBe(200)
    expect(await linesOf(id)).toMatchObject([{ state: 'matched' }, { state: 'proposed', clearable_key: first.clearable_key }])
    for (const [what, body] of [
      ['clear', { clearable_key: first.clearable_key ?? '' }],
      ['explain', { reason: 'Fee' }],
    ] as const) {
      const late = await act(second.id, what, { ...body, lock_version: seen })
      expect([late.status, late.body['code']]).toEqual([409, 'stale'])
    }
    expect((await act(first.id, 'undo', { reason: 'Mistake', lock_version: 0 })).body['code']).toBe('stale')
    expect(await stored()).toMatchObject({ clearings: 1 })
    const without = await ask(staff, 'POST', `/bank_statement_lines/${second.id}/explain`, { reason: 'Fee' })
    expect([without.status, without.body['message']]).toEqual([422, 'Lock Version must be a whole number'])
  })

  it('is found by its statement, its state and its columns, an unknown filter is 422, and the export holds the same lines', async () => {
    later()
    const id = await readId(
      bai2File([
        day([
          { code: '699', cents: 100, text: 'MONTHLY FEE' },
          { code: '890', cents: 0 },
        ]),
      ]),
    )
    const listed = async (query: string) =>
      JSON.parse((await ask(staff, 'GET', `/bank_statement_lines?${query}`)).text).bank_statement_lines?.map(
        ({ state }: { state: string }) => state,
      )
    expect(await listed(`bank_statement_id=${id}`)).toEqual(['open', 'ignored'])
    expect(await listed(`bank_statement_id=${id}&state[]=proposed&state[]=open`)).toEqual(['open'])
    expect(await listed(`bank_statement_id=${id}&q[description_cont]=monthly`)).toEqual(['open'])
    expect(await listed(`bank_statement_id=${id + 1_000}`)).toEqual([])
    const file = await exportedTable({ ask }, staff, `/bank_statement_lines/export_csv?bank_statement_id=${id}&state[]=open`)
    const [at, said] = [file.headings.indexOf('Amount'), file.headings.indexOf('Description')]
    expect(file.rows.map((row) => [row[at], row[said]])).toEqual([['-1.00', 'MONTHLY FEE']])
    for (const query of ['statement=1', 'q[payer_id_eq]=1', 'state=lost']) {
      const answer = await ask(staff, 'GET', `/bank_statement_lines?${query}`)
      expect([query, answer.status]).toEqual([query, 422])
    }
  })
})

describe('a file', () => {
  it('is read once, by whoever is first, and says who has read it and when', async () => {
    later()
    const file = bai2File([day([{ code: '699', cents: 100 }])])
    const both = await Promise.all([read(file), read(file)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const again = await read(file, { file_name: 'other.bai' })
    expect(again.body['message']).toMatch(/^This file was read already: 11\/28\/2026.* by .+, as day\.bai\.$/)
    expect((await preview(file)).body['faults']).toEqual([again.body['message']])
    expect(await stored()).toEqual({ statements: 1, lines: 1, clearings: 0 })
    const { rows } = await sql<{ sealed: Buffer }>`select content_encrypted as sealed from bank_statement_files file
      join bank_accounts account on account.id = file.bank_account_id where account.payer_id = ${ground.clientId}`.execute(db)
    expect(rows[0]?.sealed.includes('METERBOOK')).toBe(false)
  })

  it('of another account, with a day that was read, or after one that is missing is refused, and nothing is stored of it', async () => {
    later()
    const other = await read(bai2File([day([], { account: '55554444' })]))
    expect([other.status, other.body['message']]).toEqual([
      422,
      `This file is of another bank account: it holds …4444, and not …${number.slice(-4)}.`,
    ])
    await readId(bai2File([day([{ code: '699', cents: 100 }])]))
    const twice = await read(bai2File([day([{ code: '699', cents: 200 }])]))
    expect(twice.body['message']).toMatch(
      /^11\/27\/2026 and 11\/27\/2026 overlap\. A day is read once, and was read on 11\/28\/2026.* as day\.bai\.$/,
    )
    const gap = await read(bai2File([day([], { day: '2026-11-28', opening: 1 })]))
    expect(gap.body['message']).toBe(
      'The statement of 11/28/2026 opens with $0.01, and the one before it, of 11/27/2026, closes with $9,999.00. One between them is missing.',
    )
    const broken = bai2File([day([{ code: '699', cents: 100 }], { day: '2026-11-28', opening: 999_900 })]).replace(
      '16,699,100',
      '16,699,101',
    )
    expect((await read(broken)).body['message']).toMatch(/^Line 6: Control Total/)
    expect(await stored()).toEqual({ statements: 1, lines: 1, clearings: 0 })
  })

  it('of CSV is read by its usual headings or by those that a person names, which are kept for the account', async () => {
    later()
    const first = csvFile(1_000_000, [{ day: '2026-11-26', cents: -500, text: 'FEE' }])
    const asked = await preview(first)
    expect(asked.body).toMatchObject({
      format: 'csv',
      faults: ['Type the opening balance: no earlier statement of this account says it.'],
      opening_is_known: false,
      headings: ['Date', 'Description', 'Check Number', 'Reference', 'Amount', 'Balance'],
      mapping: { day: 'Date', amount: 'Amount', balance: 'Balance' },
    })
    const none = {
      amount: null,
      debit: null,
      credit: null,
      description: null,
      check_number: null,
      reference: null,
      code: null,
      balance: null,
    }
    const strange = first.replace('Date,', 'Tag,').replace('Amount', 'Betrag')
    expect((await preview(strange)).body['faults']).toEqual([
      'Choose the column of the Date.',
      'Choose the column of the Amount, or those of Money Out and Money In.',
    ])
    const mapping = { ...none, day: 'Tag', amount: 'Betrag', balance: 'Balance' }
    await readId(strange, { mapping, opening: '10000.00' })
    const second = csvFile(999_500, [{ day: '2026-11-27', cents: -100 }])
      .replace('Date,', 'Tag,')
      .replace('Amount', 'Betrag')
    const id = await readId(second)
    expect(await statementOf(id)).toMatchObject({ bank_statement: { opening: '9995.00', closing: '9994.00', format: 'csv' } })
    const bad = await read(second.replace('-1.00', '-1.0x').replaceAll('11/27', '11/28'))
    expect([bad.status, bad.body['message']]).toEqual([422, 'Line 2, Amount: “-1.0x” is no amount.'])
  })
})

it('a payment is cleared by one line only, also by two people at once', async () => {
  await paid(['30.00'], 'Check')
  later()
  const id = await readId(
    bai2File([
      day([
        { code: '699', cents: 3_000 },
        { code: '699', cents: 3_000, text: 'AGAIN' },
      ]),
    ]),
  )
  const [one, two] = await linesOf(id)
  expect([one?.state, two?.state]).toEqual(['proposed', 'open'])
  const key = { clearable_key: one?.clearable_key ?? '' }
  const both = await Promise.all([act(one?.id ?? 0, 'clear', key), act(two?.id ?? 0, 'clear', key)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await stored()).toMatchObject({ clearings: 1 })
})

it('a statement is discarded while none of its lines is settled, the last one first', async () => {
  later()
  const first = await readId(bai2File([day([{ code: '699', cents: 100 }])]))
  const file = bai2File([day([{ code: '699', cents: 200 }], { day: '2026-11-28', opening: 999_900 })])
  const second = await readId(file)
  const discard = (id: number) => ask(staff, 'DELETE', `/bank_statements/${id}`)
  expect((await discard(first)).body['message']).toBe(
    'Only the last statement of an account can be discarded: discard the later ones first.',
  )
  const [line] = await linesOf(second)
  await act(line?.id ?? 0, 'explain', { reason: 'Fee' })
  expect((await discard(second)).body['message']).toBe('1 line is cleared or explained. Open them again first.')
  await act(line?.id ?? 0, 'undo', { reason: 'Mistake' })
  expect((await discard(second)).status).toBe(200)
  expect(await stored()).toEqual({ statements: 1, lines: 1, clearings: 0 })
  await readId(file)
})

it('statements and outstanding payments are for the staff of the desk; other people see and read none', async () => {
  later()
  const id = await readId(bai2File([day([{ code: '699', cents: 100 }])]))
  for (const who of [
    await makeLastingPerson(db, 'client_admin', { clients: [ground.clientId] }),
    await makeLastingPerson(db, 'read_only_user', { clients: [ground.clientId] }),
  ]) {
    expect((await ask(who, 'GET', '/bank_statements')).status).toBe(403)
    expect((await ask(who, 'GET', `/bank_statements/${id}`)).status).toBe(403)
    expect((await read('01,', {}, who)).status).toBe(403)
    expect((await ask(who, 'GET', '/outstanding_payments')).status).toBe(403)
  }
})

it('an account that several clients share is read by somebody who reaches all of them, and its statements are seen with their payer alone', async () => {
  const other = await makePayer(db)
  const shared = await makeBankProfile(db, other.clientId)
  await giveAccount(db, shared, number)
  await paid(['30.00'], 'Check')
  later()
  const file = bai2File([
    day([
      { code: '699', cents: 100 },
      { code: '475', cents: 3_000 },
    ]),
  ])
  const narrow = await makeLastingPerson(db, 'muc_admin', { clients: [other.clientId] })
  expect((await read(file, {}, narrow)).status).toBe(404)
  const ofShared = { originating_profile_id: shared }
  const words = /^This account pays for clients that you do not reach\. Somebody who reaches them must read its statements\.$/
  for (const answer of [await preview(file, ofShared, narrow), await read(file, ofShared, narrow)])
    expect([answer.status, answer.body['message']]).toEqual([422, expect.stringMatching(words)])
  const id = await readId(file)
  const [line, check] = await linesOf(id)
  await act(line?.id ?? 0, 'explain', { reason: 'Fee' })
  // Once the payment is cleared, the account alone keeps the person out.
  expect((await act(check?.id ?? 0, 'clear', { clearable_key: check?.clearable_key ?? '' })).status).toBe(200)
  expect((await read(`${file} `, ofShared, narrow)).body['message']).toMatch(words)
  expect(JSON.parse((await ask(narrow, 'GET', '/bank_statements')).text).bank_statements).toEqual([])
  expect((await ask(narrow, 'GET', `/bank_statements/${id}`)).status).toBe(404)
  const late = { reason: 'Mistake', lock_version: 1 }
  expect((await ask(narrow, 'POST', `/bank_statement_lines/${line?.id}/undo`, late)).status).toBe(404)
  expect(JSON.parse((await ask(narrow, 'GET', '/outstanding_payments')).text).outstanding_payments).toEqual([])
})

it('statements and outstanding payments are exported as they are listed', async () => {
  await paid(['30.00'], 'Check')
  later()
  await readId(bai2File([day([{ code: '699', cents: 100 }])]))
  const cellsOf = async (path: string, ...headings: readonly string[]) => {
    const file = await exportedTable({ ask }, staff, path)
    return file.rows.map((row) => headings.map((heading) => row[file.headings.indexOf(heading)]))
  }
  const own = `q[client_id_eq]=${ground.clientId}`
  expect(await cellsOf(`/bank_statements/export_csv?${own}`, 'Opening Balance', 'Difference', 'Closing Balance', 'Open Lines')).toEqual([
    ['10000.00', '-1.00', '9999.00', '1'],
  ])
  expect(await cellsOf(`/outstanding_payments/export_csv?${own}`, 'Amount', 'Sent As')).toEqual([['30.00', 'check']])
  for (const path of ['/bank_statements', '/outstanding_payments'])
    expect([path, (await ask(staff, 'GET', `${path}?q[secret_eq]=1`)).status]).toEqual([path, 422])
})

it('the sum of what is outstanding is told as a whole and by age, and equals the list', async () => {
  await paid(['12.34', '30.00'], 'Check')
  await sql`update global_batch_files set creation_date = '2026-11-10' where id in (select global_batch_file_id from global_batch_file_payments
    where client_id = ${ground.clientId})`.execute(db)
  const total = async () => JSON.parse((await ask(staff, 'GET', '/outstanding_payments/total')).text)
  const all = await total()
  const { rows } = await sql<{ count: number; total: string }>`select count(*)::int as count, sum(amount)::text as total
    from global_batch_file_payments entry join global_batch_files file on file.id = entry.global_batch_file_id
    where file.purpose = 'payment' and not exists (select 1 from bank_clearings clearing where clearing.payer_id = entry.client_id
      and clearing.global_batch_file_payment_id = entry.id)`.execute(db)
  expect(all).toMatchObject(rows[0] ?? {})
  expect(all.ages.map(({ days_max }: { days_max: number | null }) => days_max)).toEqual([7, 30, 90, null])
  expect(all.ages[1]).toMatchObject({ count: 2, total: '42.34' })
})
