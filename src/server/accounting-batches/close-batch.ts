/**
 * Closing a batch freezes its ledger lines with the names of that day. Reopening drops them, as long as the client's books do not have them yet.
 */
import type { BatchBill } from '#contract/accounting-batches/batch-contents.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { sumCents, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { refused } from '../kernel/problem.ts'
import { billsOfBatch, type AskedBatch } from './batch-bills.ts'
import { codingFaults } from './coding-faults.ts'
import type { LedgerLine } from './ledger-line.ts'
import { ledgerAccountsOf, ledgerLines } from './ledger-lines.ts'
import { refusedBillsText } from './store-bills.ts'

/** Most bills in QC that a refusal names; all are counted. */
const QC_NAMED_MAX = 20

/**
 * Freezes the lines of the batch in the caller's transaction, which has locked its bills with `lockBills`. Throws 409 if the batch has no bills, a bill may not be booked, a bill in QC is
 * not among the confirmed ones, or charges have no ledger account; each is named. Throws an Error if the lines do not balance, which only a
 * defect could cause.
 */
export async function closeBatch(context: Context, batch: AskedBatch, confirmedQcIds: readonly number[]): Promise<void> {
  const bills = await billsOfBatch(context.tx, batch, true)
  if (bills.length === 0) throw refused('A batch without bills cannot be closed.')
  const faulty = bills.filter((bill) => bill.refusal !== null)
  if (faulty.length > 0) throw notClosed(refusedBillsText(faulty), faulty[0]?.id)
  await confirmQc(context, batch, bills, confirmedQcIds)
  const accounts = await ledgerAccountsOf(context.tx, batch.client_id)
  const frozenAt = now()
  let position = 0
  for await (const lines of ledgerLines(context.tx, batch)) {
    const [fault] = codingFaults(lines, accounts)
    if (fault !== undefined) throw notClosed(fault.message)
    refuseUnbalanced(batch, lines)
    await insertLines(context, batch, lines, position, frozenAt)
    position += lines.length
  }
}

/** Records in the batch's trail which bills in QC the user confirmed when closing. */
async function confirmQc(context: Context, batch: AskedBatch, bills: readonly BatchBill[], confirmedIds: readonly number[]): Promise<void> {
  const inQc = bills.filter((bill) => bill.qc)
  const confirmed = new Set(confirmedIds)
  const asked = inQc.filter((bill) => !confirmed.has(bill.id))
  if (asked.length > 0) {
    const named = asked.slice(0, QC_NAMED_MAX).map((bill) => `${bill.account_number}, ${formatDate(bill.date)}`)
    const more = asked.length > QC_NAMED_MAX ? `; and ${(asked.length - QC_NAMED_MAX).toLocaleString('en-US')} more` : ''
    const count = asked.length === 1 ? '1 bill is in QC' : `${asked.length.toLocaleString('en-US')} bills are in QC`
    throw refused(`${count} and must be confirmed before the batch closes: ${named.join('; ')}${more}.`, asked[0]?.id)
  }
  if (inQc.length === 0) return
  await context.audit.updated('accounting_batch', batch.id, batch.client_id, {
    confirmed_qc_ids: { from: null, to: inQc.map((bill) => bill.id) },
  })
}

/** Facts that decide whether a closed batch can be reopened. */
export interface ReopenFacts {
  readonly invoiced: boolean
  /** True if an upload file was made since the batch was closed, so the client's ledger may have loaded it. */
  readonly has_final_file: boolean
  /** True if a later batch has reversed lines of this one. */
  readonly is_reversed: boolean
}

export function reopenRefusal({ invoiced, has_final_file, is_reversed }: ReopenFacts): string | null {
  if (invoiced) return 'An invoiced batch cannot be opened again. Rebill what was wrong: the next batch takes it back.'
  if (has_final_file)
    return 'Its upload file was made after it was closed, so the ledger may have loaded it. Rebill what was wrong: the next batch takes it back.'
  if (is_reversed) return 'A later batch has taken back lines of this one, so it cannot be opened again.'
  return null
}

/** Drops the frozen lines of a batch that is being reopened; `before` is the batch before the change. Throws 409 if it may not be reopened. */
export async function reopenBatch(
  { tx }: Context,
  { client_id: clientId, id }: AskedBatch,
  before: { readonly invoiced: boolean; readonly closed_at: string | null },
): Promise<void> {
  const { rows } = await sql<
    Omit<ReopenFacts, 'invoiced'>
  >`select exists (select 1 from accounting_batch_files file where file.client_id = ${clientId}
        and file.accounting_batch_id = ${id} and file.kind = 'upload' and file.created_at >= ${before.closed_at}::timestamptz) as has_final_file,
      exists (select 1 from gl_lines line join gl_lines taken on taken.client_id = ${clientId} and taken.reverses_id = line.id
        where line.client_id = ${clientId} and line.accounting_batch_id = ${id}) as is_reversed`.execute(tx)
  const [facts] = rows
  const refusal = facts ? reopenRefusal({ ...facts, invoiced: before.invoiced }) : null
  if (refusal !== null) throw refused(refusal)
  await sql`delete from gl_lines where client_id = ${clientId} and accounting_batch_id = ${id}`.execute(tx)
}

function refuseUnbalanced(batch: AskedBatch, lines: readonly LedgerLine[]): void {
  const sum = sumCents(lines.map((line) => line.amount))
  if (sum !== 0) throw new Error(`the ledger lines of client batch ${batch.id} are ${wireOf(sum)} out of balance`)
}

async function insertLines(
  { tx }: Context,
  { client_id: clientId, id }: AskedBatch,
  lines: readonly LedgerLine[],
  from: number,
  frozenAt: Date,
): Promise<void> {
  const rows = lines.map((line, place) => ({
    bill_id: line.bill_id,
    service_bill_id: line.service_bill_id,
    position: from + place,
    kind: line.kind,
    ledger_account_id: line.ledger_account_id,
    ledger_account_name: line.ledger_account_name,
    ledger_values: line.ledger_values,
    division_id: line.division_id,
    amount: wireOf(line.amount),
    description: line.description,
    reverses_id: line.reverses_id,
  }))
  await sql`insert into gl_lines (client_id, accounting_batch_id, bill_id, service_bill_id, position, kind, ledger_account_id, ledger_account_name, ledger_values,
      division_id, amount, description, reverses_id, created_at)
    select ${clientId}, ${id}, bill_id, service_bill_id, position, kind, ledger_account_id, ledger_account_name, ledger_values, division_id, amount, description,
      reverses_id, ${frozenAt}
    from jsonb_populate_recordset(null::gl_lines, ${JSON.stringify(rows)}::jsonb)`.execute(tx)
}

const notClosed = (why: string, billId?: number) => refused(`This batch cannot be closed. ${why}`, billId)
