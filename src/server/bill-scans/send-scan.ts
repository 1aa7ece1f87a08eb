/** Tells a reader that documents wait for it. */
import type { Tx } from '../kernel/postgres/database.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { Lane } from './reader-desks.ts'

export const readJobs = { quick: 'bill_scan_read', slow: 'bill_scan_recognise' } as const

/**
 * In the caller's transaction, which has put documents into the lane. Whose turn it is, the reader decides when it is free. Of reminders the
 * queue takes one a minute.
 */
export async function callReader(machinery: Machinery, tx: Tx, lane: Lane, { isReminder = false } = {}): Promise<void> {
  await machinery.jobs.send(tx, readJobs[lane], {}, isReminder ? { onceKey: 'reminder' } : {})
}
