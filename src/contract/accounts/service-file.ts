/**
 * The files of all services of a client: one for billable accounts, one for supply accounts. Their headers are those of the account imports, so
 * a file can be imported as it is. They accept the filters of the list of accounts.
 */
import { billableAccount } from './billable-account.ts'
import { billableLedgersColumn, serviceImportColumns } from '../services/import-services.ts'
import { call, exportInput, started } from '../kernel/call.ts'
import { derived, entity, text, type Entity, type Field, type Fields } from '../kernel/entity.ts'
import type { ImportColumn } from '../kernel/import.ts'
import { supplyAccount } from './supply-account.ts'

/** Columns that identify the account of a row. */
const accountHeaders = ['account_number', 'vendor_short_code'] as const
/** Kinds of fields that a cell holds as they are; others are written in words. */
const plainKinds: readonly string[] = ['text', 'long_text', 'boolean', 'integer', 'decimal', 'date']

/** The columns of a service in the file, in the order of the import. */
export const serviceFileColumns = {
  billable_account: serviceImportColumns,
  supply_account: [...serviceImportColumns, billableLedgersColumn],
}

export const billableServiceFile = fileOf(
  'service_of_billable_accounts',
  'services_of_billable_accounts',
  'Billable Account Services',
  billableAccount,
  serviceFileColumns.billable_account,
)
export const supplyServiceFile = fileOf(
  'service_of_supply_accounts',
  'services_of_supply_accounts',
  'Supply Account Services',
  supplyAccount,
  serviceFileColumns.supply_account,
)

export const serviceFileCalls = {
  ofBillableAccounts: call({
    name: 'services_of_billable_accounts.export',
    method: 'GET',
    path: '/clients/:client_id/services/export_csv',
    effect: 'write',
    may: 'service.read',
    summary: 'Starts a CSV export of the services of billable accounts, with the headers of their import',
    query: exportInput,
    reply: started,
  }),
  ofSupplyAccounts: call({
    name: 'services_of_supply_accounts.export',
    method: 'GET',
    path: '/clients/:client_id/services/supply_export_csv',
    effect: 'write',
    may: 'service.read',
    summary: 'Starts a CSV export of the services of supply accounts, with the headers of their import',
    query: exportInput,
    reply: started,
  }),
}

/** The headers of a file, in order. */
export function fileHeaders(columns: readonly ImportColumn[]): string[] {
  return [...accountHeaders, ...columns.map(({ name }) => name)]
}

function fileOf<Name extends string, Plural extends string>(
  name: Name,
  plural: Plural,
  labels: string,
  account: Pick<Entity, 'fields' | 'list'>,
  columns: readonly ImportColumn[],
): Entity<Name, Plural> {
  // An account's id is not the row's id, so it is no filter here.
  const filter = account.list.filter.filter((key) => key !== 'id')
  const cells = columns.map((column): [string, Field<unknown>] => [column.name, { ...cellOf(column), label: column.name }])
  const fields: Fields = {
    ...Object.fromEntries(filter.map((key) => [key, fieldOf(account.fields, key)])),
    ...Object.fromEntries(accountHeaders.map((key) => [key, { ...derived(text(key)), label: key }])),
    ...Object.fromEntries(cells),
    in_order: derived(text('Order')),
  }
  return entity(name, plural, fields, { filter, sort: ['in_order'], defaultSort: 'in_order asc' }, { labels })
}

function cellOf({ field, reference }: ImportColumn): Field<unknown> {
  return derived(reference === undefined && plainKinds.includes(field.kind) ? field : text(field.label))
}

function fieldOf(fields: Fields, key: string): Field<unknown> {
  const field = fields[key]
  if (!field) throw new Error(`there is no field ${key}`)
  return derived(field)
}
