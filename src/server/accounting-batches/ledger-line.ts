/** A ledger line of a client batch, computed from a bill or frozen by a close. */
import type { LedgerEntry } from '#contract/bill-figures/allocation.ts'
import type { Cents } from '#contract/kernel/money.ts'

export interface LedgerLine {
  readonly bill_id: number
  readonly service_bill_id: number | null
  readonly service_id: number | null
  readonly kind: LedgerEntry['kind']
  readonly ledger_account_id: number | null
  readonly ledger_account_name: string
  /** Ordered like the client's ledger fields. */
  readonly ledger_values: readonly LedgerValue[]
  readonly division_id: number | null
  /** Amount; a debit is positive. */
  readonly amount: Cents
  readonly description: string
  /** Id of the frozen line that this one reverses. */
  readonly reverses_id: number | null
}

/** A value of a ledger field with the name that the field has or, on a frozen line, had when its batch was closed. */
export interface LedgerValue {
  /** Null on lines that were frozen before ids were kept, if the field is not known any more. */
  readonly id: number | null
  readonly name: string
  readonly value: string
}

export interface LedgerBatch {
  readonly id: number
  readonly client_id: number
}
