import { useQuery } from '@tanstack/react-query'
import { authCalls } from '#contract/access/auth.ts'
import { userCalls, type User } from '#contract/users/user.ts'
import { callApi } from '../kernel/api.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { Can } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { notify } from '../ui/dialogs/notices.ts'
import { MenuItem } from '../ui/menu.tsx'
import { notManageable } from './user-page.tsx'
import { personHrefs, personName, type UserPlace } from './user-place.ts'

/** The actions on one user in the list. */
export function UserActions({ person, place }: { person: User; place: UserPlace }) {
  const { data } = useQuery(apiQuery(authCalls.profile, {}))
  const hrefs = personHrefs(place, person.id)
  const locked = person.manageable ? undefined : notManageable
  const isSelf = data?.user.id === person.id
  return (
    <>
      <Can do="user.update">
        <MenuItem href={hrefs.edit} disabledReason={locked}>
          Edit
        </MenuItem>
      </Can>
      <MenuItem href={hrefs.roles}>Roles</MenuItem>
      <Can do="user.destroy">
        <DeleteItem
          label="Delete user"
          call={userCalls.destroy}
          params={{ id: person.id }}
          plural="users"
          name={`${personName(person)} (${person.email})`}
          disabledReason={isSelf ? 'You cannot delete yourself' : locked}
        />
      </Can>
      <Can do="user.update">
        <MenuItem href={hrefs.password} disabledReason={locked}>
          Update Password
        </MenuItem>
        <MenuItem onSelect={() => void resend(person.id)} disabledReason={locked}>
          Resend password email
        </MenuItem>
      </Can>
    </>
  )
}

/** Two kinds of mail share the same notice (G-RESEND). */
async function resend(id: number): Promise<void> {
  try {
    const result = await callApi(userCalls.resendConfirmationEmail, { params: { id } })
    if (result.success) notify({ kind: 'success', title: messages.password_email_sent, duration: seconds.usual })
    else resultNotice(result)
  } catch (error) {
    problemNotice(error)
  }
}
