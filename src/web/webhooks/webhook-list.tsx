import { useState } from 'react'
import { webhook, type Webhook } from '#contract/webhooks/webhook.ts'
import { webhookCalls } from '#contract/webhooks/webhook-calls.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { useGo } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { MenuItem } from '../ui/menu.tsx'
import { Missing } from '../ui/status.tsx'
import { RenewSecret } from './renew-secret.tsx'
import { sendTest } from './webhook-acts.ts'
import { WebhookState } from './webhook-state.tsx'

// The widths fit beside a client's sidebar at 1366 px.
const columns: readonly ColumnWish<Webhook>[] = [
  { key: 'name', width: 160 },
  { key: 'url', width: 220 },
  { key: 'client_name', width: 130 },
  { key: 'events', width: 120 },
  { key: 'state', width: 200, grow: false },
  { key: 'last_delivery_at', width: 160, grow: false },
  { key: 'last_status', width: 96, grow: false },
]

const cells: Cells<Webhook> = {
  client_name: (row) => row.client_name ?? 'All clients',
  events: (row) => <EventsOf row={row} />,
  state: (row) => (
    <span title={row.disabled_reason ?? undefined}>
      <WebhookState row={row} />
    </span>
  ),
  last_delivery_at: (row) => (row.last_delivery_at ? <NewYorkTime at={row.last_delivery_at} /> : <Missing word="never" />),
}

const editHref = (row: Webhook): string => `/settings/webhooks/${row.id}/edit`
const deliveriesHref = (row: Webhook): string => `/settings/webhooks/${row.id}/deliveries`

/** /settings/webhooks */
export function WebhookList() {
  const go = useGo()
  const [renewing, setRenewing] = useState<Webhook | null>(null)
  return (
    <>
      <SettingsTabs />
      <ListPage
        entity={webhook}
        calls={webhookCalls}
        columns={columns}
        cells={cells}
        rowHref={deliveriesHref}
        addNew={{ href: '/settings/webhooks/new', may: 'webhook.update' }}
        empty="A webhook tells a program elsewhere what happens here. Make one with its address and the events that it wants."
        actions={(row) => (
          <>
            <MenuItem href={editHref(row)}>Edit</MenuItem>
            <MenuItem href={deliveriesHref(row)}>Deliveries</MenuItem>
            <MenuItem disabledReason={row.active ? undefined : 'It is switched off'} onSelect={() => void sendTest(row, go)}>
              Send test
            </MenuItem>
            <MenuItem onSelect={() => setRenewing(row)}>Renew secret</MenuItem>
            <DeleteItem call={webhookCalls.destroy} params={{ id: row.id }} name={row.name ?? undefined} />
          </>
        )}
      />
      {renewing && <RenewSecret row={renewing} onClose={() => setRenewing(null)} />}
    </>
  )
}

function EventsOf({ row: { all_events: all, events } }: { row: Webhook }) {
  if (all) return 'All events'
  const names = events ?? []
  const text = names.join(', ')
  return <span title={text}>{names.length === 1 ? text : `${names.length} events`}</span>
}
