/** Notifies a reader of waiting documents. */
import type { Tx } from '../kernel/postgres/database.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { Lane } from './reader-desks.ts'

export const readJobs = { quick: 'bill_scan_read', slow: 'bill_scan_recognise' } as const

/**
 * Sent in the caller's transaction, which has added documents to the lane. The reader chooses the next document when it is free. The queue
 * accepts one reminder a minute.
 */
export async function callReader(machinery: Machinery, tx: Tx, lane: Lane, { isReminder = false } = {}): Promise<void> {
  await machinery.jobs.send(tx, readJobs[lane], {}, isReminder ? { onceKey: 'reminder' } : {})
}
