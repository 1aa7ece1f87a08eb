/**
 * Rules for the bills of one vendor batch: one payment type, and an exclusive vendor shares its batch with no other. The console disables bills
 * that would break them, and the server refuses them by the same functions.
 */

/** The fields of a bill that decide which others it may be paid with. */
export interface MixedBill {
  readonly vendor_id: number | null
  readonly vendor_name: string | null
  readonly vendor_is_exclusive: boolean
  /** The first payment method of its vendor; null if the vendor has none. */
  readonly payment_method: string | null
}

/** A conflict between two bills of one batch: an exclusive vendor, or two payment types. */
type MixConflict =
  | { readonly kind: 'exclusive'; readonly vendor: string }
  | { readonly kind: 'types'; readonly types: readonly [one: string | null, other: string | null] }

type MixedVendor = Pick<MixedBill, 'vendor_id' | 'vendor_name' | 'vendor_is_exclusive'>

/** Returns the exclusive vendor that may not share a batch with the other one; null if they may be together. */
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

/** Returns the conflict between these bills, or null. Each is compared with the first. */
export function mixConflict(bills: readonly MixedBill[]): MixConflict | null {
  const [first] = bills
  if (first === undefined) return null
  for (const bill of bills) {
    const conflict = pairConflict(first, bill)
    if (conflict !== null) return conflict
  }
  return null
}

/** Returns a conflict in words. */
export function conflictText(conflict: MixConflict): string {
  if (conflict.kind === 'exclusive') return `${conflict.vendor} is exclusive: its bills are paid in a batch of their own`
  const [one, other] = conflict.types
  return `One batch has one payment type: ${typeName(one)} and ${typeName(other)} are two`
}

const typeName = (method: string | null): string => method ?? 'no payment type'

/** Returns the reason these bills may not be in one batch, or null. */
export function mixFault(bills: readonly MixedBill[]): string | null {
  const conflict = mixConflict(bills)
  return conflict && conflictText(conflict)
}

/** Returns the first bill of each vendor and payment type: it represents the others in every comparison. */
export function mixOfBills<Bill extends MixedBill>(bills: readonly Bill[]): Bill[] {
  const first = new Map<string, Bill>()
  for (const bill of bills) {
    const key = `${bill.vendor_id} ${bill.payment_method}`
    if (!first.has(key)) first.set(key, bill)
  }
  return [...first.values()]
}

/**
 * Returns the reason these bills may not be added to the ones that a batch holds, or null. Those held may conflict with each other, because a
 * vendor became exclusive or changed its payment type: each is compared.
 */
export function addedFault(held: readonly MixedBill[], added: readonly MixedBill[]): string | null {
  const news = mixOfBills(added)
  const fault = mixFault(news)
  if (fault !== null) return fault
  const present = mixOfBills(held)
  return news.map((bill) => addFault(present, bill)).find((found) => found !== null) ?? null
}

/** Returns the reason the bill may not be added, or null. `mix` is what `mixOfBills` makes of the bills that are there. */
export function addFault(mix: readonly MixedBill[], bill: MixedBill): string | null {
  for (const one of mix) {
    const conflict = pairConflict(one, bill)
    if (conflict !== null) return conflictText(conflict)
  }
  return null
}
