/**
 * Rule 38: whether the bills of a group's subaccounts add up to the group's bill, and whether it is clear which of the group's bills includes
 * one.
 */
import { centsOf, formatMoney, sumCents, wireOf } from '../kernel/money.ts'
import type { BillAudit } from './line-context.ts'
import type { Verdict } from './input.ts'

/** The rule's code, for code that runs it where links of groups are known. */
export const groupSumCode = 'group_sum'
/** Cents by which each child may be rounded. */
const centsAChild = 1
/** Most amounts that a message lists. */
const amountsShown = 6

/**
 * 38. The summary bill charges the sum of its children: an error that holds the payment once each active subaccount has its child, a warning
 * before. Silent without a child, because many groups are billed by their summary alone.
 */
export function groupSum({ bill, input: { group } }: BillAudit): Verdict[] {
  if (!group) return []
  if (group.fitting.length > 1) return [undecided(group.fitting)]
  if (group.children.length === 0 || bill.current_charges === null) return []
  const cents = group.children.map(centsOf)
  const sum = sumCents(cents)
  const left = centsOf(bill.current_charges) - sum
  if (Math.abs(left) <= cents.length * centsAChild) return []
  const amounts = cents.length > 1 && cents.length <= amountsShown ? `${group.children.map(formatMoney).join(' + ')} = ` : ''
  const bills = cents.length === 1 ? 'The bill of 1 subaccount charges' : `The ${cents.length} bills of the subaccounts charge`
  const missing =
    group.missing === 0 ? '' : `; ${group.missing} active ${group.missing === 1 ? 'subaccount has' : 'subaccounts have'} no bill yet`
  return [
    {
      severity: group.missing === 0 ? 'E!' : 'W',
      field: 'current_charges',
      expected: wireOf(sum),
      actual: bill.current_charges,
      message: `${bills} ${amounts}${formatMoney(wireOf(sum))}, this bill ${formatMoney(bill.current_charges)}: ${formatMoney(wireOf(Math.abs(left)))} ${left > 0 ? 'are missing' : 'too much'}${missing}`,
    },
  ]
}

function undecided(fitting: readonly number[]): Verdict {
  const bills = `${fitting.slice(0, -1).join(', ')} and ${fitting.at(-1)}`
  return {
    severity: 'W',
    field: 'group_bill_id',
    actual: fitting.join(', '),
    message: `Bills ${bills} of the group account fit this one alike: choose its Group Bill`,
  }
}
