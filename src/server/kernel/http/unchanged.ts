/**
 * A record may be sent back as it was read. Fields that a body may not set are compared with the answer of the call that reads the record:
 * an unchanged field is ignored, and a changed one is refused by name.
 */
import { labelOf } from '#contract/kernel/messages.ts'
import type { ZodError, z } from 'zod'
import { invalid } from '../problem.ts'

type Known = Readonly<Record<string, unknown>>
type Issue = z.core.$ZodIssue

/** Reads the record as it is answered now; undefined if the caller may not read it. */
export type ReadAnswer = () => Promise<unknown>

/**
 * Returns the body without the fields that only repeat the answer. Throws 422 naming those that it changes. Returns undefined if the error
 * only concerns fields that a body may set.
 */
export async function withoutUnchanged(body: unknown, error: ZodError, readAnswer: ReadAnswer): Promise<unknown> {
  const parts = error.issues.flatMap(partsAt)
  // A body that was not JSON arrives unchanged, as a stream.
  if (!isKnown(body) || Object.getPrototypeOf(body) !== Object.prototype || parts.length === 0) return undefined
  const answer: unknown = JSON.parse(JSON.stringify((await readAnswer()) ?? null))
  if (!isKnown(answer)) return undefined
  const kept = structuredClone(body)
  const faults: Record<string, string[]> = {}
  for (const { path, isUnknown } of parts) {
    const [key = '', ...above] = path.toReversed()
    const holder = at(kept, above.toReversed())
    const stored = storedAt(answer, kept, above.toReversed())
    if (!isKnown(holder) || !Object.hasOwn(holder, key)) continue
    const isAnswered = isKnown(stored) && Object.hasOwn(stored, key)
    if (isAnswered && ((key !== 'lock_version' && isStale(kept, answer, path[0])) || isSame(holder[key], stored[key])))
      Reflect.deleteProperty(holder, key)
    else if (isAnswered && isUnknown) faults[path.slice(1).join('.') || key] = [`${labelOf(key)} cannot be changed`]
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return kept
}

interface Part {
  readonly path: readonly string[]
  /** True if no body has this key; otherwise the key is known and its value is invalid. */
  readonly isUnknown: boolean
}

/** Returns the parts that an issue concerns: each unknown key, or the field of the record that is wrong. */
function partsAt(issue: Issue): Part[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ path: [...path, key], isUnknown: true }))
  return path.length < 2 ? [] : [{ path: path.slice(0, 2), isUnknown: false }]
}

/** A caller with an older version gets the stale error, which says what has changed since. */
function isStale(body: Known, answer: Known, envelope = ''): boolean {
  const [sent, stored] = [at(body, [envelope, 'lock_version']), at(answer, [envelope, 'lock_version'])]
  return typeof sent === 'number' && typeof stored === 'number' && sent !== stored
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isHolder(inner) ? Reflect.get(inner, key) : undefined), value)
}

/** Returns the same place in the answer. Children are matched by id: `lines_attributes.0` with the id 7 is the line 7 of `lines`. */
function storedAt(answer: Known, body: Known, path: readonly string[]): unknown {
  let [sent, stored]: [unknown, unknown] = [body, answer]
  for (const key of path) {
    sent = at(sent, [key])
    stored = Array.isArray(stored) ? childOf(stored, sent) : at(stored, [key.replace(/_attributes$/, '')])
  }
  return stored
}

function childOf(stored: readonly unknown[], sent: unknown): unknown {
  const id = at(sent, ['id'])
  return id === undefined ? undefined : stored.find((one) => at(one, ['id']) === id)
}

/** Compares as JSON, whatever the order of the keys. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((inner, place) => isSame(inner, other[place]))
  if (!isKnown(one) || !isKnown(other)) return one === other
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isKnown(value: unknown): value is Record<string, unknown> {
  return isHolder(value) && !Array.isArray(value)
}
