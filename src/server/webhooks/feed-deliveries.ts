/**
 * Turns the trail into deliveries, in the order of the seals. Only committed rows get a seal, so nothing is sent about rolled-back changes. The
 * position moves in the transaction that writes the deliveries, so a killed process loses none and writes none twice.
 */
import { webhookActions } from '#contract/webhooks/webhook.ts'
import { sql } from 'kysely'
import { auditKeyOf } from '../kernel/audit.ts'
import { sealAudit } from '../kernel/audit-chain.ts'
import { now } from '../kernel/clock.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { switchOffOrphans } from './orphaned-webhooks.ts'

/** Seals that one transaction turns into deliveries. */
const feedBatch = 2_000
/** Looking at the newest rows only is cheap enough for every few seconds; the sealing job covers the rest. */
const sealWindowMs = 15 * 60_000

export type Feeding = Pick<Machinery, 'jobsDatabase' | 'settings' | 'live'>

/** @returns how many deliveries were written. Costs one look where nobody listens. */
export async function feedDeliveries({ jobsDatabase: database, settings, live }: Feeding, signal?: AbortSignal): Promise<number> {
  const { rows } = await sql<{ one: number }>`select 1 as one from webhooks where active limit 1`.execute(database.db)
  if (rows.length === 0) return 0
  await database.db.transaction().execute((tx) => sealAudit(tx, auditKeyOf(settings.secretKey), new Date(now().getTime() - sealWindowMs)))
  let written = 0
  for (;;) {
    const step = await database.db.transaction().execute((tx) => feedStep(tx, live))
    written += step.written
    if (!step.more || signal?.aborted) return written
  }
}

async function feedStep(tx: Tx, live: Machinery['live']): Promise<{ written: number; more: boolean }> {
  await switchOffOrphans(tx, { live })
  // One feeder at a time across processes: the next one continues where this one ends.
  const { rows: cursors } = await sql<{ position: number }>`select position from webhook_feed for update`.execute(tx)
  const from = cursors[0]?.position ?? 0
  const { rows: ends } = await sql<{ count: number; last: number | null }>`select count(*)::int as count, max(position) as last
    from (select position from audit_seals where position > ${from} order by position limit ${feedBatch}) as next`.execute(tx)
  const { count = 0, last = null } = ends[0] ?? {}
  if (last === null) return { written: 0, more: false }
  const { rows } = await sql`
    insert into webhook_deliveries (webhook_id, client_id, event_id, event, body)
    select webhook.id, told.client_id, told.event_id, told.event, ${bodyOfEvent}
    from (${eventsBetween(from, last)}) as told
    join webhooks webhook on webhook.active and webhook.created_at <= told.created_at
      and (webhook.client_id is null or webhook.client_id = told.client_id)
      and (webhook.all_events or told.event = any(webhook.events))
    order by told.position, webhook.id
    on conflict (webhook_id, event_id) do nothing returning id`.execute(tx)
  await sql`update webhook_feed set position = ${last}`.execute(tx)
  return { written: rows.length, more: count === feedBatch }
}

/** Sign-ins and reads are no events: they change nothing. */
function eventsBetween(from: number, last: number) {
  const verbs = JSON.stringify(Object.fromEntries(webhookActions.map(({ audited, value }) => [audited, value])))
  return sql`select seal.position, record.client_id, record.item_id, record.object_changes, record.created_at,
      'evt_' || record.client_id || '_' || record.id as event_id, record.item_type || '.' || (${verbs}::jsonb ->> record.event) as event
    from audit_seals seal join audit_records record on record.client_id = seal.client_id and record.id = seal.audit_record_id
    where seal.position > ${from} and seal.position <= ${last} and ${verbs}::jsonb ? record.event`
}

/** Stored as text, since the signature covers this exact text. Secrets are already markers in the trail. */
const bodyOfEvent = sql`json_build_object('id', told.event_id, 'type', told.event,
    'created_at', to_char(told.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'client_id', nullif(told.client_id, 0),
    'data', json_build_object('id', told.item_id, 'changes', told.object_changes))::text`
