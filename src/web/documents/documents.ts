/** The public part of documents. */
export { RecordDocuments } from './record-documents.tsx'
