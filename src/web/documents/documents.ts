/** What other slices use of documents. */
export { AccountDocuments } from './account-documents.tsx'
