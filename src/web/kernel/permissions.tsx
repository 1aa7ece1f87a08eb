/** The signed-in user's rights, for the scoped client or for all. The server decides; the console only shows what it would allow. */
import { useEffect, useRef, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { authCalls, type Access } from '#contract/access/auth.ts'
import { mayDo, type Permission, type PermissionMap } from '#contract/kernel/permission.ts'
import type { RoleName } from '#contract/access/rights.ts'
import { ApiProblem } from './api-problem.ts'
import { requestErrorNotice } from './notices/notices.ts'
import { apiQuery } from './query.ts'
import { useScopeId } from './scope.ts'

/** Rights change rarely, and the server rejects at once whatever the console still shows. */
const ACCESS_FRESH_MS = 60_000
const nothing: PermissionMap = {}

/** One permission, or several of which any one suffices. */
export type Does = Permission | readonly Permission[]

export interface AccessState {
  readonly access: Access | undefined
  readonly error: Error | null
  readonly retry: () => void
}

/** Returns the user's rights in the current scope. */
export function useAccess(): AccessState {
  const clientId = useScopeId()
  const { data, error, refetch } = useQuery(accessQuery(clientId))
  return { access: data, error, retry: () => void refetch() }
}

/**
 * Returns the query of the rights for a client; null means all clients, for landing, which is the same query as that of `useAccess` without a
 * scope.
 */
export function accessQuery(clientId: number | null) {
  return { ...apiQuery(authCalls.access, clientId === null ? {} : { query: { client_id: String(clientId) } }), staleTime: ACCESS_FRESH_MS }
}

/** Shows one notice for the whole shell if the rights could not be loaded. A missing client is reported only once. */
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

/** Whether the user has one of the permissions here. */
export function useCan(does: Does): boolean {
  return mayDo(usePermissions(), does)
}

/** Renders its children only with the right: `<Can do="vendor.update">`; of a list any one suffices. */
export function Can({ do: does, children, fallback = null }: { do: Does; children: ReactNode; fallback?: ReactNode }) {
  return useCan(does) ? children : fallback
}

/** Returns the names of the user's roles; undefined while they are not known. Roles decide only what the specification ties to them. */
export function useRoles(): readonly RoleName[] | undefined {
  return useAccess().access?.roles.map((role) => role.name)
}

/** Whether the user is one of the provider's administrators, who search clients in the picker. */
export function useIsProviderAdmin(): boolean {
  return useRoles()?.some((role) => role === 'muc_admin' || role === 'super_admin') ?? false
}

/** Whether the user's rights are limited to a client; undefined while that is not known. */
export function useClientOnly(): boolean | undefined {
  return useAccess().access?.client_only_user
}
