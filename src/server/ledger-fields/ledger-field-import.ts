/** Ledger fields from a CSV file. */
import { ledgerFieldImport } from '#contract/ledger/import-ledger.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'

export function ledgerFieldTarget(source: ImportTarget['source']): ImportTarget {
  return { kind: ledgerFieldImport, source, may: { create: 'ledger_field.create', update: 'ledger_field.update' } }
}
