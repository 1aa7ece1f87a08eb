/** What is typed into the form and not saved: kept over a crash, a reload, a new sign-in and a closed tab. */
import { useEffect, useEffectEvent } from 'react'
import { dropDraft, keepDraft, readDraft } from '../../kernel/form-draft.ts'
import { dropLasting, keepLasting, readLasting, SIGN_EVERY_MS, signLasting } from '../../kernel/lasting-draft.ts'
import { keptBill, keptFields, type KeptBill } from './bill-values.ts'

/** A draft is kept after this pause (ms). */
const DRAFT_PAUSE_MS = 400

/** What was typed under this name and is not saved yet. */
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

/** Keeps what is not saved yet, after a pause. */
export function useKeptBill(name: string, dirty: boolean, kept: KeptBill): void {
  const keep = useEffectEvent((text: string) => (text === '' ? dropKeptBill(name) : keepBill(name, kept)))
  const text = dirty ? JSON.stringify(kept.values) : ''
  useEffect(() => {
    const timer = setTimeout(() => keep(text), DRAFT_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    const timer = setInterval(() => signLasting(name, true), SIGN_EVERY_MS)
    const leave = () => signLasting(name, false)
    const comeBack = () => signLasting(name, true)
    globalThis.addEventListener('pagehide', leave)
    globalThis.addEventListener('pageshow', comeBack)
    return () => {
      clearInterval(timer)
      leave()
      globalThis.removeEventListener('pagehide', leave)
      globalThis.removeEventListener('pageshow', comeBack)
    }
  }, [name])
}
