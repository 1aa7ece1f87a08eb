/** Queues outgoing mails: rows and jobs in the caller's transaction. */
import { sql } from 'kysely'
import type { Jobs, Mailer, OutgoingMail } from '../machinery.ts'
import type { Tx } from '../postgres/database.ts'
import { invalid } from '../problem.ts'

/** Mails that one run of the job sends. */
export const mailsARun = 50
/** Exactly one address: a list, a display name or a line end would send the mail to another recipient too. */
const oneAddress = /^[^\s@,;:<>()"[\]\\]+@[^\s@,;:<>()"[\]\\]+$/

export function createMailer(jobs: Pick<Jobs, 'send'>): Mailer {
  const sendAll = async (tx: Tx, mails: readonly OutgoingMail[]): Promise<number[]> => {
    if (mails.some(({ to }) => !oneAddress.test(to))) throw invalid({ email: ['This is no email address.'] })
    const ids = await storeMails(tx, mails)
    // One run of the job sends so many.
    for (let first = 0; first < ids.length; first += mailsARun) await jobs.send(tx, 'mail', { mail_id: ids[first] ?? 0 })
    return ids
  }
  return {
    sendAll,
    send: async (tx, mail) => (await sendAll(tx, [mail]))[0] ?? 0,
  }
}

/** @returns the ids in the order of the mails. */
async function storeMails(tx: Tx, mails: readonly OutgoingMail[]): Promise<number[]> {
  const stored = mails.map((mail, place) => ({ ...mail, place }))
  const { rows } = await sql<{ id: number }>`insert into mails (to_address, subject, text_body, html_body, expires_at, kind, about)
    select "to", subject, "text", html, "expiresAt", kind, about
    from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as mail(place int, "to" text, subject text, "text" text, html text, "expiresAt" timestamptz,
      kind text, about jsonb) order by place returning id`.execute(tx)
  return rows.map(({ id }) => id).toSorted((a, b) => a - b)
}
