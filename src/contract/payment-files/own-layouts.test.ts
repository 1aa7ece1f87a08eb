/** Tests layouts that people edit: what is refused, what does not fit, and that the checker takes every file of a layout that is taken. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { bill, exportOf, harvest, payment, payments, profile, secondProfile } from './file-fixture.ts'
import { ownCheckRequest } from './golden-cases.ts'
import { checkLayout } from './layout-check.ts'
import { editableFormats, layoutFaults, mayCut, mayFillZeros, wordsOfSource } from './layout-faults.ts'
import { readyLayout } from './layout-presets.ts'
import { layoutSample } from './layout-sample.ts'
import { columnSourceNames } from './layout-sources.ts'
import { layoutWords } from './layout-words.ts'
import { dateFormats, delimiters, layout, totalKinds, type FileFormat, type Layout, type LayoutColumn } from './layout.ts'
import type { ExportInput } from './payment-file.ts'
import { buildFile, exportFaults, planFiles } from './payment-files.ts'

const slowMs = 120_000 * Math.max(1, propertyRuns / 1_000)
const messages = (format: FileFormat, change: Partial<Layout>) =>
  layoutFaults(format, { ...ownCheckRequest, ...change }).map(({ message }) => message)
const withColumn = (place: number, change: Partial<LayoutColumn>): Partial<Layout> => ({
  columns: ownCheckRequest.columns.map((column, at) => (at === place ? { ...column, ...change } : column)),
})
const more = (change: Partial<LayoutColumn>): Partial<Layout> => ({
  columns: [...ownCheckRequest.columns, column(change)],
})
function column(change: Partial<LayoutColumn>): LayoutColumn {
  const [made] = layout.parse({ ...ownCheckRequest, columns: [{ heading: 'New', source: null, width: 10, ...change }] }).columns
  if (!made) throw new Error('no column was made')
  return made
}
const exported = (own: Layout, change: Partial<ExportInput> = {}): ExportInput =>
  exportOf({
    type: 'Check',
    format: 'check_request',
    payments: payments.map((one) => ({ ...one, payment_type: 'Check', effective_type: 'Check', check_number: '20001' })),
    profiles: [profile, secondProfile].map((one) => ({ ...one, layouts: { check_request: { own } } })),
    ...change,
  })

describe('a layout of one’s own', () => {
  it('may be each ready-made layout of rows and columns', () => {
    for (const format of editableFormats) {
      const ready = readyLayout(format)
      expect(ready && layoutFaults(format, ready), format).toEqual([])
    }
    expect(layoutFaults('check_request', ownCheckRequest)).toEqual([])
  })

  it.each([
    ['without the amount', { columns: ownCheckRequest.columns.slice(0, 4) }, 'Columns lack Payment amount'],
    ['of fixed width with a heading', { heading: true }, 'A file of fixed width has no heading'],
    ['of fixed width without a width', withColumn(1, { width: null }), 'Column 2: a file of fixed width needs the width of each column'],
    ['with the same source twice', more({ source: 'payee' }), 'Column 9: its source is in the file already'],
    [
      'with the account number of a vendor',
      more({ source: 'account_number' }),
      'Column 9: the account number of a vendor stands only in the files of ACH; take its last 4',
    ],
    [
      'with the account number of a payer',
      more({ source: 'payer_account' }),
      'Column 9: the account number of a payer stands only in files for its bank; take its last 4',
    ],
    ['with a cut number', withColumn(2, { too_long: 'cut' }), 'Column 3: only names and notes may be cut'],
    [
      'with zeros in front of a text',
      withColumn(1, { fill: 'zero', justify: 'right' }),
      'Column 2: zeros stand in front of numbers and amounts at the right of a fixed column',
    ],
    [
      'with a text longer than its column',
      withColumn(0, { text: 'CHECKS' }),
      'Column 1: a fixed text has at most 5 characters, like its column',
    ],
    [
      'with a formula',
      withColumn(0, { text: '=A1' }),
      'Column 1: a fixed text does not begin with = + - or @, which a spreadsheet would run',
    ],
    ['with an accent in an ASCII file', withColumn(0, { text: 'CHÉ' }), 'Column 1: a fixed text has only characters of the file'],
    ['with a word for a value that there is not', withColumn(7, { values: { NOW: 'N' } }), 'Column 8: Delivery has no value NOW'],
    ['with words for a number', withColumn(2, { values: { 'VP-1': 'X' } }), 'Column 3: Vendor payment has no value VP-1'],
    ['with a total below a name', withColumn(1, { total: 'amount' }), 'Column 2: the total amount stands below an amount'],
    [
      'with a number of batches that it does not name',
      withColumn(1, { total: 'batches' }),
      'Column 2: this total needs a column with Batch number',
    ],
    ['with TOTAL in four characters', withColumn(0, { width: 4 }), 'Column 1: TOTAL needs 5 characters'],
    ['of payments with notes of bills', { grain: 'payment', ...more({ source: 'notes' }) }, 'Column 9: Notes needs one row for each bill'],
  ] as const)('is refused %s, by its column', (_, change, message) => {
    expect(messages('check_request', change)).toContain(message)
  })

  it('that a bank pays by has all that it pays by, one row for each payment, no last row and no fixed digits', () => {
    const portal = readyLayout('ach_bank')
    if (!portal) throw new Error('there is no such layout')
    const said = (change: Partial<Layout>) => layoutFaults('ach_bank', { ...portal, ...change }).map(({ message }) => message)
    expect(said({ columns: portal.columns.filter(({ source }) => source !== 'account_number') })).toEqual(['Columns lack Account number'])
    expect(said({ grain: 'bill' })).toContain('A bank pays one row for each payment')
    expect(said({ total_row: true })).toContain('A last row with totals would be read as a payment')
    expect(said({ columns: [...portal.columns, column({ text: '12345678' })] })).toEqual([
      'Column 6: a fixed text that a bank pays by has no digits',
    ])
  })

  it('is told in words', () => {
    expect(layoutWords(ownCheckRequest)).toBe(
      'Lines of 69 characters, one row for each bill, 8 columns, with a last row of totals; dates as MMDDYYYY; amounts in whole cents and with a point.',
    )
  })
})

describe('a value that does not fit', () => {
  const narrow = (change: Partial<LayoutColumn>, place: number): Layout => ({ ...ownCheckRequest, ...withColumn(place, change) })

  it('is named with its line and column before anything is written', () => {
    const faults = exportFaults(exported(narrow({ width: 6 }, 5)))
    expect(faults.slice(0, 2).map(({ sentence }) => sentence)).toEqual([
      'Bill 5006 of City Power & Light Company: Utility account number has more than 6 characters (line 1, column 6).',
      'Bill 5001 of City Power & Light Company: Utility account number has more than 6 characters (line 2, column 6).',
    ])
    expect(faults).toHaveLength(6)
  })

  it('is also a total of the last row', () => {
    const faults = exportFaults(exported(narrow({ width: 6 }, 6)))
    expect(faults.map(({ sentence }) => sentence)).toContain('The last row: Amount paid has more than 6 characters (line 7, column 7).')
  })

  it('counts its line behind the heading', () => {
    const own = { ...ownCheckRequest, ...withColumn(5, { width: 6 }), kind: 'delimited' as const, heading: true }
    expect(exportFaults(exported(own))[0]?.sentence).toContain('(line 2, column 6)')
  })

  it('is an amount below zero with zeros in front', () => {
    const faults = exportFaults(exported(narrow({ fill: 'zero' }, 6)))
    expect(faults.map(({ sentence }) => sentence)).toEqual([
      'Bill 5003 of City Power & Light Company: Amount paid is below zero, and its column has zeros in front (line 4, column 7).',
    ])
  })

  it('stands in the sample, beside the file as far as it goes', () => {
    const payer = { client_id: 1, name: 'Sample', short_code: 'S' }
    const { text, faults } = layoutSample(narrow({ width: 3 }, 5), payer, { date: '2026-11-25', time: '10:00' })
    expect(faults).toContain('Bill 9999991 of Test Vendor 1: Utility account number has more than 3 characters (line 1, column 6).')
    expect(text.split('\n')).toHaveLength(7)
  })
})

/** Layouts as the editor can make them; those with a fault are left out. */
const columns = fc
  .record({
    source: fc.constantFrom(...columnSourceNames, null, null),
    width: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 3 }),
    cut: fc.boolean(),
    right: fc.boolean(),
    zeros: fc.boolean(),
    date: fc.constantFrom(...dateFormats),
    amount: fc.constantFrom('point' as const, 'cents' as const),
    total: fc.option(fc.constantFrom(...totalKinds), { freq: 3 }),
    text: fc.constantFrom('', 'X', 'Utility bill', '0.00'),
    heading: fc.constantFrom('A', 'Amount, paid', 'Say "it"', 'Überschrift'),
    words: fc.boolean(),
  })
  .map(({ source, width, cut, right, zeros, words, text, ...column }) => ({
    ...column,
    source,
    width,
    text: source === null ? text : '',
    justify: right ? ('right' as const) : ('left' as const),
    fill: zeros && right && mayFillZeros(source) ? ('zero' as const) : ('space' as const),
    too_long: cut && width !== null && mayCut(source) ? ('cut' as const) : ('refuse' as const),
    values: words && source !== null ? Object.fromEntries((wordsOfSource[source] ?? []).map((word, at) => [word, `W${at}`])) : {},
  }))
const layouts = fc
  .record({
    kind: fc.constantFrom('delimited' as const, 'fixed' as const),
    grain: fc.constantFrom('payment' as const, 'bill' as const),
    heading: fc.boolean(),
    total_row: fc.boolean(),
    delimiter: fc.constantFrom(...delimiters),
    line_end: fc.constantFrom('crlf' as const, 'lf' as const),
    characters: fc.constantFrom('utf8' as const, 'ascii' as const),
    formulas: fc.constantFrom('quote' as const, 'refuse' as const),
    columns: fc.uniqueArray(columns, { selector: ({ source }) => source ?? Math.random(), maxLength: 12 }),
  })
  .map(({ columns: drawn, ...own }) => {
    // Almost no drawn layout has what the format needs, so that is added behind.
    const needed = (['payee', 'payment_number', 'payment_amount', own.grain === 'bill' ? 'amount_paid' : null] as const).flatMap((source) =>
      source === null || drawn.some((one) => one.source === source)
        ? []
        : [{ heading: source, source, width: own.kind === 'fixed' ? 40 : null }],
    )
    const fixed = drawn.map((one) => (own.kind === 'fixed' ? { ...one, width: one.width ?? 40 } : { ...one, fill: 'space' as const }))
    return layout.parse({ ...own, heading: own.kind === 'delimited' && own.heading, columns: [...fixed, ...needed] })
  })
  .filter((own) => layoutFaults('check_request', own).length === 0)
const notes = fc.constantFrom(null, 'Confirmed 88A', '=SUM(A1)', 'Zürich | Überweisung; "x", y', '😀', '-5', '007')

describe('the file of each layout without a fault', () => {
  it(
    'is taken by the checker and says its payments, or the export is refused by line and column before it',
    () => {
      const met = { built: 0, refused: 0 }
      fc.assert(
        fc.property(layouts, notes, fc.integer({ min: 1, max: 9_999_999 }), (own, said, cents) => {
          const paid = payment(901, [bill(5001, cents, { notes: said }), bill(5002, 7, { invoice_number: said })], {
            payer: harvest,
            payment_type: 'Check',
            effective_type: 'Check',
            check_number: '20001',
          })
          const input = exported(own, { payments: [paid] })
          const faults = exportFaults(input)
          if (faults.length > 0) {
            met.refused += 1
            for (const { sentence } of faults) expect(sentence).toMatch(/\(line \d+, column \d+\)\.$/)
            return
          }
          met.built += 1
          const [plan] = planFiles(input)
          if (!plan) throw new Error('no file')
          const { bytes, control } = buildFile(input, plan, { modifier: null, first_trace: null, sequence: 1 })
          expect(control.credit).toBe(cents + 7)
          expect(checkLayout(bytes, own).faults).toEqual([])
        }),
        { numRuns: propertyRuns },
      )
      console.log(`own layouts: ${JSON.stringify(met)}`)
      expect(met.built).toBeGreaterThan(propertyRuns / 10)
      expect(met.refused).toBeGreaterThan(0)
    },
    slowMs,
  )
})
