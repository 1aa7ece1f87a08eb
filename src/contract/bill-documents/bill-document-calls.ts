/** The calls of bundles of bill documents. */
import { z } from 'zod'
import {
  call,
  exportOf,
  listReply,
  oneReply,
  writeReply,
  type ListReply,
  type Nothing,
  type OneReply,
  type Result,
  type WriteReply,
} from '../kernel/call.ts'
import { listInput, type ListInput } from '../kernel/query.ts'
import { type BillDocumentDraft, type BillDocument, billDocument } from './bill-document.ts'

/** A save names the window that waits for the file. */
interface Saved<D> {
  readonly bill_document: D
  readonly connection_id?: string | undefined
}
const saved = <D>(draft: z.ZodType<D>): z.ZodType<Saved<D>> =>
  z.strictObject({ bill_document: draft, connection_id: z.string().max(100).optional() })

const path = '/clients/:client_id/bill_documents'
type OfClient = { client_id: number }
type OfOne = { client_id: number; id: number }
type Patch = Partial<BillDocumentDraft> & { lock_version?: number | undefined }

const listBundles = call<string, OfClient, ListInput, Nothing, ListReply<'bill_documents', BillDocument>>({
  name: 'bill_documents.list',
  method: 'GET',
  path,
  may: 'bill_document.read',
  summary: 'Lists bundles of bill copies',
  query: listInput,
  reply: listReply('bill_documents', billDocument.row),
})

export const billDocumentCalls = {
  list: listBundles,
  exportCsv: exportOf(listBundles, 'bill documents'),
  get: call<string, OfOne, Nothing, Nothing, OneReply<'bill_document', BillDocument>>({
    name: 'bill_documents.get',
    method: 'GET',
    path: `${path}/:id`,
    may: 'bill_document.read',
    summary: 'One bundle of bill copies',
    reply: oneReply('bill_document', billDocument.row),
  }),
  create: call<string, OfClient, Nothing, Saved<BillDocumentDraft>, WriteReply<'bill_document', BillDocument>>({
    name: 'bill_documents.create',
    method: 'POST',
    path,
    may: 'bill_document.create',
    summary: 'Makes a bundle and starts to write its file, which the live channel announces',
    body: saved(billDocument.draft),
    reply: writeReply('bill_document', billDocument.row),
  }),
  update: call<string, OfOne, Nothing, Saved<Patch>, WriteReply<'bill_document', BillDocument>>({
    name: 'bill_documents.update',
    method: 'PATCH',
    path: `${path}/:id`,
    may: 'bill_document.update',
    summary: 'Changes a bundle and writes its file anew',
    body: saved(billDocument.patch),
    reply: writeReply('bill_document', billDocument.row),
  }),
  destroy: call<string, OfOne, Nothing, Nothing, Result>({
    name: 'bill_documents.destroy',
    method: 'DELETE',
    path: `${path}/:id`,
    may: 'bill_document.destroy',
    summary: 'Deletes a bundle with its file',
  }),
  file: call<string, OfOne, Nothing, Nothing, { url: string; filename: string }>({
    name: 'bill_documents.file',
    method: 'GET',
    path: `${path}/:id/file`,
    may: 'bill_document.read',
    summary: 'The address under which the bundle’s file can be fetched for five minutes',
    reply: z.object({ url: z.string(), filename: z.string() }),
  }),
}
