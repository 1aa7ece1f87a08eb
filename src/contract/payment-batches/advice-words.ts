/** The words of a remittance advice that goes by mail. */
import { formatDate, type CalendarDate } from '../kernel/date.ts'
import { formatMoney } from '../kernel/money.ts'
import { paymentNumber } from './vendor-payment.ts'
import type { VoucherBill } from './voucher.ts'

export interface AdvisedPayment {
  readonly id: number
  readonly payer_name: string
  readonly payee: string
  readonly amount: string
  readonly bill_count: number
  /** The type by which its batch was paid. */
  readonly paid_as: string | null
  readonly payment_date: CalendarDate | null
  readonly check_number: string | null
  readonly trace_number: string | null
}

/** Maximum characters of a name in the subject. */
const nameMax = 100

export function adviceSubject({ id, payer_name, amount }: AdvisedPayment): string {
  const name = oneLine(payer_name)
  return `Remittance advice ${paymentNumber(id)}: ${formatMoney(amount)} from ${name.length > nameMax ? `${name.slice(0, nameMax - 1)}…` : name}`
}

export function adviceText(payment: AdvisedPayment): string {
  const { id, payment_date, check_number, trace_number, bill_count } = payment
  const facts = [
    ['Our reference', paymentNumber(id)],
    ['Payment date', payment_date === null ? null : formatDate(payment_date)],
    ['Payment ID', check_number],
    ['Trace number', trace_number],
    ['Bills', bill_count.toLocaleString('en-US')],
  ] as const
  return [
    `To ${oneLine(payment.payee)}`,
    '',
    whatIsPaid(payment),
    '',
    ...facts.flatMap(([label, value]) => (value === null ? [] : [`${label}: ${oneLine(value)}`])),
    '',
    'Please name our reference in questions about this payment.',
    '',
  ].join('\n')
}

function whatIsPaid({ payer_name, amount, paid_as }: AdvisedPayment): string {
  const [payer, sum] = [oneLine(payer_name), formatMoney(amount)]
  switch (paid_as) {
    case 'NP':
      return `${payer} closes bills of ${sum} together. No money is sent for them.`
    case 'Autopay':
      return `${payer} expects you to draw ${sum} by automatic payment.`
    case 'ACH':
      return `${payer} pays you ${sum} by bank transfer (ACH).`
    case 'Avid':
      return `${payer} pays you ${sum} through AvidPay.`
    case 'OP':
      return `${payer} has paid you ${sum} on your website.`
    default:
      return `${payer} pays you ${sum} by check.`
  }
}

/** The bills as lines, where the paper is too large for a mail. */
export function adviceLines(bills: readonly VoucherBill[]): string {
  return bills
    .map(({ account_number, invoice_number, date, amount_paid }) =>
      [
        `Account ${oneLine(account_number)}`,
        invoice_number && `invoice ${oneLine(invoice_number)}`,
        formatDate(date),
        formatMoney(amount_paid),
      ]
        .filter(Boolean)
        .join(', '),
    )
    .join('\n')
}

/** Returns the text without line ends and invisible signs, which could become headers or hide a part of a name. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
}
