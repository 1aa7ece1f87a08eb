/**
 * Queue of uploads to the inbox. It belongs to the window and not to the page, so that navigating loses none. Each document is one request with
 * one intent: if it is sent again because the response was lost, it is accepted only once.
 */
import { useMemo, useSyncExternalStore } from 'react'
import { scanKinds, type ReceivedScan } from '#contract/bill-scans/bill-scan.ts'
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import { acceptOf, uploadBytesMax } from '#contract/uploads/upload-kinds.ts'
import { callApi } from '../kernel/api.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { problemWords } from '../kernel/notices/notices.ts'
import { patiently, type Held } from '../kernel/patiently.ts'
import { refresh } from '../kernel/query.ts'
import { accepts } from '../ui/fields/accepts.ts'
import { kindsText } from '../ui/fields/file-field.tsx'

export interface Upload {
  /** Also the idempotency key. */
  readonly key: string
  readonly clientId: number
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'taken' | 'refused'
  readonly held: Held | null
  readonly reason: string | null
  /** Whether a retry may help. */
  readonly passing: boolean
  readonly received: ReceivedScan | null
}

/** Number of parallel uploads; more would only share the bandwidth. */
const AT_ONCE = 3
/** Interval (ms) at which the list is refreshed while documents arrive. */
const REFRESH_MS = 1_000
export const accepted = acceptOf(scanKinds)

let uploads: readonly Upload[] = []
let working = 0
let refreshing: ReturnType<typeof setTimeout> | null = null
const listeners = new Set<() => void>()

/** Returns the uploads to this client's inbox since the results were last dismissed. */
export function useUploads(clientId: number): readonly Upload[] {
  const all = useSyncExternalStore(listen, () => uploads)
  return useMemo(() => all.filter((one) => one.clientId === clientId), [all, clientId])
}

export function addUploads(clientId: number, files: readonly File[]): void {
  const added = files.map((file): Upload => {
    const reason = whyNot(file)
    const state = reason === null ? 'waiting' : 'refused'
    return { key: crypto.randomUUID(), clientId, file, state, held: null, reason, passing: false, received: null }
  })
  set([...uploads, ...added])
  work()
}

/** Retries the uploads that did not get through. */
export function retryUploads(clientId: number): void {
  set(
    uploads.map((one) =>
      one.clientId === clientId && one.state === 'refused' && one.passing ? { ...one, state: 'waiting', reason: null } : one,
    ),
  )
  work()
}

/** Dismisses the results; running uploads stay. */
export function clearUploads(clientId: number): void {
  set(uploads.filter((one) => one.clientId !== clientId || one.state === 'waiting' || one.state === 'sending'))
}

function whyNot(file: File): string | null {
  if (!accepts(accepted, file)) return `only ${kindsText(accepted)} can be read.`
  return file.size > uploadBytesMax ? `it has more than ${uploadBytesMax / 1_048_576} MB.` : null
}

function work(): void {
  while (working < AT_ONCE && uploads.some(({ state }) => state === 'waiting')) {
    working += 1
    void sendNext().finally(() => {
      working -= 1
      work()
    })
  }
}

async function sendNext(): Promise<void> {
  const next = uploads.find(({ state }) => state === 'waiting')
  if (!next) return
  const { key, clientId, file } = next
  change(key, { state: 'sending' })
  const send = () => callApi(billScanCalls.upload, { params: { client_id: clientId }, body: { file }, intent: key })
  try {
    change(key, { state: 'taken', received: await patiently(send, (held) => change(key, { held })) })
    refreshSoon()
  } catch (error) {
    const { title, message } = problemWords(error)
    change(key, { state: 'refused', held: null, reason: message ?? title, passing: error instanceof ApiProblem && error.passing })
  }
}

function refreshSoon(): void {
  refreshing ??= setTimeout(() => {
    refreshing = null
    refresh('bill_scans')
  }, REFRESH_MS)
}

function change(key: string, to: Partial<Upload>): void {
  set(uploads.map((one) => (one.key === key ? { ...one, ...to } : one)))
}

function set(next: readonly Upload[]): void {
  uploads = next
  // Closing the window would lose unsent files, so the browser asks first.
  const isSending = next.some(({ state }) => state === 'waiting' || state === 'sending')
  if (isSending) globalThis.addEventListener('beforeunload', ask)
  else globalThis.removeEventListener('beforeunload', ask)
  for (const listener of listeners) listener()
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
