/**
 * Imports of CSV files. A file is checked first (dry run): every row gets its action, its errors and its changes. Then all rows or the valid
 * ones are committed, recorded as one import that can be undone as a whole while nothing depends on it.
 */
import { z } from 'zod'
import { billableAccountImport, supplyAccountImport } from '../accounts/import-accounts.ts'
import { billsImport } from '../bill-import/import-bills.ts'
import { divisionImport, facilityImport } from '../clients/import-estate.ts'
import { ledgerAccountImport, ledgerFieldImport } from '../ledger/import-ledger.ts'
import { clientImport, clientVendorNumberImport, vendorImport } from '../clients/import-reference.ts'
import { call, started } from '../kernel/call.ts'
import type { ImportKind } from '../kernel/import.ts'
import type { May } from '../kernel/permission.ts'
import { formFile } from '../uploads/upload.ts'

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

const summary = z.object({
  id: z.int(),
  kind: z.enum(importKindNames),
  /** 0 for vendors and clients. */
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

const importRow = z.object({
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

const importStarted = z.intersection(started, z.object({ import_id: z.int().optional() }))
const whole = z.union([z.string().regex(/^[1-9]\d{0,8}$/, 'must be a positive whole number'), z.int().positive()])

const importForm = z.strictObject({
  file: formFile('File'),
  connection_id: z.string().max(100).optional(),
  mode: z.enum(importModes, { error: `must be one of ${importModes.join(', ')}` }).optional(),
})

/** The multipart body has the part `file`, and optionally `connection_id` and `mode`; without a mode the valid rows are stored. */
function fileCall<Path extends string>(kind: ImportKindName, prefix: string, path: Path, may: May) {
  return call({
    name: `${prefix}.import`,
    method: 'POST',
    path,
    may,
    summary: `Starts an import of ${importKinds[kind].labels} from one CSV file (multipart: file, connection_id, mode dry_run, valid or all)`,
    bodyKind: 'multipart',
    query: z.strictObject({ connection_id: z.string().max(100).optional() }),
    body: importForm,
    reply: importStarted,
  })
}

/** The file imports by kind. */
export const importFileCalls = {
  bills: fileCall('bills', 'bills', '/clients/:client_id/bills/import', 'bill.create'),
  vendor: fileCall('vendor', 'vendors', '/vendors/import', 'vendor.create'),
  client: fileCall('client', 'clients', '/clients/import', 'client.create'),
  division: fileCall('division', 'divisions', '/clients/:client_id/divisions/import', 'division.create'),
  facility: fileCall('facility', 'facilities', '/clients/:client_id/facilities/import', 'facility.create'),
  billableAccount: fileCall(
    'billableAccount',
    'billable_accounts',
    '/clients/:client_id/billable_accounts/import',
    'billable_account.create',
  ),
  supplyAccount: fileCall('supplyAccount', 'supply_accounts', '/clients/:client_id/supply_accounts/import', 'supply_account.create'),
  ledger_field: fileCall('ledger_field', 'ledger_fields', '/clients/:client_id/ledger_fields/import', 'ledger_field.create'),
  ledger_account: fileCall('ledger_account', 'ledger_accounts', '/clients/:client_id/ledger_accounts/import', 'ledger_account.create'),
  clientVendorNumber: fileCall(
    'clientVendorNumber',
    'client_vendor_numbers',
    '/clients/:client_id/client_vendor_numbers/import',
    'client.update',
  ),
}

const templateParams = z.object({
  file: z
    .string()
    .regex(/^\w{1,40}\.csv$/)
    .transform((name) => name.slice(0, -4))
    .pipe(z.enum(importKindNames)),
})

const templateQuery = z.strictObject({
  client_id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be an id')
    .optional(),
})

export const importCalls = {
  template: call({
    name: 'imports.template',
    method: 'GET',
    path: '/imports/templates/:file',
    may: 'signed_in',
    summary: 'The template of a kind, `{kind}.csv`: its header row; for a client with the columns of its own',
    params: templateParams,
    query: templateQuery,
    replyKind: 'stream',
  }),
  example: call({
    name: 'imports.example',
    method: 'GET',
    path: '/imports/examples/:file',
    may: 'signed_in',
    summary: 'The example of a kind, `{kind}.csv`: the template with rows that can be imported',
    params: templateParams,
    query: templateQuery,
    replyKind: 'stream',
  }),
  list: call({
    name: 'imports.list',
    method: 'GET',
    path: '/imports',
    may: 'signed_in',
    summary: 'Imports, newest first: your own, and for who reaches all clients everybody’s',
    query: z.strictObject({
      page: whole.optional(),
      per: whole.optional(),
      kind: z.enum(importKindNames).optional(),
      /** 0 for vendors and clients. */
      client_id: z
        .string()
        .regex(/^\d{1,15}$/, 'must be an id')
        .optional(),
    }),
    reply: z.object({ imports: z.array(summary), total: z.int() }),
  }),
  get: call({
    name: 'imports.get',
    method: 'GET',
    path: '/imports/:id',
    may: 'signed_in',
    summary: 'One import: how far it is, its counts, what is wrong with its file',
    reply: z.object({ import: summary }),
  }),
  rows: call({
    name: 'imports.rows',
    method: 'GET',
    path: '/imports/:id/rows',
    may: 'signed_in',
    summary: 'The rows of an import with their errors and changes, refused ones first, then by line',
    query: z.strictObject({ page: whole.optional(), per: whole.optional(), action: z.enum(importActions).optional() }),
    reply: z.object({ import_rows: z.array(importRow), total: z.int() }),
  }),
  commit: call({
    name: 'imports.commit',
    method: 'POST',
    path: '/imports/:id/commit',
    may: 'signed_in',
    summary: 'Stores the valid rows of a checked import, or all of them and only if all are valid',
    body: z.strictObject({ mode: z.enum(['all', 'valid']) }),
    reply: importStarted,
  }),
  refused: call({
    name: 'imports.refused',
    method: 'GET',
    path: '/imports/:id/refused.csv',
    may: 'signed_in',
    effect: 'write',
    summary: 'The address of a CSV of the refused rows with what is wrong with each, to mend and send again; good for five minutes',
    reply: z.object({ url: z.string(), filename: z.string() }),
  }),
  undo: call({
    name: 'imports.undo',
    method: 'POST',
    path: '/imports/:id/undo',
    may: 'signed_in',
    summary: 'Starts undoing a stored import as a whole: what it created goes, what it changed is as before',
    reply: importStarted,
  }),
}

/** The `payload` of the notices about an import; their `type` is `import`. */
export interface ImportNotice {
  readonly import_id: number
  readonly kind: ImportKindName
  readonly state: ImportState
  readonly counts: ImportCounts
}
