/**
 * What this person chose lately in a picker, kept by the browser: ids alone, so that a name that changed, or that may not be read any more,
 * is not shown from here. Signing out forgets them.
 */
import { z } from 'zod'
import { draftOwner } from './form-draft.ts'

const PREFIX = 'recent_choices:'
/** Records that a picker shows as recent. */
const RECENT_LIMIT = 5

const ids = z.array(z.int().positive())

/** The ids chosen lately, the latest first. A kind is a picker's key: it names the entity and its client. */
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
    // A full store keeps what it has: recent choices save keys, and nothing hangs on them.
  }
}

/** Whoever signs out leaves nothing behind. */
export function forgetChoices(owner: string): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(`${PREFIX}${owner}:`)) localStorage.removeItem(key)
}

function nameOf(kind: string): string | null {
  const owner = draftOwner()
  return owner === null ? null : `${PREFIX}${owner}:${kind}`
}
