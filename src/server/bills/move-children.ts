/** Moves children of a group's bill to another bill, because that bill replaces it or it is deleted. */
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'

/**
 * Moves the children of one bill to another that replaces it: they belong to it whatever its date. Children of a bill that is deleted
 * without a replacement have no parent, and are linked again.
 */
export async function moveChildren(
  context: Context,
  clientId: number,
  moves: readonly { readonly from: number | null; readonly to: number | null }[],
): Promise<void> {
  if (moves.length === 0) return
  const { rows } = await sql<{ id: number; from: number; to: number | null; is_live: boolean }>`
    update bills set group_bill_id = move."to", group_bill_chosen = move."to" is not null, lock_version = lock_version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as move("from" bigint, "to" bigint)
    where bills.client_id = ${clientId} and bills.group_bill_id = move."from"
    returning bills.id, move."from", move."to", bills.superseded_by_id is null as is_live`.execute(context.tx)
  await context.audit.many(
    rows.filter((row) => row.is_live).map(({ id, from, to }) => groupEntry(clientId, id, { group_bill_id: { from, to } })),
  )
}

/** Returns the history entry for a bill's place in a group. */
export function groupEntry(clientId: number, id: number, changes: AuditEntry['changes']): AuditEntry {
  return { event: 'update', item_type: 'bill', item_id: id, client_id: clientId, changes }
}
