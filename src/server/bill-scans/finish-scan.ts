/** Links a document to its bill, and reopens it when that bill is deleted. */
import type { ConfirmedReading } from '#contract/bill-reading/bill-reading.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { Failure, invalid, refused } from '../kernel/problem.ts'
import { lockScans, refuseDone } from './change-scans.ts'
import { sendLesson } from './learn-scan.ts'

/**
 * Returns the file that a bill gets from its document. Throws 422 at `scan_id` if there is none in reach; refused if it was entered
 * already, or if its pages are not cut out of the whole file, which may show the bills of others to readers of this one.
 */
export async function fileOfScan(context: Context, clientId: number, scanId: number): Promise<number> {
  const [scan] = await lockScans(context, clientId, [scanId]).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'not_found' ? unknownScan() : error
  })
  if (!scan) throw unknownScan()
  refuseDone([scan])
  if (scan.cut_from !== null) throw refused(scan.state === 'failed' ? uncut(scan.filename) : stillDivided)
  if (scan.bills_inside > 1)
    throw refused(`${scan.filename} seems to hold ${scan.bills_inside} bills. Divide it first, or say that it is one bill.`)
  return scan.file_id
}

const unknownScan = (): Failure => invalid({ scan_id: ['This document cannot be found'] })
const stillDivided = 'The document is still being divided. Please save again in a moment.'
const uncut = (filename: string): string =>
  `The pages of this bill could not be taken out of ${filename}, and the whole file may show other bills. ` +
  'Upload its pages as a file of their own, or choose “Use the whole file” in the inbox first.'

/** Marks the document as entered: the saved values will teach the reader the vendor's layout. */
export async function finishScan(
  context: Context,
  clientId: number,
  scanId: number,
  billId: number,
  confirmed: ConfirmedReading,
): Promise<void> {
  const { rows } = await sql<{ state: string }>`
    update bill_scans set state = 'done', bill_id = ${billId}, heartbeat_at = null, lock_version = bill_scans.lock_version + 1, updated_at = now()
    from bill_scans before where before.client_id = bill_scans.client_id and before.id = bill_scans.id
      and bill_scans.client_id = ${clientId} and bill_scans.id = ${scanId} and bill_scans.state <> 'done' returning before.state`.execute(
    context.tx,
  )
  const [row] = rows
  if (!row) return
  await context.audit.updated('bill_scan', scanId, clientId, {
    state: { from: row.state, to: 'done' },
    bill_id: { from: null, to: billId },
  })
  await sendLesson(context.machinery, context.tx, { clientId, scanId, billId, userId: context.principal.user_id, confirmed })
}

/** Documents of deleted bills wait again. */
export async function reopenScans(context: Context, clientId: number, billIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number; bill_id: number; state: string }>`
    update bill_scans set state = case when bill_scans.reading is null then 'failed' else 'read' end, bill_id = null, lock_version = bill_scans.lock_version + 1, updated_at = now()
    from bill_scans before where before.client_id = bill_scans.client_id and before.id = bill_scans.id
      and bill_scans.client_id = ${clientId} and bill_scans.bill_id = any(${billIds}::bigint[])
    returning bill_scans.id, before.bill_id, bill_scans.state`.execute(context.tx)
  await context.audit.many(
    rows.map(({ id, bill_id, state }) => ({
      event: 'update',
      item_type: 'bill_scan',
      item_id: id,
      client_id: clientId,
      changes: { state: { from: 'done', to: state }, bill_id: { from: bill_id, to: null } },
    })),
  )
}
