/** Faults of the entries of an ACH file: the vendor's account, its prenote and the remittance. */
import { routingNumberDoubt } from '../vendors/routing-number.ts'
import { bankingDaysAfter } from './banking-days.ts'
import { accountDigits, bankText } from './file-text.ts'
import { receiverNameOf } from './nacha-batches.ts'
import type { ExportInput, PaymentForFile, ProfileForFile } from './payment-file.ts'
import { referenceLengthMax, referenceOf } from './remittance.ts'
import { formatDate } from '../kernel/date.ts'
import { of, money, vendorLink, ofBill, type TellFault } from './fault-words.ts'

/** Banking days between a prenote and the first live entries. */
const prenoteDays = 3

interface Drawn {
  readonly profile: ProfileForFile
  readonly withRemittance: boolean
}

export function entryFaults(input: ExportInput, payment: PaymentForFile, { profile, withRemittance }: Drawn, tell: TellFault): void {
  const { vendor } = payment
  accountFaults(payment, tell)
  prenoteFaults(input, payment, tell)
  if (!/[A-Z1-9]/.test(receiverNameOf(payment, profile)))
    tell(
      of(
        payment,
        'receiver_name',
        `${vendor.name} has no name that a bank can read: enter an Account Holder.`,
        'account_holder',
        vendorLink(payment),
      ),
    )
  if (withRemittance && vendor.remittance !== 'none') remittanceFaults(payment, profile, tell)
}

export function accountFaults(payment: PaymentForFile, tell: TellFault): void {
  const { vendor } = payment
  const doubt = vendor.routing_number === null ? 'It is missing.' : routingNumberDoubt(vendor.routing_number)
  // Treasury routing numbers are none of our payees, but they are valid.
  if (doubt !== null && !(vendor.routing_number?.startsWith('00') === true && doubt.includes('government')))
    tell(of(payment, 'routing_number', `Routing number of ${vendor.name}: ${doubt}`, 'po_box', vendorLink(payment)))
  if (/^[A-Z0-9-]{4,17}$/.test(accountDigits(vendor.account_number ?? ''))) return
  const fault = vendor.account_number === null ? 'It is missing.' : 'It has 4 to 17 letters, digits and hyphens.'
  tell(of(payment, 'account_number', `Account number of ${vendor.name}: ${fault}`, 'payment_identifier', vendorLink(payment)))
}

export function prenoteFaults(input: ExportInput, payment: PaymentForFile, tell: TellFault): void {
  const { vendor } = payment
  if (vendor.prenote_state === 'none' || vendor.prenote_state === 'accepted') return
  const say = (sentence: string, field: string) => tell(of(payment, 'prenote', sentence, field, vendorLink(payment)))
  if (vendor.prenote_state === 'returned') say(`The bank has returned the prenote to ${vendor.name}.`, 'prenote_state')
  if (vendor.prenote_state !== 'sent') return
  if (vendor.prenote_date === null) {
    say(`The prenote to ${vendor.name} has no date: payments follow three banking days after it.`, 'prenote_date')
    return
  }
  const from = bankingDaysAfter(vendor.prenote_date, prenoteDays)
  if (input.moment.date < from)
    say(`The prenote to ${vendor.name} is on its way: payments may follow from ${formatDate(from)}.`, 'prenote_date')
}

function remittanceFaults(payment: PaymentForFile, profile: ProfileForFile, tell: TellFault): void {
  const { vendor, bills } = payment
  const isPerBill = vendor.remittance === 'per_bill' && bills.length > 1
  const isCtx = vendor.remittance === 'ctx' && bills.length > 1
  for (const bill of bills) {
    const { reference } = referenceOf(bill, profile.character_set)
    const account = isCtx ? bankText(bill.account_number, profile.character_set) : null
    const say = (code: string, rest: string, field: string) =>
      tell(ofBill(payment, bill, code, `Bill ${bill.id} of ${vendor.name}${rest}`, field))
    if (reference === '' || account === '')
      say('reference', ' has neither an invoice number nor an account number that a bank can read.', 'account_number')
    if (reference.length > referenceLengthMax || (account ?? '').length > referenceLengthMax)
      say('reference_length', `: a reference has at most ${referenceLengthMax} characters.`, 'invoice_number')
    if (isPerBill && bill.amount_paid < 0)
      say('credit_alone', ` is a credit of ${money(-bill.amount_paid)}, and ${vendor.name} gets a payment for each bill.`, 'amount_paid')
  }
}
