/** Facilities of a client, with what they produce. */
import { facility, facilityCalls, type Facility, type FacilityDraft } from '#contract/clients/facility.ts'
import { sql } from 'kysely'
import { copyDivisionToBills, divisionScope, facilityScope } from '../estate/estate.ts'
import { saveLinks } from '../kernel/lists/children.ts'
import type { Context } from '../kernel/context.ts'
import type { Handler } from '../kernel/handler.ts'
import { listed, scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { crudHandlers, exportHandler, listHandler, optionsHandler, resource } from '../kernel/lists/resource.ts'
import { searchHandler } from '../kernel/lists/lookup.ts'
import { facilityTarget } from './facility-import.ts'

/** Columns that an import accepts. The code of a division is for who reaches the division itself. */
const fileColumns = (asked: Asked) => [
  {
    header: 'division_code',
    sql: sql`(select code from divisions where divisions.client_id = facilities.client_id and divisions.id = facilities.division_id
      and ${scopeCondition({ scope: divisionScope }, asked)})`,
  },
  { header: 'facility_type', sql: sql`(select name from facility_types where facility_types.id = facilities.facility_type_id)` },
  {
    header: 'weather_station',
    sql: sql`(select code from weather_stations where weather_stations.id = facilities.weather_station_id)`,
  },
  {
    header: 'production_units',
    sql: sql`(select string_agg(${listed(sql.ref('made.name'))}, '; ' order by made.name, made.id) from facility_production_units link
      join production_units made on made.id = link.production_unit_id where link.client_id = facilities.client_id and link.facility_id = facilities.id)`,
  },
]

export const facilities = resource({
  entity: facility,
  table: 'facilities',
  scope: facilityScope,
  joins: {
    division: sql`join divisions division on division.client_id = facilities.client_id and division.id = facilities.division_id`,
    facility_type: sql`left join facility_types facility_type on facility_type.id = facilities.facility_type_id`,
    client: sql`join clients on clients.id = facilities.client_id`,
  },
  columns: {
    division_name: { sql: sql.ref('division.name'), joins: ['division'] },
    facility_type_name: { sql: sql.ref('facility_type.name'), joins: ['facility_type'] },
    client: { sql: sql.ref('clients.name'), joins: ['client'] },
    production_unit_ids: {
      sql: sql`array(select made.production_unit_id from facility_production_units made
        where made.client_id = facilities.client_id and made.facility_id = facilities.id order by made.production_unit_id)`,
    },
  },
  further: (_tx, asked) => Promise.resolve(fileColumns(asked)),
  search: ['name', 'number'],
})

export const facilityImportTarget = facilityTarget(facilities)

export const facilityHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(facilityCalls, facilities, { children: saveBeside }),
  list: listHandler(facilityCalls.list, facilities),
  listAll: listHandler(facilityCalls.listAll, facilities),
  exportAll: exportHandler(facilityCalls.exportAll, facilities),
  selectOptions: optionsHandler(facilityCalls.selectOptions, facilities, ['id', 'name', 'number', 'client_id', 'division_id']),
  search: searchHandler(facilityCalls.search, facilities, ['id', 'name', 'number', 'client_id', 'division_id']),
  clientSearch: searchHandler(facilityCalls.clientSearch, facilities, ['id', 'name', 'number', 'client_id', 'division_id']),
})

type SavedFacility = { readonly id: number; readonly client_id: number }

async function saveBeside(
  { tx }: Context,
  draft: Partial<FacilityDraft>,
  { id, client_id }: SavedFacility,
  before: Facility | null,
): Promise<void> {
  const made = { table: 'facility_production_units', parent: { client_id, facility_id: id }, column: 'production_unit_id' }
  await saveLinks(tx, made, draft.production_unit_ids)
  if (before && draft.division_id !== undefined && draft.division_id !== before.division_id) await copyDivisionToBills(tx, client_id, id)
}
