import { useQuery } from '@tanstack/react-query'
import { authCalls } from '#contract/access/auth.ts'
import { user, userCalls, type User } from '#contract/users/user.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { useGo } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { UserPage } from './user-page.tsx'
import { personHrefs, useUserPlace } from './user-place.ts'
import { UserSecondFactor } from './user-second-factor.tsx'
import styles from './users.module.css'

const names: readonly FormSection[] = [{ fields: ['email', 'username', 'first_name', 'last_name', 'title'] }]
const namesAndStatus: readonly FormSection[] = [{ fields: ['email', 'username', 'first_name', 'last_name', 'title', 'status'] }]

/** Creates a user; the rights are set on the next page. */
export function NewUser() {
  const go = useGo()
  const place = useUserPlace()
  return (
    <EntityForm
      entity={user}
      {...formCalls(userCalls, 'user', {})}
      sections={names}
      backHref={place.list}
      onSaved={({ id }) => go(id === undefined ? place.list : personHrefs(place, id).roles)}
    >
      <p className={styles.note}>
        A mail asks them to confirm the account and to set a password. Without a role they see nothing: the next page gives them one.
      </p>
    </EntityForm>
  )
}

export function EditUser() {
  return <UserPage changes>{(person) => <EditForm key={person.id} person={person} />}</UserPage>
}

function EditForm({ person }: { person: User }) {
  const place = useUserPlace()
  const { data } = useQuery(apiQuery(authCalls.profile, {}))
  const isSelf = data?.user.id === person.id
  return (
    <EntityForm
      entity={user}
      row={person}
      history={false}
      {...formCalls(userCalls, 'user', {})}
      sections={namesAndStatus}
      locked={isSelf ? { status: 'You cannot deactivate yourself' } : undefined}
      backHref={place.list}
    >
      {!isSelf && <p className={styles.note}>Somebody who becomes Inactive is signed out everywhere and cannot sign in again.</p>}
      {!isSelf && <UserSecondFactor person={person} />}
    </EntityForm>
  )
}
