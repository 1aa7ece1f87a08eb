/** One turn of a reader with a document: pages are kept as they are read, and what is left waits for the next turn. */
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { ReadingError, type PageWords } from '../bill-reading/bill-reading.ts'
import type { Services } from '../kernel/services.ts'
import { keepCut } from './keep-cut.ts'
import { withDocument, type Lane, type OpenDocument } from './reader.ts'
import { beginPage, forgetTry, giveUpPages, keepPage, settledPages } from './scan-pages.ts'
import { doOthersWait, isOurs, type Claimed } from './scan-turns.ts'

export interface ReadingSettings {
  /** Processor seconds that a page may take. */
  readonly readPageSeconds: number
  /** The same of a document with all its pages. */
  readonly readDocumentSeconds: number
  /** MiB that a reader's process may have in memory. */
  readonly readMemoryMib: number
}

export interface Turn {
  readonly lane: Lane
  readonly settings: ReadingSettings
  readonly signal: AbortSignal
  /** Processor seconds that it has taken, whatever comes of it. */
  seconds: number
}

/** Processor seconds of the quick reader for one document, and its share of the memory; what needs more goes on with the slow one. */
const QUICK_SECONDS = 3
const QUICK_MEMORY = 0.5
/** Pages that the slow reader takes before another document has its turn. */
const TURN_PAGES = 5
/** Processor seconds after which a page makes room for a document of another client; in the slow lane also so many times the usual. */
const PATIENCE_SECONDS = { quick: 1, slow: 3 } as const
const PATIENCE_FACTOR = 1.5
const ROOM_MS = 250
/** How often a document makes room before the page in question is given up. */
const SET_BACKS_MAX = 3

/** Thrown where a page makes room. */
export class MadeRoom extends Error {}

/** Reads what this lane reads. @returns how many pages are left. */
export async function readPages(services: Services, scan: Claimed, turn: Turn): Promise<number> {
  const isSettled = scan.pages !== null && scan.pages_settled >= scan.pages
  if (isSettled && scan.cut_from === null) return 0
  const { lane, settings, signal } = turn
  const seconds = lane === 'quick' ? QUICK_SECONDS : settings.readPageSeconds
  const memoryMib = lane === 'quick' ? settings.readMemoryMib * QUICK_MEMORY : settings.readMemoryMib
  const asking = { lane, memoryMib, signal, seconds }
  const whole = await buffer(await services.files.read(scan.key))
  const bytes = await keepCut(services, scan, { bytes: whole, still: isOurs(scan) }, asking)
  if (isSettled) return 0
  const settled = await settledPages(services.jobsDatabase.db, scan)
  const spent = { of: (): number => 0 }
  try {
    return await withDocument({ ...asking, bytes }, async (document) => {
      spent.of = () => document.spent().all
      await sql`update bill_scans set pages = ${document.pages} where ${isOurs(scan)}`.execute(services.jobsDatabase.db)
      const left = Array.from({ length: document.pages }, (_, at) => at + 1).filter((page) => !settled.has(page))
      return await (lane === 'quick' ? takeWords(services, scan, document, left) : readSlowly(services, scan, document, { left, turn }))
    })
  } finally {
    turn.seconds = spent.of()
  }
}

/** Keeps the pages that carry their words. A page that has to be recognised, or that costs more than is quick, is left as it was. */
async function takeWords(services: Services, scan: Claimed, document: OpenDocument, left: readonly number[]): Promise<number> {
  const { db } = services.jobsDatabase
  const asItWas: number[] = []
  let kept = 0
  try {
    for (const page of left) {
      const seconds = QUICK_SECONDS - document.spent().all
      if (seconds <= 0) break
      const mayTry = await beginPage(db, scan, page)
      if (mayTry) asItWas.push(page)
      const outcome = mayTry ? await readOrMakeRoom(services, scan, document, { lane: 'quick', page, seconds }) : givenUp(page)
      if (outcome === null) continue
      if (mayTry) asItWas.pop()
      await keepOutcome(services, scan, page, outcome)
      kept += 1
    }
  } catch (error) {
    // A page whose process was stopped may be to blame for it.
    if (!isTooMuch(error) && !(error instanceof MadeRoom)) asItWas.pop()
    throw error
  } finally {
    await forgetTry(db, scan, asItWas)
  }
  return left.length - kept
}

async function readSlowly(
  services: Services,
  scan: Claimed,
  document: OpenDocument,
  { left, turn }: { left: readonly number[]; turn: Turn },
): Promise<number> {
  const { readDocumentSeconds, readPageSeconds } = turn.settings
  let kept = 0
  for (const page of left.slice(0, TURN_PAGES)) {
    const seconds = readDocumentSeconds - scan.reading_ms / 1_000 - document.spent().all
    if (seconds <= 0) {
      await giveUpRest(services, scan, left.slice(kept), readDocumentSeconds)
      return 0
    }
    await readSlowPage(services, scan, document, { page, seconds: Math.min(readPageSeconds, seconds) })
    kept += 1
  }
  return left.length - kept
}

/** A page that cannot be read is one page; where the reader itself was stopped, the run ends and the page is tried again. */
async function readSlowPage(
  services: Services,
  scan: Claimed,
  document: OpenDocument,
  { page, seconds }: { page: number; seconds: number },
): Promise<void> {
  const { db } = services.jobsDatabase
  if (!(await beginPage(db, scan, page))) return keepOutcome(services, scan, page, givenUp(page))
  try {
    const before = document.spent().all
    const outcome = await readOrMakeRoom(services, scan, document, { lane: 'slow', page, seconds })
    if (typeof outcome !== 'string')
      usual.seconds += (Math.min(document.spent().all - before, USUAL_SECONDS_MAX) - usual.seconds) / USUAL_OF
    if (outcome !== null) await keepOutcome(services, scan, page, outcome)
  } catch (error) {
    if (!(error instanceof MadeRoom)) throw error
    if (scan.set_back < SET_BACKS_MAX) await forgetTry(db, scan, [page])
    else await keepOutcome(services, scan, page, `Page ${page} takes long to be read, and documents of others were waiting.`)
    throw error
  }
}

interface PageAsked {
  readonly lane: Lane
  readonly page: number
  readonly seconds: number
}

/** @returns the words, or why there are none; null where they must be recognised. Throws MadeRoom, and what is not the page's fault. */
async function readOrMakeRoom(
  services: Services,
  scan: Claimed,
  document: OpenDocument,
  { lane, page, seconds }: PageAsked,
): Promise<PageWords | string | null> {
  const room = new AbortController()
  const look = setInterval(() => void makeRoom(services, scan, { document, lane, room }), ROOM_MS)
  try {
    return await document.readPage(page, { recognise: lane === 'slow', seconds, signal: room.signal })
  } catch (error) {
    if (room.signal.aborted) throw new MadeRoom()
    // The person is not told that the document is too much for the quick reader, because the slow one goes on with it.
    if (!(error instanceof ReadingError) || error.fault === 'stopped' || (lane === 'quick' && isTooMuch(error))) throw error
    return error.message
  } finally {
    clearInterval(look)
  }
}

/** Processor time that a recognised page takes on this machine, as a running mean. */
const usual = { seconds: 0 }
const USUAL_OF = 5
/** So that what is slow by intent does not raise it far. */
const USUAL_SECONDS_MAX = 10

async function makeRoom(
  services: Services,
  scan: Claimed,
  { document, lane, room }: { document: OpenDocument; lane: Lane; room: AbortController },
): Promise<void> {
  const patience = lane === 'quick' ? PATIENCE_SECONDS.quick : Math.max(PATIENCE_SECONDS.slow, usual.seconds * PATIENCE_FACTOR)
  if (document.spent().page < patience) return
  const others = await doOthersWait(services.jobsDatabase.db, lane, scan.client_id).catch(() => false)
  if (others) room.abort()
}

async function giveUpRest(services: Services, scan: Claimed, pages: readonly number[], seconds: number): Promise<void> {
  await services.jobsDatabase.db.transaction().execute(async (tx) => {
    await mustBeOurs(tx, scan)
    await giveUpPages(
      tx,
      scan,
      pages,
      (page) => `Page ${page} was not read: reading the document took more than ${seconds} seconds of a processor.`,
    )
  })
}

async function keepOutcome(services: Services, scan: Claimed, page: number, outcome: PageWords | string): Promise<void> {
  await services.jobsDatabase.db.transaction().execute(async (tx) => {
    await mustBeOurs(tx, scan)
    await keepPage(tx, scan, page, outcome)
  })
}

async function mustBeOurs(tx: Parameters<typeof keepPage>[0], scan: Claimed): Promise<void> {
  const { rows } = await sql`select id from bill_scans where ${isOurs(scan)} for update`.execute(tx)
  if (rows.length === 0) throw new ReadingError('stopped', 'Somebody else has gone on with the document.')
}

const givenUp = (page: number): string => `Page ${page} could not be read: reading it was stopped twice, it may need too much memory.`

export const isTooMuch = (error: unknown): boolean =>
  error instanceof ReadingError && (error.fault === 'too_slow' || error.fault === 'too_much_memory')
