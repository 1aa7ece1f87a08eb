/** Compares what a checker has read from the bytes of a file with the payments that the file was to pay. */
import { paymentNumber } from '../payment-batches/vendor-payment.ts'
import { effectiveDate } from './banking-days.ts'
import { accountDigits, cutText } from './file-text.ts'
import type { ReadRow } from './layout-sums.ts'
import type { LayoutColumn } from './layout.ts'
import { columnSources, type ColumnSource } from './layout-sources.ts'
import { creditCodes, offsetIdentification, receiverLength, type NachaBatch, type NachaEntry } from './nacha-batches.ts'
import type { ReadDebit, ReadEntry, ReadNacha } from './nacha-check.ts'
import type { FileEntry } from './payment-file.ts'
import { dateText, type RowPart, type RowsInput } from './row-values.ts'

/** An entry as it is stored for its payment. */
type Stored = Pick<FileEntry, 'trace_number'>

/** True if each entry is the payment of its place, with the trace number that is stored for it. */
export function entriesAgree(batches: readonly NachaBatch[], read: readonly ReadEntry[], stored: readonly Stored[]): boolean {
  let at = 0
  for (const batch of batches)
    for (const entry of batch.entries) {
      if (!isPaidBy(read[at], batch, entry) || read[at]?.trace_number !== stored[at]?.trace_number) return false
      at += 1
    }
  return read.length === at
}

/** Compares an entry as read with its payment: what, to whom, where, when and for whom. */
function isPaidBy(entry: ReadEntry | undefined, batch: NachaBatch, paid: NachaEntry): boolean {
  const { payment, amount, receiver, account, addenda } = paid
  const { vendor } = payment
  return (
    entry !== undefined &&
    entry.amount === amount &&
    entry.sec === batch.sec &&
    entry.code === creditCodes[vendor.account_type] &&
    entry.routing_number === vendor.routing_number &&
    entry.account_number === account &&
    entry.identification === paymentNumber(payment.id) &&
    entry.receiver === cutText(receiver, batch.sec === 'CTX' ? receiverLength.ctx : receiverLength.ccd) &&
    entry.remittance === addenda.join('').trimEnd() &&
    entry.effective_date === batch.effective_date &&
    entry.company_name === batch.company_name
  )
}

/** A balanced batch is debited once, with its whole sum, at the account of its profile, by the trace number behind its last entry. */
export function offsetsAgree(batches: readonly NachaBatch[], debits: ReadNacha['debits'], stored: readonly Stored[]): boolean {
  let entries = 0
  let at = 0
  for (const batch of batches) {
    entries += batch.entries.length
    if (!batch.profile.balanced) continue
    const debit = debits[at]
    if (!debit || !isOffsetOf(debit, batch) || BigInt(debit.trace_number) !== BigInt(stored[entries - 1]?.trace_number ?? 0) + 1n)
      return false
    at += 1
  }
  return debits.length === at
}

function isOffsetOf(debit: ReadDebit, { profile, total, company_name }: NachaBatch): boolean {
  return (
    debit.amount === total &&
    debit.code === (profile.account_type === 'savings' ? '37' : '27') &&
    debit.routing_number === profile.routing_number &&
    debit.account_number === accountDigits(profile.account_number ?? '') &&
    debit.identification === offsetIdentification &&
    debit.receiver === company_name
  )
}

/**
 * Compares what each row says of its payment and its bill with them, in the order of the file. A layout may lack any of these columns. Names,
 * addresses and notes are not compared: they may be cut and folded.
 */
export function rowsAgree(written: RowsInput, rows: readonly ReadRow[]): boolean {
  const { layout, payments, profiles } = written
  const parts = payments.flatMap((payment): Omit<RowPart, 'number'>[] => {
    const profile = profiles.get(payment.profile_id ?? -1) ?? null
    return layout.grain === 'payment'
      ? [{ payment, profile, bill: null }]
      : payment.bills.toSorted((a, b) => a.id - b.id).map((bill) => ({ payment, profile, bill }))
  })
  return rows.length === parts.length && parts.every((part, at) => isRowOf(rows[at], part, written))
}

function isRowOf(row: ReadRow | undefined, part: Omit<RowPart, 'number'>, written: RowsInput): boolean {
  if (!row) return false
  return written.layout.columns.every((column) => {
    if (column.source === null) return true
    const said = row.values.get(column.source)
    const meant = meantBy(column.source, part, written)
    if (said === undefined || meant === undefined) return true
    switch (columnSources[column.source].kind) {
      case 'amount':
        return Number(said.replace('.', '')) === meant
      case 'date':
        return said === (typeof meant === 'string' ? dateText(meant, column.date) : '')
      case 'text':
      case 'number': {
        const word = String(meant ?? '')
        return said === bareOf(Object.hasOwn(column.values, word) ? (column.values[word] ?? '') : word, column)
      }
    }
  })
}

/** The filler of a column with zeros in front cannot be told from the zeros of its value. */
function bareOf(text: string, { fill }: LayoutColumn): string {
  return fill === 'zero' ? text.replace(/^0+(?=.)/, '') : text
}

/** Returns what a row must say of who is paid, how much, from where and when; undefined for what it may say in its own words. */
function meantBy(
  source: ColumnSource,
  { payment, bill, profile }: Omit<RowPart, 'number'>,
  { moment, file_reference }: RowsInput,
): string | number | null | undefined {
  switch (source) {
    case 'file_reference':
      return file_reference
    case 'routing_number':
      return payment.vendor.routing_number
    case 'account_number':
      return accountDigits(payment.vendor.account_number ?? '')
    case 'account_type':
      return payment.vendor.account_type
    case 'payer_account':
      return profile && accountDigits(profile.account_number ?? '')
    case 'payment_number':
      return paymentNumber(payment.id)
    case 'batch_id':
      return payment.batch_id
    case 'batch_date':
      return payment.batch_date
    case 'effective_date':
      return profile && effectiveDate(moment, profile)
    case 'delivery':
      return payment.effective_type === 'Check - OVERNIGHT' ? 'OVERNIGHT' : 'STANDARD'
    case 'check_date':
      return payment.payment_date ?? moment.date
    case 'check_number':
      return /^\d*$/.test(payment.check_number ?? '') ? payment.check_number : undefined
    case 'check_state':
      return payment.is_void ? 'void' : 'issued'
    case 'payment_amount':
      return payment.amount
    case 'bill_count':
      return payment.bills.length
    case 'bill_id':
      return bill?.id
    case 'bill_date':
      return bill?.date
    case 'due_date':
      return bill?.due_date
    case 'amount_due':
      return bill?.amount_due
    case 'amount_paid':
      return bill?.amount_paid
    default:
      return undefined
  }
}
