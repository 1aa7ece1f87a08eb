/** The way from a form back to its list: the list returns as it was left in this window, with the saved row marked. */
import { useCallback, useEffect, useState } from 'react'
import type { Result } from '#contract/kernel/call.ts'
import { useGo } from '../navigation.tsx'

/** The number of lists whose addresses are kept; the one that was left first goes first. */
const KEPT_MAX = 100

/** The last address of each list by its path. It is not stored: an address holds what a person has searched for. */
const addresses = new Map<string, string>()

/** The record that a form has saved, until its list shows it. */
let saved: { readonly entity: string; readonly id: number } | null = null

/** Keeps the address of the list at this path while it is shown. */
export function useKeptAddress(path: string, address: string): void {
  useEffect(() => {
    addresses.delete(path)
    addresses.set(path, address)
    const [first] = addresses.keys()
    if (addresses.size > KEPT_MAX && first !== undefined) addresses.delete(first)
  }, [path, address])
}

/** Returns the address at which the list of this path was left, or the path itself. */
export function listAddress(path: string): string {
  return addresses.get(path) ?? path
}

/** Returns a function that goes back to a list after a save, which then marks the row of the saved record. */
export function useWayBack(): (list: string, entity: string, id: Result['id']) => void {
  const go = useGo()
  return useCallback(
    (list, entity, id) => {
      saved = id === undefined ? null : { entity, id }
      go(listAddress(list))
    },
    [go],
  )
}

/** Returns the id of the record that was saved before this list was opened; null if it is of another list. */
export function useSavedRow(entity: string): number | null {
  const [id] = useState(() => (saved?.entity === entity ? saved.id : null))
  // A list that is opened later by another way marks nothing.
  useEffect(() => {
    saved = null
  }, [])
  return id
}
