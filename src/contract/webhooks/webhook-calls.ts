/** The calls of webhooks and of their deliveries. */
import { z } from 'zod'
import { call, exportOf, crudCalls, draftBody, listReply, result, type Result } from '../kernel/call.ts'
import { listInput } from '../kernel/query.ts'
import { webhook, type Webhook, webhookDelivery, attempt } from './webhook.ts'

const path = '/settings/webhooks'
const may = 'webhook.update'
const one = `${path}/:id` as const
const {
  list: listWebhooks,
  get,
  update,
  destroy,
  exportCsv,
} = crudCalls(webhook, path, { read: may, create: may, update: may, destroy: may })

/** The secret is returned once, when it is created. */
const withSecret = { success: z.boolean(), message: z.string(), id: z.int().optional(), secret: z.string() }
const created: z.ZodType<Result & { webhook: Webhook; secret: string }> = z.object({ ...withSecret, webhook: webhook.row })

const listDeliveries = call({
  name: 'webhook_deliveries.list',
  method: 'GET',
  path: `${path}/:webhook_id/deliveries`,
  may,
  summary: 'What was sent to a webhook in the last 30 days, and what waits',
  query: listInput,
  reply: listReply('webhook_deliveries', webhookDelivery.row),
})

export const webhookCalls = {
  list: listWebhooks,
  exportCsv,
  get,
  update,
  destroy,
  create: call({
    name: 'webhooks.create',
    method: 'POST',
    path,
    may,
    summary: 'Makes a webhook; `secret` is answered this once',
    body: draftBody('webhook', webhook.draft),
    reply: created,
    secretReply: true,
  }),
  renewSecret: call({
    name: 'webhooks.renew_secret',
    method: 'POST',
    path: `${one}/secret`,
    may,
    summary: 'Makes a new secret, answered this once; for a day what is sent is signed with the old one too',
    reply: z.object(withSecret),
    secretReply: true,
  }),
  test: call({ name: 'webhooks.test', method: 'POST', path: `${one}/test`, may, summary: 'Sends a message of the type webhook.test' }),
  deliveries: listDeliveries,
  exportDeliveries: exportOf(listDeliveries, 'what was sent to a webhook'),
  delivery: call({
    name: 'webhook_deliveries.get',
    method: 'GET',
    path: `${path}/:webhook_id/deliveries/:id`,
    may,
    summary: 'One delivery with what was sent and each attempt',
    reply: z.object({ webhook_delivery: webhookDelivery.row, body: z.string(), attempts: z.array(attempt) }),
  }),
  resend: call({
    name: 'webhook_deliveries.send',
    method: 'POST',
    path: `${path}/:webhook_id/deliveries/:id/send`,
    may,
    summary: 'Sends it again, with the same message id',
    reply: result,
  }),
}
