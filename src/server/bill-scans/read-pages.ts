/** One turn of a reader with a document: pages are stored as they are read, and the rest waits for the next turn. */
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { PageWords } from '../bill-reading/bill-reading.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { keepCut, takenOver } from './keep-cut.ts'
import type { Lane } from './reader-desks.ts'
import { purseIsEmpty, withDocument, type OpenDocument, type Purse } from './reader.ts'
import { beginPage, forgetTry, giveUpPages, keepPage, settledPages } from './scan-pages.ts'
import { isOurs, type Claimed } from './scan-turns.ts'
import { type ReadingSettings, type Turn, readOrMakeRoom, isTooMuch, MadeRoom, usual } from './make-room.ts'

/**
 * CPU seconds of the quick reader for one document, and its share of the memory; a document that needs more continues with the slow one.
 */
const QUICK_SECONDS = 3
const QUICK_MEMORY = 0.5
/** Pages that the slow reader reads before another document gets its turn. */
const TURN_PAGES = 5

/** How often a document yields before the page in question is given up. */
const SET_BACKS_MAX = 3

/** Returns the MiB of memory that a process of the lane may use. */
export const memoryOf = (lane: Lane, { readMemoryMib }: ReadingSettings): number =>
  lane === 'quick' ? readMemoryMib * QUICK_MEMORY : readMemoryMib

/** Returns the CPU seconds that a document may take over all its tries, and the rest of them. */
export const purseOf = ({ reading_ms }: Claimed, { readDocumentSeconds: limit }: ReadingSettings): Purse => ({
  limit,
  left: limit - reading_ms / 1_000,
})

/** Reads the pages that belong to this lane. @returns the number of pages left. */
export async function readPages(machinery: Machinery, scan: Claimed, turn: Turn): Promise<number> {
  const isSettled = scan.pages !== null && scan.pages_settled >= scan.pages
  if (isSettled && scan.cut_from === null) return 0
  const { desk, settings, signal, purse } = turn
  if (purse.left <= 0) return giveUpRest(machinery, scan, purse)
  const seconds = desk.lane === 'quick' ? QUICK_SECONDS : settings.readPageSeconds
  const asking = { desk, purse, signal, seconds }
  const whole = await buffer(await machinery.files.read(scan.key))
  const bytes = await keepCut(machinery, scan, { bytes: whole, still: isOurs(scan) }, asking)
  if (isSettled) return 0
  const settled = await settledPages(machinery.jobsDatabase.db, scan)
  return withDocument({ ...asking, bytes }, async (document) => {
    await sql`update bill_scans set pages = ${document.pages} where ${isOurs(scan)}`.execute(machinery.jobsDatabase.db)
    const left = Array.from({ length: document.pages }, (_, at) => at + 1).filter((page) => !settled.has(page))
    const parts = { document, turn, left }
    return await (desk.lane === 'quick' ? takeWords(machinery, scan, parts) : readSlowly(machinery, scan, parts))
  })
}

interface OpenTurn {
  readonly document: OpenDocument
  readonly turn: Turn
  /** Numbers of the pages that are not finished. */
  readonly left: readonly number[]
}

/**
 * Stores the pages that contain their words. A page that needs recognition, or that takes too long for the quick reader, is left unchanged.
 */
async function takeWords(machinery: Machinery, scan: Claimed, { document, turn, left }: OpenTurn): Promise<number> {
  const { db } = machinery.jobsDatabase
  const asItWas: number[] = []
  let kept = 0
  try {
    for (const page of left) {
      const seconds = QUICK_SECONDS - document.spent().all
      if (seconds <= 0) break
      const mayTry = await beginPage(db, scan, page)
      if (mayTry) asItWas.push(page)
      const outcome = mayTry ? await readOrMakeRoom(machinery, document, turn, { page, seconds }) : givenUp(page)
      if (outcome === null) continue
      if (mayTry) asItWas.pop()
      await keepOutcome(machinery, scan, page, outcome)
      kept += 1
    }
  } catch (error) {
    // A page whose process was stopped may be the cause.
    if (!isTooMuch(error) && !(error instanceof MadeRoom)) asItWas.pop()
    throw error
  } finally {
    await forgetTry(db, scan, asItWas)
  }
  return left.length - kept
}

async function readSlowly(machinery: Machinery, scan: Claimed, { document, turn, left }: OpenTurn): Promise<number> {
  let kept = 0
  for (const page of left.slice(0, TURN_PAGES)) {
    if (turn.purse.left <= 0) return giveUpRest(machinery, { ...scan, pages: document.pages }, turn.purse)
    await readSlowPage(machinery, scan, document, turn, page)
    kept += 1
  }
  return left.length - kept
}

/** A page that cannot be read fails alone; if the reader itself was stopped, the run ends and the page is tried again. */
async function readSlowPage(machinery: Machinery, scan: Claimed, document: OpenDocument, turn: Turn, page: number): Promise<void> {
  const { db } = machinery.jobsDatabase
  if (!(await beginPage(db, scan, page))) return keepOutcome(machinery, scan, page, givenUp(page))
  try {
    const before = document.spent().all
    const outcome = await readOrMakeRoom(machinery, document, turn, { page, seconds: turn.settings.readPageSeconds })
    if (typeof outcome !== 'string')
      usual.seconds += (Math.min(document.spent().all - before, USUAL_SECONDS_MAX) - usual.seconds) / USUAL_OF
    if (outcome !== null) await keepOutcome(machinery, scan, page, outcome)
  } catch (error) {
    if (!(error instanceof MadeRoom)) throw error
    if (!error.isForOthers || scan.set_back < SET_BACKS_MAX) await forgetTry(db, scan, [page])
    else await keepOutcome(machinery, scan, page, `Page ${page} takes long to be read, and documents of others were waiting.`)
    throw error
  }
}

const USUAL_OF = 5
/** Upper limit, so that a deliberately slow page does not raise the mean far. */
const USUAL_SECONDS_MAX = 10

/** Throws if not even the number of pages is known, or if the pages of a part are not yet extracted from its file. */
async function giveUpRest(machinery: Machinery, scan: Claimed, { limit }: Purse): Promise<number> {
  const { pages } = scan
  if (pages === null || scan.cut_from !== null) throw purseIsEmpty(limit)
  await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    await mustBeOurs(tx, scan)
    const settled = await settledPages(tx, scan)
    const left = Array.from({ length: pages }, (_, at) => at + 1).filter((page) => !settled.has(page))
    await giveUpPages(tx, scan, left, (page) => `Page ${page} was not read. ${purseIsEmpty(limit).message}`)
  })
  return 0
}

async function keepOutcome(machinery: Machinery, scan: Claimed, page: number, outcome: PageWords | string): Promise<void> {
  await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    await mustBeOurs(tx, scan)
    await keepPage(tx, scan, page, outcome)
  })
}

async function mustBeOurs(tx: Parameters<typeof keepPage>[0], scan: Claimed): Promise<void> {
  const { rows } = await sql`select id from bill_scans where ${isOurs(scan)} for update`.execute(tx)
  if (rows.length === 0) throw takenOver()
}

const givenUp = (page: number): string => `Page ${page} could not be read: reading it was stopped twice, it may need too much memory.`
