/** The imports of a client's divisions and facilities. */
import { division } from './division.ts'
import { facility } from './facility.ts'
import { column, importKind, reference } from '../kernel/import.ts'

export const divisionImport = importKind({
  name: 'division',
  label: 'Division',
  labels: 'Divisions',
  key: ['code'],
  passedOver: ['id', 'client'],
  columns: [
    column('code', division.fields.code, { meaning: 'What the division is known by inside the client.', examples: ['D01', 'D02'] }),
    column('name', division.fields.name, { meaning: 'The name of the division.', examples: ['East', 'West'] }),
    column('short_code', division.fields.short_code, { meaning: 'A short form of the name.', examples: ['E', 'W'] }),
    reference('batch_group', division.fields.batch_group_id, {
      key: 'batch_group_id',
      meaning: 'The batch group that its bills are batched with; it must be there.',
      examples: ['', ''],
      to: { refers: 'batch_groups', by: 'name', label: 'batch group' },
    }),
  ],
})

export const facilityImport = importKind({
  name: 'facility',
  label: 'Facility',
  labels: 'Facilities',
  key: ['number'],
  passedOver: ['id', 'client', 'division'],
  columns: [
    column('number', facility.fields.number, { meaning: 'What the facility is known by inside the client.', examples: ['1001', '1002'] }),
    column('name', facility.fields.name, { meaning: 'The name of the facility.', examples: ['Albany Warehouse', 'Troy Store'] }),
    reference('division_code', facility.fields.division_id, {
      key: 'division_id',
      meaning: 'The division that it belongs to.',
      examples: ['D01', 'D02'],
      to: { refers: 'divisions', by: 'code', label: 'division' },
    }),
    reference('facility_type', facility.fields.facility_type_id, {
      key: 'facility_type_id',
      meaning: 'What kind of facility it is.',
      examples: ['', ''],
      to: { refers: 'facility_types', by: 'name', label: 'facility type' },
    }),
    column('square_footage', facility.fields.square_footage, { meaning: 'Its floor area in square feet.', examples: ['12500', '3200.5'] }),
    column('portfolio_manager_property_id', facility.fields.portfolio_manager_property_id, {
      meaning: 'The ID of the property in ENERGY STAR Portfolio Manager.',
      examples: ['', ''],
    }),
    reference('weather_station', facility.fields.weather_station_id, {
      key: 'weather_station_id',
      meaning: 'The code of the weather station whose degree days explain its usage.',
      examples: ['', ''],
      to: { refers: 'weather_stations', by: 'code', label: 'weather station' },
    }),
    reference('production_units', facility.fields.production_unit_ids, {
      key: 'production_unit_ids',
      required: false,
      many: true,
      meaning: 'What it produces.',
      examples: ['', ''],
      to: { refers: 'production_units', by: 'name', label: 'production unit' },
    }),
  ],
})
