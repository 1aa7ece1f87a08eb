/**
 * Writes an upload file by its layout: ledger lines in, text out. The task that makes the file and the preview of the profile both use it, so
 * the preview matches the file. It reads no clock or database.
 */
import { delimitedCell } from '../kernel/import.ts'
import { centsOf, type Cents } from '../kernel/money.ts'
import type { UploadLayout } from './upload-layout.ts'
import type { UploadColumn } from './upload-column.ts'
import type { UploadField, UploadLine } from './upload-file.ts'
import { type WidthFault, lengthOf, cellWriter, fitter, remembering } from './upload-cells.ts'
import { type UploadWriter, iifWriter, type UploadRow } from './iif-writer.ts'

/** `ledgerFields` are the client's ledger fields in their order. */
export function uploadWriter(layout: UploadLayout, ledgerFields: readonly UploadField[]): UploadWriter {
  return layout.kind === 'iif' ? iifWriter() : columnWriter(layout, ledgerFields)
}

/** Returns the columns with `ledger_fields` expanded to one for each field. */
export function columnsOf({ columns }: Pick<UploadLayout, 'columns'>, ledgerFields: readonly UploadField[]): UploadColumn[] {
  return columns.flatMap((column) =>
    column.source === 'ledger_fields'
      ? ledgerFields.map(({ id, name }): UploadColumn => ({ ...column, source: 'ledger_field', field_id: id, heading: name }))
      : [column],
  )
}

/** 'Row 12, column Vendor Name: “Municipal …” has 60 characters, and the width is 40'. */
export function widthFaultText({ row, column, value, width }: WidthFault): string {
  return `Row ${row.toLocaleString('en-US')}, column ${column}: “${value}” has ${lengthOf(value)} characters, and the width is ${width}`
}

function columnWriter(layout: UploadLayout, ledgerFields: readonly UploadField[]): UploadWriter {
  const columns = columnsOf(layout, ledgerFields)
  const writers = columns.map((column) => cellWriter(column, layout))
  const merged = layout.grain === 'line' ? null : new Map<string, UploadLine>()
  let written = 0
  let leftOut = 0
  const rowOf = (line: UploadLine): UploadRow => {
    written += 1
    const row = written
    const faults: WidthFault[] = []
    return { cells: writers.map((write) => write(line, row, faults)), amount: line.amount, faults }
  }
  return {
    heading: layout.header ? [columns.map((column) => fitter(column, layout)(column.heading))] : [],
    take(lines) {
      for (const line of lines) if (line.is_payable && !layout.include_payable) leftOut += line.amount
      const kept = layout.include_payable ? lines : lines.filter((line) => !line.is_payable)
      if (merged === null) return kept.map(rowOf)
      for (const line of kept) mergeInto(merged, line, layout)
      return []
    },
    // Equal debits and credits on one account need no row: they cancel out.
    end: () => [...(merged?.values() ?? [])].filter(({ amount }) => amount !== 0).map(rowOf),
    leftOut: () => leftOut,
    text: lineWriter(layout),
  }
}

function mergeInto(merged: Map<string, UploadLine>, line: UploadLine, { grain }: UploadLayout): void {
  const key = JSON.stringify([
    line.is_payable,
    line.ledger_account_name,
    Object.entries(line.ledger_values).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ...(grain === 'account' ? [line.vendor_number, line.account_number] : []),
  ])
  const known = merged.get(key)
  merged.set(key, known ? { ...commonOf(known, line), amount: known.amount + line.amount } : { ...line, ...ofOneLine })
}

/** Values of a single line, which a row of several lines leaves empty. */
const ofOneLine = {
  line_no: null,
  description: '',
  usage: null,
  unit: null,
  bill_id: null,
  image_file_name: null,
  invoice_number: '',
  invoice_amount: '',
}

/** Returns the first line without the values in which the second differs. */
function commonOf(first: UploadLine, second: UploadLine): UploadLine {
  const same = <T>(a: T, b: T, none: T): T => (a === b ? a : none)
  return {
    ...first,
    division_code: same(first.division_code, second.division_code, null),
    facility_number: same(first.facility_number, second.facility_number, null),
    vendor_number: same(first.vendor_number, second.vendor_number, ''),
    vendor_name: same(first.vendor_name, second.vendor_name, ''),
    account_number: same(first.account_number, second.account_number, ''),
    bill_date: same(first.bill_date, second.bill_date, ''),
    due_date: same(first.due_date, second.due_date, ''),
    utility_service_name: same(first.utility_service_name, second.utility_service_name, null),
  }
}

/** Returns the cents of a written amount. Throws a RangeError if it is not an amount. */
export function amountOf(written: string, { format }: Pick<UploadColumn, 'format'>): Cents {
  const shown = written.trim()
  const isNegative = /^-|-$|^\(.*\)$/.test(shown)
  const digits = shown.replaceAll(/[-()]/g, '')
  if (!/^\d+(\.\d\d)?$/.test(digits)) throw new RangeError(`not an amount: ${written}`)
  const size = format === 'cents' ? Number(digits) : centsOf(digits.replace(/^0+(?=\d)/, ''))
  return isNegative && size !== 0 ? -size : size
}

function lineWriter({ kind, delimiter }: UploadLayout): (cells: readonly string[]) => string {
  if (kind === 'fixed_width') return (cells) => `${cells.join('')}\r\n`
  // Neighbouring lines share the cells of their bill: whether these need quotes is decided once a bill.
  const writers: ((cell: string) => string)[] = []
  const writerAt = (place: number) => (writers[place] ??= remembering((cell) => delimitedCell(cell, delimiter)))
  return (cells) => `${cells.map((cell, place) => writerAt(place)(cell)).join(delimiter)}\r\n`
}
