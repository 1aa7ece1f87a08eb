import { accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import { callApi } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { notify } from '../ui/dialogs/notices.ts'

/** Returns why no upload file can be generated from the batch now; undefined if one can. */
export function whyNoUploadFile(batch: AccountingBatch): string | undefined {
  if (batch.generating_file) return 'A file is being written'
  if (batch.bill_count === 0) return 'It holds no bill'
  return batch.can_generate_upload_file ? undefined : 'Some services have no ledger account'
}

/**
 * Starts a new version of the upload file, with the client’s default profile unless another is given. It arrives over the live channel in this
 * window.
 */
export async function generateUploadFile({ client_id, id }: AccountingBatch, profileId: number | null = null): Promise<void> {
  try {
    const result = await callApi(accountingBatchCalls.generateUploadFile, {
      params: { client_id, id },
      query: { connection_id: connectionId, ...(profileId === null ? {} : { export_profile_id: String(profileId) }) },
    })
    if (result.success) notify({ kind: 'success', title: messages.upload_file_started, duration: seconds.batch })
    else resultNotice(result)
    refresh('accounting_batches')
  } catch (error) {
    problemNotice(error)
  }
}
