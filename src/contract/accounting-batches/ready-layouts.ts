/** Layouts that the product brings along, and the columns that the headings of a file suggest. */
import { plainHeader } from '../kernel/import.ts'
import type { UploadField } from './upload-file.ts'
import { type UploadLayout, uploadColumnsMax } from './upload-layout.ts'
import { type UploadSource, columnOf, type UploadColumn, wordMax, uploadSources } from './upload-column.ts'

const genericSources: readonly UploadSource[] = [
  'record_no',
  'batch_code',
  'batch_date',
  'posting_period',
  'client_short_code',
  'division_code',
  'facility_number',
  'vendor_number',
  'vendor_name',
  'invoice_number',
  'bill_date',
  'due_date',
  'invoice_amount',
  'line_no',
  'ledger_account_name',
  'ledger_fields',
  'debit',
  'credit',
  'description',
  'account_number',
  'utility_service_name',
  'usage',
  'unit',
  'bill_id',
  'image_file_name',
]

/** The layout of a client without a profile: CSV with the columns that imports of accounts payable expect. */
export const genericLayout: UploadLayout = {
  kind: 'delimited',
  delimiter: ',',
  header: true,
  date_format: 'YYYY-MM-DD',
  sign_style: 'minus',
  grain: 'line',
  include_payable: true,
  file_name: '{batch_code}_upload_v{version}',
  columns: genericSources.map((source) => columnOf(source)),
}
export const genericName = 'Generic CSV'

/** A fixed-width layout as a starting point: vendor, invoice, account and amount in 132 characters. */
export const fixedWidthLayout: UploadLayout = {
  ...genericLayout,
  kind: 'fixed_width',
  header: false,
  date_format: 'YYYYMMDD',
  columns: [
    columnOf('vendor_number', { width: 12 }),
    columnOf('vendor_name', { width: 30, cut: true }),
    columnOf('invoice_number', { width: 20, cut: true }),
    columnOf('bill_date', { width: 8 }),
    columnOf('due_date', { width: 8 }),
    columnOf('ledger_account_name', { width: 30, cut: true }),
    columnOf('amount', { width: 12 }),
    columnOf('batch_code', { width: 12, cut: true }),
  ],
}

export const iifLayout: UploadLayout = { ...genericLayout, kind: 'iif', delimiter: '\t', date_format: 'MM/DD/YYYY', columns: [] }

/**
 * Returns a column for each heading of a row that was pasted from the ledger, filled from the source of that name; an unknown heading becomes a
 * fixed text.
 */
export function columnsOfHeadings(pasted: string, ledgerFields: readonly UploadField[]): UploadColumn[] {
  const [line = ''] = pasted.trim().split(/\r?\n/)
  const parting = ['\t', '|', ';', ','].find((mark) => line.includes(mark)) ?? ','
  const headings = line.split(parting).map((heading) => heading.trim().replaceAll(/^"|"$/g, '').trim())
  return headings
    .filter((heading) => heading !== '')
    .slice(0, uploadColumnsMax)
    .map((heading) => columnOfHeading(heading.slice(0, wordMax), ledgerFields))
}

function columnOfHeading(heading: string, ledgerFields: readonly UploadField[]): UploadColumn {
  const plain = plainHeader(heading)
  const field = ledgerFields.find(({ name }) => plainHeader(name) === plain)
  if (field !== undefined) return columnOf('ledger_field', { field_id: field.id, heading })
  const named = uploadSources.find(
    ({ value, label }) => value !== 'fixed' && [plainHeader(label), plainHeader(value), ...(otherNames[value] ?? [])].includes(plain),
  )
  return columnOf(named?.value ?? 'fixed', { heading })
}

/** Names that ledgers use for the sources, without spaces and punctuation. */
const otherNames: Readonly<Partial<Record<UploadSource, readonly string[]>>> = {
  vendor_number: ['vendor', 'vendorid', 'vendorno', 'supplier', 'supplierid', 'suppliernumber'],
  vendor_name: ['suppliername', 'payee'],
  invoice_number: ['invoiceno', 'invoice', 'docnum', 'documentnumber', 'reference', 'referencenumber'],
  bill_date: ['billdate', 'date', 'documentdate', 'transactiondate'],
  due_date: ['due', 'paymentdate', 'duedate'],
  invoice_amount: ['invoicetotal', 'billamount', 'total'],
  line_no: ['line', 'linenumber'],
  ledger_account_name: ['glaccount', 'account', 'glcode', 'gl', 'ledgeraccount', 'glaccountnumber'],
  debit: ['debitamount', 'dr'],
  credit: ['creditamount', 'cr'],
  amount: ['lineamount', 'distributionamount', 'glamount'],
  description: ['memo', 'linedescription', 'comment', 'text'],
  account_number: ['utilityaccount', 'customeraccount', 'accountno'],
  posting_period: ['period', 'fiscalperiod'],
  batch_code: ['batch', 'batchno', 'batchnumber', 'batchid'],
  record_no: ['record', 'recordnumber', 'rownumber', 'row'],
  utility_service_name: ['utility', 'servicetype', 'commodity'],
  usage: ['quantity', 'consumption'],
  unit: ['uom', 'unitofmeasure'],
}
