/**
 * The client that scopes the console. Under /clients/{id}/… the address names it; elsewhere the last one applies, also after a reload of the
 * tab, until the admin view is chosen or staff opens a page of all clients.
 */
import { useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from './query.ts'
import { scopeCalls, type ScopeClient } from './scope-calls.ts'
import { usePath } from './navigation.tsx'

const KEY = 'scope_client_id'
const listeners = new Set<() => void>()
/** Time (ms) for which the scoped client's record counts as fresh: its name and flags change rarely. */
const CLIENT_FRESH_MS = 60_000

/** Returns the id of the scoped client, null in the admin view. */
export function useScopeId(): number | null {
  const kept = useSyncExternalStore(subscribe, keptScope)
  return scopeOfPath(usePath()) ?? kept
}

/** Returns the scoped client itself. */
export function useScopeClient(): { id: number | null; client: ScopeClient | undefined; error: Error | null } {
  const id = useScopeId()
  const asked = useQuery({ ...scopeClientQuery(id ?? 0), enabled: id !== null })
  return { id, client: id === null ? undefined : asked.data?.client, error: id === null ? null : asked.error }
}

/** Returns the scoped client once the shell has loaded it. Sends no request itself, so that a failure is reported once. */
export function useLoadedClient(): ScopeClient | undefined {
  return useQuery({ ...scopeClientQuery(useScopeId() ?? 0), enabled: false }).data?.client
}

export function scopeClientQuery(id: number) {
  return { ...apiQuery(scopeCalls.client, { params: { id } }), staleTime: CLIENT_FRESH_MS }
}

/** Returns the id of the client that scopes the console at this path, null in the admin view. */
export function scopeAt(path: string): number | null {
  return scopeOfPath(path) ?? keptScope()
}

/** Makes this client the scope; null means the admin view. */
export function setScope(id: number | null): void {
  if (keptScope() === id) return
  if (id === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, String(id))
  for (const listener of listeners) listener()
}

/**
 * Returns the client to which an address scopes the console; null if the scope does not change. The client edit page and the client vendor
 * number pages do not change it, whatever client they are about (G-SCOPE-RELOAD).
 */
export function scopeOfPath(path: string): number | null {
  const match = /^\/clients\/([1-9]\d{0,15})(\/.*)?$/.exec(path)
  const rest = match?.[2] ?? ''
  if (!match || rest === '/edit' || rest.startsWith('/client_vendor_numbers')) return null
  return Number(match[1])
}

/** Lists of all clients, by their whole path: below /bills and /clients there are pages of one client too. */
const listsOfAll =
  /^\/(alerts|bills|bills\/findings|billable_accounts|clients|divisions|facilities|group_accounts|group_supply_accounts|supply_accounts)$/

/** Whether the page is about the provider or about all clients, so that it does not stand under the name of one client. */
export function isOfAllClients(path: string): boolean {
  if (listsOfAll.test(path)) return true
  return /^\/(channel_partners|global_batch|originating_profiles|payment_methods|settings|vendor_bank_changes|vendors)(\/|$)/.test(path)
}

function keptScope(): number | null {
  const kept = Number(sessionStorage.getItem(KEY))
  return Number.isSafeInteger(kept) && kept > 0 ? kept : null
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
