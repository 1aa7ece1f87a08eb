/**
 * Writes the papers of a vendor batch: its voucher as CSV or PDF, and the remittance advice of one payment. A task writes each under the user's
 * rights at that time, and its file appears in the user's task list.
 */
import { Readable } from 'node:stream'
import type { PaymentBatch } from '#contract/payment-batches/batch-record.ts'
import { paymentNumber } from '#contract/payment-batches/vendor-payment.ts'
import { voucherHeading, voucherRow, type VoucherBatch, type VoucherPayment } from '#contract/payment-batches/voucher.ts'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { reachesWhole, reachOf } from '../kernel/principal.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { keepTaskFile, taskFileKey } from '../kernel/work/task-file.ts'
import { defineTask, startTaskOnce, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { drawPayments } from './payment-paper-pdf.ts'
import { billsOfPaper, lockedBatch, paymentsOfPaper, type AskedPaper } from './payment-paper-rows.ts'

const papers = ['voucher_csv', 'voucher_pdf', 'payments_pdf'] as const
export type Paper = (typeof papers)[number]

const started: Readonly<Record<Paper, string>> = {
  voucher_csv: 'Vendor Batch Voucher CSV started',
  voucher_pdf: 'Payments Batch PDF generation started',
  payments_pdf: 'Vendor payments PDF generation started',
}

const kind = 'payment_paper'
const input = z.object({ paper: z.enum(papers), payment_batch_id: z.int(), vendor_payment_id: z.int().nullable() })
type Input = z.infer<typeof input>

defineTask({ kind, moves: null, title: (given) => titleOf(input.parse(given)), run: writePaper })

function titleOf({ paper, payment_batch_id, vendor_payment_id }: Input): string {
  return paper === 'payments_pdf'
    ? `Remittance advice of ${paymentNumber(vendor_payment_id ?? 0)}`
    : `Voucher of vendor batch ${payment_batch_id}`
}

/** Starts writing a paper. If this user already waits for one of the same kind, returns that task. Throws 409 if there are no bills. */
export async function startPaper(
  context: Context,
  paper: Paper,
  batch: Pick<PaymentBatch, 'id' | 'client_id' | 'bill_count'>,
  payment?: { readonly id: number; readonly bill_count: number },
): Promise<{ success: boolean; message: string; task_id: number }> {
  if ((payment ?? batch).bill_count === 0) throw refused(payment ? 'This vendor payment pays no bill.' : 'This vendor batch holds no bill.')
  const asked = { paper, payment_batch_id: batch.id, vendor_payment_id: payment?.id ?? null }
  const task = await startTaskOnce(context, { kind, clientId: batch.client_id, input: asked })
  context.touch(batch.client_id)
  return { success: true, message: started[paper], task_id: task.id }
}

async function writePaper(run: TaskRun): Promise<TaskOutcome | null> {
  const asked = input.parse(run.input)
  const reach = reachOf(run.principal, 'payment_batch.read')
  if (!reachesWhole(reach, run.clientId)) throw forbidden('You may not read vendor batches of this client any more.')
  const isCsv = asked.paper === 'voucher_csv'
  const key = taskFileKey('payment_batches', run.id, isCsv ? 'csv' : 'pdf')
  const contentType = isCsv ? 'text/csv' : 'application/pdf'
  await run.step(async ({ tx }) => {
    const of: AskedPaper = { clientId: run.clientId, batchId: asked.payment_batch_id, paymentId: asked.vendor_payment_id }
    const batch = await lockedBatch(tx, of)
    const payments = await paymentsOfPaper(tx, of)
    const stored = await run.machinery.files.put(key, await contentOf(run, tx, { asked, batch, payments }), contentType)
    const filename = filenameOf(asked)
    const fileId = await keepTaskFile(tx, run, { key, filename, contentType, ...stored })
    const bills = payments.reduce((sum, { bill_count }) => sum + bill_count, 0)
    await run.finish(tx, {
      fileId,
      rowsDone: bills,
      result: { bills, payments: payments.length, filename },
      message: {
        type: kind,
        notification_type: 'success',
        message: `${titleOf(asked)} is ready`,
        description: [`${filename}, ${bills} ${bills === 1 ? 'bill' : 'bills'}`],
        link: `/api/v5/tasks/${run.id}/file`,
        payload: { payment_batch_id: asked.payment_batch_id, filename },
      },
    })
  }, reach)
  return null
}

function filenameOf({ paper, payment_batch_id, vendor_payment_id }: Input): string {
  if (paper === 'payments_pdf') return `${paymentNumber(vendor_payment_id ?? 0)}_remittance.pdf`
  return `vendor_batch_${payment_batch_id}_voucher.${paper === 'voucher_csv' ? 'csv' : 'pdf'}`
}

interface Content {
  readonly asked: Input
  readonly batch: VoucherBatch
  readonly payments: readonly VoucherPayment[]
}

async function contentOf(run: TaskRun, tx: Tx, { asked, batch, payments }: Content): Promise<Readable> {
  if (asked.paper === 'voucher_csv') return Readable.from(voucherText(run, tx, batch, payments), { objectMode: false })
  return drawPayments({
    batch,
    payments,
    withApproval: asked.paper === 'voucher_pdf',
    billsOf: (payment) => billsOfPaper(tx, run.clientId, payment.id),
    signal: run.signal,
  })
}

async function* voucherText(run: TaskRun, tx: Tx, batch: VoucherBatch, payments: readonly VoucherPayment[]): AsyncGenerator<string> {
  yield voucherHeading()
  let rows = 0
  for (const payment of payments)
    for await (const bills of billsOfPaper(tx, run.clientId, payment.id)) {
      run.signal.throwIfAborted()
      rows += bills.length
      run.progress(rows)
      yield bills.map((bill) => voucherRow(batch, payment, bill)).join('')
    }
}
