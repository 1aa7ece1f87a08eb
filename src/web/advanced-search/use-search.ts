/** Loads the rows of the visible list and the counts of both lists, as two requests, so that rows never wait for the counts. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { FoundAccount, SearchedKind } from '#contract/advanced-search/advanced-search.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import type { ListState } from '../kernel/lists/list-state.ts'
import { wireFilters } from '../kernel/lists/wire-filters.ts'
import type { GridStatus } from '../ui/grid/grid-types.ts'
import { askSearch } from './search-calls.ts'

export type Totals = Readonly<Record<SearchedKind, number>>

/** Undefined while they are being counted. */
export function useTotals(clientId: number | undefined, { filters }: Pick<ListState, 'filters'>): Totals | undefined {
  const q = wireFilters(filters)
  const counted = useQuery({
    queryKey: ['advanced_search', 'totals', { clientId, q }],
    queryFn: async ({ signal }): Promise<Totals> => {
      const reply = await askSearch(clientId, { q, with_rows: 'false', with_ids: 'false' }, signal)
      return { billable_accounts: reply.billable_accounts_total ?? 0, supply_accounts: reply.supply_accounts_total ?? 0 }
    },
    staleTime: 0,
  })
  return counted.data
}

export interface FoundPage {
  readonly rows: readonly FoundAccount[]
  readonly status: GridStatus
}

const none: readonly FoundAccount[] = []

export function useFound(
  clientId: number | undefined,
  kind: SearchedKind,
  { filters, sort, page, per }: Pick<ListState, 'filters' | 'sort' | 'page' | 'per'>,
): FoundPage {
  const q = { ...wireFilters(filters), s: `${sort.key} ${sort.direction}` }
  const asked = useQuery({
    queryKey: ['advanced_search', 'rows', kind, { clientId, q, page, per }],
    queryFn: async ({ signal }) => {
      const reply = await askSearch(clientId, { q, kind, page, per, with_total: 'false', with_ids: 'false' }, signal)
      return { kind, rows: reply[kind] }
    },
    // Records may have been changed on other pages, so they are loaded again.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const { data, error, isPending, isFetching, isPlaceholderData } = asked
  const mine = data?.kind === kind ? data.rows : none
  return {
    rows: mine,
    status: statusOf(error, isPending || data?.kind !== kind, isFetching && isPlaceholderData, () => void asked.refetch()),
  }
}

function statusOf(error: Error | null, pending: boolean, refetching: boolean, onRetry: () => void): GridStatus {
  if (error instanceof ApiProblem && error.forbidden) return { kind: 'forbidden', what: 'the advanced search' }
  if (error) return { kind: 'error', message: error.message, requestId: error instanceof ApiProblem ? error.requestId : undefined, onRetry }
  return pending ? { kind: 'loading' } : { kind: 'ready', refetching }
}
