import { expect, test } from 'vitest'
import type { ConfirmedReading } from '#contract/bill-reading/bill-reading.ts'
import { pageOf, type Text } from '../../../test/reading/page-words.ts'
import { learnedOf, type LayoutRule } from './layout-rules.ts'
import { readWords, type DraftReading } from './read-words.ts'
import { teach } from './teach-layout.ts'

/** Returns the rules of a layout after one confirmed bill. */
function rulesAfter(texts: readonly Text[], confirmed: Omit<ConfirmedReading, 'vendor_id'>): LayoutRule[] {
  return teach(pageOf(texts), { vendor_id: 1, ...confirmed }, []).votes.map(({ isRight, ...rule }) => ({
    ...rule,
    confirmed: isRight ? 1 : 0,
    corrected: isRight ? 0 : 1,
  }))
}

const read = (texts: readonly Text[], rules: readonly LayoutRule[] = []): DraftReading => readWords(pageOf(texts), learnedOf(rules))
const headsOf = ({ fields }: DraftReading): Record<string, string> => Object.fromEntries(fields.map(({ field, value }) => [field, value]))
const metersOf = ({ meters }: DraftReading): Record<string, string>[] =>
  meters.map((meter) => Object.fromEntries([...meter].map(([field, { value }]) => [field, value])))

const head = (date: string): Text[] => [
  [40, 40, 'Bill Date'],
  [200, 40, date],
]

const sentences = (date: string, number: string, days: readonly [string, string], readings: readonly [string, string]): Text[] => [
  ...head(date),
  [40, 80, `Service by meter ${number} since ${days[0]} when it stood at`],
  [40, 94, `the dial of ${readings[0]} units was read again on ${days[1]} with ${readings[1]} units`],
]

test('meters in sentences are read after one confirmed bill, the days without a year too', () => {
  const first = sentences('02/15/2024', '4471190', ['Jan 12', 'Feb 10'], ['10,450', '10,487'])
  const second = sentences('03/15/2024', '9008812', ['Feb 10', 'Mar 11'], ['10,487', '11,020'])
  expect(metersOf(read(second))[0]?.['meter_reading']).toBeUndefined()
  const meter = {
    meter_number: '4471190',
    previous_read_date: '2024-01-12',
    read_date: '2024-02-10',
    previous_reading: '10450',
    meter_reading: '10487',
  }
  const rules = rulesAfter(first, { values: { date: '2024-02-15' }, meters: [meter] })
  expect(metersOf(read(second, rules))).toMatchObject([
    {
      meter_number: '9008812',
      previous_read_date: '2024-02-10',
      read_date: '2024-03-11',
      previous_reading: '10487',
      meter_reading: '11020',
    },
  ])
  expect(rules.map((rule) => rule.phrase).join(' ')).not.toMatch(/\d/)
})

const rowsOf = (date: string, rows: readonly (readonly [string, string, string])[]): Text[] => [
  ...head(date),
  ...rows.map(([number, usage, amount], place): Text => [40, 80 + place * 14, `Point ${number} counted ${usage} so it is ${amount}`]),
]

test('each of several meters gets its own figures of the sentences that were learned', () => {
  const meters = [
    { meter_number: '4471190', usage: '310', utility_charges: '45.10' },
    { meter_number: '4471191', usage: '52', utility_charges: '9.99' },
  ]
  const rules = rulesAfter(
    rowsOf(
      '02/15/2024',
      meters.map((meter) => [meter.meter_number, meter.usage, meter.utility_charges]),
    ),
    { values: { date: '2024-02-15' }, meters },
  )
  const second = rowsOf('03/15/2024', [
    ['4471190', '287', '41.00'],
    ['4471191', '61', '11.70'],
  ])
  expect(metersOf(read(second, rules))).toMatchObject([
    { meter_number: '4471190', usage: '287', utility_charges: '41.00' },
    { meter_number: '4471191', usage: '61', utility_charges: '11.70' },
  ])
})

test('a value under which its words stand, and one without any words, are read after one confirmed bill', () => {
  const bill = (date: string, due: string, account: string): Text[] => [
    ...head(date),
    [400, 40, due],
    [400, 54, 'Send before'],
    [520 - account.length * 5, 120, account],
  ]
  const rules = rulesAfter(bill('02/15/2024', '03/08/2024', '771-20'), {
    values: { date: '2024-02-15', due_date: '2024-03-08', account_number: '771-20' },
    meters: [],
  })
  expect(headsOf(read(bill('03/15/2024', '04/05/2024', '99120-471-20')))['account_number']).toBeUndefined()
  // The number ends at the same position as before, though it begins elsewhere.
  expect(headsOf(read(bill('03/15/2024', '04/05/2024', '99120-471-20'), rules))).toMatchObject({
    due_date: '2024-04-05',
    account_number: '99120-471-20',
  })
})

test('a label that led elsewhere once gives way to what was learned, and still serves where nothing else is found', () => {
  const bill = (date: string, shown: string, own: string): Text[] => [
    ...head(date),
    [40, 60, 'Account Number'],
    [200, 60, shown],
    [40, 80, 'Premise reference'],
    [200, 80, own],
  ]
  const rules = rulesAfter(bill('02/15/2024', '5550-11', '771-200'), {
    values: { date: '2024-02-15', account_number: '771-200' },
    meters: [],
  })
  expect(headsOf(read(bill('03/15/2024', '6660-22', '881-300'), rules))['account_number']).toBe('881-300')
  expect(headsOf(read(bill('03/15/2024', '6660-22', '').slice(0, 4), rules))['account_number']).toBe('6660-22')
})

/** Two columns of figures under headings of two lines. */
const columnsOf = (date: string, rows: readonly (readonly [string, string, string])[]): Text[] => [
  ...head(date),
  [200, 80, 'Counted'],
  [200, 92, 'quantity'],
  [300, 80, 'Price'],
  [300, 92, 'for this'],
  ...rows.flatMap(([name, usage, amount], place): Text[] => [
    [40, 110 + place * 14, name],
    [200, 110 + place * 14, usage],
    [300, 110 + place * 14, amount],
  ]),
]

test('a column under a heading that nobody knew is read row by row after one confirmed bill', () => {
  const rules = rulesAfter(
    columnsOf('02/15/2024', [
      ['Water', '310', '45.10'],
      ['Irrigation', '52', '9.99'],
    ]),
    {
      values: { date: '2024-02-15' },
      meters: [
        { usage: '310', utility_charges: '45.10' },
        { usage: '52', utility_charges: '9.99' },
      ],
    },
  )
  const second = columnsOf('03/15/2024', [
    ['Water', '287', '41.00'],
    ['Irrigation', '61', '11.70'],
  ])
  expect(metersOf(read(second))).toEqual([])
  expect(metersOf(read(second, rules))).toMatchObject([
    { usage: '287', utility_charges: '41.00' },
    { usage: '61', utility_charges: '11.70' },
  ])
})

test('days that hang together without a year are told apart after one confirmed bill', () => {
  const bill = (date: string, days: string, other: string): Text[] => [
    ...head(date),
    [40, 80, 'Meter Number: 4471190'],
    [40, 94, 'Usage: 37 kWh'],
    [40, 120, `Schedule ${days}`],
    [40, 200, `Plan year ${other}`],
  ]
  const rules = rulesAfter(bill('02/15/2024', '01/12-02/10', '01/31-02/28'), {
    values: { date: '2024-02-15' },
    meters: [{ meter_number: '4471190', usage: '37', previous_read_date: '2024-01-12', read_date: '2024-02-10' }],
  })
  expect(metersOf(read(bill('03/15/2024', '02/10-03/11', '01/31-02/28')))[0]?.['read_date']).toBeUndefined()
  expect(metersOf(read(bill('03/15/2024', '02/10-03/11', '01/31-02/28'), rules))).toMatchObject([
    { previous_read_date: '2024-02-10', read_date: '2024-03-11' },
  ])
})

test('words that lead to a day and to an amount lead to both, though a bill confirmed one of them', () => {
  const bill = (date: string, due: string, amount: string): Text[] => [...head(date), [40, 100, `Amount due by ${due}`], [40, 114, amount]]
  const rules = rulesAfter(bill('02/15/2024', '03/08/2024', '$45.10'), {
    values: { date: '2024-02-15', due_date: '2024-03-08', amount_due: '45.10' },
    meters: [],
  })
  expect(headsOf(read(bill('03/15/2024', '04/05/2024', '$61.70'), rules))).toMatchObject({ due_date: '2024-04-05', amount_due: '61.70' })
})

test('a line of the generation is the utility’s own after a bill was saved without a supply', () => {
  const bill = (date: string, generation: string, whole: string): Text[] => [
    ...head(date),
    [40, 80, 'Meter Number: 4471190'],
    [40, 94, 'Usage: 37 kWh'],
    [40, 120, 'Generation'],
    [300, 120, generation],
    [40, 134, 'Transmission'],
    [300, 134, '20.00'],
    [40, 148, 'Total Current Charges'],
    [300, 148, whole],
  ]
  expect(metersOf(read(bill('03/15/2024', '41.70', '61.70')))).toMatchObject([{ utility_charges: '20.00', supply_charges: '41.70' }])
  const rules = rulesAfter(bill('02/15/2024', '25.10', '45.10'), {
    values: { date: '2024-02-15', current_charges: '45.10' },
    meters: [{ meter_number: '4471190', usage: '37', utility_charges: '45.10' }],
  })
  const [meter] = metersOf(read(bill('03/15/2024', '41.70', '61.70'), rules))
  expect([meter?.['utility_charges'], meter?.['supply_charges']]).toEqual(['61.70', undefined])
})
