/** A list's state is in its address as plain text: page, per, sort, view, and its filters by their own names. */
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Entity } from '#contract/kernel/entity.ts'
import { pageSizeDefault, pageSizeMax, predicates } from '#contract/kernel/query.ts'
import { parseSort } from '#contract/kernel/read-query.ts'
import type { GridFilters, GridSort } from '../../ui/grid/grid-types.ts'
import { useGo, usePath, useSearchText, withSearch } from '../navigation.tsx'
import { useKeptAddress } from './way-back.ts'

export type ListedEntity<Plural extends string = string> = Pick<
  Entity<string, Plural>,
  'name' | 'plural' | 'label' | 'labels' | 'fields' | 'list'
>

export interface ListState {
  readonly page: number
  readonly per: number
  readonly sort: GridSort
  readonly filters: GridFilters
  /** Id of the saved view in use. */
  readonly view: number | null
}

/** Pause (ms) in typing after which the address, and with it the list, is updated. */
const TYPING_PAUSE_MS = 300
const reserved = ['page', 'per', 'sort', 'view']

export interface ListControls extends ListState {
  /** The filters while they are being typed; `filters` follows after a pause. */
  readonly typedFilters: GridFilters
  readonly setPage: (page: number) => void
  readonly setPer: (per: number) => void
  readonly setSort: (sort: GridSort) => void
  readonly setFilters: (filters: GridFilters) => void
  /** Restores the list's default state without reloading the page. */
  readonly reset: () => void
  /** Filters and sort as text, in the form in which a saved view stores them. */
  readonly viewText: string
  readonly openView: (id: number | null, text: string, replace?: boolean) => void
  /** The address of the list in this view. */
  readonly viewHref: (id: number | null, text: string) => string
  /** Whether the address says nothing of the list. */
  readonly isSilent: boolean
}

/** The list's state at this address, and its setters. Other parameters of the address stay as they are. */
export function useListState(
  entity: ListedEntity,
  extraFilters: readonly string[] = [],
  perDefault: number = pageSizeDefault,
  sizable = true,
  perOwn: number = perDefault,
): ListControls {
  const search = useSearchText()
  const path = usePath()
  const go = useGo()
  useKeptAddress(path, withSearch(path, search))
  const state = useMemo(
    () => readListState(search, entity, extraFilters, perDefault, sizable),
    [search, entity, extraFilters, perDefault, sizable],
  )
  const [typed, setTyped] = useState<GridFilters | null>(null)
  const others = useMemo(
    () => Object.fromEntries(Object.entries(search).filter(([key]) => !reserved.includes(key) && !isFilter(key, entity, extraFilters))),
    [search, entity, extraFilters],
  )
  const write = useCallback(
    (next: ListState, replace: boolean) =>
      go(withSearch(path, { ...others, ...writeListState(next, entity, perDefault, perOwn) }), { replace, resetScroll: false }),
    [go, path, others, entity, perDefault, perOwn],
  )
  useTypedFilters(typed, (filters) => {
    setTyped(null)
    write({ ...state, filters, page: 1 }, true)
  })
  const { filters, sort } = state
  const viewHref = (view: number | null, text: string) =>
    withSearch(path, { ...others, ...Object.fromEntries(new URLSearchParams(text)), ...(view === null ? {} : { view }) })
  return {
    ...state,
    typedFilters: typed ?? filters,
    setPage: (page) => write({ ...state, page }, false),
    setPer: (per) => write({ ...state, per, page: 1 }, false),
    setSort: (next) => write({ ...state, sort: next, page: 1 }, true),
    setFilters: (next) => setTyped(withoutEmpty(next)),
    reset: () => {
      setTyped(null)
      go(withSearch(path, { ...others, ...(state.per === perDefault ? {} : { per: state.per }) }), { replace: true, resetScroll: false })
    },
    viewText: viewTextOf(filters, sort, entity),
    openView: (view, text, replace = false) => {
      setTyped(null)
      go(viewHref(view, text), { resetScroll: false, replace })
    },
    viewHref,
    isSilent: Object.keys(search).length === 0,
  }
}

/** Passes typed filters on once typing has paused. */
function useTypedFilters(typed: GridFilters | null, take: (filters: GridFilters) => void): void {
  const settled = useEffectEvent(take)
  useEffect(() => {
    if (!typed) return undefined
    const timer = setTimeout(() => settled(typed), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
}

/**
 * Reads a list's state from an address and ignores invalid values. A list with a fixed page size ignores the size in the address, because its
 * pager could not restore it.
 */
export function readListState(
  search: Readonly<Record<string, string>>,
  entity: ListedEntity,
  extraFilters: readonly string[] = [],
  perDefault: number = pageSizeDefault,
  sizable = true,
): ListState {
  return {
    page: whole(search['page'], 1_000_000) ?? 1,
    per: (sizable ? whole(search['per'], pageSizeMax) : undefined) ?? perDefault,
    sort: readSort(search['sort'], entity),
    filters: withoutEmpty(Object.fromEntries(Object.entries(search).filter(([key]) => isFilter(key, entity, extraFilters)))),
    view: whole(search['view'], Number.MAX_SAFE_INTEGER) ?? null,
  }
}

/**
 * Returns the address parameters of a state; the list's default state needs none. A later page names its size, unless every screen has it, so that
 * its address shows the same rows to everybody.
 */
export function writeListState(
  { page, per, sort, filters, view }: ListState,
  entity: ListedEntity,
  perDefault: number = pageSizeDefault,
  perOwn: number = perDefault,
): Record<string, string | number | undefined> {
  return {
    ...filters,
    sort: sortText(sort, entity),
    page: page === 1 ? undefined : page,
    per: per === perDefault && (page === 1 || per === perOwn) ? undefined : per,
    view: view ?? undefined,
  }
}

/** Returns filters and sort in a fixed order, so that equal states have equal texts. */
export function viewTextOf(filters: GridFilters, sort: GridSort, entity: ListedEntity): string {
  const text = sortText(sort, entity)
  const pairs = Object.entries({ ...filters, ...(text ? { sort: text } : {}) })
  return new URLSearchParams(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString()
}

/** `name` ascending, `-name` descending; undefined for the list's default sort. */
function sortText(sort: GridSort, entity: ListedEntity): string | undefined {
  const own = ownSort(entity)
  if (sort.key === own.key && sort.direction === own.direction) return undefined
  return sort.direction === 'desc' ? `-${sort.key}` : sort.key
}

function readSort(text: string | undefined, entity: ListedEntity): GridSort {
  const key = text?.replace(/^-/, '')
  if (!text || !key || !entity.list.sort.includes(key)) return ownSort(entity)
  return { key, direction: text.startsWith('-') ? 'desc' : 'asc' }
}

function ownSort(entity: ListedEntity): GridSort {
  return parseSort(entity.list.defaultSort) ?? { key: 'id', direction: 'asc' }
}

/** Whether the name is a filter of the list, with or without a predicate: `name`, `name_cont`, `due_date_gteq`. */
function isFilter(key: string, entity: ListedEntity, extraFilters: readonly string[]): boolean {
  if (reserved.includes(key)) return false
  const names = [...entity.list.filter, ...extraFilters]
  return (
    names.includes(key) ||
    predicates.some((predicate) => key.endsWith(`_${predicate}`) && names.includes(key.slice(0, -predicate.length - 1)))
  )
}

function withoutEmpty(filters: GridFilters): GridFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
}

function whole(text: string | undefined, max: number): number | undefined {
  return text && /^[1-9]\d{0,15}$/.test(text) ? Math.min(Number(text), max) : undefined
}
