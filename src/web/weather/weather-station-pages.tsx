import { weatherStation, weatherStationCalls } from '#contract/weather/weather-station.ts'
import { settingPages, SettingsTabs } from '../settings/settings.ts'

export const { List, New, Edit } = settingPages({
  entity: weatherStation,
  calls: weatherStationCalls,
  at: '/settings/weather_stations',
  columns: ['code', 'name', 'base_temperature'],
  tabs: SettingsTabs,
})
