/** A column of an upload file: its source, its format and its width. */
import { z } from 'zod'
import { columnHeading, columnWidth } from '../kernel/file-column.ts'

export const dateFormats = ['YYYY-MM-DD', 'MM/DD/YYYY', 'MM/DD/YY', 'YYYYMMDD', 'MMDDYY'] as const

export type SourceKind = 'text' | 'date' | 'money' | 'number'

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

/** Maximum length of a heading and a default. */
export const wordMax = 100
const widthMax = 500

export const uploadColumn = z.strictObject({
  source: z.enum(
    uploadSources.map(({ value }) => value),
    { error: 'Choose what the column is filled from' },
  ),
  /** The id of the ledger field, if the source is one. */
  field_id: z.int().positive().nullable().default(null),
  heading: columnHeading(wordMax),
  /** Width in characters. In a delimited file it is the maximum length of a value. */
  width: columnWidth(widthMax),
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
