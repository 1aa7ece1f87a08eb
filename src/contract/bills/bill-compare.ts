/**
 * The relations of a bill to others: corrections and replacements, its group's bills, and the bills that show its lines; and the comparison of
 * two bills.
 */
import { z } from 'zod'
import type { BillDetail } from './bill-detail.ts'
import type { ServiceBill } from './service-bill.ts'
import { call } from '../kernel/call.ts'

const text = z.string().nullable()
const id = z.int()

const relatedBill = z.object({
  id,
  date: z.iso.date(),
  created_at: z.string(),
  invoice_number: text,
  account_number: z.string(),
  account_name: text,
  current_charges: z.string(),
  amount_due: z.string(),
  full_status: z.string(),
  rebill_mode: z.enum(['replace', 'add']).nullable(),
  rebill_of_id: id.nullable(),
  superseded_by_id: id.nullable(),
})
export type RelatedBill = z.infer<typeof relatedBill>

const relations = z.object({
  /** The bill with all that it corrects and all that correct it, in the order of creation; empty if there is no other. */
  chain: z.array(relatedBill),
  /** Bills of subaccounts that this group bill pays for, as far as the reader may see them. */
  children: z.array(relatedBill),
  children_sums: z.object({ count: z.int(), unseen: z.int(), current_charges: z.string(), amount_due: z.string() }),
  /** Bills that show lines of this supply bill. */
  shown_in: z.array(relatedBill),
})
export type BillRelations = z.infer<typeof relations>

export const billCompareCalls = {
  relations: call({
    name: 'bills.relations',
    method: 'GET',
    path: '/clients/:client_id/bills/:id/relations',
    may: 'bill.read',
    summary: 'What the bill corrects and is replaced by, the bills of its group, and the bills that show its lines',
    reply: z.object({ relations }),
  }),
}

/** One value of two compared bills. */
export interface ComparedValue {
  readonly key: string
  readonly label: string
  readonly left: string | null
  readonly right: string | null
  readonly kind: 'text' | 'money' | 'number' | 'date' | 'month'
  readonly differs: boolean
  /** Right minus left, if both are money. */
  readonly delta: string | null
}
export interface ComparedGroup {
  readonly key: string
  readonly title: string
  readonly values: readonly ComparedValue[]
}

export const headFields = [
  ['account_number', 'Account Number', 'text'],
  ['vendor_name', 'Vendor', 'text'],
  ['invoice_number', 'Invoice Number', 'text'],
  ['date', 'Bill Date', 'date'],
  ['due_date', 'Due Date', 'date'],
  ['previous_read_date', 'Service From', 'date'],
  ['read_date', 'Service To', 'date'],
  ['fiscal_month', 'Fiscal Month', 'month'],
  ['balance_forward', 'Balance Forward', 'money'],
  ['current_charges', 'Current Charges', 'money'],
  ['late_fee', 'Late Fee', 'money'],
  ['amount_due', 'Amount Due', 'money'],
  ['amount_paid', 'Amount Paid', 'money'],
] as const

export const lineFields = [
  ['previous_read_date', 'Previous Read Date', 'date'],
  ['read_date', 'Read Date', 'date'],
  ['previous_reading', 'Previous Reading', 'number'],
  ['meter_reading', 'Meter Reading', 'number'],
  ['multiplier', 'Multiplier', 'number'],
  ['usage', 'Usage', 'number'],
] as const

/** The compared fields of a bill; a draft of the form can take the place of a stored one. */
export type ComparableBill = Pick<BillDetail, (typeof headFields)[number][0]> & {
  readonly service_bills: readonly ComparableLine[]
  readonly bill_charges: readonly { readonly name: string; readonly amount: string }[]
}
export type ComparableLine = Pick<
  ServiceBill,
  (typeof lineFields)[number][0] | 'service_id' | 'service_utility_service_name' | 'service_meter_number' | 'unit_symbol'
> & {
  readonly service_bill_entry_fields: readonly { readonly name: string; readonly value: string | null }[]
  readonly charge: string
}

/** The head of a bill from a statement or a row of a file; a missing key is not compared. */
export type ComparableHead = { readonly [Key in HeadKey]?: string | null }
export type HeadKey = (typeof headFields)[number][0]

/** By default, a correction for exactly the same days replaces the bill; any other one adds to it. */
export function proposedMode(original: Period, correction: Period): 'replace' | 'add' {
  return original.previous_read_date === correction.previous_read_date && original.read_date === correction.read_date ? 'replace' : 'add'
}
interface Period {
  readonly previous_read_date: string | null
  readonly read_date: string | null
}

/** Returns the restriction on correcting a bill, in words; null if both ways are possible. */
export function replaceHeld(bill: Pick<BillDetail, 'superseded_by_id' | 'vendor_payment_id' | 'paid' | 'finalized'>): string | null {
  if (bill.superseded_by_id !== null) return `Bill ${bill.superseded_by_id} replaced it before: correct that one, or add to this one.`
  if (bill.vendor_payment_id !== null && !bill.paid) return 'It is about to be paid: take it out of its batch first, or add to it.'
  return null
}

/** Returns the warning about replacing a bill that is already paid. */
export function paidWarning(bill: Pick<BillDetail, 'paid' | 'finalized'>): string | null {
  return bill.paid || bill.finalized
    ? 'It is paid. A replacement keeps that payment on the old bill and asks for its own amount due anew: enter only what is still owed, or add to it.'
    : null
}
