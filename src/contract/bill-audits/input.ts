/**
 * The input of the audits, in wire names and wire values, so that a form draft, an imported row and a row from PostgreSQL (numeric and date as
 * text) all fit. Every typed value may be null while the user is typing; a rule that lacks one is silent. Money and decimals must be valid: an
 * unreadable value is passed as null.
 */
import type { BillCharges, FactorValue, LineCharges } from '../bill-figures/bill-totals.ts'
import type { CalendarDate } from '../kernel/date.ts'
import type { AuditSettingsPatch } from './settings.ts'
import type { HistoryBill } from './history-input.ts'
import type { AuditAccount, AuditService, AuditVendor } from './estate-input.ts'

export interface AuditInput {
  readonly bill: AuditBill
  readonly account: AuditAccount | null
  /** All services of the account. */
  readonly services: readonly AuditService[]
  /** The paid vendor; null if the account has none. */
  readonly vendor: AuditVendor | null
  /** The account's other bills that are not void, in any order, about the last 36. */
  readonly history: readonly HistoryBill[]
  /** Differences from the defaults: installation, client, account, in this order. A service has its own. */
  readonly settings: readonly AuditSettingsPatch[]
  /** Current day in New York. */
  readonly today: CalendarDate
  readonly context: AuditContext
  /** The bill's group, if its links are known; rule 38 is silent without it. */
  readonly group?: GroupAudit | undefined
}

export interface GroupAudit {
  /** Current charges of the subaccounts' bills that this bill includes. */
  readonly children: readonly string[]
  /** Active subaccounts of the group without a bill among them. */
  readonly missing: number
  /** Several bills of the group that match this one equally; else empty. */
  readonly fitting: readonly number[]
}

export interface AuditContext {
  /** Meter numbers of the statement that the account does not have. */
  readonly unknown_meters: readonly string[]
  /** The day on which a history was imported at once; null for ordinary bills. */
  readonly history_import_on: CalendarDate | null
  /** Whether the bill is about to enter a closing client batch: only then must its ledger accounts be complete. */
  readonly for_accounting_batch: boolean
  /** Whether the client's bills are paid here. */
  readonly payments_managed: boolean
  /** Whether this is the nightly re-audit, the only one that reports bills that have not come. */
  readonly is_nightly: boolean
}

export const ordinaryContext: AuditContext = {
  unknown_meters: [],
  history_import_on: null,
  for_accounting_batch: false,
  payments_managed: true,
  is_nightly: false,
}

export interface AuditBill extends BillCharges {
  /** Null before the first save. */
  readonly id: number | null
  readonly date: CalendarDate | null
  readonly due_date: CalendarDate | null
  readonly invoice_number: string | null
  readonly amount_due: string | null
  readonly paid: boolean
  readonly finalized: boolean
  readonly rebill_adjustment: boolean
  readonly rebill_mode: 'replace' | 'add' | null
  readonly rebill_of_id: number | null
  readonly bill_charges: readonly { readonly name: string; readonly amount: string | null }[]
  readonly service_bills: readonly AuditLine[]
}

export interface AuditLine extends LineCharges {
  readonly service_id: number | null
  readonly previous_read_date: CalendarDate | null
  readonly read_date: CalendarDate | null
  readonly previous_reading: string | null
  readonly meter_reading: string | null
  readonly multiplier: string | null
  readonly usage: string | null
  readonly unit_id: number | null
  /** The printed unit if it matches none of ours. */
  readonly raw_unit: string | null
  readonly rate_schedule: string | null
  readonly estimated: boolean
  readonly notes: string | null
  readonly service_bill_usage_factors: readonly FactorValue[]
}

/** E! error that holds the payment, E error, W warning, I information. */
export const severities = ['E!', 'E', 'W', 'I'] as const
export type Severity = (typeof severities)[number]

export interface Finding {
  readonly code: string
  readonly severity: Severity
  /** Text with the arithmetic. */
  readonly message: string
  /** The wire field with the fault; editing it reopens the finding. */
  readonly field: string | null
  readonly service_id: number | null
  /** Position of the line in service_bills; null if the finding concerns the bill or a missing line. */
  readonly line: number | null
  readonly expected: string | null
  readonly actual: string | null
  readonly limit: string | null
  /** The bill that this one seems to repeat or to follow from. */
  readonly other_bill_id: number | null
}

/** The result of a rule; the engine adds the code and the position. */
export interface Verdict {
  readonly severity: Severity
  readonly message: string
  readonly field: string
  readonly expected?: string
  readonly actual?: string
  readonly limit?: string
  readonly other_bill_id?: number
  /** For a rule of the bill that concerns one service. */
  readonly service_id?: number
}
