/**
 * The form's side of the separate window that can show its document: one per tab of the console. The window follows the form over a channel, and
 * stays open when the form moves to the next bill.
 */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { z } from 'zod'
import type { DocumentMark } from '../ui/preview/document-viewer.tsx'

/** The document that the window shows. */
export interface ShownDocument {
  readonly key: string
  readonly name: string
  readonly contentType: string
  readonly source: Blob
  readonly pages?: { readonly from: number; readonly to: number } | undefined
  readonly marks: readonly DocumentMark[]
  readonly activeMark: string | null
}

const mark: z.ZodType<DocumentMark> = z.object({
  id: z.string(),
  page: z.number(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  label: z.string(),
  doubtful: z.boolean().optional(),
})
/** Messages from the form to the window. */
export const toWindow = z.discriminatedUnion('say', [
  z.object({
    say: z.literal('show'),
    document: z.object({
      key: z.string(),
      name: z.string(),
      contentType: z.string(),
      source: z.instanceof(Blob),
      pages: z.object({ from: z.number(), to: z.number() }).optional(),
      marks: z.array(mark),
      activeMark: z.string().nullable(),
    }),
  }),
  z.object({ say: z.literal('close') }),
])
/** Messages from the window to the form. */
export const toForm = z.discriminatedUnion('say', [
  z.object({ say: z.literal('hello') }),
  z.object({ say: z.literal('closed') }),
  z.object({ say: z.literal('picked'), id: z.string() }),
])

/** Path of the window's page, to which the name of its channel is added. */
export const documentWindowPath = '/document_window'
/** Time (ms) after which a window without a form closes; the next form opens sooner. */
const FORSAKEN_MS = 4_000

let channel: BroadcastChannel | undefined
let shown: ShownDocument | undefined
let picked: ((id: string) => void) | undefined
let forsaken: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Keeps the window up to date while the caller is mounted. `open` is true while the document is in the window. */
export function useDocumentLink(document: ShownDocument | undefined, onPick: (id: string) => void) {
  const open = useSyncExternalStore(listen, isOpen)
  const pick = useEffectEvent(onPick)
  useEffect(() => {
    if (!document) return
    shown = document
    post()
  }, [document])
  useEffect(() => {
    clearTimeout(forsaken)
    picked = (id) => pick(id)
    return () => {
      picked = undefined
      shown = undefined
      forsaken = setTimeout(closeWindow, FORSAKEN_MS)
    }
  }, [])
  return { open, undock: openWindow, dock: closeWindow }
}

/** @returns false if the browser blocks the window. */
function openWindow(): boolean {
  if (channel) return true
  const name = `meterbook-document-${crypto.randomUUID()}`
  const opened = window.open(`${documentWindowPath}?channel=${name}`, name, 'popup,width=960,height=1100')
  if (!opened) return false
  channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => hear(data))
  window.addEventListener('pagehide', closeWindow)
  tell()
  return true
}

function closeWindow(): void {
  if (channel) sendOver(channel, { say: 'close' })
  forget()
}

function forget(): void {
  window.removeEventListener('pagehide', closeWindow)
  channel?.close()
  channel = undefined
  tell()
}

function hear(data: unknown): void {
  const heard = toForm.safeParse(data)
  if (!heard.success) return
  if (heard.data.say === 'hello') post()
  else if (heard.data.say === 'closed') forget()
  else picked?.(heard.data.id)
}

function post(): void {
  if (shown && channel) sendOver(channel, { say: 'show', document: shown })
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function isOpen(): boolean {
  return channel !== undefined
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** A channel has a single origin, so its messages need no target origin. */
export function sendOver(to: BroadcastChannel, message: object): void {
  BroadcastChannel.prototype.postMessage.call(to, message)
}
