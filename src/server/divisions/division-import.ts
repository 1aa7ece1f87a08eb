/** Divisions from a CSV file. */
import { divisionImport } from '#contract/import-estate.ts'
import type { ImportTarget } from '../kernel/import-target.ts'

export function divisionTarget(source: ImportTarget['source']): ImportTarget {
  return { kind: divisionImport, source, may: { create: 'division.create', update: 'division.update' } }
}
