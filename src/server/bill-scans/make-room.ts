/** Makes room in memory for a page that needs more. */
import { ReadingError, type PageWords } from '../bill-reading/bill-reading.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { isLaneFull, roomFor, type Desk } from './reader-desks.ts'
import type { OpenDocument, Purse } from './reader.ts'
import { doOthersWait } from './scan-turns.ts'

export interface ReadingSettings {
  /** CPU seconds that a page may take. */
  readonly readPageSeconds: number
  /** The same for a document with all its pages. */
  readonly readDocumentSeconds: number
  /** MiB of memory that a reader's process may use. */
  readonly readMemoryMib: number
}

export interface Turn {
  readonly desk: Desk
  readonly settings: ReadingSettings
  readonly signal: AbortSignal
  readonly purse: Purse
}

/**
 * CPU seconds after which a page yields to a document of another client; in the slow lane at least the usual time multiplied by the factor.
 */
const PATIENCE_SECONDS = { quick: 1, slow: 3 } as const
const PATIENCE_FACTOR = 1.5
const ROOM_MS = 250

/** Thrown when a page yields. */
export class MadeRoom extends Error {
  readonly isForOthers: boolean

  constructor(isForOthers: boolean) {
    super('The page has made room.')
    this.isForOthers = isForOthers
  }
}

/**
 * @returns the words, or the reason why there are none; null if they need recognition. Throws MadeRoom, and errors that the page did not
 * cause.
 */
export async function readOrMakeRoom(
  machinery: Machinery,
  document: OpenDocument,
  { desk }: Turn,
  { page, seconds }: { page: number; seconds: number },
): Promise<PageWords | string | null> {
  const { lane, room } = desk
  const look = setInterval(() => void makeRoom(machinery, document, desk), ROOM_MS)
  try {
    return await document.readPage(page, { recognise: lane === 'slow', seconds })
  } catch (error) {
    if (room.signal.aborted) throw new MadeRoom(room.signal.reason === roomFor.others)
    // The user gets no message that the document is too large for the quick reader, because the slow one continues with it.
    if (!(error instanceof ReadingError) || error.fault === 'stopped' || (lane === 'quick' && isTooMuch(error))) throw error
    return error.message
  } finally {
    clearInterval(look)
  }
}

/** Usual CPU time of a recognised page on this machine, as a running mean. */
export const usual = { seconds: 0 }

async function makeRoom(machinery: Machinery, document: OpenDocument, desk: Desk): Promise<void> {
  const { lane, room } = desk
  const patience = lane === 'quick' ? PATIENCE_SECONDS.quick : Math.max(PATIENCE_SECONDS.slow, usual.seconds * PATIENCE_FACTOR)
  if (document.spent().page < patience || !isLaneFull(desk)) return
  const others = await doOthersWait(machinery.jobsDatabase.db, lane).catch(() => false)
  if (others) room.abort(roomFor.others)
}

export const isTooMuch = (error: unknown): boolean =>
  error instanceof ReadingError && (error.fault === 'too_slow' || error.fault === 'too_much_memory')
