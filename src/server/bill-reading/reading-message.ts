/** What the thread that reads is asked, and what it answers. */
import type { DocumentWords } from '#contract/bill-reading.ts'
import type { ReadingFault } from './reading-error.ts'

export interface ReadingRequest {
  readonly id: number
  readonly bytes: Uint8Array
  /** Pages of the file, both included; to the end without `to_page`. */
  readonly from_page: number
  readonly to_page: number | null
  readonly pages_max: number
}

export type ReadingAnswer =
  | { readonly id: number; readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly id: number; readonly kind: 'words'; readonly words: DocumentWords }
  | { readonly id: number; readonly kind: 'fault'; readonly fault: ReadingFault; readonly message: string }
