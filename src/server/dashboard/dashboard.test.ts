import type { DashboardAnswer } from '#contract/dashboard/dashboard.ts'
import { dashboardChildCalls } from '#contract/dashboard/dashboard-children.ts'
import { dashboardCalls } from '#contract/dashboard/dashboard.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount } from '../../../test/support/bills.ts'
import { refreshFacts } from '../month-facts/refresh-facts.ts'
import { addBill, type TestLine } from '../../../test/support/fact-bills.ts'

const { ask, database } = await startTestApp()
const { db } = database
const admin = await makePerson(db, 'super_admin')

/** Two divisions with a store each. Store 1: electricity and gas over 2024 and 2025; Store 2: water in 2025. */
async function makeEstate() {
  const ground = await makeGround(db)
  const { clientId } = ground
  const id = async (text: ReturnType<typeof sql<{ id: number }>>) => (await text.execute(db)).rows[0]?.id ?? 0
  const divisionB = await id(
    sql`insert into divisions (client_id, name, short_code, code) values (${clientId}, 'East', 'E', 'E') returning id`,
  )
  const facilityB = await id(
    sql`insert into facilities (client_id, division_id, name, number) values (${clientId}, ${divisionB}, 'Store 2', 'F2') returning id`,
  )
  const accountB = await makeAccount(db, { ...ground, facilityId: facilityB }, 'WATER-1')
  const water = await makeService(db, clientId, accountB, 'water', 'W-1')
  for (const year of [2024, 2025]) {
    for (let month = 0; month < 12; month += 1) {
      const [from, to] = [day(year, month), day(year, month + 1)]
      const scale = year === 2025 ? 2 : 1
      const lines: TestLine[] = [
        { service_id: ground.electricId, from, to, utility: `${60 * scale}.00`, supply: `${30 * scale}.00`, usage: '1000' },
        { service_id: ground.gasId, from, to, utility: `${20 * scale}.00`, usage: '50' },
      ]
      await addBill(db, clientId, {
        account: { billable_account_id: ground.accountId },
        date: to,
        current_charges: `${110 * scale}.00`,
        late_fee: `${scale}.10`,
        balance_forward: '500.00',
        lines,
      })
      if (year === 2025) {
        await addBill(db, clientId, {
          account: { billable_account_id: accountB },
          date: to,
          current_charges: '400.00',
          lines: [{ service_id: water, from, to, utility: '400.00', usage: '10' }],
        })
      }
    }
  }
  await refreshFacts(db, clientId, [ground.electricId, ground.gasId, water])
  return { ...ground, divisionB, facilityB, accountB, water }
}

function day(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}

const estate = await makeEstate()
const asOf = '2026-01-15'

function get(
  who: Person | null,
  query: Record<string, string | number> = {},
  clientId = estate.clientId,
  path = 'dashboard',
): Promise<Answer> {
  const search = new URLSearchParams({ as_of: asOf })
  for (const [key, value] of Object.entries(query)) search.set(key, value.toString())
  return ask(who, 'GET', `/clients/${clientId}/${path}?${search.toString()}`)
}

async function board(query: Record<string, string | number> = {}, who: Person = admin): Promise<DashboardAnswer> {
  const answer = await get(who, query)
  expect(answer.status, answer.text).toBe(200)
  const reply = dashboardCalls.get.schemas.reply.parse(answer.body)
  if ('error' in reply) throw new Error(reply.message)
  return reply
}

async function serviceId(code: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from utility_services where code = ${code}`.execute(db)
  return rows[0]?.id ?? 0
}
const [electric, gas, waterService] = [await serviceId('electric'), await serviceId('natural_gas'), await serviceId('water')]

describe('the metrics of a client', () => {
  test('[DASH-FIELD-001] [DASH-FIELD-003] [DASH-FIELD-005] cost, the service that costs most, the cost of a day and the meters, each with the window before', async () => {
    const { dashboard, windows } = await board({ compare_to_last_year: 'true' })
    expect(windows).toEqual({ current: { from: '2025-01-01', to: '2025-12-31' }, previous: { from: '2024-01-01', to: '2024-12-31' } })
    // 12 x (220 + 2.10) of Store 1, 12 x 400 of Store 2; the year before 12 x (110 + 1.10).
    expect(dashboard.total_utility_cost).toMatchObject({ current: '7465.20', previous: '1333.20', change: '99.91' })
    expect(dashboard.highest_cost_service).toMatchObject({ name: 'Water', current: '4800.00', previous: '0.00', share: '64.30' })
    expect(dashboard.highest_cost_division).toMatchObject({
      id: estate.divisionB,
      name: 'East',
      current: '4800.00',
      previous: '0.00',
      share: '64.30',
    })
    expect(dashboard.highest_cost_facility).toMatchObject({ id: estate.facilityB, name: 'Store 2', current: '4800.00' })
    expect(dashboard.average_cost_per_day).toMatchObject({ current: '20.45', previous: '3.64' })
    expect(dashboard.total_active_meters).toMatchObject({ current: 3, previous: 2, configured: 3, without_bills: 0 })
  })

  test('[DASH-FIELD-002] [DASH-SCREEN-002] tonnes are kilograms of the factor over a thousand', async () => {
    const { dashboard } = await board({ compare_to_last_year: 'true' })
    // 12,000 kWh x 0.3497 + 600 therms x 5.3115 + 120 kgal x 0.6688 = 4,196.40 + 3,186.90 + 80.256 kg.
    expect(dashboard.total_mtc02e).toMatchObject({ current: '7.46', previous: '7.38' })
    expect(dashboard.highest_mtc02e_facility).toMatchObject({ name: 'Store 1', current: '7.38', previous: '7.38', share: '98.92' })
  })

  test('[DASH-FIELD-001] usage has a sum only where it has one unit: none over water and power, MMBtu over power and gas, kWh of power', async () => {
    const client = await board()
    expect(client.dashboard.service_usage).toMatchObject({ current: null, unit_symbol: null })
    expect(client.dashboard.total_unit_cost.current).toBeNull()
    const store = await board({ scope_type: 'Facility', scope_id: estate.facilityId })
    // 12,000 kWh x 3.412142 + 600 therms x 100 kBtu, over a thousand.
    expect(store.dashboard.service_usage).toMatchObject({ current: '100.946', unit_symbol: 'MMBtu' })
    const power = await board({ service: electric })
    expect(power.dashboard.service_usage).toMatchObject({ current: '12000.000', previous: '12000.000', unit_symbol: 'kWh' })
    expect(power.dashboard.total_unit_cost).toMatchObject({ current: '0.1817', previous: '0.0909' })
  })

  test('[DASH-FIELD-004] unit costs by delivery and supply, which make up the total of an account, and the share of the client’s cost', async () => {
    const { dashboard } = await board({ scope_type: 'BillableAccount', scope_id: estate.accountId, service: electric })
    // Electricity carries 180 / 220 of the 2.10 charged outside the lines: 1.72 a month, in total 2,180.64 over 12,000 kWh.
    expect(dashboard.distribution_unit.current).toBe('0.1200')
    expect(dashboard.supply_unit.current).toBe('0.0600')
    expect(dashboard.account_total_unit.current).toBe('0.1817')
    expect(dashboard.total_unit_cost.current).toBe('0.1817')
    expect(dashboard.utility_cost_percentage).toMatchObject({ current: '29.21', breakdown: [] })
    const client = await board()
    const { breakdown } = client.dashboard.utility_cost_percentage
    expect(breakdown.map((part) => part.name)).toEqual(['Water', 'Electric', 'Natural Gas'])
    expect(breakdown.reduce((sum, part) => sum + Math.round(Number(part.percentage) * 100), 0)).toBe(10_000)
    expect(client.dashboard.utility_cost_percentage.current).toBe('100.00')
  })
})

describe('windows', () => {
  test('a range of one’s own is compared with the same months a year before, and with none of its own months where it is longer', async () => {
    const own = async (from_month: string, to_month: string) => {
      const { windows, graphs, dashboard } = await board({ from_month, to_month, date_range_type: 'last_3_months' })
      return { ...windows, points: graphs.coverage.length, cost: dashboard.total_utility_cost }
    }
    // 2 x (220 + 2.10) of Store 1 and 2 x 400 of Store 2; the year before 2 x (110 + 1.10).
    expect(await own('2025-03', '2025-04')).toMatchObject({
      current: { from: '2025-03-01', to: '2025-04-30' },
      previous: { from: '2024-03-01', to: '2024-04-30' },
      points: 2,
      cost: { current: '1244.20', previous: '222.20' },
    })
    expect(await own('2024-12', '2025-12')).toMatchObject({
      current: { from: '2024-12-01', to: '2025-12-31' },
      previous: { from: '2022-12-01', to: '2023-12-31' },
      cost: { current: '7576.30' },
    })
    expect(await own('2023-01', '2025-12')).toMatchObject({ previous: { from: '2020-01-01', to: '2022-12-31' }, points: 36 })
  })

  test('months that are no range are refused at their field', async () => {
    const refused = async (from_month: string, to_month: string, path = 'dashboard') => {
      const { status, body } = await get(
        admin,
        { from_month, to_month, ...(path === 'dashboard' ? {} : { children: 'services' }) },
        estate.clientId,
        path,
      )
      return [status, JSON.stringify(body)]
    }
    expect(await refused('2025-13', '2025-12')).toEqual([422, expect.stringMatching(/"from_month":\["From Month must be a month/)])
    expect(await refused('2025-01', '')).toEqual([422, expect.stringMatching(/"to_month":\["To Month is required/)])
    expect(await refused('', '2025-01')).toEqual([422, expect.stringMatching(/"from_month":\["From Month is required/)])
    expect(await refused('2025-02', '2025-01')).toEqual([
      422,
      expect.stringMatching(/"to_month":\["To Month must not be before From Month/),
    ])
    expect(await refused('2023-01', '2026-01')).toEqual([422, expect.stringMatching(/"to_month":\["The range must have at most 36 months/)])
    expect(await refused('2023-01', '2026-01', 'dashboard/children')).toEqual([422, expect.stringContaining('to_month')])
    expect((await refused('2023-02', '2026-01'))[0]).toBe(200)
  })

  test('[DASH-CONST-001] [DASH-CONST-002] [DASH-CONST-003] the five ranges, fiscal year as twelve months, compared with last year or with the months before', async () => {
    const windowsFor = async (date_range_type: string, compare: string) =>
      (await board({ date_range_type, compare_to_last_year: compare })).windows
    expect((await board()).windows).toEqual(await windowsFor('last_12_months', 'false'))
    expect(await windowsFor('fiscal_year', 'true')).toEqual(await windowsFor('last_12_months', 'true'))
    expect(await windowsFor('last_3_months', 'false')).toEqual({
      current: { from: '2025-10-01', to: '2025-12-31' },
      previous: { from: '2025-07-01', to: '2025-09-30' },
    })
    expect(await windowsFor('last_6_months', 'true')).toEqual({
      current: { from: '2025-07-01', to: '2025-12-31' },
      previous: { from: '2024-07-01', to: '2024-12-31' },
    })
    expect(await windowsFor('year_to_date', 'true')).toEqual({
      current: { from: '2025-01-01', to: '2025-12-31' },
      previous: { from: '2024-01-01', to: '2024-12-31' },
    })
  })

  test('a window without bills names the last year that has some and the day to look from', async () => {
    const late = await board({ as_of: '2030-06-15' })
    expect(late.has_data).toBe(false)
    expect(late.dashboard.total_utility_cost).toMatchObject({ current: '0.00', coverage: '0.0000' })
    expect(late.last_year_with_data).toEqual({ year: 2025, as_of: '2026-01-01' })
    expect((await board({ as_of: late.last_year_with_data?.as_of ?? '' })).has_data).toBe(true)
    expect((await board()).last_year_with_data).toBeNull()
  })
})

describe('graphs and summary', () => {
  test('[DASH-FIELD-006] a series a service with a point a month, both windows side by side, which sum to the total', async () => {
    const { graphs } = await board({ compare_to_last_year: 'true' })
    expect(graphs.series.map((series) => [series.kind, series.name, series.service_code])).toEqual([
      ['service', 'Water', 'water'],
      ['service', 'Electric', 'electric'],
      ['service', 'Natural Gas', 'natural_gas'],
    ])
    const power = graphs.series.find((series) => series.service_code === 'electric')
    expect(power?.points).toHaveLength(12)
    expect(power?.points[0]).toEqual({ month: '2025-01', previous_month: '2024-01', current: '181.72', previous: '90.90' })
    expect(graphs.series[0]?.points[0]).toMatchObject({ current: '400.00', previous: null })
    const cents = graphs.series
      .flatMap((series) => series.points.map((point) => Math.round(Number(point.current ?? 0) * 100)))
      .reduce((sum, one) => sum + one, 0)
    expect(cents).toBe(746_520)
    expect(graphs.coverage[0]).toEqual({ month: '2025-01', previous_month: '2024-01', current: '1.0000', previous: '0.6667' })
  })

  test('[DASH-API-001] the graph follows graph_data_type, the summary may be left out, a facility draws its accounts', async () => {
    const usage = await board({ graph_data_type: 'usage', service: gas, summary: 'false' })
    expect(usage.graphs.series.map((series) => [series.name, series.unit_symbol, series.points[3]?.current])).toEqual([
      ['Natural Gas', 'therm', '50.000'],
    ])
    expect(usage.summary).toEqual([])
    const unit = await board({ graph_data_type: 'unit_cost', service: waterService })
    expect(unit.graphs.series[0]?.points[0]?.current).toBe('40.0000')
    const emissions = await board({ graph_data_type: 'emissions', service: gas })
    expect(emissions.graphs.series[0]?.points[0]?.current).toBe('0.27')
    const all = await board({
      scope_type: 'division',
      scope_id: estate.divisionId,
      client_id: estate.clientId,
      service: electric,
      compare_to_last_year: 'true',
      date_range_type: 'last_3_months',
      graph_data_type: 'usage',
      summary: 'true',
    })
    expect(all).toMatchObject({
      scope: { scope_type: 'division', id: estate.divisionId },
      windows: { current: { from: '2025-10-01', to: '2025-12-31' }, previous: { from: '2024-10-01', to: '2024-12-31' } },
      graphs: { graph_data_type: 'usage', series: [{ name: 'Electric' }] },
      summary: [{ service_code: 'electric' }],
    })
    const store = await board({ scope_type: 'facility', scope_id: estate.facilityB })
    expect(store.graphs.series.map((series) => [series.kind, series.name])).toEqual([['account', 'WATER-1']])
  })

  test('[DASH-FIELD-006] a row a service with cost, usage, unit cost and tonnes, each beside the window before', async () => {
    const { summary } = await board({ compare_to_last_year: 'true' })
    expect(summary.map((row) => row.name)).toEqual(['Water', 'Electric', 'Natural Gas'])
    expect(summary[1]).toMatchObject({
      unit_symbol: 'kWh',
      cost: { current: '2180.64', previous: '1090.80', change: '99.91' },
      usage: { current: '12000.000', previous: '12000.000', change: '0.00' },
      unit_cost: { current: '0.1817', previous: '0.0909', change: '99.89' },
      mtc02e: { current: '4.20', previous: '4.20', change: '0.00' },
    })
  })
})

describe('scopes', () => {
  test('[DASH-SCREEN-004] each scope sums its own part, written in either way', async () => {
    const cost = async (scope_type: string, scope_id: number) =>
      (await board({ scope_type, scope_id })).dashboard.total_utility_cost.current
    expect(await cost('Client', estate.clientId)).toBe('7465.20')
    expect(await cost('Division', estate.divisionId)).toBe('2665.20')
    expect(await cost('division', estate.divisionB)).toBe('4800.00')
    expect(await cost('facility', estate.facilityB)).toBe('4800.00')
    expect(await cost('BillableAccount', estate.accountB)).toBe('4800.00')
  })

  test('[DASH-SCREEN-004] a group account sums the accounts that it gathers, a supply account shows the use that its own lines meter', async () => {
    const ground = await makeGround(db)
    const group = await makeAccount(db, ground, 'GROUP', { group: true })
    await sql`update billable_accounts set group_account_id = ${group} where id = ${ground.accountId}`.execute(db)
    const supplier = await makeSupplyAccount(db, ground, 'SUP')
    const supplied = await makeService(db, ground.clientId, supplier, 'electric', 'S-1', 'supply_account_id')
    await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) values (${ground.clientId}, ${supplier}, ${ground.electricId})`.execute(
      db,
    )
    const line = { from: '2025-11-01', to: '2025-12-01', usage: '500' }
    await addBill(db, ground.clientId, {
      account: { billable_account_id: ground.accountId },
      date: '2025-12-02',
      current_charges: '50.00',
      lines: [{ ...line, service_id: ground.electricId, utility: '50.00' }],
    })
    await addBill(db, ground.clientId, {
      account: { supply_account_id: supplier },
      date: '2025-12-02',
      current_charges: '25.00',
      lines: [{ ...line, service_id: supplied, supply: '25.00' }],
    })
    await refreshFacts(db, ground.clientId, [ground.electricId, supplied])
    const of = async (scope_type: string, scope_id: number) => {
      const { body } = await get(admin, { scope_type, scope_id }, ground.clientId)
      const reply = dashboardCalls.get.schemas.reply.parse(body)
      return 'error' in reply
        ? reply.message
        : [reply.dashboard.total_utility_cost.current, reply.dashboard.service_usage.current, reply.dashboard.total_unit_cost.current]
    }
    expect(await of('group_account', group)).toEqual(['50.00', '500.000', '0.1000'])
    expect(await of('SupplyAccount', supplier)).toEqual(['25.00', '500.000', '0.0500'])
    const supplyGroup = await makeSupplyAccount(db, ground, 'SUP-GROUP')
    await sql`update supply_accounts set is_group_account = true where id = ${supplyGroup}`.execute(db)
    expect(await of('group_supply_account', supplyGroup)).toEqual(['0.00', null, null])
    await sql`update supply_accounts set group_supply_account_id = ${supplyGroup} where id = ${supplier}`.execute(db)
    expect(await of('group_supply_account', supplyGroup)).toEqual(['25.00', '500.000', '0.0500'])
    // All accounts of a kind are a scope of their own; the client pays both and uses the power once.
    expect(await of('billable_accounts', ground.clientId)).toEqual(['50.00', '500.000', '0.1000'])
    expect(await of('SupplyAccounts', ground.clientId)).toEqual(['25.00', '500.000', '0.0500'])
    expect((await get(admin, { scope_type: 'billable_accounts', scope_id: estate.clientId }, ground.clientId)).status).toBe(422)
    expect(await of('client', ground.clientId)).toEqual(['75.00', '500.000', '0.1500'])
    expect((await get(admin, { scope_type: 'group_account', scope_id: ground.accountId }, ground.clientId)).status).toBe(404)
  })

  test('a role that is narrowed to a division sees the sums of that division as its client, and nothing of the other', async () => {
    const person = await makePerson(db, 'client_user', { clients: [estate.clientId], division: [[estate.clientId, estate.divisionId]] })
    const own = await board({ compare_to_last_year: 'true' }, person)
    expect(own.scope).toMatchObject({ scope_type: 'client', partial: true })
    expect(own.dashboard.total_utility_cost).toMatchObject({ current: '2665.20', previous: '1333.20' })
    expect(own.dashboard.highest_cost_division.name).toBe('West')
    expect(own.dashboard.total_active_meters).toMatchObject({ current: 2, configured: 2 })
    expect(own.graphs.series.map((series) => series.name)).toEqual(['Electric', 'Natural Gas'])
    const accounts = await board({ scope_type: 'billable_accounts' }, person)
    expect(accounts.scope).toMatchObject({ partial: true })
    expect(accounts.dashboard.total_utility_cost.current).toBe('2665.20')
    const facility = await board({ scope_type: 'facility', scope_id: estate.facilityId, service: gas }, person)
    // The share is of the user's reach, so that it does not reveal the rest.
    expect(facility.dashboard.utility_cost_percentage.current).toBe('18.18')
    for (const query of [
      { scope_type: 'division', scope_id: estate.divisionB },
      { scope_type: 'facility', scope_id: estate.facilityB },
      { scope_type: 'billable_account', scope_id: estate.accountB },
    ]) {
      expect((await get(person, query)).status).toBe(404)
    }
  })
})

describe('meters without bills', () => {
  test('an active meter that no line covers lowers the coverage and is listed', async () => {
    const ground = await makeGround(db)
    await addBill(db, ground.clientId, {
      account: { billable_account_id: ground.accountId },
      date: '2025-12-31',
      current_charges: '5.00',
      lines: [{ service_id: ground.electricId, from: '2025-01-01', to: '2026-01-01', utility: '5.00' }],
    })
    await refreshFacts(db, ground.clientId, [ground.electricId])
    const { body } = await get(admin, {}, ground.clientId)
    expect(body).toMatchObject({
      coverage: { current: '0.5000', previous: '0.0000' },
      dashboard: { total_active_meters: { current: 1, configured: 2, without_bills: 1 } },
    })
    const list = await get(admin, {}, ground.clientId, 'dashboard/unbilled_meters')
    expect(list.body).toMatchObject({
      total: 1,
      meters: [{ id: ground.gasId, meter_number: 'G-1', service_name: 'Natural Gas', account_type: 'BillableAccount' }],
    })
    const { status } = await ask(
      admin,
      'PATCH',
      `/clients/${ground.clientId}/billable_accounts/${ground.accountId}/services/${ground.electricId}`,
      { service: { active: false } },
    )
    expect(status).toBe(200)
    const retired = await get(admin, {}, ground.clientId)
    expect(retired.body).toMatchObject({
      coverage: { current: '0.5000' },
      dashboard: { total_active_meters: { current: 1, configured: 1, without_bills: 1 } },
    })
  })

  test('distinct meters of the ready sums are those of the rows, whatever gaps they have', async () => {
    const ground = await makeGround(db)
    const bill = (service_id: number, from: string, to: string) =>
      addBill(db, ground.clientId, {
        account: { billable_account_id: ground.accountId },
        date: to,
        current_charges: '1.00',
        lines: [{ service_id, from, to, utility: '1.00' }],
      })
    await bill(ground.electricId, '2024-02-01', '2024-04-01')
    await bill(ground.electricId, '2025-03-01', '2025-05-01')
    await bill(ground.electricId, '2025-08-01', '2025-09-01')
    await bill(ground.gasId, '2024-11-01', '2025-02-01')
    await refreshFacts(db, ground.clientId, [ground.electricId, ground.gasId])
    const counts = async (query: Record<string, string>) => (await get(admin, query, ground.clientId)).body
    for (const [range, from, to] of [
      ['last_12_months', '2025-01', '2025-12'],
      ['last_6_months', '2025-07', '2025-12'],
      ['last_3_months', '2025-10', '2025-12'],
    ] as const) {
      const { rows } = await sql<{
        meters: number
      }>`select count(distinct service_id) as meters from service_month_facts where client_id = ${ground.clientId} and days > 0
        and to_char(month, 'YYYY-MM') between ${from} and ${to}`.execute(db)
      expect(await counts({ date_range_type: range })).toMatchObject({ dashboard: { total_active_meters: { current: rows[0]?.meters } } })
    }
  })
})

describe('what a dashboard is made of', () => {
  const children = async (query: Record<string, string | number>, who: Person = admin) => {
    const answer = await get(who, query, estate.clientId, 'dashboard/children')
    expect(answer.status, answer.text).toBe(200)
    return dashboardChildCalls.children.schemas.reply.parse(answer.body)
  }
  const area = (id: number, value: string | null) =>
    sql`update facilities set square_footage = ${value} where client_id = ${estate.clientId} and id = ${id}`.execute(db)

  test('facilities have their cost and energy per square foot, the dearest first; one without an area says so and is left out of both', async () => {
    await area(estate.facilityId, '1000')
    const { rows, total, count, months } = await children({ children: 'facilities', compare_to_last_year: 'true' })
    expect(rows.map((row) => [row.name, row.place, row.cost.current])).toEqual([
      ['Store 2', 'East', '4800.00'],
      ['Store 1', 'West', '2665.20'],
    ])
    expect(count).toBe(2)
    expect(rows[0]).toMatchObject({
      area: null,
      cost_per_sqft: { current: null },
      energy_per_sqft: { current: null },
      notes: { cost_per_sqft: 'no area', energy_per_sqft: 'no area', usage: 'no energy' },
    })
    // 2,665.20 over 1,000 sq ft; 12,000 kWh x 3.412142 + 600 therms x 100 kBtu over the same. Like for like, 366 days beside 365.
    expect(rows[1]).toMatchObject({
      area: '1000',
      cost_per_sqft: { current: '2.6652', previous: '1.3332', change: '99.91' },
      energy_per_sqft: { current: '100.9457' },
      usage: { current: '100.946' },
      unit_symbol: 'MMBtu',
      comparison: { state: 'complete' },
      notes: { cost_per_sqft: null },
    })
    expect(total).toMatchObject({ cost: { current: '7465.20' }, area: '1000', notes: { cost_per_sqft: 'partial' } })
    expect(total.cost_per_sqft.current).toBe('2.6652')
    expect([months.length, months[0]?.month, months.at(-1)?.month]).toEqual([24, '2024-01', '2025-12'])
    expect([months[0]?.cost, months.at(-1)?.cost, rows[1]?.spark.length]).toEqual(['111.10', '622.10', 24])
    // 222.10 in December at the one facility with an area, of 1,000 sq ft.
    expect(months.at(-1)?.cost_per_sqft).toBe('0.2221')
    await area(estate.facilityId, null)
  })

  test('a service has its usage in its own unit, a service that is chosen too, and all other usage is energy', async () => {
    const { rows, total } = await children({ children: 'services' })
    expect(rows.map((row) => [row.name, row.usage.current, row.unit_symbol, row.service_code])).toEqual([
      ['Water', '120.000', 'kgal', 'water'],
      ['Electric', '12000.000', 'kWh', 'electric'],
      ['Natural Gas', '600.000', 'therm', 'natural_gas'],
    ])
    expect(total).toMatchObject({ usage: { current: '100.946' }, unit_symbol: 'MMBtu' })
    const power = await children({ children: 'accounts', service: electric })
    expect(power.rows.map((row) => [row.id, row.account_type, row.usage.current, row.unit_symbol])).toEqual([
      [estate.accountId, 'BillableAccount', '12000.000', 'kWh'],
    ])
  })

  test('a narrowed role has the rows of its part, and the sums of them', async () => {
    const person = await makePerson(db, 'client_user', { clients: [estate.clientId], division: [[estate.clientId, estate.divisionId]] })
    const { rows, total } = await children({ children: 'facilities' }, person)
    expect([rows.map((row) => row.name), total.cost.current]).toEqual([['Store 1'], '2665.20'])
    const account = await makePerson(db, 'client_user', {
      clients: [estate.clientId],
      billable_account: [[estate.clientId, estate.accountId]],
    })
    await area(estate.facilityId, '1000')
    // Somebody of one account reaches no facility: neither its name nor its area is told.
    const own = await children({ scope_type: 'billable_accounts', children: 'accounts' }, account)
    expect(own.rows).toMatchObject([{ id: estate.accountId, place: null, area: null, cost: { current: '2665.20' } }])
    const hidden = await children({ children: 'facilities' }, account)
    expect(hidden.rows).toMatchObject([{ id: null, name: 'Facilities that you may not read', area: null, cost: { current: '2665.20' } }])
    await area(estate.facilityId, null)
  })

  test('what a scope is not made of is 422, and so is no kind at all', async () => {
    const of = async (query: Record<string, string | number>) => {
      const { status, body } = await get(admin, query, estate.clientId, 'dashboard/children')
      return [status, body]
    }
    expect(await of({ scope_type: 'facility', scope_id: estate.facilityId, children: 'divisions' })).toMatchObject([
      422,
      { errors: { fields: { children: ['children must be one of accounts, services'] } } },
    ])
    expect((await of({}))[0]).toBe(422)
    expect((await of({ children: 'meters' }))[0]).toBe(422)
  })
})

describe('refusals', () => {
  test('[DASH-API-002] a service that does not exist is answered with error and message', async () => {
    const { status, body } = await get(admin, { service: 999_999 })
    expect(status).toBe(200)
    expect(body).toEqual({ error: true, message: 'There is no such utility service here.' })
  })

  test('401 without a sign-in, 404 for a client out of reach or a record of another client, 403 without the right, 422 for what cannot be asked', async () => {
    const other = await makeGround(db)
    const stranger = await makePerson(db, 'client_admin', { clients: [other.clientId] })
    expect((await get(null)).status).toBe(401)
    expect((await get(stranger)).status).toBe(404)
    expect((await get(admin, { scope_type: 'facility', scope_id: other.facilityId })).status).toBe(404)
    const nobody = await makePerson(db, null)
    expect((await get(nobody)).status).toBe(404)
    for (const query of [
      { scope_type: 'planet' },
      { scope_type: 'facility' },
      { date_range_type: 'decade' },
      { graph_data_type: 'weather' },
      { as_of: '2025-02-30' },
      { strange: 1 },
      { client_id: other.clientId },
    ]) {
      expect((await get(admin, query)).status, JSON.stringify(query)).toBe(422)
    }
  })
})

describe('what changes the facts besides bills', () => {
  const facts = (clientId: number) =>
    sql`select service_id, account_key, to_char(month, 'YYYY-MM') as month, facility_id, cost, kg_co2e from service_month_facts where client_id = ${clientId}
      union all select service_id, account_key, 'billed ' || to_char(billed_month, 'YYYY-MM'), facility_id, cost, billed_kg from bill_line_facts where client_id = ${clientId}
      order by service_id, account_key, month`
      .execute(db)
      .then(({ rows }) => rows)

  test('an account that moves takes the cost of its bills without a line along', async () => {
    const ground = await makeEstate()
    await addBill(db, ground.clientId, {
      account: { billable_account_id: ground.accountB },
      date: '2025-06-15',
      current_charges: '75.00',
      lines: [],
    })
    await refreshFacts(db, ground.clientId, [], { billable_account_ids: [ground.accountB] })
    const before = await facts(ground.clientId)
    expect(before.filter((row) => Object(row).account_key !== 0)).toHaveLength(2)
    const answer = await ask(admin, 'PATCH', `/clients/${ground.clientId}/billable_accounts/${ground.accountB}`, {
      billable_account: { facility_id: ground.facilityId },
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const after = await facts(ground.clientId)
    expect(after).toEqual(before.map((row) => ({ ...Object(row), facility_id: ground.facilityId })))
  })

  test('an emissions factor that is entered holds from this month on; leaving the inventory goes for all months', async () => {
    const kind = 'propane'
    const id = (await sql<{ id: number }>`select id from utility_services where code = ${kind}`.execute(db)).rows[0]?.id ?? 0
    const ground = await makeGround(db)
    const propane = await makeService(db, ground.clientId, ground.accountId, kind, 'P-1')
    const month =
      (await sql<{ day: string }>`select date_trunc('month', now() at time zone 'America/New_York')::date::text as day`.execute(db)).rows[0]
        ?.day ?? ''
    const lastYear = `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`
    for (const from of [lastYear, month])
      await addBill(db, ground.clientId, {
        account: { billable_account_id: ground.accountId },
        date: from,
        current_charges: '10.00',
        lines: [{ service_id: propane, from, to: nextMonth(from), utility: '10.00', usage: '100' }],
      })
    await refreshFacts(db, ground.clientId, [propane])
    const kilograms = async () => (await facts(ground.clientId)).map((row) => Object(row).kg_co2e)
    // Spread over their days, and whole by bill date.
    expect(await kilograms()).toEqual(['574.080000', '574.080000', '574.080000', '574.080000'])
    expect((await ask(admin, 'PATCH', `/utility_services/${id}`, { utility_service: { emissions_factor: '6' } })).status).toBe(200)
    await expect.poll(kilograms, { timeout: 20_000 }).toEqual(['574.080000', '600.000000', '574.080000', '600.000000'])
    expect((await ask(admin, 'PATCH', `/utility_services/${id}`, { utility_service: { inventoriable: false } })).status).toBe(200)
    await expect.poll(kilograms, { timeout: 20_000 }).toEqual(['0.000000', '0.000000', '0.000000', '0.000000'])
  })
})

function nextMonth(from: string): string {
  return day(Number(from.slice(0, 4)), Number(from.slice(5, 7)))
}
