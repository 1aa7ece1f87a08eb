/** The files of a batch: starts a new version of the upload file or the invoice, and reads the existing versions. */
import { accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import { previewLinesMax, type BatchFile } from '#contract/accounting-batches/batch-contents.ts'
import type { UploadLine } from '#contract/accounting-batches/upload-file.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { mustBeIntact } from '../kernel/files/intact-file.ts'
import { notFound, refused } from '../kernel/problem.ts'
import { askedBy } from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { releaseFile } from '../uploads/uploads.ts'
import { exportProfiles } from './export-profiles.ts'
import { startInvoice, type InvoiceFormat } from './invoice-file.ts'
import { invoiceParts } from './invoice-rows.ts'
import { startUploadFile } from './upload-file.ts'
import { ledgerFieldsOf, linesOf, uploadLinesOf } from './upload-lines.ts'
import { withLineCounts } from './line-counts.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

const noBill = 'This client batch holds no bill.'

type ReadBatch = (context: Context, params: { readonly client_id: number; readonly id: number }) => Promise<AccountingBatch>

/** `readBatch` reads a batch inside the caller's reach, or throws not-found. */
export function batchFileHandlers(readBatch: ReadBatch): Handler[] {
  return [
    handle(accountingBatchCalls.generateUploadFile, async (context, { params, query }) => {
      const [batch] = await withLineCounts(context, [await readBatch(context, params)])
      if (!batch) throw notFound()
      if (batch.bill_count === 0) throw refused(noBill)
      if (!batch.generating_file && !batch.can_generate_upload_file)
        throw refused('Some charges of this client batch have no ledger account yet. Its Ledger tab names the services.')
      const profileId = query.export_profile_id === undefined ? null : Number(query.export_profile_id)
      if (profileId !== null) await storedRow(context, exportProfiles, profileId, askedBy(context, params))
      const task = await startUploadFile(context, batch, profileId)
      context.touch(batch.client_id)
      return { success: true, message: 'Upload file generation started', task_id: task.id }
    }),
    handle(accountingBatchCalls.files, async (context, { params }) => ({
      files: await readFiles(context, await readBatch(context, params)),
    })),
    handle(accountingBatchCalls.uploadLines, async (context, { params }) => previewOf(context, await readBatch(context, params))),
    handle(accountingBatchCalls.file, async (context, { params }) => {
      const batch = await readBatch(context, params)
      const { rows } = await sql<StoredFile>`select file.key, file.filename, file.content_type, made.sha256
        from accounting_batch_files made join files file on file.id = made.file_id
        where made.client_id = ${batch.client_id} and made.accounting_batch_id = ${batch.id} and made.id = ${params.file_id}`.execute(
        context.tx,
      )
      return addressOf(context, rows[0])
    }),
    handle(accountingBatchCalls.uploadFile, async (context, { params, query }) => {
      const batch = await readBatch(context, params)
      const { rows } = await sql<StoredFile>`select file.key, file.filename, file.content_type, made.sha256
        from accounting_batch_files made join files file on file.id = made.file_id
        where made.client_id = ${batch.client_id} and made.accounting_batch_id = ${batch.id} and made.kind = 'upload'
          and (${query.version ?? null}::int is null or made.version = ${query.version ?? null}::int)
        order by made.version desc limit 1`.execute(context.tx)
      return addressOf(context, rows[0])
    }),
    handle(accountingBatchCalls.invoice, async (context, { params }) => ({
      invoice: (await invoiceParts(context.tx, await readBatch(context, params))).head,
    })),
    handle(accountingBatchCalls.generateInvoicePdf, async (context, { params }) =>
      startedInvoice(context, await readBatch(context, params), 'pdf'),
    ),
    handle(accountingBatchCalls.generateInvoiceCsv, async (context, { params }) =>
      startedInvoice(context, await readBatch(context, params), 'csv'),
    ),
  ]
}

async function startedInvoice(context: Context, batch: AccountingBatch, format: InvoiceFormat) {
  if (batch.bill_count === 0) throw refused(noBill)
  const task = await startInvoice(context, batch, format)
  context.touch(batch.client_id)
  return { success: true, message: `Invoice ${format.toUpperCase()} generation started`, task_id: task.id }
}

interface StoredFile {
  readonly key: string
  readonly filename: string
  readonly content_type: string
  readonly sha256: Buffer
}

async function addressOf({ machinery, principal }: Context, file: StoredFile | undefined): Promise<{ url: string; filename: string }> {
  if (!file) throw notFound('This client batch has no such file.')
  await mustBeIntact(machinery, file)
  const url = machinery.files.downloadUrl({ key: file.key, filename: file.filename, contentType: file.content_type, reader: principal })
  return { url, filename: file.filename }
}

/** Returns the first lines, read the same way as for the file. Lines without a ledger account are included. */
async function previewOf({ tx }: Context, row: AccountingBatch) {
  const batch = { ...row, batch_date: row.batch_date === null ? null : todayIn(NEW_YORK, row.batch_date) }
  const toUpload = uploadLinesOf(tx, batch)
  const lines: UploadLine[] = []
  for await (const some of linesOf(tx, batch)) {
    lines.push(...(await toUpload(some.slice(0, previewLinesMax - lines.length))))
    if (lines.length >= previewLinesMax) break
  }
  return { lines, ledger_fields: await ledgerFieldsOf(tx, batch.client_id) }
}

/** Detaches the file versions from a batch that is about to be deleted. It was never closed, so no ledger may have loaded them. */
export async function releaseFiles(context: Context, { client_id, id }: Pick<AccountingBatch, 'client_id' | 'id'>): Promise<void> {
  await sql`update accounting_batches set upload_file_id = null where client_id = ${client_id} and id = ${id}`.execute(context.tx)
  const { rows } = await sql<{
    file_id: number
  }>`delete from accounting_batch_files where client_id = ${client_id} and accounting_batch_id = ${id}
    returning file_id`.execute(context.tx)
  for (const { file_id } of rows) await releaseFile(context, file_id)
}

async function readFiles({ tx }: Context, { client_id, id }: AccountingBatch): Promise<BatchFile[]> {
  const { rows } =
    await sql<BatchFile>`select made.id, made.kind, made.version, file.filename, made.created_at, made.row_count, made.total, made.read_at, made.bill_count, made.bills_total, encode(made.sha256, 'hex') as sha256, made.profile_name,
      case when made.bills_added is not null then json_build_object('bills_added', made.bills_added, 'bills_removed', made.bills_removed, 'amounts_changed', made.amounts_changed) end as changes,
      ${nameOfUser('maker')} as created_by
    from accounting_batch_files made join files file on file.id = made.file_id left join users maker on maker.id = made.created_by
    where made.client_id = ${client_id} and made.accounting_batch_id = ${id} order by made.id desc`.execute(tx)
  return rows
}
