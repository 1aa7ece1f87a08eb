/** A facility in the same weather: worked out by hand, and recomputed by plain SQL over the days of the bills; reasons, reach and rights. */
import { dashboardWeatherCalls, type WeatherAnswer } from '#contract/dashboard/dashboard-weather.ts'
import { dashboardCalls } from '#contract/dashboard/dashboard.ts'
import { sumDecimals } from '#contract/kernel/decimal.ts'
import { sumMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeGround } from '../../../test/support/bills.ts'
import { makeDivision } from '../../../test/support/estate.ts'
import { makeWeatheredStores } from '../../../test/support/weathered-stores.ts'

const { ask, database } = await startTestApp()
const { db } = database
const admin = await makePerson(db, 'super_admin')
const stores = await makeWeatheredStores(db)

type Query = Readonly<Record<string, string | number>>
const year = { baseline_month: '2024-01', from_month: '2025-01', to_month: '2025-12' }

function get(who: Person | null, facilityId: number, query: Query = year, clientId = stores.clientId) {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  return ask(who, 'GET', `/clients/${clientId}/facilities/${facilityId}/weather?${search.toString()}`)
}

async function weather(facilityId: number, query: Query = year, who = admin): Promise<WeatherAnswer> {
  const answer = await get(who, facilityId, query)
  expect(answer.status, answer.text).toBe(200)
  return dashboardWeatherCalls.weather.schemas.reply.parse(answer.body)
}

test('by hand: 100 a day and 2 a degree day, then 90 a day in half the weather: 3,650 kWh and $365.00 avoided', async () => {
  const answer = await weather(stores.handId)
  const [meter] = answer.meters
  expect(meter?.fit).toEqual({
    model: 'heating',
    base: '100.000000',
    heating: '2.000000',
    cooling: '0.000000',
    r2: '1.0000',
    adjusted_r2: '1.0000',
    cv_rmse: '0.0000',
    periods: 12,
  })
  // 2025 has 2,270 degree days: 365 × 90 + 2 × 2,270 used, 365 × 100 + 2 × 2,270 adjusted. The mean of both years is 0.75 of 2024 in each
  // month, and (725 + 350) ÷ 57 a day in February: 3,408.07 degree days, 2 × 1,138.07 more than there were.
  expect(answer.total).toEqual({
    usage: '37390.000000',
    cost: '3739.00',
    compared_usage: '37390.000000',
    adjusted_usage: '41040.000000',
    avoided_usage: '3650.000000',
    avoided_cost: '365.00',
    normalized_usage: '39666.140000',
    reason: null,
  })
  expect(answer.unit_cost).toBe('0.100000')
  expect(answer.normal_years).toEqual([2024, 2025])
  expect(answer.months[0]).toMatchObject({
    month: '2025-01',
    heating: '465.00',
    normal_heating: '697.50',
    avoided_usage: '310.000000',
    avoided_cost: '31.00',
    coverage: '1.0000',
  })
  expect(meter?.baseline_points[1]).toEqual({
    from: '2024-02-01',
    to: '2024-02-29',
    days: 29,
    usage_per_day: '150.000000',
    heating_per_day: '25.000000',
    cooling_per_day: '0.000000',
  })
})

/** Each month of the report by the days of the bills, and of the degree days of these days. */
async function recomputed({ base, heating, cooling }: { base: string; heating: string; cooling: string }) {
  const { rows } = await sql<{ month: string; usage: string; adjusted: string; normalized: string }>`with used as (
      select to_char(day, 'YYYY-MM') as month, day::date as day, line.usage / (line.read_date - line.previous_read_date) as usage
      from service_bills line cross join generate_series(line.previous_read_date, line.read_date - 1, interval '1 day') day
      where line.client_id = ${stores.clientId} and line.service_id = ${stores.electricId} and day >= '2025-01-01' and day < '2026-01-01'),
    normal as (select substr(period, 6, 2) as month, sum(heating) as heating, sum(cooling) as cooling, count(*) as days
      from degree_days where weather_station_id = ${stores.stationId} group by 1),
    summed as (select used.month, sum(used.usage) as usage, count(*) as days, sum(days.heating) as heating, sum(days.cooling) as cooling
      from used join degree_days days on days.weather_station_id = ${stores.stationId} and days.period = used.day::text group by 1)
    select summed.month, round(usage, 3)::text as usage, round(${base}::numeric * summed.days + ${heating}::numeric * summed.heating + ${cooling}::numeric * summed.cooling, 6)::text as adjusted,
      round(usage + ${heating}::numeric * (round(normal.heating * summed.days / normal.days, 2) - summed.heating)
        + ${cooling}::numeric * (round(normal.cooling * summed.days / normal.days, 2) - summed.cooling), 3)::text as normalized
    from summed join normal on normal.month = substr(summed.month, 6, 2) order by 1`.execute(db)
  return rows
}

test('each month ties to plain SQL over the days of the bills, months and meters to the total, and all of it to the dashboard', async () => {
  const electric = await sql<{ id: number }>`select id from utility_services where code = 'electric'`.execute(db)
  const service = electric.rows[0]?.id ?? 0
  const answer = await weather(stores.facilityId, { ...year, service })
  const meter = answer.meters.find(({ service_id }) => service_id === stores.electricId)
  if (!meter?.fit) throw new Error('the meter has a fit')
  expect(meter.fit).toMatchObject({ model: 'both', periods: 11 })
  expect([meter.fit.base, meter.fit.heating, meter.fit.cooling].map(Number).map((value) => Math.round(value * 100) / 100)).toEqual([
    40, 1.5, 6,
  ])
  const expected = await recomputed(meter.fit)
  expect(expected).toHaveLength(12)
  for (const [place, row] of expected.entries()) {
    const month = answer.months[place]
    expect(month?.month).toBe(row.month)
    expect(month?.adjusted_usage, row.month).toBe(row.adjusted)
    expect(Number(month?.compared_usage), row.month).toBeCloseTo(Number(row.usage), 2)
    expect(Number(month?.normalized_usage), row.month).toBeCloseTo(Number(row.normalized), 2)
  }
  const { total, months, meters } = answer
  for (const key of ['usage', 'compared_usage', 'adjusted_usage', 'avoided_usage', 'normalized_usage'] as const) {
    expect(Number(sumDecimals(months.map((row) => row[key]))), key).toBe(Number(total[key]))
    expect(Number(sumDecimals(meters.map((row) => row[key]))), key).toBe(Number(total[key]))
  }
  for (const rows of [months, meters]) {
    expect(sumMoney(rows.map(({ cost }) => cost))).toBe(total.cost)
    expect(sumMoney(rows.map(({ avoided_cost: cost }) => cost))).toBe(total.avoided_cost)
  }
  const cost = await sql<{
    cost: string
  }>`select round(${total.avoided_usage}::numeric * ${total.cost}::numeric / ${total.usage}::numeric, 2)::text as cost`.execute(db)
  expect(total.avoided_cost).toBe(cost.rows[0]?.cost)
  const board = await ask(
    admin,
    'GET',
    `/clients/${stores.clientId}/dashboard?scope_type=facility&scope_id=${stores.facilityId}&service=${service}&from_month=2025-01&to_month=2025-12`,
  )
  const shown = dashboardCalls.get.schemas.reply.parse(board.body)
  if ('error' in shown) throw new Error(shown.message)
  expect(shown.dashboard.total_utility_cost.current).toBe(total.cost)
  expect(Number(shown.dashboard.service_usage.current)).toBeCloseTo(Number(total.usage), 3)
})

test('a meter that does not follow the weather is not compared, one with few periods is not, and each says why', async () => {
  const all = await weather(stores.facilityId)
  expect(all.total).toMatchObject({ reason: 'no_fit' })
  const flat = await weather(stores.facilityId, { ...year, meter: stores.flatMeter })
  expect(flat.meters).toMatchObject([{ service_id: stores.flatMeter, reason: 'not_weather', avoided_usage: null, fit: { model: 'mean' } }])
  expect(flat.total).toMatchObject({ reason: 'not_weather', compared_usage: null, avoided_cost: null, normalized_usage: null })
  expect(Number(flat.total.usage)).toBeGreaterThan(10_000)
  expect(flat.meter_options).toHaveLength(2)
  const gas = all.service_options.find(({ service_code }) => service_code === 'natural_gas')
  const few = await weather(stores.facilityId, { ...year, service: gas?.id ?? 0 })
  expect(few.meters).toMatchObject([{ reason: 'few_periods', fit: null }])
  expect((await weather(stores.facilityId, { ...year, meter: 999_999_999 })).total.reason).toBe('no_usage')
  expect((await weather(stores.bareId)).total).toMatchObject({ reason: 'no_station', usage: null })
})

test('periods and months with days that have no degree days are left out and counted', async () => {
  await sql`delete from degree_days where weather_station_id = ${stores.stationId} and period in ('2024-03-05', '2025-06-15')`.execute(db)
  const { meters, months, total, normal_years: years } = await weather(stores.facilityId, { ...year, meter: stores.electricId })
  expect(meters).toMatchObject([{ periods_left_out: 1, fit: { periods: 10 }, reason: 'days_without_weather' }])
  expect(months.filter(({ reason }) => reason !== null)).toMatchObject([
    { month: '2025-06', reason: 'days_without_weather', compared_usage: null, heating: null },
  ])
  expect(months.filter(({ compared_usage: used }) => used !== null)).toHaveLength(11)
  expect(Number(total.compared_usage)).toBeLessThan(Number(total.usage))
  expect(years).toEqual([2022, 2023])
  await sql`update degree_days set period = '1999' || substr(period, 5) where weather_station_id = ${stores.stationId} and period >= '2024-01-01' and period < '2025-01-01'`.execute(
    db,
  )
  expect((await weather(stores.facilityId, { ...year, meter: stores.electricId })).meters).toMatchObject([
    { periods_left_out: 11, reason: 'few_periods' },
  ])
})

test('a narrowed role sees its own facilities, nobody sees a foreign client’s; 401, 404, 422', async () => {
  const { clientId, divisionId, handId } = stores
  const east = await makeDivision(db, clientId, { name: 'East' })
  const own = await makePerson(db, 'client_user', { clients: [clientId], division: [[clientId, divisionId]] })
  const other = await makePerson(db, 'client_user', { clients: [clientId], division: [[clientId, east]] })
  const foreign = await makeGround(db)
  expect((await weather(handId, year, own)).total.avoided_cost).toBe('365.00')
  expect((await get(other, handId)).status).toBe(404)
  expect((await get(await makePerson(db, 'client_admin', { clients: [foreign.clientId] }), handId)).status).toBe(404)
  expect((await get(admin, foreign.facilityId)).status).toBe(404)
  expect((await get(admin, handId, year, foreign.clientId)).status).toBe(404)
  expect((await get(null, handId)).status).toBe(401)
  const refusal = async (query: Query) => (await get(admin, handId, query)).body['errors']
  expect(await refusal({ ...year, baseline_month: '2024-02' })).toMatchObject({
    fields: { baseline_month: ['Baseline Month must be at least 12 months before From Month'] },
  })
  expect(await refusal({ baseline_month: '2199-01' })).toMatchObject({
    fields: { baseline_month: ['Baseline Month must be at least 12 months before From Month'] },
  })
  for (const query of [{ from_month: '2025-01' }, { baseline_month: '2024-13' }, { service: 'gas' }, { basis: 'billed' }])
    expect((await get(admin, handId, { ...query })).status, JSON.stringify(query)).toBe(422)
})
