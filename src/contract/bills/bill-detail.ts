/** One bill with everything its page shows, its lines, and the histories that the form reads. */
import { z } from 'zod'
import { billRow, accountTypes, type AccountType } from './bill.ts'
import { severities } from '../bill-audits/input.ts'
import { lockGroups } from './bill-status.ts'
import { call } from '../kernel/call.ts'

const id = z.int()
const text = z.string().nullable()
const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .nullable()
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

/** The six flags of a line's fields: true if an open finding refers to that field. The bill's flag is true if any line's is. */
const fieldFlagShape = {
  previous_read_date_flag: z.boolean(),
  number_of_days_flag: z.boolean(),
  previous_reading_flag: z.boolean(),
  multiplier_flag: z.boolean(),
  usage_flag: z.boolean(),
  estimated_flag: z.boolean(),
}

const entryValue = z.object({ id, name: z.string(), value: decimal })

export const serviceBill = z.object({
  id,
  bill_id: id,
  service_id: id,
  position: z.int(),
  service_utility_service_name: text,
  service_meter_number: z.string(),
  service_name_1: text,
  service_name_2: text,
  metered: z.boolean(),
  previous_read_date: day,
  read_date: day,
  next_read_date: day,
  fiscal_month: text,
  number_of_days: z.int().nullable(),
  previous_reading: decimal,
  meter_reading: decimal,
  multiplier: decimal,
  usage: decimal,
  standard_usage: decimal,
  standard_unit_symbol: text,
  unit_id: id.nullable(),
  unit_symbol: text,
  raw_unit: text,
  unit_options: z.array(z.object({ id, symbol: z.string() })),
  rate_schedule: text,
  estimated: z.boolean(),
  /** Absent without the right to read bill_notes. */
  notes: text.optional(),
  supply_bill_id: id.nullable(),
  service_bill_entry_fields: z.array(entryValue.extend({ category: z.enum(['utility', 'supply', 'other']), is_tax: z.boolean() })),
  service_bill_usage_factors: z.array(entryValue.extend({ adjustment_factor: z.boolean() })),
  service_bill_additional_entry_fields: z.array(entryValue),
  /** Total of the line, two decimals. */
  charge: z.string(),
  ...fieldFlagShape,
})
export type ServiceBill = z.infer<typeof serviceBill>

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
    rebill_mode: z.enum(['replace', 'add']).nullable(),
    rebill_of_id: id.nullable(),
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

const accountType: z.ZodType<AccountType> = z
  .string({ error: 'is required' })
  .transform((written, problem) => accountTypeOf(written) ?? (problem.addIssue('must be billable_account or supply_account'), z.NEVER))
const idText = z
  .string({ error: 'must be an id' })
  .regex(/^[1-9]\d{0,15}$/, 'must be an id')
  .transform(Number)

const lastBillQuery: z.ZodType<{ account_type: AccountType; account_id: number }> = z.object({
  account_type: accountType,
  account_id: idText,
})
const previousBillsQuery: z.ZodType<{ date?: string | undefined; bill_id?: number | undefined }> = z.strictObject({
  date: z.iso.date().optional(),
  bill_id: idText.optional(),
})
const fileParams: z.ZodType<{ client_id: number; id: number; position: number }> = z.object({
  client_id: idText,
  id: idText,
  position: z.enum(['1', '2']).transform(Number),
})

const previousBills = z.object({ previous_bills: z.array(previousBill) })

export const billDetailCalls = {
  get: call({
    name: 'bills.get',
    method: 'GET',
    path: '/clients/:client_id/bills/:id',
    may: 'bill.read',
    summary: 'One bill with all that its page shows',
    reply: z.object({ bill: billDetail }),
  }),
  facilities: call({
    name: 'bills.facilities',
    method: 'GET',
    path: '/clients/:client_id/bills/:id/facilities',
    may: 'bill.read',
    summary: 'The facilities that a bill is for: its account’s, or those of a group’s members',
    reply: z.object({ facilities: z.array(billFacility) }),
  }),
  lastBill: call({
    name: 'bills.last_bill',
    method: 'GET',
    path: '/clients/:client_id/bills/last_bill',
    may: 'bill.read',
    summary: 'The latest bill of an account, null where it has none',
    query: lastBillQuery,
    reply: z.object({ bill: billDetail.nullable() }),
  }),
  file: call({
    name: 'bills.file',
    method: 'GET',
    path: '/clients/:client_id/bills/:id/files/:position',
    may: 'bill.read',
    summary: 'Where a copy of the bill can be read for five minutes; inline=true shows it instead of saving it',
    params: fileParams,
    query: z.strictObject({ inline: z.enum(['true', 'false']).optional() }),
    reply: z.object({ url: z.string(), filename: z.string() }),
  }),
  serviceBill: call({
    name: 'service_bills.get',
    method: 'GET',
    path: '/clients/:client_id/service_bills/:id',
    may: 'bill.read',
    summary: 'One line, for linking',
    reply: z.object({ service_bill: linkableServiceBill }),
  }),
  lastFiveBills: call({
    name: 'services.last_five_bills',
    method: 'GET',
    path: '/clients/:client_id/services/:id/last_five_bills',
    may: 'bill.read',
    summary: 'The last five lines of a service, newest first, and how many there are',
    query: z.strictObject({ bill_id: idText.optional() }),
    reply: z.object({ last_five_bills: z.array(billHistoryItem), total: z.int() }),
  }),
  previousOfBillable: call({
    name: 'billable_accounts.previous_bills',
    method: 'GET',
    path: '/clients/:client_id/billable_accounts/:id/previous_bills',
    may: 'bill.read',
    summary: 'Earlier bills of a billable account, newest first',
    query: previousBillsQuery,
    reply: previousBills,
  }),
  previousOfSupply: call({
    name: 'supply_accounts.previous_bills',
    method: 'GET',
    path: '/clients/:client_id/supply_accounts/:id/previous_bills',
    may: 'bill.read',
    summary: 'Earlier bills of a supply account, newest first',
    query: previousBillsQuery,
    reply: previousBills,
  }),
}
