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
import type { AccountType } from './bill.ts'
import type { BillBook, BookService, EntryField } from './bill-book.ts'
import { accountTypeOf, billDetail, type BillDetail } from './bill-detail.ts'
import type { GroupBook } from './group-bill.ts'
import { call } from '../kernel/call.ts'
import { type BillAttributes, attributes, id } from './bill-attributes.ts'

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
