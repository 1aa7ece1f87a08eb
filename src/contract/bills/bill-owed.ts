/**
 * What is owed for a bill. A void bill owes nothing: the bill in its place does. The bill of a subaccount that a group's bill carries owes
 * nothing either, because the group's bill is what is paid. Every other bill owes its amount due, a group's bill included. Sums of lists,
 * the unpaid filter, exceptions and alerts mean this. `src/server/estate/owed-bills.ts` says the same in SQL; a test of lists holds both together.
 */
import type { BillCounts } from './bill-counts.ts'
import type { StatusFacts } from './bill-status.ts'

export interface OwedFacts extends Pick<StatusFacts, 'superseded_by_id'> {
  readonly group_bill_id: number | null
}

/** Whether the bill owes its amount due, or why not. */
export function billCountsOf({ superseded_by_id, group_bill_id }: OwedFacts): BillCounts {
  if (superseded_by_id !== null) return 'void'
  return group_bill_id === null ? 'owed' : 'group_child'
}

/** Whether a payment of this bill is still to come: it owes something of its own and is not settled yet. */
export function isPayable(bill: OwedFacts & Pick<StatusFacts, 'paid' | 'finalized'>): boolean {
  return billCountsOf(bill) === 'owed' && !bill.paid && !bill.finalized
}
