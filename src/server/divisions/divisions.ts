/** Divisions of a client, and its batch groups, to which divisions belong. */
import { batchGroup, batchGroupCalls } from '#contract/clients/batch-group.ts'
import { division, divisionCalls, type Division } from '#contract/clients/division.ts'
import type { ListReply } from '#contract/kernel/call.ts'
import { sql } from 'kysely'
import { batchGroupScope, divisionScope } from '../estate/estate.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { crudHandlers, askedBy, exportHandler, listAnswer, listHandler, optionsHandler, resource } from '../kernel/lists/resource.ts'
import { searchHandler } from '../kernel/lists/lookup.ts'
import { divisionTarget } from './division-import.ts'

export const divisions = resource({
  entity: division,
  table: 'divisions',
  scope: divisionScope,
  joins: {
    batch_group: sql`left join batch_groups batch_group on batch_group.client_id = divisions.client_id and batch_group.id = divisions.batch_group_id`,
    client: sql`join clients on clients.id = divisions.client_id`,
  },
  columns: {
    batch_group_name: { sql: sql.ref('batch_group.name'), joins: ['batch_group'] },
    client: { sql: sql.ref('clients.name'), joins: ['client'] },
  },
  search: ['name', 'short_code', 'code'],
})

export const divisionImportTarget = divisionTarget(divisions)

export const batchGroups = resource({ entity: batchGroup, table: 'batch_groups', scope: batchGroupScope, search: ['name'] })

export const divisionHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(divisionCalls, divisions),
  list: handle(divisionCalls.list, async (context, { params, query }) =>
    withOne(query.division_id, await listAnswer(context, divisions, query, askedBy(context, params))),
  ),
  listAll: handle(divisionCalls.listAll, async (context, { params, query }) =>
    withOne(query.division_id, await listAnswer(context, divisions, query, askedBy(context, params))),
  ),
  exportAll: exportHandler(divisionCalls.exportAll, divisions),
  selectOptions: optionsHandler(divisionCalls.selectOptions, divisions, ['id', 'name', 'short_code', 'client_id']),
  search: searchHandler(divisionCalls.search, divisions, ['id', 'name', 'short_code', 'client_id']),
  clientSearch: searchHandler(divisionCalls.clientSearch, divisions, ['id', 'name', 'short_code', 'client_id']),
})

export const batchGroupHandlers: readonly Handler[] = [
  listHandler(batchGroupCalls.list, batchGroups),
  exportHandler(batchGroupCalls.exportCsv, batchGroups),
  optionsHandler(batchGroupCalls.selectOptions, batchGroups, ['id', 'name']),
]

/** A single `division_id` asks for that division, `division_id[]` for a list (G-DIVISION-ONE). */
function withOne(asked: string | string[] | undefined, list: ListReply<'divisions', Division>) {
  return typeof asked === 'string' ? { ...list, division: list.divisions[0] } : list
}
