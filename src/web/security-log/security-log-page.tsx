import { useMemo } from 'react'
import { securityEvent, securityEventCalls, type SecurityEventRow } from '#contract/security-log/security-event.ts'
import { securityKinds, severities } from '#contract/security-log/security-kinds.ts'
import { ClientTabs } from '../clients/clients.ts'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { SecurityTabs } from './security-tabs.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing, StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'

/** /settings/security_log: every event that the user may read. */
export function SecurityLogPage() {
  return (
    <>
      <SettingsTabs />
      <SecurityTabs />
      <SecurityLog />
    </>
  )
}

/** /clients/:client_id/security_log: the events of one client, with the client kept open around them. */
export function ClientSecurityLog() {
  const clientId = usePathId('client_id')
  const query = useMemo(() => ({ client_id: clientId }), [clientId])
  return (
    <>
      <ClientTabs clientId={clientId} />
      <SecurityLog query={query} />
    </>
  )
}

function SecurityLog({ query }: { query?: { client_id: number } }) {
  return (
    <ListPage
      entity={securityEvent}
      calls={securityEventCalls}
      title="Security Log"
      columns={columns}
      cells={cells}
      query={query}
      perDefault={50}
      rowLabel={(row) => `${labelOf(row)} ${row.created_at}`}
      empty={
        <EmptyState title="No events yet">
          Failed sign-ins, denials, exports, revealed bank numbers and changes of settings are listed here.
        </EmptyState>
      }
    />
  )
}

const columns: readonly ColumnWish<SecurityEventRow>[] = [
  { key: 'created_at', width: 190, grow: false },
  { key: 'kind', width: 200 },
  { key: 'severity', width: 95, grow: false },
  { key: 'person', width: 140 },
  { key: 'account', width: 135 },
  { key: 'network', width: 95, grow: false },
  { key: 'client_name', width: 170 },
  { key: 'times', width: 75, grow: false },
  { key: 'detail', width: 220 },
  { key: 'route', width: 230 },
  { key: 'outcome', width: 95 },
  { key: 'ip_address', width: 120 },
  { key: 'request_id', width: 110 },
]

const looks: Readonly<Record<SecurityEventRow['severity'], { tone: Tone; shape: StatusShape }>> = {
  info: { tone: 'info', shape: 'dot' },
  warning: { tone: 'warn', shape: 'ring' },
  critical: { tone: 'bad', shape: 'triangle' },
}

const cells: Cells<SecurityEventRow> = {
  created_at: (row) => <NewYorkTime at={row.created_at} />,
  kind: (row) => labelOf(row),
  severity: ({ severity }) => (
    <StatusDot {...looks[severity]}>{severities.find(({ value }) => value === severity)?.label ?? severity}</StatusDot>
  ),
  detail: ({ detail }) => (detail === null ? <Missing word="none" /> : <span title={detail}>{detail}</span>),
}

function labelOf({ kind }: SecurityEventRow): string {
  return securityKinds.find(({ value }) => value === kind)?.label ?? kind
}
