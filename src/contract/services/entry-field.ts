/** An entry field: a charge that a bill line may have, including Utility Charges and Supply Charges. Shipped with the product. */
import { z } from 'zod'
import { call, exportOf, listReply, optionsCall } from '../kernel/call.ts'
import { boolean, choice, derived, entity, integer, text, type Row } from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'

/** The unit cost of the dashboards that a value belongs to. */
export const entryFieldCategories = [
  { value: 'utility', label: 'Utility' },
  { value: 'supply', label: 'Supply' },
  { value: 'other', label: 'Other' },
] as const

export const entryField = entity(
  'entry_field',
  'entry_fields',
  {
    name: derived(text('Name')),
    position: derived(integer('Position')),
    category: derived(choice('Category', entryFieldCategories)),
    is_tax: derived(boolean('Tax')),
  },
  { filter: ['id', 'name', 'category', 'is_tax'], sort: ['position', 'name', 'id'], defaultSort: 'position asc', sizes: [100] },
)
export type EntryField = Row<typeof entryField>

const listEntryFields = call({
  name: 'entry_fields.list',
  method: 'GET',
  path: '/entry_fields',
  may: 'service.read',
  summary: 'Lists the entry fields',
  query: listInput,
  reply: listReply('entry_fields', entryField.row),
})

export const entryFieldCalls = {
  list: listEntryFields,
  exportCsv: exportOf(listEntryFields, 'entry fields'),
  selectOptions: optionsCall('entry_fields', '/entry_fields/select_options', 'service.read', z.object({ id: z.int(), name: z.string() })),
}
