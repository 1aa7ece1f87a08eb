/** The Standard Webhooks scheme: a secret `whsec_…`, and a signature over id, time and body that any of its libraries can verify. */
import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytes = 32

export function newSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`
}

export interface WebhookMessage {
  /** The same for each attempt, so that a receiver can drop duplicates. */
  readonly id: string
  /** Time of this attempt in seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** Returns the headers of one attempt. Several secrets give several signatures: while a secret is being renewed, both are valid. */
export function webhookHeaders(message: WebhookMessage, secrets: readonly string[]): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Meterbook-Webhooks/1',
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(message, secret)).join(' '),
  }
}

function signatureOf({ id, timestamp, body }: WebhookMessage, secret: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
