/** What other slices use of documents. */
export { RecordDocuments } from './record-documents.tsx'
