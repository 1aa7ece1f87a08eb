/** The calls of the advanced search, of all clients and of one. */
import { call, started, type Call, type Nothing, type PathParams, type Started } from '../kernel/call.ts'
import {
  type AssociationsInput,
  type Associations,
  type SearchInput,
  type SearchReply,
  type SearchExportInput,
  associationsInput,
  associationsReply,
  searchInput,
  searchReply,
  exportInput,
} from './advanced-search.ts'

export const advancedSearchCalls = callsUnder('', 'advanced_search', '')
export const clientSearchCalls = callsUnder('/clients/:client_id', 'client_advanced_search', ' of one client')

type SearchCalls<Path extends string> = {
  readonly associations: Call<PathParams<Path>, AssociationsInput, Nothing, Associations>
  readonly search: Call<PathParams<Path>, SearchInput, Nothing, SearchReply>
  readonly exportCsv: Call<PathParams<Path>, SearchExportInput, Nothing, Started>
}

function callsUnder<Path extends string>(base: Path, name: string, where: string): SearchCalls<Path> {
  const may = 'advanced_search.read'
  return {
    associations: call<string, PathParams<Path>, AssociationsInput, Nothing, Associations>({
      name: `${name}.associations`,
      method: 'GET',
      path: `${base}/advanced_search_associations`,
      may,
      summary: `What the advanced search${where} offers to choose from: services, vendors, divisions and facilities`,
      query: associationsInput,
      reply: associationsReply,
    }),
    search: call<string, PathParams<Path>, SearchInput, Nothing, SearchReply>({
      name: `${name}.search`,
      method: 'GET',
      path: `${base}/advanced_search`,
      may,
      summary: `Finds the billable and supply accounts${where} that all filters fit`,
      query: searchInput,
      reply: searchReply,
    }),
    exportCsv: call<string, PathParams<Path>, SearchExportInput, Nothing, Started>({
      name: `${name}.export`,
      method: 'GET',
      path: `${base}/advanced_search/export_csv`,
      effect: 'write',
      may,
      summary: `Starts one CSV export of the found accounts${where}, by their filters or by their ids`,
      query: exportInput,
      reply: started,
    }),
  }
}
