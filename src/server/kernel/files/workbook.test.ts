/** Workbooks that another program reads, and reads as what they are. */
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import readExcelFile from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { workbookBytes, type WorkbookColumn } from './workbook.ts'

type Row = readonly (string | null)[]

const columns: readonly WorkbookColumn[] = [
  { label: 'Account & "Number"', kind: 'text' },
  { label: 'Bills', kind: 'integer' },
  { label: 'Usage', kind: 'decimal' },
  { label: 'Cost', kind: 'money' },
  { label: 'Change', kind: 'percent' },
  { label: 'Date', kind: 'date' },
  { label: 'Month', kind: 'month' },
]

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const row of rows) yield await Promise.resolve(row)
}

async function sheetsOf(rows: readonly Row[], rowsMax?: number) {
  const about = [['Report', 'Costs <of> 2024']] as const
  const bytes = await buffer(
    Readable.from(
      workbookBytes({
        sheet: 'Report',
        columns,
        rows: each(rows),
        about,
        dates: 'MM/DD/YYYY',
        day: '2026-11-25',
        ...(rowsMax ? { rowsMax } : {}),
      }),
    ),
  )
  return new Map((await readExcelFile(bytes)).map(({ sheet, data }) => [sheet, data]))
}

it('holds numbers as numbers, dates as dates, and texts as they are: with zeros in front, with signs, and never a formula', async () => {
  const sheets = await sheetsOf([
    ['000123', '7', '1234.125', '-1234567.89', '12.34', '2024-02-29', '2024-03'],
    ['=1+1 <b>&"x" _x000D_ é 電 \u0001', null, null, null, null, null, null],
  ])
  const report = sheets.get('Report')
  expect(report?.[0]).toEqual(['Account & "Number"', 'Bills', 'Usage', 'Cost', 'Change', 'Date', 'Month'])
  expect(report?.[1]).toEqual([
    '000123',
    7,
    1234.125,
    -1_234_567.89,
    0.1234,
    new Date('2024-02-29T00:00:00Z'),
    new Date('2024-03-01T00:00:00Z'),
  ])
  expect(report?.[2]?.slice(1)).toEqual([null, null, null, null, null, null])
  // Text that looks like an escaped sign is escaped once more. Readers of the format undo it.
  expect(String(report?.[2]?.[0]).replace('_x005F_x000D_', '_x000D_')).toBe('=1+1 <b>&"x" _x000D_ é 電 ?')
  expect(sheets.get('About')).toEqual([['Report', 'Costs <of> 2024']])
})

it('goes on in another sheet, with the heading again, where one has no more room', async () => {
  const sheets = await sheetsOf(
    Array.from({ length: 5 }, (_, at): Row => [`A-${at}`, String(at), null, null, null, null, null]),
    3,
  )
  expect([...sheets.keys()]).toEqual(['Report', 'Report 2', 'Report 3', 'About'])
  expect(['Report', 'Report 2', 'Report 3'].map((name) => sheets.get(name)?.map(([account]) => account))).toEqual([
    ['Account & "Number"', 'A-0', 'A-1'],
    ['Account & "Number"', 'A-2', 'A-3'],
    ['Account & "Number"', 'A-4'],
  ])
})

it('has its heading alone where nothing fits the choices', async () => {
  expect((await sheetsOf([])).get('Report')).toHaveLength(1)
})
