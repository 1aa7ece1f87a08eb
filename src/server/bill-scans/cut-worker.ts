/** The thread that cuts pages out of a PDF. */
import { parentPort, workerData } from 'node:worker_threads'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { z } from 'zod'
import type { CutAnswer } from './cut-pages.ts'

const asked = z.object({ bytes: z.instanceof(Uint8Array), from: z.int(), to: z.int() }).parse(workerData)

const answer = await cut()
parentPort?.postMessage(answer, answer.kind === 'pages' ? [answer.bytes.buffer] : [])

async function cut(): Promise<CutAnswer> {
  try {
    const file = await getDocument({ data: asked.bytes, verbosity: 0 }).promise
    // The library says null where it cannot, whatever its types say.
    const bytes: unknown = await file.extractPages([{ document: null, includePages: [[asked.from - 1, asked.to - 1]] }])
    return bytes instanceof Uint8Array ? { kind: 'pages', bytes: bytes.slice() } : { kind: 'fault', message: 'the pages cannot be copied' }
  } catch (error) {
    return { kind: 'fault', message: error instanceof Error ? error.message : 'unknown' }
  }
}
