/** The format of an upload file: its kind, its columns, and its dates and amounts. A client's layouts are stored as export profiles. */
import { z } from 'zod'
import { needsWidths } from '../kernel/file-column.ts'
import { fileWords, patternFault } from './name-pattern.ts'
import {
  dateFormats,
  columnFormats,
  wordMax,
  uploadColumn,
  type UploadColumn,
  type SourceKind,
  kindOfSource,
  labelOfSource,
} from './upload-column.ts'

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

export type ColumnFormat = (typeof columnFormats)[number]['value']

/** Maximum columns of a layout. */
export const uploadColumnsMax = 100

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
    ...(kind === 'fixed_width' && width === null ? [at('width', needsWidths)] : []),
    ...(format === 'zeros' && width === null ? [at('width', 'zeros in front need a width')] : []),
    ...(cut && kindOfSource(source) !== 'text' ? [at('cut', 'only texts may be cut')] : []),
    ...(/[\r\n\t]/.test(heading) ? [at('heading', 'a heading is one line')] : []),
  ]
}
