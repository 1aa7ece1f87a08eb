/** The values of a row of a payment file, by the source of its column. */
import type { CalendarDate } from '../kernel/date.ts'
import { wireOf, type Cents } from '../kernel/money.ts'
import { paymentNumber } from '../payment-batches/vendor-payment.ts'
import { effectiveDate } from './banking-days.ts'
import { accountDigits, lastFour } from './file-text.ts'
import type { DateFormat, Layout, LayoutColumn } from './layout.ts'
import { columnSources, type ColumnSource } from './layout-sources.ts'
import type { BillForFile, FileMoment, PaymentForFile, ProfileForFile } from './payment-file.ts'

export interface RowsInput {
  readonly layout: Layout
  readonly payments: readonly PaymentForFile[]
  readonly profiles: ReadonlyMap<number, ProfileForFile>
  readonly moment: FileMoment
  readonly file_reference: string
}

export interface RowPart {
  readonly payment: PaymentForFile
  readonly bill: BillForFile | null
  readonly profile: ProfileForFile | null
  readonly number: number
}

export function amountText(cents: Cents, { amount }: LayoutColumn): string {
  return amount === 'cents' ? String(cents) : wireOf(cents)
}

export function dateText(date: CalendarDate, format: DateFormat): string {
  const [year = '', month = '', day = ''] = date.split('-')
  switch (format) {
    case 'YYYY-MM-DD':
      return date
    case 'MM/DD/YYYY':
      return `${month}/${day}/${year}`
    case 'MMDDYY':
      return month + day + year.slice(2)
    case 'MMDDYYYY':
      return month + day + year
    case 'YYMMDD':
      return year.slice(2) + month + day
    case 'YYYYMMDD':
      return year + month + day
    case 'YYYY-MM-DD THH:MM:SS':
      return `${date} T00:00:00`
  }
}

export function valueOf(input: RowsInput, part: RowPart, source: ColumnSource, column: LayoutColumn): string {
  const value = facts(input, part, source)
  if (value === null) return ''
  switch (columnSources[source].kind) {
    case 'amount':
      return typeof value === 'number' ? amountText(value, column) : ''
    case 'date':
      return typeof value === 'string' ? dateText(value, column.date) : ''
    case 'text':
    case 'number':
      return String(value)
  }
}

function facts(
  { moment, file_reference }: RowsInput,
  { payment, bill, profile, number }: RowPart,
  source: ColumnSource,
): string | number | null {
  const { payer, vendor } = payment
  switch (source) {
    case 'file_reference':
      return file_reference
    case 'row_number':
      return number
    case 'batch_id':
      return payment.batch_id
    case 'batch_date':
      return payment.batch_date
    case 'effective_date':
      return profile && effectiveDate(moment, profile)
    case 'creation_date':
      return moment.date
    case 'payer':
      return payer.name
    case 'payer_code':
      return payer.short_code
    case 'payer_account':
      return profile && accountDigits(profile.account_number ?? '')
    case 'payer_account_last4':
      return profile && lastFour(profile.account_number)
    case 'payer_street_address_1':
      return profile && profile.payer_address.street_address_1
    case 'payer_street_address_2':
      return profile && profile.payer_address.street_address_2
    case 'payer_city':
      return profile && profile.payer_address.city
    case 'payer_state':
      return profile && profile.payer_address.state
    case 'payer_zip':
      return profile && profile.payer_address.zip
    case 'avid_payer_id':
      return profile && profile.avid_payer_id
    case 'avid_bank_account_id':
      return profile && profile.avid_bank_account_id
    case 'vendor':
      return vendor.name
    case 'vendor_short_code':
      return vendor.short_code
    case 'client_vendor_number':
      return vendor.client_vendor_number
    case 'payee':
      return vendor.remit_name ?? vendor.name
    case 'payee_street_address_1':
      return vendor.remit_address.street_address_1
    case 'payee_street_address_2':
      return vendor.remit_address.street_address_2
    case 'payee_city':
      return vendor.remit_address.city
    case 'payee_state':
      return vendor.remit_address.state
    case 'payee_zip':
      return vendor.remit_address.zip
    case 'payee_phone':
      return vendor.phone
    case 'account_holder':
      return vendor.account_holder ?? vendor.name
    case 'routing_number':
      return vendor.routing_number
    case 'account_number':
      return vendor.account_number && accountDigits(vendor.account_number)
    case 'account_last4':
      return vendor.account_number && lastFour(accountDigits(vendor.account_number))
    case 'account_type':
      return vendor.account_type
    case 'payment_number':
      return paymentNumber(payment.id)
    case 'payment_type':
      return payment.payment_type
    case 'effective_type':
      return payment.effective_type
    case 'check_number':
      return payment.check_number
    case 'check_date':
      return payment.payment_date ?? moment.date
    case 'delivery':
      return payment.effective_type === 'Check - OVERNIGHT' ? 'OVERNIGHT' : 'STANDARD'
    case 'check_state':
      return payment.is_void ? 'void' : 'issued'
    case 'payment_amount':
      return payment.amount
    case 'bill_count':
      return payment.bills.length
    case 'bill_id':
      return bill && bill.id
    case 'utility_account_number':
      return bill && bill.account_number
    case 'invoice_number':
      return bill && bill.invoice_number
    case 'bill_date':
      return bill && bill.date
    case 'due_date':
      return bill && bill.due_date
    case 'amount_due':
      return bill && bill.amount_due
    case 'amount_paid':
      return bill && bill.amount_paid
    case 'notes':
      return bill && bill.notes
  }
}
