/**
 * The file of a client's bills with their lines, values and charges. Its headers are those of the bills' import, so the file can be imported
 * into another client as it is. It accepts the filters of the list of bills.
 */
import { bill } from '../bills/bill.ts'
import { billsImport, entryColumns, factorColumns, metersPerRow } from './import-bills.ts'
import { call, exportInput, started } from '../kernel/call.ts'
import { derived, entity, text, type Field, type Fields } from '../kernel/entity.ts'

const billFields: Fields = bill.fields

/** The headers in the order of the template. Entry fields with other names follow under their own headers. */
export const billFileHeaders: readonly string[] = billsImport.columns.map(({ name }) => name)

/** Columns that only users with the right to read bill notes get. */
export const billFileNotes: readonly string[] = billFileHeaders.filter((name) => name === 'notes' || /^m\d_notes$/.test(name))

/** Entry fields and usage factors that have template columns, by the suffix of the header. */
export const billFileValues: Readonly<Record<string, string>> = { ...entryColumns, ...factorColumns }

/** Most further names in a file, since a database statement can select only so many columns. */
export const billFileFurtherMax = 500

/** Numbers of a row's meters, starting with 1. */
export const billFileMeters: readonly number[] = Array.from({ length: metersPerRow }, (_, at) => at + 1)

/** A filter keeps the list's field; every heading is the column's name. */
const cells = billsImport.columns.map(({ name, field }): [string, Field<unknown>] => [
  name,
  { ...((bill.list.filter.includes(name) ? billFields[name] : undefined) ?? derived(field)), label: name },
])

export const billFile = entity(
  'bill_with_lines',
  'bills_with_lines',
  { ...billFields, ...Object.fromEntries(cells), in_order: derived(text('Order')) },
  { filter: bill.list.filter, sort: ['in_order'], defaultSort: 'in_order asc' },
  { labels: 'Bills with lines' },
)

export const billFileCalls = {
  exportCsv: call({
    name: 'bills_with_lines.export',
    method: 'GET',
    path: '/clients/:client_id/bills/lines/export_csv',
    effect: 'write',
    may: 'bill.read',
    summary: 'Starts a CSV export of bills with their lines, values and charges, with the headers of their import',
    query: exportInput,
    reply: started,
  }),
}
