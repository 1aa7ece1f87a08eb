import { afterAll, expect, test } from 'vitest'
import { closePrinter } from '../../../test/reading/html-sheet.ts'
import { truthOf } from '../../../test/reading/layout.ts'
import { openLayouts } from '../../../test/reading/layouts-new.ts'
import { compareDraft } from '../../../test/reading/measure.ts'
import { pageOf, type Text } from '../../../test/reading/page-words.ts'
import { sampleBill } from '../../../test/reading/sample-bill.ts'
import { openedLayouts } from '../../../test/reading/sheets.ts'
import { readDocument, stopReading } from './bill-reading.ts'
import { helpfulVotes } from './helpful-votes.ts'
import { readWords, type DraftReading } from './read-words.ts'
import { decideSeparators, type KnownMeter } from './separators.ts'
import type { Vote } from './vote.ts'

afterAll(async () => {
  await stopReading()
  await closePrinter()
})

const billsEach = 3

test(
  'of layouts that it has never been taught nine values of ten are right, and none is sure and wrong',
  { timeout: 180_000 },
  async () => {
    const scores: { layout: string; right: number; all: number; sureWrong: number }[] = []
    for (const layout of [...openLayouts, ...openedLayouts])
      for (let seed = 201; seed < 201 + billsEach; seed += 1) {
        const bill = sampleBill(layout.kind, seed)
        const one = compareDraft(truthOf(layout, bill), readWords(await readDocument(await layout.draw(bill))))
        const right = one.scores.filter((score) => score.isRight).length
        scores.push({ layout: layout.name, right, all: one.scores.length, sureWrong: one.sureWrong })
      }
    expect(scores.filter((one) => one.sureWrong > 0)).toEqual([])
    const [right, all] = [scores.reduce((sum, one) => sum + one.right, 0), scores.reduce((sum, one) => sum + one.all, 0)]
    expect(all).toBeGreaterThan(1_000)
    expect(right / all, `${right} of ${all}`).toBeGreaterThan(0.9)
  },
)

const confidenceOf = ({ fields, meters }: DraftReading, name: string): number | undefined =>
  fields.find(({ field }) => field === name)?.confidence ?? [...(meters[0] ?? [])].find(([field]) => field === name)?.[1].confidence

const dates = (billed: string, due: string): Text[] => [
  [40, 40, 'Bill Date'],
  [200, 40, billed],
  [40, 54, 'Due Date'],
  [200, 54, due],
]
const meter: readonly Text[] = [
  [40, 100, 'Meter Number'],
  [140, 100, 'From'],
  [220, 100, 'To'],
  [300, 100, 'Previous'],
  [400, 100, 'Present'],
  [500, 100, 'Usage'],
  [40, 114, '4471190'],
  [140, 114, '02/01/2024'],
  [220, 114, '03/05/2024'],
  [300, 114, '12,001'],
  [400, 114, '12,345'],
  [500, 114, '344 kWh'],
]

test('dates of one bill judge each other: which does not fit the others is not sure, and neither is one that stands alone', () => {
  const sure = readWords(pageOf([...dates('03/10/2024', '03/31/2024'), ...meter]))
  for (const field of ['date', 'due_date', 'previous_read_date', 'read_date'])
    expect(confidenceOf(sure, field), field).toBeGreaterThanOrEqual(0.8)
  const misread = readWords(pageOf([...dates('08/10/2024', '03/31/2024'), ...meter]))
  expect(confidenceOf(misread, 'date')).toBeLessThan(0.5)
  expect(confidenceOf(misread, 'read_date')).toBeLessThan(0.8)
  const alone = readWords(pageOf(dates('08/10/2024', '03/31/2024')))
  expect(confidenceOf(alone, 'date')).toBeLessThan(0.8)
  expect(confidenceOf(alone, 'due_date')).toBeLessThan(0.8)
  expect(confidenceOf(readWords(pageOf(dates('08/10/2024', '').slice(0, 2))), 'date')).toBeLessThan(0.8)
})

test('of a scan the number of an account is sure only where it stands twice, and a date only where its letters are', () => {
  const number: Text[] = [
    [300, 40, 'Account Number'],
    [420, 40, '5550-11'],
  ]
  const scan = (texts: readonly Text[], trust: number): DraftReading => {
    const [page] = pageOf(texts).pages
    const words = (page?.words ?? []).map(([text, x, y, width, height]) => [text, x, y, width, height, trust] as const)
    return readWords({ pages: [{ page: 1, width: 612, height: 792, source: 'ocr', words }] })
  }
  const texts = [...dates('03/10/2024', '03/31/2024'), ...meter, ...number]
  expect(confidenceOf(scan(texts, 0.95), 'account_number')).toBeLessThan(0.8)
  expect(confidenceOf(scan([...texts, [40, 400, 'Send back with 5550-11']], 0.95), 'account_number')).toBeGreaterThanOrEqual(0.8)
  expect(confidenceOf(scan(texts, 0.95), 'date')).toBeGreaterThanOrEqual(0.8)
  expect(confidenceOf(scan(texts, 0.8), 'date')).toBeLessThan(0.8)
})

/** A meter whose commas were recognised as points. */
const pointed = (previous: string, present: string, usage: string): DraftReading =>
  readWords(
    pageOf([...dates('03/10/2024', '03/31/2024'), ...meter.slice(0, 9), [300, 114, previous], [400, 114, present], [500, 114, usage]]),
  )

test('a point before three digits may be a comma: where the sum holds with both, no figure is sure', () => {
  const counted = ['previous_reading', 'meter_reading', 'usage'] as const
  const misread = pointed('42.622', '45.393', '2.771 kWh')
  for (const field of counted) expect(confidenceOf(misread, field), field).toBeLessThan(0.8)
  // 771 has only one meaning, and so have the readings that yield it.
  const told = pointed('42.622', '43.393', '0.771 kWh')
  for (const field of counted) expect(confidenceOf(told, field), field).toBeGreaterThanOrEqual(0.8)
})

test('the last reading or the usual use of the meter decides what its points mean', () => {
  const decided = (known: KnownMeter): (string | undefined)[] => {
    const [read] = pointed('42.622', '45.393', '2.771 kWh').meters
    if (read !== undefined) decideSeparators(read, known)
    return (['previous_reading', 'meter_reading', 'usage'] as const).map((field) => read?.get(field)?.value)
  }
  expect(decided({ last_reading: '42622', usual_usage: null })).toEqual(['42622', '45393', '2771'])
  expect(decided({ last_reading: '42.622', usual_usage: null })).toEqual(['42.622', '45.393', '2.771'])
  expect(decided({ last_reading: null, usual_usage: '2500' })).toEqual(['42622', '45393', '2771'])
  expect(decided({ last_reading: '10', usual_usage: '2500' })).toEqual(['42.622', '45.393', '2.771'])
})

test('a lesson by which its own bill is read worse than before is dropped', () => {
  const numbers: Text[] = [
    [300, 40, 'Account Number'],
    [420, 40, '5550-11'],
    [300, 54, 'Premise reference'],
    [420, 54, '771-200'],
  ]
  const words = pageOf([...dates('03/10/2024', '03/31/2024'), ...numbers, ...meter])
  const confirmed = { vendor_id: 1, values: { account_number: '5550-11', due_date: '2024-03-31' }, meters: [] }
  const vote = { relation: 'label', page: 0, x: 0, y: 0 } as const
  const bad: Vote[] = [
    { ...vote, field: 'account_number', phrase: 'account number', isRight: false },
    { ...vote, field: 'account_number', phrase: 'premise reference', isRight: true },
  ]
  const good: Vote = { ...vote, field: 'due_date', phrase: 'due date', isRight: true }
  expect(helpfulVotes(words, confirmed, { rules: [], votes: [good, ...bad] })).toEqual([good])
  expect(helpfulVotes(words, confirmed, { rules: [], votes: [good] })).toEqual([good])
})

test('the first day of a period is not the day of the present reading, whatever the label in front says', () => {
  const [read] = readWords(
    pageOf([
      ...dates('03/10/2024', '03/31/2024'),
      [35, 68, 'METER READING INFORMATION'],
      [35, 80, '4471190'],
      [269, 80, 'Read Dates: 02/01/2024 - 03/05/2024 (33 days)'],
      [35, 92, 'DESCRIPTION'],
      [135, 92, 'CURRENT READING'],
      [269, 92, 'PREVIOUS READING'],
      [427, 92, 'MEASURED USAGE'],
      [35, 104, 'Total Energy'],
      [135, 104, '12345 Actual'],
      [269, 104, '12001 Actual'],
      [427, 104, '344 kwh'],
    ]),
  ).meters
  expect([read?.get('previous_read_date')?.value, read?.get('read_date')?.value]).toEqual(['2024-02-01', '2024-03-05'])
})

test('a unit among words that hold no usage is not the unit of the usage that stands elsewhere', () => {
  const block: Text[] = [
    [40, 80, 'Meter Number: 4471190'],
    [40, 94, 'Monthly Usage'],
    [160, 94, 'therms of gas since 2011'],
    [40, 108, 'Previous Reading: 12,001'],
    [40, 122, 'Present Reading: 12,345'],
    [40, 136, 'Usage: 344 kWh'],
  ]
  expect(readWords(pageOf([...dates('03/10/2024', '03/31/2024'), ...block])).meters[0]?.get('unit')?.value).toBe('kWh')
})

test('charges that were computed as the rest of the sum do not make a supply sure', () => {
  const supply: Text[] = [
    [40, 200, 'Electricity Supply'],
    [300, 200, '38.11'],
    [40, 214, 'Renewable Portfolio'],
    [300, 214, '12.71'],
    [40, 260, 'Current Charges'],
    [300, 260, '130.33'],
    [40, 274, 'Amount Due'],
    [300, 274, '130.33'],
  ]
  const [read] = readWords(pageOf([...dates('03/10/2024', '03/31/2024'), ...meter, ...supply])).meters
  expect(read?.get('supply_charges')?.value).toBe('38.11')
  expect(read?.get('utility_charges')).toMatchObject({ value: '92.22', place: null })
  expect(read?.get('supply_charges')?.confidence).toBeLessThan(0.8)
})

test('an amount that only the sum speaks for is not sure beside one that the bill names so', () => {
  const amounts = (named: string): Text[] => [
    [40, 200, 'Balance Forward'],
    [300, 200, '0.00'],
    [40, 214, 'Electric Charge'],
    [300, 214, '5,446.85'],
    [40, 228, 'Subtotal'],
    [300, 228, '5,446.85'],
    [40, 242, 'Current Charges'],
    [300, 242, named],
    [40, 256, 'Amount Due'],
    [300, 256, '5,446.85'],
  ]
  const read = (named: string): DraftReading => readWords(pageOf([...dates('03/10/2024', '03/31/2024'), ...amounts(named)]))
  expect(confidenceOf(read('5,446.85'), 'current_charges')).toBeGreaterThanOrEqual(0.8)
  expect(confidenceOf(read('0.00'), 'current_charges')).toBeLessThan(0.8)
})

const services = (rows: readonly (readonly string[])[]): DraftReading =>
  readWords(
    pageOf([
      ...dates('03/10/2024', '03/31/2024'),
      ...['Meter', 'Service', 'Period', 'Usage'].map((heading, place): Text => [40 + place * 140, 100, heading]),
      ...rows.flatMap((row, line) => row.map((cell, place): Text => [40 + place * 140, 114 + line * 14, cell])),
    ]),
  )

test('numbers of meters are no readings, though a multiplier of nothing would make their difference a usage of nothing', () => {
  const period = '02/01/2024 - 03/05/2024'
  const read = services([
    ['9050597', 'water', period, '0 CCF'],
    ['3512571', 'water', period, '311 CCF'],
    ['1605882', 'sewer', period, '0 CCF'],
    ['4494946', 'sewer', period, '311 CCF'],
  ]).meters
  expect(read.map((one) => [one.get('meter_number')?.value, one.get('usage')?.value, one.has('meter_reading')])).toEqual([
    ['9050597', '0', false],
    ['3512571', '311', false],
    ['1605882', '0', false],
    ['4494946', '311', false],
  ])
})

test('a service without a meter in the first row does not end the table of the meters', () => {
  const read = services([
    ['unmetered', 'water', '02/02/2024 - 03/06/2024', 'not shown'],
    ['0441394', 'water', '02/01/2024 - 03/05/2024', '195 CCF'],
    ['6293791', 'water', '02/01/2024 - 03/05/2024', '64 CCF'],
  ]).meters
  expect(read.map((one) => [one.get('meter_number')?.value, one.get('previous_read_date')?.value, one.get('usage')?.value])).toEqual([
    ['0441394', '2024-02-01', '195'],
    ['6293791', '2024-02-01', '64'],
  ])
})
