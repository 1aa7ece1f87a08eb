/** Takes a new password of a user. */
import { sql } from 'kysely'
import { checkNewPassword, endTokens, newPasswordLetter, setPassword, tellMailboxes, tieTo } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'

export interface PasswordRules {
  readonly passwordLengthMin: number
}

interface Passwords {
  readonly password?: string | null | undefined
  readonly password_confirmation?: string | null | undefined
}

/** The form of a password needs both (USER-RULE-003). Setting one ends every sign-in of the user. */
export async function takePassword(
  context: Context,
  id: number,
  { password, password_confirmation }: Passwords,
  rules: PasswordRules,
  isNew = false,
): Promise<void> {
  if (!password || !password_confirmation)
    throw invalid({
      ...(password ? {} : { password: ['Password is required'] }),
      ...(password_confirmation ? {} : { password_confirmation: ['Password Confirmation is required'] }),
    })
  const { rows } = await sql<{ email: string }>`select email from users where id = ${id}`.execute(context.tx)
  const email = rows[0]?.email ?? ''
  checkNewPassword(password, password_confirmation, rules.passwordLengthMin, email)
  const isOwn = id === context.principal.user_id
  await setPassword(context, id, password, isOwn ? context.principal.session_id : undefined)
  if (isOwn) return
  await tieTo(context, id, 'password')
  if (isNew) return
  await endTokens(context, id)
  await tellMailboxes(context, id, newPasswordLetter(), [email])
}
