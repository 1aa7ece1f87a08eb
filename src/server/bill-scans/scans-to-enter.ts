/** The documents that wait for somebody to enter them, for the home page: those whose reading has ended, well or not. */
import type { HomeInboxItem } from '#contract/home/home.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { and, scopeCondition } from '../kernel/lists/list.ts'
import { billScanScope, onShelf } from './scan-source.ts'

/** Returns at most `most`, what is due first, and then what came first. */
export async function scansToEnter({ tx, reach }: Context, clientId: number | undefined, most: number): Promise<HomeInboxItem[]> {
  const waiting = [
    ...onShelf({ show: 'open' }).where,
    sql<boolean>`bill_scans.state in ('read', 'failed')`,
    scopeCondition({ scope: billScanScope }, { reach, clientId }),
  ]
  const { rows } =
    await sql<HomeInboxItem>`select 'document' as kind, bill_scans.id, bill_scans.client_id, client.name as client_name, bill_scans.filename as name,
      bill_scans.state, 1 as count, bill_scans.bills_inside, coalesce(vendor.name, bill_scans.vendor_name) as vendor_name, coalesce(billable.account_number, supply.account_number, bill_scans.account_number) as account_number,
      bill_scans.due_date, bill_scans.amount_due, bill_scans.created_at as since
    from bill_scans join clients client on client.id = bill_scans.client_id
    left join vendors vendor on vendor.id = bill_scans.vendor_id
    left join billable_accounts billable on billable.client_id = bill_scans.client_id and billable.id = bill_scans.billable_account_id
    left join supply_accounts supply on supply.client_id = bill_scans.client_id and supply.id = bill_scans.supply_account_id
    where ${and(waiting)} order by bill_scans.due_date nulls last, bill_scans.created_at, bill_scans.id limit ${most}`.execute(tx)
  return rows
}
