/** A user's rights and reach: a role, its clients or its channel partner, and a part of the clients if the role allows it. */
import { z } from 'zod'
import { call, crudCalls } from '../kernel/call.ts'
import { defaulted, derived, entity, list, optional, ref, refs, text, type Draft, type Row } from '../kernel/entity.ts'
import { actions, models, type PermissionMap } from '../kernel/permission.ts'
import { roleNames, type RoleName } from '../access/rights.ts'

const named = z.array(z.object({ id: z.int(), name: z.string() }))
/** The records that a role is narrowed to, each with its client. */
const parts = z.array(z.object({ id: z.int(), name: z.string(), client_id: z.int() }))
/** Maximum ids in one list of a role. */
const scopeIdsMax = 1_000

export const userRole = entity(
  'user_role',
  'user_roles',
  {
    role_id: ref('Role', 'roles'),
    role_name: derived(text('Role')),
    /** The one client of client_user and read_only_user; returned if the role has exactly one. `client_ids` takes precedence if it has any. */
    client_id: optional(ref('Client', 'clients')),
    client_ids: defaulted(refs('Clients', 'clients', scopeIdsMax), []),
    channel_partner_id: optional(ref('Channel Partner', 'channel_partners')),
    division_ids: defaulted(refs('Divisions', 'divisions', scopeIdsMax), []),
    facility_ids: defaulted(refs('Facilities', 'facilities', scopeIdsMax), []),
    billable_account_ids: defaulted(refs('Billable Accounts', 'billable_accounts', scopeIdsMax), []),
    supply_account_ids: defaulted(refs('Supply Accounts', 'supply_accounts', scopeIdsMax), []),
    channel_partner_name: derived(optional(text('Channel Partner'))),
    clients: derived(list('Clients', named)),
    divisions: derived(list('Divisions', parts)),
    facilities: derived(list('Facilities', parts)),
    /** Named by their account numbers. */
    billable_accounts: derived(list('Billable Accounts', parts)),
    supply_accounts: derived(list('Supply Accounts', parts)),
  },
  { filter: ['id', 'role_id'], sort: ['id', 'role_id'], defaultSort: 'role_id asc' },
  { label: 'User role', labels: 'User roles' },
)
export type UserRole = Row<typeof userRole>
export type UserRoleDraft = Draft<typeof userRole>

/** Fields of a role's form besides the role itself (specification, part 1, section 5). */
export interface RoleScope {
  /** none: not shown; optional: without any it reaches every client; one: exactly one; some: one or more. */
  readonly clients: 'none' | 'optional' | 'one' | 'some'
  readonly channel_partner: boolean
  /** Whether it can be narrowed to divisions, facilities and accounts. */
  readonly narrowable: boolean
}

const roleScopes: Readonly<Record<RoleName, RoleScope>> = {
  super_admin: { clients: 'optional', channel_partner: false, narrowable: false },
  muc_admin: { clients: 'optional', channel_partner: false, narrowable: true },
  channel_partner_admin: { clients: 'none', channel_partner: true, narrowable: true },
  client_admin: { clients: 'some', channel_partner: false, narrowable: false },
  client_manager: { clients: 'some', channel_partner: false, narrowable: false },
  client_user: { clients: 'one', channel_partner: false, narrowable: true },
  read_only_user: { clients: 'one', channel_partner: false, narrowable: true },
}

export function roleScopeOf(role: RoleName): RoleScope {
  return roleScopes[role]
}

/** The scope of a role: its clients or its partner, and the parts of the clients. */
export interface NamedScope {
  readonly client_ids: readonly number[]
  readonly channel_partner_id: number | null
  readonly division_ids: readonly number[]
  readonly facility_ids: readonly number[]
  readonly billable_account_ids: readonly number[]
  readonly supply_account_ids: readonly number[]
}

/** Returns the faults of a role's scope by field; the form and the server use the same function. */
export function scopeFaults(role: RoleName, scope: NamedScope): Readonly<Record<string, readonly string[]>> {
  const { clients, channel_partner: needsPartner, narrowable } = roleScopes[role]
  const label = roleLabels[role]
  const count = scope.client_ids.length
  const narrowed = narrowingLevels.filter(({ ids }) => scope[ids].length > 0)
  return {
    ...(clients === 'one' && count === 0 ? { client_id: ['Client is required'] } : {}),
    ...(clients === 'one' && count > 1 ? { client_id: [`A ${label} has one client`] } : {}),
    ...(clients === 'some' && count === 0 ? { client_ids: ['Client is required'] } : {}),
    ...(clients === 'none' && count > 0 ? { client_ids: [`A ${label} has a channel partner instead of clients`] } : {}),
    ...(needsPartner && scope.channel_partner_id === null ? { channel_partner_id: ['Channel Partner is required'] } : {}),
    ...(!needsPartner && scope.channel_partner_id !== null ? { channel_partner_id: [`A ${label} has no channel partner`] } : {}),
    ...(narrowable ? {} : Object.fromEntries(narrowed.map(({ ids }) => [ids, [`A ${label} reaches its clients as a whole`]]))),
  }
}

export const roleLabels: Readonly<Record<RoleName, string>> = {
  super_admin: 'Super Admin',
  muc_admin: 'MUC Admin',
  channel_partner_admin: 'Channel Partner Admin',
  client_admin: 'Client Admin',
  client_manager: 'Client Manager',
  client_user: 'Client User',
  read_only_user: 'Read Only User',
}

/** The roles that the picker lists first; the others are under "More roles" (G-ROLE-CHOICES). */
export const offeredRoles: readonly RoleName[] = ['super_admin', 'muc_admin', 'client_admin', 'client_manager']

/** The levels at which a role may be narrowed inside its clients, outermost first, with the wire name of their ids. */
export const narrowingLevels = [
  { level: 'division', ids: 'division_ids', table: 'divisions' },
  { level: 'facility', ids: 'facility_ids', table: 'facilities' },
  { level: 'billable_account', ids: 'billable_account_ids', table: 'billable_accounts' },
  { level: 'supply_account', ids: 'supply_account_ids', table: 'supply_accounts' },
] as const

const permissionMap: z.ZodType<PermissionMap> = z.partialRecord(z.enum(models), z.array(z.enum(actions)))
const role = z.object({
  id: z.int(),
  name: z.enum(roleNames),
  label: z.string(),
  group: z.enum(['offered', 'more']),
  /** Whether the caller may grant it at least somewhere: no user grants a role above their own rank. */
  grantable: z.boolean(),
  permissions: permissionMap,
})
export type Role = z.infer<typeof role>

const {
  list: listRoles,
  get,
  create,
  update,
  destroy,
  exportCsv,
} = crudCalls(userRole, '/users/:user_id/user_roles', {
  read: 'user.read',
  create: 'user.update',
  update: 'user.update',
  destroy: 'user.update',
})

export const userRoleCalls = {
  roles: call({
    name: 'roles.list',
    method: 'GET',
    path: '/roles',
    may: 'user.read',
    summary: 'The seven roles with their rights; the four that forms offer first, then the rest',
    reply: z.object({ roles: z.array(role), total: z.int() }),
  }),
  list: listRoles,
  exportCsv,
  get,
  create,
  update,
  destroy,
}
