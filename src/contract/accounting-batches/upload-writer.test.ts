import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import type { UploadField, UploadLine } from './upload-file.ts'
import { uploadLayout, type UploadLayout } from './upload-layout.ts'
import { columnOf } from './upload-column.ts'
import { fixedWidthLayout, genericLayout, iifLayout } from './ready-layouts.ts'
import { amountOf, columnsOf, uploadWriter, widthFaultText } from './upload-writer.ts'

const line: UploadLine = {
  batch_code: 'HLM-2026-11',
  batch_date: '2026-11-30',
  client_short_code: 'HLM',
  division_code: 'W',
  facility_number: '12',
  vendor_number: '4711',
  vendor_name: 'Power, Light & Co',
  invoice_number: null,
  account_number: '5582-1',
  bill_date: '2026-11-05',
  due_date: '2026-11-25',
  invoice_amount: '151.00',
  line_no: 1,
  ledger_account_name: '6100 Utilities',
  ledger_values: { '7': '100' },
  is_payable: false,
  amount: 15_100,
  description: '=1+1',
  utility_service_name: 'Natural Gas',
  usage: '40.000',
  unit: 'therm',
  bill_id: 9,
  image_file_name: null,
}
const payable: UploadLine = { ...line, line_no: 2, is_payable: true, ledger_account_name: '', amount: -15_100 }

function textOf(layout: UploadLayout, lines: readonly UploadLine[], fields: readonly UploadField[] = []): string {
  const writer = uploadWriter(layout, fields)
  const rows = [...writer.take(lines), ...writer.end()]
  return [...writer.heading, ...rows.map(({ cells }) => cells)].map((cells) => writer.text(cells)).join('')
}

describe('the generic upload file', () => {
  test('has a column for each ledger field, quotes what holds separators, names an invoice that the vendor did not number, and runs no formula', () => {
    expect(
      textOf(
        genericLayout,
        [line],
        [
          { id: 3, name: 'Company' },
          { id: 7, name: 'Cost Center' },
        ],
      ).split('\r\n'),
    ).toEqual([
      'Record No,Batch Code,Batch Date,Posting Period,Client,Division Code,Facility Number,Vendor Number,Vendor Name,Invoice Number,Invoice Date,Due Date,Invoice Amount,Line No,Ledger Account,Company,Cost Center,Debit,Credit,Description,Account Number,Service,Usage,Unit,Bill ID,Image File Name',
      `1,HLM-2026-11,2026-11-30,202611,HLM,W,12,4711,"Power, Light & Co",5582-1-110526,2026-11-05,2026-11-25,151.00,1,6100 Utilities,,100,151.00,,'=1+1,5582-1,Natural Gas,40.000,therm,9,`,
      '',
    ])
  })

  test('puts a negative amount into the credit column as a positive one', () => {
    expect(textOf(genericLayout, [payable])).toContain(',2,,,151.00,')
  })
})

describe('what a profile says', () => {
  const small = (change: Partial<UploadLayout>): UploadLayout => ({
    ...genericLayout,
    header: false,
    columns: [columnOf('bill_date'), columnOf('vendor_name'), columnOf('amount')],
    ...change,
  })

  test('the delimiter, and a text that holds it is quoted', () => {
    expect(textOf(small({ delimiter: '|' }), [{ ...line, vendor_name: 'A|B' }])).toBe('2026-11-05|"A|B"|151.00\r\n')
    expect(textOf(small({ delimiter: '\t' }), [{ ...line, vendor_name: 'A' }])).toBe('2026-11-05\tA\t151.00\r\n')
  })

  test.each([
    ['YYYY-MM-DD', '2026-11-05'],
    ['MM/DD/YYYY', '11/05/2026'],
    ['MM/DD/YY', '11/05/26'],
    ['YYYYMMDD', '20261105'],
    ['MMDDYY', '110526'],
  ] as const)('dates as %s, and a column of its own may say otherwise', (date_format, shown) => {
    expect(
      textOf(small({ date_format, columns: [columnOf('bill_date'), columnOf('due_date', { format: 'MMDDYY' }), columnOf('amount')] }), [
        line,
      ]),
    ).toBe(`${shown},112526,151.00\r\n`)
  })

  test.each([
    ['minus', '-151.00'],
    ['trailing', '151.00-'],
    ['parentheses', '(151.00)'],
  ] as const)('a negative amount with %s, which reads back as it was', (sign_style, shown) => {
    expect(textOf(small({ sign_style, columns: [columnOf('amount')] }), [payable])).toBe(`${shown}\r\n`)
    expect(amountOf(shown, { format: 'usual' })).toBe(-15_100)
  })

  test('whole cents, capital letters, defaults and fixed text', () => {
    const columns = [
      columnOf('amount', { format: 'cents' }),
      columnOf('vendor_name', { format: 'upper' }),
      columnOf('image_file_name', { default: 'none' }),
      columnOf('fixed', { default: 'AP' }),
    ]
    expect(textOf(small({ columns }), [line])).toBe('15100,"POWER, LIGHT & CO",none,AP\r\n')
  })

  test('the payable may be left out, and what is left out is told', () => {
    const layout = small({ include_payable: false, columns: [columnOf('amount')] })
    expect(textOf(layout, [line, payable])).toBe('151.00\r\n')
    const writer = uploadWriter(layout, [])
    writer.take([line, payable])
    expect(writer.leftOut()).toBe(-15_100)
  })

  test('one row for each ledger account, or for each account and ledger account: amounts add up, what differs is empty, and what is zero is no row', () => {
    const other = { ...line, account_number: '771', vendor_name: 'Water', amount: 900, bill_id: 10 }
    const undone = [
      { ...line, ledger_account_name: '6200', amount: 500 },
      { ...line, ledger_account_name: '6200', amount: -500 },
    ]
    const columns = [
      columnOf('record_no'),
      columnOf('ledger_account_name'),
      columnOf('account_number'),
      columnOf('vendor_name'),
      columnOf('amount'),
      columnOf('bill_id'),
    ]
    const lines = [line, { ...line, amount: 100 }, other, ...undone]
    expect(textOf(small({ columns, grain: 'ledger_account' }), lines)).toBe('1,6100 Utilities,,,161.00,\r\n')
    expect(textOf(small({ columns, grain: 'account' }), lines)).toBe(
      '1,6100 Utilities,5582-1,"Power, Light & Co",152.00,\r\n2,6100 Utilities,771,Water,9.00,\r\n',
    )
  })
})

describe('a file of fixed width', () => {
  test('pads texts at the right and amounts at the left, to the width of each column', () => {
    const [row = ''] = textOf(fixedWidthLayout, [line]).split('\r\n')
    expect(row).toHaveLength(132)
    expect(row.slice(0, 12)).toBe('4711        ')
    expect(row.slice(108, 120)).toBe('      151.00')
  })

  test('zeros in front, with the sign before them', () => {
    const layout = {
      ...fixedWidthLayout,
      columns: [columnOf('amount', { width: 10, format: 'zeros' }), columnOf('bill_id', { width: 5, format: 'zeros' })],
    }
    expect(textOf(layout, [line, payable])).toBe('0000151.0000009\r\n-000151.0000009\r\n')
  })

  test('a value that is too long is named by row and column; a text that may be cut is cut; new lines are none', () => {
    const columns = [
      columnOf('vendor_name', { width: 5 }),
      columnOf('description', { width: 4, cut: true }),
      columnOf('amount', { width: 4 }),
    ]
    const writer = uploadWriter({ ...fixedWidthLayout, columns }, [])
    const [good, bad] = writer.take([
      { ...line, vendor_name: 'Gas', description: 'a\nbcdef', amount: 100 },
      { ...line, vendor_name: 'Power & Light', amount: 1_234_567 },
    ])
    expect(good).toMatchObject({ cells: ['Gas  ', 'a bc', '1.00'], faults: [] })
    expect(bad?.faults.map(widthFaultText)).toEqual([
      'Row 2, column Vendor Name: “Power & Light” has 13 characters, and the width is 5',
      'Row 2, column Amount: “12345.67” has 8 characters, and the width is 4',
    ])
  })
})

describe('a QuickBooks IIF file', () => {
  test('has one transaction for each bill, first what is owed to the vendor, whose rows come to zero', () => {
    const refund = { ...line, bill_id: 10, vendor_name: 'Water\tCo', amount: -500, description: 'x' }
    const writer = uploadWriter(iifLayout, [])
    // The lines of a bill may come in two parts.
    const rows = [
      ...writer.take([line]),
      ...writer.take([payable, refund]),
      ...writer.take([{ ...refund, is_payable: true, amount: 500 }]),
      ...writer.end(),
    ]
    expect(rows.map(({ cells }) => cells.join('|'))).toEqual([
      'TRNS|BILL|11/05/2026|Accounts Payable|Power, Light & Co|-151.00|5582-1-110526|=1+1|11/25/2026',
      'SPL|BILL|11/05/2026|6100 Utilities|Power, Light & Co|151.00|5582-1-110526|=1+1',
      'ENDTRNS',
      'TRNS|BILL REFUND|11/05/2026|6100 Utilities|Water Co|5.00|5582-1-110526|x|11/25/2026',
      'SPL|BILL REFUND|11/05/2026|6100 Utilities|Water Co|-5.00|5582-1-110526|x',
      'ENDTRNS',
    ])
    expect(writer.heading.map(([first]) => first)).toEqual(['!TRNS', '!SPL', '!ENDTRNS'])
  })
})

describe('a layout', () => {
  const faults = (change: object): string[] => {
    const parsed = uploadLayout.safeParse({ ...genericLayout, ...change })
    return parsed.success ? [] : parsed.error.issues.map(({ message }) => message)
  }

  test('says what it lacks, by column', () => {
    expect(faults({})).toEqual([])
    expect(faults({ columns: [columnOf('debit')] })).toEqual(['The file needs an Amount column, or a Debit and a Credit column'])
    expect(faults({ kind: 'fixed_width', columns: [columnOf('amount')] })).toEqual([
      'Column 1: a file of fixed width needs the width of each column',
    ])
    expect(
      faults({
        columns: [columnOf('amount', { format: 'upper' }), columnOf('ledger_field'), columnOf('bill_date', { cut: true, width: 4 })],
      }),
    ).toEqual(['Column 1: this format does not suit Amount', 'Column 2: name the ledger field', 'Column 3: only texts may be cut'])
    expect(faults({ file_name: '{month}' })[0]).toMatch(/^\{month\} is no part of a name/)
    expect(faults({ kind: 'iif', columns: [] })).toEqual([])
  })
})

test('any lines in any layout with delimiters read back to the same sums', () => {
  const lines = fc.array(
    fc
      .record({
        amount: fc.integer({ min: -9_999_999, max: 9_999_999 }),
        vendor_name: fc.string({ maxLength: 12 }),
        account_number: fc.constantFrom('1', '2'),
      })
      .map((some): UploadLine => ({ ...line, ...some })),
    { maxLength: 8 },
  )
  const layouts = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    sign_style: fc.constantFrom('minus', 'trailing', 'parentheses'),
    grain: fc.constantFrom('line', 'account', 'ledger_account'),
    format: fc.constantFrom('usual', 'cents'),
  })
  fc.assert(
    fc.property(lines, layouts, (some, { format, ...rest }) => {
      const layout: UploadLayout = {
        ...genericLayout,
        ...rest,
        header: false,
        columns: [columnOf('vendor_name'), columnOf('amount', { format })],
      }
      const read: string[][] = parse(textOf(layout, some), { delimiter: layout.delimiter, relax_column_count: true })
      const sum = read.reduce((total, [, cell = '']) => total + amountOf(cell, { format }), 0)
      expect(sum).toBe(some.reduce((total, { amount }) => total + amount, 0))
      expect(columnsOf(layout, [{ id: 1, name: 'A' }])).toHaveLength(2)
    }),
    { numRuns: Math.min(propertyRuns, 500) },
  )
})
