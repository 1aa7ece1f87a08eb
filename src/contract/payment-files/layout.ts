/**
 * Layouts as data: an ordered list of columns, each with its source, width, justification, fill and format. A bank profile chooses a preset for
 * each format by name, or has its own layout.
 */
import { z } from 'zod'
import { columnHeading, columnWidth } from '../kernel/file-column.ts'
import { columnSourceNames } from './layout-sources.ts'

/** The formats of an export. The first four are the ACH formats with their wire names. */
export const fileFormats = [
  'standard',
  'nacha_plus',
  'ach_2',
  'ach_bank',
  'avid',
  'check_request',
  'positive_pay',
  'op_worklist',
  'np_register',
  'autopay_register',
  'accounting',
] as const
export type FileFormat = (typeof fileFormats)[number]

/** Formats whose files hold the bank account numbers of vendors. */
export const formatsWithNumbers: readonly FileFormat[] = ['standard', 'nacha_plus', 'ach_2', 'ach_bank']

/** Labels of the formats. */
export const fileFormatLabels: Readonly<Record<FileFormat, string>> = {
  standard: 'Standard',
  nacha_plus: 'NACHA+',
  ach_2: 'ACH 2 Internal',
  ach_bank: 'ACH Bank',
  avid: 'Avid',
  check_request: 'Check request',
  positive_pay: 'Positive pay',
  op_worklist: 'OP worklist',
  np_register: 'NP register',
  autopay_register: 'Autopay register',
  accounting: 'Accounting export',
}

/** Maximum columns of one layout, and characters of one column. */
export const layoutColumnsMax = 80
export const columnWidthMax = 200

export const dateFormats = ['YYYY-MM-DD', 'MM/DD/YYYY', 'MMDDYY', 'MMDDYYYY', 'YYMMDD', 'YYYYMMDD', 'YYYY-MM-DD THH:MM:SS'] as const
export type DateFormat = (typeof dateFormats)[number]
export const totalKinds = ['label', 'batches', 'payments', 'bills', 'amount'] as const
export type TotalKind = (typeof totalKinds)[number]
export const delimiters = [',', ';', '|', '\t'] as const
/** The word of the last row in the column of its label. */
export const totalWord = 'TOTAL'

const headingMax = 80
const wordMax = 40

export const layoutColumn = z.strictObject({
  heading: columnHeading(headingMax),
  /** Null for a fixed text. */
  source: z.enum(columnSourceNames, { error: 'Choose the source of the column' }).nullable(),
  text: z.string().max(columnWidthMax, `Text must have at most ${columnWidthMax} characters`).default(''),
  /** Characters of a fixed column; the maximum of a delimited one. */
  width: columnWidth(columnWidthMax),
  /** Only names are cut: a number that is too long is always refused. */
  too_long: z.enum(['cut', 'refuse']).default('refuse'),
  justify: z.enum(['left', 'right']).default('left'),
  fill: z.enum(['space', 'zero']).default('space'),
  date: z.enum(dateFormats).default('YYYY-MM-DD'),
  amount: z.enum(['point', 'cents']).default('point'),
  /** The bank's words for ours, such as `1` for `checking`. A missing word is refused, unless there are none. */
  values: z.record(z.string().max(wordMax), z.string().max(wordMax, `A word must have at most ${wordMax} characters`)).default({}),
  /** An empty value prevents the export. */
  required: z.boolean().default(false),
  /** This column's value in the last row. */
  total: z.enum(totalKinds).nullable().default(null),
})
export type LayoutColumn = Readonly<z.infer<typeof layoutColumn>>

export const layout = z.strictObject({
  kind: z.enum(['delimited', 'fixed']),
  /** Whether a row is a payment, or each of its bills. */
  grain: z.enum(['payment', 'bill']),
  heading: z.boolean(),
  total_row: z.boolean(),
  delimiter: z.enum(delimiters).default(','),
  line_end: z.enum(['crlf', 'lf']).default('crlf'),
  characters: z.enum(['utf8', 'ascii']).default('utf8'),
  /** A text that a spreadsheet would run gets a leading quote, or prevents the export. */
  formulas: z.enum(['quote', 'refuse']).default('quote'),
  columns: z.array(layoutColumn).min(1, 'Columns must not be empty').max(layoutColumnsMax, `Columns are at most ${layoutColumnsMax}`),
})
export type Layout = Readonly<z.infer<typeof layout>>

export const presetNames = [
  'nacha_ccd',
  'nacha_remittance',
  'ach_register',
  'portal_csv',
  'avid_csv',
  'check_request_csv',
  'positive_pay_csv',
  'positive_pay_fixed',
  'op_worklist',
  'np_register',
  'autopay_register',
  'accounting_csv',
] as const
export type PresetName = (typeof presetNames)[number]

/** A stored state of a profile's own layout. A file names the one that it was written with. */
export interface LayoutVersion {
  readonly id: number
  /** The client of the bank profile; 0 is the provider. */
  readonly client_id: number
  /** Counts from 1 for each profile and format. */
  readonly version: number
}
export type LayoutChoice = { readonly preset: PresetName } | { readonly own: Layout; readonly version?: LayoutVersion }
/** The choice of a profile for each format; a format without one uses its first preset. */
export type LayoutChoices = Readonly<Partial<Record<FileFormat, LayoutChoice>>>
