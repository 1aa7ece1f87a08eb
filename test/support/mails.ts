/** The mails that the application has queued; the functions wait for them if a job writes them. */
import { sql } from 'kysely'
import { vi } from 'vitest'
import type { TestDatabase } from './cluster.ts'

type Db = TestDatabase['db']

export interface QueuedMail {
  readonly id: number
  readonly subject: string
  readonly text_body: string
  readonly html_body: string | null
}

const waitMs = 15_000

/** Returns the newest mail to an address that is younger than `after`, once it exists. */
export async function mailTo(db: Db, to: string, after = 0): Promise<QueuedMail> {
  return vi.waitFor(
    async () => {
      const { rows } = await sql<QueuedMail>`select id, subject, text_body, html_body from mails
        where to_address = ${to} and id > ${after} order by id desc limit 1`.execute(db)
      const mail = rows[0]
      if (!mail) throw new Error(`no mail to ${to}`)
      return mail
    },
    { timeout: waitMs, interval: 50 },
  )
}

/** Returns the URL in a mail's text. */
export function linkIn(mail: QueuedMail): URL {
  const found = /https?:\S+/.exec(mail.text_body)?.[0]
  if (found === undefined) throw new Error('no link was mailed')
  return new URL(found)
}

/** Waits until every request for a password has been answered. */
export async function requestsAreDone(db: Db): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{
        left: number
      }>`select count(*) as left from password_requests`.execute(db)
      if (rows[0]?.left !== 0) throw new Error('requests are waiting')
    },
    { timeout: waitMs, interval: 50 },
  )
}
