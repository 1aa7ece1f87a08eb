/**
 * The user's recent choices in a picker, kept by the browser. Only ids are kept, so that a name which has changed, or which the user may no
 * longer read, is never shown from here. Signing out deletes them.
 */
import { z } from 'zod'
import { draftOwner } from './form-draft.ts'

const PREFIX = 'recent_choices:'
/** Number of records that a picker shows as recent. */
const RECENT_LIMIT = 5

const ids = z.array(z.int().positive())

/** Returns the recently chosen ids, latest first. A kind is a picker's key: it names the entity and its client. */
export function recentChoices(kind: string): readonly number[] {
  const name = nameOf(kind)
  const text = name === null ? null : localStorage.getItem(name)
  if (text === null) return []
  try {
    return ids.parse(JSON.parse(text)).slice(0, RECENT_LIMIT)
  } catch {
    return []
  }
}

export function rememberChoice(kind: string, id: number): void {
  const name = nameOf(kind)
  if (name === null || !Number.isSafeInteger(id) || id <= 0) return
  const kept = [id, ...recentChoices(kind).filter((one) => one !== id)].slice(0, RECENT_LIMIT)
  try {
    localStorage.setItem(name, JSON.stringify(kept))
  } catch {
    // If the storage is full, the old value stays: recent choices only save keystrokes.
  }
}

/** Deletes the choices of a user who signs out. */
export function forgetChoices(owner: string): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(`${PREFIX}${owner}:`)) localStorage.removeItem(key)
}

function nameOf(kind: string): string | null {
  const owner = draftOwner()
  return owner === null ? null : `${PREFIX}${owner}:${kind}`
}
