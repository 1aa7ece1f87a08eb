import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import {
  adjustedStandardUsage,
  amountDue,
  type BillCharges,
  billCost,
  chargeSplit,
  derivedUsage,
  hasCharges,
  headerDifference,
  lineCharge,
  linesDifference,
  linesTotal,
  lineTaxes,
  numberOfDays,
  residualCharge,
  totalUsage,
  usageTotals,
} from './bill-totals.ts'
import { centsOf, wireOf } from '../kernel/money.ts'

const wires = fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }).map(wireOf)

function billOf(parts: Partial<BillCharges> = {}): BillCharges {
  return { balance_forward: '0.00', current_charges: '0.00', late_fee: null, service_bills: [], bill_charges: [], ...parts }
}

function lineOf(fields: Record<string, string | null>, additional: Record<string, string | null> = {}) {
  const named = (values: Record<string, string | null>) => Object.entries(values).map(([name, value]) => ({ name, value }))
  return { service_bill_entry_fields: named(fields), service_bill_additional_entry_fields: named(additional) }
}

describe('the header', () => {
  test.each([
    ['10.00', '20.05', '1.10', '31.15'],
    ['10.00', '20.05', null, '30.05'],
    ['-50.00', '20.05', '0.00', '-29.95'],
    ['0.10', '0.20', '0.00', '0.30'],
  ])('[BILL-RULE-005] balance forward %s + current charges %s + late fee %s = %s', (balance_forward, current_charges, late_fee, sum) => {
    expect(amountDue({ balance_forward, current_charges, late_fee })).toBe(sum)
  })

  test('[BILL-RULE-005] the sum holds for any parts, to the cent', () => {
    fc.assert(
      fc.property(wires, wires, wires, (balance_forward, current_charges, late_fee) => {
        const sum = amountDue({ balance_forward, current_charges, late_fee })
        expect(centsOf(sum)).toBe(centsOf(balance_forward) + centsOf(current_charges) + centsOf(late_fee))
      }),
      { numRuns: propertyRuns },
    )
  })

  test('the header difference says by how much the stated amount due is off', () => {
    expect(headerDifference({ balance_forward: '10.00', current_charges: '5.00', late_fee: null, amount_due: '15.01' })).toBe(1)
    expect(headerDifference({ balance_forward: '10.00', current_charges: '5.00', late_fee: null, amount_due: '15.00' })).toBe(0)
  })

  test('an earlier balance is never cost', () => {
    expect(billCost({ balance_forward: '999.00', current_charges: '5.00', late_fee: '1.00' })).toBe('6.00')
  })
})

describe('lines', () => {
  test('the six known fields are told apart; additional and unknown fields are other, rounded to the cent', () => {
    const line = lineOf(
      {
        'Utility Charges': '10.00',
        'Utility Taxes': '1.00',
        'Supply Charges': '20.00',
        'Supply Taxes': '2.00',
        'Other Charge': '3.00',
        'REC Charge': '0.50',
        Drainage: null,
      },
      { 'Meter rent': '4.0050' },
    )
    expect(chargeSplit(line)).toEqual({ utility: 1100, supply: 2200, other: 751 })
    expect(lineCharge(line)).toBe(4051)
    expect(lineTaxes(line)).toBe(300)
  })

  test('the category that an entry field states wins over its name', () => {
    const line = {
      service_bill_entry_fields: [{ name: 'Generation', value: '7.00', category: 'supply' as const, is_tax: true }],
      service_bill_additional_entry_fields: [],
    }
    expect(chargeSplit(line)).toEqual({ utility: 0, supply: 700, other: 0 })
    expect(lineTaxes(line)).toBe(700)
  })

  test('the residual is what the account is charged beyond its lines, late fee included', () => {
    const bill = billOf({
      current_charges: '100.00',
      late_fee: '5.00',
      service_bills: [lineOf({ 'Utility Charges': '60.00' }), lineOf({ 'Utility Charges': '30.00' })],
      bill_charges: [{ amount: '10.00' }],
    })
    expect(linesTotal(bill)).toBe(9000)
    expect(residualCharge(bill)).toBe(1500)
    expect(linesDifference(bill)).toBe(0)
    expect(linesDifference({ ...bill, bill_charges: [] })).toBe(-1000)
  })

  test('charges count as filled only when one is typed, zero included', () => {
    expect(hasCharges(billOf({ service_bills: [lineOf({ 'Utility Charges': null })], bill_charges: [{ amount: null }] }))).toBe(false)
    expect(hasCharges(billOf({ service_bills: [lineOf({ 'Utility Charges': '0.00' })] }))).toBe(true)
    expect(hasCharges(billOf({ bill_charges: [{ amount: '1.00' }] }))).toBe(true)
  })
})

describe('usage and days', () => {
  test('[SBILL-RULE-006] days run from the previous read to the read, the last day not counted', () => {
    expect(numberOfDays({ previous_read_date: '2026-09-12', read_date: '2026-10-14' })).toBe(32)
    expect(numberOfDays({ previous_read_date: '2026-10-14', read_date: '2026-09-12' })).toBe(-32)
    expect(numberOfDays({ previous_read_date: null, read_date: '2026-10-14' })).toBeNull()
    expect(numberOfDays({ previous_read_date: '2026-02-30', read_date: '2026-10-14' })).toBeNull()
  })

  test('[SBILL-RULE-007] usage is the difference of the readings times the multiplier, which is 1 when absent', () => {
    expect(derivedUsage({ previous_reading: '100.00', meter_reading: '150.25', multiplier: '40.1234' })).toBe('2016.201')
    expect(derivedUsage({ previous_reading: '100.00', meter_reading: '150.25', multiplier: null })).toBe('50.250')
    expect(derivedUsage({ previous_reading: null, meter_reading: '150.25', multiplier: '1' })).toBeNull()
  })

  const used = (
    service_utility_service_name: string | null,
    usage: string | null,
    unit_symbol: string | null,
    raw_unit: string | null = null,
  ) => ({
    service_utility_service_name,
    usage,
    unit_symbol,
    raw_unit,
  })

  test('[BILL-FIELD-005] water and the sewer billed on that same water have two totals, and the bill has no one total', () => {
    const totals = usageTotals([used('Water', '122.000', 'CCF'), used('Sewer', '122.000', 'CCF')])
    expect(totals).toEqual([
      { service: 'Water', unit: 'CCF', usage: '122.000' },
      { service: 'Sewer', unit: 'CCF', usage: '122.000' },
    ])
    expect(totalUsage(totals)).toBeNull()
  })

  test('usage is summed within one utility service and one unit, a unit that we do not know being as good as another', () => {
    const meters = usageTotals([
      used('Water', '1.500', 'CCF'),
      used('Water', '2.25', 'CCF'),
      used('Water', null, 'gal'),
      used('Water', '0.000', 'gal'),
    ])
    expect([meters, totalUsage(meters)]).toEqual([[{ service: 'Water', unit: 'CCF', usage: '3.750' }], '3.750'])
    expect(usageTotals([used('Electric', '1000', 'kWh'), used('Electric', '50', 'kW')])).toHaveLength(2)
    expect(usageTotals([used('Electric', '1', null, 'XX'), used('Electric', '1', null, 'YY')])).toHaveLength(2)
    expect(totalUsage(usageTotals([used('Water', null, 'CCF')]))).toBeNull()
    expect(totalUsage(usageTotals([used('Water', '0.000', 'CCF'), used('Water', '0', 'CCF')]))).toBe('0.000')
  })

  const factor = (name: string, value: string | null, adjustment_factor = true) => ({ name, value, adjustment_factor })

  test.each([
    ['CCF by the table', '100.000', [factor('Therm Factor', '1.0000'), factor('Adjustment Factor', '1.0000')], '1.026000000', '102.600000'],
    ['a billed therm factor replaces the conversion', '100.000', [factor('Therm Factor', '1.0410')], '1.026000000', '104.100000'],
    ['a pressure factor multiplies the conversion', '100.000', [factor('Adjustment Factor', '1.1000')], '1.026', '112.860000'],
    ['both', '100.000', [factor('Therm Factor', '1.0410'), factor('Adjustment Factor', '1.1000')], '1.026', '114.510000'],
    [
      'measurements change nothing',
      '100.000',
      [factor('Demand', '55.0000', false), factor('Power Factor', '0.9000', false)],
      '1',
      '100.000000',
    ],
    ['an empty factor counts as none', '100.000', [factor('Adjustment Factor', null)], '1000', '100000.000000'],
  ])('adjusted usage: %s', (_case, usage, factors, conversion, adjusted) => {
    expect(adjustedStandardUsage({ usage, service_bill_usage_factors: factors }, conversion)).toBe(adjusted)
  })

  test('what has no conversion is never summed as energy', () => {
    expect(adjustedStandardUsage({ usage: '5.000', service_bill_usage_factors: [] }, null)).toBeNull()
    expect(adjustedStandardUsage({ usage: null, service_bill_usage_factors: [] }, '1')).toBeNull()
  })
})
