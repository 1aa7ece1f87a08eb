/** The voucher of a vendor batch as CSV: one row for each bill. */
import { formatDate, type CalendarDate } from '../kernel/date.ts'
import { csvLine, withoutFormula } from '../kernel/import.ts'
import { paymentNumber } from './vendor-payment.ts'

/** The batch, repeated in each row. */
export interface VoucherBatch {
  readonly id: number
  readonly payer_name: string
  readonly batch_date: CalendarDate
  readonly bills_due_date: CalendarDate
  readonly notes: string | null
}

/** A payment with its remit-to address. */
export interface VoucherPayment {
  readonly id: number
  readonly vendor_name: string
  readonly vendor_short_code: string
  /** Lines of the address, from the name down. */
  readonly remit_to: readonly string[]
  readonly payment_methods: string | null
  readonly payment_date: CalendarDate | null
  readonly check_number: string | null
  readonly amount: string
  readonly bill_count: number
}

export interface VoucherBill {
  readonly id: number
  readonly account_number: string
  readonly account_name: string | null
  readonly facility_number: string | null
  readonly facility_name: string | null
  readonly division_name: string | null
  readonly invoice_number: string | null
  readonly date: CalendarDate
  readonly due_date: CalendarDate
  readonly amount_due: string
  readonly amount_paid: string
  readonly ledger_accounts: string | null
}

const headings = [
  'Payer',
  'Batch No',
  'Batch Date',
  'Bills Due Date',
  'Vendor Payment ID',
  'Vendor Name',
  'Vendor Short Code',
  'Remit Address',
  'Pay Method',
  'Payment Date',
  'Payment ID',
  'Account Number',
  'Account Name',
  'Facility Number',
  'Division',
  'Invoice Number',
  'Bill Date',
  'Due Date',
  'Amount Due',
  'Amount Paid',
  'GL Accounts',
  'Notes',
] as const

export const voucherHeading = (): string => csvLine([...headings])

export function voucherRow(batch: VoucherBatch, payment: VoucherPayment, bill: VoucherBill): string {
  return csvLine([
    withoutFormula(batch.payer_name),
    String(batch.id),
    formatDate(batch.batch_date),
    formatDate(batch.bills_due_date),
    paymentNumber(payment.id),
    withoutFormula(payment.vendor_name),
    withoutFormula(payment.vendor_short_code),
    withoutFormula(payment.remit_to.join(', ')),
    withoutFormula(payment.payment_methods ?? ''),
    payment.payment_date === null ? '' : formatDate(payment.payment_date),
    withoutFormula(payment.check_number ?? ''),
    withoutFormula(bill.account_number),
    withoutFormula(bill.account_name ?? ''),
    withoutFormula(bill.facility_number ?? ''),
    withoutFormula(bill.division_name ?? ''),
    withoutFormula(bill.invoice_number ?? ''),
    formatDate(bill.date),
    formatDate(bill.due_date),
    bill.amount_due,
    bill.amount_paid,
    withoutFormula(bill.ledger_accounts ?? ''),
    withoutFormula(batch.notes ?? ''),
  ])
}
