/** Tells a reader that documents wait for it. */
import type { Tx } from '../kernel/database.ts'
import type { Services } from '../kernel/services.ts'
import type { Lane } from './reader.ts'

export const readJobs = { quick: 'bill_scan_read', slow: 'bill_scan_recognise' } as const

/**
 * In the caller's transaction, which has put documents into the lane. Whose turn it is, the reader decides when it is free. Of reminders the
 * queue takes one a minute.
 */
export async function callReader(services: Services, tx: Tx, lane: Lane, { isReminder = false } = {}): Promise<void> {
  await services.jobs.send(tx, readJobs[lane], {}, isReminder ? { onceKey: 'reminder' } : {})
}
