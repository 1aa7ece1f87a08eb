import { useMemo } from 'react'
import { providerRoles } from '#contract/access/rights.ts'
import { user, userCalls, type User } from '#contract/users/user.ts'
import { ClientTabs } from '../clients/clients.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can, useCan, useClientOnly } from '../kernel/permissions.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { AccessReportButton } from './access-report-button.tsx'
import { UserActions } from './user-actions.tsx'
import { personHrefs, useUserPlace, type UserPlace } from './user-place.ts'

/** All users whom the signed-in user may see. */
export function AllUsers() {
  const place = useUserPlace()
  return (
    <ListPage
      entity={user}
      calls={userCalls}
      columns={columns}
      cells={cells}
      rowHref={useRowHref(place)}
      addNew={{ href: place.add, may: 'user.create' }}
      headerActions={<AccessReportButton />}
      actions={(row) => <UserActions person={row} place={place} />}
      sizes={sizes}
    />
  )
}

/** The users of one client: the same columns and actions, with the client kept open around them. */
export function ClientUsers() {
  const place = useUserPlace()
  const clientId = usePathId('client_id')
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  return (
    <>
      <ClientTabs clientId={clientId} />
      <ListPage
        entity={user}
        calls={clientCalls}
        params={params}
        columns={columns}
        cells={cells}
        rowHref={useRowHref(place)}
        addNew={{ href: place.add, may: 'user.create' }}
        // The report covers the user's whole reach, which for users limited to a client is this list.
        headerActions={
          <>
            <Can do="user.update">
              <ButtonLink href={`/clients/${clientId}/security_log`}>Security Log</ButtonLink>
            </Can>
            {useClientOnly() === true && <AccessReportButton />}
          </>
        }
        actions={(row) => <UserActions person={row} place={place} />}
        listName="client_users"
        sizes={sizes}
      />
    </>
  )
}

const clientCalls = { list: userCalls.ofClient, exportCsv: userCalls.exportOfClient }
const sizes = [10, 20, 50, 100, 1000] as const
const confirmed = { kind: 'boolean', key: 'account_confirmed', yes: 'Yes', no: 'Not yet' } as const
const columns = [
  { key: 'email', width: 180 },
  { key: 'first_name', width: 92 },
  { key: 'last_name', width: 100 },
  { key: 'username', width: 112 },
  { key: 'title', width: 120 },
  { key: 'status', width: 92, grow: false },
  { key: 'account_confirmed', filter: confirmed, width: 96, grow: false },
  { key: 'roles', width: 124 },
  { key: 'clients', width: 128 },
] as const
const cells = {
  status: (row: User) => (
    <StatusDot tone={row.status === 'active' ? 'ok' : 'grey'}>{row.status === 'active' ? 'Active' : 'Inactive'}</StatusDot>
  ),
  account_confirmed: (row: User) => (row.account_confirmed ? 'Yes' : ''),
  roles: (row: User) => row.roles || <Missing word="no role: sees nothing" />,
  clients: (row: User) => row.clients || reachWithoutNames(row) || <Missing />,
}

/** Returns the reach of roles that name no clients. */
function reachWithoutNames({ associated_entries: held }: User): string | undefined {
  const roles = held?.roles.map(({ name }) => name) ?? []
  if (roles.some((name) => providerRoles.some((role) => role === name))) return 'Every client'
  return roles.includes('channel_partner_admin') ? 'The partner’s clients' : undefined
}

/** Rows link to the form for users with the right to change them, otherwise to the roles. */
function useRowHref(place: UserPlace): (row: User) => string {
  const mayUpdate = useCan('user.update')
  return useMemo(
    () => (row) => (mayUpdate && row.manageable ? personHrefs(place, row.id).edit : personHrefs(place, row.id).roles),
    [mayUpdate, place],
  )
}
