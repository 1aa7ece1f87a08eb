/** Data that an upload file needs besides the ledger lines: their bills, vendors, facilities and services. */
import type { UploadField, UploadLine } from '#contract/accounting-batches/upload-file.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { frozenLines } from './frozen-lines.ts'
import type { LedgerBatch, LedgerLine } from './ledger-line.ts'
import { ledgerLines } from './ledger-lines.ts'

export interface UploadBatch extends LedgerBatch {
  readonly batch_code: string
  /** Date of the batch in New York. */
  readonly batch_date: string | null
  readonly closed: boolean
}

/** Yields the ledger lines of a batch, frozen or computed, in portions. */
export function linesOf(tx: Tx, batch: Pick<UploadBatch, 'id' | 'client_id' | 'closed'>): AsyncGenerator<LedgerLine[]> {
  return batch.closed ? frozenLines(tx, batch) : ledgerLines(tx, batch)
}

/** Returns the client's ledger fields in their order. */
export async function ledgerFieldsOf(tx: Tx, clientId: number): Promise<UploadField[]> {
  const { rows } = await sql<UploadField>`select id, name from ledger_fields where client_id = ${clientId} order by "order", id`.execute(tx)
  return rows
}

/** Turns streamed ledger lines into rows of a file. If a bill's lines come in two portions, their numbering continues. */
export function uploadLinesOf(tx: Tx, batch: UploadBatch): (lines: readonly LedgerLine[]) => Promise<UploadLine[]> {
  let last = { bill_id: 0, line_no: 0 }
  return async (lines) => {
    const bills = await readBills(tx, batch.client_id, [...new Set(lines.map((line) => line.bill_id))])
    const parts = await readParts(tx, batch.client_id, [...new Set(lines.flatMap((line) => line.service_bill_id ?? []))])
    return lines.map((line) => {
      const bill = bills.get(line.bill_id)
      if (!bill) throw new Error(`bill ${line.bill_id} of a ledger line is gone`)
      last = { bill_id: line.bill_id, line_no: last.bill_id === line.bill_id ? last.line_no + 1 : 1 }
      const part = line.service_bill_id === null ? undefined : parts.get(line.service_bill_id)
      return {
        ...bill,
        batch_code: batch.batch_code,
        batch_date: batch.batch_date,
        line_no: last.line_no,
        ledger_account_name: line.ledger_account_name,
        ledger_values: valuesOf(line),
        is_payable: line.kind === 'payable',
        amount: line.amount,
        description: line.description,
        utility_service_name: part?.utility_service_name ?? null,
        usage: part?.usage ?? null,
        unit: part?.unit ?? null,
      }
    })
  }
}

const noValues: UploadLine['ledger_values'] = {}

function valuesOf({ ledger_values: values }: LedgerLine): UploadLine['ledger_values'] {
  if (values.length === 0) return noValues
  return Object.fromEntries(values.flatMap(({ id, value }) => (id === null ? [] : [[String(id), value]])))
}

type BillOfLine = { readonly bill_id: number } & Pick<
  UploadLine,
  | 'client_short_code'
  | 'division_code'
  | 'facility_number'
  | 'vendor_number'
  | 'vendor_name'
  | 'invoice_number'
  | 'account_number'
  | 'bill_date'
  | 'due_date'
  | 'invoice_amount'
  | 'image_file_name'
>

async function readBills(tx: Tx, clientId: number, ids: readonly number[]): Promise<Map<number, BillOfLine>> {
  const { rows } = await sql<BillOfLine>`select bills.id as bill_id, client.short_code as client_short_code, division.code as division_code,
      facility.number as facility_number, coalesce(known.vendor_number, vendor.short_code, '') as vendor_number, coalesce(vendor.name, '') as vendor_name,
      bills.invoice_number, bills.account_number, bills.date as bill_date, bills.due_date, bills.amount_due as invoice_amount, copy.filename as image_file_name
    from bills join clients client on client.id = bills.client_id
    left join divisions division on division.client_id = ${clientId} and division.id = bills.division_id
    left join facilities facility on facility.client_id = ${clientId} and facility.id = bills.facility_id
    left join vendors vendor on vendor.id = bills.vendor_id
    left join client_vendor_numbers known on known.client_id = ${clientId} and known.vendor_id = bills.vendor_id
    left join bill_files copy on copy.client_id = ${clientId} and copy.bill_id = bills.id and copy.position = 1
    where bills.client_id = ${clientId} and bills.id = any(${ids}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.bill_id, row]))
}

type Part = Pick<UploadLine, 'utility_service_name' | 'usage' | 'unit'>

async function readParts(tx: Tx, clientId: number, ids: readonly number[]): Promise<Map<number, Part>> {
  const { rows } = await sql<
    Part & { id: number }
  >`select line.id, utility.name as utility_service_name, line.usage, coalesce(unit.symbol, line.raw_unit) as unit
    from service_bills line join services service on service.client_id = ${clientId} and service.id = line.service_id
    left join utility_services utility on utility.id = service.utility_service_id
    left join units unit on unit.id = line.unit_id
    where line.client_id = ${clientId} and line.id = any(${ids}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}
