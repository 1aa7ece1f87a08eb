/** Texts about a document, used wherever it is shown. */
import type { Document } from '#contract/documents/document.ts'
import { documentCalls } from '#contract/documents/document-calls.ts'
import { uploadKindOf, uploadKinds } from '#contract/uploads/upload-kinds.ts'
import { API_BASE } from '../kernel/api.ts'

/** 'PDF' instead of application/pdf. */
export function kindLabel({ filename, content_type }: Pick<Document, 'filename' | 'content_type'>): string {
  const kind = uploadKindOf(filename, content_type)
  return kind ? uploadKinds[kind].label : content_type
}

/** Returns the address that responds with the file's url. */
export function downloadHref({ id }: Pick<Document, 'id'>): string {
  return `${API_BASE}${documentCalls.download.path.replace(':id', String(id))}`
}
