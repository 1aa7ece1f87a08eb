/** A facility: a building or a site of a division. */
import { z } from 'zod'
import { call, exportOf, crudCalls, listReply, optionsCall } from '../kernel/call.ts'
import {
  decimal,
  defaulted,
  derived,
  entity,
  helped,
  optional,
  ref,
  refs,
  text,
  type Draft,
  type Row,
  numberText,
} from '../kernel/entity.ts'
import { listInputWith } from '../kernel/query.ts'
import { idsInput, searchCall } from '../kernel/lookup.ts'
import { portfolioManagerId } from './portfolio-manager-id.ts'

export const facility = entity(
  'facility',
  'facilities',
  {
    name: text('Name'),
    number: numberText('Number', 60),
    square_footage: optional(decimal('Square Footage', 4, { min: 0 })),
    division_id: ref('Division', 'divisions'),
    division_name: derived(text('Division')),
    facility_type_id: optional(ref('Facility Type', 'facility_types')),
    facility_type_name: derived(optional(text('Facility Type'))),
    weather_station_id: helped(
      optional(ref('Weather Station', 'weather_stations')),
      'Whose degree days explain the usage of the facility.',
    ),
    production_unit_ids: defaulted(refs('Production Units', 'production_units', 100), []),
    portfolio_manager_property_id: helped(
      optional(portfolioManagerId('Portfolio Manager Property ID')),
      'The ID that ENERGY STAR Portfolio Manager gave to the property.',
    ),
    client_id: derived(ref('Client', 'clients')),
    client: derived(text('Client')),
  },
  {
    filter: [
      'id',
      'name',
      'number',
      'square_footage',
      'division_id',
      'division_name',
      'facility_type_id',
      'facility_type_name',
      'weather_station_id',
      'portfolio_manager_property_id',
      'client_id',
      'client',
    ],
    sort: ['name', 'number', 'square_footage', 'division_name', 'facility_type_name', 'portfolio_manager_property_id', 'client', 'id'],
    defaultSort: 'name asc',
    sizes: [10, 20, 50, 100, 1000],
  },
)
export type Facility = Row<typeof facility>
export type FacilityDraft = Draft<typeof facility>

const option = z.object({ id: z.int(), name: z.string(), number: z.string(), client_id: z.int(), division_id: z.int() })

const listAllFacilities = call({
  name: 'facilities.list_all',
  method: 'GET',
  path: '/facilities',
  may: 'facility.read',
  summary: 'Lists the facilities of all clients that you reach',
  query: listInputWith({ division_id: idsInput.optional(), facility_id: idsInput.optional() }),
  reply: listReply('facilities', facility.row),
})

export const facilityCalls = {
  ...crudCalls(facility, '/clients/:client_id/facilities', {
    read: 'facility.read',
    create: 'facility.create',
    update: 'facility.update',
    destroy: 'facility.destroy',
  }),
  list: call({
    name: 'facilities.list',
    method: 'GET',
    path: '/clients/:client_id/facilities',
    may: 'facility.read',
    summary: 'Lists the facilities of a client',
    query: listInputWith({ division_id: idsInput.optional(), facility_id: idsInput.optional() }),
    reply: listReply('facilities', facility.row),
  }),
  listAll: listAllFacilities,
  exportAll: exportOf(listAllFacilities, 'facilities of all clients'),
  selectOptions: optionsCall('facilities', '/clients/:client_id/facilities/select_options', 'facility.read', option),
  search: searchCall('facilities', '/facilities/search', 'facility.read', option),
  clientSearch: searchCall('facilities', '/clients/:client_id/facilities/search', 'facility.read', option, 'facilities.client_search'),
}
