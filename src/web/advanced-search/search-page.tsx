import { connectionId } from '../kernel/connection.ts'
import { ExportStart } from '../kernel/lists/export-button.tsx'
import { ListViews, useListViews } from '../kernel/lists/list-views.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { wireFilters } from '../kernel/lists/wire-filters.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { startSearchExport } from './search-calls.ts'
import { SearchForm } from './search-form.tsx'
import { SearchResults } from './search-results.tsx'
import { useSearchState, type SearchState } from './search-state.ts'

/** The search over all clients within the user's reach. */
export function SearchAll() {
  return <SearchPage clientId={undefined} />
}

/** The search inside one client. */
export function SearchClient() {
  return <SearchPage clientId={usePathId('client_id')} />
}

function SearchPage({ clientId }: { clientId: number | undefined }) {
  const state = useSearchState()
  const { list } = state
  const views = useListViews('advanced_search', list)
  const searched = Object.keys(list.filters).length > 0
  return (
    <>
      <PageHeader
        title="Advanced Search"
        actions={
          <>
            <ListViews list="advanced_search" state={list} views={views} />
            {searched && <ExportFound clientId={clientId} state={state} />}
          </>
        }
      />
      <SearchForm key={clientId} clientId={clientId} filters={list.filters} onSearch={state.search} onClear={state.clear} />
      {searched ? (
        <SearchResults key={clientId} clientId={clientId} state={state} views={views} />
      ) : (
        <EmptyState title="Search billable and supply accounts">
          Fill in what you know and press Enter. Numbers are found by any part of them, with or without their spaces and dashes.
        </EmptyState>
      )}
    </>
  )
}

/** Exports both lists, as filtered, into one file. */
function ExportFound({ clientId, state }: { clientId: number | undefined; state: SearchState }) {
  const start = () => startSearchExport(clientId, { q: wireFilters(state.list.filters), connection_id: connectionId })
  return <ExportStart labels="Advanced Search" start={start} />
}
