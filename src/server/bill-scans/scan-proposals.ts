/** Values of a reading for the list, and values that a saved bill confirms. */
import type { BillReading, ReadBillField } from '#contract/bill-reading/bill-reading.ts'

export interface Proposals {
  readonly bills_inside: number
  readonly vendor_id: number | null
  readonly vendor_name: string | null
  readonly billable_account_id: number | null
  readonly supply_account_id: number | null
  readonly account_number: string | null
  readonly bill_date: string | null
  readonly due_date: string | null
  readonly amount_due: string | null
  readonly confidence: number
}

/** Fields needed to pay a bill. The reading's confidence is the lowest of theirs. */
const decisive: readonly ReadBillField[] = ['account_number', 'date', 'due_date', 'amount_due']

export function proposalsOf(reading: BillReading): Proposals {
  const valueOf = (field: ReadBillField): string | null => reading.fields.find((one) => one.field === field)?.value ?? null
  const sure = decisive.map((field) => reading.fields.find((one) => one.field === field)?.confidence ?? 0)
  const idOf = (type: 'BillableAccount' | 'SupplyAccount') => (reading.account?.type === type ? reading.account.id : null)
  return {
    bills_inside: Math.max(1, reading.bills_begin_at.length),
    vendor_id: reading.vendor_id,
    vendor_name: valueOf('vendor')?.slice(0, 255) ?? null,
    billable_account_id: idOf('BillableAccount'),
    supply_account_id: idOf('SupplyAccount'),
    account_number: valueOf('account_number')?.slice(0, 255) ?? null,
    bill_date: valueOf('date'),
    due_date: valueOf('due_date'),
    amount_due: amountOf(valueOf('amount_due')),
    confidence: Math.round((sure.reduce((sum, one) => sum + one, 0) / decisive.length) * 100),
  }
}

/** A misread figure must not break the list: beyond the database's bounds there is no amount. */
function amountOf(value: string | null): string | null {
  return value !== null && /^-?\d{1,8}(\.\d{1,2})?$/.test(value) ? value : null
}
