/** The front door of sign-in and rights. */
import { authCalls, type Access, type Profile } from '#contract/access/auth.ts'
import { isRoleName, roleNames, staffRoles } from '#contract/access/rights.ts'
import { sql } from 'kysely'
import { partnerLogoUrl } from '../channel-partners/channel-partners.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { covers, permissionMapOf, type Principal } from '../kernel/principal.ts'
import { notFound } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { Sessions } from './credentials.ts'
import { ownPasskeyHandlers } from './passkey-profile.ts'
import { passkeySignInHandlers } from './passkey-sign-in.ts'
import { passwordHandlers } from './password-flows.ts'
import { tellOwner } from './replays.ts'
import { ownFactorHandlers } from './second-factor-profile.ts'
import { secondStepHandlers } from './second-factor-steps.ts'
import { setupAtSignInHandlers } from './second-factor-setup.ts'
import { signInHandlers, type SignInRules } from './sign-in.ts'
import { signInListHandlers } from './sign-ins.ts'

export { accessJobs } from './access-jobs.ts'
export { createSessions, type Sessions } from './credentials.ts'
export { inviteFirstAdmin } from './first-admin.ts'
export { checkNewPassword, hashPassword, isPassword } from './passwords.ts'
export { endLinks, makeLink } from './links.ts'
export { sendConfirmation, sendPasswordLink } from './mailed-links.ts'
export { endSignIns, endTokens, forgetSignIns, setPassword } from './password-changes.ts'
export { keepFormerEmail, tellMailboxes } from './former-emails.ts'
export { newPasswordLetter, newTokenLetter } from './letters.ts'
export { handleProven, mustBeProven } from './proof.ts'
export { removeFactorOf } from './second-factor-profile.ts'
export { isGuarded } from './second-factors.ts'
export { ownTransaction } from './own-transaction.ts'
export { areTied, coolDownDays, hasTied, isPasswordOfAnother, tiedAmong, tieTo } from './ties.ts'
export { loadPrincipal } from './principals.ts'
export { openSignIn } from './opened-sign-ins.ts'

export interface AccessConfig extends SignInRules {
  readonly passwordMinLength: number
}

export function accessHandlers(sessions: Sessions, machinery: Machinery, config: AccessConfig): Handler[] {
  sessions.whenReplayed(tellOwner(machinery))
  return [
    ...signInHandlers(sessions, config),
    ...secondStepHandlers(sessions, config),
    ...passkeySignInHandlers(sessions, config),
    ...ownPasskeyHandlers(config),
    ...setupAtSignInHandlers(sessions),
    ...ownFactorHandlers(config.secondFactor),
    ...passwordHandlers({ passwordLengthMin: config.passwordMinLength, passwordSignIn: config.passwordSignIn }),
    ...signInListHandlers(sessions),
    handle(authCalls.profile, async (context) => ({
      success: true,
      message: '',
      user: await readProfile(context.tx, context.principal.user_id),
    })),
    handle(authCalls.activeUser, async (context) => ({ user: await readProfile(context.tx, context.principal.user_id) })),
    handle(authCalls.preferences, async (context, { body }) => {
      await sql`update users set preferences = preferences || ${JSON.stringify(body.preferences)}::jsonb where id = ${context.principal.user_id}`.execute(
        context.tx,
      )
      return { success: true, message: 'Preferences saved' }
    }),
    handle(authCalls.access, async (context, { query }) => accessOf(context, query.client_id ? Number(query.client_id) : undefined)),
  ]
}

async function readProfile(tx: Tx, userId: number): Promise<Profile> {
  const { rows } =
    await sql<Profile>`select id, email, username, first_name, last_name, title, status, account_confirmed, preferences, lock_version from users where id = ${userId}`.execute(
      tx,
    )
  const profile = rows[0]
  if (!profile) throw notFound()
  return profile
}

async function accessOf(context: Context, clientId: number | undefined): Promise<Access> {
  const { principal } = context
  if (
    clientId !== undefined &&
    !(principal.grants.some((grant) => covers(grant.clients, clientId)) && (await isClient(context.tx, clientId)))
  )
    throw notFound()
  const clientOnly = isClientOnly(principal)
  const held = roleNames.filter((name) => principal.grants.some((grant) => grant.role === name))
  return {
    permissions: permissionMapOf(principal, clientId),
    redirect_client_id: clientOnly ? await firstClient(context.tx, principal) : null,
    redirect_to_home: !clientOnly,
    client_only_user: clientOnly,
    roles: held.map((name) => ({ id: roleNames.indexOf(name) + 1, name })),
    partner_logo_url: await partnerLogoUrl(context, clientId),
  }
}

async function isClient(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select id from clients where id = ${id}`.execute(tx)
  return rows.length > 0
}

export function isClientOnly(principal: Principal): boolean {
  return !principal.grants.some((grant) => isRoleName(grant.role) && staffRoles.includes(grant.role))
}

async function firstClient(tx: Tx, principal: Principal): Promise<number | null> {
  const ids = principal.grants.flatMap((grant) => (grant.clients === 'all' ? [] : grant.clients))
  const { rows } = await sql<{
    id: number
  }>`select id from clients where id = any(${ids}::bigint[]) and active order by name, id limit 1`.execute(tx)
  return rows[0]?.id ?? null
}
