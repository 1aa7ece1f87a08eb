/** The groups of fields that a bill's status locks. */
import { headFields, lineFields } from './bill-fields.ts'
import { lockedWith } from '../kernel/record.ts'
import { fullStatuses, holds, statusRules, type FullStatus } from './bill-status.ts'
import type { StatusFacts } from './status-facts.ts'

/** The locks: each is a group of wire fields of a bill or of its lines. */
export const lockGroups = [
  'account',
  'vendor',
  'header',
  'amount_due',
  'charges',
  'shares',
  'fiscal_month',
  'line_set',
  'lines',
  'adjustment_factors',
  'measurements',
  'amount_paid',
  'hold',
  'rebill',
  'notes',
  'files',
] as const
export type LockGroup = (typeof lockGroups)[number]

const ofBill = (group: LockGroup) => lockedWith(headFields, group)
const ofLine = (group: LockGroup) => lockedWith(lineFields, group)

/** The wire fields of each group, on the bill and on its lines. `locksFactor` distinguishes the two kinds of service_bill_usage_factors. */
const lockedFields: Readonly<Record<LockGroup, { readonly bill: readonly string[]; readonly line: readonly string[] }>> = {
  account: { bill: ['account_type', 'account_id'], line: [] },
  vendor: { bill: ['vendor_id'], line: [] },
  header: { bill: [...ofBill('header'), 'read_date', 'previous_read_date'], line: [] },
  amount_due: { bill: ofBill('amount_due'), line: [] },
  charges: {
    bill: [...ofBill('charges'), 'bill_charges_attributes'],
    line: ['service_bill_entry_fields', 'service_bill_additional_entry_fields'],
  },
  // Shares belong to the service; a closed batch has frozen copies of them, so no field of the bill is locked.
  shares: { bill: [], line: [] },
  fiscal_month: { bill: ofBill('fiscal_month'), line: ofLine('fiscal_month') },
  line_set: { bill: ['linked_service_bill_ids'], line: [...ofLine('line_set'), '_destroy'] },
  lines: { bill: [], line: ofLine('lines') },
  adjustment_factors: { bill: [], line: [] },
  measurements: { bill: [], line: [] },
  amount_paid: { bill: ['amount_paid'], line: [] },
  hold: { bill: ofBill('hold'), line: [] },
  rebill: { bill: ofBill('rebill'), line: [] },
  notes: { bill: ofBill('notes'), line: [] },
  files: { bill: ['signed_file_ids'], line: [] },
}

const OPEN_AFTER_PAYMENT: ReadonlySet<LockGroup> = new Set<LockGroup>(['notes', 'files', 'measurements'])

/** Returns the groups that may no longer change. The locks of every rule that holds add up, not only those of the shown status. */
export function locks(facts: StatusFacts): Set<LockGroup> {
  const locked = new Set<LockGroup>()
  for (const status of fullStatuses) {
    if (!holds(statusRules[status], facts)) continue
    for (const group of locksOf(status)) locked.add(group)
  }
  return locked
}

/** Returns the locked wire fields of the bill itself. */
export function lockedBillFields(locked: ReadonlySet<LockGroup>): Set<string> {
  return new Set([...locked].flatMap((group) => lockedFields[group].bill))
}

/** Returns the locked wire fields of every service line. A locked `_destroy` or `service_id` also means that no line may be added. */
export function lockedLineFields(locked: ReadonlySet<LockGroup>): Set<string> {
  return new Set([...locked].flatMap((group) => lockedFields[group].line))
}

/** Whether the input of a usage factor is locked: only adjustment factors are, because the others change no amount. */
export function locksFactor(locked: ReadonlySet<LockGroup>, factor: { readonly adjustment_factor: boolean }): boolean {
  return locked.has(factor.adjustment_factor ? 'adjustment_factors' : 'measurements')
}

function locksOf(status: FullStatus): readonly LockGroup[] {
  switch (status) {
    case 'Void':
      return lockGroups
    case 'Finalized':
    case 'Paid':
      return lockGroups.filter((group) => !OPEN_AFTER_PAYMENT.has(group))
    case 'Global Batched':
    case 'Vendor Batched':
      return ['account', 'vendor', 'amount_due']
    case 'Client Batch Closed':
      // The amount due is the credit of the payable line, the lines are what the charges are booked on, and what the bill replaces was taken
      // back with it.
      return ['account', 'charges', 'amount_due', 'shares', 'fiscal_month', 'line_set', 'rebill']
    default:
      return []
  }
}
