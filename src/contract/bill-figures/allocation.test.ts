import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import {
  type LedgerBill,
  ledgerEntries,
  type LedgerSettings,
  lineCosts,
  lineCostSplits,
  payableTotal,
  splitByRatios,
  spreadResidual,
} from './allocation.ts'
import { residualCharge } from './bill-totals.ts'
import { ratioOf, tenThousandthsOf } from '../kernel/decimal.ts'
import { centsOf, sumCents, wireOf } from '../kernel/money.ts'

const settings: LedgerSettings = {
  spread_by: 'cost',
  late_fee_ledger_account_id: null,
  prior_balance_ledger_account_id: 900,
  payable_ledger_account_id: 901,
}

function lineOf(charge: string | null, shares: [number, string][] = [[1, '1.0000']], usage: string | null = null) {
  return {
    service_bill_entry_fields: [{ name: 'Utility Charges', value: charge }],
    service_bill_additional_entry_fields: [],
    usage,
    unit_id: 1,
    ledger_shares: shares.map(([ledger_account_id, share_ratio]) => ({ ledger_account_id, share_ratio })),
  }
}

function billOf(some: Partial<LedgerBill> = {}): LedgerBill {
  return {
    balance_forward: '0.00',
    current_charges: '100.00',
    late_fee: null,
    amount_due: '100.00',
    service_bills: [lineOf('100.00')],
    bill_charges: [],
    ...some,
  }
}

describe('share ratios', () => {
  test.each([
    [10_001, ['0.3333', '0.3333', '0.3334'], [3333, 3333, 3335]],
    [1001, ['0.5000', '0.5000'], [501, 500]],
    [-1001, ['0.5000', '0.5000'], [-501, -500]],
    [12_345, ['0.6000', '0.2500', '0.1500'], [7407, 3086, 1852]],
  ])('%d cents over %j are %j', (cents, ratios, parts) => {
    expect(splitByRatios(cents, ratios)).toEqual(parts)
  })
})

describe('account-level charges', () => {
  const lines = [
    { charge: 6000, usage: '10.000', unit_id: 1 },
    { charge: -3000, usage: '30.000', unit_id: 1 },
  ]

  test('they follow the size of the charges, credits included', () => {
    expect(spreadResidual(900, lines)).toEqual([600, 300])
  })

  test('they follow usage where all charges are zero or the client asks for it, and are equal where there is neither', () => {
    expect(
      spreadResidual(
        900,
        lines.map((line) => ({ ...line, charge: 0 })),
      ),
    ).toEqual([225, 675])
    expect(spreadResidual(900, lines, 'usage')).toEqual([225, 675])
    expect(
      spreadResidual(900, [
        { charge: 0, usage: null, unit_id: 1 },
        { charge: 0, usage: '0.000', unit_id: 1 },
      ]),
    ).toEqual([450, 450])
    expect(spreadResidual(900, [])).toEqual([])
  })

  test('usage in unlike units, or in units that nobody knows, weighs nothing: the parts are equal to the cent', () => {
    const unlike = [
      { charge: 0, usage: '5000.000', unit_id: 1 },
      { charge: 0, usage: '12.000', unit_id: 2 },
      { charge: 0, usage: '7.000', unit_id: 2 },
    ]
    expect(spreadResidual(1000, unlike)).toEqual([334, 333, 333])
    expect(spreadResidual(-1000, unlike)).toEqual([-334, -333, -333])
    expect(spreadResidual(1000, unlike, 'usage')).toEqual([334, 333, 333])
    const unknown = lines.map((line) => ({ ...line, charge: 0, unit_id: null }))
    expect(spreadResidual(900, unknown)).toEqual([450, 450])
    const charged = unlike.map((line, place) => ({ ...line, charge: place * 100 }))
    expect(spreadResidual(900, charged, 'usage')).toEqual([0, 300, 600])
  })

  test('the costs of the lines together are the cost of the bill', () => {
    const bill = billOf({ current_charges: '100.00', late_fee: '5.01', service_bills: [lineOf('60.00'), lineOf('30.00')] })
    const costs = lineCosts(bill.service_bills, residualCharge(bill))
    expect(costs).toEqual([7001, 3500])
    expect(lineCostSplits(bill.service_bills, residualCharge(bill))).toEqual([
      { utility: 6000, supply: 0, other: 1001 },
      { utility: 3000, supply: 0, other: 500 },
    ])
  })
})

describe('ledger lines', () => {
  test('a line is split over its shares and the bill is credited once', () => {
    expect(
      ledgerEntries(
        billOf({
          service_bills: [
            lineOf('100.00', [
              [1, '0.3333'],
              [2, '0.3333'],
              [3, '0.3334'],
            ]),
          ],
        }),
        settings,
      ),
    ).toEqual([
      { kind: 'expense', line: 0, ledger_account_id: 1, amount: 3333 },
      { kind: 'expense', line: 0, ledger_account_id: 2, amount: 3333 },
      { kind: 'expense', line: 0, ledger_account_id: 3, amount: 3334 },
      { kind: 'payable', line: null, ledger_account_id: 901, amount: -10_000 },
    ])
  })

  test('an earlier balance goes to its clearing account and never to expense', () => {
    const entries = ledgerEntries(billOf({ balance_forward: '25.00', amount_due: '125.00' }), settings)
    expect(entries.filter((entry) => entry.kind === 'prior_balance')).toEqual([
      { kind: 'prior_balance', line: null, ledger_account_id: 900, amount: 2500 },
    ])
    expect(sumCents(entries.filter((entry) => entry.kind === 'expense').map((entry) => entry.amount))).toBe(10_000)
  })

  test('a late fee goes to its own account where the client set one, else over the lines', () => {
    const bill = billOf({ late_fee: '5.00', amount_due: '105.00' })
    expect(
      ledgerEntries(bill, { ...settings, late_fee_ledger_account_id: 77 }).map((entry) => [
        entry.kind,
        entry.ledger_account_id,
        entry.amount,
      ]),
    ).toEqual([
      ['expense', 1, 10_000],
      ['late_fee', 77, 500],
      ['payable', 901, -10_500],
    ])
    expect(ledgerEntries(bill, settings).map((entry) => [entry.kind, entry.amount])).toEqual([
      ['expense', 10_500],
      ['payable', -10_500],
    ])
  })

  test('a header that does not add up is cleared and not expensed', () => {
    const entries = ledgerEntries(billOf({ amount_due: '103.00' }), settings)
    expect(entries).toContainEqual({ kind: 'prior_balance', line: null, ledger_account_id: 900, amount: 300 })
  })

  test('what has no ledger account is booked on none, also a bill without lines', () => {
    expect(ledgerEntries(billOf({ service_bills: [lineOf('100.00', [])] }), settings)[0]).toEqual({
      kind: 'expense',
      line: 0,
      ledger_account_id: null,
      amount: 10_000,
    })
    expect(ledgerEntries(billOf({ service_bills: [] }), settings)[0]).toEqual({
      kind: 'expense',
      line: null,
      ledger_account_id: null,
      amount: 10_000,
    })
  })

  test('a credit bill mirrors the charge', () => {
    const charge = ledgerEntries(
      billOf({
        current_charges: '10.01',
        amount_due: '10.01',
        service_bills: [
          lineOf('10.01', [
            [1, '0.5'],
            [2, '0.5'],
          ]),
        ],
      }),
      settings,
    )
    const credit = ledgerEntries(
      billOf({
        current_charges: '-10.01',
        amount_due: '-10.01',
        service_bills: [
          lineOf('-10.01', [
            [1, '0.5'],
            [2, '0.5'],
          ]),
        ],
      }),
      settings,
    )
    expect(credit.map((entry) => entry.amount)).toEqual(charge.map((entry) => -entry.amount))
  })

  const wires = fc.integer({ min: -999_999_999, max: 999_999_999 }).map(wireOf)
  const shares = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 0, maxLength: 49 }).map((cuts) => {
    const last = 10_000 - cuts.reduce((sum, cut) => sum + cut, 0)
    return [...cuts, last].map((share, place): [number, string] => [place + 1, ratioOf(share)])
  })
  const bills = fc.record({
    balance_forward: wires,
    current_charges: wires,
    late_fee: fc.option(wires),
    amount_due: wires,
    service_bills: fc.array(
      fc
        .tuple(fc.option(wires), shares, fc.option(fc.nat(99_999).map(String)))
        .map(([charge, ratios, usage]) => lineOf(charge, ratios, usage)),
      { maxLength: 6 },
    ),
    bill_charges: fc.constant([]),
  })

  test('all lines of any bill sum to zero, and all but the payable sum to the amount due', () => {
    fc.assert(
      fc.property(bills, fc.constantFrom('cost', 'usage'), fc.option(fc.constant(77)), (bill, spread_by, late_fee_ledger_account_id) => {
        const entries = ledgerEntries(bill, { ...settings, spread_by, late_fee_ledger_account_id })
        expect(sumCents(entries.map((entry) => entry.amount))).toBe(0)
        expect(wireOf(payableTotal(entries))).toBe(bill.amount_due)
        expect(entries.filter((entry) => entry.kind === 'payable')).toHaveLength(1)
      }),
      { numRuns: propertyRuns },
    )
  })

  test('no line is further than a cent from its true share, its sign is that of its charge, and the order of the services does not matter', () => {
    fc.assert(
      fc.property(wires, shares, (charge, ratios) => {
        const booked = (own: readonly [number, string][]) =>
          ledgerEntries(
            billOf({ current_charges: charge, amount_due: charge, service_bills: [lineOf(charge, [...own])] }),
            settings,
          ).filter(({ kind }) => kind === 'expense')
        const cents = centsOf(charge)
        const faults = booked(ratios).filter(({ ledger_account_id, amount }) => {
          const ratio = tenThousandthsOf(ratios.find(([id]) => id === ledger_account_id)?.[1] ?? '0')
          // In ten-thousandths of a cent, so that the true share is a whole number.
          const off = BigInt(amount) * 10_000n - BigInt(cents) * BigInt(ratio)
          return off >= 10_000n || off <= -10_000n || Math.sign(amount) !== Math.sign(cents)
        })
        expect(faults).toEqual([])
      }),
      { numRuns: propertyRuns },
    )
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 2, maxLength: 6 }), wires, (charges, residual) => {
        // Where two lines have equal weights, the earlier one takes the remaining cent. Totals of such lines are compared.
        const booked = (own: readonly number[]) => {
          const costs = lineCosts(
            own.map((cents) => lineOf(wireOf(cents))),
            centsOf(residual),
          )
          return own.map((cents, place): [number, number] => [cents, costs[place] ?? 0]).toSorted(([a, b], [c, d]) => a - c || b - d)
        }
        expect(booked(charges.toReversed())).toEqual(booked(charges))
      }),
      { numRuns: propertyRuns },
    )
  })
})
