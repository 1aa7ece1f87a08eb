/**
 * What was typed into a long form, kept by the browser for its person: it outlives the tab, which form-draft.ts does not. Another tab gets
 * it only when the one that keeps it is gone, so that two tabs never write the same bill. Signing out forgets all of it.
 */
import { z } from 'zod'
import { randomId } from '../connection.ts'
import { draftOwner } from './form-draft.ts'

const PREFIX = 'lasting_draft:'
/** A tab that gave no sign for this long (ms) is gone; tabs in the background are woken once a minute. */
const HELD_MS = 130_000
/** How often (ms) a tab gives a sign. */
export const SIGN_EVERY_MS = 20_000
/** Nobody comes back to an older one. */
const KEPT_MS = 30 * 24 * 3_600_000

const holder = randomId()
const kept = z.object({ holder: z.string(), seen: z.number(), typed_at: z.number(), value: z.unknown() })
type Kept = z.infer<typeof kept>

/** Keeps a value that can be written as JSON. Never for secrets. */
export function keepLasting(name: string, value: unknown): void {
  write(name, { holder, seen: Date.now(), typed_at: Date.now(), value })
}

/** What this person left under the name, unless another tab still holds it. */
export function readLasting(name: string): unknown {
  const found = read(name)
  if (!found) return null
  if (Date.now() - found.typed_at > KEPT_MS) return dropLasting(name)
  return isElsewhere(found) ? null : found.value
}

/** Says that this tab still holds what it keeps, or that it goes. */
export function signLasting(name: string, isHere: boolean): void {
  const found = read(name)
  if (found?.holder === holder) write(name, { ...found, seen: isHere ? Date.now() : 0 })
}

/** Forgets what was kept, but for what another tab still holds: an empty form beside a full one must not empty that. */
export function dropLasting(name: string): null {
  const key = keyOf(name)
  const found = read(name)
  if (found && isElsewhere(found)) return null
  if (key !== null) localStorage.removeItem(key)
  return null
}

/** Whoever signs out leaves nothing behind; what others keep here is theirs. */
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
    // A full store keeps what it has; the tab's own draft is there all the same.
  }
}

/** Without a sign-in there is nobody to keep it for. */
function keyOf(name: string): string | null {
  const owner = draftOwner()
  return owner === null ? null : `${PREFIX}${owner}:${name}`
}
