/** Bundles of bill copies. Each belongs to the client, to a division or to one user, who can see it. */
import { billDocument, type BillDocument } from '#contract/bill-documents/bill-document.ts'
import { billDocumentCalls } from '#contract/bill-documents/bill-document-calls.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { defineWhereOf } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { readOne, type Asked } from '../kernel/lists/list.ts'
import { refuseLostRights } from '../kernel/held-rights.ts'
import { notFound, noSuch } from '../kernel/problem.ts'
import { answerOne, answerWrite, createRow, destroyRow, exportHandler, listAnswer, readRow, updateRow } from '../kernel/lists/resource.ts'
import { releaseFile } from '../uploads/uploads.ts'
import { startBundle, stopBundle } from './write-bundle.ts'
import { billDocuments, personal, type SentDraft } from './bundle-resource.ts'

/** A user's own bundle is visible to them and to its maker. */
const seenBy = defineWhereOf(
  'bill_documents_seen_by',
  z.object({ user_id: z.int() }),
  ({ user_id }) =>
    sql<SqlBool>`(bill_documents.assignable_user_id is null or bill_documents.assignable_user_id = ${user_id} or bill_documents.user_id = ${user_id})`,
)

export const billDocumentHandlers: readonly Handler[] = [
  handle(billDocumentCalls.list, (context, { params, query }) =>
    listAnswer(context, billDocuments, query, askedFor(context, params.client_id)),
  ),
  exportHandler(billDocumentCalls.exportCsv, billDocuments, (context, params) => askedFor(context, params.client_id)),
  handle(billDocumentCalls.get, async (context, { params }) =>
    answerOne('bill_document', await readRow(context, billDocuments, params.id, askedFor(context, params.client_id))),
  ),
  handle(billDocumentCalls.create, async (context, { params, body }) => {
    const row = await createRow(context, billDocuments, body.bill_document, params.client_id, { added: storedAs(params.client_id) })
    return answerWrite(billDocument, 'created', await started(asWindow(context, body.connection_id), row))
  }),
  handle(billDocumentCalls.update, async (context, { params, body }) => {
    const asked = askedFor(context, params.client_id)
    const row = await updateRow(context, billDocuments, params.id, body.bill_document, asked, { added: storedAs(params.client_id) })
    return answerWrite(billDocument, 'updated', await started(asWindow(context, body.connection_id), row))
  }),
  handle(billDocumentCalls.destroy, async (context, { params }) => {
    const { client_id: clientId, id } = params
    const file = await readOne<{ file_id: number | null }>(context.tx, withFile, id, askedFor(context, clientId))
    if (!file) throw noSuch('Bill Document')
    await stopBundle(context, clientId, id)
    await destroyRow(context, billDocuments, id, askedFor(context, clientId))
    if (file.file_id !== null) await releaseFile(context, file.file_id)
    return { success: true, message: 'Bill Document deleted' }
  }),
  handle(billDocumentCalls.file, async (context, { params }) => {
    const file = await readOne<{ key: string | null; filename: string | null; rights: unknown; is_personal: boolean }>(
      context.tx,
      withFile,
      params.id,
      askedFor(context, params.client_id),
    )
    if (!file?.key || file.filename === null) throw notFound('The file is not there yet.')
    // A person's own bundle is judged by no division, so by what they could read when it was written.
    if (file.is_personal) refuseLostRights(context.principal, file.rights)
    const { key, filename } = file
    return {
      url: context.machinery.files.downloadUrl({ key, filename, contentType: 'application/zip', reader: context.principal }),
      filename,
    }
  }),
]

/** The row with the file columns that only this slice reads. */
const withFile = {
  ...billDocuments,
  columns: {
    ...billDocuments.columns,
    file_id: { sql: sql.ref('bill_documents.file_id') },
    key: { sql: sql.ref('file.key'), joins: ['file'] },
    rights: { sql: sql.ref('file.rights'), joins: ['file'] },
    is_personal: { sql: personal() },
  },
}

function askedFor(context: Context, clientId: number): Asked {
  return { reach: context.reach, clientId, ...seenBy(context.principal, { user_id: context.principal.user_id }) }
}

/** The id of the waiting window may be in the body, as in the specification. */
function asWindow(context: Context, connectionId: string | undefined): Context {
  return connectionId === undefined ? context : { ...context, connectionId }
}

/** Every save writes the file again, so that it holds exactly the bills of the form. */
async function started(context: Context, row: BillDocument): Promise<BillDocument> {
  await startBundle(context, row.client_id, row)
  return readRow(context, billDocuments, row.id, askedFor(context, row.client_id))
}

/** Columns for the assignee and the filters; the maker of a bundle never changes. */
function storedAs(clientId: number) {
  return async (context: Context, draft: SentDraft, before: BillDocument | null): Promise<Readonly<Record<string, unknown>>> => ({
    ...(before ? {} : { user_id: context.principal.user_id, client_id: clientId }),
    ...(draft.form_data === undefined ? {} : { form_data: JSON.stringify(draft.form_data) }),
    ...assignedTo(draft, before),
  })
}

function assignedTo(draft: SentDraft, before: BillDocument | null): Readonly<Record<string, unknown>> {
  if (draft.assignable_type === undefined && draft.assignable_id === undefined) return {}
  const type = draft.assignable_type ?? before?.assignable_type
  const id = draft.assignable_id ?? before?.assignable_id ?? null
  return {
    on_client: type === 'Client',
    division_id: type === 'Division' ? id : null,
    assignable_user_id: type === 'User' ? id : null,
  }
}
