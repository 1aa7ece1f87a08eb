/** The files of a batch: starting a new version of the upload file, and reading those that were made. */
import { accountingBatchCalls, type AccountingBatch, type BatchFile } from '#contract/accounting-batches/accounting-batch.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { notFound, refused } from '../kernel/problem.ts'
import { releaseFile } from '../uploads/uploads.ts'
import { startUploadFile } from './upload-file.ts'
import { withLineCounts } from './line-counts.ts'

type ReadBatch = (context: Context, params: { readonly client_id: number; readonly id: number }) => Promise<AccountingBatch>

/** `readBatch` reads a batch inside the caller's reach, or throws not-found. */
export function batchFileHandlers(readBatch: ReadBatch): Handler[] {
  return [
    handle(accountingBatchCalls.generateUploadFile, async (context, { params }) => {
      const [batch] = await withLineCounts(context, [await readBatch(context, params)])
      if (!batch) throw notFound()
      if (batch.bill_count === 0) throw refused('This client batch holds no bill.')
      if (!batch.generating_file && !batch.can_generate_upload_file)
        throw refused('Some charges of this client batch have no ledger account yet. Its Ledger tab names the services.')
      const task = await startUploadFile(context, batch)
      context.touch(batch.client_id)
      return { success: true, message: 'Upload file generation started', task_id: task.id }
    }),
    handle(accountingBatchCalls.files, async (context, { params }) => ({
      files: await readFiles(context, await readBatch(context, params)),
    })),
    handle(accountingBatchCalls.uploadFile, async (context, { params, query }) => {
      const batch = await readBatch(context, params)
      const { rows } = await sql<{ key: string; filename: string; content_type: string }>`select file.key, file.filename, file.content_type
        from accounting_batch_files made join files file on file.id = made.file_id
        where made.client_id = ${batch.client_id} and made.accounting_batch_id = ${batch.id} and made.kind = 'upload'
          and (${query.version ?? null}::int is null or made.version = ${query.version ?? null}::int)
        order by made.version desc limit 1`.execute(context.tx)
      const [file] = rows
      if (!file) throw notFound('This client batch has no such upload file.')
      const url = await context.machinery.files.downloadUrl({ key: file.key, filename: file.filename, contentType: file.content_type })
      return { url, filename: file.filename }
    }),
  ]
}

/** Takes the versions from a batch that is about to be deleted: it never closed, so no ledger may have loaded them. */
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
    await sql<BatchFile>`select made.id, made.version, file.filename, made.created_at, made.row_count, made.total, encode(made.sha256, 'hex') as sha256,
      coalesce(nullif(trim(concat_ws(' ', maker.first_name, maker.last_name)), ''), maker.email) as created_by
    from accounting_batch_files made join files file on file.id = made.file_id left join users maker on maker.id = made.created_by
    where made.client_id = ${client_id} and made.accounting_batch_id = ${id} and made.kind = 'upload' order by made.version desc`.execute(
      tx,
    )
  return rows
}
