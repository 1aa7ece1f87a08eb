/**
 * Reads the words of a whole document in a thread of this process, one document after the other. Nothing leaves the machine. The inbox
 * reads in processes of its own, with limited memory and CPU time.
 */
import { readBytesMax, type DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import { ReadingError } from './reading-error.ts'
import type { PageWords } from './reading-message.ts'
import { askThread, restThread, stopReading } from './reading-thread.ts'

/** Longest time without an answer of the thread between two pages. */
const PAGE_SECONDS = 90
/** An idle thread is ended: the language data takes 200 MiB. */
const IDLE_SECONDS = 60

interface ReadingOptions {
  /** Pages of the file, both included; all pages by default. */
  readonly fromPage?: number
  readonly toPage?: number
  readonly signal?: AbortSignal
  /** Maximum seconds per page. */
  readonly pageSeconds?: number
}

/** Returns words with their places. Throws ReadingError, whose message is for the waiting user. */
export async function readDocument(bytes: Uint8Array, options: ReadingOptions = {}): Promise<DocumentWords> {
  refuseLarge(bytes)
  const turn = queue.then(() => runOne(bytes, options))
  queue = turn.then(nothing, nothing)
  return turn
}

/** Throws ReadingError for a file that exceeds the size limit. */
export function refuseLarge(bytes: Uint8Array): void {
  if (bytes.byteLength > readBytesMax) throw new ReadingError('too_large', `The document is larger than ${readBytesMax / 1_048_576} MB.`)
}

const nothing = (): void => undefined
let queue: Promise<void> = Promise.resolve()
const idle: { timer: NodeJS.Timeout | null } = { timer: null }

async function runOne(bytes: Uint8Array, options: ReadingOptions): Promise<DocumentWords> {
  if (idle.timer !== null) clearTimeout(idle.timer)
  const seconds = options.pageSeconds ?? PAGE_SECONDS
  try {
    // The bytes are transferred to the thread, so it gets a copy; a slice of a Buffer would not be a copy.
    const opened = await inTime((signal) => askThread({ kind: 'open', bytes: new Uint8Array(bytes) }, signal), seconds, options)
    const last = opened.kind === 'opened' ? opened.pages : 0
    const pages: PageWords[] = []
    for (let page = options.fromPage ?? 1; page <= Math.min(options.toPage ?? last, last); page += 1) {
      const read = await inTime((signal) => askThread({ kind: 'page', page, recognise: true }, signal), seconds, options)
      if (read.kind === 'page' && read.words !== null) pages.push(read.words)
    }
    return { pages }
  } finally {
    restThread()
    idle.timer = setTimeout(() => void stopReading(), IDLE_SECONDS * 1_000).unref()
  }
}

async function inTime<Answer>(ask: (signal: AbortSignal) => Promise<Answer>, seconds: number, { signal }: ReadingOptions): Promise<Answer> {
  const tooSlow = AbortSignal.timeout(seconds * 1_000)
  try {
    return await ask(signal === undefined ? tooSlow : AbortSignal.any([signal, tooSlow]))
  } catch (error) {
    if (!tooSlow.aborted) throw error
    throw new ReadingError('too_slow', `A page took longer than ${seconds} seconds to read.`)
  }
}
