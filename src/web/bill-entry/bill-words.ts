/** Labels of the bill form's fields and lines. */
import { formFields, lineFields, lineListNames, lineLists } from '#contract/bills/bill-fields.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import type { LockGroup } from '#contract/bills/bill-locks.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import type { Finding } from '#contract/bill-audits/bill-audits.ts'
import { labelsOf } from '#contract/kernel/record.ts'
import type { StatusShape, Tone } from '../ui/status.tsx'
import type { LineValues } from './bill-values.ts'

const labels: Readonly<Record<string, string>> = {
  ...labelsOf(lineFields),
  ...labelsOf(formFields),
  ...Object.fromEntries(Object.entries(lineLists).map(([name, { label }]) => [name, label])),
  files: 'File Copies',
  linked: 'Linked Supply Lines',
  name: 'Charge',
  amount: 'Amount',
  service_bills: 'Lines',
  bill_charges: 'Account Charges',
  account_id: 'Account',
}

/** A value of a group is labelled by its own name. */
export function fieldLabel(path: string): string {
  const group = lineListNames.find((one) => path.startsWith(`${one}.`))
  return group ? path.slice(group.length + 1) : (labels[path] ?? path)
}

export function lineLabel(line: Pick<LineValues, 'service_id'>, entry: BillEntry): string {
  const service = entry.services.find((one) => one.id === line.service_id)
  return service ? `${service.utility_service_name ?? 'Service'} ${service.meter_number}` : 'Line without a service'
}

export const severityWords: Readonly<Record<Finding['severity'], { word: string; tone: Tone; shape: StatusShape }>> = {
  'E!': { word: 'Holds payment', tone: 'bad', shape: 'lock' },
  E: { word: 'Error', tone: 'warn', shape: 'triangle' },
  W: { word: 'Warning', tone: 'warn', shape: 'ring' },
  I: { word: 'Information', tone: 'grey', shape: 'ring' },
}

/** Returns why fields are locked and which are still open, or null if none is locked. */
export function lockReason(bill: BillDetail): string | null {
  if (bill.locks.length === 0) return null
  const open: readonly LockGroup[] = ['notes', 'files', 'measurements']
  const still = open.every((group) => !bill.locks.includes(group))
  if (bill.superseded_by_id !== null) return 'Another bill replaces this one: nothing of it changes any more.'
  if (bill.finalized || bill.paid)
    return `This bill is ${bill.finalized ? 'finalized' : 'paid'}: amounts, dates and lines no longer change.${still ? ' Notes, files and usage factors that adjust nothing still do.' : ''}`
  if (bill.vendor_payment_id !== null) return 'This bill is in a vendor batch: its account and its amount due no longer change.'
  return 'This bill’s client batch is closed: charges, amount due, fiscal month and lines no longer change.'
}
