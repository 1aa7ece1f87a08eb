/** Writes a payment file by a layout, and reads it back. */
import { isForPortal, profilesById, type FileGroup } from './file-groups.ts'
import { fileReference } from './file-name.ts'
import { accountDigits, lastFour } from './file-text.ts'
import { effectiveDate } from './banking-days.ts'
import { layoutText } from './layout-rows.ts'
import type { RowsInput } from './row-values.ts'
import { readBackRows } from './read-back.ts'
import type {
  BuiltFile,
  ExportInput,
  FileControl,
  FileEntry,
  FileIdentity,
  PaymentForFile,
  PlannedFile,
  ProfileForFile,
} from './payment-file.ts'

type LayoutGroup = Extract<FileGroup, { family: 'layout' }>

export function buildLayout(input: ExportInput, plan: PlannedFile, identity: FileIdentity, group: LayoutGroup): BuiltFile {
  const { layout, payments } = group
  const reference = fileReference(input, String(identity.sequence))
  const profiles = profilesById(input)
  const rows: RowsInput = { layout, payments, profiles, moment: input.moment, file_reference: reference }
  const bytes = new TextEncoder().encode(layoutText(rows))
  const read = readBackRows(bytes, rows, plan)
  const entries = payments.map((payment) => layoutEntry(input, payment, profiles.get(payment.profile_id ?? -1), layout))
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
