/** The calls of the inbox of documents. */
import { z } from 'zod'
import { billReading } from '../bill-reading/bill-reading.ts'
import { call, exportInput, listReply, started, type ExportInput } from '../kernel/call.ts'
import { listInputWith } from '../kernel/query.ts'
import { formFile } from '../uploads/upload.ts'
import { scanShelves, scansPerCallMax, type ScanShelf, billScan, summary, stackPart, received, noNextBillText } from './bill-scan.ts'

const noDocument = 'Choose at least one document'

const shelf = z.enum(scanShelves, { error: `must be one of ${scanShelves.join(', ')}` }).optional()
const base = '/clients/:client_id/bill_scans'
const may = 'bill.create'
const ids = z.array(z.int().positive()).min(1, noDocument).max(scansPerCallMax, `At most ${scansPerCallMax} documents at once`)

const exported: z.ZodType<ExportInput & { show?: ScanShelf | undefined }> = z.intersection(exportInput, z.looseObject({ show: shelf }))

export const billScanCalls = {
  list: call({
    name: 'bill_scans.list',
    method: 'GET',
    path: base,
    may,
    summary: 'Documents that wait to become bills; show=open (unless told), ignored, done or all',
    query: listInputWith({ show: shelf }),
    reply: listReply('bill_scans', billScan.row),
  }),
  exportCsv: call({
    name: 'bill_scans.export',
    method: 'GET',
    path: `${base}/export`,
    may,
    summary: 'Starts an export of the documents',
    effect: 'write',
    query: exported,
    reply: started,
  }),
  summary: call({
    name: 'bill_scans.summary',
    method: 'GET',
    path: `${base}/summary`,
    may,
    summary: 'How many documents wait, and since when',
    reply: summary,
  }),
  get: call({
    name: 'bill_scans.get',
    method: 'GET',
    path: `${base}/:id`,
    may,
    summary: 'One document with what was read on it',
    reply: z.object({
      bill_scan: billScan.row,
      reading: billReading.nullable(),
      page_faults: z.array(z.string()),
      /** All bills of the file that it was split from, in their order; empty if it was not split. */
      stack: z.array(stackPart),
    }),
  }),
  file: call({
    name: 'bill_scans.file',
    method: 'GET',
    path: `${base}/:id/file`,
    may,
    summary: 'The address of the document, good for five minutes',
    query: z.strictObject({ inline: z.enum(['true', 'false']).optional() }),
    reply: z.object({ url: z.string(), filename: z.string() }),
  }),
  create: call({
    name: 'bill_scans.create',
    method: 'POST',
    path: base,
    may,
    summary: 'Takes uploaded documents (signed ids of direct uploads) into the inbox; each is read in the background',
    body: z.strictObject({
      signed_ids: z
        .array(z.string().min(1).max(2_000))
        .min(1, noDocument)
        .max(scansPerCallMax, `At most ${scansPerCallMax} documents at once`),
    }),
    reply: z.object({ success: z.boolean(), message: z.string(), ids: z.array(z.int()) }),
  }),
  upload: call({
    name: 'bill_scans.upload',
    method: 'POST',
    path: `${base}/upload`,
    may,
    summary: 'Takes one document into the inbox (multipart: file), and names the bill or the document that it repeats',
    bodyKind: 'multipart',
    body: z.object({ file: formFile('File') }),
    reply: received,
  }),
  keep: call({
    name: 'bill_scans.keep',
    method: 'POST',
    path: `${base}/:id/keep`,
    may,
    summary: 'Keeps a document that seems to repeat another: it is said no more',
  }),
  split: call({
    name: 'bill_scans.split',
    method: 'POST',
    path: `${base}/:id/split`,
    may,
    summary: 'Divides a document: a bill begins on each of these pages, the first page among them, which alone says that it is one bill',
    body: z.strictObject({ starts: z.array(z.int().positive()).min(1, noNextBillText).max(200) }),
    reply: z.object({ success: z.boolean(), message: z.string(), ids: z.array(z.int()) }),
  }),
  keepWhole: call({
    name: 'bill_scans.keep_whole',
    method: 'POST',
    path: `${base}/:id/keep_whole`,
    may,
    summary: 'Gives the whole file to a part whose pages could not be taken out of it; needs a role for the whole client',
  }),
  reread: call({
    name: 'bill_scans.reread',
    method: 'POST',
    path: `${base}/:id/reread`,
    may,
    summary: 'Reads a document again, with what was learned since',
  }),
  ignore: call({
    name: 'bill_scans.ignore',
    method: 'POST',
    path: `${base}/ignore`,
    may,
    summary: 'Puts documents aside that shall not become bills',
    body: z.strictObject({ ids }),
  }),
  takeBack: call({
    name: 'bill_scans.take_back',
    method: 'POST',
    path: `${base}/take_back`,
    may,
    summary: 'Takes documents back that were put aside',
    body: z.strictObject({ ids }),
  }),
  destroy: call({
    name: 'bill_scans.destroy',
    method: 'DELETE',
    path: `${base}/:id`,
    may,
    summary: 'Deletes a document that did not become a bill',
  }),
}
