/** The bills that a report is about, and their control figures. */
import type { ReportControl } from '#contract/reports/generated-report.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { billScope, chosenBills } from '../estate/estate.ts'
import { and, scopeCondition, type Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { AskedReport } from './report-table.ts'

type Sql = RawBuilder<unknown>

/** The client of every table: a constant, or the bill's client if the report covers several clients. */
export function clientOf({ clientId, data }: AskedReport): Sql {
  return data.all_clients ? sql`bills.client_id` : sql`${clientId}::bigint`
}

/** Condition on `bills`: a child has a bill that counts. Client batches refuse such a bill of a group, and book those of its children. */
export function hasChildren(client: Sql): Condition {
  return sql<SqlBool>`exists (select from bills child where child.client_id = ${client} and child.group_bill_id = bills.id and child.superseded_by_id is null)`
}

/** The conditions that select the bills. Void bills never count, except in a client batch, whose ledger lines include them. */
export function askedBills(asked: AskedReport, withVoid = false): Condition[] {
  const { clientId, data, divisionId, lastBillOnly, reach } = asked
  const ofOne = data.all_clients ? null : clientId
  return [
    scopeCondition({ scope: billScope }, ofOne === null ? { reach } : { reach, clientId: ofOne }),
    ...(withVoid ? [] : [sql<SqlBool>`bills.superseded_by_id is null`]),
    ...chosenBills(ofOne, data),
    ...(divisionId === null ? [] : [sql<SqlBool>`bills.division_id = ${divisionId}`]),
    ...(lastBillOnly ? [isLast(clientOf(asked), data.date_range.to)] : []),
  ]
}

/** The account has no later bill that counts, up to the end of the date range. */
function isLast(client: Sql, to: string | null): Condition {
  const upTo = to === null ? sql`` : sql`and later.date <= ${to}::date`
  const of = (
    key: string,
  ) => sql`not exists (select from bills later where later.client_id = ${client} and ${sql.ref(`later.${key}`)} = ${sql.ref(`bills.${key}`)}
    and later.superseded_by_id is null and (later.date, later.id) > (bills.date, bills.id) ${upTo})`
  return sql<SqlBool>`(${of('billable_account_id')} and ${of('supply_account_id')})`
}

/** Counts each of the selected bills once, and the amounts among them that a group's bill also carries. */
export async function controlOf(
  tx: Tx,
  asked: AskedReport,
  selected: readonly Condition[],
): Promise<{ control: ReportControl; children: string }> {
  const client = clientOf(asked)
  const { rows } = await sql<
    ReportControl & { children: string }
  >`select count(*)::int as bill_count, coalesce(sum(bills.amount_due), 0)::numeric(16,2) as amount_due,
      coalesce(sum(bills.current_charges), 0)::numeric(16,2) as current_charges,
      coalesce(sum(bills.amount_due) filter (where exists (select from bills parent where parent.client_id = ${client} and parent.id = bills.group_bill_id and parent.superseded_by_id is null)), 0)::numeric(16,2) as children
    from bills where ${and(selected)}`.execute(tx)
  const { children = '0.00', ...control } = rows[0] ?? { bill_count: 0, amount_due: '0.00', current_charges: '0.00' }
  return { control, children }
}
