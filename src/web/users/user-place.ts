/** Paths of the users' pages: for all clients, or within one. */
import { useMemo } from 'react'
import { useOptionalPathId } from '../kernel/navigation.tsx'

export interface UserPlace {
  /** The client whose users are shown; undefined for all clients. */
  readonly clientId: number | undefined
  /** Path of the list. */
  readonly list: string
  readonly add: string
}

export function useUserPlace(): UserPlace {
  const clientId = useOptionalPathId('client_id')
  return useMemo(() => {
    const list = clientId === undefined ? '/users' : `/clients/${clientId}/users`
    return { clientId, list, add: `${list}/new` }
  }, [clientId])
}

/** Returns the paths of one user's pages, below the list. */
export function personHrefs({ list }: UserPlace, id: number) {
  const at = `${list}/${id}`
  return { edit: `${at}/edit`, password: `${at}/edit/password`, roles: `${at}/roles`, newRole: `${at}/roles/new` }
}

/** Returns 'Rosa Delgado', or the email address if no name is known. */
export function personName(person: { first_name: string | null; last_name: string | null; email: string }): string {
  return [person.first_name, person.last_name].filter(Boolean).join(' ') || person.email
}
