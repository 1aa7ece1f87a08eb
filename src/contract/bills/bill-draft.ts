/**
 * The data a bill is created from, for every source: the form, a CSV file, a retrieved statement, the demo data. The server accepts nothing else
 * (src/server/bills/create-bills.ts), so every source is checked, audited and counted alike.
 */
import { z } from 'zod'
import { accountTypes, billFilesMax, type AccountType } from './bill.ts'
import type { Finding } from '../bill-audits/input.ts'
import { findingReasons, type FindingReason } from '../bill-audits/finding-reasons.ts'
import { date, decimal, isBlank, longText, money, month, text } from '../kernel/entity.ts'
import { messageOf } from '../kernel/messages.ts'

export const linesPerBillMax = 200
export const chargesPerBillMax = 500
export const resolutionsPerSaveMax = 200
const firstBillYear = '1900'
const lastBillYear = '2199'
/** The largest real statement prints about 200 charge lines over 12 meters; a line of ours combines them by name. */
const valuesPerLineMax = 60

export interface NamedValue {
  readonly name: string
  /** Decimal text; null leaves it empty, which makes the bill a draft if the value is required. */
  readonly value: string | null
}

/** A service line. The value lists refer to fields by name; a name that the line's service does not know is refused. */
export interface ServiceBillDraft {
  readonly service_id: number
  readonly previous_read_date?: string | null | undefined
  readonly read_date?: string | null | undefined
  readonly next_read_date?: string | null | undefined
  readonly fiscal_month?: string | null | undefined
  readonly previous_reading?: string | null | undefined
  readonly meter_reading?: string | null | undefined
  /** If missing, the meter's multiplier, or else 1. */
  readonly multiplier?: string | null | undefined
  /** If missing, derived from the readings if there are both. */
  readonly usage?: string | null | undefined
  /** If missing, the service's own unit, unless `raw_unit` says that none of ours fits. */
  readonly unit_id?: number | null | undefined
  readonly raw_unit?: string | null | undefined
  readonly rate_schedule?: string | null | undefined
  readonly estimated?: boolean | undefined
  readonly notes?: string | null | undefined
  readonly supply_bill_id?: number | null | undefined
  readonly service_bill_entry_fields?: readonly NamedValue[] | undefined
  readonly service_bill_usage_factors?: readonly NamedValue[] | undefined
  readonly service_bill_additional_entry_fields?: readonly NamedValue[] | undefined
}

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
export interface BillDraft extends BillSource {
  readonly account_type: AccountType
  readonly account_id: number
  readonly date: string
  readonly due_date: string
  readonly assumed_due_date?: boolean | undefined
  readonly invoice_number?: string | null | undefined
  readonly balance_forward: string
  readonly current_charges: string
  readonly late_fee?: string | null | undefined
  readonly amount_due: string
  readonly fiscal_month?: string | null | undefined
  readonly next_read_date?: string | null | undefined
  /** The service period of a bill whose lines have no dates; otherwise its lines determine it. */
  readonly previous_read_date?: string | null | undefined
  readonly read_date?: string | null | undefined
  readonly notes?: string | null | undefined
  readonly qc?: boolean | undefined
  readonly parked?: boolean | undefined
  readonly rebill_adjustment?: boolean | undefined
  /** The bill that this one corrects; `replace` makes that one void, `add` counts both. */
  readonly rebill_of_id?: number | null | undefined
  readonly rebill_mode?: 'replace' | 'add' | null | undefined
  /** The bill of the group account, which pays for this one. If missing, the matching one, as soon as it exists. */
  readonly group_bill_id?: number | null | undefined
  /** True if a user chose `group_bill_id`, even null: no later save links the bill otherwise. */
  readonly group_bill_chosen?: boolean | undefined
  /** The previous bill; if missing, the latest earlier one of the account. */
  readonly bill_id?: number | null | undefined
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
const nullable = <T>(schema: z.ZodType<T>) =>
  z.preprocess((value) => (value === undefined || isBlank(value) ? null : value), z.nullable(schema))
const flag = z.boolean().default(false)

/** A year outside is a typing error, and a line with such dates would fill thousands of months. */
const isBillYear = (text: string): boolean => {
  const year = /^(\d{4})-/.exec(text)?.[1]
  return year === undefined || (year >= firstBillYear && year <= lastBillYear)
}
const outsideBillYears = (name: string): string => `${name} must lie between ${firstBillYear} and ${lastBillYear}`
const day = (name: string) => date(name).schema.refine(isBillYear, outsideBillYears(name))
const monthOfBill = (name: string) => month(name).schema.refine(isBillYear, outsideBillYears(name))
const label = text('Name').schema

const named = (scale: number, whole: number) =>
  z
    .array(z.strictObject({ name: label, value: nullable(decimal('Value', scale, { whole }).schema) }))
    .max(valuesPerLineMax)
    .default([])

const serviceBillDraft = z.strictObject({
  service_id: id,
  previous_read_date: nullable(day('Previous Read Date')),
  read_date: nullable(day('Read Date')),
  next_read_date: nullable(day('Next Read Date')),
  fiscal_month: nullable(monthOfBill('Fiscal Month')),
  previous_reading: nullable(decimal('Previous Reading', 2).schema),
  meter_reading: nullable(decimal('Meter Reading', 2).schema),
  multiplier: nullable(decimal('Multiplier', 4, { whole: 9 }).schema),
  usage: nullable(decimal('Usage', 3).schema),
  unit_id: nullable(id),
  raw_unit: nullable(text('Unit', 40).schema),
  rate_schedule: nullable(text('Rate Schedule', 500).schema),
  estimated: flag,
  notes: nullable(longText('Notes').schema),
  supply_bill_id: nullable(id),
  service_bill_entry_fields: named(2, 8),
  service_bill_usage_factors: named(4, 12),
  service_bill_additional_entry_fields: named(4, 12),
})
export type CheckedLine = z.output<typeof serviceBillDraft>

/** The same with every default filled in. Unknown keys are refused by name. */
export const billDraft = z.strictObject({
  account_type: z.enum(accountTypes.map((one) => one.value)),
  account_id: id,
  date: day('Date'),
  due_date: day('Due Date'),
  assumed_due_date: flag,
  invoice_number: nullable(text('Invoice Number', 100).schema),
  balance_forward: money('Balance Forward').schema,
  current_charges: money('Current Charges').schema,
  late_fee: z.preprocess((value) => (value === '' ? '0.00' : (value ?? '0.00')), money('Late Fee').schema),
  amount_due: money('Amount Due').schema,
  fiscal_month: nullable(monthOfBill('Fiscal Month')),
  next_read_date: nullable(day('Next Read Date')),
  previous_read_date: nullable(day('Previous Read Date')),
  read_date: nullable(day('Read Date')),
  notes: nullable(longText('Notes').schema),
  qc: flag,
  parked: flag,
  rebill_adjustment: flag,
  rebill_of_id: nullable(id),
  rebill_mode: nullable(z.enum(['replace', 'add'])),
  group_bill_id: nullable(id),
  group_bill_chosen: flag,
  bill_id: nullable(id),
  service_bills: z.array(serviceBillDraft).max(linesPerBillMax),
  bill_charges: z
    .array(z.strictObject({ name: text('Name', 500).schema, amount: money('Amount').schema }))
    .max(chargesPerBillMax)
    .default([]),
  linked_service_bill_ids: z.array(id).max(linesPerBillMax).default([]),
  override_reason: nullable(text('Reason', 1000).schema),
  resolutions: z
    .array(
      z.strictObject({
        code: z.string().max(60),
        line: z.int().min(0).nullable(),
        reason: z.enum(findingReasons.map((one) => one.value)),
        comment: nullable(text('Comment', 2_000).schema),
      }),
    )
    .max(resolutionsPerSaveMax)
    .default([]),
  source: z.enum(['typed', 'import', 'retrieval', 'demo']),
  retrieval_provider: nullable(text('Provider', 100).schema),
  statement_id: nullable(text('Statement', 200).schema),
  import_task_id: nullable(id),
  file_ids: z.array(id).max(billFilesMax, `A bill has at most ${billFilesMax} files`).default([]),
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

/** Returns the reasons for a draft that does not parse. */
export function reasonsOf(error: z.ZodError): FieldReasons {
  const reasons: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const key = issue.path.join('.') || (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : 'base')
    reasons[key] = [...(reasons[key] ?? []), messageOf(issue)]
  }
  return reasons
}
