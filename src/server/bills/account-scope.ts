/** The accounts and services of bills, by the reach of bill.read. */
import type { AccountType } from '#contract/bills/bill.ts'
import { sql, type RawBuilder } from 'kysely'
import { billableAccountScope, serviceScope, supplyAccountScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition, type ScopeRule } from '../kernel/lists/list.ts'
import { noSuch } from '../kernel/problem.ts'

export const accountTable = (type: AccountType): RawBuilder<unknown> =>
  sql.table(type === 'BillableAccount' ? 'billable_accounts' : 'supply_accounts')
export const accountColumn = (type: AccountType): 'billable_account_id' | 'supply_account_id' =>
  type === 'BillableAccount' ? 'billable_account_id' : 'supply_account_id'
/** Column of the group that an account belongs to. */
export const groupColumn = (type: AccountType): 'group_account_id' | 'group_supply_account_id' =>
  type === 'BillableAccount' ? 'group_account_id' : 'group_supply_account_id'
export const scopeOfAccount = (type: AccountType): ScopeRule => (type === 'BillableAccount' ? billableAccountScope : supplyAccountScope)

/** Throws not-found unless the account lies in the client and in the caller's reach. */
export async function mustSeeAccount(context: Context, clientId: number, type: AccountType, id: number, groupOnly = false): Promise<void> {
  const inside = scopeCondition({ scope: scopeOfAccount(type) }, { reach: context.reach, clientId })
  const { rows } =
    await sql`select from ${accountTable(type)} where ${inside} and id = ${id} ${groupOnly ? sql`and is_group_account` : sql``}`.execute(
      context.tx,
    )
  if (rows.length === 0) throw noSuch('Account')
}

/** Throws not-found unless the service belongs to an account that the caller reaches. */
export async function mustSeeService(context: Context, clientId: number, id: number): Promise<void> {
  const inside = scopeCondition({ scope: serviceScope }, { reach: context.reach, clientId })
  const { rows } = await sql`select from services where ${inside} and id = ${id}`.execute(context.tx)
  if (rows.length === 0) throw noSuch('Service')
}
