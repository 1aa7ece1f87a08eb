/** Bundles of bill copies. Each belongs to the client, to a division or to one user, who can see it. */
import {
  billDocument,
  billDocumentCalls,
  bundleBatchFilters,
  bundleIdFilters,
  noBundleFilters,
  type BillDocument,
  type BillDocumentDraft,
  type BundleFilters,
} from '#contract/bill-documents/bill-document.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { defineWhereOf } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { readOne, type Asked, type ScopeRule } from '../kernel/lists/list.ts'
import { refuseLostRights } from '../kernel/held-rights.ts'
import { invalid, notFound } from '../kernel/problem.ts'
import {
  answerOne,
  answerWrite,
  createRow,
  destroyRow,
  exportHandler,
  listAnswer,
  mustReach,
  readRow,
  resource,
  updateRow,
} from '../kernel/lists/resource.ts'
import { sourceOf } from '../kernel/lists/sources.ts'
import { releaseFile } from '../uploads/uploads.ts'
import { startBundle, stopBundle } from './write-bundle.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

const personal = () => sql<SqlBool>`bill_documents.assignable_user_id is not null`

/** A bundle for the whole client holds bills of all divisions: a narrowed role sees only its divisions' bundles and its own. */
const scope: ScopeRule = {
  client: sql.ref('bill_documents.client_id'),
  levels: {
    division: (ids) => sql<SqlBool>`(bill_documents.division_id = any(${ids}::bigint[]) or ${personal()})`,
    facility: personal,
    billable_account: personal,
    supply_account: personal,
  },
}

/** A user's own bundle is visible to them and to its maker. */
const seenBy = defineWhereOf(
  'bill_documents_seen_by',
  z.object({ user_id: z.int() }),
  ({ user_id }) =>
    sql<SqlBool>`(bill_documents.assignable_user_id is null or bill_documents.assignable_user_id = ${user_id} or bill_documents.user_id = ${user_id})`,
)

const billDocuments = resource({
  entity: billDocument,
  table: 'bill_documents',
  scope,
  joins: {
    maker: sql`left join users maker on maker.id = bill_documents.user_id`,
    assignee: sql`left join users assignee on assignee.id = bill_documents.assignable_user_id`,
    division: sql`left join divisions division on division.client_id = bill_documents.client_id and division.id = bill_documents.division_id`,
    client: sql`join clients client on client.id = bill_documents.client_id`,
    file: sql`left join files file on file.id = bill_documents.file_id`,
    task: sql`left join tasks task on task.id = bill_documents.task_id`,
  },
  columns: {
    assignable_type: {
      sql: sql`case when bill_documents.on_client then 'Client' when bill_documents.division_id is not null then 'Division' else 'User' end`,
    },
    assignable_id: {
      sql: sql`coalesce(bill_documents.division_id, bill_documents.assignable_user_id, bill_documents.client_id)`,
    },
    assignable_name: {
      sql: sql`case when bill_documents.on_client then client.name when bill_documents.division_id is not null then division.name
        else ${nameOfUser('assignee')} end`,
      joins: ['client', 'division', 'assignee'],
    },
    user: {
      sql: sql`case when maker.id is not null then json_build_object('first_name', maker.first_name, 'last_name', maker.last_name) end`,
      joins: ['maker'],
    },
    // A filter that did not exist when the bundle was made restricts nothing.
    form_data: { sql: sql`${sql.lit(JSON.stringify(noBundleFilters))}::jsonb || bill_documents.form_data` },
    file_url: {
      sql: sql`case when bill_documents.file_id is not null then '/api/v5/clients/' || bill_documents.client_id || '/bill_documents/' || bill_documents.id || '/file' end`,
    },
    filename: { sql: sql.ref('file.filename'), joins: ['file'] },
    byte_size: { sql: sql.ref('file.byte_size'), joins: ['file'] },
    state: {
      sql: sql`case when task.state in ('waiting', 'running') then task.state when task.state in ('failed', 'cancelled') or bill_documents.file_id is null then 'failed' else 'done' end`,
      joins: ['task'],
    },
    rows_done: { sql: sql`coalesce(task.rows_done, 0)`, joins: ['task'] },
    rows_total: { sql: sql.ref('task.rows_total'), joins: ['task'] },
    error: { sql: sql`case when task.state = 'cancelled' then 'It was stopped.' else task.error end`, joins: ['task'] },
  },
  search: ['name'],
  check: checkBundle,
})

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
    if (!file) throw notFound('Bill Document not found.')
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

type SentDraft = Partial<BillDocumentDraft>

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

/** Throws 422 if the writer may not name the assignee, or if a filter names records outside their reach. */
async function checkBundle(context: Context, draft: SentDraft, before: BillDocument | null, clientId: number): Promise<void> {
  await checkAssignee(context, draft, before, clientId)
  await checkFilters(context, draft.form_data, before?.form_data, clientId)
}

async function checkAssignee(context: Context, draft: SentDraft, before: BillDocument | null, clientId: number): Promise<void> {
  const type = draft.assignable_type ?? before?.assignable_type
  const id = draft.assignable_id ?? before?.assignable_id
  if (id === undefined || (type === before?.assignable_type && id === before?.assignable_id)) return
  const wrong = (message: string) => invalid({ assignable_id: [message] })
  if (type === 'Client' && id !== clientId) throw wrong('This record cannot be found')
  if (type === 'User' && id !== context.principal.user_id) throw wrong('A bundle can be assigned to yourself only')
  const divisions = sourceOf('divisions')
  if (type === 'Division' && divisions) await mustReach(context, divisions, [id], 'assignable_id', clientId)
}

/** Unchanged filters need not be in reach. */
async function checkFilters(
  context: Context,
  filters: BundleFilters | undefined,
  before: BundleFilters | undefined,
  clientId: number,
): Promise<void> {
  if (!filters) return
  for (const { key, refers } of [...bundleIdFilters, ...bundleBatchFilters]) {
    const source = sourceOf(refers)
    const added = filters[key].filter((id) => !before?.[key].includes(id))
    if (source && added.length > 0)
      await mustReach(context, source, added, `form_data.${key}`, source.scope === 'shared' ? undefined : clientId)
  }
}
