/** Tests what each figure of a dashboard means where bills count whole: in the month of their date, or in their fiscal month. */
import { dashboardChildCalls, type ChildrenAnswer } from '#contract/dashboard/dashboard-children.ts'
import { dashboardBases, type DashboardBasis } from '#contract/dashboard/basis.ts'
import { dashboardCalls, type DashboardAnswer } from '#contract/dashboard/dashboard.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount, type Ground } from '../../../test/support/bills.ts'
import { addBill, type TestBill, type TestLine } from '../../../test/support/fact-bills.ts'
import { quietMachinery } from '../../../test/support/toy-server.ts'
import { fillLineFacts } from '../month-facts/fact-jobs.ts'
import { rebuildFacts } from '../month-facts/refresh-facts.ts'

const { ask, database } = await startTestApp()
const { db } = database
const admin = await makePerson(db, 'super_admin')

type Query = Readonly<Record<string, string | number>>

async function reply({ clientId }: Ground, path: string, query: Query): Promise<unknown> {
  const search = new URLSearchParams({ as_of: '2026-01-15', compare_to_last_year: 'true' })
  for (const [key, value] of Object.entries(query)) search.set(key, value.toString())
  const answer = await ask(admin, 'GET', `/clients/${clientId}/${path}?${search.toString()}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** Reads a dashboard of 2025 beside 2024. */
async function board(ground: Ground, basis: DashboardBasis, query: Query = {}): Promise<DashboardAnswer> {
  const answer = dashboardCalls.get.schemas.reply.parse(await reply(ground, 'dashboard', { basis, ...query }))
  if ('error' in answer) throw new Error(answer.message)
  return answer
}

async function children(ground: Ground, basis: DashboardBasis, kind: string, query: Query = {}): Promise<ChildrenAnswer> {
  return dashboardChildCalls.children.schemas.reply.parse(await reply(ground, 'dashboard/children', { basis, children: kind, ...query }))
}

/** A client whose gas meter is out of use, so that only electricity is expected. */
async function makeElectric(): Promise<Ground> {
  const ground = await makeGround(db)
  await sql`update services set active = false where client_id = ${ground.clientId} and id = ${ground.gasId}`.execute(db)
  return ground
}

interface Given extends Omit<TestBill, 'account' | 'current_charges' | 'lines'> {
  readonly account?: TestBill['account']
  readonly lines: readonly TestLine[]
}

/** Stores bills that cost what their lines do, and makes the facts. */
async function bills(ground: Ground, given: readonly Given[]): Promise<number[]> {
  const ids = []
  for (const one of given) {
    const cents = one.lines
      .flatMap(({ utility, supply, other }) => [utility, supply, other])
      .reduce((sum, amount) => sum + Math.round(Number(amount ?? 0) * 100), 0)
    const account = one.account ?? { billable_account_id: ground.accountId }
    ids.push((await addBill(db, ground.clientId, { ...one, account, current_charges: (cents / 100).toFixed(2) })).id)
  }
  await made(ground)
  return ids
}

async function made({ clientId }: Ground): Promise<void> {
  await rebuildFacts(db, clientId)
  await sql`insert into data_versions (client_id, version) values (${clientId}, 1) on conflict (client_id) do update set version = data_versions.version + 1`.execute(
    db,
  )
}

const line = (service_id: number, from: string, to: string, utility: string, usage: string | null = '100'): TestLine => ({
  service_id,
  from,
  to,
  utility,
  usage,
})

/** The months of the graph that have a value, as '2025-10 320.00'. */
function monthsOf({ graphs }: DashboardAnswer): string[] {
  return graphs.series.flatMap(({ points }) => points.flatMap(({ month, current }) => (current === null ? [] : [`${month} ${current}`])))
}

async function graph(ground: Ground, basis: DashboardBasis, query: Query = {}): Promise<string[]> {
  return monthsOf(await board(ground, basis, query))
}

describe('the month of a bill', () => {
  test('a bill is spread over its days, counts whole in the month of its date, or whole in its fiscal month: cost and usage alike', async () => {
    const ground = await makeElectric()
    await bills(ground, [
      {
        date: '2025-11-03',
        fiscal_month: '2025-08',
        lines: [line(ground.electricId, '2025-09-12', '2025-10-14', '320.00', '3200')],
      },
    ])
    expect(await graph(ground, 'calendarized')).toEqual(['2025-09 190.00', '2025-10 130.00'])
    expect(await graph(ground, 'billed')).toEqual(['2025-11 320.00'])
    expect(await graph(ground, 'fiscal')).toEqual(['2025-08 320.00'])
    for (const [basis, month] of [
      ['billed', '2025-11'],
      ['fiscal', '2025-08'],
    ] as const) {
      expect(await graph(ground, basis, { graph_data_type: 'usage' })).toEqual([`${month} 3200.000`])
      expect(await graph(ground, basis, { graph_data_type: 'unit_cost' })).toEqual([`${month} 0.1000`])
      // 3,200 kWh by the factor of 0.3497.
      expect(await graph(ground, basis, { graph_data_type: 'emissions' })).toEqual([`${month} 1.12`])
    }
    expect((await board(ground, 'fiscal')).basis).toBe('fiscal')
    const usual = dashboardCalls.get.schemas.reply.parse(await reply(ground, 'dashboard', {}))
    expect(usual).toMatchObject({ basis: 'calendarized', dashboard: { total_utility_cost: { current: '320.00' } } })
  })

  test('a line with a fiscal month of its own counts in it, the others in that of the bill, and without either in the month of the date', async () => {
    const ground = await makeGround(db)
    const days = ['2025-03-01', '2025-04-01'] as const
    await bills(ground, [
      {
        date: '2025-04-05',
        fiscal_month: '2025-03',
        lines: [{ ...line(ground.electricId, ...days, '70.00'), fiscal_month: '2025-02' }, line(ground.gasId, ...days, '30.00')],
      },
      { date: '2025-05-05', lines: [line(ground.gasId, '2025-04-01', '2025-05-01', '9.00')] },
    ])
    expect(await graph(ground, 'fiscal')).toEqual(['2025-02 70.00', '2025-03 30.00', '2025-05 9.00'])
    expect(await graph(ground, 'billed')).toEqual(['2025-04 70.00', '2025-04 30.00', '2025-05 9.00'])
  })

  test('a bill without a line counts whole too, with no meter and no day; a line without dates in the month of its bill', async () => {
    const ground = await makeElectric()
    const account = { billable_account_id: ground.accountId }
    await addBill(db, ground.clientId, {
      account,
      date: '2025-05-20',
      fiscal_month: '2025-04',
      current_charges: '31.00',
      from: '2025-03-01',
      to: '2025-05-01',
      lines: [],
    })
    await bills(ground, [{ date: '2025-06-20', lines: [{ ...line(ground.electricId, '', '', '5.00', null), from: null, to: null }] }])
    expect(await graph(ground, 'calendarized')).toEqual(['2025-03 15.75', '2025-04 15.25', '2025-06 5.00'].toSorted())
    expect((await graph(ground, 'billed')).toSorted()).toEqual(['2025-05 31.00', '2025-06 5.00'])
    expect((await graph(ground, 'fiscal')).toSorted()).toEqual(['2025-04 31.00', '2025-06 5.00'])
    const { dashboard, coverage } = await board(ground, 'billed')
    expect(dashboard.total_active_meters).toMatchObject({ current: 0, without_bills: 1 })
    expect([dashboard.average_cost_per_day.current, coverage.current]).toEqual([null, '0.0000'])
  })

  test('a void bill counts in no month, and its rebill in the month of its own date', async () => {
    const ground = await makeElectric()
    const days = ['2025-01-01', '2025-02-01'] as const
    const [wrong, right] = await bills(ground, [
      { date: '2025-02-03', lines: [line(ground.electricId, ...days, '999.00')] },
      { date: '2025-06-10', lines: [line(ground.electricId, ...days, '111.00')] },
    ])
    await sql`update bills set superseded_by_id = ${right} where client_id = ${ground.clientId} and id = ${wrong}`.execute(db)
    await made(ground)
    expect(await graph(ground, 'calendarized')).toEqual(['2025-01 111.00'])
    expect(await graph(ground, 'billed')).toEqual(['2025-06 111.00'])
  })

  test('an unknown basis is refused by name', async () => {
    const { clientId } = await makeElectric()
    for (const path of ['dashboard', 'dashboard/children?children=services', 'dashboard/unbilled_meters']) {
      const { status, text } = await ask(admin, 'GET', `/clients/${clientId}/${path}${path.includes('?') ? '&' : '?'}basis=accrual`)
      expect([status, text]).toEqual([422, expect.stringContaining('"basis"')])
    }
  })
})

describe('what counts', () => {
  test('$156 of a group stay $156 on each basis with none, one and all of its children linked, and usage is counted once', async () => {
    const ground = await makeElectric()
    const group = await makeAccount(db, ground, 'GROUP', { group: true })
    const meter = await makeService(db, ground.clientId, group, 'electric', 'GM')
    const days = ['2025-01-01', '2025-02-01'] as const
    const [parent] = await bills(ground, [
      { account: { billable_account_id: group }, date: '2025-02-03', lines: [line(meter, ...days, '156.00', '156')] },
    ])
    const total = async () => {
      const found = []
      for (const basis of dashboardBases) found.push((await board(ground, basis)).dashboard.total_utility_cost.current)
      return found
    }
    expect(await total()).toEqual(['156.00', '156.00', '156.00'])
    for (const [number, utility] of [
      ['CHILD-1', '56.00'],
      ['CHILD-2', '100.00'],
    ] as const) {
      const child = await makeAccount(db, ground, number, { groupId: group })
      const own = await makeService(db, ground.clientId, child, 'electric', number)
      await bills(ground, [
        {
          account: { billable_account_id: child },
          date: '2025-02-04',
          ...(parent === undefined ? {} : { group_bill_id: parent }),
          lines: [line(own, ...days, utility, Number(utility).toString())],
        },
      ])
      expect(await total()).toEqual(['156.00', '156.00', '156.00'])
    }
    expect((await board(ground, 'billed')).dashboard.service_usage.current).toBe('156.000')
    expect((await board(ground, 'billed', { scope_type: 'group_account', scope_id: group })).dashboard.total_utility_cost.current).toBe(
      '156.00',
    )
  })

  test('a supply line of a linked account adds cost and no usage in the month of its own bill, and its account shows the usage', async () => {
    const ground = await makeElectric()
    const supplier = await makeSupplyAccount(db, ground, 'SUPPLY')
    const meter = await makeService(db, ground.clientId, supplier, 'electric', 'S-1', 'supply_account_id')
    await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) values (${ground.clientId}, ${supplier}, ${ground.electricId})`.execute(
      db,
    )
    const days = ['2025-03-01', '2025-04-01'] as const
    await bills(ground, [
      { date: '2025-04-02', lines: [line(ground.electricId, ...days, '40.00', '1000')] },
      {
        account: { supply_account_id: supplier },
        date: '2025-05-02',
        lines: [{ ...line(meter, ...days, '0.00', '1000'), supply: '60.00' }],
      },
    ])
    const { dashboard } = await board(ground, 'billed')
    expect([dashboard.total_utility_cost.current, dashboard.service_usage.current]).toEqual(['100.00', '1000.000'])
    const facility = await board(ground, 'billed', { graph_data_type: 'usage' })
    expect(monthsOf(facility)).toEqual(['2025-04 1000.000'])
    const own = await board(ground, 'billed', { scope_type: 'supply_account', scope_id: supplier })
    expect([own.dashboard.service_usage.current, own.dashboard.total_mtc02e.current]).toEqual(['1000.000', null])
    const delivery = await board(ground, 'billed', { scope_type: 'billable_account', scope_id: ground.accountId })
    expect(delivery.dashboard.supply_unit).toMatchObject({ current: '0.0600', note: 'billed by City Power' })
    expect(delivery.dashboard.account_total_unit.current).toBe('0.1000')
  })

  test('emissions go by the edition in force on the first day of the month in which the bill counts', async () => {
    const ground = await makeElectric()
    await sql`insert into emission_factors (utility_service_id, unit_id, effective_from, value, source, edition, year, gas_basis, scope)
      select utility_service_id, unit_id, next.since, next.value, 'test', 'next', 2025, 'CO2e', 2 from emission_factors join utility_services kind on kind.id = utility_service_id
      cross join (values ('2025-05-01'::date, 1.0), ('2025-06-01'::date, 2.0), ('2025-07-01'::date, 3.0)) next (since, value)
      where kind.code = 'electric' order by effective_from limit 3`.execute(db)
    try {
      await bills(ground, [
        { date: '2025-06-20', fiscal_month: '2025-07', lines: [line(ground.electricId, '2025-05-01', '2025-06-01', '1.00', '1000')] },
      ])
      const tonnes = async (basis: DashboardBasis) => (await board(ground, basis)).dashboard.total_mtc02e.current
      expect([await tonnes('calendarized'), await tonnes('billed'), await tonnes('fiscal')]).toEqual(['1.00', '2.00', '3.00'])
    } finally {
      await sql`delete from emission_factors where edition = 'next'`.execute(db)
    }
  })
})

describe('days and coverage', () => {
  test('the cost of a day is over the distinct days of the bills that count, wherever they lie', async () => {
    const ground = await makeGround(db)
    // Two meters of the same 31 days in 2024, billed in 2025, and ten days more of one of them.
    await bills(ground, [
      {
        date: '2025-01-04',
        lines: [line(ground.electricId, '2024-12-01', '2025-01-01', '60.00'), line(ground.gasId, '2024-12-01', '2025-01-01', '20.00')],
      },
      { date: '2025-01-30', lines: [line(ground.electricId, '2025-01-01', '2025-01-11', '43.00')] },
    ])
    const { dashboard } = await board(ground, 'billed')
    expect(dashboard.average_cost_per_day).toMatchObject({ current: '3.00' })
    const gas = (await board(ground, 'billed')).service_options.find(({ service_code }) => service_code === 'natural_gas')?.id ?? 0
    expect((await board(ground, 'billed', { service: gas })).dashboard.average_cost_per_day.current).toBe('0.65')
    expect((await board(ground, 'calendarized')).dashboard.average_cost_per_day.current).toBe('4.30')
  })

  test('coverage is the billed days over the days that the meters are expected; a month has none, because a whole bill leaves nothing of it open', async () => {
    const ground = await makeElectric()
    // Eleven bills of 2025: 334 days, of which the first 31 lie in 2024. None of 2024.
    const dated = Array.from({ length: 11 }, (_, month) => ({
      date: day(2025, month, 4),
      lines: [line(ground.electricId, day(2025, month - 1, 1), day(2025, month, 1), '31.00')],
    }))
    await bills(ground, dated)
    const { coverage, graphs, comparison, dashboard } = await board(ground, 'billed')
    // December 2024 to October 2025.
    expect(coverage).toEqual({ current: '0.9178', previous: '0.0000' })
    expect(graphs.coverage.every(({ current, previous }) => current === null && previous === null)).toBe(true)
    expect(comparison).toMatchObject({ state: 'withheld' })
    expect(dashboard.total_active_meters).toMatchObject({ current: 1, without_bills: 0 })
    // A day that two lines of a meter have is billed once.
    await bills(ground, [{ date: '2025-03-20', lines: [line(ground.electricId, '2025-02-01', '2025-03-01', '5.00')] }])
    expect((await board(ground, 'billed')).coverage.current).toBe('0.9178')
  })

  test('meters without a bill dated in the period are listed, though bills of other months cover its days', async () => {
    const ground = await makeElectric()
    await bills(ground, [{ date: '2026-01-05', lines: [line(ground.electricId, '2025-12-01', '2026-01-01', '31.00')] }])
    const unbilled = async (basis: DashboardBasis) => {
      const { meters } = dashboardCalls.unbilledMeters.schemas.reply.parse(await reply(ground, 'dashboard/unbilled_meters', { basis }))
      return meters.map((meter) => meter.meter_number)
    }
    expect(await unbilled('calendarized')).toEqual([])
    expect(await unbilled('billed')).toEqual(['E-1'])
    expect((await board(ground, 'calendarized')).dashboard.total_active_meters).toMatchObject({ current: 1, without_bills: 0 })
    expect((await board(ground, 'billed')).dashboard.total_active_meters).toMatchObject({ current: 0, without_bills: 1 })
    expect((await board(ground, 'billed')).last_year_with_data).toEqual({ year: 2026, as_of: '2026-02-01' })
  })

  test('a retired meter is expected on the days that its bills cover, and is no active one without bills', async () => {
    const ground = await makeElectric()
    await bills(ground, [
      { date: '2025-02-04', lines: [line(ground.gasId, '2025-01-01', '2025-02-01', '10.00')] },
      { date: '2025-03-04', lines: [line(ground.gasId, '2025-02-01', '2025-03-01', '10.00')] },
    ])
    const { dashboard, coverage } = await board(ground, 'billed')
    expect(dashboard.total_active_meters).toMatchObject({ current: 1, configured: 1, without_bills: 1 })
    // 59 days of 365 + 59.
    expect(coverage.current).toBe('0.1392')
  })
})

describe('a change', () => {
  test('is over the meters that have bills in the same month of both periods, each over as many days as the one with fewer has', async () => {
    const ground = await makeElectric()
    const [electric, gas] = [ground.electricId, ground.gasId]
    await bills(ground, [
      // In March two bills of 62 days now, one of 31 then: half of the 240.00 counts. April has no counterpart.
      { date: '2025-03-01', lines: [line(electric, '2025-01-01', '2025-02-01', '100.00')] },
      { date: '2025-03-31', lines: [line(electric, '2025-02-01', '2025-03-04', '140.00')] },
      { date: '2025-04-30', lines: [line(electric, '2025-03-04', '2025-04-01', '500.00')] },
      { date: '2024-03-10', lines: [line(electric, '2024-02-01', '2024-03-03', '100.00')] },
      // Gas is billed in one of the periods only.
      { date: '2025-03-10', lines: [line(gas, '2025-02-01', '2025-03-01', '70.00')] },
    ])
    const { dashboard, summary } = await board(ground, 'billed', { from_month: '2025-03', to_month: '2025-04' })
    expect(dashboard.total_utility_cost).toMatchObject({
      current: '810.00',
      previous: '100.00',
      like_for_like: { current: '120.00', previous: '100.00' },
      change: '20.00',
    })
    expect(dashboard.average_cost_per_day.like_for_like).toEqual({ current: '3.87', previous: '3.23' })
    expect(summary.find((row) => row.service_code === 'natural_gas')?.cost).toMatchObject({
      like_for_like: { current: null },
      change: null,
    })
    expect(dashboard.highest_cost_facility).toMatchObject({ like_for_like: { current: '120.00', previous: '100.00' } })
    const { total, rows } = await children(ground, 'billed', 'accounts', { from_month: '2025-03', to_month: '2025-04' })
    expect([total.cost.like_for_like, rows[0]?.cost.like_for_like]).toEqual([
      { current: '120.00', previous: '100.00' },
      { current: '120.00', previous: '100.00' },
    ])
  })

  test('what has no days counts where both periods have it in the same month, and nowhere else', async () => {
    const ground = await makeElectric()
    for (const [date, current_charges] of [
      ['2024-05-02', '10.00'],
      ['2025-05-20', '12.00'],
      ['2025-07-20', '99.00'],
    ] as const)
      await addBill(db, ground.clientId, { account: { billable_account_id: ground.accountId }, date, current_charges, lines: [] })
    await made(ground)
    expect((await board(ground, 'billed')).dashboard.total_utility_cost.like_for_like).toEqual({ current: '12.00', previous: '10.00' })
  })

  test('of a part only says that it compares meters and months', async () => {
    const ground = await makeElectric()
    const of = (year: number, count: number) =>
      Array.from({ length: count }, (_, month) => ({
        date: day(year, month, 28),
        lines: [line(ground.electricId, day(year, month - 1, 25), day(year, month, 25), '31.00')],
      }))
    await bills(ground, [...of(2024, 12), ...of(2025, 10)])
    expect((await board(ground, 'billed')).comparison).toEqual({
      state: 'partial',
      reason: 'Changes compare only the meters and months that both periods bill',
    })
  })
})

describe('all parts of the page', () => {
  test('every scope, the rankings, the table and its months take the same basis and add up to the same cost', async () => {
    const ground = await makeElectric()
    const { clientId, divisionId, facilityId, accountId } = ground
    await bills(ground, [
      { date: '2024-12-20', fiscal_month: '2025-01', lines: [line(ground.electricId, '2024-11-12', '2024-12-14', '320.00')] },
      { date: '2025-03-05', lines: [line(ground.electricId, '2024-12-22', '2025-01-11', '64.00')] },
    ])
    const scopes: Query[] = [
      {},
      { scope_type: 'division', scope_id: divisionId },
      { scope_type: 'facility', scope_id: facilityId },
      { scope_type: 'billable_accounts', scope_id: clientId },
      { scope_type: 'billable_account', scope_id: accountId },
    ]
    const costs = { calendarized: ['32.00', '352.00'], billed: ['64.00', '320.00'], fiscal: ['384.00', '0.00'] } as const
    for (const basis of dashboardBases)
      for (const scope of scopes) {
        const [current, previous] = costs[basis]
        const name = `${basis} ${scope['scope_type'] ?? 'client'}`
        const { dashboard, graphs, summary, basis: told } = await board(ground, basis, scope)
        const parts = await children(ground, basis, 'services', scope)
        expect([told, parts.basis], name).toEqual([basis, basis])
        for (const figure of [dashboard.total_utility_cost, dashboard.highest_cost_facility, dashboard.highest_cost_division])
          expect(figure, name).toMatchObject({ current, previous })
        for (const figure of [summary[0]?.cost, parts.total.cost, parts.rows[0]?.cost])
          expect(figure, name).toMatchObject({ current, previous })
        expect(dashboard.utility_cost_percentage.current, name).toBe('100.00')
        expect(dashboard.highest_mtc02e_facility.name, name).toBe('Store 1')
        const drawn = graphs.series.flatMap(({ points }) => points.map((point) => Number(point.current ?? 0)))
        const sparks = parts.months.slice(12).map(({ cost }) => Number(cost ?? 0))
        for (const months of [drawn, sparks, parts.rows[0]?.spark.slice(12).map(Number) ?? []])
          expect(months.reduce((sum, cost) => sum + cost, 0).toFixed(2), name).toBe(current)
      }
  })
})

test('a narrowed role sees the sums of its part, on this basis as on the usual one', async () => {
  const ground = await makeElectric()
  const { clientId } = ground
  const { rows } = await sql<{ id: number }>`insert into facilities (client_id, division_id, name, number)
    values (${clientId}, ${ground.divisionId}, 'Store 2', 'F2') returning id`.execute(db)
  const second = rows[0]?.id ?? 0
  const account = await makeAccount(db, { ...ground, facilityId: second }, 'SECOND')
  const meter = await makeService(db, clientId, account, 'electric', 'E-2')
  const days = ['2025-09-12', '2025-10-14'] as const
  await bills(ground, [
    { date: '2025-11-03', lines: [line(ground.electricId, ...days, '320.00')] },
    { account: { billable_account_id: account }, date: '2025-11-04', lines: [line(meter, ...days, '80.00')] },
  ])
  const narrowed = await makePerson(db, 'client_user', { clients: [clientId], facility: [[clientId, second]] })
  const { body, status } = await ask(narrowed, 'GET', `/clients/${clientId}/dashboard?as_of=2026-01-15&basis=billed`)
  expect(status).toBe(200)
  const answer = dashboardCalls.get.schemas.reply.parse(body)
  if ('error' in answer) throw new Error(answer.message)
  expect(monthsOf(answer)).toEqual(['2025-11 80.00'])
  expect(answer.scope.partial).toBe(true)
  expect(answer.dashboard.utility_cost_percentage.current).toBe('100.00')
  expect(answer.dashboard.highest_cost_facility).toMatchObject({ id: second, current: '80.00' })
})

test('after an update the bills that were saved before count on the new bases as soon as the job has run, and until then the page says so', async () => {
  const ground = await makeElectric()
  await bills(ground, [{ date: '2025-11-03', lines: [line(ground.electricId, '2025-09-12', '2025-10-14', '320.00')] }])
  await sql`delete from bill_line_facts where client_id = ${ground.clientId}`.execute(db)
  await sql`insert into line_facts_due values (${ground.clientId})`.execute(db)
  expect(await reply(ground, 'dashboard', { basis: 'billed' })).toEqual({ error: true, message: expect.stringContaining('being prepared') })
  expect((await board(ground, 'calendarized')).dashboard.total_utility_cost.current).toBe('320.00')
  await fillLineFacts({ machinery: quietMachinery(database), signal: new AbortController().signal })
  expect(await graph(ground, 'billed')).toEqual(['2025-11 320.00'])
})

function day(year: number, month: number, of: number): string {
  return new Date(Date.UTC(year, month, of)).toISOString().slice(0, 10)
}
