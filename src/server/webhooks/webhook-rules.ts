/** The rules of a webhook: its address, its events, and its client. */
import type { WebhookDraft } from '#contract/webhooks/webhook.ts'
import { refusedUrl, type AllowedHosts } from '../kernel/http/outside-request.ts'
import { reachesEveryClient, type Reach } from '../kernel/principal.ts'
import { invalid } from '../kernel/problem.ts'

/** Throws 422 at the field. A host name is resolved and checked again at each sending. */
export function checkWebhook(draft: Partial<WebhookDraft>, before: Partial<WebhookDraft> | null, reach: Reach, hosts: AllowedHosts): void {
  if (draft.url !== undefined) checkUrl(draft.url, hosts)
  const { client_id: clientId = null, all_events: all, events } = { ...before, ...without(draft) }
  if (before && 'client_id' in draft && (draft.client_id ?? null) !== (before.client_id ?? null))
    throw invalid({ client_id: ['The client of a webhook stays: make another webhook'] })
  if (clientId === null && !reachesEveryClient(reach)) throw invalid({ client_id: ['Client is required'] })
  if (!all && (events ?? []).length === 0) throw invalid({ events: ['Choose at least one event, or all events'] })
}

function checkUrl(text: string, hosts: AllowedHosts): void {
  if (!URL.canParse(text)) throw invalid({ url: ['URL must be an address like https://example.com/hooks'] })
  const reason = refusedUrl(new URL(text), hosts)
  if (reason !== null) throw invalid({ url: [reason] })
}

/** Undefined keys must not hide stored values. */
function without(draft: Partial<WebhookDraft>): Partial<WebhookDraft>
function without(draft: object): object {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))
}
