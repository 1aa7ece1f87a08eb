/** The thread that reads documents: it can be ended and restarted without harm, and holds only the open document. */
import { parentPort } from 'node:worker_threads'
import { readPagesMax } from '#contract/bill-reading/bill-reading.ts'
import { openPdf, readPdfPage, type OpenPdf } from './pdf-words.ts'
import { readPicture } from './picture-words.ts'
import { faultOf, ReadingError } from './reading-error.ts'
import type { ReadingAnswer, ReadingReply, ReadingRequest } from './reading-message.ts'

const open: { pdf: OpenPdf | null; picture: Uint8Array | null } = { pdf: null, picture: null }

parentPort?.on('message', (request: ReadingRequest) => void answer(request))

async function answer(request: ReadingRequest): Promise<void> {
  const reply = await replyTo(request).catch(faultOf)
  const said: ReadingAnswer = { id: request.id, ...reply }
  parentPort?.postMessage(said, [])
}

async function replyTo(request: ReadingRequest): Promise<ReadingReply> {
  switch (request.kind) {
    case 'open':
      return { kind: 'opened', pages: await openDocument(request.bytes) }
    case 'page':
      return { kind: 'page', words: await readPage(request.page, request.recognise) }
    case 'cut':
      throw new ReadingError('stopped', 'Another thread cuts.')
  }
}

/** @returns the number of its pages. */
async function openDocument(bytes: Uint8Array): Promise<number> {
  const before = open.pdf
  open.pdf = null
  open.picture = null
  await before?.document.loadingTask.destroy()
  // Some files begin with a few bytes of a mail program before the mark.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).includes('%PDF-')) {
    open.picture = bytes
    return 1
  }
  const pdf = await openPdf(bytes)
  const pages = pdf.document.numPages
  if (pages > readPagesMax) {
    await pdf.document.loadingTask.destroy()
    throw new ReadingError('too_many_pages', `The document has ${pages} pages; at most ${readPagesMax} are read at once.`)
  }
  open.pdf = pdf
  return pages
}

async function readPage(page: number, recognise: boolean) {
  if (open.pdf !== null) return readPdfPage(open.pdf, page, recognise)
  if (open.picture === null) throw new ReadingError('stopped', 'No document is open.')
  return recognise ? readPicture(open.picture, page) : null
}
