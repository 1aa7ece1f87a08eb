/** Actions of visitors without a sign-in: request a new password, set it by the mailed link, confirm their account. */
import { authCalls } from '#contract/access/auth.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { unitOfWork, type Caller, type Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { JobDefinition, JobRun } from '../kernel/work/jobs.ts'
import { networkOf } from '../kernel/http/networks.ts'
import { invalid, signedOut, tooMuch } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { rememberDevice } from './known-devices.ts'
import { useConfirmationLink, usePasswordLink, type LinkCredentials } from './links.ts'
import { mailWhatWasAskedFor } from './mailed-links.ts'
import { tellMailboxes } from './former-emails.ts'
import { newPasswordLetter } from './letters.ts'
import { endTokens, setPassword } from './password-changes.ts'
import { checkNewPassword } from './passwords.ts'
import { passwordsAreOff } from './passwords-are-off.ts'
import { checkRedirect } from './redirects.ts'
import { passwordRecovered } from './ties.ts'
import { takeFromWindow, type WindowRule } from './windows.ts'

/** Requests of one network, for any email addresses: above it all are refused alike. */
const requestsAnHour: WindowRule = { max: 100, seconds: 3_600 }
const linkIsOver = 'This link is not valid any more. Please ask for a new one.'
/** Targets of a confirmation link: one page says that it is done, or that the link has expired and how to get another. */
const confirmedPage = '/forgot_password?account_confirmation_success=true'
const linkOverPage = '/forgot_password?account_confirmation_failed=true'

export function passwordHandlers(rules: { passwordLengthMin: number; passwordSignIn: boolean }): Handler[] {
  return [
    handle(authCalls.requestPassword, async (context, { body }) => {
      if (!rules.passwordSignIn) throw passwordsAreOff()
      checkRedirect(body.redirect_url, context.machinery.settings.publicUrl)
      const wait = await takeFromWindow(context.tx, `requests:${networkOf(context.ip)}`, requestsAnHour)
      if (wait > 0) throw tooMuch('too_many', 'Too many requests. Please try again later.', wait)
      // A job looks up the account, so that the answer takes the same time for every address.
      await sql`insert into password_requests (email) values (${body.email})`.execute(context.tx)
      await context.machinery.jobs.send(context.tx, 'password_request', {})
      return { success: true, message: 'Password reset request received' }
    }),
    handle(authCalls.setPassword, async (context, { body, http }) => {
      if (!rules.passwordSignIn) throw passwordsAreOff()
      const given = linkCredentials(http.request)
      checkRedirect(body.redirect_url, context.machinery.settings.publicUrl)
      checkNewPassword(body.password, body.password_confirmation, rules.passwordLengthMin, given.uid)
      const link = await usePasswordLink(context.tx, given)
      if (!link) throw invalid({ base: [linkIsOver] })
      await setPassword(context, link.user_id, body.password)
      await passwordRecovered(context.tx, link.user_id)
      // An intruder may have made tokens, and the owner cannot know.
      await endTokens(context, link.user_id)
      await tellMailboxes(context, link.user_id, newPasswordLetter())
      // A person who has read the account's mail is its owner, so failed attempts of others no longer count.
      await rememberDevice(context.tx, link.user_id, null, http.reply)
      return { success: true, message: 'Your password has been reset' }
    }),
    handle(authCalls.confirm, async (context, { query, http }) => {
      const { 'access-token': token, client, uid } = query
      const link = await useConfirmationLink(context.tx, { token, client, uid })
      if (link?.is_new) await confirmAccount(context, link.user_id)
      http.reply.code(302).header('location', link ? confirmedPage : linkOverPage)
      return ''
    }),
  ]
}

/** Looks up the users who requested a new password, and mails what they need; every minute for requests of killed processes. */
export const passwordRequestJobs: readonly JobDefinition[] = [
  { name: 'password_request', run: answerRequests },
  { name: 'password_request_again', run: answerRequests, cron: '* * * * *' },
]

async function answerRequests({ machinery, signal }: JobRun): Promise<void> {
  while (!signal.aborted && (await answerOne(machinery))) continue
}

/** @returns false if no request is waiting. */
function answerOne(machinery: Machinery): Promise<boolean> {
  return machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ email: string }>`delete from password_requests
      where id = (select id from password_requests order by id limit 1 for update skip locked) returning email`.execute(tx)
    const email = rows[0]?.email
    if (email === undefined) return false
    const { context, finish } = unitOfWork(tx, visitor, [], machinery)
    await mailWhatWasAskedFor(context, email)
    await finish()
    return true
  })
}

const visitor: Caller = { principal: null, ip: null, requestId: 'password-request', connectionId: null }

async function confirmAccount(context: Context, userId: number): Promise<void> {
  await sql`update users set account_confirmed = true, lock_version = lock_version + 1, updated_at = now() where id = ${userId}`.execute(
    context.tx,
  )
  await context.audit.updated('user', userId, 0, { account_confirmed: { from: false, to: true } })
}

function linkCredentials({ headers }: FastifyRequest): LinkCredentials {
  const { 'access-token': token, client, uid } = headers
  if (typeof token !== 'string' || typeof client !== 'string' || typeof uid !== 'string') throw signedOut()
  return { token, client, uid }
}
