/**
 * The relations of a bill to others: corrections and replacements, its group's bills, and the bills that show its lines; and the comparison of
 * two bills.
 */
import { z } from 'zod'
import type { BillDetail, ServiceBill } from './bill-detail.ts'
import { call } from '../kernel/call.ts'
import { subtractMoney } from '../kernel/money.ts'

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

const headFields = [
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

const lineFields = [
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

/** Compares every value of two bills: the head, each meter's lines in order, the account's charges by name. */
export function compareBills(left: ComparableBill, right: ComparableBill): ComparedGroup[] {
  const head = headFields.map(([key, label, kind]) => compared(key, label, kind, left[key], right[key]))
  return [{ key: 'head', title: 'Bill', values: head }, ...lineGroups(left, right), ...chargeGroup(left, right)]
}

/** The head of a bill from a statement or a row of a file; a missing key is not compared. */
export type ComparableHead = { readonly [Key in HeadKey]?: string | null }
type HeadKey = (typeof headFields)[number][0]

/** Compares an incoming head with the stored bill that it repeats. */
export function compareHeads(given: ComparableHead, bill: Pick<ComparableBill, HeadKey>): ComparedGroup[] {
  const values = headFields.flatMap(([key, label, kind]) => {
    const said = given[key]
    return said === undefined ? [] : [compared(key, label, kind, said, bill[key])]
  })
  return [{ key: 'head', title: 'Bill', values }]
}

function lineGroups(left: ComparableBill, right: ComparableBill): ComparedGroup[] {
  const services = [...new Set([...left.service_bills, ...right.service_bills].map((line) => line.service_id))]
  return services.flatMap((service) => {
    const [mine, theirs] = [left, right].map((bill) => bill.service_bills.filter((line) => line.service_id === service))
    const count = Math.max(mine?.length ?? 0, theirs?.length ?? 0)
    return Array.from({ length: count }, (_, place) => lineGroup(`${service}.${place}`, mine?.[place], theirs?.[place]))
  })
}

function lineGroup(key: string, left: ComparableLine | undefined, right: ComparableLine | undefined): ComparedGroup {
  const line = left ?? right
  const values = lineFields.map(([field, label, kind]) => compared(field, label, kind, left?.[field] ?? null, right?.[field] ?? null))
  const units = compared('unit', 'Unit', 'text', left?.unit_symbol ?? null, right?.unit_symbol ?? null)
  const names = [...new Set([left, right].flatMap((one) => (one?.service_bill_entry_fields ?? []).map((field) => field.name)))]
  const valueOf = (one: ComparableLine | undefined, name: string): string | null =>
    one?.service_bill_entry_fields.find((field) => field.name === name)?.value ?? null
  const charges = names.map((name) => compared(`charge.${name}`, name, 'money', valueOf(left, name), valueOf(right, name)))
  const total = compared('charge', 'Line Total', 'money', left?.charge ?? null, right?.charge ?? null)
  const title = `${line?.service_utility_service_name ?? 'Service'} ${line?.service_meter_number ?? ''}`.trim()
  return { key, title, values: [...values, units, ...charges, total].filter((value) => value.left !== null || value.right !== null) }
}

function chargeGroup({ bill_charges: left }: ComparableBill, { bill_charges: right }: ComparableBill): ComparedGroup[] {
  const names = [...new Set([...left, ...right].map((charge) => charge.name))]
  if (names.length === 0) return []
  const nth = (list: ComparableBill['bill_charges'], name: string): string | null => {
    const own = list.filter((charge) => charge.name === name)
    return own.length === 0
      ? null
      : own.map((charge) => charge.amount).reduce((sum, amount) => subtractMoney(sum, subtractMoney('0.00', amount)))
  }
  return [
    {
      key: 'charges',
      title: 'Account charges',
      values: names.map((name) => compared(name, name, 'money', nth(left, name), nth(right, name))),
    },
  ]
}

function compared(key: string, label: string, kind: ComparedValue['kind'], left: string | null, right: string | null): ComparedValue {
  const differs = kind === 'number' ? !isSameNumber(left, right) : (left ?? '') !== (right ?? '')
  const delta = kind === 'money' && differs && (left ?? right) !== null ? subtractMoney(right ?? '0.00', left ?? '0.00') : null
  return { key, label, kind, left, right, differs, delta }
}

/** Treats '40.0000' and '40' as equal. */
function isSameNumber(left: string | null, right: string | null): boolean {
  const bare = (value: string | null) => (value?.includes('.') ? value.replace(/\.?0+$/, '') : (value ?? ''))
  return bare(left) === bare(right)
}

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
