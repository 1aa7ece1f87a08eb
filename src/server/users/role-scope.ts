/** The requested reach of a role, merged from sent and stored values, and checked against the rules of the form. */
import { isRoleName, type RoleName } from '#contract/access/rights.ts'
import { narrowingLevels, roleScopeOf, scopeFaults, type NamedScope, type UserRole, type UserRoleDraft } from '#contract/users/user-role.ts'
import { sql, type SqlBool } from 'kysely'
import { billableAccountScope, clientScope, divisionScope, facilityScope, supplyAccountScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition, type Condition, type ScopeRule } from '../kernel/lists/list.ts'
import { forbidden, invalid, unknownRecords } from '../kernel/problem.ts'
import { mustReach } from '../kernel/lists/resource.ts'
import { grantablePartner, mayGrant } from './user-reach.ts'

export interface WantedRole extends NamedScope {
  readonly role: RoleName
  readonly role_id: number
}

const scopes: Readonly<Record<(typeof narrowingLevels)[number]['level'], ScopeRule>> = {
  division: divisionScope,
  facility: facilityScope,
  billable_account: billableAccountScope,
  supply_account: supplyAccountScope,
}

/** Returns the future role. Throws the form's errors, and forbidden for a role above the caller's own. */
export async function wantedRole(context: Context, draft: Partial<UserRoleDraft>, before: UserRole | null): Promise<WantedRole> {
  const roleId = draft.role_id ?? before?.role_id ?? 0
  const role = await roleNameOf(context, roleId)
  if (!mayGrant(context.principal, role)) throw forbidden('You cannot grant a role above your own.')
  const wanted = { role, role_id: roleId, ...mergedScope(role, draft, before) }
  const faults = scopeFaults(role, wanted)
  if (Object.keys(faults).length > 0) throw invalid(faults)
  await mustReachScope(context, wanted)
  return wanted
}

async function roleNameOf({ tx }: Context, id: number): Promise<RoleName> {
  const { rows } = await sql<{ name: string }>`select name from roles where id = ${id}`.execute(tx)
  const name = rows[0]?.name ?? ''
  if (!isRoleName(name)) throw unknownRecords('role_id')
  return name
}

/**
 * Values that the role does not use are dropped unless they were sent. Parts are never dropped automatically: without them the role would
 * reach more.
 */
function mergedScope(role: RoleName, draft: Partial<UserRoleDraft>, before: UserRole | null): NamedScope {
  const { clients, channel_partner: hasPartner } = roleScopeOf(role)
  const stored = (key: (typeof narrowingLevels)[number]['ids']) => draft[key] ?? before?.[key] ?? []
  return {
    client_ids: clientsOf(draft) ?? (clients === 'none' ? [] : (before?.client_ids ?? [])),
    channel_partner_id:
      draft.channel_partner_id === undefined ? (hasPartner ? (before?.channel_partner_id ?? null) : null) : draft.channel_partner_id,
    division_ids: stored('division_ids'),
    facility_ids: stored('facility_ids'),
    billable_account_ids: stored('billable_account_ids'),
    supply_account_ids: stored('supply_account_ids'),
  }
}

/** Forms with one choice send `client_id`, those with several `client_ids`. Undefined if neither was sent. */
function clientsOf({ client_id: one, client_ids: many }: Partial<UserRoleDraft>): readonly number[] | undefined {
  if (many !== undefined && many.length > 0) {
    if (one !== undefined && one !== null && !many.includes(one)) throw invalid({ client_id: ['Client must be one of the clients'] })
    return many
  }
  if (one === undefined) return many
  return one === null ? [] : [one]
}

/** Every id must be a record that the caller reaches, and each part must be inside a client that the role reaches. */
async function mustReachScope(context: Context, wanted: WantedRole): Promise<void> {
  await mustReach(
    context,
    { table: 'clients', scope: clientScope },
    wanted.client_ids,
    wanted.client_ids.length === 1 && roleScopeOf(wanted.role).clients === 'one' ? 'client_id' : 'client_ids',
    undefined,
  )
  await mustKnowPartner(context, wanted.channel_partner_id)
  for (const { level, ids, table } of narrowingLevels) {
    if (wanted[ids].length === 0) continue
    const inside = scopeCondition({ scope: scopes[level] }, { reach: context.reach })
    const { rows } = await sql<{ found: number }>`select count(*) as found from ${sql.table(table)}
      where ${sql.ref(`${table}.id`)} = any(${wanted[ids]}::bigint[]) and ${inside} and ${inClients(table, wanted)}`.execute(context.tx)
    if (rows[0]?.found !== wanted[ids].length) throw unknownRecords(ids, wanted[ids].length)
  }
}

function inClients(table: string, { client_ids: clientIds, channel_partner_id: partnerId }: WantedRole): Condition {
  const client = sql.ref(`${table}.client_id`)
  if (partnerId !== null) return sql<SqlBool>`${client} in (select id from clients where channel_partner_id = ${partnerId})`
  return clientIds.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${client} = any(${clientIds}::bigint[])`
}

/** A partner that the caller may not name counts as not found. Whether the whole role is inside the reach is checked after it is stored. */
async function mustKnowPartner({ tx, principal }: Context, partnerId: number | null): Promise<void> {
  if (partnerId === null) return
  const { rows } = await sql`select id from channel_partners
    where id = ${partnerId} and ${grantablePartner(principal, sql.ref('channel_partners.id'))}`.execute(tx)
  if (rows.length === 0) throw unknownRecords('channel_partner_id')
}
