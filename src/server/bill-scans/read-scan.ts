/**
 * Reads documents of the inbox in the background: cuts out the pages of a part, has the letters read page by page, and keeps what they
 * propose. The row says whose turn it is: a run that died, or that a person has overtaken, keeps nothing, and the next goes on at the page
 * after those that are kept.
 */
import { buffer } from 'node:stream/consumers'
import { sql, type SqlBool } from 'kysely'
import { ReadingError } from '../bill-reading/bill-reading.ts'
import type { Tx } from '../kernel/database.ts'
import type { JobDefinition, JobRun } from '../kernel/jobs.ts'
import { reasonOf } from '../kernel/no-room.ts'
import type { Services } from '../kernel/services.ts'
import { inUnit, keepReading } from './keep-reading.ts'
import { keepCut } from './keep-cut.ts'
import { withDocument, type Lane, type OpenDocument, type PageWords } from './reader.ts'
import { beginPage, keepPage, settledPages, storedWords } from './scan-pages.ts'
import { readJobs, sendScan, sendToRecognise } from './send-scan.ts'

const heartbeatMs = 5_000
/** A run that was silent for this long is dead. */
const lostAfterSeconds = 20
const reviveSeconds = 5
/** Runs that may fail without keeping a page. */
const triesMax = 3
const expireSeconds = 3_600
/** Pages that are recognised before another document has its turn. */
const TURN_PAGES = 5

export interface ReadingSettings {
  /** Processor seconds that a page may take. */
  readonly readPageSeconds: number
}

export function readScanJobs({ readPageSeconds }: ReadingSettings): readonly JobDefinition[] {
  // The row counts the tries, so the queue makes none of its own.
  const reading = (lane: Lane): JobDefinition => ({
    name: readJobs[lane],
    run: (job) => readScan(job, lane, readPageSeconds),
    retryLimit: 0,
    expireSeconds,
  })
  return [
    reading('quick'),
    reading('slow'),
    { name: 'bill_scan_revive', run: ({ services }) => reviveScans(services), everySeconds: reviveSeconds },
  ]
}

/** Gives documents whose run is gone to another. */
async function reviveScans(services: Services): Promise<void> {
  await services.jobsDatabase.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      client_id: number
      id: number
    }>`update bill_scans set state = 'waiting', heartbeat_at = null where (client_id, id) in (
      select client_id, id from bill_scans where state = 'reading' and heartbeat_at < clock_timestamp() - make_interval(secs => ${lostAfterSeconds}::int)
      order by id limit 100 for update skip locked) returning client_id, id`.execute(tx)
    for (const { client_id, id } of rows) await sendScan(services, tx, client_id, id)
  })
}

interface Claimed {
  readonly client_id: number
  readonly id: number
  /** Names this run: a later one has another number. */
  readonly tries: number
  readonly filename: string
  readonly file_id: number
  readonly key: string
  readonly cut_from: number | null
  readonly cut_to: number | null
  readonly pages: number | null
  readonly pages_settled: number
}

async function readScan({ data, services, signal }: JobRun, lane: Lane, pageSeconds: number): Promise<void> {
  const scan = await claim(services.jobsDatabase.db, Number(data['client_id']), Number(data['scan_id']))
  if (!scan) return
  const beat = setInterval(() => void keepAlive(services, scan), heartbeatMs)
  try {
    // A page that was kept is worth a further run.
    if (scan.tries > triesMax + scan.pages_settled) throw new ReadingError('stopped', 'Reading stopped several times without an end.')
    const left = await readPages(services, scan, { lane, pageSeconds, signal })
    if (left > 0) await passOn(services, scan, left)
    else await finish(services, scan)
  } catch (error) {
    await endBadly(services, scan, error, signal)
  } finally {
    clearInterval(beat)
  }
}

async function claim(db: Tx, clientId: number, id: number): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update bill_scans set state = 'reading', tries = tries + 1, heartbeat_at = clock_timestamp(), error = null, updated_at = now()
    from files where files.id = bill_scans.file_id and bill_scans.client_id = ${clientId} and bill_scans.id = ${id} and bill_scans.state = 'waiting'
    returning bill_scans.client_id, bill_scans.id, bill_scans.tries, bill_scans.filename, bill_scans.file_id, files.key, bill_scans.cut_from, bill_scans.cut_to,
      bill_scans.pages, bill_scans.pages_read + bill_scans.pages_failed as pages_settled`.execute(db)
  return rows[0]
}

async function keepAlive(services: Services, scan: Claimed): Promise<void> {
  try {
    await sql`update bill_scans set heartbeat_at = clock_timestamp() where ${isOurs(scan)}`.execute(services.jobsDatabase.db)
  } catch (error) {
    services.log.warn('a document’s sign of life was not noted', { scan_id: scan.id, error })
  }
}

function isOurs({ client_id, id, tries }: Claimed) {
  return sql<SqlBool>`bill_scans.client_id = ${client_id} and bill_scans.id = ${id} and bill_scans.state = 'reading' and bill_scans.tries = ${tries}`
}

/** Reads what this lane reads. @returns how many pages are left. */
async function readPages(
  services: Services,
  scan: Claimed,
  { lane, pageSeconds, signal }: { lane: Lane; pageSeconds: number; signal: AbortSignal },
): Promise<number> {
  const isSettled = scan.pages !== null && scan.pages_settled >= scan.pages
  if (isSettled && scan.cut_from === null) return 0
  const whole = await buffer(await services.files.read(scan.key))
  const bytes = await keepCut(services, scan, { bytes: whole, still: isOurs(scan) }, signal)
  if (isSettled) return 0
  const settled = await settledPages(services.jobsDatabase.db, scan)
  return withDocument({ lane, bytes, pageSeconds, signal }, async (document) => {
    await noteCount(services, scan, document.isText.length)
    const left = document.isText.flatMap((isText, at) => (settled.has(at + 1) ? [] : { page: at + 1, isText }))
    const mine = lane === 'quick' ? left.filter(({ isText }) => isText) : left.slice(0, TURN_PAGES)
    for (const { page } of mine) await readPage(services, scan, document, page)
    return left.length - mine.length
  })
}

async function noteCount(services: Services, scan: Claimed, pages: number): Promise<void> {
  await sql`update bill_scans set pages = ${pages} where ${isOurs(scan)}`.execute(services.jobsDatabase.db)
}

/** A page that cannot be read is one page; where the reader itself was stopped, the run ends and the page is tried again. */
async function readPage(services: Services, scan: Claimed, document: OpenDocument, page: number): Promise<void> {
  const mayTry = await beginPage(services.jobsDatabase.db, scan, page)
  const outcome = mayTry
    ? await document.readPage(page).catch(faultOf)
    : `Page ${page} could not be read: reading it was stopped twice, it may need too much memory.`
  await services.jobsDatabase.db.transaction().execute(async (tx) => {
    const { rows } = await sql`select id from bill_scans where ${isOurs(scan)} for update`.execute(tx)
    if (rows.length === 0) throw new ReadingError('stopped', 'Somebody else has gone on with the document.')
    await keepPage(tx, scan, page, outcome)
  })
}

function faultOf(error: unknown): PageWords | string {
  if (error instanceof ReadingError && error.fault !== 'stopped') return error.message
  throw error
}

/** The rest must be recognised, which is another queue's: there short documents come before long ones, and long ones take turns. */
async function passOn(services: Services, scan: Claimed, left: number): Promise<void> {
  await inUnit(services, async (context) => {
    const { rows } =
      await sql`update bill_scans set state = 'waiting', heartbeat_at = null, tries = tries - 1, updated_at = now() where ${isOurs(scan)} returning id`.execute(
        context.tx,
      )
    if (rows.length > 0) await sendToRecognise(services, context.tx, scan, left)
  })
}

async function finish(services: Services, scan: Claimed): Promise<void> {
  await inUnit(services, async (context) => {
    const { words, faults } = await storedWords(context.tx, scan)
    if (words.pages.length === 0 && faults[0] !== undefined) throw new ReadingError('broken', faults[0])
    await keepReading(context, scan, words, isOurs(scan))
  })
}

/** What cannot be read says why and can still be entered by hand; a run that was stopped is made again. */
async function endBadly(services: Services, scan: Claimed, error: unknown, signal: AbortSignal): Promise<void> {
  const isFinal = error instanceof ReadingError && error.fault !== 'stopped'
  const again = !isFinal && (signal.aborted || scan.tries < triesMax + scan.pages_settled)
  if (!isFinal) services.log.warn('a document was not read', { scan_id: scan.id, tries: scan.tries, error })
  const reason = error instanceof ReadingError ? error.message : reasonOf(error)
  await inUnit(services, async (context) => {
    const { rows } =
      await sql`update bill_scans set state = ${again ? 'waiting' : 'failed'}, heartbeat_at = null, error = ${again ? null : reason}, updated_at = now(),
        tries = ${again && signal.aborted ? scan.tries - 1 : scan.tries}
      where ${isOurs(scan)} returning id`.execute(context.tx)
    if (rows.length === 0) return
    if (again) await sendScan(services, context.tx, scan.client_id, scan.id)
    context.touch(scan.client_id)
  })
}
