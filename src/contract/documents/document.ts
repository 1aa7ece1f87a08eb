/** A document: one file with a title, attached to a client, a division, a facility or an account. */
import { z } from 'zod'
import { choice, derived, entity, instant, integer, list, optional, ref, text, writeOnly, type Row } from '../kernel/entity.ts'
import type { Model } from '../kernel/permission.ts'
import type { FormFile } from '../uploads/upload.ts'

export type AttachableModel = Extract<Model, 'client' | 'division' | 'facility' | 'billable_account' | 'supply_account'>

/** Records that a document can be attached to: the wire name, the model whose rights govern the document, and the label. */
export const attachables = [
  { value: 'Client', label: 'Client', model: 'client', plural: 'clients' },
  { value: 'Division', label: 'Division', model: 'division', plural: 'divisions' },
  { value: 'Facility', label: 'Facility', model: 'facility', plural: 'facilities' },
  { value: 'BillableAccount', label: 'Billable Account', model: 'billable_account', plural: 'billable_accounts' },
  { value: 'SupplyAccount', label: 'Supply Account', model: 'supply_account', plural: 'supply_accounts' },
] as const
export type Attachable = (typeof attachables)[number]
export type AttachableType = Attachable['value']

/** Returns the attachable with this name. Calls may also use the model: `billable_account`. */
export function attachableOf(name: string): Attachable | undefined {
  return attachables.find(({ value, model }) => value === name || model === name)
}

const storedFile = z.object({ filename: z.string(), content_type: z.string(), byte_size: z.int() })

export const document = entity(
  'document',
  'documents',
  {
    title: text('Title'),
    filename: derived(text('File Name')),
    content_type: derived(text('Type')),
    byte_size: derived(integer('Size')),
    file: derived(list('File', storedFile)),
    attachable_type: optional(choice('Attached To', attachables)),
    attachable_id: optional(integer('Attached ID')),
    attachable_name: derived(optional(text('Attached Name'))),
    created_by_name: derived(optional(text('Uploaded By'))),
    created_at: derived(instant('Created')),
    updated_at: derived(instant('Updated')),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'title',
      'filename',
      'content_type',
      'byte_size',
      'attachable_type',
      'attachable_id',
      'attachable_name',
      'created_by_name',
      'created_at',
      'updated_at',
    ],
    sort: ['title', 'filename', 'content_type', 'byte_size', 'created_by_name', 'created_at', 'updated_at', 'id'],
    defaultSort: 'created_at desc',
  },
)
export type Document = Row<typeof document>

/** The fields of a document's form. The page determines the record it is attached to. */
export const documentDraft = entity(
  'document',
  'documents',
  { title: document.fields.title, file: writeOnly(list('File', z.custom<FormFile>())) },
  { filter: [], sort: [], defaultSort: 'id asc' },
)

/** The form's fields, as `document[title]` and so on. `file` is the file itself. */
export interface DocumentForm {
  readonly title?: string | undefined
  readonly file?: FormFile | undefined
  readonly attachable_type?: AttachableType | undefined
  readonly attachable_id?: number | undefined
  readonly lock_version?: number | undefined
}
export interface DocumentBody {
  readonly document: DocumentForm
}
