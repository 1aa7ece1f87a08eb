/** Turns a matched statement into the draft of its bill. Pure: reference data is passed in. */
import type { BillDraft, ServiceBillDraft } from '#contract/bills/bill-draft.ts'
import type { ChosenRecord } from '#contract/bill-retrieval/retrieval-choice.ts'
import { roundTo } from '#contract/kernel/decimal.ts'
import { billOfRecord, recordOf, type RetrievedBill } from '#contract/bill-retrieval/map-statement.ts'
import type { Cannot } from '#contract/bill-retrieval/statement.ts'
import type { RetrievedLine } from '#contract/bill-retrieval/retrieved-lines.ts'
import { isHistory } from '#contract/bill-retrieval/statement-history.ts'
import { serviceFor } from './match-one.ts'
import type { AccountService, MatchedAccount, StoredStatement } from './find-accounts.ts'

/** Charge that a line must have if its service asks for it; a statement prints no line for missing supply. */
const requiredCharge = 'Supply Charges'

export interface DraftTerms {
  readonly taskId: number
  readonly today: string
  /** Unit ids by `utility service\nsymbol`, and the names of usage factors by utility service. */
  readonly units: ReadonlyMap<string, number>
  readonly factors: ReadonlyMap<string, readonly string[]>
}

/** Returns the bill as the user left it: values sent with the choice replace those of the statement. */
export function chosenBill(stored: StoredStatement, account: MatchedAccount, changes: ChosenRecord | undefined): RetrievedBill | Cannot {
  const record = recordOf(stored.statement, { client: '', paymentTermsDays: account.payment_terms_days })
  if ('cannot' in record || changes === undefined) return 'cannot' in record ? record : billOfRecord(record)
  const { file_id: _file, rebill_mode: _mode, override_reason: _override, statement_id: _statement, ...sent } = changes
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  return billOfRecord({ ...record, ...given })
}

/** Returns the draft. Lines of meters that the account does not have are left out and named, which raises a flag. */
export function draftOf(
  stored: StoredStatement,
  account: MatchedAccount,
  bill: RetrievedBill,
  changes: ChosenRecord | undefined,
  terms: DraftTerms,
): BillDraft {
  const lines = bill.lines.map((line) => ({ line, service: serviceFor(line, stored, account.services) }))
  const assumed = stored.statement.due_date === null && changes?.due_date === undefined
  return {
    account_type: account.account_type,
    account_id: account.account_id,
    date: bill.date,
    due_date: bill.due_date,
    assumed_due_date: assumed,
    invoice_number: bill.invoice_number,
    balance_forward: bill.balance_forward,
    current_charges: bill.current_charges,
    late_fee: bill.late_fee,
    amount_due: bill.amount_due,
    previous_read_date: bill.previous_read_date,
    read_date: bill.read_date,
    notes: bill.notes,
    qc: bill.qc,
    parked: bill.parked,
    rebill_adjustment: bill.rebill_adjustment,
    service_bills: lines.flatMap(({ line, service }) => (service ? [lineDraft(line, service, terms)] : [])),
    bill_charges: bill.bill_charges.map((charge) => ({ ...charge, name: charge.name.trim() || 'Charge' })),
    override_reason: changes?.override_reason ?? null,
    source: 'retrieval',
    retrieval_provider: stored.provider,
    statement_id: stored.statement_id,
    import_task_id: terms.taskId,
    unknown_meters: [...new Set(lines.flatMap(({ line, service }) => (service ? [] : [line.meter_number])))],
    imported_history: isHistory(bill.date, terms.today),
  }
}

function lineDraft(line: RetrievedLine, service: AccountService, { units, factors }: DraftTerms): ServiceBillDraft {
  const known = factors.get(line.utility_service) ?? []
  const strange = line.usage_factors.filter((factor) => !known.includes(factor.name))
  const unit_id = line.unit === null ? null : (units.get(`${line.utility_service}\n${line.unit}`) ?? null)
  const notes = [line.notes, ...strange.map((factor) => `${factor.name}: ${factor.value}.`)].filter((note) => note !== null)
  const lacksCharge = service.entry_fields.includes(requiredCharge) && !line.entry_fields.some((entry) => entry.name === requiredCharge)
  return {
    service_id: service.id,
    previous_read_date: line.previous_read_date,
    read_date: line.read_date,
    previous_reading: rounded(line.previous_reading, 2),
    meter_reading: rounded(line.meter_reading, 2),
    multiplier: rounded(line.multiplier, 4),
    usage: line.usage,
    unit_id,
    // Without one of our units the service's own would be assumed, and the usage added to others.
    raw_unit: unit_id === null && line.metered && line.usage !== null ? (line.unit ?? 'Undefined') : null,
    estimated: line.estimated,
    notes: notes.length === 0 ? null : notes.join('\n'),
    service_bill_entry_fields: lacksCharge ? [...line.entry_fields, { name: requiredCharge, value: '0.00' }] : line.entry_fields,
    service_bill_usage_factors: line.usage_factors.filter((factor) => known.includes(factor.name)),
  }
}

function rounded(value: string | null, scale: number): string | null {
  return value === null ? null : roundTo(value, scale)
}
