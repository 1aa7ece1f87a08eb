/** The entries of a NACHA file: payments, their remittance records and the balancing debit. */
import { checkDigitOf } from '../vendors/routing-number.ts'
import { paymentNumber } from '../payment-batches/vendor-payment.ts'
import { accountDigits, cutText, lastFour } from './file-text.ts'
import { creditCodes, offsetIdentification, receiverLength, type NachaBatch, type NachaEntry } from './nacha-batches.ts'
import { code, digits, record, words } from './nacha-record.ts'
import type { FileEntry } from './payment-file.ts'

export function entryDetail({ sec }: NachaBatch, entry: NachaEntry, traceNumber: string): string {
  const { payment, amount, receiver, account, addenda: texts } = entry
  const { vendor } = payment
  return record(
    '6',
    creditCodes[vendor.account_type],
    code(vendor.routing_number ?? '', 9),
    words(account, 17),
    digits(amount, 10),
    words(paymentNumber(payment.id), 15),
    sec === 'CTX' ? digits(texts.length, 4) + nameOf(receiver, receiverLength.ctx) + words('', 2) : nameOf(receiver, receiverLength.ccd),
    words('', 2),
    texts.length > 0 ? '1' : '0',
    code(traceNumber, 15),
  )
}

const nameOf = (receiver: string, length: number): string => words(cutText(receiver, length), length)

export function addenda(text: string, sequence: number, trace: number): string {
  return record('7', '05', words(text, 80), digits(sequence, 4), digits(trace, 7))
}

/** Returns the debit of the payer's own account that balances the batch: its last entry. */
export function offset(batch: NachaBatch, traceNumber: string): string {
  const { profile, company_name, sec, total } = batch
  const routing = profile.routing_number ?? ''
  const eight = routing.slice(0, 8)
  return record(
    '6',
    profile.account_type === 'savings' ? '37' : '27',
    code(eight, 8),
    digits(checkDigitOf(eight), 1),
    words(accountDigits(profile.account_number ?? ''), 17),
    digits(total, 10),
    words(offsetIdentification, 15),
    ...(sec === 'CTX' ? [digits(0, 4), words(company_name, 16), words('', 2)] : [words(company_name, 22)]),
    words('', 2),
    '0',
    code(traceNumber, 15),
  )
}

export function fileEntry(batch: NachaBatch, { payment, bill, amount, account }: NachaEntry, traceNumber: string): FileEntry {
  return {
    client_id: payment.payer.client_id,
    payment_batch_id: payment.batch_id,
    vendor_payment_id: payment.id,
    bill_id: bill?.id ?? null,
    trace_number: traceNumber,
    amount,
    effective_date: batch.effective_date,
    routing_last4: lastFour(payment.vendor.routing_number),
    account_last4: lastFour(account),
  }
}
