/**
 * Payment files as pure functions: what prevents an export, which files it makes, and their bytes. No clock, no database, nothing random:
 * the same payments and the same identity give the same bytes. The order is
 *
 * 1. `exportFaults` lists every fault; while there is any, nothing is allocated or written.
 * 2. `planFiles` lists the files to be made, and the identity that each of them needs.
 * 3. The caller allocates and stores the identities (`modifierAt`, `firstTraceAfter`).
 * 4. `buildFile` writes the bytes, reads them back with an independent checker, and throws FileRefused if the two disagree.
 */
import { firstName, isForPortal, fileGroups, plannedFiles, profilesById, type FileGroup } from './file-groups.ts'
import { fileReference, traceSequenceMax } from './file-name.ts'
import { accountDigits, lastFour } from './file-text.ts'
import { effectiveDate } from './banking-days.ts'
import { findFaults } from './file-faults.ts'
import { checkLayout } from './layout-check.ts'
import { layoutText, type RowsInput } from './layout-rows.ts'
import { entriesAgree, offsetsAgree, rowsAgree } from './file-agrees.ts'
import { checkNacha } from './nacha-check.ts'
import { nachaFile } from './nacha-file.ts'
import type {
  BuiltFile,
  ExportInput,
  FileControl,
  FileEntry,
  FileFault,
  FileIdentity,
  PaymentForFile,
  PlannedFile,
  ProfileForFile,
} from './payment-file.ts'

export { firstTraceAfter, filesPerDayMax, modifierAt, modifiersAreUsedUp } from './file-name.ts'

/** The bytes differ from the intended content: a defect of the builder, never of the data. Nothing of the file may be used. */
export class FileRefused extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The file was refused by its own checker: ${faults.slice(0, 5).join(' ')}`)
    this.name = 'FileRefused'
    this.faults = faults
  }
}

/** Characters that a bank accepts besides letters, digits and space; the delimiters of addenda are checked separately. */
const marks = { standard: `.-/&',()#`, narrow: `.-'` } as const

/** Returns everything that prevents the export, ordered by payer and vendor; empty if it may be made. */
export function exportFaults(input: ExportInput): FileFault[] {
  return findFaults(input)
}

/** Returns the files of an export without faults, in their order. */
export function planFiles(input: ExportInput): PlannedFile[] {
  return plannedFiles(input)
}

/** Builds one of the planned files. Throws FileRefused; throws a RangeError for an export with faults. */
export function buildFile(input: ExportInput, plan: PlannedFile, identity: FileIdentity): BuiltFile {
  const group = fileGroups(input)[plan.place]
  if (!group) throw new RangeError('the export has no such file')
  return group.family === 'nacha' ? buildNacha(input, plan, identity, group) : buildLayout(input, plan, identity, group)
}

/**
 * Returns the profile that pays for a client: its own default, or the provider's default if the client has no profile. Null if none pays: if a
 * client's profiles are all inactive or none is the default, the provider does not silently pay for it.
 */
export function profileOfPayer<Row extends { readonly client_id: number; readonly active: boolean; readonly is_default: boolean }>(
  clientId: number,
  rows: readonly Row[],
): Row | null {
  const own = rows.filter((row) => row.client_id === clientId)
  const from = own.length > 0 ? own : rows.filter((row) => row.client_id === 0)
  return from.find((row) => row.active && row.is_default) ?? null
}

type NachaGroup = Extract<FileGroup, { family: 'nacha' }>
type LayoutGroup = Extract<FileGroup, { family: 'layout' }>

function buildNacha(input: ExportInput, plan: PlannedFile, identity: FileIdentity, group: NachaGroup): BuiltFile {
  const { modifier, first_trace } = identity
  const [profile] = group.profiles
  if (modifier === null || first_trace === null || !profile) throw new RangeError('a NACHA file needs a modifier and trace numbers')
  const last = first_trace + plan.trace_count - 1
  if (first_trace < 1 || last > traceSequenceMax) throw new RangeError('the trace numbers do not fit')
  const { text, entries } = nachaFile(group.batches, {
    moment: input.moment,
    modifier,
    first_trace,
    is_test: input.is_test,
    destination_name: plan.bank_name ?? '',
    origin_name: firstName(group.profiles, (one) => one.immediate_origin_name) ?? '',
  })
  const bytes = new TextEncoder().encode(text)
  const { read, faults } = checkNacha(bytes, { line_end: profile.line_end, marks: marks[profile.character_set] })
  if (!read) throw new FileRefused(faults)

  mustAgree([
    [entriesAgree(group.batches, read.entries, entries), 'An entry is not its payment.'],
    [offsetsAgree(group.batches, read.debits), 'A balancing debit is not at the account of the payer.'],
    [read.credit === plan.total, 'The total is not that of the payments.'],
    [
      read.destination === profile.immediate_destination && read.origin === profile.immediate_origin?.trim(),
      'The file goes to another bank.',
    ],
    [read.creation_date === input.moment.date && read.creation_time === input.moment.time, 'The file names another moment.'],
    [read.modifier === modifier, 'The file has another modifier.'],
    [read.is_test === input.is_test, 'The mark of a test file is missing, or stands on a real one.'],
  ])
  const control = {
    records: read.records,
    batches: read.batches,
    entries: read.entries.length,
    addenda: read.addenda,
    entry_hash: read.entry_hash,
  }
  return {
    name: `${fileReference(input, plan.file_count > 1 ? `${modifier}-${plan.place + 1}` : modifier)}.ach`,
    content_type: 'text/plain; charset=us-ascii',
    bytes,
    control: { ...control, debit: read.debit, credit: read.credit },
    entries,
    plan,
    last_trace: last,
  }
}

function buildLayout(input: ExportInput, plan: PlannedFile, identity: FileIdentity, group: LayoutGroup): BuiltFile {
  const { layout, payments } = group
  const reference = fileReference(input, String(identity.sequence))
  const profiles = profilesById(input)
  const rows: RowsInput = { layout, payments, profiles, moment: input.moment, file_reference: reference }
  const bytes = new TextEncoder().encode(layoutText(rows))
  const { read, faults } = checkLayout(bytes, layout)
  if (!read) throw new FileRefused(faults)
  const entries = payments.map((payment) => layoutEntry(input, payment, profiles.get(payment.profile_id ?? -1), layout))
  const count = layout.grain === 'payment' ? plan.payment_count : plan.bill_count
  mustAgree([
    [read.rows.length === count, 'A row is missing or too much.'],
    [read.credit === null || read.credit === plan.total, 'The total is not that of the payments.'],
    [rowsAgree(layout, payments, read.rows), 'A row is not its payment or its bill.'],
  ])
  const control: FileControl = {
    records: read.records,
    batches: new Set(payments.map((payment) => payment.batch_id)).size,
    entries: read.rows.length,
    addenda: 0,
    entry_hash: null,
    debit: 0,
    credit: read.credit ?? plan.total,
  }
  const isCsv = layout.kind === 'delimited'
  const charset = layout.characters === 'utf8' ? 'utf-8' : 'us-ascii'
  return {
    name: `${reference}.${isCsv ? 'csv' : 'txt'}`,
    content_type: `text/${isCsv ? 'csv' : 'plain'}; charset=${charset}`,
    bytes,
    control,
    entries,
    plan,
    last_trace: null,
  }
}

function layoutEntry(
  input: ExportInput,
  payment: PaymentForFile,
  profile: ProfileForFile | undefined,
  layout: LayoutGroup['layout'],
): FileEntry {
  const { vendor } = payment
  const isPaidByAccount = layout.columns.some(({ source }) => source === 'account_number' || source === 'account_last4')
  return {
    client_id: payment.payer.client_id,
    payment_batch_id: payment.batch_id,
    vendor_payment_id: payment.id,
    bill_id: null,
    trace_number: null,
    amount: payment.amount,
    effective_date: isForPortal(layout) && profile ? effectiveDate(input.moment, profile) : null,
    routing_last4: isPaidByAccount ? lastFour(vendor.routing_number) : null,
    account_last4: isPaidByAccount && vendor.account_number !== null ? lastFour(accountDigits(vendor.account_number)) : null,
  }
}

function mustAgree(checks: readonly (readonly [holds: boolean, fault: string])[]): void {
  const faults = checks.flatMap(([holds, fault]) => (holds ? [] : [fault]))
  if (faults.length > 0) throw new FileRefused(faults)
}
