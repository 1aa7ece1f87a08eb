/** The result of an attempt: done, retried later, or given up. A webhook that fails for days is switched off and its maker notified. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Machinery } from '../kernel/machinery.ts'

/** Seconds before each further attempt: the last one comes a day after the first. */
export const retryDelays = [5, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 36_000] as const
/** Random share by which a delay is changed, so that simultaneous failures are not retried simultaneously. */
const jitter = 0.2
/** Longest wait that a receiver's Retry-After can ask for. */
const retryAfterMaxSeconds = 3_600
/** After this many days without a successful response the webhook is switched off. */
const failingDaysMax = 5
/** Status by which a receiver says that it is gone for good. */
const goneStatus = 410

export interface Attempt {
  readonly at: Date
  readonly durationMs: number
  readonly ok: boolean
  readonly status: number | null
  readonly error: string | null
  readonly response: string | null
  readonly retryAfter?: string | undefined
}

/** The attempted delivery, and the number of the attempt. */
export interface Tried {
  readonly id: number
  readonly webhook_id: number
  readonly attempts: number
}

/** Stores the attempt and its consequences. */
export async function noteAttempt(tx: Tx, machinery: Pick<Machinery, 'live'>, delivery: Tried, attempt: Attempt): Promise<void> {
  const { at, status, durationMs, error, response } = attempt
  await sql`insert into webhook_attempts (delivery_id, attempted_at, status, duration_ms, error, response)
    values (${delivery.id}, ${at}, ${status}, ${durationMs}, ${error}, ${response})`.execute(tx)
  const delay = attempt.ok ? null : delayBefore(delivery.attempts, attempt.retryAfter)
  const state = attempt.ok ? 'delivered' : delay === null ? 'failed' : 'waiting'
  await sql`update webhook_deliveries set state = ${state}, claimed_until = null, last_attempt_at = ${at}, last_status = ${status},
      last_duration_ms = ${durationMs}, last_error = ${error}, last_response = ${response},
      next_attempt_at = ${delay === null ? sql`null` : sql`now() + make_interval(secs => ${delay}::float8)`}
    where id = ${delivery.id}`.execute(tx)
  await noteHealth(tx, machinery, delivery.webhook_id, attempt)
}

/** Returns the seconds to wait after this many attempts; null if it is given up. */
export function delayBefore(attempts: number, retryAfter?: string, random: () => number = Math.random): number | null {
  const planned = retryDelays[attempts - 1]
  if (planned === undefined) return null
  const asked = Number(retryAfter ?? 0)
  const spread = planned * (1 + jitter * (2 * random() - 1))
  return Math.max(spread, Number.isFinite(asked) ? Math.min(asked, retryAfterMaxSeconds) : 0)
}

interface Health {
  name: string
  active: boolean
  created_by: number | null
  failing_days: number | null
}

async function noteHealth(tx: Tx, machinery: Pick<Machinery, 'live'>, webhookId: number, { ok, at, status }: Attempt): Promise<void> {
  const { rows } = await sql<Health>`update webhooks set last_delivery_at = ${at}, last_status = ${status},
      failing_since = ${ok ? sql`null` : sql`coalesce(failing_since, ${at}::timestamptz)`}
    where id = ${webhookId}
    returning name, active, created_by, extract(epoch from ${at}::timestamptz - failing_since)::float8 / 86400 as failing_days`.execute(tx)
  const health = rows[0]
  if (!health?.active || ok) return
  const isGone = status === goneStatus
  if (!isGone && (health.failing_days ?? 0) < failingDaysMax) return
  const reason = isGone ? 'The receiver answered that it is gone (410).' : `Nothing could be delivered for ${failingDaysMax} days.`
  await switchOff(tx, machinery, webhookId, health, reason)
}

async function switchOff(tx: Tx, machinery: Pick<Machinery, 'live'>, webhookId: number, health: Health, reason: string): Promise<void> {
  await noteSwitchedOff(tx, webhookId, reason)
  if (health.created_by === null) return
  await machinery.live.tell(
    tx,
    { userId: health.created_by, connectionId: null },
    {
      type: 'webhook',
      notification_type: 'error',
      error: true,
      message: `The webhook ${health.name} was switched off`,
      description: [reason],
      link: `/settings/webhooks/${webhookId}/deliveries`,
    },
  )
}

/** Switches a webhook off in the name of the program, with the reason in the audit log. */
export async function noteSwitchedOff(tx: Tx, webhookId: number, reason: string): Promise<void> {
  await sql`update webhooks set active = false, disabled_at = now(), disabled_reason = ${reason}, lock_version = lock_version + 1 where id = ${webhookId}`.execute(
    tx,
  )
  await sql`insert into audit_records (client_id, event, item_type, item_id, object_changes)
    select coalesce(client_id, 0), 'update', 'webhook', id, ${JSON.stringify({ active: { from: true, to: false }, disabled_reason: { from: null, to: reason } })}::jsonb
    from webhooks where id = ${webhookId}`.execute(tx)
}
