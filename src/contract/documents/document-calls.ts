/** The calls of documents. */
import { z } from 'zod'
import {
  call,
  fileWishes,
  listReply,
  oneReply,
  started,
  writeReply,
  type Call,
  type FileWishes,
  type ListReply,
  type Nothing,
  type WriteReply,
} from '../kernel/call.ts'
import type { Permission } from '../kernel/permission.ts'
import { listInputWith, type ListInput } from '../kernel/query.ts'
import { formFile } from '../uploads/upload.ts'
import {
  attachableOf,
  attachables,
  type DocumentBody,
  document,
  type AttachableType,
  type AttachableModel,
  type Document,
} from './document.ts'

const idText = z
  .union([z.string(), z.number()], { error: 'must be an id' })
  .transform(String)
  .refine((value) => /^[1-9]\d{0,14}$/.test(value), 'must be an id')
  .transform(Number)
const typeText = z
  .string({ error: 'must be the name of what a document hangs on' })
  .max(40)
  .refine((value) => attachableOf(value) !== undefined, `must be one of ${attachables.map(({ value }) => value).join(', ')}`)
  .transform((value) => attachableOf(value)?.value)

const formShape = {
  attachable_type: typeText.optional(),
  attachable_id: idText.optional(),
  lock_version: z
    .union([z.string(), z.number()])
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= 0, 'must be a version')
    .optional(),
}

const createBody: z.ZodType<DocumentBody> = z.strictObject({
  document: z.strictObject({ ...formShape, title: document.fields.title.schema, file: formFile('File') }),
  connection_id: z.string().max(100).optional(),
})
const updateBody: z.ZodType<DocumentBody> = z.strictObject({
  document: z.strictObject({ ...formShape, title: document.fields.title.schema.optional(), file: formFile('File').optional() }),
  connection_id: z.string().max(100).optional(),
})

/** Selects documents of a client: without a type its own, with a type those of this level, with an id those of one record. */
const listOf = { type: typeText.optional(), id: idText.optional() }
type ListOf = ListInput & { type?: AttachableType | undefined; id?: number | undefined }
const listQuery: z.ZodType<ListOf> = listInputWith(listOf)
const exportQuery: z.ZodType<ListOf & FileWishes> = listInputWith({ ...listOf, ...fileWishes })

/** Any of these rights is enough for the call; the result depends on the rights at the document's record. */
function onSome(action: 'read' | 'update'): readonly Permission[] {
  return attachables.map(({ model }): Permission => `${model}.${action}`)
}

const ofClient = '/clients/:client_id/documents'
const one = '/documents/:id'
const row = document.row

export const documentCalls = {
  list: call({
    name: 'documents.list',
    method: 'GET',
    path: ofClient,
    may: onSome('read'),
    summary: 'Lists the documents of a client, or by type and id those of a record in it',
    query: listQuery,
    reply: listReply('documents', row),
  }),
  exportCsv: call({
    name: 'documents.export',
    method: 'GET',
    path: `${ofClient}/export_csv`,
    effect: 'write',
    may: onSome('read'),
    summary: 'Starts a CSV export of the list of documents',
    query: exportQuery,
    reply: started,
  }),
  create: call({
    name: 'documents.create',
    method: 'POST',
    path: ofClient,
    may: onSome('update'),
    summary: 'Keeps a file as a document: of the client, or of what document[attachable_type] and document[attachable_id] name',
    bodyKind: 'multipart',
    body: createBody,
    reply: writeReply('document', row),
  }),
  get: call({
    name: 'documents.get',
    method: 'GET',
    path: one,
    may: onSome('read'),
    summary: 'One document',
    reply: oneReply('document', row),
  }),
  download: call({
    name: 'documents.download',
    method: 'GET',
    path: `${one}/download`,
    may: onSome('read'),
    summary: 'A five-minute address of the document’s file',
    query: z.strictObject({ inline: z.enum(['true', 'false']).optional() }),
    reply: z.object({ url: z.string() }),
  }),
  update: call({
    name: 'documents.update',
    method: 'PATCH',
    path: one,
    may: onSome('update'),
    summary: 'Changes a document; a file replaces the one before',
    bodyKind: 'multipart',
    body: updateBody,
    reply: writeReply('document', row),
  }),
  destroy: call({ name: 'documents.destroy', method: 'DELETE', path: one, may: onSome('update'), summary: 'Deletes a document' }),
  listOfDivision: listUnder('divisions', 'division'),
  listOfFacility: listUnder('facilities', 'facility'),
  listOfBillableAccount: listUnder('billable_accounts', 'billable_account'),
  listOfSupplyAccount: listUnder('supply_accounts', 'supply_account'),
  createForDivision: createUnder('divisions', 'division'),
  createForFacility: createUnder('facilities', 'facility'),
  createForBillableAccount: createUnder('billable_accounts', 'billable_account'),
  createForSupplyAccount: createUnder('supply_accounts', 'supply_account'),
}

type UnderParams = { client_id: number; id: number }
type Under = Exclude<AttachableModel, 'client'>

function listUnder(plural: string, model: Under): Call<UnderParams, ListInput, Nothing, ListReply<'documents', Document>> {
  return call<string, UnderParams, ListInput, Nothing, ListReply<'documents', Document>>({
    name: `documents.of_${model}`,
    method: 'GET',
    path: `/clients/:client_id/${plural}/:id/documents`,
    may: `${model}.read`,
    summary: `Lists the documents of a ${model.replace('_', ' ')}`,
    query: listInputWith({}),
    reply: listReply('documents', row),
  })
}

function createUnder(plural: string, model: Under): Call<UnderParams, Nothing, DocumentBody, WriteReply<'document', Document>> {
  return call<string, UnderParams, Nothing, DocumentBody, WriteReply<'document', Document>>({
    name: `documents.create_for_${model}`,
    method: 'POST',
    path: `/clients/:client_id/${plural}/:id/documents`,
    may: `${model}.update`,
    summary: `Keeps a file as a document of a ${model.replace('_', ' ')}`,
    bodyKind: 'multipart',
    body: createBody,
    reply: writeReply('document', row),
  })
}
