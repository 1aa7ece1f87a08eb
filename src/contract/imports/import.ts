/**
 * Imports of CSV files. A file is checked first (dry run): every row gets its action, its errors and its changes. Then all rows or the valid
 * ones are committed, recorded as one import that can be undone as a whole while nothing depends on it.
 */
import { z } from 'zod'
import { billableAccountImport, supplyAccountImport } from '../accounts/import-accounts.ts'
import { billsImport } from '../bill-import/import-bills.ts'
import { budgetImport } from '../budgets/import-budgets.ts'
import { degreeDayImport } from '../weather/import-degree-days.ts'
import { divisionImport, facilityImport } from '../clients/import-estate.ts'
import { ledgerAccountImport, ledgerFieldImport } from '../ledger/import-ledger.ts'
import { clientImport, clientVendorNumberImport, vendorImport } from '../clients/import-reference.ts'
import type { ImportKind } from '../kernel/import.ts'

export const importKindNames = [
  'bills',
  'vendor',
  'ledger_account',
  'ledger_field',
  'division',
  'facility',
  'billableAccount',
  'supplyAccount',
  'clientVendorNumber',
  'budget',
  'degreeDay',
  'client',
] as const
export type ImportKindName = (typeof importKindNames)[number]

/** Every kind by name: its columns define the template, the example and the guide. */
export const importKinds: Readonly<Record<ImportKindName, ImportKind>> = {
  bills: billsImport,
  vendor: vendorImport,
  ledger_account: ledgerAccountImport,
  ledger_field: ledgerFieldImport,
  division: divisionImport,
  facility: facilityImport,
  billableAccount: billableAccountImport,
  supplyAccount: supplyAccountImport,
  clientVendorNumber: clientVendorNumberImport,
  budget: budgetImport,
  degreeDay: degreeDayImport,
  client: clientImport,
}

/** The purpose of a file: check only, store the valid rows, or store only if every row is valid. */
export const importModes = ['dry_run', 'valid', 'all'] as const
export type ImportMode = (typeof importModes)[number]

export const importStates = ['waiting', 'checking', 'checked', 'committing', 'committed', 'undoing', 'undone', 'failed'] as const
export type ImportState = (typeof importStates)[number]

/** The action of a row, planned or done: `refused` rows are not stored. */
export const importActions = ['create', 'update', 'unchanged', 'refused'] as const
export type ImportAction = (typeof importActions)[number]

/** Rows of one page of the report. */
export const importRowsPerPageMax = 1_000
export const importsPerPageMax = 100

export const importStartedMessage = 'Starting Import Process'
/** The notice of a stored import: a title and a text (IMPORT-MSG-002). */
export const importSuccess = { title: 'Import successful!', text: 'The import has been made successfully.' } as const
/** The notice of a failed import, with its reason as the text (IMPORT-MSG-003). */
export const importFailedMessage = 'An error occurred.'

const count = z.int()
const counts = z.object({ rows: count, create: count, update: count, unchanged: count, refused: count })
export type ImportCounts = z.infer<typeof counts>

export const summary = z.object({
  id: z.int(),
  kind: z.enum(importKindNames),
  /** 0 for vendors, clients and degree days. */
  client_id: z.int(),
  client_name: z.string().nullable(),
  filename: z.string(),
  byte_size: z.int(),
  user_id: z.int(),
  user_name: z.string(),
  state: z.enum(importStates),
  mode: z.enum(importModes),
  /** Planned counts before the commit, actual ones after it. */
  counts,
  /** Counts of created and changed parts, if the kind has parts. */
  parts: z.object({ create: count, update: count }).nullable(),
  /** The file's headers in order, each with the column that it fills; null if it is ignored. */
  headers: z.array(z.object({ header: z.string(), column: z.string().nullable() })),
  /** The format of the file. */
  separator: z.string().nullable(),
  encoding: z.string().nullable(),
  /** Faults of the file as a whole, which prevent any commit. */
  faults: z.array(z.string()),
  /** Points to check: a header that matches no column, a column that new rows need. */
  warnings: z.array(z.string()),
  /** The reason it failed. */
  error: z.string().nullable(),
  /** The running or last task: cancel and follow it by the task's calls. */
  task_id: z.int().nullable(),
  has_refused_file: z.boolean(),
  may_commit: z.boolean(),
  may_undo: z.boolean(),
  /** The reason it cannot be undone, as far as it is known without trying. */
  undo_refusal: z.string().nullable(),
  created_at: z.string(),
  checked_at: z.string().nullable(),
  committed_at: z.string().nullable(),
  undone_at: z.string().nullable(),
})
export type ImportSummary = z.infer<typeof summary>

export const importRow = z.object({
  /** The line of the file on which the row begins; the header is line 1. */
  line: z.int(),
  /** Name of the row for people, from its key. */
  label: z.string(),
  action: z.enum(importActions),
  /** The record that it updates or has created. */
  item_id: z.int().nullable(),
  /** The action on the part; null if the row has no values for it. */
  part_action: z.enum(importActions).nullable(),
  /** The cells by column, as in the file; secrets are masked. */
  cells: z.record(z.string(), z.string()),
  errors: z.array(
    z.object({
      /** The column, or null if the whole row is refused. */
      column: z.string().nullable(),
      message: z.string(),
      /** Suggestions: the closest matches. */
      suggestions: z.array(z.string()),
    }),
  ),
  /** For an update: each changed column, in the words of the file. */
  changes: z.record(z.string(), z.object({ from: z.string().nullable(), to: z.string().nullable() })),
  /** Notes on a row that can be stored: the findings of its bill. */
  notes: z.array(z.string()),
  /** Id of the stored record that a refused row repeats. */
  repeats_id: z.int().nullable(),
})
export type ImportRow = z.infer<typeof importRow>

/** The `payload` of the notices about an import; their `type` is `import`. */
export interface ImportNotice {
  readonly import_id: number
  readonly kind: ImportKindName
  readonly state: ImportState
  readonly counts: ImportCounts
}
