import type { PageRoute } from '../kernel/page-route.ts'

const stations = '/settings/weather_stations'
const degreeDays = '/settings/degree_days'
const stationPages = () => import('./weather-station-pages.tsx')
const degreeDayPages = () => import('./degree-day-pages.tsx')

export const weatherRoutes: readonly PageRoute[] = [
  { path: stations, title: 'Weather Stations', may: 'setting.read', page: async () => (await stationPages()).List },
  { path: `${stations}/new`, title: 'New Weather Station', may: 'setting.create', page: async () => (await stationPages()).New },
  { path: `${stations}/:id/edit`, title: 'Edit Weather Station', may: 'setting.update', page: async () => (await stationPages()).Edit },
  { path: degreeDays, title: 'Degree Days', may: 'setting.read', page: async () => (await degreeDayPages()).List },
  { path: `${degreeDays}/new`, title: 'New Degree Day', may: 'setting.create', page: async () => (await degreeDayPages()).New },
  { path: `${degreeDays}/:id/edit`, title: 'Edit Degree Day', may: 'setting.update', page: async () => (await degreeDayPages()).Edit },
]
