import { expect, test } from 'vitest'
import { pageOf, type Text } from '../../../test/reading/page-words.ts'
import { readWords } from './read-words.ts'

const headsOf = (texts: readonly Text[]): Record<string, string> =>
  Object.fromEntries(readWords(pageOf(texts)).fields.map(({ field, value }) => [field, value]))
const metersOf = (texts: readonly Text[]): Record<string, string>[] =>
  readWords(pageOf(texts)).meters.map((meter) => Object.fromEntries([...meter].map(([field, { value }]) => [field, value])))

const head: readonly Text[] = [
  [40, 40, 'Bill Date'],
  [200, 40, '01/20/2024'],
]

test('large figures above their words are read', () => {
  const texts: Text[] = [
    ...head,
    [40, 100, '$1,204.55'],
    [40, 114, 'Total Amount Due'],
    [300, 100, 'Feb 8, 2024'],
    [300, 114, 'Payment Due By'],
  ]
  expect(headsOf(texts)).toMatchObject({ amount_due: '1204.55', due_date: '2024-02-08' })
})

test('a day without a year gets the year that brings it nearest to the date of the bill', () => {
  expect(headsOf([...head, [40, 100, 'Total Amount Due Feb 08'], [300, 100, '$45.10']])).toMatchObject({
    due_date: '2024-02-08',
    amount_due: '45.10',
  })
  const meter: Text[] = [
    [40, 80, 'Meter 4471190, 31 days'],
    [40, 94, 'Read on Jan 18: 12,345'],
    [40, 108, 'Read on Dec 18: 12,001'],
    [40, 122, 'You used 344 kWh'],
  ]
  expect(metersOf([...head, ...meter])).toMatchObject([
    {
      meter_number: '4471190',
      previous_read_date: '2023-12-18',
      read_date: '2024-01-18',
      previous_reading: '12001',
      meter_reading: '12345',
      usage: '344',
      unit: 'kWh',
    },
  ])
})

test('a row of readings is a meter although its number and its days stand elsewhere', () => {
  const row: Text[] = [
    [40, 80, 'Current Reading'],
    [160, 80, 'Previous Reading'],
    [280, 80, 'Usage'],
    [40, 94, '12,345'],
    [160, 94, '12,001'],
    [280, 94, '344'],
    [40, 120, 'Meter Number: 4471190'],
  ]
  const days: Text = [40, 150, '12/18/23 - 01/18/24 (31 days)']
  expect(metersOf([...head, ...row, days])).toMatchObject([
    { meter_number: '4471190', previous_read_date: '2023-12-18', read_date: '2024-01-18', previous_reading: '12001', usage: '344' },
  ])
  // The document has two periods, and it is unknown which one is the meter's.
  expect(metersOf([...head, ...row, days, [40, 170, '11/18/23 - 12/18/23']])[0]?.['read_date']).toBeUndefined()
})

test('a unit that stands apart from its usage is taken where the bill prints no other', () => {
  const meter: Text[] = [
    ...head,
    [40, 80, 'Meter Number: 4471190'],
    [40, 94, 'Present Reading: 10487'],
    [40, 108, 'Previous Reading: 10450'],
    [40, 122, 'Usage: 37'],
  ]
  expect(metersOf([...meter, [40, 300, 'Rates are per therm']])[0]?.['unit']).toBe('therm')
  expect(metersOf([...meter, [40, 300, 'Rates are per therm or kWh']])[0]?.['unit']).toBeUndefined()
})

test('a figure of the next column is not the value of a label that has none', () => {
  const texts: Text[] = [
    ...head,
    [40, 80, 'Meter Number: 4471190'],
    [40, 94, 'Billable Usage'],
    [327, 94, 'Transmission'],
    [540, 94, '30.67'],
    [40, 108, 'Total kWh'],
    [150, 108, '1890'],
  ]
  expect(metersOf(texts)).toMatchObject([{ meter_number: '4471190', usage: '1890' }])
})
