/**
 * Documents of clients, divisions, facilities and accounts. The right to read a record covers reading its documents; the right to update it
 * covers changing them.
 */
import { attachableOf, attachables, document, type DocumentForm, type Document } from '#contract/documents/document.ts'
import { documentCalls } from '#contract/documents/document-calls.ts'
import { uploadBytesMax, uploadKindNames } from '#contract/uploads/upload-kinds.ts'
import type { FormFile } from '#contract/uploads/upload.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { readOne } from '../kernel/lists/list.ts'
import { forbidden, invalid, noSuch } from '../kernel/problem.ts'
import { answerOne, answerWrite, createRow, destroyRow, listAnswer, readRow, resource, updateRow } from '../kernel/lists/resource.ts'
import { attachReceived, downloadLink, receiving, releaseFile } from '../uploads/uploads.ts'
import { askedFor, attachedTo, documentScope } from './document-scope.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'
import { listOnly, listOf, targetIn, clientAttachable, mustAttach, type Target } from './document-targets.ts'

const named = attachables.filter(({ model }) => model !== 'client')

export const documents = resource({
  entity: document,
  table: 'documents',
  scope: documentScope,
  joins: {
    file: sql`join files file on file.id = documents.file_id`,
    author: sql`left join users author on author.id = documents.created_by`,
    client: sql`join clients client on client.id = documents.client_id`,
    division: sql`left join divisions division on division.client_id = documents.client_id and division.id = documents.division_id`,
    facility: sql`left join facilities facility on facility.client_id = documents.client_id and facility.id = documents.facility_id`,
    billable: sql`left join billable_accounts billable on billable.client_id = documents.client_id and billable.id = documents.billable_account_id`,
    supply: sql`left join supply_accounts supply on supply.client_id = documents.client_id and supply.id = documents.supply_account_id`,
  },
  columns: {
    filename: { sql: sql.ref('file.filename'), joins: ['file'] },
    content_type: { sql: sql.ref('file.content_type'), joins: ['file'] },
    byte_size: { sql: sql.ref('file.byte_size'), joins: ['file'] },
    file: {
      sql: sql`json_build_object('filename', file.filename, 'content_type', file.content_type, 'byte_size', file.byte_size)`,
      joins: ['file'],
    },
    attachable_type: {
      sql: sql`case when documents.on_client then 'Client' when documents.division_id is not null then 'Division'
        when documents.facility_id is not null then 'Facility' when documents.billable_account_id is not null then 'BillableAccount' else 'SupplyAccount' end`,
    },
    attachable_id: {
      sql: sql`coalesce(documents.division_id, documents.facility_id, documents.billable_account_id, documents.supply_account_id, documents.client_id)`,
    },
    attachable_name: {
      sql: sql`coalesce(division.name, facility.name, billable.account_number, supply.account_number, client.name)`,
      joins: ['client', 'division', 'facility', 'billable', 'supply'],
    },
    created_by_name: {
      sql: nameOfUser('author'),
      joins: ['author'],
    },
    file_id: { sql: sql.ref('documents.file_id') },
  },
  search: ['title', 'filename'],
})

const rule = { kinds: uploadKindNames, bytesMax: uploadBytesMax }

export const documentHandlers: readonly Handler[] = [
  handle(documentCalls.list, async (context, { params, query }) =>
    listAnswer(context, documents, listOnly(query), await listOf(context, params.client_id, query)),
  ),
  handle(documentCalls.exportCsv, async (context, { params, query }) =>
    startExport(context, documents, listOnly(query), await listOf(context, params.client_id, query)),
  ),
  handle(documentCalls.get, async (context, { params }) =>
    answerOne('document', await readRow(context, documents, params.id, askedFor(context, 'read'))),
  ),
  handle(documentCalls.download, async (context, { params, query }) => {
    const row = await readOne<{ file_id: number }>(context.tx, documents, params.id, askedFor(context, 'read'))
    if (!row) throw noSuch('Document')
    return { url: await downloadLink(context, row.file_id, query.inline === 'true') }
  }),
  receiving(
    rule,
    handle(documentCalls.create, async (context, { params, body }) => {
      const target = targetIn(body.document) ?? { of: clientAttachable, id: params.client_id }
      await mustAttach(context, params.client_id, target, 'attachable_id')
      return answerWrite(document, 'created', await create(context, params.client_id, target, body.document))
    }),
  ),
  receiving(
    rule,
    handle(documentCalls.update, async (context, { params, body }) =>
      answerWrite(document, 'updated', await update(context, params.id, body.document)),
    ),
  ),
  handle(documentCalls.destroy, async (context, { params }) => {
    const { fileId } = await mustWrite(context, params.id)
    await destroyRow(context, documents, params.id, askedFor(context, 'update'))
    await releaseFile(context, fileId)
    return { success: true, message: 'Document deleted' }
  }),
  ...under('division', documentCalls.listOfDivision, documentCalls.createForDivision),
  ...under('facility', documentCalls.listOfFacility, documentCalls.createForFacility),
  ...under('billable_account', documentCalls.listOfBillableAccount, documentCalls.createForBillableAccount),
  ...under('supply_account', documentCalls.listOfSupplyAccount, documentCalls.createForSupplyAccount),
]

/** Returns the two calls below one kind of record. */
function under(
  model: (typeof named)[number]['model'],
  list: typeof documentCalls.listOfDivision,
  make: typeof documentCalls.createForDivision,
): Handler[] {
  const of = attachableOf(model) ?? clientAttachable
  return [
    handle(list, async (context, { params, query }) =>
      listAnswer(context, documents, query, await listOf(context, params.client_id, { type: of.value, id: params.id })),
    ),
    receiving(
      rule,
      handle(make, async (context, { params, body }) => {
        const target = { of, id: params.id }
        const said = targetIn(body.document)
        if (said && (said.of.value !== of.value || said.id !== params.id))
          throw invalid({ attachable_id: ['This names another record than the address'] })
        await mustAttach(context, params.client_id, target)
        return answerWrite(document, 'created', await create(context, params.client_id, target, body.document))
      }),
    ),
  ]
}

async function create(context: Context, clientId: number, target: Target, form: DocumentForm): Promise<Document> {
  const { title = '', file } = form
  const added = async () => ({
    file_id: await attached(context, file),
    created_by: context.principal.user_id,
    ...attachedTo(target.of, target.id),
  })
  return createRow(context, documents, { title }, clientId, { added })
}

async function update(context: Context, id: number, form: DocumentForm): Promise<Document> {
  const { clientId, fileId } = await mustWrite(context, id)
  const target = targetIn(form)
  if (target) await mustAttach(context, clientId, target, 'attachable_id')
  const { title, file, lock_version } = form
  const patch = { ...(title === undefined ? {} : { title }), ...(lock_version === undefined ? {} : { lock_version }) }
  const added = async () => ({
    ...(file ? { file_id: await attached(context, file) } : {}),
    ...(target ? attachedTo(target.of, target.id) : {}),
  })
  const row = await updateRow(context, documents, id, patch, askedFor(context, 'update'), { added })
  if (file) await releaseFile(context, fileId)
  return row
}

async function attached(context: Context, file: FormFile | undefined): Promise<number> {
  if (!file) throw invalid({ file: ['File is required'] })
  return attachReceived(context, file)
}

/** Throws 404 for a document that the caller does not see, 403 for one that they may only read. */
async function mustWrite(context: Context, id: number): Promise<{ clientId: number; fileId: number }> {
  const asked = (action: 'read' | 'update') =>
    readOne<{ client_id: number; file_id: number }>(context.tx, documents, id, askedFor(context, action))
  const row = await asked('update')
  if (row) return { clientId: row.client_id, fileId: row.file_id }
  throw (await asked('read')) ? forbidden() : noSuch('Document')
}
