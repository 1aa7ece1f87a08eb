/** Turns the rows of a file that form one bill into its draft. Pure: the data of the account and the reference data are passed in. */
import type { BillChargeDraft, BillDraft, ServiceBillDraft } from '../bills/bill-draft.ts'
import { lineOfCells, type LineParts } from './draft-of-meter.ts'
import { metersPerRow } from './import-bills.ts'
import type { BillRow, ImportedAccount, RowFault, RowTerms } from './imported-rows.ts'
import { numberText } from '../kernel/import-cell.ts'
import { isHistory } from '../bill-retrieval/statement-history.ts'

export interface DraftOfRows {
  /** Complete only if there are no faults. */
  readonly draft: BillDraft
  readonly faults: readonly RowFault[]
  /** Returns the row and column of a field of the draft, `service_bills.0.read_date` or `due_date`. */
  readonly placeOf: (field: string) => Omit<RowFault, 'message'>
}

/** Columns of the head other than those that group rows into a bill: each may be on any row of the bill. */
const headColumns = [
  'due_date',
  'notes',
  'rebill_adjustment',
  'qc',
  'parked',
  'group_account_number',
  'file_name',
  'account_charges',
  'previous_read_date',
  'read_date',
] as const

/** Returns the bill that the rows form. */
export function draftOfRows(rows: readonly [BillRow, ...BillRow[]], account: ImportedAccount, terms: RowTerms): DraftOfRows {
  const [first] = rows
  const faults: RowFault[] = []
  const places = new Map<string, Omit<RowFault, 'message'>>()
  const head = headOf(rows, faults)
  for (const column of headColumns) places.set(column, { line: head.lineOf(column) ?? first.line, column })
  const service_bills = linesOf(rows, account, terms, faults, places)
  const charges = chargesOf(head.value('account_charges'), head.lineOf('account_charges') ?? first.line, faults)
  for (const at of charges.keys())
    places.set(`bill_charges.${at}`, { line: head.lineOf('account_charges') ?? first.line, column: 'account_charges' })
  places.set('rebill_of_id', { line: first.line, column: 'rebill_adjustment' })
  const date = textOf(first.cells['date']) ?? ''
  const draft: BillDraft = {
    account_type: account.account_type,
    account_id: account.account_id,
    date,
    due_date: textOf(head.value('due_date')) ?? '',
    invoice_number: textOf(first.cells['invoice_number']),
    balance_forward: textOf(first.cells['balance_forward']) ?? '',
    current_charges: textOf(first.cells['current_charges']) ?? '',
    late_fee: textOf(first.cells['late_fee']),
    amount_due: textOf(first.cells['amount_due']) ?? '',
    previous_read_date: textOf(head.value('previous_read_date')),
    read_date: textOf(head.value('read_date')),
    notes: notesOf(textOf(head.value('notes')), textOf(head.value('file_name'))),
    rebill_adjustment: head.value('rebill_adjustment') === true,
    qc: head.value('qc') === true,
    parked: head.value('parked') === true,
    group_bill_chosen: isOutsideGroup(head, account, first.line, faults),
    service_bills,
    bill_charges: charges,
    source: 'import',
    import_task_id: terms.import_task_id,
    imported_history: isHistory(date, terms.today),
  }
  return { draft, faults, placeOf: (field) => placeOf(field, places, first.line) }
}

function headOf(rows: readonly BillRow[], faults: RowFault[]) {
  const said = new Map<string, { value: unknown; line: number }>()
  for (const { line, cells } of rows) {
    for (const column of headColumns) {
      const value = cells[column]
      const before = said.get(column)
      if (value === undefined || value === null) continue
      if (!before) said.set(column, { value, line })
      else if (JSON.stringify(before.value) !== JSON.stringify(value))
        faults.push({ line, column, message: `Line ${before.line} says something else of the same bill` })
    }
  }
  return { value: (column: string): unknown => said.get(column)?.value, lineOf: (column: string) => said.get(column)?.line }
}

const noGroup = /^none$/i

/** True if the row says that no group's bill pays it. A group that the account is not in is a fault: its bill could never be found. */
function isOutsideGroup(head: ReturnType<typeof headOf>, account: ImportedAccount, firstLine: number, faults: RowFault[]): boolean {
  const said = textOf(head.value('group_account_number'))
  if (said === null) return false
  if (noGroup.test(said)) return true
  const { group_number } = account
  if (group_number !== null && bare(said) === bare(group_number)) return false
  const is = group_number === null ? 'The account is no subaccount' : `The account is a subaccount of ${group_number}`
  faults.push({ line: head.lineOf('group_account_number') ?? firstLine, column: 'group_account_number', message: `${is}: not of ${said}` })
  return false
}

/** Account numbers match without spaces and dashes, as everywhere in a file. */
const bare = (number: string): string => number.replaceAll(/[ -]/g, '')

/** A row that adds nothing to its bill is a repeated row. */
function linesOf(
  rows: readonly BillRow[],
  account: ImportedAccount,
  terms: RowTerms,
  faults: RowFault[],
  places: Map<string, Omit<RowFault, 'message'>>,
): ServiceBillDraft[] {
  const lines: ServiceBillDraft[] = []
  const seen = new Map<string, number>()
  const [first] = rows
  for (const row of rows) {
    const meters = Array.from({ length: metersPerRow }, (_, at) => at + 1).flatMap((meter) => lineOfCells(row, meter, account, terms) ?? [])
    if (meters.length === 0 && first && row.line !== first.line)
      faults.push({ line: row.line, column: null, message: `Line ${first.line} is the same bill, and this row names no further meter` })
    for (const parts of meters) {
      faults.push(...parts.faults)
      if (!parts.line) continue
      const before = seen.get(sameLine(parts.line))
      if (before !== undefined) faults.push(twice(row.line, before, parts))
      seen.set(sameLine(parts.line), row.line)
      for (const [field, column] of parts.columns) places.set(`service_bills.${lines.length}${field}`, { line: row.line, column })
      lines.push(parts.line)
    }
  }
  return lines
}

/** Two lines of one meter must differ in their days or their unit; otherwise the line is repeated. */
function sameLine({ service_id, previous_read_date, read_date, unit_id, raw_unit }: ServiceBillDraft): string {
  return JSON.stringify([service_id, previous_read_date, read_date, unit_id, raw_unit])
}

function twice(line: number, before: number, { meter }: LineParts): RowFault {
  const where = before === line ? 'this row' : `line ${before}`
  return { line, column: `m${meter}_meter_number`, message: `This meter is on the bill twice for the same days, first on ${where}` }
}

/** 'Customer charge:3.00': the amount follows the last colon. */
function chargesOf(cell: unknown, line: number, faults: RowFault[]): BillChargeDraft[] {
  const said: unknown[] = Array.isArray(cell) ? cell : []
  return said.flatMap((one) => {
    const [, name, amount] = /^(.*):([^:]*)$/s.exec(String(one)) ?? []
    if (name === undefined || amount === undefined || name.trim() === '' || amount.trim() === '') {
      faults.push({ line, column: 'account_charges', message: `"${String(one)}" is no charge: write name:amount` })
      return []
    }
    return [{ name: name.trim(), amount: numberText(amount.trim()) }]
  })
}

/** Adds the file name to the bill's notes, so that it can be found. */
function notesOf(notes: string | null, fileName: string | null): string | null {
  if (fileName === null) return notes
  return notes === null ? `File: ${fileName}` : `${notes}\nFile: ${fileName}`
}

function placeOf(field: string, places: ReadonlyMap<string, Omit<RowFault, 'message'>>, line: number): Omit<RowFault, 'message'> {
  for (let part = field; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('.')))) {
    const place = places.get(part)
    if (place) return place
  }
  const isHead = !field.includes('.') && field !== 'account_id'
  return { line, column: isHead ? field : field === 'account_id' ? 'account_number' : null }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
