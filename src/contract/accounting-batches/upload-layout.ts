/** The format of an upload file: its kind, its columns, and its dates and amounts. A client's layouts are stored as export profiles. */
import { z } from 'zod'
import { plainHeader } from '../kernel/import.ts'
import { fileWords, patternFault } from './name-pattern.ts'
import type { UploadField } from './upload-file.ts'

export const layoutKinds = [
  { value: 'delimited', label: 'Delimited text' },
  { value: 'fixed_width', label: 'Fixed width' },
  { value: 'iif', label: 'QuickBooks IIF' },
] as const
export type LayoutKind = (typeof layoutKinds)[number]['value']

export const delimiters = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Pipe' },
] as const

export const dateFormats = ['YYYY-MM-DD', 'MM/DD/YYYY', 'MM/DD/YY', 'YYYYMMDD', 'MMDDYY'] as const
export type DateFormat = (typeof dateFormats)[number]

export const signStyles = [
  { value: 'minus', label: 'Minus in front: -5.00' },
  { value: 'trailing', label: 'Minus behind: 5.00-' },
  { value: 'parentheses', label: 'Parentheses: (5.00)' },
] as const
export type SignStyle = (typeof signStyles)[number]['value']

export const grains = [
  { value: 'line', label: 'Ledger line' },
  { value: 'account', label: 'Utility account and ledger account' },
  { value: 'ledger_account', label: 'Ledger account' },
] as const
export type Grain = (typeof grains)[number]['value']

type SourceKind = 'text' | 'date' | 'money' | 'number'

/** Sources for a column's values. `ledger_fields` expands to a column for each ledger field of the client. */
export const uploadSources = [
  { value: 'record_no', label: 'Record No', kind: 'number' },
  { value: 'batch_code', label: 'Batch Code', kind: 'text' },
  { value: 'batch_date', label: 'Batch Date', kind: 'date' },
  { value: 'posting_period', label: 'Posting Period', kind: 'text' },
  { value: 'client_short_code', label: 'Client', kind: 'text' },
  { value: 'division_code', label: 'Division Code', kind: 'text' },
  { value: 'facility_number', label: 'Facility Number', kind: 'text' },
  { value: 'vendor_number', label: 'Vendor Number', kind: 'text' },
  { value: 'vendor_name', label: 'Vendor Name', kind: 'text' },
  { value: 'invoice_number', label: 'Invoice Number', kind: 'text' },
  { value: 'bill_date', label: 'Invoice Date', kind: 'date' },
  { value: 'due_date', label: 'Due Date', kind: 'date' },
  { value: 'invoice_amount', label: 'Invoice Amount', kind: 'money' },
  { value: 'line_no', label: 'Line No', kind: 'number' },
  { value: 'ledger_account_name', label: 'Ledger Account', kind: 'text' },
  { value: 'ledger_field', label: 'Ledger Field', kind: 'text' },
  { value: 'ledger_fields', label: 'All Ledger Fields', kind: 'text' },
  { value: 'debit', label: 'Debit', kind: 'money' },
  { value: 'credit', label: 'Credit', kind: 'money' },
  { value: 'amount', label: 'Amount', kind: 'money' },
  { value: 'description', label: 'Description', kind: 'text' },
  { value: 'account_number', label: 'Account Number', kind: 'text' },
  { value: 'utility_service_name', label: 'Service', kind: 'text' },
  { value: 'usage', label: 'Usage', kind: 'number' },
  { value: 'unit', label: 'Unit', kind: 'text' },
  { value: 'bill_id', label: 'Bill ID', kind: 'number' },
  { value: 'image_file_name', label: 'Image File Name', kind: 'text' },
  { value: 'fixed', label: 'Fixed Text', kind: 'text' },
] as const satisfies readonly { readonly value: string; readonly label: string; readonly kind: SourceKind }[]
export type UploadSource = (typeof uploadSources)[number]['value']

/** Formats by which one column differs from the profile. Each format suits some sources. */
export const columnFormats = [
  { value: 'usual', label: 'Usual', suits: ['text', 'date', 'money', 'number'] },
  { value: 'upper', label: 'Capital letters', suits: ['text'] },
  { value: 'cents', label: 'Whole cents', suits: ['money'] },
  { value: 'zeros', label: 'Zeros in front', suits: ['number', 'money', 'text'] },
  ...dateFormats.map((value) => ({ value, label: value, suits: ['date'] as const })),
] as const satisfies readonly { readonly value: string; readonly label: string; readonly suits: readonly SourceKind[] }[]
export type ColumnFormat = (typeof columnFormats)[number]['value']

/** Maximum columns of a layout. */
export const uploadColumnsMax = 100
/** Maximum length of a heading and a default. */
const wordMax = 100
const widthMax = 500

export const uploadColumn = z.strictObject({
  source: z.enum(
    uploadSources.map(({ value }) => value),
    { error: 'Choose what the column is filled from' },
  ),
  /** The id of the ledger field, if the source is one. */
  field_id: z.int().positive().nullable().default(null),
  heading: z.string({ error: 'Heading must be text' }).max(wordMax, `Heading must have at most ${wordMax} characters`),
  /** Width in characters. In a delimited file it is the maximum length of a value. */
  width: z
    .int('Width must be a whole number')
    .min(1, 'Width must be at least 1')
    .max(widthMax, `Width must be at most ${widthMax}`)
    .nullable()
    .default(null),
  format: z
    .enum(
      columnFormats.map(({ value }) => value),
      { error: 'Format is not known' },
    )
    .default('usual'),
  /** Used if there is no value. */
  default: z.string().max(wordMax, `Default must have at most ${wordMax} characters`).default(''),
  /** Whether an overlong text is cut. Amounts, dates and numbers never are. */
  cut: z.boolean().default(false),
})
export type UploadColumn = z.infer<typeof uploadColumn>

/** A layout while it is edited: each part is valid by itself. */
export const layoutDraft = z.strictObject({
  kind: z.enum(
    layoutKinds.map(({ value }) => value),
    { error: 'Format is not known' },
  ),
  delimiter: z
    .enum(
      delimiters.map(({ value }) => value),
      { error: 'Delimiter is not known' },
    )
    .default(','),
  header: z.boolean().default(true),
  date_format: z.enum(dateFormats, { error: 'Date format is not known' }).default('YYYY-MM-DD'),
  sign_style: z
    .enum(
      signStyles.map(({ value }) => value),
      { error: 'Sign style is not known' },
    )
    .default('minus'),
  grain: z
    .enum(
      grains.map(({ value }) => value),
      { error: 'Grain is not known' },
    )
    .default('line'),
  include_payable: z.boolean().default(true),
  file_name: z.string().trim().min(1, 'File Name is required').max(wordMax).default('{batch_code}_upload_v{version}'),
  columns: z.array(uploadColumn).max(uploadColumnsMax).default([]),
})

export const uploadLayout = layoutDraft.superRefine((layout, context) => {
  for (const { path, message } of layoutFaults(layout)) context.addIssue({ code: 'custom', path: [...path], message })
})
export type UploadLayout = z.infer<typeof uploadLayout>

export interface LayoutFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Returns contradictions between the parts of a layout. */
function layoutFaults({ kind, columns, file_name }: Pick<UploadLayout, 'kind' | 'columns' | 'file_name'>): LayoutFault[] {
  const pattern = patternFault(file_name, fileWords)
  const ofName: LayoutFault[] = pattern === null ? [] : [{ path: ['file_name'], message: pattern }]
  // QuickBooks defines the columns of an IIF file.
  if (kind === 'iif') return ofName
  const sources = columns.map(({ source }) => source)
  const hasMoney = sources.includes('amount') || (sources.includes('debit') && sources.includes('credit'))
  const ofMoney: LayoutFault[] = hasMoney
    ? []
    : [{ path: ['columns'], message: 'The file needs an Amount column, or a Debit and a Credit column' }]
  return [...ofName, ...ofMoney, ...columns.flatMap((column, place) => columnFaults(column, place, kind))]
}

function columnFaults({ source, field_id, width, format, cut, heading }: UploadColumn, place: number, kind: LayoutKind): LayoutFault[] {
  const at = (key: string, message: string): LayoutFault => ({ path: ['columns', place, key], message: `Column ${place + 1}: ${message}` })
  const suits: readonly SourceKind[] = columnFormats.find(({ value }) => value === format)?.suits ?? []
  return [
    ...(source === 'ledger_field' && field_id === null ? [at('field', 'name the ledger field')] : []),
    ...(suits.includes(kindOfSource(source)) ? [] : [at('format', `this format does not suit ${labelOfSource(source)}`)]),
    ...(kind === 'fixed_width' && width === null ? [at('width', 'a file of fixed width needs the width of each column')] : []),
    ...(format === 'zeros' && width === null ? [at('width', 'zeros in front need a width')] : []),
    ...(cut && kindOfSource(source) !== 'text' ? [at('cut', 'only texts may be cut')] : []),
    ...(/[\r\n\t]/.test(heading) ? [at('heading', 'a heading is one line')] : []),
  ]
}

export function kindOfSource(source: UploadSource): SourceKind {
  return uploadSources.find(({ value }) => value === source)?.kind ?? 'text'
}

export function labelOfSource(source: UploadSource): string {
  return uploadSources.find(({ value }) => value === source)?.label ?? source
}

/** Returns a new column with its defaults. */
export function columnOf(source: UploadSource, more: Partial<UploadColumn> = {}): UploadColumn {
  return { source, field_id: null, heading: labelOfSource(source), width: null, format: 'usual', default: '', cut: false, ...more }
}

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
