import { client, clientCalls, type Client } from '#contract/clients/client.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { Can } from '../kernel/permissions.tsx'
import { setScope } from '../kernel/scope.ts'
import { useGo } from '../kernel/navigation.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { StatusDot } from '../ui/status.tsx'
import { LogoLink } from './logo-link.tsx'

/** All clients within the user's reach. */
export function ClientList() {
  const go = useGo()
  const scope = (row: Client) => {
    setScope(row.id)
    go(dashboardHref(row))
  }
  return (
    <>
      <Tabs label="Clients" items={tabs} />
      <ListPage
        entity={client}
        calls={clientCalls}
        columns={columns}
        cells={cells}
        rowHref={dashboardHref}
        addNew={{ href: '/clients/new', may: 'client.create' }}
        importHref="/clients/import"
        actions={(row) => (
          <>
            <Can do="client.update">
              <MenuItem href={`/clients/${row.id}/edit`}>Edit Client</MenuItem>
            </Can>
            <MenuItem href={`/clients/${row.id}/client_vendor_numbers`}>Vendor Numbers</MenuItem>
            <MenuItem onSelect={() => scope(row)}>Scope to Client</MenuItem>
          </>
        )}
      />
    </>
  )
}

const tabs = [{ href: '/clients', label: 'All Clients', current: true }]
const active = { kind: 'boolean', key: 'active', yes: 'Active', no: 'Deactivated' } as const
const columns = [
  { key: 'name', width: 280 },
  { key: 'active', filter: active, width: 120 },
  { key: 'short_code', width: 120 },
  { key: 'filename', label: 'Logo' },
] as const
const cells = {
  active: (row: Client) => <StatusDot tone={row.active ? 'ok' : 'grey'}>{row.active ? 'Active' : 'Deactivated'}</StatusDot>,
  filename: (row: Client) => <LogoLink row={row} />,
}

function dashboardHref(row: Client): string {
  return `/clients/${row.id}/dashboard`
}
