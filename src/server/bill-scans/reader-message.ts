/** What the process that reads documents is asked, and what it answers: one question at a time, each with one answer. */
import { z } from 'zod'
import { documentWords } from '#contract/bill-reading.ts'

export const readerRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array), page_seconds: z.number() }),
  z.object({ kind: z.literal('page'), page: z.int() }),
])
export type ReaderRequest = z.infer<typeof readerRequest>

export const readerAnswer = z.discriminatedUnion('kind', [
  /** `is_text`: whether a page carries its words, so that nothing has to be recognised. */
  z.object({ kind: z.literal('opened'), is_text: z.array(z.boolean()) }),
  z.object({ kind: z.literal('page'), words: documentWords }),
  z.object({
    kind: z.literal('fault'),
    fault: z.enum(['broken', 'locked', 'unsupported', 'too_large', 'too_many_pages', 'too_slow', 'stopped']),
    message: z.string(),
  }),
  /** A sign of life. */
  z.object({ kind: z.literal('alive') }),
])
export type ReaderAnswer = z.infer<typeof readerAnswer>
