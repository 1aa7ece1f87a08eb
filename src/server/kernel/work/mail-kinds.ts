/** Mails that belong to a record of a slice: the record completes the content at each sending, and hears how the mail ended. */
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Machinery } from '../machinery.ts'

/** A mail of a kind, while it is sent. */
export interface KindMail {
  readonly id: number
  readonly to_address: string
  /** The data that the mail's sender has stored with it. */
  readonly about: unknown
  readonly attempts: number
}

export interface MailContent {
  /** Follows the stored text. */
  readonly text?: string
  readonly attachments: readonly { readonly filename: string; readonly content: Buffer; readonly contentType: string }[]
}

/** `refused`: the server refuses the address for good. `dropped`: `compose` did not want it sent any more. */
export type MailEnd = { readonly state: 'sent' } | { readonly state: 'failed' | 'refused' | 'dropped'; readonly reason: string }

export interface MailKind {
  readonly kind: string
  /** Returns the content of one sending, or why the mail is not sent any more. */
  readonly compose: (machinery: Machinery, mail: KindMail) => Promise<MailContent | { readonly dropped: string }>
  /** Runs in the transaction that ends the mail. */
  readonly ended: (context: Context, mail: KindMail, end: MailEnd) => Promise<void>
}

const mailKinds = new Map<string, MailKind>()

/** Defines a kind of mail. Throws when its name is taken. */
export function defineMailKind(kind: MailKind): void {
  if (mailKinds.has(kind.kind)) throw new Error(`two kinds of mail are called ${kind.kind}`)
  mailKinds.set(kind.kind, kind)
}

/** Returns the kind of a mail; null for a plain one. Throws for a kind that this program does not know: a newer one sends the mail. */
export function mailKindOf(name: string | null): MailKind | null {
  if (name === null) return null
  const kind = mailKinds.get(name)
  if (!kind) throw new Error(`no kind of mail is called ${name}`)
  return kind
}

const refusal = z.object({ command: z.literal('RCPT TO'), responseCode: z.int().min(500).max(599), response: z.string() })
/** The server refuses us, not the address: we may not send, or must sign in first. */
const aboutSender = /^530|^5\d\d[ -]5\.7\.|relay/i

/** Returns the server's words if it refuses the address of the mail for good; null for any other failure. */
export function refusalOf(error: unknown): string | null {
  const { data } = refusal.safeParse(error)
  return data === undefined || aboutSender.test(data.response) ? null : data.response
}
