/** Tells who may release an export that it waits, and who asked for it what became of it. */
import { permissionsOfRole, roleNames } from '#contract/access/rights.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { isWholeRole } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import type { LiveMessage } from '../kernel/machinery.ts'

/** Most people told; if there are more, those who signed in last. */
const toldMax = 50

const releasingRoles = roleNames.filter((role) => permissionsOfRole(role).global_batch?.includes('update'))

export const releaseHref = (id: number): string => `/global_batch/releases/${id}`

interface Told {
  readonly id: number
  readonly total: string
  readonly reasons: string
}

/** Tells active people other than the caller who reach every payer of the request. */
export async function tellReleasers({ tx, machinery, principal }: Context, { id, total, reasons }: Told): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from (
      select id, last_sign_in_at from users where status = 'active' and id <> ${principal.user_id} and exists (
        select from user_roles held join roles on roles.id = held.role_id where held.user_id = users.id and roles.name = any(${releasingRoles}::text[])
          and ${isWholeRole('held')} and (not exists (select from user_role_clients bound where bound.user_role_id = held.id)
            or not exists (select from export_release_batches batch where batch.export_release_id = ${id} and batch.client_id not in (
              select bound.client_id from user_role_clients bound where bound.user_role_id = held.id))))
      order by last_sign_in_at desc nulls last, id limit ${toldMax}) told order by id`.execute(tx)
  const message: LiveMessage = {
    type: 'export_release',
    notification_type: 'info',
    message: `An export of ${formatMoney(total)} waits for a release`,
    description: [`${principal.email} asked for it.`, reasons],
    link: releaseHref(id),
  }
  // Each person's notifications have their own order. People are told in id order, so that no two transactions deadlock.
  for (const { id: userId } of rows) await machinery.live.tell(tx, { userId, connectionId: null }, message)
}

interface Outcome {
  readonly id: number
  readonly requested_by: number
  readonly total: string
  readonly state: 'released' | 'refused' | 'void'
  readonly note: string | null
}

/** Tells who asked for the export, unless they did it themselves or are gone. */
export async function tellAsker({ tx, machinery, principal }: Context, { id, requested_by, total, state, note }: Outcome): Promise<void> {
  if (requested_by === principal.user_id) return
  const { rows } = await sql`select 1 from users where id = ${requested_by} and status = 'active'`.execute(tx)
  if (rows.length === 0) return
  await machinery.live.tell(
    tx,
    { userId: requested_by, connectionId: null },
    {
      type: 'export_release',
      notification_type: state === 'released' ? 'success' : 'warning',
      message: `Your export of ${formatMoney(total)} ${state === 'void' ? 'is void' : `was ${state}`}`,
      description: [`By ${principal.email}.`, ...(note === null ? [] : [note])],
      link: releaseHref(id),
    },
  )
}
