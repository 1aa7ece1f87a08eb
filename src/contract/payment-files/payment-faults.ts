/** Faults of single payments and of their payers. */
import { totalOf, type LayoutOf } from './file-groups.ts'
import { companyNameOf } from './nacha-batches.ts'
import type { ExportInput, FileFault, PaymentForFile, ProfileForFile } from './payment-file.ts'
import { portalGaps, profileGaps } from './profile-gaps.ts'
import { sumCents, type Cents } from '../kernel/money.ts'
import { paymentNumber } from '../payment-batches/vendor-payment.ts'
import { of, when, money, billsLink, vendorLink, nobody, type TellFault } from './fault-words.ts'

/** Limits of a file's fields. */
const entryMax: Cents = 9_999_999_999

/** Maximum total of a batch without payment. */
const npMax: Cents = 100

/** Types whose vendor payments must be above zero. */
const cashTypes: readonly string[] = ['ACH', 'Avid', 'Check', 'Check - OVERNIGHT', 'OP']
const bankFormats: readonly string[] = ['standard', 'nacha_plus', 'ach_bank', 'positive_pay', 'avid']

export function paymentFaults({ type, format }: ExportInput, payment: PaymentForFile, tell: TellFault): void {
  const { amount, bills, id } = payment
  const billed = sumCents(bills.map((bill) => bill.amount_paid))
  if (bills.length === 0) tell(of(payment, 'no_bills', `${paymentNumber(id)} pays no bill.`, null))
  else if (billed !== amount)
    tell(of(payment, 'sum', `${paymentNumber(id)} is ${money(amount)}, but its bills come to ${money(billed)}.`, 'amount'))
  const isCash = type !== 'Accounting' && cashTypes.includes(type)
  if (isCash && amount <= 0 && !payment.is_void)
    tell(of(payment, 'not_positive', `${amountOf(payment)}: a payment must be more than zero.`, 'amount', billsLink(payment)))
  if (Math.abs(amount) > entryMax)
    tell(of(payment, 'too_large', `${amountOf(payment)}: a file takes at most ${money(entryMax)}.`, 'amount', billsLink(payment)))
  if (format === 'positive_pay' && !/^\d{1,10}$/.test(payment.check_number ?? ''))
    tell(
      of(
        payment,
        'check_number',
        `${paymentNumber(id)} to ${payment.vendor.name} needs a check number of at most 10 digits.`,
        'check_number',
      ),
    )
  const overnight = format === 'check_request' && payment.effective_type === 'Check - OVERNIGHT' ? overnightFault(payment) : null
  if (overnight) tell(overnight)
}

/** Names a payment, its vendor and its amount: the beginning of a sentence. */
export function amountOf({ id, vendor, amount }: PaymentForFile): string {
  return `${paymentNumber(id)} to ${vendor.name} is ${money(amount)}`
}

/** A courier does not deliver to a PO box, and needs a phone number. */
function overnightFault(payment: PaymentForFile): FileFault | null {
  const { vendor } = payment
  const lines = [vendor.remit_address.street_address_1, vendor.remit_address.street_address_2]
  if (lines.some((line) => /\bP\.?\s*O\.?\s*BOX\b|\bPOST\s+OFFICE\s+BOX\b/i.test(line ?? '')))
    return of(
      payment,
      'po_box',
      `${vendor.name} has a PO box, and no courier delivers to one.`,
      'remit_street_address_1',
      vendorLink(payment),
    )
  if ((vendor.phone ?? '').trim() === '')
    return of(payment, 'phone', `${vendor.name} needs a phone number for an overnight check.`, 'phone', vendorLink(payment))
  return null
}

/** Once for each payer: whether a profile pays for it, and what that profile lacks. */
export function payerFaults(
  input: ExportInput,
  ordered: readonly PaymentForFile[],
  profiles: ReadonlyMap<number, ProfileForFile>,
  layoutOf: LayoutOf,
): FileFault[] {
  const faults: FileFault[] = []
  for (const payments of Map.groupBy(ordered, (payment) => payment.payer.client_id).values()) {
    const [payment] = payments
    if (!payment) continue
    const { payer } = payment
    const profile = profiles.get(payment.profile_id ?? -1)
    const chosen = layoutOf(profile)
    if (!profile) {
      if (bankFormats.includes(input.format) || chosen.family === 'nacha')
        faults.push({
          ...of(
            payment,
            'no_profile',
            `${payer.name} has no active default bank profile.`,
            null,
            `/originating_profiles/new?client_id=${payer.client_id}`,
          ),
          ...nobody,
        })
      continue
    }
    const link = `/originating_profiles/${profile.id}/edit`
    if (payments.some((one) => one.profile_id !== profile.id))
      faults.push({
        ...of(payment, 'two_profiles', `${payer.name} is to pay from two bank profiles in one export.`, null, link),
        ...nobody,
      })
    const isAch = chosen.family === 'nacha'
    const gaps = isAch ? profileGaps(profile) : input.format === 'ach_bank' ? portalGaps(profile) : []
    for (const { field, sentence } of gaps)
      faults.push({ ...of(payment, 'profile', `${payer.name}: bank profile ${profile.name}: ${sentence}`, field, link), ...nobody })
    if (isAch && !/[A-Z1-9]/.test(companyNameOf(profile, payer.name)))
      faults.push({
        ...of(payment, 'company_name', `${payer.name} has no name that a bank can read.`, 'company_name', link),
        ...nobody,
      })
  }
  return faults
}

/** Checked again here: amounts may have been edited since the batch was moved. */
export function npFaults({ type }: ExportInput, ordered: readonly PaymentForFile[]): FileFault[] {
  if (type !== 'NP') return []
  return [...Map.groupBy(ordered, (payment) => payment.batch_id)].flatMap(([id, payments]) =>
    when(totalOf(payments) > npMax, () => ({
      ...of(payments[0], 'np_total', `Batch ${id} comes to ${money(totalOf(payments))}: NP takes at most ${money(npMax)}.`, 'batch_total'),
      ...nobody,
    })),
  )
}
