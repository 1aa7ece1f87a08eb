/** The accounts of a client with their budgets and what was billed of them, by month, from the monthly facts that dashboards read. */
import { isComplete, type BilledMonth } from '#contract/budgets/budget-figures.ts'
import { daysInMonth, firstDayOf, monthsFrom, type CalendarMonth } from '#contract/kernel/date.ts'
import { sql, type SqlBool } from 'kysely'
import { billableAccountScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition, type Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'

export interface PlannedAccount {
  readonly id: number
  readonly account_number: string
  readonly name: string
  readonly is_group: boolean
  readonly group_id: number | null
  readonly facility_id: number
  readonly active: boolean
  /** A group account of which the reader does not reach all subaccounts: its budget is left out. */
  readonly is_hidden_group: boolean
  readonly budgets: ReadonlyMap<CalendarMonth, number>
  readonly billedIn: (month: CalendarMonth) => BilledMonth
}

export interface AskedMonths {
  readonly clientId: number
  /** Months of what was billed, both included. */
  readonly from: CalendarMonth
  readonly to: CalendarMonth
  readonly lastComplete: CalendarMonth
  /** Months of the budgets. */
  readonly plannedFrom: CalendarMonth
  readonly plannedTo: CalendarMonth
  /** On `billable_accounts`: the accounts that are asked about. Groups and subaccounts of these are read with them. */
  readonly placed: Condition
}

interface AccountRow {
  readonly id: number
  readonly account_number: string
  readonly name: string
  readonly is_group: boolean
  readonly group_id: number | null
  readonly facility_id: number
  readonly active: boolean
  readonly effective_from: string | null
  readonly effective_to: string | null
  readonly is_hidden_group: boolean
}

export async function readPlannedAccounts(context: Context, asked: AskedMonths): Promise<PlannedAccount[]> {
  const { tx } = context
  const accounts = await readAccounts(context, asked)
  const ids = accounts.map(({ id }) => id)
  const [billed, expected, budgets] = await Promise.all([
    readBilled(tx, asked, ids),
    readExpected(tx, asked, ids),
    readBudgets(tx, asked, ids),
  ])
  const cents = new Map(billed.map((row) => [keyOf(row.account_id, row.month), row.cents]))
  const lastBilled = new Map(billed.map((row) => [row.account_id, row.month]))
  const days = new Map(expected.map((row) => [keyOf(row.account_id, row.month), row]))
  const budgetsOf = Map.groupBy(budgets, (row) => row.account_id)
  return accounts.map((account) => ({
    ...account,
    budgets: new Map((budgetsOf.get(account.id) ?? []).map(({ month, cents: amount }) => [month, amount])),
    billedIn: (month) =>
      billedMonth(account, month, {
        over: month <= asked.lastComplete,
        passed: month < (lastBilled.get(account.id) ?? ''),
        cents: cents.get(keyOf(account.id, month)),
        days: days.get(keyOf(account.id, month)),
      }),
  }))
}

function keyOf(accountId: number, month: CalendarMonth): string {
  return `${accountId} ${month}`
}

interface Days {
  readonly covered: number
  readonly expected: number
}

interface MonthRead {
  readonly over: boolean
  readonly passed: boolean
  readonly cents: number | undefined
  readonly days: Days | undefined
}

function billedMonth(account: AccountRow, month: CalendarMonth, { over, passed, cents, days }: MonthRead): BilledMonth {
  const inUse = daysInUse(account, month)
  const known = {
    actual: cents ?? 0,
    covered: days?.covered ?? 0,
    expected: days?.expected ?? 0,
    billed: cents !== undefined,
    open: inUse > 0,
    whole: inUse === daysInMonth(month),
  }
  return { ...known, complete: isComplete({ ...known, over, passed }) }
}

/** Days of the month on which the account is active and within its effective dates. */
function daysInUse({ active, effective_from: from, effective_to: to }: AccountRow, month: CalendarMonth): number {
  if (!active) return 0
  const all = daysInMonth(month)
  const dayIn = (date: string): number => Number(date.slice(8))
  const first = from === null || from.slice(0, 7) < month ? 1 : from.slice(0, 7) > month ? all + 1 : dayIn(from)
  const last = to === null || to.slice(0, 7) > month ? all : to.slice(0, 7) < month ? 0 : dayIn(to)
  return Math.max(0, last - first + 1)
}

async function readAccounts(context: Context, { clientId, placed }: AskedMonths): Promise<AccountRow[]> {
  const reached = scopeCondition({ scope: billableAccountScope }, { reach: context.reach, clientId })
  const { rows } = await sql<AccountRow>`
    with placed as materialized (select id, group_account_id from billable_accounts where client_id = ${clientId} and ${placed}),
      own as materialized (select * from billable_accounts where ${reached} and client_id = ${clientId}
        and (id in (select id from placed) or group_account_id in (select id from placed) or id in (select group_account_id from placed)))
    select own.id, own.account_number, own.name, own.is_group_account as is_group, own.group_account_id as group_id, own.facility_id, own.active,
      own.effective_from::text, own.effective_to::text,
      own.is_group_account and (select count(*) from billable_accounts child where child.client_id = ${clientId} and child.group_account_id = own.id)
        > (select count(*) from billable_accounts where ${reached} and client_id = ${clientId} and group_account_id = own.id) as is_hidden_group
    from own order by own.id`.execute(context.tx)
  return rows
}

/** In the order of months, and with all later ones, because the last one tells how far an account is billed. */
async function readBilled(
  tx: Tx,
  { clientId, from }: AskedMonths,
  ids: readonly number[],
): Promise<{ account_id: number; month: CalendarMonth; cents: number }[]> {
  const { rows } = await sql<{ account_id: number; month: CalendarMonth; cents: number }>`select fact.billable_account_id as account_id,
      to_char(fact.month, 'YYYY-MM') as month, (sum(fact.cost) * 100)::bigint as cents
    from service_month_facts fact where fact.client_id = ${clientId} and fact.month >= ${firstDayOf(from)}::date
      and fact.billable_account_id = any(${ids}::bigint[]) group by 1, fact.month order by fact.month`.execute(tx)
  return rows
}

/** Days on which the meters in use are expected to be billed, and those that their bills cover: of each meter at most its own. */
async function readExpected(
  tx: Tx,
  { clientId, from, to }: AskedMonths,
  ids: readonly number[],
): Promise<({ account_id: number; month: CalendarMonth } & Days)[]> {
  const months = monthsFrom(from, to).map(firstDayOf)
  const { rows } = await sql<{ account_id: number; month: CalendarMonth } & Days>`
    select meter.billable_account_id as account_id, to_char(asked.month, 'YYYY-MM') as month, sum(span.days)::int as expected,
      sum(least(coalesce(fact.days, 0), span.days))::int as covered
    from services meter
    join billable_accounts account on account.client_id = meter.client_id and account.id = meter.billable_account_id
    cross join unnest(${months}::date[]) asked(month)
    cross join lateral (select least((asked.month + interval '1 month')::date - 1, meter.effective_to, account.effective_to)
      - greatest(asked.month, meter.effective_from, account.effective_from) + 1 as days) span
    left join service_month_facts fact on fact.client_id = meter.client_id and fact.service_id = meter.id and fact.account_key = 0 and fact.month = asked.month
    where meter.client_id = ${clientId} and meter.billable_account_id = any(${ids}::bigint[]) and meter.active and account.active and span.days > 0
    group by 1, asked.month`.execute(tx)
  return rows
}

async function readBudgets(
  tx: Tx,
  { clientId, plannedFrom, plannedTo }: AskedMonths,
  ids: readonly number[],
): Promise<{ account_id: number; month: CalendarMonth; cents: number }[]> {
  const { rows } = await sql<{ account_id: number; month: CalendarMonth; cents: number }>`select billable_account_id as account_id, month,
      (amount * 100)::bigint as cents
    from budgets where client_id = ${clientId} and month between ${plannedFrom} and ${plannedTo} and billable_account_id = any(${ids}::bigint[])`.execute(
    tx,
  )
  return rows
}

/** All accounts of the client. */
export const everywhere: Condition = sql<SqlBool>`true`

export async function readFiscalYearStart(tx: Tx, clientId: number): Promise<number> {
  const { rows } = await sql<{ start: number }>`select fiscal_year_start as start from clients where id = ${clientId}`.execute(tx)
  return rows[0]?.start ?? 1
}
