/** Finds everything that prevents an export, before anything is allocated: by payer, vendor, payment and field, each with a sentence. */
import { effectiveDate } from './banking-days.ts'
import { fileGroups, layoutsOf, profilesById, totalOf, type FileGroup } from './file-groups.ts'
import { fileReference, traceSequenceMax } from './file-name.ts'
import { inOrder } from './file-order.ts'
import { cellFaultText } from './cell-fault.ts'
import { layoutRows, type CellFault } from './layout-rows.ts'
import type { Layout } from './layout.ts'
import { recordsOfBatch, tracesOfBatch } from './nacha-batches.ts'
import type { ExportInput, FileFault, PaymentForFile, ProfileForFile } from './payment-file.ts'
import { addendaTextLength } from './remittance.ts'
import type { Cents } from '../kernel/money.ts'
import type { CalendarDate } from '../kernel/date.ts'
import { paymentNumber } from '../payment-batches/vendor-payment.ts'
import { fault, of, when, money, billsLink, vendorLink, nobody, type TellFault } from './fault-words.ts'
import { amountOf, paymentFaults, payerFaults, npFaults } from './payment-faults.ts'
import { entryFaults, accountFaults, prenoteFaults } from './entry-faults.ts'

/** A file gets its number only when it is written: a column that takes this one takes each. */
const longestMark = '9999999999'
const totalMax: Cents = 999_999_999_999
const recordsOfBatchMax = 999_999
const addendaMax = 9_999
const sameDayMax: Cents = 100_000_000

export function findFaults(input: ExportInput): FileFault[] {
  const faults: FileFault[] = []
  const profiles = profilesById(input)
  if (input.payments.length === 0) faults.push(fault('no_payments', 'There is nothing to export.', null))
  const ordered = inOrder(input)
  const tell: TellFault = (one) => faults.push(one)
  twiceFaults(ordered, tell)
  for (const payment of ordered) paymentFaults(input, payment, tell)
  const layoutOf = layoutsOf(input)
  faults.push(...payerFaults(input, ordered, profiles, layoutOf), ...npFaults(input, ordered))
  const settledOn = daysOfProfiles(input, profiles)
  for (const payment of ordered) {
    const profile = profiles.get(payment.profile_id ?? -1)
    const chosen = layoutOf(profile)
    if (profile && chosen.family === 'nacha') entryFaults(input, payment, { profile, withRemittance: chosen.withRemittance }, tell)
    if (chosen.family === 'layout' && namesAccounts(chosen.layout)) {
      accountFaults(payment, tell)
      prenoteFaults(input, payment, tell)
    }
    if (profile && paysFromProfile(input, chosen.family))
      limitFaults(payment, profile, settledOn.get(profile.id) === input.moment.date, tell)
  }
  // Totals and rows are checked only if their inputs are valid.
  if (faults.length === 0) for (const group of fileGroups(input)) faults.push(...groupFaults(input, group, profiles))
  return faults
}

/** Tells each payment that stands in the export more often than once, one time. */
function twiceFaults(ordered: readonly PaymentForFile[], tell: TellFault): void {
  if (new Set(ordered.map(({ id }) => id)).size === ordered.length) return
  for (const [id, same] of Map.groupBy(ordered, (payment) => payment.id))
    if (same.length > 1) tell(of(same[0], 'twice', `${paymentNumber(id)} stands in the export twice.`, null))
}

/**
 * The bank pays from the account of the profile: its limits hold. They do not hold for the books, nor for a file that only reports checks.
 */
function paysFromProfile({ type }: ExportInput, family: FileGroup['family']): boolean {
  return family === 'nacha' || type === 'ACH'
}

function namesAccounts({ columns }: Layout): boolean {
  return columns.some(({ source }) => source === 'account_number' || source === 'account_last4' || source === 'routing_number')
}

/** The day on which a file of each profile settles: the same for all its payments. */
function daysOfProfiles({ moment }: ExportInput, profiles: ReadonlyMap<number, ProfileForFile>): ReadonlyMap<number, CalendarDate> {
  return new Map([...profiles.values()].map((profile) => [profile.id, effectiveDate(moment, profile)]))
}

/** The limits of the profile and of Same Day ACH. They hold for each ACH format: the bank pays from the account of the profile either way. */
function limitFaults(payment: PaymentForFile, { name, entry_limit }: ProfileForFile, isSameDay: boolean, tell: TellFault): void {
  const { amount } = payment
  const say = (code: string, sentence: string) => tell(of(payment, code, `${amountOf(payment)}: ${sentence}`, 'amount', billsLink(payment)))
  if (entry_limit !== null && amount > entry_limit) say('entry_limit', `${name} pays at most ${money(entry_limit)} at once.`)
  if (isSameDay && amount > sameDayMax) say('same_day', `a payment of the same day is at most ${money(sameDayMax)}.`)
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
    layoutRows({ layout, payments, profiles, moment: input.moment, file_reference: fileReference(input, longestMark) }, (cell) =>
      faults.push(faultOfCell(input, cell)),
    )
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

function faultOfCell(input: ExportInput, cell: CellFault): FileFault {
  const { payment, bill, column, code } = cell
  const sentence = cellFaultText(cell)
  if (payment === null) return { ...of(input.payments[0], code, sentence, column.source), ...nobody }
  const link = profileSource(column.source)
    ? payment.profile_id === null
      ? null
      : `/originating_profiles/${payment.profile_id}/edit`
    : vendorSource(column.source)
      ? vendorLink(payment)
      : null
  return { ...of(payment, code, sentence, column.source, link), bill_id: bill?.id ?? null }
}

function profileSource(source: string | null): boolean {
  return /^(payer_(account|street|city|state|zip)|avid_)/.test(source ?? '')
}

function vendorSource(source: string | null): boolean {
  return /^(vendor|payee|account_|routing_)/.test(source ?? '')
}
