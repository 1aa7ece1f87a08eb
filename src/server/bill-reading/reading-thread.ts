/**
 * The one thread of this process that reads documents, started on demand. A document that fills its heap ends the thread and not the
 * process.
 */
import { Worker } from 'node:worker_threads'
import { ReadingError, stoppedReading, tooMuchMemory } from './reading-error.ts'
import type { ReadingAnswer, ReadingQuestion, ReadingReply } from './reading-message.ts'

/** Heap of the thread; bytes of files and pictures are outside it. */
const HEAP_MIB = 512

const state: { thread: Worker | null; lastId: number } = { thread: null, lastId: 0 }

/** Sends one question; the next must wait for the answer. The question's bytes are transferred to the thread. Throws ReadingError. */
export async function askThread(question: ReadingQuestion, signal?: AbortSignal): Promise<Exclude<ReadingReply, { kind: 'fault' }>> {
  const reply = await (question.kind === 'cut' ? askOnce(question, signal) : ask(openThread(), question, signal))
  if (reply.kind === 'fault') throw new ReadingError(reply.fault, reply.message)
  return reply
}

/** Ends the thread, if there is one; its current request fails with a ReadingError. */
export async function stopReading(): Promise<void> {
  const { thread } = state
  state.thread = null
  await thread?.terminate()
}

/** An idle thread does not keep the process alive. */
export function restThread(): void {
  state.thread?.unref()
}

/** The library that cuts is another version of the one that reads, and the two are incompatible in one thread. */
async function askOnce(question: ReadingQuestion, signal: AbortSignal | undefined): Promise<ReadingAnswer> {
  const thread = newThread(new URL('./cut-worker.ts', import.meta.url))
  try {
    return await ask(thread, question, signal)
  } finally {
    await thread.terminate()
  }
}

function ask(thread: Worker, question: ReadingQuestion, signal: AbortSignal | undefined): Promise<ReadingAnswer> {
  if (signal?.aborted === true) return Promise.reject(stoppedReading())
  thread.ref()
  const id = (state.lastId += 1)
  const settled = new AbortController()
  return new Promise<ReadingAnswer>((resolve, reject) => {
    const onMessage = (answer: ReadingAnswer): void => {
      if (answer.id === id) resolve(answer)
    }
    const onError = (error: unknown): void => reject(isOutOfMemory(error) ? tooMuchMemory() : stoppedReading())
    const onExit = (): void => reject(stoppedReading())
    const onAbort = (): void => {
      reject(stoppedReading())
      void stopReading()
    }
    thread.on('message', onMessage)
    thread.on('error', onError)
    thread.on('exit', onExit)
    signal?.addEventListener('abort', onAbort, { once: true, signal: settled.signal })
    settled.signal.addEventListener('abort', () => thread.off('message', onMessage).off('error', onError).off('exit', onExit))
    thread.postMessage({ id, ...question }, question.kind === 'page' ? [] : [question.bytes.buffer])
  }).finally(() => settled.abort())
}

function openThread(): Worker {
  if (state.thread) return state.thread
  const thread = newThread(new URL('./read-worker.ts', import.meta.url))
  thread.once('exit', () => {
    if (state.thread === thread) state.thread = null
  })
  state.thread = thread
  return thread
}

function newThread(script: URL): Worker {
  const thread = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } })
  return thread.on('error', () => undefined)
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
