/** The rows of a bills file, and the account data that they are read against. */
import type { AccountType } from '../bills/bill.ts'

/** A row of the file, its cells parsed by column; blank cells are absent. */
export interface BillRow {
  /** Line number in the file. */
  readonly line: number
  readonly cells: Readonly<Record<string, unknown>>
}

/** A service of the account, with the names that a file may use. */
export interface ImportedService {
  readonly id: number
  readonly meter_number: string
  readonly active: boolean
  /** The utility service's name and code, and the service's own name. */
  readonly names: readonly string[]
  readonly units: readonly { readonly unit_id: number; readonly symbol: string }[]
  readonly usage_factors: readonly string[]
  readonly additional_entry_fields: readonly string[]
}

export interface ImportedAccount {
  readonly account_type: AccountType
  readonly account_id: number
  readonly services: readonly ImportedService[]
  /** The number of the group account that it belongs to. */
  readonly group_number: string | null
}

export interface RowTerms {
  readonly today: string
  readonly import_task_id: number | null
  /** Names of the installation's entry fields. */
  readonly entry_fields: readonly string[]
}

/** A fault of a row, with its column; null for the row as a whole. */
export interface RowFault {
  readonly line: number
  readonly column: string | null
  readonly message: string
}
