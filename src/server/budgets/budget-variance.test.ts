/** Budget against actual over HTTP on a real PostgreSQL, held against sums that are made from the bills by plain SQL and by hand. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { budgetVarianceCalls, type BudgetRow, type BudgetVariance } from '#contract/budgets/budget-variance.ts'
import { budgetFillCalls, type BudgetProposal } from '#contract/budgets/budget-fill.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount, type Ground } from '../../../test/support/bills.ts'
import { addBill } from '../../../test/support/fact-bills.ts'
import { setClock } from '../kernel/clock.ts'
import { rebuildFacts } from '../month-facts/month-facts.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let staff: Person
let ground: Ground
/** The second facility, in a division of its own. */
let eastDivision: number
let east: number
let account: number
/** An account of the second facility that began in January. */
let young: number
let group: number
let children: readonly [number, number]
/** An account of fees, without meters. */
let fees: number

const first = (month: number, year = 2026) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)

async function bill(
  accountId: number,
  meter: number | null,
  from: string,
  to: string,
  amount: string,
  more: { group_bill_id?: number } = {},
) {
  return addBill(db, ground.clientId, {
    account: { billable_account_id: accountId },
    date: to,
    current_charges: amount,
    from,
    to,
    ...more,
    lines: meter === null ? [] : [{ service_id: meter, from, to, utility: amount, usage: '1' }],
  })
}

async function plan(accountId: number, month: string, amount: string) {
  await sql`insert into budgets (client_id, billable_account_id, month, amount) values (${ground.clientId}, ${accountId}, ${month}, ${amount})`.execute(
    db,
  )
}

/** The day is 27 November 2026. */
beforeAll(async () => {
  setClock('2026-11-27T15:00:00Z')
  staff = await makePerson(db, 'super_admin')
  ground = await makeGround(db)
  const { clientId, vendorId } = ground
  account = ground.accountId
  await sql`update services set active = false where client_id = ${clientId} and id = ${ground.gasId}`.execute(db)
  const made = async (text: ReturnType<typeof sql<{ id: number }>>) => (await text.execute(db)).rows[0]?.id ?? 0
  eastDivision = await made(
    sql`insert into divisions (client_id, name, short_code, code) values (${clientId}, 'East', 'E', 'E') returning id`,
  )
  east = await made(
    sql`insert into facilities (client_id, division_id, name, number) values (${clientId}, ${eastDivision}, 'Store 2', '2') returning id`,
  )
  const inEast = { clientId, facilityId: east, vendorId }
  young = await makeAccount(db, inEast, 'Y-1')
  const youngMeter = await makeService(db, clientId, young, 'electric', 'Y-M')
  group = await makeAccount(db, { ...inEast, facilityId: ground.facilityId }, 'G-1', { group: true })
  const one = await makeAccount(db, inEast, 'G-1-1', { groupId: group })
  const two = await makeAccount(db, inEast, 'G-1-2', { groupId: group })
  children = [one, two]
  const meters = [await makeService(db, clientId, one, 'electric', 'C-1'), await makeService(db, clientId, two, 'electric', 'C-2')] as const
  fees = await makeAccount(db, { ...inEast, facilityId: ground.facilityId }, 'FEE')

  for (let month = 0; month < 12; month += 1) {
    // 2025 costs 100.00 a month, 2026 costs 110.00 from January to September; October is billed up to the 16th.
    await bill(account, ground.electricId, first(month, 2025), first(month + 1, 2025), '100.00')
    if (month < 9) await bill(account, ground.electricId, first(month), first(month + 1), '110.00')
    if (month < 10) await bill(young, youngMeter, first(month), first(month + 1), '50.01')
  }
  await bill(account, ground.electricId, '2026-10-01', '2026-10-17', '80.00')
  for (let month = 0; month < 2; month += 1) {
    const whole = await addBill(db, clientId, {
      account: { billable_account_id: group },
      date: first(month + 1),
      current_charges: '300.00',
      from: first(month),
      to: first(month + 1),
      lines: [],
    })
    await bill(children[0], meters[0], first(month), first(month + 1), '120.00', { group_bill_id: whole.id })
    await bill(children[1], meters[1], first(month), first(month + 1), '170.00', { group_bill_id: whole.id })
  }
  await bill(fees, null, '2026-01-01', '2026-02-01', '31.00')
  await bill(fees, null, '2026-02-01', '2026-03-01', '28.00')
  // A supply account has no budget and no part in the figures.
  const supplied = await makeSupplyAccount(db, inEast, 'S-1')
  const supply = await makeService(db, clientId, supplied, 'electric', 'S-M', 'supply_account_id')
  await addBill(db, clientId, {
    account: { supply_account_id: supplied },
    date: '2026-02-01',
    current_charges: '70.00',
    lines: [{ service_id: supply, from: '2026-01-01', to: '2026-02-01', supply: '70.00', usage: '1' }],
  })
  await rebuildFacts(db, clientId)
  for (let month = 1; month <= 12; month += 1) await plan(account, `2026-${String(month).padStart(2, '0')}`, '105.00')
  await plan(young, '2026-01', '40.00')
  await plan(young, '2026-11', '45.00')
  await plan(group, '2026-01', '280.00')
  // The group has a budget of January too, which counts in its place.
  await plan(children[0], '2026-01', '999.00')
  await plan(children[0], '2026-02', '125.00')
  await plan(fees, '2026-01', '30.00')
  await plan(fees, '2026-02', '30.00')
})
afterAll(() => setClock())

const at = () => `/clients/${ground.clientId}/budgets`

async function variance(who: Person, query = ''): Promise<BudgetVariance> {
  const answer = await ask(who, 'GET', `${at()}/variance?first_month=2026-01${query}`)
  expect(answer.status, answer.text).toBe(200)
  return budgetVarianceCalls.get.schemas.reply.parse(answer.body)
}

const rowOf = ({ rows }: BudgetVariance, id: number): BudgetRow => {
  const row = rows.find((one) => one.id === id)
  if (!row) throw new Error(`no row ${id}`)
  return row
}
const monthOf = (row: Pick<BudgetRow, 'months'>, month: string) => row.months.find((one) => one.month === month)

it('variance is actual less budget of the months that are complete; a month that is not complete is shown with its coverage and not compared', async () => {
  const row = rowOf(await variance(staff, '&parts=accounts'), account)
  expect(monthOf(row, '2026-01')).toMatchObject({
    budget: '105.00',
    actual: '110.00',
    coverage: '1.0000',
    complete: true,
    variance: '5.00',
    variance_percent: '4.76',
    forecast: '110.00',
    forecast_basis: 'actual',
  })
  // 16 of 31 days.
  expect(monthOf(row, '2026-10')).toMatchObject({
    actual: '80.00',
    coverage: '0.5161',
    complete: false,
    variance: null,
    compared_budget: null,
  })
  expect(row).toMatchObject({
    budget: '1260.00',
    actual: '1070.00',
    compared_budget: '945.00',
    compared_actual: '990.00',
    variance: '45.00',
    variance_percent: '4.76',
    open_actual: '80.00',
    unbudgeted_actual: '0.00',
  })
})

it('the forecast takes last year scaled by this year over last year, else the budget, and says which', async () => {
  const answer = await variance(staff, '&parts=accounts')
  const row = rowOf(answer, account)
  expect(row.ratio).toBe('1.1000')
  // 100.00 × 990 ÷ 900 in October, November and December.
  expect(row.months.slice(9).map(({ forecast, forecast_basis }) => [forecast, forecast_basis])).toEqual(
    Array.from({ length: 3 }, () => ['110.00', 'last_year_scaled']),
  )
  expect([row.forecast, row.forecast_variance, row.without_forecast]).toEqual(['1320.00', '60.00', 0])
  const began = rowOf(answer, young)
  expect(monthOf(began, '2026-11')).toMatchObject({ forecast: '45.00', forecast_basis: 'budget' })
  expect(monthOf(began, '2026-12')).toMatchObject({ forecast: null, forecast_basis: null, without_forecast: 1 })
  expect(began).toMatchObject({ forecast: '545.10', without_forecast: 1, variance: '10.01', unbudgeted_actual: '450.09' })
})

it('a group with a budget holds its subaccounts, whose budgets of that month count nowhere; without one each stands for itself', async () => {
  const answer = await variance(staff, '&parts=accounts')
  expect(monthOf(rowOf(answer, group), '2026-01')).toMatchObject({ budget: '280.00', actual: '300.00', complete: true, variance: '20.00' })
  expect(monthOf(rowOf(answer, children[0]), '2026-01')).toMatchObject({ budget: null, actual: '0.00' })
  expect(monthOf(rowOf(answer, group), '2026-02')).toMatchObject({ budget: null, actual: '10.00' })
  expect(monthOf(rowOf(answer, children[0]), '2026-02')).toMatchObject({ budget: '125.00', actual: '120.00', variance: '-5.00' })
  expect(monthOf(rowOf(answer, children[1]), '2026-02')).toMatchObject({ budget: null, actual: '170.00', variance: null })
  expect((await ask(staff, 'GET', `${at()}?q[counts_eq]=false`)).body).toMatchObject({
    total: 1,
    budgets: [{ billable_account_id: children[0], month: '2026-01' }],
  })
})

it('without meters a month is complete when a later one is billed', async () => {
  const row = rowOf(await variance(staff, '&parts=accounts'), fees)
  expect(monthOf(row, '2026-01')).toMatchObject({ actual: '31.00', coverage: null, complete: true, variance: '1.00' })
  expect(monthOf(row, '2026-02')).toMatchObject({ actual: '28.00', complete: false, variance: null, forecast: '30.00' })
})

it('the actual of every month is the cost of the days of the bills, and that of the dashboard; accounts, facilities and divisions come to the same', async () => {
  const { rows } = await sql<{ month: string; cents: number }>`
    with counted as (
        select bill.id, bill.previous_read_date as starts, bill.read_date as ends, bill.date,
          round(bill.current_charges * 100) - coalesce((select sum(round(child.current_charges * 100)) from bills child
            where child.client_id = bill.client_id and child.group_bill_id = bill.id), 0) as cents
        from bills bill where bill.client_id = ${ground.clientId} and bill.billable_account_id is not null),
      spread as (
        select to_char(day, 'YYYY-MM') as month, cents::numeric / (ends - starts) as cents
        from counted, generate_series(starts, ends - 1, interval '1 day') day where starts < ends
        union all select to_char(date, 'YYYY-MM'), cents from counted where starts is null)
    select month, round(sum(cents))::int as cents from spread where month like '2026%' group by month order by month`.execute(db)
  const answers = [await variance(staff), await variance(staff, '&parts=facilities'), await variance(staff, '&parts=accounts')]
  for (const answer of answers) {
    const known = answer.total.months
      .filter(({ actual }) => actual !== '0.00')
      .map(({ month, actual }) => ({ month, cents: Math.round(Number(actual) * 100) }))
    expect(known).toEqual(rows)
    for (const key of ['budget', 'actual', 'variance', 'compared_actual', 'compared_budget', 'forecast', 'forecast_variance'] as const) {
      const sum = answer.rows.reduce((cents, row) => cents + Math.round(Number(row[key] ?? 0) * 100), 0)
      expect([answer.parts, key, sum]).toEqual([answer.parts, key, Math.round(Number(answer.total[key] ?? 0) * 100)])
    }
  }
  const asked = await ask(
    staff,
    'GET',
    `/clients/${ground.clientId}/dashboard?scope_type=billable_accounts&from_month=2026-01&to_month=2026-12`,
  )
  expect(asked.body).toMatchObject({ dashboard: { total_utility_cost: { current: answers[0]?.total.actual } } })
})

it('a division, a facility and an account are compared alone; what cannot be divided so is 422, what is not there is 404', async () => {
  const inEast = await variance(staff, `&scope_type=division&scope_id=${eastDivision}&parts=accounts`)
  expect(inEast.rows.map(({ id }) => id).toSorted()).toEqual([young, ...children].toSorted())
  const facility = await variance(staff, `&scope_type=facility&scope_id=${ground.facilityId}`)
  expect(facility.rows.map(({ id }) => id).toSorted()).toEqual([account, group, fees].toSorted())
  const alone = await variance(staff, `&scope_type=billable_account&scope_id=${account}`)
  expect([alone.total.budget, alone.total.variance]).toEqual(['1260.00', '45.00'])
  const status = async (query: string) => (await ask(staff, 'GET', `${at()}/variance?${query}`)).status
  expect(await status(`scope_type=facility&scope_id=${east}&parts=divisions`)).toBe(422)
  expect(await status('scope_type=facility')).toBe(422)
  expect(await status('scope_type=facility&scope_id=999999')).toBe(404)
  expect(await status('first_month=2026-13')).toBe(422)
  expect(await status('year=2026')).toBe(422)
})

it('the fiscal year of the client is the one that is shown first', async () => {
  const { clientId } = ground
  await sql`update clients set fiscal_year_start = 7 where id = ${clientId}`.execute(db)
  const answer = budgetVarianceCalls.get.schemas.reply.parse((await ask(staff, 'GET', `${at()}/variance`)).body)
  await sql`update clients set fiscal_year_start = 1 where id = ${clientId}`.execute(db)
  expect([answer.first_month, answer.last_month, answer.last_complete_month]).toEqual(['2026-07', '2027-06', '2026-10'])
})

it('a person of a division sees the accounts of it alone, and no budget of a group whose subaccounts are elsewhere', async () => {
  const { clientId, divisionId } = ground
  const west = await makePerson(db, 'client_user', { clients: [clientId], division: [[clientId, divisionId]] })
  const answer = await variance(west, '&parts=accounts')
  expect(answer).toMatchObject({ scope: { partial: true }, hidden_groups: 1 })
  // The group is named with what its subaccounts do not carry.
  expect(answer.rows.map(({ id, budget }) => [id, budget]).toSorted()).toEqual(
    [
      [account, '1260.00'],
      [fees, '60.00'],
      [group, null],
    ].toSorted(),
  )
  const inEast = await makePerson(db, 'client_user', { clients: [clientId], division: [[clientId, eastDivision]] })
  const of = await variance(inEast, '&parts=accounts')
  // Who does not see the group sees the budget of the subaccount.
  expect(monthOf(rowOf(of, children[0]), '2026-01')).toMatchObject({ budget: '999.00', actual: '120.00' })
  expect((await ask(inEast, 'GET', `${at()}/variance?scope_type=facility&scope_id=${ground.facilityId}`)).status).toBe(404)
  expect((await ask(inEast, 'GET', `${at()}/variance?scope_type=billable_account&scope_id=${account}`)).status).toBe(404)
})

async function proposal(query: string): Promise<BudgetProposal> {
  const answer = await ask(staff, 'GET', `${at()}/proposal?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return budgetFillCalls.proposal.schemas.reply.parse(answer.body)
}

it('a year is proposed from complete months of the year before, and says what has no actual', async () => {
  const shown = await proposal('first_month=2027-01&percent=10')
  const amountsOf = (id: number) => shown.rows.find((row) => row.id === id)?.amounts
  // 110.00 + 10 % to September, 100.00 + 10 % of 2025 from October.
  expect(amountsOf(account)).toEqual([...Array.from({ length: 9 }, () => '121.00'), '110.00', '110.00', '110.00'])
  // 50.01 + 10 % is 55.011.
  expect(amountsOf(young)).toEqual([...Array.from({ length: 10 }, () => '55.01'), null, null])
  // The subaccounts are proposed and the group is not.
  expect(amountsOf(group)).toBeUndefined()
  expect(amountsOf(children[0])?.slice(0, 3)).toEqual(['132.00', '132.00', null])
  expect(amountsOf(fees)?.slice(0, 2)).toEqual(['34.10', null])
  expect(shown).toMatchObject({ accounts: 5, older: 3, kept: 0, without_actual: 0, budgets: 12 + 10 + 2 + 2 + 1 })
  expect(await sql`select from budgets where month like '2027%'`.execute(db)).toMatchObject({ rows: [] })
})

it('an account in use without a complete month is counted as one without an actual', async () => {
  const idle = await makeAccount(db, ground, 'IDLE')
  expect(await proposal('first_month=2027-01')).toMatchObject({ without_actual: 1, accounts: 5 })
  await sql`update billable_accounts set active = false where client_id = ${ground.clientId} and id = ${idle}`.execute(db)
  expect(await proposal('first_month=2027-01')).toMatchObject({ without_actual: 0 })
})

it('a save stores what was shown and nothing else, keeps what is there, and is refused where the proposal has changed', async () => {
  await plan(account, '2028-01', '77.00')
  const { first_month, percent, budgets, total, kept } = await proposal('first_month=2028-01&percent=-50')
  expect(kept).toBe(1)
  const fill = { first_month, percent, budgets, total }
  const refused = await ask(staff, 'POST', `${at()}/fill`, { fill: { ...fill, total: '1.00' } })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('Look at it again')
  const saved = await ask(staff, 'POST', `${at()}/fill`, { fill })
  expect(saved.body).toMatchObject({ success: true, message: `${budgets} budgets stored` })
  const stored = await sql<{ count: number; total: string }>`select count(*)::int as count, sum(amount)::text as total from budgets
    where client_id = ${ground.clientId} and month like '2028%' and not (billable_account_id = ${account} and month = '2028-01')`.execute(
    db,
  )
  expect(stored.rows).toEqual([{ count: budgets, total }])
  const trail = await sql<{
    count: number
  }>`select count(*)::int as count from audit_records where client_id = ${ground.clientId} and item_type = 'budget'
    and event = 'create' and object_changes -> 'month' ->> 'to' like '2028%'`.execute(db)
  expect(trail.rows).toEqual([{ count: budgets }])
  expect(await proposal('first_month=2028-01')).toMatchObject({ budgets: 0, kept: expect.any(Number) })
  expect((await ask(staff, 'POST', `${at()}/fill`, { fill })).status).toBe(409)
})
