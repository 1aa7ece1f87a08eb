/** The order of files, which depends only on the payments: not on the locale or the order of rows. */
import type { PaymentForFile } from './payment-file.ts'

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
