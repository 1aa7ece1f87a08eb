/** Scores of the methods of accrual on made bills, recomputed in plain SQL, compared with the Accrual Report, and within the caller's reach. */
import type { AccrualScores } from '#contract/reports/accrual-score-call.ts'
import { accrualScoreCalls } from '#contract/reports/accrual-score-call.ts'
import { reportCalls } from '#contract/reports/generated-report.ts'
import { addDays } from '#contract/kernel/date.ts'
import { centsOf, sumCents, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, type Ground } from '../../../test/support/bills.ts'
import { makeDivision, makeFacility } from '../../../test/support/estate.ts'
import { addBill } from '../../../test/support/fact-bills.ts'

const { ask, database } = await startTestApp()
const { db } = database
const REGULAR = 12
const january = { date_range: { from: '2026-01-01', to: '2026-01-31' } }
let ground: Ground
let admin: Person
let reportId: number
const accounts: number[] = []
const foreign = { clientId: 0, accountId: 0 }

beforeAll(async () => {
  ground = await makeGround(db)
  admin = await makePerson(db, 'super_admin')
  const { clientId: client_id } = ground
  const east = await makeDivision(db, client_id, { name: 'East' })
  const eastern = await makeFacility(db, client_id, east, { name: 'Store East' })
  for (let place = 0; place < REGULAR; place += 1) {
    const at = place === 0 ? { ...ground, facilityId: eastern } : ground
    accounts.push(await makeBilled(at, `REG-${String(place).padStart(2, '0')}`, place, '2023-11-05', '2026-03-01'))
  }
  await makeBilled(ground, 'NEW-1', 3, '2026-01-20', '2026-03-01')
  await makeBilled(ground, 'OLD-1', 4, '2023-11-05', '2024-10-01')
  const other = await makeGround(db)
  Object.assign(foreign, { clientId: other.clientId, accountId: other.accountId })
  const { rows } = await sql<{ id: number }>`select id from reports where name = 'Accrual Report'`.execute(db)
  reportId = rows[0]?.id ?? 0
})

/** An account with one meter, billed for 28 to 33 days each with a lag of 3 to 9 days. */
async function makeBilled(at: Ground, number: string, seed: number, first: string, last: string): Promise<number> {
  const account = await makeAccount(db, at, number)
  const service = await makeService(db, at.clientId, account, seed % 3 === 0 ? 'water' : 'electric', `M-${number}`)
  for (let [from, turn] = [first, 0]; from < last; turn += 1) {
    const to = addDays(from, 28 + ((seed * 5 + turn * 7) % 6))
    const cost = wireOf(20_000 + ((seed * 7_919 + turn * 104_729) % 9_973))
    const date = addDays(to, 3 + ((seed + turn) % 7))
    const line = { service_id: service, from, to, utility: cost, usage: String(100 + ((seed * 13 + turn * 31) % 57)) }
    await addBill(db, at.clientId, { account: { billable_account_id: account }, date, current_charges: cost, lines: [line] })
    from = to
  }
  return account
}

async function scores(person: Person, body: object = { form_data: january }, clientId = ground.clientId): Promise<AccrualScores> {
  const answer = await ask(person, 'POST', `/clients/${clientId}/reports/${reportId}/accrual_scores`, body)
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  return accrualScoreCalls.score.schemas.reply.parse(answer.body)
}

it('accrues the twelve month ends before the period with the bills of then: plain SQL has the same sums for the last bill, meter by meter', async () => {
  const read = await scores(admin)
  expect([read.from, read.to]).toEqual(['2025-01-31', '2025-12-31'])
  const { rows } = await sql<{ comparisons: number; accrued: string; actual: string; miss: string }>`
    with line as (
      select line.service_id, bill.date as dated, line.previous_read_date as first, line.read_date as next, bill.current_charges as cost,
        line.read_date - line.previous_read_date as days
      from service_bills line join bills bill on bill.client_id = line.client_id and bill.id = line.bill_id where line.client_id = ${ground.clientId}
    ), ends as (
      select (date_trunc('month', day) + interval '1 month - 1 day')::date as last from generate_series(date '2025-01-01', date '2025-12-01', interval '1 month') day
    ), known as (
      select distinct on (line.service_id, ends.last) line.*, ends.last from ends join line on line.dated <= ends.last
      order by line.service_id, ends.last, line.next desc
    ), said as (
      select known.*, round(cost * (last + 1 - next) / days, 2) as accrued from known where next <= last
    ), compared as (
      select said.accrued,
        (select sum(round(line.cost * (least(line.next, said.last + 1) - line.first) / line.days, 2) - round(line.cost * (greatest(line.first, said.next) - line.first) / line.days, 2))
          from line where line.service_id = said.service_id and line.first <= said.last and line.next > said.next) as actual
      from said where not exists (select from generate_series(said.next, said.last, interval '1 day') day
        where not exists (select from line where line.service_id = said.service_id and line.first <= day and day < line.next))
    )
    select count(*)::int as comparisons, sum(accrued)::text as accrued, sum(actual)::text as actual, sum(abs(accrued - actual))::text as miss from compared`.execute(
    db,
  )
  const [expected] = rows
  const found = read.methods.find(({ method }) => method === 'last_bill')
  expect(expected?.comparisons).toBeGreaterThan(100)
  expect(found).toMatchObject({ comparisons: expected?.comparisons, accrued: expected?.accrued, actual: expected?.actual })
  const error = (100 * Number(expected?.miss)) / Number(expected?.actual)
  expect(Math.abs(Number(found?.error_percent) - error)).toBeLessThanOrEqual(0.0501)
})

it('names every account: compared by each method on the same days, or counted with the reason; ten of the worst are listed, the worst first', async () => {
  const read = await scores(admin)
  // The account of the ground has two meters and no bill.
  expect(read.accounts).toBe(REGULAR + 3)
  expect(read.unscored_accounts.map(({ account_number, why }) => [account_number.slice(0, 5), why])).toEqual([
    ['00012', 'no_days'],
    ['NEW-1', 'no_earlier_bill'],
    ['OLD-1', 'not_billed_since'],
  ])
  expect(read.unscored.map(({ why, accounts: count }) => [why, count])).toEqual([
    ['not_billed_since', 1],
    ['no_earlier_bill', 1],
    ['no_days', 1],
  ])
  for (const one of read.methods) {
    expect(one.accounts).toBe(REGULAR)
    expect(one.actual).toBe(read.methods[0]?.actual)
    expect(centsOf(one.bias)).toBe(centsOf(one.accrued) - centsOf(one.actual))
    expect(one.worst).toHaveLength(10)
    const misses = one.worst.map(({ at }) => sumCents(at.map(({ error }) => Math.abs(centsOf(error)))))
    expect(misses).toEqual(misses.toSorted((a, b) => b - a))
    for (const account of one.worst) expect(sumCents(account.at.map(({ error }) => centsOf(error)))).toBe(centsOf(account.error))
  }
  const least = read.methods.toSorted((a, b) => Number(a.error_percent) - Number(b.error_percent))[0]
  expect(read.best?.method).toBe(least?.method)
})

it('says of the newest month end what the Accrual Report says of the period before', async () => {
  const form_data = { ...january, billable_account_ids: accounts.slice(0, 6) }
  for (const method of ['seasonal', 'last_bill', 'trailing'] as const) {
    const body = { form_data: { ...form_data, accrual_method: method } }
    const preview = await ask(admin, 'POST', `/clients/${ground.clientId}/reports/${reportId}/preview`, body)
    const { columns, rows } = reportCalls.preview.schemas.reply.parse(preview.body)
    const at = (key: string) => columns.findIndex((column) => column.key === key)
    const told = rows.flatMap((row) => (row[at('variance')] === null ? [] : [[row[at('prior_accrual')], row[at('actual')]]]))
    const worst = (await scores(admin, body)).methods.find((one) => one.method === method)?.worst ?? []
    const newest = worst.flatMap((account) => account.at.flatMap((one) => (one.to === '2025-12-31' ? [[one.accrued, one.actual]] : [])))
    expect(newest.toSorted(), method).toEqual(told.toSorted())
    expect(told.length).toBeGreaterThan(3)
  }
})

it('hides the last bill of each meter where that is asked for, whatever its date', async () => {
  const read = await scores(admin, { hide: 'last_bills' })
  expect([read.from, read.to]).toEqual([null, null])
  expect(read.unscored_accounts.map(({ account_number }) => account_number.slice(0, 5))).toEqual(['00012'])
  const { rows } = await sql<{
    actual: string
  }>`select sum(cost)::text as actual from (select distinct on (billable_account_id) current_charges as cost
    from bills where client_id = ${ground.clientId} order by billable_account_id, date desc) last`.execute(db)
  for (const one of read.methods) expect(one).toMatchObject({ accounts: REGULAR + 2, comparisons: REGULAR + 2, actual: rows[0]?.actual })
})

it('holds the accounts within reach alone, and those that the choices name', async () => {
  const { rows } = await sql<{ id: number }>`select id from divisions where client_id = ${ground.clientId} and name = 'East'`.execute(db)
  const east = rows[0]?.id ?? 0
  const narrow = await makePerson(db, 'client_manager', { clients: [ground.clientId], division: [[ground.clientId, east]] })
  const seen = await scores(narrow)
  expect(seen.accounts).toBe(1)
  expect(seen.methods.map(({ worst }) => worst.map(({ account_number }) => account_number))).toEqual([['REG-00'], ['REG-00'], ['REG-00']])
  expect((await scores(admin, { form_data: january, assignable_type: 'Division', assignable_id: east })).accounts).toBe(1)
  expect((await scores(admin, { form_data: { ...january, billable_account_ids: accounts.slice(3, 5) } })).accounts).toBe(2)
})

it.each([
  ['an account of another client', () => ({ form_data: { billable_account_ids: [foreign.accountId] } }), 422],
  ['an unknown way to hide', () => ({ hide: 'weeks' }), 422],
  ['a division that is not named', () => ({ assignable_type: 'Division' }), 422],
  ['a choice that the report does not ask for', () => ({ form_data: { all_clients: true } }), 422],
])('refuses %s', async (_, body, status) => {
  const answer = await ask(admin, 'POST', `/clients/${ground.clientId}/reports/${reportId}/accrual_scores`, body())
  expect(answer.status, answer.text.slice(0, 200)).toBe(status)
})

it('is of the Accrual Report alone', async () => {
  const { rows } = await sql<{ id: number }>`select id from reports where name = 'Facilities Report'`.execute(db)
  const answer = await ask(admin, 'POST', `/clients/${ground.clientId}/reports/${rows[0]?.id ?? 0}/accrual_scores`, {})
  expect(answer.status).toBe(404)
})

it('refuses more meters than it scores at once, and scores those of a chosen account', async () => {
  const many = await makeGround(db)
  await sql`insert into services (client_id, billable_account_id, meter_number, utility_service_id, usage_unit_id, meter_multiplier)
    select client_id, billable_account_id, 'X-' || place, utility_service_id, usage_unit_id, 1 from services cross join generate_series(1, 999) place
    where id = ${many.electricId}`.execute(db)
  const small = await makeAccount(db, many, 'SMALL-1')
  await makeService(db, many.clientId, small, 'electric', 'S-1')
  const at = `/clients/${many.clientId}/reports/${reportId}/accrual_scores`
  const refusal = await ask(admin, 'POST', at, {})
  expect([refusal.status, refusal.body['message']]).toEqual([
    409,
    'More than 1,000 meters cannot be compared at once: choose vendors, facilities or accounts.',
  ])
  expect((await scores(admin, { form_data: { billable_account_ids: [small] } }, many.clientId)).accounts).toBe(1)
})
