/**
 * The live channel: one stream per window, read with the three headers. It reconnects by itself, shows each message as a notice, counts it for
 * the bell and reloads the lists that it concerns.
 */
import { liveMessage, notificationCalls, taskProgress, type LiveEvent, type TaskProgress } from '#contract/notifications/notification.ts'
import { notify } from '../../ui/dialogs/notices.ts'
import { API_BASE, callApi, sessionHeaders } from '../api.ts'
import { connectionId } from '../connection.ts'
import { hereAddress, leaveForSignIn, readCredentials, takeRenewed } from '../credentials.ts'
import { readFrames, type LiveFrame } from './live-stream.ts'
import { seconds } from './messages.ts'
import { readAgain, refresh } from '../query.ts'

/** Delay (ms) before the first reconnection, doubled each time up to the longest. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** The server sends a sign of life every 20 s; a stream that is silent for longer (ms) is dead. */
const SILENCE_MS = 50_000

export type { LiveEvent, TaskProgress } from '#contract/notifications/notification.ts'

export type LiveState = 'off' | 'connecting' | 'open' | 'lost'

/** Groups of the cache that a message concerns, by its type. */
const groupsOfType: Readonly<Record<string, readonly string[]>> = {
  generated_report: ['generated_reports'],
  accounting_batch_upload_file: ['accounting_batches'],
  accounting_batch_invoice: ['accounting_batches'],
  bill_documents: ['bill_documents'],
  bill_finding: ['bill_findings', 'bills'],
  reaudit_bills: ['bill_findings', 'bills', 'audit_settings', 'tasks'],
  csv_export: ['tasks'],
  retrieval_import: ['tasks'],
  payment_paper: ['tasks'],
}

let state: LiveState = 'off'
/** Ids of the messages that arrived since the bell was last opened. */
let unseen: ReadonlySet<number> = new Set()
let stopRunning: (() => void) | null = null
const stateListeners = new Set<() => void>()
const messageListeners = new Set<(message: LiveEvent) => void>()
const progressListeners = new Set<(progress: TaskProgress) => void>()

/** Opens this window's stream; a second call has no effect. Returns a function that closes it. */
export function startLive(): () => void {
  if (stopRunning) return stopRunning
  const abort = new AbortController()
  stopRunning = () => {
    abort.abort()
    stopRunning = null
    setState('off')
  }
  void keepOpen(abort.signal)
  return stopRunning
}

export function liveState(): LiveState {
  return state
}

/** Returns the number of messages since the bell was last opened. */
export function unseenCount(): number {
  return unseen.size
}

/** Called when the bell opens: resets the count here and on the server, so that the next window does not count these messages either. */
export function markSeen(): void {
  const last = Math.max(0, ...unseen)
  unseen = new Set()
  tell()
  if (last > 0)
    void callApi(notificationCalls.seen, { body: { up_to_id: last } }).catch((error: unknown) =>
      console.warn('the bell could not be marked as seen', error),
    )
}

export function subscribeLive(listener: () => void): () => void {
  stateListeners.add(listener)
  return () => stateListeners.delete(listener)
}

/** Calls the listener for every message, after it was shown and counted. */
export function onLiveMessage(listener: (message: LiveEvent) => void): () => void {
  messageListeners.add(listener)
  return () => messageListeners.delete(listener)
}

/** Calls the listener with the progress of tasks. */
export function onLiveProgress(listener: (progress: TaskProgress) => void): () => void {
  progressListeners.add(listener)
  return () => progressListeners.delete(listener)
}

async function keepOpen(stop: AbortSignal): Promise<void> {
  let wait = FIRST_WAIT_MS
  let lastId: string | undefined
  while (!stop.aborted) {
    const wasLost = state === 'lost'
    if (!wasLost) setState('connecting')
    const opened = await readStream(stop, lastId, (id) => (lastId = id), wasLost)
    if (stop.aborted) return
    if (!readCredentials()) return setState('off')
    if (opened) wait = FIRST_WAIT_MS
    setState('lost')
    await pause(wait * (0.75 + Math.random() / 2), stop)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
}

/** Reads one stream to its end; resolves to whether it was opened at all. */
async function readStream(stop: AbortSignal, lastId: string | undefined, onId: (id: string) => void, isReturn: boolean): Promise<boolean> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  try {
    const sentUid = readCredentials()?.uid
    const response = await fetch(`${API_BASE}/live?connection_id=${connectionId}`, {
      headers: { ...sessionHeaders(), accept: 'text/event-stream', ...(lastId ? { 'last-event-id': lastId } : {}) },
      signal: AbortSignal.any([stop, silence.signal]),
      cache: 'no-store',
    })
    takeRenewed(response.headers, sentUid)
    if (response.status === 401) leaveForSignIn(hereAddress())
    if (!response.ok || !response.body) return false
    setState('open')
    // Changes during the interruption are not sent again, so the visible data is loaded again.
    if (isReturn) void readAgain({ refetchType: 'active' })
    for await (const frame of readFrames(response.body.pipeThrough(watched(alive)))) {
      if (frame.id) onId(frame.id)
      hear(frame)
    }
    return true
  } catch {
    return state === 'open'
  } finally {
    clearTimeout(timer)
  }
}

/** Passes bytes through and reports that some arrived: comments are a sign of life too. */
function watched(alive: () => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform: (chunk, controller) => {
      alive()
      controller.enqueue(chunk)
    },
  })
}

function hear(frame: LiveFrame): void {
  const data = jsonOf(frame.data)
  if (frame.event === 'progress') {
    const progress = taskProgress.safeParse(data)
    if (progress.success) for (const listener of progressListeners) listener(progress.data)
    return
  }
  const heard = liveMessage.safeParse(data)
  if (heard.success) receive(heard.data)
  else console.warn('a live message could not be read', heard.error.message)
}

/** Handles one message: counts it unless muted, shows it unless it was missed, and reloads what it concerns. Repeats are recognized by id. */
export function receive(message: LiveEvent): void {
  if (unseen.has(message.id)) return
  if (!message.muted) {
    unseen = new Set([...unseen, message.id])
    if (!message.missed) say(message)
  }
  refresh('notifications', ...(groupsOfType[message.type] ?? []))
  for (const listener of messageListeners) listener(message)
  tell()
}

/** Shows a toast for less than a second, of the kind that the message names; one with the error flag stays until it is closed. */
function say(message: LiveEvent): void {
  const description = message.description.join(' ')
  notify({
    kind: message.error ? 'error' : message.notification_type,
    title: message.message,
    ...(description ? { message: description } : {}),
    ...(message.link ? { link: { href: message.link, label: linkLabel(message.link) } } : {}),
    duration: message.error ? seconds.live_error : seconds.live,
  })
}

/** Returns 'Download' for a file, 'Open' for a page. */
export function linkLabel(link: string): string {
  return link.startsWith(`${API_BASE}/`) || /^https?:/.test(link) ? 'Download' : 'Open'
}

function setState(next: LiveState): void {
  if (state === next) return
  state = next
  tell()
}

function tell(): void {
  for (const listener of stateListeners) listener()
}

/** Waits this long, or until the connection is back or the channel is closed. */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      globalThis.removeEventListener('online', done)
      stop.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    globalThis.addEventListener('online', done)
    stop.addEventListener('abort', done)
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
