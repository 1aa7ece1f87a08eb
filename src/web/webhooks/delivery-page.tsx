import { useQuery } from '@tanstack/react-query'
import { webhookDelivery, type WebhookAttempt, type WebhookDelivery } from '#contract/webhooks/webhook.ts'
import { webhookCalls } from '#contract/webhooks/webhook-calls.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { Button } from '../ui/button.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import { Figure, Missing } from '../ui/status.tsx'
import { sendAgain } from './webhook-acts.ts'
import { DeliveryState } from './webhook-state.tsx'
import styles from './webhooks.module.css'

/** Polling interval (ms) while the delivery is waiting. */
const LOOK_MS = 2_000

/** /settings/webhooks/:webhook_id/deliveries/:delivery_id: the sent body, and each attempt. */
export function DeliveryPage() {
  const params = { webhook_id: usePathId('webhook_id'), id: usePathId('delivery_id') }
  const asked = useQuery({
    ...apiQuery(webhookCalls.delivery, { params }),
    refetchInterval: ({ state }) => (state.data?.webhook_delivery.state === 'waiting' ? LOOK_MS : false),
  })
  return (
    <>
      <SettingsTabs />
      <RecordGate asked={asked}>
        {({ webhook_delivery: row, body, attempts }) => <Shown webhookId={params.webhook_id} row={row} body={body} attempts={attempts} />}
      </RecordGate>
    </>
  )
}

interface ShownProps {
  readonly webhookId: number
  readonly row: WebhookDelivery
  readonly body: string
  readonly attempts: readonly WebhookAttempt[]
}

function Shown({ webhookId, row, body, attempts }: ShownProps) {
  const list = `/settings/webhooks/${webhookId}/deliveries`
  const { data } = useQuery(apiQuery(webhookCalls.get, { params: { id: webhookId } }))
  const isOff = data?.webhook.active === false
  return (
    <article className={styles.page} aria-label={row.event ?? ''}>
      <Breadcrumbs
        items={[
          { label: 'Webhooks', href: '/settings/webhooks' },
          { label: data?.webhook.name ?? 'Deliveries', href: list },
          { label: row.event ?? '' },
        ]}
      />
      <PageHeader
        title={row.event ?? ''}
        actions={
          <Button disabledReason={isOff ? 'The webhook is switched off' : undefined} onClick={() => void sendAgain(webhookId, row.id)}>
            Send again
          </Button>
        }
      >
        <DeliveryState row={row} />
      </PageHeader>
      <dl className={styles.facts}>
        <div>
          <dt>{webhookDelivery.fields.created_at.label}</dt>
          <dd>{row.created_at && <NewYorkTime at={row.created_at} />}</dd>
        </div>
        <div>
          <dt>{webhookDelivery.fields.event_id.label}</dt>
          <dd>{row.event_id}</dd>
        </div>
        <div>
          <dt>{webhookDelivery.fields.attempts.label}</dt>
          <dd className="num">{row.attempts}</dd>
        </div>
        <div>
          <dt>{webhookDelivery.fields.next_attempt_at.label}</dt>
          <dd>{row.state === 'waiting' && row.next_attempt_at ? <NewYorkTime at={row.next_attempt_at} /> : <Missing word="none" />}</dd>
        </div>
      </dl>
      <h2 className={styles.heading}>Sent</h2>
      <pre className={styles.text}>{laidOut(body)}</pre>
      <h2 className={styles.heading}>Attempts</h2>
      {attempts.length === 0 ? <p>None yet.</p> : <Attempts attempts={attempts} />}
    </article>
  )
}

function Attempts({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  return (
    <table className={styles.attempts}>
      <caption className="sr-only">Attempts, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col" className={styles.figure}>
            Answer
          </th>
          <th scope="col" className={styles.figure}>
            Duration (ms)
          </th>
          <th scope="col">What came back</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              <NewYorkTime at={one.attempted_at} />
            </th>
            <td className={styles.figure}>{one.status ?? <Missing word="no answer" />}</td>
            <td className={styles.figure}>
              <Figure value={String(one.duration_ms)} />
            </td>
            <td>
              {one.error && <div>{one.error}</div>}
              {one.response && <div className={styles.answer}>{one.response}</div>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Formats the body, whose exact text is a single line, over several lines. */
function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
