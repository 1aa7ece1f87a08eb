/** What bills cost that no client batch had booked by the end of a period: by meter, and by account where a bill has no line. */
import { centsOf, type Cents } from '#contract/kernel/money.ts'
import { sql, type SqlBool } from 'kysely'
import { and, type Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { costedLines } from '../month-facts/month-facts.ts'
import type { AskedReport } from './report-table.ts'
import { askedBills, hasChildren } from './bill-choice.ts'

interface Period {
  readonly from: string
  readonly to: string
}

/** An account with bills that have no line. */
export interface UnbookedAccount {
  readonly billable_account_id: number | null
  readonly supply_account_id: number | null
  readonly account_number: string
  readonly facility: string | null
  readonly vendor: string | null
  readonly cost: Cents
}

export interface UnbookedBills {
  /** The date of the oldest bill that is counted. */
  readonly since: string
  readonly byService: ReadonlyMap<number, Cents>
  readonly accounts: readonly UnbookedAccount[]
}

export async function unbookedBills(tx: Tx, asked: AskedReport, period: Period): Promise<UnbookedBills> {
  const since = await bookedSince(tx, asked, period)
  const unbooked = isUnbooked(asked, { from: since, to: period.to })
  return { since, byService: await costByService(tx, asked, unbooked), accounts: await costByAccount(tx, asked, unbooked) }
}

/** A batch counts from the New York day on which it was closed. */
function closedBy(to: string): Condition {
  return sql<SqlBool>`batch.closed and (batch.closed_at is null or (batch.closed_at at time zone 'America/New_York')::date <= ${to}::date)`
}

/**
 * The date of the oldest bill in the first batch that the client closed, or the first day of the period where that is earlier. What is older was
 * billed before the client began to book here.
 */
async function bookedSince(tx: Tx, { clientId }: AskedReport, { from, to }: Period): Promise<string> {
  const { rows } = await sql<{ since: string }>`select least(${from}::date, (select min(bills.date) from bills
      where bills.client_id = ${clientId} and bills.accounting_batch_id = (select batch.id from accounting_batches batch
        where batch.client_id = ${clientId} and ${closedBy(to)} and exists (select from bills booked
          where booked.client_id = ${clientId} and booked.accounting_batch_id = batch.id)
        order by batch.closed_at nulls first, batch.id limit 1))) as since`.execute(tx)
  return rows[0]?.since ?? from
}

/** A bill of a group is booked by the bills of its children. */
function isUnbooked({ clientId }: AskedReport, { from, to }: Period): Condition {
  return sql<SqlBool>`bills.date between ${from}::date and ${to}::date and not ${hasChildren(sql`${clientId}`)}
    and not exists (select from accounting_batches batch where batch.client_id = ${clientId} and batch.id = bills.accounting_batch_id and ${closedBy(to)})`
}

async function costByService(tx: Tx, { clientId }: AskedReport, unbooked: Condition): Promise<Map<number, Cents>> {
  const { rows } = await sql<{ service_id: number; cost: string }>`select costed.service_id, sum(costed.cost)::numeric(16,2) as cost
    from ${costedLines(clientId, unbooked)} costed where costed.service_id is not null group by costed.service_id
    having sum(costed.cost) <> 0`.execute(tx)
  return new Map(rows.map(({ service_id, cost }) => [service_id, centsOf(cost)]))
}

async function costByAccount(tx: Tx, asked: AskedReport, unbooked: Condition): Promise<UnbookedAccount[]> {
  const { clientId, data } = asked
  const { utility_service_ids: services } = data
  const bare: Condition[] = [
    ...askedBills({ ...asked, data: { ...data, date_range: { from: null, to: null }, utility_service_ids: [] } }),
    unbooked,
    sql<SqlBool>`not exists (select from service_bills line where line.client_id = ${clientId} and line.bill_id = bills.id)`,
    ...(services.length === 0
      ? []
      : [
          sql<SqlBool>`exists (select from billable_accounts account where account.client_id = ${clientId} and account.id = bills.billable_account_id
            and account.utility_service_id = any(${services}::bigint[]))`,
        ]),
  ]
  const { rows } = await sql<
    Omit<UnbookedAccount, 'cost'> & { cost: string }
  >`select bill.billable_account_id, bill.supply_account_id, coalesce(billable.account_number, supply.account_number) as account_number,
      facility.name as facility, vendor.name as vendor, sum(costed.cost)::numeric(16,2) as cost
    from ${costedLines(clientId, and(bare))} costed
    join bills bill on bill.client_id = ${clientId} and bill.id = costed.bill_id
    left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = bill.billable_account_id
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = bill.supply_account_id
    left join facilities facility on facility.client_id = ${clientId} and facility.id = coalesce(billable.facility_id, supply.facility_id)
    left join vendors vendor on vendor.id = coalesce(billable.vendor_id, supply.vendor_id)
    group by 1, 2, 3, 4, 5 having sum(costed.cost) <> 0 order by 3, 1, 2`.execute(tx)
  return rows.map((row) => ({ ...row, cost: centsOf(row.cost) }))
}
