/**
 * Reads documents of the inbox in the background: extracts the pages of a part, has the letters recognised page by page, and stores the
 * proposal. The row shows the owner of the turn: a run that died, or that a user has overtaken, stores nothing, and the next continues at
 * the page after the stored ones.
 */
import { sql } from 'kysely'
import { ReadingError } from '../bill-reading/bill-reading.ts'
import type { JobDefinition, JobRun } from '../kernel/work/jobs.ts'
import { reasonOf } from '../kernel/files/no-room.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { inUnit, keepReading } from './keep-reading.ts'
import { memoryOf, purseOf, readPages } from './read-pages.ts'
import { isTooMuch, MadeRoom, type ReadingSettings, type Turn } from './make-room.ts'
import { claimAt, desksOf, leaveDesk, roomFor, takeDesk, whenOthersLeave, type Lane } from './reader-desks.ts'
import { storedWords } from './scan-pages.ts'
import { claimNext, isOurs, type Claimed } from './scan-turns.ts'
import { callReader, readJobs } from './send-scan.ts'

const heartbeatMs = 5_000
/** A run without a heartbeat for this long is dead. */
const lostAfterSeconds = 20
const reviveSeconds = 5
/** Runs that may fail without storing a page. */
const triesMax = 3
const expireSeconds = 3_600
/** After this the queue gives the job to any free worker. */
const shiftMs = 600_000
/** A document that waits for this long has lost its notification. */
const forgottenSeconds = 30

export function readScanJobs(settings: ReadingSettings): readonly JobDefinition[] {
  // The row counts the tries, so the queue makes none of its own.
  const reading = (lane: Lane): JobDefinition => ({
    name: readJobs[lane],
    run: (job) => readWaiting(job, lane, settings),
    retryLimit: 0,
    expireSeconds,
    atOnce: desksOf(lane),
  })
  return [
    reading('quick'),
    reading('slow'),
    { name: 'bill_scan_revive', run: ({ machinery }) => reviveScans(machinery), everySeconds: reviveSeconds },
  ]
}

/** Reassigns documents whose run has ended, and notifies the readers again if a notification was lost. */
async function reviveScans(machinery: Machinery): Promise<void> {
  await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    const { rows: revived } =
      await sql`update bill_scans set state = 'waiting', lane = 'quick', heartbeat_at = null where (client_id, id) in (
      select client_id, id from bill_scans where state = 'reading' and heartbeat_at < clock_timestamp() - make_interval(secs => ${lostAfterSeconds}::int)
      order by id limit 100 for update skip locked) returning id`.execute(tx)
    if (revived.length > 0) await callReader(machinery, tx, 'quick')
    const { rows } = await sql<{ lane: Lane }>`select distinct lane from bill_scans where state = 'waiting'
      and updated_at < clock_timestamp() - make_interval(secs => ${forgottenSeconds}::int)`.execute(tx)
    for (const { lane } of rows) await callReader(machinery, tx, lane, { isReminder: true })
  })
}

/** Reads one document after the other, each in its turn, until none waits. */
async function readWaiting({ machinery, signal }: JobRun, lane: Lane, settings: ReadingSettings): Promise<void> {
  const end = performance.now() + shiftMs
  while (!signal.aborted) {
    if (performance.now() > end) return callReader(machinery, machinery.jobsDatabase.db, lane)
    const desk = await takeDesk(lane, memoryOf(lane, settings))
    try {
      const scan = await claimAt(desk, (isKept) => claimNext(machinery.jobsDatabase.db, lane, isKept))
      if (!scan) return
      await readScan(machinery, scan, { desk, settings, signal, purse: purseOf(scan, settings) })
      if (desk.room.signal.reason === roomFor.memory) await whenOthersLeave(desk)
    } finally {
      leaveDesk(desk)
    }
  }
}

async function readScan(machinery: Machinery, scan: Claimed, turn: Turn): Promise<void> {
  const { lane, room } = turn.desk
  const beat = setInterval(() => void keepAlive(machinery, scan, turn), heartbeatMs)
  try {
    // A stored page justifies another run.
    if (scan.tries > triesMax + scan.pages_settled) throw new ReadingError('stopped', 'Reading stopped several times without an end.')
    const left = await readPages(machinery, scan, turn)
    if (left > 0) await passOn(machinery, scan, turn)
    else await finish(machinery, scan, turn)
  } catch (error) {
    if (error instanceof MadeRoom) await passOn(machinery, scan, turn, lane === 'slow' && error.isForOthers ? 1 : 0)
    else if (isStopped(error) && room.signal.aborted) await passOn(machinery, scan, turn)
    else if (lane === 'quick' && isTooMuch(error)) await passOn(machinery, scan, turn)
    else await endBadly(machinery, scan, error, turn)
  } finally {
    clearInterval(beat)
  }
}

/** Records the document's CPU time with the heartbeat: the time of a killed run counts too. */
async function keepAlive(machinery: Machinery, scan: Claimed, turn: Turn): Promise<void> {
  try {
    await sql`update bill_scans set heartbeat_at = clock_timestamp(), reading_ms = ${msOf(turn)} where ${isOurs(scan)}`.execute(
      machinery.jobsDatabase.db,
    )
  } catch (error) {
    machinery.log.warn('a document’s sign of life was not noted', { scan_id: scan.id, error })
  }
}

/** Returns the CPU time (ms) of the document over all its tries. */
const msOf = ({ purse, desk }: Turn): number => Math.round((purse.limit - purse.left + desk.seconds) * 1_000)
const isStopped = (error: unknown): boolean => error instanceof ReadingError && error.fault === 'stopped'

/** The slow reader gets the rest: there short documents come before long ones, and long ones take turns. */
async function passOn(machinery: Machinery, scan: Claimed, turn: Turn, setBack = 0): Promise<void> {
  await inUnit(machinery, async (context) => {
    const { rows } = await sql`update bill_scans set state = 'waiting', lane = 'slow', heartbeat_at = null, tries = tries - 1,
        reading_ms = ${msOf(turn)}, set_back = set_back + ${setBack}, claimed_at = clock_timestamp(), updated_at = now()
      where ${isOurs(scan)} returning id`.execute(context.tx)
    if (rows.length > 0) await callReader(machinery, context.tx, 'slow')
  })
}

async function finish(machinery: Machinery, scan: Claimed, turn: Turn): Promise<void> {
  await inUnit(machinery, async (context) => {
    const { words, faults } = await storedWords(context.tx, scan)
    if (words.pages.length === 0 && faults[0] !== undefined) throw new ReadingError('broken', faults[0])
    await sql`update bill_scans set reading_ms = ${msOf(turn)}, claimed_at = clock_timestamp() where ${isOurs(scan)}`.execute(context.tx)
    await keepReading(context, scan, words, isOurs(scan))
  })
}

/** A document that cannot be read shows the reason and can still be entered by hand; a stopped run is repeated. */
async function endBadly(machinery: Machinery, scan: Claimed, error: unknown, turn: Turn): Promise<void> {
  const { signal } = turn
  const isFinal = error instanceof ReadingError && error.fault !== 'stopped'
  const again = !isFinal && (signal.aborted || scan.tries < triesMax + scan.pages_settled)
  if (!isFinal) machinery.log.warn('a document was not read', { scan_id: scan.id, tries: scan.tries, error })
  const reason = error instanceof ReadingError ? error.message : reasonOf(error)
  await inUnit(machinery, async (context) => {
    const { rows } = await sql`update bill_scans set state = ${again ? 'waiting' : 'failed'}, lane = 'quick', heartbeat_at = null,
        error = ${again ? null : reason}, reading_ms = ${msOf(turn)}, claimed_at = clock_timestamp(), updated_at = now(),
        tries = ${again && signal.aborted ? scan.tries - 1 : scan.tries}
      where ${isOurs(scan)} returning id`.execute(context.tx)
    if (rows.length === 0) return
    if (again) await callReader(machinery, context.tx, 'quick')
    context.touch(scan.client_id)
  })
}
