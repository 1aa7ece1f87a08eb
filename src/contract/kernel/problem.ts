/** The form of a refusal on the wire, the same for every call (G-SERVER-REFUSAL). */
import { z } from 'zod'

export const problemCodes = {
  unreadable: 400,
  signed_out: 401,
  forbidden: 403,
  /** The password was given too long ago: give it to `users.prove`, and send the same again. */
  not_proven: 403,
  not_found: 404,
  refused: 409,
  stale: 409,
  too_large: 413,
  invalid: 422,
  too_many: 429,
  failed: 500,
  unavailable: 503,
  overloaded: 503,
} as const
export type ProblemCode = keyof typeof problemCodes

export const problem = z.object({
  success: z.literal(false),
  message: z.string(),
  errors: z.object({ full_messages: z.array(z.string()), fields: z.record(z.string(), z.array(z.string())) }),
  code: z.string(),
  request_id: z.string(),
  /** With `stale`: the other user's changes, field by field. */
  changed: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })).optional(),
  /** With `refused`: the conflicting record, if there is one. */
  record_id: z.number().optional(),
  /** With `refused` for several rows: the conflicting record of each, by the field that overrides it. */
  record_ids: z.record(z.string(), z.number()).optional(),
})
export type Problem = z.infer<typeof problem>

/** Joins messages to one text: each but the last loses its period, so that two sentences never show '..' between them. */
export function joinedMessages(messages: readonly string[]): string {
  return messages.map((message, place) => (place === messages.length - 1 ? message : message.replace(/\.$/, ''))).join('. ')
}
