/**
 * Links the bill of a group account with the bills of its subaccounts: which of the group's bills includes a subaccount's bill, and which part
 * of the group's bill its children do not carry yet. Pure; the server links by the first and counts by the second.
 */
import { type CalendarDate, daysBetween } from '../kernel/date.ts'
import { type Cents, sumCents } from '../kernel/money.ts'
import type { GroupAudit } from '../bill-audits/input.ts'
import type { ChargeSplit } from '../bill-figures/bill-totals.ts'

/** Days by which the meters of one statement may be read before or after its date. */
export const groupPlayDays = 3

export interface GroupParent {
  readonly id: number
  readonly date: CalendarDate
  readonly invoice_number: string | null
  /** Its service period; null on a bill without lines, which most bills of groups are. */
  readonly previous_read_date: CalendarDate | null
  readonly read_date: CalendarDate | null
}

export interface GroupChild {
  readonly date: CalendarDate
  readonly invoice_number: string | null
  /** The end of its service period. */
  readonly read_date: CalendarDate | null
}

/**
 * Returns the group's bills that match a subaccount's bill best: none, the one that includes it, or several equal ones, among which only a user
 * can choose. The same bill date matches best; then a service period that ends within the parent's, nearest to its end; a parent without a
 * period matches by a bill date within `groupPlayDays`. Among equals, the one with the same invoice number wins.
 */
export function fittingParents(child: GroupChild, parents: readonly GroupParent[]): readonly number[] {
  const fits = parents.flatMap((parent) => {
    const distance = distanceOf(child, parent)
    return distance === null ? [] : [{ id: parent.id, rank: distance * 2 + (isSameInvoice(child, parent) ? 0 : 1) }]
  })
  const best = Math.min(...fits.map((fit) => fit.rank))
  return fits.filter((fit) => fit.rank === best).map((fit) => fit.id)
}

/** Returns 0 for the same bill date, else the days between the compared dates plus one; null if they do not belong together. */
function distanceOf(child: GroupChild, parent: GroupParent): number | null {
  if (child.date === parent.date) return 0
  const { previous_read_date: from, read_date: to } = parent
  if (from === null || to === null) {
    const apart = Math.abs(daysBetween(parent.date, child.date))
    return apart <= groupPlayDays ? apart + 1 : null
  }
  if (child.read_date === null) return null
  const isWithin = daysBetween(from, child.read_date) >= -groupPlayDays && daysBetween(child.read_date, to) >= -groupPlayDays
  return isWithin ? Math.abs(daysBetween(to, child.read_date)) + 1 : null
}

function isSameInvoice(child: GroupChild, parent: GroupParent): boolean {
  return child.invoice_number !== null && child.invoice_number === parent.invoice_number
}

/** A child keeps its parent among equal matches, and stays unlinked if no user has chosen. */
export function carrierAmong(from: number | null, fitting: readonly number[]): number | null {
  if (from !== null && fitting.includes(from)) return from
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

/** A stored bill of a subaccount. */
export interface StoredChild extends GroupChild {
  readonly account_id: number
  readonly group_bill_id: number | null
  readonly current_charges: string
  /** Whether a save links it again: no user has chosen its group bill, and its payment has not begun. */
  readonly is_open: boolean
}

/** The bills around those of a group account, as far back as its form goes. */
export interface GroupBook {
  /** Bills of the group that may include others. */
  readonly parents: readonly GroupParent[]
  /** The active subaccounts. */
  readonly members: readonly number[]
  readonly children: readonly StoredChild[]
}

/** A bill of a subaccount that is saved together with its group's bill. */
export type TypedChild = Pick<StoredChild, 'account_id' | 'current_charges'>

/**
 * Returns the input of rule 38 for a group's bill after the save: the children typed with it, and those that the save leaves linked or links to
 * it.
 */
export function groupOfSave(parent: GroupParent, { parents, members, children }: GroupBook, typed: readonly TypedChild[]): GroupAudit {
  const all = [...parents.filter((one) => one.id !== parent.id), parent]
  const carried = children.filter((child) => {
    const carrier = child.is_open ? carrierAmong(child.group_bill_id, fittingParents(child, all)) : child.group_bill_id
    return carrier === parent.id
  })
  const billed = new Set([...typed, ...carried].map((child) => child.account_id))
  return {
    children: [...typed, ...carried].map((child) => child.current_charges),
    missing: members.filter((id) => !billed.has(id)).length,
    fitting: [],
  }
}

/**
 * Returns the cost of a group's bill besides its children: its own cost minus theirs, never crossing zero. If the children cost as much or more,
 * it is zero.
 */
export function costBesideChildren(cost: Cents, children: readonly Cents[]): Cents {
  if (children.length === 0) return cost
  const left = cost - sumCents(children)
  return cost < 0 ? Math.min(left, 0) : Math.max(left, 0)
}

/** Scales the parts of a cost down to what is left of it, rounded cumulatively in their order, so that they add up to it. */
export function scaleSplits(splits: readonly ChargeSplit[], left: Cents): ChargeSplit[] {
  const whole = sumCents(splits.map((split) => split.utility + split.supply + split.other))
  // If the total is zero, nothing can be scaled: what is left belongs to the first line.
  if (whole === 0) return splits.map((_, place) => ({ utility: 0, supply: 0, other: place === 0 ? left : 0 }))
  let passed = 0
  let given = 0
  const part = (amount: Cents): Cents => {
    passed += amount
    const upTo = roundedShare(passed, left, whole)
    const own = upTo - given
    given = upTo
    return own
  }
  return splits.map((split) => ({ utility: part(split.utility), supply: part(split.supply), other: part(split.other) }))
}

/** `amount × left ÷ whole`, half away from zero. */
function roundedShare(amount: Cents, left: Cents, whole: Cents): Cents {
  const [up, down] = [BigInt(amount) * BigInt(left), BigInt(whole)]
  const magnitude = (absolute(up) * 2n + absolute(down)) / (absolute(down) * 2n)
  return Number(up < 0n === down < 0n ? magnitude : -magnitude)
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)
