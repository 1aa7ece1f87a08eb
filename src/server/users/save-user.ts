/** Writes of users by others: created, changed and deleted by administrators, within their rights. */
import type { user, User, UserDraft } from '#contract/users/user.ts'
import { sql } from 'kysely'
import {
  coolDownDays,
  endLinks,
  endSignIns,
  endTokens,
  forgetSignIns,
  hasTied,
  keepFormerEmail,
  mustBeProven,
  sendConfirmation,
  tellMailboxes,
  tieTo,
} from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { roleNames } from '#contract/access/rights.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import { forbidden, invalid, refused } from '../kernel/problem.ts'
import { createRow, destroyRow, everything, readRow, updateRow, type Saving } from '../kernel/lists/resource.ts'
import { rolesOfUser } from './role-rows.ts'
import { auditRole } from './role-trail.ts'
import { keepingASuperAdmin } from './super-admins.ts'
import { manageableUsers } from './user-reach.ts'
import { users, whoSees } from './user-rows.ts'
import { type PasswordRules, takePassword } from './take-password.ts'

const factorWasRemoved = `You removed the second factor of this person. For ${coolDownDays} days somebody else sets their password or address.`
type UserPatch = Partial<UserDraft> & { lock_version?: number | undefined }

/** Creates a user. Without a password the user is mailed a link that confirms the account; with one, its setter vouches for the account. */
export async function createUser(context: Context, draft: UserDraft, rules: PasswordRules): Promise<User> {
  await mustBeProven(context)
  const saving: Saving<typeof user.fields> = {
    added: async ({ principal }) => ({ created_by: principal.user_id }),
    children: async (_context, { password, password_confirmation, email = '', status }, { id }) => {
      await tieTo(context, id, 'made')
      if (password || password_confirmation) await takePassword(context, id, { password, password_confirmation }, rules, true)
      else if (status !== 'in_active') await sendConfirmation(context, { id, email })
    },
  }
  return createRow(context, users, draft, undefined, saving)
}

/** Changes a visible user. Throws forbidden if the user ranks above the caller or reaches further. */
export async function updateUser(context: Context, id: number, patch: UserPatch, rules: PasswordRules): Promise<User> {
  const before = await mustManage(context, id, 'user.update')
  const isDeactivated = patch.status === 'in_active' && before.status === 'active'
  if (isDeactivated && id === context.principal.user_id) throw refused('You cannot deactivate yourself.')
  const isNewEmail = patch.email !== undefined && patch.email !== before.email
  if (isNewEmail || patch.password) await mustBeProven(context)
  // A person who has removed somebody's second factor and then sets the rest could sign in as them.
  if ((isNewEmail || patch.password) && (await hasTied(context, id, ['factor']))) throw refused(factorWasRemoved)
  if (isNewEmail && id !== context.principal.user_id) {
    await refusePeer(context, id, 'email')
    await tieTo(context, id, 'email')
  }
  if (patch.status === 'active' && before.status !== 'active') await tieTo(context, id, 'enabled')
  const saving: Saving<typeof user.fields> = {
    children: async (_context, { password, password_confirmation }) => {
      if (password && id !== context.principal.user_id) await refusePeer(context, id, 'password')
      if (password !== undefined || password_confirmation !== undefined)
        await takePassword(context, id, { password, password_confirmation }, rules)
    },
  }
  const save = () => updateRow(context, users, id, patch, whoSees(context), saving)
  const row = await (isDeactivated ? keepingASuperAdmin(context, save) : save())
  // An account that is made active again starts without the doors that were open before.
  if (isDeactivated) {
    await endSignIns(context, id)
    await endTokens(context, id)
  } else await forgetSignIns(context, id)
  await tellOfNewEmail(context, before, row)
  return row
}

/** Deletes a visible user, with their roles, sign-ins and views. The results of their work stay. */
export async function destroyUser(context: Context, id: number): Promise<void> {
  await mustManage(context, id, 'user.destroy')
  if (id === context.principal.user_id) throw refused('You cannot delete yourself.')
  await keepingASuperAdmin(context, async () => {
    await endRoles(context, id)
    // Visibility of a user follows from their roles, and those are deleted: mustManage has locked and checked the row.
    await destroyRow(context, users, id, { reach: everything })
  })
  await forgetSignIns(context, id)
}

/** Records the end of each role in the trails of the clients that it names, as if it were removed by itself. */
async function endRoles(context: Context, userId: number): Promise<void> {
  const { email } = await readRow(context, users, userId, whoSees(context))
  for (const role of await rolesOfUser(context, userId)) await auditRole(context, email, role, null)
  await sql`delete from user_roles where user_id = ${userId}`.execute(context.tx)
}

/**
 * Returns the user if the caller may change them. Throws not-found if the user is not visible, and forbidden if the caller may only see
 * them.
 */
export async function mustManage(context: Context, id: number, permission: Permission): Promise<User> {
  const row = await readRow(context, users, id, whoSees(context))
  // Locked until the end, so that no one raises their rights meanwhile.
  const { rows } =
    await sql`select users.id from users where users.id = ${id} and ${manageableUsers(context.principal, permission)} for update`.execute(
      context.tx,
    )
  if (rows.length === 0) throw forbidden('You may not change somebody whose roles stand above yours or reach further.')
  return row
}

/** Notifies both the old and the new mailbox: a stolen account must not be moved away unnoticed. */
export async function tellOfNewEmail(context: Context, before: User, after: User): Promise<void> {
  if (before.email === after.email) return
  await endLinks(context.tx, after.id)
  if (!after.account_confirmed) {
    await sendConfirmation(context, after)
    return
  }
  const letter = {
    subject: 'Your Meterbook email was changed',
    paragraphs: [`The email of your account was changed from ${before.email} to ${after.email}. Sign in with the new one from now on.`],
    footnote: 'If this is not right, please tell your administrator at once.',
  }
  await tellMailboxes(context, after.id, letter, [before.email, after.email])
  await keepFormerEmail(context, after.id, before.email)
}

const peersAreRefused = {
  password: 'Staff and people of your own rank set their passwords by a mailed link: send them one',
  email: 'Staff and people of your own rank change their address themselves, in their profile',
} as const

/**
 * A person who knows the password of a peer can act as that peer, and so can who reads the mail of their address. Passwords of peers and of
 * staff are set by a mailed link; their addresses are changed by themselves, or by a super_admin who is no peer of theirs.
 */
async function refusePeer({ tx, principal }: Context, id: number, field: keyof typeof peersAreRefused): Promise<void> {
  const own = roleNames.findIndex((name) => principal.grants.some((grant) => grant.role === name))
  const isAboveStaff = field === 'email' && roleNames[own] === 'super_admin'
  const lowest = isAboveStaff ? own : Math.max(own, roleNames.indexOf('channel_partner_admin'))
  const names = roleNames.slice(0, lowest + 1)
  const { rows } = await sql`select from user_roles held join roles on roles.id = held.role_id
    where held.user_id = ${id} and roles.name = any(${names}::text[]) limit 1`.execute(tx)
  if (rows.length > 0) throw invalid({ [field]: [peersAreRefused[field]] })
}
