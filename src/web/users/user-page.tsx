import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { userCalls, type User } from '#contract/users/user.ts'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { usePath, usePathId } from '../kernel/navigation.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Breadcrumbs, Tabs } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { personHrefs, personName, useUserPlace } from './user-place.ts'

/** The reason why a user may be seen but not changed, for the menu and the pages. */
export const notManageable = 'Their rank is above yours, or their roles reach beyond yours'

export interface UserPageProps {
  /** Whether the page changes the user; if that is not allowed, it shows the reason instead of a form. */
  readonly changes?: boolean
  readonly children: (person: User) => ReactNode
}

/** A page about one user: the name, the tabs of the user's pages, and the page itself. */
export function UserPage({ changes = false, children }: UserPageProps) {
  const asked = useQuery(apiQuery(userCalls.get, { params: { id: usePathId('user_id') } }))
  return (
    <RecordGate asked={asked}>
      {({ user }) => (
        <>
          <UserHeader person={user} />
          {changes && !user.manageable ? <Unchangeable person={user} /> : children(user)}
        </>
      )}
    </RecordGate>
  )
}

function UserHeader({ person }: { person: User }) {
  const place = useUserPlace()
  const path = usePath()
  const mayUpdate = useCan('user.update')
  const { edit, roles, password } = personHrefs(place, person.id)
  const tabs = [
    { href: edit, label: 'Edit', shown: mayUpdate, current: path === edit },
    { href: roles, label: 'Roles', shown: true, current: path.startsWith(roles) },
    { href: password, label: 'Update Password', shown: mayUpdate, current: path === password },
  ]
  return (
    <>
      <Breadcrumbs items={[{ label: 'Users', href: place.list }, { label: personName(person) }]} />
      <Tabs label="User" items={tabs.filter(({ shown }) => shown)} end={<HistoryButton item="user" id={person.id} />} />
    </>
  )
}

function Unchangeable({ person }: { person: User }) {
  const { roles } = personHrefs(useUserPlace(), person.id)
  return (
    <EmptyState
      title={`${personName(person)} cannot be changed by you`}
      actions={
        <Can do="user.read">
          <ButtonLink href={roles}>Roles</ButtonLink>
        </Can>
      }
    >
      {notManageable}.
    </EmptyState>
  )
}
