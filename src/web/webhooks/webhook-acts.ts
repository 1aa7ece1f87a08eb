import type { Webhook } from '#contract/webhooks/webhook.ts'
import { webhookCalls } from '#contract/webhooks/webhook-calls.ts'
import { callApi } from '../kernel/api.ts'
import type { Go } from '../kernel/navigation.tsx'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'

/** Sends a test message and opens its delivery. */
export async function sendTest(row: Pick<Webhook, 'id'>, go: Go): Promise<void> {
  try {
    const answer = await callApi(webhookCalls.test, { params: { id: row.id } })
    resultNotice(answer)
    refresh('webhook_deliveries')
    go(`/settings/webhooks/${row.id}/deliveries/${answer.id ?? ''}`)
  } catch (error) {
    problemNotice(error)
  }
}

export async function sendAgain(webhookId: number, id: number): Promise<void> {
  try {
    resultNotice(await callApi(webhookCalls.resend, { params: { webhook_id: webhookId, id } }))
  } catch (error) {
    problemNotice(error)
  }
  refresh('webhook_deliveries', 'webhooks')
}
