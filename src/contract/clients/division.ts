/** A division: the first level of a client's hierarchy. */
import { z } from 'zod'
import { call, exportOf, crudCalls, listReply, optionsCall, type ListReply } from '../kernel/call.ts'
import { derived, entity, optional, ref, text, type Draft, type Row } from '../kernel/entity.ts'
import { idsInput, searchCall } from '../kernel/lookup.ts'
import { listInputWith } from '../kernel/query.ts'

export const division = entity(
  'division',
  'divisions',
  {
    name: text('Name'),
    short_code: text('Short Code', 60),
    code: text('Code', 60),
    batch_group_id: optional(ref('Batch Group', 'batch_groups')),
    batch_group_name: derived(optional(text('Batch Group'))),
    client_id: derived(ref('Client', 'clients')),
    client: derived(text('Client')),
  },
  {
    filter: ['id', 'name', 'short_code', 'code', 'batch_group_id', 'batch_group_name', 'client_id', 'client'],
    sort: ['name', 'short_code', 'code', 'batch_group_name', 'client', 'id'],
    defaultSort: 'name asc',
    sizes: [10, 20, 50, 100, 1000],
  },
)
export type Division = Row<typeof division>
export type DivisionDraft = Draft<typeof division>

const option = z.object({ id: z.int(), name: z.string(), short_code: z.string(), client_id: z.int() })

/** `division_id[]` selects the returned divisions; a single `division_id` also returns that one under `division` (G-DIVISION-ONE). */
type DivisionList = ListReply<'divisions', Division> & { division?: Division | undefined }
const divisionList: z.ZodType<DivisionList> = z.intersection(
  listReply('divisions', division.row),
  z.object({ division: division.row.optional() }),
)

const listAllDivisions = call({
  name: 'divisions.list_all',
  method: 'GET',
  path: '/divisions',
  may: 'division.read',
  summary: 'Lists the divisions of all clients that you reach',
  query: listInputWith({ division_id: idsInput.optional() }),
  reply: divisionList,
})

export const divisionCalls = {
  ...crudCalls(division, '/clients/:client_id/divisions', {
    read: 'division.read',
    create: 'division.create',
    update: 'division.update',
    destroy: 'division.destroy',
  }),
  list: call({
    name: 'divisions.list',
    method: 'GET',
    path: '/clients/:client_id/divisions',
    may: 'division.read',
    summary: 'Lists the divisions of a client',
    query: listInputWith({ division_id: idsInput.optional() }),
    reply: divisionList,
  }),
  listAll: listAllDivisions,
  exportAll: exportOf(listAllDivisions, 'divisions of all clients'),
  selectOptions: optionsCall('divisions', '/clients/:client_id/divisions/select_options', 'division.read', option),
  search: searchCall('divisions', '/divisions/search', 'division.read', option),
  clientSearch: searchCall('divisions', '/clients/:client_id/divisions/search', 'division.read', option, 'divisions.client_search'),
}
