/** The provider's desk: unpaid bills of all clients, batched by payer and payment type, paid by files. The front door of the slice. */
import { globalBatchCalls } from '#contract/global-batches/global-batch.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { presented } from '../kernel/lists/resource.ts'
import { bankValueHandlers } from './bank-value.ts'
import { readGlobalBatch, globalBatches } from './global-batch-source.ts'
import { billsOfGlobalBatch } from './global-batch-bills.ts'
import { batchListHandlers } from './list-batches.ts'
import { unsweptHandlers } from './list-unswept.ts'
import { moveBatches } from './move-batches.ts'
import { createBatches, updateBatch } from './save-batch.ts'
import { unbatch } from './unbatch.ts'

export const globalBatchHandlers: readonly Handler[] = [
  ...bankValueHandlers,
  ...unsweptHandlers,
  ...batchListHandlers,
  handle(globalBatchCalls.get, async (context, { params }) => {
    const row = await presented(context, globalBatches, await readGlobalBatch(context, params.id))
    return { global_batch: { ...row, bills: await billsOfGlobalBatch(context, row) } }
  }),
  handle(globalBatchCalls.create, (context, { body }) => createBatches(context, body.global_batch)),
  handle(globalBatchCalls.update, (context, { params, body }) => updateBatch(context, params.id, body.global_batch)),
  handle(globalBatchCalls.unbatch, (context, { body }) => unbatch(context, body)),
  handle(globalBatchCalls.tempPayMethod, (context, { body }) => moveBatches(context, body)),
]
