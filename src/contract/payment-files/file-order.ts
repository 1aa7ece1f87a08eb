/** The order of files, which depends only on the payments: not on the locale or the order of rows. */
import type { ExportInput, PaymentForFile } from './payment-file.ts'

/** Compares by code unit, so that every machine sorts alike. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** By payer, then by vendor, then by payment. */
export function byPayerAndVendor(a: PaymentForFile, b: PaymentForFile): number {
  return (
    compareTexts(a.payer.name, b.payer.name) ||
    a.payer.client_id - b.payer.client_id ||
    compareTexts(a.vendor.name, b.vendor.name) ||
    a.id - b.id
  )
}

/** The search for faults and the files need the same order; the input never changes, so it is sorted once. */
const sorted = new WeakMap<ExportInput, readonly PaymentForFile[]>()

/** Returns the payments of an export by payer, then by vendor, then by payment. */
export function inOrder(input: ExportInput): readonly PaymentForFile[] {
  const ordered = sorted.get(input) ?? byPayers(input.payments)
  sorted.set(input, ordered)
  return ordered
}

/** Sorts the payers, and the payments of each: far fewer comparisons than of all payments with each other. */
function byPayers(payments: readonly PaymentForFile[]): PaymentForFile[] {
  const ofPayers = Map.groupBy(payments, ({ payer }) => `${payer.client_id} ${payer.name}`)
  return [...ofPayers.values()]
    .toSorted(([a], [b]) => (a && b ? byPayerAndVendor(a, b) : 0))
    .flatMap((ofOne) => ofOne.toSorted(byPayerAndVendor))
}
