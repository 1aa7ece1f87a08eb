/**
 * What the bills of one vendor batch have in common: one payment type, and a vendor that is exclusive shares its batch with no other. The
 * console greys out what would break this, and the server refuses it by the same functions.
 */

/** The part of a bill that decides beside which others it may be paid. */
export interface MixedBill {
  readonly vendor_id: number | null
  readonly vendor_name: string | null
  readonly vendor_is_exclusive: boolean
  /** The first payment method of its vendor; null where the vendor has none. */
  readonly payment_method: string | null
}

/** Why the two may not be in one batch; null where they may. */
function pairFault(one: MixedBill, other: MixedBill): string | null {
  if (one.vendor_id !== other.vendor_id) {
    const exclusive = [one, other].find((bill) => bill.vendor_is_exclusive)
    if (exclusive) return `${exclusive.vendor_name ?? 'Its vendor'} is exclusive: its bills are paid in a batch of their own`
  }
  if (one.payment_method !== other.payment_method)
    return `One batch has one payment type: ${typeName(one.payment_method)} and ${typeName(other.payment_method)} are two`
  return null
}

const typeName = (method: string | null): string => method ?? 'no payment type'

/** Why these bills may not be in one batch; null where they may. */
export function mixFault(bills: readonly MixedBill[]): string | null {
  const [first] = bills
  if (first === undefined) return null
  for (const bill of bills) {
    const fault = pairFault(first, bill)
    if (fault !== null) return fault
  }
  return null
}

/** Why the bill may not come to those that were chosen; null where it may. The chosen ones go together, so one of them speaks for all. */
export function addFault(chosen: readonly MixedBill[], bill: MixedBill): string | null {
  const [first] = chosen
  return first === undefined ? null : pairFault(first, bill)
}
