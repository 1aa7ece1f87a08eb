/** Queues the reading of documents. */
import type { Tx } from '../kernel/database.ts'
import type { Services } from '../kernel/services.ts'

export const readJobs = { quick: 'bill_scan_read', slow: 'bill_scan_recognise' } as const
/** A document with no more pages than this is recognised before longer ones. */
const SHORT_PAGES = 3

/** Queues the reading of a document that waits, in the caller's transaction. */
export async function sendScan(services: Services, tx: Tx, clientId: number, id: number): Promise<void> {
  await services.jobs.send(tx, readJobs.quick, { client_id: clientId, scan_id: id })
}

/** Queues what must be recognised of it. */
export async function sendToRecognise(
  services: Services,
  tx: Tx,
  { client_id, id }: { client_id: number; id: number },
  pages: number,
): Promise<void> {
  await services.jobs.send(tx, readJobs.slow, { client_id, scan_id: id }, { priority: pages <= SHORT_PAGES ? 1 : 0 })
}
