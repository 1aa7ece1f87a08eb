/** Ends a mail: it was sent, or it will not be. A mail of a kind updates its record. */
import { sql } from 'kysely'
import { unitOfWork } from '../context.ts'
import type { Machinery } from '../machinery.ts'
import type { Tx } from '../postgres/database.ts'
import { everything } from '../principal.ts'
import { mailKindOf, type KindMail, type MailEnd } from './mail-kinds.ts'

/** Updates the record of the mail in the same transaction. Where that fails the mail has ended all the same: it must not go out again. */
export async function endMail(machinery: Machinery, mail: KindMail & { readonly kind: string | null }, end: MailEnd): Promise<void> {
  const { db } = machinery.jobsDatabase
  const kind = mailKindOf(mail.kind)
  if (!kind) return void (await noteEnd(db, mail.id, end, machinery.settings.production))
  try {
    await db.transaction().execute(async (tx) => {
      const unit = unitOfWork(tx, { principal: null, ip: null, requestId: 'mail', connectionId: null }, everything, machinery)
      if (await noteEnd(tx, mail.id, end, machinery.settings.production)) await kind.ended(unit.context, mail, end)
      await unit.finish()
    })
  } catch (error) {
    machinery.log.error('the record of a mail was not told of its end', { mail_id: mail.id, error })
    await noteEnd(db, mail.id, end, machinery.settings.production)
  }
}

/**
 * A mail that went out is sent, even if it was withdrawn meanwhile; any other end is that of a waiting mail. In production the text is deleted
 * after the sending: it may contain a link, which only its recipient may read. @returns false if the mail had ended already.
 */
async function noteEnd(db: Tx, id: number, end: MailEnd, forgetsText: boolean): Promise<boolean> {
  const text = forgetsText ? sql`text_body = '', html_body = null,` : sql``
  const { rows } =
    end.state === 'sent'
      ? await sql`update mails set ${text} state = 'sent', sent_at = now(), last_error = null where id = ${id} returning id`.execute(db)
      : await sql`update mails set state = 'dead', last_error = ${end.reason} where id = ${id} and state = 'waiting' returning id`.execute(
          db,
        )
  return rows.length > 0
}
