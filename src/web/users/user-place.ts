/** Where the pages of users stand: over all clients, or inside one. */
import { useMemo } from 'react'
import { useOptionalPathId } from '../kernel/navigation.tsx'

export interface UserPlace {
  /** The client whose users these are; undefined over all clients. */
  readonly clientId: number | undefined
  /** The list. */
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

/** The pages of one person, below the list that one came from. */
export function personHrefs({ list }: UserPlace, id: number) {
  const at = `${list}/${id}`
  return { edit: `${at}/edit`, password: `${at}/edit/password`, roles: `${at}/roles`, newRole: `${at}/roles/new` }
}

/** 'Rosa Delgado', or the address where no name is known. */
export function personName(person: { first_name: string | null; last_name: string | null; email: string }): string {
  return [person.first_name, person.last_name].filter(Boolean).join(' ') || person.email
}
