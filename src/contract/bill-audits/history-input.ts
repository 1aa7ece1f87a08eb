/** The earlier bills that an audit compares with. */
import type { CalendarDate } from '../kernel/date.ts'

export interface HistoryBill {
  readonly id: number
  readonly date: CalendarDate
  readonly due_date: CalendarDate | null
  readonly invoice_number: string | null
  readonly current_charges: string
  readonly amount_due: string
  readonly amount_paid: string | null
  readonly paid: boolean
  /** New York days on which it was received, batched for payment and paid; null if unknown. */
  readonly received_on: CalendarDate | null
  readonly batched_on: CalendarDate | null
  readonly paid_on: CalendarDate | null
  readonly lines: readonly HistoryLine[]
}

export interface HistoryLine {
  readonly service_id: number
  readonly previous_read_date: CalendarDate | null
  readonly read_date: CalendarDate | null
  readonly meter_reading: string | null
  readonly multiplier: string | null
  readonly unit_id: number | null
  readonly usage: string | null
  /** Adjusted usage in the standard unit; null without a conversion. */
  readonly standard_usage: string | null
  /** Its charges plus its share of the account-level ones, two decimals. */
  readonly cost: string
  readonly estimated: boolean
  readonly kw_billed: string | null
}
