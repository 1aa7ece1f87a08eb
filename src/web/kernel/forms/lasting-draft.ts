/**
 * Unsaved values of a long form, kept by the browser for the user beyond the tab, unlike those in form-draft.ts. Another tab can read them only
 * once the tab that holds them is gone, so that two tabs never write the same bill. Signing out deletes all of them.
 */
import { z } from 'zod'
import { randomId } from '../connection.ts'
import { draftOwner } from './form-draft.ts'

const PREFIX = 'lasting_draft:'
/** A tab without a sign of life for this long (ms) counts as closed; background tabs are woken once a minute. */
const HELD_MS = 130_000
/** Interval (ms) at which a tab gives a sign of life. */
export const SIGN_EVERY_MS = 20_000
/** Older drafts are dropped, because users do not return to them. */
const KEPT_MS = 30 * 24 * 3_600_000

const holder = randomId()
const kept = z.object({ holder: z.string(), seen: z.number(), typed_at: z.number(), value: z.unknown() })
type Kept = z.infer<typeof kept>

/** Keeps a JSON value. Never for secrets. */
export function keepLasting(name: string, value: unknown): void {
  write(name, { holder, seen: Date.now(), typed_at: Date.now(), value })
}

/** Returns what this user left under the name, unless another tab still holds it. */
export function readLasting(name: string): unknown {
  const found = read(name)
  if (!found) return null
  if (Date.now() - found.typed_at > KEPT_MS) return dropLasting(name)
  return isElsewhere(found) ? null : found.value
}

/** Records that this tab still holds its draft, or that it releases it. */
export function signLasting(name: string, isHere: boolean): void {
  const found = read(name)
  if (found?.holder === holder) write(name, { ...found, seen: isHere ? Date.now() : 0 })
}

/** Deletes the kept draft unless another tab still holds it: an empty form in one tab must not delete the draft of another. */
export function dropLasting(name: string): null {
  const key = keyOf(name)
  const found = read(name)
  if (found && isElsewhere(found)) return null
  if (key !== null) localStorage.removeItem(key)
  return null
}

/** Deletes the drafts of a user who signs out; other users' drafts stay. */
export function forgetLasting(owner: string): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(`${PREFIX}${owner}:`)) localStorage.removeItem(key)
}

function isElsewhere(found: Kept): boolean {
  return found.holder !== holder && Date.now() - found.seen < HELD_MS
}

function read(name: string): Kept | null {
  const key = keyOf(name)
  const text = key === null ? null : localStorage.getItem(key)
  if (text === null) return null
  try {
    return kept.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function write(name: string, value: Kept): void {
  const key = keyOf(name)
  if (key === null) return
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // If the storage is full, the old value stays; the tab's own draft exists anyway.
  }
}

/** Returns the storage key of the user's draft; null without a sign-in, because a draft needs an owner. */
function keyOf(name: string): string | null {
  const owner = draftOwner()
  return owner === null ? null : `${PREFIX}${owner}:${name}`
}
