/** Tests which sums and comparisons a dashboard may make, and which it must not. */
import { dashboardCalls, type DashboardAnswer } from '#contract/dashboard/dashboard.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount, type Ground } from '../../../test/support/bills.ts'
import { addBill, type TestLine } from '../../../test/support/fact-bills.ts'
import { rebuildFacts } from '../month-facts/refresh-facts.ts'

const { ask, database } = await startTestApp()
const { db } = database
const admin = await makePerson(db, 'super_admin')

/** Reads a dashboard as of January 2026: the twelve months are those of 2025, the previous window 2024. */
async function board({ clientId }: Ground, query: Record<string, string | number> = {}): Promise<DashboardAnswer> {
  await rebuildFacts(db, clientId)
  await sql`insert into data_versions (client_id, version) values (${clientId}, 1) on conflict (client_id) do update set version = data_versions.version + 1`.execute(
    db,
  )
  const search = new URLSearchParams({ as_of: '2026-01-15' })
  for (const [key, value] of Object.entries(query)) search.set(key, value.toString())
  const answer = await ask(admin, 'GET', `/clients/${clientId}/dashboard?${search.toString()}`)
  expect(answer.status, answer.text).toBe(200)
  const reply = dashboardCalls.get.schemas.reply.parse(answer.body)
  if ('error' in reply) throw new Error(reply.message)
  return reply
}

type Account = { readonly billable_account_id: number } | { readonly supply_account_id: number }

/** Makes one bill over the days from `from` to `to`; its cost is the cost of its lines. */
async function bill({ clientId }: Ground, account: Account, lines: readonly TestLine[]): Promise<void> {
  const cents = lines
    .flatMap(({ utility, supply, other }) => [utility, supply, other])
    .reduce((sum, amount) => sum + Math.round(Number(amount ?? 0) * 100), 0)
  await addBill(db, clientId, { account, date: lines[0]?.to ?? '2025-12-31', current_charges: (cents / 100).toFixed(2), lines })
}

const year = { from: '2025-01-01', to: '2026-01-01' }
const yearBefore = { from: '2024-01-01', to: '2025-01-01' }

describe('usage', () => {
  test('[DASH-FIELD-001] [DASH-FIELD-004] sewer is never added to the water that measures it: no usage of both, and their cost is told per unit of water', async () => {
    const ground = await makeGround(db)
    const account = await makeAccount(db, ground, 'WATER-SEWER')
    const water = await makeService(db, ground.clientId, account, 'water', 'W-1')
    const sewer = await makeService(db, ground.clientId, account, 'sewer', 'W-1')
    await bill(ground, { billable_account_id: account }, [
      { ...year, service_id: water, utility: '600.00', usage: '120' },
      { ...year, service_id: sewer, utility: '900.00', usage: '120' },
    ])
    const { dashboard, summary, graphs } = await board(ground, {
      scope_type: 'billable_account',
      scope_id: account,
      graph_data_type: 'usage',
    })
    expect(dashboard.service_usage).toMatchObject({ current: null, unit_symbol: null, note: 'Choose one service to see usage' })
    expect(dashboard.total_unit_cost).toMatchObject({ current: '12.5000', unit_symbol: 'kgal', unit_of: 'Water' })
    expect(dashboard.account_total_unit).toMatchObject({ current: '12.5000', unit_symbol: 'kgal', unit_of: 'Water' })
    expect(summary.map((row) => [row.name, row.usage.current, row.unit_cost.current])).toEqual([
      ['Sewer', '120.000', '7.5000'],
      ['Water', '120.000', '5.0000'],
    ])
    expect(graphs.series.map((series) => series.service_name)).toEqual(['Sewer', 'Water'])
  })

  test('[DASH-FIELD-001] gallons of diesel are not gallons of propane: together they are MMBtu', async () => {
    const ground = await makeGround(db)
    const diesel = await makeService(db, ground.clientId, ground.accountId, 'diesel', 'D-1')
    const propane = await makeService(db, ground.clientId, ground.accountId, 'propane', 'P-1')
    await bill(ground, { billable_account_id: ground.accountId }, [
      { ...year, service_id: diesel, utility: '300.00', usage: '100' },
      { ...year, service_id: propane, utility: '200.00', usage: '100' },
    ])
    const { dashboard } = await board(ground)
    // 100 gal x 138 kBtu + 100 gal x 91 kBtu, over a thousand.
    expect(dashboard.service_usage).toMatchObject({ current: '22.900', unit_symbol: 'MMBtu' })
    expect(dashboard.total_unit_cost).toMatchObject({ current: '21.8341', unit_symbol: 'MMBtu', unit_of: null })
  })

  test('[DASH-FIELD-001] what telecom costs is not divided by the kilowatt-hours beside it', async () => {
    const ground = await makeGround(db)
    const line = await makeService(db, ground.clientId, ground.accountId, 'telecom', 'T-1')
    await bill(ground, { billable_account_id: ground.accountId }, [
      { ...year, service_id: ground.electricId, utility: '100.00', usage: '1000' },
      { ...year, service_id: line, utility: '900.00', usage: null },
    ])
    const { dashboard } = await board(ground)
    expect([dashboard.service_usage.current, dashboard.total_unit_cost.current]).toEqual([null, null])
    const electric = (await board(ground)).summary.find((row) => row.service_code === 'electric')
    expect(electric?.unit_cost.current).toBe('0.1000')
  })
})

describe('a change', () => {
  test('[DASH-FIELD-005] [DASH-CONST-003] is over the meters and days that both windows cover, and says how much of each is covered', async () => {
    const ground = await makeGround(db)
    const account = { billable_account_id: ground.accountId }
    // Electricity a dollar a day, then two: its first 20 days of 2024 and all December 2025 are missing. Gas came in 2025.
    await bill(ground, account, [{ service_id: ground.electricId, from: '2024-01-21', to: '2025-01-01', utility: '346.00', usage: '346' }])
    await bill(ground, account, [{ service_id: ground.electricId, from: '2025-01-01', to: '2025-12-01', utility: '668.00', usage: '334' }])
    await sql`update services set active = false where client_id = ${ground.clientId} and id = ${ground.gasId}`.execute(db)
    const electric = await board(ground, { compare_to_last_year: 'true' })
    expect(electric.coverage).toEqual({ current: '0.9151', previous: '0.9454' })
    expect(electric.comparison).toMatchObject({ state: 'partial' })
    const { total_utility_cost, average_cost_per_day, service_usage, total_unit_cost } = electric.dashboard
    expect(total_utility_cost).toMatchObject({
      current: '668.00',
      previous: '346.00',
      coverage: '0.9151',
      previous_coverage: '0.9454',
      // 11 of 31 days of January and February to November, 29 days of February 2024 against 28.
      like_for_like: { current: '628.00', previous: '315.00' },
      change: '99.37',
    })
    expect(service_usage.like_for_like).toEqual({ current: '314.000', previous: '315.000' })
    expect(average_cost_per_day.like_for_like).toEqual({ current: '2.00', previous: '1.00' })
    expect(total_unit_cost).toMatchObject({ like_for_like: { current: '2.0000', previous: '1.0000' }, change: '100.00' })
    expect(electric.dashboard.highest_cost_facility).toMatchObject({
      like_for_like: { current: '628.00', previous: '315.00' },
      change: '99.37',
    })
    expect(electric.summary[0]?.cost).toMatchObject({ like_for_like: { current: '628.00', previous: '315.00' }, change: '99.37' })
  })

  test('[DASH-FIELD-005] leaves out a meter that only one window has, whatever it costs', async () => {
    const ground = await makeGround(db)
    const account = { billable_account_id: ground.accountId }
    await bill(ground, account, [{ ...yearBefore, service_id: ground.electricId, utility: '366.00', usage: '366' }])
    await bill(ground, account, [
      { ...year, service_id: ground.electricId, utility: '365.00', usage: '365' },
      { ...year, service_id: ground.gasId, utility: '5000.00', usage: '10' },
    ])
    const { dashboard, summary, coverage } = await board(ground)
    expect(coverage).toEqual({ current: '1.0000', previous: '0.5000' })
    expect(dashboard.total_utility_cost).toMatchObject({ current: '5365.00', previous: '366.00', change: '-0.27' })
    expect(summary.map((row) => [row.name, row.comparison.state, row.cost.change])).toEqual([
      ['Natural Gas', 'withheld', null],
      ['Electric', 'complete', '-0.27'],
    ])
  })

  test('[DASH-FIELD-005] is withheld with the reason in words where bills cover less than half of a window', async () => {
    const ground = await makeGround(db)
    const account = { billable_account_id: ground.accountId }
    await sql`update services set active = false where client_id = ${ground.clientId} and id = ${ground.gasId}`.execute(db)
    await bill(ground, account, [{ service_id: ground.electricId, from: '2024-01-01', to: '2024-03-01', utility: '60.00', usage: '60' }])
    await bill(ground, account, [{ ...year, service_id: ground.electricId, utility: '365.00', usage: '365' }])
    const { dashboard, comparison } = await board(ground)
    expect(comparison).toEqual({
      state: 'withheld',
      reason: 'Bills cover only 16.3% of 01/01/2024 – 12/31/2024: too little to compare',
    })
    expect([dashboard.total_utility_cost.change, dashboard.total_utility_cost.previous]).toEqual([null, '60.00'])
    expect(dashboard.total_utility_cost.like_for_like).toEqual({ current: '59.00', previous: '60.00' })
  })

  test('days that a shorter month does not have count with it: whole months compare whole', async () => {
    const ground = await makeGround(db)
    await bill(ground, { billable_account_id: ground.accountId }, [
      { service_id: ground.electricId, from: '2025-07-01', to: '2026-01-01', utility: '184.00', usage: '184' },
    ])
    const { dashboard, windows } = await board(ground, { date_range_type: 'last_3_months', service: 1 })
    expect(windows.previous).toEqual({ from: '2025-07-01', to: '2025-09-30' })
    expect(dashboard.total_utility_cost.like_for_like).toEqual({ current: '92.00', previous: '92.00' })
  })

  test('what covers no day, such as a fee without a meter, is compared where both months have it', async () => {
    const ground = await makeGround(db)
    const fee = (date: string, current_charges: string) =>
      addBill(db, ground.clientId, { account: { billable_account_id: ground.accountId }, date, current_charges, lines: [] })
    await fee('2024-03-15', '10.00')
    await fee('2025-03-20', '12.00')
    await fee('2025-06-15', '500.00')
    await sql`update services set active = false where client_id = ${ground.clientId}`.execute(db)
    const { dashboard } = await board(ground)
    expect(dashboard.total_utility_cost).toMatchObject({
      current: '512.00',
      previous: '10.00',
      like_for_like: { current: '12.00', previous: '10.00' },
      change: '20.00',
      coverage: null,
    })
  })
})

describe('supply that another vendor bills', () => {
  async function makePair(linked: boolean) {
    const ground = await makeGround(db)
    const supplier = await makeSupplyAccount(db, ground, 'SUPPLY-1')
    const vendor = await sql<{
      id: number
    }>`insert into vendors (name, short_code) values ('Direct Energy', ${`D${ground.clientId}`}) returning id`.execute(db)
    await sql`update supply_accounts set vendor_id = ${vendor.rows[0]?.id} where client_id = ${ground.clientId} and id = ${supplier}`.execute(
      db,
    )
    const meter = await makeService(db, ground.clientId, supplier, 'electric', 'S-1', 'supply_account_id')
    if (linked)
      await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) values (${ground.clientId}, ${supplier}, ${ground.electricId})`.execute(
        db,
      )
    for (const days of [yearBefore, year]) {
      await bill(ground, { billable_account_id: ground.accountId }, [
        { ...days, service_id: ground.electricId, utility: '521.00', usage: '10000' },
      ])
      await bill(ground, { supply_account_id: supplier }, [{ ...days, service_id: meter, supply: '710.00', usage: '10000' }])
    }
    return { ground, supplier }
  }

  test('[DASH-FIELD-004] the delivery account shows what a unit costs with the supply, and by whom that is billed', async () => {
    const { ground } = await makePair(true)
    const { dashboard } = await board(ground, { scope_type: 'billable_account', scope_id: ground.accountId })
    expect(dashboard.distribution_unit).toMatchObject({ current: '0.0521', note: null })
    expect(dashboard.supply_unit).toMatchObject({ current: '0.0710', previous: '0.0710', change: '0.00', note: 'billed by Direct Energy' })
    expect(dashboard.account_total_unit).toMatchObject({ current: '0.1231', note: 'with the supply billed by Direct Energy' })
    expect(dashboard.total_unit_cost).toMatchObject({ current: '0.0521', note: 'without the supply billed by Direct Energy' })
  })

  test('[DASH-FIELD-004] the supply account shows its usage and no tonnes of it, for they count at the delivery meter', async () => {
    const { ground, supplier } = await makePair(true)
    const { dashboard, summary, graphs } = await board(ground, {
      scope_type: 'supply_account',
      scope_id: supplier,
      graph_data_type: 'emissions',
    })
    expect(dashboard.service_usage).toMatchObject({
      current: '10000.000',
      unit_symbol: 'kWh',
      note: 'metered again at the delivery meter, which counts it',
    })
    expect(dashboard.total_mtc02e).toMatchObject({ current: null, previous: null, change: null, note: 'counted at the delivery meter' })
    expect(dashboard.distribution_unit).toMatchObject({ current: null, note: 'billed by the delivery utility' })
    expect(dashboard.supply_unit.current).toBe('0.0710')
    expect(summary[0]?.mtc02e.current).toBeNull()
    expect(graphs.series[0]?.points.map((point) => point.current)).toEqual(Array.from({ length: 12 }, () => null))
    // The facility has both accounts: all-in once over the delivery meter, and the tonnes once.
    const facility = await board(ground, { scope_type: 'facility', scope_id: ground.facilityId })
    expect(facility.dashboard.total_unit_cost.current).toBe('0.1231')
    expect(facility.dashboard.total_mtc02e.current).toBe('3.50')
  })

  test('[DASH-FIELD-004] without a linked supply account there is no supply unit cost, and the reason stands there', async () => {
    const { ground, supplier } = await makePair(false)
    const { dashboard } = await board(ground, { scope_type: 'billable_account', scope_id: ground.accountId })
    expect(dashboard.supply_unit).toMatchObject({
      current: null,
      previous: null,
      note: 'No supply charges on these bills, and no supply account is linked',
    })
    expect(dashboard.account_total_unit).toMatchObject({ current: '0.0521', note: null })
    // Usage that no delivery meter counts does count; an audit reports it.
    const alone = await board(ground, { scope_type: 'supply_account', scope_id: supplier })
    expect(alone.dashboard.total_mtc02e).toMatchObject({ current: '3.50', note: null })
  })

  test('who may not see supply accounts learns nothing of them', async () => {
    const { ground } = await makePair(true)
    await board(ground)
    const narrow = await makePerson(db, 'client_user', {
      clients: [ground.clientId],
      billable_account: [[ground.clientId, ground.accountId]],
    })
    const { body } = await ask(
      narrow,
      'GET',
      `/clients/${ground.clientId}/dashboard?as_of=2026-01-15&scope_type=billable_account&scope_id=${ground.accountId}`,
    )
    expect(JSON.stringify(body)).toContain('"account_total_unit"')
    expect(body).toMatchObject({ dashboard: { account_total_unit: { current: '0.0521' }, supply_unit: { current: null } } })
  })
})
