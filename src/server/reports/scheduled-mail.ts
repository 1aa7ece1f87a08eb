/** The mail of a scheduled report: when it does not arrive, its delivery has failed, and the owner is told. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { defineMailKind, type KindMail, type MailEnd } from '../kernel/work/mail-kinds.ts'

export const scheduledMailKind = 'scheduled_report'

const about = z.object({ client_id: z.int(), report_delivery_id: z.int() })

defineMailKind({ kind: scheduledMailKind, compose: () => Promise.resolve({ attachments: [] }), ended })

/** The owner was told of the run when it ended, and is told of it again. */
async function ended({ tx, touch }: Context, mail: KindMail, end: MailEnd): Promise<void> {
  if (end.state === 'sent') return
  const { client_id: clientId, report_delivery_id: id } = about.parse(mail.about)
  await sql`update report_deliveries set state = 'failed', error = ${`The mail to ${mail.to_address} was not delivered: ${end.reason}`}, told_at = null
    where client_id = ${clientId} and id = ${id} and mail_id = ${mail.id} and state = 'sent'`.execute(tx)
  touch(clientId)
}
