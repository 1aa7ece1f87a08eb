/** Unsaved values of a form, kept in this tab over a crash, a reload and a new sign-in. */
import { z } from 'zod'
import type { FormEntity, FormValues } from './form-values.ts'
import { readCredentials, type Credentials } from '../credentials.ts'

const kept = z.record(z.string(), z.unknown())

/** Notifies the other tabs that a user has signed out on purpose. */
const SIGNED_OUT = 'signed_out'

let signedIn: Credentials | null = null
let isOver = false

/**
 * Returns the uid of the user whose drafts this page keeps: the one signed in when the page loaded. Values typed after the session ended, or
 * after another user signed in from another tab, still belong to that user. Null if no user is signed in, or the user has signed out on purpose.
 */
export function draftOwner(): string | null {
  if (isOver) return null
  const stored = readCredentials()
  if (!signedIn) globalThis.addEventListener('storage', hearSignOut)
  // One sign-in may get another uid, because users can change their own email.
  if (stored && (!signedIn || stored.client === signedIn.client)) signedIn = stored
  return signedIn?.uid ?? null
}

/** Keeps the changed values of the form at this address, but never secrets. */
export function keepDraft(address: string, entity: Pick<FormEntity, 'fields'>, changes: FormValues): void {
  const open = Object.fromEntries(
    Object.entries(changes).filter(([key, value]) => entity.fields[key]?.kind !== 'secret' && value !== undefined),
  )
  const name = nameOf(address)
  if (name === null) return
  if (Object.keys(open).length === 0) sessionStorage.removeItem(name)
  else sessionStorage.setItem(name, JSON.stringify(open))
}

/** Returns the kept changes if the same user left them, without keys that the form no longer has. */
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

/**
 * Keeps other work than forms, such as a selection of rows, for this user in this tab; null deletes it. If the storage is full, the old value
 * stays.
 */
export function keepInTab(key: string, value: object | null): void {
  const name = nameOf(key)
  if (name === null) return
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // The value still lives as long as the page.
  }
}

/** Returns what this user left under the key in this tab, or null. */
export function readInTab(key: string): unknown {
  const name = nameOf(key)
  const text = name === null ? null : sessionStorage.getItem(name)
  return text === null ? null : parsed(text)
}

/** After a sign-out on purpose, no draft is left in any tab and none is kept from then on. `forget` deletes what is kept elsewhere. */
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

/** Returns the storage name of the user's draft; null without a sign-in, because a draft needs an owner. */
function nameOf(address: string): string | null {
  const owner = draftOwner()
  return owner === null ? null : `${prefixOf(owner)}${address}`
}

/** Drafts are stored per user, so that users never read or overwrite each other's. */
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
