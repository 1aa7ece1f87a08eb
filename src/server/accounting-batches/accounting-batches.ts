/** Client batches: the bills that a client's ledger loads together, from open to closed and invoiced. The front door of the slice. */
import { accountingBatch, accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import { sql } from 'kysely'
import { billSource } from '../bills/bills.ts'
import { now, today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { invalid, refused } from '../kernel/problem.ts'
import {
  answerWrite,
  askedBy,
  createRow,
  destroyRow,
  exportHandler,
  listHandler,
  presented,
  readRow,
  updateRow,
} from '../kernel/lists/resource.ts'
import { storedRow, type Saving } from '../kernel/lists/save.ts'
import { searchHandler } from '../kernel/lists/lookup.ts'
import { billsOfBatch, newBillsOf, savedBillsOf } from './batch-bills.ts'
import { linesOfRow, readLedger } from './batch-ledger.ts'
import { billBooksHandlers } from './bill-books.ts'
import { closeBatch, reopenBatch } from './close-batch.ts'
import { exportProfileHandlers } from './export-profiles.ts'
import { lockBills, type LockedBill } from './lock-bills.ts'
import { readMonth } from './month.ts'
import { nextCode } from './next-code.ts'
import { releaseBills, storeBills } from './store-bills.ts'
import { batchFileHandlers, releaseFiles } from './batch-files.ts'
import { accountingBatches, type Sent } from './batch-resource.ts'

export { bookedLines, linesOfBatch } from './booked-lines.ts'
export { booksOfBill, type BillBooks } from './bill-books.ts'
export type { LedgerLine } from './ledger-line.ts'

const saving: Saving<typeof accountingBatch.fields> = { added: momentsOf, children: storeState }

export const accountingBatchHandlers: readonly Handler[] = [
  listHandler(accountingBatchCalls.list, accountingBatches),
  exportHandler(accountingBatchCalls.exportCsv, accountingBatches),
  handle(accountingBatchCalls.get, async (context, { params }) => {
    const row = await readRow(context, accountingBatches, params.id, askedBy(context, params))
    return { accounting_batch: { ...row, bill_ids: await billIdsOf(context, row) } }
  }),
  handle(accountingBatchCalls.create, async (context, { params, body }) => {
    const row = await createRow(context, accountingBatches, body.accounting_batch, params.client_id, saving)
    return answerSaved(context, row, 'created', body.accounting_batch.bill_ids !== undefined)
  }),
  handle(accountingBatchCalls.update, async (context, { params, body }) => {
    const row = await updateRow(context, accountingBatches, params.id, body.accounting_batch, askedBy(context, params), saving)
    return answerSaved(context, row, 'updated', body.accounting_batch.bill_ids !== undefined)
  }),
  handle(accountingBatchCalls.destroy, async (context, { params }) => {
    const batch = await storedRow(context, accountingBatches, params.id, askedBy(context, params), true)
    if (batch.has_been_closed) throw refused('This client batch has been closed, so it is kept. It cannot be deleted.')
    await releaseBills(context, batch)
    await releaseFiles(context, batch)
    await destroyRow(context, accountingBatches, params.id, askedBy(context, params))
    return { success: true, message: 'Client Batch deleted' }
  }),
  handle(accountingBatchCalls.bills, async (context, { params }) => {
    const batch = await storedRow(context, accountingBatches, params.id, askedBy(context, params))
    return { bills: await billsOfBatch(context.tx, batch) }
  }),
  handle(accountingBatchCalls.newBills, async (context, { params }) => {
    const batch = await storedRow(context, accountingBatches, params.id, askedBy(context, params))
    if (batch.closed || batch.invoiced) throw refused('A closed client batch takes no more bills.')
    return { bills: await billsOfBatch(context.tx, batch), ...(await newBillsOf(context.tx, batch)) }
  }),
  handle(accountingBatchCalls.ledger, async (context, { params }) => {
    const batch = await storedRow(context, accountingBatches, params.id, askedBy(context, params))
    return readLedger(context.tx, batch)
  }),
  handle(accountingBatchCalls.ledgerLines, async (context, { params, query }) => {
    const batch = await storedRow(context, accountingBatches, params.id, askedBy(context, params))
    const account = query.ledger_account_id === undefined ? null : Number(query.ledger_account_id)
    return linesOfRow(context.tx, batch, { kind: query.kind, ledger_account_id: account })
  }),
  handle(accountingBatchCalls.month, async (context, { params }) => ({ month: await readMonth(context.tx, params.client_id) })),
  handle(accountingBatchCalls.exportBills, async (context, { params }) => {
    const batch = await storedRow(context, accountingBatches, params.id, askedBy(context, params))
    const input = { q: { accounting_batch_id_eq: batch.id, s: 'account_number asc' } }
    return startExport(context, billSource, input, askedBy(context, params), accountingBatchCalls.exportBills.name)
  }),
  handle(accountingBatchCalls.nextCode, async ({ tx }, { params, query }) => ({
    batch_code: await nextCode(tx, {
      clientId: params.client_id,
      groupId: query.batch_group_id === undefined ? null : Number(query.batch_group_id),
      date: query.date ?? today(),
    }),
  })),
  searchHandler(accountingBatchCalls.search, accountingBatches, ['id', 'batch_code']),
  ...exportProfileHandlers,
  ...billBooksHandlers,
  ...batchFileHandlers((context, params) => storedRow(context, accountingBatches, params.id, askedBy(context, params))),
]

async function answerSaved(context: Context, row: AccountingBatch, verb: 'created' | 'updated', withBills: boolean) {
  if (!withBills) return answerWrite(accountingBatch, verb, await presented(context, accountingBatches, row))
  const { accounting_batch: _batch, ...answer } = answerWrite(accountingBatch, verb, row)
  return { ...answer, bills: await savedBillsOf(context.tx, row) }
}

async function billIdsOf({ tx }: Context, { client_id, id }: AccountingBatch): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select id from bills where client_id = ${client_id} and accounting_batch_id = ${id} order by id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Returns the times of closing and invoicing, and the mark that the batch has been closed before. */
async function momentsOf(_: Context, sent: Sent, before: AccountingBatch | null): Promise<Record<string, unknown>> {
  const closes = sent.closed === true && !before?.closed
  const invoices = sent.invoiced === true && !before?.invoiced
  return {
    ...(closes ? { closed_at: now().toISOString(), has_been_closed: true } : {}),
    ...(sent.closed === false && before?.closed ? { closed_at: null } : {}),
    ...(invoices ? { invoiced_at: now().toISOString() } : {}),
    ...(sent.invoiced === false && before?.invoiced ? { invoiced_at: null } : {}),
  }
}

/** Opens, then changes the bills, then closes: one save may do all three. */
async function storeState(
  context: Context,
  sent: Sent,
  { id, client_id }: { readonly id: number; readonly client_id: number },
  before: AccountingBatch | null,
): Promise<void> {
  const batch = {
    id,
    client_id,
    batch_group_id: sent.batch_group_id === undefined ? (before?.batch_group_id ?? null) : sent.batch_group_id,
  }
  const wasClosed = before?.closed ?? false
  const [closes, reopens] = [sent.closed === true && !wasClosed, sent.closed === false && wasClosed]
  if (!closes && !reopens && sent.bill_ids === undefined) return
  const locked = await lockBills(context, batch, sent.bill_ids ?? [], closes)
  if (reopens && before) await reopenBatch(context, batch, before)
  if (sent.bill_ids !== undefined) await storeSentBills(context, batch, sent.bill_ids, { locked, isClosed: wasClosed && !reopens })
  if (closes) await closeBatch(context, batch, sent.confirmed_qc_ids ?? [])
}

async function storeSentBills(
  context: Context,
  batch: { readonly id: number; readonly client_id: number; readonly batch_group_id: number | null },
  wanted: readonly number[],
  { locked, isClosed }: { readonly locked: readonly LockedBill[]; readonly isClosed: boolean },
): Promise<void> {
  const { taken, released, before } = await storeBills(context, batch, wanted, locked)
  if (taken.length + released.length === 0) return
  if (isClosed) throw invalid({ bill_ids: ['This client batch is closed. Open it again to change its bills'] })
  const bill_count = { from: before, to: before + taken.length - released.length }
  await context.audit.updated('accounting_batch', batch.id, batch.client_id, { bill_count })
}
