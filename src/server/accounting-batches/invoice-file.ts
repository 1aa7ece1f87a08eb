/** Writes the invoice of a client batch as PDF or CSV, in a task that stores it as a version with its hash and the amount due. */
import { Readable } from 'node:stream'
import { invoiceFeeRow, invoiceHeading, invoiceRow } from '#contract/accounting-batches/invoice.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { reachesWhole, reachOf } from '../kernel/principal.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { taskFileKey } from '../kernel/work/task-file.ts'
import { defineTask, startTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
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

/** Starts writing a new version. If one of the same format is already being written, returns that task. */
export async function startInvoice(
  context: Context,
  batch: LedgerBatch & { readonly batch_code: string },
  format: InvoiceFormat,
): Promise<{ id: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${batch.id}`}, ${batch.client_id}))`.execute(context.tx)
  const { rows } = await sql<{ id: number }>`select id from tasks where client_id = ${batch.client_id} and kind = ${kind}
    and state in ('waiting', 'running') and (input ->> 'accounting_batch_id')::bigint = ${batch.id} and input ->> 'format' = ${format} limit 1`.execute(
    context.tx,
  )
  const asked: Input = { accounting_batch_id: batch.id, batch_code: batch.batch_code, format }
  return rows[0] ?? startTask(context, { kind, clientId: batch.client_id, input: asked })
}

async function writeInvoice(run: TaskRun): Promise<TaskOutcome | null> {
  const asked = input.parse(run.input)
  const reach = reachOf(run.principal, 'accounting_batch.read')
  if (!reachesWhole(reach, run.clientId)) throw forbidden('You may not read client batches of this client any more.')
  const { format } = asked
  const key = taskFileKey('accounting_batches', run.id, format)
  const contentType = format === 'csv' ? 'text/csv' : 'application/pdf'
  // One transaction reads all bills, so that the invoice is one state of the batch.
  await run.step(async (context) => {
    const batch = { id: asked.accounting_batch_id, client_id: run.clientId }
    await lockBatch(context.tx, batch)
    const parts = await invoiceParts(context.tx, batch)
    if (parts.head.bill_count === 0) throw refused('This client batch holds no bill any more.')
    await checkTotal(context.tx, batch, parts)
    const stored = await run.machinery.files.put(key, await contentOf(run, context.tx, format, parts), contentType)
    const made = await keepVersion(run, context, batch, {
      ...stored,
      kind: format === 'csv' ? 'invoice_csv' : 'invoice',
      key,
      contentType,
      filename: (version) => `${fileWord(asked.batch_code)}_invoice_v${version}.${format}`,
      total: parts.head.total_due,
      rows: parts.head.bill_count,
    })
    await run.finish(context.tx, {
      fileId: made.fileId,
      rowsDone: parts.head.bill_count,
      result: { bills: parts.head.bill_count, total_due: parts.head.total_due, version: made.version, filename: made.filename },
      message: {
        type: kind,
        notification_type: 'success',
        message: `${titleOf(asked)} is ready`,
        description: [
          `${made.filename}, ${parts.head.bill_count} ${parts.head.bill_count === 1 ? 'bill' : 'bills'}, ${formatMoney(parts.head.total_due)}`,
        ],
        link: `/api/v5/clients/${batch.client_id}/accounting_batches/${batch.id}/files/${made.id}`,
        payload: { accounting_batch_id: batch.id, version: made.version, filename: made.filename },
      },
    })
  }, reach)
  return null
}

async function lockBatch(tx: Tx, { client_id: clientId, id }: LedgerBatch): Promise<void> {
  const { rows } = await sql`select id from accounting_batches where client_id = ${clientId} and id = ${id} for update`.execute(tx)
  if (rows.length === 0) throw refused('The client batch was deleted meanwhile.')
}

/**
 * Checks that the invoice and the batch have the same bills and total, using a second statement. A difference is a defect, or a bill changed at
 * this moment.
 */
async function checkTotal(tx: Tx, { client_id: clientId, id }: LedgerBatch, { head }: InvoiceParts): Promise<void> {
  const { rows } = await sql<{ total: string }>`select coalesce(sum(amount_due), 0)::numeric(14,2) as total from bills
    where client_id = ${clientId} and accounting_batch_id = ${id}`.execute(tx)
  if (rows[0]?.total !== head.amount_due) throw refused('A bill of the batch was changed meanwhile. Start the invoice again.')
}

async function contentOf(run: TaskRun, tx: Tx, format: InvoiceFormat, { head, divisions, logo }: InvoiceParts): Promise<Readable> {
  const bills = counted(run, invoiceBills(tx, run.clientId, divisions))
  if (format === 'csv') return Readable.from(csvText(head, bills), { objectMode: false })
  const picture = logo === null ? null : { bytes: await bytesOf(run, logo.key), contentType: logo.contentType }
  return drawInvoice({ head, divisions, logo: picture, bills, signal: run.signal })
}

async function* counted<Bill>(run: TaskRun, some: AsyncIterable<readonly Bill[]>): AsyncGenerator<readonly Bill[]> {
  let rows = 0
  for await (const bills of some) {
    run.signal.throwIfAborted()
    rows += bills.length
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
