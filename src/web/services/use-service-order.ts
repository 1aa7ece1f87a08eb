/** The order of an account's services: changed on screen at once, and saved as a whole. */
import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Call, Nothing, Result } from '#contract/kernel/call.ts'
import { accountServicesMax, service, type Service, type ServiceOrder } from '#contract/services/service.ts'
import { callWith } from '../kernel/api.ts'
import { useAttempt, type Attempt } from '../kernel/attempt.tsx'
import { pageQuery, type ListCall } from '../kernel/lists/list-data.ts'
import { useListState } from '../kernel/lists/list-state.ts'
import { queryClient, refresh } from '../kernel/query.ts'
import type { GridOrder } from '../ui/grid/grid-types.ts'

export interface OrderCalls<Params> {
  readonly list: ListCall<'services', Service, Params>
  readonly order: Call<Params, Nothing, ServiceOrder, Result>
}

export interface ServiceOrdering {
  readonly order: GridOrder<Service>
  /** Announces the last move to screen readers. */
  readonly said: string
  /** Whether the rows are shown in their own order, so that they can be dragged. */
  readonly draggable: boolean
  /** The state of saving the order; `again` repeats a failed save. */
  readonly attempt: Attempt
  readonly again: () => void
}

const noRows: readonly Service[] = []

/** Returns undefined if the order cannot be changed: without the right, or with a single service. */
export function useServiceOrder<Params>(calls: OrderCalls<Params>, params: Params, allowed: boolean): ServiceOrdering | undefined {
  const state = useListState(service, noFilters, service.list.sizes?.[0])
  const whole = pageQuery({ plural: 'services', call: calls.list, params }, wholeList)
  const { data } = useQuery({ ...whole, enabled: allowed })
  const [said, say] = useState('')
  const { attempt, save, again } = useSaving(calls.order, params)
  const all = data?.rows ?? noRows
  if (!allowed || all.length < 2 || all.length >= accountServicesMax) return undefined
  const inOrder = state.sort.key === wholeList.sort.key && state.sort.direction === 'asc' && Object.keys(state.filters).length === 0

  const move = (row: Service, by: number) => {
    // The cached order includes a move that was not rendered yet.
    const known = queryClient.getQueryData<{ rows: readonly Service[] }>(whole.queryKey)?.rows ?? all
    const next = moved(known, row, by)
    if (!next) return
    void queryClient.cancelQueries({ queryKey: [whole.queryKey[0]] })
    queryClient.setQueryData(whole.queryKey, { rows: next, total: next.length })
    const { page, per } = state
    const shown = pageQuery({ plural: 'services', call: calls.list, params, query: undefined }, state)
    queryClient.setQueryData(shown.queryKey, { rows: next.slice((page - 1) * per, page * per), total: next.length })
    say(`${row.meter_number} is number ${next.findIndex(({ id }) => id === row.id) + 1} of ${next.length} now`)
    save(next.map(({ id }) => id))
  }
  return {
    said,
    draggable: inOrder,
    attempt,
    again,
    order: {
      move,
      refused: (row, by) => {
        if (!inOrder) return 'Reset the filters and the sort to move services.'
        if (moved(all, row, by)) return undefined
        const group = all.some(({ active }) => active !== row.active) ? ` of those that are ${row.active ? 'active' : 'inactive'}` : ''
        return by < 0 ? `It is the first${group} already.` : `It is the last${group} already.`
      },
    },
  }
}

const noFilters: readonly string[] = []
const wholeList = { page: 1, per: accountServicesMax, sort: { key: 'place', direction: 'asc' }, filters: {} } as const

/**
 * Returns the services with one of them moved within its own part, because inactive ones come last; undefined if it does not move. Ranks follow.
 */
function moved(all: readonly Service[], row: Service, by: number): Service[] | undefined {
  const from = all.findIndex(({ id }) => id === row.id)
  const active = all.filter((one) => one.active).length
  const [first, last] = row.active ? [0, active - 1] : [active, all.length - 1]
  const to = Math.max(first, Math.min(last, from + by))
  const found = all[from]
  if (!found || to === from) return undefined
  return all
    .toSpliced(from, 1)
    .toSpliced(to, 0, found)
    .map((one, place) => ({ ...one, rank: place + 1 }))
}

/** Saves one order at a time and skips all waiting ones but the latest; reloads the lists after the last one. */
function useSaving<Params>(call: OrderCalls<Params>['order'], params: Params) {
  const waiting = useRef<readonly number[] | null>(null)
  const sent = useRef<readonly number[]>([])
  const busy = useRef(false)
  const attempt = useAttempt()
  const work = async () => {
    busy.current = true
    try {
      while (waiting.current) {
        sent.current = waiting.current
        waiting.current = null
        await callWith(call, { params, body: { service_ids: [...sent.current] } })
      }
    } finally {
      // Later moves were based on an order that was not saved.
      waiting.current = null
      busy.current = false
      refresh('services', 'supply_account_services')
    }
  }
  const save = (ids: readonly number[]): void => {
    waiting.current = ids
    if (!busy.current) void attempt.run(work)
  }
  return { attempt, save, again: () => save(sent.current) }
}
