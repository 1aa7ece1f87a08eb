/**
 * Reads documents of the inbox in the background: cuts out the pages of a part, has the letters read page by page, and keeps what they
 * propose. The row says whose turn it is: a run that died, or that a person has overtaken, keeps nothing, and the next goes on at the page
 * after those that are kept.
 */
import { sql } from 'kysely'
import { ReadingError } from '../bill-reading/bill-reading.ts'
import type { JobDefinition, JobRun } from '../kernel/jobs.ts'
import { reasonOf } from '../kernel/no-room.ts'
import type { Services } from '../kernel/services.ts'
import { inUnit, keepReading } from './keep-reading.ts'
import { isTooMuch, MadeRoom, readPages, type ReadingSettings, type Turn } from './read-pages.ts'
import type { Lane } from './reader.ts'
import { storedWords } from './scan-pages.ts'
import { claimNext, isOurs, type Claimed } from './scan-turns.ts'
import { callReader, readJobs } from './send-scan.ts'

const heartbeatMs = 5_000
/** A run that was silent for this long is dead. */
const lostAfterSeconds = 20
const reviveSeconds = 5
/** Runs that may fail without keeping a page. */
const triesMax = 3
const expireSeconds = 3_600
/** After this the queue gives the job to whoever is free. */
const shiftMs = 600_000
/** A document that waits for so long waits for a call that was lost. */
const forgottenSeconds = 30

export function readScanJobs(settings: ReadingSettings): readonly JobDefinition[] {
  // The row counts the tries, so the queue makes none of its own.
  const reading = (lane: Lane): JobDefinition => ({
    name: readJobs[lane],
    run: (job) => readWaiting(job, lane, settings),
    retryLimit: 0,
    expireSeconds,
  })
  return [
    reading('quick'),
    reading('slow'),
    { name: 'bill_scan_revive', run: ({ services }) => reviveScans(services), everySeconds: reviveSeconds },
  ]
}

/** Gives documents whose run is gone to another, and calls the readers where a call was lost. */
async function reviveScans(services: Services): Promise<void> {
  await services.jobsDatabase.db.transaction().execute(async (tx) => {
    const { rows: revived } =
      await sql`update bill_scans set state = 'waiting', lane = 'quick', heartbeat_at = null where (client_id, id) in (
      select client_id, id from bill_scans where state = 'reading' and heartbeat_at < clock_timestamp() - make_interval(secs => ${lostAfterSeconds}::int)
      order by id limit 100 for update skip locked) returning id`.execute(tx)
    if (revived.length > 0) await callReader(services, tx, 'quick')
    const { rows } = await sql<{ lane: Lane }>`select distinct lane from bill_scans where state = 'waiting'
      and updated_at < clock_timestamp() - make_interval(secs => ${forgottenSeconds}::int)`.execute(tx)
    for (const { lane } of rows) await callReader(services, tx, lane, { isReminder: true })
  })
}

/** One document after the other, each in its turn, until none waits. */
async function readWaiting({ services, signal }: JobRun, lane: Lane, settings: ReadingSettings): Promise<void> {
  const end = performance.now() + shiftMs
  while (!signal.aborted) {
    if (performance.now() > end) return callReader(services, services.jobsDatabase.db, lane)
    const scan = await claimNext(services.jobsDatabase.db, lane)
    if (!scan) return
    await readScan(services, scan, { lane, settings, signal, seconds: 0 })
  }
}

async function readScan(services: Services, scan: Claimed, turn: Turn): Promise<void> {
  const beat = setInterval(() => void keepAlive(services, scan), heartbeatMs)
  try {
    // A page that was kept is worth a further run.
    if (scan.tries > triesMax + scan.pages_settled) throw new ReadingError('stopped', 'Reading stopped several times without an end.')
    const left = await readPages(services, scan, turn)
    if (left > 0) await passOn(services, scan, turn)
    else await finish(services, scan, turn)
  } catch (error) {
    if (error instanceof MadeRoom) await passOn(services, scan, turn, turn.lane === 'slow' ? 1 : 0)
    else if (turn.lane === 'quick' && isTooMuch(error)) await passOn(services, scan, turn)
    else await endBadly(services, scan, error, turn)
  } finally {
    clearInterval(beat)
  }
}

async function keepAlive(services: Services, scan: Claimed): Promise<void> {
  try {
    await sql`update bill_scans set heartbeat_at = clock_timestamp() where ${isOurs(scan)}`.execute(services.jobsDatabase.db)
  } catch (error) {
    services.log.warn('a document’s sign of life was not noted', { scan_id: scan.id, error })
  }
}

const msOf = ({ seconds }: Turn): number => Math.round(seconds * 1_000)

/** The rest is the slow reader's: there short documents come before long ones, and long ones take turns. */
async function passOn(services: Services, scan: Claimed, turn: Turn, setBack = 0): Promise<void> {
  await inUnit(services, async (context) => {
    const { rows } = await sql`update bill_scans set state = 'waiting', lane = 'slow', heartbeat_at = null, tries = tries - 1,
        reading_ms = reading_ms + ${msOf(turn)}, set_back = set_back + ${setBack}, updated_at = now()
      where ${isOurs(scan)} returning id`.execute(context.tx)
    if (rows.length > 0) await callReader(services, context.tx, 'slow')
  })
}

async function finish(services: Services, scan: Claimed, turn: Turn): Promise<void> {
  await inUnit(services, async (context) => {
    const { words, faults } = await storedWords(context.tx, scan)
    if (words.pages.length === 0 && faults[0] !== undefined) throw new ReadingError('broken', faults[0])
    await sql`update bill_scans set reading_ms = reading_ms + ${msOf(turn)} where ${isOurs(scan)}`.execute(context.tx)
    await keepReading(context, scan, words, isOurs(scan))
  })
}

/** What cannot be read says why and can still be entered by hand; a run that was stopped is made again. */
async function endBadly(services: Services, scan: Claimed, error: unknown, turn: Turn): Promise<void> {
  const { signal } = turn
  const isFinal = error instanceof ReadingError && error.fault !== 'stopped'
  const again = !isFinal && (signal.aborted || scan.tries < triesMax + scan.pages_settled)
  if (!isFinal) services.log.warn('a document was not read', { scan_id: scan.id, tries: scan.tries, error })
  const reason = error instanceof ReadingError ? error.message : reasonOf(error)
  await inUnit(services, async (context) => {
    const { rows } = await sql`update bill_scans set state = ${again ? 'waiting' : 'failed'}, lane = 'quick', heartbeat_at = null,
        error = ${again ? null : reason}, reading_ms = reading_ms + ${msOf(turn)}, updated_at = now(),
        tries = ${again && signal.aborted ? scan.tries - 1 : scan.tries}
      where ${isOurs(scan)} returning id`.execute(context.tx)
    if (rows.length === 0) return
    if (again) await callReader(services, context.tx, 'quick')
    context.touch(scan.client_id)
  })
}
