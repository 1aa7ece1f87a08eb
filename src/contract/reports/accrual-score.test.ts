import { describe, expect, test } from 'vitest'
import type { AccrualLine } from './accrual.ts'
import {
  bestMethod,
  biasPercent,
  errorPercent,
  lastBillHidden,
  methodSums,
  monthEndsBefore,
  scoreAccrual,
  type MethodSum,
} from './accrual-score.ts'

const line = (from: string, to: string, cost: number, bill_date = to): AccrualLine => ({
  from,
  to,
  bill_date,
  charges: [cost],
  usage: null,
  outlier: false,
})
const march = line('2026-03-01', '2026-04-01', 31_000)
const april = line('2026-04-01', '2026-05-01', 33_000)
const endOfApril = { after: '2026-04-30', to: '2026-04-30' }

describe('a score', () => {
  test('is what the method accrues from the bills that are not hidden, less what the days have cost: 300.00 for 330.00 is 9.1% too little', () =>
    expect(scoreAccrual([april, march], endOfApril, 'last_bill')).toEqual({
      scored: true,
      accrued: 30_000,
      actual: 33_000,
      error: -3_000,
      percent: '-9.1',
    }))

  test('has no percentage where the days cost nothing', () =>
    expect(scoreAccrual([march, { ...april, charges: [0] }], endOfApril, 'last_bill')).toMatchObject({ error: 30_000, percent: null }))

  test.each([
    ['no_days', [], null],
    ['no_earlier_bill', [april], null],
    ['billed_to_end', [march, { ...april, bill_date: '2026-04-30' }], null],
    ['not_billed_since', [march], 30_000],
    ['not_billed_since', [march, { ...april, to: '2026-04-30' }], 30_000],
  ] as const)('is none, and says %s, whatever the method', (why, lines, accrued) => {
    for (const method of ['seasonal', 'last_bill', 'trailing'] as const)
      expect(scoreAccrual(lines, endOfApril, method)).toEqual({ scored: false, why, accrued })
  })

  test('counts a single day between two bills as billed, because its vendor prints first and last days, and not two days', () => {
    const toDay = (from: string) => scoreAccrual([march, { ...april, from }], endOfApril, 'last_bill')
    // March has 32 days then, of which the last is April 1, and April ends with May 1.
    expect(toDay('2026-04-02')).toMatchObject({ scored: true, actual: 969 + 31_900 })
    expect(toDay('2026-04-03')).toMatchObject({ scored: false, why: 'not_billed_since' })
    const next = line('2026-05-01', '2026-06-01', 31_000)
    expect(scoreAccrual([march, { ...april, to: '2026-04-30' }, next], endOfApril, 'last_bill')).toMatchObject({
      scored: true,
      actual: 33_000,
    })
  })
})

test('the last bill is hidden from its own day on and accrued to its last day', () => {
  expect(lastBillHidden([{ ...april, bill_date: '2026-05-05' }, { ...march, bill_date: '2026-05-05' }, march])).toEqual({
    after: '2026-05-04',
    to: '2026-04-30',
  })
  expect(lastBillHidden([])).toBeNull()
})

test('twelve month ends precede a month', () => {
  const ends = monthEndsBefore('2026-03').map(({ to }) => to)
  expect([ends.length, ends[0], ends.at(-1)]).toEqual([12, '2025-03-31', '2026-02-28'])
})

test('errors add up with their signs in the bias, and without them in the percentage that is weighted by cost', () => {
  const sums = methodSums()
  sums.add('trailing', { scored: true, accrued: 12_000, actual: 10_000, error: 2_000, percent: '20.0' })
  sums.add('trailing', { scored: true, accrued: 28_000, actual: 30_000, error: -2_000, percent: '-6.7' })
  const sum = sums.all().find(({ method }) => method === 'trailing')
  expect(sum).toEqual({ method: 'trailing', scores: 2, accrued: 40_000, actual: 40_000, miss: 4_000, size: 40_000 })
  expect(sum && [errorPercent(sum), biasPercent(sum)]).toEqual(['10.0', '0.0'])
})

describe('the best method', () => {
  const sum = (method: MethodSum['method'], accrued: number, miss: number): MethodSum => ({
    method,
    scores: 1,
    accrued,
    actual: 10_000,
    miss,
    size: 10_000,
  })
  test('has the smallest error, and the reason names the next one', () =>
    expect(bestMethod([sum('seasonal', 10_000, 600), sum('last_bill', 10_400, 410)])).toEqual({
      method: 'last_bill',
      reason: 'Smallest error: 4.1%; Seasonal has 6.0%.',
    }))
  test('has the smallest bias where errors are equal', () =>
    expect(bestMethod([sum('seasonal', 10_600, 600), sum('trailing', 9_900, 600)])?.method).toBe('trailing'))
  test('is none where nothing was compared', () => expect(bestMethod(methodSums().all())).toBeNull())
})
