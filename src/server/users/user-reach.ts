/**
 * Rules for seeing and changing users, as conditions over whole lists. A user is visible to those whose reach contains all roles of the
 * user, and may be changed by those who also have, wherever a role reaches, a role of at least its rank. A user without a role is visible
 * to their creator and to the provider's staff. Only super_admins see super_admins.
 */
import type { Permission } from '#contract/kernel/permission.ts'
import { providerRoles, roleNames, type RoleName } from '#contract/access/rights.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { billableAccountScope, divisionScope, facilityScope, supplyAccountScope } from '../estate/estate.ts'
import { and, or, scopeCondition, type Condition } from '../kernel/lists/list.ts'
import type { Principal, Reach } from '../kernel/principal.ts'
import { rankOf, rankedParts, roleIdOf, rankGroups, type Group, type RankedPart, isProvider } from './ranked-parts.ts'

const never = sql<SqlBool>`false`
const always = sql<SqlBool>`true`
const partnerRank = rankOf('channel_partner_admin')
const levels = [
  { named: 'user_role_divisions', column: 'division_id', table: 'divisions', scope: divisionScope },
  { named: 'user_role_facilities', column: 'facility_id', table: 'facilities', scope: facilityScope },
  { named: 'user_role_billable_accounts', column: 'billable_account_id', table: 'billable_accounts', scope: billableAccountScope },
  { named: 'user_role_supply_accounts', column: 'supply_account_id', table: 'supply_accounts', scope: supplyAccountScope },
] as const

/** Returns the condition for the users visible to this user. */
export function visibleUsers(principal: Principal): Condition {
  const parts = rankedParts(principal, 'user.read')
  if (parts.length === 0) return never
  const own = parts.filter(({ rank }) => rank === 0)
  const groups = [
    { roleIds: [1], parts: own },
    { roleIds: roleNames.slice(1).map(roleIdOf), parts },
  ]
  const inside = rolesInside(principal, groups)
  if (inside === always) return inside
  return or([sql<SqlBool>`users.id = ${principal.user_id}`, and([isCandidate(principal, parts), inside])])
}

/** Among the visible users, returns the condition for those that may be changed in the way of `permission`. */
export function manageableUsers(principal: Principal, permission: Permission): Condition {
  const parts = rankedParts(principal, permission)
  return parts.length === 0 ? never : rolesInside(principal, rankGroups(parts))
}

/** Returns the condition for the rows of user_roles that this user may grant, change and remove. */
export function grantableRoles(principal: Principal): Condition {
  const outside = outsideOf(principal, rankGroups(rankedParts(principal, 'user.update')))
  return sql<SqlBool>`not exists (select from user_roles held where held.id = user_roles.id and ${outside})`
}

/**
 * Returns the condition for the channel partners, by the column that names them, whose administrators this user may create: their own, or
 * any if they reach every client.
 */
export function grantablePartner(principal: Principal, partner: RawBuilder<unknown>): Condition {
  const parts = rankedParts(principal, 'user.update')
  return coveredClients(parts) === 'all' ? always : isAdministered(principal, parts, partner)
}

/** Returns true if this user may grant the role at all, even in one client only. */
export function mayGrant(principal: Principal, role: RoleName): boolean {
  const parts = rankedParts(principal, 'user.update').filter(({ rank }) => rank <= rankOf(role))
  // Two peers are the two persons who change where money goes: neither makes the other.
  if (role === 'muc_admin') return parts.some(({ rank }) => rank === 0)
  if (role !== 'channel_partner_admin') return parts.length > 0
  return coveredClients(parts) === 'all' || parts.some(({ rank }) => rank === partnerRank)
}

/** Returns a text for what a user sees, so that a value cached for one is not answered to another. */
export function sightOf(principal: Principal): { readonly text: string; readonly narrowed: boolean } {
  const parts = rankedParts(principal, 'user.read')
  return { text: JSON.stringify([principal.user_id, parts]), narrowed: parts.some((part) => !isWhole(part)) }
}

export const hasNoRole: Condition = sql<SqlBool>`not exists (select from user_roles any_role where any_role.user_id = users.id)`

function rolesInside(principal: Principal, groups: readonly Group[]): Condition {
  const outside = outsideOf(principal, groups)
  return outside === never ? always : sql<SqlBool>`not exists (select from user_roles held where held.user_id = users.id and ${outside})`
}

/**
 * Returns the condition for the rows `held` that reach beyond the parts. Roles that are compared with the same parts share one condition.
 */
function outsideOf(principal: Principal, groups: readonly Group[]): Condition {
  const bounded = groups.filter(({ parts }) => wholeClients(parts) !== 'all')
  const alike = Map.groupBy(bounded, ({ parts }) => parts.length)
  const conditions = [...alike.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const roleIds = [first, ...others].flatMap((group) => group.roleIds)
    const isOutside = sql<SqlBool>`coalesce(${insideOf(principal, first.parts)}, false) = false`
    return [sql<SqlBool>`(held.role_id = any(${roleIds}::bigint[]) and ${isOutside})`]
  })
  return conditions.length === 0 ? never : or(conditions)
}

/** Returns the condition that the row `held` lies inside the parts: its clients or its partner, and each part that it is narrowed to. */
function insideOf(principal: Principal, parts: readonly RankedPart[]): Condition {
  if (parts.length === 0) return never
  const whole = parts.filter(isWhole)
  const named = levels.map(
    (level) => sql<SqlBool>`not exists (select from ${sql.table(level.named)} named where named.user_role_id = held.id
      and not exists (select from ${sql.table(level.table)} where ${sql.ref(`${level.table}.client_id`)} = named.client_id
        and ${sql.ref(`${level.table}.id`)} = named.${sql.ref(level.column)} and ${scopeCondition({ scope: level.scope }, { reach: parts })}))`,
  )
  return sql<SqlBool>`case when ${isNarrowedRow} then ${and([ownersInside(principal, parts), ...named])} else ${ownersInside(principal, whole)} end`
}

const isNarrowedRow = or(
  levels.map(({ named }) => sql<SqlBool>`exists (select from ${sql.table(named)} named where named.user_role_id = held.id)`),
)

/**
 * Condition for the owners of the row `held`: a partner, whose clients may be added later; for provider staff every client or the named
 * ones; else clients.
 */
function ownersInside(principal: Principal, parts: readonly RankedPart[]): Condition {
  const clients = coveredClients(parts)
  if (clients === 'all') return always
  const strange = sql<SqlBool>`exists (select from user_role_clients owner where owner.user_role_id = held.id and not (owner.client_id = any(${clients}::bigint[])))`
  const namesAny = sql<SqlBool>`exists (select from user_role_clients owner where owner.user_role_id = held.id)`
  const providers = providerRoles.map(roleIdOf)
  return sql<SqlBool>`case when held.role_id = ${roleIdOf('channel_partner_admin')} then ${isAdministered(principal, parts)}
    when held.role_id = any(${providers}::bigint[]) then ${namesAny} and not ${strange} else not ${strange} end`
}

const heldPartner: RawBuilder<unknown> = sql.ref('held.channel_partner_id')

/** Returns the condition that this user administers the partner, by default that of the row `held`, by one of the parts. */
function isAdministered({ user_id: userId }: Principal, parts: readonly RankedPart[], partner = heldPartner): Condition {
  const own = parts.filter(({ rank }) => rank === partnerRank)
  if (own.length === 0) return never
  const isNarrowed = or(
    levels.map(({ named }) => sql<SqlBool>`exists (select from ${sql.table(named)} named where named.user_role_id = mine.id)`),
  )
  const wholeOnly = own.every(isWhole) ? sql<SqlBool>`not (${isNarrowed})` : always
  return sql<SqlBool>`${partner} in (select mine.channel_partner_id from user_roles mine
    where mine.user_id = ${userId} and mine.role_id = ${roleIdOf('channel_partner_admin')} and ${wholeOnly})`
}

/** Narrows a hundred thousand users by indexes to the few that can be visible, before each role is checked. */
function isCandidate(principal: Principal, parts: readonly RankedPart[]): Condition {
  const clients = coveredClients(parts)
  if (clients === 'all') return always
  const ofClients = sql`select held.user_id from user_role_clients owner join user_roles held on held.id = owner.user_role_id where owner.client_id = any(${clients}::bigint[])`
  const ofPartners = sql`select held.user_id from user_roles held where ${isAdministered(principal, parts)}`
  const made = sql`select users.id from users where ${isProvider(parts) ? hasNoRole : sql`users.created_by = ${principal.user_id} and ${hasNoRole}`}`
  return sql<SqlBool>`users.id in (${ofClients} union all ${ofPartners} union all ${made})`
}

/** Returns the clients that the parts reach without narrowing. */
function wholeClients(parts: readonly RankedPart[]): Reach[number]['clients'] {
  return coveredClients(parts.filter(isWhole))
}

/** Returns the clients in which the parts reach anything. */
function coveredClients(parts: readonly RankedPart[]): Reach[number]['clients'] {
  const all = parts.map(({ clients }) => clients)
  return all.includes('all') ? 'all' : [...new Set(all.flatMap((clients) => (clients === 'all' ? [] : clients)))]
}

function isWhole({ narrowed }: Pick<RankedPart, 'narrowed'>): boolean {
  return Object.keys(narrowed).length === 0
}
