import { afterAll, expect, test } from 'vitest'
import { paper } from '../../../test/reading/paper.ts'
import { readDocument, stopReading } from './bill-reading.ts'
import { readWords } from './read-words.ts'

afterAll(stopReading)

type Meter = readonly [number: string, previous: string, present: string, usage: string]
const meters: readonly Meter[] = [
  ['E-7710042', '10450', '10487', '37'],
  ['E-7710099', '20100', '20160', '60'],
]
const titles = ['Meter Number', 'From', 'To', 'Previous', 'Present', 'Usage'] as const

/** One row of headings and a row for each meter, with the columns of `more` at the end; `lines` follow below, as text and amount. */
async function chargesOf(
  more: Readonly<Record<string, readonly string[]>>,
  lines: readonly (readonly [string, string])[],
  count = 1,
): Promise<{ supply: string | undefined; utility: string | undefined }[]> {
  const sheet = paper()
  const at = (column: number): number => 30 + column * 62
  for (const [place, title] of [...titles, ...Object.keys(more)].entries()) sheet.text(at(place), 100, title, { size: 8 })
  for (const [place, [number, previous, present, usage]] of meters.slice(0, count).entries()) {
    const cells = [
      number,
      '01/29/2025',
      '02/27/2025',
      previous,
      present,
      usage,
      ...Object.values(more).map((column) => column[place] ?? ''),
    ]
    for (const [column, cell] of cells.entries()) sheet.text(at(column), 116 + place * 14, cell, { size: 8 })
  }
  for (const [place, [label, amount]] of lines.entries()) {
    sheet.text(40, 240 + place * 16, label)
    if (amount !== '') sheet.text(400, 240 + place * 16, amount, { align: 'right' })
  }
  const read = readWords(await readDocument(await sheet.finish())).meters
  return read.map((meter) => ({ supply: meter.get('supply_charges')?.value, utility: meter.get('utility_charges')?.value }))
}

test('columns of supply and delivery are told apart, and their sum is neither', async () => {
  const table = { Delivery: ['$12.50', '$20.00'], Supply: ['$30.10', '$41.00'], Total: ['$42.60', '$61.00'] }
  expect(await chargesOf(table, [['Current Charges', '$103.60']], 2)).toEqual([
    { supply: '30.10', utility: '12.50' },
    { supply: '41.00', utility: '20.00' },
  ])
})

test('energy is a supply only in a column beside that of the delivery', async () => {
  const both = { 'Energy Cost': ['$30.10'], 'Delivery Cost': ['$12.50'] }
  expect(await chargesOf(both, [['Current Charges', '$42.60']])).toEqual([{ supply: '30.10', utility: '12.50' }])
  expect(await chargesOf({ 'Energy Cost': ['$42.60'] }, [['Current Charges', '$42.60']])).toEqual([{ supply: undefined, utility: '42.60' }])
})

test('lines of supply and delivery are told apart, under the number of each meter too', async () => {
  const lines = [
    ['Delivery charges', '$12.50'],
    ['Generation charges', '$30.10'],
    ['Current Charges', '$42.60'],
  ] as const
  expect(await chargesOf({}, lines)).toEqual([{ supply: '30.10', utility: '12.50' }])
  const sections = [
    ['Meter E-7710042', ''],
    ['Total electric delivery', '$12.50'],
    ['Total electric supply', '$30.10'],
    ['Meter E-7710099', ''],
    ['Total electric delivery', '$20.00'],
    ['Total electric supply', '$41.00'],
    ['Current Charges', '$103.60'],
  ] as const
  expect(await chargesOf({}, sections, 2)).toEqual([
    { supply: '30.10', utility: '12.50' },
    { supply: '41.00', utility: '20.00' },
  ])
})

test('what else a bill charges stays with the utility, and a line of energy among others is no supply', async () => {
  const taxed = [
    ['Delivery charges', '$12.50'],
    ['Supply charges', '$30.10'],
    ['City tax', '$2.00'],
    ['Current Charges', '$44.60'],
  ] as const
  expect(await chargesOf({}, taxed)).toEqual([{ supply: '30.10', utility: '14.50' }])
  const tariff = [
    ['Customer charge', '$5.00'],
    ['Energy charge', '$30.10'],
    ['Delivery charge', '$7.50'],
    ['Current Charges', '$42.60'],
  ] as const
  expect(await chargesOf({}, tariff)).toEqual([{ supply: undefined, utility: '42.60' }])
})
