/**
 * The monthly facts that reports read: bills spread over the days of their lines and summed by service and month, as in dashboards. Only whole
 * months: a date range runs from the month of its first day to the month of its last.
 */
import { monthWindow, windowOf, type MonthWindow } from '#contract/dashboard/date-range.ts'
import { addToMonth, monthOf } from '#contract/kernel/date.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { scopeCondition, type Condition, type ScopeRule } from '../kernel/lists/list.ts'
import type { AskedReport } from './report-table.ts'

type Sql = RawBuilder<unknown>

/** Returns the months of a report; without dates the last twelve complete ones. */
export function monthsAsked({ data: { date_range }, today }: AskedReport): MonthWindow {
  const { from, to } = date_range
  const usual = windowOf('last_12_months', today)
  if (from === null && to === null) return usual
  const last = to === null ? (from !== null && monthOf(from) > usual.last_month ? monthOf(from) : usual.last_month) : monthOf(to)
  return monthWindow(from === null ? addToMonth(last, -11) : monthOf(from), last)
}

/** Facts follow the reach of their accounts. */
export function factScope(client: Sql): ScopeRule {
  return {
    client: sql.ref('fact.client_id'),
    levels: {
      division: (ids) => sql<SqlBool>`fact.facility_id = any(${facilitiesOf(client, ids)})`,
      facility: (ids) => sql<SqlBool>`fact.facility_id = any(${ids}::bigint[])`,
      billable_account: (ids) => sql<SqlBool>`fact.billable_account_id = any(${ids}::bigint[])`,
      supply_account: (ids) => sql<SqlBool>`fact.supply_account_id = any(${ids}::bigint[])`,
    },
  }
}

function facilitiesOf(client: Sql, ids: readonly number[]): Sql {
  return sql`array(select placed.id from facilities placed where placed.client_id = ${client} and placed.division_id = any(${ids}::bigint[]))`
}

/** Returns the conditions of a report's choices on `fact`, a row of service_month_facts, without its months. */
export function factsAsked({ clientId, data, divisionId, reach }: AskedReport): Condition[] {
  const client = sql`${clientId}`
  const { billable_account_ids: billable, supply_account_ids: supply } = data
  const within = (column: string, ids: readonly number[]): Condition[] =>
    ids.length === 0 ? [] : [sql<SqlBool>`${sql.ref(`fact.${column}`)} = any(${ids}::bigint[])`]
  const inDivisions = (ids: readonly number[]): Condition[] =>
    ids.length === 0 ? [] : [sql<SqlBool>`fact.facility_id = any(${facilitiesOf(client, ids)})`]
  return [
    scopeCondition({ scope: factScope(client) }, { reach, clientId }),
    ...within('utility_service_id', data.utility_service_ids),
    ...within('facility_id', data.facility_ids),
    ...inDivisions(data.division_ids),
    ...(divisionId === null ? [] : inDivisions([divisionId])),
    ...(billable.length + supply.length === 0
      ? []
      : [sql<SqlBool>`(fact.billable_account_id = any(${billable}::bigint[]) or fact.supply_account_id = any(${supply}::bigint[]))`]),
    ...(data.vendor_ids.length === 0
      ? []
      : [
          sql<SqlBool>`(exists (select from billable_accounts paid where paid.client_id = ${client} and paid.id = fact.billable_account_id and paid.vendor_id = any(${data.vendor_ids}::bigint[]))
            or exists (select from supply_accounts paid where paid.client_id = ${client} and paid.id = fact.supply_account_id and paid.vendor_id = any(${data.vendor_ids}::bigint[])))`,
        ]),
  ]
}

/** Condition on `fact`: its month is in the window. */
export function inMonths({ from, to }: Pick<MonthWindow, 'from' | 'to'>): Condition {
  return sql<SqlBool>`fact.month between ${from}::date and ${to}::date`
}
