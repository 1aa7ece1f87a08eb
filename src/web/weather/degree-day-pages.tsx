import { degreeDay, degreeDayCalls } from '#contract/weather/degree-day.ts'
import { weatherStationCalls } from '#contract/weather/weather-station.ts'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { settingPages, SettingsTabs } from '../settings/settings.ts'

const at = '/settings/degree_days'

export const { List, New, Edit } = settingPages({
  entity: degreeDay,
  calls: degreeDayCalls,
  at,
  columns: ['station_code', 'station_name', 'period', 'heating', 'cooling'],
  tabs: SettingsTabs,
  pickers: {
    weather_station_id: optionsOf(
      'weather_stations',
      weatherStationCalls.selectOptions,
      {},
      { label: ({ code }) => code, hint: ({ name }) => name },
    ),
  },
  importHref: `${at}/import`,
})
