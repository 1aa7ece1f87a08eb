/** Finds everything that prevents an export, before anything is allocated: by payer, vendor, payment and field, each with a sentence. */
import { routingNumberDoubt } from '../vendors/routing-number.ts'
import { bankingDaysAfter, effectiveDate } from './banking-days.ts'
import { fileGroups, layoutOf, profilesById, totalOf, type FileGroup } from './file-groups.ts'
import { traceSequenceMax } from './file-name.ts'
import { byPayerAndVendor } from './file-order.ts'
import { accountDigits, bankText } from './file-text.ts'
import { layoutRows, type CellFault } from './layout-rows.ts'
import { columnSources, type Layout } from './layout.ts'
import { companyNameOf, receiverNameOf, recordsOfBatch, tracesOfBatch } from './nacha-batches.ts'
import type { BillForFile, ExportInput, FileFault, PaymentForFile, ProfileForFile } from './payment-file.ts'
import { portalGaps, profileGaps } from './profile-gaps.ts'
import { addendaTextLength, referenceLengthMax, referenceOf } from './remittance.ts'
import { formatMoney, sumCents, wireOf, type Cents } from '../kernel/money.ts'
import { formatDate, type CalendarDate } from '../kernel/date.ts'
import { paymentNumber } from '../payment-batches/vendor-payment.ts'

/** Limits of a file's fields. */
const entryMax: Cents = 9_999_999_999
const totalMax: Cents = 999_999_999_999
const recordsOfBatchMax = 999_999
const addendaMax = 9_999
const sameDayMax: Cents = 100_000_000
/** Maximum total of a batch without payment. */
const npMax: Cents = 100
/** Banking days between a prenote and the first live entries. */
const prenoteDays = 3

/** Types whose vendor payments must be above zero. */
const cashTypes: readonly string[] = ['ACH', 'Avid', 'Check', 'Check - OVERNIGHT', 'OP']
const bankFormats: readonly string[] = ['standard', 'nacha_plus', 'ach_bank', 'positive_pay', 'avid']

export function findFaults(input: ExportInput): FileFault[] {
  const faults: FileFault[] = []
  const profiles = profilesById(input)
  if (input.payments.length === 0) faults.push(fault('no_payments', 'There is nothing to export.', null))
  const ordered = input.payments.toSorted(byPayerAndVendor)
  for (const [id, same] of Map.groupBy(ordered, (payment) => payment.id))
    if (same.length > 1) faults.push(of(same[0], 'twice', `${paymentNumber(id)} stands in the export twice.`, null))
  for (const payment of ordered) faults.push(...paymentFaults(input, payment))
  faults.push(...payerFaults(input, ordered, profiles), ...npFaults(input, ordered))
  const settledOn = daysOfProfiles(input, profiles)
  for (const payment of ordered) {
    const profile = profiles.get(payment.profile_id ?? -1)
    const chosen = layoutOf(input, profile)
    if (profile && chosen.family === 'nacha')
      faults.push(
        ...entryFaults(input, payment, {
          profile,
          withRemittance: chosen.withRemittance,
        }),
      )
    if (chosen.family === 'layout' && namesAccounts(chosen.layout)) faults.push(...accountFaults(payment), ...prenoteFaults(input, payment))
    if (profile && paysFromProfile(input, chosen.family))
      faults.push(...limitFaults(payment, profile, settledOn.get(profile.id) === input.moment.date))
  }
  // Totals and rows are checked only if their inputs are valid.
  if (faults.length === 0) for (const group of fileGroups(input)) faults.push(...groupFaults(input, group, profiles))
  return faults
}

/** The bank pays from the account of the profile: its limits hold. They do not hold for the books, nor for a file that only tells of checks. */
function paysFromProfile({ type }: ExportInput, family: FileGroup['family']): boolean {
  return family === 'nacha' || type === 'ACH'
}

function namesAccounts({ columns }: Layout): boolean {
  return columns.some(({ source }) => source === 'account_number' || source === 'account_last4' || source === 'routing_number')
}

function paymentFaults({ type, format }: ExportInput, payment: PaymentForFile): FileFault[] {
  const { amount, bills } = payment
  const name = paymentNumber(payment.id)
  const isCash = type !== 'Accounting' && cashTypes.includes(type)
  return [
    ...when(bills.length === 0, () => of(payment, 'no_bills', `${name} pays no bill.`, null)),
    ...when(bills.length > 0 && sumCents(bills.map((bill) => bill.amount_paid)) !== amount, () =>
      of(
        payment,
        'sum',
        `${name} is ${money(amount)}, but its bills come to ${money(sumCents(bills.map((bill) => bill.amount_paid)))}.`,
        'amount',
      ),
    ),
    ...when(isCash && amount <= 0 && !payment.is_void, () =>
      of(
        payment,
        'not_positive',
        `${name} to ${payment.vendor.name} is ${money(amount)}: a payment must be more than zero.`,
        'amount',
        billsLink(payment),
      ),
    ),
    ...when(Math.abs(amount) > entryMax, () =>
      of(
        payment,
        'too_large',
        `${name} to ${payment.vendor.name} is ${money(amount)}: a file takes at most ${money(entryMax)}.`,
        'amount',
        billsLink(payment),
      ),
    ),
    ...when(format === 'positive_pay' && !/^\d{1,10}$/.test(payment.check_number ?? ''), () =>
      of(payment, 'check_number', `${name} to ${payment.vendor.name} needs a check number of at most 10 digits.`, 'check_number'),
    ),
    ...when(format === 'check_request' && payment.effective_type === 'Check - OVERNIGHT', () => overnightFault(payment)).filter(
      (one) => one !== null,
    ),
  ]
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
function payerFaults(input: ExportInput, ordered: readonly PaymentForFile[], profiles: ReadonlyMap<number, ProfileForFile>): FileFault[] {
  const faults: FileFault[] = []
  for (const payments of Map.groupBy(ordered, (payment) => payment.payer.client_id).values()) {
    const [payment] = payments
    if (!payment) continue
    const { payer } = payment
    const profile = profiles.get(payment.profile_id ?? -1)
    const chosen = layoutOf(input, profile)
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
function npFaults({ type }: ExportInput, ordered: readonly PaymentForFile[]): FileFault[] {
  if (type !== 'NP') return []
  return [...Map.groupBy(ordered, (payment) => payment.batch_id)].flatMap(([id, payments]) =>
    when(totalOf(payments) > npMax, () => ({
      ...of(payments[0], 'np_total', `Batch ${id} comes to ${money(totalOf(payments))}: NP takes at most ${money(npMax)}.`, 'batch_total'),
      ...nobody,
    })),
  )
}

/** The day on which a file of each profile settles: the same for all its payments. */
function daysOfProfiles({ moment }: ExportInput, profiles: ReadonlyMap<number, ProfileForFile>): ReadonlyMap<number, CalendarDate> {
  return new Map([...profiles.values()].map((profile) => [profile.id, effectiveDate(moment, profile)]))
}

interface Drawn {
  readonly profile: ProfileForFile
  readonly withRemittance: boolean
}

function entryFaults(input: ExportInput, payment: PaymentForFile, { profile, withRemittance }: Drawn): FileFault[] {
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

/** The limits of the profile and of Same Day ACH. They hold for each ACH format: the bank pays from the account of the profile either way. */
function limitFaults(payment: PaymentForFile, profile: ProfileForFile, isSameDay: boolean): FileFault[] {
  const { vendor, amount } = payment
  const paid = `${paymentNumber(payment.id)} to ${vendor.name} is ${money(amount)}`
  return [
    ...when(profile.entry_limit !== null && amount > profile.entry_limit, () =>
      of(
        payment,
        'entry_limit',
        `${paid}: ${profile.name} pays at most ${money(profile.entry_limit ?? 0)} at once.`,
        'amount',
        billsLink(payment),
      ),
    ),
    ...when(isSameDay && amount > sameDayMax, () =>
      of(payment, 'same_day', `${paid}: a payment of the same day is at most ${money(sameDayMax)}.`, 'amount', billsLink(payment)),
    ),
  ]
}

function accountFaults(payment: PaymentForFile): FileFault[] {
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

function prenoteFaults(input: ExportInput, payment: PaymentForFile): FileFault[] {
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

function groupFaults(input: ExportInput, group: FileGroup, profiles: ReadonlyMap<number, ProfileForFile>): FileFault[] {
  const [payment] = group.payments
  const total = totalOf(group.payments)
  const limited = paysFromProfile(input, group.family)
    ? group.profiles.find((profile) => profile.file_limit !== null && total > profile.file_limit)
    : undefined
  const shared = [
    ...when(limited !== undefined, () => ({
      ...of(
        payment,
        'file_limit',
        `The file comes to ${money(total)}: ${limited?.name ?? ''} takes at most ${money(limited?.file_limit ?? 0)} a file.`,
        'file_limit',
      ),
      ...nobody,
    })),
    ...when(total > totalMax, () => ({
      ...of(payment, 'total', `The file comes to ${money(total)}: it takes at most ${money(totalMax)}.`, null),
      ...nobody,
    })),
  ]
  if (group.family === 'layout') {
    const faults: FileFault[] = []
    const { layout, payments } = group
    layoutRows({ layout, payments, profiles, moment: input.moment, file_reference: 'preview' }, (cell) => faults.push(cellFault(cell)))
    return [...shared, ...faults]
  }
  const traces = group.batches.reduce((sum, batch) => sum + tracesOfBatch(batch), 0)
  const addenda = group.batches.flatMap((batch) => batch.entries).filter((entry) => entry.addenda.length > addendaMax)
  return [
    ...shared,
    ...when(traces > traceSequenceMax, () => ({
      ...of(payment, 'traces', `A file takes at most ${traceSequenceMax} entries.`, null),
      ...nobody,
    })),
    ...when(
      group.batches.some((batch) => recordsOfBatch(batch) > recordsOfBatchMax),
      () => ({ ...of(payment, 'records', `A batch takes at most ${recordsOfBatchMax} entries and addenda.`, null), ...nobody }),
    ),
    ...addenda.map((entry) =>
      of(
        entry.payment,
        'addenda',
        `${paymentNumber(entry.payment.id)} pays so many bills that their list takes more than ${addendaMax} records of ${addendaTextLength} characters.`,
        null,
      ),
    ),
  ]
}

function cellFault({ payment, bill, column, code }: CellFault): FileFault {
  const label = column.source === null ? column.heading : columnSources[column.source].label
  const whose = bill === null ? `${paymentNumber(payment.id)} to ${payment.vendor.name}` : `Bill ${bill.id} of ${payment.vendor.name}`
  const says = {
    empty: 'is missing',
    too_long: `has more than ${column.width ?? 0} characters`,
    no_word: 'has a value that the bank knows no word for',
    formula: 'begins with a character that a spreadsheet would run',
    characters: 'has no character that the bank can read',
  }[code]
  const link = profileSource(column.source)
    ? payment.profile_id === null
      ? null
      : `/originating_profiles/${payment.profile_id}/edit`
    : vendorSource(column.source)
      ? vendorLink(payment)
      : null
  return { ...of(payment, code, `${whose}: ${label} ${says}.`, column.source, link), bill_id: bill?.id ?? null }
}

function profileSource(source: string | null): boolean {
  return /^(payer_(account|street|city|state|zip)|avid_)/.test(source ?? '')
}

function vendorSource(source: string | null): boolean {
  return /^(vendor|payee|account_|routing_)/.test(source ?? '')
}

/** A fault of a payer or a whole file belongs to no single payment. */
const nobody = { vendor_id: null, vendor_name: null, vendor_payment_id: null, batch_id: null } as const

/** Where the amounts paid of the payment's bills are edited. */
function billsLink({ batch_id }: PaymentForFile): string {
  return `/global_batch/view/${batch_id}/bills`
}

function vendorLink({ vendor }: PaymentForFile): string {
  return `/vendors/${vendor.id}/edit`
}

function when<Fault>(holds: boolean, make: () => Fault): Fault[] {
  return holds ? [make()] : []
}

function money(cents: Cents): string {
  return formatMoney(wireOf(cents))
}

function of(
  payment: PaymentForFile | undefined,
  code: string,
  sentence: string,
  field: string | null,
  link: string | null = null,
): FileFault {
  if (!payment) return fault(code, sentence, field)
  return {
    code,
    sentence,
    field,
    client_id: payment.payer.client_id,
    payer_name: payment.payer.name,
    profile_id: payment.profile_id,
    vendor_id: payment.vendor.id,
    vendor_name: payment.vendor.name,
    batch_id: payment.batch_id,
    vendor_payment_id: payment.id,
    bill_id: null,
    link,
  }
}

function ofBill(payment: PaymentForFile, bill: BillForFile, code: string, sentence: string, field: string): FileFault {
  return { ...of(payment, code, sentence, field, `/bills/${bill.id}/edit`), bill_id: bill.id }
}

function fault(code: string, sentence: string, field: string | null): FileFault {
  return {
    code,
    sentence,
    field,
    client_id: null,
    payer_name: null,
    profile_id: null,
    vendor_id: null,
    vendor_name: null,
    batch_id: null,
    vendor_payment_id: null,
    bill_id: null,
    link: null,
  }
}
