/** Keeps the unsaved values of a form: in its tab, and for a long form in the browser too. */
import { z } from 'zod'
import { dropDraft, keepDraft, readDraft } from './form-draft.ts'
import type { FormEntity, FormValues } from './form-values.ts'
import { dropLasting, keepLasting, readLasting } from './lasting-draft.ts'

export interface KeptForm {
  readonly changes: FormValues
  /** The version that the changes are based on; undefined if only this tab keeps them. */
  readonly lock_version?: number | undefined
}

export interface KeptPlace {
  readonly address: string
  readonly entity: Pick<FormEntity, 'fields'>
  /** Kept beyond the tab. */
  readonly lasting: boolean
}

const kept = z.object({ changes: z.record(z.string(), z.unknown()), lock_version: z.int().optional() })

export function readKeptForm({ address, entity, lasting }: KeptPlace): KeptForm | null {
  const found = lasting ? kept.safeParse(readLasting(lastingName(address))) : null
  const inTab = readDraft(address, entity)
  if (inTab) return { changes: inTab, lock_version: found?.data?.lock_version }
  if (!found?.success) return null
  const known = Object.entries(found.data.changes).filter(([key]) => key in entity.fields)
  return { changes: Object.fromEntries(known), lock_version: found.data.lock_version }
}

export function keepForm({ address, entity, lasting }: KeptPlace, changes: FormValues, lockVersion: number | undefined): void {
  keepDraft(address, entity, changes)
  const isSecret = Object.keys(changes).some((key) => entity.fields[key]?.kind === 'secret')
  if (lasting && !isSecret) keepLasting(lastingName(address), { changes, lock_version: lockVersion })
}

export function dropKeptForm({ address, lasting }: Pick<KeptPlace, 'address' | 'lasting'>): void {
  dropDraft(address)
  if (lasting) dropLasting(lastingName(address))
}

export function lastingName(address: string): string {
  return `form ${address}`
}
