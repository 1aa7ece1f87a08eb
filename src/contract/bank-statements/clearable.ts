/**
 * The payments that a line of a bank statement can show: a check, one payment, one payer's part of a payment file, a whole payment file, or money
 * that comes back. All are made of the entries of payment files. Each entry leaves the account once and comes back once at most.
 */
import type { CalendarDate } from '../kernel/date.ts'
import { sumCents, type Cents } from '../kernel/money.ts'
import { paymentNumber } from '../payment-batches/vendor-payment.ts'

export const clearableKinds = [
  { value: 'check', label: 'Check' },
  { value: 'payment', label: 'Payment' },
  { value: 'batch', label: 'Payer’s part of a file' },
  { value: 'file', label: 'Payment file' },
  { value: 'return', label: 'Return' },
] as const
export type ClearableKind = (typeof clearableKinds)[number]['value']

/** An entry of a payment file, drawn on one bank account. */
export interface SentPayment {
  /** Unique among the entries of all clients. */
  readonly id: number
  readonly client_id: number
  readonly payer_name: string
  readonly vendor_name: string
  readonly vendor_payment_id: number
  readonly file_id: number
  readonly file_name: string
  /** 'file': the bank posts the file or its batches as one sum. 'single': each payment leaves by itself. */
  readonly way: 'check' | 'file' | 'single'
  readonly amount: Cents
  /** The day of the check, or the day on which the payment settles. */
  readonly day: CalendarDate
  readonly check_number: string | null
  /** The trace number, and the confirmation numbers of payments on websites. */
  readonly references: readonly string[]
  /** The day on which it was taken back; null if it was not. */
  readonly reversed_on: CalendarDate | null
  /** Whether a line of a statement shows that it left, and that it came back. */
  readonly is_cleared: boolean
  readonly is_back: boolean
}

export interface Clearable {
  /** The kind and the ids that name it, as in 'check:12'. */
  readonly key: string
  readonly kind: ClearableKind
  readonly name: string
  /** It has the sign with which the bank posts it: negative where money leaves. */
  readonly amount: Cents
  readonly day: CalendarDate
  readonly check_number: string | null
  readonly references: readonly string[]
  readonly entries: readonly SentPayment[]
}

/**
 * A payment was taken back before it left: a check that is void, or a payment by hand. What a file carried leaves all the same, and what has come
 * back has left.
 */
export const staysHere = ({ way, reversed_on, is_cleared, is_back }: SentPayment): boolean =>
  way !== 'file' && reversed_on !== null && !is_cleared && !is_back

/** Returns everything that is still to be seen on the account's statements. */
export function clearablesOf(payments: readonly SentPayment[]): Clearable[] {
  const leaving = payments.filter((payment) => !staysHere(payment))
  const singles = leaving.filter(({ way, is_cleared }) => way !== 'file' && !is_cleared).map(singleOf)
  const files = [
    ...Map.groupBy(
      leaving.filter(({ way }) => way === 'file'),
      ({ file_id }) => file_id,
    ).values(),
  ].flatMap(partsOfFile)
  const back = leaving.filter(({ reversed_on, is_back }) => reversed_on !== null && !is_back).map(returnOf)
  return [...singles, ...files, ...back]
}

/**
 * Returns the whole file, the parts of its payers if it has several payers, and the single payments of a part if it has several payments. Each is
 * returned only while nothing of it is cleared. The bank posts a NACHA file by batches, and a batch has one payer.
 */
function partsOfFile(payments: readonly SentPayment[]): Clearable[] {
  const batches = [...Map.groupBy(payments, ({ client_id }) => String(client_id))]
  const whole = sumOf('file', payments)
  return [
    ...whole,
    ...(batches.length > 1 ? batches.flatMap(([key, own]) => sumOf('batch', own, key)) : []),
    ...batches.flatMap(([, own]) => (own.length > 1 ? own.filter(({ is_cleared }) => !is_cleared).map(singleOf) : [])),
  ]
}

function sumOf(kind: 'file' | 'batch', payments: readonly SentPayment[], batch = ''): Clearable[] {
  const [first] = payments
  if (!first || payments.some(({ is_cleared }) => is_cleared)) return []
  const count = payments.length === 1 ? paymentNumber(first.vendor_payment_id) : `${payments.length.toLocaleString('en-US')} payments`
  return [
    {
      key: kind === 'file' ? `file:${first.file_id}` : `batch:${first.file_id}:${batch}`,
      kind,
      name: kind === 'file' ? `${first.file_name}, ${count}` : `${first.file_name}, ${first.payer_name}, ${count}`,
      amount: -sumCents(payments.map(({ amount }) => amount)),
      day: first.day,
      check_number: null,
      references: payments.length === 1 ? referencesOf(first) : [],
      entries: payments,
    },
  ]
}

function singleOf(payment: SentPayment): Clearable {
  const kind = payment.way === 'check' ? 'check' : 'payment'
  const number = payment.check_number === null ? paymentNumber(payment.vendor_payment_id) : `Check ${payment.check_number}`
  return {
    key: `${kind}:${payment.id}`,
    kind,
    name: `${number}, ${payment.vendor_name}`,
    amount: -payment.amount,
    day: payment.day,
    check_number: payment.check_number,
    references: referencesOf(payment),
    entries: [payment],
  }
}

function returnOf(payment: SentPayment): Clearable {
  return {
    key: `return:${payment.id}`,
    kind: 'return',
    name: `Return of ${paymentNumber(payment.vendor_payment_id)}, ${payment.vendor_name}`,
    amount: payment.amount,
    day: payment.reversed_on ?? payment.day,
    check_number: payment.check_number,
    references: referencesOf(payment),
    entries: [payment],
  }
}

const referencesOf = ({ references, vendor_payment_id: id }: SentPayment): string[] => [...references, paymentNumber(id)]
