/** The rows and the total of a list, as two requests, so that the rows never wait for the count. */
import { useEffect, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Call, ListReply, Nothing } from '#contract/kernel/call.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import type { GridStatus } from '../../ui/grid/grid-types.ts'
import { ApiProblem } from '../api-problem.ts'
import { callWith } from '../api.ts'
import type { ListState } from './list-state.ts'
import { keyOf } from '../query.ts'
import { whenIdle } from '../use-idle.ts'
import { wireFilters } from './wire-filters.ts'

export type ListCall<Plural extends string, Row, Params> = Call<Params, ListInput, Nothing, ListReply<Plural, Row>>
/** Parameters besides the filters that hold for the whole page: `{ vendor_id: 5 }`. */
export type FixedQuery = Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>>

export interface ListSource<Plural extends string, Row, Params> {
  readonly plural: Plural
  readonly call: ListCall<Plural, Row, Params>
  readonly params: Params
  readonly query?: FixedQuery | undefined
}

export interface ListData<Row> {
  readonly rows: readonly Row[]
  /** Undefined while it is being counted. */
  readonly total: number | undefined
  readonly status: GridStatus
}

const none: readonly never[] = []
/** Larger pages are not prefetched: loading a thousand rows that were not requested would slow down scrolling. */
const PREPARED_UP_TO = 200

/** Loads a page of a list and its total; prefetches the next page when idle. */
export function useListData<Plural extends string, Row, Params>(
  source: ListSource<Plural, Row, Params>,
  state: Pick<ListState, 'page' | 'per' | 'sort' | 'filters'>,
): ListData<Row> {
  const asked = useQuery({ ...pageQuery(source, state), placeholderData: keepPreviousData })
  const { data, isPlaceholderData } = asked
  const rows = data?.rows ?? none
  const known = isPlaceholderData ? undefined : data?.total
  const counted = useQuery({
    ...totalQuery(source, state),
    enabled: data !== undefined && !isPlaceholderData && known === undefined,
    placeholderData: keepPreviousData,
  })
  const total = known ?? counted.data
  usePreparedPage(source, state, total)
  return {
    rows,
    total,
    status: statusOf({
      error: asked.error,
      pending: asked.isPending,
      refetching: asked.isFetching && (isPlaceholderData || asked.isStale),
      retry: () => void asked.refetch(),
    }),
  }
}

export function pageQuery<Plural extends string, Row, Params>(
  source: ListSource<Plural, Row, Params>,
  state: Pick<ListState, 'page' | 'per' | 'sort' | 'filters'>,
) {
  const { sort, filters, page, per } = state
  const query = { ...source.query, q: { ...wireFilters(filters), s: `${sort.key} ${sort.direction}` }, page, per, with_total: false }
  const { call, plural, params } = source
  return {
    queryKey: keyOf(call, { params, query }),
    // Comparing each field of a thousand rows with the previous ones costs more than rendering the few visible ones.
    structuralSharing: false,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ListPageData<Row>> => {
      const reply = await callWith(call, { params, query, signal })
      const rows = rowsOf<Plural, Row>(reply, plural)
      // A page that is not full is the last one, so the total follows from it.
      const isLast = rows.length < per && (rows.length > 0 || page === 1)
      return { rows, total: isLast ? (page - 1) * per + rows.length : reply.total }
    },
  }
}

function totalQuery<Plural extends string, Row, Params>(source: ListSource<Plural, Row, Params>, { filters }: Pick<ListState, 'filters'>) {
  const query = { ...source.query, q: wireFilters(filters), with_rows: false }
  const { call, params } = source
  return {
    queryKey: keyOf(call, { params, query }),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<number> => (await callWith(call, { params, query, signal })).total ?? 0,
  }
}

/** The cached data of a page, with the total if the page determines it. */
export interface ListPageData<Row> {
  readonly rows: readonly Row[]
  readonly total: number | undefined
}

function rowsOf<Plural extends string, Row>(reply: { [K in Plural]: Row[] }, plural: Plural): Row[] {
  return reply[plural]
}

/** Requests the next page when the browser is idle, so that turning to it is immediate. */
function usePreparedPage<Plural extends string, Row, Params>(
  source: ListSource<Plural, Row, Params>,
  state: Pick<ListState, 'page' | 'per' | 'sort' | 'filters'>,
  total: number | undefined,
): void {
  const hasNext = total !== undefined && state.page * state.per < total && state.per <= PREPARED_UP_TO
  const next = pageQuery(source, { ...state, page: state.page + 1 })
  const key = JSON.stringify(next.queryKey)
  const [idleKey, setIdleKey] = useState('')
  useEffect(() => (hasNext ? whenIdle(() => setIdleKey(key)) : undefined), [hasNext, key])
  useQuery({ ...next, enabled: hasNext && idleKey === key, notifyOnChangeProps: [] })
}

type Loading = { error: Error | null; pending: boolean; refetching: boolean; retry: () => void }

function statusOf({ error, pending, refetching, retry }: Loading): GridStatus {
  if (error instanceof ApiProblem && error.forbidden) return { kind: 'forbidden' }
  if (error) {
    const requestId = error instanceof ApiProblem ? error.requestId : undefined
    return { kind: 'error', message: error.message, requestId, onRetry: retry }
  }
  return pending ? { kind: 'loading' } : { kind: 'ready', refetching }
}
