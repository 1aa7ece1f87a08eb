/** Advanced search over billable and supply accounts. The front door of the slice. */
import { advancedSearchCalls, clientSearchCalls } from '#contract/advanced-search/search-calls.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { exportSearch } from './export-search.ts'
import { searchAccounts } from './search-accounts.ts'
import { searchAssociations } from './search-options.ts'

export const advancedSearchHandlers: readonly Handler[] = [
  handle(advancedSearchCalls.associations, (context, { query }) => searchAssociations(context, undefined, query)),
  handle(advancedSearchCalls.search, (context, { query }) => searchAccounts(context, undefined, query)),
  handle(advancedSearchCalls.exportCsv, (context, { query }) => exportSearch(context, undefined, query)),
  handle(clientSearchCalls.associations, (context, { params, query }) => searchAssociations(context, params.client_id, query)),
  handle(clientSearchCalls.search, (context, { params, query }) => searchAccounts(context, params.client_id, query)),
  handle(clientSearchCalls.exportCsv, (context, { params, query }) => exportSearch(context, params.client_id, query)),
]
