/** Writes the invoice of a client batch as PDF or CSV, in a task that stores it as a version with its hash and the amount due. */
import { Readable } from 'node:stream'
import { invoiceFeeRow, invoiceHeading, invoiceRow } from '#contract/accounting-batches/invoice.ts'
import { centsOf, formatMoney, sumCents, type Cents } from '#contract/kernel/money.ts'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { reachesWhole, reachOf } from '../kernel/principal.ts'
import { refused } from '../kernel/problem.ts'
import { readSnapshot } from '../kernel/work/read-snapshot.ts'
import { taskFileKey } from '../kernel/work/task-file.ts'
import { defineTask, startTaskOnce, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { batchState, lockBatch, stateText, type BatchState, noMoreBatches } from './batch-snapshot.ts'
import { drawInvoice } from './invoice-pdf.ts'
import { invoiceBills, invoiceParts, type InvoiceParts } from './invoice-rows.ts'
import { fileWord, keepVersion } from './keep-version.ts'
import type { LedgerBatch } from './ledger-line.ts'

const invoiceFormats = ['pdf', 'csv'] as const
export type InvoiceFormat = (typeof invoiceFormats)[number]

const kind = 'accounting_batch_invoice'
const input = z.object({ accounting_batch_id: z.int(), batch_code: z.string(), format: z.enum(invoiceFormats) })
type Input = z.infer<typeof input>

defineTask({ kind, moves: null, title: (given) => titleOf(input.parse(given)), run: writeInvoice })

function titleOf({ batch_code, format }: Input): string {
  return `Invoice ${format.toUpperCase()} of ${batch_code}`
}

/** Starts writing a new version. A person who asks again for the same format gets the task that is under way. */
export function startInvoice(
  context: Context,
  batch: LedgerBatch & { readonly batch_code: string },
  format: InvoiceFormat,
): Promise<{ id: number }> {
  const asked: Input = { accounting_batch_id: batch.id, batch_code: batch.batch_code, format }
  return startTaskOnce(context, { kind, clientId: batch.client_id, input: asked })
}

/** Times that an invoice is written again because its batch was closed or opened meanwhile. */
const ATTEMPTS_MAX = 3

async function writeInvoice(run: TaskRun): Promise<TaskOutcome | null> {
  const asked = input.parse(run.input)
  const reach = reachOf(run.principal, 'accounting_batch.read')
  if (!reachesWhole(reach, run.clientId)) throw noMoreBatches()
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const written = await readSnapshot(run.machinery, (tx) => writeState(run, tx, asked))
    if (await run.step((context) => finishInvoice(run, context, asked, written), reach)) return null
  }
  throw refused('The client batch was closed or opened while its invoice was written. Start the invoice again.')
}

interface WrittenInvoice {
  readonly head: InvoiceParts['head']
  readonly state: BatchState
  readonly stored: { readonly key: string; readonly bytes: number; readonly sha256: Buffer }
}

/** Writes the invoice from one state of the database. Throws an Error if its bills do not add up to its total. */
async function writeState(run: TaskRun, tx: Tx, { accounting_batch_id: id, format }: Input): Promise<WrittenInvoice> {
  const batch = { id, client_id: run.clientId }
  const state = await batchState(tx, batch)
  const parts = await invoiceParts(tx, batch)
  if (parts.head.bill_count === 0) throw refused('This client batch holds no bill any more.')
  const key = taskFileKey('accounting_batches', run.id, format)
  const sum = { cents: 0 }
  const stored = await run.machinery.files.put(key, await contentOf(run, tx, format, { ...parts, sum }), contentTypes[format])
  const { head } = parts
  if (sum.cents !== centsOf(head.amount_due) || head.amount_due !== state.bills_total || head.bill_count !== state.bill_count)
    throw new Error(`the bills on the invoice of client batch ${id} do not add up to its total`)
  return { head, state, stored: { key, ...stored } }
}

const contentTypes: Readonly<Record<InvoiceFormat, string>> = { csv: 'text/csv', pdf: 'application/pdf' }

/**
 * Stores the invoice, its version, the end of the task and its notification, in one transaction. Returns false, and stores nothing, if the batch
 * was closed or opened since it was read: an invoice of a closed batch must not say that it is a draft.
 */
async function finishInvoice(run: TaskRun, context: Context, asked: Input, { head, state, stored }: WrittenInvoice): Promise<boolean> {
  const { batch_code, format, accounting_batch_id: id } = asked
  const batch = { id, client_id: run.clientId }
  if ((await lockBatch(context.tx, batch)).closed !== head.is_final) return false
  const made = await keepVersion(run, context, batch, {
    ...stored,
    kind: format === 'csv' ? 'invoice_csv' : 'invoice',
    contentType: contentTypes[format],
    filename: (version) => `${fileWord(batch_code)}_invoice_v${version}.${format}`,
    total: head.total_due,
    rows: head.bill_count,
    state,
  })
  await run.finish(context.tx, {
    fileId: made.fileId,
    rowsDone: head.bill_count,
    result: { bills: head.bill_count, total_due: head.total_due, ...state, version: made.version, filename: made.filename },
    message: {
      type: kind,
      notification_type: 'success',
      message: `${titleOf(asked)} is ready`,
      description: [
        `${made.filename}, ${head.bill_count} ${head.bill_count === 1 ? 'bill' : 'bills'}, ${formatMoney(head.total_due)}`,
        stateText(state),
      ],
      link: `/api/v5/clients/${batch.client_id}/accounting_batches/${batch.id}/files/${made.id}`,
      payload: { accounting_batch_id: batch.id, version: made.version, filename: made.filename },
    },
  })
  return true
}

/** The sum of the bills that were written so far. */
interface WrittenSum {
  cents: Cents
}

async function contentOf(
  run: TaskRun,
  tx: Tx,
  format: InvoiceFormat,
  { head, divisions, logo, sum }: InvoiceParts & { readonly sum: WrittenSum },
): Promise<Readable> {
  const bills = counted(run, invoiceBills(tx, run.clientId, divisions), sum)
  if (format === 'csv') return Readable.from(csvText(head, bills), { objectMode: false })
  const picture = logo === null ? null : { bytes: await bytesOf(run, logo.key), contentType: logo.contentType }
  return drawInvoice({ head, divisions, logo: picture, bills, signal: run.signal })
}

async function* counted<Bill extends { readonly amount_due: string }>(
  run: TaskRun,
  some: AsyncIterable<readonly Bill[]>,
  sum: WrittenSum,
): AsyncGenerator<readonly Bill[]> {
  let rows = 0
  for await (const bills of some) {
    run.signal.throwIfAborted()
    rows += bills.length
    sum.cents += sumCents(bills.map((bill) => centsOf(bill.amount_due)))
    run.progress(rows)
    yield bills
  }
}

async function* csvText(
  head: InvoiceParts['head'],
  some: AsyncIterable<readonly Parameters<typeof invoiceRow>[1][]>,
): AsyncGenerator<string> {
  yield invoiceHeading()
  for await (const bills of some) yield bills.map((bill) => invoiceRow(head, bill)).join('')
  if (head.service_fee !== '0.00') yield invoiceFeeRow(head, { text: head.service_fee_text, amount: head.service_fee })
}

/** Reads the logo into memory; uploads limit it to 2 MiB. */
async function bytesOf(run: TaskRun, key: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await run.machinery.files.read(key)) chunks.push(new Uint8Array(chunk))
  return Buffer.concat(chunks)
}
