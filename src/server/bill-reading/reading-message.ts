/** The requests to the threads that read and cut, and their answers. A thread has one request at a time, and gives each one answer. */
import type { DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import type { ReadingFault } from './reading-error.ts'

export type PageWords = DocumentWords['pages'][number]

export type ReadingQuestion =
  /** Opens the document; the one before is closed. */
  | { readonly kind: 'open'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Without `recognise` only the words that the page carries are taken. */
  | { readonly kind: 'page'; readonly page: number; readonly recognise: boolean }
  /** Takes pages out of a PDF, counted from 1, both included. */
  | { readonly kind: 'cut'; readonly bytes: Uint8Array<ArrayBuffer>; readonly from: number; readonly to: number }

export type ReadingReply =
  | { readonly kind: 'opened'; readonly pages: number }
  /** Null where the page must be recognised and nobody asked for it. */
  | { readonly kind: 'page'; readonly words: PageWords | null }
  | { readonly kind: 'cut'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'fault'; readonly fault: ReadingFault; readonly message: string }

export type ReadingRequest = ReadingQuestion & { readonly id: number }
export type ReadingAnswer = ReadingReply & { readonly id: number }
