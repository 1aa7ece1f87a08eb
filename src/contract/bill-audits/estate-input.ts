/** The account, the services and the vendor that an audit looks at. */
import type { CalendarDate } from '../kernel/date.ts'
import type { AuditSettingsPatch } from './settings.ts'

/** A line of the other side: delivery and supply bill the same energy. */
export interface LinkedLine {
  readonly previous_read_date: CalendarDate | null
  readonly read_date: CalendarDate | null
  readonly standard_usage: string | null
}

export interface AuditService {
  readonly id: number
  readonly meter_number: string
  readonly active: boolean
  readonly metered: boolean
  readonly net_metered: boolean
  readonly meter_multiplier: string | null
  readonly rate_schedule: string | null
  readonly tax_code: string | null
  readonly effective_from: CalendarDate | null
  readonly effective_to: CalendarDate | null
  readonly audits_off: boolean
  readonly audit_settings: AuditSettingsPatch
  /** True for a supplier's meter on a supply account, false for a meter of the delivery utility. */
  readonly is_supply: boolean
  /** Whether a supplier bills this meter's energy separately, so that each of its bills needs a supply bill. */
  readonly expects_supply_bill: boolean
  /** A supplier's meter without a linked delivery meter, although its facility has one of the same utility service. */
  readonly lacks_delivery: boolean
  /** Lines of the linked meters. */
  readonly linked_lines: readonly LinkedLine[]
  readonly usage_unit_id: number | null
  /** Symbol of the utility service's standard unit. */
  readonly standard_unit: string | null
  /** The units in which the utility service can be billed; a null factor has no conversion to the standard unit. */
  readonly usage_units: readonly { readonly unit_id: number; readonly symbol: string; readonly conversion_factor: string | null }[]
  readonly ledger_shares: readonly { readonly ledger_account_id: number; readonly share_ratio: string; readonly active: boolean }[]
}

export interface AuditAccount {
  readonly active: boolean
  readonly is_group_account: boolean
  /** 0 Weekly, 1 Bi-Weekly, 2 Monthly, 3 Quarterly; null counts as Monthly. */
  readonly billing_period: number | null
  /** Days of a monthly cycle, 30 by default. */
  readonly billing_cycle: number | null
  readonly effective_from: CalendarDate | null
  readonly effective_to: CalendarDate | null
  readonly audits_off: boolean
  /** tax_id or tax_ids; a text containing the word exempt marks the account as exempt. */
  readonly tax_ids: readonly string[]
}

export interface AuditVendor {
  readonly name: string
  /** In stored order; the first one is used. */
  readonly payment_methods: readonly string[]
  readonly has_routing_number: boolean
  readonly has_account_number: boolean
  readonly has_remit_address: boolean
}
