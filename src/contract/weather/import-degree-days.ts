/** The import of degree days: a row is a station, a day or a month, and its degree days. */
import { column, importKind, reference } from '../kernel/import.ts'
import { degreeDay } from './degree-day.ts'

const { fields } = degreeDay

export const degreeDayImport = importKind({
  name: 'degreeDay',
  label: 'Degree Day',
  labels: 'Degree Days',
  key: ['station', 'period'],
  passedOver: ['id', 'weather_station', 'station_name'],
  notes: [
    'The station must be there, with the base temperature that the degree days are counted from.',
    'A month is spread evenly over its days. A day with a row of its own takes no part of its month.',
  ],
  columns: [
    reference('station', fields.weather_station_id, {
      key: 'weather_station_id',
      meaning: 'The code of the weather station.',
      examples: ['KALB', 'KALB'],
      to: { refers: 'weather_stations', by: 'code', label: 'weather station' },
    }),
    column('period', fields.period, { meaning: 'The day, YYYY-MM-DD, or the month, YYYY-MM.', examples: ['2026-01-15', '2026-02'] }),
    column('heating', fields.heating, { meaning: 'Its heating degree days.', examples: ['38.5', '1043'] }),
    column('cooling', fields.cooling, { meaning: 'Its cooling degree days.', examples: ['0', '0'] }),
  ],
})
