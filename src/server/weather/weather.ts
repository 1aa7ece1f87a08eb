/** Weather stations and their degree days, which are kept as data: nothing is fetched. */
import { degreeDay, degreeDayCalls } from '#contract/weather/degree-day.ts'
import { degreeDayImport } from '#contract/weather/import-degree-days.ts'
import { weatherStation, weatherStationCalls } from '#contract/weather/weather-station.ts'
import { sql, type SqlBool } from 'kysely'
import type { Handler } from '../kernel/handler.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'
import { crudHandlers, isFree, optionsHandler, resource } from '../kernel/lists/resource.ts'
import type { RowRule } from '../kernel/lists/row-rules.ts'

const weatherStations = resource({
  entity: weatherStation,
  table: 'weather_stations',
  scope: 'shared',
  search: ['code', 'name'],
  rules: [isFree('weather_stations', 'code', 'Code'), keepsItsBase()],
})

const degreeDays = resource({
  entity: degreeDay,
  table: 'degree_days',
  scope: 'shared',
  joins: { station: sql`join weather_stations station on station.id = degree_days.weather_station_id` },
  columns: {
    station_code: { sql: sql.ref('station.code'), joins: ['station'] },
    station_name: { sql: sql.ref('station.name'), joins: ['station'] },
  },
  search: ['station_code', 'station_name', 'period'],
  rules: [isOnlyOne()],
})

/** A row of a period that the station has changes its degree days, so the two are the key. */
export const degreeDayImportTarget: ImportTarget = {
  kind: degreeDayImport,
  source: degreeDays,
  may: { create: 'setting.create', update: 'setting.update' },
}

export const weatherHandlers: readonly Handler[] = [
  ...Object.values(crudHandlers(weatherStationCalls, weatherStations)),
  optionsHandler(weatherStationCalls.selectOptions, weatherStations, ['id', 'code', 'name']),
  ...Object.values(crudHandlers(degreeDayCalls, degreeDays)),
]

/** Degree days of two bases cannot be told apart in the rows of a station. */
function keepsItsBase(): RowRule {
  return {
    field: 'base_temperature',
    about: ['base_temperature'],
    message: 'Base Temperature stays as it is, because the degree days of this station are counted from it',
    when: ({ item, will }) => sql<SqlBool>`(${will('base_temperature')} is distinct from ${item('base_temperature')}
      and exists (select from degree_days counted where counted.weather_station_id = ${item('id')}))`,
  }
}

/** Gives a readable error for what the unique index guarantees. */
function isOnlyOne(): RowRule {
  return {
    field: 'period',
    about: ['weather_station_id', 'period'],
    message: 'This station has degree days of this day or month already',
    when: ({
      item,
      will,
    }) => sql<SqlBool>`exists (select from degree_days other where other.weather_station_id = ${will('weather_station_id')}
      and other.period = ${will('period')} and other.id is distinct from ${item('id')})`,
  }
}
