/** Notifies about changes of bank details: users who may approve one, and the requester. Notifications never contain a number. */
import { permissionsOfRole, roleNames } from '#contract/access/rights.ts'
import { sql } from 'kysely'
import { isWholeRole } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import type { LiveMessage } from '../kernel/machinery.ts'

/** Most users notified; if there are more, those who signed in last. */
const toldMax = 50

const approvingRoles = roleNames.filter((role) => permissionsOfRole(role).vendor_bank_detail?.includes('update'))

/** Returns active users other than this one who may approve. */
async function approversBeside({ tx }: Context, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from (
      select id, last_sign_in_at from users where status = 'active' and id <> ${userId} and exists (
        select from user_roles join roles on roles.id = user_roles.role_id where user_roles.user_id = users.id and roles.name = any(${approvingRoles}::text[])
          and not exists (select from user_role_clients bound where bound.user_role_id = user_roles.id) and ${isWholeRole('user_roles')})
      order by last_sign_in_at desc nulls last, id limit ${toldMax}) told order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Whether any other user could approve. */
export async function hasApproverBeside(context: Context, userId: number): Promise<boolean> {
  return (await approversBeside(context, userId)).length > 0
}

export async function tellApprovers(
  context: Context,
  changes: readonly { readonly id: number; readonly vendorName: string }[],
): Promise<void> {
  const [first] = changes
  if (!first) return
  const message: LiveMessage = {
    type: 'vendor_bank_change',
    notification_type: 'info',
    message:
      changes.length === 1
        ? `New bank details of ${first.vendorName} wait for approval`
        : `New bank details of ${changes.length.toLocaleString('en-US')} vendors wait for approval`,
    description: [`${context.principal.email} asked for ${changes.length === 1 ? 'it' : 'them'}.`],
    link: changes.length === 1 ? `/vendor_bank_changes/${first.id}` : '/vendor_bank_changes?state=waiting',
  }
  // Each user's notifications have their own order, so users are notified one by one; in id order, so that no two transactions deadlock.
  for (const userId of await approversBeside(context, context.principal.user_id))
    await context.machinery.live.tell(context.tx, { userId, connectionId: null }, message)
}

export interface Outcome {
  readonly id: number
  readonly vendorName: string
  readonly requestedBy: number
  readonly word: 'approved' | 'refused' | 'replaced'
  readonly reason?: string | undefined
}

/** Notifies requesters of the outcome. The acting user and deleted users are not notified. */
export async function tellRequesters({ tx, machinery, principal }: Context, outcomes: readonly Outcome[]): Promise<void> {
  const byPerson = Map.groupBy(
    outcomes.filter(({ requestedBy }) => requestedBy !== principal.user_id),
    ({ requestedBy }) => requestedBy,
  )
  if (byPerson.size === 0) return
  const { rows: people } = await sql<{
    id: number
  }>`select id from users where id = any(${[...byPerson.keys()]}::bigint[]) order by id`.execute(tx)
  for (const { id: userId } of people) {
    const own = byPerson.get(userId) ?? []
    const [first] = own
    if (first) await machinery.live.tell(tx, { userId, connectionId: null }, outcomeMessage(first, own.length, principal.email))
  }
}

function outcomeMessage({ id, vendorName, word, reason }: Outcome, count: number, by: string): LiveMessage {
  const several = count > 1
  return {
    type: 'vendor_bank_change',
    notification_type: word === 'approved' ? 'success' : 'warning',
    message: several
      ? `The new bank details of ${count.toLocaleString('en-US')} vendors were ${word}`
      : `The new bank details of ${vendorName} were ${word}`,
    description: [`By ${by}.`, ...(reason === undefined ? [] : [reason])],
    link: several ? '/vendor_bank_changes' : `/vendor_bank_changes/${id}`,
  }
}
