/** Keeps the unsaved values of the form over a crash, a reload, a new sign-in and a closed tab. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { dropDraft, keepDraft, readDraft } from '../kernel/forms/form-draft.ts'
import { dropLasting, keepLasting, readLasting } from '../kernel/forms/lasting-draft.ts'
import { useHeldDraft } from '../kernel/forms/use-held-draft.ts'
import { keptBill, keptFields, type BillValues, type KeptBill } from './bill-values.ts'

/** A draft is kept after this pause (ms). */
const DRAFT_PAUSE_MS = 400

/** Returns the unsaved draft that is kept under this name. */
export function readKeptBill(name: string): KeptBill | null {
  const read = keptBill.safeParse(readDraft(name, keptFields)?.['bill'] ?? readLasting(name))
  return read.success ? read.data : null
}

export function keepBill(name: string, kept: KeptBill): void {
  keepDraft(name, keptFields, { bill: kept })
  keepLasting(name, kept)
}

export function dropKeptBill(name: string): void {
  dropDraft(name)
  dropLasting(name)
}

/** Keeps the draft after a pause and when the page goes away, because a session can end without warning. Null keeps nothing. */
export function useKeptBill(name: string, kept: KeptBill | null): void {
  // A form that was not typed into must not drop the draft of another tab with the same name.
  const isKept = useRef(false)
  const keep = useEffectEvent((values: BillValues | null) => {
    if (kept !== null && values !== null) keepBill(name, { ...kept, values })
    else if (isKept.current) dropKeptBill(name)
    isKept.current = values !== null
  })
  const keepLast = () => keep(kept?.values ?? null)
  const values = kept?.values ?? null
  useEffect(() => {
    const timer = setTimeout(() => keep(values), DRAFT_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [values])
  useHeldDraft(name, keepLast)
}
