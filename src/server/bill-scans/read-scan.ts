/**
 * Reads documents of the inbox in the background: cuts out the pages of a part, has the letters read, and keeps what they propose. The row
 * says whose turn it is: a run that died, or that a person has overtaken, keeps nothing.
 */
import { buffer } from 'node:stream/consumers'
import type { BillReading, DocumentWords } from '#contract/bill-reading.ts'
import { sql } from 'kysely'
import { proposeBill, readDocument, ReadingError } from '../bill-reading/bill-reading.ts'
import { unitOfWork, type Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/database.ts'
import { generatedKey } from '../kernel/files.ts'
import type { JobDefinition, JobRun } from '../kernel/jobs.ts'
import { everything } from '../kernel/resource.ts'
import type { Services } from '../kernel/services.ts'
import { cutPages } from './cut-pages.ts'
import { releaseUnused } from './release-unused.ts'
import { proposalsOf } from './scan-proposals.ts'
import { readJobName, sendScan } from './send-scan.ts'

const heartbeatMs = 5_000
/** A run that was silent for this long is dead. */
const lostAfterSeconds = 20
const reviveSeconds = 5
const triesMax = 3
const expireSeconds = 1_800

export const readScanJobs: readonly JobDefinition[] = [
  // The row counts the tries, so the queue makes none of its own.
  { name: readJobName, run: readScan, retryLimit: 0, expireSeconds },
  { name: 'bill_scan_revive', run: ({ services }) => reviveScans(services), everySeconds: reviveSeconds },
]

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
}

async function readScan({ data, services, signal }: JobRun): Promise<void> {
  const scan = await claim(services.jobsDatabase.db, Number(data['client_id']), Number(data['scan_id']))
  if (!scan) return
  const beat = setInterval(() => void keepAlive(services, scan), heartbeatMs)
  try {
    if (scan.tries > triesMax) throw new ReadingError('stopped', 'Reading stopped several times without an end.')
    const words = await wordsOf(services, scan, signal)
    await keepReading(services, scan, words)
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
    returning bill_scans.client_id, bill_scans.id, bill_scans.tries, bill_scans.filename, bill_scans.file_id, files.key, bill_scans.cut_from, bill_scans.cut_to`.execute(
    db,
  )
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
  return sql`bill_scans.client_id = ${client_id} and bill_scans.id = ${id} and bill_scans.state = 'reading' and bill_scans.tries = ${tries}`
}

async function wordsOf(services: Services, scan: Claimed, signal: AbortSignal): Promise<DocumentWords> {
  const whole = await buffer(await services.files.read(scan.key))
  const { cut_from: from, cut_to: to } = scan
  return readDocument(from === null || to === null ? whole : await keepCut(services, scan, { bytes: whole, from, to }, signal), { signal })
}

/** The part's own pages become its file, so that nobody who sees this bill sees the others. @returns its bytes. */
async function keepCut(
  services: Services,
  scan: Claimed,
  request: { bytes: Uint8Array; from: number; to: number },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const cut = await cutPages(request, signal).catch((error: unknown) => {
    if (signal.aborted) throw error
    services.log.warn('a document could not be divided', { scan_id: scan.id, error })
    throw new ReadingError('broken', 'The pages could not be taken out of the document: it may be protected.')
  })
  const key = generatedKey('scans')
  const { bytes, sha256 } = await services.files.put(key, cut, 'application/pdf')
  await inUnit(services, async (context) => {
    const filename = partName(scan.filename, request)
    const { rows } = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, sha256, state, attached_at)
      values (${key}, ${filename}, 'application/pdf', ${bytes}, ${sha256}, 'attached', now()) returning id`.execute(context.tx)
    const { rows: kept } =
      await sql`update bill_scans set file_id = ${rows[0]?.id ?? 0}, filename = ${filename}, cut_from = null, cut_to = null
      where ${isOurs(scan)} returning id`.execute(context.tx)
    await releaseUnused(context, [rows[0]?.id ?? null, scan.file_id])
    if (kept.length === 0) throw new ReadingError('stopped', 'Somebody else has gone on with the document.')
  })
  return cut
}

/** 'May.pdf', pages 3 to 4: 'May, pages 3-4.pdf'. */
function partName(filename: string, { from, to }: { from: number; to: number }): string {
  const stem = filename.replace(/\.pdf$/i, '').slice(0, 220)
  return `${stem}, ${from === to ? `page ${from}` : `pages ${from}-${to}`}.pdf`
}

async function keepReading(services: Services, scan: Claimed, words: DocumentWords): Promise<void> {
  await inUnit(services, async (context) => {
    const reading: BillReading = await proposeBill(context.tx, scan.client_id, words)
    const found = proposalsOf(reading)
    const { rows } =
      await sql`update bill_scans set state = 'read', heartbeat_at = null, read_at = now(), updated_at = now(), lock_version = lock_version + 1,
        reading = ${JSON.stringify(reading)}::jsonb, words = ${JSON.stringify(words)}::jsonb, pages = ${found.pages}, bills_inside = ${found.bills_inside},
        vendor_id = ${found.vendor_id}, vendor_name = ${found.vendor_name}, billable_account_id = ${found.billable_account_id},
        supply_account_id = ${found.supply_account_id}, account_number = ${found.account_number}, bill_date = ${found.bill_date},
        due_date = ${found.due_date}, amount_due = ${found.amount_due}, confidence = ${found.confidence}
      where ${isOurs(scan)} returning id`.execute(context.tx)
    if (rows.length > 0) context.touch(scan.client_id)
  })
}

/** What cannot be read says why and can still be entered by hand; a run that was stopped is made again. */
async function endBadly(services: Services, scan: Claimed, error: unknown, signal: AbortSignal): Promise<void> {
  const isFinal = error instanceof ReadingError && error.fault !== 'stopped'
  const again = !isFinal && (signal.aborted || scan.tries < triesMax)
  if (!isFinal) services.log.warn('a document was not read', { scan_id: scan.id, tries: scan.tries, error })
  const reason = error instanceof ReadingError ? error.message : 'Something went wrong on our side.'
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

/** A transaction of nobody's: what the machine proposes is nobody's doing, and leaves no line in the trail. */
async function inUnit(services: Services, work: (context: Context) => Promise<void>): Promise<void> {
  const caller = { principal: null, ip: null, requestId: 'bill-scan', connectionId: null }
  await services.jobsDatabase.db.transaction().execute(async (tx) => {
    const unit = unitOfWork(tx, caller, everything, services)
    await work(unit.context)
    await unit.finish()
  })
}
