/** The body of a save of a bill: its shapes; the draft defines the valid values. */
import { z } from 'zod'
import { accountTypes, billFilesMax, type AccountType, tooManyFiles } from './bill.ts'
import { accountTypeOf } from './bill-detail.ts'
import { headFields, lineFields } from './bill-fields.ts'
import {
  chargesPerBillMax,
  linesPerBillMax,
  resolutionsPerSaveMax,
  type DraftResolution,
  type NamedValue,
  type ServiceBillDraft,
} from './bill-draft.ts'
import { findingReasons } from '../bill-audits/finding-reasons.ts'
import { schemasOf, type SentOf } from '../kernel/record.ts'

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
export interface BillAttributes extends SentOf<typeof headFields> {
  readonly account_type?: AccountType | undefined
  readonly account_id?: number | undefined
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

export const id = z.int().positive()
const named: z.ZodType<NamedValue> = z.strictObject({ name: z.string().max(200), value: z.string().max(40).nullable() })

const lineAttributes = {
  id: id.optional(),
  _destroy: z.boolean().optional(),
  ...schemasOf(lineFields, 'sent'),
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
export const attributes = {
  account_type: z
    .string()
    .transform((written, problem) => accountTypeOf(written) ?? (problem.addIssue('must be BillableAccount or SupplyAccount'), z.NEVER))
    .pipe(z.enum(accountTypes.map((one) => one.value)))
    .optional(),
  account_id: id.optional(),
  ...schemasOf(headFields, 'sent'),
  override_reason: z.string().max(1_000).nullable().optional(),
  signed_file_ids: z.array(z.string().max(2_000)).max(billFilesMax, tooManyFiles).optional(),
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
