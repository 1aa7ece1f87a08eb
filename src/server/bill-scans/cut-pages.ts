/** Cuts pages out of a PDF in a thread of its own: a file of many megabytes must not hold up the process, and a broken one may not end it. */
import { Worker } from 'node:worker_threads'

/** Seconds after which cutting is given up. */
const CUT_SECONDS = 120
const HEAP_MIB = 512

export interface CutRequest {
  readonly bytes: Uint8Array
  /** Counted from 1, both included. */
  readonly from: number
  readonly to: number
}
export type CutAnswer =
  | { readonly kind: 'pages'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'fault'; readonly message: string }

/** The pages as a PDF of their own, with their text. Throws where the file cannot be taken apart. */
export async function cutPages(request: CutRequest, signal: AbortSignal): Promise<Uint8Array> {
  const thread = new Worker(new URL('./cut-worker.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      const ended = AbortSignal.any([signal, AbortSignal.timeout(CUT_SECONDS * 1_000)])
      ended.addEventListener('abort', () => reject(new Error('Dividing the document was stopped.')), { once: true })
      thread.once('error', reject)
      thread.once('exit', () => reject(new Error('Dividing the document was stopped: it may need too much memory.')))
      thread.once('message', (answer: CutAnswer) => (answer.kind === 'pages' ? resolve(answer.bytes) : reject(new Error(answer.message))))
    })
  } finally {
    await thread.terminate()
  }
}
