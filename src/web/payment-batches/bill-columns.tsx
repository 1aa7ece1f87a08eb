import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney, parseMoney, subtractMoney } from '#contract/kernel/money.ts'
import { billAmount, type PaymentBill } from '#contract/payment-batches/payment-bill.ts'
import { paymentRefusalText } from '#contract/payment-batches/payment-refusal.ts'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { Missing } from '../ui/status.tsx'
import { parseReason, reasonFrom, reasonOf, reasonOptions } from './difference-reason.ts'

/** A bill with the reason why it cannot be added to the selected ones. */
export interface ChoosableBill extends PaymentBill {
  readonly reason: string | undefined
  /** Says that another amount is due by now than under which the user chose the bill or typed. */
  readonly due_now: string | undefined
}

interface AmountEdit {
  readonly save: (bill: ChoosableBill, amount: string) => Promise<void>
  readonly saveReason: (bill: ChoosableBill, reason: PaymentBill['difference_reason']) => Promise<void>
  /** Returns why the amount of this bill cannot be edited. */
  readonly lockedReason: (bill: ChoosableBill) => string | undefined
}

/** The columns for selecting bills to pay: vendor, dates, amounts due and paid, and why a bill cannot be selected. */
export function paymentColumns(amounts: AmountEdit): readonly GridColumn<ChoosableBill>[] {
  return [
    {
      key: 'date',
      label: 'Bill Date',
      kind: 'date',
      width: 98,
      sortable: true,
      cell: (bill) => <UiLink href={`/clients/${bill.client_id}/bills/${bill.id}`}>{formatDate(bill.date)}</UiLink>,
    },
    { key: 'vendor_name', label: 'Vendor', width: 140, grow: true, sortable: true, cell: (bill) => bill.vendor_name ?? <Missing /> },
    { key: 'account_number', label: 'Account', width: 120, sortable: true, cell: (bill) => bill.account_number },
    { key: 'invoice_number', label: 'Invoice', width: 100, sortable: true, cell: (bill) => bill.invoice_number ?? <Missing /> },
    { key: 'due_date', label: 'Due Date', kind: 'date', width: 98, sortable: true, cell: (bill) => formatDate(bill.due_date) },
    { key: 'amount_due', label: 'Amount Due', kind: 'money', width: 106, sortable: true, cell: (bill) => formatMoney(bill.amount_due) },
    {
      key: 'amount_paid',
      label: 'Amount Paid',
      kind: 'money',
      width: 112,
      sortable: true,
      cell: (bill) => formatMoney(bill.amount_paid),
      edit: { value: (bill) => bill.amount_paid, parse: parseAmount, save: amounts.save, lockedReason: amounts.lockedReason },
    },
    { key: 'difference', label: 'Unpaid', kind: 'money', width: 96, cell: differenceOf },
    {
      key: 'difference_reason',
      label: 'Why Unpaid',
      width: 132,
      sortable: true,
      cell: reasonOf,
      edit: {
        value: (bill) => bill.difference_reason ?? '',
        options: reasonOptions,
        parse: parseReason,
        save: (bill, value) => amounts.saveReason(bill, reasonFrom(value)),
        lockedReason: (bill) => amounts.lockedReason(bill) ?? (bill.amount_paid === bill.amount_due ? 'All of it is paid' : undefined),
      },
    },
    { key: 'payment_method', label: 'Payment Type', width: 112, sortable: true, cell: (bill) => bill.payment_method ?? <Missing /> },
    { key: 'reason', label: 'Reason', width: 150, grow: true, sortable: true, cell: (bill) => bill.reason ?? bill.due_now ?? '' },
    { key: 'facility_name', label: 'Facility', width: 150, sortable: true, cell: (bill) => bill.facility_name ?? <Missing /> },
  ]
}

/** Parses a typed amount by the contract's rule. */
function parseAmount(text: string, bill: ChoosableBill): { value: string } | { error: string } {
  const parsed = billAmount.safeParse({ bill_id: bill.id, amount_paid: parseMoney(text) ?? text })
  const amount = parsed.data?.amount_paid
  return amount === undefined ? { error: parsed.error?.issues[0]?.message ?? 'This is no amount' } : { value: amount }
}

/** Returns the unpaid part of the amount due; '' if all of it is paid. */
function differenceOf({ amount_due, amount_paid }: ChoosableBill): string {
  const left = subtractMoney(amount_due, amount_paid)
  return left === '0.00' ? '' : formatMoney(left)
}

/** Returns the server's reason against a bill; undefined if there is none. */
export function refusalOf({ refusal, other_batch_id }: PaymentBill): string | undefined {
  return refusal === null ? undefined : paymentRefusalText({ refusal, other_batch_id })
}
