/** Facilities from a CSV file, with what they produce. */
import { facilityImport } from '#contract/clients/import-estate.ts'
import { copyDivisionsToBills } from '../estate/estate.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'

export function facilityTarget(source: ImportTarget['source']): ImportTarget {
  return {
    kind: facilityImport,
    source,
    may: { create: 'facility.create', update: 'facility.update' },
    links: { production_unit_ids: { table: 'facility_production_units', parent: 'facility_id', column: 'production_unit_id' } },
    after: ({ tx }, { clientId, changed }) => copyDivisionsToBills(tx, clientId, changed('division_id')),
  }
}
