/**
 * The month-end figures: bills, batches, payments, open items, accruals, and the roll-forward of unpaid bills, which must tie. Days are New York
 * days. A group owes by its own bill, and is booked by the bills of its children.
 */
import { missingBillDays } from '#contract/alerts/alert.ts'
import { monthWindow } from '#contract/dashboard/date-range.ts'
import { addToMonth, firstDayOf, lastDayOf, monthOf, monthsFrom, type CalendarMonth } from '#contract/kernel/date.ts'
import { sumMoney, wireOf } from '#contract/kernel/money.ts'
import type { BillFilters, FigureBills } from '#contract/reports/figure-bills.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused } from '../kernel/problem.ts'
import { accrualsOf, accrualSums } from './accruals.ts'
import { rowsBehind } from './bills-behind.ts'
import { rowsInParts } from './report-reading.ts'
import type { AskedReport, ReportRow, ReportTable } from './report-table.ts'
import { hasChildren } from './bill-choice.ts'
import { unbookedBills } from './unbooked-bills.ts'
import { billFigures, monthRows, paymentFigures, rollForward, type Figure } from './unpaid-bills.ts'

/** Maximum months of one report. */
const MONTHS_MAX = 12

type Section = 'Bills' | 'Client batches' | 'Payments' | 'Open items' | 'Accruals' | 'Roll-forward of unpaid bills'
const sections: readonly Section[] = ['Bills', 'Client batches', 'Payments', 'Open items', 'Accruals', 'Roll-forward of unpaid bills']

export async function monthEnd(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const months = monthsOf(asked)
  const bySection: Readonly<Record<Section, readonly Figure[]>> = {
    Bills: await billFigures(tx, asked.clientId, months),
    'Client batches': await batchFigures(tx, asked.clientId, months),
    Payments: await paymentFigures(tx, asked.clientId, months),
    'Open items': await openItems(tx, asked.clientId, months),
    Accruals: await accrualFigures(tx, asked, months),
    'Roll-forward of unpaid bills': await rollForward(tx, asked.clientId, months),
  }
  for (const month of months) checkPayments(month, bySection)
  const behind = rowsBehind()
  const rows = months.flatMap((month) =>
    sections.flatMap((section) =>
      bySection[section]
        .filter((figure) => figure.month === month)
        .map(({ item, count, amount }): ReportRow =>
          behind.note([month, section, item, String(count), amount], figuresOf(asked.clientId, month, `${section}: ${item}`)),
        ),
    ),
  )
  return {
    columns: asked.columns,
    rows: rowsInParts(rows),
    control: null,
    behind: behind.of,
    remarks: () => [
      'Bills count with their current charges and late fees, because a balance forward is owed by the bills that it comes from. What client batches hold, and what is in none, counts with its amount due.',
      'A bill that was paid without a payment of its own counts as paid on its due date.',
      'Open items are as they stand now, of bills dated up to the end of the month.',
      `Accruals are those at the end of ${months.at(-1) ?? ''}.`,
    ],
  }
}

/**
 * The bills of the items that lists of bills can show. Others go by days on which bills were entered, paid or voided, which may be over, or
 * count batches, payments, accounts and meters.
 */
function figuresOf(client_id: number, month: CalendarMonth, item: string): FigureBills[] {
  const last = lastDayOf(month)
  const open = { date_lteq: last, paid: 'false', finalized: 'false' }
  const owed = { counts: 'owed' }
  const found: Readonly<Record<string, BillFilters>> = {
    'Bills: Dated in the month': { date_gteq: firstDayOf(month), date_lteq: last, ...owed },
    'Open items: In no client batch': { ...open, accounting_batch_id_null: 'true', booked: 'true' },
    'Open items: In no vendor batch': { ...open, ...owed, vendor_payment_id_null: 'true' },
    'Open items: Parked': { ...open, ...owed, parked: 'true' },
    'Open items: QC': { ...open, ...owed, qc: 'true' },
    'Open items: Past due at the end of the month': { ...open, ...owed, due_date_lteq: last },
  }
  const filters = found[item]
  if (filters === undefined) return []
  return [
    { column: 'count', client_id, filters, comes_to: 'count' },
    { column: 'amount', client_id, filters, comes_to: 'booked' in filters ? 'amount_due' : 'charged' },
  ]
}

/** What was paid, less what of it was owed by earlier bills, is what the roll-forward takes as paid. Throws if it is not. */
function checkPayments(month: CalendarMonth, bySection: Readonly<Record<Section, readonly Figure[]>>): void {
  const amounts = (section: Section, isMeant: (figure: Figure) => boolean = () => true): string =>
    sumMoney(bySection[section].filter((figure) => figure.month === month && isMeant(figure)).map(({ amount }) => amount ?? '0.00'))
  if (amounts('Payments') !== amounts('Roll-forward of unpaid bills', ({ item }) => item === 'Paid'))
    throw new Error(`the payments of ${month} do not tie to the bills that they paid`)
}

/** Returns the months of the date range, or the last complete month. */
function monthsOf({ data: { date_range }, today }: AskedReport): CalendarMonth[] {
  const usual = addToMonth(monthOf(today), -1)
  const last = date_range.to === null ? (date_range.from === null ? usual : monthOf(date_range.from)) : monthOf(date_range.to)
  const months = monthsFrom(date_range.from === null ? last : monthOf(date_range.from), last)
  if (months.length > MONTHS_MAX) throw refused(`Choose at most ${MONTHS_MAX} months.`)
  return months
}

async function batchFigures(tx: Tx, clientId: number, months: readonly CalendarMonth[]): Promise<Figure[]> {
  const counted = (item: string, at: RawBuilder<unknown>) =>
    sql`select asked.month, ${item}::text as item, count(batch.id)::int as count, coalesce(sum(batch.total), 0)::numeric(16,2) as amount
      from ${monthRows(months)} left join batch on (${at} at time zone 'America/New_York')::date >= asked.first and (${at} at time zone 'America/New_York')::date < asked.next
      group by asked.month`
  const { rows } = await sql<Figure>`with batch as materialized (
      select batches.id, batches.closed_at, batches.invoiced_at, sum(bills.amount_due) as total from accounting_batches batches
      left join bills on bills.client_id = ${clientId} and bills.accounting_batch_id = batches.id where batches.client_id = ${clientId}
      group by batches.id, batches.closed_at, batches.invoiced_at)
    ${counted('Closed', sql`batch.closed_at`)} union all ${counted('Invoiced', sql`batch.invoiced_at`)}`.execute(tx)
  return rows
}

async function openItems(tx: Tx, clientId: number, months: readonly CalendarMonth[]): Promise<Figure[]> {
  const open = (item: string, amount: RawBuilder<unknown>, where: RawBuilder<unknown>) =>
    sql`select asked.month, ${item}::text as item, count(bills.id)::int as count, coalesce(sum(${amount}), 0)::numeric(16,2) as amount
      from ${monthRows(months)} left join bills on bills.client_id = ${clientId} and bills.superseded_by_id is null
        and bills.date < asked.next and not bills.paid and not bills.finalized and ${where} group by asked.month`
  const counted = (item: string, where: RawBuilder<unknown>) =>
    open(item, sql`bills.current_charges + bills.late_fee`, sql`bills.group_bill_id is null and ${where}`)
  const missing = (
    table: string,
  ) => sql`select account.client_id, account.id, account.last_bill_date, account.created_at from ${sql.table(table)} account
    where account.client_id = ${clientId} and account.active`
  const since = sql`asked.next - ${missingBillDays}::int`
  const { rows } =
    await sql<Figure>`${open('In no client batch', sql`bills.amount_due`, sql`bills.accounting_batch_id is null and not ${hasChildren(sql`${clientId}`)}`)}
    union all ${counted('In no vendor batch', sql`bills.vendor_payment_id is null`)}
    union all ${counted('Parked', sql`bills.parked`)}
    union all ${counted('QC', sql`bills.qc`)}
    union all ${counted('Flagged', sql`(bills.open_errors > 0 or bills.open_blocking > 0)`)}
    union all ${counted('Past due at the end of the month', sql`bills.due_date < asked.next`)}
    union all select asked.month, ${`Accounts without a bill for ${missingBillDays} days`}::text, count(account.id)::int, null::numeric(16,2)
      from ${monthRows(months)} left join (${missing('billable_accounts')} union all ${missing('supply_accounts')}) account
        on coalesce(account.last_bill_date, (account.created_at at time zone 'America/New_York')::date) < ${since} group by asked.month`.execute(
      tx,
    )
  return rows
}

/** Accruals at the end of the last month, by ledger account if the reader may see them. */
async function accrualFigures(tx: Tx, asked: AskedReport, months: readonly CalendarMonth[]): Promise<Figure[]> {
  const month = months.at(-1)
  if (month === undefined) return []
  const { from, to } = monthWindow(month, month)
  const sums = accrualSums()
  const period = { from, to }
  for await (const some of accrualsOf(tx, asked, period, await unbookedBills(tx, asked, period))) sums.add(some)
  const figure = (item: string, { meters, amount }: { meters: number; amount: number }): Figure => ({
    month,
    item,
    count: meters,
    amount: wireOf(amount),
  })
  const accounts = asked.rights.ledger ? sums.byAccount().map(({ account, ...sum }) => figure(account, sum)) : []
  return [...accounts, figure('All', sums.all())]
}
