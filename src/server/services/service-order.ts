/** Sets the order of one account's services. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { refused } from '../kernel/problem.ts'

const staleMessage = 'The services of this account have changed meanwhile. Please look at them again.'

/**
 * Gives the services of an account the ranks 1 to n in the order of the ids. Refuses if these are not exactly the account's current services:
 * the caller sorted an outdated list.
 */
export async function orderServices(
  { tx, audit }: Context,
  clientId: number,
  account: { readonly column: 'billable_account_id' | 'supply_account_id'; readonly id: number },
  ids: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ id: number; rank: number | null }>`
    select id, rank from services where client_id = ${clientId} and ${sql.ref(account.column)} = ${account.id} order by id for no key update`.execute(
    tx,
  )
  const ranks = new Map(rows.map(({ id, rank }) => [id, rank]))
  if (ranks.size !== ids.length || ids.some((id) => !ranks.has(id))) throw refused(staleMessage)
  const moved = ids.flatMap((id, place) => (ranks.get(id) === place + 1 ? [] : [{ id, from: ranks.get(id) ?? null, to: place + 1 }]))
  if (moved.length === 0) return
  await sql`update services set rank = moved.rank, lock_version = lock_version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(moved.map(({ id, to }) => ({ id, rank: to })))}::jsonb) as moved(id bigint, rank int)
    where services.client_id = ${clientId} and services.id = moved.id`.execute(tx)
  await audit.many(
    moved.map(({ id, from, to }) => ({
      event: 'update',
      item_type: 'service',
      item_id: id,
      client_id: clientId,
      changes: { rank: { from, to } },
    })),
  )
}
