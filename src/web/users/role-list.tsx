import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { isRoleName, providerRoles } from '#contract/access/rights.ts'
import { roleLabels, userRole, userRoleCalls, type UserRole } from '#contract/users/user-role.ts'
import type { User } from '#contract/users/user.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { messages } from '../kernel/notices/messages.ts'
import { Can, useCan } from '../kernel/permissions.tsx'
import { apiQuery, refresh } from '../kernel/query.ts'
import { ButtonLink } from '../ui/button.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import { RoleMeaning } from './role-meaning.tsx'
import { roleScopeWords } from './role-scope.ts'
import { notManageable, UserPage } from './user-page.tsx'
import { personHrefs, personName, useUserPlace } from './user-place.ts'
import styles from './users.module.css'

/** Number of roles described below the list; no user has more. */
const SAID_IN_FULL = 50

/** The roles of one user and their meaning. */
export function UserRoles() {
  return <UserPage>{(person) => <RoleList key={person.id} person={person} />}</UserPage>
}

function RoleList({ person }: { person: User }) {
  const { newRole, roles } = personHrefs(useUserPlace(), person.id)
  const params = useMemo(() => ({ user_id: person.id }), [person.id])
  const mayUpdate = useCan('user.update') && person.manageable
  const editHref = (row: UserRole) => `${roles}/${row.id}/edit`
  return (
    <>
      <ListPage
        entity={userRole}
        calls={calls}
        params={params}
        title="Roles"
        columns={columns}
        rowHref={mayUpdate ? editHref : undefined}
        rowLabel={roleText}
        addNew={mayUpdate ? { href: newRole, may: 'user.update' } : undefined}
        actions={(row) => <RoleActions row={row} person={person} href={editHref(row)} />}
        empty={<NoRole person={person} href={mayUpdate ? newRole : undefined} />}
      />
      <Meanings person={person} />
    </>
  )
}

const calls = { list: userRoleCalls.list, exportCsv: userRoleCalls.exportCsv }
const columns = [
  { key: 'role_id', label: 'Role', cell: roleText, width: 180, grow: false },
  { key: 'clients', label: 'Client', cell: clientText, width: 280 },
  { key: 'scope', label: 'Scope', cell: scopeText, width: 320 },
] as const

function roleText(row: UserRole): string {
  const name = row.role_name ?? ''
  return isRoleName(name) ? roleLabels[name] : name
}

function clientText(row: UserRole) {
  if (row.channel_partner_name !== null) return `Clients of ${row.channel_partner_name}`
  const names = row.clients?.map(({ name }) => name) ?? []
  if (names.length > 0) return names.join(', ')
  return providerRoles.some((role) => role === row.role_name) ? 'Every client' : <Missing />
}

function scopeText(row: UserRole): string {
  const parts = roleScopeWords(row).narrowedTo.filter(({ names }) => names.length > 0)
  return parts.length === 0 ? 'Whole' : parts.map(({ names, nouns }) => `${capital(nouns)}: ${names.join(', ')}`).join(' · ')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function RoleActions({ row, person, href }: { row: UserRole; person: User; href: string }) {
  const locked = person.manageable ? undefined : notManageable
  return (
    <Can do="user.update">
      <MenuItem href={href} disabledReason={locked}>
        Edit
      </MenuItem>
      <DeleteItem
        call={userRoleCalls.destroy}
        params={{ user_id: person.id, id: row.id }}
        question={messages.delete_user_role_question}
        success={messages.user_role_deleted}
        name={`${roleText(row)} of ${personName(person)}`}
        disabledReason={locked}
        onDeleted={() => refresh('users', 'auth')}
      />
    </Can>
  )
}

function NoRole({ person, href }: { person: User; href: string | undefined }) {
  return (
    <EmptyState
      title={`${personName(person)} has no role yet`}
      actions={
        href && (
          <ButtonLink kind="primary" href={href}>
            Add a role
          </ButtonLink>
        )
      }
    >
      Without a role a person can sign in but sees nothing.
    </EmptyState>
  )
}

/** Describes each role in a sentence, as its form does. */
function Meanings({ person }: { person: User }) {
  const asked = useQuery(apiQuery(userRoleCalls.list, { params: { user_id: person.id }, query: { per: String(SAID_IN_FULL) } }))
  const rows = asked.data?.user_roles ?? []
  if (rows.length === 0) return null
  return (
    <section className={styles.meanings} aria-label="What these roles mean">
      <h2>What {rows.length === 1 ? 'this role means' : 'these roles mean together'}</h2>
      {rows.map((row) =>
        row.role_name !== null && isRoleName(row.role_name) ? (
          <RoleMeaning key={row.id} role={row.role_name} scope={roleScopeWords(row)} />
        ) : null,
      )}
    </section>
  )
}
