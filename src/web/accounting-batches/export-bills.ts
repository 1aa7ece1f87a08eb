import { accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import { callApi } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'

/** Starts the export of a batch's bills; the file arrives over the live channel in this window. */
export async function exportBills({ client_id, id }: Pick<AccountingBatch, 'client_id' | 'id'>): Promise<void> {
  try {
    resultNotice(await callApi(accountingBatchCalls.exportBills, { params: { client_id, id }, query: { connection_id: connectionId } }))
  } catch (error) {
    problemNotice(error)
  }
}
