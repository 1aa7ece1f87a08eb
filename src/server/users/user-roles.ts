/** The roles of a person and the reach of each: read, granted, changed and revoked, never beyond the caller's own rights. */
import { roleNames, permissionsOfRole, staffRoles } from '#contract/access/rights.ts'
import {
  offeredRoles,
  roleLabels,
  userRole,
  userRoleCalls,
  type Role,
  type UserRole,
  type UserRoleDraft,
} from '#contract/users/user-role.ts'
import { sql } from 'kysely'
import { forgetSignIns, isPasswordOfAnother, mustBeProven, tieTo } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { reopenWithCommit } from '../kernel/work/live.ts'
import type { Principal } from '../kernel/principal.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { answerOne, answerWrite, exportHandler, listAnswer, readRow } from '../kernel/lists/resource.ts'
import { refuseStale } from '../kernel/lists/save.ts'
import { auditRole } from './role-trail.ts'
import { ofUser, roleOfUser, userRoles } from './role-rows.ts'
import { wantedRole, type WantedRole } from './role-scope.ts'
import { mustManage } from './save-user.ts'
import { keepingASuperAdmin } from './super-admins.ts'
import { grantableRoles, mayGrant } from './user-reach.ts'
import { roleIdOf } from './ranked-parts.ts'
import { users, whoSees } from './user-rows.ts'

export const userRoleHandlers: readonly Handler[] = [
  handle(userRoleCalls.roles, async ({ principal }) => {
    const roles = rolesFor(principal)
    return { roles, total: roles.length }
  }),
  handle(userRoleCalls.list, async (context, { params, query }) => {
    await mustSee(context, params.user_id)
    return listAnswer(context, userRoles, query, ofUser(context, params.user_id))
  }),
  exportHandler(userRoleCalls.exportCsv, userRoles, async (context, params) => {
    await mustSee(context, params.user_id)
    return ofUser(context, params.user_id)
  }),
  handle(userRoleCalls.get, async (context, { params }) => {
    await mustSee(context, params.user_id)
    return answerOne('user_role', await roleOfUser(context, params.user_id, params.id))
  }),
  handle(userRoleCalls.create, async (context, { params, body }) => {
    await mustManage(context, params.user_id, 'user.update')
    const row = await grantRole(context, params.user_id, body.user_role)
    return answerWrite(userRole, 'created', row)
  }),
  handle(userRoleCalls.update, async (context, { params, body }) => {
    await mustManage(context, params.user_id, 'user.update')
    const change = () => changeRole(context, params.user_id, params.id, body.user_role)
    return answerWrite(userRole, 'updated', await keepingASuperAdmin(context, change))
  }),
  handle(userRoleCalls.destroy, async (context, { params }) => {
    const { email } = await mustManage(context, params.user_id, 'user.update')
    const before = await roleOfUser(context, params.user_id, params.id, true)
    await keepingASuperAdmin(context, () => sql`delete from user_roles where id = ${before.id}`.execute(context.tx))
    await auditRole(context, email, before, null)
    await rightsChanged(context, params.user_id)
    return { success: true, message: `${userRole.label} deleted` }
  }),
]

/** Returns the seven roles, those that forms offer first (G-ROLE-CHOICES). */
function rolesFor(principal: Principal): Role[] {
  const roles = roleNames.map((name) => ({
    id: roleIdOf(name),
    name,
    label: roleLabels[name],
    group: offeredRoles.includes(name) ? ('offered' as const) : ('more' as const),
    grantable: mayGrant(principal, name),
    permissions: permissionsOfRole(name),
  }))
  return [...roles.filter(({ group }) => group === 'offered'), ...roles.filter(({ group }) => group === 'more')]
}

/** Throws not-found for a user who is not visible. */
async function mustSee(context: Context, userId: number): Promise<void> {
  await readRow(context, users, userId, whoSees(context))
}

async function grantRole(context: Context, userId: number, draft: UserRoleDraft): Promise<UserRole> {
  await mustBeProven(context)
  const wanted = await wantedRole(context, draft, null)
  await refuseKnownPassword(context, userId, wanted)
  const { rows } = await sql<{ id: number; email: string }>`insert into user_roles (user_id, role_id, channel_partner_id)
    values (${userId}, ${wanted.role_id}, ${wanted.channel_partner_id})
    returning id, (select email from users where users.id = user_id) as email`.execute(context.tx)
  const { id = 0, email = '' } = rows[0] ?? {}
  const row = await storeScope(context, userId, id, wanted)
  await auditRole(context, email, null, row)
  await tieTo(context, userId, 'granted')
  await rightsChanged(context, userId)
  return row
}

async function changeRole(
  context: Context,
  userId: number,
  id: number,
  { lock_version: version, ...draft }: Partial<UserRoleDraft> & { lock_version?: number | undefined },
): Promise<UserRole> {
  await mustBeProven(context)
  const before = await roleOfUser(context, userId, id, true)
  refuseStale(userRole, before, version, draft)
  const wanted = await wantedRole(context, draft, before)
  await refuseKnownPassword(context, userId, wanted)
  await sql`update user_roles set role_id = ${wanted.role_id}, channel_partner_id = ${wanted.channel_partner_id}, lock_version = lock_version + 1, updated_at = now()
    where id = ${id}`.execute(context.tx)
  const row = await storeScope(context, userId, id, wanted)
  await auditRole(context, null, before, row)
  await tieTo(context, userId, 'widened')
  await rightsChanged(context, userId)
  return row
}

/** Staff are nobody whose password somebody else has set. */
async function refuseKnownPassword({ tx }: Context, userId: number, { role }: WantedRole): Promise<void> {
  if (staffRoles.includes(role) && (await isPasswordOfAnother(tx, userId)))
    throw refused('Somebody else has set the password of this user. Send them a link to set their own, then grant the role.')
}

const scopeTables = [
  { links: 'user_role_divisions', column: 'division_id', table: 'divisions', ids: 'division_ids' },
  { links: 'user_role_facilities', column: 'facility_id', table: 'facilities', ids: 'facility_ids' },
  { links: 'user_role_billable_accounts', column: 'billable_account_id', table: 'billable_accounts', ids: 'billable_account_ids' },
  { links: 'user_role_supply_accounts', column: 'supply_account_id', table: 'supply_accounts', ids: 'supply_account_ids' },
] as const

/**
 * Sets the role's reach to exactly this, and then checks on the stored row whether the caller may grant it, so that no merged value is
 * missed.
 */
async function storeScope(context: Context, userId: number, id: number, wanted: WantedRole): Promise<UserRole> {
  const { tx } = context
  await sql`delete from user_role_clients where user_role_id = ${id}`.execute(tx)
  await sql`insert into user_role_clients (client_id, user_role_id) select client_id, ${id}::bigint from unnest(${wanted.client_ids}::bigint[]) as client_id`.execute(
    tx,
  )
  for (const { links, column, table, ids } of scopeTables) {
    await sql`delete from ${sql.table(links)} where user_role_id = ${id}`.execute(tx)
    if (wanted[ids].length > 0)
      await sql`insert into ${sql.table(links)} (client_id, user_role_id, ${sql.ref(column)})
        select client_id, ${id}::bigint, id from ${sql.table(table)} where id = any(${wanted[ids]}::bigint[])`.execute(tx)
  }
  const { rows } = await sql`select id from user_roles where id = ${id} and ${grantableRoles(context.principal)}`.execute(tx)
  if (rows.length === 0) throw forbidden('You cannot grant a role that reaches further than yours.')
  return roleOfUser(context, userId, id)
}

/** Takes effect from the next request on, in every process. Lists of users depend on roles too. */
async function rightsChanged(context: Context, userId: number): Promise<void> {
  context.touch(0)
  await forgetSignIns(context, userId)
  await reopenWithCommit(context.tx, userId)
}
