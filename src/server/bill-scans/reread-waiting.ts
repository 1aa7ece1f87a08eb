/**
 * Applies what was learned of a vendor to waiting documents: the vendor's documents are read again from their stored words, without any
 * recognition, and so are those without a known vendor. Everything that a user did to a document meanwhile is kept.
 */
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../kernel/postgres/database.ts'
import type { JobDefinition, JobRun } from '../kernel/work/jobs.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { inUnit, keepReading } from './keep-reading.ts'
import { storedWords } from './scan-pages.ts'

/** Documents that one lesson reads again; the oldest come first. */
const REREAD_MAX = 500
const expireSeconds = 900

export const rereadJob: JobDefinition = { name: 'bill_scan_reread', run: rereadWaiting, expireSeconds }

/** Queues the job in the caller's transaction. */
export async function sendToReread(machinery: Machinery, tx: Tx, vendorId: number): Promise<void> {
  await machinery.jobs.send(tx, rereadJob.name, { vendor_id: vendorId })
}

const asked = z.object({ vendor_id: z.int() })

async function rereadWaiting({ data, machinery, signal }: JobRun): Promise<void> {
  const { vendor_id } = asked.parse(data)
  const { rows } = await sql<{ client_id: number; id: number; lock_version: number }>`
    select client_id, id, lock_version from bill_scans where state = 'read' and (vendor_id = ${vendor_id} or vendor_id is null)
    order by created_at, id limit ${REREAD_MAX}`.execute(machinery.jobsDatabase.db)
  // One transaction for each, so that none is locked while the others are read.
  for (const scan of rows) {
    signal.throwIfAborted()
    await inUnit(machinery, async (context) => {
      const { words } = await storedWords(context.tx, scan)
      if (words.pages.length === 0) return
      const isAsBefore = sql<SqlBool>`bill_scans.state = 'read' and bill_scans.lock_version = ${scan.lock_version}`
      await keepReading(context, scan, words, isAsBefore)
    })
  }
}
