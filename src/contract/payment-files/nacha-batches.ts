/** The batches of a NACHA file as values: payer, payee, amount and remittance, in the order of the file. */
import type { CalendarDate } from '../kernel/date.ts'
import { sumCents, type Cents } from '../kernel/money.ts'
import { paymentNumber } from '../payment-batches/vendor-payment.ts'
import { effectiveDate } from './banking-days.ts'
import { compareTexts } from './file-order.ts'
import { accountDigits, bankText, cutText } from './file-text.ts'
import type { AccountType, BillForFile, FileMoment, PaymentForFile, ProfileForFile } from './payment-file.ts'
import { partyNameLengthMax, remittancePieces, remittanceSegment } from './remittance.ts'

export type SecCode = 'CCD' | 'CTX'

export interface NachaEntry {
  readonly payment: PaymentForFile
  /** Set if the vendor gets an entry for each bill. */
  readonly bill: BillForFile | null
  readonly amount: Cents
  /** Name and account number of the vendor in the bank's characters. */
  readonly receiver: string
  readonly account: string
  /** Payment related information, at most 80 characters each. */
  readonly addenda: readonly string[]
}

export interface NachaBatch {
  readonly profile: ProfileForFile
  readonly payer_id: number
  readonly company_name: string
  readonly effective_date: CalendarDate
  readonly sec: SecCode
  readonly entries: readonly NachaEntry[]
  readonly total: Cents
}

const companyNameLength = 16
/** The identification of the debit that balances a batch, which is no payment. */
export const offsetIdentification = 'OFFSET'
/** Characters of the receiver's name in an entry of each class. */
export const receiverLength = { ccd: 22, ctx: 16 } as const
const noAddenda: readonly string[] = []

/** Counts the records 6 and 7 of a batch. */
export function recordsOfBatch({ profile, entries }: NachaBatch): number {
  return entries.reduce((sum, entry) => sum + 1 + entry.addenda.length, 0) + (profile.balanced ? 1 : 0)
}

/** Counts the records 6: each uses a trace number. */
export function tracesOfBatch({ profile, entries }: NachaBatch): number {
  return entries.length + (profile.balanced ? 1 : 0)
}

/** Codes of live credits. */
export const creditCodes: Readonly<Record<AccountType, string>> = { checking: '22', savings: '32', general_ledger: '42', loan: '52' }

/** Returns the client's name as its vendors read it. The provider's profile pays in the name of the bills' client. */
export function companyNameOf(profile: ProfileForFile, payerName: string): string {
  const name = profile.client_id === 0 ? payerName : (profile.company_name ?? payerName)
  return cutText(bankText(name, profile.character_set), companyNameLength)
}

export function receiverNameOf({ vendor }: PaymentForFile, { character_set }: ProfileForFile): string {
  return bankText(vendor.account_holder ?? '', character_set) || bankText(vendor.name, character_set)
}

/**
 * Returns the batches in the order of the file: by payer, CCD before CTX. The payments come in the order of the file, and each refers to a
 * profile of the map.
 */
export function nachaBatches(
  payments: readonly PaymentForFile[],
  profiles: ReadonlyMap<number, ProfileForFile>,
  moment: FileMoment,
  withRemittance: boolean,
): NachaBatch[] {
  const batches = new Map<string, { profile: ProfileForFile; payment: PaymentForFile; sec: SecCode; entries: NachaEntry[] }>()
  for (const payment of payments) {
    const profile = profiles.get(payment.profile_id ?? -1)
    if (!profile) continue
    const sec = secOf(payment, withRemittance)
    const key = `${payment.payer.client_id} ${profile.id} ${sec}`
    const entries = entriesOf(payment, profile, moment, withRemittance)
    const batch = batches.get(key)
    if (batch) for (const entry of entries) batch.entries.push(entry)
    else batches.set(key, { profile, payment, sec, entries })
  }
  return [...batches.values()]
    .toSorted(
      (a, b) =>
        compareTexts(a.payment.payer.name, b.payment.payer.name) ||
        a.payment.payer.client_id - b.payment.payer.client_id ||
        compareTexts(a.sec, b.sec),
    )
    .map(({ profile, payment, sec, entries }) => ({
      profile,
      payer_id: payment.payer.client_id,
      company_name: companyNameOf(profile, payment.payer.name),
      effective_date: effectiveDate(moment, profile),
      sec,
      entries,
      total: sumCents(entries.map((entry) => entry.amount)),
    }))
}

function secOf(payment: PaymentForFile, withRemittance: boolean): SecCode {
  return withRemittance && payment.bills.length > 1 && payment.vendor.remittance === 'ctx' ? 'CTX' : 'CCD'
}

function entriesOf(payment: PaymentForFile, profile: ProfileForFile, moment: FileMoment, withRemittance: boolean): NachaEntry[] {
  const { bills, vendor, amount } = payment
  const whole = {
    payment,
    bill: null,
    amount,
    receiver: receiverNameOf(payment, profile),
    account: accountDigits(vendor.account_number ?? ''),
    addenda: noAddenda,
  }
  if (!withRemittance || vendor.remittance === 'none') return [whole]
  if (vendor.remittance === 'per_bill' && bills.length > 1)
    // A bill with nothing paid gets no entry: the bank would return an entry of zero.
    return bills
      .filter((bill) => bill.amount_paid !== 0)
      .map((bill) => ({ ...whole, bill, amount: bill.amount_paid, addenda: [remittanceSegment(bill, profile.character_set)] }))
  const [only] = bills
  if (bills.length === 1 && only) return [{ ...whole, addenda: [remittanceSegment(only, profile.character_set)] }]
  return [{ ...whole, addenda: listOfBills(whole, profile, moment) }]
}

/** The bills of a payment as an 820, in pieces of an addenda. */
function listOfBills({ payment, receiver, account }: NachaEntry, profile: ProfileForFile, moment: FileMoment): string[] {
  const { payer, vendor, bills } = payment
  const set = profile.character_set
  return remittancePieces(
    {
      company_id: profile.company_id ?? '',
      payer_name: cutText(bankText(payer.name, set) || companyNameOf(profile, payer.name), partyNameLengthMax),
      payee_name: cutText(receiver, partyNameLengthMax),
      payment_number: paymentNumber(payment.id),
      routing_number: vendor.routing_number ?? '',
      account_number: account,
      account_is_savings: vendor.account_type === 'savings',
      effective_date: effectiveDate(moment, profile),
      bills,
    },
    set,
  )
}
