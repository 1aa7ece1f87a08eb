import { describe, expect, test } from 'vitest'
import { paidWarning, proposedMode, replaceHeld, type ComparableBill, type ComparableLine } from './bill-compare.ts'
import { compareBills } from './compare-values.ts'

const line: ComparableLine = {
  service_id: 11,
  service_utility_service_name: 'Electric',
  service_meter_number: 'E-1',
  previous_read_date: '2026-01-01',
  read_date: '2026-02-01',
  previous_reading: '100.00',
  meter_reading: '200.00',
  multiplier: '1.0000',
  usage: '100.000',
  unit_symbol: 'kWh',
  service_bill_entry_fields: [{ name: 'Utility Charges', value: '15.00' }],
  charge: '15.00',
}
const bill: ComparableBill = {
  account_number: 'A-1',
  vendor_name: 'City Power',
  invoice_number: 'I-1',
  date: '2026-02-05',
  due_date: '2026-02-25',
  previous_read_date: '2026-01-01',
  read_date: '2026-02-01',
  fiscal_month: null,
  balance_forward: '0.00',
  current_charges: '20.00',
  late_fee: '0.00',
  amount_due: '20.00',
  amount_paid: null,
  service_bills: [line],
  bill_charges: [{ name: 'Fee', amount: '5.00' }],
}
const different = (right: ComparableBill) =>
  compareBills(bill, right).flatMap((group) =>
    group.values
      .filter((value) => value.differs)
      .map((value) => `${group.title}: ${value.label} ${value.left} ${value.right} ${value.delta}`),
  )

describe('two bills beside each other', () => {
  test('the same bill differs in nothing, and 1.0000 is 1', () => {
    expect(different({ ...bill, service_bills: [{ ...line, multiplier: '1', usage: '100' }] })).toEqual([])
  })

  test('amounts say by how much, lines go by their meter, charges by their name', () => {
    expect(
      different({
        ...bill,
        amount_due: '17.50',
        service_bills: [
          { ...line, usage: '90.000', service_bill_entry_fields: [{ name: 'Utility Charges', value: '12.50' }], charge: '12.50' },
        ],
        bill_charges: [
          { name: 'Fee', amount: '2.00' },
          { name: 'Fee', amount: '3.00' },
        ],
      }),
    ).toEqual([
      'Bill: Amount Due 20.00 17.50 -2.50',
      'Electric E-1: Usage 100.000 90.000 null',
      'Electric E-1: Utility Charges 15.00 12.50 -2.50',
      'Electric E-1: Line Total 15.00 12.50 -2.50',
    ])
  })

  test('a line that only one of them has is all difference', () => {
    const gone = different({ ...bill, service_bills: [], bill_charges: [] })
    expect(gone).toContain('Electric E-1: Line Total 15.00 null -15.00')
    expect(gone).toContain('Account charges: Fee 5.00 null -5.00')
  })
})

describe('a correction', () => {
  test('of the very same days replaces, of any other adds', () => {
    expect(proposedMode(bill, bill)).toBe('replace')
    expect(proposedMode(bill, { ...bill, read_date: '2026-02-02' })).toBe('add')
  })

  test('says why a bill cannot be replaced, and what replacing a paid one means', () => {
    const free = { superseded_by_id: null, vendor_payment_id: null, paid: false, finalized: false }
    expect([replaceHeld(free), paidWarning(free)]).toEqual([null, null])
    expect(replaceHeld({ ...free, superseded_by_id: 9 })).toContain('Bill 9 replaced it before')
    expect(replaceHeld({ ...free, vendor_payment_id: 3 })).toContain('about to be paid')
    expect(replaceHeld({ ...free, vendor_payment_id: 3, paid: true })).toBeNull()
    expect(paidWarning({ ...free, paid: true })).toContain('It is paid')
  })
})
