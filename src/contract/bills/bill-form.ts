/**
 * The form of a bill: the data it starts with, and the two calls that save it. The body has the wire names of the specification; the server
 * turns it into a `BillDraft` (bill-body.ts), so that the form, a file and a statement meet the same rules (bill-prepare.ts, bill-audits.ts).
 *
 * Refusals of a save:
 *   422  by field: `date`, `signed_file_ids`, `service_bills_attributes.0.usage`, `bill_charges_attributes.0.amount`; a value in a list of a
 *        line has the name of its field, `service_bills_attributes.0.Utility Charges`
 *   409  `refused` with `record_id`: the bill that this one repeats; `override_reason` saves it anyway
 *   409  `stale` with `changed`: another user saved since `lock_version`, by the same field names; `from` is the stored value, `to` the sent one
 *   A locked field that is sent unchanged is no fault.
 */
import { z } from 'zod'
import { accountTypes, billFilesMax, type AccountType } from './bill.ts'
import type { BillBook, BookService, EntryField } from './bill-book.ts'
import { accountTypeOf, billDetail, type BillDetail } from './bill-detail.ts'
import {
  chargesPerBillMax,
  linesPerBillMax,
  resolutionsPerSaveMax,
  type DraftResolution,
  type NamedValue,
  type ServiceBillDraft,
} from './bill-draft.ts'
import { findingReasons } from '../bill-audits/finding-reasons.ts'
import type { GroupBook } from './group-bill.ts'
import { call } from '../kernel/call.ts'

/** A line of the body. `id` refers to a stored one, which keeps whatever is not sent; without it the line is new. */
export type ServiceBillAttributes = { readonly [Key in keyof ServiceBillDraft]?: ServiceBillDraft[Key] | undefined } & {
  readonly id?: number | undefined
  readonly _destroy?: boolean | undefined
}

export interface BillChargeAttributes {
  readonly id?: number | undefined
  readonly name?: string | undefined
  readonly amount?: string | undefined
  readonly _destroy?: boolean | undefined
}

/** A line of a supply account's bill that is shown inside this one: `service_bill_id` is its id, `supply_bill_id` its bill. */
export interface LinkedServiceBillAttributes {
  readonly service_bill_id: number
  readonly supply_bill_id?: number | null | undefined
  readonly _destroy?: boolean | undefined
}

/** The body of a save. A new bill needs the account, both dates and the amounts; a change sends the changed fields, with `lock_version`. */
export interface BillAttributes {
  readonly account_type?: AccountType | undefined
  readonly account_id?: number | undefined
  readonly date?: string | undefined
  readonly due_date?: string | undefined
  readonly invoice_number?: string | null | undefined
  readonly balance_forward?: string | undefined
  readonly current_charges?: string | undefined
  readonly late_fee?: string | null | undefined
  readonly amount_due?: string | undefined
  readonly fiscal_month?: string | null | undefined
  readonly next_read_date?: string | null | undefined
  readonly notes?: string | null | undefined
  readonly qc?: boolean | undefined
  readonly parked?: boolean | undefined
  readonly rebill_adjustment?: boolean | undefined
  readonly rebill_of_id?: number | null | undefined
  readonly rebill_mode?: 'replace' | 'add' | null | undefined
  /** A value other than the stored one is a choice, which no later save undoes. */
  readonly group_bill_id?: number | null | undefined
  /** True: `group_bill_id` is chosen, and null means that the bill belongs to no group's bill. False: it is linked automatically. */
  readonly group_bill_chosen?: boolean | undefined
  readonly bill_id?: number | null | undefined
  readonly override_reason?: string | null | undefined
  /** All copies of the bill in order: the `signed_id` of a stored one or of an upload. If missing, they stay. */
  readonly signed_file_ids?: readonly string[] | undefined
  /** The inbox document that a new bill was entered from: it becomes the bill's first copy. */
  readonly scan_id?: number | null | undefined
  readonly service_bills_attributes?: readonly ServiceBillAttributes[] | undefined
  readonly bill_charges_attributes?: readonly BillChargeAttributes[] | undefined
  readonly linked_service_bill_ids?: readonly number[] | undefined
  readonly linked_service_bills_attributes?: readonly LinkedServiceBillAttributes[] | undefined
  /** Resolves findings of the bill being saved. `line` is the position in service_bills_attributes, not counting removed lines. */
  readonly resolutions?: readonly DraftResolution[] | undefined
  readonly lock_version?: number | undefined
}
export interface BillBody {
  readonly bill: BillAttributes
}

/** The data that a bill of one account is audited against while the user types. */
export interface AuditedEntry extends BillBook {
  readonly client_id: number
  readonly account_type: AccountType
  readonly account_id: number
  readonly today: string
  readonly entry_fields: readonly EntryField[]
  readonly payments_managed: boolean
  /** The bills around those of a group account; null for any other account. */
  readonly group: GroupBook | null
}

/** The data that the form of an account's bill starts with and audits against while the user types. */
export interface BillEntry extends AuditedEntry {
  readonly account_number: string
  readonly account_name: string
  readonly facility_name: string | null
  readonly vendor_id: number | null
  /** The audited fields of a service, plus those that a form shows. */
  readonly services: readonly (BookService & {
    readonly utility_service_name: string | null
    readonly service_name_1: string | null
    readonly service_name_2: string | null
    readonly unit_options: readonly { readonly id: number; readonly symbol: string }[]
  })[]
  readonly qc_on_error: boolean
  readonly override_limit: string
  /** The latest bill, or null: its reads are the new bill's previous ones (BILL-RULE-008). */
  readonly last_bill: BillDetail | null
}

const id = z.int().positive()
const named: z.ZodType<NamedValue> = z.strictObject({ name: z.string().max(200), value: z.string().max(40).nullable() })
const typed = z.string().max(200).nullable().optional()
const note = z.string().max(10_000).nullable().optional()

const lineAttributes = {
  id: id.optional(),
  _destroy: z.boolean().optional(),
  service_id: id.optional(),
  previous_read_date: typed,
  read_date: typed,
  next_read_date: typed,
  fiscal_month: typed,
  previous_reading: typed,
  meter_reading: typed,
  multiplier: typed,
  usage: typed,
  unit_id: id.nullable().optional(),
  raw_unit: typed,
  rate_schedule: z.string().max(500).nullable().optional(),
  estimated: z.boolean().optional(),
  notes: note,
  supply_bill_id: id.nullable().optional(),
  service_bill_entry_fields: z.array(named).max(100).optional(),
  service_bill_usage_factors: z.array(named).max(100).optional(),
  service_bill_additional_entry_fields: z.array(named).max(100).optional(),
}
const line: z.ZodType<ServiceBillAttributes> = z.strictObject(lineAttributes)
const chargeAttributes = {
  id: id.optional(),
  name: z.string().max(500).optional(),
  amount: z.string().max(40).optional(),
  _destroy: z.boolean().optional(),
}

/** Shapes only: `billDraft` defines the valid values, once for all sources. */
const attributes = {
  account_type: z
    .string()
    .transform((written, problem) => accountTypeOf(written) ?? (problem.addIssue('must be BillableAccount or SupplyAccount'), z.NEVER))
    .pipe(z.enum(accountTypes.map((one) => one.value)))
    .optional(),
  account_id: id.optional(),
  date: z.string().max(40).optional(),
  due_date: z.string().max(40).optional(),
  invoice_number: typed,
  balance_forward: z.string().max(40).optional(),
  current_charges: z.string().max(40).optional(),
  late_fee: typed,
  amount_due: z.string().max(40).optional(),
  fiscal_month: typed,
  next_read_date: typed,
  notes: note,
  qc: z.boolean().optional(),
  parked: z.boolean().optional(),
  rebill_adjustment: z.boolean().optional(),
  rebill_of_id: id.nullable().optional(),
  rebill_mode: z.enum(['replace', 'add']).nullable().optional(),
  group_bill_id: id.nullable().optional(),
  group_bill_chosen: z.boolean().optional(),
  bill_id: id.nullable().optional(),
  override_reason: z.string().max(1_000).nullable().optional(),
  signed_file_ids: z.array(z.string().max(2_000)).max(billFilesMax, `A bill has at most ${billFilesMax} files`).optional(),
  service_bills_attributes: z.array(line).max(linesPerBillMax).optional(),
  bill_charges_attributes: z.array(z.strictObject(chargeAttributes)).max(chargesPerBillMax).optional(),
  linked_service_bill_ids: z.array(id).max(linesPerBillMax).optional(),
  linked_service_bills_attributes: z
    .array(z.strictObject({ service_bill_id: id, supply_bill_id: id.nullable().optional(), _destroy: z.boolean().optional() }))
    .max(linesPerBillMax)
    .optional(),
  resolutions: z
    .array(
      z.strictObject({
        code: z.string().max(60),
        line: z.int().min(0).nullable(),
        reason: z.enum(findingReasons.map((one) => one.value)),
        comment: z.string().max(2_000).nullable().optional(),
      }),
    )
    .max(resolutionsPerSaveMax)
    .optional(),
}

/** The bill's own values, independent of its account and of related bills. */
const headAttributes = z.strictObject(attributes).pick({
  date: true,
  due_date: true,
  invoice_number: true,
  balance_forward: true,
  current_charges: true,
  late_fee: true,
  amount_due: true,
  fiscal_month: true,
  notes: true,
  override_reason: true,
  signed_file_ids: true,
})
export type BillHeadAttributes = z.infer<typeof headAttributes>
/** The bill of a group account in a summary: the path gives its account, and its lines are on its subaccounts' bills. */
export const groupBillAttributes: z.ZodType<BillHeadAttributes> = headAttributes
const newLine = z.strictObject(lineAttributes).omit({ id: true, _destroy: true, unit_id: true, supply_bill_id: true })
const subaccountAttributes = headAttributes.omit({ signed_file_ids: true }).extend({
  account_id: id,
  service_bills_attributes: z.array(newLine).max(linesPerBillMax).optional(),
  bill_charges_attributes: z
    .array(z.strictObject(chargeAttributes).omit({ id: true, _destroy: true }))
    .max(chargesPerBillMax)
    .optional(),
})
export type SubaccountBillAttributes = z.infer<typeof subaccountAttributes>
/** The bill of a subaccount in a summary: only new lines and charges, linked to the group's bill by the save. */
export const subaccountBillAttributes: z.ZodType<SubaccountBillAttributes> = subaccountAttributes

const bodyOf = (bill: z.ZodType<BillAttributes>): z.ZodType<BillBody> => z.strictObject({ bill })
/** A new bill has no version yet, and only a new bill can be entered from an inbox document. */
const newBody = bodyOf(z.strictObject({ ...attributes, scan_id: id.nullable().optional() }))
const changedBody = bodyOf(z.strictObject({ ...attributes, lock_version: z.int().min(0).optional() }))

export interface SavedBill {
  readonly success: boolean
  readonly message: string
  readonly id?: number | undefined
  /** The stored bill with its findings. */
  readonly bill?: BillDetail | undefined
}
const saved: z.ZodType<SavedBill> = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.int().optional(),
  bill: billDetail.optional(),
})

const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be an id')
  .transform(Number)

const entryQuery: z.ZodType<{ account_type: AccountType; account_id: number; bill_id?: number | undefined }> = z.strictObject({
  account_type: z
    .string({ error: 'is required' })
    .transform((written, problem) => accountTypeOf(written) ?? (problem.addIssue('must be billable_account or supply_account'), z.NEVER)),
  account_id: idText,
  bill_id: idText.optional(),
})

export const billFormCalls = {
  /** `bill_id` excludes the edited bill from the history and from being the last bill. */
  entry: call({
    name: 'bills.entry',
    method: 'GET',
    path: '/clients/:client_id/bills/entry',
    may: 'bill.read',
    summary: 'What the form of an account’s bill starts with and is audited against',
    query: entryQuery,
    reply: z.object({ entry: z.custom<BillEntry>((value) => typeof value === 'object' && value !== null).meta({ type: 'object' }) }),
  }),
  create: call({
    name: 'bills.create',
    method: 'POST',
    path: '/clients/:client_id/bills',
    may: 'bill.create',
    summary: 'Makes a bill with its lines; an exact duplicate is refused with 409 and the other bill’s id unless override_reason is given',
    body: newBody,
    reply: saved,
  }),
  update: call({
    name: 'bills.update',
    method: 'PATCH',
    path: '/clients/:client_id/bills/:id',
    may: 'bill.update',
    summary: 'Changes a bill and its lines, audits it again, and keeps what it was',
    body: changedBody,
    reply: saved,
  }),
}
