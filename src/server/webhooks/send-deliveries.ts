/**
 * Sends waiting deliveries, at least once: a claim is a lease, so the deliveries of a killed process are sent again by the next one. One slow
 * receiver holds at most two requests, so the others continue.
 */
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Database, Tx } from '../kernel/postgres/database.ts'
import { outsideRequest, OutsideProblem, type AllowedHosts, type RequestLimits } from '../kernel/http/outside-request.ts'
import { openSecret } from '../kernel/secret.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { noteAttempt, type Attempt, type Tried } from './note-attempt.ts'
import { webhookHeaders } from './sign-webhook.ts'

const atOnceMax = 16
const atOncePerWebhook = 2
/** Longer than a request may take, so that no delivery is sent by two living processes. */
const leaseSeconds = 60
/** Bytes stored of a response, enough to see its message. */
const responseBytesMax = 2_000
const webhookLimits: RequestLimits = { connectMs: 5_000, totalMs: 10_000, maxBytes: responseBytesMax, excerpt: true }
const okFrom = 200
const okTo = 299

export interface Sending {
  readonly machinery: Pick<Machinery, 'jobsDatabase' | 'live' | 'log' | 'settings'>
  readonly hosts: AllowedHosts
  readonly limits?: RequestLimits
  readonly signal?: AbortSignal
}

interface Claimed extends Tried {
  event_id: string
  body: string
  url: string
  secret_encrypted: Buffer
  previous_secret_encrypted: Buffer | null
}

/**
 * Sends everything that is due now.
 * @returns how many attempts were made.
 */
export async function sendDeliveries(sending: Sending): Promise<number> {
  const { db } = sending.machinery.jobsDatabase
  const running = new Map<Promise<void>, number>()
  let sent = 0
  for (;;) {
    const claimed = sending.signal?.aborted ? [] : await claimDue(db, atOnceMax - running.size, [...running.values()])
    for (const delivery of claimed) {
      sent += 1
      const work = sendOne(sending, delivery).finally(() => running.delete(work))
      running.set(work, delivery.webhook_id)
    }
    if (running.size === 0) return sent
    await Promise.race(running.keys())
  }
}

/** Claims the oldest deliveries of each webhook, as many as it may have besides those `inHand`. Rows locked by others are skipped. */
async function claimDue(db: Database['db'], room: number, inHand: readonly number[]): Promise<Claimed[]> {
  if (room <= 0) return []
  const { rows } = await sql<Claimed>`
    update webhook_deliveries delivery set claimed_until = now() + make_interval(secs => ${leaseSeconds}::int), attempts = delivery.attempts + 1
    from webhooks webhook where webhook.id = delivery.webhook_id and delivery.id in (
      select due.id from webhook_deliveries due join (${ranked}) as place on place.id = due.id
      where place.number <= ${atOncePerWebhook} - (select count(*) from unnest(${[...inHand]}::bigint[]) as held(id) where held.id = due.webhook_id) and ${isDue} order by due.id limit ${room} for update of due skip locked)
    returning delivery.id, delivery.webhook_id, delivery.event_id, delivery.body, delivery.attempts, webhook.url, webhook.secret_encrypted,
      case when webhook.previous_secret_until > now() then webhook.previous_secret_encrypted end as previous_secret_encrypted`.execute(db)
  return rows.toSorted((a, b) => a.id - b.id)
}

const isDue = sql`due.state = 'waiting' and due.next_attempt_at <= now() and (due.claimed_until is null or due.claimed_until < now())`

const ranked = sql`select due.id, row_number() over (partition by due.webhook_id order by due.id) as number
  from webhook_deliveries due join webhooks on webhooks.id = due.webhook_id and webhooks.active and webhooks.secret_encrypted is not null
  where ${isDue}`

async function sendOne(sending: Sending, delivery: Claimed): Promise<void> {
  const attempt = await tryOnce(sending, delivery)
  try {
    await sending.machinery.jobsDatabase.db.transaction().execute((tx: Tx) => noteAttempt(tx, sending.machinery, delivery, attempt))
  } catch (error) {
    // The lease ends by itself, and the receiver gets the same message id again.
    sending.machinery.log.warn('a webhook’s attempt was not noted', { delivery: delivery.id, error })
  }
}

async function tryOnce(sending: Sending, delivery: Claimed): Promise<Attempt> {
  const at = now()
  const since = performance.now()
  const over = (rest: Pick<Attempt, 'status' | 'error' | 'response'> & { retryAfter?: string | undefined }): Attempt => ({
    at,
    durationMs: Math.round(performance.now() - since),
    ok: rest.error === null,
    ...rest,
  })
  try {
    const message = { id: delivery.event_id, timestamp: Math.floor(at.getTime() / 1_000), body: delivery.body }
    const headers = webhookHeaders(message, secretsOf(sending.machinery.settings.secretKey, delivery))
    const answer = await outsideRequest(
      { method: 'POST', url: new URL(delivery.url), headers, body: delivery.body },
      sending.hosts,
      sending.limits ?? webhookLimits,
    )
    const response = printable(answer.bytes)
    return over({ status: answer.status, error: problemOfStatus(answer.status), response, retryAfter: answer.headers['retry-after'] })
  } catch (error) {
    if (!(error instanceof OutsideProblem)) sending.machinery.log.error('a webhook could not be sent', { delivery: delivery.id, error })
    return over({ status: null, error: error instanceof OutsideProblem ? error.message : 'It could not be sent.', response: null })
  }
}

function problemOfStatus(status: number): string | null {
  if (status >= okFrom && status <= okTo) return null
  if (status >= 300 && status < 400) return `The answer was a redirect (${status}), which is not followed.`
  return `The answer was ${status}.`
}

function secretsOf(
  secretKey: string,
  { webhook_id: id, secret_encrypted: present, previous_secret_encrypted: previous }: Claimed,
): string[] {
  const place = { table: 'webhooks', column: 'secret', id }
  return [present, ...(previous ? [previous] : [])].map((sealed) => openSecret(secretKey, place, sealed))
}

/** Returns text that PostgreSQL can store. */
function printable(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\u0000', '').toWellFormed()
}
