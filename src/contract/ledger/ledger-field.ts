/** A ledger field of a client: one part of its ledger's account string, such as the company or the cost center. */
import { z } from 'zod'
import { call, crudCalls, optionsCall } from '../kernel/call.ts'
import { derived, entity, integer, ref, text, type Draft, type Row } from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'

/** Maximum fields of one client: each is a column of its ledger accounts. */
export const ledgerFieldsMax = 50

export const ledgerField = entity(
  'ledger_field',
  'ledger_fields',
  {
    name: text('Name', 100),
    description: text('Description'),
    order: integer('Order', { min: 0, max: 100_000 }),
    client_id: derived(ref('Client', 'clients')),
  },
  { filter: ['id', 'name', 'description', 'order'], sort: ['name', 'description', 'order', 'id'], defaultSort: 'name asc' },
)
export type LedgerField = Row<typeof ledgerField>
export type LedgerFieldDraft = Draft<typeof ledgerField>

/** The list returns `success` and `message` with its rows, as the report form expects. */
const listed = z.object({
  success: z.boolean(),
  message: z.string(),
  ledger_fields: z.array(ledgerField.row),
  total: z.int().optional(),
})

export const ledgerFieldCalls = {
  ...crudCalls(ledgerField, '/clients/:client_id/ledger_fields', {
    read: 'ledger_field.read',
    create: 'ledger_field.create',
    update: 'ledger_field.update',
    destroy: 'ledger_field.destroy',
  }),
  list: call({
    name: 'ledger_fields.list',
    method: 'GET',
    path: '/clients/:client_id/ledger_fields',
    may: 'ledger_field.read',
    summary: 'Lists the ledger fields of a client',
    query: listInput,
    reply: listed,
  }),
  selectOptions: optionsCall(
    'ledger_fields',
    '/clients/:client_id/ledger_fields/select_options',
    'ledger_field.read',
    z.object({ id: z.int(), name: z.string() }),
  ),
}
