/** The calls of imports. */
import { wholeNumber } from '../kernel/query.ts'
import { z } from 'zod'
import { call, started } from '../kernel/call.ts'
import type { May } from '../kernel/permission.ts'
import { formFile } from '../uploads/upload.ts'
import { importModes, type ImportKindName, importKinds, importKindNames, summary, importActions, importRow } from './import.ts'

const importStarted = z.intersection(started, z.object({ import_id: z.int().optional() }))

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
  budget: fileCall('budget', 'budgets', '/clients/:client_id/budgets/import', 'billable_account.update'),
  degreeDay: fileCall('degreeDay', 'degree_days', '/degree_days/import', 'setting.create'),
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
      page: wholeNumber.optional(),
      per: wholeNumber.optional(),
      kind: z.enum(importKindNames).optional(),
      /** 0 for vendors, clients and degree days. */
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
    query: z.strictObject({ page: wholeNumber.optional(), per: wholeNumber.optional(), action: z.enum(importActions).optional() }),
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
