/** A batch group of a client: divisions of one group are batched together. Shown inside the client. */
import { z } from 'zod'
import { call, exportOf, listReply, optionsCall } from '../kernel/call.ts'
import { derived, entity, ref, text, type Row } from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'

export const batchGroup = entity(
  'batch_group',
  'batch_groups',
  { name: text('Name'), client_id: derived(ref('Client', 'clients')) },
  { filter: ['id', 'name'], sort: ['name', 'id'], defaultSort: 'name asc' },
)
export type BatchGroup = Row<typeof batchGroup>

const listBatchGroups = call({
  name: 'batch_groups.list',
  method: 'GET',
  path: '/clients/:client_id/batch_groups',
  may: 'client.read',
  summary: 'Lists the batch groups of a client',
  query: listInput,
  reply: listReply('batch_groups', batchGroup.row),
})

export const batchGroupCalls = {
  list: listBatchGroups,
  exportCsv: exportOf(listBatchGroups, 'batch groups'),
  selectOptions: optionsCall(
    'batch_groups',
    '/clients/:client_id/batch_groups/select_options',
    'client.read',
    z.object({ id: z.int(), name: z.string() }),
  ),
}
