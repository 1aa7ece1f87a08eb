/** The open sign-ins of a user, and how to end them. Users see and end only their own. */
import { authCalls } from '#contract/access/auth.ts'
import { sql } from 'kysely'
import { handle, type Handler } from '../kernel/handler.ts'
import { notFound } from '../kernel/problem.ts'
import type { Sessions } from './credentials.ts'
import { deviceOf } from './devices.ts'
import { endSignIns, forgetSignIns } from './password-changes.ts'

const shownMax = 200

export function signInListHandlers(sessions: Sessions): Handler[] {
  return [
    handle(authCalls.signIns, async ({ tx, principal }) => {
      const { usedAfter, openedAfter } = sessions.livingSince()
      const { rows } = await sql<{
        id: number
        user_agent: string | null
        ip_address: string | null
        signed_in_at: string
        used_at: string
      }>`select id, user_agent, ip_address, created_at as signed_in_at, used_at from sessions
        where user_id = ${principal.user_id} and used_at > ${usedAfter} and created_at > ${openedAfter} order by used_at desc, id desc limit ${shownMax}`.execute(
        tx,
      )
      const places = rows.map(({ user_agent, ...row }) => ({
        ...row,
        device: deviceOf(user_agent),
        current: row.id === principal.session_id,
      }))
      return { sign_ins: places, total: places.length }
    }),
    handle(authCalls.endSignIn, async (context, { params }) => {
      const { user_id: userId } = context.principal
      const { rows } = await sql`delete from sessions where id = ${params.id} and user_id = ${userId} returning id`.execute(context.tx)
      if (rows.length === 0) throw notFound()
      await forgetSignIns(context, userId)
      await context.audit.noted('login', 'session', params.id, 0, { ended: { from: null, to: 'by its owner' } })
      return { success: true, message: 'Signed out' }
    }),
    handle(authCalls.endOtherSignIns, async (context) => {
      const { user_id: userId, session_id: sessionId } = context.principal
      await endSignIns(context, userId, sessionId)
      await context.audit.noted('login', 'session', null, 0, { ended: { from: null, to: 'all others, by their owner' } })
      return { success: true, message: 'Signed out everywhere else' }
    }),
  ]
}
