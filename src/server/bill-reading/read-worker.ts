/** The thread that reads documents: it is ended and started again without harm, and holds nothing but what it reads. */
import { parentPort } from 'node:worker_threads'
import type { DocumentWords } from '#contract/bill-reading.ts'
import { readPdf } from './pdf-words.ts'
import { readPicture } from './picture-words.ts'
import { ReadingError } from './reading-error.ts'
import type { ReadingAnswer, ReadingRequest } from './reading-message.ts'

parentPort?.on('message', (request: ReadingRequest) => void answer(request))

const tell = (message: ReadingAnswer): void => parentPort?.postMessage(message, [])

async function answer(request: ReadingRequest): Promise<void> {
  const progress = (done: number, total: number): void => tell({ id: request.id, kind: 'progress', done, total })
  try {
    tell({ id: request.id, kind: 'words', words: await readBytes(request, progress) })
  } catch (error) {
    const known =
      error instanceof ReadingError ? error : new ReadingError('broken', 'The document could not be read: it seems to be damaged.')
    tell({ id: request.id, kind: 'fault', fault: known.fault, message: known.message })
  }
}

async function readBytes(request: ReadingRequest, progress: (done: number, total: number) => void): Promise<DocumentWords> {
  const { bytes } = request
  // Some files begin with a few bytes of a mail program before the mark.
  const isPdf = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).includes('%PDF-')
  if (isPdf) return readPdf(request, progress)
  const page = await readPicture(bytes, 1)
  return { pages: [page] }
}
