/** What was typed into a form and is not saved yet, kept in this tab: it outlives a crash, a reload and a new sign-in. */
import { z } from 'zod'
import type { FormEntity, FormValues } from './form-values.ts'
import { readCredentials } from './credentials.ts'

const kept = z.object({ uid: z.string(), changes: z.record(z.string(), z.unknown()) })

/** Keeps the changed values of the form at this address. Secrets are never kept. */
export function keepDraft(
  address: string,
  entity: Pick<FormEntity, 'fields'>,
  changes: FormValues,
  uid: string | undefined = readCredentials()?.uid,
): void {
  const open = Object.fromEntries(
    Object.entries(changes).filter(([key, value]) => entity.fields[key]?.kind !== 'secret' && value !== undefined),
  )
  // Without a sign-in there is nobody to keep it for; what was kept before stays for the person to come back.
  if (!uid) return
  if (Object.keys(open).length === 0) sessionStorage.removeItem(nameOf(address))
  else sessionStorage.setItem(nameOf(address), JSON.stringify({ uid, changes: open }))
}

/** The kept changes, if the same person left them; keys that the form no longer has are left out. */
export function readDraft(address: string, entity: Pick<FormEntity, 'fields'>): FormValues | null {
  const text = sessionStorage.getItem(nameOf(address))
  if (!text) return null
  const read = kept.safeParse(parsed(text))
  if (!read.success || read.data.uid !== readCredentials()?.uid) return null
  return Object.fromEntries(Object.entries(read.data.changes).filter(([key]) => key in entity.fields))
}

export function dropDraft(address: string): void {
  sessionStorage.removeItem(nameOf(address))
}

function nameOf(address: string): string {
  return `draft:${address}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
