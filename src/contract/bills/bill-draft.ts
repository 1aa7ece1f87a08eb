/**
 * The data a bill is created from, for every source: the form, a CSV file, a retrieved statement, the demo data. The server accepts nothing else
 * (src/server/bills/create-bills.ts), so every source is checked, audited and counted alike.
 */
import { z } from 'zod'
import { accountTypes, billFilesMax, type AccountType, tooManyFiles } from './bill.ts'
import type { Finding } from '../bill-audits/input.ts'
import { findingReasons, type FindingReason } from '../bill-audits/finding-reasons.ts'
import { headFields, lineFields, lineLists, type LineList } from './bill-fields.ts'
import { decimal, money, text } from '../kernel/entity.ts'
import { messageOf } from '../kernel/messages.ts'
import { orNull, schemasOf, type DraftOf } from '../kernel/record.ts'

export const linesPerBillMax = 200
export const chargesPerBillMax = 500
export const resolutionsPerSaveMax = 200
/** The largest real statement prints about 200 charge lines over 12 meters; a line of ours combines them by name. */
const valuesPerLineMax = 60

export interface NamedValue {
  readonly name: string
  /** Decimal text; null leaves it empty, which makes the bill a draft if the value is required. */
  readonly value: string | null
}

/** A service line. The value lists refer to fields by name; a name that the line's service does not know is refused. */
export interface ServiceBillDraft
  extends DraftOf<typeof lineFields>, Readonly<Partial<Record<LineList, readonly NamedValue[] | undefined>>> {}

export interface BillChargeDraft {
  readonly name: string
  readonly amount: string
}

/** The source of a draft. A provider's statement creates one bill, however often it is sent. */
export interface BillSource {
  readonly source: 'typed' | 'import' | 'retrieval' | 'demo'
  readonly retrieval_provider?: string | null | undefined
  readonly statement_id?: string | null | undefined
  readonly import_task_id?: number | null | undefined
  /** Ids of stored files, at most two. */
  readonly file_ids?: readonly number[] | undefined
  /** Meters on the statement that the account does not have: they raise unknown_meter. */
  readonly unknown_meters?: readonly string[] | undefined
  /** True if the whole history arrives at once: rules that compare with today are silent for long past bills. */
  readonly imported_history?: boolean | undefined
  /** Demo data only: the entry time of the bill, ISO 8601. */
  readonly created_at?: string | undefined
}

/** A bill to be created. Amounts are decimal text with two decimals, dates are calendar dates; a missing value is null or its default. */
export interface BillDraft extends BillSource, DraftOf<typeof headFields> {
  readonly account_type: AccountType
  readonly account_id: number
  readonly assumed_due_date?: boolean | undefined
  /** The service period of a bill whose lines have no dates; otherwise its lines determine it. */
  readonly previous_read_date?: string | null | undefined
  readonly read_date?: string | null | undefined
  readonly service_bills: readonly ServiceBillDraft[]
  readonly bill_charges?: readonly BillChargeDraft[] | undefined
  /** Lines of supply accounts' bills that are shown inside this one. */
  readonly linked_service_bill_ids?: readonly number[] | undefined
  /** Saves an exact duplicate anyway, with the reason in the trail (G-DUP-OVERRIDE). */
  readonly override_reason?: string | null | undefined
  /** Resolves findings of this save; a resolution without a finding is ignored. */
  readonly resolutions?: readonly DraftResolution[] | undefined
}

/** A finding is identified by its rule and by the position of its line in `service_bills`; null for the bill itself. */
export interface DraftResolution {
  readonly code: string
  readonly line: number | null
  readonly reason: FindingReason
  readonly comment?: string | null | undefined
}

const id = z.int().positive()
const flag = z.boolean().default(false)
const label = text('Name').schema

const named = ({ scale, whole }: (typeof lineLists)[LineList]) =>
  z
    .array(z.strictObject({ name: label, value: orNull(decimal('Value', scale, { whole }).schema) }))
    .max(valuesPerLineMax)
    .default([])

const serviceBillDraft = z.strictObject({
  ...schemasOf(lineFields, 'draft'),
  service_bill_entry_fields: named(lineLists.service_bill_entry_fields),
  service_bill_usage_factors: named(lineLists.service_bill_usage_factors),
  service_bill_additional_entry_fields: named(lineLists.service_bill_additional_entry_fields),
})
export type CheckedLine = z.output<typeof serviceBillDraft>

/** The same with every default filled in. Unknown keys are refused by name. */
export const billDraft = z.strictObject({
  account_type: z.enum(accountTypes.map((one) => one.value)),
  account_id: id,
  ...schemasOf(headFields, 'draft'),
  assumed_due_date: flag,
  previous_read_date: schemasOf(lineFields, 'draft').previous_read_date,
  read_date: schemasOf(lineFields, 'draft').read_date,
  service_bills: z.array(serviceBillDraft).max(linesPerBillMax),
  bill_charges: z
    .array(z.strictObject({ name: text('Name', 500).schema, amount: money('Amount').schema }))
    .max(chargesPerBillMax)
    .default([]),
  linked_service_bill_ids: z.array(id).max(linesPerBillMax).default([]),
  override_reason: orNull(text('Reason', 1000).schema),
  resolutions: z
    .array(
      z.strictObject({
        code: z.string().max(60),
        line: z.int().min(0).nullable(),
        reason: z.enum(findingReasons.map((one) => one.value)),
        comment: orNull(text('Comment', 2_000).schema),
      }),
    )
    .max(resolutionsPerSaveMax)
    .default([]),
  source: z.enum(['typed', 'import', 'retrieval', 'demo']),
  retrieval_provider: orNull(text('Provider', 100).schema),
  statement_id: orNull(text('Statement', 200).schema),
  import_task_id: orNull(id),
  file_ids: z.array(id).max(billFilesMax, tooManyFiles).default([]),
  unknown_meters: z.array(z.string().max(100)).max(linesPerBillMax).default([]),
  imported_history: flag,
  created_at: z.iso.datetime({ offset: true }).optional(),
})
export type CheckedBill = z.output<typeof billDraft>

/** Faults of a draft by field: `service_bills.0.read_date` is the first line's. */
export type FieldReasons = Readonly<Record<string, readonly string[]>>

/** The outcome of a draft: a bill with its findings, refused with reasons, or not created because the named bill is the same one. */
export type BillOutcome =
  | {
      readonly kind: 'created'
      readonly id: number
      readonly is_draft: boolean
      /** The missing fields that make it a draft, `service_bills.0.usage`. */
      readonly missing_fields: readonly string[]
      readonly findings: readonly Finding[]
    }
  | { readonly kind: 'refused'; readonly reasons: FieldReasons }
  | { readonly kind: 'duplicate'; readonly bill_id: number; readonly reason: string }

/** The reason for a draft that another bill repeats. */
export const duplicateReason = (billId: number): string => `Bill ${billId} has the same date and the same amounts`

/** Returns the reasons for a draft that does not parse. */
export function reasonsOf(error: z.ZodError): FieldReasons {
  const reasons: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const key = issue.path.join('.') || (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : 'base')
    reasons[key] = [...(reasons[key] ?? []), messageOf(issue)]
  }
  return reasons
}
