/**
 * Teaches the reader from what a user saved of a document. This happens after the save, because reading the document's words again must
 * neither delay the save nor keep the vendor's layout locked meanwhile. The job is queued in the save's own transaction, so that it exists
 * exactly if the bill does.
 */
import {
  readBillFields,
  readMeterFields,
  type ConfirmedReading,
  type ReadBillField,
  type ReadMeterField,
} from '#contract/bill-reading/bill-reading.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { learnLayout } from '../bill-reading/bill-reading.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { JobDefinition, JobRun } from '../kernel/work/jobs.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { rereadJob, sendToReread } from './reread-waiting.ts'
import { storedWords } from './scan-pages.ts'

const learnJobName = 'bill_scan_learn'
const expireSeconds = 120

export const learnScanJobs: readonly JobDefinition[] = [{ name: learnJobName, run: learnScan, expireSeconds }, rereadJob]

interface Taught {
  readonly clientId: number
  readonly scanId: number
  readonly billId: number
  readonly userId: number | null
  readonly confirmed: ConfirmedReading
}

/** Queues the lesson in the caller's transaction. */
export async function sendLesson(machinery: Machinery, tx: Tx, { clientId, scanId, billId, userId, confirmed }: Taught): Promise<void> {
  if (confirmed.vendor_id === null) return
  await machinery.jobs.send(tx, learnJobName, {
    client_id: clientId,
    scan_id: scanId,
    bill_id: billId,
    user_id: userId,
    confirmed: JSON.stringify(confirmed),
  })
}

const told = z.string().nullish()
const toldOf = <Field extends string>(fields: readonly Field[]) => z.partialRecord(z.enum(fields), told)
const confirmedReading: z.ZodType<ConfirmedReading> = z.object({
  vendor_id: z.int().nullable(),
  values: toldOf<ReadBillField>(readBillFields),
  meters: z.array(toldOf<ReadMeterField>(readMeterFields)),
})
const lesson = z.object({
  client_id: z.int(),
  scan_id: z.int(),
  bill_id: z.int(),
  user_id: z.int().nullable(),
  confirmed: z.string().transform((text) => confirmedReading.parse(JSON.parse(text))),
})

/** A job may run twice, and a bill counts once: its lesson is recorded with the document, in the transaction of the lesson. */
async function learnScan({ data, machinery }: JobRun): Promise<void> {
  const { client_id, scan_id, bill_id, user_id, confirmed } = lesson.parse(data)
  await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    const { rows } = await sql`update bill_scans set taught_by_bill = ${bill_id} where client_id = ${client_id} and id = ${scan_id}
      and bill_id = ${bill_id} and taught_by_bill is distinct from ${bill_id} returning id`.execute(tx)
    if (rows.length === 0) return
    const { words } = await storedWords(tx, { client_id, id: scan_id })
    if (words.pages.length === 0) return
    await learnLayout(tx, words, confirmed, user_id)
    if (confirmed.vendor_id !== null) await sendToReread(machinery, tx, confirmed.vendor_id)
  })
}
