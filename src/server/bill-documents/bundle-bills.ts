/** The bills of a bundle: those that match its filters, inside the reach of the user who has it written. */
import { bundleBillsMax, bundleBytesMax, type BundleFilters } from '#contract/bill-documents/bill-document.ts'
import { sql, type SqlBool } from 'kysely'
import { billScope, chosenBills } from '../estate/estate.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { and, scopeCondition } from '../kernel/lists/list.ts'
import type { Reach } from '../kernel/principal.ts'
import { refused } from '../kernel/problem.ts'

export interface BundledBill {
  readonly id: number
  readonly vendor_name: string | null
  readonly division_name: string | null
  readonly facility_name: string | null
  readonly account_number: string
  readonly account_name: string | null
  readonly invoice_number: string | null
  readonly date: string
  readonly due_date: string
  readonly amount_due: string
  readonly files: readonly { readonly key: string; readonly filename: string }[]
}

interface Wanted {
  readonly clientId: number
  readonly filters: BundleFilters
  /** A bundle for a division holds only that division's bills: its users may see no others. */
  readonly divisionId: number | null
  readonly reach: Reach
}

/** Returns the bills in the order of their names. Throws a refusal with advice if there are no bills or too many. */
export async function bundledBills(tx: Tx, { clientId, filters, divisionId, reach }: Wanted): Promise<readonly BundledBill[]> {
  const conditions = [scopeCondition({ scope: billScope }, { reach, clientId }), ...chosenBills(clientId, filters)]
  if (divisionId !== null) conditions.push(sql<SqlBool>`bills.division_id = ${divisionId}`)
  const { rows } = await sql<BundledBill & { bytes: number }>`
    select bills.id, vendor.name as vendor_name, division.name as division_name, facility.name as facility_name, bills.account_number,
      coalesce(billable.name, supply.name) as account_name, bills.invoice_number, bills.date, bills.due_date, bills.amount_due,
      coalesce(copies.files, '[]') as files, coalesce(copies.bytes, 0)::float8 as bytes
    from bills
    left join vendors vendor on vendor.id = bills.vendor_id
    left join divisions division on division.client_id = bills.client_id and division.id = bills.division_id
    left join facilities facility on facility.client_id = bills.client_id and facility.id = bills.facility_id
    left join billable_accounts billable on billable.client_id = bills.client_id and billable.id = bills.billable_account_id
    left join supply_accounts supply on supply.client_id = bills.client_id and supply.id = bills.supply_account_id
    left join lateral (select json_agg(json_build_object('key', files.key, 'filename', bill_files.filename) order by bill_files.position) as files,
      sum(files.byte_size) as bytes from bill_files join files on files.id = bill_files.file_id
      where bill_files.client_id = bills.client_id and bill_files.bill_id = bills.id) copies on true
    where ${and(conditions)} order by vendor.name, bills.account_number, bills.date, bills.id limit ${bundleBillsMax + 1}`.execute(tx)
  if (rows.length > bundleBillsMax) throw refused(`More than ${bundleBillsMax.toLocaleString('en-US')} bills match. Narrow the filters.`)
  if (rows.every(({ files }) => files.length === 0)) throw refused('No bill with a file copy matches these filters.')
  if (rows.reduce((sum, { bytes }) => sum + bytes, 0) > bundleBytesMax)
    throw refused('The copies are larger than 4 GB together. Narrow the filters.')
  return rows
}
