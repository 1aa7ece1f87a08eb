/** Stores whose usage follows the weather in 2024, and less of it in 2025, with the degree days of their stations. */
import { sql, type Kysely } from 'kysely'
import { addToMonth, daysBetween, firstDayOf, type CalendarDate } from '../../src/contract/kernel/date.ts'
import { copyAccountsToBills } from '../../src/server/estate/estate.ts'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { refreshFacts } from '../../src/server/month-facts/refresh-facts.ts'
import { makeAccount, makeGround, makeService, type Ground } from './bills.ts'
import { addBill } from './fact-bills.ts'

type Db = Kysely<Tables>

export interface WeatheredStores extends Ground {
  readonly stationId: number
  /** Store 2: by the month, with figures that can be worked out by hand. Its station has the degree days of 2024 and 2025. */
  readonly handId: number
  readonly handMeter: number
  /** Store 3 names no station. */
  readonly bareId: number
  /** A meter of Store 1 whose usage does not follow the weather. */
  readonly flatMeter: number
}

async function one(db: Db, statement: ReturnType<typeof sql<{ id: number }>>): Promise<number> {
  return (await statement.execute(db)).rows[0]?.id ?? 0
}

/** Days of this sine have up to 30 heating and 18 cooling degree days; each year is a little warmer than the one before. */
const degreesOn = sql`30 * cos(2 * pi() * (extract(doy from day) - 15) / 365) - (extract(year from day) - 2024) * 1.5`

/** Degree days a day by month, from January on. */
const handDegrees = [30, 25, 20, 10, 5, 0, 0, 0, 5, 10, 20, 25]

export async function makeWeatheredStores(db: Db): Promise<WeatheredStores> {
  const made = await makeGround(db)
  const { clientId, facilityId, accountId, electricId, gasId } = made
  const stationId = await station(db, `KS${clientId}`, 'Lakeside')
  await sql`insert into degree_days (weather_station_id, period, heating, cooling)
    select ${stationId}, day::date::text, greatest(round((${degreesOn})::numeric, 1), 0), greatest(round(-0.6 * (${degreesOn})::numeric, 1), 0)
    from generate_series('2022-01-01'::date, '2025-12-31', interval '1 day') day`.execute(db)
  await sql`update facilities set weather_station_id = ${stationId} where client_id = ${clientId} and id = ${facilityId}`.execute(db)
  const flatMeter = await makeService(db, clientId, accountId, 'electric', 'E-2')
  // Read on the tenth of each month.
  for (let month = '2023-12'; month <= '2025-12'; month = addToMonth(month, 1)) {
    const [from, to] = [tenthOf(month), tenthOf(addToMonth(month, 1))]
    await bill(db, made, accountId, electricId, from, to, await weatheredUsage(db, stationId, from, to))
    await bill(db, made, accountId, flatMeter, from, to, String(900 + (Number(month.slice(5)) % 2)))
    if (month >= '2024-07') await bill(db, made, accountId, gasId, from, to, '50')
  }
  const handId = await facility(db, made, 'Store 2')
  const handAccount = await makeAccount(db, { ...made, facilityId: handId }, `HAND-${clientId}`)
  const handMeter = await makeService(db, clientId, handAccount, 'electric', 'H-1')
  const handStation = await station(db, `KH${clientId}`, 'By Hand')
  await sql`update facilities set weather_station_id = ${handStation} where client_id = ${clientId} and id = ${handId}`.execute(db)
  for (let month = '2024-01'; month <= '2025-12'; month = addToMonth(month, 1)) {
    const isBaseline = month < '2025-01'
    const [from, to] = [firstDayOf(month), firstDayOf(addToMonth(month, 1))]
    const days = daysBetween(from, to)
    const degrees = (handDegrees[Number(month.slice(5)) - 1] ?? 0) / (isBaseline ? 1 : 2)
    await sql`insert into degree_days (weather_station_id, period, heating, cooling) values (${handStation}, ${month}, ${degrees * days}, 0)`.execute(
      db,
    )
    await bill(db, made, handAccount, handMeter, from, to, String(days * ((isBaseline ? 100 : 90) + 2 * degrees)))
  }
  const bareId = await facility(db, made, 'Store 3')
  await refreshFacts(db, clientId, [electricId, gasId, flatMeter, handMeter])
  await copyAccountsToBills(db, 'billable_account', clientId, sql`select id from billable_accounts where client_id = ${clientId}`)
  return { ...made, stationId, handId, handMeter, bareId, flatMeter }
}

function station(db: Db, code: string, name: string): Promise<number> {
  return one(db, sql`insert into weather_stations (code, name) values (${code}, ${name}) returning id`)
}

function facility(db: Db, { clientId, divisionId }: Ground, name: string): Promise<number> {
  return one(
    db,
    sql`insert into facilities (client_id, division_id, name, number) values (${clientId}, ${divisionId}, ${name}, ${name}) returning id`,
  )
}

function tenthOf(month: string): CalendarDate {
  return `${month}-10`
}

/** 40 a day, 1.5 for each heating and 6 for each cooling degree day; a tenth less from 2025 on. */
async function weatheredUsage(db: Db, stationId: number, from: CalendarDate, to: CalendarDate): Promise<string> {
  const { rows } = await sql<{
    usage: string
  }>`select round(sum((40 + coalesce(1.5 * heating + 6 * cooling, 0)) * case when day < '2025-01-10' then 1 else 0.9 end), 3)::text as usage
    from generate_series(${from}::date, ${to}::date - 1, interval '1 day') day
    left join degree_days on weather_station_id = ${stationId} and period = day::date::text`.execute(db)
  return rows[0]?.usage ?? '0'
}

/** Each unit costs ten cents. */
async function bill(db: Db, { clientId }: Ground, account: number, meter: number, from: CalendarDate, to: CalendarDate, usage: string) {
  const cost = (Math.round(Number(usage) * 10) / 100).toFixed(2)
  await addBill(db, clientId, {
    account: { billable_account_id: account },
    date: to,
    current_charges: cost,
    lines: [{ from, to, service_id: meter, utility: cost, usage }],
  })
}
