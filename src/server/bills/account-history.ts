/**
 * Past bills of accounts as the audits read them: the live bills around the drafts' dates with their lines, in two statements for all
 * accounts.
 */
import type { AccountType } from '#contract/bills/bill.ts'
import { spreadResidual } from '#contract/bill-figures/allocation.ts'
import type { HistoryBill, HistoryLine } from '#contract/bill-audits/bill-audits.ts'
import { centsOf, centsOrZero, sumCents, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { accountColumn } from './account-scope.ts'
import { bookKey, type AccountBook, type AccountRef } from './account-books.ts'

/** Three years back contain the seasons for the outlier rules; 400 days ahead contain the duplicates of a late bill. */
const daysBack = 1_130
const daysAhead = 400
/** More bills than a weekly account has in that time. */
const billsPerAccountMax = 240

export interface Span extends AccountRef {
  /** First and last date of the drafts. */
  readonly first: string
  readonly last: string
}

/** Fills the books with the live bills around each span, newest first. */
export async function fillHistories(
  tx: Tx,
  clientId: number,
  books: ReadonlyMap<string, AccountBook>,
  spans: readonly Span[],
): Promise<void> {
  const bills = [...(await billsOf(tx, clientId, 'BillableAccount', spans)), ...(await billsOf(tx, clientId, 'SupplyAccount', spans))]
  const lines = await linesOf(
    tx,
    clientId,
    bills.map((bill) => bill.id),
  )
  for (const row of bills) books.get(bookKey(row))?.history.push(historyOf(row, lines.get(row.id) ?? []))
}

interface BillRow extends Omit<HistoryBill, 'lines'>, AccountRef {
  readonly late_fee: string
}

async function billsOf(tx: Tx, clientId: number, type: AccountType, spans: readonly Span[]): Promise<BillRow[]> {
  const wanted = spans.filter((span) => span.account_type === type)
  if (wanted.length === 0) return []
  const { rows } = await sql<BillRow>`
    select ${type}::text as account_type, span.account_id, bill.* from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as span(account_id bigint, first date, last date)
    cross join lateral (
      select bills.id, bills.date, bills.due_date, bills.invoice_number, bills.current_charges, bills.late_fee, bills.amount_due, bills.amount_paid, bills.paid,
        (bills.created_at at time zone 'America/New_York')::date as received_on, batch.batch_date as batched_on,
        coalesce(payment.payment_date, (batch.paid_at at time zone 'America/New_York')::date) as paid_on
      from bills
      left join vendor_payments payment on payment.client_id = bills.client_id and payment.id = bills.vendor_payment_id
      left join payment_batches batch on batch.client_id = payment.client_id and batch.id = payment.payment_batch_id
      where bills.client_id = ${clientId} and bills.${sql.ref(accountColumn(type))} = span.account_id and bills.superseded_by_id is null
        and bills.date between span.first - ${daysBack}::int and span.last + ${daysAhead}::int
      order by bills.date desc, bills.id desc limit ${billsPerAccountMax}) bill`.execute(tx)
  return rows
}

interface LineRow extends Omit<HistoryLine, 'cost'> {
  readonly bill_id: number
  readonly charge: string
}

async function linesOf(tx: Tx, clientId: number, billIds: readonly number[]): Promise<Map<number, LineRow[]>> {
  if (billIds.length === 0) return new Map()
  const { rows } = await sql<LineRow>`
    select line.bill_id, line.service_id, line.previous_read_date, line.read_date, line.meter_reading, line.multiplier, line.unit_id, line.usage, line.standard_usage, line.estimated,
      coalesce((select sum(entry.value) from service_bill_entry_values entry where entry.client_id = line.client_id and entry.service_bill_id = line.id), 0)
        + coalesce((select sum(round(entry.value, 2)) from service_bill_additional_values entry where entry.client_id = line.client_id and entry.service_bill_id = line.id), 0) as charge,
      (select factor.value from service_bill_usage_factors factor join usage_factors on usage_factors.id = factor.usage_factor_id
        where factor.client_id = line.client_id and factor.service_bill_id = line.id and usage_factors.name in ('KW Billed', 'Demand') and factor.value <> 0
        order by usage_factors.name desc limit 1) as kw_billed
    from service_bills line where line.client_id = ${clientId} and line.bill_id = any(${billIds}::bigint[]) order by line.bill_id, line.position, line.id`.execute(
    tx,
  )
  return Map.groupBy(rows, (row) => row.bill_id)
}

/** Account-level charges are distributed to the lines by their share of the cost, as everywhere that the cost of a line is used. */
function historyOf({ account_type: _type, account_id: _id, late_fee, ...bill }: BillRow, lines: readonly LineRow[]): HistoryBill {
  const charges = lines.map((line) => ({ charge: centsOf(twoDecimals(line.charge)), usage: line.usage, unit_id: line.unit_id }))
  const residual = centsOf(bill.current_charges) + centsOrZero(late_fee) - sumCents(charges.map((one) => one.charge))
  const shares = spreadResidual(residual, charges)
  return {
    ...bill,
    lines: lines.map(({ bill_id: _bill, charge: _charge, ...line }, place) => ({
      ...line,
      cost: wireOf((charges[place]?.charge ?? 0) + (shares[place] ?? 0)),
    })),
  }
}

/** A sum of no rows is a plain 0; otherwise money from the database always has two decimals. */
function twoDecimals(amount: string): string {
  return amount.includes('.') ? amount : `${amount}.00`
}

/** Returns the first and the last date of each account's bills. */
export function spansOf(bills: readonly (AccountRef & { readonly date: string })[]): Span[] {
  return [...Map.groupBy(bills, bookKey).values()].flatMap((ofAccount) => {
    const dates = ofAccount.map((bill) => bill.date).toSorted()
    const [first] = dates
    const last = dates.at(-1)
    const [one] = ofAccount
    return one && first && last ? [{ account_type: one.account_type, account_id: one.account_id, first, last }] : []
  })
}
