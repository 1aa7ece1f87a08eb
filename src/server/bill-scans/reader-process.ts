/**
 * The process that reads documents, page by page. It is one of its own, so that what a page costs can be counted in processor seconds: on a
 * busy machine a page takes long by the clock, and is no worse for it.
 */
import { getDocumentProxy } from 'unpdf'
import { readPagesMax } from '#contract/bill-reading.ts'
import { readDocument, ReadingError } from '../bill-reading/bill-reading.ts'
import { readerRequest, type ReaderAnswer } from './reader-message.ts'

const ALIVE_MS = 5_000
/** Milliseconds between two looks at what the page has cost. */
const WATCH_MS = 200
/** The reader's own limit goes by the clock; this one never comes before ours. */
const CLOCK_SECONDS = 24 * 3_600
/** A page with so many words of its own is hardly a picture. */
const TEXT_WORDS_MIN = 8

const held: { bytes: Uint8Array; isPdf: boolean; pageSeconds: number } = { bytes: new Uint8Array(), isPdf: false, pageSeconds: 0 }

process.on('message', (message) => void answer(message))
// Whoever asked is gone.
process.on('disconnect', () => process.exit(0))
setInterval(() => tell({ kind: 'alive' }), ALIVE_MS)

function tell(message: ReaderAnswer): void {
  if (process.connected) process.send?.(message)
}

async function answer(message: unknown): Promise<void> {
  try {
    const request = readerRequest.parse(message)
    if (request.kind === 'page') return tell({ kind: 'page', words: await readPage(request.page) })
    held.bytes = request.bytes
    held.pageSeconds = request.page_seconds
    tell({ kind: 'opened', is_text: await lookThrough(request.bytes) })
  } catch (error) {
    const known =
      error instanceof ReadingError ? error : new ReadingError('broken', 'The document could not be read: it seems to be damaged.')
    tell({ kind: 'fault', fault: known.fault, message: known.message })
  }
}

/** Its pages, each with whether it carries its words. Throws the reader's own ReadingError for what it would refuse. */
async function lookThrough(bytes: Uint8Array): Promise<boolean[]> {
  // Some files begin with a few bytes of a mail program before the mark.
  held.isPdf = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).includes('%PDF-')
  if (!held.isPdf) return [false]
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, stopAtErrors: false }).catch(() => null)
  if (document === null || document.numPages > readPagesMax) {
    await readDocument(bytes)
    throw new ReadingError('broken', 'The document could not be read: its pages could not be counted.')
  }
  try {
    const isText: boolean[] = []
    for (let page = 1; page <= document.numPages; page += 1) isText.push(await hasWords(document, page))
    return isText
  } finally {
    await document.loadingTask.destroy()
  }
}

async function hasWords(document: Awaited<ReturnType<typeof getDocumentProxy>>, number: number): Promise<boolean> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    const words = items.flatMap((item) => ('str' in item ? item.str.split(/\s+/).filter((word) => word !== '') : []))
    return words.length >= TEXT_WORDS_MIN
  } catch {
    // What is wrong with the page is said when it is read.
    return false
  }
}

async function readPage(page: number) {
  const stop = new AbortController()
  const before = process.cpuUsage()
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1_000_000 > held.pageSeconds) stop.abort()
  }, WATCH_MS)
  try {
    const part = held.isPdf ? { fromPage: page, toPage: page } : {}
    return await readDocument(held.bytes, { ...part, signal: stop.signal, pageSeconds: CLOCK_SECONDS })
  } catch (error) {
    if (!stop.signal.aborted) throw error
    throw new ReadingError('too_slow', `Page ${page} took more than ${held.pageSeconds} seconds of a processor to read.`)
  } finally {
    clearInterval(watch)
  }
}
