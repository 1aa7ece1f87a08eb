/** What the clock starts: sweeping away what nobody needs any more. */
import { sql } from 'kysely'
import { exportKey } from './export.ts'
import { idempotencyDays } from './idempotency.ts'
import type { JobDefinition } from './jobs.ts'
import type { Services } from './services.ts'

const notificationDays = 90
const mailDays = 90
const oneTimeLinkDays = 7
/** Exports are made again in a moment, so their files do not stay. Files of imports do. */
const exportDays = 30
/** An upload that no record has taken by then never will be: its signed id lived an hour. */
const unattachedHours = 24
const sweepBatch = 500

export const housekeepingJobs: JobDefinition[] = [
  { name: 'sweep_files', cron: '17 * * * *', run: ({ services }) => sweepFiles(services) },
  { name: 'sweep_rows', cron: '40 3 * * *', run: ({ services }) => sweepRows(services) },
]

/** Removes uploads that no record has taken, and exports of long ago. The row goes last: what could not be removed is tried again. */
export async function sweepFiles(services: Services): Promise<void> {
  const { db } = services.jobsDatabase
  const { rows: uploads } = await sql<{ id: number; key: string }>`select id, key from files
    where state <> 'attached' and created_at < now() - make_interval(hours => ${unattachedHours}::int) order by created_at limit ${sweepBatch}`.execute(
    db,
  )
  for (const { id, key } of uploads) {
    await services.files.remove(key)
    await sql`delete from files where id = ${id} and state <> 'attached'`.execute(db)
  }
  const { rows: exports } = await sql<{ id: number; file_id: number | null }>`select id, file_id from tasks
    where kind = 'csv_export' and state in ('done', 'failed', 'cancelled') and finished_at < now() - make_interval(days => ${exportDays}::int) order by id limit ${sweepBatch}`.execute(
    db,
  )
  for (const task of exports) {
    await services.files.remove(exportKey(task.id))
    await db.transaction().execute(async (tx) => {
      await sql`delete from tasks where id = ${task.id}`.execute(tx)
      await sql`delete from files where id = ${task.file_id}`.execute(tx)
    })
  }
}

/** Deletes rows whose time is over: answers of repeated requests, old notifications, old mails, dead links. */
export async function sweepRows(services: Services): Promise<void> {
  const { db } = services.jobsDatabase
  const before = (days: number) => sql`now() - make_interval(days => ${days}::int)`
  await sql`delete from idempotency_keys where created_at < ${before(idempotencyDays)}`.execute(db)
  await sql`delete from notifications where created_at < ${before(notificationDays)}`.execute(db)
  await sql`delete from mails where state <> 'waiting' and created_at < ${before(mailDays)}`.execute(db)
  await sql`delete from one_time_links where expires_at < ${before(oneTimeLinkDays)}`.execute(db)
}
