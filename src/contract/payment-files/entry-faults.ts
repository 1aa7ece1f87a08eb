/** Faults of the entries of an ACH file: the vendor's account, its prenote and the remittance. */
import { routingNumberDoubt } from '../vendors/routing-number.ts'
import { bankingDaysAfter } from './banking-days.ts'
import { accountDigits, bankText } from './file-text.ts'
import { receiverNameOf } from './nacha-batches.ts'
import type { ExportInput, FileFault, PaymentForFile, ProfileForFile } from './payment-file.ts'
import { referenceLengthMax, referenceOf } from './remittance.ts'
import { formatDate } from '../kernel/date.ts'
import { of, when, money, vendorLink, ofBill } from './fault-words.ts'

/** Banking days between a prenote and the first live entries. */
const prenoteDays = 3

interface Drawn {
  readonly profile: ProfileForFile
  readonly withRemittance: boolean
}

export function entryFaults(input: ExportInput, payment: PaymentForFile, { profile, withRemittance }: Drawn): FileFault[] {
  const { vendor } = payment
  return [
    ...accountFaults(payment),
    ...prenoteFaults(input, payment),
    ...when(!/[A-Z1-9]/.test(receiverNameOf(payment, profile)), () =>
      of(
        payment,
        'receiver_name',
        `${vendor.name} has no name that a bank can read: enter an Account Holder.`,
        'account_holder',
        vendorLink(payment),
      ),
    ),
    ...(withRemittance && vendor.remittance !== 'none' ? remittanceFaults(payment, profile) : []),
  ]
}

export function accountFaults(payment: PaymentForFile): FileFault[] {
  const { vendor } = payment
  const link = vendorLink(payment)
  const doubt = vendor.routing_number === null ? 'It is missing.' : routingNumberDoubt(vendor.routing_number)
  // Treasury routing numbers are none of our payees, but they are valid.
  const isWrong = doubt !== null && !(vendor.routing_number?.startsWith('00') === true && doubt.includes('government'))
  const account = accountDigits(vendor.account_number ?? '')
  return [
    ...when(isWrong, () => of(payment, 'routing_number', `Routing number of ${vendor.name}: ${doubt ?? ''}`, 'po_box', link)),
    ...when(!/^[A-Z0-9-]{4,17}$/.test(account), () =>
      of(
        payment,
        'account_number',
        vendor.account_number === null
          ? `Account number of ${vendor.name}: It is missing.`
          : `Account number of ${vendor.name}: It has 4 to 17 letters, digits and hyphens.`,
        'payment_identifier',
        link,
      ),
    ),
  ]
}

export function prenoteFaults(input: ExportInput, payment: PaymentForFile): FileFault[] {
  const { vendor } = payment
  const link = vendorLink(payment)
  if (vendor.prenote_state === 'returned')
    return [of(payment, 'prenote', `The bank has returned the prenote to ${vendor.name}.`, 'prenote_state', link)]
  if (vendor.prenote_state !== 'sent') return []
  if (vendor.prenote_date === null)
    return [
      of(
        payment,
        'prenote',
        `The prenote to ${vendor.name} has no date: payments follow three banking days after it.`,
        'prenote_date',
        link,
      ),
    ]
  const from = bankingDaysAfter(vendor.prenote_date, prenoteDays)
  return when(input.moment.date < from, () =>
    of(
      payment,
      'prenote',
      `The prenote to ${vendor.name} is on its way: payments may follow from ${formatDate(from)}.`,
      'prenote_date',
      link,
    ),
  )
}

function remittanceFaults(payment: PaymentForFile, profile: ProfileForFile): FileFault[] {
  const { vendor, bills } = payment
  const isPerBill = vendor.remittance === 'per_bill' && bills.length > 1
  const isCtx = vendor.remittance === 'ctx' && bills.length > 1
  return bills.flatMap((bill) => {
    const { reference } = referenceOf(bill, profile.character_set)
    const account = bankText(bill.account_number, profile.character_set)
    const named = `Bill ${bill.id} of ${vendor.name}`
    const tooLong = [reference, ...(isCtx ? [account] : [])].some((text) => text.length > referenceLengthMax)
    return [
      ...when(reference === '' || (isCtx && account === ''), () =>
        ofBill(
          payment,
          bill,
          'reference',
          `${named} has neither an invoice number nor an account number that a bank can read.`,
          'account_number',
        ),
      ),
      ...when(tooLong, () =>
        ofBill(payment, bill, 'reference_length', `${named}: a reference has at most ${referenceLengthMax} characters.`, 'invoice_number'),
      ),
      ...when(isPerBill && bill.amount_paid < 0, () =>
        ofBill(
          payment,
          bill,
          'credit_alone',
          `${named} is a credit of ${money(-bill.amount_paid)}, and ${vendor.name} gets a payment for each bill.`,
          'amount_paid',
        ),
      ),
    ]
  })
}
