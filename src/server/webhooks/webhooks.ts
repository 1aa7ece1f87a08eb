/** Webhooks: receivers, their events, and the deliveries. Managed by the provider's administrators. */
import { webhook, type Webhook, type WebhookDraft } from '#contract/webhooks/webhook.ts'
import { webhookCalls } from '#contract/webhooks/webhook-calls.ts'
import { sql } from 'kysely'
import { mustBeProven } from '../access/access.ts'
import type { Config } from '../config.ts'
import { secretMarker } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { allowedHosts } from '../kernel/http/outside-request.ts'
import { answerOne, answerWrite, createRow, destroyRow, exportHandler, listHandler, updateRow } from '../kernel/lists/resource.ts'
import { sealSecret } from '../kernel/secret.ts'
import { newSecret } from './sign-webhook.ts'
import { checkWebhook } from './webhook-rules.ts'
import { tellOfNewWebhook } from './tell-administrators.ts'
import { webhooks, readWebhook, deliveryHandlers } from './webhook-deliveries.ts'

export { webhookJobs } from './webhook-jobs.ts'

/** Hours for which messages also carry the signature of the former secret. */
const formerSecretHours = 24

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

/** Lists are columns too; switching a webhook on again resets its failures. */
async function added({ principal }: Context, draft: Partial<WebhookDraft>, before: Webhook | null): Promise<Record<string, unknown>> {
  const isSwitchedOn = before !== null && draft.active === true && !before.active
  return {
    ...(draft.events === undefined ? {} : { events: draft.events }),
    // The user who switches it on becomes responsible for it, in place of its maker.
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
