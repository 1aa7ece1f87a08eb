/** What the signed-in person may do, for the scoped client or over all. The server decides; the console only shows what it would allow. */
import { useEffect, useRef, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { authCalls, type Access } from '#contract/access/auth.ts'
import { mayDo, type Permission, type PermissionMap } from '#contract/kernel/permission.ts'
import type { RoleName } from '#contract/access/rights.ts'
import { ApiProblem } from './api-problem.ts'
import { requestErrorNotice } from './notices/notices.ts'
import { apiQuery } from './query.ts'
import { useScopeId } from './scope.ts'

/** Rights change seldom; the server refuses at once whatever the console still shows. */
const ACCESS_FRESH_MS = 60_000
const nothing: PermissionMap = {}

/** One permission, or several of which any suffices. */
export type Does = Permission | readonly Permission[]

export interface AccessState {
  readonly access: Access | undefined
  readonly error: Error | null
  readonly retry: () => void
}

/** The answer about the person's rights in the present scope. */
export function useAccess(): AccessState {
  const clientId = useScopeId()
  const { data, error, refetch } = useQuery(accessQuery(clientId))
  return { access: data, error, retry: () => void refetch() }
}

/** The same over all clients, for landing; the same question as `useAccess` where nothing is scoped. */
export function accessQuery(clientId: number | null) {
  return { ...apiQuery(authCalls.access, clientId === null ? {} : { query: { client_id: String(clientId) } }), staleTime: ACCESS_FRESH_MS }
}

/** Says once, for the whole shell, that the rights could not be loaded. That a client is not there stays true, however often it is asked. */
export function useAccessErrorNotice(): void {
  const { error } = useAccess()
  const scopeId = useScopeId()
  const missing = useRef<number | null>(null)
  useEffect(() => {
    if (!error) return
    const isGone = error instanceof ApiProblem && error.notFound
    if (isGone && missing.current === scopeId) return
    missing.current = isGone ? scopeId : null
    requestErrorNotice(error)
  }, [error, scopeId])
}

export function usePermissions(): PermissionMap {
  return useAccess().access?.permissions ?? nothing
}

/** Whether the person holds one of the permissions here. */
export function useCan(does: Does): boolean {
  return mayDo(usePermissions(), does)
}

/** Shows what is inside to those who may do it: `<Can do="vendor.update">`; of a list any one suffices. */
export function Can({ do: does, children, fallback = null }: { do: Does; children: ReactNode; fallback?: ReactNode }) {
  return useCan(does) ? children : fallback
}

/** Names of the person's roles; undefined while they are not known. Roles decide nothing but what the specification says of them. */
export function useRoles(): readonly RoleName[] | undefined {
  return useAccess().access?.roles.map((role) => role.name)
}

/** The provider's administrators search clients in the picker. */
export function useIsProviderAdmin(): boolean {
  return useRoles()?.some((role) => role === 'muc_admin' || role === 'super_admin') ?? false
}

/** Whether the person's rights end at a client; undefined while it is not known. */
export function useClientOnly(): boolean | undefined {
  return useAccess().access?.client_only_user
}
