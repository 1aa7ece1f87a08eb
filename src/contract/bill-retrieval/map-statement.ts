/**
 * Turns a retrieved statement first into the specification's third-party record, on which a user decides, and then into the bill draft with its
 * service lines. Pure, so the page shows exactly what the server will save.
 */
import { addDays } from '../kernel/date.ts'
import { subtractMoney } from '../kernel/money.ts'
import { statementFilename, type AccountCharge, type Cannot, type RetrievalRecord, type Statement } from './statement.ts'
import { retrievedLines, type NeededService, type RetrievedLine } from './retrieved-lines.ts'
import { chargedOf } from './statement-figures.ts'

export interface MappingTerms {
  /** The client's short code, for the record and the file name. */
  readonly client: string
  /** The vendor's payment terms in days: the due date of a statement that prints none. */
  readonly paymentTermsDays: number
}

export interface RetrievedBill {
  readonly statement_id: string
  readonly account_number: string
  readonly provider_name: string
  readonly date: string
  readonly due_date: string
  readonly previous_read_date: string | null
  readonly read_date: string | null
  readonly invoice_number: string | null
  readonly balance_forward: string
  readonly current_charges: string
  readonly late_fee: string
  readonly amount_due: string
  readonly rebill_adjustment: boolean
  readonly qc: boolean
  readonly parked: boolean
  readonly notes: string | null
  readonly filename: string
  readonly lines: readonly RetrievedLine[]
  readonly bill_charges: readonly AccountCharge[]
  readonly services: readonly NeededService[]
}

/** Returns a statement as a bill draft, or the reason it cannot become one. */
export function mapStatement(statement: Statement, terms: MappingTerms): RetrievedBill | Cannot {
  const record = recordOf(statement, terms)
  return 'cannot' in record ? record : billOfRecord(record)
}

/**
 * Returns the third-party record of a statement. The amount due is the statement's, the current charges are the ones its figures agree on, and
 * the balance forward is the rest, so the three parts of the head always add up. Assumptions are listed in `assumed` and, in words, in `notes`.
 */
export function recordOf(statement: Statement, terms: MappingTerms): RetrievalRecord | Cannot {
  if (statement.kind === 'notice') return { cannot: 'This is a notice, not a bill.' }
  if (statement.amount_due === null || statement.current_charges === null) {
    return { cannot: "The statement prints no amounts, as a supplier's does whose charges stand on the utility's own bill." }
  }
  const billDate = statement.bill_date ?? statement.interval_end
  if (billDate === null) return { cannot: 'The statement prints neither a date nor a service period.' }
  const { amount_due, current_charges } = statement
  const charged = chargedOf({ ...statement, amount_due, current_charges })
  const remarks = [...assumptionsOf(statement, terms, billDate), ...charged.remarks]
  return {
    statement_id: statement.statement_id,
    file_id: statement.file_id,
    kind: statement.kind,
    client: terms.client,
    provider_name: statement.provider_name,
    account_number: statement.account_number,
    invoice_number: statement.invoice_number,
    bill_date: billDate,
    due_date: statement.due_date ?? addDays(billDate, terms.paymentTermsDays),
    interval_start: statement.interval_start,
    interval_end: statement.interval_end,
    meters: charged.meters,
    account_charges: charged.account_charges,
    balance_forward: subtractMoney(subtractMoney(amount_due, charged.current_charges), statement.late_fee),
    current_charges: charged.current_charges,
    late_fee: statement.late_fee,
    amount_due,
    notes: remarks.length === 0 ? null : remarks.join('\n'),
    rebill_adjustment: statement.rebill_adjustment || statement.kind === 'adjustment',
    qc: false,
    parked: false,
    attachment: statementFilename(terms.client, billDate, statement.account_number),
    assumed: [
      ...(statement.bill_date === null ? ['bill_date' as const] : []),
      ...(statement.due_date === null ? ['due_date' as const] : []),
    ],
  }
}

/** Returns the bill of a record, original or changed by a user. */
export function billOfRecord(record: RetrievalRecord): RetrievedBill {
  const { lines, services } = retrievedLines(record.meters, record.account_number)
  const starts = record.meters.flatMap((meter) => meter.previous_read_date ?? [])
  const ends = record.meters.flatMap((meter) => meter.read_date ?? [])
  return {
    statement_id: record.statement_id,
    account_number: record.account_number,
    provider_name: record.provider_name,
    date: record.bill_date,
    due_date: record.due_date,
    previous_read_date: record.interval_start ?? starts.toSorted()[0] ?? null,
    read_date: record.interval_end ?? ends.toSorted().at(-1) ?? null,
    invoice_number: record.invoice_number,
    balance_forward: record.balance_forward,
    current_charges: record.current_charges,
    late_fee: record.late_fee,
    amount_due: record.amount_due,
    rebill_adjustment: record.rebill_adjustment,
    qc: record.qc,
    parked: record.parked,
    notes: record.notes,
    filename: record.attachment,
    lines,
    bill_charges: record.account_charges,
    services,
  }
}

/** Returns the assumptions for values that the statement does not print. */
function assumptionsOf(statement: Statement, terms: MappingTerms, billDate: string): string[] {
  const remarks: string[] = []
  if (statement.bill_date === null)
    remarks.push(`Bill date assumed: no statement date is printed, ${billDate} is the end of the service period.`)
  if (statement.due_date === null) remarks.push(`Due date assumed: none is printed, bill date plus ${terms.paymentTermsDays} days.`)
  return remarks
}
