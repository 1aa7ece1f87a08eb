/** Queues the reading of documents. */
import type { Tx } from '../kernel/database.ts'
import type { Services } from '../kernel/services.ts'

export const readJobName = 'bill_scan_read'

/** Queues the reading of a document that waits, in the caller's transaction. */
export async function sendScan(services: Services, tx: Tx, clientId: number, id: number): Promise<void> {
  await services.jobs.send(tx, readJobName, { client_id: clientId, scan_id: id })
}
