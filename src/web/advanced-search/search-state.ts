/** The filters and the shown list are in the address, so that Back returns to them and they can be sent to a colleague. */
import { useMemo } from 'react'
import { searchedKinds, type SearchedKind } from '#contract/advanced-search/advanced-search.ts'
import { foundBillable } from '#contract/advanced-search/searched-fields.ts'
import { useListState, type ListControls } from '../kernel/lists/list-state.ts'
import { useGo, usePath, useSearchText, withSearch } from '../kernel/navigation.tsx'
import type { GridFilters } from '../ui/grid/grid-types.ts'

export interface SearchState {
  readonly list: ListControls
  /** The chosen list; null shows the one that has results. */
  readonly kind: SearchedKind | null
  /** Returns the address of one list's first page. */
  readonly hrefOf: (kind: SearchedKind) => string
  readonly search: (filters: GridFilters) => void
  readonly clear: () => void
}

export function useSearchState(): SearchState {
  const list = useListState(foundBillable)
  const text = useSearchText()
  const path = usePath()
  const go = useGo()
  return useMemo(() => {
    const { page: _page, ...rest } = text
    const kept = { sort: text['sort'], per: text['per'] }
    return {
      list,
      kind: searchedKinds.find((kind) => kind === text['kind']) ?? null,
      hrefOf: (kind) => withSearch(path, { ...rest, kind }),
      search: (filters) => go(withSearch(path, { ...kept, ...filters }), { resetScroll: false }),
      clear: () => go(path, { resetScroll: false }),
    }
  }, [list, text, path, go])
}
