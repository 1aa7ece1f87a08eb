/** Requests to the process that reads documents, and its answers: one question at a time, each with one answer. */
import { z } from 'zod'
import { documentWords } from '#contract/bill-reading/bill-reading.ts'
import { readingFaults } from '../bill-reading/bill-reading.ts'

const bytes = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array)
/** CPU seconds that the answer may take. */
const seconds = z.number()

export const readerRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), bytes, seconds }),
  /** Without `recognise` only the words that the page contains are returned. */
  z.object({ kind: z.literal('page'), page: z.int(), recognise: z.boolean(), seconds }),
  /** Extracts pages from a PDF, counted from 1, both included. */
  z.object({ kind: z.literal('cut'), bytes, from: z.int(), to: z.int(), seconds }),
])
export type ReaderRequest = z.infer<typeof readerRequest>

/** CPU seconds since the question arrived, and the memory of the process. */
const use = { seconds, resident_mib: z.number() }

export const readerAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), pages: z.int(), ...use }),
  /** Without pages if the page needs recognition and it was not requested. */
  z.object({ kind: z.literal('page'), words: documentWords, ...use }),
  z.object({ kind: z.literal('cut'), bytes, ...use }),
  z.object({ kind: z.literal('fault'), fault: z.enum(readingFaults), message: z.string(), ...use }),
  /** A heartbeat. */
  z.object({ kind: z.literal('alive'), ...use }),
])
export type ReaderAnswer = z.infer<typeof readerAnswer>
