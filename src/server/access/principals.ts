/** Resolves a user's role rows into rights and their reach. */
import { isRoleName, maskedModels, permissionsOfRole, providerRoles, staffRoles, type RoleName } from '#contract/access/rights.ts'
import type { Model } from '#contract/kernel/permission.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Grant, Principal } from '../kernel/principal.ts'

/** The levels inside a client at which a role may be narrowed, outermost first. */
const levels = ['division', 'facility', 'billable_account', 'supply_account'] as const

interface RoleRow {
  id: number
  role: string
  channel_partner_id: number | null
  client_ids: number[]
  partner_client_ids: number[]
  division: number[]
  facility: number[]
  billable_account: number[]
  supply_account: number[]
  /** The clients of the parts that it is narrowed to. */
  part_client_ids: number[]
}

/** Loads the principal of this user. Null if the user no longer exists or is not active. `sessionId` is 0 for jobs. */
export async function loadPrincipal(tx: Tx, userId: number, sessionId = 0): Promise<Principal | null> {
  const { rows: users } = await sql<{
    id: number
    email: string
  }>`select id, email from users where id = ${userId} and status = 'active'`.execute(tx)
  const user = users[0]
  if (!user) return null
  const { rows } = await sql<RoleRow>`
    select user_role.id, role.name as role, user_role.channel_partner_id,
      array(select client_id from user_role_clients where user_role_id = user_role.id order by client_id) as client_ids,
      array(select id from clients where channel_partner_id = user_role.channel_partner_id order by id) as partner_client_ids,
      array(select division_id from user_role_divisions where user_role_id = user_role.id) as division,
      array(select facility_id from user_role_facilities where user_role_id = user_role.id) as facility,
      array(select billable_account_id from user_role_billable_accounts where user_role_id = user_role.id) as billable_account,
      array(select supply_account_id from user_role_supply_accounts where user_role_id = user_role.id) as supply_account,
      array(select client_id from user_role_divisions where user_role_id = user_role.id
        union select client_id from user_role_facilities where user_role_id = user_role.id
        union select client_id from user_role_billable_accounts where user_role_id = user_role.id
        union select client_id from user_role_supply_accounts where user_role_id = user_role.id order by client_id) as part_client_ids
    from user_roles user_role join roles role on role.id = user_role.role_id where user_role.user_id = ${userId} order by user_role.id`.execute(
    tx,
  )
  const grants = rows.flatMap((row) => (isRoleName(row.role) ? [grantOf(row, row.role)] : []))
  const clientOnly = !grants.some((grant) => staffRoles.some((role) => role === grant.role))
  return { user_id: user.id, email: user.email, grants, masked: await maskedByClient(tx, grants, clientOnly), session_id: sessionId }
}

function grantOf(row: RoleRow, role: RoleName): Grant {
  const narrowed = Object.fromEntries(levels.flatMap((level) => (row[level].length > 0 ? [[level, row[level]] as const] : [])))
  const awaitsClients = role === 'channel_partner_admin' && row.channel_partner_id !== null
  const clients = clientsOf(row, role)
  const isNarrowed = Object.keys(narrowed).length > 0
  return { role, permissions: permissionsOfRole(role), clients: isNarrowed ? holding(clients, row) : clients, narrowed, awaitsClients }
}

/** A narrowed role reaches the clients of its parts, and no other of a partner or of all. */
function holding(clients: Grant['clients'], { part_client_ids: ids }: RoleRow): Grant['clients'] {
  return clients === 'all' ? ids : clients.filter((id) => ids.includes(id))
}

function clientsOf(row: RoleRow, role: RoleName): Grant['clients'] {
  if (providerRoles.includes(role)) return row.client_ids.length === 0 ? 'all' : row.client_ids
  if (role === 'channel_partner_admin') return row.channel_partner_id === null ? [] : row.partner_client_ids
  return row.client_ids
}

async function maskedByClient(tx: Tx, grants: readonly Grant[], clientOnly: boolean): Promise<ReadonlyMap<number, readonly Model[]>> {
  const ids = grants.some((grant) => grant.clients === 'all')
    ? null
    : grants.flatMap((grant) => (grant.clients === 'all' ? [] : grant.clients))
  const { rows } = await sql<{
    id: number
    user_management: boolean
    utility_payment_management: boolean
    accounting_batch_management: boolean
    ledger_account_management: boolean
  }>`
    select id, user_management, utility_payment_management, accounting_batch_management, ledger_account_management
    from clients where ${ids === null ? sql`true` : sql`id = any(${ids}::bigint[])`}`.execute(tx)
  return new Map(rows.map((row) => [row.id, maskedModels(row, clientOnly)]))
}
