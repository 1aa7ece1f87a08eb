import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addedFault, addFault, mixFault, mixOfBills, type MixedBill } from './payment-mix.ts'
import { dueDateOf } from './payment-dates.ts'

const bill = (more: Partial<MixedBill> = {}): MixedBill => ({
  vendor_id: 1,
  vendor_name: 'City Power',
  vendor_is_exclusive: false,
  payment_method: 'ACH',
  ...more,
})

describe('the bills of one vendor batch', () => {
  it('go together where their payment type is one and no vendor is exclusive', () => {
    expect(mixFault([])).toBeNull()
    expect(mixFault([bill(), bill({ vendor_id: 2 }), bill()])).toBeNull()
    expect(mixFault([bill({ vendor_is_exclusive: true }), bill({ vendor_is_exclusive: true })])).toBeNull()
  })

  it('name the exclusive vendor, and the two payment types', () => {
    const exclusive = bill({ vendor_id: 2, vendor_name: 'Harbor Gas', vendor_is_exclusive: true })
    expect(mixFault([bill(), exclusive])).toBe('Harbor Gas is exclusive: its bills are paid in a batch of their own')
    expect(mixFault([exclusive, bill()])).toBe('Harbor Gas is exclusive: its bills are paid in a batch of their own')
    expect(mixFault([bill(), bill({ payment_method: 'Check' })])).toBe('One batch has one payment type: ACH and Check are two')
    expect(mixFault([bill(), bill({ payment_method: null })])).toBe('One batch has one payment type: ACH and no payment type are two')
  })

  it('are judged by the form bill by bill as the server judges them together', () => {
    const exclusiveOf = new Map([
      [1, false],
      [2, false],
      [3, true],
    ])
    const any = fc.record({ vendor_id: fc.constantFrom(1, 2, 3), payment_method: fc.constantFrom('ACH', 'Check', null) })
    const property = fc.property(fc.array(any, { maxLength: 8 }), (drawn) => {
      const bills = drawn.map((one) => bill({ ...one, vendor_is_exclusive: exclusiveOf.get(one.vendor_id) ?? false }))
      const vendors = new Set(bills.map((one) => one.vendor_id))
      const isAllowed = new Set(bills.map((one) => one.payment_method)).size <= 1 && (vendors.size <= 1 || !vendors.has(3))
      const byForm = bills.every((one, place) => addFault(mixOfBills(bills.slice(0, place)), one) === null)
      expect(mixFault(bills) === null).toBe(isAllowed)
      expect(byForm).toBe(isAllowed)
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('may conflict where they are held already: only what is added must go with all of them', () => {
    const [plain, other] = [bill(), bill({ vendor_id: 3, vendor_name: 'Valley Water' })]
    const exclusive = bill({ vendor_id: 2, vendor_name: 'Harbor Gas', vendor_is_exclusive: true })
    const said = 'Harbor Gas is exclusive: its bills are paid in a batch of their own'
    expect(addedFault([plain, exclusive], [])).toBeNull()
    expect(addedFault([plain, other, exclusive], [bill()])).toBe(said)
    expect(addedFault([other, plain], [exclusive])).toBe(said)
    expect(addedFault([], [plain, exclusive])).toBe(said)
    expect(addedFault([plain], [other, bill()])).toBeNull()
    expect(addedFault([plain, bill({ vendor_id: 4, payment_method: 'Check' })], [bill()])).toBe(
      'One batch has one payment type: Check and ACH are two',
    )
  })
})

it('are due fourteen days after the batch date [VBATCH-CONST-002]', () => {
  expect(dueDateOf('2026-11-24')).toBe('2026-12-08')
  expect(dueDateOf('2026-12-20')).toBe('2027-01-03')
})
