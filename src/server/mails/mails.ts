/** The outgoing mails for their administrator: waiting, sent and failed. */
import { mail, mailCalls } from '#contract/mails/mail.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { notFound, refused } from '../kernel/problem.ts'
import { askedBy, exportHandler, listAnswer, readRow, resource } from '../kernel/lists/resource.ts'

const stillOfUse = sql`(mails.expires_at is null or mails.expires_at > now())`

const mails = resource({
  entity: mail,
  table: 'mails',
  scope: 'shared',
  columns: {
    lock_version: { sql: sql`0` },
    next_attempt_at: { sql: sql`case when mails.state = 'waiting' then mails.next_attempt_at end` },
    can_send_again: { sql: sql`(mails.state = 'dead' and mails.kind is null and ${stillOfUse})` },
  },
})

export const mailHandlers: readonly Handler[] = [
  handle(mailCalls.list, (context, { params, query }) =>
    // Mails change without raising the version that totals depend on, so a total is cached for a second.
    listAnswer(context, mails, query, { ...askedBy(context, params), whereKey: now().toISOString().slice(0, 19) }),
  ),
  exportHandler(mailCalls.exportCsv, mails),
  handle(mailCalls.get, async (context, { params }) => {
    const row = await readRow(context, mails, params.id, askedBy(context, params))
    return { mail: row, text_body: context.machinery.settings.production ? null : await textOf(context, params.id) }
  }),
  handle(mailCalls.sendAgain, async (context, { params }) => {
    const { rows } = await sql<{
      state: string
      kind: string | null
      of_use: boolean
    }>`select state, kind, ${stillOfUse} as of_use from mails
      where id = ${params.id} for update`.execute(context.tx)
    const found = rows[0]
    if (!found) throw notFound()
    if (found.state !== 'dead') throw refused('Only a mail that could not be sent is sent again.')
    if (found.kind !== null) throw refused('This mail is that of a remittance advice. Send the advice again.')
    if (!found.of_use) throw refused('The link in this mail is over. Let its receiver ask for a new one.')
    await sql`update mails set state = 'waiting', attempts = 0, next_attempt_at = now(), queued_at = now() where id = ${params.id}`.execute(
      context.tx,
    )
    await context.machinery.jobs.send(context.tx, 'mail', { mail_id: params.id })
    await context.audit.updated('mail', params.id, 0, { state: { from: 'dead', to: 'waiting' } })
    return { success: true, message: 'The mail is sent again', id: params.id }
  }),
]

async function textOf({ tx }: Context, id: number): Promise<string | null> {
  const { rows } = await sql<{ text_body: string }>`select text_body from mails where id = ${id}`.execute(tx)
  return rows[0]?.text_body ?? null
}
