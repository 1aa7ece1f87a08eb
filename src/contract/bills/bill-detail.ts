/** One bill with everything its page shows, its lines, and the histories that the form reads. */
import { z } from 'zod'
import { billRow, accountTypes, type AccountType } from './bill.ts'
import { severities } from '../bill-audits/input.ts'
import { pageFields } from './bill-fields.ts'
import { lockGroups } from './bill-locks.ts'
import { schemasOf } from '../kernel/record.ts'
import { id, text, fieldFlagShape, decimal, serviceBill } from './service-bill.ts'

const day = z.iso.date().nullable()

/** A finding of an audit with its arithmetic. It is open until it is resolved. */
export const billFinding = z.object({
  id,
  code: z.string(),
  severity: z.enum(severities),
  message: z.string(),
  field: text,
  service_bill_id: id.nullable(),
  service_id: id.nullable(),
  expected: text,
  actual: text,
  limit: text,
  other_bill_id: id.nullable(),
  comment: text,
  assigned_to: id.nullable(),
  assigned_to_name: text,
  resolved_by: id.nullable(),
  resolved_by_name: text,
  resolved_at: text,
  reason: text,
  created_at: z.string(),
})
export type BillFinding = z.infer<typeof billFinding>

export const billCharge = z.object({ id, position: z.int(), name: z.string(), amount: z.string() })
/**
 * A stored copy of the paper bill. `href` returns a short-lived address of its bytes; a save that keeps the copy refers to it by `signed_id`.
 */
export const billFile = z.object({
  position: z.int(),
  filename: z.string(),
  content_type: z.string(),
  href: z.string(),
  signed_id: z.string(),
})

export const billDetail = z.intersection(
  billRow,
  z.object({
    ...fieldFlagShape,
    /** Null if the lines are of several utility services or units: then only `usage_totals` has the usage. */
    total_usage: decimal,
    usage_totals: z.array(z.object({ service: text, unit: text, usage: z.string() })),
    ...schemasOf(pageFields, 'answered'),
    override_reason: text,
    source: z.enum(['typed', 'import', 'retrieval', 'demo']),
    missing_fields: z.array(z.string()),
    payment_batch_notes: text,
    vendor_payment: z.object({ id, full_name: z.string(), vendor_name: text, payment_methods: text }).nullable(),
    /** Groups of fields that may no longer change (bill-status.ts). */
    locks: z.array(z.enum(lockGroups)),
    service_bills: z.array(serviceBill),
    linked_service_bills: z.array(serviceBill),
    linked_service_bill_ids: z.array(id),
    bill_charges: z.array(billCharge),
    findings: z.array(billFinding),
    files: z.array(billFile),
  }),
)
export type BillDetail = z.infer<typeof billDetail>

/** A line with its bill's names, for linking it into another bill. */
export const linkableServiceBill = serviceBill.extend({
  account_type: z.enum(accountTypes.map((one) => one.value)),
  account_id: id,
  account_number: z.string(),
  account_name: text,
  vendor_name: text,
  date: z.iso.date(),
})

/** One earlier line of a service, which the form shows next to the line being keyed. */
export const billHistoryItem = z.object({
  id,
  bill_id: id,
  date: z.iso.date(),
  previous_read_date: day,
  read_date: day,
  number_of_days: z.int().nullable(),
  previous_reading: decimal,
  meter_reading: decimal,
  multiplier: decimal,
  usage: decimal,
  unit_symbol: text,
  estimated: z.boolean(),
  utility_charges: z.string(),
  utility_taxes: z.string(),
  supply_charges: z.string(),
  supply_taxes: z.string(),
  other_charge: z.string(),
  rec_charge: z.string(),
  /** Every money field of the line by name, including additional ones. */
  cost_components: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type BillHistoryItem = z.infer<typeof billHistoryItem>

export const previousBill = z.object({
  id,
  date: z.iso.date(),
  due_date: z.iso.date(),
  invoice_number: text,
  previous_read_date: day,
  read_date: day,
  balance_forward: z.string(),
  current_charges: z.string(),
  late_fee: z.string(),
  amount_due: z.string(),
  amount_paid: decimal,
  paid: z.boolean(),
  full_status: z.string(),
})
export type PreviousBill = z.infer<typeof previousBill>

/** A facility of a bill, with the accounts at it. */
export const billFacility = z.object({
  id,
  name: z.string(),
  number: z.string(),
  division_name: text,
  account_numbers: z.array(z.string()),
})
export type BillFacility = z.infer<typeof billFacility>

/** The form's address uses billable_account, its body BillableAccount; both are accepted (BILL-RULE-007). */
export function accountTypeOf(written: string): AccountType | null {
  if (written === 'billable_account' || written === 'BillableAccount') return 'BillableAccount'
  return written === 'supply_account' || written === 'SupplyAccount' ? 'SupplyAccount' : null
}
