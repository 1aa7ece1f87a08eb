/** Requests to the threads that read and cut, and their answers. A thread handles one request at a time, and answers each once. */
import type { DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import type { ReadingFault } from './reading-error.ts'

export type PageWords = DocumentWords['pages'][number]

export type ReadingQuestion =
  /** Opens the document and closes the previous one. */
  | { readonly kind: 'open'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Without `recognise` only the words that the page contains are returned. */
  | { readonly kind: 'page'; readonly page: number; readonly recognise: boolean }
  /** Extracts pages from a PDF, counted from 1, both included. */
  | { readonly kind: 'cut'; readonly bytes: Uint8Array<ArrayBuffer>; readonly from: number; readonly to: number }

export type ReadingReply =
  | { readonly kind: 'opened'; readonly pages: number }
  /** Null if the page needs recognition and it was not requested. */
  | { readonly kind: 'page'; readonly words: PageWords | null }
  | { readonly kind: 'cut'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'fault'; readonly fault: ReadingFault; readonly message: string }

export type ReadingRequest = ReadingQuestion & { readonly id: number }
export type ReadingAnswer = ReadingReply & { readonly id: number }
