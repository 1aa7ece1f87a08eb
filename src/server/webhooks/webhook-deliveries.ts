/** The calls of a webhook's deliveries. */
import { webhook, webhookDelivery, webhookTestEvent, type Webhook } from '#contract/webhooks/webhook.ts'
import { webhookCalls } from '#contract/webhooks/webhook-calls.ts'
import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { Asked } from '../kernel/lists/list.ts'
import { refused } from '../kernel/problem.ts'
import { exportHandler, listAnswer, readRow, resource } from '../kernel/lists/resource.ts'
import { pumpSoon } from './webhook-jobs.ts'

export const webhooks = resource({
  entity: webhook,
  table: 'webhooks',
  scope: { client: sql`coalesce(webhooks.client_id, 0)`, levels: {} },
  joins: { client: sql`left join clients on clients.id = webhooks.client_id` },
  columns: {
    client_name: { sql: sql`clients.name`, joins: ['client'] },
    state: {
      sql: sql`case when webhooks.active and webhooks.failing_since is not null then 'failing' when webhooks.active then 'working'
        when webhooks.disabled_at is not null then 'disabled' else 'off' end`,
    },
  },
  search: ['name', 'url'],
})

const deliveries = resource({
  entity: webhookDelivery,
  table: 'webhook_deliveries',
  scope: 'shared', // each call reads the webhook first and then only its deliveries
})

const sentTo = defineWhere(
  'sent_to_webhook',
  z.object({ webhook_id: z.int() }),
  ({ webhook_id }) => sql<SqlBool>`webhook_deliveries.webhook_id = ${webhook_id}`,
)

export const deliveryHandlers: readonly Handler[] = [
  handle(webhookCalls.test, async (context, { params }) => {
    const row = await readWebhook(context, params.id)
    mustBeActive(row)
    const id = await addTestDelivery(context, row)
    context.afterCommit(() => pumpSoon(context.machinery))
    return { success: true, message: 'Test message sent', id }
  }),
  handle(webhookCalls.deliveries, async (context, { params, query }) => {
    await readWebhook(context, params.webhook_id)
    return listAnswer(context, deliveries, query, ofWebhook(context, params.webhook_id))
  }),
  exportHandler(webhookCalls.exportDeliveries, deliveries, async (context, params) => {
    await readWebhook(context, params.webhook_id)
    return ofWebhook(context, params.webhook_id)
  }),
  handle(webhookCalls.delivery, async (context, { params }) => {
    await readWebhook(context, params.webhook_id)
    return readDelivery(context, params.webhook_id, params.id)
  }),
  handle(webhookCalls.resend, async (context, { params }) => {
    mustBeActive(await readWebhook(context, params.webhook_id))
    await readRow(context, deliveries, params.id, ofWebhook(context, params.webhook_id))
    await sql`update webhook_deliveries set state = 'waiting', attempts = 0, next_attempt_at = now(), claimed_until = null where id = ${params.id}`.execute(
      context.tx,
    )
    context.afterCommit(() => pumpSoon(context.machinery))
    return { success: true, message: 'Sent again', id: params.id }
  }),
]

export function readWebhook(context: Context, id: number): Promise<Webhook> {
  return readRow(context, webhooks, id, { reach: context.reach })
}

function ofWebhook(context: Context, id: number): Asked {
  return { reach: context.reach, ...sentTo({ webhook_id: id }) }
}

async function readDelivery(context: Context, webhookId: number, id: number) {
  const row = await readRow(context, deliveries, id, ofWebhook(context, webhookId))
  const { rows: bodies } = await sql<{ body: string }>`select body from webhook_deliveries where id = ${id}`.execute(context.tx)
  const { rows: attempts } = await sql<{
    id: number
    attempted_at: string
    status: number | null
    duration_ms: number
    error: string | null
    response: string | null
  }>`select id, attempted_at, status, duration_ms, error, response from webhook_attempts where delivery_id = ${id} order by id desc limit 100`.execute(
    context.tx,
  )
  return { webhook_delivery: row, body: bodies[0]?.body ?? '', attempts }
}

function mustBeActive({ active }: Webhook): void {
  if (!active) throw refused('The webhook is switched off. Switch it on first.')
}

async function addTestDelivery(context: Context, row: Webhook): Promise<number> {
  const id = `test_${randomUUID()}`
  const body = { id, type: webhookTestEvent, created_at: now().toISOString(), client_id: row.client_id, data: { id: row.id, changes: {} } }
  const { rows } = await sql<{ id: number }>`insert into webhook_deliveries (webhook_id, client_id, event_id, event, body)
    values (${row.id}, ${row.client_id ?? 0}, ${id}, ${webhookTestEvent}, ${JSON.stringify(body)}) returning id`.execute(context.tx)
  return rows[0]?.id ?? 0
}
