import { deliveryStates, webhookStates, type Webhook, type WebhookDelivery } from '#contract/webhooks/webhook.ts'
import { StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'

type Look = { readonly tone: Tone; readonly shape: StatusShape }

const webhookLooks: Readonly<Record<(typeof webhookStates)[number]['value'], Look>> = {
  working: { tone: 'ok', shape: 'dot' },
  failing: { tone: 'warn', shape: 'triangle' },
  off: { tone: 'grey', shape: 'ring' },
  disabled: { tone: 'bad', shape: 'triangle' },
}
const deliveryLooks: Readonly<Record<(typeof deliveryStates)[number]['value'], Look>> = {
  waiting: { tone: 'warn', shape: 'ring' },
  delivered: { tone: 'ok', shape: 'dot' },
  failed: { tone: 'bad', shape: 'triangle' },
}

export function WebhookState({ row }: { row: Pick<Webhook, 'state'> }) {
  const state = webhookStates.find((one) => one.value === row.state)
  return state && <StatusDot {...webhookLooks[state.value]}>{state.label}</StatusDot>
}

export function DeliveryState({ row }: { row: Pick<WebhookDelivery, 'state'> }) {
  const state = deliveryStates.find((one) => one.value === row.state)
  return state && <StatusDot {...deliveryLooks[state.value]}>{state.label}</StatusDot>
}
