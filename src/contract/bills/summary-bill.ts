/**
 * A summary bill: the bill of a group account and the bills of its subaccounts, saved together and linked, all or none.
 *
 * Refusals of a save: 422 by field, `bill.due_date` for the group's bill and `children.2.amount_due` for the third child; 409 with `record_ids`
 * if bills repeat stored ones: a reason in `children.2.override_reason` saves the third child anyway.
 */
import { z } from 'zod'
import type { AuditedEntry } from './bill-form.ts'
import { groupBillAttributes, subaccountBillAttributes, type BillHeadAttributes, type SubaccountBillAttributes } from './bill-attributes.ts'
import { call } from '../kernel/call.ts'

/** A paper summary with more subaccounts is imported from a file. */
export const childrenPerSaveMax = 200

export interface SummaryBillBody {
  readonly bill: BillHeadAttributes
  readonly children: readonly SubaccountBillAttributes[]
}

const body: z.ZodType<SummaryBillBody> = z.strictObject({
  bill: groupBillAttributes,
  children: z.array(subaccountBillAttributes).max(childrenPerSaveMax, `At most ${childrenPerSaveMax} bills are saved together`),
})

/** A meter of a subaccount, or a subaccount without one. */
const summaryRow = z.object({
  account_id: z.int(),
  account_number: z.string(),
  account_name: z.string(),
  facility_name: z.string().nullable(),
  service_id: z.int().nullable(),
  meter_number: z.string().nullable(),
  utility_service_name: z.string().nullable(),
  unit_symbol: z.string().nullable(),
  /** The meter's entry fields, in the order of the installation. */
  entry_fields: z.array(z.string()),
  /** The end date of the meter's last bill. */
  last_read_date: z.iso.date().nullable(),
})
export type SummaryRow = z.infer<typeof summaryRow>

const summaryEntry = z.object({
  account_number: z.string(),
  account_name: z.string(),
  today: z.iso.date(),
  rows: z.array(summaryRow),
})
export type SummaryEntry = z.infer<typeof summaryEntry>

/** The data that the rows are audited against, as in the form of one bill; data common to all accounts is included once. */
export interface SummaryBooks extends Pick<AuditedEntry, 'client_id' | 'today' | 'entry_fields' | 'payments_managed'> {
  readonly group: AccountOfEntry
  /** The active subaccounts. */
  readonly subaccounts: readonly AccountOfEntry[]
}
type AccountOfEntry = Omit<AuditedEntry, 'client_id' | 'today' | 'entry_fields' | 'payments_managed'>

export const summaryBillCalls = {
  entry: call({
    name: 'bills.summary_entry',
    method: 'GET',
    path: '/clients/:client_id/group_accounts/:id/bill_entry',
    may: 'bill.read',
    summary: 'What the form of a summary bill starts with: the active subaccounts of the group with their meters',
    reply: z.object({ entry: summaryEntry }),
  }),
  books: call({
    name: 'bills.summary_books',
    method: 'GET',
    path: '/clients/:client_id/group_accounts/:id/bill_books',
    may: 'bill.read',
    summary: 'What the audits read of a group account and all its active subaccounts while a summary bill is typed',
    reply: z.object({ books: z.custom<SummaryBooks>((value) => typeof value === 'object' && value !== null).meta({ type: 'object' }) }),
  }),
  create: call({
    name: 'bills.create_summary',
    method: 'POST',
    path: '/clients/:client_id/group_accounts/:id/bills',
    may: 'bill.create',
    summary: 'Makes the bill of a group account and the bills of its subaccounts together, linked; all of them or none',
    body,
    reply: z.object({ success: z.boolean(), message: z.string(), id: z.int(), child_ids: z.array(z.int()) }),
  }),
}
