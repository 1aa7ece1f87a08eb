/**
 * Finds a bill that is paid both itself and with the bill of its group: the group's bill carries the payment of its members, so one of the two is
 * paid with 0.00. A bill counts as paid with the amount of its live batch, else with what was paid of it.
 */
import { formatDate } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import type { Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'

export interface PaidTwice {
  readonly account_number: string
  readonly date: string
  readonly group_account_number: string
  readonly group_date: string
}

/** Returns the first of the bills called `child`, with that of its group called `parent`, for which `where` holds. The caller has locked the bills of their groups. */
export async function paidTwice(tx: Tx, clientId: number, where: Condition): Promise<PaidTwice | null> {
  const { rows } = await sql<PaidTwice>`
    select child.account_number, child.date, parent.account_number as group_account_number, parent.date as group_date from bills child
    join bills parent on parent.client_id = ${clientId} and parent.id = child.group_bill_id
    left join payment_batch_bills of_child on of_child.client_id = ${clientId} and of_child.bill_id = child.id and of_child.released_at is null
    left join payment_batch_bills of_parent on of_parent.client_id = ${clientId} and of_parent.bill_id = parent.id and of_parent.released_at is null
    where child.client_id = ${clientId} and ${where}
      and coalesce(of_child.amount_paid, case when child.paid or child.finalized then child.amount_paid end, 0) <> 0
      and coalesce(of_parent.amount_paid, case when parent.paid or parent.finalized then parent.amount_paid end, 0) <> 0
    order by child.id limit 1`.execute(tx)
  return rows[0] ?? null
}

/** 'Bill 5582-1, 11/02/2026 is paid with bill 5582, 11/02/2026 of its group: one of the two must be paid with 0.00'. */
export function paidTwiceText({ account_number, date, group_account_number, group_date }: PaidTwice): string {
  const named = (number: string, day: string) => `${number}, ${formatDate(day)}`
  return `Bill ${named(account_number, date)} is paid with bill ${named(group_account_number, group_date)} of its group: one of the two must be paid with 0.00`
}
