/** The layouts that ship with the product. A profile may choose another one of its format, or have its own. */
import { layout, type ColumnSource, type FileFormat, type Layout, type LayoutChoice, type LayoutColumn, type PresetName } from './layout.ts'

type Shape = Omit<Partial<Layout>, 'columns'>
type Column = readonly [heading: string, source: ColumnSource | null, more?: Partial<LayoutColumn>]

const cut = { too_long: 'cut' } as const
const needed = { required: true } as const

const register: Shape = { kind: 'delimited', heading: true, total_row: true, formulas: 'quote' }

/** Layouts of rows and columns; the two NACHA presets have their own kind of records. */
const rowPresets: Readonly<Partial<Record<PresetName, Layout>>> = {
  ach_register: preset({ ...register, grain: 'bill' }, [
    ['file_reference', 'file_reference', { total: 'label' }],
    ['batch_id', 'batch_id', { total: 'batches' }],
    ['batch_date', 'batch_date', { total: 'payments' }],
    ['effective_date', 'effective_date', { total: 'bills' }],
    ['payer', 'payer'],
    ['payer_account_last4', 'payer_account_last4'],
    ['vendor_short_code', 'vendor_short_code'],
    ['vendor', 'vendor'],
    ['vendor_payment', 'payment_number'],
    ['routing_number', 'routing_number'],
    ['account_last4', 'account_last4'],
    ['account_type', 'account_type'],
    ['bill_id', 'bill_id'],
    ['utility_account_number', 'utility_account_number'],
    ['bill_date', 'bill_date'],
    ['due_date', 'due_date'],
    ['amount_due', 'amount_due'],
    ['amount_paid', 'amount_paid', { total: 'amount' }],
    ['payment_total', 'payment_amount'],
    ['notes', 'notes'],
  ]),
  portal_csv: preset({ kind: 'delimited', grain: 'payment', heading: false, total_row: false, characters: 'ascii', formulas: 'refuse' }, [
    ['Recipient Name', 'account_holder', { ...needed, ...cut, width: 22 }],
    ['Routing Number', 'routing_number', { ...needed, width: 9 }],
    ['Account Number', 'account_number', { ...needed, width: 17 }],
    ['Account Type', 'account_type', { ...needed, values: { checking: '1', savings: '2', loan: '3' } }],
    ['Amount', 'payment_amount', needed],
  ]),
  avid_csv: preset({ kind: 'delimited', grain: 'bill', heading: true, total_row: false, characters: 'ascii', formulas: 'quote' }, [
    ['Payment Batch ID', 'batch_id'],
    ['Payer ID', 'avid_payer_id', needed],
    ['Payer Name', 'payer', { ...needed, ...cut, width: 40 }],
    ['Payer Address 1', 'payer_street_address_1', { ...needed, ...cut, width: 40 }],
    ['Payer Address 2', 'payer_street_address_2', { ...cut, width: 40 }],
    ['Payer Address 3', null],
    ['Payer Address 4', null],
    ['Payer City', 'payer_city', { ...needed, width: 28 }],
    ['Payer State', 'payer_state', { ...needed, width: 2 }],
    ['Payer Zip', 'payer_zip', { ...needed, width: 10 }],
    ['Payer Bank Account ID', 'avid_bank_account_id'],
    ['Check Number', 'payment_number', { ...needed, width: 10 }],
    ['Check Date', 'check_date', { ...needed, date: 'YYYY-MM-DD THH:MM:SS' }],
    ['Amount', 'payment_amount', { ...needed, width: 14 }],
    ['Payee ID', 'vendor_short_code', needed],
    ['Payee Name', 'payee', { ...needed, ...cut, width: 40 }],
    ['Payee Tax ID', null],
    ['Payee Address 1', 'payee_street_address_1', { ...needed, ...cut, width: 40 }],
    ['Payee Address 2', 'payee_street_address_2', { ...cut, width: 40 }],
    ['Payee Address 3', null],
    ['Payee Address 4', null],
    ['Payee City', 'payee_city', { ...needed, width: 28 }],
    ['Payee State', 'payee_state', { ...needed, width: 2 }],
    ['Payee Zip', 'payee_zip', { ...needed, width: 10 }],
    ['Payee Phone', 'payee_phone'],
    ['Invoice Number', 'invoice_number'],
    ['Invoice Date', 'bill_date', needed],
    ['Gross Amount', 'amount_due', needed],
    ['Discount', null, { text: '0.00' }],
    ['Net Amount', 'amount_paid', needed],
    ['Description', 'utility_account_number', needed],
  ]),
  check_request_csv: preset({ ...register, grain: 'bill' }, [
    ['Payer', 'payer', { total: 'label' }],
    ['Payer Account Last 4', 'payer_account_last4', { total: 'payments' }],
    ['Payee', 'payee', needed],
    ['Address 1', 'payee_street_address_1', needed],
    ['Address 2', 'payee_street_address_2'],
    ['City', 'payee_city', needed],
    ['State', 'payee_state', needed],
    ['Zip', 'payee_zip', needed],
    ['Phone', 'payee_phone'],
    ['Payment Number', 'payment_number'],
    ['Check Date', 'check_date'],
    ['Check Amount', 'payment_amount'],
    ['Account Number', 'utility_account_number', { total: 'bills' }],
    ['Bill Date', 'bill_date'],
    ['Amount', 'amount_paid', { total: 'amount' }],
    ['Delivery', 'delivery'],
  ]),
  positive_pay_csv: preset(
    { kind: 'delimited', grain: 'payment', heading: false, total_row: false, characters: 'ascii', formulas: 'refuse' },
    [
      ['Issue or Void', 'check_state', { values: { issued: 'I', void: 'C' } }],
      ['Account', 'payer_account', needed],
      ['Check Number', 'check_number', { ...needed, width: 10 }],
      ['Date', 'check_date', { ...needed, date: 'MMDDYY' }],
      ['Amount', 'payment_amount', needed],
      ['Payee', 'payee', { ...needed, ...cut, width: 40 }],
    ],
  ),
  positive_pay_fixed: preset({ kind: 'fixed', grain: 'payment', heading: false, total_row: false, characters: 'ascii' }, [
    ['Account', 'payer_account', { ...needed, width: 12, justify: 'right', fill: 'zero' }],
    ['Void', 'check_state', { width: 1, values: { issued: '', void: '2' } }],
    ['Blank', null, { width: 2 }],
    ['Serial', 'check_number', { ...needed, width: 10, justify: 'right', fill: 'zero' }],
    ['Amount', 'payment_amount', { ...needed, width: 12, justify: 'right', fill: 'zero', amount: 'cents' }],
    ['Date', 'check_date', { ...needed, width: 8, date: 'YYYYMMDD' }],
    ['Blank', null, { width: 1 }],
    ['Payee', 'payee', { ...needed, ...cut, width: 54 }],
  ]),
  op_worklist: preset({ ...register, grain: 'bill' }, [
    ['Batch ID', 'batch_id', { total: 'label' }],
    ['Batch Date', 'batch_date', { total: 'batches' }],
    ['Payer', 'payer'],
    ['Vendor', 'vendor'],
    ['Vendor Short Code', 'vendor_short_code'],
    ['Vendor Payment', 'payment_number', { total: 'payments' }],
    ['Bill ID', 'bill_id', { total: 'bills' }],
    ['Account Number', 'utility_account_number'],
    ['Bill Date', 'bill_date'],
    ['Due Date', 'due_date'],
    ['Amount Due', 'amount_due'],
    ['Amount Paid', 'amount_paid', { total: 'amount' }],
    ['Payment Total', 'payment_amount'],
    ['Notes', 'notes'],
  ]),
  np_register: preset({ ...register, grain: 'bill' }, [
    ['Batch ID', 'batch_id', { total: 'label' }],
    ['Batch Date', 'batch_date', { total: 'batches' }],
    ['Payer', 'payer'],
    ['Vendor', 'vendor'],
    ['Vendor Short Code', 'vendor_short_code'],
    ['Vendor Payment', 'payment_number', { total: 'payments' }],
    ['Bill ID', 'bill_id', { total: 'bills' }],
    ['Account Number', 'utility_account_number'],
    ['Bill Date', 'bill_date'],
    ['Due Date', 'due_date'],
    ['Amount Due', 'amount_due'],
    ['Amount Paid', 'amount_paid', { total: 'amount' }],
    ['Notes', 'notes'],
  ]),
  autopay_register: preset({ ...register, grain: 'bill' }, [
    ['Batch ID', 'batch_id', { total: 'label' }],
    ['Batch Date', 'batch_date', { total: 'batches' }],
    ['Payer', 'payer'],
    ['Payer Account Last 4', 'payer_account_last4'],
    ['Vendor', 'vendor'],
    ['Vendor Short Code', 'vendor_short_code'],
    ['Vendor Payment', 'payment_number', { total: 'payments' }],
    ['Bill ID', 'bill_id', { total: 'bills' }],
    ['Account Number', 'utility_account_number'],
    ['Invoice Number', 'invoice_number'],
    ['Bill Date', 'bill_date'],
    ['Due Date', 'due_date'],
    ['Amount Due', 'amount_due'],
    ['Amount Debited', 'amount_paid', { total: 'amount' }],
  ]),
  accounting_csv: preset({ ...register, grain: 'payment' }, [
    ['Batch ID', 'batch_id', { total: 'label' }],
    ['Batch Date', 'batch_date', { total: 'batches' }],
    ['Payer', 'payer'],
    ['Client Code', 'payer_code'],
    ['Vendor', 'vendor'],
    ['Client Vendor Number', 'client_vendor_number'],
    ['Type', 'payment_type'],
    ['Effective Type', 'effective_type'],
    ['Payment Number', 'payment_number', { total: 'payments' }],
    ['Bills', 'bill_count', { total: 'bills' }],
    ['Amount', 'payment_amount', { total: 'amount' }],
  ]),
}

/** Labels of the presets. */
export const presetLabels: Readonly<Record<PresetName, string>> = {
  nacha_ccd: 'NACHA, CCD without remittance',
  nacha_remittance: 'NACHA with remittance, CCD+ and CTX',
  ach_register: 'Register for staff (CSV)',
  portal_csv: 'Bank portal, 5 columns (CSV)',
  avid_csv: 'AvidPay (CSV)',
  check_request_csv: 'Check request (CSV)',
  positive_pay_csv: 'Positive pay (CSV)',
  positive_pay_fixed: 'Positive pay, 100 characters a line',
  op_worklist: 'OP worklist (CSV)',
  np_register: 'NP register (CSV)',
  autopay_register: 'Autopay register (CSV)',
  accounting_csv: 'Accounting export (CSV)',
}

const achPresets = ['nacha_ccd', 'nacha_remittance', 'ach_register', 'portal_csv'] as const

/** Returns the presets of a format, its default first. */
export function presetsOf(format: FileFormat): readonly [PresetName, ...PresetName[]] {
  switch (format) {
    case 'standard':
      return achPresets
    case 'nacha_plus':
      return ['nacha_remittance', 'nacha_ccd', 'ach_register', 'portal_csv']
    case 'ach_2':
      return ['ach_register', 'nacha_ccd', 'nacha_remittance', 'portal_csv']
    case 'ach_bank':
      return ['portal_csv', 'nacha_ccd', 'nacha_remittance', 'ach_register']
    case 'avid':
      return ['avid_csv']
    case 'check_request':
      return ['check_request_csv']
    case 'positive_pay':
      return ['positive_pay_csv', 'positive_pay_fixed']
    case 'op_worklist':
      return ['op_worklist']
    case 'np_register':
      return ['np_register']
    case 'autopay_register':
      return ['autopay_register']
    case 'accounting':
      return ['accounting_csv']
  }
}

/** Rows and columns, or NACHA records with or without remittance. */
export type ChosenLayout =
  | { readonly family: 'nacha'; readonly withRemittance: boolean }
  | { readonly family: 'layout'; readonly layout: Layout }

export function chosenLayout(format: FileFormat, choice: LayoutChoice | undefined): ChosenLayout {
  if (choice && 'own' in choice) return { family: 'layout', layout: choice.own }
  const name = choice?.preset ?? presetsOf(format)[0]
  const found = rowPresets[name]
  return found ? { family: 'layout', layout: found } : { family: 'nacha', withRemittance: name === 'nacha_remittance' }
}

function preset(shape: Shape, columns: readonly Column[]): Layout {
  return layout.parse({ ...shape, columns: columns.map(([heading, source, more]) => ({ heading, source, ...more })) })
}
