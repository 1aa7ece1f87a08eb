import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { userRole, userRoleCalls, type Role, type UserRole } from '#contract/users/user-role.ts'
import type { User } from '#contract/users/user.ts'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { RoleChoice } from './role-choice.tsx'
import { ChosenMeaning } from './role-chosen-meaning.tsx'
import { ClientsField, LookInField, NarrowingField, PartnerField } from './role-scope-fields.tsx'
import { roleErrors, type NarrowingIds } from './role-scope.ts'
import { UserPage } from './user-page.tsx'
import { personHrefs, personName, useUserPlace } from './user-place.ts'

export function NewRole() {
  return <UserPage changes>{(person) => <RoleForm key={person.id} person={person} />}</UserPage>
}

export function EditRole() {
  return <UserPage changes>{(person) => <StoredRole key={person.id} person={person} />}</UserPage>
}

function StoredRole({ person }: { person: User }) {
  const id = usePathId('role_id')
  const asked = useQuery(apiQuery(userRoleCalls.get, { params: { user_id: person.id, id } }))
  return <RecordGate asked={asked}>{({ user_role }) => <RoleForm key={user_role.id} person={person} row={user_role} />}</RecordGate>
}

function RoleForm({ person, row }: { person: User; row?: UserRole }) {
  const asked = useQuery(apiQuery(userRoleCalls.roles, {}))
  return <RecordGate asked={asked}>{({ roles }) => <RoleFields person={person} row={row} roles={roles} />}</RecordGate>
}

const sections: readonly FormSection[] = [
  // The meaning is shown beside the fields that determine it.
  { fields: ['role_id', 'meaning', 'client_ids', 'channel_partner_id'] },
  { title: 'Narrowed to', fields: ['look_in', 'division_ids', 'facility_ids', 'billable_account_ids', 'supply_account_ids'] },
]

function RoleFields({ person, row, roles }: { person: User; row: UserRole | undefined; roles: readonly Role[] }) {
  const place = useUserPlace()
  const [lookIn, setLookIn] = useState<number | null>(null)
  const preset = presetClient(place.clientId, row)
  const back = personHrefs(place, person.id).roles
  const shared = { roles, row, preset, lookIn, setLookIn }
  const narrowing = (ids: NarrowingIds) => (slot: SlotProps) => <NarrowingField {...slot} {...shared} ids={ids} />
  return (
    <EntityForm
      entity={userRole}
      row={row}
      history={false}
      {...formCalls(userRoleCalls, 'user_role', { user_id: person.id })}
      start={preset === undefined ? undefined : { client_ids: [preset] }}
      sections={sections}
      slots={{
        role_id: (slot) => <RoleChoice {...slot} {...shared} />,
        client_ids: (slot) => <ClientsField {...slot} {...shared} />,
        channel_partner_id: (slot) => <PartnerField {...slot} {...shared} />,
        look_in: (slot) => <LookInField {...slot} {...shared} />,
        division_ids: narrowing('division_ids'),
        facility_ids: narrowing('facility_ids'),
        billable_account_ids: narrowing('billable_account_ids'),
        supply_account_ids: narrowing('supply_account_ids'),
        meaning: (slot) => <ChosenMeaning {...slot} {...shared} />,
      }}
      check={(values) => roleErrors(values, roles)}
      title={row ? 'Edit Role' : `New Role for ${personName(person)}`}
      refreshes={['user_roles', 'users', 'auth']}
      backHref={back}
    />
  )
}

/** Returns the preset client: within a client's pages the role belongs to that client, unless it names others already. */
function presetClient(clientId: number | undefined, row: UserRole | undefined): number | undefined {
  if (clientId === undefined || !row) return clientId
  return row.client_ids.length === 1 && row.client_ids[0] === clientId ? clientId : undefined
}
