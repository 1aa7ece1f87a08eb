/** The worked examples of ledger lines as whole bills, and what holds of the lines of any bill. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { ratioOf, tenThousandthsOf } from '../kernel/decimal.ts'
import { centsOf, sumCents, wireOf } from '../kernel/money.ts'
import { type LedgerBill, type LedgerEntry, ledgerEntries, type LedgerLine, type LedgerSettings } from './allocation.ts'

const settings: LedgerSettings = {
  spread_by: 'cost',
  late_fee_ledger_account_id: null,
  prior_balance_ledger_account_id: 900,
  payable_ledger_account_id: 901,
}
/** The accounts of the service at place 2 are 200, 201 and so on. */
const accountOf = (service: number, share: number): number => service * 100 + share

function lineOf(service: number, charge: string | null, ratios: readonly string[] = ['1.0000'], usage: string | null = null): LedgerLine {
  return {
    service_bill_entry_fields: [{ name: 'Utility Charges', value: charge }],
    service_bill_additional_entry_fields: [],
    usage,
    unit_id: 1,
    ledger_shares: ratios.map((share_ratio, share) => ({ ledger_account_id: accountOf(service, share), share_ratio })),
  }
}

interface Head {
  readonly charges: string
  readonly late_fee?: string
  readonly balance?: string
  readonly due: string
}

const billOf = ({ charges, late_fee, balance, due }: Head, service_bills: readonly LedgerLine[]): LedgerBill => ({
  balance_forward: balance ?? '0.00',
  current_charges: charges,
  late_fee: late_fee ?? null,
  amount_due: due,
  service_bills: [...service_bills],
  bill_charges: [],
})

const amountsOf = (entries: readonly LedgerEntry[], kind: LedgerEntry['kind']): (string | number | null)[][] =>
  entries.filter((entry) => entry.kind === kind).map(({ ledger_account_id, amount }) => [ledger_account_id, wireOf(amount)])

describe('the worked examples', () => {
  test.each([
    ['100.01', ['0.3333', '0.3333', '0.3334'], ['33.33', '33.33', '33.35']],
    ['10.01', ['0.5000', '0.5000'], ['5.01', '5.00']],
    ['-10.01', ['0.5000', '0.5000'], ['-5.01', '-5.00']],
    ['123.45', ['0.6000', '0.2500', '0.1500'], ['74.07', '30.86', '18.52']],
  ])('%s over %j is booked as %j, and owed to the vendor once', (amount, ratios, parts) => {
    const entries = ledgerEntries(billOf({ charges: amount, due: amount }, [lineOf(1, amount, ratios)]), settings)
    expect(amountsOf(entries, 'expense')).toEqual(parts.map((part, share) => [accountOf(1, share), part]))
    expect(amountsOf(entries, 'payable')).toEqual([[901, wireOf(-centsOf(amount))]])
    expect(sumCents(entries.map((entry) => entry.amount))).toBe(0)
  })

  test('the rest of the charges and the late fee follow the charges of the services, and each service follows its shares', () => {
    // 10.00 of account-level charges and 1.00 of late fee over 60.00 and 30.00: 7.33 and 3.67. Then 67.33 over halves.
    const bill = billOf({ charges: '100.00', late_fee: '1.00', due: '101.00' }, [
      lineOf(1, '60.00', ['0.5000', '0.5000']),
      lineOf(2, '30.00'),
    ])
    expect(amountsOf(ledgerEntries(bill, settings), 'expense')).toEqual([
      [100, '33.67'],
      [101, '33.66'],
      [200, '33.67'],
    ])
  })

  test('where no service has a charge the usage decides, and where there is none the parts are equal', () => {
    const head = { charges: '10.00', due: '10.00' }
    const byUsage = billOf(head, [lineOf(1, null, ['1.0000'], '30'), lineOf(2, null, ['1.0000'], '10')])
    expect(amountsOf(ledgerEntries(byUsage, settings), 'expense')).toEqual([
      [100, '7.50'],
      [200, '2.50'],
    ])
    const byNothing = billOf({ charges: '10.01', due: '10.01' }, [lineOf(1, null), lineOf(2, null)])
    expect(amountsOf(ledgerEntries(byNothing, settings), 'expense')).toEqual([
      [100, '5.01'],
      [200, '5.00'],
    ])
  })

  test('a late fee and an earlier balance have accounts of their own: the expense is the charges, and the credit is the amount due', () => {
    const bill = billOf({ charges: '100.00', late_fee: '5.00', balance: '20.00', due: '125.00' }, [lineOf(1, '100.00')])
    const entries = ledgerEntries(bill, { ...settings, late_fee_ledger_account_id: 700 })
    expect(['expense', 'late_fee', 'prior_balance', 'payable'].flatMap((kind) => entries.filter((entry) => entry.kind === kind))).toEqual([
      { kind: 'expense', line: 0, ledger_account_id: 100, amount: 10_000 },
      { kind: 'late_fee', line: null, ledger_account_id: 700, amount: 500 },
      { kind: 'prior_balance', line: null, ledger_account_id: 900, amount: 2_000 },
      { kind: 'payable', line: null, ledger_account_id: 901, amount: -12_500 },
    ])
  })
})

describe('the lines of any bill', () => {
  const ratios = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 49 }).map((cuts) => {
    const last = 10_000 - cuts.reduce((sum, cut) => sum + cut, 0)
    return [...cuts, last].map(ratioOf)
  })
  const cents = fc.integer({ min: -99_999_999, max: 99_999_999 })
  // Two services of equal charges share a remaining cent by their places.
  const services = fc
    .uniqueArray(
      fc.tuple(
        cents.filter((charge) => charge !== 0),
        ratios,
      ),
      { minLength: 1, maxLength: 6, selector: ([charge]) => Math.abs(charge) },
    )
    .chain((own) => fc.tuple(fc.constant(own), fc.shuffledSubarray([...own.keys()], { minLength: own.length })))
  const lateFees = fc.record({ cents: fc.integer({ min: 0, max: 99_999 }), account: fc.constantFrom(null, 700) })

  test('they balance, carry the sign of their service, lie less than a cent from their true share, and do not depend on the order of the services', () => {
    fc.assert(
      fc.property(services, cents, cents, lateFees, ([own, order], charges, balance, fee) => {
        const due = charges + balance + fee.cents
        const head = { charges: wireOf(charges), late_fee: wireOf(fee.cents), balance: wireOf(balance), due: wireOf(due) }
        const lines = own.map(([charge, shares], service) => lineOf(service + 1, wireOf(charge), shares))
        const given: LedgerSettings = { ...settings, late_fee_ledger_account_id: fee.account }
        const entries = ledgerEntries(billOf(head, lines), given)
        expect(sumCents(entries.map(({ amount }) => amount))).toBe(0)
        expect(sumCents(entries.filter(({ kind }) => kind !== 'payable').map(({ amount }) => amount))).toBe(due)
        const total = charges + (fee.account === null ? fee.cents : 0)
        for (const [place, [charge, shares]] of own.entries()) {
          const parts = entries.filter(({ line }) => line === place)
          const cost = sumCents(parts.map(({ amount }) => amount))
          expect(isNear(cost, trueCost(charge, own, total))).toBe(true)
          for (const { amount, ledger_account_id } of parts) {
            const ratio = tenThousandthsOf(shares[(ledger_account_id ?? 0) - accountOf(place + 1, 0)] ?? '0')
            expect(isNear(amount, [BigInt(cost) * BigInt(ratio), 10_000n])).toBe(true)
            expect(Math.sign(amount)).toBe(Math.sign(cost))
          }
        }
        const shuffled = ledgerEntries(
          billOf(
            head,
            order.flatMap((place) => lines.slice(place, place + 1)),
          ),
          given,
        )
        expect(byAccount(shuffled)).toEqual(byAccount(entries))
      }),
      { numRuns: propertyRuns },
    )
  })

  /** The charge of a service with its part of what the services do not charge, as a fraction of cents. */
  function trueCost(charge: number, own: readonly (readonly [number, string[]])[], total: number): [bigint, bigint] {
    const weight = own.reduce((sum, [one]) => sum + BigInt(Math.abs(one)), 0n)
    const rest = BigInt(total) - own.reduce((sum, [one]) => sum + BigInt(one), 0n)
    return [BigInt(charge) * weight + rest * BigInt(Math.abs(charge)), weight]
  }

  /** True if an amount in cents is less than one cent from the fraction. */
  function isNear(amount: number, [above, below]: readonly [bigint, bigint]): boolean {
    const off = BigInt(amount) * below - above
    return off < below && off > -below
  }

  function byAccount(entries: readonly LedgerEntry[]): string[] {
    return entries.map(({ kind, ledger_account_id, amount }) => `${kind} ${ledger_account_id} ${amount}`).toSorted()
  }
})
