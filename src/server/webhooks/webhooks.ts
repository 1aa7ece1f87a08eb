/** Webhooks: receivers, their events, and the deliveries. Managed by the provider's administrators. */
import { webhook, webhookCalls, webhookDelivery, webhookTestEvent, type Webhook, type WebhookDraft } from '#contract/webhooks/webhook.ts'
import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { mustBeProven } from '../access/access.ts'
import type { Config } from '../config.ts'
import { secretMarker } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { Asked } from '../kernel/lists/list.ts'
import { allowedHosts } from '../kernel/http/outside-request.ts'
import { refused } from '../kernel/problem.ts'
import {
  answerOne,
  answerWrite,
  createRow,
  destroyRow,
  exportHandler,
  listAnswer,
  listHandler,
  readRow,
  resource,
  updateRow,
} from '../kernel/lists/resource.ts'
import { sealSecret } from '../kernel/secret.ts'
import { newSecret } from './sign-webhook.ts'
import { checkWebhook } from './webhook-rules.ts'
import { tellOfNewWebhook } from './tell-administrators.ts'
import { pumpSoon } from './webhook-jobs.ts'

export { webhookJobs } from './webhook-jobs.ts'

/** Hours for which messages also carry the signature of the former secret. */
const formerSecretHours = 24

const webhooks = resource({
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

type Settings = Pick<Config, 'production' | 'webhookPrivateHosts'>

export function webhookHandlers(settings: Settings): readonly Handler[] {
  const hosts = allowedHosts(settings.production, settings.webhookPrivateHosts)
  return [
    listHandler(webhookCalls.list, webhooks),
    exportHandler(webhookCalls.exportCsv, webhooks),
    handle(webhookCalls.get, async (context, { params }) => answerOne('webhook', await readWebhook(context, params.id))),
    handle(webhookCalls.create, async (context, { body }) => {
      checkWebhook(body.webhook, null, context.reach, hosts)
      await mustBeProven(context)
      const row = await createRow(context, webhooks, body.webhook, undefined, { added })
      const secret = await storeSecret(context, row.id, false)
      if (row.client_id === null) await tellOfNewWebhook(context, row)
      return { ...answerWrite(webhook, 'created', row), webhook: row, secret }
    }),
    handle(webhookCalls.update, async (context, { params, body }) => {
      const before = await readWebhook(context, params.id)
      checkWebhook(body.webhook, draftOf(before), context.reach, hosts)
      if (isLasting(body.webhook, before)) await mustBeProven(context)
      return answerWrite(
        webhook,
        'updated',
        await updateRow(context, webhooks, params.id, body.webhook, { reach: context.reach }, { added }),
      )
    }),
    handle(webhookCalls.destroy, async (context, { params }) => {
      await destroyRow(context, webhooks, params.id, { reach: context.reach })
      return { success: true, message: 'Webhook deleted' }
    }),
    handle(webhookCalls.renewSecret, async (context, { params }) => {
      await mustBeProven(context)
      const row = await readWebhook(context, params.id)
      const secret = await storeSecret(context, row.id, true)
      await context.audit.updated('webhook', row.id, row.client_id ?? 0, { secret: { from: secretMarker, to: secretMarker } })
      return { success: true, message: 'Secret renewed', id: row.id, secret }
    }),
    ...deliveryHandlers,
  ]
}

const deliveryHandlers: readonly Handler[] = [
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

function readWebhook(context: Context, id: number): Promise<Webhook> {
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

/** Lists are columns too; switching a webhook on again resets its failures. */
async function added({ principal }: Context, draft: Partial<WebhookDraft>, before: Webhook | null): Promise<Record<string, unknown>> {
  const isSwitchedOn = before !== null && draft.active === true && !before.active
  return {
    ...(draft.events === undefined ? {} : { events: draft.events }),
    // Who switches it on answers for it from then on, as its maker did.
    ...(before === null || isSwitchedOn ? { created_by: principal.user_id } : {}),
    ...(isSwitchedOn ? { failing_since: null, disabled_at: null, disabled_reason: null } : {}),
  }
}

/** Whether events go somewhere else after the change, or begin to go: it outlives the sign-in. */
function isLasting({ url, active }: Partial<WebhookDraft>, before: Webhook): boolean {
  return (url !== undefined && url !== before.url) || (active === true && !before.active)
}

function draftOf({ client_id, all_events, events }: Webhook): Partial<WebhookDraft> {
  return { client_id, all_events, events: events ?? [] }
}

/** Creates a secret and stores it sealed, bound to its row. */
async function storeSecret(context: Context, id: number, isRenewal: boolean): Promise<string> {
  const secret = newSecret()
  const sealed = sealSecret(context.machinery.settings.secretKey, { table: 'webhooks', column: 'secret', id }, secret)
  const former = isRenewal
    ? sql`, previous_secret_encrypted = secret_encrypted, previous_secret_until = now() + make_interval(hours => ${formerSecretHours}::int)`
    : sql``
  await sql`update webhooks set secret_encrypted = ${sealed} ${former} where id = ${id}`.execute(context.tx)
  return secret
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
