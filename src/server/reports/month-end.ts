/**
 * The month-end figures: bills, batches, payments, open items, accruals, and the roll-forward of unpaid bills, which must tie. Days are New York
 * days. A bill of a group's child owes nothing itself and counts with its group's bill.
 */
import { missingBillDays } from '#contract/alerts/alert.ts'
import { monthWindow } from '#contract/dashboard/date-range.ts'
import { addDays, addToMonth, firstDayOf, lastDayOf, monthOf, monthsFrom, type CalendarMonth } from '#contract/kernel/date.ts'
import { sumMoney, subtractMoney, wireOf } from '#contract/kernel/money.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused } from '../kernel/problem.ts'
import { accrualsOf, accrualSums } from './accruals.ts'
import { rowsInParts } from './report-reading.ts'
import type { AskedReport, ReportRow, ReportTable } from './report-table.ts'

/** Maximum months of one report. */
const MONTHS_MAX = 12

interface Figure {
  readonly month: string
  readonly item: string
  readonly count: number
  readonly amount: string | null
}

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
  const rows = months.flatMap((month) =>
    sections.flatMap((section) =>
      bySection[section]
        .filter((figure) => figure.month === month)
        .map(({ item, count, amount }): ReportRow => [month, section, item, String(count), amount]),
    ),
  )
  return {
    columns: asked.columns,
    rows: rowsInParts(rows),
    control: null,
    remarks: () => [
      'A bill that was paid without a payment of its own counts as paid on its due date.',
      'Open items are as they stand now, of bills dated up to the end of the month.',
      `Accruals are those at the end of ${months.at(-1) ?? ''}.`,
    ],
  }
}

/** Returns the months of the date range, or the last complete month. */
function monthsOf({ data: { date_range }, today }: AskedReport): CalendarMonth[] {
  const usual = addToMonth(monthOf(today), -1)
  const last = date_range.to === null ? (date_range.from === null ? usual : monthOf(date_range.from)) : monthOf(date_range.to)
  const months = monthsFrom(date_range.from === null ? last : monthOf(date_range.from), last)
  if (months.length > MONTHS_MAX) throw refused(`Choose at most ${MONTHS_MAX} months.`)
  return months
}

/** Rows of `month`, `first` and `next`: the first day of the month and of the following month. */
function monthRows(months: readonly CalendarMonth[]): RawBuilder<unknown> {
  return sql`unnest(${months}::text[], ${months.map(firstDayOf)}::date[], ${months.map((month) => addDays(lastDayOf(month), 1))}::date[]) as asked(month, first, next)`
}

/**
 * `life`: each bill that owes its own amount, the day it was entered, and the day and reason it stopped being owed. A bill that was paid or
 * replaced before it was entered, such as imported history, ends on the day of its entry.
 */
function lives(clientId: number): RawBuilder<unknown> {
  return sql`life as materialized (
    select life.*, least(paid_on, void_on) as ended_on, case when paid_on is not null and (void_on is null or paid_on < void_on) then 'paid' when void_on is not null then 'void' end as ended_by
    from (
      select bills.id, bills.date, bills.due_date, bills.amount_due, bills.amount_paid, bills.accounting_batch_id, bills.vendor_payment_id,
        coalesce(payment_batch.paid_as, payment.payment_method, 'No payment recorded') as payment_type, entered.day as entered_on,
        case when bills.paid or bills.finalized then greatest(entered.day, coalesce(payment.payment_date, (payment_batch.paid_at at time zone 'America/New_York')::date, bills.due_date)) end as paid_on,
        greatest((successor.created_at at time zone 'America/New_York')::date, case when successor.id is not null then entered.day end) as void_on
      from bills cross join lateral (select (bills.created_at at time zone 'America/New_York')::date as day) entered
      left join bills successor on successor.client_id = ${clientId} and successor.id = bills.superseded_by_id
      left join vendor_payments payment on payment.client_id = ${clientId} and payment.id = bills.vendor_payment_id
      left join payment_batches payment_batch on payment_batch.client_id = ${clientId} and payment_batch.id = payment.payment_batch_id
      where bills.client_id = ${clientId} and bills.group_bill_id is null) life)`
}

async function billFigures(tx: Tx, clientId: number, months: readonly CalendarMonth[]): Promise<Figure[]> {
  const within = (day: RawBuilder<unknown>) => sql`${day} >= asked.first and ${day} < asked.next`
  const counted = (item: string, where: RawBuilder<unknown>) =>
    sql`select asked.month, ${item}::text as item, count(life.id)::int as count, coalesce(sum(life.amount_due), 0)::numeric(16,2) as amount
      from ${monthRows(months)} left join life on ${where} group by asked.month`
  const { rows } = await sql<Figure>`with ${lives(clientId)}
    ${counted('Dated in the month', sql`${within(sql`life.date`)} and life.ended_by is distinct from 'void'`)}
    union all ${counted('Entered', within(sql`life.entered_on`))}
    union all ${counted(
      'In client batches that were closed',
      sql`exists (select from accounting_batches batch where batch.client_id = ${clientId} and batch.id = life.accounting_batch_id
        and ${within(sql`(batch.closed_at at time zone 'America/New_York')::date`)})`,
    )}
    union all ${counted('Paid', sql`life.ended_by = 'paid' and ${within(sql`life.ended_on`)}`)}`.execute(tx)
  return rows
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

async function paymentFigures(tx: Tx, clientId: number, months: readonly CalendarMonth[]): Promise<Figure[]> {
  const { rows } = await sql<Figure>`with ${lives(clientId)}
    select asked.month, life.payment_type as item, count(distinct life.vendor_payment_id)::int as count, sum(coalesce(life.amount_paid, life.amount_due))::numeric(16,2) as amount
    from ${monthRows(months)} join life on life.ended_by = 'paid' and life.ended_on >= asked.first and life.ended_on < asked.next
    group by asked.month, life.payment_type order by 1, 2`.execute(tx)
  return rows
}

async function openItems(tx: Tx, clientId: number, months: readonly CalendarMonth[]): Promise<Figure[]> {
  const counted = (item: string, where: RawBuilder<unknown>) =>
    sql`select asked.month, ${item}::text as item, count(bills.id)::int as count, coalesce(sum(bills.amount_due), 0)::numeric(16,2) as amount
      from ${monthRows(months)} left join bills on bills.client_id = ${clientId} and bills.superseded_by_id is null and bills.group_bill_id is null
        and bills.date < asked.next and not bills.paid and not bills.finalized and ${where} group by asked.month`
  const missing = (
    table: string,
  ) => sql`select account.client_id, account.id, account.last_bill_date, account.created_at from ${sql.table(table)} account
    where account.client_id = ${clientId} and account.active`
  const since = sql`asked.next - ${missingBillDays}::int`
  const { rows } = await sql<Figure>`${counted('In no client batch', sql`bills.accounting_batch_id is null`)}
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
  for await (const some of accrualsOf(tx, asked, { from, to })) sums.add(some)
  const figure = (item: string, { meters, amount }: { meters: number; amount: number }): Figure => ({
    month,
    item,
    count: meters,
    amount: wireOf(amount),
  })
  const accounts = asked.rights.ledger ? sums.byAccount().map(({ account, ...sum }) => figure(account, sum)) : []
  return [...accounts, figure('All', sums.all())]
}

/** Opening plus entered minus paid minus voided must equal closing; opening and closing are each counted directly. Throws if they do not tie. */
async function rollForward(tx: Tx, clientId: number, months: readonly CalendarMonth[]): Promise<Figure[]> {
  const counted = (item: string, where: RawBuilder<unknown>) =>
    sql`select asked.month, ${item}::text as item, count(life.id)::int as count, coalesce(sum(life.amount_due), 0)::numeric(16,2) as amount
      from ${monthRows(months)} left join life on ${where} group by asked.month`
  const owedOn = (day: RawBuilder<unknown>) => sql`life.entered_on < ${day} and (life.ended_on is null or life.ended_on >= ${day})`
  const ended = (by: string) => sql`life.ended_by = ${by} and life.ended_on >= asked.first and life.ended_on < asked.next`
  const { rows } = await sql<Figure>`with ${lives(clientId)}
    ${counted('Opening unpaid', owedOn(sql`asked.first`))}
    union all ${counted('Entered', sql`life.entered_on >= asked.first and life.entered_on < asked.next`)}
    union all ${counted('Paid', ended('paid'))}
    union all ${counted('Voided', ended('void'))}
    union all ${counted('Closing unpaid', owedOn(sql`asked.next`))}`.execute(tx)
  for (const month of months) {
    const of = (item: string): string => rows.find((row) => row.month === month && row.item === item)?.amount ?? '0.00'
    const reached = subtractMoney(sumMoney([of('Opening unpaid'), of('Entered')]), sumMoney([of('Paid'), of('Voided')]))
    if (reached !== of('Closing unpaid')) throw new Error(`the unpaid bills of client ${clientId} do not roll forward in ${month}`)
  }
  return rows
}
