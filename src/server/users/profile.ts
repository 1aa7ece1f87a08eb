/** Changes of the user's own account: the seven fields of the profile, whatever the role. */
import { passwordMessages, type ProfileDraft, type User } from '#contract/users/user.ts'
import { sql, type SqlBool } from 'kysely'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkNewPassword, forgetSignIns, mustBeProven, newPasswordLetter, setPassword, tellMailboxes } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import { everything, readRow, updateRow } from '../kernel/lists/resource.ts'
import { tellOfNewEmail } from './save-user.ts'
import type { PasswordRules } from './take-password.ts'
import { users } from './user-rows.ts'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Changes the caller's own account. A new password ends every sign-in but this one; a new email is the new `uid` of this one. */
export async function updateProfile(context: Context, draft: ProfileDraft, rules: PasswordRules, http: Exchange): Promise<User> {
  const { user_id: id, session_id: sessionId } = context.principal
  const asked = { reach: everything, where: [sql<SqlBool>`users.id = ${id}`] }
  const { password, password_confirmation, email, username, ...names } = draft
  const patch = { ...names, ...(email === undefined ? {} : { email }), ...(username === undefined ? {} : { username }) }
  checkBoth(password, password_confirmation)
  const before = await readRow(context, users, id, asked)
  const isNewEmail = email !== undefined && email !== before.email
  if (isNewEmail || password) await mustBeProven(context)
  const after = await updateRow(context, users, id, patch, asked)
  if (password && password_confirmation) {
    checkNewPassword(password, password_confirmation, rules.passwordLengthMin, after.email)
    await setPassword(context, id, password, sessionId)
    await tellMailboxes(context, id, newPasswordLetter(), [after.email])
  }
  await forgetSignIns(context, id)
  await tellOfNewEmail(context, before, after)
  if (before.email !== after.email) answerCredentials(http, after.email)
  return after
}

function checkBoth(password: string | null | undefined, confirmation: string | null | undefined): void {
  if (!password && !confirmation) return
  if (!password) throw invalid({ password: [passwordMessages.both] })
  if (!confirmation) throw invalid({ password_confirmation: [passwordMessages.both] })
  if (password !== confirmation) throw invalid({ password_confirmation: [passwordMessages.match] })
}

/** The sign-in continues under its new `uid`: the browser stores the headers of the answer. */
function answerCredentials({ request, reply }: Exchange, email: string): void {
  const { 'access-token': token, client } = request.headers
  if (typeof token !== 'string' || typeof client !== 'string') return
  reply.header('access-token', reply.getHeader('access-token') ?? token)
  reply.header('client', client)
  reply.header('uid', email)
}
