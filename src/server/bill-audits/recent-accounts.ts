/** The accounts affected by a change of thresholds: those billed in the last year or so, the latest first. */
import type { AccountType } from '#contract/bills/bill.ts'
import { addDays } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import { billScope } from '../estate/estate.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import type { Reach } from '../kernel/principal.ts'
import type { Tx } from '../kernel/postgres/database.ts'

export interface BilledAccount {
  readonly account_type: AccountType
  readonly account_id: number
}

/** A year, plus time for late bills. */
const recentDays = 400

/** With a reach, those of the bills inside it. */
export async function recentAccounts(tx: Tx, clientId: number, limit: number | null = null, reach?: Reach): Promise<BilledAccount[]> {
  const inside = reach ? scopeCondition({ scope: billScope }, { reach, clientId }) : sql`true`
  const { rows } =
    await sql<BilledAccount>`select case when billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
      coalesce(billable_account_id, supply_account_id) as account_id
    from bills where client_id = ${clientId} and ${inside} and superseded_by_id is null and date >= ${addDays(today(), -recentDays)}
    group by billable_account_id, supply_account_id order by max(date) desc, 2, 1 limit ${limit}::bigint`.execute(tx)
  return rows
}
