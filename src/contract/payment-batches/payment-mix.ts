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

/** What two bills of one batch break: a vendor that must be alone, or two payment types. */
type MixConflict =
  | { readonly kind: 'exclusive'; readonly vendor: string }
  | { readonly kind: 'types'; readonly types: readonly [one: string | null, other: string | null] }

type MixedVendor = Pick<MixedBill, 'vendor_id' | 'vendor_name' | 'vendor_is_exclusive'>

/** The exclusive vendor that may not share a batch with the other one; null where they may be together. */
export function exclusiveVendor(one: MixedVendor, other: MixedVendor): string | null {
  if (one.vendor_id === other.vendor_id) return null
  const exclusive = [one, other].find((vendor) => vendor.vendor_is_exclusive)
  return exclusive ? (exclusive.vendor_name ?? 'Its vendor') : null
}

function pairConflict(one: MixedBill, other: MixedBill): MixConflict | null {
  const vendor = exclusiveVendor(one, other)
  if (vendor !== null) return { kind: 'exclusive', vendor }
  return one.payment_method === other.payment_method ? null : { kind: 'types', types: [one.payment_method, other.payment_method] }
}

/** What these bills break together; null where they may be in one batch. The first of them speaks for all. */
export function mixConflict(bills: readonly MixedBill[]): MixConflict | null {
  const [first] = bills
  if (first === undefined) return null
  for (const bill of bills) {
    const conflict = pairConflict(first, bill)
    if (conflict !== null) return conflict
  }
  return null
}

/** A conflict as a person reads it. */
export function conflictText(conflict: MixConflict): string {
  if (conflict.kind === 'exclusive') return `${conflict.vendor} is exclusive: its bills are paid in a batch of their own`
  const [one, other] = conflict.types
  return `One batch has one payment type: ${typeName(one)} and ${typeName(other)} are two`
}

const typeName = (method: string | null): string => method ?? 'no payment type'

/** Why these bills may not be in one batch; null where they may. */
export function mixFault(bills: readonly MixedBill[]): string | null {
  const conflict = mixConflict(bills)
  return conflict && conflictText(conflict)
}

/** Why the bill may not come to those that were chosen; null where it may. The chosen ones go together, so one of them speaks for all. */
export function addFault(chosen: readonly MixedBill[], bill: MixedBill): string | null {
  return mixFault([...chosen.slice(0, 1), bill])
}
