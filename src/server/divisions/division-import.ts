/** Divisions from a CSV file. */
import { divisionImport } from '#contract/clients/import-estate.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'

export function divisionTarget(source: ImportTarget['source']): ImportTarget {
  return { kind: divisionImport, source, may: { create: 'division.create', update: 'division.update' } }
}
