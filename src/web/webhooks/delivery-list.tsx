import { useQuery } from '@tanstack/react-query'
import { webhookDelivery, type Webhook, type WebhookDelivery } from '#contract/webhooks/webhook.ts'
import { webhookCalls } from '#contract/webhooks/webhook-calls.ts'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Breadcrumbs } from '../ui/page-header.tsx'
import { Missing } from '../ui/status.tsx'
import { sendAgain, sendTest } from './webhook-acts.ts'
import { DeliveryState, WebhookState } from './webhook-state.tsx'
import styles from './webhooks.module.css'

// The widths fit beside a client's sidebar at 1366 px.
const columns: readonly ColumnWish<WebhookDelivery>[] = [
  { key: 'created_at', width: 160, grow: false },
  { key: 'event', width: 160 },
  { key: 'state', width: 116, grow: false },
  { key: 'last_status', width: 90, grow: false },
  { key: 'last_duration_ms', width: 110, grow: false },
  { key: 'attempts', width: 90, grow: false },
  { key: 'next_attempt_at', width: 160, grow: false },
  { key: 'last_error', width: 200 },
]

const cells: Cells<WebhookDelivery> = {
  created_at: (row) => row.created_at && <NewYorkTime at={row.created_at} />,
  state: (row) => <DeliveryState row={row} />,
  next_attempt_at: (row) =>
    row.state === 'waiting' && row.next_attempt_at ? <NewYorkTime at={row.next_attempt_at} /> : <Missing word="none" />,
  last_error: (row) => (row.last_error ? <span title={row.last_error}>{row.last_error}</span> : <Missing word="none" />),
}

const calls = { list: webhookCalls.deliveries, exportCsv: webhookCalls.exportDeliveries }

/** /settings/webhooks/:webhook_id/deliveries: the deliveries and their results. */
export function DeliveryList() {
  const asked = useQuery(apiQuery(webhookCalls.get, { params: { id: usePathId('webhook_id') } }))
  return (
    <>
      <SettingsTabs />
      <RecordGate asked={asked}>{({ webhook: row }) => <Shown row={row} />}</RecordGate>
    </>
  )
}

function Shown({ row }: { row: Webhook }) {
  const go = useGo()
  const id = row.id
  const href = (one: WebhookDelivery): string => `/settings/webhooks/${id}/deliveries/${one.id}`
  return (
    <>
      <Breadcrumbs items={[{ label: 'Webhooks', href: '/settings/webhooks' }, { label: row.name ?? '' }]} />
      {row.disabled_reason && (
        <p className={styles.off} role="status">
          <WebhookState row={row} /> {row.disabled_reason} Switch it on again in its form.
        </p>
      )}
      <ListPage
        entity={webhookDelivery}
        calls={calls}
        params={{ webhook_id: id }}
        columns={columns}
        cells={cells}
        rowHref={href}
        empty="Nothing was sent yet. Send a test to see how the receiver answers."
        headerActions={
          <>
            <ButtonLink href={`/settings/webhooks/${id}/edit`}>Edit webhook</ButtonLink>
            <Button disabledReason={row.active ? undefined : 'It is switched off'} onClick={() => void sendTest(row, go)}>
              Send test
            </Button>
          </>
        }
        actions={(one) => (
          <>
            <MenuItem href={href(one)}>Show</MenuItem>
            <MenuItem disabledReason={row.active ? undefined : 'The webhook is switched off'} onSelect={() => void sendAgain(id, one.id)}>
              Send again
            </MenuItem>
          </>
        )}
      />
    </>
  )
}
