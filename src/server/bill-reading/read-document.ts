/**
 * Reads the words of a document in a thread of its own, one document after the other: a document that hangs, or fills the memory, ends its
 * thread and not the process. Nothing leaves the machine.
 */
import { Worker } from 'node:worker_threads'
import { readBytesMax, readPagesMax, type DocumentWords } from '#contract/bill-reading.ts'
import { ReadingError } from './reading-error.ts'
import type { ReadingAnswer, ReadingRequest } from './reading-message.ts'

/** Longest silence of the thread between two pages. */
const PAGE_SECONDS = 90
/** The thread's own heap; pictures lie outside it and are bounded by their dots. */
const HEAP_MIB = 512
/** An idle thread is ended: the letters' data takes 200 MiB. */
const IDLE_SECONDS = 60

export interface ReadingOptions {
  /** Pages of the file, both included; all without. */
  readonly fromPage?: number
  readonly toPage?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
  /** Seconds a page may take. */
  readonly pageSeconds?: number
}

/** Words with their places, of a PDF, PNG or JPEG. Throws ReadingError, whose message is for the person who waits. */
export async function readDocument(bytes: Uint8Array, options: ReadingOptions = {}): Promise<DocumentWords> {
  if (bytes.byteLength > readBytesMax) {
    throw new ReadingError('too_large', `The document is larger than ${readBytesMax / 1_048_576} MB.`)
  }
  const turn = queue.then(() => runOne(bytes, options))
  queue = turn.then(nothing, nothing)
  return turn
}

/** Ends the thread, if there is one; what it was reading fails with a ReadingError. */
export async function stopReading(): Promise<void> {
  const { thread } = state
  state.thread = null
  await thread?.terminate()
}

const nothing = (): void => undefined
let queue: Promise<void> = Promise.resolve()
const state: { thread: Worker | null; idle: NodeJS.Timeout | null; lastId: number } = { thread: null, idle: null, lastId: 0 }

function openThread(): Worker {
  if (state.idle !== null) clearTimeout(state.idle)
  if (state.thread) return state.thread
  const thread = new Worker(new URL('./read-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } })
  thread.once('exit', () => {
    if (state.thread === thread) state.thread = null
  })
  thread.on('error', nothing)
  state.thread = thread
  return thread
}

function closeWhenIdle(): void {
  state.thread?.unref()
  state.idle = setTimeout(() => void stopReading(), IDLE_SECONDS * 1_000).unref()
}

function runOne(bytes: Uint8Array, options: ReadingOptions): Promise<DocumentWords> {
  if (options.signal?.aborted) throw new ReadingError('stopped', 'Reading was stopped.')
  const thread = openThread()
  thread.ref()
  const id = (state.lastId += 1)
  // The thread takes the bytes away, so it gets a copy; a slice of a Buffer would be none.
  const copy = new Uint8Array(bytes)
  const request: ReadingRequest = {
    id,
    bytes: copy,
    from_page: options.fromPage ?? 1,
    to_page: options.toPage ?? null,
    pages_max: readPagesMax,
  }
  return new Promise<DocumentWords>((resolve, reject) => {
    const end = (error: ReadingError): void => {
      reject(error)
      void stopReading()
    }
    const seconds = options.pageSeconds ?? PAGE_SECONDS
    const tooSlow = setTimeout(
      () => end(new ReadingError('too_slow', `A page took longer than ${seconds} seconds to read.`)),
      seconds * 1_000,
    )
    const onExit = (): void => reject(new ReadingError('stopped', 'Reading was stopped: the document may need too much memory.'))
    const onAbort = (): void => end(new ReadingError('stopped', 'Reading was stopped.'))
    const onMessage = (answer: ReadingAnswer): void => {
      if (answer.id !== id) return
      if (answer.kind === 'words') resolve(answer.words)
      else if (answer.kind === 'fault') reject(new ReadingError(answer.fault, answer.message))
      else {
        tooSlow.refresh()
        options.onProgress?.(answer.done, answer.total)
      }
    }
    const settle = (): void => {
      clearTimeout(tooSlow)
      thread.off('message', onMessage)
      thread.off('exit', onExit)
      options.signal?.removeEventListener('abort', onAbort)
    }
    ends.set(id, settle)
    thread.on('message', onMessage)
    thread.once('exit', onExit)
    options.signal?.addEventListener('abort', onAbort, { once: true })
    thread.postMessage(request, [copy.buffer])
  }).finally(() => {
    ends.get(id)?.()
    ends.delete(id)
    closeWhenIdle()
  })
}

const ends = new Map<number, () => void>()
