/** The parts that work outside the transaction, behind the smallest ports that the product needs. */
import type { Readable } from 'node:stream'
import type { Log } from './log.ts'
import type { Database, Tx } from './postgres/database.ts'
import type { LinkHolder, Principal } from './principal.ts'

export interface Machinery {
  readonly log: Log
  readonly files: FileStore
  /** Absent if no virus scanner is configured. */
  readonly scanner?: Scanner | undefined
  readonly mail: Mailer
  readonly jobs: Jobs
  readonly live: LiveChannel
  /** The pools, for work that opens its own transactions: jobs, streams. */
  readonly database: Database
  readonly jobsDatabase: Database
  readonly settings: MachinerySettings
  /** Drops the cached sign-ins, here and in every other process, after the commit. */
  readonly sessions: {
    forgetUser(userId: number): void
    forgetAll(): void
    /** Returns true while the holder's sign-in or API token lives and their rights are those of when the link was made. */
    stillHolds(holder: LinkHolder): Promise<boolean>
  }
}

export interface MachinerySettings {
  readonly publicUrl: string
  readonly secretKey: string
  readonly production: boolean
}

/** Bytes under generated keys, on disk or in S3. */
export interface StoredFile {
  readonly key: string
  readonly changedAt: Date
}

export interface FileAddress {
  readonly key: string
  readonly filename: string
  readonly contentType: string
  readonly inline?: boolean
}

export interface FileStore {
  /** @returns the number of bytes and their SHA-256. */
  put(key: string, content: Readable | Uint8Array, contentType: string): Promise<{ bytes: number; sha256: Buffer }>
  /** Throws not-found if the key is unknown. */
  read(key: string): Promise<Readable>
  remove(key: string): Promise<void>
  /** Lists every complete file that this program stored. */
  list(): AsyncIterable<StoredFile>
  /** Returns when the file under the key was last written; null if there is none. */
  changedAt(key: string): Promise<Date | null>
  /** Removes the remains of unfinished writes that have not changed since `before`. @returns their number. */
  removeHalfWritten(before: Date): Promise<number>
  /** Returns a URL to which a browser may PUT these bytes within five minutes. */
  uploadUrl(file: {
    key: string
    contentType: string
    byteSize: number
    checksum: string
  }): Promise<{ url: string; headers: Record<string, string> }>
  /**
   * Returns a path of this server from which a browser may read the file within five minutes, as an attachment unless `inline`. It ends
   * earlier with the sign-in or the rights of its reader. Null as reader: whoever has the path may read the file.
   */
  downloadUrl(file: FileAddress & { reader: Principal | null }): string
  /** Returns the store's own URL of the file, which works for half a minute; null if this server sends the bytes itself. */
  directUrl(file: FileAddress): Promise<string | null>
  /** Returns the origin to which browsers upload; null if it is this server. */
  origin(): Promise<string | null>
}

export type ScanVerdict = { readonly clean: true } | { readonly clean: false; readonly found: string }

/** Scans for viruses. */
export interface Scanner {
  /** Reads the bytes to their end. Throws if it cannot decide: unreachable, too slow, failing. */
  scan(content: Readable): Promise<ScanVerdict>
}

export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** After this time the mail is of no use and is not sent. */
  readonly expiresAt?: Date
  /** The kind of a mail that belongs to a record, and what names the record to its kind. */
  readonly kind?: string
  readonly about?: Readonly<Record<string, string | number>>
}

/** Queues mails in the caller's transaction. A job sends them and retries for 24 hours. */
export interface Mailer {
  /** @returns the mail's id. */
  send(tx: Tx, mail: OutgoingMail): Promise<number>
  /** @returns the ids of the mails in their order. */
  sendAll(tx: Tx, mails: readonly OutgoingMail[]): Promise<number[]>
}

/** Starts work in the caller's transaction: rolled back with it, run once it is committed. A job must be safe to run twice. */
export interface Jobs {
  send(tx: Tx, name: string, data: Readonly<Record<string, string | number | boolean | null>>, options?: SendOptions): Promise<void>
  /** Returns true if a job with these data waits for its turn or its next try. */
  isQueued(name: string, data: Readonly<Record<string, string | number>>): Promise<boolean>
}

export interface SendOptions {
  readonly afterSeconds?: number
  readonly onceKey?: string
  /** Higher goes first; 0 by default. */
  readonly priority?: number
}

export interface LiveMessage {
  readonly message: string
  readonly description?: readonly string[]
  readonly notification_type: 'success' | 'info' | 'warning' | 'error'
  readonly error?: boolean
  readonly link?: string | null
  readonly type: string
  readonly payload?: Readonly<Record<string, unknown>>
  /** True if the sender has mailed it already, because it must arrive whatever the person's preferences are. */
  readonly mailed?: boolean
}

/** Writes the message's row and notifies every process in the caller's transaction. */
export interface LiveChannel {
  tell(tx: Tx, to: { userId: number; connectionId: string | null }, message: LiveMessage): Promise<void>
  /** Sends a passing state such as progress: not stored, sent at once to the user's open windows. */
  progress(tx: Tx, to: { userId: number; connectionId: string | null }, state: Readonly<Record<string, unknown>>): Promise<void>
}
