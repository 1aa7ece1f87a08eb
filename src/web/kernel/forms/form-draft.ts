/** What was typed into a form and is not saved yet, kept in this tab: it outlives a crash, a reload and a new sign-in. */
import { z } from 'zod'
import type { FormEntity, FormValues } from './form-values.ts'
import { readCredentials, type Credentials } from '../credentials.ts'

const kept = z.record(z.string(), z.unknown())

/** Tells the other tabs who has signed out on purpose. */
const SIGNED_OUT = 'signed_out'

let signedIn: Credentials | null = null
let isOver = false

/**
 * Whose drafts this page keeps: who was signed in when it began. What is typed after the session has ended, or after another person has
 * signed in from another tab, is still theirs. Null where nobody is signed in, or the person has signed out on purpose.
 */
export function draftOwner(): string | null {
  if (isOver) return null
  const stored = readCredentials()
  if (!signedIn) globalThis.addEventListener('storage', hearSignOut)
  // The same sign-in may get another uid: one's own email can be changed.
  if (stored && (!signedIn || stored.client === signedIn.client)) signedIn = stored
  return signedIn?.uid ?? null
}

/** Keeps the changed values of the form at this address. Secrets are never kept. */
export function keepDraft(address: string, entity: Pick<FormEntity, 'fields'>, changes: FormValues): void {
  const open = Object.fromEntries(
    Object.entries(changes).filter(([key, value]) => entity.fields[key]?.kind !== 'secret' && value !== undefined),
  )
  const name = nameOf(address)
  if (name === null) return
  if (Object.keys(open).length === 0) sessionStorage.removeItem(name)
  else sessionStorage.setItem(name, JSON.stringify(open))
}

/** The kept changes, if the same person left them; keys that the form no longer has are left out. */
export function readDraft(address: string, entity: Pick<FormEntity, 'fields'>): FormValues | null {
  const name = nameOf(address)
  const text = name === null ? null : sessionStorage.getItem(name)
  if (text === null) return null
  const read = kept.safeParse(parsed(text))
  return read.success ? Object.fromEntries(Object.entries(read.data).filter(([key]) => key in entity.fields)) : null
}

export function dropDraft(address: string): void {
  const name = nameOf(address)
  if (name !== null) sessionStorage.removeItem(name)
}

/** Keeps work that is no form, such as a choice of rows, for this person in this tab; null forgets it. A full store keeps what it has. */
export function keepInTab(key: string, value: object | null): void {
  const name = nameOf(key)
  if (name === null) return
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // It is there as long as the page is.
  }
}

/** What this person left under the key in this tab; null where there is nothing. */
export function readInTab(key: string): unknown {
  const name = nameOf(key)
  const text = name === null ? null : sessionStorage.getItem(name)
  return text === null ? null : parsed(text)
}

/** Whoever signs out on purpose leaves no draft in any tab, and nothing more is kept. `forget` takes what is kept elsewhere. */
export function forgetDrafts(forget: (owner: string) => void): void {
  const owner = draftOwner()
  if (owner === null) return
  forgetOwn(owner)
  forget(owner)
  localStorage.setItem(SIGNED_OUT, owner)
  localStorage.removeItem(SIGNED_OUT)
}

function hearSignOut({ key, newValue }: StorageEvent): void {
  const owner = draftOwner()
  if (key === SIGNED_OUT && owner !== null && newValue === owner) forgetOwn(owner)
}

function forgetOwn(owner: string): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefixOf(owner))) sessionStorage.removeItem(key)
  isOver = true
}

/** Without a sign-in there is nobody to keep it for. */
function nameOf(address: string): string | null {
  const owner = draftOwner()
  return owner === null ? null : `${prefixOf(owner)}${address}`
}

/** Each person's drafts lie apart, so that nobody reads or writes over those of another. */
function prefixOf(owner: string): string {
  return `draft:${owner}:`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
