/** Setting a password, and what ends with the old one. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { forgetWithCommit } from '../kernel/work/live.ts'
import { endLinks } from './links.ts'
import { hashPassword } from './passwords.ts'

/**
 * Sets a validated password and ends every other sign-in of the user. The right to set it proves that the account has an owner, so it also
 * confirms the account. `keepSessionId` is the sign-in that changes its own password and continues.
 */
export async function setPassword(context: Context, userId: number, password: string, keepSessionId?: number): Promise<void> {
  await sql`update users set password_hash = ${await hashPassword(password)}, account_confirmed = true, lock_version = lock_version + 1, updated_at = now()
    where id = ${userId}`.execute(context.tx)
  await endLinks(context.tx, userId)
  await endSignIns(context, userId, keepSessionId)
  await context.audit.updated('user', userId, 0, { password: { from: null, to: '[secret]' } })
}

/** Ends the sign-ins of a user, all or all but one: at the next request in every process, and their open windows within seconds. */
export async function endSignIns(context: Context, userId: number, keepSessionId?: number): Promise<void> {
  await sql`delete from sessions where user_id = ${userId} and id <> ${keepSessionId ?? 0}`.execute(context.tx)
  await forgetSignIns(context, userId)
}

/** Makes every process read the user's sign-ins and rights again once this transaction is committed, and not before. */
export async function forgetSignIns(context: Context, userId: number): Promise<void> {
  await forgetWithCommit(context.tx, userId)
  context.afterCommit(() => context.machinery.sessions.forgetUser(userId))
}

/**
 * Ends the API tokens of a user whose account was recovered, since its owner cannot know who made them. For the same reason no passkey
 * signs in without the new password. They stay the second factor, or the mailbox alone would be enough.
 * @returns how many tokens there were.
 */
export async function endTokens(context: Context, userId: number): Promise<number> {
  await sql`update passkeys set signs_in = false where user_id = ${userId} and signs_in`.execute(context.tx)
  const { rows } = await sql<{
    id: number
    name: string
  }>`delete from api_tokens where user_id = ${userId} returning id, name`.execute(context.tx)
  await context.audit.many(
    rows.map(({ id, name }) => ({
      event: 'destroy',
      item_type: 'api_token',
      item_id: id,
      client_id: 0,
      changes: { name: { from: name, to: null } },
    })),
  )
  if (rows.length > 0) await forgetSignIns(context, userId)
  return rows.length
}
