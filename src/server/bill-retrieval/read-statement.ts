/** A row of a retrieved statement as a record. */
import type { RetrievedStatement } from '#contract/bill-retrieval/retrieved-statement.ts'
import { recordOf } from '#contract/bill-retrieval/map-statement.ts'
import { statement as statementSchema, type Statement, type StatementState } from '#contract/bill-retrieval/statement.ts'
import { paymentTermsDaysDefault } from '#contract/vendors/vendor.ts'

/** Columns that are read of a row; the rest of its record follows from the statement. */
export const readKeys = [
  'id',
  'lock_version',
  'client_id',
  'provider',
  'provider_name',
  'statement_id',
  'file_id',
  'account_number',
  'kind',
  'client',
  'bill_date',
  'amount_due',
  'raw',
  'state',
  'reason',
  'account_type',
  'account_id',
  'account_name',
  'vendor_id',
  'vendor_name',
  'payment_terms_days',
  'bill_id',
  'fetched_at',
] as const

export interface ReadStatement extends Pick<
  RetrievedStatement,
  | 'id'
  | 'lock_version'
  | 'client_id'
  | 'provider'
  | 'provider_name'
  | 'statement_id'
  | 'file_id'
  | 'account_number'
  | 'kind'
  | 'client'
  | 'bill_date'
  | 'amount_due'
  | 'reason'
  | 'account_type'
  | 'account_id'
  | 'account_name'
  | 'vendor_id'
  | 'vendor_name'
  | 'bill_id'
  | 'fetched_at'
> {
  readonly state: StatementState
  readonly raw: unknown
  readonly payment_terms_days: number | null
}

/** Returns the record of a row in the form of the wire. A statement that cannot become a bill answers its printed values. */
export function recordOfRow({ raw, payment_terms_days, ...row }: ReadStatement): RetrievedStatement {
  const printed = storedStatement(raw)
  const record = recordOf(printed, { client: row.client, paymentTermsDays: payment_terms_days ?? paymentTermsDaysDefault })
  const shown = 'cannot' in record ? printedRecord(printed) : record
  return {
    ...row,
    invoice_number: shown.invoice_number,
    due_date: shown.due_date,
    interval_start: shown.interval_start,
    interval_end: shown.interval_end,
    meters: [...shown.meters],
    account_charges: [...shown.account_charges],
    balance_forward: shown.balance_forward,
    current_charges: shown.current_charges,
    late_fee: shown.late_fee,
    notes: shown.notes,
    rebill_adjustment: shown.rebill_adjustment,
    qc: false,
    parked: false,
    attachment: shown.attachment,
    assumed: [...shown.assumed],
    service_address: printed.service_address,
  }
}

/**
 * Parses a statement that was stored as JSON. It was validated when it arrived; a later version may define it differently, so it is parsed
 * again.
 */
export function storedStatement(raw: unknown): Statement {
  return statementSchema.parse(raw)
}

function printedRecord(printed: Statement) {
  const {
    invoice_number,
    due_date,
    interval_start,
    interval_end,
    meters,
    account_charges,
    balance_forward,
    current_charges,
    late_fee,
    rebill_adjustment,
  } = printed
  return {
    invoice_number,
    due_date,
    interval_start,
    interval_end,
    meters,
    account_charges,
    balance_forward,
    current_charges,
    late_fee,
    rebill_adjustment,
    notes: null,
    attachment: '',
    assumed: [],
  }
}
