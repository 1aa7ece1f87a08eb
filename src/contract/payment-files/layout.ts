/**
 * Layouts as data: an ordered list of columns, each with its source, width, justification, fill and format. A bank profile chooses a preset for
 * each format by name, or has its own layout.
 */
import { z } from 'zod'

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

/** The sources of columns, and their kinds. */
export const columnSourceNames = [
  'file_reference',
  'row_number',
  'batch_id',
  'batch_date',
  'effective_date',
  'creation_date',
  'payer',
  'payer_code',
  'payer_account',
  'payer_account_last4',
  'payer_street_address_1',
  'payer_street_address_2',
  'payer_city',
  'payer_state',
  'payer_zip',
  'avid_payer_id',
  'avid_bank_account_id',
  'vendor',
  'vendor_short_code',
  'client_vendor_number',
  'payee',
  'payee_street_address_1',
  'payee_street_address_2',
  'payee_city',
  'payee_state',
  'payee_zip',
  'payee_phone',
  'account_holder',
  'routing_number',
  'account_number',
  'account_last4',
  'account_type',
  'payment_number',
  'payment_type',
  'effective_type',
  'check_number',
  'check_date',
  'delivery',
  'check_state',
  'payment_amount',
  'bill_count',
  'bill_id',
  'utility_account_number',
  'invoice_number',
  'bill_date',
  'due_date',
  'amount_due',
  'amount_paid',
  'notes',
] as const
export type ColumnSource = (typeof columnSourceNames)[number]

type SourceKind = 'text' | 'number' | 'date' | 'amount'
export const columnSources: Readonly<Record<ColumnSource, { readonly label: string; readonly kind: SourceKind }>> = {
  file_reference: { label: 'File reference', kind: 'text' },
  row_number: { label: 'Row number', kind: 'number' },
  batch_id: { label: 'Batch number', kind: 'number' },
  batch_date: { label: 'Batch date', kind: 'date' },
  effective_date: { label: 'Effective date', kind: 'date' },
  creation_date: { label: 'Day of the file', kind: 'date' },
  payer: { label: 'Payer', kind: 'text' },
  payer_code: { label: 'Payer code', kind: 'text' },
  payer_account: { label: 'Payer account number', kind: 'text' },
  payer_account_last4: { label: 'Payer account, last 4', kind: 'text' },
  payer_street_address_1: { label: 'Payer street address 1', kind: 'text' },
  payer_street_address_2: { label: 'Payer street address 2', kind: 'text' },
  payer_city: { label: 'Payer city', kind: 'text' },
  payer_state: { label: 'Payer state', kind: 'text' },
  payer_zip: { label: 'Payer zipcode', kind: 'text' },
  avid_payer_id: { label: 'Avid payer ID', kind: 'text' },
  avid_bank_account_id: { label: 'Avid bank account ID', kind: 'text' },
  vendor: { label: 'Vendor', kind: 'text' },
  vendor_short_code: { label: 'Vendor short code', kind: 'text' },
  client_vendor_number: { label: 'Client vendor number', kind: 'text' },
  payee: { label: 'Payee', kind: 'text' },
  payee_street_address_1: { label: 'Payee street address 1', kind: 'text' },
  payee_street_address_2: { label: 'Payee street address 2', kind: 'text' },
  payee_city: { label: 'Payee city', kind: 'text' },
  payee_state: { label: 'Payee state', kind: 'text' },
  payee_zip: { label: 'Payee zipcode', kind: 'text' },
  payee_phone: { label: 'Payee phone', kind: 'text' },
  account_holder: { label: 'Account holder', kind: 'text' },
  routing_number: { label: 'Routing number', kind: 'text' },
  account_number: { label: 'Account number', kind: 'text' },
  account_last4: { label: 'Account, last 4', kind: 'text' },
  account_type: { label: 'Account type', kind: 'text' },
  payment_number: { label: 'Vendor payment', kind: 'text' },
  payment_type: { label: 'Payment type', kind: 'text' },
  effective_type: { label: 'Effective payment type', kind: 'text' },
  check_number: { label: 'Check number', kind: 'text' },
  check_date: { label: 'Check date', kind: 'date' },
  delivery: { label: 'Delivery', kind: 'text' },
  check_state: { label: 'Issued or void', kind: 'text' },
  payment_amount: { label: 'Payment amount', kind: 'amount' },
  bill_count: { label: 'Bills', kind: 'number' },
  bill_id: { label: 'Bill ID', kind: 'number' },
  utility_account_number: { label: 'Utility account number', kind: 'text' },
  invoice_number: { label: 'Invoice number', kind: 'text' },
  bill_date: { label: 'Bill date', kind: 'date' },
  due_date: { label: 'Due date', kind: 'date' },
  amount_due: { label: 'Amount due', kind: 'amount' },
  amount_paid: { label: 'Amount paid', kind: 'amount' },
  notes: { label: 'Notes', kind: 'text' },
}

/** Maximum columns of one layout, and characters of one column. */
export const layoutColumnsMax = 80
export const columnWidthMax = 200

export const dateFormats = ['YYYY-MM-DD', 'MM/DD/YYYY', 'MMDDYY', 'MMDDYYYY', 'YYMMDD', 'YYYYMMDD', 'YYYY-MM-DD THH:MM:SS'] as const
export type DateFormat = (typeof dateFormats)[number]
export const totalKinds = ['label', 'batches', 'payments', 'bills', 'amount'] as const
export const delimiters = [',', ';', '|', '\t'] as const

export const layoutColumn = z.strictObject({
  heading: z.string().max(80),
  /** Null for a fixed text. */
  source: z.enum(columnSourceNames).nullable(),
  text: z.string().max(columnWidthMax).default(''),
  /** Characters of a fixed column; the maximum of a delimited one. */
  width: z.int().min(1).max(columnWidthMax).nullable().default(null),
  /** Only names are cut: a number that is too long is always refused. */
  too_long: z.enum(['cut', 'refuse']).default('refuse'),
  justify: z.enum(['left', 'right']).default('left'),
  fill: z.enum(['space', 'zero']).default('space'),
  date: z.enum(dateFormats).default('YYYY-MM-DD'),
  amount: z.enum(['point', 'cents']).default('point'),
  /** The bank's words for ours, such as `1` for `checking`. A missing word is refused, unless there are none. */
  values: z.record(z.string().max(40), z.string().max(40)).default({}),
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
  columns: z.array(layoutColumn).min(1).max(layoutColumnsMax),
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

export const layoutChoice = z.union([z.strictObject({ preset: z.enum(presetNames) }), z.strictObject({ own: layout })])
export type LayoutChoice = Readonly<z.infer<typeof layoutChoice>>
/** The choice of a profile for each format; a format without one uses its first preset. */
export type LayoutChoices = Readonly<Partial<Record<FileFormat, LayoutChoice>>>
