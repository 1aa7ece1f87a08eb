/** Scheduled cleanup of data that is no longer needed. */
import { sql } from 'kysely'
import { now } from '../clock.ts'
import type { Tx } from '../postgres/database.ts'
import { exportKey } from '../lists/export-file.ts'
import { idempotencyDays } from '../http/idempotency.ts'
import type { JobDefinition } from './jobs.ts'
import type { Machinery } from '../machinery.ts'

const notificationDays = 90
const mailDays = 90
const oneTimeLinkDays = 7
/** Exports can be made again at any time, so their files are deleted. Files of imports are kept. */
const exportDays = 30
/** An upload without a record after this time never gets one: its signed id was valid for an hour. */
const unattachedHours = 24
const sweepBatch = 500
/** A write without progress for this long has ended with its process. */
const halfWrittenHours = 1
const strayExpireSeconds = 4 * 3_600

export const housekeepingJobs: JobDefinition[] = [
  { name: 'sweep_files', cron: '17 * * * *', atStart: true, run: ({ machinery }) => sweepFiles(machinery) },
  {
    name: 'sweep_strays',
    cron: '50 4 * * *',
    atStart: true,
    expireSeconds: strayExpireSeconds,
    run: ({ machinery, signal }) => sweepStrays(machinery, signal),
  },
  { name: 'sweep_rows', cron: '40 3 * * *', run: ({ machinery }) => sweepRows(machinery) },
]

/** Removes uploads without a record, and old exports. The row is deleted last, so that a failed removal is tried again. */
export async function sweepFiles(machinery: Machinery): Promise<void> {
  const { db } = machinery.jobsDatabase
  const { rows: uploads } = await sql<{ id: number; key: string }>`select id, key from files
    where state <> 'attached' and created_at < now() - make_interval(hours => ${unattachedHours}::int) order by created_at limit ${sweepBatch}`.execute(
    db,
  )
  for (const { id, key } of uploads) {
    await machinery.files.remove(key)
    await sql`delete from files where id = ${id} and state <> 'attached'`.execute(db)
  }
  const { rows: exports } = await sql<{ id: number; file_id: number | null }>`select id, file_id from tasks
    where kind = 'csv_export' and state in ('done', 'failed', 'cancelled') and finished_at < now() - make_interval(days => ${exportDays}::int) order by id limit ${sweepBatch}`.execute(
    db,
  )
  for (const task of exports) {
    await machinery.files.remove(exportKey(task.id))
    await db.transaction().execute(async (tx) => {
      await sql`delete from tasks where id = ${task.id}`.execute(tx)
      await sql`delete from files where id = ${task.file_id}`.execute(tx)
    })
  }
}

/**
 * Removes the remains of killed processes from the store: half-written files, and complete ones whose row was never committed. A file from
 * before the database was created is left alone: the database may be a new one, set up beside the files of another.
 */
async function sweepStrays(machinery: Machinery, signal: AbortSignal): Promise<void> {
  const { files, jobsDatabase, log } = machinery
  const half = await files.removeHalfWritten(hoursAgo(halfWrittenHours))
  const before = hoursAgo(unattachedHours)
  const began = await databaseBegan(jobsDatabase.db)
  let unnamed = 0
  let batch: string[] = []
  for await (const { key, changedAt } of files.list()) {
    if (signal.aborted) return
    if (changedAt >= before || changedAt < began) continue
    batch.push(key)
    if (batch.length < sweepBatch) continue
    unnamed += await removeUnnamed(machinery, batch, before)
    batch = []
  }
  unnamed += await removeUnnamed(machinery, batch, before)
  if (half + unnamed > 0) log.info('files of stopped writes were removed', { half, unnamed })
}

function hoursAgo(hours: number): Date {
  return new Date(now().getTime() - hours * 3_600_000)
}

async function databaseBegan(db: Tx): Promise<Date> {
  const { rows } = await sql<{ began: string | null }>`select min(applied_at) as began from schema_migrations`.execute(db)
  return new Date(rows[0]?.began ?? now())
}

/**
 * The writer of such an old file has committed its row or never will. Repeated work may write the file again meanwhile, so it is checked
 * once more.
 */
async function removeUnnamed({ files, jobsDatabase }: Machinery, keys: readonly string[], before: Date): Promise<number> {
  const { rows } = await sql<{ key: string }>`select key from unnest(${keys}::text[]) as stored(key)
    where not exists (select 1 from files where files.key = stored.key)`.execute(jobsDatabase.db)
  let removed = 0
  for (const { key } of rows) {
    const changedAt = await files.changedAt(key)
    if (!changedAt || changedAt >= before) continue
    await files.remove(key)
    removed += 1
  }
  return removed
}

/** Deletes expired rows: answers of repeated requests, old notifications, old mails, dead links. */
export async function sweepRows(machinery: Machinery): Promise<void> {
  const { db } = machinery.jobsDatabase
  const before = (days: number) => sql`now() - make_interval(days => ${days}::int)`
  await sql`delete from idempotency_keys where created_at < ${before(idempotencyDays)}`.execute(db)
  await sql`delete from notifications where created_at < ${before(notificationDays)}`.execute(db)
  await sql`delete from mails where state <> 'waiting' and created_at < ${before(mailDays)}`.execute(db)
  await sql`delete from one_time_links where expires_at < ${before(oneTimeLinkDays)}`.execute(db)
}
