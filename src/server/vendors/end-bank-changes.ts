/** Ends waiting changes, whatever the outcome: the values in force are recorded, and the change's numbers are erased. */
import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../kernel/context.ts'

export type EndedState = 'approved' | 'refused' | 'withdrawn' | 'replaced'

/** Ends the waiting changes that match `which`. */
export async function endBankChanges(
  { tx, principal, audit }: Context,
  which: RawBuilder<unknown>,
  state: EndedState,
  reason: string | null = null,
): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`update vendor_bank_changes change set state = ${state}, decided_by = ${principal.user_id}, decided_at = now(),
      reason = ${reason}, lock_version = change.lock_version + 1, po_box_encrypted = null, payment_identifier_encrypted = null,
      po_box_last4_before = vendors.po_box_last4, payment_identifier_last4_before = vendors.payment_identifier_last4,
      account_type_before = vendors.account_type, account_holder_before = vendors.account_holder
    from vendors where vendors.id = change.vendor_id and change.state = 'waiting' and ${which} returning change.id`.execute(tx)
  const changes = { state: { from: 'waiting', to: state }, ...(reason === null ? {} : { reason: { from: null, to: reason } }) }
  await audit.many(rows.map(({ id }) => ({ event: 'update', item_type: 'vendor_bank_change', item_id: id, client_id: 0, changes })))
}
