/** The invoice of a client batch: the amounts due, division by division, and the same as CSV with one row for each bill. */
import { z } from 'zod'
import { formatDate, type CalendarDate } from '../kernel/date.ts'
import { csvLine, withoutFormula } from '../kernel/import.ts'
import { centsOf, sumCents, wireOf } from '../kernel/money.ts'

const amount = z.string().regex(/^-?\d+\.\d\d$/)

/** The four totals of bills on an invoice. */
const sums = { current_charges: amount, balance_forward: amount, late_fee: amount, amount_due: amount }

const invoiceDivision = z.object({
  /** Null for bills without a division. */
  name: z.string().nullable(),
  bill_count: z.int(),
  facility_count: z.int(),
  ...sums,
})

/** An invoice of the current state. */
export const invoice = z.object({
  /** The code of the batch. */
  number: z.string(),
  /** The day of the batch, or today if it has none. */
  date: z.string(),
  terms: z.string(),
  client_name: z.string(),
  /** The channel partner that sends the invoice; null if the client has none. */
  from_name: z.string().nullable(),
  /** False while the batch is open: its invoice is marked as a draft. */
  is_final: z.boolean(),
  bill_count: z.int(),
  divisions: z.array(invoiceDivision),
  ...sums,
  service_fee: amount,
  service_fee_text: z.string(),
  /** The bills and the service fee. */
  total_due: amount,
  remit_instructions: z.string().nullable(),
})
export type Invoice = z.infer<typeof invoice>

export const serviceFeeBys = [
  { value: 'bill', label: 'For each bill' },
  { value: 'batch', label: 'For each batch' },
] as const
export type ServiceFeeBy = (typeof serviceFeeBys)[number]['value']

/** Returns the service fee of an invoice in dollars, and its text: 'Service fee, 214 bills at 1.50'. */
export function serviceFee(fee: string, by: ServiceFeeBy, billCount: number): { readonly amount: string; readonly text: string } {
  if (by === 'batch') return { amount: fee, text: 'Service fee' }
  const bills = `${billCount.toLocaleString('en-US')} ${billCount === 1 ? 'bill' : 'bills'}`
  return { amount: wireOf(sumCents([centsOf(fee) * billCount])), text: `Service fee, ${bills} at ${fee}` }
}

/** A bill as a line of the invoice. */
export interface InvoiceBill {
  readonly id: number
  readonly division_name: string | null
  readonly facility_name: string | null
  readonly vendor_name: string | null
  readonly account_number: string
  readonly previous_read_date: CalendarDate | null
  readonly read_date: CalendarDate | null
  readonly date: CalendarDate
  readonly due_date: CalendarDate
  readonly current_charges: string
  readonly balance_forward: string
  readonly late_fee: string
  readonly amount_due: string
}

const headings = [
  'Invoice Number',
  'Invoice Date',
  'Terms',
  'Client',
  'Division',
  'Facility',
  'Vendor',
  'Account Number',
  'Service From',
  'Service To',
  'Bill Date',
  'Due Date',
  'Current Charges',
  'Balance Forward',
  'Late Fee',
  'Amount Due',
] as const

type InvoiceHead = Pick<Invoice, 'number' | 'date' | 'terms' | 'client_name'>

export const invoiceHeading = (): string => csvLine([...headings])

export function invoiceRow(head: InvoiceHead, bill: InvoiceBill): string {
  return csvLine([
    ...headCells(head),
    withoutFormula(bill.division_name ?? ''),
    withoutFormula(bill.facility_name ?? ''),
    withoutFormula(bill.vendor_name ?? ''),
    withoutFormula(bill.account_number),
    formatDate(bill.previous_read_date),
    formatDate(bill.read_date),
    formatDate(bill.date),
    formatDate(bill.due_date),
    bill.current_charges,
    bill.balance_forward,
    bill.late_fee,
    bill.amount_due,
  ])
}

/** Returns the service fee as the last row, so that the column Amount Due adds up to the invoice's total. */
export function invoiceFeeRow(head: InvoiceHead, { text, amount: fee }: { readonly text: string; readonly amount: string }): string {
  return csvLine([...headCells(head), '', '', text, ...Array.from({ length: 8 }, () => ''), fee])
}

function headCells({ number, date, terms, client_name }: InvoiceHead): string[] {
  return [withoutFormula(number), formatDate(date), withoutFormula(terms), withoutFormula(client_name)]
}
