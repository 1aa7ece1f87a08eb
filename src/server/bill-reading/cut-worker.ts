/** The thread that extracts pages from a PDF, once. */
import { parentPort } from 'node:worker_threads'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { refuseBombs } from './inflated-size.ts'
import { faultOf, ReadingError } from './reading-error.ts'
import type { ReadingAnswer, ReadingReply, ReadingRequest } from './reading-message.ts'

parentPort?.on('message', (request: ReadingRequest) => void answer(request))

async function answer(request: ReadingRequest): Promise<void> {
  const reply = await replyTo(request).catch(faultOf)
  const said: ReadingAnswer = { id: request.id, ...reply }
  parentPort?.postMessage(said, said.kind === 'cut' ? [said.bytes.buffer] : [])
}

async function replyTo(request: ReadingRequest): Promise<ReadingReply> {
  if (request.kind !== 'cut') throw new ReadingError('stopped', 'This thread cuts only.')
  return { kind: 'cut', bytes: await cutPdf(request) }
}

/** Returns the pages as a PDF of their own, with their text. Throws ReadingError if the file cannot be split. */
async function cutPdf(asked: { bytes: Uint8Array; from: number; to: number }): Promise<Uint8Array<ArrayBuffer>> {
  refuseBombs(asked.bytes)
  const task = getDocument({ data: asked.bytes, verbosity: 0 })
  try {
    const file = await task.promise
    // The library returns null on failure, despite its types.
    const bytes: unknown = await file.extractPages([{ document: null, includePages: [[asked.from - 1, asked.to - 1]] }])
    if (bytes instanceof Uint8Array) return bytes.slice()
  } catch {
    // The library's message is written for programmers; the error below is written for the user.
  } finally {
    await task.destroy()
  }
  throw new ReadingError('broken', 'The pages could not be taken out of the document: it may be protected.')
}
