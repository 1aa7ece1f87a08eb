/** The front door of sign-in and rights. */
import { authCalls, type Access, type Profile } from '#contract/auth.ts'
import { isRoleName, roleNames, staffRoles } from '#contract/rights.ts'
import { sql } from 'kysely'
import { writeAudit } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/database.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { covers, permissionMapOf, type Principal } from '../kernel/principal.ts'
import { invalid, notFound, signedOut } from '../kernel/problem.ts'
import type { Sessions } from './credentials.ts'
import { makeLink, useLink } from './links.ts'
import { checkNewPassword, hashPassword, isPassword } from './passwords.ts'
import { checkBrake, clearFailures, noteFailure } from './sign-in-brake.ts'

export { createSessions, type Sessions } from './credentials.ts'
export { inviteFirstAdmin } from './first-admin.ts'
export { hashPassword, isPassword } from './passwords.ts'
export { makeLink } from './links.ts'
export { loadPrincipal } from './principals.ts'

const wrongCredentials = 'Invalid login credentials. Please try again.'

interface UserRow {
  id: number
  email: string
  password_hash: string | null
}

export function accessHandlers(sessions: Sessions, rules: { passwordLengthMin: number }): Handler[] {
  return [
    handle(authCalls.signIn, async (context, { body, http }) => {
      const user = await provenUser(context, body.email, body.password)
      await context.services.database.db.transaction().execute(async (tx) => {
        await clearFailures(tx, body.email)
        await sessions.open(tx, user, http.request, http.reply)
        await sql`update users set last_sign_in_at = now() where id = ${user.id}`.execute(tx)
        const login = { event: 'login', item_type: 'user', item_id: user.id, client_id: 0, changes: {} } as const
        await writeAudit(tx, { user_id: context.visitor?.user_id ?? null, ip: context.ip }, [login])
      })
      return { success: true, message: 'Signed in', data: { id: user.id, email: user.email } }
    }),
    handle(authCalls.signOut, async (context) => {
      const { session_id: sessionId, user_id: userId } = context.principal
      await sessions.endOne(context.tx, sessionId)
      context.afterCommit(() => context.services.sessions.forgetUser(userId))
      return { success: true, message: 'Signed out' }
    }),
    handle(authCalls.requestPassword, async (context, { body }) => {
      await mailLink(context, body.email)
      return { success: true, message: 'Password reset request received' }
    }),
    handle(authCalls.setPassword, async (context, { body, http }) => {
      const given = http.request.headers
      const { 'access-token': token, client, uid } = given
      if (typeof token !== 'string' || typeof client !== 'string' || typeof uid !== 'string') throw signedOut()
      checkNewPassword(body.password, body.password_confirmation, rules.passwordLengthMin)
      const link = await useLink(context.tx, { token, client, uid })
      if (!link) throw invalid({ base: ['This link is not valid any more. Please ask for a new one.'] })
      await setPassword(context, sessions, link.user_id, body.password)
      return { success: true, message: 'Your password has been reset' }
    }),
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

/**
 * The user of these words. Wrong address, wrong password and inactive user get one answer after the same time.
 * It runs outside any transaction: a failure's count outlives the refusal, and no connection is held while a password is checked. Held ones
 * that wait for another would starve each other as soon as as many people sign in at once as there are connections.
 */
async function provenUser({ tx, ip }: Context, email: string, password: string): Promise<UserRow> {
  const network = networkOf(ip)
  await checkBrake(tx, email, network)
  const { rows } =
    await sql<UserRow>`select id, email, password_hash from users where lower(email) = lower(${email}) and status = 'active'`.execute(tx)
  const user = rows[0]
  if (!(await isPassword(user?.password_hash ?? null, password)) || !user) {
    await noteFailure(tx, email, network)
    throw signedOut(wrongCredentials)
  }
  return user
}

async function setPassword(context: Context, sessions: Sessions, userId: number, password: string): Promise<void> {
  await sql`update users set password_hash = ${await hashPassword(password)}, account_confirmed = true, lock_version = lock_version + 1, updated_at = now() where id = ${userId}`.execute(
    context.tx,
  )
  await sessions.end(context.tx, userId)
  await context.audit.updated('user', userId, 0, { password: { from: null, to: '[secret]' } })
  context.afterCommit(() => context.services.sessions.forgetUser(userId))
}

/** Mails a link where the account exists; the caller's answer is the same either way, and the mail itself is sent by a job. */
async function mailLink(context: Context, email: string): Promise<void> {
  const { rows } = await sql<{
    id: number
    email: string
  }>`select id, email from users where lower(email) = lower(${email}) and status = 'active'`.execute(context.tx)
  const user = rows[0]
  if (!user) return
  const link = await makeLink(context.tx, user, 'reset', context.services.settings.publicUrl)
  await context.services.mail.send(context.tx, {
    to: user.email,
    subject: 'Set a new Meterbook password',
    text: `Somebody asked for a new password for ${user.email}. If it was you, open this link within an hour:\n\n${link}\n\nIf it was not, you need not do anything.`,
  })
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
    partner_logo_url: null,
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

/** The /24 of an IPv4 address, the /64 of an IPv6 one: whoever sprays changes the last digits first. */
function networkOf(ip: string | null): string {
  if (!ip) return 'unknown'
  return ip.includes(':') ? ip.split(':').slice(0, 4).join(':') : ip.split('.').slice(0, 3).join('.')
}
