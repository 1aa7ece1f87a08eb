/**
 * The trail of roles: one row for each client that a role names, so that each client's own trail shows who reaches it and contains no other
 * client's names.
 */
import { roleLabels, userRole, type UserRole } from '#contract/users/user-role.ts'
import { isRoleName } from '#contract/access/rights.ts'
import { changesBetween, type AuditEntry } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'

const keys = ['user', 'role_name', 'channel_partner', 'clients', 'divisions', 'facilities', 'billable_accounts', 'supply_accounts'] as const
type Seen = Partial<Record<(typeof keys)[number], string | readonly string[] | null>>

/** Records the change of a role. `email` is its user, if the role is added or removed; `before` or `after` is null then. */
export async function auditRole(context: Context, email: string | null, before: UserRole | null, after: UserRole | null): Promise<void> {
  const id = (after ?? before)?.id ?? 0
  const clientIds = [...new Set([before, after].flatMap((row) => row?.client_ids ?? []))].toSorted((a, b) => a - b)
  const event = before === null ? 'create' : after === null ? 'destroy' : 'update'
  // A role that names no client, or named none, is recorded in the trail of no client.
  const reachesMore = [before, after].some((row) => row !== null && row.client_ids.length === 0)
  const entries = [...(reachesMore || clientIds.length === 0 ? [0] : []), ...clientIds].flatMap((clientId): AuditEntry[] => {
    const changes = changesBetween(seenIn(clientId, before, email), seenIn(clientId, after, email), keys)
    const isNews = Object.keys(changes).length > 0
    return isNews ? [{ event, item_type: userRole.name, item_id: id, client_id: clientId, changes }] : []
  })
  await context.audit.many(entries)
}

/** Returns a role as the trail of one client shows it; 0 is the trail of no client. Empty if it does not reach that client. */
function seenIn(clientId: number, row: UserRole | null, email: string | null): Seen {
  if (row === null || (clientId !== 0 && !row.client_ids.includes(clientId)) || (clientId === 0 && row.client_ids.length > 0)) return {}
  const names = (list: readonly { readonly name: string; readonly client_id?: number }[]) => {
    const here = list.filter((one) => clientId === 0 || one.client_id === clientId).map(({ name }) => name)
    return here.length === 0 ? null : here
  }
  const role = isRoleName(row.role_name) ? roleLabels[row.role_name] : row.role_name
  return {
    user: email,
    role_name: role,
    channel_partner: row.channel_partner_name,
    clients: row.clients.filter(({ id }) => id === clientId).map(({ name }) => name),
    divisions: names(row.divisions),
    facilities: names(row.facilities),
    billable_accounts: names(row.billable_accounts),
    supply_accounts: names(row.supply_accounts),
  }
}
