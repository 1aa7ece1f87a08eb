/**
 * The amount owed for a bill. A void bill owes nothing: the bill that replaced it does. The bill of a subaccount that a group's bill includes
 * owes nothing either, because the group's bill is what is paid. Every other bill owes its amount due, including a group's bill. Sums of lists,
 * the unpaid filter, exceptions and alerts use this rule. `src/server/estate/owed-bills.ts` is the same in SQL; a test of lists compares both.
 */
import type { BillCounts } from './bill-counts.ts'
import type { StatusFacts } from './status-facts.ts'

export interface OwedFacts extends Pick<StatusFacts, 'superseded_by_id'> {
  readonly group_bill_id: number | null
}

/** Returns whether the bill owes its amount due, or why not. */
export function billCountsOf({ superseded_by_id, group_bill_id }: OwedFacts): BillCounts {
  if (superseded_by_id !== null) return 'void'
  return group_bill_id === null ? 'owed' : 'group_child'
}

/** Whether the bill still has to be paid: it owes its own amount and is not paid yet. */
export function isPayable(bill: OwedFacts & Pick<StatusFacts, 'paid' | 'finalized'>): boolean {
  return billCountsOf(bill) === 'owed' && !bill.paid && !bill.finalized
}
