/**
 * Sends the mails that mailer.ts has queued: by SMTP, or into a folder if none is configured. Delivery is at least once: a repeat has the same
 * Message-ID.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import type { JobDefinition } from './jobs.ts'
import type { Tx } from '../postgres/database.ts'
import type { Machinery } from '../machinery.ts'
import { endMail } from './end-mail.ts'
import { mailsARun } from './mailer.ts'
import { mailKindOf, refusalOf, type MailContent } from './mail-kinds.ts'

export interface MailSettings {
  /** smtp://user:password@host:587; without it every mail becomes a file in `outbox`. */
  readonly smtpUrl?: string | undefined
  readonly outbox: string
  /** `Meterbook <no-reply@example.com>` */
  readonly from: string
  /** Longest duration of one sending, from the first byte to the last; well below the lease. */
  readonly timeoutMs?: number | undefined
}

/** Retries end this long after the mail was queued; it is then dead and kept for inspection. */
const giveUpHours = 24
const firstDelaySeconds = 30
const delaySecondsMax = 3_600
/** A worker without progress for this long loses the mail that it took. */
const leaseSeconds = 120
/** A server that is silent for this long, or has not finished after three times as long, is too slow: the mail is retried later. */
const silenceMs = 20_000
const sendingMs = 60_000
const errorLengthMax = 500

/** `mail` runs for each new mail and every minute for those that are due again. */
export function mailJobs(settings: MailSettings): JobDefinition[] {
  const deliver = settings.smtpUrl === undefined ? toFolder(settings) : bySmtp(settings.smtpUrl, settings)
  const run: JobDefinition['run'] = async ({ machinery, signal }) => {
    for (let sent = 0; sent < mailsARun && !signal.aborted; sent++) if (!(await sendNext(machinery, deliver))) return
  }
  return [
    { name: 'mail', run },
    { name: 'mail_again', run, cron: '* * * * *' },
  ]
}

interface Mail {
  id: number
  to_address: string
  subject: string
  text_body: string
  html_body: string | null
  attempts: number
  is_last: boolean
  is_over: boolean
  kind: string | null
  about: unknown
}
type Deliver = (mail: Mail, content: MailContent) => Promise<void>

/** Sends the mail that has waited longest. @returns false if none waits. */
async function sendNext(machinery: Machinery, deliver: Deliver): Promise<boolean> {
  const { db } = machinery.jobsDatabase
  const mail = await takeMail(db)
  if (!mail) return false
  try {
    if (mail.is_over) await bury(db, mail.id)
    else await sendOne(machinery, mail, deliver)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    machinery.log.warn('mail not sent', { mail_id: mail.id, attempts: mail.attempts, error })
    await noteFailure(machinery, mail, {
      reason: reason.slice(0, errorLengthMax),
      refused: refusalOf(error)?.slice(0, errorLengthMax) ?? null,
    })
  }
  return true
}

async function sendOne(machinery: Machinery, mail: Mail, deliver: Deliver): Promise<void> {
  const content = (await mailKindOf(mail.kind)?.compose(machinery, mail)) ?? { attachments: [] }
  if ('dropped' in content) return endMail(machinery, mail, { state: 'dropped', reason: content.dropped })
  await deliver(mail, content)
  await endMail(machinery, mail, { state: 'sent' })
}

/** The lease is taken before the sending, outside any transaction that a slow mail server could hold open. */
async function takeMail(db: Tx): Promise<Mail | undefined> {
  const { rows } = await sql<Mail>`
    update mails set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${leaseSeconds}::int)
    where id = (select id from mails where state = 'waiting' and next_attempt_at <= now() order by next_attempt_at, id limit 1 for update skip locked)
    returning id, to_address, subject, text_body, html_body, attempts, kind, about, queued_at < now() - make_interval(hours => ${giveUpHours}::int) as is_last,
      coalesce(expires_at < now(), false) as is_over`.execute(db)
  return rows[0]
}

/** The link in the mail has expired, so the mail is useless: the user can request a new one. */
async function bury(db: Tx, id: number): Promise<void> {
  await sql`update mails set state = 'dead', attempts = attempts - 1, last_error = concat_ws(' ', 'Its link was over before it could be sent.', last_error) where id = ${id}`.execute(
    db,
  )
}

interface Failure {
  readonly reason: string
  /** The server's words, if it refuses the address for good. */
  readonly refused: string | null
}

/** A mail of a kind ends at a refusal of its address, so that its record can say so; any other is tried again for a day. */
async function noteFailure(machinery: Machinery, mail: Mail, { reason, refused }: Failure): Promise<void> {
  if (mail.kind !== null && refused !== null) return endMail(machinery, mail, { state: 'refused', reason: refused })
  if (mail.is_last) return endMail(machinery, mail, { state: 'failed', reason })
  const delay = Math.min(firstDelaySeconds * 2 ** (mail.attempts - 1), delaySecondsMax)
  await sql`update mails set last_error = ${reason}, next_attempt_at = now() + make_interval(secs => ${delay}::int)
    where id = ${mail.id} and state = 'waiting'`.execute(machinery.jobsDatabase.db)
}

function bySmtp(url: string, { from, timeoutMs = sendingMs }: MailSettings): Deliver {
  const transport = createTransport({ url, connectionTimeout: silenceMs, greetingTimeout: silenceMs, socketTimeout: silenceMs })
  return async (mail, content) => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error(`The mail server was not done after ${timeoutMs / 1_000} seconds`)), timeoutMs)
    try {
      await Promise.race([transport.sendMail(messageOf(mail, content, from)), late])
    } finally {
      clearTimeout(timer)
    }
  }
}

function toFolder({ outbox, from }: MailSettings): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return async (mail, content) => {
    const { message } = await transport.sendMail(messageOf(mail, content, from))
    await mkdir(outbox, { recursive: true, mode: 0o700 })
    if (!Buffer.isBuffer(message)) throw new Error('the mail was not composed')
    await writeFile(join(outbox, `${String(mail.id).padStart(6, '0')}.eml`), message, { mode: 0o600 })
  }
}

function messageOf(mail: Mail, { text = '', attachments }: MailContent, from: string) {
  const host = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    to: mail.to_address,
    subject: mail.subject,
    text: `${mail.text_body}${text}`,
    ...(mail.html_body === null ? {} : { html: mail.html_body }),
    attachments: [...attachments],
    messageId: `<mail-${mail.id}@${host}>`,
    // A mail must not load anything from a path or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
