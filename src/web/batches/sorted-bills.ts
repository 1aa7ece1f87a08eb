/** Sorts and searches the bills of a batch in the browser, because all of them are loaded. */
import { centsOf } from '#contract/kernel/money.ts'
import type { GridSort } from '../ui/grid/grid-types.ts'

/** The fields by which bills are searched while they are selected. */
export interface ChosenBill {
  readonly id: number
  readonly vendor_name: string | null
  readonly account_number: string
  readonly account_name: string | null
  readonly facility_name: string | null
  readonly division_name: string | null
  readonly invoice_number: string | null
}

const moneyKeys: readonly string[] = ['balance_forward', 'current_charges', 'amount_due', 'amount_paid']
const collator = new Intl.Collator('en-US', { numeric: true })

/** Returns the bills whose vendor, account, facility, division or invoice contains every word; spaces and dashes in numbers are ignored. */
export function matchingBills<Bill extends ChosenBill>(bills: readonly Bill[], typed: string): readonly Bill[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return bills
  return bills.filter((bill) => {
    const text = [bill.vendor_name, bill.account_number, bill.account_name, bill.facility_name, bill.division_name, bill.invoice_number]
      .filter((part) => part !== null)
      .join(' ')
      .toLowerCase()
    const plain = text.replaceAll(/[\s-]/g, '')
    return words.every((word) => text.includes(word) || plain.includes(word.replaceAll('-', '')))
  })
}

/** Sorts the bills by one column; ties keep their order. */
export function sortedBills<Bill extends object>(bills: readonly Bill[], sort: GridSort | null): readonly Bill[] {
  if (sort === null) return bills
  const sign = sort.direction === 'asc' ? 1 : -1
  return bills.toSorted((a, b) => sign * compare(valueOf(a, sort.key), valueOf(b, sort.key), sort.key))
}

function compare(a: string | number, b: string | number, key: string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return moneyKeys.includes(key) ? centsOf(String(a)) - centsOf(String(b)) : collator.compare(String(a), String(b))
}

function valueOf(bill: object, key: string): string | number {
  const value: unknown = Object.entries(bill).find(([name]) => name === key)?.[1]
  return typeof value === 'string' || typeof value === 'number' ? value : ''
}

/** Returns the ids of selected bills that the search hides; they stay selected. */
export function hiddenTicks(ticked: readonly ChosenBill[], shown: readonly ChosenBill[]): number[] {
  const inSight = new Set(shown.map(({ id }) => id))
  return ticked.filter(({ id }) => !inSight.has(id)).map(({ id }) => id)
}
