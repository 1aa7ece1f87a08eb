/** Chooses the account of a retrieved record by hand. */
import { sql } from 'kysely'
import { addAlias, billableAccountScope, supplyAccountScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { mustReach } from '../kernel/lists/resource.ts'
import { providerOf } from './choose-provider.ts'
import { decideStatements } from './match-statements.ts'

interface SaidAccount {
  readonly account_number: string
  readonly provider_name: string
  readonly account_id: number
  readonly account_type: 'BillableAccount' | 'SupplyAccount'
}

/**
 * The number becomes an alias of the account, and the account's vendor becomes that of the utility unless it has one already. @returns the
 * number of matched statements.
 */
export async function sayAccount(context: Context, clientId: number, said: SaidAccount): Promise<number> {
  const { tx } = context
  const isBillable = said.account_type === 'BillableAccount'
  const table = isBillable ? 'billable_accounts' : 'supply_accounts'
  await mustReach(
    context,
    { table, scope: isBillable ? billableAccountScope : supplyAccountScope },
    [said.account_id],
    'account_id',
    clientId,
  )
  const { provider } = await providerOf(context.machinery, tx, clientId)
  await addAlias(context, clientId, isBillable ? 'billable_account' : 'supply_account', said.account_id, said.account_number)
  await sql`insert into retrieval_vendor_map (client_id, provider, provider_name, vendor_id, created_by) select ${clientId}, ${provider.id}, ${said.provider_name}, vendor_id, ${context.principal.user_id}
    from ${sql.table(table)} where client_id = ${clientId} and id = ${said.account_id} and vendor_id is not null on conflict do nothing`.execute(
    tx,
  )
  const { rows } = await sql<{
    id: number
  }>`select id from retrieval_statements where client_id = ${clientId} and account_number = ${said.account_number} and provider_name = ${said.provider_name}
    and state in ('new', 'needs_account', 'needs_meter', 'matched')`.execute(tx)
  const matches = await decideStatements(
    tx,
    clientId,
    rows.map((row) => row.id),
  )
  return matches.filter((match) => match.account?.account_id === said.account_id).length
}
