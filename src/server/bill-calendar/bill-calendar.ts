/** The expected-bill calendar of a client's accounts. */
import {
  billableCalendar,
  billableCalendarCalls,
  billCalendar,
  supplyCalendar,
  supplyCalendarCalls,
  type CalendarCalls,
  type CalendarRow,
  type CalendarTotals,
} from '#contract/bill-calendar/bill-calendar.ts'
import { calendarSince } from '#contract/bill-calendar/calendar-rule.ts'
import type { CalendarAccount, CalendarBill } from '#contract/bill-calendar/calendar-months.ts'
import type { ListReply } from '#contract/kernel/call.ts'
import { sql } from 'kysely'
import {
  accountColumns,
  accountJoins,
  accountTables,
  type AccountKind,
  billableAccountScope,
  billScope,
  supplyAccountScope,
} from '../estate/estate.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { readPage, scopeCondition, type Asked, type Column, type Source } from '../kernel/lists/list.ts'
import { askedBy, registered } from '../kernel/lists/resource.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { billedBefore, billsOf, calendarCounts } from './calendar-sql.ts'

const shownKeys = ['id', 'client_id', 'account_number', 'name', 'active', 'facility', 'division_name', 'vendor_name'] as const
const ruleKeys = ['effective_from', 'effective_to', 'billing_period', 'billing_cycle', 'created_on', 'billed_before'] as const
const exportedKeys = [
  'account_number',
  'name',
  'active',
  'division_name',
  'facility',
  'vendor_name',
  'state',
  'late',
  'late_months',
  'missing',
  'missing_months',
  'next_expected',
] as const

const sources: Readonly<Record<AccountKind, Source>> = {
  billable_account: sourceOf('billable_account', billableCalendar),
  supply_account: sourceOf('supply_account', supplyCalendar),
}

export const billCalendarHandlers: readonly Handler[] = [
  ...handlersOf('billable_account', billableCalendarCalls, (rows, total) => ({ billable_account_calendars: rows, total })),
  ...handlersOf('supply_account', supplyCalendarCalls, (rows, total) => ({ supply_account_calendars: rows, total })),
]

function handlersOf<Plural extends string>(
  kind: AccountKind,
  calls: CalendarCalls<Plural>,
  listed: (rows: CalendarRow[], total: number | undefined) => ListReply<Plural, CalendarRow>,
): Handler[] {
  const source = sources[kind]
  return [
    handle(calls.list, async (context, { params, query }) => {
      const asked = askedBy(context, params)
      const keys = [...shownKeys, ...ruleKeys]
      const { rows, total } = await readPage<AccountRow>(context.tx, source, checkedQuery(source, query), asked, keys)
      return listed(await withCells(context, kind, rows, asked), total)
    }),
    handle(calls.totals, (context, { params }) => readTotals(context, kind, askedBy(context, params))),
    handle(calls.exportCsv, (context, { params, query }) => startExport(context, source, query, askedBy(context, params))),
  ]
}

type AccountRow = Omit<CalendarRow, 'cells'> & CalendarAccount
interface BillRow extends CalendarBill {
  readonly id: number
  readonly account_id: number
  readonly amount_due: string
  /** True if the bill is in reach. A group's bill outside the reach covers the month, but is not named. */
  readonly reached: boolean
}

/** Returns the accounts of a page with their months, reading all their bills in one statement. */
async function withCells(
  { tx }: Context,
  kind: AccountKind,
  rows: readonly AccountRow[],
  { reach, clientId }: Asked,
): Promise<CalendarRow[]> {
  if (rows.length === 0) return []
  const { table } = accountTables[kind]
  const day = today()
  const { rows: bills } =
    await sql<BillRow>`select bills.id, ${sql.ref(`${table}.id`)} as account_id, bills.date, bills.previous_read_date, bills.read_date,
      bills.amount_due, (bills.created_at at time zone 'America/New_York')::date as received_on, ${scopeCondition({ scope: billScope }, { reach, clientId })} as reached
    from ${sql.table(table)} join bills on ${billsOf(kind)}
    where ${sql.ref(`${table}.client_id`)} = ${clientId} and ${sql.ref(`${table}.id`)} = any(${rows.map(({ id }) => id)}::bigint[])
      and bills.date >= ${calendarSince(day)}::date
    order by bills.date, bills.id`.execute(tx)
  const byAccount = Map.groupBy(bills, (bill) => bill.account_id)
  return rows.map((row) => {
    const { id, client_id, account_number, name, active, facility, division_name, vendor_name } = row
    const cells = billCalendar(row, byAccount.get(id) ?? [], day)
    return {
      id,
      client_id,
      account_number,
      name,
      active,
      facility,
      division_name,
      vendor_name,
      cells: cells.map((cell) => ({
        ...cell,
        bills: cell.bills.filter(({ reached }) => reached).map((bill) => ({ id: bill.id, date: bill.date, amount_due: bill.amount_due })),
      })),
    }
  })
}

/** Totals over all accounts in reach, whatever the page shows. */
async function readTotals({ tx }: Context, kind: AccountKind, asked: Asked): Promise<CalendarTotals> {
  const { table } = accountTables[kind]
  const { rows } =
    await sql<CalendarTotals>`select coalesce(sum(late), 0)::int as late_months, coalesce(sum(missing), 0)::int as missing_months,
      count(*) filter (where late > 0)::int as late_accounts, count(*) filter (where missing > 0)::int as missing_accounts
    from ${sql.table(table)} ${calendarCounts(kind, today())} where ${scopeCondition(sources[kind], asked)}`.execute(tx)
  return rows[0] ?? { late_months: 0, missing_months: 0, late_accounts: 0, missing_accounts: 0 }
}

function sourceOf(kind: AccountKind, entity: Source['entity']): Source {
  const { table } = accountTables[kind]
  const counted = (key: string): [string, Column] => [key, { sql: sql.ref(`calendar.${key}`), joins: ['calendar'] }]
  const source: Source = {
    entity,
    table,
    scope: kind === 'billable_account' ? billableAccountScope : supplyAccountScope,
    joins: {
      ...accountJoins(kind),
      // Built anew on each access, since "today" changes.
      get calendar() {
        return calendarCounts(kind, today())
      },
    },
    columns: {
      ...accountColumns(kind),
      ...Object.fromEntries(['state', 'late', 'missing', 'late_months', 'missing_months', 'next_expected'].map(counted)),
      created_on: { sql: sql`(${sql.ref(`${table}.created_at`)} at time zone 'America/New_York')::date` },
      get billed_before() {
        return { sql: billedBefore(kind, today()) }
      },
    },
    search: ['account_number', 'name'],
    exported: exportedKeys,
  }
  registered.set(entity.plural, source)
  return source
}
