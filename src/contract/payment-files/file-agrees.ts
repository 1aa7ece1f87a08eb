/** Compares what a checker has read from the bytes of a file with the payments that the file was to pay. */
import type { Cents } from '../kernel/money.ts'
import { paymentNumber } from '../payment-batches/vendor-payment.ts'
import { accountDigits } from './file-text.ts'
import type { ReadRow } from './layout-sums.ts'
import type { Layout } from './layout.ts'
import type { ColumnSource } from './layout-sources.ts'
import { creditCodes, receiverNameOf, type NachaBatch, type NachaEntry } from './nacha-batches.ts'
import type { ReadEntry, ReadNacha } from './nacha-check.ts'
import type { BillForFile, FileEntry, PaymentForFile } from './payment-file.ts'

/** True if each entry is the payment of its place, with the trace number that is stored for it. */
export function entriesAgree(
  batches: readonly NachaBatch[],
  read: readonly ReadEntry[],
  stored: readonly Pick<FileEntry, 'trace_number'>[],
): boolean {
  const expected = batches.flatMap((batch) => batch.entries.map((entry) => ({ batch, ...entry })))
  return (
    read.length === expected.length &&
    expected.every((one, at) => isPaidBy(read[at], one) && read[at]?.trace_number === stored[at]?.trace_number)
  )
}

/** Compares an entry as read with its payment: what, to whom, where, when and for whom. */
function isPaidBy(entry: ReadEntry | undefined, { batch, payment, amount }: NachaEntry & { readonly batch: NachaBatch }): boolean {
  const { vendor } = payment
  return (
    entry !== undefined &&
    entry.amount === amount &&
    entry.sec === batch.sec &&
    entry.code === creditCodes[vendor.account_type] &&
    entry.routing_number === vendor.routing_number &&
    entry.account_number === accountDigits(vendor.account_number ?? '') &&
    entry.identification === paymentNumber(payment.id) &&
    entry.receiver !== '' &&
    receiverNameOf(payment, batch.profile).startsWith(entry.receiver) &&
    entry.effective_date === batch.effective_date &&
    entry.company_name === batch.company_name
  )
}

/** A balanced batch is debited once, with its whole sum, at the account of its profile. */
export function offsetsAgree(batches: readonly NachaBatch[], debits: ReadNacha['debits']): boolean {
  const balanced = batches.filter(({ profile }) => profile.balanced)
  return (
    balanced.length === debits.length &&
    balanced.every(({ profile, total }, at) => {
      const debit = debits[at]
      return (
        debit?.amount === total &&
        debit.code === (profile.account_type === 'savings' ? '37' : '27') &&
        debit.routing_number === profile.routing_number &&
        debit.account_number === accountDigits(profile.account_number ?? '')
      )
    })
  )
}

/** Compares what each row says of its payment and its bill with them, in the order of the file. A layout may lack any of these columns. */
export function rowsAgree({ grain }: Pick<Layout, 'grain'>, payments: readonly PaymentForFile[], rows: readonly ReadRow[]): boolean {
  const parts = payments.flatMap((payment): { payment: PaymentForFile; bill: BillForFile | null }[] =>
    grain === 'payment' ? [{ payment, bill: null }] : payment.bills.toSorted((a, b) => a.id - b.id).map((bill) => ({ payment, bill })),
  )
  return rows.length === parts.length && parts.every(({ payment, bill }, at) => isRowOf(rows[at], payment, bill))
}

function isRowOf(row: ReadRow | undefined, payment: PaymentForFile, bill: BillForFile | null): boolean {
  const is = (source: ColumnSource, value: string | null): boolean => {
    const read = row?.values.get(source)
    return read === undefined || read === (value ?? '')
  }
  const isAmount = (source: ColumnSource, cents: Cents): boolean => {
    const read = row?.values.get(source)
    return read === undefined || Number(read.replace('.', '')) === cents
  }
  return (
    row !== undefined &&
    is('routing_number', payment.vendor.routing_number) &&
    is('account_number', accountDigits(payment.vendor.account_number ?? '')) &&
    is('payment_number', paymentNumber(payment.id)) &&
    is('batch_id', String(payment.batch_id)) &&
    isAmount('payment_amount', payment.amount) &&
    (bill === null || (is('bill_id', String(bill.id)) && isAmount('amount_paid', bill.amount_paid)))
  )
}
