/** The provider's desk: unpaid bills of all clients, batched by payer and payment type, paid by files. The front door of the slice. */
import { randomUUID } from 'node:crypto'
import { globalBatchCalls } from '#contract/global-batches/global-batch.ts'
import { globalPaymentCalls } from '#contract/global-batches/global-payment.ts'
import { handleProven } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Asking, type Handler } from '../kernel/handler.ts'
import { presented } from '../kernel/lists/resource.ts'
import { exportAccounting, paidCount } from './accounting-export.ts'
import { bankValueHandlers } from './bank-value.ts'
import { globalBatchFileCalls } from '#contract/global-batches/global-batch-file.ts'
import { exportReleaseHandlers } from './export-releases.ts'
import { fileHandlers } from './file-history.ts'
import { readGlobalBatch, globalBatches } from './global-batch-source.ts'
import { paymentsOfGlobalBatch, reverseAtDesk } from './batch-payments.ts'
import { billsOfGlobalBatch } from './global-batch-bills.ts'
import { batchListHandlers } from './list-batches.ts'
import { unsweptHandlers } from './list-unswept.ts'
import { moveBatches } from './move-batches.ts'
import { exportBatches, finalizeNoPayment, payOnline, previewExport } from './pay-batches.ts'
import { riskHandlers } from './risk-queue.ts'
import { createBatches, updateBatch } from './save-batch.ts'
import { makeTestFile } from './test-files.ts'
import { unbatch } from './unbatch.ts'

export { readProfiles } from './export-data.ts'
export { exportAccounting } from './accounting-export.ts'
export { holdProfile } from './held-profile.ts'
export { exportBatches, previewExport } from './pay-batches.ts'
export { releasesToDecide } from './releases-to-decide.ts'
export { storeFiles } from './store-files.ts'

export const globalBatchHandlers: readonly Handler[] = [
  ...bankValueHandlers,
  ...unsweptHandlers,
  ...riskHandlers,
  ...batchListHandlers,
  handle(globalBatchCalls.get, async (context, { params }) => {
    const row = await presented(context, globalBatches, await readGlobalBatch(context, params.id))
    const [bills, payments] = [await billsOfGlobalBatch(context, row), await paymentsOfGlobalBatch(context, row)]
    return { global_batch: { ...row, bills, payments } }
  }),
  handle(globalBatchCalls.create, (context, { body }) => createBatches(context, body.global_batch)),
  handle(globalBatchCalls.update, (context, { params, body }) => updateBatch(context, params.id, body.global_batch)),
  handle(globalBatchCalls.unbatch, (context, { body }) => unbatch(context, body)),
  handle(globalBatchCalls.tempPayMethod, (context, { body }) => moveBatches(context, body)),
  handleProven(globalPaymentCalls.exportFiles, (context, { body, http }) => exportBatches(context, body, keyOf(context, http))),
  handle(globalPaymentCalls.preview, (context, { body }) => previewExport(context, body)),
  handleProven(globalPaymentCalls.pay, (context, { body, http }) => payOnline(context, body, keyOf(context, http))),
  handleProven(globalPaymentCalls.finalize, (context, { body, http }) => finalizeNoPayment(context, body, keyOf(context, http))),
  handleProven(globalPaymentCalls.reverse, (context, { params, body }) => reverseAtDesk(context, params, body.payment_reversal)),
  handle(globalPaymentCalls.paidCount, (context, { query }) => paidCount(context, query.day)),
  handleProven(globalPaymentCalls.accountingExport, (context, { query, http }) => exportAccounting(context, query, keyOf(context, http))),
  ...exportReleaseHandlers,
  ...fileHandlers,
  handle(globalBatchFileCalls.makeTest, (context, { body, http }) => makeTestFile(context, body.test_file, keyOf(context, http))),
]

/** An export has one key: that of the request, which its repetitions send again, or a new one. */
export function keyOf({ principal }: Context, { request }: Asking<unknown, unknown, unknown>['http']): string {
  const sent = request.headers['idempotency-key']
  return typeof sent === 'string' && sent !== '' ? `${principal.user_id} ${sent}` : randomUUID()
}
