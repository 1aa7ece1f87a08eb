/** The degree days of a weather station on one day, or of one month as a whole. */
import { crudCalls } from '../kernel/call.ts'
import { isCalendarDate, isCalendarMonth } from '../kernel/date.ts'
import { decimal, derived, entity, formedText, helped, ref, text, type Draft, type Field, type Row } from '../kernel/entity.ts'

const PERIOD_LENGTH = 'YYYY-MM-DD'.length
/** More than any month of any station has. */
const DEGREE_DAYS_MAX = 5_000

export const degreeDay = entity(
  'degree_day',
  'degree_days',
  {
    weather_station_id: ref('Weather Station', 'weather_stations'),
    station_code: derived(text('Station')),
    station_name: derived(text('Station Name')),
    period: helped(
      formedText('Day or Month', PERIOD_LENGTH, isDayOrMonth, 'must be a day, YYYY-MM-DD, or a month, YYYY-MM'),
      'YYYY-MM-DD, or YYYY-MM for a whole month.',
    ),
    heating: helped(degrees('Heating Degree Days'), 'What the mean temperature of each day lies below the station’s base, added up.'),
    cooling: helped(degrees('Cooling Degree Days'), 'What the mean temperature of each day lies above the station’s base, added up.'),
  },
  {
    filter: ['id', 'weather_station_id', 'station_code', 'station_name', 'period', 'heating', 'cooling'],
    sort: ['period', 'station_code', 'heating', 'cooling', 'id'],
    defaultSort: 'period desc',
  },
)
export type DegreeDay = Row<typeof degreeDay>
export type DegreeDayDraft = Draft<typeof degreeDay>

export const degreeDayCalls = {
  ...crudCalls(degreeDay, '/degree_days', {
    read: 'setting.read',
    create: 'setting.create',
    update: 'setting.update',
    destroy: 'setting.destroy',
  }),
}

function isDayOrMonth(value: string): boolean {
  return isCalendarDate(value) || isCalendarMonth(value)
}

function degrees(label: string): Field<string, 'required'> {
  return decimal(label, 2, { min: 0, max: DEGREE_DAYS_MAX, whole: 4 })
}
