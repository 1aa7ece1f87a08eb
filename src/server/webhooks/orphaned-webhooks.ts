/** A webhook is somebody's: it ends with the account or the right of who made it, or switched it on last. */
import { sql } from 'kysely'
import { isWholeRole } from '../estate/estate.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { noteSwitchedOff } from './note-attempt.ts'
import { tellOfOrphan, webhookRoles } from './tell-administrators.ts'

/** Webhooks that one look switches off; the next look finds the others. */
const atOnce = 20
const reason = 'Who made it is not active any more, or may not make it any more. Switch it on to answer for it yourself.'

/** Switches off the webhooks whose maker is no longer active or has lost the right, and notifies the administrators. */
export async function switchOffOrphans(tx: Tx, machinery: Pick<Machinery, 'live'>): Promise<void> {
  const { rows } = await sql<{ id: number; name: string }>`select id, name from webhooks
    where active and not exists (${makersWhoMay}) order by id limit ${atOnce} for update skip locked`.execute(tx)
  for (const { id, name } of rows) {
    await noteSwitchedOff(tx, id, reason)
    await tellOfOrphan(tx, machinery, id, name, reason)
  }
}

/** The roles by which the maker may keep the webhook: for one of all clients a role that is bound to none. */
const makersWhoMay = sql`select from users maker join user_roles held on held.user_id = maker.id join roles on roles.id = held.role_id
  where maker.id = webhooks.created_by and maker.status = 'active' and roles.name = any(${webhookRoles}::text[]) and ${isWholeRole('held')}
    and (not exists (select from user_role_clients bound where bound.user_role_id = held.id)
      or exists (select from user_role_clients bound where bound.user_role_id = held.id and bound.client_id = webhooks.client_id))`
