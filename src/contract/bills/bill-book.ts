/**
 * Everything that an account's bill is checked against: its services with the fields of their lines, its past bills, and its levels of audit
 * settings.
 */
import type { ChargeCategory } from '../bill-figures/bill-totals.ts'
import type { AuditAccount, AuditService, AuditVendor } from '../bill-audits/estate-input.ts'
import type { HistoryBill } from '../bill-audits/history-input.ts'
import type { AuditSettingsPatch } from '../bill-audits/settings.ts'

export interface NamedField {
  readonly id: number
  readonly name: string
}
export interface EntryField extends NamedField {
  readonly category: ChargeCategory
  readonly is_tax: boolean
}
export interface UsageFactor extends NamedField {
  readonly adjustment_factor: boolean
  readonly default_value: string | null
}

/** A service with the fields of its lines. */
export interface BookService extends AuditService {
  readonly utility_service_id: number | null
  /** The names of entry fields that the service asks for; a line may have any other one too. */
  readonly entry_fields: readonly string[]
  /** The factors of its utility service; those that the service asks for are `asked`. */
  readonly usage_factors: readonly (UsageFactor & { readonly asked: boolean })[]
  /** A retired field is only on lines that already have it; it is no longer asked for. */
  readonly additional_entry_fields: readonly (NamedField & { readonly retired?: boolean | undefined })[]
}

export interface BillBook {
  readonly account: AuditAccount
  readonly services: readonly BookService[]
  readonly vendor: AuditVendor | null
  /** Installation, client, account. */
  readonly settings: readonly AuditSettingsPatch[]
  /** Live bills of the account, newest first. */
  readonly history: readonly HistoryBill[]
}

/** The entry fields of the installation by name. */
export interface BillTerms {
  readonly entry_fields: ReadonlyMap<string, EntryField>
}
