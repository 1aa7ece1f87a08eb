/** A weather station for each region of the demo, with the degree days of three whole years and of this one up to yesterday. */
import { addDays, dateOfDayNumber, dayNumber, type CalendarDate } from '#contract/kernel/date.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { EstatePlan } from './plan.ts'
import type { Region } from './region-catalog.ts'
import { degreeDaysOn } from './season.ts'
import { insertNumbered } from './store-rows.ts'

const WHOLE_YEARS = 3

/** Station ids by region. */
export type Stations = ReadonlyMap<Region, number>

export async function makeWeather(tx: Tx, plan: EstatePlan, today: CalendarDate, at: string): Promise<Stations> {
  const made = { lock_version: 0, created_at: at, updated_at: at }
  const regions = [...new Set(plan.clients.flatMap(({ facilities }) => facilities.map(({ region }) => region)))]
  const ids = await insertNumbered(
    tx,
    'weather_stations',
    regions.map(({ code, name }) => ({ code: `WX-${code}`, name, base_temperature: 65, ...made })),
  )
  const days = daysUpTo(today)
  await insertNumbered(
    tx,
    'degree_days',
    regions.flatMap((region, place) =>
      days.map((day) => ({ weather_station_id: ids[place], period: day, ...roundedOn(region, day), ...made })),
    ),
  )
  return new Map(regions.map((region, place) => [region, ids[place] ?? 0]))
}

function daysUpTo(today: CalendarDate): CalendarDate[] {
  const first = dayNumber(`${Number(today.slice(0, 4)) - WHOLE_YEARS}-01-01`)
  return Array.from({ length: dayNumber(addDays(today, -1)) - first + 1 }, (_, place) => dateOfDayNumber(first + place))
}

function roundedOn(region: Region, day: CalendarDate): { heating: string; cooling: string } {
  const { heating, cooling } = degreeDaysOn(region, day)
  return { heating: heating.toFixed(1), cooling: cooling.toFixed(1) }
}
