import { accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import type { Result } from '#contract/kernel/call.ts'
import { callApi } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { notify } from '../ui/dialogs/notices.ts'

/** Returns why no invoice can be created from the batch now; undefined if one can. */
export function whyNoInvoice({ bill_count }: Pick<AccountingBatch, 'bill_count'>): string | undefined {
  return bill_count === 0 ? 'It holds no bill' : undefined
}

type OneBatch = Pick<AccountingBatch, 'client_id' | 'id'>
const query = { connection_id: connectionId }

/** Starts a new version of the invoice as PDF; it arrives over the live channel in this window. */
export const startInvoicePdf = ({ client_id, id }: OneBatch): Promise<void> =>
  start(messages.invoice_pdf_started, () => callApi(accountingBatchCalls.generateInvoicePdf, { params: { client_id, id }, query }))

/** Like `startInvoicePdf`, as CSV. */
export const startInvoiceCsv = ({ client_id, id }: OneBatch): Promise<void> =>
  start(messages.invoice_csv_started, () => callApi(accountingBatchCalls.generateInvoiceCsv, { params: { client_id, id }, query }))

async function start(title: string, call: () => Promise<Result>): Promise<void> {
  try {
    const result = await call()
    if (result.success) notify({ kind: 'success', title, duration: seconds.batch })
    else resultNotice(result)
  } catch (error) {
    problemNotice(error)
  }
}
