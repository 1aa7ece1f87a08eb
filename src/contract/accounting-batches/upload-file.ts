/** The generic upload file of a client batch: one row for each ledger line, in the columns that importers of accounts payable ask for. */
import type { CalendarDate } from '../kernel/date.ts'
import { csvLine } from '../kernel/import.ts'
import { wireOf, type Cents } from '../kernel/money.ts'

/** A row of the file: a ledger line with its bill and its batch. */
export interface UploadLine {
  readonly record_no: number
  readonly batch_code: string
  readonly batch_date: CalendarDate | null
  readonly client_short_code: string
  readonly division_code: string | null
  readonly facility_number: string | null
  /** The client's own number of the vendor, else the vendor's short code. */
  readonly vendor_number: string
  readonly vendor_name: string
  readonly invoice_number: string | null
  readonly account_number: string
  readonly bill_date: CalendarDate
  readonly due_date: CalendarDate
  readonly invoice_amount: string
  /** Place of the line in its bill, from 1. */
  readonly line_no: number
  readonly ledger_account_name: string
  /** By the name of the ledger field. */
  readonly ledger_values: ReadonlyMap<string, string>
  /** A debit is positive. */
  readonly amount: Cents
  readonly description: string
  readonly utility_service_name: string | null
  readonly usage: string | null
  readonly unit: string | null
  readonly bill_id: number
  readonly image_file_name: string | null
}

const before = [
  'Record No',
  'Batch Code',
  'Batch Date',
  'Posting Period',
  'Client',
  'Division Code',
  'Facility Number',
  'Vendor Number',
  'Vendor Name',
  'Invoice Number',
  'Invoice Date',
  'Due Date',
  'Invoice Amount',
  'Line No',
  'Ledger Account',
] as const
const after = ['Debit', 'Credit', 'Description', 'Account Number', 'Service', 'Usage', 'Unit', 'Bill ID', 'Image File Name'] as const

/** The heading, with a column for each ledger field of the client, in their order. */
export function uploadHeading(ledgerFields: readonly string[]): string {
  return csvLine([...before, ...ledgerFields, ...after])
}

/** One row. Dates are YYYY-MM-DD, amounts have two decimals, and what is absent is empty. */
export function uploadRow(line: UploadLine, ledgerFields: readonly string[]): string {
  return csvLine([
    String(line.record_no),
    safe(line.batch_code),
    line.batch_date ?? '',
    (line.batch_date ?? '').slice(0, 7).replace('-', ''),
    safe(line.client_short_code),
    safe(line.division_code),
    safe(line.facility_number),
    safe(line.vendor_number),
    safe(line.vendor_name),
    safe(line.invoice_number ?? `${line.account_number}-${dayOfInvoice(line.bill_date)}`),
    line.bill_date,
    line.due_date,
    line.invoice_amount,
    String(line.line_no),
    safe(line.ledger_account_name),
    ...ledgerFields.map((field) => safe(line.ledger_values.get(field) ?? '')),
    line.amount > 0 ? wireOf(line.amount) : '',
    line.amount < 0 ? wireOf(-line.amount) : '',
    safe(line.description),
    safe(line.account_number),
    safe(line.utility_service_name),
    line.usage ?? '',
    safe(line.unit),
    String(line.bill_id),
    safe(line.image_file_name),
  ])
}

/** '2026-11-05' as '110526': the end of an invoice number that the vendor did not give. */
function dayOfInvoice(date: CalendarDate): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return `${month}${day}${year.slice(2)}`
}

/** A text that a spreadsheet would run as a formula gets a quote in front. */
function safe(text: string | null): string {
  return /^[=+@\t\r]|^-\D/.test(text ?? '') ? `'${text}` : (text ?? '')
}
