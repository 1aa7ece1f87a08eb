import { describe, expect, test } from 'vitest'
import { accrue, actualCost, type AccrualLine } from './accrual.ts'

const line = (from: string, to: string, cost: number, usage: string | null = null, more: Partial<AccrualLine> = {}): AccrualLine => ({
  from,
  to,
  bill_date: to,
  charges: [cost],
  usage,
  outlier: false,
  ...more,
})

describe('an accrual', () => {
  test.each(['seasonal', 'last_bill', 'trailing'] as const)('takes a bill and its correction as one line, by %s', (method) => {
    const bill = line('2025-09-01', '2025-10-02', 31_000, '310')
    const correction = line('2025-09-01', '2025-10-02', -3_100, '-31', { outlier: true })
    expect(accrue([bill, correction], '2025-10-31', method)).toMatchObject({ days: 30, cost: 27_000, usage: '270.000' })
  })

  test.each(['seasonal', 'last_bill', 'trailing'] as const)(
    'counts the last day of a vendor that prints first and last days, by %s',
    (method) => {
      const lines = [line('2025-08-01', '2025-08-31', 31_000, '31'), line('2025-09-01', '2025-09-30', 30_000, '30')]
      expect(accrue(lines, '2025-10-31', method)).toMatchObject({ from: '2025-10-01', days: 31, cost: 31_000 })
      expect(actualCost(lines, '2025-09-01', '2025-10-01')).toBe(30_000)
    },
  )

  test('is compared with what the monthly facts have of the same days: each kind of charge is spread by itself', () => {
    const lines = [line('2025-09-01', '2025-11-01', 20_002, null, { charges: [10_001, 10_001, 0] })]
    // 30 of 61 days are 49.185 of each, and 98.37 of both.
    expect(actualCost(lines, '2025-09-01', '2025-10-01')).toBe(9_838)
    expect(actualCost(lines, '2025-10-01', '2025-11-01')).toBe(10_164)
  })

  test('keeps to the days on which the meter is in use', () => {
    const last = line('2025-08-01', '2025-10-01', 61_000)
    expect(accrue([last], '2025-10-31', 'last_bill', { from: null, to: '2025-10-15' })).toMatchObject({ days: 15, cost: 15_000 })
    expect(accrue([last], '2025-10-31', 'last_bill', { from: '2025-10-22', to: null })).toMatchObject({ days: 10, cost: 10_000 })
    expect(accrue([last], '2025-10-31', 'last_bill', { from: null, to: '2025-09-30' })).toBeNull()
  })

  test('by the last twelve months divides by days that are covered, each counted once', () => {
    const lines = [line('2025-09-01', '2025-09-21', 20_000), line('2025-09-11', '2025-10-01', 10_000)]
    expect(accrue(lines, '2025-10-10', 'trailing')).toMatchObject({ days: 10, cost: 10_000 })
  })

  test('takes the cost of a day from the last bill: 31 days of 310.00 leave 150.00 for 15 days of April and 310.00 for May', () => {
    const last = line('2026-03-16', '2026-04-16', 31_000)
    expect(accrue([last], '2026-04-30', 'last_bill')).toMatchObject({
      from: '2026-04-16',
      until: '2026-05-01',
      days: 15,
      cost: 15_000,
      how: 'last_cost',
    })
    expect(accrue([{ ...last, to: '2026-05-01', from: '2026-03-31' }], '2026-05-31', 'last_bill')).toMatchObject({ days: 31, cost: 31_000 })
  })

  test('goes by the same months of up to three earlier years at the last unit cost', () => {
    const lines = [
      line('2023-04-01', '2023-05-01', 30_000, '3000'),
      line('2024-04-01', '2024-05-01', 30_000, '6000'),
      line('2021-04-01', '2021-05-01', 30_000, '90000'),
      line('2025-03-01', '2025-04-01', 6_200, '310'),
    ]
    // 100 and 200 a day in April of 2023 and 2024; four years ago is too old; the last unit cost is 0.20.
    expect(accrue(lines, '2025-04-30', 'seasonal')).toMatchObject({
      days: 30,
      usage: '4500.000',
      unit_cost: '0.200000',
      cost: 90_000,
      how: 'seasonal',
      confidence: 'high',
    })
  })

  test('goes by the usage of the last line where no earlier year has the month, and by its cost where nothing is used', () => {
    expect(accrue([line('2025-03-01', '2025-04-01', 6_200, '310')], '2025-04-10', 'seasonal')).toMatchObject({
      usage: '100.000',
      cost: 2_000,
      how: 'last_usage',
      confidence: 'low',
    })
    expect(accrue([line('2025-03-01', '2025-04-01', 6_200, '0')], '2025-04-10', 'seasonal')).toMatchObject({
      cost: 2_000,
      how: 'last_cost',
    })
    expect(accrue([line('2025-03-01', '2025-04-01', 6_200)], '2025-04-10', 'seasonal')).toMatchObject({
      usage: null,
      cost: 2_000,
      how: 'last_cost',
    })
  })

  test('leaves what the audits find unusual out of averages', () => {
    const lines = [
      line('2024-04-01', '2024-05-01', 30_000, '3000'),
      line('2023-04-01', '2023-05-01', 30_000, '30000', { outlier: true }),
      line('2025-03-01', '2025-04-01', 6_200, '310'),
    ]
    expect(accrue(lines, '2025-04-30', 'seasonal')?.usage).toBe('3000.000')
  })

  test('averages the last twelve months by day', () => {
    const lines = [
      line('2025-01-01', '2025-02-01', 3_100, '31'),
      line('2025-02-01', '2025-03-01', 5_600, '56'),
      line('2022-01-01', '2022-02-01', 99_999, '9'),
    ]
    // 59 days, 87.00 and 87 units.
    expect(accrue(lines, '2025-03-31', 'trailing')).toMatchObject({ days: 31, cost: 4_571, usage: '45.712', how: 'trailing' })
  })

  test('is nothing where all is billed, or nothing ever was', () => {
    expect(accrue([line('2025-03-01', '2025-04-01', 100)], '2025-03-31', 'seasonal')).toBeNull()
    expect(accrue([], '2025-03-31', 'seasonal')).toBeNull()
  })

  test('is credit where the last bill was', () =>
    expect(accrue([line('2025-03-01', '2025-04-01', -3_100)], '2025-04-10', 'last_bill')?.cost).toBe(-1_000))
})

describe('the actual cost of a window', () => {
  const lines = [line('2025-03-01', '2025-04-01', 3_101), line('2025-04-01', '2025-05-01', 3_000)]
  test('is what the lines say of its days', () => expect(actualCost(lines, '2025-03-31', '2025-04-11')).toBe(100 + 1_000))
  test('is not known while some of its days are not billed', () => expect(actualCost(lines, '2025-04-20', '2025-05-02')).toBeNull())
})
