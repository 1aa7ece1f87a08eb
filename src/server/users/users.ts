/** The front door of users and their roles. */
import { user, userCalls } from '#contract/users/user.ts'
import { sql } from 'kysely'
import { sendConfirmation, sendPasswordLink } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { refused } from '../kernel/problem.ts'
import { answerOne, answerWrite, listAnswer, optionsAnswer, presented, readRow } from '../kernel/lists/resource.ts'
import { dropdownPageSize } from '#contract/kernel/lookup.ts'
import { secondFactorCalls } from '#contract/access/second-factor.ts'
import { startAccessReport } from './access-report.ts'
import { updateProfile } from './profile.ts'
import { removeSecondFactor } from './remove-second-factor.ts'
import { createUser, destroyUser, mustManage, updateUser } from './save-user.ts'
import type { PasswordRules } from './take-password.ts'
import { userRoleHandlers } from './user-roles.ts'
import { users, whoSees, whoSeesOf } from './user-rows.ts'

export { visibleUsers } from './user-reach.ts'

/** A second click within this time sends no second mail. */
const doubleClickSeconds = 2

export function userHandlers(rules: PasswordRules): readonly Handler[] {
  return [...readHandlers, ...writeHandlers(rules), ...userRoleHandlers]
}

const readHandlers: readonly Handler[] = [
  handle(userCalls.list, (context, { query }) => listAnswer(context, users, query, whoSees(context, query.q))),
  handle(userCalls.ofClient, (context, { params, query }) =>
    listAnswer(context, users, query, whoSeesOf(context, params.client_id, query.q)),
  ),
  handle(userCalls.get, async (context, { params }) => answerOne('user', await readRow(context, users, params.id, whoSees(context)))),
  handle(userCalls.exportCsv, (context, { query }) => startExport(context, users, query, whoSees(context))),
  handle(userCalls.exportOfClient, (context, { params, query }) =>
    startExport(context, users, query, whoSeesOf(context, params.client_id)),
  ),
  handle(userCalls.search, (context, { query: { q, search_term, page, per = dropdownPageSize } }) =>
    optionsAnswer(context, users, { search_term: search_term ?? q, page, per }, whoSees(context), ['id', 'name', 'email']),
  ),
  handle(userCalls.accessReport, startAccessReport),
]

function writeHandlers(rules: PasswordRules): readonly Handler[] {
  return [
    handle(userCalls.create, async (context, { body }) =>
      answerWrite(user, 'created', await presented(context, users, await createUser(context, body.user, rules))),
    ),
    handle(userCalls.update, async (context, { params, body }) =>
      answerWrite(user, 'updated', await presented(context, users, await updateUser(context, params.id, body.user, rules))),
    ),
    handle(userCalls.destroy, async (context, { params }) => {
      await destroyUser(context, params.id)
      return { success: true, message: `${user.label} deleted` }
    }),
    handle(userCalls.resendConfirmationEmail, async (context, { params }) => {
      await resend(context, params.id)
      return { success: true, message: 'Password reset email sent', id: params.id }
    }),
    handle(secondFactorCalls.removeOf, async (context, { params, http }) => {
      await removeSecondFactor(context, params.id, http.request)
      return { success: true, message: 'Second factor removed', id: params.id }
    }),
    handle(userCalls.updateProfile, async (context, { body, http }) => {
      const { id } = await updateProfile(context, body.user, rules, http)
      return { success: true, message: 'Profile updated', id }
    }),
  ]
}

/** One item of the menu, two mails: to confirm the account, or for a confirmed account to set a new password (G-RESEND). */
async function resend(context: Context, id: number): Promise<void> {
  const row = await mustManage(context, id, 'user.update')
  if (row.status !== 'active') throw refused('This user is not active.')
  const { rows } = await sql`select id from one_time_links where user_id = ${id} and used_at is null
    and created_at > clock_timestamp() - make_interval(secs => ${doubleClickSeconds}::int)`.execute(context.tx)
  if (rows.length > 0) return
  await (row.account_confirmed ? sendPasswordLink(context, row) : sendConfirmation(context, row))
}
