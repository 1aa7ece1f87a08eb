/** A weather station, whose degree days explain the usage of the facilities that name it. It belongs to no client: provider staff keeps it. */
import { z } from 'zod'
import { crudCalls, optionsCall } from '../kernel/call.ts'
import { defaulted, entity, helped, integer, inUnit, text, type Draft, type Row } from '../kernel/entity.ts'

/** The base of degree days in the United States, in degrees Fahrenheit. */
const USUAL_BASE = 65

export const weatherStation = entity(
  'weather_station',
  'weather_stations',
  {
    code: helped(text('Code', 20), 'What files know the station by, such as KORD.'),
    name: text('Name'),
    base_temperature: helped(
      inUnit(defaulted(integer('Base Temperature', { min: 32, max: 90 }), USUAL_BASE), '°F'),
      'The temperature from which the station’s degree days are counted.',
    ),
  },
  { filter: ['id', 'code', 'name', 'base_temperature'], sort: ['code', 'name', 'base_temperature', 'id'], defaultSort: 'code asc' },
)
export type WeatherStation = Row<typeof weatherStation>
export type WeatherStationDraft = Draft<typeof weatherStation>

export const weatherStationCalls = {
  ...crudCalls(weatherStation, '/weather_stations', {
    list: 'signed_in',
    read: 'setting.read',
    create: 'setting.create',
    update: 'setting.update',
    destroy: 'setting.destroy',
  }),
  selectOptions: optionsCall(
    'weather_stations',
    '/weather_stations/select_options',
    'signed_in',
    z.object({ id: z.int(), code: z.string(), name: z.string() }),
  ),
}
