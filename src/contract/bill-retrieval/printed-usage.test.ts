import { expect, test } from 'vitest'
import { highestDemand, unitSymbol, usagePeriods, type PrintedUsage } from './printed-usage.ts'

const interval = { start: '2026-02-01', end: '2026-03-02' }
const row = (
  kind: string | null,
  component: string | null,
  amount: string,
  unit = 'kWh',
  period: { start: string; end: string } = interval,
): PrintedUsage => ({ kind, component, unit, amount, ...period })
const usageOf = (rows: readonly PrintedUsage[], billed: readonly string[] = []): (string | null)[] =>
  usagePeriods(rows, interval, billed).map((period) => period.usage)

test('the total counts, peaks, demand and reactive power beside it do not', () => {
  const rows = [
    row('general_consumption', '[total]', '300'),
    row('general_consumption', '[on_peak]', '100'),
    row('demand', '[max_peak]', '50', 'kW'),
    row('reactive_consumption', '[total]', '70', 'kVARH'),
  ]
  expect(usageOf(rows)).toEqual(['300'])
})

test('without a total the components in one unit add up', () => {
  expect(
    usageOf([
      row('general_consumption', '[on_peak]', '100'),
      row('general_consumption', '[off_peak]', '55.5'),
      row('general_consumption', '[off_peak]', '9', 'MWh'),
    ]),
  ).toEqual(['155.5'])
})

test('a total without a kind counts, unless it is reactive; a peak without a kind never does', () => {
  expect(usageOf([row(null, '[total]', '80'), row(null, '[total]', '20', 'kVARH'), row(null, '[max_peak]', '5')])).toEqual(['80'])
})

test('a row without a component is the sum of those beside it', () => {
  expect(
    usageOf([
      row('general_consumption', null, '30'),
      row('general_consumption', '[on_peak]', '10'),
      row('general_consumption', '[off_peak]', '20'),
    ]),
  ).toEqual(['30'])
})

test('registers add up, a repeated row counts once where the charges bill the single amount', () => {
  const total = (amount: string) => row('general_consumption', '[total]', amount)
  expect(usageOf([total('6'), total('74')])).toEqual(['80'])
  expect(usageOf([total('5'), total('5')], ['10'])).toEqual(['10'])
  expect(usageOf([total('5'), total('5')], ['5'])).toEqual(['5'])
})

test('of two totals, one that the components add up to holds the other', () => {
  const rows = [
    row('general_consumption', '[total]', '40'),
    row('general_consumption', '[total]', '100'),
    row('general_consumption', '[on_peak]', '40'),
    row('general_consumption', '[off_peak]', '60'),
  ]
  expect(usageOf(rows)).toEqual(['100'])
})

test('two periods in one meter are two entries that meet at one read', () => {
  const first = row('general_consumption', '[total]', '3', 'HCF', { start: '2026-02-02', end: '2026-02-15' })
  const second = row('general_consumption', '[total]', '4', 'HCF', { start: '2026-02-16', end: '2026-03-02' })
  expect(usagePeriods([second, first], interval, [])).toEqual([
    { previous_read_date: '2026-02-01', read_date: '2026-02-15', usage: '3', unit: 'CCF' },
    { previous_read_date: '2026-02-15', read_date: '2026-03-02', usage: '4', unit: 'CCF' },
  ])
})

test('the total of the whole interval stays one entry, whatever periods its peaks have', () => {
  const rows = [
    row('general_consumption', '[total]', '100'),
    row('demand', '[max_peak]', '9', 'kW', { start: '2026-02-10', end: '2026-02-10' }),
  ]
  expect(usagePeriods(rows, interval, [])).toEqual([
    { previous_read_date: '2026-02-01', read_date: '2026-03-02', usage: '100', unit: 'kWh' },
  ])
})

test('no consumption is no usage, not zero', () => {
  expect(usageOf([])).toEqual([null])
  expect(usageOf([row('demand', '[max_peak]', '9', 'kW')])).toEqual([null])
})

test('the highest peak in kW is the demand', () => {
  expect(
    highestDemand([
      row('demand', '[on_peak]', '9.5', 'kW'),
      row('demand', '[off_peak]', '10', 'kW'),
      row('demand', '[max_peak]', '99', 'ccf'),
    ]),
  ).toBe('10')
  expect(highestDemand([])).toBeNull()
})

test.each([
  ['ccf', 'CCF'],
  ['HCF', 'CCF'],
  ['TGAL', 'kgal'],
  ['gallons', 'gal'],
  ['therms', 'therm'],
  ['kVARH', 'kVARh'],
  ['kVAr', 'kVAR'],
  ['Undefined', null],
  ['furlong', 'furlong'],
])('the unit %s is %s', (printed, symbol) => {
  expect(unitSymbol(printed)).toBe(symbol)
})
